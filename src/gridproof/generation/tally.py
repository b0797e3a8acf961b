"""A tally of attempts to make a puzzle, and the patience for the next puzzle that is wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from gridproof.errors import InputError
from gridproof.text import counted

PATIENCE = 60.0
"""Seconds without a wanted puzzle after which the options are refused, if nothing else is asked for."""

FIRST_REPORT = 2.0
"""Seconds without a wanted puzzle after which one line states what the attempts have given."""

NEXT_REPORT = 4.0
"""The factor from the time of one such line to that of the next."""


@dataclass
class Tally:
    """The results of some attempts, wanted or not.

    Attributes
    ----------
    attempts : int
        Their number.
    clues : Counter
        For each number of clues how many puzzles with one solution had it.
    costs : list of float
        What the hardest step costs of each that was rated to the end.
    too_dear : int
        How many were not rated to the end, since a step costs more than it may.
    repeated : int
        How many were equal to earlier ones up to symmetry.
    """

    attempts: int = 0
    clues: Counter[int] = field(default_factory=Counter)
    costs: list[float] = field(default_factory=list)
    too_dear: int = 0
    repeated: int = 0

    def add(self, other: Tally) -> None:
        """Add what other attempts have given."""
        self.attempts += other.attempts
        self.clues += other.clues
        self.costs += other.costs
        self.too_dear += other.too_dear
        self.repeated += other.repeated

    def __str__(self) -> str:
        """Return the clues and costs in words.

        Examples
        --------
        >>> print(Tally(4, Counter({24: 2, 22: 1}), [1.1, 2.9], 1))
        4 attempts: 3 puzzles of 22 to 24 clues; cost 1.1 to 2.9, too high for 1
        """
        made = counted(self.clues.total(), "puzzle")
        if not self.clues:
            made = "none left one solution"
        elif any(self.clues):
            made += f" of {_span(min(self.clues), max(self.clues), '')} clues"
        text = f"{counted(self.attempts, 'attempt')}: {made}"
        costs = []
        if self.costs:
            costs.append(_span(min(self.costs), max(self.costs), ".1f"))
        if self.too_dear:
            costs.append(f"too high for {self.too_dear:,}")
        if costs:
            text += f"; cost {', '.join(costs)}"
        if self.repeated:
            text += f"; {self.repeated:,} equal to earlier ones"
        return text


def _span(low: float, high: float, form: str) -> str:
    """Return two numbers as a range; one, if they are written alike."""
    ends = [format(end, form) for end in (low, high)]
    if ends[0] == ends[1]:
        return ends[0]
    return " to ".join(ends)


class Patience:
    """The wait for the next puzzle that is wanted: lines on what attempts have given so far, and its end.

    Parameters
    ----------
    seconds
        The seconds after which the wait is given up.
    report
        Called with each line.

    Attributes
    ----------
    tally : Tally
        What the attempts since the last wanted puzzle have given.
    """

    def __init__(self, seconds: float, report: Callable[[str], object]) -> None:
        self._seconds = seconds
        self._report = report
        self._done = -1
        self.restart()

    def restart(self) -> None:
        """Begin anew: the last puzzle was a wanted one."""
        self._done += 1
        self.tally = Tally()
        self._since = monotonic()
        self._next = FIRST_REPORT

    def until_next(self) -> float:
        """Return the seconds until there is something to report or to end."""
        wait = min(self._next, self._seconds) - (monotonic() - self._since)
        return max(0.0, wait)

    def look(self) -> None:
        """Report what attempts have given, if it is time. Raises ``InputError`` if it took too long."""
        waited = monotonic() - self._since
        if waited >= self._seconds:
            self.give_up()
        if waited >= self._next:
            self._next *= NEXT_REPORT
            if self.tally.attempts:
                self._report(f"{counted(self._done, 'puzzle')} so far; since then, in {waited:.0f} s, {self.tally}")

    def give_up(self) -> None:
        """Raise ``InputError``, with what the attempts since the last wanted puzzle have given."""
        waited = monotonic() - self._since
        raise InputError(
            f"no puzzle like this in {waited:.0f} s ({counted(self._done, 'puzzle')} before), {self.tally}; "
            "expected options that more puzzles have, or more patience"
        )
