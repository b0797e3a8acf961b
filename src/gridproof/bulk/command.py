"""``gridproof verify`` in bulk: options to a run, Ctrl-C, the closing summary, exit codes."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from time import perf_counter
from types import FrameType
from typing import Any

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.crews import Alone, Crew, Workers
from gridproof.bulk.files import Report, described_shape, finished_before, verify_to_file
from gridproof.bulk.job import Engine, Job, default_cross_check, job_of
from gridproof.bulk.many import default_part_size, in_order, peeked
from gridproof.bulk.parts import Parts, parts_folder, target
from gridproof.bulk.progress import Progress
from gridproof.bulk.reading import Rows
from gridproof.bulk.records import encode, form_of
from gridproof.bulk.run import work_through
from gridproof.errors import InputError, printable
from gridproof.formats import Shape
from gridproof.formats.sources import exists, refuse_to_overwrite
from gridproof.limits import Limits
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.runs.interrupts import Ended, ended_cleanly
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.verdict import Verdict


def run(args: argparse.Namespace, shape: Shape, limits: Limits) -> int:
    """Verify the input in bulk and return the exit code. args: as ``gridproof.cli.verify`` defines them."""
    source = _only_input(args)
    engine: Engine = args.engine or ("session" if args.backend or args.encoding else "auto")
    if engine == "lanes" and (args.backend or args.encoding):
        raise InputError("--engine lanes with a backend or an encoding, which it would not use; expected one of them")
    part_size = args.part_size or default_part_size(engine)
    output = target(args.output) if args.output else None
    with ExitStack() as stack:
        rows = stack.enter_context(closing(Rows(source, shape, args.column, args.zero)))
        chunks, number = peeked(rows.chunks(part_size))
        cross_check = CrossCheck.parse(args.cross_check) if args.cross_check else default_cross_check(number)
        job, options = job_of(
            engine,
            args.backend or DEFAULT_BACKEND,
            args.encoding,
            limits=limits,
            cross_check=cross_check,
            form=form_of(args.output) if output else None,
            timings=args.timings,
        )
        options |= {"shape": described_shape(shape), "column": args.column, "part-size": part_size}
        options |= {"zero": args.zero}
        if output:
            return _to_file(args, output, rows, chunks, job, options, stack)
        return _to_output(args, rows, chunks, job, stack)


def _only_input(args: argparse.Namespace) -> str:
    inputs: list[str] = args.input or ["-"]
    if len(inputs) > 1:
        raise InputError(f"{len(inputs)} inputs ({', '.join(inputs[:3])}, ...); expected one at a time in bulk")
    if args.part_size is not None and args.part_size < 1:
        raise InputError(f"--part-size {args.part_size}; expected at least 1")
    if args.jobs is not None and args.jobs < 0:
        raise InputError(f"--jobs {args.jobs}; expected at least 0")
    if args.dask and args.jobs is not None:
        raise InputError("--dask with --jobs; expected one of them: the cluster has its own workers")
    if (args.resume or args.force) and not args.output:
        option, result = ("--resume", "continued") if args.resume else ("--force", "overwritten")
        raise InputError(f"{option} without --output; expected the result that is to be {result}")
    if args.output and args.json:
        raise InputError("--json with --output; expected a name that ends in .jsonl instead")
    output, source = args.output, inputs[0]
    if output and source != "-" and exists(output) and exists(source) and Path(output).samefile(source):
        raise InputError(f"input and output are both {output!r}; expected two files")
    if output and not args.resume and not args.force:
        refuse_to_overwrite(output)
    return source


def _crew(args: argparse.Namespace, stack: ExitStack) -> tuple[Crew, str]:
    """Who does the work, and that in words."""
    if args.dask:
        from gridproof.bulk.cluster import Cluster

        cluster = stack.enter_context(closing(Cluster(args.dask)))
        stack.enter_context(ended_cleanly())
        return stack.enter_context(cluster.crew()), f"on {cluster.threads()} Dask threads"
    jobs = args.jobs
    if jobs is None:
        jobs = _cores() if args.output else 0
    if not jobs:
        return stack.enter_context(closing(Alone())), ""
    stack.enter_context(ended_cleanly())
    return stack.enter_context(closing(Workers(jobs))), f"with {jobs} workers" if jobs > 1 else ""


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# ---- into a file -----------------------------------------------------------------------------------------------------


def _to_file(
    args: argparse.Namespace,
    output: Path,
    rows: Rows,
    chunks: Iterator[Chunk],
    job: Job,
    options: dict[str, Any],
    stack: ExitStack,
) -> int:
    whole = {"result": job.form, **options}
    if args.resume and not parts_folder(output).exists() and (before := finished_before(output, whole, rows)):
        _say(args, f"{args.output} is complete: nothing to resume")
        return _told(args, rows, before, "")
    if args.resume and not parts_folder(output).exists() and output.is_file():
        raise InputError(
            f"{output} is not a result of this input with these options; "
            "expected --force instead of --resume to overwrite it, or another name"
        )
    parts = stack.enter_context(Parts(args.output, options, resume=args.resume, timings=args.timings))
    progress = Progress(lambda: rows.share, wanted=not args.quiet)
    stop = _Stop(progress)
    crew, who = _crew(args, stack)
    try:
        with _stopping(stop):
            report = verify_to_file(
                rows,
                chunks,
                job,
                parts,
                crew,
                progress,
                stop=stop.is_set,
                disagreement=lambda verdict: _reproducer(verdict, args.reproducers),
            )
    except Ended as end:
        progress.clear()
        print(_how_to_go_on(len(parts), str(end)), file=sys.stderr)
        return end.exit_code
    except BaseException as problem:
        progress.clear()
        if len(parts) and not isinstance(problem, InputError):
            print(_how_to_go_on(len(parts)), file=sys.stderr)
        raise
    progress.clear()
    if report.finished:
        return _told(args, rows, report, who)
    _summary(args, report, who)
    print(_how_to_go_on(report.parts), file=sys.stderr)
    return 130


def _how_to_go_on(parts: int, why: str = "interrupted") -> str:
    if not parts:
        return f"gridproof: {why} before any part was done"
    given = [word for word in sys.argv[1:] if len(word) < 3 or not "--force".startswith(word)]
    command = [*given, *(["--resume"] if "--resume" not in given else [])]
    kept = "1 part is" if parts == 1 else f"{parts:,} parts are"
    return f"gridproof: {why}; {kept} kept. To go on: {shlex.join(['gridproof', *command])}"


class _Stop:
    """Set by the first Ctrl-C."""

    def __init__(self, progress: Progress) -> None:
        self._set = False
        self._progress = progress

    def is_set(self) -> bool:
        return self._set

    def first(self) -> bool:
        """Whether this Ctrl-C is the first: it asks for an end, and says so."""
        if self._set:
            return False
        self._set = True
        self._progress.clear()
        print("gridproof: finishing what is under way; Ctrl-C again to stop at once", file=sys.stderr)
        return True


@contextmanager
def _stopping(stop: _Stop) -> Iterator[None]:
    """Ctrl-C asks for an end, the second time at once."""

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if not stop.first():
            raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGINT, on_interrupt)
    except ValueError:  # not in the main thread, where no Ctrl-C arrives either
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _reproducer(verdict: Verdict, folder: str) -> None:
    try:
        place = f"reproducer: {verdict.write_reproducer(folder)}"
    except OSError as problem:
        place = f"no reproducer: {problem}"
    print(f"gridproof: DISAGREEMENT: {verdict.reason}; {place}", file=sys.stderr)


# ---- on standard output ----------------------------------------------------------------------------------------------


def _to_output(args: argparse.Namespace, rows: Rows, chunks: Iterator[Chunk], job: Job, stack: ExitStack) -> int:
    """The same lines as for single puzzles, or JSON records."""
    crew, who = _crew(args, stack)
    report = Report()
    started = perf_counter()
    for result in in_order(work_through(chunks, job, crew)):
        assert result.columns is not None
        report.summary.add(result.summary)
        for verdict in result.disagreements:
            _reproducer(verdict, args.reproducers)
        if args.json:
            sys.stdout.write(encode(result.columns, "jsonl").decode())
            continue
        for record in result.columns.records():
            fields = [record.verdict, record.solution, record.second_solution]
            if record.second_solution is not None and record.solution is not None:
                fields.append(f"differ in {_differences(record.solution, record.second_solution)}")
            if record.reason is not None:
                fields.append(printable(" ".join(record.reason.split())))
            sys.stdout.write("\t".join([field for field in fields if field is not None]) + "\n")
    report.seconds = perf_counter() - started
    return _told(args, rows, report, who)


def _differences(first: str, second: str) -> str:
    cells = (first.split(), second.split()) if " " in first else (first, second)
    order = round(len(cells[0]) ** 0.5)
    places = [place for place, (a, b) in enumerate(zip(*cells, strict=True)) if a != b]
    return " ".join(f"r{place // order + 1}c{place % order + 1}" for place in places)


# ---- what is said at the end -----------------------------------------------------------------------------------------


def _told(args: argparse.Namespace, rows: Rows, report: Report, who: str) -> int:
    """The exit code of a run that is at its end, when the summary is said; of an input without puzzles only that."""
    if not report.summary.rows:
        print(f"gridproof: no puzzle in {rows.name}; expected at least one", file=sys.stderr)
        return 2
    _summary(args, report, who)
    return _exit_code(report.summary.verdicts, report.summary.answers)


def _exit_code(verdicts: Counter[str], answers: Counter[str]) -> int:
    if verdicts["disagreement"]:
        return 3
    if verdicts["malformed"]:
        return 2
    return 0 if verdicts.total() == verdicts["unique"] and not answers["wrong"] else 1


def _say(args: argparse.Namespace, line: str) -> None:
    if not args.quiet:
        print(line, file=sys.stderr)


def _summary(args: argparse.Namespace, report: Report, who: str) -> None:
    for line in summary_lines(report, who):
        _say(args, line)
    if report.finished and args.output:
        _say(args, f"result: {args.output}, with what was counted and timed in {args.output}.summary.json")


def summary_lines(report: Report, who: str = "") -> Iterator[str]:
    """The closing summary."""
    summary = report.summary
    number = summary.rows
    done = f"{number:,} puzzle{'s' * (number != 1)}: {_counts(summary.verdicts) or 'nothing done'}"
    speed = f"{report.seconds:,.1f} s{' ' + who if who else ''}, {report.rate:,.0f}/s"
    resumed = f" ({report.resumed:,} from the run before)" if report.resumed else ""
    yield f"{done}; {speed}{resumed}"
    if summary.engines:
        yield f"decided by: {_counts(summary.engines, name_first=True)}"
    if summary.references:
        yield f"reference: {_counts(summary.references, name_first=True)}"
    if summary.answers:
        yield f"given solutions: {_counts(summary.answers, name_first=True)}"
    if report.finished:
        about = "" if report.duplicates_exact else "about "
        yield f"copies of an earlier puzzle: {about}{report.duplicates:,}"
    if summary.slowest:
        yield "slowest: " + ", ".join(f"row {row:,} ({seconds * 1e3:,.1f} ms)" for seconds, row, _ in summary.slowest)
        yield f"  {summary.slowest[0][2]}"
    elif summary.searched:
        said = [f"row {row:,} ({branches:,} branches)" for branches, row, _ in summary.searched]
        yield "searched most: " + ", ".join(said)
        yield f"  {summary.searched[0][2]}"


def _counts(counts: Counter[str], name_first: bool = False) -> str:
    pairs = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{name} {n:,}" if name_first else f"{n:,} {name}" for name, n in pairs)
