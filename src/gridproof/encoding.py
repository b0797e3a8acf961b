"""Encodings: recipes that turn a geometry into a model, read from TOML files of a closed vocabulary.

The file's stem is the encoding's name. ``SCHEMA`` below is the whole vocabulary; anything else in a file is an
``EncodingError`` that names the file, the key and what is allowed.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from gridproof.errors import EncodingError
from gridproof.formula import Formula, Table

CNF_SCHEMES = (
    *("pairwise", "seqcounter", "sortnetwrk", "cardnetwrk", "bitwise"),
    *("ladder", "totalizer", "mtotalizer", "kmtotalizer"),
)
"""At-most-one schemes: ``pairwise`` is ours, the others are PySAT's cardinality encodings by their names there."""

BY_SIZE = "by-size"
"""In place of a scheme: the one that suits the size of each group (see ``gridproof.cnf.scheme_for``)."""

SCHEMA: Mapping[str, Mapping[str, Mapping[str, tuple[object, ...]]]] = {
    "cnf": {
        "cell": {"at_least_one": (True, False), "at_most_one": (*CNF_SCHEMES, BY_SIZE, False)},
        "house": {
            "at_least_one": (True, False),
            "at_most_one": (*CNF_SCHEMES, BY_SIZE, False),
            "through": ("cells", "intersections"),
        },
        "board": {"clues": ("assumed", "propagated")},
    },
    "cp-sat": {
        "cell": {"variables": ("integers", "booleans", "linked")},
        "house": {"constraint": ("all-different", "exactly-one", "both")},
    },
}
"""target -> table -> key -> the values allowed. ``through`` and the table ``board`` may be left out (``cells``,
``assumed``), the others are required. ``clues``: whether the rules are compiled once and a board's clues assumed, or
each board's clues propagated first, so that only what they leave open is compiled."""

_OPTIONAL = {("house", "through"): "cells", ("board", "clues"): "assumed"}


@dataclass(frozen=True, slots=True)
class Encoding:
    """A validated encoding; hashable, so that models can be cached by it.

    name: the file's stem. summary: one line. source: the paper or program it comes from. target: ``cnf`` or
    ``cp-sat``. choices: ``(table, key) -> value`` as in ``SCHEMA``. variables, clauses: what a model of it has, as a
    formula in n (order), r and c (rows and columns of a box); ``None`` where the file does not say.
    """

    name: str
    summary: str
    source: str
    target: Literal["cnf", "cp-sat"]
    choices: tuple[tuple[tuple[str, str], object], ...]
    variables: Formula | None = None
    clauses: Formula | None = None

    def choice(self, table: str, key: str) -> object:
        """The value chosen for a key of ``SCHEMA``."""
        return dict(self.choices)[table, key]

    @property
    def propagated(self) -> bool:
        """Whether each board is propagated, and only what it leaves open compiled."""
        return (("board", "clues"), "propagated") in self.choices

    @classmethod
    def from_file(cls, path: str | Path) -> Encoding:
        """Read one TOML file. Raises ``EncodingError`` for anything outside the vocabulary."""
        path = Path(path)
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as problem:
            raise EncodingError(f"{path}: not a readable TOML file: {problem}") from None
        return cls.from_data(data, path.stem, str(path))

    @classmethod
    def from_data(cls, data: Mapping[str, Any], name: str, file: str = "encoding") -> Encoding:
        """The same from the parsed content of a file; ``file`` is what errors call it."""
        texts = {key: _text(data, key, file) for key in ("summary", "source", "target")}
        target = texts["target"]
        if target not in SCHEMA:
            raise EncodingError(f"{file}: target = {target!r}; expected one of {_listed(SCHEMA)}")
        tables = SCHEMA[target]
        _refuse_unknown(data, {*texts, *tables, "size"}, file, "")
        choices = [
            ((table, key), _choice(data, table, key, file, tables[table])) for table in tables for key in tables[table]
        ]
        for table in tables:
            _refuse_unknown(data.get(table, {}), tables[table], file, f"{table}.")
        encoding = cls(
            name,
            texts["summary"],
            texts["source"],
            cast(Literal["cnf", "cp-sat"], target),
            tuple(choices),
            *_sizes(data, file),
        )
        encoding._refuse_senseless(file)
        return encoding

    def _refuse_senseless(self, file: str) -> None:
        """Each key may be allowed and the whole still not say the rules of Sudoku."""
        if self.target == "cp-sat":
            variables, constraint = self.choice("cell", "variables"), self.choice("house", "constraint")
            needed = {"all-different": "integers", "exactly-one": "booleans", "both": "linked"}[str(constraint)]
            if variables not in (needed, "linked"):
                raise EncodingError(
                    f"{file}: house.constraint = {constraint!r} with cell.variables = {variables!r}; "
                    f"expected cell.variables = {needed!r} or 'linked'"
                )
            return
        if self.propagated and self.choice("house", "through") != "cells":
            raise EncodingError(
                f"{file}: board.clues = 'propagated' with house.through = {self.choice('house', 'through')!r}; "
                "expected house.through = 'cells': what is left of a board is cut no further"
            )
        cell = [bool(self.choice("cell", key)) for key in ("at_least_one", "at_most_one")]
        house = [bool(self.choice("house", key)) for key in ("at_least_one", "at_most_one")]
        # The n cells of a house share n symbols: if each cell has at least one and each symbol at most one place,
        # counting says "exactly one" for both; and so the other way round.
        if not ((cell[0] and house[1]) or (house[0] and cell[1])):
            raise EncodingError(
                f"{file}: cell {_said(cell)} and house {_said(house)} do not say the rules; expected at least one "
                "a cell with at most one a house, or at least one a house with at most one a cell"
            )


def _said(flags: list[bool]) -> str:
    return f"(at_least_one {str(flags[0]).lower()}, at_most_one {'set' if flags[1] else 'false'})"


def _text(data: Mapping[str, Any], key: str, file: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise EncodingError(f"{file}: {key} = {value!r}; expected a text of at least one character")
    return value.strip()


def _choice(data: Mapping[str, Any], table: str, key: str, file: str, keys: Mapping[str, tuple[object, ...]]) -> object:
    values = data.get(table, {})
    if not isinstance(values, Mapping):
        raise EncodingError(f"{file}: {table} = {values!r}; expected a table with the keys {_listed(keys)}")
    if key not in values and (table, key) in _OPTIONAL:
        return _OPTIONAL[table, key]
    if key not in values:
        raise EncodingError(f"{file}: {table}.{key} is missing; expected one of {_listed(keys[key])}")
    value = values[key]
    # 1 == True in Python: compare types too, or at_least_one = 1 would pass
    if not any(value == allowed and type(value) is type(allowed) for allowed in keys[key]):
        raise EncodingError(f"{file}: {table}.{key} = {value!r}; expected one of {_listed(keys[key])}")
    return cast(object, value)


def _sizes(data: Mapping[str, Any], file: str) -> tuple[Formula | None, Formula | None]:
    size = data.get("size", {})
    if not isinstance(size, Mapping):
        raise EncodingError(f"{file}: size = {size!r}; expected a table with the keys variables, clauses")
    _refuse_unknown(size, ("variables", "clauses", "tables"), file, "size.")
    tables = _size_tables(size.get("tables", {}), file)
    formulas: list[Formula | None] = []
    for key in ("variables", "clauses"):
        text = size.get(key)
        if text is None:
            formulas.append(None)
            continue
        try:
            formula = Formula.parse(text, tables)
            with suppress(LookupError):  # a table need not know this order
                formula(9, 3, 3)
        except ValueError as problem:
            shown = f"{text[:60]!r}..." if isinstance(text, str) and len(text) > 60 else repr(text)
            raise EncodingError(f"{file}: size.{key} = {shown}: {problem}") from None
        formulas.append(formula)
    return formulas[0], formulas[1]


def _size_tables(tables: Any, file: str) -> dict[str, Table]:
    try:
        return {
            name: tuple((int(argument), _whole(value)) for argument, value in table.items())
            for name, table in tables.items()
        }
    except (AttributeError, TypeError, ValueError) as problem:
        raise EncodingError(
            f"{file}: size.tables: {problem}; expected tables of whole numbers, such as 9 = 35"
        ) from None


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"{value!r} is not a whole number")
    return value


def _refuse_unknown(data: Mapping[str, Any], known: Any, file: str, prefix: str) -> None:
    for key in data:
        if key not in known:
            raise EncodingError(f"{file}: unknown key {prefix}{key}; expected one of {_listed(known)}")


def _listed(values: Any) -> str:
    return ", ".join(
        str(value).lower() if isinstance(value, bool) else repr(value) for value in sorted(values, key=str)
    )
