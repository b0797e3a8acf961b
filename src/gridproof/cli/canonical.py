"""Print the canonical form of each puzzle, to find equal ones.

It is equal for puzzles that are equal up to symmetry, and different for others. The output has a line for each puzzle:
the form, a tab, and the number of automorphisms. The form is the least string, blanks first, among all images of the
puzzle under renaming of symbols, permutations of bands, stacks, rows and columns, and, where boxes are square,
transposition. It needs no solution. With --by-solution it is the form that the least form of the only solution carries;
never compare forms of the two kinds. -o writes a table with the form, its digest (`canonical`) and the columns of one's
own that --keep names. A board with rules or further houses has a form under turns, mirror images and
names that keep these; rules may be listed in another order then, so compare the digests (--json: `canonical`).

exit codes:
    0    every puzzle has its form
    1    some are undecided because a limit came first
    2    a puzzle is refused: it has pencil marks, no symmetry keeps its rules, or it has not one solution by which to
         go

examples:
    gridproof canonical examples/well-known.txt
    gridproof canonical --by-solution 1.....2..3.....4
    gridproof canonical examples/well-known.txt -o forms.csv --jobs 2 --force
"""

from __future__ import annotations

import argparse

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.cli._streams import to_stderr
from gridproof.cli._way_out import add_way_out, wishes_of
from gridproof.errors import BoardError, InputError, Interrupted
from gridproof.generation.many_forms import find_forms
from gridproof.output.columns import Made
from gridproof.output.way_out import LINES, WayOut
from gridproof.trust.answer import Status

TYPES = {"puzzle": "string", "form": "string", "automorphisms": "int64", "canonical": "string"}
"""The columns of a table, and their types."""


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.flag(parser, "--by-solution", "the form carried by the least form of the solution")
    _options.seconds(parser)
    _options.number(parser, "-j --jobs", "worker processes", 1)
    add_way_out(_options.add_output(parser), "a line with form and number of automorphisms")


def run(args: Options) -> int:
    way_out = WayOut(wishes_of(args), TYPES, shape=args.shape)
    if args.json and way_out.form != LINES:
        raise InputError(f"--json with {way_out.form}; expected one of them")
    with Results(args.inputs, "found", as_json=args.json, summary=not args.quiet) as results, way_out:
        puzzles = (puzzle for _, puzzle in results.puzzles())
        for puzzle, found in find_forms(puzzles, args.jobs, args.limits, by_solution=args.by_solution):
            if isinstance(found, Interrupted):
                undecided = {"verdict": Status.UNDECIDED, "reason": str(found)}
                results.show(puzzle, Status.UNDECIDED, f"{Status.UNDECIDED}: {found}", undecided)
            elif isinstance(found, BoardError):
                results.refuse(found, puzzle)
            elif way_out.form != LINES:
                results.count("found")
                columns = {"form": str(found), "automorphisms": found.automorphisms, "canonical": found.digest}
                way_out.add(Made(puzzle, columns, digest=found.digest))
            else:
                record = {"form": str(found), "automorphisms": found.automorphisms, "by_solution": found.by_solution}
                record["canonical"] = found.digest
                results.show(puzzle, "found", f"{found}\t{found.automorphisms}", record)
    if way_out.summary:
        to_stderr(way_out.summary)
    return results.exit_code
