"""Print the canonical form of each puzzle, to find equal ones.

It is equal for puzzles that are equal up to symmetry, and different for others. The output has a line for each puzzle:
the form, a tab, and the number of automorphisms. The form is the least string, blanks first, among all images of the
puzzle under renaming of symbols, permutations of bands, stacks, rows and columns, and, where boxes are square,
transposition. It needs no solution. With --by-solution it is the form that the least form of the only solution carries;
never compare forms of the two kinds. A board with rules or further houses has a form under turns, mirror images and
names that keep these; rules may be listed in another order then, so compare the digests (--json: `canonical`).

exit codes:
    0    every puzzle has its form
    1    some are undecided because a limit came first
    2    a puzzle is refused: it has pencil marks, no symmetry keeps its rules, or it has not one solution by which to
         go

examples:
    gridproof canonical examples/well-known.txt
    gridproof canonical --by-solution 1.....2..3.....4
"""

from __future__ import annotations

import argparse
from contextlib import nullcontext

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.generation.canonical import FormFinder
from gridproof.pipeline import Pipeline


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.flag(parser, "--by-solution", "the form carried by the least form of the solution")
    _options.seconds(parser)
    _options.add_output(parser)


def run(args: Options) -> int:
    solver = Pipeline(limits=args.limits, cross_check="none") if args.by_solution else nullcontext()
    with solver as pipeline, Results(args.inputs, "found", as_json=args.json, summary=not args.quiet) as results:
        finder = FormFinder(args.limits, pipeline)
        for _, item, form in results.answers(lambda puzzle: finder.find(puzzle.board)):
            record = {"form": str(form), "automorphisms": form.automorphisms, "by_solution": form.by_solution}
            record["canonical"] = form.digest
            results.show(item, "found", f"{form}\t{form.automorphisms}", record)
    return results.exit_code
