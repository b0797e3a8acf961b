"""How far a comparison is, and an honest guess at what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TextIO

from gridproof.experiments.plan import Task
from gridproof.experiments.records import RunRecord, Setup
from gridproof.experiments.scheduler import Outcome
from gridproof.runs.progress import Shown, StatusLine


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a comparison is.

    Attributes
    ----------
    done, total : int
        Runs.
    unsolved : int
        Runs without a verdict in time.
    seconds_left : float, or None
        An estimate from the runs of the same setup and set; ``None`` until each has one.
    at_most : float
        The seconds left if every run took the whole limit.

    Examples
    --------
    >>> progress = Progress(done=3, total=12, unsolved=1, seconds_left=20.0, at_most=90.0)
    >>> f"{progress.done / progress.total:.0%} done, {progress.seconds_left:.0f} s left"
    '25% done, 20 s left'
    """

    done: int
    total: int
    unsolved: int
    seconds_left: float | None
    at_most: float


class Listener:
    """What is told of a comparison while it runs; does nothing. Override the methods that you want.

    Examples
    --------
    >>> class Counting(Listener):
    ...     def advance(self, progress):
    ...         print(progress.done, "of", progress.total)
    >>> Counting().advance(Progress(done=3, total=12, unsolved=0, seconds_left=None, at_most=90.0))
    3 of 12
    """

    def note(self, text: str) -> None:
        """Something was skipped, or is done in another way than it was asked for."""

    def advance(self, progress: Progress) -> None:
        """A run is done."""

    def finish(self) -> None:
        """Nothing more will come."""


class Notebook(Listener):
    """A bar or a line of progress under the cell that runs; nothing is left of it."""

    def __init__(self) -> None:
        self._shown = Shown("runs")

    def advance(self, progress: Progress) -> None:
        self._shown(progress.done, progress.total)

    def finish(self) -> None:
        self._shown.close()


class Terminal(Listener):
    """Notes and a line of progress on a stream: rewritten in place on a terminal, else once in a while.

    Parameters
    ----------
    stream : file
        Such as ``sys.stderr``.

    Examples
    --------
    >>> import sys
    >>> terminal = Terminal(sys.stdout)
    >>> terminal.note("kissat is skipped")
    gridproof: kissat is skipped
    >>> terminal.advance(Progress(done=12, total=12, unsolved=1, seconds_left=0.0, at_most=0.0))
    12 of 12 runs, 1 not solved
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._line = StatusLine(stream, 0.5 if stream.isatty() else 30.0)
        if not self._line.wanted:
            self._line.due()

    def note(self, text: str) -> None:
        self._line.clear()
        print(f"gridproof: {text}", file=self._stream, flush=True)

    def advance(self, progress: Progress) -> None:
        if not self._line.due() and progress.done < progress.total:
            return
        if self._line.wanted:
            self._line.draw(progress_text(progress))
        else:
            print(progress_text(progress), file=self._stream, flush=True)

    def finish(self) -> None:
        self._line.clear()


def progress_text(progress: Progress) -> str:
    """One line for people."""
    text = f"{progress.done:,} of {progress.total:,} runs"
    if progress.unsolved:
        text += f", {progress.unsolved:,} not solved"
    if progress.done >= progress.total:
        return text
    at_most = _span(progress.at_most)
    if progress.seconds_left is None:
        return f"{text}, time left not known yet (at most {at_most})"
    return f"{text}, about {_span(min(progress.seconds_left, progress.at_most))} left (at most {at_most})"


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


class Estimator:
    """Keeps count of runs done and left, by setup and set: what took long so far takes long again."""

    def __init__(self, tasks: Iterable[Task], before: Sequence[RunRecord], seconds: float, jobs: int) -> None:
        self._left = Counter((task.record.setup, task.record.puzzle_set) for task in tasks)
        self._spent: dict[tuple[Setup, str], tuple[float, int]] = {}
        self._done = len(before)
        self._total = self._done + self._left.total()
        self._seconds, self._jobs = seconds, jobs
        self._unsolved = sum(not record.solved for record in before)

    def add(self, outcome: Outcome) -> Progress:
        """One more run is done."""
        key = outcome.record.setup, outcome.record.puzzle_set
        spent, runs = self._spent.get(key, (0.0, 0))
        self._spent[key] = spent + outcome.elapsed, runs + 1
        self._left[key] -= 1
        self._done += 1
        self._unsolved += not outcome.record.solved
        left = {key: number for key, number in self._left.items() if number}
        guess = None
        if left.keys() <= self._spent.keys():
            guess = sum(self._spent[key][0] / self._spent[key][1] * number for key, number in left.items())
        return Progress(
            self._done,
            self._total,
            self._unsolved,
            None if guess is None else guess / self._jobs,
            self._seconds * sum(left.values()) / self._jobs,
        )
