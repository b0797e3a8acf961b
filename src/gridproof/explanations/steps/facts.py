"""The facts of a board as numbers and clauses: what reasons are made of, what they cost, and a solver that holds them.

The variable of a candidate is x[cell, symbol], numbered in the canonical order; variables of rules follow. "A cell
holds at most one symbol" and "this candidate is gone" are no facts that a reason has to name. A set of facts is an
integer with a bit for each.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

from gridproof import backends
from gridproof.backends.capabilities import Incremental
from gridproof.explanations.steps.order import canonical_order
from gridproof.explanations.steps.step import Candidate, Fact
from gridproof.limits import Watch, watched
from gridproof.models.builder import ClauseList
from gridproof.models.cnf_rules import add_all
from gridproof.models.variables import Variables
from gridproof.puzzle.board import Board
from gridproof.rules import Rule

SOLVER = "minisat22"
"""It answers small questions fastest; there is hardly a difference."""

UNIT = 0.1
"""What costs are counted in."""


def weights() -> dict[str, int]:
    """Return the cost of each kind of fact, in units, as ``weights.toml`` has them."""
    table = tomllib.loads(Path(__file__).with_name("weights.toml").read_text(encoding="utf-8"))
    return {kind: round(weight / UNIT) for kind, weight in table.items()}


class _RuleClauses(ClauseList):
    """The clauses of rules, so that unit propagation finds as much as it can."""

    choices = {"sum": "combinations", "automaton": "states", "relation": "forbid"}  # noqa: RUF012


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
    clauses : list of (fact, clause)
        What they state, each clause with the number of its fact. Pairs are left out: see ``network``.
    """

    def __init__(self, board: Board, candidates: Sequence[int], watch: Watch) -> None:
        self.board, self.watch, geometry = board, watch, board.geometry
        n = geometry.order
        self.cells, self.symbols = canonical_order(board, candidates)
        rank = {cell: place for place, cell in enumerate(self.cells)}
        place_of = {symbol: place for place, symbol in enumerate(self.symbols, 1)}
        self.x = [[0, *(rank[cell] * n + place_of[s] for s in range(1, n + 1))] for cell in range(geometry.cell_count)]
        ranked = [sorted(house.cells, key=rank.__getitem__) for house in geometry.houses]
        self.houses = sorted(range(len(ranked)), key=lambda house: [rank[cell] for cell in ranked[house]])
        self.house_cells = ranked
        self.rules = _without_repeats(board.rules)
        self.facts = [Fact("once", house) for house in self.houses]
        self.facts += [Fact("cell", cell) for cell in self.cells]
        self.facts += [Fact("place", house, symbol) for house in self.houses for symbol in self.symbols]
        self.facts += [Fact("rule", number) for number in self.rules]
        self.bit = {fact: 1 << number for number, fact in enumerate(self.facts)}
        self._weigh()
        self.variables = self.cell_variables = n * geometry.cell_count
        self.rule_clauses: dict[Fact, list[tuple[int, ...]]] = {}
        with watched(watch):
            for number in self.rules:
                self.rule_clauses[Fact("rule", number)] = list(self._of_rule(board.rules[number]))

    def _weigh(self) -> None:
        weight, classes = weights(), dict[int, int]()
        for fact, bit in self.bit.items():
            kind = fact.kind
            if kind == "place":
                lines = self.board.geometry.houses[fact.index].kind in ("row", "column")
                kind = "line" if lines else "house"  # type: ignore[assignment]
            classes[weight[kind]] = classes.get(weight[kind], 0) | bit
        self.classes = tuple(classes.items())

    def cost(self, facts: int) -> int:
        """Return what a set of facts costs, in units."""
        return sum([weight * (facts & these).bit_count() for weight, these in self.classes])

    def members(self, facts: int) -> list[Fact]:
        """Return the facts of a set."""
        return [fact for number, fact in enumerate(self.facts) if facts >> number & 1]

    def candidate(self, variable: int) -> Candidate:
        """Return the cell and the symbol of a variable."""
        rank, place = divmod(variable - 1, self.board.geometry.order)
        return self.cells[rank], self.symbols[place]

    def _of_rule(self, rule: Rule) -> Iterator[tuple[int, ...]]:
        """Yield the clauses of a rule. The cells that it names hold something: nobody would call that a further fact."""
        geometry = self.board.geometry
        stated = _RuleClauses(Variables(geometry))
        add_all(rule.expand(geometry), stated, "rule")
        own = self.variables - len(stated.x.numbers)
        for clause in stated.clauses:
            yield tuple([self._renumbered(literal, stated, own) for literal in clause])
        self.variables += stated.top - len(stated.x.numbers)
        scope = rule.scope(geometry)
        if len(scope) < geometry.cell_count:
            for cell in sorted(scope, key=lambda cell: self.x[cell][1]):
                yield tuple(self.x[cell][1:])

    def _renumbered(self, literal: int, stated: ClauseList, own: int) -> int:
        if abs(literal) not in stated.x.numbers:
            return literal + own if literal > 0 else literal - own
        cell, symbol = stated.x.of(literal)
        return self.x[cell][symbol] if literal > 0 else -self.x[cell][symbol]

    # ---- what is left of them at a position -----------------------------------------------------------------------

    def left(self, candidates: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield the clauses of cells and places over the candidates that are left, each with the bit of its fact."""
        for cell in self.cells:
            x, mask = self.x[cell], candidates[cell]
            yield self.bit[Fact("cell", cell)], [x[s] for s in self.symbols if mask >> (s - 1) & 1]
        for house in self.houses:
            cells = self.house_cells[house]
            for s in self.symbols:
                yield self.bit[Fact("place", house, s)], [self.x[c][s] for c in cells if candidates[c] >> (s - 1) & 1]

    def rules_left(self, candidates: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield what is left of the clauses of rules, after what each of them says of its own variables alone."""
        false: set[int] = set()
        for cell, row in enumerate(self.x):
            mask = candidates[cell]
            false.update([x for s, x in enumerate(row[1:]) if not mask >> s & 1])
            if mask.bit_count() == 1:
                false.add(-row[mask.bit_length()])
        for fact, clauses in self.rule_clauses.items():
            settled, rest, before = false.copy(), clauses, -1
            while len(settled) != before:
                before, rest = len(settled), [c for c in rest if not any(-literal in settled for literal in c)]
                open_literals = [[literal for literal in clause if literal not in settled] for clause in rest]
                settled.update([-literals[0] for literals in open_literals if len(literals) == 1])
                self.watch.look()
            bit = self.bit[fact]
            for literals in open_literals:
                yield bit, literals

    # ---- the solver -----------------------------------------------------------------------------------------------

    def selector(self, bit: int) -> int:
        """Return the variable that switches a fact on."""
        return self.variables + bit.bit_length()

    def selectors(self, facts: int) -> list[int]:
        """Return the variables that switch a set of facts on."""
        return [self.variables + number + 1 for number in range(facts.bit_length()) if facts >> number & 1]

    def chosen(self, selectors: Iterable[int]) -> int:
        """Return the set of facts that selectors switch on."""
        return sum(1 << (selector - self.variables - 1) for selector in selectors)

    def solver(self, candidates: Sequence[int], name: str = SOLVER) -> Incremental:
        """Return a solver with all facts, each under its selector, and the candidates that are gone."""
        clauses: list[Sequence[int]] = []
        for bit, literals in self.left(candidates):
            clauses.append([*literals, -self.selector(bit)])
            fact = self.facts[bit.bit_length() - 1]
            if fact.kind == "cell":
                clauses += [(-one, -other) for one, other in combinations(literals, 2)]
                clauses += [(-x,) for x in self.x[fact.index][1:] if x not in literals]
            else:
                once = -self.selector(self.bit[Fact("once", fact.index)])
                clauses += [(-one, -other, once) for one, other in combinations(literals, 2)]
        for fact, stated in self.rule_clauses.items():
            selector = -self.selector(self.bit[fact])
            clauses += [(*clause, selector) for clause in stated]
        return backends.find(name).incremental(clauses)


def _without_repeats(rules: Sequence[Rule]) -> list[int]:
    """Return the numbers of rules, one of equal ones."""
    first: dict[Rule, int] = {}
    for number, rule in enumerate(rules):
        first.setdefault(rule, number)
    return list(first.values())
