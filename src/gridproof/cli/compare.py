"""Compare backends and encodings on sets of puzzles, under a time limit.

A SET is a file of puzzles, a puzzle, or the name of a set that comes with gridproof. Every backend runs with every
encoding on every puzzle. Every run works in a process that has already imported its solver. A process that overruns the
limit is ended and replaced. The order is shuffled: puzzle after puzzle, each on every backend. Verdicts and solutions
are compared, and a contradiction ends the run with exit code 3. A backend that cannot take a board of a set, such as
one for houses only, is left out of that set (`not applicable`).

The lines below the table explain its columns. `work`, for example, counts the guesses of a solver (111 d: decisions)
or the positions that a search visits (5,000 n: nodes). Ctrl-C keeps what was measured (exit code 130), and the same
command with --resume continues. --folder keeps everything that others need to run it again with --replay. Existing
results are overwritten only with --force; existing pictures are always overwritten.

--draw takes a kind of picture and a file that ends in .svg, .png or .pdf: cactus (puzzles solved within a time),
scatter:A,B (one setup against another, such as cadical195/triad,cp-sat), against:PARAMETER (time against a parameter of
the instances, such as order or holes). A further parameter behind a comma divides it into panels: cactus:order,
scatter:A,B,set. --width makes pictures for a paper, in small type and without a title.

--from reads runs of this command and plain results of other programs, which then stand beside them: a CSV with the
columns instance,solver,time,status. An instance called hard/3 is the third puzzle of `hard`.

--paper measures again what a paper published, prints our figures beside the published ones (in brackets), and whether
each claim holds here. A paper is a file of data, one of --list-papers or one of your own that ends in .toml. Its sets
are those that come with gridproof, or puzzles that are made; --puzzles SET=FILE takes a file in place of one.

exit codes:
    0    every run was made, or read from a file
    3    two runs contradict each other

examples:
    gridproof compare easy --sample 3 -b cadical153 -b search-bits -o results.csv --draw cactus cactus.svg
    gridproof compare --from results.csv --draw scatter:cadical153,search-bits scatter.png
    gridproof compare --from results.csv --draw cactus cactus.pdf --width 8.4
    gridproof compare hard --sample 3 --repeat 1 --folder experiment
    gridproof compare --replay experiment
    gridproof compare --paper encoding-sizes --sample 3
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._papers import check_endings, note_of, print_note, refuse, run_paper_options
from gridproof.errors import InputError
from gridproof.experiments import DEFAULT_BACKENDS, Comparison, ContradictionError, Plan, compare, replay
from gridproof.experiments import folder as folders
from gridproof.experiments.records import Clock
from gridproof.experiments.results import PLOTS
from gridproof.experiments.statistics import DEFAULT_FACTOR
from gridproof.experiments.table_columns import find_columns
from gridproof.formats import datasets
from gridproof.text import suggest


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [OPTION ...] [SET ...]"
    sets = parser.add_argument_group("puzzles")
    text = f"a file of puzzles, a puzzle, or one of the sets {', '.join(datasets.names())}"
    _options.value(sets, "sets", "SET", text, nargs="*")
    _options.flag(sets, "--list-sets", "list the sets and exit")
    _options.number(sets, "--sample", "at most N puzzles of each set, drawn with --seed")
    _options.value(sets, "--paper", "NAME", "measure again what a paper published, with --sample and --table only")
    _options.flag(sets, "--list-papers", "list the papers and exit")
    _options.repeatable(sets, "--puzzles", "SET=FILE", "puzzles in place of a set of the paper")
    runs = parser.add_argument_group("runs")
    text = f"a solver, see `gridproof backends`; repeatable (default: {', '.join(DEFAULT_BACKENDS)})"
    _options.value(runs, "-b --backend", "NAME", text, action="append")
    text = "an encoding, or a .toml file; repeatable (default: each backend's own, also if none of these fits)"
    _options.value(runs, "-e --encoding", "NAME", text, action="append")
    text = "cold: compile and load the rules for each puzzle; warm: once for each set (default: cold)"
    runs.add_argument("--mode", choices=("cold", "warm", "both"), help=text)
    _options.seconds(runs, "--seconds", "time limit of each run (default: 10)")
    _options.number(runs, "--repeat", "how often each run is made (default: 3)")
    _options.seconds(runs, "--cpu-seconds", "limit of processor time of each run, with the programs that it starts")
    _options.seconds(runs, "--memory", "limit of resident memory of each run, with libraries", metavar="MB")
    _options.number(runs, "--solver-seeds", "try N seeds on each solver that takes a seed")
    text = "seed of the order and of --sample (default: 0)"
    _options.value(runs, "--seed", "N", text, type=int)
    _options.number(runs, "--jobs", "runs at a time; several disturb each other's times (default: 1)")
    results = parser.add_argument_group("results")
    text = "continue the run whose results are in the output file or the folder"
    _options.add_file(results, "write every run, as .csv, .jsonl or .parquet", resume=text)
    text = "measure nothing and show the runs of this file, up to --seconds; repeatable"
    _options.value(results, "--from", "FILE", text, dest="source", action="append")
    text = "a new folder for the runs, the tables and everything needed to run it again"
    _options.value(results, "--folder", "DIR", text)
    _options.value(results, "--replay", "DIR", "run again what such a folder holds, and compare the results")
    text = "rank by wall time of whole runs or of solving alone, or by processor time (default: whole)"
    results.add_argument("--clock", choices=("whole", "solve", "cpu"), default="whole", help=text)
    text = "count a puzzle that was not solved as N times the limit (default: 2)"
    _options.number(results, "--par", text)
    text = "the columns of the tables, such as 'solved, PAR-2, p'"
    _options.value(results, "--columns", "NAMES", text)
    _options.repeatable(results, "--table", "FILE", "the tables as .md, .tex or .json")
    text = "plain results as .csv: instance,solver,time,status,seed,round"
    _options.repeatable(results, "--export", "FILE", text)
    text = "a picture: cactus, scatter:A,B or against:PARAMETER, each with ,BY for panels"
    _options.repeatable(results, "--draw", ("KIND[:ARG]", "FILE"), text)
    _options.seconds(results, "--width", "pictures for a paper: their width in centimetres", metavar="CM")
    _options.flag(results, "-q --quiet", "no notes and no progress on standard error")


def run(args: Options) -> int:
    if args.list_sets:
        list_sets()
        return 0
    if args.list_papers or args.paper or args.puzzles:
        return run_paper_options(args)
    return compare_sets(args)


def compare_sets(args: Options) -> int:
    """Run or read a comparison, and show it."""
    if args.force and not args.output:
        raise InputError("--force without --output; expected the file that may be overwritten")
    # now, not after hours: whether everything can be drawn and written
    drawings = [parse_drawing(drawn, file) for drawn, file in args.draw]
    check_endings("--table", args.table, [".md", ".tex", ".json"])
    check_endings("--export", args.export, [".csv"])
    look = read_look(args)
    _options.refuse_to_overwrite(args.output, force=args.force, resume=args.resume)
    options = {
        "mode": args.mode,
        "seconds": args.seconds,
        "cpu_seconds": args.cpu_seconds,
        "memory": args.memory,
        "repeat": args.repeat,
        "solver_seeds": args.solver_seeds,
        "sample": args.sample,
        "seed": args.seed,
    }
    of_plan = {"SET": args.sets, "--backend": args.backend, "--encoding": args.encoding}
    of_plan |= {f"--{name.replace('_', '-')}": value for name, value in options.items()}
    of_run = {"--jobs": args.jobs, "--resume": args.resume, "--folder": args.folder, "--replay": args.replay}
    goes_on = bool(args.folder and args.resume and not args.sets)
    if args.source:
        of_plan.pop("--seconds")  # the limit up to which runs are shown
        refuse("--from shows results that were measured before", of_plan | of_run)
    else:
        refuse_mixtures(of_plan, args.output, args.folder, args.replay, goes_on=goes_on)
    note = note_of(quiet=args.quiet)
    running = {"jobs": args.jobs or 1, "resume": args.resume, "progress": not args.quiet, "note": note}
    place = args.output or args.folder or args.replay
    try:
        if args.source:
            comparison = read_runs(args.source, args.seconds, args.output)
        elif args.replay:
            comparison, changes = replay(args.replay, **running)
            print(changes, end="\n\n")
        elif goes_on:
            comparison = compare(folders.unpack(args.folder), folder=args.folder, **running)
        else:
            named = {name: value for name, value in options.items() if value is not None}
            plan = Plan(args.sets, args.backend or DEFAULT_BACKENDS, args.encoding or (), **named)
            comparison = compare(plan, output=args.output, folder=args.folder, **running)
    except ContradictionError as problem:
        print_note(f"CONTRADICTION: {problem}")
        message = "one of them is wrong, so nothing is compared"
        if place and not args.source:
            message += f"; what was measured until then is in {place}"
        print_note(message)
        return 3
    show(comparison, look, args.table, args.export, drawings, args.width)
    if args.folder:
        keep_files(args.folder, args.table + args.export + [drawing.file for drawing in drawings])
    if comparison.complete:
        return 0
    message = "interrupted"
    if place:
        message += f"; the same command with --resume goes on from {place}"
    print_note(message)
    return 130


def read_look(args: Options) -> _Look:
    """Return the options of all tables. Raises ``InputError`` for an unknown column."""
    look = _Look(args.clock, args.par or DEFAULT_FACTOR, args.columns or "")
    if look.columns:
        find_columns(look.columns)
    return look


def read_runs(files: Sequence[str], seconds: float | None, output: str | None) -> Comparison:
    """Return the runs of files, up to some seconds each, and write them to one file if that is wanted."""
    comparison = Comparison.read(*files, limit=seconds)
    if output:
        comparison.write(output)
    return comparison


def list_sets() -> None:
    """Print a line about each set of puzzles that comes with gridproof."""
    for name in datasets.names():
        print(f"{name:10} {len(datasets.load(name)):3} puzzles  {datasets.summary(name)}")


class _Look(NamedTuple):
    """The options of all tables: see ``Comparison.to_markdown``."""

    clock: Clock
    par: int
    columns: str


class _Drawing(NamedTuple):
    """A picture to be drawn.

    names: the setups or the parameter that its kind takes, perhaps the parameter of its panels.
    """

    kind: str
    names: list[str]
    file: str


def parse_drawing(drawn: str, file: str) -> _Drawing:
    """Return the picture of an option ``--draw``. Raises ``InputError``."""
    from gridproof.experiments.plot_layout import check_ending

    kind, _, arguments = drawn.partition(":")
    names = arguments.split(",") if arguments else []
    if kind not in PLOTS:
        raise InputError(f"--draw {drawn}; {suggest(kind, PLOTS)}")
    if not 0 <= len(names) - PLOTS[kind] <= 1:
        raise InputError(f"--draw {drawn}; expected cactus, scatter:A,B or against:PARAMETER, perhaps with ,BY")
    check_ending(file)
    return _Drawing(kind, names, file)


def show(
    comparison: Comparison,
    look: _Look,
    tables: Sequence[str],
    exports: Sequence[str],
    drawings: Sequence[_Drawing],
    width: float | None,
) -> None:
    """Write the tables, the plain results and the pictures of a comparison, if it has runs, and print it."""
    if not comparison.records:
        return
    try:
        for table in tables:
            Path(table).write_text(write_tables(comparison, look, Path(table).suffix), encoding="utf-8")
        for file in exports:
            comparison.export(file)
        for drawing in drawings:
            comparison.plot(drawing.kind, *drawing.names, clock=look.clock, width=width).save(drawing.file)
    finally:
        print(comparison.text(*look))


def write_tables(comparison: Comparison, look: _Look, ending: str) -> str:
    """Return the tables in the form of a file with this ending."""
    if ending == ".json":
        return comparison.to_json(look.clock, look.par)  # it has everything
    if ending == ".tex":
        return comparison.to_latex(*look)
    return comparison.to_markdown(*look)


def keep_files(folder: str, written: Sequence[str]) -> None:
    """Copy the tables, plain results and pictures that were written into the folder of the comparison."""
    for file in written:
        path = Path(file)
        if path.is_file() and path.parent.resolve() != Path(folder).resolve():
            shutil.copyfile(path, Path(folder) / path.name)


def refuse_mixtures(
    of_plan: Mapping[str, object], output: str | None, folder: str | None, replayed: str | None, *, goes_on: bool
) -> None:
    """Raise ``InputError`` for options of a run that do not go together. of_plan: those that state what is run."""
    if (output and (folder or replayed)) or (folder and replayed):
        raise InputError("--folder and --replay keep their runs in the folder; expected one of them, without --output")
    if replayed:
        refuse("--replay runs what the folder holds", of_plan)
    elif goes_on:
        refuse("--folder and --resume without sets go on with what the folder holds", of_plan)
