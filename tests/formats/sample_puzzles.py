"""Puzzles of many shapes and with every kind of rule, for the tests that write and read them again."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import cache
from random import Random

from gridproof.formats.puzzle import Puzzle
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, all_kinds, parse_rule
from gridproof.rules.primitives import AnyOf, Count, Different, Domain, Primitive, Relation, Sum
from rules.random_rules import random_rule

SHAPES = (
    Geometry.classic(2),
    Geometry.classic(2, 3),
    Geometry.classic(3),
    Geometry.classic(4),
    Geometry.latin(5),
    Geometry.latin(6),
    Geometry.jigsaw("AAAB CABB CCDB CDDD"),
    Geometry.classic(3).with_diagonals(),
    Geometry.classic(2).with_houses([[3, 6, 9, 12]], "diagonal"),
    Geometry.classic(2).with_houses([[0, 5, 10, 15]], "diagonal"),
    Geometry.classic(3).with_windoku(),
    Geometry.classic(3).with_disjoint_groups(),
    Geometry.classic(2).with_houses([[5, 6, 9, 10]]),
)


@cache
def samples() -> tuple[Puzzle, ...]:
    """Boards without rules in every shape, and each kind of rule as people state it and at random."""
    random = Random(12)
    puzzles = []
    for geometry in SHAPES:
        n = geometry.order
        clues = tuple(random.randint(1, n) if random.random() < 0.3 else 0 for _ in range(n * n))
        puzzles.append(Puzzle(Board(geometry, clues), title="A title", author="Nobody"))
        marks = tuple(random.randint(1, (1 << n) - 1) if random.random() < 0.5 else (1 << n) - 1 for _ in clues)
        puzzles.append(Puzzle(Board(geometry, clues, marks=marks)))
    nine, six = Geometry.classic(3), Geometry.classic(2, 3)
    for kind in all_kinds().values():
        puzzles.append(_with(parse_rule(kind.example).make(nine), nine))
        puzzles += [_with(random_rule(kind, geometry, random), geometry) for geometry in (six, nine) for _ in range(3)]
    cages = [
        parse_rule(text).make(nine) for text in ("killer 10 r1c1 r1c2 r2c1", "killer 45 row9", "killer 3 r5c5 r5c6")
    ]
    puzzles += [Puzzle(Board.empty(shape).with_rules(cages)) for shape in (nine, nine.with_diagonals())]
    return tuple(puzzles)


def _with(rule: Rule, geometry: Geometry) -> Puzzle:
    return Puzzle(Board(geometry, (1,) + (0,) * (geometry.cell_count - 1), rules=(rule,)), prose="It holds.")


def meaning(board: Board) -> tuple[Hashable, ...]:
    """The meaning of a board, whatever its rules are called, and however they are parted and turned around."""
    geometry = board.geometry
    houses = {frozenset(house.cells) for house in geometry.houses}
    candidates = list(board.candidates)
    parts: set[Hashable] = set()
    for rule in (rule.complete(board.rules, geometry) for rule in board.rules):
        for primitive in rule.expand(geometry):
            if isinstance(primitive, Domain):
                candidates[primitive.cell] &= sum(1 << (value - 1) for value in primitive.values)
            elif isinstance(primitive, Different) and len(primitive.cells) == geometry.order:
                houses.add(frozenset(primitive.cells))
            else:
                parts.update(_parts(primitive, geometry.order))
    return frozenset(houses), tuple(candidates), frozenset(parts)


def _parts(primitive: Primitive, n: int) -> Iterator[Hashable]:
    if isinstance(primitive, Sum) and len(primitive.cells) == 2 and {*primitive.coefficients} == {1}:
        sums = tuple(sum((a + b == primitive.total) << (b - 1) for b in range(1, n + 1)) for a in range(1, n + 1))
        primitive = Relation((primitive.cells,), sums)
    if isinstance(primitive, AnyOf):
        options = []
        for option in primitive.options:
            options.append(frozenset(part for inner in option for part in _parts(inner, n)))
        yield frozenset(options)
    elif isinstance(primitive, Relation):
        turned = tuple(sum((primitive.allowed[a] >> b & 1) << a for a in range(n)) for b in range(n))
        for first, second in primitive.pairs:
            yield (first, second, primitive.allowed) if first < second else (second, first, turned)
    elif (
        isinstance(primitive, Different)
        or (isinstance(primitive, Sum) and len({*primitive.coefficients}) == 1)
        or isinstance(primitive, Count)
    ):
        yield replace(primitive, cells=tuple(sorted(primitive.cells)))
    else:
        yield primitive
