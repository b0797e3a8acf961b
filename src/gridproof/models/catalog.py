"""Finds encodings: the packaged ``encodings/*.toml``, else the checkout's; nothing else knows where they are."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from pathlib import Path

from gridproof.arguments import checked
from gridproof.errors import EncodingError, choices
from gridproof.models.encoding import Encoding


def folder() -> Path:
    """The folder of the encoding files. Raises ``EncodingError`` if there is none (a broken installation)."""
    packaged = Path(str(resources.files("gridproof"))) / "encodings"
    if packaged.is_dir():
        return packaged
    # The guard keeps this from ever meaning the standard library's own package of that name.
    checkout = Path(__file__).resolve().parents[3]
    if (checkout / "pyproject.toml").is_file() and (checkout / "encodings").is_dir():
        return checkout / "encodings"
    raise EncodingError(f"no encodings in {packaged} nor in {checkout / 'encodings'}; expected one of them")


def names() -> list[str]:
    """Return the names of all encodings in alphabetical order.

    Examples
    --------
    >>> "extended" in names()
    True
    """
    return sorted(path.stem for path in folder().glob("*.toml"))


@checked
def load(name: str) -> Encoding:
    """Load an encoding.

    Parameters
    ----------
    name
        Its name, or the path of a user's own file, which ends in ``.toml``.

    Returns
    -------
    Encoding

    Raises
    ------
    EncodingError
        If it is not found, with the names that exist; or if the file is not an encoding.

    Examples
    --------
    >>> load("minimal").target
    'cnf'
    """
    if name.endswith(".toml"):
        return Encoding.from_file(name)  # not cached: a file of the user's own may change between two calls
    return _packaged(name)


@lru_cache(maxsize=64)
def _packaged(name: str) -> Encoding:
    known = names()
    if name not in known:
        raise EncodingError(f"no encoding is called {name!r}; {choices(name, known, 'a path ending in .toml or ')}")
    return Encoding.from_file(folder() / f"{name}.toml")
