"""The answer of a session about a board before it is checked, and the verdict that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from gridproof.errors import Interrupted
from gridproof.puzzle.geometry import Grid


class Status(StrEnum):
    """The words for the outcome of a puzzle, in the order in which they are listed.

    A member is equal to its word, which is a ``str``.

    Attributes
    ----------
    UNIQUE, MULTIPLE, NONE : Status
        The puzzle has exactly one solution, several, or no solution.
    UNDECIDED : Status
        A limit came before the answer.
    MALFORMED : Status
        The input is no puzzle.
    DISAGREEMENT : Status
        Two opinions on the puzzle contradict each other, or the backend crashed.
    NOT_UNDERSTOOD : Status
        Something of the puzzle was not read, and it may be a rule.
    SOLVED : Status
        The answer to ``solve``, which does not ask for more than one solution.
    FAILED : Status
        The backend crashed in a run of a comparison; everywhere else that is a ``disagreement``.

    Examples
    --------
    >>> import gridproof
    >>> status = gridproof.verify("1.....2..3.....4").status
    >>> status is gridproof.Status.UNIQUE, status == "unique"
    (True, True)
    """

    UNIQUE = "unique"
    MULTIPLE = "multiple"
    NONE = "none"
    UNDECIDED = "undecided"
    MALFORMED = "malformed"
    DISAGREEMENT = "disagreement"
    NOT_UNDERSTOOD = "not understood"
    SOLVED = "solved"
    FAILED = "failed"


BY_NUMBER = (Status.NONE, Status.UNIQUE, Status.MULTIPLE)
"""The verdicts about the number of solutions, by that number; two stands for several."""


@dataclass(frozen=True, slots=True)
class Complete:
    """An answer: these grids are all solutions."""

    grids: tuple[Grid, ...] = ()


@dataclass(frozen=True, slots=True)
class Enough:
    """An answer: as many grids as were wanted; there may be more."""

    grids: tuple[Grid, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """An answer: the grids that came before a limit."""

    grids: tuple[Grid, ...]
    by: Interrupted


@dataclass(frozen=True, slots=True)
class Crashed:
    """An answer: the grids that came before the backend crashed. text: the error."""

    grids: tuple[Grid, ...]
    text: str


Answer: TypeAlias = Complete | Enough | Stopped | Crashed


def status_of(answer: Answer) -> Status:
    """Return the status that follows from an answer if every grid of it is a solution and no two are the same.

    Examples
    --------
    >>> one, other = (1, 2), (2, 1)
    >>> [str(status_of(Complete(grids))) for grids in ((), (one,), (one, other))]
    ['none', 'unique', 'multiple']
    >>> str(status_of(Enough((one,)))), str(status_of(Enough((one, other))))
    ('solved', 'multiple')
    >>> str(status_of(Stopped((one,), Interrupted("seconds", 1)))), str(status_of(Crashed((), "segmentation fault")))
    ('undecided', 'failed')
    """
    if isinstance(answer, Crashed):
        return Status.FAILED
    if len(answer.grids) > 1:
        return Status.MULTIPLE
    if isinstance(answer, Stopped):
        return Status.UNDECIDED
    return BY_NUMBER[len(answer.grids)] if isinstance(answer, Complete) else Status.SOLVED


@dataclass(frozen=True, slots=True)
class Statistics:
    """The effort for the last board; ``None`` for what the solver does not count.

    Attributes
    ----------
    decisions, conflicts, propagations, restarts : int or None
        The counters of a SAT or CP-SAT solver.
    nodes, tries, dead_ends : int or None
        How many choices a search made, how many symbols it tried, and how many of its choices failed.
    seconds : float
        Wall time inside ``solutions``.

    Examples
    --------
    >>> from gridproof import backends, parse
    >>> board = parse("1... ..2. .3.. ...4")
    >>> with backends.find("search-scan").open(board.problem) as session:
    ...     found = list(session.solutions(board))
    ...     session.statistics.tries, session.statistics.dead_ends, session.statistics.conflicts
    (72, 4, None)
    """

    decisions: int | None = None
    conflicts: int | None = None
    propagations: int | None = None
    restarts: int | None = None
    nodes: int | None = None
    tries: int | None = None
    dead_ends: int | None = None
    seconds: float = 0.0
