"""The result of a run, row by row: its columns, and how they are written as CSV, JSON lines and Parquet."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridproof.errors import printable
from gridproof.trust.answer import Status
from gridproof.trust.verdict import Verdict

VERDICTS = tuple(map(str, Status))
"""The words by their codes, which stand for them in arrays."""

UNIQUE, MULTIPLE, NONE, UNDECIDED, MALFORMED, DISAGREEMENT = range(6)


class VerdictRecord(NamedTuple):
    """What is said about one row of the input.

    row: its number, from 1. line: its (first) line in the input, ``None`` where there are none. puzzle: as given.
    verdict: ``unique``, ``multiple``, ``none``, ``undecided``, ``malformed`` or ``disagreement``. solution,
    second_solution: the witnesses, one line each. engine: what decided it, ``lanes`` or backend/encoding.
    grids_checked: how many grids were checked against houses and clues. reference: as ``Evidence.reference`` has it.
    answer: of a solution given with the puzzle, ``right`` (the only one), ``not_only`` (one of several), ``valid`` (a
    solution; whether the only one is undecided) or ``wrong``; ``None`` if none was given. reason: what is to be said
    beyond that. seconds: wall time to decide it, for the lanes its share of their batch; ``None`` without ``timings``.
    """

    row: int
    line: int | None
    puzzle: str
    verdict: str
    solution: str | None
    second_solution: str | None
    engine: str | None
    grids_checked: int
    reference: str | None
    answer: str | None
    reason: str | None
    seconds: float | None = None


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
        self.answer = _texts(number)
        self.reason = _texts(number)
        self.seconds = np.zeros(number, np.float64)
        self.timings = timings

    def __len__(self) -> int:
        return len(self.row)

    def lists(self) -> list[list[Any]]:
        """The columns as lists, in the order of ``FIELDS``; the last one only with timings."""
        lines = self.line.tolist()
        if not self.line.all():
            lines = [line or None for line in lines]
        found = [
            self.row.tolist(),
            lines,
            self.puzzle.tolist(),
            np.array(VERDICTS, object)[self.verdict].tolist(),
            self.solution.tolist(),
            self.second_solution.tolist(),
            self.engine.tolist(),
            self.grids_checked.tolist(),
            self.reference.tolist(),
            self.answer.tolist(),
            self.reason.tolist(),
        ]
        if self.timings:
            found.append(np.round(self.seconds, 9).tolist())
        return found

    def records(self) -> Iterator[VerdictRecord]:
        """The records, in order."""
        return (
            map(VerdictRecord._make, zip(*self.lists(), strict=True))
            if self.timings
            else map(VerdictRecord, *self.lists())
        )


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


SLOWEST = 5
"""So many of the slowest puzzles are told."""


@dataclass(slots=True)
class Summary:
    """Counts over rows: by verdict, engine, what the reference said and what given solutions were found to be.

    slowest: (seconds, row, puzzle) of those that were measured one by one; searched: (branches, row, puzzle) of those
    the lanes searched most. seconds: of work, in all.
    """

    rows: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    engines: Counter[str] = field(default_factory=Counter)
    references: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, int, str]] = field(default_factory=list)
    searched: list[tuple[int, int, str]] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: Summary) -> None:
        """Count those of another chunk, too."""
        self.rows += other.rows
        self.seconds += other.seconds
        for name in ("verdicts", "engines", "references", "answers"):
            getattr(self, name).update(getattr(other, name))
        self.slowest = sorted([*self.slowest, *other.slowest], reverse=True)[:SLOWEST]
        self.searched = sorted([*self.searched, *other.searched], reverse=True)[:SLOWEST]


@dataclass(slots=True)
class Result:
    """What came of a chunk: encoded, or its columns; disagreements with all they need to be seen again."""

    summary: Summary
    encoded: bytes | None = None
    columns: Columns | None = None
    disagreements: list[Verdict] = field(default_factory=list)


# ---- writing ---------------------------------------------------------------------------------------------------------


def encode(columns: Columns, form: str) -> bytes:
    """The columns as a part of a result: CSV without its header, and for Parquet a file in the Arrow IPC format."""
    return _ENCODERS[form](columns)


def csv_header(timings: bool) -> bytes:
    """The first line of a CSV result."""
    return (",".join(FIELDS if timings else FIELDS[:-1]) + "\n").encode()


_NEEDS_QUOTES = re.compile('[,"\r\n]')
_FORMULA = tuple("=+-@\t\r\n")
_ONLY_CELLS = re.compile(r"[-.*_0-9A-Za-z]+")
_JSON_AS_IS = re.compile(r"[ !#-\[\]-~]*")


def _csv(columns: Columns) -> bytes:
    lists = columns.lists()
    lists[2] = [_no_formula(*row) for row in zip(lists[2], columns.verdict == MALFORMED, strict=True)]
    as_text = [_csv_column(values) for values in lists]
    return ("\n".join(map(",".join, zip(*as_text, strict=True))) + "\n").encode("utf-8", "backslashreplace")


def _no_formula(puzzle: str, malformed: bool) -> str:
    """Input as given that a spreadsheet would run gets an apostrophe before it; a puzzle may begin with the blank -."""
    if not puzzle.startswith(_FORMULA) or (not malformed and _ONLY_CELLS.fullmatch(puzzle)):
        return puzzle
    return f"'{puzzle}"


def _csv_column(values: list[Any]) -> list[str]:
    if values and isinstance(values[0], (int, float)) and None not in values:
        return list(map(str, values))
    texts = ["" if value is None else str(value) for value in values]
    together = " ".join(texts)
    if not together.isprintable():  # a faster look than for control characters only
        texts = list(map(printable, texts))
    return list(map(_csv_field, texts)) if _NEEDS_QUOTES.search(together) else texts


def _csv_field(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _NEEDS_QUOTES.search(text) else text


def _jsonl(columns: Columns) -> bytes:
    names = FIELDS if columns.timings else FIELDS[:-1]
    as_text = [_json_column(f'"{name}": ', values) for name, values in zip(names, columns.lists(), strict=True)]
    return ("{" + "}\n{".join(map(", ".join, zip(*as_text, strict=True))) + "}\n").encode()


def _json_column(name: str, values: list[Any]) -> list[str]:
    if all(type(value) is str for value in values) and _JSON_AS_IS.fullmatch("".join(values)):
        return [f'{name}"{value}"' for value in values]
    known: dict[Any, str] = {}
    return [known[value] if value in known else known.setdefault(value, name + json.dumps(value)) for value in values]


def parquet_schema(timings: bool) -> Any:
    """The Arrow schema of a Parquet result."""
    from gridproof.bulk.parquet_files import arrow

    pa = arrow()
    numbers = {"row": pa.int64(), "line": pa.int64(), "grids_checked": pa.int8(), "seconds": pa.float64()}
    names = FIELDS if timings else FIELDS[:-1]
    return pa.schema([(name, numbers.get(name, pa.string())) for name in names])


def parquet_writer(path: Any, schema: Any) -> Any:
    """A writer of Parquet results; the same rows in the same groups give the same bytes."""
    from gridproof.bulk.parquet_files import arrow

    repeated = [name for name in schema.names if name in ("verdict", "engine", "reference", "answer", "grids_checked")]
    return arrow("pyarrow.parquet").ParquetWriter(
        path,
        schema,
        compression="zstd",
        compression_level=1,
        use_dictionary=repeated,
        write_statistics=["row", "line", "verdict"],
    )


def _arrow(columns: Columns) -> bytes:
    import io

    from gridproof.bulk.parquet_files import arrow

    pa = arrow()
    schema = parquet_schema(columns.timings)
    lists = columns.lists()
    if not "".join(lists[2]).isascii():
        lists[2] = [text.encode("utf-8", "backslashreplace").decode() for text in lists[2]]
    table = pa.table([pa.array(v, t) for v, t in zip(lists, schema.types, strict=True)], schema=schema)
    target = io.BytesIO()
    with arrow("pyarrow.ipc").new_file(target, schema) as writer:
        writer.write_table(table)
    return target.getvalue()


_ENCODERS: dict[str, Callable[[Columns], bytes]] = {"csv": _csv, "jsonl": _jsonl, "parquet": _arrow}


def form_of(path: str) -> str | None:
    """The form of a result by the ending of its path; ``None`` if there is none for it."""
    ending = Path(path).suffix.casefold()
    return {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".pq": "parquet"}.get(ending)
