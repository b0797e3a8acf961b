"""Puzzles of many shapes and with every kind of rule, for the tests that write and read them again."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import cache
from random import Random

from gridproof.formats.puzzle import Puzzle
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule, all_kinds, parse_rule
from gridproof.rules.primitives import AnyOf, Automaton, Count, Different, Domain, Primitive, Relation, Sum
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
            elif isinstance(primitive, Relation) and any(first == second for first, second in primitive.pairs):
                for first, second in primitive.pairs:
                    if first == second:
                        candidates[first] &= _equal_pairs(primitive)
                rest = tuple(pair for pair in primitive.pairs if pair[0] != pair[1])
                parts.update(_parts(replace(primitive, pairs=rest), geometry.order))
            elif isinstance(primitive, Different) and len(primitive.cells) == geometry.order:
                houses.add(frozenset(primitive.cells))
            elif not isinstance(primitive, Different) or len(primitive.cells) != 1:  # one cell differs from nothing
                parts.update(_parts(primitive, geometry.order))
    return frozenset(houses), tuple(candidates), frozenset(parts)


def _parts(primitive: Primitive, n: int) -> Iterator[Hashable]:
    if isinstance(primitive, (Sum, Count)):
        if not primitive.cells and primitive.allows(()):
            return
        primitive = _machine_of(primitive, n)
    if isinstance(primitive, Automaton) and len(primitive.cells) == 2:
        primitive = _relation_of(primitive, n)
    if isinstance(primitive, AnyOf):
        options = []
        for option in primitive.options:
            options.append(frozenset(part for inner in option for part in _parts(inner, n)))
        if frozenset() not in options:  # such an option holds in any case
            yield frozenset(options)
    elif isinstance(primitive, Relation):
        turned = tuple(sum((primitive.allowed[a] >> b & 1) << a for a in range(n)) for b in range(n))
        for first, second in primitive.pairs:
            yield (first, second, primitive.allowed) if first < second else (second, first, turned)
    elif isinstance(primitive, Different):
        yield replace(primitive, cells=tuple(sorted(primitive.cells)))
    else:
        yield primitive


def _equal_pairs(relation: Relation) -> int:
    """The mask of the symbols that a cell may have beside itself."""
    return sum(1 << place for place, row in enumerate(relation.allowed) if row >> place & 1)


@cache
def _machine_of(part: Sum | Count, n: int) -> Automaton:
    """The machine that reads the cells in the order of their numbers; machines of one meaning are equal."""
    worth: dict[int, int] = {}
    weights = part.coefficients if isinstance(part, Sum) else (1,) * len(part.cells)
    for cell, weight in zip(part.cells, weights, strict=True):
        worth[cell] = worth.get(cell, 0) + weight
    cells = tuple(sorted(worth))
    ends = range(part.low, part.high + 1) if isinstance(part, Count) else (part.total,)

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int]:
        value = symbol if isinstance(part, Sum) else int(symbol == part.symbol)
        return state[0] + 1, state[1] + worth[cells[state[0]]] * value

    return Automaton.of(cells, Digits(1, n), (0, 0), step, lambda state: state[1] in ends)


@cache
def _relation_of(machine: Automaton, n: int) -> Relation:
    first, second = machine.cells
    allowed = []
    for a in range(1, n + 1):
        fitting = [b for b in range(1, n + 1) if replace(machine, cells=(0, 1)).allows((a, b))]
        allowed.append(sum(1 << (b - 1) for b in fitting))
    return Relation(((first, second),), tuple(allowed))
