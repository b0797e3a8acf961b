"""``verify`` on many puzzles of one input, with the result on the screen or in a file."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import FrameType

from gridproof.bulk.many import Run, opened
from gridproof.bulk.parts import Parts, parts_folder, target
from gridproof.bulk.run import Workers, in_order, own_workers, work_through, workers_of
from gridproof.bulk.to_file import Progress, Report, finished_before, verify_to_file
from gridproof.cli import _options
from gridproof.cli._results import Results, exit_code, summary_lines
from gridproof.cli._streams import to_stderr
from gridproof.errors import InputError
from gridproof.runs.cluster import Cluster
from gridproof.runs.interrupts import Ended, ended_cleanly
from gridproof.runs.tables import form_of
from gridproof.trust import crosscheck
from gridproof.trust.answer import Status

_AS_GIVEN = ("backend", "encoding", "column", "zero", "part_size", "timings", "despite_unread", "cross_check_seconds")
"""Options that go to ``opened`` as they are."""


def verify_many(args: argparse.Namespace, in_bulk: bool) -> int | None:
    """The exit code; ``None`` for few puzzles, which are answered one by one unless ``in_bulk`` is asked for."""
    output = target(args.output) if args.output else None
    with ExitStack() as stack:
        stop = Stop()
        workers, who = _workers(args, stack)
        many = opened(
            (args.input or ["-"])[0],
            _options.shape_of(args),
            engine=args.engine or ("session" if args.backend or args.encoding else None),
            limits=_options.limits_of(args),
            cross_check=_options.cross_check_of(args),
            rules=_options.rules_of(args),
            entries_as_clues=args.entries == "as-clues",
            form=form_of(args.output) if output else None,
            workers=workers,
            **{name: getattr(args, name) for name in _AS_GIVEN},
        )
        run = stack.enter_context(many)
        if output:
            return _to_file(args, output, run, stack, workers, who, stop)
        return _to_screen(args, run, workers, who) if in_bulk or run.number > crosscheck.ONE_BY_ONE else None


def _to_screen(args: argparse.Namespace, run: Run, workers: Workers, who: str) -> int:
    source = run.rows.path
    with Results(args, Status.UNIQUE, workers=who) as results:
        for result in in_order(work_through(run.chunks, run.job, workers)):
            assert result.columns is not None
            for verdict in result.disagreements:
                results.disagreement(verdict)
            for record in result.columns.records():
                if record.verdict in (Status.MALFORMED, Status.NOT_UNDERSTOOD):
                    if source and record.line:
                        record = record._replace(reason=f"{source}, {record.reason}")
                    if record.verdict == Status.MALFORMED and not results.is_reported() and not args.json:
                        continue
                sys.stdout.write(f"{record.as_json() if args.json else record.as_text()}\n")
            results.counted.add(result.summary)
        results.end_malformed()
    if not results.counted.rows:
        _say_none(run)
    return results.exit_code


def _to_file(
    args: argparse.Namespace, output: Path, run: Run, stack: ExitStack, workers: Workers, who: str, stop: Stop
) -> int:
    if args.resume and not parts_folder(output).exists():
        if before := finished_before(output, {"result": run.job.form, **run.options}, run.rows):
            if not args.quiet:
                to_stderr(f"{args.output} is complete: nothing to resume")
            _say_report(args, before, "")
            return exit_code(before.summary, Status.UNIQUE)
        if output.is_file():
            raise InputError(
                f"{output} is not a result of this input with these options; "
                "expected --force instead of --resume to overwrite it, or another name"
            )
    parts = stack.enter_context(Parts(args.output, run.options, resume=args.resume, timings=args.timings))
    progress = Progress(lambda: run.rows.share, wanted=not args.quiet)
    stop.before = progress.clear
    disagreement = Results(args).disagreement
    try:
        with ExitStack() as shown, stop.listening():
            shown.callback(progress.clear)
            report = verify_to_file(
                run.rows, run.chunks, run.job, parts, workers, progress, stop=stop.is_set, disagreement=disagreement
            )
    except Ended as end:
        to_stderr(_how_to_go_on(len(parts), str(end)))
        return end.exit_code
    except BaseException as problem:
        if len(parts) and not isinstance(problem, InputError):
            to_stderr(_how_to_go_on(len(parts)))
        raise
    _say_report(args, report, who)
    if not report.finished:
        to_stderr(_how_to_go_on(report.parts))
        return 130
    if not report.summary.rows:
        _say_none(run)
    return exit_code(report.summary, Status.UNIQUE)


def _say_none(run: Run) -> None:
    to_stderr(f"gridproof: no puzzle in {run.rows.name}; expected at least one")


def _how_to_go_on(parts: int, why: str = "interrupted") -> str:
    if not parts:
        return f"gridproof: {why} before any part was done"
    given = [word for word in sys.argv[1:] if len(word) < 3 or not "--force".startswith(word)]
    command = [*given, *(["--resume"] if "--resume" not in given else [])]
    kept = "1 part is" if parts == 1 else f"{parts:,} parts are"
    return f"gridproof: {why}; {kept} kept. To go on: {shlex.join(['gridproof', *command])}"


def _say_report(args: argparse.Namespace, report: Report, who: str) -> None:
    if args.quiet:
        return
    for line in summary_lines(report.summary, report.seconds, who, report.resumed):
        to_stderr(line)
    if report.finished:
        to_stderr(f"copies of an earlier puzzle: {'' if report.duplicates_exact else 'about '}{report.duplicates:,}")
        to_stderr(f"result: {args.output}, with what was counted and timed in {args.output}.summary.json")


def _workers(args: argparse.Namespace, stack: ExitStack) -> tuple[Workers, str]:
    """Who does the work, and that in words."""
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


class Stop:
    """Set by the first Ctrl-C: what is done is kept. before: called before that is said, such as to clear a line."""

    def __init__(self) -> None:
        self._set = False
        self.before: Callable[[], None] = lambda: None

    def is_set(self) -> bool:
        """Whether an end was asked for."""
        return self._set

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Ctrl-C sets this, the second time it is a ``KeyboardInterrupt``."""

        def on_interrupt(number: int, frame: FrameType | None) -> None:
            if self._set:
                raise KeyboardInterrupt
            self._set = True
            self.before()
            to_stderr("gridproof: finishing what is under way; Ctrl-C again to stop at once")

        try:
            before = signal.signal(signal.SIGINT, on_interrupt)
        except ValueError:  # not in the main thread, where no Ctrl-C arrives either
            yield
            return
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
