"""Prove the verdict on each puzzle, for others to check.

A certificate proves that a puzzle has one solution, none or several. One puzzle gives one certificate: the folder DIR.
Several puzzles give a folder each inside of it, named by the number of the puzzle (000001, 000002, ...). The output has
one tab-separated line for each puzzle: the claim and the place of the certificate, or the reason why there is none. Any
backend may answer; the solver of --prover then proves the answer. Rules of your own kinds are not certified. Check the
result with `gridproof check`.

exit codes:
    0    every puzzle has a certificate, whatever it claims
    1    some puzzles are undecided
    3    a bug, please report it: two independent checks disagree, or a backend crashed

examples:
    gridproof certify ..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.. -o proof
    gridproof certify examples/well-known.txt -o proofs --json
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from itertools import chain, islice

from gridproof.certificates.certificate import Certificate, Certificates, refuse_to_replace
from gridproof.certificates.certify import NotCertified, certified, proving_backend
from gridproof.cli import _options
from gridproof.cli._results import Results, items_of
from gridproof.errors import Interrupted, PuzzleFormatError
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.limits import Watch
from gridproof.trust.answer import BY_NUMBER, Status
from gridproof.trust.record import VerdictRecord
from gridproof.trust.statement import refuse_rules
from gridproof.trust.verdict import Verdict


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    parser.usage = "%(prog)s -o DIR [OPTION ...] [INPUT ...]"
    _options.add_cross_check(_options.add_backend(parser))
    group = _options.add_output(parser)
    text = "the solver that proves; `gridproof backends` marks those that can (default: cadical153)"
    _options.value(group, "--prover", "NAME", text, default="cadical153")
    _options.add_file(group, "the folder to write", "DIR", required=True)


def run(args: argparse.Namespace) -> int:
    def show(item: Item, claim: str, reason: str, key: str = "reason") -> None:
        if args.json:
            print(json.dumps({"line": item.line, "input": item.text, "claim": claim, key: reason}))
        else:
            print(f"{claim}\t{' '.join(reason.split())}")

    def row(bad: PuzzleFormatError, _: int, first: bool) -> None:
        if first or args.json:
            show(bad, bad.word, bad.reason)

    def write(certificate: Certificate) -> object:
        return many.add(certificate, results.counted.rows + 1) if many else certificate.write(args.output)

    def ask(item: Puzzle) -> Verdict | None:
        watch = Watch(pipeline.limits)
        try:
            refuse_rules(item.board)
            in_part = item.not_understood and not args.despite_unread
            verdict = pipeline.verify(item if in_part else item.board)
            return certified(verdict, prover, write, pipeline.limits, watch)
        except NotCertified as problem:
            results.refuse(problem, item)
            show(item, "refused", str(problem))
            return None
        except Interrupted as stop:
            return replace(verdict, status=Status.UNDECIDED, reason=str(stop))

    prover, results = proving_backend(args.prover), Results(args, *BY_NUMBER, row=row)
    with _options.pipeline_of(args) as pipeline, results:
        items = items_of(args, headings=False, parts=True)
        first = list(islice(items, 2))  # read ahead
        if len(first) == 1:
            refuse_to_replace(args.output)
        _options.refuse_to_overwrite(args)
        many = Certificates(args.output, replace=args.force) if len(first) > 1 else None
        for number, item, verdict in results.answers(ask, chain(first, items)):
            if verdict is not None:
                results.add(VerdictRecord.of(verdict, number, item.line), verdict)
                place = verdict.evidence.certificate
                show(item, verdict.status, place or verdict.reason, "certificate" if place else "reason")
    return results.exit_code
