"""Geometry + encoding -> clauses: the rules of a board in conjunctive normal form, without its clues.

Encodings by their usual names: *minimal*, *natural* (Kwon & Jain 2006, "Optimized CNF encoding for Sudoku puzzles")
and *extended* (Lynce & Ouaknine 2006, "Sudoku as a SAT problem"; called complete elsewhere). With
``through = "intersections"`` a line and a region speak to each other through variables for the cells they share, the
*triads* of tdoku (Dillon 2019): unit propagation then finds locked candidates, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations, compress
from operator import add, itemgetter
from typing import TextIO, TypeAlias

from gridproof.board import Board
from gridproof.encoding import BY_SIZE, Encoding
from gridproof.errors import EncodingError
from gridproof.geometry import Geometry, Grid
from gridproof.variables import Variables

Clause: TypeAlias = tuple[int, ...]

LARGEST_PAIRWISE = 24
"""Up to this size of a group ``by-size`` means pairwise: fewest conflicts, measured. Above it the number of pairs costs
more than ``seqcounter`` (three clauses a literal) costs conflicts (benchmarks/README.md)."""


def scheme_for(scheme: object, size: int) -> str | None:
    """The at-most-one scheme for a group of so many literals, where an encoding says ``scheme``; ``None`` for none."""
    if scheme == BY_SIZE:
        return "pairwise" if size <= LARGEST_PAIRWISE else "seqcounter"
    return str(scheme) if scheme else None


@dataclass(frozen=True)
class BoardRules:
    """A model that is compiled for each board anew, from what its clues leave open (``gridproof.reduced``)."""

    geometry: Geometry
    encoding: Encoding


@dataclass(frozen=True, eq=False)
class Cnf:
    """The rules of a geometry as clauses, none of them twice; ``clauses`` and ``variables`` are not to be changed."""

    geometry: Geometry
    encoding: Encoding
    variables: Variables
    clauses: Sequence[Clause] = field(repr=False)

    def decode(self, model: Sequence[int]) -> Grid:
        """The grid that a model says: its literals in the order of their variables, the true ones positive.

        0 in a cell for which it says no symbol. Where it says several for a cell the last one is taken: ``check``
        tells whether the grid is one.
        """
        true = [literal for literal in model[: self.variables.cell_variables] if literal > 0]
        if len(true) == self.geometry.cell_count > 1:  # one literal for each cell, in order; if not, the check says so
            grid_of: Callable[[Sequence[int]], Grid] = itemgetter(*true)  # of more than one it gives a tuple
            return grid_of(self._symbol_of)
        n = self.geometry.order
        grid = [0] * self.geometry.cell_count
        for literal in true:
            grid[(literal - 1) // n] = (literal - 1) % n + 1
        return tuple(grid)

    @cached_property
    def _symbol_of(self) -> tuple[int, ...]:
        """The symbol of each cell variable, by its number."""
        n = self.geometry.order
        return (0, *(tuple(range(1, n + 1)) * self.geometry.cell_count))

    def literals(self, board: Board) -> list[int]:
        """What the board adds to the rules, as literals: its clues, and what its pencil marks rule out."""
        return board_literals(board)

    def blocking_clause(self, grid: Grid) -> Clause:
        """The clause over cell variables that forbids this grid."""
        n = self.geometry.order
        return tuple([-(cell * n + symbol) for cell, symbol in enumerate(grid)])

    def write_dimacs(self, out: TextIO, board: Board | None = None, *extra: Clause, names: bool = True) -> None:
        """DIMACS CNF: ``c`` lines that explain the model and each variable, the rules, then the board as units.

        ``extra`` clauses come last. Without ``names`` the variables are not explained one by one.
        """
        units = [] if board is None else [(literal,) for literal in self.literals(board)]
        total = len(self.clauses) + len(units) + len(extra)
        out.write(f"c gridproof: {in_comment(self.geometry.description)}, encoding {in_comment(self.encoding.name)}\n")
        if names:
            out.writelines(f"c {variable} {in_comment(self.variables.name(variable))}\n" for variable in self.variables)
        out.write(f"p cnf {self.variables.count} {total}\n")
        for part in (self.clauses, units, extra):
            out.writelines(f"{' '.join(map(str, clause))} 0\n" for clause in part)


def in_comment(name: str) -> str:
    """A name on one line of ASCII, with the escapes of JSON: extra houses and encodings may be called anything."""
    return json.dumps(name)[1:-1]


def board_literals(board: Board) -> list[int]:
    """What a board adds to the rules of its geometry, as literals over its cell variables: first the clues.

    The pencil marks of every cell are stated in full, also under a clue, so that a caller may leave out a clue and
    keep the rest.
    """
    n = board.geometry.order
    bases = range(0, n * len(board.clues), n)
    clues = list(map(add, compress(bases, board.clues), filter(None, board.clues)))
    if board.marks is None:
        return clues
    full = (1 << n) - 1
    for base, mark in zip(bases, board.marks, strict=True):
        if mark != full:
            clues += [-(base + symbol) for symbol in range(1, n + 1) if not mark >> (symbol - 1) & 1]
    return clues


def compile_cnf(geometry: Geometry, encoding: Encoding) -> Cnf:
    """The rules of ``geometry`` under ``encoding``; the same pair gives the same (cached) object.

    Raises ``EncodingError`` if the encoding is for another target.
    """
    if encoding.target != "cnf":
        raise EncodingError(f"encoding {encoding.name!r} has the target {encoding.target!r}; expected 'cnf' here")
    return _compile(geometry, encoding)


def forget() -> None:
    """Empty the cache of ``compile_cnf``, so that the next call compiles: for whoever measures that."""
    _compile.cache_clear()


@lru_cache(maxsize=16)
def _compile(geometry: Geometry, encoding: Encoding) -> Cnf:
    rules = _Rules(geometry)
    for literals, label in _cells(rules.variables):
        rules.exactly(literals, label, encoding, "cell")
    through = encoding.choice("house", "through")
    houses = _through_intersections(rules) if through == "intersections" else _houses(rules.variables)
    for literals, label in houses:
        rules.exactly(literals, label, encoding, "house")
    # A pair of cells may share a row and a box: dict keys keep the first of equal clauses, in order.
    return Cnf(geometry, encoding, rules.variables, tuple(dict.fromkeys(rules.clauses)))


class _Rules:
    """Clauses under construction."""

    def __init__(self, geometry: Geometry) -> None:
        self.variables = Variables(geometry)
        self.clauses: list[Clause] = []

    def exactly(self, literals: Clause, label: str, encoding: Encoding, table: str) -> None:
        """At least one and at most one of ``literals``, as far as the encoding's table asks for them."""
        if encoding.choice(table, "at_least_one"):
            self.clauses.append(literals)
        if scheme := scheme_for(encoding.choice(table, "at_most_one"), len(literals)):
            self.at_most_one(literals, label, scheme)

    def at_most_one(self, literals: Clause, label: str, scheme: str) -> None:
        if scheme == "pairwise":
            self.clauses += [(-a, -b) for a, b in combinations(literals, 2)]
        else:
            self._cardinality(literals, label, scheme)

    def _cardinality(self, literals: Clause, label: str, scheme: str) -> None:
        from pysat.card import CardEnc, EncType

        top = self.variables.count
        encoded = CardEnc.atmost(list(literals), bound=1, top_id=top, encoding=getattr(EncType, scheme))
        self.clauses += map(tuple, encoded.clauses)
        self.variables.add(max(encoded.nv - top, 0), label, literals, scheme)

    def some_of(self, literals: Clause, label: str) -> int:
        """A variable that is true exactly when one of ``literals`` is.

        That no two of them are true need not be said here: two cells of one part of a line lie in two parts of the
        crossing direction of their region, of which only one is true.
        """
        if len(literals) == 1:
            return literals[0]
        variable = self.variables.add(1, label, literals, "any")
        self.clauses.append((*literals, -variable))
        self.clauses += [(-literal, variable) for literal in literals]
        return variable


def _cells(variables: Variables) -> Iterator[tuple[Clause, str]]:
    geometry = variables.geometry
    for cell in range(geometry.cell_count):
        first = variables.cell(cell, 1)
        yield tuple(range(first, first + geometry.order)), geometry.cell_name(cell)


def _houses(variables: Variables) -> Iterator[tuple[Clause, str]]:
    geometry = variables.geometry
    for house in geometry.houses:
        for symbol in range(1, geometry.order + 1):
            yield _places(geometry, house.cells, symbol), f"{house.name} = {geometry.symbol_text(symbol)}"


def _places(geometry: Geometry, cells: Iterable[int], symbol: int) -> Clause:
    n = geometry.order
    return tuple([cell * n + symbol for cell in cells])


def _through_intersections(rules: _Rules) -> Iterator[tuple[Clause, str]]:
    """For each house and symbol the literals of which exactly one holds, lines and regions cut at each other.

    A line is cut into its parts in each region, a region once into parts of rows and once of columns; a part of one
    cell stands for itself. Houses of other kinds (and all, without regions) keep their cells.
    """
    geometry = rules.variables.geometry
    region_of = geometry.region_of
    n = geometry.order
    parts: dict[tuple[str, int, int, int], int] = {}
    # rows, columns, regions come first; by their place, as an extra house may be called a row or a box, too
    for index, house in enumerate(geometry.houses):
        lines = index < 2 * n
        if region_of is None or index >= 3 * n:
            yield from (
                (_places(geometry, house.cells, s), f"{house.name} = {geometry.symbol_text(s)}")
                for s in range(1, n + 1)
            )
            continue
        for direction in (house.kind,) if lines else ("row", "column"):
            cut: dict[tuple[int, int], list[int]] = {}
            for cell in house.cells:
                line = cell // n if direction == "row" else cell % n
                cut.setdefault((line, region_of[cell]), []).append(cell)
            for symbol in range(1, n + 1):
                literals = []
                for (line, region), cells in cut.items():
                    key = (direction, line, region, symbol)
                    if key not in parts:
                        label = f"{direction} {line + 1}, region {region + 1} = {geometry.symbol_text(symbol)}"
                        parts[key] = rules.some_of(_places(geometry, cells, symbol), label)
                    literals.append(parts[key])
                yield tuple(literals), f"{house.name} = {geometry.symbol_text(symbol)}"
