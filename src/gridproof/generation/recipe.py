"""What the puzzles to be made have in common: their board, the places of their clues, and what they must be like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from gridproof.errors import InputError, choices
from gridproof.explanations.steps import Rating
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.grid import Grid

Symmetry: TypeAlias = Literal["half-turn", "quarter-turn", "horizontal", "vertical", "diagonal", "full", "none"]

_Step: TypeAlias = Callable[[int, int, int], tuple[int, int]]

_HALF: _Step = lambda row, column, last: (last - row, last - column)  # noqa: E731
_QUARTER: _Step = lambda row, column, last: (column, last - row)  # noqa: E731
_UPSIDE_DOWN: _Step = lambda row, column, last: (last - row, column)  # noqa: E731
_LEFT_RIGHT: _Step = lambda row, column, last: (row, last - column)  # noqa: E731
_TRANSPOSED: _Step = lambda row, column, last: (column, row)  # noqa: E731

_STEPS: dict[Symmetry, tuple[_Step, ...]] = {
    "half-turn": (_HALF,),
    "quarter-turn": (_QUARTER,),
    "horizontal": (_UPSIDE_DOWN,),
    "vertical": (_LEFT_RIGHT,),
    "diagonal": (_TRANSPOSED,),
    "full": (_QUARTER, _TRANSPOSED),
    "none": (),
}


def orbits(order: int, symmetry: Symmetry) -> list[tuple[int, ...]]:
    """Return the cells that a symmetry takes to each other, set by set.

    Examples
    --------
    >>> orbits(2, "half-turn"), len(orbits(9, "full"))
    ([(0, 3), (1, 2)], 15)
    """
    if symmetry not in get_args(Symmetry):
        raise InputError(f"the symmetry {symmetry!r}; {choices(symmetry, get_args(Symmetry))}")
    found: list[tuple[int, ...]] = []
    reached: set[int] = set()
    for cell in range(order * order):
        if cell in reached:
            continue
        orbit = [cell]
        for member in orbit:  # which grows meanwhile
            for step in _STEPS[symmetry]:
                row, column = step(*divmod(member, order), order - 1)
                if (other := row * order + column) not in orbit:
                    orbit.append(other)
        reached.update(orbit)
        found.append(tuple(sorted(orbit)))
    return found


def places_of(pattern: str, order: int) -> frozenset[int]:
    """Return the cells of a pattern where clues may stand.

    Raises ``InputError`` for a pattern of another size.

    Examples
    --------
    >>> sorted(places_of("x.\\n.x", 2))
    [0, 3]
    """
    marks = "".join(pattern.split())
    if len(marks) != order * order:
        expected = f"{order * order}: one for each cell, . where no clue may stand"
        raise InputError(f"a pattern of {len(marks)} characters; expected {expected}")
    places = frozenset(cell for cell, mark in enumerate(marks) if mark not in ".0_-")
    if not places:
        raise InputError("a pattern without a place for a clue; expected any other mark than . in some cells")
    return places


@dataclass(frozen=True, slots=True)
class Recipe:
    """What puzzles are made from. The same recipe and number give the same puzzle.

    Attributes
    ----------
    problem : Problem
        Houses and rules.
    seed : int
        Of all random choices, with the number of the attempt.
    groups : tuple of tuple of int
        The cells where clues may stand; those of a group have a clue together, or none.
    least, most : int
        Numbers of clues. If fewer would do, clues stay until there are ``least``.
    minimal : bool
        Whether only minimal puzzles count.
    cost : (float, float) or None
        The range of the rating.
    rated : bool
        Whether to rate puzzles in any case.
    killer : bool
        Whether to draw cages in place of clues.
    cross_checked : int
        Of so many attempts one is cross-checked.
    """

    problem: Problem
    seed: int
    groups: tuple[tuple[int, ...], ...]
    least: int = 0
    most: int = 0
    minimal: bool = False
    cost: tuple[float, float] | None = None
    rated: bool = False
    killer: bool = False
    cross_checked: int = 1


@dataclass(frozen=True, slots=True)
class Generated:
    """A puzzle that was made.

    Attributes
    ----------
    board : Board
        The puzzle, which has exactly one solution.
    solution : Grid
        The solution.
    seed, number : int
        The seed, and the number of the attempt that gave the puzzle.
    minimal : bool
        Whether it is proven that no clue (with a symmetry: no set of clues that belong together) can be left out.
    rating : Rating or None
        The rating, where it was asked for.
    """

    board: Board
    solution: Grid
    seed: int
    number: int
    minimal: bool
    rating: Rating | None = None


def span(values: Sequence[float], what: str) -> tuple[float, float]:
    """Return the ends of a range. Raises ``InputError`` for anything but one or two numbers in order."""
    low, high = (values[0], values[-1]) if len(values) in (1, 2) else (1, 0)
    if not 0 <= low <= high:
        raise InputError(f"{what} {tuple(values)!r}; expected a number, or the least and the most of a range")
    return low, high
