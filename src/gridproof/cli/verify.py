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
import shlex
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from gridproof.cli import _exit_codes, _options
from gridproof.cli._complaints import say
from gridproof.errors import InputError

if TYPE_CHECKING:
    from gridproof.bulk.many import Run
    from gridproof.bulk.run import Workers
    from gridproof.bulk.to_file import Report
    from gridproof.cli._stopping import Stop
    from gridproof.pipeline import Pipeline
    from gridproof.trust.verdict import Verdict

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

_BULK = ("output", "jobs", "resume", "force", "column", "engine", "dask", "part_size", "timings")


def configure(parser: argparse.ArgumentParser) -> None:
    from gridproof.trust.crosscheck import ALL_CHECKED, SAMPLED_SHARE

    _options.add_input(parser)
    share = f"sample={SAMPLED_SHARE:g}"
    usual = f"all of up to {ALL_CHECKED:,} puzzles, and {share} of more"
    _options.add_cross_check(_options.add_backend(parser), usual=usual)
    _options.add_output(parser).add_argument(
        "--certify",
        metavar="DIR|FILE.zip",
        help="write a certificate of each verdict into a folder named by the puzzle's number; see `gridproof certify`",
    )
    bulk = parser.add_argument_group("many puzzles of one file (bulk)")
    bulk.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="the result, as .parquet, .csv or .jsonl; FILE.summary.json gets the summary and times",
    )
    bulk.add_argument(
        "-j", "--jobs", type=int, metavar="N", help="number of worker processes (default with -o: one per core)"
    )
    _options.add_force(bulk, resume="continue the run that has left parts of this output")
    bulk.add_argument("--column", metavar="NAME", help="the column of puzzles, in a CSV or Parquet file")
    bulk.add_argument(
        "--engine",
        choices=("auto", "lanes", "session"),
        help="lanes: hundreds of puzzles at once, bit by bit; session: the backend, puzzle by puzzle; auto: lanes, "
        "then the backend for the rest (default: by the number of puzzles; with -b, -e: session)",
    )
    bulk.add_argument("--dask", metavar="ADDRESS", help="use the workers of a Dask scheduler (tcp://host:8786)")
    bulk.add_argument(
        "--part-size", type=int, metavar="N", help="number of puzzles that are decided and written at a time"
    )
    bulk.add_argument("--timings", action="store_true", help="also write the seconds that each puzzle took")


def run(args: argparse.Namespace) -> int:
    # 0 is a number that was given: no worker processes, or a size to be refused
    in_bulk = any((value := getattr(args, name)) is not None and value is not False for name in _BULK)
    if in_bulk:
        _refuse(args)
    if in_bulk or _may_be_many(args):
        from gridproof.bulk.many import opened
        from gridproof.bulk.parts import target
        from gridproof.cli._stopping import Stop
        from gridproof.runs.tables import form_of
        from gridproof.trust.crosscheck import ONE_BY_ONE

        output = target(args.output) if args.output else None
        with ExitStack() as stack:
            stop = Stop()
            workers, who = _workers(args, stack, stop.first if output else lambda: False)
            many = opened(
                (args.input or ["-"])[0],
                _options.shape_of(args),
                engine=args.engine or ("session" if args.backend or args.encoding else None),
                backend=args.backend,
                encoding=args.encoding,
                limits=_options.limits_of(args),
                cross_check=args.cross_check,
                cross_check_seconds=args.cross_check_seconds,
                column=args.column,
                zero=args.zero,
                part_size=args.part_size,
                timings=args.timings,
                rules=_options.rules_of(args),
                despite_unread=args.despite_unread,
                entries_as_clues=args.entries == "as-clues",
                form=form_of(args.output) if output else None,
                workers=workers,
            )
            job = stack.enter_context(many)
            if output:
                return _to_file(args, output, job, stack, workers, who, stop)
            if in_bulk or job.number > ONE_BY_ONE:
                return _to_screen(args, job, workers, who)
    args.cross_check = args.cross_check or "all"
    return _one_by_one(args)


def _refuse(args: argparse.Namespace) -> None:
    """Raise ``InputError`` for options that do not go together."""
    from gridproof.formats.sources import exists, refuse_to_overwrite

    inputs: list[str] = args.input or ["-"]
    output, source = args.output, inputs[0]
    if args.certify:
        raise InputError("--certify with options for bulk; expected it with puzzles one by one")
    if len(inputs) > 1:
        raise InputError(f"{len(inputs)} inputs ({', '.join(inputs[:3])}, ...); expected one at a time in bulk")
    if args.part_size is not None and args.part_size < 1:
        raise InputError(f"--part-size {args.part_size}; expected at least 1")
    if args.jobs is not None and args.jobs < 0:
        raise InputError(f"--jobs {args.jobs}; expected at least 0")
    if args.dask and args.jobs is not None:
        raise InputError("--dask with --jobs; expected one of them: the cluster has its own workers")
    if args.engine == "lanes" and (args.backend or args.encoding):
        raise InputError("--engine lanes with a backend or an encoding, which it would not use; expected one of them")
    if (args.resume or args.force) and not output:
        option, result = ("--resume", "continued") if args.resume else ("--force", "overwritten")
        raise InputError(f"{option} without --output; expected the result that is to be {result}")
    if output and args.json:
        raise InputError("--json with --output; expected a name that ends in .jsonl instead")
    if output and source != "-" and exists(output) and exists(source) and Path(output).samefile(source):
        raise InputError(f"input and output are both {output!r}; expected two files")
    if output and not args.resume and not args.force:
        refuse_to_overwrite(output)


_SHORTEST_LINE = 17
"""Bytes of a puzzle of 4x4 cells and its line end."""


def _may_be_many(args: argparse.Namespace) -> bool:
    """Whether the input is one file that may hold more puzzles than are answered one by one."""
    from gridproof.formats.sources import Source, exists
    from gridproof.trust.crosscheck import ONE_BY_ONE

    if args.certify or len(args.input) != 1 or args.input == ["-"] or not exists(args.input[0]):
        return False
    path = Path(args.input[0])
    if not path.is_file() or not os.access(path, os.R_OK):
        return False
    with Source(path) as source:  # the size of one that is packed says nothing
        return source.size > _SHORTEST_LINE * ONE_BY_ONE or source.is_parquet or source.is_compressed


def _one_by_one(args: argparse.Namespace) -> int:
    from gridproof.cli._results import Tally, verdict_json
    from gridproof.trust.answer import Status
    from gridproof.trust.record import VerdictRecord

    with _options.pipeline_of(args) as pipeline, Tally(args, Status.UNIQUE) as tally, ExitStack() as stack:
        certify = _certifier(args, pipeline, stack) if args.certify else None
        for number, item in tally.puzzles():
            verdict = pipeline.verify(item.board)
            if item.sheet is not None:
                verdict = verdict.on(item.sheet)
            elif item.answer is not None:
                verdict = verdict.beside(item.answer)
            if certify is not None:
                verdict = certify(verdict, number)
            record = VerdictRecord.of(verdict, number, item.line, item.text, item.symbols)
            record = record.on(item.sheet)._replace(title=item.title or None)
            tally.add(record, verdict)
            as_text = not args.json
            print(record.as_text(verdict.evidence.certificate) if as_text else verdict_json(item, verdict, record))
    return tally.exit_code


def _to_screen(args: argparse.Namespace, run: Run, workers: Workers, who: str) -> int:
    from gridproof.bulk.run import in_order, work_through
    from gridproof.cli._results import Tally
    from gridproof.trust.answer import Status

    source = run.rows.path
    with Tally(args, Status.UNIQUE, who) as tally:
        for result in in_order(work_through(run.chunks, run.job, workers)):
            assert result.columns is not None
            for verdict in result.disagreements:
                tally.report(verdict)
            for record in result.columns.records():
                if record.verdict in (Status.MALFORMED, Status.NOT_UNDERSTOOD):
                    if source and record.line:
                        record = record._replace(reason=f"{source}, {record.reason}")
                    if not tally.complaints.malformed(record.reason or "", record.puzzle, source, in_result=True):
                        continue
                else:
                    tally.complaints.good()
                sys.stdout.write(f"{record.as_json() if args.json else record.as_text()}\n")
            tally.counted.add(result.summary)
    return tally.exit_code if tally.counted.rows else _no_puzzle(run)


def _to_file(
    args: argparse.Namespace, output: Path, run: Run, stack: ExitStack, workers: Workers, who: str, stop: Stop
) -> int:
    from gridproof.bulk.parts import Parts, parts_folder
    from gridproof.bulk.to_file import Progress, finished_before, verify_to_file
    from gridproof.cli._results import Tally, exit_code
    from gridproof.runs.interrupts import Ended
    from gridproof.trust.answer import Status

    if args.resume and not parts_folder(output).exists():
        if before := finished_before(output, {"result": run.job.form, **run.options}, run.rows):
            _say(args, f"{args.output} is complete: nothing to resume")
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
    report_one = Tally(args, Status.UNIQUE).report
    try:
        with stop.listening():
            report = verify_to_file(
                run.rows, run.chunks, run.job, parts, workers, progress, stop=stop.is_set, disagreement=report_one
            )
    except Ended as end:
        progress.clear()
        say(_how_to_go_on(len(parts), str(end)))
        return end.exit_code
    except BaseException as problem:
        progress.clear()
        if len(parts) and not isinstance(problem, InputError):
            say(_how_to_go_on(len(parts)))
        raise
    progress.clear()
    _say_report(args, report, who)
    if not report.finished:
        say(_how_to_go_on(report.parts))
        return 130
    return exit_code(report.summary, Status.UNIQUE) if report.summary.rows else _no_puzzle(run)


def _no_puzzle(run: Run) -> int:
    say(f"gridproof: no puzzle in {run.rows.name}; expected at least one")
    return 2


def _how_to_go_on(parts: int, why: str = "interrupted") -> str:
    if not parts:
        return f"gridproof: {why} before any part was done"
    given = [word for word in sys.argv[1:] if len(word) < 3 or not "--force".startswith(word)]
    command = [*given, *(["--resume"] if "--resume" not in given else [])]
    kept = "1 part is" if parts == 1 else f"{parts:,} parts are"
    return f"gridproof: {why}; {kept} kept. To go on: {shlex.join(['gridproof', *command])}"


def _say(args: argparse.Namespace, line: str) -> None:
    if not args.quiet:
        say(line)


def _say_report(args: argparse.Namespace, report: Report, who: str) -> None:
    from gridproof.cli._results import summary_lines

    for line in summary_lines(report.summary, report.seconds, who, report.resumed):
        _say(args, line)
    if report.finished:
        _say(args, f"copies of an earlier puzzle: {'' if report.duplicates_exact else 'about '}{report.duplicates:,}")
        _say(args, f"result: {args.output}, with what was counted and timed in {args.output}.summary.json")


def _workers(
    args: argparse.Namespace, stack: ExitStack, again: Callable[[], bool] = lambda: False
) -> tuple[Workers, str]:
    """Who does the work, and that in words. again: see ``ThisProcess``."""
    from gridproof.bulk.run import own_workers
    from gridproof.runs.interrupts import ended_cleanly

    if args.dask:
        from gridproof.bulk.run import workers_of
        from gridproof.runs.cluster import Cluster

        cluster = stack.enter_context(closing(Cluster(args.dask)))
        stack.enter_context(ended_cleanly())
        return workers_of(cluster.executor, cluster.threads), f"on {cluster.threads()} Dask threads"
    jobs = args.jobs
    if jobs is None:
        jobs = _cores() if args.output else 0
    if jobs:
        stack.enter_context(ended_cleanly())
    workers = own_workers(jobs, again)
    stack.enter_context(workers.executor)
    return workers, f"with {jobs} workers" if jobs > 1 else ""


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _certifier(args: argparse.Namespace, pipeline: Pipeline, stack: ExitStack) -> Callable[[Verdict, int], Verdict]:
    """A function that writes the certificate of a verdict and says in its evidence where; the stack closes."""
    from gridproof.certify import Certificates, NotCertified, proving_backend
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
        except (Interrupted, NotCertified) as reason:  # the verdict stands all the same
            say(f"gridproof: puzzle {number}: no certificate: {reason}")
            return verdict

    return certify
