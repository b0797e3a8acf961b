"""The results of puzzles, for people: messages, reproducers, the closing summary and the exit code.

Shared by the commands on puzzles, whether one puzzle or ten million, on the screen or in a file.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self, TypeVar

from gridproof.cli import _inputs
from gridproof.cli._streams import to_stderr
from gridproof.errors import BoardError, Interrupted, PuzzleFormatError
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.puzzle.board import Board
from gridproof.trust.answer import Status

if TYPE_CHECKING:
    from gridproof.trust.record import Summary, VerdictRecord
    from gridproof.trust.verdict import Verdict

REFUSED = "refused"
"""The word for a puzzle that a command cannot take, such as one that is too large for it."""

_BAD = (Status.MALFORMED, Status.NOT_UNDERSTOOD, REFUSED)

MOST_REPORTED = 10
"""Malformed puzzles that are reported one by one; more are only counted."""

Result = TypeVar("Result")


class Results:
    """The results of a command's puzzles: messages, the exit code and the summary.

    As a context manager it prints the summary at the end, also when Ctrl-C ends the block.

    good: the verdicts for which the exit code is 0. row: prints the row of a malformed puzzle, given its number and
    whether it is one of the first; returns False if the reason is to go to standard error all the same. workers: in
    words, for the summary. brief: no summary for a single good puzzle.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        *good: str,
        row: Callable[[PuzzleFormatError, int, bool], bool] = lambda *_: False,
        workers: str = "",
        brief: bool = False,
    ) -> None:
        from gridproof.trust.record import Summary

        self.args = args
        self.good = good
        self.row = row
        self.workers = workers
        self.brief = brief
        self.counted = Summary()
        self.malformed = 0
        self.started = perf_counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and not issubclass(kind, KeyboardInterrupt):
            return
        alone = self.brief and self.counted.verdicts == {self.good[0]: 1}
        if not getattr(self.args, "quiet", True) and (kind or (self.counted.rows and not alone)):
            elapsed = perf_counter() - self.started
            for line in summary_lines(self.counted, elapsed, self.workers, stopped=kind is not None):
                to_stderr(line)

    def puzzles(self, items: Iterable[Item] | None = None) -> Iterator[tuple[int, Puzzle]]:
        """Yield each puzzle of the input with its number, from 1; count and results the malformed ones.

        items: of the input, where they are read already.
        """
        for number, item in enumerate(_inputs.items_of(self.args) if items is None else items, 1):
            if not isinstance(item, PuzzleFormatError):
                yield number, item
                continue
            self.count(item.word)
            first = item.puzzle is not None or self.is_reported()
            if not self.row(item, number, first) and first:
                to_stderr(f"gridproof: {item}")
        self.end_malformed()

    def is_reported(self) -> bool:
        """Count a malformed puzzle; return True if it is one of those that are reported one by one."""
        self.malformed += 1
        return self.malformed <= MOST_REPORTED

    def end_malformed(self) -> None:
        """Print how many malformed puzzles were only counted."""
        if (more := self.malformed - MOST_REPORTED) > 0:
            to_stderr(f"gridproof: {more:,} more malformed")

    def answers(self, ask: Callable[[Board], Result]) -> Iterator[tuple[Puzzle, Result]]:
        """Yield each puzzle with the result of ``ask`` for its board. Results one that is refused or undecided."""
        for _, item in self.puzzles():
            _inputs.warn_of_names(item)
            try:
                result = ask(item.board)
            except BoardError as problem:
                self.refuse(problem)
            except Interrupted as stop:
                record = {"input": item.text, "verdict": Status.UNDECIDED, "reason": str(stop)}
                print(json.dumps(record) if self.args.json else f"{Status.UNDECIDED}: {stop}")
                self.count(Status.UNDECIDED)
            else:
                yield item, result

    def refuse(self, problem: object) -> None:
        """Count a puzzle that the command cannot take, and print why."""
        to_stderr(f"gridproof: {problem}")
        self.count(REFUSED)

    def count(self, verdict: str) -> None:
        """Count a puzzle by its result."""
        from gridproof.trust.record import VerdictRecord

        self.add(VerdictRecord(0, None, "", verdict))

    def add(self, record: VerdictRecord, verdict: Verdict | None = None) -> None:
        """Count a record. verdict: the whole of it, for the reproducer of a disagreement."""
        self.counted.count(record)
        if verdict is not None and verdict.status is Status.DISAGREEMENT:
            self.disagreement(verdict)

    def disagreement(self, verdict: Verdict) -> None:
        """Print a disagreement on standard error and write its reproducer."""
        try:
            Path(self.args.reproducers).mkdir(parents=True, exist_ok=True)
            place = f"reproducer: {verdict.write_reproducer(self.args.reproducers)}"
        except OSError as problem:
            place = f"no reproducer: {problem}"
        to_stderr(f"gridproof: DISAGREEMENT: {verdict.reason}; {place}")

    @property
    def exit_code(self) -> int:
        """The exit code as in `gridproof help exit-codes`."""
        return exit_code(self.counted, *self.good)


def exit_code(counted: Summary, *good: str) -> int:
    """Return the exit code as in `gridproof help exit-codes`; an input without any puzzle counts as malformed."""
    if counted.verdicts[Status.DISAGREEMENT]:
        return 3
    if not counted.rows or any(counted.verdicts[bad] for bad in _BAD):
        return 2
    return 0 if counted.rows == sum(counted.verdicts[one] for one in good) and not counted.stored["wrong"] else 1


def summary_lines(
    counted: Summary, seconds: float, workers: str = "", resumed: int = 0, *, stopped: bool = False
) -> Iterator[str]:
    """Yield the lines of a summary: counts and speed, the slowest puzzles, where to learn more.

    workers: in words. resumed: rows taken over from an earlier run. stopped: by Ctrl-C.
    """
    from gridproof.trust.crosscheck import NOT_NEEDED, REFERENCE

    number = counted.rows
    parts = ", ".join(f"{n:,} {verdict}" for verdict, n in _most_first(counted.verdicts))
    line = f"{number:,} puzzle{'s' * (number != 1)}: {parts or 'nothing done'}"
    if number > 1:
        line += f"; {seconds:,.1f} s{' ' * bool(workers)}{workers}, {(number - resumed) / max(seconds, 1e-9):,.0f}/s"
    if resumed:
        line += f" ({resumed:,} from an earlier run)"
    witnesses: dict[str, Counter[str]] = {}
    for opinion, n in counted.references.items():
        if opinion != NOT_NEEDED:
            name, _, word = opinion.rpartition(": ")
            name = name or REFERENCE
            witnesses.setdefault(name, Counter())[word] += n
    engines = counted.engines if "lanes" in counted.engines else Counter[str]()
    for about, counts in (("decided by", engines), *sorted(witnesses.items()), ("stored solutions", counted.stored)):
        if counts:
            line += f"; {about}: " + ", ".join(f"{word} {n:,}" for word, n in _most_first(counts))
    yield line + "; interrupted" * stopped
    if counted.slowest:
        yield "slowest: " + ", ".join(f"row {row:,} ({each * 1e3:,.1f} ms)" for each, row, _ in counted.slowest)
        yield f"  {counted.slowest[0][2]}"
    elif counted.searched:
        yield "searched most: " + ", ".join(f"row {row:,} ({n:,} branches)" for n, row, _ in counted.searched)
        yield f"  {counted.searched[0][2]}"
    if counted.verdicts[Status.NONE] or counted.verdicts[Status.MULTIPLE]:
        yield "`gridproof explain` shows why a puzzle has no solution, or where its solutions differ"


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    """Sort counts, the most frequent first; equal ones in the order of ``Status``, then of the alphabet."""
    order = {str(status): place for place, status in enumerate(Status)}
    return sorted(counts.items(), key=lambda pair: (-pair[1], order.get(pair[0], 0), pair[0]))


def details_of(item: Item, verdict: Verdict | None = None) -> dict[str, Any]:
    """Return the details of a puzzle for JSON: its prose and entered digits, backend and statistics of its verdict."""
    details: dict[str, Any] = {}
    puzzle = item.puzzle if isinstance(item, PuzzleFormatError) else item
    if verdict is not None:
        made, figures, geometry = verdict.made, verdict.statistics, verdict.board.geometry
        statistics = {name: getattr(figures, name) for name in figures.__slots__ if name != "seconds"}
        details = {
            "backend": made.backend if made else None,
            "encoding": made.encoding if made else None,
            "timings": {stage: round(value, 6) for stage, value in verdict.seconds.items()},
            "statistics": {name: value for name, value in statistics.items() if value is not None},
            "geometry": geometry.description,
            "rules": [rule.sentence(geometry) for rule in verdict.board.rules],
        }
    if puzzle is not None:
        details |= {"prose": puzzle.prose, "entries": sum(map(bool, puzzle.board.filled))}
    return details


def print_malformed(args: argparse.Namespace, problem: PuzzleFormatError, row: int, first: bool) -> bool:
    """Print the record of a malformed puzzle as JSON, or as a line if it is one of the first."""
    from gridproof.trust.record import VerdictRecord

    record = VerdictRecord.of_error(problem, row)
    if first or args.json:
        print(record.as_json() if args.json else record.as_text())
    return True
