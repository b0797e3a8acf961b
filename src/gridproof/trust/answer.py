"""The answer of a session about a board before it is checked, and the verdict that follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from gridproof.errors import Interrupted
from gridproof.puzzle.geometry import Grid


class Status(StrEnum):
    """The words for what came of a puzzle: all there are, in the order in which they are listed.

    ``solved`` is the answer to ``solve``, which does not ask for more than one solution. ``malformed`` is no puzzle.
    ``not understood`` is a puzzle of which something was not read that may be a rule.
    ``failed`` is a run of a comparison in which the backend crashed; everywhere else that is a ``disagreement``.
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
"""The verdicts that say how many solutions there are: by that number, where two stands for several."""


@dataclass(frozen=True, slots=True)
class Complete:
    """These grids, and there are no more."""

    grids: tuple[Grid, ...] = ()


@dataclass(frozen=True, slots=True)
class Enough:
    """As many grids as were asked for; whether there are more was not asked."""

    grids: tuple[Grid, ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """These grids came before a limit."""

    grids: tuple[Grid, ...]
    by: Interrupted


@dataclass(frozen=True, slots=True)
class Crashed:
    """These grids came before the backend crashed; text: how."""

    grids: tuple[Grid, ...]
    text: str


Answer: TypeAlias = Complete | Enough | Stopped | Crashed


def status_of(answer: Answer) -> Status:
    """The verdict that follows from an answer if every grid of it is a solution and no two are the same.

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
    """What the last board cost; ``None`` where the solver does not say.

    decisions, conflicts, propagations, restarts: of a SAT or CP-SAT solver. nodes: choices that a search made, tries:
    symbols that it tried, dead_ends: choices that failed. seconds: wall time inside ``solutions``.
    """

    decisions: int | None = None
    conflicts: int | None = None
    propagations: int | None = None
    restarts: int | None = None
    nodes: int | None = None
    tries: int | None = None
    dead_ends: int | None = None
    seconds: float = 0.0
