"""Reads TOML files, and takes their tables apart key by key; what is wrong is an error that names file and key."""

from __future__ import annotations

import stat
from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.text import suggest

LARGEST_FILE = 1 << 16
"""Largest file of a user's own that is read, in bytes: a kind of rule or an encoding has one or two thousand."""


class Missing(Enum):
    """The mark of a key without a value, or without a default."""

    MISSING = "missing"


MISSING: Any = Missing.MISSING


class TomlTable:
    """A table of a TOML file.

    Parameters
    ----------
    file
        The file, as errors name it.
    values
        What is in the table.
    keys
        Every key that it may have; another one is an error at once. ``None`` if any key will do.
    name
        The name of the table; empty for the file itself.
    error
        The class of the errors.
    quote
        Whether errors quote values and unknown keys. They must not where the file may be one that was never meant for
        us, of which whoever gets the message should learn nothing.

    Raises
    ------
    InputError
        For a key that is not among ``keys``.

    Examples
    --------
    >>> table = TomlTable("mine.toml", {"words": "even cells", "pairs": "some"}, keys=("words", "pairs"))
    >>> table.text("words")
    'even cells'
    >>> table.choice("pairs", ("each", "all"))
    Traceback (most recent call last):
        ...
    gridproof.errors.InputError: mine.toml: pairs = 'some'; expected one of 'all', 'each'
    """

    def __init__(
        self,
        file: str | Path,
        values: Mapping[str, Any],
        *,
        keys: Collection[str] | None = None,
        name: str = "",
        error: type[InputError] = InputError,
        quote: bool = True,
    ) -> None:
        self.file = file
        self.values = values
        self.name = name
        self.error = error
        self.quote = quote
        for key in values:
            if keys is not None and key not in keys:
                unknown = self.full_name(key) if quote else f"in {name or 'the file'}"
                raise error(f"{file}: unknown key {unknown}; {suggest(key, keys)}")

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def full_name(self, key: str) -> str:
        """Return the name of a key with that of the table: ``house.at_most_one``."""
        return f"{self.name}.{key}" if self.name else key

    def refusal(self, key: str, expected: str) -> InputError:
        """Return the error for the value of a key, to be raised. expected: what would be right."""
        if key not in self.values:
            problem = "is missing"
        elif self.quote:
            problem = f"= {self.values[key]!r:.60}"
        else:
            problem = "has another value"
        return self.error(f"{self.file}: {self.full_name(key)} {problem}; expected {expected}")

    def text(self, key: str, expected: str = "a text") -> str:
        """Return the text of a key, without blanks around it; there has to be one."""
        value = self.values.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.refusal(key, expected)
        return value.strip()

    def choice(self, key: str, allowed: Iterable[object], default: object = MISSING) -> Any:
        """Return the value of a key, which has to be one of those that are allowed; else the default."""
        value = self.values.get(key, default)
        for possible in allowed:
            # 1 == True in Python: without the types, at_least_one = 1 would pass
            if value == possible and type(value) is type(possible):
                return possible
        raise self.refusal(key, f"one of {listed(allowed)}")

    def table(self, key: str, keys: Collection[str] | None = None) -> TomlTable:
        """Return the table of a key, with the keys that it may have; an empty one if the file has none."""
        values = self.values.get(key, {})
        if not isinstance(values, Mapping):
            raise self.refusal(key, "a table" if keys is None else f"a table with the keys {listed(keys)}")
        name = self.full_name(key)
        return TomlTable(self.file, values, keys=keys, name=name, error=self.error, quote=self.quote)


def listed(values: Iterable[object]) -> str:
    """Return values as TOML writes them, in alphabetical order."""
    texts = []
    for value in sorted(values, key=str):
        texts.append(str(value).lower() if isinstance(value, bool) else repr(value))
    return ", ".join(texts)


def read_toml(path: str | Path, error: type[InputError] = InputError) -> dict[str, Any]:
    """Return what is in a TOML file. Raises ``error`` for one that cannot be read; see ``read_small_file``."""
    return parse_toml(read_small_file(path, error), path, error)


def read_small_file(path: str | Path, error: type[InputError] = InputError) -> str:
    """Return the text of a file of a user's own.

    Raises ``error`` for one that cannot be read, is no plain file, or is larger than ``LARGEST_FILE``: a pipe would
    keep us for ever, a device has no end.
    """
    path = Path(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise ValueError("expected a plain file")
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise ValueError(f"expected at most {LARGEST_FILE:,} bytes")
        return content.decode("utf-8-sig")
    except (OSError, ValueError) as problem:
        raise error(f"{path}: not a readable TOML file: {problem}") from None


def parse_toml(text: str, path: str | Path, error: type[InputError] = InputError) -> dict[str, Any]:
    """Return what a text in TOML states. Raises ``error`` that names the file."""
    import tomllib  # only whoever reads such files waits for it

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError, MemoryError) as problem:  # Python reads no number of thousands of digits
        raise error(f"{path}: not a readable TOML file: {problem}") from None
