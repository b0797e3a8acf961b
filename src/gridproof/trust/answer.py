"""The answer of a session about a board before it is checked, and the verdict that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gridproof.errors import Interrupted
from gridproof.puzzle.geometry import SymbolTuple


class Status(StrEnum):
    """The words for the outcome of a puzzle, in the order in which they are listed.

    A member is equal to its word, which is a ``str``.

    Attributes
    ----------
    UNIQUE, MULTIPLE, NONE : Status
        The puzzle has exactly one solution, several, or no solution.
    AT_MOST_ONE : Status
        Something of the puzzle was not read, and what was read has exactly one solution: the puzzle has that or none.
    UNDECIDED : Status
        A limit came before the answer.
    MALFORMED : Status
        The input is no puzzle.
    DISAGREEMENT : Status
        Two opinions on the puzzle contradict each other, or the backend crashed.
    NOT_UNDERSTOOD : Status
        Something of the puzzle was not read, such as its rules in words, and nothing follows from the rest.
    SOLVED : Status
        The answer to ``solve``, which looks for one solution only.
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
    AT_MOST_ONE = "at most one"
    UNDECIDED = "undecided"
    MALFORMED = "malformed"
    DISAGREEMENT = "disagreement"
    NOT_UNDERSTOOD = "not understood"
    SOLVED = "solved"
    FAILED = "failed"


BY_NUMBER = (Status.NONE, Status.UNIQUE, Status.MULTIPLE)
"""The verdicts about the number of solutions, by that number; two stands for several."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The grids that a session gave for a board, before they are checked, and why there were no more.

    Attributes
    ----------
    grids : tuple of SymbolTuple
        The grids.
    complete : bool
        Whether these are all solutions. If not, and nothing below was the reason, they were as many as were wanted.
    stopped : Interrupted or None
        The limit that came first.
    crashed : str
        The error of a backend that crashed.

    Examples
    --------
    >>> one, other = (1, 2), (2, 1)
    >>> [str(Answer(grids, complete=True).status) for grids in ((), (one,), (one, other))]
    ['none', 'unique', 'multiple']
    >>> str(Answer((one,)).status), str(Answer((one, other)).status)
    ('solved', 'multiple')
    >>> str(Answer((one,), stopped=Interrupted("seconds", 1)).status), str(Answer(crashed="segmentation fault").status)
    ('undecided', 'failed')
    """

    grids: tuple[SymbolTuple, ...] = ()
    complete: bool = False
    stopped: Interrupted | None = None
    crashed: str = ""

    @property
    def status(self) -> Status:
        """The status that follows if every grid is a solution and no two are the same."""
        if self.crashed:
            return Status.FAILED
        if len(self.grids) > 1:
            return Status.MULTIPLE
        if self.stopped:
            return Status.UNDECIDED
        return BY_NUMBER[len(self.grids)] if self.complete else Status.SOLVED


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
