"""Rules for a search: small tests, each as soon as all of its cells are filled.

A rule is taken apart (``Rule.expand``), down to single pairs, so that a knight's move is looked at when its second cell
is filled and not when the board is full.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from gridproof.puzzle.board import Board
from gridproof.rules.primitives import AnyOf, Cells, Different, Domain, Equivalent, Primitive, Relation


def cells_of(primitive: Primitive) -> Cells:
    """The cells that a primitive speaks of."""
    match primitive:
        case Domain(cell=cell):
            return (cell,)
        case Relation(pairs=pairs):
            return tuple(cell for pair in pairs for cell in pair)
        case Equivalent(one=one, other=other):
            return (one[0], other[0])
        case AnyOf(options=options):
            return tuple(cell for option in options for inner in option for cell in cells_of(inner))
        case _:
            return primitive.cells


def small_tests(board: Board) -> Iterator[tuple[Cells, Primitive]]:
    """Return the demands of a board's rules, in parts as small as they come, each with its cells."""
    for rule in board.rules:
        for primitive in rule.expand(board.geometry):
            parts: list[Primitive] = [primitive]
            if isinstance(primitive, Relation):
                parts = [Relation((pair,), primitive.allowed) for pair in primitive.pairs]
            elif isinstance(primitive, Different):
                parts = [Different(pair) for pair in combinations(primitive.cells, 2)]
            for part in parts:
                yield cells_of(part), part


def tests_by_last_cell(board: Board) -> dict[int, list[Primitive]]:
    """Return for each open cell the tests due when it and the open cells before it are filled; under -1 the others."""
    demands: dict[int, list[Primitive]] = {}
    for cells, part in small_tests(board):
        last = max((cell for cell in cells if not board.clues[cell]), default=-1)
        demands.setdefault(last, []).append(part)
    return demands
