"""Run backends x encodings x puzzle sets under a time limit, and compare them.

A SET is a file of puzzles or the name of a set that comes with gridproof. Every run works in a process that has
already imported its solver. A process that overruns the limit is ended and replaced. The order is shuffled: puzzle
after puzzle, each on every backend. Verdicts and solutions are compared, and a contradiction ends the run with exit
code 3.

The lines below the table explain its columns. `work`, for example, counts the guesses of a solver (111 d: decisions)
or the positions that a search visits (5,000 n: nodes). Ctrl-C keeps what was measured (exit code 130), and the same
command with --resume continues. --folder keeps everything that others need to run it again with --replay. Existing
results are overwritten only with --force; existing pictures are always overwritten.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from gridproof.cli import _options

if TYPE_CHECKING:
    from gridproof.compare import Comparison

SUMMARY = "compare backends and encodings on sets of puzzles"
EXIT_CODES = {
    0: "every run was made, or shown",
    3: "two runs contradict each other",
}
EXAMPLES = (
    "gridproof compare easy --sample 3 -b cadical153 -b search-bits -o results.csv --plot cactus.svg",
    "gridproof compare --from results.csv --scatter cadical153 search-bits scatter.png",
    "gridproof compare hard --repeat 1 --folder experiment",
    "gridproof compare --replay experiment",
)


def configure(parser: argparse.ArgumentParser) -> None:
    from gridproof.compare import DEFAULT_BACKENDS
    from gridproof.formats import datasets

    parser.usage = "%(prog)s [OPTION ...] [SET ...]"
    sets = parser.add_argument_group("puzzles")
    names = ", ".join(datasets.names())
    sets.add_argument("sets", nargs="*", metavar="SET", help=f"a file of puzzles, or one of the sets {names}")
    sets.add_argument("--list-sets", action="store_true", help="list the sets and exit")
    sets.add_argument(
        "--sample", type=_options.positive, metavar="N", help="at most N puzzles of each set, drawn with --seed"
    )
    _options.add_former(sets, "--limit", "sample")
    _options.add_zero(sets)
    _options.add_shape(parser)
    runs = parser.add_argument_group("what is run, and how")
    runs.add_argument(
        "-b",
        "--backend",
        action="append",
        metavar="NAME",
        help=f"a solver, see `gridproof backends`; repeatable (default: {', '.join(DEFAULT_BACKENDS)})",
    )
    runs.add_argument(
        "-e",
        "--encoding",
        action="append",
        metavar="NAME",
        help="an encoding, or a .toml file; repeatable (default: each backend's own, also if none of these fits)",
    )
    runs.add_argument(
        "--mode",
        choices=("cold", "warm", "both"),
        default="cold",
        help="cold: compile and load the rules for each puzzle; warm: once for each set (default: cold)",
    )
    runs.add_argument(
        "--seconds", type=_options.above_zero, default=10.0, metavar="S", help="time limit of each run (default: 10)"
    )
    runs.add_argument(
        "--repeat", type=_options.positive, default=3, metavar="N", help="how often each run is made (default: 3)"
    )
    runs.add_argument(
        "--cpu-seconds", type=_options.above_zero, metavar="S", help="limit of processor time of each run"
    )
    runs.add_argument(
        "--memory",
        type=_options.above_zero,
        metavar="MB",
        help="limit of resident memory of each run, including libraries",
    )
    runs.add_argument(
        "--solver-seeds",
        type=_options.positive,
        default=0,
        metavar="N",
        help="try N seeds on each solver that takes a seed",
    )
    runs.add_argument(
        "--images",
        type=_options.positive,
        default=0,
        metavar="N",
        help="replace each puzzle by N symmetric images, made with --seed",
    )
    runs.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the order, of --sample and of --images (default: 0)"
    )
    runs.add_argument(
        "--jobs",
        type=_options.positive,
        default=1,
        metavar="N",
        help="runs at a time; several disturb each other's times (default: 1)",
    )
    runs.add_argument(
        "--dask", metavar="ADDRESS", help="make the runs on the workers of a Dask scheduler (tcp://host:8786)"
    )
    results = parser.add_argument_group("results")
    results.add_argument("-o", "--output", metavar="FILE", help="write every run, as .csv, .jsonl or .parquet")
    _options.add_force(results, resume="continue the run that has left results in the output file")
    results.add_argument(
        "--from",
        dest="source",
        action="append",
        metavar="FILE",
        help="measure nothing and show the runs of this file; SET, -b and -e select; repeatable",
    )
    results.add_argument(
        "--rename",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="rename a backend, an encoding or a set of --from; repeatable",
    )
    results.add_argument(
        "--folder", metavar="DIR", help="a new folder for the runs, the tables and everything needed to run it again"
    )
    results.add_argument("--replay", metavar="DIR", help="run again what such a folder holds, and compare the results")
    results.add_argument(
        "--clock",
        choices=("whole", "solve"),
        default="whole",
        help="show times of whole runs, or of solving without encoding and loading (default: whole)",
    )
    results.add_argument(
        "--table", action="append", default=[], metavar="FILE", help="write the tables, as .md or .tex; repeatable"
    )
    results.add_argument("--plot", metavar="FILE", help="draw a cactus plot, as .svg, .png or .pdf")
    results.add_argument(
        "--scatter",
        nargs=3,
        action="append",
        default=[],
        metavar=("A", "B", "FILE"),
        help="plot two of them against each other, such as cadical195/triad cp-sat; repeatable",
    )
    results.add_argument(
        "--draw",
        nargs=2,
        action="append",
        default=[],
        metavar=("KIND", "FILE"),
        help="survival: the share of runs that take longer; tail: the same, both axes logarithmic; heat: backends "
        "against encodings; repeatable",
    )
    results.add_argument(
        "--against",
        nargs=2,
        action="append",
        default=[],
        metavar=("PARAMETER", "FILE"),
        help="plot time against a parameter of the instances, such as order, with the law of its growth; repeatable",
    )
    results.add_argument("--sizes", metavar="FILE", help="draw bars for the sizes of the encodings")
    results.add_argument(
        "-q", "--quiet", action="store_true", help="write neither notes nor progress to standard error"
    )


def run(args: argparse.Namespace) -> int:
    import sys

    from gridproof.compare import ContradictionError
    from gridproof.errors import InputError
    from gridproof.formats.sources import refuse_to_overwrite

    if args.list_sets:
        _list_sets()
        return 0
    if args.force and not args.output:
        raise InputError("--force without --output; expected the file that may be overwritten")
    _check_outputs(args)
    if args.output and not args.resume and not args.force:
        refuse_to_overwrite(args.output)
    try:
        comparison = _shown(args) if args.source else _packed(args) if args.folder or args.replay else _measured(args)
    except ContradictionError as problem:
        print(f"gridproof: CONTRADICTION: {problem}", file=sys.stderr)
        kept = f"; what was measured until then is in {args.output}" if args.output and not args.source else ""
        print(f"gridproof: one of them is wrong, so nothing is compared{kept}", file=sys.stderr)
        return 3
    if not comparison.records:
        return 0 if comparison.complete else 130
    try:
        _draw(comparison, args)
    finally:
        print(comparison.text(args.clock))
    if comparison.complete:
        return 0
    kept = f"; `--resume` goes on from {args.output}" if args.output else ""
    print(f"gridproof: interrupted{kept}", file=sys.stderr)
    return 130


def _list_sets() -> None:
    from gridproof.formats import datasets

    for name in datasets.names():
        print(f"{name:10} {len(datasets.load(name)):3} puzzles  {datasets.summary(name)}")


def _shown(args: argparse.Namespace) -> Comparison:
    """What was measured before."""
    from gridproof.compare import Comparison
    from gridproof.errors import InputError

    if args.resume or args.folder or args.replay:
        raise InputError("--from shows results that were measured before; expected no options of runs")
    names = [text.partition("=") for text in args.rename]
    if unclear := next((text for text, (_, equal, new) in zip(args.rename, names, strict=True) if not new), None):
        raise InputError(f"--rename {unclear}; expected OLD=NEW")
    comparison = Comparison.read(*args.source)
    comparison = comparison.part(sets=args.sets, backends=args.backend or (), encodings=args.encoding or ())
    if names:
        comparison = comparison.renamed({old: new for old, _, new in names})
    if args.output:
        comparison.write(args.output)
    return comparison


def _measured(args: argparse.Namespace) -> Comparison:
    import sys

    from gridproof.compare import DEFAULT_BACKENDS, Listener, Terminal, compare

    return compare(
        args.sets,
        args.backend or DEFAULT_BACKENDS,
        args.encoding or (),
        mode=args.mode,
        seconds=args.seconds,
        cpu_seconds=args.cpu_seconds,
        memory=args.memory,
        repeat=args.repeat,
        solver_seeds=args.solver_seeds,
        images=args.images,
        jobs=args.jobs,
        seed=args.seed,
        sample=args.sample,
        shape=_options.shape_of(args),
        zero=args.zero,
        rules=_options.rules_of(args),
        output=args.output,
        resume=args.resume,
        listener=Listener() if args.quiet else Terminal(sys.stderr),
        dask=args.dask,
    )


_OPTIONS = (
    *("sets", "backend", "encoding", "mode", "seconds", "cpu_seconds", "memory", "repeat", "solver_seeds", "images"),
    *("seed", "sample", "zero", "boxes", "jigsaw", "latin", "diagonal", "windoku", "disjoint", "rule", "rules"),
)
"""What a folder keeps of what was asked."""


def _packed(args: argparse.Namespace) -> Comparison:
    """What is measured now, with a folder that keeps it or from one."""
    from gridproof.compare import Comparison, folder
    from gridproof.errors import InputError

    if args.output or args.resume or (args.folder and args.replay):
        raise InputError("--folder and --replay keep their runs in the folder; expected one of them, without --output")
    if args.folder:
        folder.pack(args.folder, {name: getattr(args, name) for name in _OPTIONS})
        args.output = f"{args.folder}/{folder.RUNS}"
        comparison = _measured(args)
        folder.write_tables(comparison, args.folder)
        return comparison
    if args.sets or args.backend or args.encoding:
        raise InputError("--replay runs what the folder holds; expected neither sets nor options of runs")
    vars(args).update(folder.unpack(args.replay))
    first = Comparison.read(f"{args.replay}/{folder.RUNS}")
    args.output = str(folder.next_runs(args.replay))
    comparison = _measured(args)
    print(folder.beside(first, comparison), end="\n\n")
    return comparison


def _check_outputs(args: argparse.Namespace) -> None:
    """Find out now, not after hours, what cannot be drawn or written. Raises ``InputError``."""
    from gridproof.errors import InputError, choices
    from gridproof.show.plot_style import check_ending

    kinds = ("survival", "tail", "heat")
    for kind, _ in args.draw:
        if kind not in kinds:
            raise InputError(f"--draw {kind}; {choices(kind, kinds)}")
    for picture in (args.plot, args.sizes, *(names[-1] for names in (*args.scatter, *args.draw, *args.against))):
        if picture is not None:
            check_ending(picture)
    for table in args.table:
        if not table.endswith((".md", ".tex")):
            raise InputError(f"--table {table}; expected a name that ends in .md or .tex")


def _draw(comparison: Comparison, args: argparse.Namespace) -> None:
    from pathlib import Path

    for table in args.table:
        made = comparison.to_markdown(args.clock) if table.endswith(".md") else comparison.to_latex(args.clock)
        Path(table).write_text(made, encoding="utf-8")
    if args.plot:
        comparison.plot("cactus", clock=args.clock).save(args.plot)
    for first, second, file in args.scatter:
        comparison.plot("scatter", first, second, clock=args.clock).save(file)
    for kind, file in args.draw:
        comparison.plot(kind, clock=args.clock).save(file)
    for parameter, file in args.against:
        comparison.plot("against", parameter, clock=args.clock, fits=True).save(file)
    if args.sizes:
        comparison.plot("sizes").save(args.sizes)
