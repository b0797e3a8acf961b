"""A verdict for each puzzle: unique, multiple (with two witnesses), none, undecided, malformed or disagreement.

One tab-separated line for each puzzle: the verdict, then the solution (for `multiple` two, and the cells in which they
differ; for the others the reason, for `none` if it shows at a glance). A summary goes to standard error.

Any of the options for many puzzles (see docs/bulk.md) has those of one file verified many at a time; with -o the result
goes to a file, part by part, and a run that was interrupted can be resumed. No reason is given for `none` then.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from gridproof.cli import _exit_codes, _options
from gridproof.cli._complaints import say
from gridproof.errors import InputError, printable

if TYPE_CHECKING:
    from gridproof.pipeline import Pipeline
    from gridproof.trust.verdict import Verdict

SUMMARY = "which puzzles have exactly one solution"
EXIT_CODES = {
    0: "every puzzle has exactly one solution",
    1: "some have none or several or are undecided, or a solution given with them is wrong",
    3: _exit_codes.DISAGREEMENT,
}
EXAMPLES = (
    "gridproof verify examples/well-known.txt examples/two-solutions.txt",
    "gridproof verify --json 1...............",
    "gridproof verify examples/well-known.txt -o verdicts.csv --jobs 2",
)

_BULK = ("output", "jobs", "resume", "force", "column", "engine", "dask", "part_size", "timings")


def configure(parser: argparse.ArgumentParser) -> None:
    from gridproof.trust.crosscheck import ALL_CHECKED, SAMPLED_SHARE

    _options.add_input(parser)
    share = f"sample={SAMPLED_SHARE:g}"
    in_bulk = f"all of up to {ALL_CHECKED:,} puzzles, and {share} of more"
    _options.add_cross_check(_options.add_backend(parser), in_bulk=in_bulk)
    _options.add_output(parser).add_argument(
        "--certify",
        metavar="DIR|FILE.zip",
        help="write a certificate of each verdict there, in a folder by the puzzle's number; see `gridproof certify`",
    )
    bulk = parser.add_argument_group("many puzzles of one file (bulk)")
    bulk.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the result: .parquet, .csv or .jsonl; FILE.summary.json beside it has its summary and times",
    )
    bulk.add_argument("-j", "--jobs", type=int, metavar="N", help="worker processes (default with -o: one a core)")
    _options.add_force(bulk, resume="continue the run that has left parts of this output")
    bulk.add_argument("--column", metavar="NAME", help="the column of puzzles in a CSV or Parquet file")
    bulk.add_argument(
        "--engine",
        choices=("auto", "lanes", "session"),
        help="lanes: hundreds of puzzles at once, bit by bit; session: the backend, puzzle by puzzle; auto: lanes, "
        "then the backend for what they leave open (default without -b, -e)",
    )
    bulk.add_argument("--dask", metavar="ADDRESS", help="have the workers of a Dask scheduler do it (tcp://host:8786)")
    bulk.add_argument("--part-size", type=int, metavar="N", help="puzzles that are worked on and written at a time")
    bulk.add_argument("--timings", action="store_true", help="the seconds of each puzzle in the result, too")


def run(args: argparse.Namespace) -> int:
    # 0 is a number that was given: no worker processes, or a size to be refused
    if any((value := getattr(args, name)) is not None and value is not False for name in _BULK):
        if args.certify:
            raise InputError("--certify with options for bulk; expected it with puzzles one by one")
        from gridproof.bulk import command

        return command.run(args, _options.shape_of(args), _options.limits_of(args), _options.rules_of(args))
    args.cross_check = args.cross_check or "all"
    return _one_by_one(args)


def _one_by_one(args: argparse.Namespace) -> int:
    from gridproof.cli._results import MALFORMED, Tally, malformed_json, reason_of, verdict_json, witnesses
    from gridproof.errors import PuzzleFormatError

    with _options.pipeline_of(args) as pipeline, ExitStack() as stack:
        tally = Tally(args, "unique")
        certify = _certifier(args, pipeline, stack) if args.certify else None
        try:
            for number, item in enumerate(_options.items_of(args), 1):
                if isinstance(item, PuzzleFormatError):
                    if tally.malformed(item):
                        print(malformed_json(item) if args.json else f"{MALFORMED}\t{_flat(str(item))}")
                    continue
                verdict = pipeline.verify(item.board)
                if item.answer is not None:
                    verdict = verdict.beside(item.answer)
                if certify is not None:
                    verdict = certify(verdict, number)
                tally.add(verdict)
                if args.json:
                    print(verdict_json(item, verdict))
                    continue
                fields = [str(verdict.status), *witnesses(item, verdict)]
                if verdict.status == "multiple":
                    names = map(item.board.geometry.cell_name, verdict.differing_cells)
                    fields.append("differ in " + " ".join(names))
                if reason := reason_of(verdict):
                    fields.append(_flat(reason))
                if verdict.evidence.certificate:
                    fields.append(f"certificate {verdict.evidence.certificate}")
                print("\t".join(fields))
        except KeyboardInterrupt:
            tally.summary(stopped=True)
            raise
    tally.summary()
    return tally.exit_code


def _certifier(args: argparse.Namespace, pipeline: Pipeline, stack: ExitStack) -> Callable[[Verdict, int], Verdict]:
    """A function that writes the certificate of a verdict and says in its evidence where; the stack closes."""
    from gridproof.certify import Certificates, proving_backend
    from gridproof.cli.certify import certified
    from gridproof.errors import Interrupted
    from gridproof.limits import Watch
    from gridproof.models import catalog

    proving_backend(pipeline.backend)
    encoding = catalog.load(args.encoding) if args.encoding else None
    many = stack.enter_context(Certificates(args.certify))

    def certify(verdict: Verdict, number: int) -> Verdict:
        try:
            return certified(verdict, pipeline, encoding, many, number, Watch(pipeline.limits))
        except Interrupted as stop:  # the verdict stands all the same
            say(f"gridproof: puzzle {number}: no certificate: {stop}")
            return verdict

    return certify


def _flat(text: str) -> str:
    return printable(" ".join(text.split()))
