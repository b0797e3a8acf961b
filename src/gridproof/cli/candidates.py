"""The true candidates of each puzzle: for every cell the symbols it takes over all solutions, exactly.

Drawn as a grid of pencil marks; with --json, the symbols of each cell and a solution that shows each of them. Where
every cell can hold every symbol that is said in a sentence.
"""

from __future__ import annotations

import argparse
import json

from gridproof.cli import _options
from gridproof.cli._complaints import Complaints

SUMMARY = "for every cell the symbols it takes in any solution"
EXIT_CODES = {
    0: "every puzzle has a solution",
    1: "some have none, or are undecided",
}
EXAMPLES = (
    "gridproof candidates examples/two-solutions.txt",
    "gridproof candidates --json 1...............",
)


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_seconds(parser.add_argument_group("how the answer is found"))
    _options.add_output(parser, quiet=False)


def run(args: argparse.Namespace) -> int:
    from gridproof.cli._results import undecided
    from gridproof.errors import Interrupted, PuzzleFormatError
    from gridproof.explain import true_candidates
    from gridproof.formats import to_line
    from gridproof.limits import Limits
    from gridproof.show import board_text

    code, limits, complaints = 0, Limits(seconds=args.seconds), Complaints()
    for item in _options.items_of(args):
        if isinstance(item, PuzzleFormatError):
            complaints.malformed(str(item), item.text, item.source, in_result=False)
            code = 2
            continue
        complaints.good()
        _options.say_names(item)
        try:
            found = true_candidates(item.board, limits=limits)
        except Interrupted as problem:
            print(undecided(item, problem, as_json=args.json))
            code = code or 1
            continue
        geometry = item.board.geometry
        if args.json:
            cells = {
                geometry.cell_name(cell): [
                    geometry.symbol_text(s) for s in range(1, geometry.order + 1) if mask >> (s - 1) & 1
                ]
                for cell, mask in enumerate(found.masks)
            }
            witnesses = {
                f"{geometry.cell_name(cell)}={geometry.symbol_text(symbol)}": to_line(grid, geometry)
                for (cell, symbol), grid in sorted(found.witnesses.items())
            }
            print(json.dumps({"input": item.text, "candidates": cells, "witnesses": witnesses}))
        elif not found.witnesses:
            print("no candidates: the puzzle has no solution")
        elif set(found.masks) == {(1 << geometry.order) - 1}:
            print("every cell can hold every symbol")
        else:
            print(board_text(item.board, candidates=found.masks))
        if not found.witnesses:
            code = code or 1
    complaints.end()
    return code
