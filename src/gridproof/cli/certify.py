"""Write a certificate for each puzzle: a proof, which others can check, that it has one solution, none or several.

One puzzle gives one certificate: the folder DIR, or the archive FILE.zip. Several puzzles give a folder each inside of
it, named by the number of the puzzle (000001, 000002, ...). The output has one tab-separated line for each puzzle: the
claim and the place of the certificate, or the reason why there is none. Only backends that write proofs can certify:
see `gridproof backends`. Rules of your own kinds are not certified. Check the result with `gridproof check`.
"""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from gridproof.cli import _exit_codes, _options
from gridproof.cli._complaints import say

if TYPE_CHECKING:
    from gridproof.certify import Certificates
    from gridproof.cli._results import Tally
    from gridproof.formats.notation import Item
    from gridproof.limits import Watch
    from gridproof.models.encoding import Encoding
    from gridproof.pipeline import Pipeline
    from gridproof.trust.verdict import Verdict

SUMMARY = "prove the verdict on each puzzle, for others to check"
EXIT_CODES = {
    0: "every puzzle has a certificate, whatever it claims",
    1: "some puzzles are undecided",
    3: _exit_codes.DISAGREEMENT,
}
EXAMPLES = (
    "gridproof certify ..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.. -o proof",
    "gridproof certify examples/well-known.txt -o proofs.zip --json",
)


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    parser.usage = "%(prog)s -o DIR|FILE.zip [OPTION ...] [INPUT ...]"
    _options.add_cross_check(_options.add_backend(parser))
    _options.add_output(parser).add_argument(
        "-o", "--output", required=True, metavar="DIR|FILE.zip", help="the folder or archive to write"
    )


def run(args: argparse.Namespace) -> int:
    from gridproof.certify import proving_backend
    from gridproof.cli._results import Tally
    from gridproof.models import catalog
    from gridproof.pipeline import DEFAULT_BACKEND, Pipeline

    backend = proving_backend(args.backend or DEFAULT_BACKEND)
    encoding = catalog.load(args.encoding) if args.encoding else None
    limits, check = _options.limits_of(args), _options.cross_check_of(args)
    with Pipeline(backend, encoding, limits=limits, cross_check=check) as pipeline, Tally(args, "certified") as tally:
        return _certify_all(args, pipeline, encoding, tally)


def _certify_all(args: argparse.Namespace, pipeline: Pipeline, encoding: Encoding | None, tally: Tally) -> int:
    from gridproof.certify import Certificates, NotCertified, refuse_rules
    from gridproof.certify.certificate import refuse_to_replace
    from gridproof.cli._results import malformed_record
    from gridproof.errors import InputError, Interrupted, PuzzleFormatError
    from gridproof.limits import Watch
    from gridproof.trust.answer import Status
    from gridproof.trust.record import VerdictRecord

    items = _options.items_of(args, headings=False)  # the first are read ahead
    refused = False
    first = list(islice(items, 2))
    if len(first) == 1:
        refuse_to_replace(args.output)
    with ExitStack() as stack:
        many = stack.enter_context(Certificates(args.output)) if len(first) > 1 else None
        for number, item in enumerate(chain(first, items), 1):
            if isinstance(item, PuzzleFormatError):
                if tally.malformed(item):
                    _say(args, item, item.word, "reason", malformed_record(item).reason or "")
                continue
            watch = Watch(pipeline.limits)
            try:
                refuse_rules(item.board)
                verdict = pipeline.verify(item.board)
                verdict = certified(verdict, pipeline, encoding, many or args.output, number, watch)
            except NotCertified as problem:
                say(f"gridproof: {problem}")
                _say(args, item, "refused", "reason", str(problem))
                refused = True
                continue
            except Interrupted as stop:
                verdict = replace(verdict, status=Status.UNDECIDED, reason=str(stop))
            except InputError as problem:  # no place for it: those before it are to be kept
                say(f"gridproof: {problem}")
                return 2
            tally.add(VerdictRecord.of(verdict, number, item.line), verdict)
            if place := verdict.evidence.certificate:
                _say(args, item, str(verdict.status), "certificate", place)
            else:
                _say(args, item, str(verdict.status), "reason", verdict.reason)
    counts = tally.counts
    bad = counts[Status.MALFORMED] or counts[Status.NOT_UNDERSTOOD] or refused
    return 3 if counts[Status.DISAGREEMENT] else 2 if bad else 1 if counts[Status.UNDECIDED] else 0


def _say(args: argparse.Namespace, item: Item, claim: str, key: str, text: str) -> None:
    if args.json:
        print(json.dumps({"line": item.line, "input": item.text, "claim": claim, key: text}))
    else:
        print(f"{claim}\t{' '.join(text.split())}")


def certified(
    verdict: Verdict,
    pipeline: Pipeline,
    encoding: Encoding | None,
    place: Certificates | str,
    number: int,
    watch: Watch,
) -> Verdict:
    """The verdict with its certificate in its evidence, once that is written.

    place: a path for this one, or many certificates with a number each. Where the proof contradicts the verdict that
    becomes ``disagreement``. Raises ``Interrupted``, ``NotCertified``, and ``InputError`` for a taken or full place.
    """
    from gridproof.certify import certificate_of
    from gridproof.errors import BackendFailure, DisagreementError
    from gridproof.trust.answer import Status

    if verdict.status in (Status.UNDECIDED, Status.DISAGREEMENT):
        return verdict
    try:
        certificate = certificate_of(verdict, pipeline.backend, encoding, limits=pipeline.limits, watch=watch)
    except (DisagreementError, BackendFailure) as problem:
        return replace(verdict, status=Status.DISAGREEMENT, reason=str(problem))
    path = certificate.write(place) if isinstance(place, str) else place.add(certificate, number)
    return replace(verdict, evidence=replace(verdict.evidence, certificate=str(path)))
