"""The result of a chunk, column by column, and as bytes: CSV, JSON lines or Parquet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.bulk.chunks import Bytes, strings
from gridproof.runs import tables
from gridproof.trust.answer import Status
from gridproof.trust.record import Summary, VerdictRecord
from gridproof.trust.verdict import Verdict

VERDICTS = tuple(map(str, Status))
"""The verdicts by their codes, which stand for them in arrays."""

UNIQUE, UNDECIDED = map(VERDICTS.index, (Status.UNIQUE, Status.UNDECIDED))

FIELDS = VerdictRecord._fields

_UNREAD = FIELDS.index("unread")
_DECIDED = [name for name in FIELDS if name not in ("row", "line", "puzzle", "verdict")]

_NONE = np.zeros(0, np.int64)

PARQUET = {
    "compression_level": 1,
    "use_dictionary": ["verdict", "engine", "grids_checked", "reference", "stored"],
    "write_statistics": ["row", "line", "verdict"],
}
"""The options of Parquet for results."""

_FORMULA = tuple("=+-@\t\r\n")
_DIFFERENT = {"row", "line", "puzzle", "solution"}
_HOLE = re.compile("<(row|line|puzzle|solution)>")
_ONLY_CELLS = re.compile(r"[-.*_0-9A-Za-z]+")


class Columns(SimpleNamespace):
    """The records of a chunk, column by column, as arrays with the names of ``FIELDS``, filled in any order."""

    def __init__(self, rows: NDArray[np.int64] = _NONE, lines: NDArray[np.int64] = _NONE) -> None:
        number = len(rows)
        columns: dict[str, NDArray[Any]] = {name: np.full(number, None, object) for name in FIELDS}
        columns |= {"row": rows, "line": lines, "puzzle": np.full(number, "", object)}
        columns |= {"verdict": np.full(number, UNDECIDED, np.uint8), "grids_checked": np.zeros(number, np.uint8)}
        super().__init__(**columns)
        self._put: list[tuple[str, NDArray[np.int64], Bytes]] = []
        self._written: dict[int, VerdictRecord] = {}

    def __len__(self) -> int:
        return len(self.row)

    def put(self, name: str, places: NDArray[np.int64], characters: Bytes) -> None:
        """Put texts into a column, as (places, cells) characters: most are never looked at one by one."""
        self._put.append((name, places, characters))

    def write(self, place: int, record: VerdictRecord) -> None:
        """Write a row, except for its number, line and puzzle, over anything that was put there."""
        self.verdict[place] = VERDICTS.index(record.verdict)
        for name in _DECIDED:
            getattr(self, name)[place] = getattr(record, name)
        self._written[place] = record

    def settle(self) -> None:
        """Make texts of the characters."""
        for name, places, characters in self._put:
            getattr(self, name)[places] = strings(characters)
        for place, record in self._written.items():
            self.solution[place], self.second_solution[place] = record.solution, record.second_solution
        self._put.clear()
        self._written.clear()

    def only(self, which: NDArray[np.bool_]) -> Columns:
        """Return some of the rows."""
        some = Columns(self.row[which], self.line[which])
        for name in FIELDS:
            setattr(some, name, getattr(self, name)[which])
        rank = np.cumsum(which) - 1
        for name, places, characters in self._put:
            kept = which[places]
            some.put(name, rank[places[kept]], characters[kept])
        some._written = {int(rank[place]): record for place, record in self._written.items() if which[place]}
        return some

    def most_put(self, name: str) -> tuple[NDArray[np.int64], Bytes]:
        """Return the characters that were put at once for most rows of a column; by row their places there, or -1."""
        several = [one for one in self._put if one[0] == name]
        _, places, characters = max(
            several, key=lambda one: len(one[1]), default=("", _NONE, np.zeros((0, 0), np.uint8))
        )
        rank = np.full(len(self), -1, np.int64)
        rank[places] = np.arange(len(places))
        return rank, characters

    def lists(self) -> list[list[Any]]:
        """Return the columns as lists, in the order of ``FIELDS``."""
        self.settle()
        columns = {name: getattr(self, name).tolist() for name in FIELDS}
        if not self.line.all():
            columns["line"] = [line or None for line in columns["line"]]
        columns["verdict"] = np.array(VERDICTS, object)[self.verdict].tolist()
        columns["unread"] = [parts or () for parts in columns["unread"]]
        return list(columns.values())

    def records(self) -> Iterator[VerdictRecord]:
        """Return the records, in order."""
        return map(VerdictRecord, *self.lists())


def joined(parts: Sequence[Columns]) -> Columns:
    """Return the columns of parts that follow each other."""
    if len(parts) == 1:
        return parts[0]
    whole = Columns()
    for part in parts:
        part.settle()
    for name in FIELDS:
        setattr(whole, name, np.concatenate([getattr(part, name) for part in parts]))
    return whole


@dataclass(slots=True)
class Result:
    """The result of a chunk, encoded or as columns; disagreements with everything that reproduces them."""

    summary: Summary
    encoded: bytes | None = None
    columns: Columns | None = None
    disagreements: list[Verdict] = field(default_factory=list)


def types() -> tables.Types:
    """Return the columns of a result with their types."""
    numbers = {"row": "int64", "line": "int64", "grids_checked": "int8", "cost": "float64"}
    return {name: numbers.get(name, "string") for name in FIELDS}


def file_lists(lists: list[list[Any]]) -> list[list[Any]]:
    """Return columns in the order of ``FIELDS`` as a table holds them: what is unread, and may be a rule, as text."""
    texts = ["; ".join(str(one) for one in parts if one.may_be_rule) or None for parts in lists[_UNREAD]]
    return [*lists[:_UNREAD], texts, *lists[_UNREAD + 1 :]]


# ---- the columns as bytes --------------------------------------------------------------------------------------------


def encode(columns: Columns, form: str) -> bytes:
    """Encode the columns as a piece of a result.

    Most rows of CSV and JSON lines differ in nothing but numbers, clues and the only solution. NumPy puts those
    together, thirty times as fast as they are encoded one by one.
    """
    alike = _alike(columns) if form != "parquet" and len(columns) else None
    if alike is None:
        return _encoded(form, columns.lists())
    kinds = np.where(alike, 64 * _digits(columns.row) + _digits(columns.line), -1)
    encoded = {kind: _encoded_alike(columns, form, kinds == kind) for kind in np.unique(kinds).tolist() if kind >= 0}
    others = columns.only(~alike).lists()
    done = dict.fromkeys([-1, *encoded], 0)
    pieces: list[Any] = []
    edges = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(columns)]
    for start, stop in pairwise(edges):
        kind = int(kinds[start])
        first, done[kind] = done[kind], done[kind] + stop - start
        rows = slice(first, done[kind])
        pieces.append(_encoded(form, [values[rows] for values in others]) if kind < 0 else encoded[kind][rows])
    return b"".join(pieces)


def _alike(columns: Columns) -> NDArray[np.bool_] | None:
    """Rows that differ in nothing but numbers, clues and the only solution; ``None`` if these are not nearly all."""
    alike = (columns.verdict == UNIQUE) & (columns.most_put("puzzle")[0] >= 0) & (columns.most_put("solution")[0] >= 0)
    alike &= (columns.line > 0) if columns.line[0] else (columns.line == 0)
    for name in ("reference", "stored", "engine", "reason", "grids_checked", "cost", "hardest"):
        values = getattr(columns, name)
        some = Counter(values[np.flatnonzero(alike)[:: 1 + len(values) // 1000]].tolist())
        alike &= values == max(some, key=some.__getitem__, default=None)
    return alike if 20 * np.count_nonzero(np.diff(alike)) < len(columns) and alike.any() else None


def _encoded_alike(columns: Columns, form: str, which: NDArray[np.bool_]) -> Bytes:
    """Rows that are alike, whose numbers have as many digits: their characters."""
    places = np.flatnonzero(which)
    sample = columns.only(np.arange(len(columns)) == places[0])
    lists = sample.lists()
    for name in _DIFFERENT if sample.line[0] else _DIFFERENT - {"line"}:
        lists[FIELDS.index(name)] = [f"<{name}>"]
    template = _encoded(form, lists).decode().replace('"<row>"', "<row>").replace('"<line>"', "<line>")
    parts: list[Bytes] = []
    for place, text in enumerate(_HOLE.split(template)):
        if not place % 2:
            constant = np.frombuffer(text.encode(), np.uint8)
            parts.append(np.broadcast_to(constant, (len(places), len(constant))))
        elif text in ("row", "line"):
            values = getattr(columns, text)[places]
            digits = [values // 10**power % 10 + ord("0") for power in reversed(range(int(_digits(values[0]))))]
            parts.append(np.stack(digits, axis=1).astype(np.uint8))
        else:
            rank, characters = columns.most_put(text)
            ranks = rank[places]
            gapless = ranks[-1] - ranks[0] == len(ranks) - 1
            parts.append(characters[slice(ranks[0], ranks[-1] + 1) if gapless else ranks])
    return np.concatenate(parts, axis=1)


def _digits(numbers: Any) -> Any:
    """Return the number of digits of each."""
    return np.searchsorted(10 ** np.arange(1, 19), numbers, side="right") + 1


def _encoded(form: str, lists: list[list[Any]]) -> bytes:
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
