"""The rating of a puzzle: the figures of its path."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import inf

from gridproof.explanations.steps.path import Path
from gridproof.trust.answer import Status


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
        The work of a SAT solver for the solution and its uniqueness, which tells little about people's.
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
        return {"cost": self.cost, **asdict(self)}

    def __str__(self) -> str:
        if self.verdict == Status.NONE:
            return "none: there is no solution, so nothing to rate"
        cut = {"undecided": "undecided, at least ", "multiple": "several solutions, steps up to "}.get(self.verdict, "")
        rounds = f"{self.times} round{'s' * (self.times != 1)}"
        return (
            f"{cut}cost {self.cost:.3f}: hardest step {self.hardest:.1f} ({self.name or 'no name'}) in {rounds} of "
            f"{self.rounds}, sum {self.total:.1f}, width {self.width}; search: {self.conflicts} conflicts"
        )


def rating_of(path: Path, most: float = inf) -> Rating:
    """Go to the end of a path, to its limit, or to a step that costs more than ``most``. Return its figures."""
    costs, hardest, name = list[float](), 0.0, ""
    widths, of_singles = list[int](), list[int]()
    while (together := path.round()) and not path.cut:
        dearest = max(together, key=lambda step: step.cost)
        if dearest.cost > hardest:
            hardest, name = dearest.cost, path.named(dearest).name
        costs.append(dearest.cost)
        if dearest.cost > most:
            break
        (of_singles if together[0].placed else widths).append(len(together))
        for step in together:
            path.take(step)
    ended = Status.UNDECIDED if path.cut or hardest > most else Status.MULTIPLE
    return Rating(
        Status.UNIQUE if all(path.entries) else ended,
        hardest=hardest,
        times=costs.count(hardest),
        total=round(sum(costs), 1),
        rounds=len(costs),
        width=min(widths or of_singles, default=0),
        name=name,
        conflicts=path.effort.get("conflicts", 0),
        decisions=path.effort.get("decisions", 0),
    )
