"""Random rules of every kind on small boards, for the tests that compare several views of them."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import all_kinds
from gridproof.rules.rule import REQUIRED, Parameter, Rule
from gridproof.rules.rule_text import RuleText

SHAPES = (
    *(Geometry.latin(order) for order in (1, 2, 3, 4)),
    Geometry.classic(2),
    Geometry.jigsaw("AAAB CABB CCDB CDDD"),
)


def random_grid(geometry: Geometry, random: Random) -> tuple[int, ...]:
    """A grid that the houses of a geometry allow."""
    while True:
        grid: list[int] = []
        for cell in range(geometry.cell_count):
            taken = {grid[peer] for peer in geometry.peers[cell] if peer < cell}
            left = [symbol for symbol in geometry.symbols if symbol not in taken]
            if not left:
                break
            grid.append(random.choice(left))
        else:
            return tuple(grid)


@cache
def grids(geometry: Geometry) -> tuple[tuple[int, ...], ...]:
    """Every grid that the houses of a small geometry allow."""
    n = geometry.order
    found: list[tuple[int, ...]] = []

    def fill(grid: list[int]) -> None:
        cell = len(grid)
        if cell == n * n:
            found.append(tuple(grid))
            return
        for symbol in range(1, n + 1):
            if all(peer >= cell or grid[peer] != symbol for peer in geometry.peers[cell]):
                fill([*grid, symbol])

    fill([])
    return tuple(found)


def random_rule(kind: type[Rule], geometry: Geometry, random: Random) -> Rule:
    """A rule of a kind with parameters taken at random, such as people would never take them."""
    for _ in range(1000):
        named: dict[str, Any] = {}
        for p in kind.parameters():
            if p.name == "marked" or (p.default is not REQUIRED and random.random() < 0.4):
                continue
            board = geometry
            if p.type == "rules":
                board = kind.board_inside(geometry, named)
            named[p.name] = _value(kind, p, board, random)
        if "factors" in named:
            named["factors"] = tuple([random.randint(-2, 3) for _ in named["cells"]])
        try:
            return RuleText(kind, (), tuple(named.items())).make(geometry)
        except InputError:
            continue  # a kind may refuse numbers that belong to each other wrongly
    raise AssertionError(f"no rule of the kind {kind.kind} on a board of {geometry.description}")


ONLY_WITH_FULL_LINES = ("full-rank",)
"""Kinds that refuse boards on which not every row and column holds every digit."""


def inner_kinds(random: Random) -> list[type[Rule]]:
    """Kinds that may stand in a choice on any board, in certificates, too; choices are among them now and then."""
    kinds = [kind for kind in all_kinds().values() if not kind.looks_at_others]
    kinds = [kind for kind in kinds if kind.kind not in ("clauses", "lunchbox", "further-cells", *ONLY_WITH_FULL_LINES)]
    if random.random() < 0.6:
        kinds = [kind for kind in kinds if not kind.name_of_rules()]
    return kinds


def _value(kind: type[Rule], p: Parameter, geometry: Geometry, random: Random) -> object:
    if p.name == "groups":
        return random.choice(("va:1", "va:2", "va:1 vb:1x2"))
    n = geometry.symbol_count
    every_cell = range(geometry.cell_count)
    if p.type == "rules":
        kinds = random.choices(inner_kinds(random), k=random.randint(1, 3))
        return tuple([random_rule(inner, geometry, random) for inner in kinds])
    if p.name == "circle":
        sizes = [1, 1, min(2, len(every_cell))] if kind.kind == "arrow" else [1]
        return tuple(random.sample(every_cell, random.choice(sizes)))
    if p.type == "cells":
        return _some_cells(geometry, random)
    if p.type == "lines":
        return _some_lines(kind, geometry, random)
    if p.type == "number":
        return random.randint(0, random.choice([2, n, 2 * n, n * n]))
    if p.type == "numbers":
        if p.name == "offsets":
            return tuple(random.randint(0, 2) for _ in range(2)) if random.random() < 0.7 else (1, 2, 0, 2)
        return tuple(random.choice(tuple(geometry.digits)) for _ in range(random.randint(1, 4)))
    if p.name == "clauses":
        literals = [_literal(geometry, random)]
        for _ in range(random.randint(0, 7)):
            literal = _literal(geometry, random)
            literals += random.choice(([literal], ["0", literal]))
        return " ".join(literals)
    if p.type == "flag":
        return random.random() < 0.5
    choices = {"allow": ("a < b", "abs(a - b) > 1", "a + b != n", "a % 2 == b % 2"), "pairs": ("consecutive", "all")}
    choices["states"] = ("start 1>1 2>0; end 3>1 4>0", "start end 1>0 1>1 3>2; end 2>1; start 2>0 4>2", "start 1>9")
    return random.choice(choices.get(p.name, ("1.*", "(12|21).*", ".*[2-3]{1,2}", "[^1]+1?")))


def _some_lines(kind: type[Rule], geometry: Geometry, random: Random) -> tuple[tuple[int, ...], ...]:
    number = random.randint(1, 2)
    if kind.kind not in ("same-values", "value-indexing"):
        return tuple(_some_cells(geometry, random) for _ in range(number))
    size = random.randint(1 if kind.kind == "same-values" else 3, 5)
    return tuple(tuple(random.choices(range(geometry.cell_count), k=size)) for _ in range(number))


def _some_cells(geometry: Geometry, random: Random) -> tuple[int, ...]:
    """A row, a column, a walk of neighbours, or cells that lie anywhere."""
    rows, columns = geometry.shape
    every_cell = range(geometry.cell_count)
    if len(every_cell) == 1:  # a rule on pairs of cells needs two, so the only one twice
        return (0,) * random.randint(1, 2)
    longest = max(rows, columns) + 1
    way = random.randrange(4)
    if way == 0:
        line = list(random.choice(geometry.houses).cells)
        return tuple(line if random.random() < 0.5 else line[::-1])
    if way == 1:
        cells = [random.choice(every_cell)]
        for _ in range(random.randrange(longest)):
            near = []
            for cell in every_cell:
                down = abs(cell // columns - cells[-1] // columns)
                right = abs(cell % columns - cells[-1] % columns)
                if max(down, right) == 1 and cell not in cells:
                    near.append(cell)
            if near:
                cells.append(random.choice(near))
        return tuple(cells)
    return tuple(random.sample(every_cell, random.randint(1, min(longest, len(every_cell)))))


def _literal(geometry: Geometry, random: Random) -> str:
    cell = geometry.cell_name(random.randrange(geometry.cell_count))
    return f"{random.choice(('', '-'))}x[{cell}={random.choice(geometry.symbol_characters)}]"
