"""The sets of a paper: a user's own files, sets that come with gridproof, or puzzles that are made.

A set is the name of one that comes with gridproof, ``{make = 200, seed = 1}`` for so many minimal puzzles that are
made, ``{order = 25, holes = 0.4, make = 20}`` for random full grids with boxes from which cells are taken, or
``{data = "seventeen", images = 20}`` for images of each puzzle under symmetries: alike for propagation, but
not for a solver that remembers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.experiments import PuzzleSet
from gridproof.experiments.instances import instance
from gridproof.experiments.sets import load_file, load_sets
from gridproof.generation.images import images
from gridproof.generation.making import generate
from gridproof.papers.measures import Request
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import counted, suggest


def puzzle_sets(wanted: Mapping[str, Any], request: Request) -> tuple[list[PuzzleSet], tuple[str, ...]]:
    """Return the sets of a paper in their order, and a sentence on where the puzzles of each are from.

    Raises ``InputError`` for a set of the user's that the paper has not.
    """
    for name in request.sets:
        if name not in wanted:
            raise InputError(f"--puzzles {name}=...: the paper has no such set; {suggest(name, list(wanted))}")
    sets = []
    remarks = []
    for name, source in wanted.items():
        puzzles, origin = _load(name, source, request)
        whole = len(puzzles.boards)
        puzzles = puzzles.distinct().sample(request.sample, seed=0)
        sets.append(puzzles)
        shown = counted(len(puzzles.boards), "puzzle")
        if len(puzzles.boards) < whole:
            shown = f"{len(puzzles.boards):,} of {counted(whole, 'puzzle')}"
        remarks.append(f"{name}: {shown} {origin}")
    return sets, tuple(remarks)


def _load(name: str, source: Any, request: Request) -> tuple[PuzzleSet, str]:
    own = request.sets.get(name)
    if own is not None:
        return load_file(Path(own), name), f"of {own}"
    if isinstance(source, str):
        (puzzles,) = load_sets([source])
        return replace(puzzles, name=name), f"of the set {source} that comes with gridproof"
    if "data" in source:
        (puzzles,) = load_sets([source["data"]])
        boards = make_images(puzzles.boards, source["images"], request.sample)
        origin = f"that are images of the {len(puzzles.boards)} of the set {source['data']} that comes with gridproof"
        return PuzzleSet(name, boards), origin
    number = source["make"]
    seed = source.get("seed", 0)
    if request.sample is not None:
        number = min(number, request.sample)
    request.note(f"{name}: {counted(number, 'puzzle')} are made")
    if "order" in source:
        geometry = Geometry.standard(source["order"])
        made = [instance("sudoku", geometry, source["holes"], seed + number_of).board for number_of in range(number)]
        return PuzzleSet(
            name, tuple(made)
        ), f"that are random grids of {geometry.description} with {source['holes']:.0%} holes"
    boards = tuple(generate(number, minimal=True, seed=seed))
    return PuzzleSet(name, boards), f"that are minimal, made by `gridproof generate {number} --seed {seed}`"


def make_images(boards: Sequence[Board], number: int, most: int | None) -> tuple[Board, ...]:
    """Return each board with images of it under random symmetries, so many of each in all.

    most: at most so many boards in all, up to a whole round: one image of each board comes before further ones.
    """
    rounds = number
    if most is not None:
        rounds = min(number, max(1, ceil(most / len(boards))))
    of_each = [list(images(board, rounds - 1)) for board in boards]
    made = list(boards)
    for place in range(rounds - 1):
        for of_board in of_each:
            made.append(of_board[place].board)
    return tuple(made)
