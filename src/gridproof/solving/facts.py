"""The facts of a board as numbers and clauses: what reasons are made of, what they cost, and a solver that holds them.

The variable of a candidate is x[cell][symbol], numbered in the canonical order; variables of rules follow. "A cell
holds at most one symbol" and "this candidate is gone" are no facts that a reason has to name. A set of facts is an
integer with a bit for each, named ``fact_set`` or, if it has one member, ``bit``; 0 stands for what is no fact.

A rule as a fact is its own meaning and nothing else: its clauses come from a board without houses. What it states
together with houses, such as that a sum of two cells in a row has two different symbols, is stated apart and needs the
facts of these houses as well, so that a reason names them. Such clauses add nothing to what is true; without them much
would follow only after a search.

Among equally good reasons one has to be taken. To take the first one by the canonical order, and not by the place in
the grid, gives a turned, transposed or relabelled board the same steps at the same costs.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from gridproof import backends
from gridproof.backends.protocol import Incremental
from gridproof.limits import Watch, watched
from gridproof.models.clauses import ClauseList
from gridproof.models.cnf_rules import add_all
from gridproof.models.variables import CellVariables, Clause, Variables
from gridproof.puzzle.board import Board
from gridproof.puzzle.without_houses import without_houses
from gridproof.rules.primitives import Primitive, Sum
from gridproof.solving.order import canonical_order
from gridproof.solving.position import Candidate, Fact

SOLVER = "minisat22"
"""The solver that reasons are found with: it answers small questions fastest, though there is hardly a difference."""

UNIT = 0.1
"""The unit in which costs are counted."""

EVERY = -1
"""The set of all facts."""


@cache
def weights() -> dict[str, int]:
    """Return the cost of each kind of fact, in units, as ``weights.toml`` has them."""
    table = tomllib.loads(Path(__file__).with_name("weights.toml").read_text(encoding="utf-8"))
    return {kind: round(weight / UNIT) for kind, weight in table.items()}


class Statement(NamedTuple):
    """Clauses that a set of facts states: a rule by itself, or a rule and the houses of its cells."""

    facts: int
    clauses: Sequence[Clause]


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
    cells, symbols : list of int
        The cells and the symbols in the canonical order.
    x : list of lists
        The variable of each cell and symbol.
    rules : list of int
        The numbers of the rules; of equal ones the first.
    cell_variables, variables : int
        The number of variables of candidates, and of all variables.
    every : list of int
        The selectors of all facts.
    """

    def __init__(self, board: Board, candidates: Sequence[int], watch: Watch) -> None:
        self.board = board
        self.watch = watch
        self.cells, self.symbols = canonical_order(board, candidates)
        self.x = self._number_candidates()
        self._houses = self._sort_houses()
        self.rules = [number for number, rule in enumerate(board.rules) if board.rules.index(rule) == number]
        # all facts in the order of their bits; what comes first is left out of a reason first
        self.facts = [Fact("once", house) for house in self._houses]
        self.facts += [Fact("cell", cell) for cell in self.cells]
        for house in self._houses:
            if house in board.geometry.full_houses:
                self.facts += [Fact("place", house, symbol) for symbol in self.symbols]
        self.facts += [Fact("rule", number) for number in self.rules]
        self.bit = {fact: 1 << number for number, fact in enumerate(self.facts)}
        self._weighted = self._weigh_facts()
        self.cell_variables = board.geometry.symbol_count * board.geometry.cell_count
        self.variables = self.cell_variables
        self._statements: list[Statement] = []
        with watched(watch):
            for number in self.rules:
                self._state_rule(number)
        self.every = self.selectors((1 << len(self.facts)) - 1)

    # ---- numbers --------------------------------------------------------------------------------------------------

    def _number_candidates(self) -> list[list[int]]:
        """Return the variable of each cell and symbol; a row for each cell, which begins with 0 for no symbol."""
        geometry = self.board.geometry
        x = [[0] * (geometry.symbol_count + 1) for _ in range(geometry.cell_count)]
        number = 0
        for cell in self.cells:
            for symbol in self.symbols:
                number += 1
                x[cell][symbol] = number
        return x

    def _sort_houses(self) -> dict[int, list[int]]:
        """Return the cells of each house in the canonical order; boxes first, houses of a sort by their cells."""
        rank = {cell: place for place, cell in enumerate(self.cells)}
        keys: list[tuple[bool, list[int], int]] = []
        for number, house in enumerate(self.board.geometry.houses):
            ranks = sorted([rank[cell] for cell in house.cells])
            keys.append((self._is_line(number), ranks, number))
        houses: dict[int, list[int]] = {}
        for _, ranks, number in sorted(keys):
            houses[number] = [self.cells[place] for place in ranks]
        return houses

    def _is_line(self, house: int) -> bool:
        return self.board.geometry.houses[house].kind in ("row", "column")

    def _weigh_facts(self) -> list[tuple[int, int]]:
        """Return each weight with the set of the facts that have it."""
        sets: dict[int, int] = {}
        for fact, bit in self.bit.items():
            kind: str = fact.kind
            if kind == "place":
                kind = "line" if self._is_line(fact.number) else "house"
            weight = weights()[kind]
            sets[weight] = sets.get(weight, 0) | bit
        return list(sets.items())

    def cost(self, fact_set: int) -> int:
        """Return what a set of facts costs, in units."""
        cost = 0
        for weight, facts in self._weighted:
            cost += weight * (fact_set & facts).bit_count()
        return cost

    def members(self, fact_set: int) -> list[Fact]:
        """Return the facts of a set."""
        return [fact for number, fact in enumerate(self.facts) if fact_set >> number & 1]

    def set_of(self, facts: Iterable[Fact]) -> int:
        """Return the set of some facts."""
        fact_set = 0
        for fact in facts:
            fact_set |= self.bit[fact]
        return fact_set

    def candidate(self, variable: int) -> Candidate:
        """Return the cell and the symbol of a variable."""
        rank, place = divmod(variable - 1, self.board.geometry.symbol_count)
        return self.cells[rank], self.symbols[place]

    def variables_of(self, cell: int, mask: int) -> list[int]:
        """Return the variables of some symbols of a cell."""
        return [self.x[cell][s] for s in self.symbols if mask >> (s - 1) & 1]

    # ---- clauses --------------------------------------------------------------------------------------------------

    def options(self, candidates: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield the bit of each fact on a cell or a place, with the variables left, of which one is true."""
        for fact, bit in self.bit.items():
            if fact.kind == "cell":
                yield bit, self.variables_of(fact.number, candidates[fact.number])
            elif fact.kind == "place":
                yield bit, self._variables_in_house(fact.number, fact.symbol, candidates)

    def _variables_in_house(self, house: int, symbol: int, candidates: Sequence[int]) -> list[int]:
        """Return the variables left of a symbol in a house."""
        shift = symbol - 1
        return [self.x[cell][symbol] for cell in self._houses[house] if candidates[cell] >> shift & 1]

    def clauses(self, candidates: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield what is left of the clauses on cells and houses, each with the bit of its fact, or 0."""
        for bit, literals in self.options(candidates):
            fact = self.facts[bit.bit_length() - 1]
            apart = self.bit[Fact("once", fact.number)] if fact.kind == "place" else 0
            yield bit, literals
            for one, other in combinations(literals, 2):
                yield apart, [-one, -other]
        for house in self._houses:
            if house not in self.board.geometry.full_houses:
                apart = self.bit[Fact("once", house)]
                for symbol in self.symbols:
                    for one, other in combinations(self._variables_in_house(house, symbol, candidates), 2):
                        yield apart, [-one, -other]

    def rule_clauses(self, candidates: Sequence[int]) -> Iterator[tuple[int, list[int]]]:
        """Yield what is left of the clauses of rules, each with the set of the facts that state it.

        That is after what each of them states about its own variables alone.
        """
        false = self.false_literals(candidates)
        for statement in self._statements:
            for literals in self._reduce_clauses(statement.clauses, false):
                yield statement.facts, literals

    def false_literals(self, candidates: Sequence[int]) -> set[int]:
        """Return the literals of candidates that are gone, or the only one of their cell and negated."""
        false: set[int] = set()
        for cell, mask in enumerate(candidates):
            false.update(self.variables_of(cell, ~mask))
            if mask.bit_count() == 1:
                false.add(-self.x[cell][mask.bit_length()])
        return false

    def clauses_of_rule(self, bit: int, false: set[int], given: int = 0) -> list[list[int]]:
        """Return what is left of the clauses of a rule where literals are false, and those that follow from them, too.

        bit: that of the rule. given: a set of facts; what the rule states together with houses among them is added.
        """
        left: list[list[int]] = []
        for statement in self._statements:
            if statement.facts & bit and not statement.facts & ~(bit | given):
                left += self._reduce_clauses(statement.clauses, false)
        return left

    def _reduce_clauses(self, clauses: Sequence[Clause], false: set[int]) -> list[list[int]]:
        """Return what is left of clauses where literals are false, and those that follow from them alone, too."""
        false = false.copy()
        known = -1
        stated: Iterable[Sequence[int]] = clauses
        left: list[list[int]] = []
        while len(false) != known:
            self.watch.look()
            known = len(false)
            left = []
            for clause in stated:
                literals = reduce_clause(clause, false)
                if literals is not None:
                    left.append(literals)
            false.update([-literals[0] for literals in left if len(literals) == 1])
            stated = left
        return left

    # ---- rules ----------------------------------------------------------------------------------------------------

    def with_houses(self, bit: int) -> int:
        """Return a rule and the houses with which it states more than by itself; only the rule if there are none."""
        facts = bit
        for statement in self._statements:
            if statement.facts & bit:
                facts |= statement.facts
        return facts

    def _state_rule(self, number: int) -> None:
        """Add what a rule states by itself, and what it states together with houses.

        That the cells which it names hold something is no further fact to anybody.
        """
        rule = self.board.rules[number]
        geometry = self.board.geometry
        bit = self.bit[Fact("rule", number)]
        scope = rule.scope(geometry)
        by_itself = list(rule.expand(without_houses(geometry)))
        clauses = self._translate(by_itself)
        if len(scope) < geometry.cell_count:
            clauses += [tuple(self.x[cell][1:]) for cell in self.cells if cell in scope]
            self._state_places(bit, scope)
        self._statements.append(Statement(bit, clauses))
        for primitive in rule.expand(geometry):
            if primitive not in by_itself:
                houses = self.set_of([Fact("once", house) for house in self._find_houses(primitive, scope)])
                self._statements.append(Statement(bit | houses, self._translate([primitive])))

    def _state_places(self, bit: int, scope: Set[int]) -> None:
        """Add that each symbol has a place in a full house all of whose cells are a rule's.

        It follows, since the cells hold something and the house holds nothing twice, but not to be seen at a glance.
        """
        full_houses = self.board.geometry.full_houses
        for house, cells in self._houses.items():
            if house in full_houses and scope >= set(cells):
                places = [tuple([self.x[cell][symbol] for cell in cells]) for symbol in self.symbols]
                self._statements.append(Statement(bit | self.bit[Fact("once", house)], places))

    def _find_houses(self, primitive: Primitive, scope: Set[int]) -> list[int]:
        """Return few houses by which the cells of a rule differ as far as any house makes them differ.

        Where a primitive is a sum, only its cells of the same coefficient have to.
        """
        groups: list[Set[int]] = [scope]
        if isinstance(primitive, Sum):
            by_coefficient: dict[int, set[int]] = {}
            for cell, coefficient in zip(primitive.cells, primitive.coefficients, strict=True):
                by_coefficient.setdefault(coefficient, set()).add(cell)
            groups = [*by_coefficient.values()]
        to_differ: set[tuple[int, int]] = set()
        for group in groups:
            to_differ.update(combinations([cell for cell in self.cells if cell in group], 2))
        chosen: list[int] = []
        while True:
            most: set[tuple[int, int]] = set()
            best = -1
            for house, cells in self._houses.items():
                pairs = {pair for pair in to_differ if pair[0] in cells and pair[1] in cells}
                if len(pairs) > len(most):
                    most = pairs
                    best = house
            if not most:
                return chosen
            chosen.append(best)
            to_differ -= most

    def _translate(self, primitives: Iterable[Primitive]) -> list[Clause]:
        """Return the clauses of primitives, with further variables of their own."""
        variables = Variables(CellVariables(self.board.geometry))
        model = ClauseList(variables)
        model.has_sums = False
        shift = self.variables - self.cell_variables
        add_all(primitives, model, "rule")
        number_of: dict[int, int] = {}
        for x in variables:
            number = x + shift
            if x in variables.cells.numbers:
                cell, symbol = variables.cells.of(x)
                number = self.x[cell][symbol]
            number_of[x] = number
            number_of[-x] = -number
        self.variables += variables.count - self.cell_variables
        clauses: list[Clause] = []
        for clause in model.clauses:
            clauses.append(tuple([number_of[x] for x in clause]))
        return clauses

    # ---- the solver -----------------------------------------------------------------------------------------------

    def selectors(self, fact_set: int) -> list[int]:
        """Return the variables that switch a set of facts on."""
        return [self.variables + number + 1 for number in range(fact_set.bit_length()) if fact_set >> number & 1]

    def switched_on(self, selectors: Iterable[int]) -> int:
        """Return the set of facts that selectors switch on."""
        return sum([1 << (selector - self.variables - 1) for selector in selectors])

    def load(self, candidates: Sequence[int], only: int = EVERY) -> Incremental:
        """Return a solver with a set of facts, or all, each under its selector, and the candidates that are gone."""
        clauses: list[Sequence[int]] = []
        for cell in self.cells:
            clauses += [(-x,) for x in self.variables_of(cell, ~candidates[cell])]
        for bit, clause in self.clauses(candidates):
            if not bit:
                clauses.append(clause)
            elif bit & only:
                clauses.append(clause + [-self._selector(bit)])
        for statement in self._statements:
            if not statement.facts & ~only:
                without = tuple([-selector for selector in self.selectors(statement.facts)])
                clauses += [clause + without for clause in statement.clauses]
        return backends.find(SOLVER).incremental(clauses)

    def _selector(self, bit: int) -> int:
        return self.variables + bit.bit_length()


def reduce_clause(clause: Iterable[int], false: set[int]) -> list[int] | None:
    """Return the literals of a clause that are not false; ``None`` if one is true.

    Examples
    --------
    >>> reduce_clause([1, 2, 3], {2}), reduce_clause([1, 2, 3], {-3})
    ([1, 3], None)
    """
    literals: list[int] = []
    for literal in clause:
        if -literal in false:
            return None
        if literal not in false:
            literals.append(literal)
    return literals
