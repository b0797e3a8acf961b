"""Limits on the work for one board, and the watch that keeps them.

Every backend honours all three. What a *conflict* is depends on the family: a conflict of the SAT or CP solver, a
dead end of a search.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from numbers import Integral, Real
from time import monotonic

from gridproof.errors import InputError, Interrupted
from gridproof.expect import expect


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that one board may cost; ``None`` means no limit.

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
        For a limit that is not a number above zero; conflicts and solutions are whole numbers.

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
        for name, kind in (("seconds", Real), ("conflicts", Integral), ("solutions", Integral)):
            value = getattr(self, name)
            usable = isinstance(value, kind) and not isinstance(value, bool)
            if value is not None and not (usable and value > 0):
                whole = "a whole number" if kind is Integral else "a number"
                raise InputError(f"the limit {name} is {value!r}; expected {whole} above zero, or None")


NO_LIMITS = Limits()


def expect_limits(limits: object) -> None:
    """Refuse what is no ``Limits``. Raises ``InputError``."""
    expect(limits, Limits, "limits", "limits such as Limits(seconds=10)")


class Watch:
    """The limits of one board while it is solved: made when the board starts; raises ``Interrupted``."""

    __slots__ = ("conflicts", "deadline", "limits", "solutions", "started")

    def __init__(self, limits: Limits = NO_LIMITS) -> None:
        expect_limits(limits)
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

    def part(self, *, seconds: float | None = None, conflicts: int | None = None) -> Watch:
        """Return the watch of a part of the work: of so much from now, or of what is left if this is less."""
        remaining = self.remaining()
        if remaining is not None:
            seconds = max(1e-9, remaining if seconds is None else min(seconds, remaining))
        conflicts_left = self.conflicts_left()
        if conflicts_left is not None:
            conflicts = max(1, conflicts_left if conflicts is None else min(conflicts, conflicts_left))
        return Watch(Limits(seconds, conflicts))

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

    def before_question(self) -> None:
        """Start no call of a solver beyond a limit. Raises ``Interrupted`` when one has come."""
        self.before_search()
        self.look()
        if self.conflicts_left() == 0:  # solvers look at this limit so rarely that one may answer beyond it
            raise Interrupted("conflicts", self.limits.conflicts)

    def before_next_solution(self) -> None:
        """Count a solution that is about to be yielded. Raises ``Interrupted`` when enough were."""
        self.before_search()
        self.solutions += 1


MODEL_SECONDS = 2.0
"""Seconds that a model may take whatever the limit: loading the rules is no work on a board, as long as it is short."""

_watch_of_block: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(watch: Watch) -> Iterator[None]:
    """Let ``look`` keep the time limit of a watch in this block, which must not yield to its caller.

    Examples
    --------
    >>> with watched(Watch(Limits(seconds=1e-9))):
    ...     look()
    Traceback (most recent call last):
        ...
    gridproof.errors.Interrupted: stopped by the limit of 1e-09 seconds
    """
    token = _watch_of_block.set(watch)
    try:
        yield
    finally:
        _watch_of_block.reset(token)


@contextmanager
def model_made_within(limits: Limits) -> Iterator[None]:
    """Let ``look`` keep the time limit, but ``MODEL_SECONDS`` at least, while a model is made in this block."""
    watch = Watch(limits)
    if limits.seconds is not None:
        watch.deadline = watch.started + max(limits.seconds, MODEL_SECONDS)
    with watched(watch):
        yield


def look() -> None:
    """Look at the clock, in work that gets no watch. Raises ``Interrupted`` when the time of ``watched`` is over."""
    watch = _watch_of_block.get()
    if watch is not None:
        watch.look()
