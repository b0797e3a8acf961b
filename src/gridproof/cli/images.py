"""Make images of a puzzle: the same puzzle in disguise, all different, each with its solution.

An image is made by a random symmetry: other names of the symbols, bands, stacks and lines in another order. A board
with rules or further houses is turned and mirrored, and its digits get other names, as far as that keeps them; where
nothing does, the puzzle is refused with the reason. Images go to standard output, one on a line; --to and -o write any
other format, or a table with their solutions.

exit codes:
    0    all images are made
    1    a puzzle has not exactly one solution, so that its images have none in the table
    2    a puzzle has not as many images, or no symmetry keeps its rules

examples:
    gridproof images 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 -n 3 --seed 1
    gridproof images examples/six-rules.toml -n 2 --seed 1 -o class.jsonl --force
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.cli._streams import to_stderr
from gridproof.cli._way_out import add_way_out, wishes_of
from gridproof.errors import InputError
from gridproof.formats.puzzle import Puzzle
from gridproof.generation.images import image_lines, images, is_classic
from gridproof.output.columns import Made
from gridproof.output.way_out import LINES, WayOut
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust.answer import Status

TYPES = {"puzzle": "string", "solution": "string", "of": "int64", "image": "int64"}
"""The columns of a table: an image and its solution, the number of its puzzle, and its own among the images of that."""

MOST_CHARACTERS = 35
"""Largest order of boards that are written with a character for each cell."""


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    group = parser.add_argument_group("images")
    _options.number(group, "-n --count", "images of each puzzle", 1)
    _options.number(group, "--seed", "seed of all random choices", 0, least=0)
    _options.seconds(group, "--seconds", "time limit for the solution of each puzzle")
    add_way_out(parser.add_argument_group("output"), "an image on each line")


def run(args: Options) -> int:
    way_out = WayOut(wishes_of(args), TYPES)
    with Results(args.inputs, "made") as results, Pipeline(limits=args.limits) as pipeline, way_out:
        for number, puzzle in results.puzzles():
            solution = None
            if way_out.form != LINES:
                solution = find_solution(puzzle, pipeline)
            digest = None
            if way_out.needs_digests:  # which an image shares with its puzzle
                digest = way_out.digest(Made(puzzle))
            try:
                for one in make_images(puzzle, args.count, args.seed, solution):
                    one.digest = digest
                    one.columns["of"] = number
                    way_out.add(one)
            except InputError as problem:
                results.refuse(problem, puzzle)
            else:
                results.count("made" if solution or way_out.form == LINES else "without solution")
    if way_out.summary:
        to_stderr(way_out.summary)
    return results.exit_code


def find_solution(puzzle: Puzzle, pipeline: Pipeline) -> SymbolTuple | None:
    """Return the only solution of a puzzle; ``None``, with a line on standard error, if it has not exactly one."""
    verdict = pipeline.verify(puzzle.board)
    if verdict.status is Status.UNIQUE:
        return tuple(verdict.solutions[0])
    to_stderr(f"gridproof: line {puzzle.line}: {verdict.status}, so its images have no solution")
    return None


def make_images(puzzle: Puzzle, count: int, seed: int, solution: SymbolTuple | None) -> Iterator[Made]:
    """Yield each image of a puzzle on its way out. Raises ``InputError`` if there are not as many."""
    board = puzzle.board
    number = 0
    if is_classic(board) and board.geometry.is_plain and board.geometry.symbol_count <= MOST_CHARACTERS:
        for texts, solutions in image_lines(board, count, seed, solution):
            for place, text in enumerate(texts):
                number += 1
                grid = solutions[place] if solutions else None
                known = {"puzzle": text, "solution": grid, "image": number}
                line = None if puzzle.symbol_texts else text
                yield Made(partial(read_image, puzzle, text, grid), known, line=line)
        return
    for image in images(board, count, seed=seed, solution=solution):
        number += 1
        yield Made(replace(puzzle, board=image.board, solution=image.solution), {"image": number})


def read_image(puzzle: Puzzle, text: str, solution: str | None) -> Puzzle:
    """Return an image of a classic puzzle, with what came with it."""
    geometry = puzzle.board.geometry
    grid = None if solution is None else Board.from_symbols(geometry, solution).clues
    return replace(puzzle, board=Board.from_symbols(geometry, text), solution=grid)
