"""Puzzles of a run, or of a table of verdicts, that are equal to an earlier one up to symmetry."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gridproof.generation.canonical import FormFinder
from gridproof.puzzle.board import Board
from gridproof.runs import frames, tables
from gridproof.text import list_some
from gridproof.trust.answer import Status

MOST_NAMED = 5
"""Most equal puzzles that a sentence names; more are only counted."""

BATCH = 10_000
"""Rows of a Parquet file that are read at a time."""


class EqualPuzzles:
    """The puzzles of a run by their canonical forms: which of them are equal to an earlier one up to symmetry.

    Attributes
    ----------
    equal : list of (int, int)
        The number of each puzzle that is equal to an earlier one, and the number of that one.

    Examples
    --------
    >>> from gridproof import parse
    >>> distinct = EqualPuzzles()
    >>> for number, line in enumerate(("1... ..2. .3.. ...4", "..4. 1... ...3 .2..", "12.. ..3. .... ...4"), 1):
    ...     distinct.add(number, parse(line))
    >>> print(distinct)
    2 different up to symmetry; equal to an earlier one: 1 (row 2 = row 1)
    """

    def __init__(self) -> None:
        self._forms = FormFinder()
        self._first: dict[str, int] = {}
        self.equal: list[tuple[int, int]] = []
        self._passed = 0

    def add(self, number: int, board: Board) -> None:
        """Compare a puzzle with those before. One that has no canonical form is counted as not compared."""
        self.add_digest(number, self._forms.digest(board))

    def add_digest(self, number: int, digest: str | None) -> None:
        """Compare a puzzle by the digest of its form, ``None`` if it has none."""
        if digest is None:
            self._passed += 1
            return
        first = self._first.setdefault(digest, number)
        if first != number:
            self.equal.append((number, first))

    def __str__(self) -> str:
        text = f"{len(self._first):,} different up to symmetry; equal to an earlier one: {len(self.equal):,}"
        named = [f"row {number} = row {first}" for number, first in self.equal[: MOST_NAMED + 1]]
        if named:
            text += f" ({list_some(named, MOST_NAMED)})"
        if self._passed:
            text += f"; without a form, so not compared: {self._passed:,}"
        return text

    def write(self, path: Path) -> None:
        """Write all rows that are equal to an earlier one to a table, each with that one."""
        rows = [number for number, _ in self.equal]
        firsts = [first for _, first in self.equal]
        tables.write(path, {"row": "int64", "equal_to": "int64"}, [rows, firsts])


def compare_table(path: Path) -> EqualPuzzles:
    """Compare the puzzles of a table of verdicts, which has the digests of their forms, with each other."""
    distinct = EqualPuzzles()
    for row in _rows_of(path):
        if row["verdict"] not in (Status.MALFORMED, Status.NOT_UNDERSTOOD):
            distinct.add_digest(int(row["row"]), row.get("canonical") or None)
    return distinct


def equal_rows_path(output: Path) -> Path:
    """Return the path of the table of equal rows beside a table of verdicts."""
    return output.with_name(f"{output.stem}-equal{output.suffix}")


def _rows_of(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a table, as they are read."""
    form = tables.form_of(path)
    if form == "parquet":
        file = frames.arrow("pyarrow.parquet").ParquetFile(path)
        for batch in file.iter_batches(batch_size=BATCH, columns=["row", "verdict", "canonical"]):
            yield from batch.to_pylist()
        return
    with path.open(encoding="utf-8", newline="") as lines:
        if form == "csv":
            yield from csv.DictReader(lines)
        else:
            for line in lines:
                yield json.loads(line)
