"""Prove the verdict on each puzzle, for others to check.

A certificate proves that a puzzle has one solution, none or several. One puzzle gives one certificate: the folder DIR.
Several puzzles give a folder each inside of it, named by the number of the puzzle (000001, 000002, ...). The output has
one tab-separated line for each puzzle: the claim and the place of the certificate, or the reason why there is none. Any
backend may answer; the solver of --prover then proves the answer. Rules of your own kinds are not certified. Check the
result with `gridproof check`.

With --count a certificate lists all solutions, in ascending order, and proves that there is no other. If a limit comes
first, it lists those found until then as `at least`, without a proof.

exit codes:
    0    every puzzle has a certificate, whatever it claims
    1    some puzzles are undecided, or some counts are incomplete
    3    a bug, please report it: two independent checks disagree, or a backend crashed

examples:
    gridproof certify ..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.. -o proof
    gridproof certify examples/well-known.txt -o proofs --json
    gridproof certify --count 1............... -o count
"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice

from gridproof.certificates.certificate import Certificates, refuse_to_replace
from gridproof.certificates.certify import NotCertified
from gridproof.certificates.counting import MOST_COUNTED
from gridproof.certificates.many import Certifiers, Counted, Outcome, Task
from gridproof.certificates.refutation import DEFAULT_PROVER
from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.errors import PuzzleFormatError
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.trust.answer import BY_NUMBER
from gridproof.trust.record import VerdictRecord
from gridproof.trust.verdict import Verdict

_COUNT = "count"


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    parser.usage = "%(prog)s -o DIR [OPTION ...] [INPUT ...]"
    _options.add_cross_check(_options.add_backend(parser), usual="none, as the proof checks all")
    group = _options.add_output(parser)
    text = "the solver that proves; `gridproof backends` marks those that can (default: cadical195)"
    _options.value(group, "--prover", "NAME", text, default=DEFAULT_PROVER)
    _options.flag(group, "--count", "list all solutions, and prove that there is no other")
    _options.number(group, "--jobs", "worker processes", 1)
    _options.number(group, "--most", "solutions that --count lists", MOST_COUNTED)
    _options.add_file(group, "the folder to write", "DIR", required=True)


def run(args: Options) -> int:
    rows = _Rows(as_json=args.json)
    results = Results(args.inputs, *BY_NUMBER, _COUNT, summary=not args.quiet, report=rows.print_malformed)
    with results:
        items = results.inputs.items(headings=False, parts=True)
        ahead = list(islice(items, 2))
        is_for_many = len(ahead) > 1
        with Certifiers(_task_of(args, is_for_many), args.jobs if is_for_many else 1) as certifiers:
            if len(ahead) == 1:
                refuse_to_replace(args.output)
            _options.refuse_to_overwrite(args.output, force=args.force)
            if is_for_many:
                Certificates(args.output, replace=args.force)
            certified = results.answers(
                partial(_take, certifiers, results, rows), certifiers.begin(chain(ahead, items))
            )
            for number, puzzle, outcome in certified:
                if isinstance(outcome, Counted):
                    results.count(outcome.claim)
                    rows.print_count(puzzle, outcome)
                elif outcome is not None:
                    results.add(VerdictRecord.of(outcome, number, puzzle.line), outcome)
                    rows.print_verdict(puzzle, outcome)
    return results.exit_code


def _task_of(args: Options, is_for_many: bool) -> Task:
    return Task(
        output=args.output,
        is_for_many=is_for_many,
        backend=DEFAULT_BACKEND if args.backend is None else args.backend,
        encoding=args.encoding,
        cross_check=args.cross_check or "none",
        prover=args.prover,
        limits=args.limits,
        despite_unread=args.despite_unread,
        most=args.most if args.count else None,
    )


def _take(certifiers: Certifiers, results: Results, rows: _Rows, puzzle: Puzzle) -> Outcome | None:
    """Return the outcome of a puzzle; ``None`` for one that has to be refused."""
    try:
        return certifiers.take(puzzle)
    except NotCertified as problem:
        results.refuse(problem, puzzle)
        rows.print_row(puzzle, "refused", str(problem))
        return None


@dataclass(frozen=True, slots=True)
class _Rows:
    """The rows of the output: claim, and the place of the certificate or the reason why there is none."""

    as_json: bool

    def print_verdict(self, puzzle: Puzzle, verdict: Verdict) -> None:
        """Print a verdict, with the place of its certificate if it has one."""
        place = verdict.evidence.certificate
        if place:
            self.print_row(puzzle, verdict.status, place, "certificate")
        else:
            self.print_row(puzzle, verdict.status, verdict.reason)

    def print_count(self, puzzle: Puzzle, counted: Counted) -> None:
        """Print the number of solutions of a certificate, and its place."""
        if self.as_json:
            row = {"line": puzzle.line, "input": puzzle.text, "claim": counted.claim}
            print(json.dumps(row | {"solutions": counted.solutions, "certificate": counted.place}))
        else:
            print(f"{counted.claim} {counted.solutions}\t{counted.place}")

    def print_malformed(self, problem: PuzzleFormatError, number: int, first: bool) -> None:
        """Print a malformed puzzle; as lines to read only the first ones."""
        if first or self.as_json:
            self.print_row(problem, problem.word, problem.reason)

    def print_row(self, item: Item, claim: str, text: str, key: str = "reason") -> None:
        """Print one row. key: the name of the text in JSON."""
        if self.as_json:
            print(json.dumps({"line": item.line, "input": item.text, "claim": claim, key: text}))
        else:
            print(f"{claim}\t{' '.join(text.split())}")
