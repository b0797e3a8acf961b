"""The result of a chunk: as columns, or as bytes of CSV, JSON lines or Parquet.

Nearly all rows of a large file differ in nothing but two numbers and two or three texts of equal lengths. These are put
together by NumPy, field by field, thirty times as fast as rows that are encoded one by one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.bulk.chunks import Bytes
from gridproof.bulk.records import FIELDS, Alike, Columns, Lists, file_lists, types
from gridproof.runs import frames, tables
from gridproof.text import escape_controls
from gridproof.trust.answer import Status
from gridproof.trust.record import Summary, VerdictRecord
from gridproof.trust.verdict import Verdict

PARQUET = {
    "compression_level": 1,
    "use_dictionary": ["verdict", "engine", "grids_checked", "reference", "stored"],
    "write_statistics": ["row", "line", "verdict"],
}
"""The options of Parquet for results."""

FILLER = b"\0"
"""A character that stands for none, so that lines have equal lengths. No line has it: there it is escaped."""

_PUZZLE = FIELDS.index("puzzle")
_VERDICT = FIELDS.index("verdict")
_ONLY_CELLS = re.compile(r"[-.*_0-9A-Za-z]+")


@dataclass(slots=True)
class Result:
    """The result of a chunk, encoded or as columns; disagreements with everything that reproduces them."""

    summary: Summary
    disagreements: list[Verdict]
    encoded: Bytes | None = None
    columns: Columns | None = None

    @classmethod
    def of(cls, columns: Columns, form: str | None, disagreements: list[Verdict]) -> Result:
        """Return the result of a chunk from its columns, encoded if a form is given."""
        if form is None:
            return cls(columns.summary, disagreements, None, columns)
        encoded = np.frombuffer(encode(columns, form), np.uint8)  # an array goes to another process with fewer copies
        return cls(columns.summary, disagreements, encoded)


def encode(columns: Columns, form: str) -> bytes:
    """Encode the columns as a piece of a result."""
    if form == "parquet":
        return tables.encode_arrow(arrow_table(columns))
    kinds = np.zeros(len(columns.row), np.int64)  # of each row: 0 if it is encoded by itself, else k for the k-th table
    tables_of_lines: list[Lines] = []
    for rows in columns.alike:
        if can_be_joined(columns, rows, form):
            tables_of_lines.append(Lines(join_fields(columns, rows, form)))
            kinds[rows.places] = len(tables_of_lines)
    alone = Lines(encode_one_by_one(columns.lists(kinds == 0), form))
    lines_of_kind = [alone, *tables_of_lines]
    pieces: list[Any] = []
    for kind, count in runs_of(kinds):
        pieces += lines_of_kind[kind].take(count)
    return b"".join(pieces)


def runs_of(kinds: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield each kind of which rows follow each other, and how many do.

    Kinds 1 1 0 2 1 are four runs: two rows of the first kind, one alone, one of the second, the next of the first.
    """
    edges = np.flatnonzero(np.diff(kinds, prepend=-1, append=-1)).tolist()  # 0 2 3 4 5
    for start, stop in pairwise(edges):
        yield int(kinds[start]), stop - start


class Lines:
    """The lines of rows of one kind, in order, to be taken from the front: each as bytes, or all as a table."""

    def __init__(self, lines: list[bytes] | Bytes) -> None:
        self._lines = lines
        self._taken = 0

    def take(self, count: int) -> Sequence[Any]:
        """Return what the next lines consist of, one after the other: bytes, or an array of them."""
        first = self._taken
        self._taken += count
        lines = self._lines[first : self._taken]
        if isinstance(lines, list):
            return lines
        # the numbers of rows and lines only grow (" 9", "10", "11"): if the first line has no fillers, none has
        if FILLER in lines[0].tobytes():
            return [lines.tobytes().replace(FILLER, b"")]
        return [lines]


# ---- as a table of Arrow ---------------------------------------------------------------------------------------------


def arrow_table(columns: Columns) -> Any:
    """Return columns as a table of Arrow; of rows that are alike without an object for each text."""
    if columns.added:
        return frames.make_frame("arrow", types(), file_lists(columns.lists()))
    kinds = np.zeros(len(columns.row), np.int64)
    tables_of_kind: list[Any] = [None]
    for rows in columns.alike:
        kinds[rows.places] = len(tables_of_kind)
        tables_of_kind.append(arrow_table_of_alike(columns, rows))
    tables_of_kind[0] = frames.make_frame("arrow", types(), file_lists(columns.lists(kinds == 0)))
    taken = [0] * len(tables_of_kind)
    pieces = []
    for kind, count in runs_of(kinds):
        pieces.append(tables_of_kind[kind].slice(taken[kind], count))
        taken[kind] += count
    return frames.arrow().concat_tables(pieces or tables_of_kind).combine_chunks()


def arrow_table_of_alike(columns: Columns, rows: Alike) -> Any:
    """Return rows that are alike as a table of Arrow."""
    arrow = frames.arrow()
    number = len(rows.places)
    lines = columns.line[rows.places]
    numbers = {"row": arrow.array(columns.row[rows.places]), "line": arrow.array(lines, mask=lines == 0)}
    arrays = []
    common = file_lists([[value] for value in rows.record])
    for (name, of), [value] in zip(types().items(), common, strict=True):
        if name in rows.texts:
            arrays.append(arrow_texts(rows.texts[name]))
        elif name in numbers:
            arrays.append(numbers[name])
        else:
            arrays.append(arrow.repeat(arrow.scalar(value, getattr(arrow, of)()), number))
    return arrow.table(arrays, list(types()))


def arrow_texts(characters: Bytes) -> Any:
    """Return rows of ASCII characters as a column of Arrow."""
    arrow = frames.arrow()
    number, width = characters.shape
    ends = np.arange(number + 1, dtype=np.int32) * width
    return arrow.StringArray.from_buffers(number, arrow.py_buffer(ends), arrow.py_buffer(characters.tobytes()))


# ---- one by one ------------------------------------------------------------------------------------------------------


def encode_one_by_one(lists: Lists, form: str) -> list[bytes]:
    """Return the line of each row of columns in the order of ``FIELDS``."""
    if form == "jsonl":
        lines = []
        for row in zip(*lists, strict=True):
            lines.append(f"{VerdictRecord(*row).as_json()}\n".encode())
        return lines
    return tables.encode_csv(types(), csv_lists(lists), safe=["puzzle"])


def csv_lists(lists: Lists) -> Lists:
    """Return columns in the order of ``FIELDS`` as CSV holds them: puzzles as they were given, as far as that goes."""
    columns = file_lists(lists)
    columns[_PUZZLE] = [as_field(puzzle, word) for puzzle, word in zip(lists[_PUZZLE], lists[_VERDICT], strict=True)]
    return columns


def as_field(puzzle: str, verdict: str) -> str:
    """Return a puzzle as a field of CSV: as it was given, unless a spreadsheet would run it or it steers a terminal.

    A puzzle may begin with the blank ``-``. Line ends within it stay, so that the field can be read again.
    """
    is_read = verdict != Status.MALFORMED and _ONLY_CELLS.fullmatch(puzzle)
    if puzzle.startswith(tables.FORMULA) and not is_read:
        puzzle = f"'{puzzle}"
    return escape_controls(puzzle)


# ---- many at once ----------------------------------------------------------------------------------------------------


def can_be_joined(columns: Columns, rows: Alike, form: str) -> bool:
    """Return whether the fields of rows that are alike have only to be put side by side."""
    if columns.added:
        return False
    if form == "csv":
        return True
    # JSON states where two solutions differ, and a line that there is none of as null
    lines = columns.line[rows.places]
    return "second_solution" not in rows.texts and (bool(lines.all()) or not lines.any())


def join_fields(columns: Columns, rows: Alike, form: str) -> Bytes:
    """Return the characters of the lines of rows that are alike, with fillers before numbers of fewer digits."""
    parts = csv_parts(columns, rows) if form == "csv" else json_parts(columns, rows)
    # first each line has what stands in all of them, then what varies is written over its place
    number = len(rows.places)
    pattern = b""
    varying: list[tuple[int, Bytes]] = []
    for part in parts:
        if isinstance(part, str):
            pattern += part.encode()
        else:
            varying.append((len(pattern), part))
            pattern += FILLER * part.shape[1]
    lines = np.empty((number, len(pattern)), np.uint8)
    lines[:] = np.frombuffer(pattern, np.uint8)
    for start, part in varying:
        lines[:, start : start + part.shape[1]] = part
    return lines


def csv_parts(columns: Columns, rows: Alike) -> Sequence[Bytes | str]:
    """Return what stands in the lines of CSV, one after the other: the same text in all, or characters for each."""
    varying = {name: digits_of(getattr(columns, name)[rows.places]) for name in ("row", "line")} | rows.texts
    [constant] = encode_one_by_one([[value] for value in rows.record], "csv")
    parts: list[Bytes | str] = []
    for name, text in zip(FIELDS, constant.decode().removesuffix("\n").split(","), strict=True):
        parts.append(varying.get(name, text))
        parts.append(",")
    parts[-1] = "\n"
    return parts


def json_parts(columns: Columns, rows: Alike) -> Sequence[Bytes | str]:
    """Return the same for JSON: the line of a record, and in it what varies."""
    record = rows.record._replace(row=0, line=None, puzzle="", solution=None)
    start, _, end = record.as_json().partition('"solutions": []')
    verdict = start.removeprefix('{"row": 0, "line": null, "input": "", ')
    parts: list[Bytes | str] = ['{"row": ', digits_of(columns.row[rows.places]), ', "line": ']
    lines = columns.line[rows.places]
    if lines.any():
        parts.append(digits_of(lines))
    else:
        parts.append("null")
    parts += [', "input": "', rows.texts["puzzle"], f'", {verdict}"solutions": [']
    if "solution" in rows.texts:
        parts += ['"', rows.texts["solution"], '"']
    parts.append(f"]{end}\n")
    return parts


def digits_of(numbers: NDArray[np.int64]) -> Bytes:
    """Return the decimal digits of numbers as characters, with fillers before those that have fewer than others.

    Of 0, which stands for none, there are fillers only.
    """
    width = len(str(int(numbers.max(initial=0))))
    digits = np.empty((len(numbers), width), np.uint8)
    # division by one number for all is several times as fast as by several side by side
    rest = numbers.astype(np.uint64)
    for place in range(width - 1, -1, -1):
        quotient = rest // np.uint64(10)
        digits[:, place] = rest - quotient * np.uint64(10) + np.uint64(ord("0"))
        digits[rest == 0, place] = ord(FILLER)
        rest = quotient
    return digits
