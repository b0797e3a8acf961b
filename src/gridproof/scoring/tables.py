"""Scores for the rows of tables: many answers to many puzzles, or to one.

Classic puzzles of the most frequent size are scored as arrays; a row of any other kind is scored alone, and its puzzle
is solved once however many answers it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from gridproof.bulk.chunks import decode, easy_rows, to_symbols
from gridproof.bulk.columns import to_ascii
from gridproof.errors import InputError
from gridproof.expect import expect
from gridproof.formats.reading import read_puzzle
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.questions import verify
from gridproof.runs import frames
from gridproof.scoring.answers import find_answer
from gridproof.scoring.scores import (
    Score,
    describe_changed_clue,
    describe_clash,
    describe_wrong_cell,
    score_grid,
)
from gridproof.text import suggest
from gridproof.trust.answer import BY_NUMBER, Status

TYPES: frames.Types = {
    "verdict": "string",
    "solved": "bool_",
    "consistent": "bool_",
    "right": "int64",
    "wrong": "int64",
    "blank": "int64",
    "correct_before_error": "int64",
    "first_wrong": "string",
    "breaks": "string",
    "wrong_cells": "string",
    "blank_cells": "string",
    "reward": "float64",
    "share": "float64",
    "taken": "string",
}
"""The columns of scores and their types. Cells are named (``r1c2 r4c5``)."""

MALFORMED = "malformed"
"""The verdict of a row whose puzzle cannot be read; its other fields are empty."""

LARGEST_ORDER = 16
"""Largest order of puzzles that are scored as arrays."""

AT_ONCE = 4096
"""Rows that are scored together: their arrays take 30 MB."""


class Truth(NamedTuple):
    """A puzzle with its verdict, and its only solution if it has one."""

    board: Board
    verdict: Status
    solution: SymbolTuple | None


def score_table(table: Any, answers: str, column: str | None = None) -> Any:
    """Return a table with the score of the answer in each row beside it.

    Parameters
    ----------
    table
        A DataFrame of pandas or Polars, or a table of Arrow.
    answers
        The name of the column of answers: texts of any sort, as ``score`` takes them.
    column
        The name of the column of puzzles, if it is none of the usual: ``puzzle``, ``question``, ``quiz``.

    Returns
    -------
    DataFrame or Table
        The same rows, with the columns of ``TYPES`` behind.

    Raises
    ------
    InputError
        If a column is missing, or has the name of one that is to be added.

    Examples
    --------
    >>> import gridproof, pandas
    >>> table = pandas.DataFrame({"puzzle": ["1.....2..3.....4"] * 2, "response": ["1243342143122134", "I give up"]})
    >>> gridproof.score_table(table, "response").share.tolist()
    [1.0, 0.0]
    """
    names = frames.column_names(table)
    expect(answers, str, "answers", "the name of a column")
    puzzles = column or find_column(names)
    for name in (answers, puzzles):
        if name not in names:
            raise InputError(f"no column {name!r}; {suggest(name, names)}")
    taken = [name for name in TYPES if name in names]
    if taken:
        raise InputError(f"the table has a column {taken[0]!r} already; expected none of {', '.join(TYPES)}")
    scores = score_columns(list(_values(table, puzzles)), list(_values(table, answers)))
    return frames.with_columns(table, TYPES, list(scores.values()))


def find_column(names: Sequence[str]) -> str:
    """Return the name of the column of puzzles. Raises ``InputError`` if none has a usual name."""
    for name in names:
        if name.strip().lower() in ("puzzle", "puzzles", "question", "quiz", "quizzes"):
            return name
    raise InputError(f"no column of puzzles among {', '.join(names)}; expected one called puzzle, or its name")


def _values(table: Any, name: str) -> Any:
    column = table[name]
    return column.to_pylist() if hasattr(column, "to_pylist") else column.to_list()


def score_columns(puzzles: Sequence[Any], answers: Sequence[Any]) -> dict[str, list[Any]]:
    """Return the scores of answers to puzzles, column by column.

    Parameters
    ----------
    puzzles, answers
        As many texts of both.

    Returns
    -------
    dict of str to list
        The columns of ``TYPES``.

    Raises
    ------
    InputError
        If there are not as many of both.

    Examples
    --------
    >>> columns = score_columns(["1.....2..3.....4"] * 2, ["It is 1243342143122134.", "no"])
    >>> columns["solved"], columns["share"]
    ([True, False], [1.0, 0.0])
    """
    if len(puzzles) != len(answers):
        raise InputError(f"{len(puzzles):,} puzzles and {len(answers):,} answers; expected an answer for each puzzle")
    columns: dict[str, list[Any]] = {name: [] for name in TYPES}
    for first in range(0, len(puzzles), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        rows: list[Sequence[Any] | None] = _score_easy(puzzles[part], answers[part])
        for place, row in enumerate(rows):
            fields = row or _score_alone(puzzles[first + place], answers[first + place])
            for values, field in zip(columns.values(), fields, strict=True):
                values.append(field)
    return columns


# ---- one row ---------------------------------------------------------------------------------------------------------


def _score_alone(puzzle: Any, answer: Any) -> Sequence[Any]:
    truth = _truth_of(puzzle) if isinstance(puzzle, str) else None
    if truth is None:
        return [MALFORMED] + [None] * (len(TYPES) - 1)
    found = find_answer(answer, truth.board.geometry) if isinstance(answer, str) else None
    symbols: Sequence[int] = ()
    taken = ""
    if found is not None:
        symbols, taken = found
    return fields_of(truth.board.geometry, score_grid(*truth, symbols, taken))


@lru_cache(maxsize=4096)
def _truth_of(text: str) -> Truth | None:
    """Return a puzzle with its verdict, or ``None`` if the text is no puzzle."""
    try:
        record = read_puzzle(text)
        verdict = verify(record, cross_check="none", despite_unread=True)
    except InputError:
        return None
    solution = verdict.solutions[0] if verdict.status is Status.UNIQUE else None
    return Truth(record.board, verdict.status, solution)


def fields_of(geometry: Geometry, scored: Score) -> list[Any]:
    """Return the fields of a score, in the order of ``TYPES``."""
    first = scored.first_wrong
    return [
        str(scored.verdict),
        scored.solved,
        scored.consistent,
        scored.right,
        scored.wrong,
        scored.blank,
        scored.correct_before_error,
        None if first is None else geometry.cell_name(first),
        scored.breaks or None,
        join_names(geometry, scored.wrong_cells),
        join_names(geometry, scored.blank_cells),
        scored.reward,
        scored.share,
        scored.taken or None,
    ]


def join_names(geometry: Geometry, cells: Sequence[int]) -> str:
    """Return the names of cells."""
    return " ".join([geometry.cell_name(cell) for cell in cells])


# ---- many rows at once -----------------------------------------------------------------------------------------------


def _score_easy(puzzles: Sequence[Any], answers: Sequence[Any]) -> list[Sequence[Any] | None]:
    """Return the fields of each classic puzzle of the most frequent size whose answer has a grid, else ``None``."""
    import numpy as np

    from gridproof.lanes import OPEN, UNIQUE, LaneEngine
    from gridproof.scoring.vectors import score_rows

    fields: list[Sequence[Any] | None] = [None] * len(puzzles)
    group = easy_rows(Shapes(Geometry.standard, "blank"), to_ascii(puzzles))
    if group is None or group.geometry.symbol_count > LARGEST_ORDER:
        return fields
    geometry = group.geometry
    clues = to_symbols(group.cells, geometry.symbol_count)
    grids, taken = _grids_of(geometry, [answers[place] for place in group.places.tolist()])
    different, number_of_row = np.unique(clues, axis=0, return_inverse=True)
    result = LaneEngine(geometry).verify(different)
    codes = result.codes[number_of_row.ravel()]
    truth = np.where((result.codes == UNIQUE)[:, None], result.first, 0).astype(np.uint8)[number_of_row.ravel()]
    made = _RowFields(geometry, clues, truth, grids, score_rows(geometry, clues, truth, grids))
    for row, place in enumerate(group.places.tolist()):
        # an answer without a grid, and a puzzle that takes a solver, are scored alone
        if codes[row] != OPEN and taken[row] is not None:
            fields[place] = [str(BY_NUMBER[codes[row]])] + made.of(row) + [taken[row]]
    return fields


def _grids_of(geometry: Geometry, answers: Sequence[Any]) -> tuple[Any, list[str | None]]:
    """Return the grids of answers, (rows, cells) with 0 for a blank, and the text of each; ``None`` without a grid."""
    import numpy as np

    grids = np.zeros((len(answers), geometry.cell_count), np.uint8)
    plain = decode(to_ascii(answers), geometry.symbol_count, zeros_are_blanks=True)
    grids[plain.good] = plain.symbols
    taken: list[str | None] = [None] * len(answers)
    is_plain = np.zeros(len(answers), np.bool_)
    is_plain[plain.good] = True
    for row, answer in enumerate(answers):
        if is_plain[row]:
            taken[row] = answer
            continue
        found = find_answer(answer, geometry) if isinstance(answer, str) else None
        if found is not None:
            grids[row] = found.symbols
            taken[row] = found.text
    return grids, taken


class _RowFields:
    """The fields of rows that were scored as arrays, all but the first and the last."""

    def __init__(self, geometry: Geometry, clues: Any, truth: Any, grids: Any, scores: Any) -> None:
        self.geometry = geometry
        self.clues = clues
        self.truth = truth
        self.grids = grids
        self.wrong_cells = scores.wrong
        self.blank_cells = scores.blank
        self.names = [geometry.cell_name(cell) for cell in range(geometry.cell_count)]
        self.solved = scores.solved.tolist()
        self.consistent = scores.consistent.tolist()
        self.right = scores.right.sum(axis=1).tolist()
        self.wrong = scores.wrong.sum(axis=1).tolist()
        self.blank = scores.blank.sum(axis=1).tolist()
        self.before = scores.before.tolist()
        self.first = scores.first.tolist()
        self.house = scores.house.tolist()
        self.share = scores.share.tolist()

    def of(self, row: int) -> list[Any]:
        """Return the fields of a row."""
        first = self.first[row]
        has_wrong = first >= 0
        return [
            self.solved[row],
            self.consistent[row],
            self.right[row],
            self.wrong[row],
            self.blank[row],
            self.before[row],
            self.names[first] if has_wrong else None,
            self.describe(row, first) if has_wrong else None,
            self.join_names(self.wrong_cells[row]) if has_wrong else "",
            self.join_names(self.blank_cells[row]) if self.blank[row] else "",
            float(self.solved[row]),
            self.share[row],
        ]

    def describe(self, row: int, cell: int) -> str:
        """Return what the first wrong cell of a row breaks."""
        geometry = self.geometry
        symbol = int(self.grids[row, cell])
        reason = ""
        if self.clues[row, cell]:
            reason = describe_changed_clue(geometry, cell, int(self.clues[row, cell]))
        elif self.house[row] >= 0:
            reason = describe_clash(geometry, symbol, geometry.houses[self.house[row]])
        return describe_wrong_cell(geometry, cell, symbol, reason, int(self.truth[row, cell]))

    def join_names(self, cells: Any) -> str:
        """Return the names of cells that are marked."""
        return " ".join([self.names[cell] for cell in cells.nonzero()[0].tolist()])
