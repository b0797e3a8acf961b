"""Write puzzles in another format: links, text, tables, files of other programs.

Everything that affects the solutions is written. If a format cannot express a puzzle, the puzzle is refused and the
others are written. What was not understood (`--despite-unread`) is written as unread, or the puzzle is refused. A
title, a solution and other parts that the format has no place for are counted on standard error. All commands also read
every format that `convert` writes. With `--partly` rules that a format cannot express are left out, and named on
standard error: the text then has every solution of the puzzle, perhaps more. Tables (CSV, JSON lines, Parquet) have the
columns that --columns names, and those of the table that was read that --keep names.

exit codes:
    0    every puzzle is written
    2    the format cannot express a puzzle (the others are written)

examples:
    gridproof convert examples/two-solutions.txt --to f-puzzles
    gridproof convert examples/well-known.txt -o puzzles.csv
"""

from __future__ import annotations

import argparse

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.cli._streams import to_stderr
from gridproof.cli._way_out import add_way_out, wishes_of
from gridproof.errors import BoardError, InputError
from gridproof.formats.catalog import all_formats
from gridproof.formats.partial import without_inexpressible
from gridproof.output.columns import Made
from gridproof.output.way_out import WayOut
from gridproof.output.writing import OWN
from gridproof.pipeline import Pipeline
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule
from gridproof.verbs import refuse_lost, with_names, with_only_solution

_WRITTEN = "written"


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    group = parser.add_argument_group("output")
    add_way_out(group, "one of them has to be stated")
    _options.value(group, "--title", "TEXT", "the title of each puzzle, in place of its own")
    _options.value(group, "--author", "TEXT", "the author of each puzzle, in place of its own")
    _options.flag(group, "--with-solution", "find the only solution and store it; a puzzle without one is refused")
    _options.seconds(group, text="time limit for each solution", default=10.0)
    text = "leave out rules that the format cannot express, and name them on standard error"
    _options.flag(group, "--partly", text)


def run(args: Options) -> int:
    if args.to is None and args.output is None:
        raise InputError("neither --to nor -o; expected --to FORMAT, or -o FILE with a name that ends in .toml or so")
    way_out = WayOut(wishes_of(args), OWN, shape=Geometry.standard)
    form = all_formats().get(way_out.form)
    if form is not None:
        refuse_lost(form, title=args.title, author=args.author, with_solution=args.with_solution)
    with Results(args.inputs, _WRITTEN) as results, Pipeline(limits=args.limits) as pipeline, way_out:
        for _, item in results.puzzles(results.inputs.items(headings=False)):
            try:
                puzzle = with_names(item, args.title, args.author)
                if args.with_solution:
                    puzzle = with_only_solution(puzzle, pipeline)
                left_out: tuple[Rule, ...] = ()
                if args.partly and form is not None:
                    puzzle, left_out = without_inexpressible(form, puzzle)
                way_out.add(Made(puzzle))
            except BoardError as problem:
                results.refuse(problem, item)
                continue
            results.count(_WRITTEN)
            for rule in left_out:
                to_stderr(f"gridproof: line {item.line}: left out: {rule.sentence(item.board.geometry)}")
            if item.not_understood:
                to_stderr(f"gridproof: line {item.line}: marked as not understood: {item.unread_summary()}")
    if way_out.lost:
        parts = ", ".join(f"{name} ({number:,})" for name, number in way_out.lost.items())
        to_stderr(f"gridproof: {way_out.form} has no place for these parts of puzzles, which are not written: {parts}")
    if way_out.summary:
        to_stderr(way_out.summary)
    return results.exit_code
