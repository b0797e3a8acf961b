"""Recipes of puzzles to be made: their board, the places of their clues, and the properties that they must have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from itertools import product
from math import inf
from numbers import Integral, Real
from secrets import randbits
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, get_args

from gridproof.errors import InputError
from gridproof.generation.killer import LARGEST_ORDER
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.grid import Grid
from gridproof.text import counted, suggest

if TYPE_CHECKING:
    from gridproof.rules.rule_text import AnyRule
    from gridproof.solving import Rating

Symmetry: TypeAlias = Literal["half-turn", "quarter-turn", "horizontal", "vertical", "diagonal", "full", "none"]

OTHER_NAMES: dict[str, Symmetry] = {
    **dict.fromkeys(("180", "rotational", "rotation", "rotate", "rot180", "point", "central", "two-fold"), "half-turn"),
    **dict.fromkeys(("90", "rot90", "four-fold"), "quarter-turn"),
    **dict.fromkeys(("mirror", "left-right", "reflection"), "vertical"),
    **dict.fromkeys(("up-down", "top-bottom"), "horizontal"),
    **dict.fromkeys(("transpose", "diagonal-mirror"), "diagonal"),
    **dict.fromkeys(("all", "dihedral"), "full"),
    **dict.fromkeys(("no", "off", "asymmetric"), "none"),
}
"""Names under which people know the symmetries, for suggestions."""

FEWEST_CLUES = {Geometry.classic(2): 4, Geometry.classic(3): 17}
"""The fewest clues of boards without rules (McGuire, Tugemann and Civario 2014, There is no 16-clue Sudoku)."""

NO_CLUE = ".0_-"
"""The characters of a pattern where no clue may stand."""


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
        large boards the solver may not come to an end, and that with rules and a cost or a grade clues stay without
        which a step would cost too much. With a symmetry, no set of clues that belong together can be.
    symmetry : str
        ``half-turn``, ``quarter-turn``, ``horizontal`` (upper and lower half), ``vertical`` (left and right half),
        ``diagonal``, ``full`` (all of these) or ``none``.
    pattern : str, optional
        Where clues may stand: a character for each cell, of which ``.`` keeps its cell empty.
    killer : bool
        Whether to draw cages in place of clues: random layouts, until one leaves one solution. The less a step may
        cost, the smaller the cages.
    cost : float or (float, float), optional
        The cost of the hardest step (``gridproof.rate``), or its least and most.
    grade : str, optional
        The grade (``gridproof.rate``): ``easy``, ``medium``, ``hard``, ``fiendish`` or ``extreme``.
    rated : bool
        Whether to rate puzzles in any case.
    seed : int
        The seed of all random choices, from 0; by default another one each time.

    Raises
    ------
    InputError
        If the options do not go together.

    Examples
    --------
    >>> Recipe(symmetry="half-turn", clues=(24, 28), seed=1).clue_range
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
    grade: str | None = None
    rated: bool = False
    seed: int = field(default_factory=lambda: randbits(48))

    def __post_init__(self) -> None:
        if not isinstance(self.seed, int) or self.seed < 0:
            raise InputError(f"seed {self.seed!r}; expected a whole number from 0")
        if self.killer and self.shape.order > LARGEST_ORDER:
            raise InputError(f"killer on a board of order {self.shape.order}; expected at most {LARGEST_ORDER}")
        if self.killer and (self.clues, self.pattern, self.symmetry) != (None, None, "none"):
            raise InputError("killer with clues, pattern or symmetry; expected none of them: cages stand for all clues")
        room = sum(len(group) for group in self.groups)
        low, high = self.clue_range
        if low > room:
            raise InputError(f"at least {counted(low, 'clue')}; expected at most {room}, which have a place")
        fewest = FEWEST_CLUES.get(self.shape, 0)
        if high < fewest and not self.problem.rules and not self.killer:
            board = self.shape.description
            raise InputError(f"at most {high} clues on a board of {board}; expected {fewest} or more: fewer never do")
        if self.grade is not None and self.cost is not None:
            raise InputError("a grade and a cost; expected one of them: a grade is a range of costs")
        _ = self.cost_range, self.most_cost  # which raise what is wrong with them

    @cached_property
    def problem(self) -> Problem:
        """Houses and rules."""
        return Board.empty(self.shape).with_rules(self.rules).problem

    @cached_property
    def in_lanes(self) -> bool:
        """Tell whether the lanes make the puzzles: on larger boards with few clues they would search too long.

        They need NumPy; where it is not installed, the solver makes all puzzles, which are others for the same seed.
        """
        small_without_rules = self.shape.order <= 9 and not self.killer and not self.problem.rules
        return small_without_rules and find_spec("numpy") is not None

    @cached_property
    def clue_range(self) -> tuple[int, int]:
        """The least and the most clues."""
        if self.clues is None:
            return 0, self.shape.cell_count
        low, high = _read_range("clues", self.clues, Integral, "a whole number")
        return int(low), int(high)

    @property
    def rates(self) -> bool:
        """Tell whether puzzles are rated."""
        return self.rated or self.cost is not None or self.grade is not None

    @cached_property
    def cost_range(self) -> tuple[float, float]:
        """The least and the most cost."""
        if self.cost is None:
            return 0.0, inf
        low, high = _read_range("cost", self.cost, Real, "a number")
        return float(low), float(high)

    @cached_property
    def most_cost(self) -> float:
        """The most that a step may cost. Raises ``InputError`` for an unknown grade."""
        if self.grade is not None:
            from gridproof.solving.grades import find_grade  # with all of the room, which other recipes do not need

            return find_grade(self.grade).most
        return self.cost_range[1]

    @property
    def thins_by_cost(self) -> bool:
        """True if clues stay without which a step would cost too much.

        With rules nearly all minimal puzzles are far too hard: under an anti-knight rule they have about 13 clues.
        """
        has_rules = bool(self.problem.rules) and not self.killer
        return has_rules and not self.minimal and self.most_cost < inf

    def takes(self, rating: Rating) -> bool:
        """Return whether a puzzle with this rating is wanted."""
        if self.grade is not None:
            return rating.grade == self.grade
        low, high = self.cost_range
        return low <= rating.hardest <= high

    @cached_property
    def groups(self) -> list[tuple[int, ...]]:
        """The cells where clues may stand; those of a group have a clue together, or none."""
        if self.killer:
            return []
        groups = orbits(self.shape.order, self.symmetry)
        if self.pattern is None:
            return groups
        marks = "".join(self.pattern.split())
        cells = self.shape.cell_count
        free = {cell for cell, mark in enumerate(marks) if mark not in NO_CLUE}
        if len(marks) != cells or not free:
            expected = f"{cells}: one for each cell, . where no clue may stand, and another one elsewhere"
            raise InputError(f"a pattern of {len(marks)} characters, {marks[:9]!r}...; expected {expected}")
        return [group for group in groups if free.issuperset(group)]


def _read_range(what: str, given: object, kind: type, wanted: str) -> tuple[Any, Any]:
    """Return the ends of a range that is given as a number or two. kind, wanted: the numbers that are right."""
    ends: list[Any] = [given]
    if isinstance(given, Sequence) and not isinstance(given, str):
        ends = list(given)
    if len(ends) == 1:
        ends *= 2
    right = all(isinstance(end, kind) and not isinstance(end, bool) for end in ends)
    low, high = ends if right and len(ends) == 2 else (1, 0)
    if not 0 <= low <= high:
        raise InputError(f"{what} {given!r}; expected {wanted}, or the least and the most of a range")
    return low, high


def read_symmetry(name: str) -> Symmetry:
    """Return the symmetry of a name. Raises ``InputError`` for an unknown one, with the name that may be meant.

    Examples
    --------
    >>> read_symmetry("half-turn")
    'half-turn'
    """
    names = get_args(Symmetry)
    if name in names:
        return cast(Symmetry, name)
    meant = OTHER_NAMES.get(str(name).casefold().strip(" °").replace(" ", "-"))
    if meant is None:
        raise InputError(f"the symmetry {name!r}; {suggest(str(name), names)}")
    raise InputError(f"the symmetry {name!r}; did you mean {meant}? Expected one of {', '.join(names)}")


def orbits(order: int, symmetry: Symmetry) -> list[tuple[int, ...]]:
    """Return the cells that a symmetry takes to each other, set by set.

    Examples
    --------
    >>> orbits(2, "half-turn"), len(orbits(9, "full"))
    ([(0, 3), (1, 2)], 15)
    """
    last = order - 1
    images_by_name: dict[str, list[Callable[[int, int], tuple[int, int]]]] = {
        "half-turn": [lambda row, column: (last - row, last - column)],
        "quarter-turn": [lambda row, column: (column, last - row)],
        "horizontal": [lambda row, column: (last - row, column)],
        "vertical": [lambda row, column: (row, last - column)],
        "diagonal": [lambda row, column: (column, row)],
        "full": [lambda row, column: (column, last - row), lambda row, column: (column, row)],
        "none": [],
    }
    images = images_by_name[read_symmetry(symmetry)]
    found = []
    met: set[tuple[int, int]] = set()
    for start in product(range(order), range(order)):
        if start in met:
            continue
        together = [start]
        met.add(start)
        for row, column in together:  # which grows
            for image in images:
                other = image(row, column)
                if other not in met:
                    met.add(other)
                    together.append(other)
        found.append(tuple(sorted(row * order + column for row, column in together)))
    return found


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
