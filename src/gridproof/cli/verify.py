"""Check whether puzzles have exactly one solution.

The verdict on each is unique, multiple (with two solutions), none, at most one, undecided, malformed, not understood or
disagreement. The output has one tab-separated line for each puzzle: the verdict, then the solution. `multiple` has two
solutions and the cells in which they differ; other verdicts have the reason. If something unread may be a rule, the
verdict is what follows from the rest: `none`, `unique` with the stored solution, `at most one`, or `not understood`.
Nobody reads rules in words: with these, `unique` is by what was read unless the stored solution confirms it, and
several solutions, or none, are `not understood`. A summary goes to standard error. -o writes the result to a file part
by part, and an interrupted run can be resumed.

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
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.cli import _options
from gridproof.cli._inputs import Inputs
from gridproof.cli._options import Options
from gridproof.cli._results import Results, details_of, exit_code, print_summary, report_disagreement
from gridproof.cli._stopping import first_ctrl_c, how_to_go_on
from gridproof.cli._streams import to_stderr
from gridproof.errors import InputError, NotUnderstoodError
from gridproof.formats import parse
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.formats.sources import STANDARD_INPUT, Source, exists, is_same_file
from gridproof.limits import Limits
from gridproof.runs.interrupts import Ended
from gridproof.trust.answer import Status
from gridproof.trust.record import VerdictRecord
from gridproof.trust.verdict import Verdict

if TYPE_CHECKING:
    from gridproof.bulk.job import Engine, RunOptions
    from gridproof.pipeline import Pipeline
    from gridproof.puzzle.board import Board


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    from gridproof.trust import crosscheck

    share = f"sample={crosscheck.SAMPLED_SHARE:g}"
    usual = f"all of up to {crosscheck.ALL_CHECKED:,} puzzles, and {share} of more"
    _options.add_cross_check(_options.add_backend(parser), usual=usual)
    output = _options.add_output(parser)
    _options.flag(output, "--details", "JSON with backend, times, statistics, geometry, rules and prose, too")
    _options.flag(
        output,
        "--distinct",
        "name the puzzles that are equal to an earlier one up to symmetry; with -o, in FILE-equal, too",
    )
    bulk = parser.add_argument_group("many puzzles of one file (bulk)")
    help_text = "the result, as .parquet, .csv or .jsonl; FILE.summary.json gets the summary and times"
    _options.add_file(bulk, help_text, resume="continue the run that has left parts of this output")
    workers = bulk.add_mutually_exclusive_group()
    _options.number(workers, "-j --jobs", "number of worker processes (default with -o: one per core)", least=0)
    _options.value(workers, "--dask", "ADDRESS", "use the workers of a Dask scheduler (tcp://host:8786)")
    _options.flag(bulk, "--rate", "also rate each puzzle with one solution (see `gridproof rate`), in two more columns")
    text = "a column with the digest of each canonical form, the same for puzzles that are equal up to symmetry"
    _options.flag(bulk, "--canonical", text)
    _options.value(bulk, "--column", "NAME", "the column of puzzles, in a CSV or Parquet file")
    text = "with -o, columns of the table that is read, such as id,source, which are kept; or all"
    _options.value(bulk, "--keep", "NAMES", text, type=_options.split_names, default=())
    help_text = (
        "session: the backend, puzzle by puzzle; auto: the lanes, hundreds at once, bit by bit, then the backend for "
        "the rest (default: by the number of puzzles; with -b, -e: session)"
    )
    bulk.add_argument("--engine", choices=("auto", "session"), help=help_text)


def run(args: Options) -> int:
    in_bulk = {
        "output": args.output,
        "jobs": args.jobs,
        "resume": args.resume,
        "column": args.column,
        "keep": args.keep or None,
        "engine": args.engine,
        "dask": args.dask,
        "rate": args.rate,
        "canonical": args.canonical,
    }
    # 0 is a number that was given: no worker processes
    bulk_options = [name for name, value in in_bulk.items() if value is not None and value is not False]
    sources: Sequence[str] = args.input or [STANDARD_INPUT]
    refuse_mixtures(
        sources,
        args.output,
        bulk_options,
        as_json=args.json,
        details=args.details,
        force=args.force,
        resume=args.resume,
    )
    _options.refuse_to_overwrite(args.output, force=args.force, resume=args.resume)

    inputs = args.inputs
    if inputs.looks_at_drawings and bulk_options:
        raise InputError(f"--{bulk_options[0]} with drawings or words that were read; expected one of them")
    may_be_many = len(sources) == 1 and not args.details and not inputs.looks_at_drawings and may_hold_many(sources[0])
    with ExitStack() as stack:
        if bulk_options or may_be_many:
            options = run_options(
                inputs,
                engine=args.engine,
                backend=args.backend,
                encoding=args.encoding,
                limits=args.limits,
                cross_check=args.cross_check,
                rules=args.rule,
                column=args.column,
                rate=args.rate,
                canonical=args.canonical or bool(args.distinct and args.output),
            )
            if args.output:
                code = write_table(
                    sources[0], options, args.output, args.jobs, args.dask, args.resume, args.quiet, keep=args.keep
                )
                if args.distinct and code != INTERRUPTED:
                    compare_rows(Path(args.output), quiet=args.quiet)
                return code
            rows = decide_in_bulk(sources[0], options, args.jobs or 0, args.dask, with_boards=args.distinct)
        else:
            pipeline = stack.enter_context(args.open_pipeline())
            rows = decide_one_by_one(inputs, pipeline, with_details=args.details)
        results = Results(inputs, Status.UNIQUE, summary=not args.quiet)
        if args.distinct:
            from gridproof.generation.distinct import EqualPuzzles

            results.distinct = EqualPuzzles()
        with results, closing(rows):
            print_rows(rows, results, as_json=args.json or args.details)
    return results.exit_code


def refuse_mixtures(
    sources: Sequence[str],
    output: str | None,
    bulk_options: Sequence[str],
    *,
    as_json: bool,
    details: bool,
    force: bool,
    resume: bool,
) -> None:
    """Raise ``InputError`` for options that do not go together. bulk_options: the names of those for bulk."""
    if bulk_options:
        if details:
            raise InputError(f"--details with --{bulk_options[0]}; expected one of them: it is made puzzle by puzzle")
        if len(sources) > 1:
            named = f"{len(sources)} inputs ({', '.join(sources[:3])}, ...)"
            raise InputError(f"{named}; expected one with --{bulk_options[0]}")
    if output:
        if as_json:
            raise InputError("--json with --output; expected a name that ends in .jsonl instead")
        if is_same_file(output, sources[0]):
            raise InputError(f"input and output are both {output!r}; expected two files")
        return
    for given, is_given in {"resume": resume, "force": force, "keep": "keep" in bulk_options}.items():
        if is_given:
            raise InputError(f"--{given} without --output; expected the result, too")


def print_rows(rows: Iterable[_Row], results: Results, *, as_json: bool) -> None:
    """Print and count the result for each puzzle; of malformed ones as text only the first."""
    for row in rows:
        results.add(row.record, row.verdict)
        if results.distinct is not None and row.board is not None:
            results.distinct.add(row.record.row, row.board)
        if as_json:
            print(row.record.as_json(row.details))
        elif row.record.verdict != Status.MALFORMED or results.count_malformed():
            print(row.record.as_text())
    results.end_malformed()


INTERRUPTED = 130
"""The exit code of a run that Ctrl-C has ended."""

_SHORTEST_LINE = 17
"""Bytes of a puzzle of 4x4 cells and its line end."""


def may_hold_many(source: str) -> bool:
    """Return whether an INPUT is a file that may hold more puzzles than are decided one by one."""
    from gridproof.trust.crosscheck import ONE_BY_ONE

    if not exists(source) or not Path(source).is_file() or not os.access(source, os.R_OK):
        return False
    with Source(source) as file:  # the size of one that is packed is no measure
        return file.size > _SHORTEST_LINE * ONE_BY_ONE or file.is_parquet or file.is_compressed


# ---- the two engines: each gives a row for every puzzle --------------------------------------------------------------


class _Row(NamedTuple):
    """The result for a puzzle.

    verdict: in full, of each puzzle that was decided one by one; in bulk only of a disagreement. board: the puzzle that
    was verified, for comparison with others. details: further keys for JSON, if they are wanted.
    """

    record: VerdictRecord
    verdict: Verdict | None = None
    board: Board | None = None
    details: Mapping[str, Any] | None = None


def decide_one_by_one(inputs: Inputs, pipeline: Pipeline, *, with_details: bool) -> Generator[_Row, None, None]:
    """Yield the result for each puzzle of the INPUTs, as they are read."""
    for number, item in enumerate(inputs.items(parts=True), 1):
        result: Item = item
        verdict = None
        if isinstance(item, Puzzle):
            try:
                verdict = pipeline.verify(item, despite_unread=inputs.despite_unread)
            except NotUnderstoodError as problem:
                inputs.place(problem, item)
                result = problem
        if isinstance(result, Puzzle):
            assert verdict is not None
            record = VerdictRecord.of(verdict, number, result.line, result.text, result.symbols).with_puzzle(result)
            row = _Row(record, verdict, result.board)
        else:
            row = _Row(VerdictRecord.of_error(result, number))
        if with_details:
            row = row._replace(details=details_of(result, verdict))
        yield row


def decide_in_bulk(
    source: str, options: RunOptions, jobs: int, dask: str | None, *, with_boards: bool
) -> Generator[_Row, None, None]:
    """Yield the result for each puzzle of one INPUT, which workers decide part by part.

    with_boards: whether boards are needed. Raises ``InputError`` for an INPUT without any puzzle.
    """
    from gridproof.bulk.many import open_run
    from gridproof.bulk.run import open_workers, put_in_order, work_through

    number = 0
    with open_workers(jobs, dask) as workers, open_run(source, options, workers) as run:
        for result in put_in_order(work_through(run.chunks, run.job, workers, warn=print_warning)):
            assert result.columns is not None
            disagreements = iter(result.disagreements)
            for record in result.columns.records():
                number += 1
                is_read = record.verdict not in (Status.MALFORMED, Status.NOT_UNDERSTOOD)
                if not is_read and run.rows.path and record.line:
                    record = record._replace(reason=f"{run.rows.path}, {record.reason}")
                verdict = board = None
                if record.verdict == Status.DISAGREEMENT:
                    verdict = next(disagreements)
                if with_boards and is_read:
                    board = parse_again(record.puzzle, options)
                yield _Row(record, verdict, board)
        if not number:
            raise InputError(f"no puzzle in {run.rows.name}; expected at least one")


def run_options(
    inputs: Inputs,
    *,
    engine: Engine | None,
    backend: str | None,
    encoding: str | None,
    limits: Limits,
    cross_check: str | None,
    rules: Sequence[str],
    column: str | None,
    rate: bool,
    canonical: bool,
) -> RunOptions:
    """Return the options of a run on many puzzles. rules: of the inputs, as texts that workers can be sent."""
    from gridproof.bulk.job import RunOptions
    from gridproof.pipeline import DEFAULT_BACKEND

    if engine is None and (backend or encoding):
        engine = "session"
    return RunOptions(
        shape=inputs.shape,
        zero=inputs.zero,
        despite_unread=inputs.despite_unread,
        entries_as_clues=inputs.entries_as_clues,
        rules=rules,
        engine=engine,
        backend=backend or DEFAULT_BACKEND,
        encoding=encoding,
        limits=limits,
        cross_check=cross_check,
        column=column,
        rate=rate,
        canonical=canonical,
    )


# ---- the result in a file --------------------------------------------------------------------------------------------


def write_table(
    source: str,
    options: RunOptions,
    output: str,
    jobs: int | None,
    dask: str | None,
    resume: bool,
    quiet: bool,
    *,
    keep: Sequence[str] = (),
) -> int:
    """Write the results for an INPUT, with columns of it, to a table part by part; return the exit code."""
    from gridproof.bulk.kept import KeptColumns
    from gridproof.bulk.many import open_run
    from gridproof.bulk.run import count_cores, open_workers
    from gridproof.bulk.to_file import Parts, verify_to_file
    from gridproof.runs.progress import ProgressBar
    from gridproof.runs.tables import form_of, resolve_output

    resolve_output(output)
    kept = KeptColumns(source, keep, options.reading, options.column) if keep else None
    form = form_of(output) if kept is None else None  # workers encode what has no columns of the input
    with ExitStack() as stack:
        workers = stack.enter_context(open_workers(count_cores() if jobs is None else jobs, dask))
        run = stack.enter_context(open_run(source, options, workers, form))
        parts = stack.enter_context(Parts(output, run.described, resume=resume, kept=kept))
        try:
            with ProgressBar("puzzles", wanted=not quiet) as shown, first_ctrl_c(shown.clear) as stop:

                def warn(text: str) -> None:
                    shown.clear()
                    print_warning(text)

                report = verify_to_file(
                    run, parts, workers, shown, stop=stop, disagreement=report_disagreement, warn=warn
                )
        except Ended as end:
            to_stderr(how_to_go_on(len(parts), str(end)))
            return end.exit_code
        except BaseException as problem:
            if len(parts) and not isinstance(problem, InputError):
                to_stderr(how_to_go_on(len(parts)))
            raise
        if not quiet:
            print_summary(report.summary, report.seconds, report.resumed)
            if report.finished:
                to_stderr(f"result: {output}, with what was counted and timed in {output}.summary.json")
        if not report.finished:
            to_stderr(how_to_go_on(len(parts)))
            return INTERRUPTED
        if not report.summary.rows:
            to_stderr(f"gridproof: no puzzle in {run.rows.name}; expected at least one")
        return exit_code(report.summary, Status.UNIQUE)


def compare_rows(output: Path, *, quiet: bool) -> None:
    """State which rows of a result are equal to earlier ones up to symmetry, and write all of them beside it."""
    from gridproof.generation.distinct import compare_table, equal_rows_path

    distinct = compare_table(output)
    path = equal_rows_path(output)
    distinct.write(path)
    if not quiet:
        to_stderr(f"{distinct}; all of these: {path}")


def parse_again(puzzle: str, options: RunOptions) -> Board:
    """Return the board of a row, which was read before."""
    return parse(
        puzzle,
        options.shape,
        options.zero,
        rules=options.rules,
        entries_as_clues=options.entries_as_clues,
        despite_unread=True,
    )


def print_warning(text: str) -> None:
    to_stderr(f"gridproof: {text}")
