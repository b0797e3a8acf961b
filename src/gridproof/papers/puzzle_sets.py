"""The sets of a paper: a user's own files, sets that come with gridproof, or puzzles that are made.

A set is the name of one that comes with gridproof, ``{make = 200, seed = 1}`` for so many minimal puzzles that are
made, ``{order = 25, holes = 0.4, make = 20}`` for random full grids with boxes from which cells are taken, or
``{data = "seventeen", images = 20}`` for images of each puzzle under symmetries: alike for propagation, but
not for a solver that remembers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from gridproof.errors import InputError
from gridproof.experiments import PuzzleSet
from gridproof.experiments.instances import instance
from gridproof.experiments.sets import load_file, load_sets
from gridproof.generation.grids import shuffled_lines
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
    """Return so many images of each board under random symmetries; the first is the board itself.

    most: at most so many images in all; one of each board comes before further ones.
    """
    random = Random("images")
    made = list(boards)
    for _ in range(number - 1):
        if most is not None and len(made) >= most:
            break
        for board in boards:
            made.append(make_image(board, random))
    return tuple(made)


def make_image(board: Board, random: Random) -> Board:
    """Return a board with its symbols renamed and its lines in another order: bands, stacks, and the lines in them.

    Examples
    --------
    >>> from gridproof import parse, verify
    >>> image = make_image(parse("1... ..2. .3.. ...4"), Random(1))
    >>> verify(image).is_unique, sorted(image.clues)[-4:]
    (True, [1, 2, 3, 4])
    """
    geometry = board.geometry
    order = geometry.order
    high, wide = geometry.box_shape or (order, order)
    rows = shuffled_lines(order, high, random)
    columns = shuffled_lines(order, wide, random)
    names = [0]
    names += random.sample(range(1, order + 1), order)
    clues = []
    for row in rows:
        for column in columns:
            clues.append(names[board.clues[row * order + column]])
    return Board(geometry, tuple(clues))
