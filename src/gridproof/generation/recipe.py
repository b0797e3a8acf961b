"""Recipes of puzzles to be made: their board, the places of their clues, and the properties that they must have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from secrets import randbits
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from gridproof.errors import InputError
from gridproof.generation.killer import LARGEST_ORDER
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.grid import Grid
from gridproof.text import suggest

if TYPE_CHECKING:
    from gridproof.rules.statement import AnyRule
    from gridproof.solving import Rating

Symmetry: TypeAlias = Literal["half-turn", "quarter-turn", "horizontal", "vertical", "diagonal", "full", "none"]


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Description of the puzzles to be made. The same recipe and number of the attempt give the same puzzle.

    Parameters
    ----------
    shape : Geometry
        Their geometry; by default 9x9 with the usual boxes.
    rules
        Rules of every puzzle, such as ``"anti-knight"``. If they leave one solution without any clue, that is the only
        puzzle.
    clues : int or (int, int), optional
        The number of clues, or the least and the most. Where fewer would do, clues stay until there are the least.
    minimal : bool
        Whether only puzzles count of which no clue can be left out. Without ``clues`` all are like that, except that on
        large boards the solver may not come to an end. With a symmetry, no set of clues that belong together can be.
    symmetry : str
        ``half-turn``, ``quarter-turn``, ``horizontal`` (upper and lower half), ``vertical`` (left and right half),
        ``diagonal``, ``full`` (all of these) or ``none``.
    pattern : str, optional
        Where clues may stand: a character for each cell, of which ``.`` keeps its cell empty.
    killer : bool
        Whether to draw cages in place of clues: random layouts, until one leaves one solution.
    cost : float or (float, float), optional
        The rating (``gridproof.rate``), or its least and most.
    rated : bool
        Whether to rate puzzles in any case.
    seed : int
        Of all random choices, from 0; by default another one each time.

    Raises
    ------
    InputError
        If the options do not go together.

    Examples
    --------
    >>> Recipe(symmetry="half-turn", clues=(24, 28), seed=1).span
    (24, 28)
    """

    shape: Geometry = field(default_factory=lambda: Geometry.classic(3))
    rules: Iterable[AnyRule] | AnyRule = ()
    clues: int | Sequence[int] | None = None
    minimal: bool = False
    symmetry: Symmetry = "none"
    pattern: str | None = None
    killer: bool = False
    cost: float | Sequence[float] | None = None
    rated: bool = False
    seed: int = field(default_factory=lambda: randbits(48))

    def __post_init__(self) -> None:
        if not isinstance(self.seed, int) or self.seed < 0:
            raise InputError(f"seed {self.seed!r}; expected a whole number from 0")
        if self.killer and self.shape.order > LARGEST_ORDER:
            raise InputError(f"killer on a board of order {self.shape.order}; expected at most {LARGEST_ORDER}")
        if self.killer and (self.clues, self.pattern, self.symmetry) != (None, None, "none"):
            raise InputError("killer with clues, pattern or symmetry; expected none of them: cages stand for all clues")
        room = sum(map(len, self.groups))
        if self.span[0] > room:
            raise InputError(f"at least {self.span[0]:g} clues; expected at most {room}, which have a place")
        _ = self.costs, self.problem  # which raise what is wrong with them

    @cached_property
    def problem(self) -> Problem:
        """Houses and rules."""
        return Board.empty(self.shape).with_rules(self.rules).problem

    @cached_property
    def in_lanes(self) -> bool:
        """Tell whether the lanes make the puzzles: on larger boards with few clues they would search too long."""
        return self.shape.order <= 9 and not self.killer and not self.problem.rules

    @cached_property
    def span(self) -> tuple[float, float]:
        """The least and the most clues."""
        return _ends("clues", self.clues, self.shape.cell_count)

    @property
    def rates(self) -> bool:
        """Tell whether puzzles are rated."""
        return self.rated or self.cost is not None

    @cached_property
    def costs(self) -> tuple[float, float]:
        """The least and the most cost."""
        return _ends("cost", self.cost, float("inf"))

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """The cells where clues may stand; those of a group have a clue together, or none."""
        if self.killer:
            return []
        groups = orbits(self.shape.order, self.symmetry)
        if self.pattern is None:
            return groups
        marks, cells = "".join(self.pattern.split()), self.shape.cell_count
        if len(marks) != cells or not set(marks) - {*".0_-"}:
            expected = f"{cells}: one for each cell, . where no clue may stand, and another one elsewhere"
            raise InputError(f"a pattern of {len(marks)} characters, {marks[:9]!r}...; expected {expected}")
        return [group for group in groups if not any(marks[cell] in ".0_-" for cell in group)]


def _ends(what: str, given: object, most: float) -> tuple[float, float]:
    values = (0, most) if given is None else tuple(given) if isinstance(given, Sequence) else (given,)
    low, high = (values * 2)[:2] if len(values) == 1 else values if len(values) == 2 else (1, 0)
    if not isinstance(low, Real) or not isinstance(high, Real) or not 0 <= float(low) <= float(high):
        raise InputError(f"{what} {given!r}; expected a number, or the least and the most of a range")
    return low, high  # type: ignore[return-value]


def orbits(order: int, symmetry: Symmetry) -> list[tuple[int, ...]]:
    """Return the cells that a symmetry takes to each other, set by set.

    Examples
    --------
    >>> orbits(2, "half-turn"), len(orbits(9, "full"))
    ([(0, 3), (1, 2)], 15)
    """
    import numpy as np

    square = np.arange(order * order).reshape(order, order)
    quarter, transposed = np.rot90(square), square.T
    images = {"half-turn": [np.rot90(square, 2)], "quarter-turn": [quarter], "full": [quarter, transposed]}
    images |= {"horizontal": [square[::-1]], "vertical": [square[:, ::-1]], "diagonal": [transposed], "none": []}
    if symmetry not in images:
        raise InputError(f"the symmetry {symmetry!r}; {suggest(str(symmetry), get_args(Symmetry))}")
    first = square.ravel()
    for image in 3 * images[symmetry]:  # a cell of four may be three quarter turns from the first
        first = np.minimum(first, first[image.ravel()])
    return [tuple(np.flatnonzero(first == cell).tolist()) for cell in np.unique(first)]


@dataclass(frozen=True, slots=True)
class Generated:
    """A puzzle that was made.

    Attributes
    ----------
    board : Board
        The puzzle, which has exactly one solution.
    solution : Grid
        The solution.
    number : int
        The number of the attempt that gave the puzzle.
    minimal : bool
        Whether it is proven that no clue (with a symmetry: no set of clues that belong together) can be left out.
    rating : Rating or None
        The rating, where it was asked for.
    """

    board: Board
    solution: Grid
    number: int
    minimal: bool
    rating: Rating | None = None
