"""What came of puzzles, for people: lines and JSON, reproducers, the closing summary and the exit code.

Shared by the commands on puzzles, whether one puzzle or ten million, on the screen or in a file.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Self

from gridproof.cli import _options
from gridproof.cli._complaints import Complaints, say
from gridproof.errors import PuzzleFormatError
from gridproof.trust.answer import Status
from gridproof.trust.crosscheck import NOT_NEEDED, told
from gridproof.trust.record import Summary, VerdictRecord

if TYPE_CHECKING:
    from gridproof.formats.notation import Puzzle
    from gridproof.formats.sheet import Sheet
    from gridproof.trust.verdict import Verdict


class Tally:
    """Counts what happened, writes reproducers of disagreements, and knows the exit code and the summary.

    As a context manager it says the summary at the end, also when Ctrl-C ends the block. good: the verdict that the
    command is after. who: has done it. brief: whether a single good one speaks for itself.
    """

    def __init__(self, args: argparse.Namespace, good: str, who: str = "", *, brief: bool = False) -> None:
        self.args = args
        self.good = good
        self.who = who
        self.brief = brief
        self.counted = Summary()
        self.complaints = Complaints()
        self.started = perf_counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.summary(stopped=kind is not None)

    def puzzles(self) -> Iterator[tuple[int, Puzzle]]:
        """Each puzzle of the input with its number, from 1. What is malformed is counted, and shown in its place."""
        for number, item in enumerate(_options.items_of(self.args), 1):
            if not isinstance(item, PuzzleFormatError):
                yield number, item
            elif self.malformed(item):
                print(malformed_text(item, number, as_json=self.args.json))

    @property
    def counts(self) -> Counter[str]:
        """How many puzzles there were of each verdict."""
        return self.counted.verdicts

    def add(self, record: VerdictRecord, verdict: Verdict | None = None) -> None:
        """Count a record. verdict: the whole of it, which a disagreement is reported with."""
        self.complaints.good()
        self.counted.count(record)
        if verdict is not None and verdict.status is Status.DISAGREEMENT:
            self.report(verdict)

    def report(self, verdict: Verdict) -> None:
        """Say a disagreement on standard error and write its reproducer."""
        try:
            place = f"reproducer: {verdict.write_reproducer(self.args.reproducers)}"
        except OSError as problem:
            place = f"no reproducer: {problem}"
        say(f"gridproof: DISAGREEMENT: {verdict.reason}; {place}")

    def malformed(self, problem: PuzzleFormatError, *, in_result: bool = True) -> bool:
        """Count a puzzle that could not be read, and complain; see ``Complaints.malformed``."""
        self.counted.count(malformed_record(problem))
        return self.complaints.malformed(str(problem), problem.text, problem.source, in_result=in_result)

    @property
    def exit_code(self) -> int:
        """As ``gridproof --help`` has it."""
        return exit_code(self.counted, self.good)

    def summary(self, *, stopped: bool) -> None:
        """The summary on standard error, unless it is not wanted or there was nothing to do."""
        self.complaints.end()
        if self.args.quiet:
            return
        alone = self.brief and self.counts == {self.good: 1}
        if stopped or (self.counted.rows and not alone):
            for line in summary_lines(self.counted, perf_counter() - self.started, self.who, stopped=stopped):
                say(line)


def exit_code(counted: Summary, good: str) -> int:
    """As ``gridproof --help`` has it; an input without any puzzle counts as malformed."""
    if counted.verdicts[Status.DISAGREEMENT]:
        return 3
    if counted.verdicts[Status.MALFORMED] or counted.verdicts[Status.NOT_UNDERSTOOD] or not counted.rows:
        return 2
    return 0 if counted.rows == counted.verdicts[good] and not counted.stored["wrong"] else 1


def summary_lines(
    counted: Summary, seconds: float, who: str = "", resumed: int = 0, *, stopped: bool = False
) -> Iterator[str]:
    """What came of so many puzzles and how fast; which took longest; where to learn more.

    who: has done it. resumed: rows that a run before had done. stopped: by Ctrl-C.
    """
    number = counted.rows
    parts = ", ".join(f"{n:,} {verdict}" for verdict, n in _most_first(counted.verdicts))
    line = f"{number:,} puzzle{'s' * (number != 1)}: {parts or 'nothing done'}"
    if number > 1:
        line += f"; {seconds:,.1f} s{' ' * bool(who)}{who}, {(number - resumed) / max(seconds, 1e-9):,.0f}/s"
    if resumed:
        line += f" ({resumed:,} from the run before)"
    witnesses: dict[str, Counter[str]] = {}
    for said, n in counted.references.items():
        if said != NOT_NEEDED:
            name, word = told(said)
            witnesses.setdefault(name, Counter())[word] += n
    engines = counted.engines if "lanes" in counted.engines else Counter[str]()
    for about, counts in (("decided by", engines), *sorted(witnesses.items()), ("stored solutions", counted.stored)):
        if counts:
            line += f"; {about}: " + ", ".join(f"{said} {n:,}" for said, n in _most_first(counts))
    yield line + "; interrupted" * stopped
    if counted.slowest:
        yield "slowest: " + ", ".join(f"row {row:,} ({each * 1e3:,.1f} ms)" for each, row, _ in counted.slowest)
        yield f"  {counted.slowest[0][2]}"
    elif counted.searched:
        yield "searched most: " + ", ".join(f"row {row:,} ({n:,} branches)" for n, row, _ in counted.searched)
        yield f"  {counted.searched[0][2]}"
    if counted.verdicts[Status.NONE] or counted.verdicts[Status.MULTIPLE]:
        yield "`gridproof explain` tells why a puzzle has no solution, or where its solutions differ"


def _most_first(counts: Counter[str]) -> list[tuple[str, int]]:
    """The most frequent first; of equal ones verdicts in the order of ``Status``, others in that of the alphabet."""
    order = {str(status): place for place, status in enumerate(Status)}
    return sorted(counts.items(), key=lambda pair: (-pair[1], order.get(pair[0], 0), pair[0]))


def verdict_json(puzzle: Puzzle, verdict: Verdict, record: VerdictRecord) -> str:
    """One JSON object, with what is known only where puzzles are asked about one by one."""
    statistics = {
        name: value
        for name in verdict.statistics.__slots__
        if (value := getattr(verdict.statistics, name)) is not None and name != "seconds"
    }
    timings = {stage: round(value, 6) for stage, value in verdict.seconds.items()}
    geometry = verdict.board.geometry
    more: dict[str, object] = {"timings": timings, "statistics": statistics, "geometry": geometry.description}
    if verdict.board.rules:
        more["rules"] = [rule.sentence(geometry) for rule in verdict.board.rules]
    if puzzle.sheet is not None:
        more |= _sheet_json(puzzle.sheet)
    return record.as_json(verdict.evidence.certificate, more)


def _sheet_json(sheet: Sheet) -> dict[str, object]:
    """What a sheet says beside its board and what stands in a record, as far as it says anything."""
    said: dict[str, object] = {"prose": sheet.prose, "entries": sum(map(bool, sheet.entries))}
    return {key: value for key, value in said.items() if value}


def malformed_record(problem: PuzzleFormatError, row: int = 0) -> VerdictRecord:
    """The record of a puzzle that could not be read, or was not understood."""
    return VerdictRecord(row, problem.line, problem.text, problem.word, reason=problem.reason).on(problem.sheet)


def malformed_text(problem: PuzzleFormatError, row: int, *, as_json: bool) -> str:
    """The same as a line or as JSON."""
    record = malformed_record(problem, row)
    more = {"column": problem.column} if problem.sheet is None else _sheet_json(problem.sheet)
    return record.as_json(None, more) if as_json else record.as_text()
