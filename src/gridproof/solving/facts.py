"""The facts of a board as numbers and clauses: what reasons are made of, what they cost, and a solver that holds them.

The variable of a candidate is x[cell, symbol], numbered in the canonical order; variables of rules follow. "A cell
holds at most one symbol" and "this candidate is gone" are no facts that a reason has to name. A set of facts is an
integer with a bit for each.

Among equally good reasons one has to be taken. To take the first one by the canonical order, and not by the place in
the grid, gives a turned, transposed or relabelled board the same steps at the same costs.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from gridproof import backends
from gridproof.backends.protocol import Incremental
from gridproof.limits import Watch, watched
from gridproof.models.clauses import ClauseList
from gridproof.models.cnf_rules import add_all
from gridproof.models.variables import CellVariables, Clause, Variables
from gridproof.puzzle.board import Board
from gridproof.rules import Rule
from gridproof.solving.step import Candidate, Fact

SOLVER = "minisat22"
"""It answers small questions fastest; there is hardly a difference."""

UNIT = 0.1
"""What costs are counted in."""


@cache
def weights() -> dict[str, int]:
    """Return the cost of each kind of fact, in units, as ``weights.toml`` has them."""
    table = tomllib.loads(Path(__file__).with_name("weights.toml").read_text(encoding="utf-8"))
    return {kind: round(weight / UNIT) for kind, weight in table.items()}


class Facts:
    """All facts of a board.

    Parameters
    ----------
    board, candidates
        The board, and the mask of each cell to begin with.
    watch
        The limits of all work.

    Attributes
    ----------
    facts : list of Fact
        Each fact, by the number of its bit.
    bit : dict
        The bit of each fact.
    x : list of lists
        The variable of each cell and symbol.
    every : list of int
        The selectors of all facts.
    """

    def __init__(self, board: Board, candidates: Sequence[int], watch: Watch) -> None:
        self.board, self.watch, geometry = board, watch, board.geometry
        n, houses = geometry.order, geometry.houses
        self.cells, self.symbols = canonical_order(board, candidates)
        rank = {cell: place for place, cell in enumerate(self.cells)}
        place = {symbol: place for place, symbol in enumerate(self.symbols, 1)}
        self.x = [[0, *(rank[cell] * n + place[s] for s in range(1, n + 1))] for cell in range(geometry.cell_count)]
        self._houses = {number: sorted(house.cells, key=rank.__getitem__) for number, house in enumerate(houses)}
        lines = {number for number, house in enumerate(houses) if house.kind in ("row", "column")}
        ordered = sorted(self._houses, key=lambda house: (house in lines, [rank[c] for c in self._houses[house]]))
        self.rules = [number for number, rule in enumerate(board.rules) if board.rules.index(rule) == number]
        self.facts = [Fact("once", house) for house in ordered]
        self.facts += [Fact("cell", cell) for cell in self.cells]
        self.facts += [Fact("place", house, symbol) for house in ordered for symbol in self.symbols]
        self.facts += [Fact("rule", number) for number in self.rules]
        self.bit = {fact: 1 << number for number, fact in enumerate(self.facts)}
        self._classes: dict[int, int] = {}
        for fact, bit in self.bit.items():
            in_line = fact.kind == "place" and houses[fact.number].kind in ("row", "column")
            kind = "line" if in_line else "house" if fact.kind == "place" else fact.kind
            weight = weights()[kind]
            self._classes[weight] = self._classes.get(weight, 0) | bit
        self.variables = self.cell_variables = n * geometry.cell_count
        with watched(watch):
            self._rules = {self.bit[Fact("rule", n)]: list(self._clauses(board.rules[n])) for n in self.rules}
        self.every = self.selectors((1 << len(self.facts)) - 1)

    def cost(self, facts: int) -> int:
        """Return what a set of facts costs, in units."""
        return sum([weight * (facts & these).bit_count() for weight, these in self._classes.items()])

    def members(self, facts: int) -> list[Fact]:
        """Return the facts of a set."""
        return [fact for number, fact in enumerate(self.facts) if facts >> number & 1]

    def candidate(self, variable: int) -> Candidate:
        """Return the cell and the symbol of a variable."""
        rank, place = divmod(variable - 1, self.board.geometry.order)
        return self.cells[rank], self.symbols[place]

    def of_cell(self, cell: int, mask: int) -> list[int]:
        """Return the variables of some symbols of a cell."""
        return [self.x[cell][s] for s in self.symbols if mask >> (s - 1) & 1]

    def left(self, candidates: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield the bit of each fact on a cell or a place, with the variables left, of which one is true."""
        for fact, bit in self.bit.items():
            if fact.kind == "cell":
                yield bit, self.of_cell(fact.number, candidates[fact.number])
            elif fact.kind == "place":
                s, cells = fact.symbol, self._houses[fact.number]
                yield bit, [self.x[cell][s] for cell in cells if candidates[cell] >> (s - 1) & 1]

    def clauses(self, candidates: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield what is left of the clauses on cells and houses, each with the bit of its fact, or 0."""
        for bit, literals in self.left(candidates):
            fact = self.facts[bit.bit_length() - 1]
            apart = self.bit[Fact("once", fact.number)] if fact.kind == "place" else 0
            yield bit, literals
            yield from ((apart, [-one, -other]) for one, other in combinations(literals, 2))

    def rules_left(self, candidates: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield what is left of the clauses of rules, after what each of them states about its own variables alone."""
        false: set[int] = set()
        for cell, mask in enumerate(candidates):
            false.update(self.of_cell(cell, ~mask))
            if mask.bit_count() == 1:
                false.add(-self.x[cell][mask.bit_length()])
        for bit, rest in self._rules.items():
            settled, before = false.copy(), -1
            while len(settled) != before:
                self.watch.look()
                before, rest = len(settled), [c for c in rest if not any(-literal in settled for literal in c)]
                left = [[literal for literal in clause if literal not in settled] for clause in rest]
                settled.update([-literals[0] for literals in left if len(literals) == 1])
            yield from ((bit, literals) for literals in left)

    def _clauses(self, rule: Rule) -> Iterator[Clause]:
        """Yield the clauses of a rule. That the cells which it names hold something is no further fact to anybody."""
        geometry, variables = self.board.geometry, Variables(CellVariables(self.board.geometry))
        stated, own = ClauseList(variables), self.variables - variables.count
        stated.has_sums = False
        add_all(rule.expand(geometry), stated, "rule")
        numbers = {x: self.x[cell][symbol] for x in variables.cells.numbers for cell, symbol in [variables.cells.of(x)]}
        self.variables += variables.count - len(numbers)
        for clause in stated.clauses:
            yield tuple([(1 if x > 0 else -1) * numbers.get(abs(x), abs(x) + own) for x in clause])
        if len(scope := rule.scope(geometry)) < geometry.cell_count:
            yield from (tuple(self.x[cell][1:]) for cell in self.cells if cell in scope)

    # ---- the solver -----------------------------------------------------------------------------------------------

    def selectors(self, facts: int) -> list[int]:
        """Return the variables that switch a set of facts on."""
        return [self.variables + number + 1 for number in range(facts.bit_length()) if facts >> number & 1]

    def chosen(self, selectors: Iterable[int]) -> int:
        """Return the set of facts that selectors switch on."""
        return sum(1 << (selector - self.variables - 1) for selector in selectors)

    def solver(self, candidates: Sequence[int], only: int = -1) -> Incremental:
        """Return a solver with a set of facts, or all, each under its selector, and the candidates that are gone."""
        clauses: list[Sequence[int]] = [(-x,) for cell in self.cells for x in self.of_cell(cell, ~candidates[cell])]
        of_rules = ((bit, clause) for bit, stated in self._rules.items() for clause in stated)
        for bit, clause in chain(self.clauses(candidates), of_rules):
            if not bit:
                clauses.append(clause)
            elif bit & only:
                clauses.append([*clause, -self.variables - bit.bit_length()])
        return backends.find(SOLVER).incremental(clauses)


# ---- the canonical order ---------------------------------------------------------------------------------------------


def canonical_order(board: Board, candidates: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the cells, and the symbols, in an order that depends on what is around them and not on their place.

    Cells, symbols, houses and rules are nodes of a graph. Their colours are refined by those of their neighbours until
    nothing changes (Weisfeiler and Leman 1968). Where several cells, or several symbols, keep one colour, as on a
    symmetric board, one is singled out.

    Parameters
    ----------
    board
        Houses and rules.
    candidates
        The mask of each cell.

    Examples
    --------
    >>> from gridproof import parse
    >>> board, turned = parse("12.. ..1. .... ...3"), parse("3... .... .1.. ..21")
    >>> cells, symbols = canonical_order(board, board.candidates)
    >>> ([15 - cell for cell in cells], symbols) == canonical_order(turned, turned.candidates)
    True
    """
    geometry, n, size = board.geometry, board.geometry.order, len(candidates)
    keys: list[Any] = [("cell",)] * size
    keys += [("symbol", symbol if board.rules else 0) for symbol in range(n)]  # without rules all symbols are alike
    keys += [("line" if house.kind in ("row", "column") else house.kind,) for house in geometry.houses]
    keys += [(_without_cells(rule),) for rule in board.rules]
    edges = [(cell, size + s, 0) for cell, mask in enumerate(candidates) for s in range(n) if mask >> s & 1]
    edges += [(cell, size + n + house, 0) for cell in range(size) for house in geometry.houses_of[cell]]
    for number, rule in enumerate(board.rules, size + n + len(geometry.houses)):
        edges += [(cell, number, place) for _, line in rule.lists() for place, cell in enumerate(line)]
    around: list[list[tuple[int, int]]] = [[] for _ in keys]
    for cell, other, place in edges:
        around[cell].append((place, other))
        around[other].append((place, cell))
    colours, number = _ranks(keys), 0
    while True:
        while len({*colours}) > number:
            number = len({*colours})
            near = [(*sorted([(place, colours[other]) for place, other in others]),) for others in around]
            colours = _ranks([*zip(colours, near, strict=True)])
        cells, symbols = colours[:size], colours[size : size + n]
        shared = [colour for ranks in (cells, symbols) for colour, times in Counter(ranks).items() if times > 1]
        if not shared:
            by_symbol = sorted(range(n), key=symbols.__getitem__)
            return sorted(range(size), key=cells.__getitem__), [symbol + 1 for symbol in by_symbol]
        colours[colours.index(min(shared))] = len(colours)


def _without_cells(rule: Any) -> str:
    return repr([rule.kind, [value for _, kind, value in rule.parameters() if kind not in ("cells", "lines")]])


def _ranks(keys: Sequence[Any]) -> list[int]:
    """Return the place of each key among the different keys in order."""
    places = {key: place for place, key in enumerate(sorted({*keys}))}
    return [places[key] for key in keys]
