"""Print the canonical form of each puzzle, to find equal ones.

It is equal for puzzles that are equal up to symmetry, and different for others. The output has a line for each puzzle:
the form, a tab, and the number of automorphisms. The form is the least string, blanks first, among all images of the
puzzle under renaming of symbols, permutations of bands, stacks, rows and columns, and, where boxes are square,
transposition. It needs no solution. With --by-solution it is the form that the least form of the only solution carries;
never compare forms of the two kinds.

exit codes:
    0    every puzzle has its form
    1    some are undecided because a limit came first
    2    a puzzle is refused: it has rules, or houses without the usual symmetries, or not one solution by which to
         go

examples:
    gridproof canonical examples/well-known.txt
    gridproof canonical --by-solution 1.....2..3.....4
"""

from __future__ import annotations

import argparse
from contextlib import nullcontext
from functools import cache

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.generation.canonical import LeastForms, form_of
from gridproof.pipeline import Pipeline


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.flag(parser, "--by-solution", "the form carried by the least form of the solution")
    _options.seconds(parser)
    _options.add_output(parser)


def run(args: Options) -> int:
    forms = cache(LeastForms)
    solver = Pipeline(limits=args.limits, cross_check="none") if args.by_solution else nullcontext()
    with solver as pipeline, Results(args.inputs, "found", as_json=args.json, summary=not args.quiet) as results:
        for _, item, form in results.answers(
            lambda puzzle: form_of(puzzle.board, forms(puzzle.board.geometry), pipeline, args.limits)
        ):
            record = {"form": str(form), "automorphisms": form.automorphisms, "by_solution": form.by_solution}
            results.show(item, "found", f"{form}\t{form.automorphisms}", record)
    return results.exit_code
