"""The result of a run, row by row: its columns, and how they are written as CSV, JSON lines and Parquet."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.errors import printable
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
            self.stored.tolist(),
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
    return "".join([f"{record.as_json()}\n" for record in columns.records()]).encode()


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

    repeated = [name for name in schema.names if name in ("verdict", "engine", "reference", "stored", "grids_checked")]
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
