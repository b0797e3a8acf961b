"""Finds and reads encodings: the packaged ``encodings/*.toml``, else the checkout's.

The stem of a file is the name of its encoding. The schema of its target is the whole vocabulary of a file; anything
else is an ``EncodingError`` that names the file, the key and what is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from gridproof.errors import EncodingError
from gridproof.expect import expect
from gridproof.models import targets
from gridproof.models.targets import Encoding
from gridproof.text import suggest
from gridproof.toml_tables import MISSING, TomlTable, read_toml


def folder() -> Path:
    """Return the folder of the encoding files. Raises ``EncodingError`` if there is none (a broken installation)."""
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
    expect(name, str, "encoding", "a name, or the path of a file that ends in .toml")
    if name.endswith(".toml"):
        return read_encoding(name)  # not cached: a file of the user's own may change between two calls
    return packaged(name)


@lru_cache(maxsize=64)
def packaged(name: str) -> Encoding:
    """Return an encoding that comes with gridproof. Raises ``EncodingError`` for another name."""
    known = names()
    if name not in known:
        raise EncodingError(f"no encoding is called {name!r}; {suggest(name, known, 'a path ending in .toml or ')}")
    return read_encoding(folder() / f"{name}.toml")


def read_encoding(path: str | Path) -> Encoding:
    """Read an encoding.

    Parameters
    ----------
    path
        A TOML file. Its stem is the name of the encoding.

    Returns
    -------
    Encoding

    Raises
    ------
    EncodingError
        For anything outside the vocabulary, with what is allowed.
    """
    path = Path(path)
    return make_encoding(read_toml(path, EncodingError), path.stem, str(path))


def make_encoding(data: Mapping[str, Any], name: str, file: str = "encoding") -> Encoding:
    """Make an encoding from the parsed content of a file; errors call it ``file``."""
    target_name = TomlTable(file, data, error=EncodingError).choice("target", sorted(targets.all_targets()))
    target = targets.find(target_name)
    keys = ["summary", "source", "target"] + list(target.schema)
    content = TomlTable(file, data, keys=keys, error=EncodingError)
    summary = content.text("summary", "a line of text")
    source = content.text("source", "the paper or program that it comes from, with its year, such as 'my own, 2026'")
    chosen: dict[tuple[str, str], object] = {}
    for table_name, schema in target.schema.items():
        table = content.table(table_name, tuple(schema))
        for key, allowed in schema.items():
            default = target.optional.get((table_name, key), MISSING)
            chosen[table_name, key] = table.choice(key, allowed, default)
    reason = target.invalid_reason(chosen)
    if reason is not None:
        raise EncodingError(f"{file}: {reason}")
    return Encoding(name, summary, source, target.name, tuple(chosen.items()))
