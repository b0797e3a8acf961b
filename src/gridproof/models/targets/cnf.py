"""Geometry + encoding -> clauses: the rules of a board in conjunctive normal form, without its clues.

Encodings by their usual names: *minimal*, *natural* (Kwon & Jain 2006, "Optimized CNF encoding for Sudoku puzzles")
and *extended* (Lynce & Ouaknine 2006, "Sudoku as a SAT problem"; called complete elsewhere). With
``through = "intersections"`` a line and a region are connected by variables for the cells they share, the
*triads* of tdoku (Dillon 2019): unit propagation then finds locked candidates, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple, TextIO

from gridproof.errors import EncodingError
from gridproof.limits import look
from gridproof.models import schemes
from gridproof.models.clauses import ClauseList, Cnf
from gridproof.models.cnf_rules import add_rules
from gridproof.models.targets import Choices, Encoding, Model, Target
from gridproof.models.variables import CellVariables, Clause, Variables
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import House

if TYPE_CHECKING:
    from gridproof.models.reduced import ReducedCnf

LARGE_ORDER = 20
"""From this order on boards are compiled one by one where no encoding is named."""


class LargeModel(Model):
    """The model of an encoding with ``clues = "propagated"``: each board is compiled anew, after propagation."""

    def __init__(self, problem: Problem, encoding: Encoding) -> None:
        self.problem, self.encoding = problem, encoding

    @property
    def sizes(self) -> dict[str, int]:
        """None: each board makes a formula of its own size."""
        return {}

    def clauses_of(self, board: Board) -> ReducedCnf:
        """Return the clauses for a board: what it leaves open. Raises ``Interrupted`` as ``reduce`` does."""
        from gridproof.models.propagation import reduce
        from gridproof.models.reduced import compile_reduction

        return compile_reduction(reduce(board), self.encoding)


def compile_cnf(problem: Problem | Geometry, encoding: Encoding) -> Cnf:
    """Return all clauses of houses and rules.

    Parameters
    ----------
    problem
        Houses and rules. A geometry stands for the problem without rules; its clauses are cached, and each problem adds
        those of its rules.
    encoding
        The recipe for its clauses; its target is ``cnf``.

    Returns
    -------
    Cnf

    Examples
    --------
    >>> from gridproof.models import catalog
    >>> compile_cnf(Geometry.classic(2), catalog.load("minimal"))
    <Cnf of 4x4, 2x2 boxes, minimal: 64 variables, 240 clauses>
    """
    geometry, rules = Problem.of(problem)
    houses = _compile(geometry, encoding)
    if not rules:
        return houses
    builder = SchemeBuilder(houses.variables.copy(), encoding)
    add_rules(Problem(geometry, rules), builder)
    clauses = _clause_keys(geometry, encoding).copy()
    clauses.update(dict.fromkeys(builder.clauses))  # rules may repeat clauses of houses
    return Cnf(Problem(geometry, rules), encoding, builder.variables, tuple(clauses))


def forget() -> None:
    """Empty the cache of ``compile_cnf``, so that the next call compiles: for whoever measures that."""
    _compile.cache_clear()
    _clause_keys.cache_clear()


@lru_cache(maxsize=16)
def _clause_keys(geometry: Geometry, encoding: Encoding) -> dict[Clause, None]:
    """Return the clauses of the houses as keys, in order, to be copied."""
    return dict.fromkeys(_compile(geometry, encoding).clauses)


@lru_cache(maxsize=16)
def _compile(geometry: Geometry, encoding: Encoding) -> Cnf:
    builder = state_houses(geometry, encoding)
    # A pair of cells may share a row and a box: dict keys keep the first of equal clauses, in order.
    return Cnf(Problem(geometry), encoding, builder.variables, tuple(dict.fromkeys(builder.clauses)))


def state_houses(geometry: Geometry, encoding: Encoding) -> SchemeBuilder:
    """Return a builder with all clauses of the houses, some of them twice: of pairs that a line and a box share."""
    builder = SchemeBuilder(Variables(CellVariables(geometry)), encoding)
    x = builder.variables.cells
    cells = range(geometry.cell_count)
    builder.groups("cell", [Group(x.of_cell(cell), geometry.cell_name(cell)) for cell in cells])
    if encoding.choice("house", "through") == "intersections":
        builder.groups("house", _through_intersections(builder))
    else:
        for house in geometry.houses:
            builder.groups("house", _places(x, house))
    if not geometry.has_full_houses_only:
        _complete_short_houses(builder)
    return builder


class Group(NamedTuple):
    """Literals of which at most one is true, and exactly one unless they are of a house that is not full."""

    literals: Clause
    label: str
    is_full: bool = True


class SchemeBuilder(ClauseList):
    """A builder that states "at most one" by the schemes of an encoding."""

    has_sums = False

    def __init__(self, variables: Variables, encoding: Encoding) -> None:
        super().__init__(variables)
        self.encoding = encoding
        self.houses_of = variables.cells.geometry

    def extend(self, clauses: Iterable[Clause]) -> None:
        self.clauses += clauses

    def groups(self, table: str, groups: Iterable[Group]) -> None:
        """State at least one and at most one literal of each group, as the encoding's table has it."""
        at_least_one = self.encoding.choice(table, "at_least_one")
        at_most_one = self.encoding.choice(table, "at_most_one")
        for literals, label, is_full in groups:
            look()
            if at_least_one and is_full:
                self.clauses.append(literals)
            if at_most_one:
                self._by_scheme(str(at_most_one), literals, label)

    def at_most_one(self, literals: Clause, label: str) -> None:
        # pairs are best where an encoding states "at least one" only
        self._by_scheme(str(self.encoding.choice("house", "at_most_one") or "by-size"), literals, label)

    def _by_scheme(self, name: str, literals: Clause, label: str) -> None:
        template = schemes.find(name).template(len(literals))
        first = self.variables.add(template.auxiliaries, label, name)
        self.clauses += template.clauses_for(literals, first)

    def some_of(self, literals: Clause, label: str) -> int:
        """Return a variable that is true exactly when one of ``literals`` is.

        That no two of them are true need not be stated here: two cells of one part of a line lie in two parts of the
        crossing direction of their region, of which only one is true.
        """
        if len(literals) == 1:
            return literals[0]
        variable = self.variables.add(1, label, "any")
        self.clauses.append(literals + (-variable,))
        for literal in literals:
            self.clauses.append((-literal, variable))
        return variable


def _places(x: CellVariables, house: House) -> Iterator[Group]:
    """Return for each symbol the literals of its places in a house."""
    is_full = x.geometry.is_full(house)
    for symbol in x.geometry.symbols:
        label = f"{house.name} = {x.geometry.symbol_text(symbol)}"
        yield Group(x.of_symbol(symbol, house.cells), label, is_full)


def _complete_short_houses(builder: SchemeBuilder) -> None:
    """State what an encoding leaves out because it follows from full houses only.

    Counting the places of symbols tells nothing about a house that is not full. So each cell gets exactly one symbol
    here, and each short house no symbol twice, whatever the encoding states.
    """
    x = builder.variables.cells
    geometry = x.geometry
    encoding = builder.encoding
    for cell in range(geometry.cell_count):
        literals = x.of_cell(cell)
        if not encoding.choice("cell", "at_least_one"):
            builder.add(literals)
        if not encoding.choice("cell", "at_most_one"):
            builder.at_most_one(literals, geometry.cell_name(cell))
    if not encoding.choice("house", "at_most_one"):
        for house in geometry.houses:
            if not geometry.is_full(house):
                for group in _places(x, house):
                    builder.at_most_one(group.literals, group.label)


def _through_intersections(builder: SchemeBuilder) -> Iterator[Group]:
    """Return for each house and symbol the literals of its places, lines and regions cut at each other.

    A line is cut into its parts in each region, a region once into parts of rows and once of columns; a part of one
    cell stands for itself. Houses of other kinds (and all, without regions) keep their cells.
    """
    x, geometry = builder.variables.cells, builder.variables.cells.geometry
    region_of = geometry.region_of
    columns = geometry.columns
    line_count = geometry.rows + columns
    region_count = 0 if region_of is None else max(region_of) + 1
    parts: dict[tuple[str, int, int, int], int] = {}
    # rows, columns, regions come first; by their place, as an extra house may be called a row or a box, too
    for index, house in enumerate(geometry.houses):
        lines = index < line_count
        if region_of is None or index >= line_count + region_count:
            yield from _places(x, house)
            continue
        for direction in (house.kind,) if lines else ("row", "column"):
            cut: dict[tuple[int, int], list[int]] = {}
            for cell in house.cells:
                line = cell // columns if direction == "row" else cell % columns
                cut.setdefault((line, region_of[cell]), []).append(cell)
            for symbol in geometry.symbols:
                literals = []
                for (line, region), cells in cut.items():
                    key = (direction, line, region, symbol)
                    if key not in parts:
                        label = f"{direction} {line + 1}, region {region + 1} = {geometry.symbol_text(symbol)}"
                        parts[key] = builder.some_of(x.of_symbol(symbol, cells), label)
                    literals.append(parts[key])
                label = f"{house.name} = {geometry.symbol_text(symbol)}"
                yield Group(tuple(literals), label, geometry.is_full(house))


# ---- the target ----------------------------------------------------------------------------------------------------


def explain_gap(choices: Choices) -> str | None:
    """The n cells of a house share n symbols: if each cell has at least one and each symbol at most one place, counting
    gives "exactly one" for both; and so the other way round."""
    through = choices["house", "through"]
    if choices["board", "clues"] == "propagated" and through != "cells":
        return (
            f"board.clues = 'propagated' with house.through = {through!r}; "
            "expected house.through = 'cells': what is left of a board is cut no further"
        )
    least = {table: choices[table, "at_least_one"] for table in ("cell", "house")}
    most = {table: choices[table, "at_most_one"] for table in ("cell", "house")}
    if (least["cell"] and most["house"]) or (least["house"] and most["cell"]):
        return None
    return (
        f"at_least_one {least} and at_most_one {most} do not state the rules; expected at least one "
        "a cell with at most one a house, or at least one a house with at most one a cell"
    )


def _model(problem: Problem, encoding: Encoding) -> Cnf | LargeModel:
    """Return all clauses at once, or what makes the clauses of each board."""
    if encoding.choice("board", "clues") != "propagated":
        return compile_cnf(problem, encoding)
    if not problem.geometry.has_full_houses_only:
        raise EncodingError(
            f"encoding {encoding.name} on a board of {problem.geometry.description}; "
            "expected a board whose houses hold every digit, or another encoding"
        )
    return LargeModel(problem, encoding)


def _write(model: Cnf | LargeModel, out: TextIO, board: Board | None, names: bool) -> None:
    """DIMACS, a board as unit clauses. Of an encoding that propagates it is what the board leaves open."""
    clauses = compile_cnf(model.problem, model.encoding) if board is None else model.clauses_of(board)
    clauses.write_dimacs(out, board, names=names)


def _default_encoding(problem: Problem | None) -> str:
    if problem is None:
        return "extended"
    geometry = problem.geometry
    is_large = geometry.symbol_count >= LARGE_ORDER and geometry.has_full_houses_only
    if is_large and find_spec("numpy") is not None:  # by which large boards are propagated
        return "reduced"
    return "triad" if problem.rules else "extended"


_SCHEMES: list[object] = list(schemes.all_schemes())
_EXACTLY_ONE = {"at_least_one": (True, False), "at_most_one": tuple(_SCHEMES + [False])}

TARGETS = (
    Target(
        name="cnf",
        # clues: whether the rules are compiled once and a board's clues assumed, or each board's clues propagated
        # first, so that only what they leave open is compiled
        schema={
            "cell": _EXACTLY_ONE,
            "house": _EXACTLY_ONE | {"through": ("cells", "intersections")},
            "board": {"clues": ("assumed", "propagated")},
        },
        optional={("house", "through"): "cells", ("board", "clues"): "assumed"},
        invalid_reason=explain_gap,
        default_encoding=_default_encoding,
        compile=_model,
        formats={"dimacs": _write},
    ),
)
