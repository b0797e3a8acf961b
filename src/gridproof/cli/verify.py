"""Give a verdict on each puzzle: unique, multiple (with two solutions), none, undecided, malformed, not understood or
disagreement.

The output has one tab-separated line for each puzzle: the verdict, then the solution. `multiple` has two solutions and
the cells in which they differ; other verdicts have the reason. A summary goes to standard error. -o writes the result
to a file part by part, and an interrupted run can be resumed.

Without options the number of puzzles decides who answers. The backend answers up to 1,000 puzzles, one by one. Beyond
that the lanes answer many at a time, without a reason for `none`, and the backend answers what they leave open. Up to
10,000 puzzles every answer is cross-checked, beyond that one in a thousand. Without -o, standard input and several
INPUTs are answered one by one, as they are read.
"""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from gridproof.cli import _exit_codes, _options
from gridproof.cli._results import Results, print_malformed, verdict_json
from gridproof.cli._streams import to_stderr
from gridproof.cli.certify import certified
from gridproof.errors import InputError, Interrupted
from gridproof.formats.sources import Source, exists
from gridproof.limits import Watch
from gridproof.trust.answer import Status

GROUP = "puzzles"
SUMMARY = "check whether puzzles have exactly one solution"
EXIT_CODES = {
    0: "every puzzle has exactly one solution",
    1: "some have none or several or are undecided, or a stored solution is wrong",
    3: _exit_codes.DISAGREEMENT,
}
EXAMPLES = (
    "gridproof verify examples/well-known.txt examples/two-solutions.txt",
    "gridproof verify --json 1...............",
    "gridproof verify examples/well-known.txt -o verdicts.csv --jobs 2",
)

_BULK = ("output", "jobs", "resume", "column", "engine", "dask", "part_size", "timings")


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    from gridproof.trust import crosscheck

    share = f"sample={crosscheck.SAMPLED_SHARE:g}"
    usual = f"all of up to {crosscheck.ALL_CHECKED:,} puzzles, and {share} of more"
    _options.add_cross_check(_options.add_backend(parser), usual=usual)
    told = "write a certificate of each verdict into a folder named by the puzzle's number; see `gridproof certify`"
    _options.value(_options.add_output(parser), "--certify", "DIR|FILE.zip", told)
    bulk = parser.add_argument_group("many puzzles of one file (bulk)")
    told = "the result, as .parquet, .csv or .jsonl; FILE.summary.json gets the summary and times"
    _options.add_file(bulk, told, resume="continue the run that has left parts of this output")
    _options.number(bulk, "-j --jobs", "number of worker processes (default with -o: one per core)", least=0)
    _options.value(bulk, "--column", "NAME", "the column of puzzles, in a CSV or Parquet file")
    told = (
        "lanes: hundreds of puzzles at once, bit by bit; session: the backend, puzzle by puzzle; auto: lanes, "
        "then the backend for the rest (default: by the number of puzzles; with -b, -e: session)"
    )
    bulk.add_argument("--engine", choices=("auto", "lanes", "session"), help=told)
    _options.value(bulk, "--dask", "ADDRESS", "use the workers of a Dask scheduler (tcp://host:8786)")
    _options.number(bulk, "--part-size", "number of puzzles that are decided and written at a time")
    _options.flag(bulk, "--timings", "also write the seconds that each puzzle took")


def run(args: argparse.Namespace) -> int:
    # 0 is a number that was given: no worker processes
    in_bulk = any((value := getattr(args, name)) is not None and value is not False for name in _BULK)
    if args.force and not (args.output or args.certify):
        raise InputError("--force without --output; expected the result that is to be overwritten")
    if in_bulk:
        _refuse(args)
    if in_bulk or _may_be_many(args):
        from gridproof.cli._many import verify_many

        code = verify_many(args, in_bulk)
        if code is not None:
            return code
    return _one_by_one(args)


def _refuse(args: argparse.Namespace) -> None:
    """Raise ``InputError`` for options that do not go together."""
    inputs: list[str] = args.input or ["-"]
    output, source = args.output, inputs[0]
    if args.certify:
        raise InputError("--certify with options for bulk; expected it with puzzles one by one")
    if len(inputs) > 1:
        raise InputError(f"{len(inputs)} inputs ({', '.join(inputs[:3])}, ...); expected one at a time in bulk")
    if args.dask and args.jobs is not None:
        raise InputError("--dask with --jobs; expected one of them: the cluster has its own workers")
    if args.resume and not output:
        raise InputError("--resume without --output; expected the result that is to be continued")
    if output and args.json:
        raise InputError("--json with --output; expected a name that ends in .jsonl instead")
    if output and source != "-" and exists(output) and exists(source) and Path(output).samefile(source):
        raise InputError(f"input and output are both {output!r}; expected two files")
    _options.refuse_to_overwrite(args)


_SHORTEST_LINE = 17
"""Bytes of a puzzle of 4x4 cells and its line end."""


def _may_be_many(args: argparse.Namespace) -> bool:
    """Whether the input is one file that may hold more puzzles than are answered one by one."""
    if args.certify or len(args.input) != 1 or args.input == ["-"] or not exists(args.input[0]):
        return False
    from gridproof.trust.crosscheck import ONE_BY_ONE

    path = Path(args.input[0])
    if not path.is_file() or not os.access(path, os.R_OK):
        return False
    with Source(path) as source:  # the size of one that is packed says nothing
        return source.size > _SHORTEST_LINE * ONE_BY_ONE or source.is_parquet or source.is_compressed


def _one_by_one(args: argparse.Namespace) -> int:
    from gridproof.trust.record import VerdictRecord

    with (
        _options.pipeline_of(args) as pipeline,
        Results(args, Status.UNIQUE, row=partial(print_malformed, args)) as results,
        ExitStack() as stack,
    ):
        if args.certify:
            from gridproof.certificates import Certificates, NotCertified, proving_backend

            proving_backend(pipeline.backend)
            _options.refuse_to_overwrite(args, "certify")
            certificates = stack.enter_context(Certificates(args.certify, replace=args.force))
        for number, item in results.puzzles():
            verdict = pipeline.verify(item, despite_unread=True)
            if args.certify:
                try:
                    write = partial(certificates.add, number=number)
                    verdict = certified(verdict, args, pipeline, write, Watch(pipeline.limits))
                except (Interrupted, NotCertified) as reason:  # the verdict stands all the same
                    to_stderr(f"gridproof: puzzle {number}: no certificate: {reason}")
            record = VerdictRecord.of(verdict, number, item.line, item.text, item.symbols)
            record = record.on(item)
            results.add(record, verdict)
            as_text = not args.json
            print(record.as_text(verdict.evidence.certificate) if as_text else verdict_json(item, verdict, record))
    return results.exit_code
