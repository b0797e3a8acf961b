"""Solve each puzzle, and write its solution on a line or in rows, as the puzzle is.

Lines go in, and lines come out. In place of a solution that is missing, a comment gives the reason. Without -q,
standard error names the puzzles that have other solutions, too, as far as a second is found within a second; `verify`
tells for certain.

exit codes:
    0    every puzzle is solved
    1    some puzzles have no solution or are undecided
    3    a bug, please report it: two independent checks disagree, or a backend crashed

examples:
    gridproof solve examples/well-known.txt
    gridproof solve --boxes 2x3 1....6..2......1....5......3..6....2
"""

from __future__ import annotations

import argparse
import sys
from itertools import islice
from typing import Self

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results, details_of, print_malformed
from gridproof.cli._streams import to_stderr
from gridproof.errors import GridproofError, PuzzleFormatError
from gridproof.formats import SolutionWriter
from gridproof.formats.puzzle import Puzzle
from gridproof.limits import Limits
from gridproof.pipeline import DEFAULT_BACKEND, Pipeline
from gridproof.text import counted, list_some
from gridproof.trust.answer import Status
from gridproof.trust.record import VerdictRecord

_SECONDS_FOR_OTHERS = 1.0
"""Longest search for a second solution of a puzzle, in seconds."""

_MOST_NAMED = 10
"""Puzzles with other solutions that are named by their places; more are only counted."""


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_cross_check(_options.add_backend(parser))
    _options.add_output(parser)


def run(args: Options) -> int:
    writer = SolutionWriter(sys.stdout)

    def report(problem: PuzzleFormatError, number: int, first: bool) -> None:
        if args.json:
            print_malformed(problem, number, first, as_json=True)
            return
        if first or problem.table is not None:
            writer.no_solution(problem, str(problem) if problem.puzzle else f"{problem.word}: {problem}")
        if first and problem.table is not None:  # a record of a table has no place for the reason
            to_stderr(f"gridproof: {problem}")

    results = Results(args.inputs, Status.SOLVED, summary=not args.quiet, brief=True, report=report)
    others = _Others(args.backend or DEFAULT_BACKEND, args.encoding)
    with args.open_pipeline() as pipeline, others, results:
        for number, item in results.puzzles():
            verdict = pipeline.solve(item.board)
            record = VerdictRecord.of(verdict, number, item.line, item.text, item.symbols)
            results.add(record, verdict)
            if args.json:
                print(record.with_puzzle(item).as_json(details_of(item, verdict)))
            elif verdict.status is Status.SOLVED:
                writer.solution(item, verdict.solutions[0])
            else:
                writer.no_solution(item, f"{record.verdict}: {record.reason or ''}".rstrip(": "))
            if verdict.status is Status.SOLVED and not args.quiet:
                others.look(item)
        others.report()
    return results.exit_code


class _Others:
    """Looks for further solutions of puzzles that are solved, and names those that have some.

    Use it as a context manager, which closes its pipeline.
    """

    def __init__(self, backend: str, encoding: str | None) -> None:
        self._pipeline = Pipeline(backend, encoding, limits=Limits(seconds=_SECONDS_FOR_OTHERS), cross_check="none")
        self._places: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pipeline.close()

    def look(self, puzzle: Puzzle) -> None:
        """Note a puzzle if a second solution is found in time."""
        try:
            found = list(islice(self._pipeline.solutions(puzzle.board), 2))
        except GridproofError:  # of the time, or of the backend, which the answer itself has met
            return
        if len(found) > 1:
            place = f"line {puzzle.line}"
            if puzzle.source:
                place = f"{puzzle.source}:{puzzle.line}"
            self._places.append(place)

    def report(self) -> None:
        """Print one line about the puzzles that have other solutions."""
        number = len(self._places)
        if number:
            have = "has" if number == 1 else "have"
            text = f"{counted(number, 'puzzle')} {have} other solutions, too: {list_some(self._places, _MOST_NAMED)}"
            to_stderr(f"gridproof: {text} (`gridproof verify` shows two of each)")
