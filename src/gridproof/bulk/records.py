"""The result of a chunk, column by column, and as bytes: CSV, JSON lines or Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof.bulk.chunks import Bytes, strings
from gridproof.runs import frames, tables
from gridproof.trust.answer import Status
from gridproof.trust.record import Summary, VerdictRecord
from gridproof.trust.verdict import Verdict

FIELDS = VerdictRecord._fields

_UNREAD = FIELDS.index("unread")

Lists: TypeAlias = list[list[Any]]
"""Columns in the order of ``FIELDS``."""

PARQUET = {
    "compression_level": 1,
    "use_dictionary": ["verdict", "engine", "grids_checked", "reference", "stored"],
    "write_statistics": ["row", "line", "verdict"],
}
"""The options of Parquet for results."""

_FORMULA = tuple("=+-@\t\r\n")
_HOLE = re.compile("<(row|line|puzzle|solution|second_solution)>")
_ONLY_CELLS = re.compile(r"[-.*_0-9A-Za-z]+")


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

    row, line: the numbers of each, 0 for a line that there is none of. ratings: cost and hardest step by place.
    """

    def __init__(self, rows: NDArray[np.int64], lines: NDArray[np.int64]) -> None:
        self.row, self.line = rows, lines
        self.summary = Summary()
        self.alike: list[Alike] = []
        self.ratings: dict[int, tuple[float | None, str | None]] = {}
        self._records: dict[int, VerdictRecord] = {}

    def fill(self, places: NDArray[np.int64], texts: dict[str, Bytes], **common: Any) -> None:
        """Write the rows at some places. common: fields that they have in common."""
        if number := len(places):
            record = VerdictRecord(0, None, "", **common)
            self.alike.append(Alike(places, record, texts))
            self.summary.count(record, number)

    def write(self, place: int, record: VerdictRecord) -> None:
        """Write a row, except for its number and line."""
        self._records[place] = record
        self.summary.count(record)

    def unique(self) -> set[int]:
        """Return the places of the puzzles with exactly one solution."""
        found = {place for place, record in self._records.items() if record.is_unique}
        return found.union(*(rows.places.tolist() for rows in self.alike if rows.record.is_unique))

    def lists(self, among: NDArray[np.bool_] | None = None) -> Lists:
        """Return the columns, or of them the rows that are among some, as lists in the order of ``FIELDS``."""
        columns = {name: np.full(len(self.row), None, object) for name in FIELDS}
        for rows in self.alike:
            places, record, texts = rows if among is None else rows.only(among[rows.places])
            for name, value in zip(FIELDS, record, strict=True):
                if name in texts:
                    columns[name][places] = strings(texts[name])
                elif value not in (None, ()):
                    columns[name][places] = value
        for place, record in self._records.items():
            for name, value in zip(FIELDS, record, strict=True):
                columns[name][place] = value
        for place, rating in self.ratings.items():
            columns["cost"][place], columns["hardest"][place] = rating
        columns |= {"row": self.row, "line": self.line}
        lists = {name: (values if among is None else values[among]).tolist() for name, values in columns.items()}
        if not self.line.all():
            lists["line"] = [line or None for line in lists["line"]]
        lists["unread"] = [parts or () for parts in lists["unread"]]
        return list(lists.values())

    def records(self) -> Iterator[VerdictRecord]:
        """Return the records, in order."""
        return map(VerdictRecord, *self.lists())


@dataclass(slots=True)
class Result:
    """The result of a chunk, encoded or as columns; disagreements with everything that reproduces them."""

    summary: Summary
    disagreements: list[Verdict]
    encoded: bytes | None = None
    columns: Columns | None = None

    @classmethod
    def of(cls, columns: Columns, form: str | None, disagreements: list[Verdict]) -> Result:
        """Return the result of a chunk from its columns, encoded if a form is given."""
        if form is None:
            return cls(columns.summary, disagreements, None, columns)
        return cls(columns.summary, disagreements, encode(columns, form))


def types() -> frames.Types:
    """Return the columns of a result with their types."""
    numbers = {"row": "int64", "line": "int64", "grids_checked": "int8", "cost": "float64"}
    return {name: numbers.get(name, "string") for name in FIELDS}


def file_lists(lists: Lists) -> Lists:
    """Return columns in the order of ``FIELDS`` as a table holds them: what is unread, and may be a rule, as text."""
    texts = ["; ".join(str(one) for one in parts if one.may_be_rule) or None for parts in lists[_UNREAD]]
    return [*lists[:_UNREAD], texts, *lists[_UNREAD + 1 :]]


# ---- the columns as bytes --------------------------------------------------------------------------------------------


def encode(columns: Columns, form: str) -> bytes:
    """Encode the columns as a piece of a result.

    Of CSV and JSON lines, rows that are alike are put together by NumPy, thirty times as fast as they are encoded one
    by one.
    """
    kinds = np.full(len(columns.row), -1)
    encoded: list[Bytes] = []
    for rows in columns.alike * (form != "parquet" and not columns.ratings):
        if form == "csv" or "second_solution" not in rows.texts:  # in JSON stands where the two differ
            digits = 64 * _digits(columns.row[rows.places]) + _digits(columns.line[rows.places])
            for number in np.unique(digits).tolist():
                some = rows.only(digits == number)
                kinds[some.places] = len(encoded)
                encoded.append(_encoded_alike(columns, form, some))
    edges = np.flatnonzero(np.diff(kinds, prepend=-2, append=-2)).tolist()
    if 20 * np.count_nonzero(kinds[edges[:-1]] < 0) > len(kinds) or not encoded:
        return encode_lists(columns.lists(), form)
    others = columns.lists(kinds < 0)
    done = dict.fromkeys(range(-1, len(encoded)), 0)
    pieces: list[Any] = []
    for start, stop in pairwise(edges):
        kind = int(kinds[start])
        first, done[kind] = done[kind], done[kind] + stop - start
        rest = slice(first, done[kind])
        pieces.append(encode_lists([values[rest] for values in others], form) if kind < 0 else encoded[kind][rest])
    return b"".join(pieces)


def _encoded_alike(columns: Columns, form: str, rows: Alike) -> Bytes:
    """Encode rows that are alike and whose numbers have as many digits: the characters of each."""
    holes = dict(rows.texts)
    for name in ("row", "line"):
        numbers = getattr(columns, name)[rows.places]
        if digits := int(_digits(numbers[0])):
            texts = [numbers // 10**power % 10 + ord("0") for power in reversed(range(digits))]
            holes[name] = np.stack(texts, axis=1).astype(np.uint8)
    sample = rows.record._asdict() | {name: f"<{name}>" for name in holes}
    template = encode_lists([[value] for value in sample.values()], form).decode()
    parts = []
    for place, text in enumerate(_HOLE.split(template.replace('"<row>"', "<row>").replace('"<line>"', "<line>"))):
        constant = np.frombuffer(text.encode(), np.uint8)
        parts.append(holes[text] if place % 2 else np.broadcast_to(constant, (len(rows.places), len(constant))))
    return np.concatenate(parts, axis=1)


def _digits(numbers: Any) -> Any:
    """Return the number of digits of each, 0 for 0."""
    return np.searchsorted(10 ** np.arange(18), numbers, side="right")


def encode_lists(lists: Lists, form: str) -> bytes:
    """Encode rows one by one."""
    if form == "jsonl":
        return "".join([f"{record.as_json()}\n" for record in map(VerdictRecord, *lists)]).encode()
    lists = file_lists(lists)
    if form == "csv":
        lists[2] = list(map(_no_formula, lists[2], lists[3]))
    return tables.encode(form, types(), lists)


def _no_formula(puzzle: str, verdict: str) -> str:
    """Input as given that a spreadsheet would run gets an apostrophe before it; a puzzle may begin with the blank -."""
    if not puzzle.startswith(_FORMULA) or (verdict != Status.MALFORMED and _ONLY_CELLS.fullmatch(puzzle)):
        return puzzle
    return f"'{puzzle}"
