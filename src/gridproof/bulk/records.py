"""The records of a chunk, column by column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof.bulk.chunks import Bytes, to_texts
from gridproof.runs import frames
from gridproof.trust.record import Summary, VerdictRecord

FIELDS = VerdictRecord._fields

_UNREAD = FIELDS.index("unread")

Lists: TypeAlias = list[list[Any]]
"""Columns in the order of ``FIELDS``."""


class Alike(NamedTuple):
    """Rows of a chunk that differ in nothing but their numbers and some texts.

    places: theirs in the chunk. record: what they have in common. texts: by field the characters of each, as a row.
    """

    places: NDArray[np.int64]
    record: VerdictRecord
    texts: dict[str, Bytes]

    def only(self, which: NDArray[np.bool_]) -> Alike:
        """Return some of them."""
        return Alike(self.places[which], self.record, {name: texts[which] for name, texts in self.texts.items()})


class Columns:
    """The records of a chunk, each written once, in any order: most of them many at once, as rows that are alike.

    row, line: the numbers of each, 0 for a line that there is none of. added: further fields by place, such as cost.
    """

    def __init__(self, rows: NDArray[np.int64], lines: NDArray[np.int64]) -> None:
        self.row = rows
        self.line = lines
        self.summary = Summary()
        self.alike: list[Alike] = []
        self.added: dict[int, dict[str, Any]] = {}
        self._records: dict[int, VerdictRecord] = {}

    def fill(self, places: NDArray[np.int64], texts: dict[str, Bytes], **common: Any) -> None:
        """Write the rows at some places. common: fields that they have in common."""
        if not len(places):
            return
        record = VerdictRecord(0, None, "", **common)
        self.alike.append(Alike(places, record, texts))
        self.summary.count(record, len(places))

    def write(self, place: int, record: VerdictRecord) -> None:
        """Write a row, except for its number and line."""
        self._records[place] = record
        self.summary.count(record)

    def add(self, place: int, **fields: Any) -> None:
        """Add fields to a row."""
        self.added.setdefault(place, {}).update(fields)

    def find_unique(self) -> set[int]:
        """Return the places of the puzzles with exactly one solution."""
        places = {place for place, record in self._records.items() if record.is_unique}
        for rows in self.alike:
            if rows.record.is_unique:
                places.update(rows.places.tolist())
        return places

    def lists(self, among: NDArray[np.bool_] | None = None) -> Lists:
        """Return the columns, or of them the rows that are among some, as lists in the order of ``FIELDS``."""
        columns: dict[str, NDArray[Any]] = {name: np.full(len(self.row), None, object) for name in FIELDS}
        for rows in self.alike:
            fill_in(columns, rows if among is None else rows.only(among[rows.places]))
        for place, record in self._records.items():
            for name, value in zip(FIELDS, record, strict=True):
                columns[name][place] = value
        for place, fields in self.added.items():
            for name, value in fields.items():
                columns[name][place] = value
        columns["row"] = self.row
        columns["line"] = self.line
        if among is not None:
            columns = {name: values[among] for name, values in columns.items()}
        return to_lists(columns)

    def records(self) -> Iterator[VerdictRecord]:
        """Return the records, in order."""
        return map(VerdictRecord, *self.lists())


def fill_in(columns: dict[str, NDArray[Any]], rows: Alike) -> None:
    """Write rows that are alike into columns by field, which hold ``None`` wherever nothing is written."""
    for name, common in zip(FIELDS, rows.record, strict=True):
        if name in rows.texts:
            columns[name][rows.places] = to_texts(rows.texts[name])
        elif common not in (None, ()):
            columns[name][rows.places] = common


def to_lists(columns: dict[str, NDArray[Any]]) -> Lists:
    """Return columns by field as lists of what a record holds: no line is ``None``, and nothing unread ``()``."""
    lists: dict[str, list[Any]] = {name: values.tolist() for name, values in columns.items()}
    if not columns["line"].all():
        lists["line"] = [line or None for line in lists["line"]]
    lists["unread"] = [parts or () for parts in lists["unread"]]
    return [lists[name] for name in FIELDS]


def types() -> frames.Types:
    """Return the columns of a result with their types."""
    numbers = {"row": "int64", "line": "int64", "grids_checked": "int8", "cost": "float64"}
    return {name: numbers.get(name, "string") for name in FIELDS}


def file_lists(lists: Lists) -> Lists:
    """Return columns in the order of ``FIELDS`` as a table holds them: what is unread, and may be a rule, as text."""
    texts: list[str | None] = []
    for parts in lists[_UNREAD]:
        text = "; ".join([str(part) for part in parts if part.may_be_rule])
        texts.append(text or None)
    file_columns = list(lists)
    file_columns[_UNREAD] = texts
    return file_columns
