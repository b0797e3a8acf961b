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
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice

from gridproof.backends.protocol import Backend
from gridproof.certificates.certificate import Certificate, Certificates, refuse_to_replace
from gridproof.certificates.certify import NotCertified, certify_verdict
from gridproof.certificates.counting import MOST_COUNTED, certificate_of_count
from gridproof.certificates.refutation import DEFAULT_PROVER, proving_backend
from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.errors import BackendFailure, DisagreementError, Interrupted, PuzzleFormatError
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.limits import Watch
from gridproof.pipeline import Pipeline
from gridproof.trust.answer import BY_NUMBER, Status
from gridproof.trust.checked_board import refuse_rules
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
    _options.number(group, "--most", "solutions that --count lists", MOST_COUNTED)
    _options.add_file(group, "the folder to write", "DIR", required=True)


def run(args: Options) -> int:
    prover = proving_backend(args.prover)
    rows = _Rows(as_json=args.json)
    results = Results(args.inputs, *BY_NUMBER, _COUNT, summary=not args.quiet, report=rows.print_malformed)
    with args.open_pipeline("none") as pipeline, results:
        items = results.inputs.items(headings=False, parts=True)
        ahead = list(islice(items, 2))
        if len(ahead) == 1:
            refuse_to_replace(args.output)
        _options.refuse_to_overwrite(args.output, force=args.force)
        folder = Certificates(args.output, replace=args.force) if len(ahead) > 1 else None
        certifier = _Certifier(pipeline, prover, results, rows, args.output, folder, args.despite_unread)
        if args.count:
            for _, puzzle, certificate in results.answers(
                partial(certifier.count, most=args.most), chain(ahead, items)
            ):
                if certificate is not None:
                    place = str(certifier.write(certificate))
                    results.count(certificate.claim)
                    rows.print_count(puzzle, certificate, place)
            return results.exit_code
        for number, puzzle, verdict in results.answers(certifier.certify, chain(ahead, items)):
            if verdict is not None:
                results.add(VerdictRecord.of(verdict, number, puzzle.line), verdict)
                rows.print_verdict(puzzle, verdict)
    return results.exit_code


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

    def print_count(self, puzzle: Puzzle, certificate: Certificate, place: str) -> None:
        """Print the number of solutions of a certificate, and its place."""
        if self.as_json:
            row = {"line": puzzle.line, "input": puzzle.text, "claim": certificate.claim}
            print(json.dumps(row | {"solutions": certificate.solutions, "certificate": place}))
        else:
            print(f"{certificate.claim} {certificate.solutions}\t{place}")

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


@dataclass(frozen=True, slots=True)
class _Certifier:
    """Verifies puzzles and writes their certificates.

    output: the place of the only certificate. folder: takes each of several ones, or ``None``.
    """

    pipeline: Pipeline
    prover: Backend
    results: Results
    rows: _Rows
    output: str
    folder: Certificates | None
    despite_unread: bool

    def certify(self, puzzle: Puzzle) -> Verdict | None:
        """Return the verdict on a puzzle with the place of its certificate; ``None`` for one that has to be refused."""
        limits = self.pipeline.limits
        watch = Watch(limits)
        try:
            refuse_rules(puzzle.board)
            verdict = self.pipeline.verify(puzzle, despite_unread=self.despite_unread)
            return certify_verdict(verdict, self.prover, self.write, limits, watch)
        except NotCertified as problem:
            self.results.refuse(problem, puzzle)
            self.rows.print_row(puzzle, "refused", str(problem))
            return None
        except Interrupted as stop:
            return replace(verdict, status=Status.UNDECIDED, reason=str(stop))

    def count(self, puzzle: Puzzle, most: int) -> Certificate | None:
        """Return the certificate of all solutions of a puzzle; ``None`` for one that has to be refused."""
        watch = Watch(self.pipeline.limits)
        of_a_part = bool(puzzle.not_understood)
        try:
            board = puzzle.understood(self.despite_unread).board
            return certificate_of_count(self.pipeline, board, self.prover, most, watch, of_a_part=of_a_part)
        except NotCertified as problem:
            self.results.refuse(problem, puzzle)
            self.rows.print_row(puzzle, "refused", str(problem))
            return None
        except (DisagreementError, BackendFailure) as problem:
            verdict = Verdict(Status.DISAGREEMENT, puzzle.board, reason=str(problem), made=self.pipeline.made)
            self.results.add(VerdictRecord.of(verdict, self.results.counted.rows + 1, puzzle.line), verdict)
            self.rows.print_row(puzzle, verdict.status, verdict.reason)
            return None

    def write(self, certificate: Certificate) -> object:
        """Write a certificate, one of several under the number of its puzzle; return its place."""
        if self.folder is None:
            return certificate.write(self.output)
        return self.folder.add(certificate, self.results.counted.rows + 1)
