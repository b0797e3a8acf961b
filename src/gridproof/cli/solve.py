"""Solve each puzzle, and write its solution on a line or in rows, as the puzzle is.

Lines go in, and lines come out. `solve` does not look for a second solution (`verify` does). In place of a solution
that is missing, a comment gives the reason.

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

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results, details_of, print_malformed
from gridproof.cli._streams import to_stderr
from gridproof.errors import PuzzleFormatError
from gridproof.formats import SolutionWriter
from gridproof.trust.answer import Status
from gridproof.trust.record import VerdictRecord


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
    with args.open_pipeline() as pipeline, results:
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
    return results.exit_code
