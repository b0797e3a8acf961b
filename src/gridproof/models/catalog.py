"""Finds and reads encodings: the packaged ``encodings/*.toml``, else the checkout's.

The stem of a file is the name of its encoding. The schema of its target is the whole vocabulary of a file; anything
else is an ``EncodingError`` that names the file, the key and what is allowed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from gridproof.arguments import checked
from gridproof.errors import EncodingError
from gridproof.models import targets
from gridproof.models.targets import Encoding
from gridproof.text import suggest


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
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as problem:
        raise EncodingError(f"{path}: not a readable TOML file: {problem}") from None
    return encoding_of(data, path.stem, str(path))


def encoding_of(data: Mapping[str, Any], name: str, file: str = "encoding") -> Encoding:
    """Make an encoding from the parsed content of a file; errors call it ``file``."""

    def expect(right: bool, key: str, value: object, expected: str) -> None:
        if not right:
            found = "is missing" if value is _MISSING else f"= {value!r}"
            raise EncodingError(f"{file}: {key} {found}; expected {expected}")

    def check_keys(table: Mapping[str, Any], known: Iterable[str], before: str = "") -> None:
        for key in table:
            if key not in known:
                raise EncodingError(f"{file}: unknown key {before}{key}; expected one of {_listed(known)}")

    for key, expected in _TEXTS.items():
        expect(isinstance(data.get(key), str) and bool(data[key].strip()), key, data.get(key), expected)
    known = targets.all_targets()
    expect(data["target"].strip() in known, "target", data["target"], f"one of {_listed(known)}")
    target = known[data["target"].strip()]
    check_keys(data, {*_TEXTS, *target.schema})
    choices = {}
    for table, keys in target.schema.items():
        values = data.get(table, {})
        expect(isinstance(values, Mapping), table, values, f"a table with the keys {_listed(keys)}")
        check_keys(values, keys, f"{table}.")
        for key, allowed in keys.items():
            value = choices[table, key] = values.get(key, target.optional.get((table, key), _MISSING))
            # 1 == True in Python: compare types too, or at_least_one = 1 would pass
            right = any(value == one and type(value) is type(one) for one in allowed)
            expect(right, f"{table}.{key}", value, f"one of {_listed(allowed)}")
    if reason := target.senseless(choices):
        raise EncodingError(f"{file}: {reason}")
    return Encoding(name, data["summary"].strip(), data["source"].strip(), target.name, tuple(choices.items()))


_MISSING = object()
_TEXTS = {
    "summary": "a line of text",
    "source": "the paper or program that it comes from, with its year, such as 'my own, 2026'",
    "target": "the name of a target, such as 'cnf'",
}


def _listed(values: Iterable[object]) -> str:
    return ", ".join(
        str(value).lower() if isinstance(value, bool) else repr(value) for value in sorted(values, key=str)
    )
