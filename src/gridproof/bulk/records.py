"""The result of a run, row by row: its columns, and how they are written as CSV, JSON lines and Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.runs import tables
from gridproof.trust.answer import Status
from gridproof.trust.record import Summary as Summary
from gridproof.trust.record import VerdictRecord
from gridproof.trust.verdict import Verdict

VERDICTS = tuple(map(str, Status))
"""The words by their codes, which stand for them in arrays."""

UNIQUE, MULTIPLE, NONE, UNDECIDED, MALFORMED, DISAGREEMENT = range(6)


FIELDS = VerdictRecord._fields


class Columns:
    """The records of a chunk, column by column, filled in any order."""

    def __init__(self, rows: NDArray[np.int64], lines: NDArray[np.int64], timings: bool) -> None:
        number = len(rows)
        self.row = rows
        self.line = lines
        self.puzzle = _texts(number, "")
        self.verdict = np.full(number, UNDECIDED, np.uint8)
        self.solution = _texts(number)
        self.second_solution = _texts(number)
        self.engine = _texts(number)
        self.grids_checked = np.zeros(number, np.uint8)
        self.reference = _texts(number)
        self.stored = _texts(number)
        self.reason = _texts(number)
        self.seconds = np.zeros(number, np.float64)
        self.timings = timings

    def __len__(self) -> int:
        return len(self.row)

    def lists(self) -> list[list[Any]]:
        """The columns as lists, in the order of ``FIELDS``; the last one only with timings."""
        found = {name: getattr(self, name).tolist() for name in FIELDS}
        if not self.line.all():
            found["line"] = [line or None for line in found["line"]]
        found["verdict"] = np.array(VERDICTS, object)[self.verdict].tolist()
        found["seconds"] = np.round(self.seconds, 9).tolist()
        if not self.timings:
            del found["seconds"]
        return list(found.values())

    def records(self) -> Iterator[VerdictRecord]:
        """The records, in order."""
        return map(VerdictRecord, *self.lists())


def joined(parts: Sequence[Columns]) -> Columns:
    """The columns of parts that follow each other."""
    if len(parts) == 1:
        return parts[0]
    whole = Columns(np.zeros(0, np.int64), np.zeros(0, np.int64), parts[0].timings)
    for name in FIELDS:
        setattr(whole, name, np.concatenate([getattr(part, name) for part in parts]))
    return whole


def _texts(number: int, value: str | None = None) -> NDArray[np.object_]:
    found = np.empty(number, object)
    found[:] = value
    return found


@dataclass(slots=True)
class Result:
    """What came of a chunk: encoded, or its columns; disagreements with all they need to be seen again."""

    summary: Summary
    encoded: bytes | None = None
    columns: Columns | None = None
    disagreements: list[Verdict] = field(default_factory=list)


# ---- writing ---------------------------------------------------------------------------------------------------------


def types(timings: bool) -> tables.Types:
    """The columns of a result."""
    numbers = {"row": "int64", "line": "int64", "grids_checked": "int8", "seconds": "float64"}
    return {name: numbers.get(name, "string") for name in (FIELDS if timings else FIELDS[:-1])}


PARQUET = {
    "compression_level": 1,
    "use_dictionary": ["verdict", "engine", "grids_checked", "reference", "stored"],
    "write_statistics": ["row", "line", "verdict"],
}
"""How a result is kept as Parquet."""

_FORMULA = tuple("=+-@\t\r\n")
_ONLY_CELLS = re.compile(r"[-.*_0-9A-Za-z]+")


def encode(columns: Columns, form: str) -> bytes:
    """The columns as a piece of a result."""
    if form == "jsonl":
        return "".join([f"{record.as_json()}\n" for record in columns.records()]).encode()
    lists = columns.lists()
    if form == "csv":
        lists[2] = [_no_formula(*row) for row in zip(lists[2], columns.verdict == MALFORMED, strict=True)]
    return tables.encode(form, types(columns.timings), lists)


def _no_formula(puzzle: str, malformed: bool) -> str:
    """Input as given that a spreadsheet would run gets an apostrophe before it; a puzzle may begin with the blank -."""
    if not puzzle.startswith(_FORMULA) or (not malformed and _ONLY_CELLS.fullmatch(puzzle)):
        return puzzle
    return f"'{puzzle}"
