"""A history: what was there before each step, and what was undone."""

from __future__ import annotations

from typing import Generic, TypeVar

MOST_UNDONE = 1_000
"""Largest number of steps that can be undone."""

State = TypeVar("State")


class History(Generic[State]):
    """The states of something that is edited, one after each step.

    Parameters
    ----------
    first
        The first state.

    Examples
    --------
    >>> history = History("a")
    >>> history.add("ab")
    >>> history.undo()
    >>> history.now, history.can_undo, history.can_redo
    ('a', False, True)
    """

    def __init__(self, first: State) -> None:
        self._states = [first]
        self._place = 0

    @property
    def now(self) -> State:
        """The state as it is now."""
        return self._states[self._place]

    def add(self, state: State) -> None:
        """Go on to a state. What was undone is forgotten."""
        before = self._states[: self._place + 1]
        self._states = [*before[-MOST_UNDONE:], state]
        self._place = len(self._states) - 1

    def undo(self) -> None:
        """Return to the state before, if there is one."""
        if self.can_undo:
            self._place -= 1

    def redo(self) -> None:
        """Return to the state that was undone last, if there is one."""
        if self.can_redo:
            self._place += 1

    @property
    def can_undo(self) -> bool:
        """True if there is a state before."""
        return self._place > 0

    @property
    def can_redo(self) -> bool:
        """True if there is a state that was undone."""
        return self._place < len(self._states) - 1
