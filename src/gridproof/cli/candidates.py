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
from gridproof.explanations import DEFAULT_BACKEND, Candidates, candidates
from gridproof.formats import to_line
from gridproof.formats.puzzle import Puzzle
from gridproof.models.variables import candidate_name
from gridproof.pictures import board_text
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.trust.answer import Status


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_backend(parser, DEFAULT_BACKEND)
    _options.add_output(parser)


def run(args: Options) -> int:
    def find_candidates(puzzle: Puzzle) -> Candidates:
        return candidates(puzzle.board, args.backend, args.encoding, limits=args.limits)

    results = Results(args.inputs, Status.SOLVED, as_json=args.json)
    for _, puzzle, answer in results.answers(find_candidates):
        word = Status.SOLVED if answer.witnesses else Status.NONE
        text = results.below_name(puzzle, draw_candidates(puzzle.board, answer))
        results.show(puzzle, word, text, write_record(puzzle.board.geometry, answer))
    return results.exit_code


def draw_candidates(board: Board, answer: Candidates) -> str:
    """Return the candidates as a grid of pencil marks, or a sentence where these would show nothing."""
    if not answer.witnesses:
        return "no candidates: the puzzle has no solution"
    every_symbol = board.geometry.every_symbol
    if set(answer.masks) == {every_symbol}:
        return "every cell can hold every symbol"
    return board_text(board, candidates=answer.masks)


def write_record(geometry: Geometry, answer: Candidates) -> dict[str, object]:
    """Return the candidates of each cell, and a solution for each of them, as JSON has them."""
    symbols_of: dict[str, list[str]] = {geometry.cell_name(cell): [] for cell in range(geometry.cell_count)}
    witnesses: dict[str, str] = {}
    for (cell, symbol), grid in sorted(answer.witnesses.items()):
        symbols_of[geometry.cell_name(cell)].append(geometry.symbol_text(symbol))
        witnesses[candidate_name(geometry, cell, symbol)] = to_line(grid, geometry)
    return {"candidates": symbols_of, "witnesses": witnesses}
