"""The puzzles of the INPUTs of a command, and their results: messages, reproducers, the summary and the exit code."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from time import perf_counter
from typing import Any, Self, TypeVar

from gridproof import formats
from gridproof.cli import _options, message_of, to_stderr
from gridproof.errors import BoardError, InputError, Interrupted, NotUnderstoodError, PuzzleFormatError
from gridproof.formats import Shape
from gridproof.formats.puzzle import Item, Puzzle, Symbols, refuse_no_puzzle, with_rules
from gridproof.formats.sources import exists, lines_of
from gridproof.formats.symbols import called
from gridproof.puzzle.board import Board
from gridproof.rules import parse_rule
from gridproof.text import escape_controls, quote
from gridproof.trust.answer import Status
from gridproof.trust.crosscheck import NOT_NEEDED, REFERENCE
from gridproof.trust.record import Summary, VerdictRecord
from gridproof.trust.verdict import Verdict

REPRODUCERS = "gridproof-disagreements"
"""The folder for the reproducers of disagreements."""

REFUSED = "refused"
"""The word for a puzzle that a command cannot take, such as one that is too large for it."""

_BAD = (Status.MALFORMED, Status.NOT_UNDERSTOOD, Status.AT_MOST_ONE, REFUSED)

MOST_REPORTED = 10
"""Malformed puzzles that are reported one by one; more are only counted."""

Result = TypeVar("Result")


# ---- the puzzles -----------------------------------------------------------------------------------------------------


def items_of(args: argparse.Namespace, *, headings: bool = True, parts: bool = False) -> Iterator[Item]:
    """Yield every puzzle of every INPUT, or the error in its place, in order.

    One of several INPUTs without any puzzle, or that cannot be read, is an error on standard error, noted in
    ``args.unread`` and left out: a forgotten file should not pass as "all unique". headings: print on standard error,
    unless ``args.quiet``, from which of several INPUTs the next puzzles are, and the texts of a puzzle of another
    program. parts: whether a puzzle that is not understood is an item, since its part may decide it.

    Raises ``InputError`` for options that are wrong for all puzzles, and for the only INPUT.
    """

    shape, rules = _options.shape_of(args), [parse_rule(text) for text in _options.rules_of(args)]
    sources = args.input or ["-"]
    headings = headings and not getattr(args, "quiet", False)
    for source in sources:
        if headings and len(sources) > 1:
            name = "standard input" if source == "-" else source if exists(source) else quote(source)
            to_stderr(f"==> {name} <==")
        try:
            for item in _items_in(source, shape, args, parts or args.despite_unread):
                _print_notes(args, item, headings)
                yield with_rules(item, rules, item.line) if rules and isinstance(item, Puzzle) else item
        except (InputError, OSError) as problem:
            if len(sources) == 1:
                raise
            to_stderr(f"gridproof: {message_of(problem)}")
            args.unread = True


def board_of(args: argparse.Namespace) -> Board:
    """The one puzzle that a command takes. Raises ``InputError`` for none or several, or the puzzle's own error."""
    puzzles = []
    for item in islice(items_of(args, headings=len(args.input) < 2), 2):
        if isinstance(item, PuzzleFormatError):
            raise item
        puzzles.append(item)
    if len(puzzles) != 1:
        raise InputError(f"{'several puzzles' if puzzles else 'no puzzle'}; expected one")
    _warn_of_names(puzzles[0])
    return puzzles[0].board


def _print_notes(args: argparse.Namespace, item: Item, headings: bool) -> None:
    """Print title, author and rules in words of a puzzle that can have these, and how it was read, as far as wanted."""
    puzzle: Puzzle | None = item.puzzle if isinstance(item, PuzzleFormatError) else item
    if puzzle is None:
        return
    lines: list[object] = []
    if headings and puzzle.format not in ("text", "csv"):
        says_more = bool(puzzle.title or puzzle.author or puzzle.prose or puzzle.board.rules)
        lines += puzzle.headings(getattr(args, "entries_count", False))[not says_more :]
        if puzzle.not_understood and args.despite_unread:
            lines.append(f"  unread, although it may be a rule: {puzzle.unread_summary()}")
    for line in lines:
        to_stderr(escape_controls(str(line)))


def _warn_of_names(puzzle: Puzzle) -> None:
    """Print a line if symbols are drawn by other names than those of the puzzle."""

    if puzzle.symbols is not Symbols.FROM_ONE:
        order = puzzle.board.geometry.order
        names, shown = called(order, puzzle.symbols), called(order)
        to_stderr(f"gridproof: line {puzzle.line}: symbols {names} are shown as {shown}")


def _items_in(source: str, shape: Shape, args: argparse.Namespace, unread: bool) -> Iterator[Item]:
    """The puzzles of an INPUT. Raises ``InputError`` or ``OSError`` if it cannot be read or holds none.

    unread: whether those with something unread that may be a rule are puzzles, too.
    """

    is_file, name = source == "-" or exists(source), "" if source == "-" else source
    damage: list[PuzzleFormatError] = []  # known when all before it is given
    as_clues = args.entries == "as-clues"
    if source == "-":
        puzzles: formats.Source = lines_of(source, damage.append)
    else:
        puzzles = Path(source) if is_file else source
    read = formats.read(puzzles, shape, args.zero, despite_unread=unread, entries_as_clues=as_clues)
    items: Iterable[Item] = chain(read, damage)
    if not is_file:
        items = list(items)
        refuse_no_puzzle(source, items)
    some = False
    for item in items:
        some = True
        if not isinstance(item, PuzzleFormatError):
            yield replace(item, source=name) if is_file and name else item
            continue
        if is_file and item.line is not None:
            item.source = name
        yield item
    if is_file and not some:
        raise InputError(f"no puzzle in {repr(name) if name else 'standard input'}; expected at least one")


# ---- the results -----------------------------------------------------------------------------------------------------


class Results:
    """The results of a command's puzzles: messages, the exit code and the summary.

    As a context manager it prints the summary at the end, also when Ctrl-C ends the block.

    good: the verdicts for which the exit code is 0. row: prints the row of a malformed puzzle, given its number and
    whether it is one of the first; by default the first go to standard error. brief: no summary for a single good
    puzzle.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        *good: str,
        row: Callable[[PuzzleFormatError, int, bool], object] | None = None,
        brief: bool = False,
    ) -> None:

        self.args = args
        self.good = good
        self.row = row
        self.brief = brief
        self.counted = Summary()
        self.malformed = 0
        self.started = perf_counter()
        self.distinct: Any = None
        if getattr(args, "distinct", False):
            from gridproof.generation.canonical import Distinct

            self.distinct = Distinct()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and not issubclass(kind, KeyboardInterrupt):
            return
        alone = self.brief and self.counted.verdicts == {self.good[0]: 1}
        if not getattr(self.args, "quiet", True) and (kind or (self.counted.rows and not alone)):
            print_summary(self.counted, perf_counter() - self.started, stopped=kind is not None)
            if self.distinct is not None:
                to_stderr(str(self.distinct))

    def puzzles(self, items: Iterable[Item] | None = None) -> Iterator[tuple[int, Puzzle]]:
        """Yield each puzzle of the input with its number, from 1; count and report the malformed ones.

        items: of the input, where they are read already.
        """
        for number, item in enumerate(items_of(self.args) if items is None else items, 1):
            if isinstance(item, PuzzleFormatError):
                self.bad(item, number)
            else:
                yield number, item
        self.end_malformed()

    def answers(
        self, ask: Callable[[Puzzle], Result], items: Iterable[Item] | None = None
    ) -> Iterator[tuple[int, Puzzle, Result]]:
        """Yield the number of each puzzle, the puzzle, and what ``ask`` returns; report one refused or undecided."""
        for number, item in self.puzzles(items):
            try:
                result = ask(item)
            except NotUnderstoodError as problem:
                self.bad(problem, number, item)
            except BoardError as problem:
                self.refuse(problem, item)
            except Interrupted as stop:
                record = {"verdict": Status.UNDECIDED, "reason": str(stop)}
                self.show(item, Status.UNDECIDED, f"{Status.UNDECIDED}: {stop}", record)
            else:
                yield number, item, result

    def show(self, item: Puzzle, word: str, text: str, record: Mapping[str, object]) -> None:
        """Count a puzzle by a word, and print its result as text or, with --json, as a record."""
        self.count(word)
        _warn_of_names(item)
        print(json.dumps({"input": item.text, **record}) if self.args.json else text)

    def bad(self, problem: PuzzleFormatError, number: int, puzzle: Puzzle | None = None) -> None:
        """Count and report a malformed puzzle, or one that was read, but from whose part nothing follows."""
        if puzzle is not None:
            problem.line = None if puzzle.text in (self.args.input or ()) else puzzle.line
            problem.source, problem.text = puzzle.source, puzzle.text
        self.count(problem.word)
        first = problem.puzzle is not None or self.is_reported()
        if self.row is not None:
            self.row(problem, number, first)
        elif first:
            to_stderr(f"gridproof: {problem}")

    def is_reported(self) -> bool:
        """Count a malformed puzzle; return True if it is one of those that are reported one by one."""
        self.malformed += 1
        return self.malformed <= MOST_REPORTED

    def end_malformed(self) -> None:
        """Print how many malformed puzzles were only counted."""
        if (more := self.malformed - MOST_REPORTED) > 0:
            to_stderr(f"gridproof: {more:,} more malformed")

    def refuse(self, problem: object, item: Puzzle) -> None:
        """Count a puzzle that the command cannot take, and print where it stands and why."""
        given = item.text in (self.args.input or ())
        place = quote(item.text) if given else ", ".join(filter(None, (item.source, f"line {item.line}")))
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
        return exit_code(self.counted, *self.good)


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
    return 0 if counted.rows == sum(counted.verdicts[one] for one in good) and not counted.stored["wrong"] else 1


def print_summary(counted: Summary, seconds: float, resumed: int = 0, *, stopped: bool = False) -> None:
    """Print counts and speed on standard error, and where to learn more.

    resumed: rows taken over from an earlier run. stopped: by Ctrl-C.
    """

    number = counted.rows
    parts = ", ".join(f"{n:,} {verdict}" for verdict, n in _most_first(counted.verdicts))
    line = f"{number:,} puzzle{'s' * (number != 1)}: {parts or 'nothing done'}"
    if number > 1:
        line += f"; {seconds:,.1f} s, {(number - resumed) / max(seconds, 1e-9):,.0f}/s"
    if resumed:
        line += f" ({resumed:,} from an earlier run)"
    witnesses: dict[str, Counter[str]] = {}
    for opinion, n in counted.references.items():
        if opinion != NOT_NEEDED:
            name, _, word = opinion.rpartition(": ")
            witnesses.setdefault(name or REFERENCE, Counter())[word] += n
    engines = counted.engines if "lanes" in counted.engines else Counter[str]()
    for about, counts in (("decided by", engines), *sorted(witnesses.items()), ("stored solutions", counted.stored)):
        if counts:
            line += f"; {about}: " + ", ".join(f"{word} {n:,}" for word, n in _most_first(counts))
    to_stderr(line + "; interrupted" * stopped)
    if counted.verdicts[Status.NONE] or counted.verdicts[Status.MULTIPLE]:
        to_stderr("`gridproof explain` shows why a puzzle has no solution, or where its solutions differ")


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


def print_malformed(args: argparse.Namespace, problem: PuzzleFormatError, row: int, first: bool) -> None:
    """Print the record of a malformed puzzle as JSON, or as a line if it is one of the first."""

    record = VerdictRecord.of_error(problem, row)
    if args.json:
        print(record.as_json(details_of(problem) if getattr(args, "details", False) else None))
    elif first:
        print(record.as_text())
