"""Show the digits that each cell has in at least one solution.

These true candidates are drawn as a grid of pencil marks. With --json they are listed for each cell, with a solution
for each of them. If every cell can hold every symbol, there is only one sentence.

exit codes:
    0    every puzzle has a solution
    1    some have none, or are undecided

examples:
    gridproof candidates examples/two-solutions.txt
    gridproof candidates --json 1...............
"""

from __future__ import annotations

import argparse

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.explanations import DEFAULT_BACKEND, candidates
from gridproof.formats import to_line
from gridproof.models.variables import candidate_name
from gridproof.pictures import board_text
from gridproof.trust.answer import Status


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_backend(parser, DEFAULT_BACKEND)
    _options.add_output(parser)


def run(args: Options) -> int:
    results = Results(args.inputs, Status.SOLVED, as_json=args.json)
    for _, item, answer in results.answers(
        lambda puzzle: candidates(puzzle.board, args.backend, args.encoding, limits=args.limits)
    ):
        geometry = item.board.geometry
        cells: dict[str, list[str]] = {geometry.cell_name(cell): [] for cell in range(geometry.cell_count)}
        witnesses = {}
        for (cell, symbol), grid in sorted(answer.witnesses.items()):
            cells[geometry.cell_name(cell)].append(geometry.symbol_text(symbol))
            witnesses[candidate_name(geometry, cell, symbol)] = to_line(grid, geometry)
        text = "no candidates: the puzzle has no solution"
        if witnesses:
            all_of_them = set(answer.masks) == {(1 << geometry.order) - 1}
            drawn = board_text(item.board, candidates=answer.masks)
            text = "every cell can hold every symbol" if all_of_them else drawn
        word = Status.SOLVED if witnesses else Status.NONE
        results.show(item, word, text, {"candidates": cells, "witnesses": witnesses})
    return results.exit_code
