"""The rating of a puzzle: the figures of the path of cheapest steps to its solution."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import inf
from typing import Unpack

from gridproof.errors import Interrupted
from gridproof.formats import PuzzleLike, parse
from gridproof.formats.reading import ReadOptions
from gridproof.limits import NO_LIMITS, Limits
from gridproof.solving.path import SolvingPath
from gridproof.text import counted
from gridproof.trust.answer import Status

UNFINISHED = {Status.UNDECIDED: "undecided, at least ", Status.MULTIPLE: "several solutions, steps up to "}
"""What stands before the cost of a path that does not end in the only solution."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The figures of the path of a puzzle, in which every round has all steps of the smallest cost.

    Attributes
    ----------
    verdict : Status
        ``unique``; ``multiple`` if the path ends before the board is full; ``undecided`` if a limit came first, with
        the figures of the path so far; or ``none``, with all figures 0.
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
    hardest: float = 0.0
    times: int = 0
    total: float = 0.0
    rounds: int = 0
    width: int = 0
    name: str = ""
    conflicts: int = 0
    decisions: int = 0

    @property
    def cost(self) -> float:
        """The cost of the puzzle: that of its hardest step, and a thousandth for each round at that cost (up to 99)."""
        return round(self.hardest + min(self.times, 99) / 1000, 3)

    def as_dict(self) -> dict[str, object]:
        """Return all figures, as JSON has them."""
        return {"cost": self.cost} | asdict(self)

    def __str__(self) -> str:
        if self.verdict == Status.NONE:
            return "none: there is no solution, so nothing to rate"
        name = self.name or "no name"
        return (
            f"{UNFINISHED.get(self.verdict, '')}cost {self.cost:.3f}: hardest step {self.hardest:.1f} ({name}) in "
            f"{counted(self.times, 'round')} of {self.rounds}, sum {self.total:.1f}, width {self.width}; "
            f"search: {self.conflicts} conflicts"
        )


def rate(puzzle: PuzzleLike, *, limits: Limits = NO_LIMITS, **reading: Unpack[ReadOptions]) -> Rating:
    """Measure how hard a puzzle is for people: the cost of the most expensive step on the cheapest path.

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
        Its ``cost``, and what it is made of; at least so much if a limit came first, and the verdict is ``undecided``.

    Examples
    --------
    >>> import gridproof
    >>> gridproof.rate("1... ..2. .3.. ...4").cost
    1.001
    """
    board = replace(parse(puzzle, **reading), filled=())
    try:
        with SolvingPath(board, limits) as path:
            return rating_of(path) if path.has_solution else Rating(Status.NONE)
    except Interrupted:
        return Rating(Status.UNDECIDED)


def rating_of(path: SolvingPath, most: float = inf) -> Rating:
    """Return the figures of a path, which is gone to its end, to its limit, or to a step that costs more than ``most``.

    Examples
    --------
    >>> import gridproof
    >>> with SolvingPath(gridproof.parse("1... ..2. .3.. ...4")) as path:
    ...     rating_of(path).name
    'naked single'
    """
    costs: list[float] = []
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
        if hardest > most:
            break
        if together[0].placed:
            widths_of_singles.append(len(together))
        else:
            widths.append(len(together))
        for step in together:
            path.take(step)
        together = path.next_round()
    verdict = Status.MULTIPLE
    if all(path.position.entries):
        verdict = Status.UNIQUE
    elif path.cut or hardest > most:
        verdict = Status.UNDECIDED
    return Rating(
        verdict,
        hardest=hardest,
        times=costs.count(hardest),
        total=round(sum(costs), 1),
        rounds=len(costs),
        width=min(widths or widths_of_singles, default=0),
        name=name,
        conflicts=path.effort.get("conflicts", 0),
        decisions=path.effort.get("decisions", 0),
    )
