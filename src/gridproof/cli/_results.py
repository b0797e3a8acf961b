"""The results of a command's puzzles: messages, reproducers, the summary and the exit code."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self, TypeVar

from gridproof.cli._inputs import Inputs, warn_of_names
from gridproof.cli._streams import to_stderr
from gridproof.errors import BoardError, Interrupted, NotUnderstoodError, PuzzleFormatError
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.text import counted as number_of
from gridproof.text import escape_controls, quote
from gridproof.trust.answer import Status
from gridproof.trust.crosscheck import NOT_NEEDED, Opinion
from gridproof.trust.record import Summary, VerdictRecord
from gridproof.trust.verdict import Verdict

if TYPE_CHECKING:
    from gridproof.generation.distinct import EqualPuzzles

REPRODUCERS = "gridproof-disagreements"
"""The folder for the reproducers of disagreements."""

REFUSED = "refused"
"""The word for a puzzle that a command cannot take, such as one that is too large for it."""

_BAD = (Status.MALFORMED, Status.NOT_UNDERSTOOD, Status.AT_MOST_ONE, REFUSED)

MOST_REPORTED = 10
"""Malformed puzzles that are reported one by one; more are only counted."""

Result = TypeVar("Result")


class Results:
    """The results of a command's puzzles: messages, the exit code and the summary.

    As a context manager it prints the summary at the end, also when Ctrl-C ends the block.

    Parameters
    ----------
    inputs
        Where the puzzles are from.
    *good
        The verdicts for which the exit code is 0.
    as_json
        Whether ``show`` prints records.
    summary
        Whether there is a summary.
    brief
        Whether a single good puzzle has none.
    report
        Prints the row of a malformed puzzle, given its number and whether it is one of the first; by default the first
        go to standard error.

    Attributes
    ----------
    distinct : EqualPuzzles or None
        The puzzles that are compared with each other, for the summary.
    """

    def __init__(
        self,
        inputs: Inputs,
        *good: str,
        as_json: bool = False,
        summary: bool = False,
        brief: bool = False,
        report: Callable[[PuzzleFormatError, int, bool], object] | None = None,
    ) -> None:
        self.inputs = inputs
        self.good = good
        self.as_json = as_json
        self.has_summary = summary
        self.brief = brief
        self.distinct: EqualPuzzles | None = None
        self.report = report
        self.counted = Summary()
        self.malformed = 0
        self.started = perf_counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and not issubclass(kind, KeyboardInterrupt):
            return
        alone = self.brief and self.counted.verdicts == {self.good[0]: 1}
        if self.has_summary and (kind or (self.counted.rows and not alone)):
            print_summary(self.counted, perf_counter() - self.started, stopped=kind is not None)
            if self.distinct is not None:
                to_stderr(str(self.distinct))

    def puzzles(self, items: Iterable[Item] | None = None) -> Iterator[tuple[int, Puzzle]]:
        """Yield each puzzle with its number, from 1; count and report the malformed ones.

        items: those of the inputs, if these are to be read in another than the usual way.
        """
        if items is None:
            items = self.inputs.items()
        for number, item in enumerate(items, 1):
            if isinstance(item, PuzzleFormatError):
                self.add_malformed(item, number)
            else:
                yield number, item
        self.end_malformed()

    def answers(
        self, ask: Callable[[Puzzle], Result], items: Iterable[Item] | None = None
    ) -> Iterator[tuple[int, Puzzle, Result]]:
        """Yield the number of each puzzle, the puzzle, and what ``ask`` returns; report one refused or undecided."""
        for number, puzzle in self.puzzles(items):
            try:
                result = ask(puzzle)
            except NotUnderstoodError as problem:
                self.inputs.place(problem, puzzle)
                self.add_malformed(problem, number)
            except BoardError as problem:
                self.refuse(problem, puzzle)
            except Interrupted as stop:
                record = {"verdict": Status.UNDECIDED, "reason": str(stop)}
                text = self.below_name(puzzle, f"{Status.UNDECIDED}: {stop}")
                self.show(puzzle, Status.UNDECIDED, text, record)
            else:
                yield number, puzzle, result

    def show(self, puzzle: Puzzle, word: str, text: str, record: Mapping[str, object]) -> None:
        """Count a puzzle by a word, and print its result as text or as a record."""
        self.count(word)
        warn_of_names(puzzle)
        if self.as_json:
            text = json.dumps({"input": puzzle.text, **record})
        print(text)

    def below_name(self, puzzle: Puzzle, text: str) -> str:
        """Return the result of a puzzle as text, below the line with its name if it has one."""
        name = self.inputs.name(puzzle)
        return f"{name}\n{text}" if name else text

    def add_malformed(self, problem: PuzzleFormatError, number: int) -> None:
        """Count and report a puzzle that is malformed or not understood."""
        self.count(problem.word)
        first = problem.puzzle is not None or self.count_malformed()
        if self.report is not None:
            self.report(problem, number, first)
        elif first:
            to_stderr(f"gridproof: {problem}")

    def count_malformed(self) -> bool:
        """Count a malformed puzzle; return whether it is one of those that are reported one by one."""
        self.malformed += 1
        return self.malformed <= MOST_REPORTED

    def end_malformed(self) -> None:
        """Print how many malformed puzzles were only counted."""
        more = self.malformed - MOST_REPORTED
        if more > 0:
            to_stderr(f"gridproof: {more:,} more malformed")

    def refuse(self, problem: object, puzzle: Puzzle) -> None:
        """Count a puzzle that the command cannot take, and print where it stands and why."""
        if puzzle.text in self.inputs.sources:
            place = quote(puzzle.text)
        elif puzzle.source:
            place = f"{puzzle.source}, line {puzzle.line}"
        else:
            place = f"line {puzzle.line}"
        to_stderr(escape_controls(f"gridproof: {place}: {problem}"))
        self.count(REFUSED)

    def count(self, word: str) -> None:
        """Count a puzzle by its result."""
        self.counted.rows += 1
        self.counted.verdicts[word] += 1

    def add(self, record: VerdictRecord, verdict: Verdict | None) -> None:
        """Count the record of a verdict, and report a disagreement."""
        self.counted.count(record)
        if verdict is not None and verdict.status is Status.DISAGREEMENT:
            report_disagreement(verdict)

    @property
    def exit_code(self) -> int:
        """The exit code as in the help of the command."""
        return max(exit_code(self.counted, *self.good), self.inputs.exit_code)


def report_disagreement(verdict: Verdict) -> None:
    """Print a disagreement on standard error and write its reproducer."""
    try:
        Path(REPRODUCERS).mkdir(parents=True, exist_ok=True)
        place = f"reproducer: {verdict.write_reproducer(REPRODUCERS)}"
    except OSError as problem:
        place = f"no reproducer: {problem}"
    to_stderr(f"gridproof: DISAGREEMENT: {verdict.reason}; {place}")


def exit_code(counted: Summary, *good: str) -> int:
    """Return the exit code as in the help of the command; an input without any puzzle counts as malformed."""
    if counted.verdicts[Status.DISAGREEMENT]:
        return 3
    if not counted.rows or any(counted.verdicts[bad] for bad in _BAD):
        return 2
    all_good = counted.rows == sum(counted.verdicts[verdict] for verdict in good)
    if all_good and not counted.stored["wrong"]:
        return 0
    return 1


def print_summary(counted: Summary, seconds: float, resumed: int = 0, *, stopped: bool = False) -> None:
    """Print counts and speed on standard error, and where to learn more.

    resumed: rows taken over from an earlier run. stopped: by Ctrl-C.
    """
    line = f"{number_of(counted.rows, 'puzzle')}: {_join_counts(counted.verdicts, '{n:,} {word}') or 'nothing done'}"
    if counted.rows > 1:
        line += f"; {seconds:,.1f} s, {(counted.rows - resumed) / max(seconds, 1e-9):,.0f}/s"
    if resumed:
        line += f" ({resumed:,} from an earlier run)"
    for about, counts in _groups_of(counted).items():
        if counts:
            line += f"; {about}: {_join_counts(counts, '{word} {n:,}')}"
    if stopped:
        line += "; interrupted"
    to_stderr(line)
    if counted.verdicts[Status.NONE] or counted.verdicts[Status.MULTIPLE]:
        to_stderr("`gridproof explain` shows why a puzzle has no solution, or where its solutions differ")
    if counted.verdicts[Status.NOT_UNDERSTOOD]:
        to_stderr("`--explain-reading` lists what was not read, `--read` and `--ignore` state what a drawing is")


def _groups_of(counted: Summary) -> dict[str, Counter[str]]:
    """Return what else is counted: the engines, each witness, the stored solutions, and the basis of verdicts."""
    groups: dict[str, Counter[str]] = {}
    if "lanes" in counted.engines:
        groups["decided by"] = counted.engines
    witnesses: dict[str, Counter[str]] = {}
    for text, number in counted.references.items():
        opinion = Opinion.parse(text)
        if opinion != NOT_NEEDED:
            witnesses.setdefault(opinion.witness, Counter())[opinion.word] += number
    for witness in sorted(witnesses):
        groups[witness] = witnesses[witness]
    groups["stored solutions"] = counted.stored
    groups["basis"] = counted.bases
    return groups


def _join_counts(counts: Counter[str], form: str) -> str:
    """Return counts in words, the most frequent first; equal ones in the order of ``Status``, then of the alphabet.

    form: how a ``word`` and its number ``n`` are put together.
    """
    order = {str(status): place for place, status in enumerate(Status)}

    def rank(word: str) -> tuple[int, int, str]:
        return -counts[word], order.get(word, 0), word

    return ", ".join(form.format(word=word, n=counts[word]) for word in sorted(counts, key=rank))


def details_of(item: Item, verdict: Verdict | None = None) -> dict[str, Any]:
    """Return the details of a puzzle for JSON: its prose and entered digits, backend and statistics of its verdict."""
    details: dict[str, Any] = {}
    if verdict is not None:
        geometry = verdict.board.geometry
        statistics = {}
        for name in verdict.statistics.__slots__:
            value = getattr(verdict.statistics, name)
            if value is not None and name != "seconds":
                statistics[name] = value
        made = verdict.made
        details["backend"] = made.backend if made else None
        details["encoding"] = made.encoding if made else None
        details["timings"] = {stage: round(value, 6) for stage, value in verdict.seconds.items()}
        details["statistics"] = statistics
        details["geometry"] = geometry.description
        details["rules"] = [rule.sentence(geometry) for rule in verdict.board.rules]
    puzzle = item.puzzle if isinstance(item, PuzzleFormatError) else item
    if puzzle is not None:
        entries = [entry for entry in puzzle.board.filled if entry]
        details["prose"] = puzzle.prose
        details["entries"] = len(entries)
    return details


def print_malformed(problem: PuzzleFormatError, row: int, first: bool, *, as_json: bool, details: bool = False) -> None:
    """Print the record of a malformed puzzle as JSON, or as a line if it is one of the first."""
    record = VerdictRecord.of_error(problem, row)
    if as_json and details:
        print(record.as_json(details_of(problem)))
    elif as_json:
        print(record.as_json())
    elif first:
        print(record.as_text())
