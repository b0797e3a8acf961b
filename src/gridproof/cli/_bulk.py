"""Many puzzles of one input: the workers, and the result in a file, part by part."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from types import FrameType

from gridproof.bulk.many import Run, opened
from gridproof.bulk.parts import Parts, parts_folder, target
from gridproof.bulk.run import Workers, in_order, own_workers, work_through, workers_of
from gridproof.bulk.to_file import Report, finished_before, verify_to_file
from gridproof.cli import _options
from gridproof.cli._results import Results, exit_code, summary_lines
from gridproof.cli._streams import to_stderr
from gridproof.errors import InputError
from gridproof.runs.calls import Cluster
from gridproof.runs.interrupts import Ended, ended_cleanly
from gridproof.runs.progress import ProgressBar
from gridproof.runs.tables import form_of
from gridproof.trust.answer import Status
from gridproof.trust.record import VerdictRecord


def records(args: argparse.Namespace, results: Results, stack: ExitStack) -> Iterator[VerdictRecord]:
    """Yield the record of each puzzle of the one input, in order; count them."""
    workers, results.workers = _workers(args, stack)
    with opened((args.input or ["-"])[0], _options.run_options(args), workers) as run:
        for result in in_order(work_through(run.chunks, run.job, workers)):
            assert result.columns is not None
            for verdict in result.disagreements:
                results.disagreement(verdict)
            results.counted.add(result.summary)
            for record in result.columns.records():
                if record.verdict in (Status.MALFORMED, Status.NOT_UNDERSTOOD) and run.rows.path and record.line:
                    record = record._replace(reason=f"{run.rows.path}, {record.reason}")
                yield record
        _warn_if_empty(run, results.counted.rows)


def to_file(args: argparse.Namespace) -> int:
    """Verify the puzzles of the one input, with the result in a file. Return the exit code."""
    output = target(args.output)
    with ExitStack() as stack:
        workers, words = _workers(args, stack)
        source, options = (args.input or ["-"])[0], _options.run_options(args)
        run = stack.enter_context(opened(source, options, workers, form_of(args.output)))
        if args.resume and not parts_folder(output).exists():
            if before := finished_before(output, {"result": run.job.form, **run.described}, run.rows):
                if not args.quiet:
                    to_stderr(f"{args.output} is complete: nothing to resume")
                _print_report(args, before, "")
                return exit_code(before.summary, Status.UNIQUE)
            if output.is_file():
                raise InputError(
                    f"{output} is not a result of this input with these options; "
                    "expected --force instead of --resume to overwrite it, or another name"
                )
        parts = stack.enter_context(Parts(args.output, run.described, resume=args.resume))
        try:
            with ProgressBar("puzzles", wanted=not args.quiet) as shown, first_ctrl_c(shown.clear) as stop:
                report = verify_to_file(run, parts, workers, shown, stop=stop, disagreement=Results(args).disagreement)
        except Ended as end:
            to_stderr(_how_to_go_on(len(parts), str(end)))
            return end.exit_code
        except BaseException as problem:
            if len(parts) and not isinstance(problem, InputError):
                to_stderr(_how_to_go_on(len(parts)))
            raise
        _print_report(args, report, words)
        if not report.finished:
            to_stderr(_how_to_go_on(report.parts))
            return 130
        _warn_if_empty(run, report.summary.rows)
        return exit_code(report.summary, Status.UNIQUE)


def _warn_if_empty(run: Run, rows: int) -> None:
    if not rows:
        to_stderr(f"gridproof: no puzzle in {run.rows.name}; expected at least one")


def _how_to_go_on(parts: int, why: str = "interrupted") -> str:
    if not parts:
        return f"gridproof: {why} before any part was done"
    words = [word for word in sys.argv[1:] if len(word) < 3 or not "--force".startswith(word)]
    command = [*words, *(["--resume"] if "--resume" not in words else [])]
    kept = "1 part is" if parts == 1 else f"{parts:,} parts are"
    return f"gridproof: {why}; {kept} kept. To go on: {shlex.join(['gridproof', *command])}"


def _print_report(args: argparse.Namespace, report: Report, workers: str) -> None:
    if args.quiet:
        return
    for line in summary_lines(report.summary, report.seconds, workers, report.resumed):
        to_stderr(line)
    if report.finished:
        to_stderr(f"result: {args.output}, with what was counted and timed in {args.output}.summary.json")


def _workers(args: argparse.Namespace, stack: ExitStack) -> tuple[Workers, str]:
    """The workers that the options ask for, and these in words."""
    if args.dask:
        cluster = stack.enter_context(closing(Cluster(args.dask)))
        stack.enter_context(ended_cleanly())
        return workers_of(cluster.executor, cluster.threads), f"on {cluster.threads()} Dask threads"
    jobs = args.jobs
    if jobs is None:
        jobs = _cores() if args.output else 0
    if jobs:
        stack.enter_context(ended_cleanly())
    workers = own_workers(jobs)
    stack.enter_context(workers.executor)
    return workers, f"with {jobs} workers" if jobs > 1 else ""


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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

    try:
        handler = signal.signal(signal.SIGINT, on_interrupt)
    except ValueError:  # not in the main thread, where no Ctrl-C arrives either
        yield lambda: False
        return
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, handler)
