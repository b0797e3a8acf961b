"""Check whether puzzles have exactly one solution.

The verdict on each is unique, multiple (with two solutions), none, at most one, undecided, malformed, not understood or
disagreement. The output has one tab-separated line for each puzzle: the verdict, then the solution. `multiple` has two
solutions and the cells in which they differ; other verdicts have the reason. If something unread may be a rule, the
verdict is what follows from the rest: `none`, `unique` with the stored solution, `at most one`, or `not understood`. A
summary goes to standard error. -o writes the result to a file part by part, and an interrupted run can be resumed.

The number of puzzles only chooses the engine: the backend decides up to 1,000 puzzles, beyond that the lanes decide
many at a time, and the backend the rest. Up to 10,000 puzzles every answer is cross-checked, beyond that one in a
thousand. Without -o, the backend decides the puzzles of standard input and of several INPUTs as they are read.

exit codes:
    0    every puzzle has exactly one solution
    1    some have none or several or are undecided, or a stored solution is wrong
    3    a bug, please report it: two independent checks disagree, or a backend crashed

examples:
    gridproof verify examples/well-known.txt examples/two-solutions.txt
    gridproof verify --json 1...............
    gridproof verify examples/well-known.txt -o verdicts.csv --jobs 2
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from gridproof.cli import _options, to_stderr
from gridproof.cli._results import (
    Results,
    details_of,
    exit_code,
    items_of,
    print_malformed,
    print_summary,
    report_disagreement,
)
from gridproof.errors import InputError
from gridproof.runs.interrupts import Ended
from gridproof.trust.answer import Status

if TYPE_CHECKING:
    from gridproof.formats.reading import Reading


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    from gridproof.trust import crosscheck

    share = f"sample={crosscheck.SAMPLED_SHARE:g}"
    usual = f"all of up to {crosscheck.ALL_CHECKED:,} puzzles, and {share} of more"
    _options.add_cross_check(_options.add_backend(parser), usual=usual)
    output = _options.add_output(parser)
    _options.flag(output, "--details", "JSON with backend, times, statistics, geometry, rules and prose, too")
    _options.flag(output, "--distinct", "the summary names the puzzles that are equal to an earlier one up to symmetry")
    bulk = parser.add_argument_group("many puzzles of one file (bulk)")
    help_text = "the result, as .parquet, .csv or .jsonl; FILE.summary.json gets the summary and times"
    _options.add_file(bulk, help_text, resume="continue the run that has left parts of this output")
    workers = bulk.add_mutually_exclusive_group()
    _options.number(workers, "-j --jobs", "number of worker processes (default with -o: one per core)", least=0)
    _options.value(workers, "--dask", "ADDRESS", "use the workers of a Dask scheduler (tcp://host:8786)")
    _options.flag(bulk, "--rate", "also rate each puzzle with one solution (see `gridproof rate`), in two more columns")
    _options.value(bulk, "--column", "NAME", "the column of puzzles, in a CSV or Parquet file")
    help_text = (
        "session: the backend, puzzle by puzzle; auto: the lanes, hundreds at once, bit by bit, then the backend for "
        "the rest (default: by the number of puzzles; with -b, -e: session)"
    )
    bulk.add_argument("--engine", choices=("auto", "session"), help=help_text)


_BULK = ("output", "jobs", "resume", "column", "engine", "dask", "rate")


def run(args: argparse.Namespace) -> int:
    # 0 is a number that was given: no worker processes
    options = [name for name in _BULK if (value := getattr(args, name)) is not None and value is not False]
    _refuse(args, options)
    if args.output:
        return _to_file(args)
    if options or _may_be_many(args):
        return _in_bulk(args)
    from gridproof.trust.record import VerdictRecord

    row = partial(print_malformed, args)
    with _options.pipeline_of(args) as pipeline, Results(args, Status.UNIQUE, row=row) as results:
        ask = partial(pipeline.verify, despite_unread=args.despite_unread)
        for number, item, verdict in results.answers(ask, items_of(args, parts=True)):
            record = VerdictRecord.of(verdict, number, item.line, item.text, item.symbols).on(item)
            results.add(record, verdict)
            if results.distinct is not None:
                results.distinct.add(number, item.board)
            details = details_of(item, verdict) if args.details else None
            print(record.as_json(details) if args.json or args.details else record.as_text())
    return results.exit_code


def _refuse(args: argparse.Namespace, options: list[str]) -> None:
    """Raise ``InputError`` for options that do not go together. options: those for bulk that are given."""
    from gridproof.formats.sources import exists

    inputs: list[str] = args.input or ["-"]
    output, source = args.output, inputs[0]
    if args.details and options:
        raise InputError(f"--details with --{options[0]}; expected one of them: it is made puzzle by puzzle")
    if len(inputs) > 1 and options:
        raise InputError(f"{len(inputs)} inputs ({', '.join(inputs[:3])}, ...); expected one with --{options[0]}")
    if not output and (args.resume or args.force):
        raise InputError(f"--{'resume' if args.resume else 'force'} without --output; expected the result, too")
    if output and args.distinct:
        raise InputError("--distinct with --output; expected one of them: puzzles are compared as they are printed")
    if output and args.json:
        raise InputError("--json with --output; expected a name that ends in .jsonl instead")
    if output and source != "-" and exists(output) and exists(source) and Path(output).samefile(source):
        raise InputError(f"input and output are both {output!r}; expected two files")
    _options.refuse_to_overwrite(args)


_SHORTEST_LINE = 17
"""Bytes of a puzzle of 4x4 cells and its line end."""


def _may_be_many(args: argparse.Namespace) -> bool:
    """Return True if the input is one file that may hold more puzzles than are decided one by one."""
    from gridproof.formats.sources import Source, exists
    from gridproof.trust.crosscheck import ONE_BY_ONE

    path = Path(*args.input[:1])
    if args.details or len(args.input) != 1 or not exists(path) or not path.is_file() or not os.access(path, os.R_OK):
        return False
    with Source(path) as source:  # the size of one that is packed is no measure
        return source.size > _SHORTEST_LINE * ONE_BY_ONE or source.is_parquet or source.is_compressed


# ---- many puzzles of one input ---------------------------------------------------------------------------------------


def _in_bulk(args: argparse.Namespace) -> int:
    from gridproof.bulk.many import opened
    from gridproof.bulk.run import in_order, work_through, workers_for
    from gridproof.formats import parse

    source, options = (args.input or ["-"])[0], _options.run_options(args)
    reading: Reading = {"shape": options.shape, "zero": options.zero, "rules": options.rules, "despite_unread": True}
    reading["entries_as_clues"] = options.entries_as_clues
    with (
        Results(args, Status.UNIQUE) as results,
        workers_for(args.jobs or 0, args.dask) as workers,
        opened(source, options, workers) as run,
    ):
        for result in in_order(work_through(run.chunks, run.job, workers)):
            assert result.columns is not None
            for verdict in result.disagreements:
                report_disagreement(verdict)
            results.counted.add(result.summary)
            for record in result.columns.records():
                if record.verdict in (Status.MALFORMED, Status.NOT_UNDERSTOOD) and run.rows.path and record.line:
                    record = record._replace(reason=f"{run.rows.path}, {record.reason}")
                if args.json or record.verdict != Status.MALFORMED or results.is_reported():
                    print(record.as_json() if args.json else record.as_text())
                if results.distinct and record.verdict not in (Status.MALFORMED, Status.NOT_UNDERSTOOD):
                    results.distinct.add(record.row, parse(record.puzzle, **reading))
        results.end_malformed()
        if not results.counted.rows:
            to_stderr(f"gridproof: no puzzle in {run.rows.name}; expected at least one")
    return results.exit_code


def _to_file(args: argparse.Namespace) -> int:
    from gridproof.bulk.many import opened
    from gridproof.bulk.run import cores, workers_for
    from gridproof.bulk.to_file import Parts, verify_to_file
    from gridproof.runs.progress import ProgressBar
    from gridproof.runs.tables import form_of, target

    target(args.output)
    with ExitStack() as stack:
        workers = stack.enter_context(workers_for(cores() if args.jobs is None else args.jobs, args.dask))
        source, options = (args.input or ["-"])[0], _options.run_options(args)
        run = stack.enter_context(opened(source, options, workers, form_of(args.output)))
        parts = stack.enter_context(Parts(args.output, run.described, resume=args.resume))
        try:
            with ProgressBar("puzzles", wanted=not args.quiet) as shown, first_ctrl_c(shown.clear) as stop:
                report = verify_to_file(run, parts, workers, shown, stop=stop, disagreement=report_disagreement)
        except Ended as end:
            to_stderr(_how_to_go_on(len(parts), str(end)))
            return end.exit_code
        except BaseException as problem:
            if len(parts) and not isinstance(problem, InputError):
                to_stderr(_how_to_go_on(len(parts)))
            raise
        if not args.quiet:
            print_summary(report.summary, report.seconds, report.resumed)
            if report.finished:
                to_stderr(f"result: {args.output}, with what was counted and timed in {args.output}.summary.json")
        if not report.finished:
            to_stderr(_how_to_go_on(len(parts)))
            return 130
        if not report.summary.rows:
            to_stderr(f"gridproof: no puzzle in {run.rows.name}; expected at least one")
        return exit_code(report.summary, Status.UNIQUE)


def _how_to_go_on(parts: int, why: str = "interrupted") -> str:
    if not parts:
        return f"gridproof: {why} before any part was done"
    words = [word for word in sys.argv[1:] if len(word) < 3 or not "--force".startswith(word)]
    command = [*words, *(["--resume"] if "--resume" not in words else [])]
    kept = "1 part is" if parts == 1 else f"{parts:,} parts are"
    return f"gridproof: {why}; {kept} kept. To go on: {shlex.join(['gridproof', *command])}"


@contextmanager
def first_ctrl_c(before_message: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Take the first Ctrl-C as a wish to stop when what is under way is done; the second is a ``KeyboardInterrupt``.

    Yield a function that returns True from the first one on.
    """
    pressed = False

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True
        before_message()
        to_stderr("gridproof: finishing what is under way; Ctrl-C again to stop at once")

    handler = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, handler)
