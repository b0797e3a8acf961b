"""Encodings: recipes that turn a geometry into a model, read from TOML files of a closed vocabulary.

The file's stem is the encoding's name. The schema of its target is the whole vocabulary; anything else in a file is an
``EncodingError`` that names the file, the key and what is allowed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gridproof.errors import EncodingError
from gridproof.models import targets


@dataclass(frozen=True, slots=True)
class Encoding:
    """A validated encoding. It is hashable, so that models can be cached by it.

    Parameters
    ----------
    name, summary, source : str
        The stem of the file, one line about it, and the paper or program it comes from.
    target : str
        The name of its target.
    choices : tuple
        Pairs of ``(table, key)`` and value, as in the schema of the target.

    Examples
    --------
    >>> from gridproof.models import catalog
    >>> minimal = catalog.load("minimal")
    >>> minimal.choice("house", "at_most_one")
    'pairwise'
    """

    name: str
    summary: str
    source: str
    target: str
    choices: tuple[tuple[tuple[str, str], object], ...]

    def choice(self, table: str, key: str) -> object:
        """Return the value that is chosen for a key of a table of the schema."""
        return dict(self.choices)[table, key]

    @classmethod
    def from_file(cls, path: str | Path) -> Encoding:
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
        return cls.from_data(data, path.stem, str(path))

    @classmethod
    def from_data(cls, data: Mapping[str, Any], name: str, file: str = "encoding") -> Encoding:
        """Make an encoding from the parsed content of a file; errors call it ``file``."""
        texts = {key: _text(data, key, file) for key in ("summary", "source", "target")}
        found = targets.all_targets()
        if texts["target"] not in found:
            raise EncodingError(f"{file}: target = {texts['target']!r}; expected one of {_listed(found)}")
        target = found[texts["target"]]
        _refuse_unknown(data, {*texts, *target.schema}, file, "")
        choices = {}
        for table, keys in target.schema.items():
            values = data.get(table, {})
            if not isinstance(values, Mapping):
                raise EncodingError(f"{file}: {table} = {values!r}; expected a table with the keys {_listed(keys)}")
            _refuse_unknown(values, keys, file, f"{table}.")
            for key, allowed in keys.items():
                if key not in values and (table, key) not in target.optional:
                    raise EncodingError(f"{file}: {table}.{key} is missing; expected one of {_listed(allowed)}")
                value = choices[table, key] = values[key] if key in values else target.optional[table, key]
                # 1 == True in Python: compare types too, or at_least_one = 1 would pass
                if not any(value == one and type(value) is type(one) for one in allowed):
                    raise EncodingError(f"{file}: {table}.{key} = {value!r}; expected one of {_listed(allowed)}")
        if reason := target.senseless(choices):
            raise EncodingError(f"{file}: {reason}")
        return cls(name, texts["summary"], texts["source"], target.name, tuple(choices.items()))


_EXPECTED = {
    "source": "the paper or program that it comes from, with its year, such as 'my own, 2026'",
    "target": "the name of a target, such as 'cnf'",
}


def _text(data: Mapping[str, Any], key: str, file: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise EncodingError(f"{file}: {key} = {value!r}; expected {_EXPECTED.get(key, 'a line of text')}")
    return value.strip()


def _refuse_unknown(data: Iterable[str], known: Iterable[str], file: str, prefix: str) -> None:
    for key in data:
        if key not in known:
            raise EncodingError(f"{file}: unknown key {prefix}{key}; expected one of {_listed(known)}")


def _listed(values: Iterable[object]) -> str:
    return ", ".join(
        str(value).lower() if isinstance(value, bool) else repr(value) for value in sorted(values, key=str)
    )
