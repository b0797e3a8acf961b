"""Make random boards by kind, order, share of holes and seed.

The boards are written as CSV, or as --to and -o state, for experiments: quasigroups and Sudoku with holes, of any
order, each from its own seed. KIND is qwh (a random Latin square with holes), qcp (a Latin square that was begun at
random and may have no solution) or sudoku (a full grid with boxes and holes). A row has the board, its solution if
there is one, the parameters (holes: the share as given; empty: the number of empty cells), and the status: unique,
multiple or none, by the default backend within --seconds, else undecided. Tables may be glued together: a header may
stand within them.

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
from itertools import product
from typing import Any

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._streams import to_stderr
from gridproof.cli._way_out import add_way_out, wishes_of
from gridproof.errors import InputError
from gridproof.experiments.instances import KINDS, TYPES, Instance, instance, share_of_holes
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import read_boxes
from gridproof.limits import Limits
from gridproof.output.columns import Made
from gridproof.output.way_out import WayOut
from gridproof.pipeline import Pipeline
from gridproof.puzzle.geometry import Geometry
from gridproof.trust.verdict import Verdict


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
    add_way_out(parser.add_argument_group("output"), "CSV", reads=False)


def run(args: Options) -> int:
    if args.boxes is not None and args.kind != "sudoku":
        raise InputError(f"--boxes {args.boxes} with {args.kind}; expected --order N, since it has no boxes")
    if args.boxes is not None:
        geometries = [read_boxes(args.boxes, "--boxes")]
    else:
        usual = Geometry.standard if args.kind == "sudoku" else Geometry.latin
        geometries = [usual(order) for order in args.order]
    with (
        Pipeline(limits=Limits(seconds=args.seconds), cross_check="none") as pipeline,
        WayOut(wishes_of(args), TYPES, usual="csv", live=True) as way_out,
    ):
        seeds = range(args.seed, args.seed + args.count)
        for geometry, holes, seed in product(geometries, args.holes, seeds):
            share = share_of_holes(holes, geometry.order)
            made = instance(args.kind, geometry, share, seed, balanced=args.balanced)
            verdict = pipeline.verify(made.board)
            known = made.solution or verdict.solution
            puzzle = Puzzle(made.board, None if known is None else tuple(known))
            way_out.add(Made(puzzle, columns_of(made, share, verdict)))
    if way_out.summary:
        to_stderr(way_out.summary)
    return 0


def columns_of(made: Instance, share: float, verdict: Verdict) -> dict[str, Any]:
    """Return what a board was made from, and its status."""
    geometry = made.board.geometry
    return {
        "kind": made.kind,
        "order": geometry.order,
        "holes": f"{share:g}",
        "empty": made.holes,
        "balanced": "yes" if made.balanced else "no",
        "seed": made.seed,
        "status": str(verdict.status),
    }
