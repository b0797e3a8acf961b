"""Make random boards by kind, order, share of holes and seed.

The boards are written as CSV, for experiments: quasigroups and Sudoku with holes, of any order, each from its own seed.
KIND is qwh (a random Latin square with holes), qcp (a Latin square that was begun at random and may have no solution)
or sudoku (a full grid with boxes and holes). A row has the board, its solution if there is one, the parameters (holes:
the share as given; empty: the number of empty cells), and the status: unique, multiple or none, by the default
backend within --seconds, else undecided. Tables may be glued together: a header may stand within them.

As a share, the holes of the hardest Latin squares fall with the order: from some 58 % at small ones (Gomes and Selman
1997: 42 % are given), as 1.7n^1.55 in number (Kautz and others 2001). --holes takes such numbers, too. Of the qcp made
here half have a solution at 54 % holes (order 15), 50 % (20) and 44 % (30).

To compare solvers on them: gridproof instances qwh --order 15 --holes 0.3 0.42 0.6 --count 10 > holes.csv, then
gridproof compare holes.csv

exit codes:
    0    all boards are written

examples:
    gridproof instances qwh --order 12 --holes 0.42 --count 2
    gridproof instances sudoku --boxes 2x3 --holes 0.5 0.6 --balanced --seed 7
    gridproof instances qcp --order 9 --holes 0.45 --seconds 1
"""

from __future__ import annotations

import argparse
import csv
import sys
from itertools import product

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.errors import InputError
from gridproof.experiments.instances import COLUMNS, KINDS, instance, share_of_holes
from gridproof.formats import to_line
from gridproof.formats.shapes import read_boxes
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.geometry import Geometry


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s KIND [OPTION ...]"
    _options.value(parser, "kind", "KIND", ", ".join(KINDS), choices=tuple(KINDS))
    size = parser.add_mutually_exclusive_group(required=True)
    text = "the numbers of symbols; sudoku gets the usual boxes"
    _options.value(size, "--order", "N", text, nargs="+", type=int)
    _options.value(size, "--boxes", "RxC", "boxes of R rows and C columns, for sudoku")
    text = "the shares of empty cells, each from 0 to 1, or numbers of them such as 1.7n^1.55, n being the order"
    _options.value(parser, "--holes", "P", text, nargs="+", required=True)
    _options.number(parser, "--count", "boards for each order and share", 1)
    _options.value(parser, "--seed", "N", "seed of the first board; the others follow", type=int, default=0)
    _options.flag(parser, "--balanced", "put the same number of holes into each house")
    _options.seconds(parser, default=10.0)


def run(args: Options) -> int:
    if args.boxes is not None and args.kind != "sudoku":
        raise InputError(f"--boxes {args.boxes} with {args.kind}; expected --order N, since it has no boxes")
    if args.boxes is not None:
        geometries = [read_boxes(args.boxes, "--boxes")]
    else:
        usual = Geometry.standard if args.kind == "sudoku" else Geometry.latin
        geometries = [usual(order) for order in args.order]
    table = csv.writer(sys.stdout, lineterminator="\n")
    with Pipeline(limits=Limits(seconds=args.seconds), cross_check="none") as pipeline:
        seeds = range(args.seed, args.seed + args.count)
        for number, (geometry, holes, seed) in enumerate(product(geometries, args.holes, seeds)):
            share = share_of_holes(holes, geometry.order)
            made = instance(args.kind, geometry, share, seed, balanced=args.balanced)
            verdict = pipeline.verify(made.board)
            known = made.solution or verdict.solution
            if not number:  # not before the first is made: what cannot be made leaves nothing behind
                table.writerow(COLUMNS)
            puzzle = to_line(made.board.clues, geometry)
            solution = to_line(known, geometry) if known else ""
            balanced = "yes" if made.balanced else "no"
            parameters = [made.kind, geometry.order, f"{share:g}", made.holes, balanced, made.seed]
            table.writerow([puzzle, solution, *parameters, verdict.status])
            sys.stdout.flush()
    return 0
