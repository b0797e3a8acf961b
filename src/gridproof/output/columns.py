"""The columns of puzzles on their way out: what is stated of each, and what is worked out where it is wanted.

JSON lines hold data as data. CSV and Parquet have the same as JSON in a text, where somebody names such a column.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from gridproof.errors import BoardError, InputError, Interrupted
from gridproof.formats.known.jsonl import puzzle_record
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shape
from gridproof.generation.canonical import FormFinder
from gridproof.limits import Limits
from gridproof.puzzle.board import Board
from gridproof.runs.frames import Types
from gridproof.runs.tables import as_text
from gridproof.solving import Rating, rate, steps
from gridproof.text import suggest

RECORD = ("puzzle", "solution", "title", "author", "prose", "board", "digits", "symbols", "rule_list", "sentences")
"""The columns that state a puzzle; ``puzzle`` states all of it in one text."""

UNREAD = ("unread", "drawn")
"""The columns that state what of a puzzle was not read."""

RATING_TYPES = {
    "grade": "string",
    "cost": "float64",
    "hardest": "float64",
    "times": "int64",
    "total": "float64",
    "rounds": "int64",
    "width": "int64",
    "name": "string",
}
"""The columns of puzzles that are rated, and their types."""

DATA = ("board", "rule_list", "sentences", "steps", *UNREAD)
"""Columns that are data."""

OPTIONAL = ("title", "author", "prose", "symbols", *UNREAD)
"""Columns that JSON lines leave out where they are empty."""

TYPES = {**dict.fromkeys((*RECORD, *DATA, "canonical"), "string"), "clues": "int64", **RATING_TYPES}
"""Every column that any puzzle may have, and its type in Parquet."""

FORM_SECONDS = 10.0
"""Time for the canonical form of a puzzle: that of a large board may take longer, and is left out then."""

ALL = "all"
"""The word for all columns of the reader's own."""


@dataclass
class Made:
    """A puzzle on its way out.

    Parameters
    ----------
    source
        The puzzle, or a function that makes it where more of it is wanted than stands in ``columns``.
    columns
        What else is known of it, by the names of columns.
    line
        The text of the puzzle for people, where nothing else is wanted; by default its own.
    rating
        Its rating, if it is known.
    digest
        The digest of its canonical form, if it is known.
    """

    source: Puzzle | Callable[[], Puzzle]
    columns: dict[str, Any] = field(default_factory=dict)
    line: str | None = None
    rating: Rating | None = None
    digest: str | None = None

    @cached_property
    def puzzle(self) -> Puzzle:
        """The puzzle."""
        return self.source if isinstance(self.source, Puzzle) else self.source()

    @property
    def board(self) -> Board:
        """The board of the puzzle."""
        return self.puzzle.board

    @cached_property
    def figures(self) -> Mapping[str, Any]:
        """The grade of the puzzle, and the figures that it is made of."""
        rating = self.rating or rate(self.board)
        return rating.as_dict()


class Columns:
    """The columns of a table of puzzles.

    Parameters
    ----------
    own
        The columns that a command states, with their types.
    wanted
        The names of the columns that are wanted, in order; ``None`` for those of the command, and with ``as_data`` all
        that state the puzzle, too.
    keep
        The names of columns of the reader's own that are kept; ``all`` alone for all of them.
    rated, with_steps
        Whether there are columns for the rating and for the path to the solution.
    as_data
        Whether data stay data.
    shape
        The shape that a reader of ``puzzle`` states, as in ``text_of``.

    Raises
    ------
    InputError
        For a column that there is not, or that is kept and written.
    """

    def __init__(
        self,
        own: Types,
        *,
        wanted: Sequence[str] | None = None,
        keep: Sequence[str] = (),
        rated: bool = False,
        with_steps: bool = False,
        as_data: bool = False,
        shape: Shape | None = None,
    ) -> None:
        self._own = own
        self._keep = keep
        self._shape = shape
        self._as_data = as_data
        self._forms = FormFinder(Limits(seconds=FORM_SECONDS))
        self.names = list(own)
        if rated:
            self.names += [name for name in RATING_TYPES if name not in own]
        if as_data:
            for name in (*RECORD, "canonical", *UNREAD):
                if name not in self.names:
                    self.names.append(name)
        if with_steps:
            self.names.append("steps")
        if wanted is not None:
            known = {**own, **TYPES}
            for name in wanted:
                if name not in known:
                    raise InputError(f"no column is called {name!r}; {suggest(name, known)}")
            self.names = list(dict.fromkeys(wanted))
        for name in keep:
            if name in self.names:
                raise InputError(f"keep {name!r}: a column of this name is written; expected other columns")

    def __contains__(self, name: str) -> bool:
        return name in self.names

    def digest(self, made: Made) -> str | None:
        """Return the digest of the canonical form of a puzzle, ``None`` if it has none."""
        if made.digest is None:
            try:
                made.digest = self._forms.digest(made.board)
            except Interrupted:
                return None
        return made.digest

    def types_with(self, made: Made) -> Types:
        """Return all columns and their types. made: the first puzzle, whose record has the columns that are kept."""
        types = dict.fromkeys(self.kept_names(made), "string")
        for name in self.names:
            types[name] = self._own.get(name) or TYPES[name]
        return types

    def kept_names(self, made: Made) -> Sequence[str]:
        """Return the names of the columns of a puzzle that are kept. Raises ``InputError`` for one that it lacks."""
        if not self._keep:
            return ()
        there = made.puzzle.columns
        if list(self._keep) == [ALL]:
            return [name for name in there if name not in self.names]
        for name in self._keep:
            if name not in there:
                found = suggest(name, there) if there else "expected puzzles of a table"
                raise InputError(f"keep {name!r}: no such column; {found}")
        return self._keep

    def row(self, made: Made, kept: Collection[str]) -> dict[str, Any]:
        """Return the row of a puzzle. kept: the columns of its own that are kept. Raises ``BoardError``."""
        row: dict[str, Any] = {}
        for name in kept:
            value = made.puzzle.columns.get(name)
            row[name] = value if self._as_data else as_text(value)
        self._refuse_unread(made)
        record: dict[str, Any] | None = None
        for name in self.names:
            if name in made.columns:
                row[name] = made.columns[name]
            elif name in RATING_TYPES:
                row[name] = made.figures[name]
            elif name == "clues":
                row[name] = made.board.clue_count
            elif name == "canonical":
                row[name] = self.digest(made)
            elif name == "steps":
                row[name] = path_of(made.board)
            else:
                if record is None:
                    record = puzzle_record(made.puzzle, self._shape)
                row[name] = record.get(name)
        if self._as_data:
            return {name: value for name, value in row.items() if value or name not in OPTIONAL}
        for name, value in row.items():
            if isinstance(value, (list, dict)):  # data is JSON in a field of a table
                row[name] = json.dumps(value)
        return row

    def _refuse_unread(self, made: Made) -> None:
        """Raise ``BoardError`` for a puzzle of which something was not read, if no column states that."""
        if isinstance(made.source, Puzzle) and made.puzzle.not_understood and "unread" not in self.names:
            unread = made.puzzle.unread_summary()
            raise BoardError(f"a table cannot express what was not understood ({unread}); expected jsonl or toml")


def path_of(board: Board) -> list[dict[str, Any]]:
    """Return the steps to the solution of a board as data, each with its story."""
    path = []
    for number, step in enumerate(steps(replace(board, filled=())), 1):
        path.append({"step": number, **step.as_dict()})
    return path


def refuse_lines(form: str, row: Mapping[str, Any]) -> None:
    """Raise ``BoardError`` for a puzzle whose text takes several lines, which a field of CSV does not give back."""
    if form == "csv" and isinstance(row.get("puzzle"), str) and "\n" in row["puzzle"]:
        raise BoardError("csv cannot express rules that take several lines; expected jsonl or parquet")
