"""The next step and why: steps with minimal reasons, hints, and the cost of a puzzle.

A step removes candidates or places a symbol. Its reason is a minimal set of facts that a person would name, found by
propagation and made minimal by a solver: "5 has a place in box 3", "the thermometer r1c1-r1c4". ``steps`` goes step by
step, and ``rate`` measures how hard a puzzle is.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import asdict, dataclass, replace
from math import inf
from typing import Unpack

from gridproof.errors import InputError, Interrupted
from gridproof.formats import PuzzleLike, parse, read_puzzle
from gridproof.formats.reading import Reading
from gridproof.limits import NO_LIMITS, Limits
from gridproof.pictures.steps import Slide, Steps
from gridproof.puzzle.board import Board
from gridproof.solving.path import NoSolution, SolvingPath
from gridproof.solving.step import Candidate, Fact, Goal, Position, Step
from gridproof.trust.answer import Status


def steps(
    puzzle: PuzzleLike, *, proven: bool = False, limits: Limits = NO_LIMITS, **reading: Unpack[Reading]
) -> Generator[Step, bool | None, None]:
    """Yield one step after another, from the position of a puzzle to its solution, the cheapest first.

    Entries and pencil marks are part of the position. If one of them is wrong, the first step restores it. Send
    ``False`` to decline a step; it is not offered again.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads.
    proven
        Whether to look for a proof that no step is cheaper, up to a cost of 5 and for some seconds in each round. A
        cheaper step that comes up is taken. ``Step.proven`` is the outcome.
    limits
        Of all steps together.
    **reading
        The options of ``gridproof.parse``, such as ``rules``.

    Yields
    ------
    Step
        Nothing follows from the facts any more when it ends: the board is full, or has several solutions.

    Raises
    ------
    NoSolution
        If there is no solution from here.
    Interrupted
        If a limit came first, after the steps that were found so far.

    Examples
    --------
    >>> import gridproof
    >>> path = gridproof.steps("1... ..2. .3.. ...4")
    >>> next(path).sentence()
    'naked single: r3c3 is 1, because r3c3 has only one symbol left'
    >>> path.send(False).conclusion()
    'r4c1 is 2'
    """
    reading.setdefault("despite_unread", False)
    whole = read_puzzle(puzzle, **reading)
    board = whole.position
    for mistake in _mistakes(board, replace(whole.board, filled=(), marks=whole.notes and whole.board.marks), limits):
        wrong = Step(Position(board, board.candidates, board.filled or board.clues), restored=(mistake,))
        if (yield wrong) is not False:
            board = wrong.applied()
    with SolvingPath(board, limits, proven) as path:
        while together := path.round():
            replies = list[bool]()
            for step in together:
                reply = yield path.named(step)
                replies.append(reply is not False)
            for step, accepted in zip(together, replies, strict=True):
                path.take(step, accepted)
            if path.cut:
                break
        if path.cut:
            raise path.cut


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


def rate(puzzle: PuzzleLike, *, limits: Limits = NO_LIMITS, **reading: Unpack[Reading]) -> Rating:
    """Measure how hard a puzzle is for people: the cost of the most expensive step on the cheapest path.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads.
    limits
        Of the whole path.
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
            return rating_of(path)
    except NoSolution:
        return Rating(Status.NONE)
    except Interrupted:
        return Rating(Status.UNDECIDED)


def rating_of(path: SolvingPath, most: float = inf) -> Rating:
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
        Status.UNIQUE if all(path.position.entries) else ended,
        hardest=hardest,
        times=costs.count(hardest),
        total=round(sum(costs), 1),
        rounds=len(costs),
        width=min(widths or of_singles, default=0),
        name=name,
        conflicts=path.effort.get("conflicts", 0),
        decisions=path.effort.get("decisions", 0),
    )


def slides(path: Iterable[Step], title: str = "Steps", level: int = 3) -> Steps:
    """Return the pictures of some steps, which a notebook shows with a slider, and ``save`` writes as a page.

    level: how much is shown of each step, as in ``Step.hint``.

    Examples
    --------
    >>> slides(steps("1... ..2. .3.. ...4"), "A small puzzle")
    <Steps: 12; A small puzzle>
    """
    path = list(path)
    drawn = [step.after(path[:place]).picture(level) for place, step in enumerate(path)]
    pictures = tuple([Slide(step.hint(level), picture=one) for step, one in zip(path, drawn, strict=True)])
    if not path:
        raise InputError("no step to draw; expected at least one")
    return Steps(path[0].position.board, title, pictures)


def _mistakes(board: Board, puzzle: Board, limits: Limits) -> list[Candidate]:
    """Return what the only solution of the puzzle has where an entry or a pencil mark of the board contradicts it."""
    if board.marks is None and not any(board.filled):
        return []
    with SolvingPath(puzzle, limits) as path:
        entered, marks = board.filled or [0] * len(board.clues), board.candidates
        return [
            (cell, symbol)
            for cell, symbol in sorted(path.solution.items())
            if entered[cell] != symbol and (entered[cell] or not marks[cell] >> (symbol - 1) & 1)
        ]


__all__ = ["Fact", "Goal", "NoSolution", "Position", "Rating", "Step", "rate", "slides", "steps"]


def __dir__() -> list[str]:
    return __all__
