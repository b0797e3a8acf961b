"""Limits on the work for one board, and the watch that keeps them.

Every backend honours all three. What a *conflict* is depends on the family: a conflict of the SAT or CP solver, a
dead end of a search.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from gridproof.errors import InputError, Interrupted


@dataclass(frozen=True, slots=True)
class Limits:
    """What one board may cost; ``None`` means no limit.

    Parameters
    ----------
    seconds : float, optional
        Wall time from the start of the board.
    conflicts : int, optional
        Conflicts of the solver; dead ends, for a search backend.
    solutions : int, optional
        How many grids may be yielded. When that many were and more may exist, a session raises
        ``Interrupted("solutions")`` instead of returning.

    Raises
    ------
    InputError
        For a limit that is not above zero.

    Examples
    --------
    >>> import gridproof
    >>> gridproof.count("." * 16, limits=Limits(solutions=3))
    <Count: at least 3 solutions; stopped by the limit of 3 solutions>
    >>> Limits(seconds=0)
    Traceback (most recent call last):
        ...
    gridproof.errors.InputError: the limit seconds is 0; expected a number above zero, or None
    """

    seconds: float | None = None
    conflicts: int | None = None
    solutions: int | None = None

    def __post_init__(self) -> None:
        for name in ("seconds", "conflicts", "solutions"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise InputError(f"the limit {name} is {value!r}; expected a number above zero, or None")


NO_LIMITS = Limits()


class Watch:
    """Keeps the limits of one board: made when the board starts, told of what happens, raises ``Interrupted``."""

    __slots__ = ("conflicts", "deadline", "limits", "solutions", "started")

    def __init__(self, limits: Limits = NO_LIMITS) -> None:
        self.limits = limits
        self.started = monotonic()
        self.deadline = None if limits.seconds is None else self.started + limits.seconds
        self.conflicts = 0
        self.solutions = 0

    @property
    def elapsed(self) -> float:
        """Wall seconds since the board started."""
        return monotonic() - self.started

    def remaining(self) -> float | None:
        """Wall seconds left (never below zero); ``None`` without a limit."""
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())

    def conflicts_left(self) -> int | None:
        """Conflicts left (never below zero); ``None`` without a limit."""
        limit = self.limits.conflicts
        return None if limit is None else max(0, limit - self.conflicts)

    def look(self) -> None:
        """Look at the clock now. Raises ``Interrupted`` when the time is over."""
        if self.deadline is not None and monotonic() >= self.deadline:
            raise Interrupted("seconds", self.limits.seconds)

    def conflict(self, number: int = 1) -> None:
        """Count conflicts. Raises ``Interrupted`` when there were more than allowed."""
        self.conflicts += number
        limit = self.limits.conflicts
        if limit is not None and self.conflicts > limit:
            raise Interrupted("conflicts", limit)

    def before_search(self) -> None:
        """Do not search for what may not be yielded. Raises ``Interrupted`` when enough solutions were."""
        limit = self.limits.solutions
        if limit is not None and self.solutions >= limit:
            raise Interrupted("solutions", limit)

    def before_next_solution(self) -> None:
        """Count a solution that is about to be yielded. Raises ``Interrupted`` when enough were."""
        self.before_search()
        self.solutions += 1
