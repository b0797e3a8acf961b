"""Canonical forms: one string for all puzzles that are equal up to symmetry, and the number of automorphisms.

A symmetry renames symbols, permutes bands, stacks, and the rows and columns within them, and transposes boards whose
boxes are square. Two different forms of a puzzle are offered, which must not be mixed:

- its *least form*: the least string, blanks first, among all its images. It needs no solution.
- the form *by solution*: among the symmetries that bring its only solution to the least form, those that leave the
  least string of the puzzle.

Boards with rules or further houses have a form under the symmetries that keep these (``kept_forms``). The digest of a
form is short, and as good as the form for finding equal puzzles.

Published "minlex" strings are often the form of one program, which need not be the least string.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from math import factorial
from typing import Any, Unpack

from gridproof.errors import BoardError
from gridproof.expect import expect, expect_flag
from gridproof.formats import PuzzleLike, parse
from gridproof.formats.one_line import text_of
from gridproof.formats.reading import ReadOptions
from gridproof.generation.kept_forms import kept_form
from gridproof.generation.symmetries import is_classic_shape
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.text import counted

LARGEST_ORDER = 100
"""Largest order of boards whose forms are searched: the open nodes take memory of the third power of the order."""

DIGEST_BYTES = 16
"""Size of a digest. Among a thousand million puzzles, two share one by chance with a probability of about 10**-21."""

STEPS = 20_000
"""Steps of the search between two looks at the clock and for Ctrl-C."""


@dataclass(frozen=True, slots=True, repr=False)
class Canonical:
    """The canonical form of a puzzle.

    Attributes
    ----------
    board : Board
        The form.
    automorphisms : int
        The number of symmetries that map the puzzle to itself.
    by_solution : bool
        Whether it is the form that the least form of the solution carries.
    digest : str
        The digest of the form, in hexadecimal digits: the same exactly for puzzles that are equal up to symmetry.
    """

    board: Board
    automorphisms: int
    by_solution: bool
    digest: str

    def __str__(self) -> str:
        return text_of(self.board)

    def __repr__(self) -> str:
        return f"<Canonical: {self}, {counted(self.automorphisms, 'automorphism')}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import board_card

        sentence = "The form carried by the least form of the solution." if self.by_solution else "The least form."
        return board_card(sentence, [("automorphisms", f"{self.automorphisms:,}")], self.board)


class LeastForms:
    """The search for canonical forms on one geometry; compiled where numba is installed. Not for several threads.

    Parameters
    ----------
    geometry
        A Latin square, or one with boxes, and no further houses: other boards lack the symmetries.

    Raises
    ------
    BoardError
        For another geometry.

    Examples
    --------
    >>> forms = LeastForms(Geometry.classic(2))
    >>> forms.find([1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4])
    ((0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 3, 0, 4, 0, 0, 0), 8)
    """

    def __init__(self, geometry: Geometry) -> None:
        from gridproof.generation import least

        expect(geometry, Geometry, "geometry", "a Geometry")
        order = geometry.order
        if geometry.regions or geometry.families or geometry.extra or order > LARGEST_ORDER:
            expected = f"a Latin square or boxes without further houses, up to order {LARGEST_ORDER}"
            raise BoardError(f"the canonical form on a board of {geometry.description}; expected {expected}")
        high = wide = order
        if geometry.box_shape is not None and 1 not in geometry.box_shape:  # else boxes are rows or columns
            high, wide = geometry.box_shape
        self.geometry = geometry
        self._least: Any = least
        self._work = least.work_of(order, high, wide)

    def find(
        self, clues: Sequence[int], solution: Sequence[int] | None = None, limits: Limits = NO_LIMITS
    ) -> tuple[SymbolTuple, int]:
        """Return the form of a puzzle and its number of automorphisms.

        Parameters
        ----------
        clues
            The symbol of each cell, 0 where there is none.
        solution
            The only solution of the puzzle, for the form by solution. Without it, the least form is returned.
        limits
            The time for the search.

        Raises
        ------
        Interrupted
            If a limit came first.
        """
        work = self._work
        watch = Watch(limits)
        cells = work.order**2
        searched = clues if solution is None else solution
        work.cells[:cells] = list(searched)  # a ``Grid`` would be an array of rows
        if solution is not None:
            work.cells[2 * cells : 3 * cells] = list(clues)
        self._least.begin(work, solution is not None)
        while not self._least.search(work, STEPS):
            watch.look()
        forms = _as_list(work.best)
        leaves = int(work.progress[self._least.LEAVES])
        if solution is not None:
            return tuple(forms[cells:]), leaves
        automorphisms = leaves
        for alike in self._alike(forms[:cells], _as_list(work.ties)):
            automorphisms *= factorial(alike)
        return tuple(forms[:cells]), automorphisms

    def _alike(self, form: list[int], ties: list[int]) -> list[int]:
        """Return how many parts are alike to the end, so that the search has placed them once.

        Such are the blank rows of a band, the blank bands, and the columns that are tied.
        """
        order = self._work.order
        high = self._work.high
        blank = [not any(form[start : start + order]) for start in range(0, order**2, order)]
        blank_rows = [sum(blank[first : first + high]) for first in range(0, order, high)]
        tied = [ties.count(position) for position in range(order)]
        return [*blank_rows, blank_rows.count(high), *tied]


def _as_list(numbers: Any) -> list[int]:
    """Return an array as a list; where numba is missing it is one."""
    return list(numbers) if isinstance(numbers, list) else list(numbers.tolist())


def canonical(
    puzzle: PuzzleLike, *, by_solution: bool = False, limits: Limits = NO_LIMITS, **reading: Unpack[ReadOptions]
) -> Canonical:
    """Find the canonical form of a puzzle, which all puzzles have that are equal up to symmetry.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads, with any number of solutions.
    by_solution
        Whether to return the form that the least form of the solution carries, not the least form of the puzzle.
    limits
        When to stop.
    **reading
        The options of ``gridproof.parse``.

    Returns
    -------
    Canonical
        The form as a board, and the number of automorphisms.

    Raises
    ------
    BoardError
        For a board with pencil marks, or with rules or further houses that no symmetry keeps; by solution for any board
        with these, and for a puzzle that has not exactly one.
    Interrupted
        If a limit came first.

    References
    ----------
    McKay 1981, Practical graph isomorphism (partitions that are refined, and automorphisms). Russell and Jarvis 2006,
    Mathematics of Sudoku II (the group of symmetries).

    Examples
    --------
    >>> import gridproof
    >>> form = gridproof.canonical("1... ..2. .3.. ...4")
    >>> form
    <Canonical: ...1.2....3.4..., 8 automorphisms>
    >>> form.board == gridproof.canonical("..4. 1... ...3 .2..").board
    True
    >>> one = gridproof.canonical("1... .... .... ....", rules=["killer 5 r1c2 r1c3"])
    >>> one.digest == gridproof.canonical("...1 .... .... ....", rules=["killer 5 r1c2 r1c3"]).digest
    True
    """
    expect_flag(by_solution, "by_solution")
    board = parse(puzzle, **reading)
    if not by_solution:
        return FormFinder(limits).find(board)
    with Pipeline(limits=limits, cross_check="none") as pipeline:
        return FormFinder(limits, pipeline).find(board)


class FormFinder:
    """Finds the canonical forms of boards; what boards of a geometry have in common is made once.

    limits: the time for each form. pipeline: finds the solutions, if forms by solution are wanted.
    """

    def __init__(self, limits: Limits = NO_LIMITS, pipeline: Pipeline | None = None) -> None:
        self._limits = limits
        self._pipeline = pipeline
        self._forms = cache(LeastForms)

    def find(self, board: Board) -> Canonical:
        """Return the form of a board. Raises ``BoardError`` if it has none, ``Interrupted``."""
        if board.marks is not None:
            raise BoardError("the canonical form of a board with pencil marks; expected clues, and perhaps rules")
        if board.rules or not is_classic_shape(board.geometry) or board.geometry.order > LARGEST_ORDER:
            if self._pipeline is not None:
                raise BoardError("the form by solution of a board with rules or further houses; expected its own form")
            kept = kept_form(board)
            digest = form_digest(board.geometry, kept.board.clues, kept.statement).hex()
            return Canonical(kept.board, kept.automorphisms, False, digest)
        solution = None
        kind = ""
        if self._pipeline is not None:
            solution = self._solution_of(board, self._pipeline)
            kind = "by solution"
        form, automorphisms = self._forms(board.geometry).find(board.clues, solution, self._limits)
        digest = form_digest(board.geometry, form, kind).hex()
        return Canonical(Board.trusted(board.geometry, form), automorphisms, solution is not None, digest)

    def digest(self, board: Board) -> str | None:
        """Return the digest of the form of a board, or ``None`` for one that has no form."""
        try:
            return self.find(board).digest
        except BoardError:
            return None

    def _solution_of(self, board: Board, pipeline: Pipeline) -> SymbolTuple:
        """Return the only solution of a board."""
        answer, verdict = pipeline.answer_and_verdict(board, 2)
        if answer.stopped:
            raise answer.stopped
        if not verdict.is_unique:
            raise BoardError(f"the form by solution of a puzzle with the verdict {verdict.status}; expected unique")
        return tuple(verdict.solutions[0])


def form_digest(geometry: Geometry, form: SymbolTuple, statement: str = "") -> bytes:
    """Return the digest of a form.

    form: the symbols of its cells, 0 for a blank. statement: what else belongs to it, such as what its rules state.
    """
    state = blake2b(digest_size=DIGEST_BYTES)
    state.update(_shape_text(geometry).encode())
    state.update(bytes(form) if geometry.symbol_count < 256 else repr(form).encode())
    state.update(statement.encode())
    return state.digest()


@cache
def _shape_text(geometry: Geometry) -> str:
    """Return rows, columns, symbols and houses as text."""
    houses = sorted([sorted(house.cells) for house in geometry.houses])
    return f"{geometry.rows}x{geometry.columns} {geometry.digits} {houses}"
