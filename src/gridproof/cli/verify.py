"""Give a verdict on each puzzle: unique, multiple (with two solutions), none, undecided, malformed, not understood or
disagreement.

The output has one tab-separated line for each puzzle: the verdict, then the solution. `multiple` has two solutions and
the cells in which they differ; other verdicts have the reason. A summary goes to standard error. -o writes the result
to a file part by part, and an interrupted run can be resumed.

The number of puzzles only chooses the engine: the backend decides up to 1,000 puzzles, beyond that the lanes decide
many at a time, and the backend the rest. Up to 10,000 puzzles every answer is cross-checked, beyond that one in a
thousand. Without -o, the backend decides the puzzles of standard input and of several INPUTs as they are read.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gridproof.cli import _exit_codes, _inputs, _options
from gridproof.cli._results import Results, details_of
from gridproof.cli._streams import to_stderr
from gridproof.cli.certify import add_prover
from gridproof.errors import InputError, Interrupted, PuzzleFormatError
from gridproof.formats.sources import Source, exists
from gridproof.limits import Watch
from gridproof.trust.answer import Status

if TYPE_CHECKING:
    from gridproof.trust.record import VerdictRecord

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


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    from gridproof.trust import crosscheck

    share = f"sample={crosscheck.SAMPLED_SHARE:g}"
    usual = f"all of up to {crosscheck.ALL_CHECKED:,} puzzles, and {share} of more"
    _options.add_cross_check(_options.add_backend(parser), usual=usual)
    output = _options.add_output(parser)
    _options.flag(output, "--details", "with --json: backend, times, statistics, geometry, rules and prose, too")
    help_text = (
        "write a certificate of each verdict into a folder named by the puzzle's number; see `gridproof certify`"
    )
    _options.value(output, "--certify", "DIR", help_text)
    add_prover(output)
    bulk = parser.add_argument_group("many puzzles of one file (bulk)")
    help_text = "the result, as .parquet, .csv or .jsonl; FILE.summary.json gets the summary and times"
    _options.add_file(bulk, help_text, resume="continue the run that has left parts of this output")
    _options.number(bulk, "-j --jobs", "number of worker processes (default with -o: one per core)", least=0)
    _options.value(bulk, "--column", "NAME", "the column of puzzles, in a CSV or Parquet file")
    help_text = (
        "lanes: hundreds of puzzles at once, bit by bit; session: the backend, puzzle by puzzle; auto: lanes, "
        "then the backend for the rest (default: by the number of puzzles; with -b, -e: session)"
    )
    bulk.add_argument("--engine", choices=("auto", "lanes", "session"), help=help_text)
    _options.value(bulk, "--dask", "ADDRESS", "use the workers of a Dask scheduler (tcp://host:8786)")


def run(args: argparse.Namespace) -> int:
    # 0 is a number that was given: no worker processes
    options = [name for name in _BULK if (value := getattr(args, name)) is not None and value is not False]
    _refuse(args, options)
    if args.output:
        from gridproof.cli._bulk import to_file

        return to_file(args)
    with ExitStack() as stack:
        results = stack.enter_context(Results(args, Status.UNIQUE))
        rows = _in_bulk if options or _may_be_many(args) else _one_by_one
        for record, certificate, details in rows(args, results, stack):
            if args.json:
                print(record.as_json(certificate, details))
            elif record.verdict != Status.MALFORMED or results.is_reported():
                print(record.as_text(certificate))
        results.end_malformed()
    return results.exit_code


_BULK = ("output", "jobs", "resume", "column", "engine", "dask")

_Row: TypeAlias = "tuple[VerdictRecord, str | None, dict[str, Any] | None]"
"""The record of a puzzle, the place of its certificate, and details, if wanted."""


def _refuse(args: argparse.Namespace, options: list[str]) -> None:
    """Raise ``InputError`` for options that do not go together. options: those for bulk that are given."""
    inputs: list[str] = args.input or ["-"]
    output, source = args.output, inputs[0]
    for name in ("certify", "details"):
        if getattr(args, name) and options:
            raise InputError(f"--{name} with --{options[0]}; expected one of them: it is made puzzle by puzzle")
    if args.details and not args.json:
        raise InputError("--details without --json; expected both")
    if len(inputs) > 1 and options:
        raise InputError(f"{len(inputs)} inputs ({', '.join(inputs[:3])}, ...); expected one with --{options[0]}")
    if args.dask and args.jobs is not None:
        raise InputError("--dask with --jobs; expected one of them: the cluster has its own workers")
    if args.resume and not output:
        raise InputError("--resume without --output; expected the result that is to be continued")
    if args.force and not (output or args.certify):
        raise InputError("--force without --output; expected the result that is to be overwritten")
    if output and args.json:
        raise InputError("--json with --output; expected a name that ends in .jsonl instead")
    if output and source != "-" and exists(output) and exists(source) and Path(output).samefile(source):
        raise InputError(f"input and output are both {output!r}; expected two files")
    _options.refuse_to_overwrite(args)
    _options.refuse_to_overwrite(args, "certify")


_SHORTEST_LINE = 17
"""Bytes of a puzzle of 4x4 cells and its line end."""


def _may_be_many(args: argparse.Namespace) -> bool:
    """Return True if the input is one file that may hold more puzzles than are decided one by one."""
    if args.certify or args.details or len(args.input) != 1 or args.input == ["-"] or not exists(args.input[0]):
        return False
    from gridproof.trust.crosscheck import ONE_BY_ONE

    path = Path(args.input[0])
    if not path.is_file() or not os.access(path, os.R_OK):
        return False
    with Source(path) as source:  # the size of one that is packed says nothing
        return source.size > _SHORTEST_LINE * ONE_BY_ONE or source.is_parquet or source.is_compressed


def _in_bulk(args: argparse.Namespace, results: Results, stack: ExitStack) -> Iterator[_Row]:
    from gridproof.cli._bulk import records

    return ((record, None, None) for record in records(args, results, stack))


def _one_by_one(args: argparse.Namespace, results: Results, stack: ExitStack) -> Iterator[_Row]:
    """Yield the rows of all inputs as they are read; count them."""
    from gridproof.trust.record import VerdictRecord

    pipeline = stack.enter_context(_options.pipeline_of(args))
    if args.certify:
        from gridproof.certificates import Certificates, NotCertified, certified, proving_backend

        prover = proving_backend(args.prover)
        certificates = Certificates(args.certify, replace=args.force)
    for number, item in enumerate(_inputs.items_of(args), 1):
        if isinstance(item, PuzzleFormatError):
            record = VerdictRecord.of_error(item, number)
            results.add(record)
            yield record, None, details_of(item) if args.details else None
            continue
        verdict = pipeline.verify(item, despite_unread=True)
        if args.certify:
            try:
                write = partial(certificates.add, number=number)
                verdict = certified(verdict, prover, write, pipeline.limits, Watch(pipeline.limits))
            except (Interrupted, NotCertified) as reason:  # the verdict stands all the same
                to_stderr(f"gridproof: puzzle {number}: no certificate: {reason}")
        record = VerdictRecord.of(verdict, number, item.line, item.text, item.symbols).on(item)
        results.add(record, verdict)
        yield record, verdict.evidence.certificate, details_of(item, verdict) if args.details else None
