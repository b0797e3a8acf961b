"""A certificate for each puzzle: it has exactly one solution, none or several, with a proof that others can check.

One puzzle gives one certificate: the folder DIR, or the archive FILE.zip. Several give a folder each inside of it,
named by the puzzle's number in the input (000001, 000002, ...). One tab-separated line for each puzzle: what is
certified, and where; or why nothing is. Only backends that write proofs can certify: see `gridproof backends`. Check
the result with `gridproof check`.

Exit codes of this command: 0 there is a certificate for every puzzle, whatever it claims; 1 some are undecided; 2 and 3
as below.
"""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from gridproof.cli import _options

if TYPE_CHECKING:
    from gridproof.certify import Certificates
    from gridproof.cli._results import Tally
    from gridproof.notation import Item
    from gridproof.solve import Pipeline

SUMMARY = "prove the verdict on each puzzle, for others to check"


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="DIR|FILE.zip",
        help="where they go: a folder or an archive",
    )
    _options.add_backend(parser)
    _options.add_cross_check(parser)
    _options.add_output(parser)


def run(args: argparse.Namespace) -> int:
    from gridproof.certify import DEFAULT_ENCODING, proving_backend
    from gridproof.cli._results import Tally
    from gridproof.solve import DEFAULT_BACKEND, Pipeline

    backend = proving_backend(args.backend or DEFAULT_BACKEND)
    encoding = args.encoding or DEFAULT_ENCODING
    tally = Tally(args, "certified")
    try:
        with Pipeline(backend, encoding, limits=_options.limits_of(args), cross_check=args.cross_check) as pipeline:
            _certify_all(args, pipeline, tally)
    except KeyboardInterrupt:
        tally.summary(stopped=True)
        raise
    tally.summary()
    counts = tally.counts
    return 3 if counts["disagreement"] else 2 if counts["malformed"] else 1 if counts["undecided"] else 0


def _certify_all(args: argparse.Namespace, pipeline: Pipeline, tally: Tally) -> None:
    from gridproof.certify import Certificates

    items = _options.items_of(args)
    first = list(islice(items, 2))
    with ExitStack() as stack:
        collection = stack.enter_context(Certificates(args.output)) if len(first) > 1 else None
        for number, item in enumerate(chain(first, items), 1):
            outcome = _certified(args, pipeline, tally, collection, number, item)
            if args.json:
                print(json.dumps({"line": item.line, "input": item.text, **outcome}))
            else:
                print("\t".join(" ".join(text.split()) for text in outcome.values()))


def _certified(
    args: argparse.Namespace, pipeline: Pipeline, tally: Tally, collection: Certificates | None, number: int, item: Item
) -> dict[str, str]:
    """Certify one puzzle; what is to be said about it."""
    from gridproof.certify import DEFAULT_ENCODING, certificate_of
    from gridproof.errors import BackendFailure, DisagreementError, Interrupted, PuzzleFormatError
    from gridproof.limits import Watch
    from gridproof.verdict import Status

    if isinstance(item, PuzzleFormatError):
        tally.malformed(item)
        return {"claim": "malformed", "reason": str(item)}
    watch = Watch(pipeline.limits)
    verdict = pipeline.verify(item.board)
    try:
        certificate = certificate_of(
            verdict, pipeline.backend, pipeline.encoding or DEFAULT_ENCODING, limits=pipeline.limits, watch=watch
        )
    except Interrupted as stop:
        verdict = replace(verdict, status=Status.UNDECIDED, reason=str(stop))
    except (DisagreementError, BackendFailure) as problem:
        verdict = replace(verdict, status=Status.DISAGREEMENT, reason=str(problem))
    else:
        tally.add(verdict)
        path = collection.add(certificate, number) if collection else str(certificate.write(args.output))
        return {"claim": certificate.claim, "certificate": path}
    tally.add(verdict)
    return {"claim": str(verdict.status), "reason": verdict.reason}
