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
import sys
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from gridproof.cli import _options

if TYPE_CHECKING:
    from gridproof.board import Board
    from gridproof.certify import Certificate
    from gridproof.cli._results import Tally
    from gridproof.encoding import Encoding
    from gridproof.solve import Pipeline

SUMMARY = "prove the verdict on each puzzle, for others to check"


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    parser.add_argument(
        "-o", "--output", required=True, metavar="DIR|FILE.zip", help="where they go: a folder or an archive"
    )
    _options.add_backend(parser)
    _options.add_cross_check(parser)
    _options.add_output(parser)


def run(args: argparse.Namespace) -> int:
    from gridproof import catalog
    from gridproof.certify import proving_backend
    from gridproof.cli._results import Tally
    from gridproof.solve import DEFAULT_BACKEND, Pipeline

    backend = proving_backend(args.backend or DEFAULT_BACKEND)
    encoding = catalog.load(args.encoding) if args.encoding else None
    tally = Tally(args, "certified")
    try:
        with Pipeline(backend, encoding, limits=_options.limits_of(args), cross_check=args.cross_check) as pipeline:
            code = _certify_all(args, pipeline, encoding, tally)
    except KeyboardInterrupt:
        tally.summary(stopped=True)
        raise
    tally.summary()
    return code


def _certify_all(args: argparse.Namespace, pipeline: Pipeline, encoding: Encoding | None, tally: Tally) -> int:
    from gridproof.certify import Certificates
    from gridproof.cli._results import MALFORMED
    from gridproof.errors import InputError, PuzzleFormatError

    items = _options.items_of(args)
    first = list(islice(items, 2))
    with ExitStack() as stack:
        collection = stack.enter_context(Certificates(args.output)) if len(first) > 1 else None
        for number, item in enumerate(chain(first, items), 1):
            if isinstance(item, PuzzleFormatError):
                tally.malformed(item)
                outcome = {"claim": MALFORMED, "reason": str(item)}
            else:
                certificate, outcome = _certificate(item.board, pipeline, encoding, tally)
                try:
                    if certificate is not None:
                        path = collection.add(certificate, number) if collection else certificate.write(args.output)
                        outcome["certificate"] = str(path)
                except InputError as problem:  # no place for it: those before it are to be kept
                    print(f"gridproof: {problem}", file=sys.stderr)
                    return 2
            if args.json:
                print(json.dumps({"line": item.line, "input": item.text, **outcome}))
            else:
                print("\t".join(" ".join(text.split()) for text in outcome.values()))
    counts = tally.counts
    return 3 if counts["disagreement"] else 2 if counts[MALFORMED] else 1 if counts["undecided"] else 0


def _certificate(
    board: Board, pipeline: Pipeline, encoding: Encoding | None, tally: Tally
) -> tuple[Certificate | None, dict[str, str]]:
    """The certificate of a board, if there is one, and what is to be said about it."""
    from gridproof.certify import certificate_of
    from gridproof.errors import BackendFailure, DisagreementError, Interrupted
    from gridproof.limits import Watch
    from gridproof.verdict import Status

    watch, certificate = Watch(pipeline.limits), None
    verdict = pipeline.verify(board)
    try:
        certificate = certificate_of(verdict, pipeline.backend, encoding, limits=pipeline.limits, watch=watch)
    except Interrupted as stop:
        verdict = replace(verdict, status=Status.UNDECIDED, reason=str(stop))
    except (DisagreementError, BackendFailure) as problem:
        verdict = replace(verdict, status=Status.DISAGREEMENT, reason=str(problem))
    tally.add(verdict)
    return certificate, {"claim": str(verdict.status)} | ({"reason": verdict.reason} if verdict.reason else {})
