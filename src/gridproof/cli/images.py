"""Make images of a puzzle: the same puzzle in disguise, all different, each with its solution.

An image is made by a random symmetry: other names of the symbols, bands, stacks and lines in another order. A board
with rules or further houses is turned and mirrored, and its digits get other names, as far as that keeps them; where
nothing does, the puzzle is refused with the reason. Images go to standard output, one on a line, or into a table.

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
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.cli._streams import to_stderr
from gridproof.errors import InputError
from gridproof.formats import to_line
from gridproof.formats.known.jsonl import rule_list
from gridproof.formats.one_line import text_of
from gridproof.formats.puzzle import Puzzle
from gridproof.generation.images import image_lines, images, is_classic
from gridproof.pipeline import Pipeline
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs import tables
from gridproof.runs.journal import replace_file
from gridproof.trust.answer import Status

TYPES = {"puzzle": "string", "solution": "string", "of": "int64", "image": "int64"}
"""The columns of a table: an image and its solution, the number of its puzzle, and its own among the images of that."""

MOST_CHARACTERS = 35
"""Largest order of boards that are written with a character for each cell."""

Row: TypeAlias = dict[str, Any]


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    group = parser.add_argument_group("images")
    _options.number(group, "-n --count", "images of each puzzle", 1)
    _options.number(group, "--seed", "seed of all random choices", 0, least=0)
    _options.seconds(group, "--seconds", "time limit for the solution of each puzzle")
    text = "a table with the solutions: a name that ends in .csv, .jsonl or .parquet (default: lines)"
    _options.add_file(group, text)


def run(args: Options) -> int:
    _options.refuse_to_overwrite(args.output, force=args.force)
    if args.output:
        tables.resolve_output(args.output)
    rows: list[Row] = []
    with Results(args.inputs, "made") as results, Pipeline(limits=args.limits) as pipeline:
        for number, puzzle in results.puzzles():
            solution = None
            if args.output:
                solution = find_solution(puzzle, pipeline)
            try:
                for row in make_rows(puzzle, args.count, args.seed, solution):
                    if args.output:
                        rows.append({**row, "of": number})
                    else:
                        print(row["puzzle"])
            except InputError as problem:
                results.refuse(problem, puzzle)
            else:
                results.count("made" if solution or not args.output else "without solution")
    if args.output:
        write_rows(args.output, rows)
    return results.exit_code


def find_solution(puzzle: Puzzle, pipeline: Pipeline) -> SymbolTuple | None:
    """Return the only solution of a puzzle; ``None``, with a line on standard error, if it has not exactly one."""
    verdict = pipeline.verify(puzzle.board)
    if verdict.status is Status.UNIQUE:
        return tuple(verdict.solutions[0])
    to_stderr(f"gridproof: line {puzzle.line}: {verdict.status}, so its images have no solution")
    return None


def make_rows(puzzle: Puzzle, count: int, seed: int, solution: SymbolTuple | None) -> Iterator[Row]:
    """Yield the row of each image of a puzzle. Raises ``InputError`` if there are not as many."""
    board = puzzle.board
    number = 0
    if is_classic(board) and board.geometry.is_plain and board.geometry.symbol_count <= MOST_CHARACTERS:
        for texts, solutions in image_lines(board, count, seed, solution):
            for place, text in enumerate(texts):
                number += 1
                yield {"puzzle": text, "solution": solutions[place] if solutions else None, "image": number}
        return
    for image in images(board, count, seed=seed, solution=solution):
        number += 1
        row: Row = {"puzzle": text_of(image.board), "solution": None, "image": number}
        if image.solution is not None:
            row["solution"] = to_line(image.solution, board.geometry)
        if image.board.rules:
            row["rule_list"] = rule_list(image.board)
        yield row


def write_rows(output: str, rows: Sequence[Row]) -> None:
    """Write the table; JSON lines have the rules as data, too."""
    form = tables.form_of(output)
    if form == "jsonl":
        with replace_file(Path(output)) as draft, draft.open("w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row) + "\n")
        return
    if form == "csv" and any("\n" in row["puzzle"] for row in rows):
        raise InputError(f"{output}: these rules take several lines; expected a name that ends in .jsonl or .parquet")
    columns = []
    for name in TYPES:
        columns.append([row[name] for row in rows])
    tables.write(output, TYPES, columns)
