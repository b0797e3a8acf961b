"""Compare backends and encodings on sets of puzzles, under a time limit.

A SET is a file of puzzles, a puzzle, or the name of a set that comes with gridproof. Every backend runs with every
encoding on every puzzle. Every run works in a process that has already imported its solver. A process that overruns the
limit is ended and replaced. The order is shuffled: puzzle after puzzle, each on every backend. Verdicts and solutions
are compared, and a contradiction ends the run with exit code 3.

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

exit codes:
    0    every run was made, or read from a file
    3    two runs contradict each other

examples:
    gridproof compare easy --sample 3 -b cadical153 -b search-bits -o results.csv --draw cactus cactus.svg
    gridproof compare --from results.csv --draw scatter:cadical153,search-bits scatter.png
    gridproof compare --from results.csv --draw cactus cactus.pdf --width 8.4
    gridproof compare hard --repeat 1 --folder experiment
    gridproof compare --replay experiment
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from gridproof.cli import _options
from gridproof.errors import InputError
from gridproof.experiments import DEFAULT_BACKENDS, Comparison, ContradictionError, Plan, compare, replay
from gridproof.experiments import experiment as folders
from gridproof.experiments.results import PLOTS
from gridproof.formats import datasets
from gridproof.text import suggest


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [OPTION ...] [SET ...]"
    sets = parser.add_argument_group("puzzles")
    text = f"a file of puzzles, a puzzle, or one of the sets {', '.join(datasets.names())}"
    _options.value(sets, "sets", "SET", text, nargs="*")
    _options.flag(sets, "--list-sets", "list the sets and exit")
    _options.number(sets, "--sample", "at most N puzzles of each set, drawn with --seed")
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
    _options.repeatable(results, "--table", "FILE", "the tables as .md, .tex or .json")
    text = "plain results as .csv: instance,solver,time,status"
    _options.repeatable(results, "--export", "FILE", text)
    text = "a picture: cactus, scatter:A,B or against:PARAMETER, each with ,BY for panels"
    _options.repeatable(results, "--draw", ("KIND[:ARG]", "FILE"), text)
    _options.seconds(results, "--width", "pictures for a paper: their width in centimetres", metavar="CM")
    _options.flag(results, "-q --quiet", "no notes and no progress on standard error")


def run(args: argparse.Namespace) -> int:
    if args.list_sets:
        for name in datasets.names():
            print(f"{name:10} {len(datasets.load(name)):3} puzzles  {datasets.summary(name)}")
        return 0
    if args.force and not args.output:
        raise InputError("--force without --output; expected the file that may be overwritten")
    _check_outputs(args)
    _options.refuse_to_overwrite(args)
    place = args.output or args.folder or args.replay
    try:
        comparison = _compared(args)
    except ContradictionError as problem:
        print(f"gridproof: CONTRADICTION: {problem}", file=sys.stderr)
        kept = f"; what was measured until then is in {place}" if place and not args.source else ""
        print(f"gridproof: one of them is wrong, so nothing is compared{kept}", file=sys.stderr)
        return 3
    if comparison.records:
        try:
            for table in args.table:
                made = {".md": comparison.to_markdown, ".tex": comparison.to_latex, ".json": comparison.to_json}
                Path(table).write_text(made[Path(table).suffix](args.clock), encoding="utf-8")
            for file in args.export:
                comparison.export(file)
            for drawn, file in args.draw:
                comparison.plot(*_words(drawn), clock=args.clock, width=args.width).save(file)
        finally:
            print(comparison.text(args.clock))
    if comparison.complete:
        return 0
    kept = f"; the same command with --resume goes on from {place}" if place else ""
    print(f"gridproof: interrupted{kept}", file=sys.stderr)
    return 130


def _compared(args: argparse.Namespace) -> Comparison:
    """Read the runs of files; or make runs, perhaps with a folder that keeps them, or again what a folder holds."""
    planned = [name for name in folders.KEPT if name not in folders.FILES]
    options = {name: value for name in planned if (value := getattr(args, name)) is not None}
    given = {"SET": args.sets, "--backend": args.backend, "--encoding": args.encoding}
    given |= {f"--{name.replace('_', '-')}": getattr(args, name) for name in planned}

    def refuse(why: str, *more: str) -> None:
        for name, value in {**given, **{f"--{name}": getattr(args, name) for name in more}}.items():
            if value:
                raise InputError(f"{why}; expected no {name}")

    if args.source:
        del given["--seconds"]
        refuse("--from shows results that were measured before", "jobs", "resume", "folder", "replay")
        comparison = Comparison.read(*args.source, limit=args.seconds)
        if args.output:
            comparison.write(args.output)
        return comparison
    if (args.output and (args.folder or args.replay)) or (args.folder and args.replay):
        raise InputError("--folder and --replay keep their runs in the folder; expected one of them, without --output")
    note = None if args.quiet else partial(print, "gridproof:", file=sys.stderr, flush=True)
    here = {"jobs": args.jobs or 1, "resume": args.resume}
    if args.replay:
        refuse("--replay runs what the folder holds")
        comparison, changes = replay(args.replay, progress=not args.quiet, note=note, **here)
        print(changes, end="\n\n")
        return comparison
    if args.folder and args.resume and not args.sets:
        refuse("--folder and --resume without sets go on with what the folder holds")
        plan = folders.unpack(args.folder)
    else:
        plan = Plan(args.sets, args.backend or DEFAULT_BACKENDS, args.encoding or (), **options)
    return compare(plan, output=args.output, folder=args.folder, progress=not args.quiet, note=note, **here)


def _check_outputs(args: argparse.Namespace) -> None:
    """Check now, not after hours, that everything can be drawn and written. Raises ``InputError``."""
    for drawn, file in args.draw:
        from gridproof.experiments.plots import check_ending

        kind, *names = _words(drawn)
        if kind not in PLOTS:
            raise InputError(f"--draw {drawn}; {suggest(kind, PLOTS)}")
        if not 0 <= len(names) - PLOTS[kind] <= 1:
            raise InputError(f"--draw {drawn}; expected cactus, scatter:A,B or against:PARAMETER, perhaps with ,BY")
        check_ending(file)
    for option, files, *endings in (
        ("table", args.table, ".md", ".tex", ".json"),
        ("export", args.export, ".csv"),
    ):
        for file in files:
            if Path(file).suffix not in endings:
                raise InputError(f"--{option} {file}; expected a name that ends in {' or '.join(endings)}")


def _words(drawn: str) -> list[str]:
    """Return the kind of a picture and its arguments."""
    kind, _, arguments = drawn.partition(":")
    return [kind, *(arguments.split(",") if arguments else [])]
