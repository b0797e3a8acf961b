"""The rating of a puzzle: the figures of the path of cheapest steps to its solution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import log
from typing import Unpack

from gridproof.errors import Interrupted
from gridproof.formats import PuzzleLike, parse
from gridproof.formats.reading import ReadOptions
from gridproof.limits import NO_LIMITS, Limits
from gridproof.solving.grades import grade_of
from gridproof.solving.path import SolvingPath
from gridproof.text import counted
from gridproof.trust.answer import Status

UNFINISHED = {Status.UNDECIDED: "undecided, at least ", Status.MULTIPLE: "several solutions, steps up to "}
"""The sign before the grade of a path that does not end in the only solution."""

BASE = 4.0
"""Number of rounds of one cost that make a puzzle as hard as one round whose cost is higher by 1."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The figures of the path of a puzzle, in which every round has all steps of the smallest cost.

    Attributes
    ----------
    verdict : Status
        ``unique``; ``multiple`` if the path ends before the board is full; ``undecided`` if a limit came first, with
        the figures of the path so far; or ``none``, with all figures 0.
    cost : float
        The cost of the puzzle: that of its hardest step, and more for the other rounds; see ``cost_of_rounds``.
    hardest : float
        The largest cost of a step.
    times : int
        In how many rounds the steps cost so much.
    total : float
        The sum of the costs of all rounds.
    rounds : int
        The number of rounds.
    width : int
        How many steps there were in the narrowest round that was not all singles; of singles, if there was no other.
    name : str
        The name of a step of the largest cost, empty if it has none.
    conflicts, decisions : int
        The work of a SAT solver for the solution and its uniqueness, which is no measure of people's.
    """

    verdict: Status
    cost: float = 0.0
    hardest: float = 0.0
    times: int = 0
    total: float = 0.0
    rounds: int = 0
    width: int = 0
    name: str = ""
    conflicts: int = 0
    decisions: int = 0

    @property
    def grade(self) -> str:
        """The name of the grade by the cost of the hardest step; empty if there is no solution."""
        return "" if self.verdict == Status.NONE else grade_of(self.hardest).name

    def as_dict(self) -> dict[str, object]:
        """Return the grade and all figures, as JSON has them."""
        return {"grade": self.grade} | asdict(self)

    def headline(self) -> str:
        """Return the grade in words: at least it, where a limit came first."""
        return UNFINISHED.get(self.verdict, "") + (self.grade or "none")

    def figures(self) -> str:
        """Return what was measured in words."""
        if self.verdict == Status.NONE:
            return "there is no solution, so nothing to rate"
        return (
            f"cost {self.cost:.3f}, hardest step {self.hardest:.1f} ({self.name or 'no name'}) in "
            f"{counted(self.times, 'round')} of {self.rounds}, sum {self.total:.1f}, width {self.width}; "
            f"search: {counted(self.conflicts, 'conflict')}"
        )

    def __str__(self) -> str:
        return f"{self.headline()}: {self.figures()}"


def rate(puzzle: PuzzleLike, *, limits: Limits = NO_LIMITS, **reading: Unpack[ReadOptions]) -> Rating:
    """Measure how hard a puzzle is for people, by the costs of the steps on the cheapest path.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads.
    limits
        The limits of the whole path.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Returns
    -------
    Rating
        Its ``grade`` and ``cost``, and what these are made of; at least so much if a limit came first, and the verdict
        is ``undecided``.

    Examples
    --------
    >>> import gridproof
    >>> rating = gridproof.rate("1... ..2. .3.. ...4")
    >>> rating.grade, rating.cost
    ('easy', 1.001)
    """
    board = replace(parse(puzzle, **reading), filled=())
    try:
        with SolvingPath(board, limits) as path:
            return rating_of(path) if path.has_solution else Rating(Status.NONE)
    except Interrupted:
        return Rating(Status.UNDECIDED)


def rating_of(path: SolvingPath) -> Rating:
    """Return the figures of a path, which is gone to its end, to its limit, or to where each step costs too much.

    Examples
    --------
    >>> import gridproof
    >>> with SolvingPath(gridproof.parse("1... ..2. .3.. ...4")) as path:
    ...     rating_of(path).name
    'naked single'
    """
    costs: list[float] = []
    costs_beyond_singles: list[float] = []
    widths: list[int] = []
    widths_of_singles: list[int] = []
    hardest = 0.0
    name = ""
    together = path.next_round()
    while together and not path.cut:
        dearest = max(together, key=lambda step: step.cost)
        costs.append(dearest.cost)
        if dearest.cost > hardest:
            hardest = dearest.cost
            name = path.with_name(dearest).name
        if together[0].placed:
            widths_of_singles.append(len(together))
        else:
            widths.append(len(together))
            costs_beyond_singles.append(dearest.cost)
        for step in together:
            path.take(step)
        together = path.next_round()
    verdict = Status.MULTIPLE
    if all(path.position.entries):
        verdict = Status.UNIQUE
    elif path.cut or path.is_too_dear:
        verdict = Status.UNDECIDED
    return Rating(
        verdict,
        cost=cost_of_rounds(hardest, costs.count(hardest), costs_beyond_singles),
        hardest=hardest,
        times=costs.count(hardest),
        total=round(sum(costs), 1),
        rounds=len(costs),
        width=min(widths or widths_of_singles, default=0),
        name=name,
        conflicts=path.effort.get("conflicts", 0),
        decisions=path.effort.get("decisions", 0),
    )


def cost_of_rounds(hardest: float, times: int, beyond_singles: Sequence[float]) -> float:
    """Return the cost of a puzzle: the logarithm of the sum of ``BASE ** cost`` over the rounds that are not singles.

    So each further round counts, the hard ones most. It is at least the cost of the hardest step and a thousandth for
    each of up to 99 rounds at that cost, which also orders puzzles of singles alone.

    Parameters
    ----------
    hardest, times
        The largest cost of a round, and in how many rounds it is met.
    beyond_singles
        The cost of each round that is not one of singles.

    Examples
    --------
    >>> cost_of_rounds(1.1, 12, []), cost_of_rounds(3.6, 1, [3.6]), cost_of_rounds(3.6, 4, [3.6, 3.6, 3.6, 3.6])
    (1.112, 3.601, 4.6)
    """
    least = hardest + min(times, 99) / 1000
    if not beyond_singles:
        return round(least, 3)
    # the largest power is taken out: a cost of some hundreds would be no float
    powers = [BASE ** (cost - hardest) for cost in beyond_singles]
    return round(max(least, hardest + log(sum(powers), BASE)), 3)
