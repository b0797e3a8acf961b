"""Does a formula say exactly the rules, the board's clues and that one grid is forbidden, no more and no
less?

What houses say is rebuilt here, what rules say in ``rules``. x[cell, symbol] is variable cell * n + symbol
(symbols from 1); a *group* is the n variables of a cell, or those of one symbol in a house; exactly one
variable of each group is true.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any, TypeAlias

from .dimacs import Formula
from .findings import Clock, Finding, Limits, Refusal
from .rules import Stated
from .rup import Propagator
from .statement import HOUSE_RULES, Board, Geometry, cell_name

Clause: TypeAlias = tuple[int, ...]
"""Its literals, ascending, each once."""


class Houses:
    """What the houses of a geometry say, to compare clauses with."""

    def __init__(self, geometry: Geometry) -> None:
        self.order = n = geometry.order
        self.variables = n**3
        self.peers: list[set[int]] = [set() for _ in range(n * n)]
        for house in geometry.houses:
            for cell in house:
                self.peers[cell].update(other for other in house if other != cell)
        self.groups: dict[Clause, set[str]] = {}
        for cell in range(n * n):
            self.groups.setdefault(tuple(range(cell * n + 1, cell * n + n + 1)), set()).add("cell>=1")
        for house in geometry.houses:
            for symbol in range(1, n + 1):
                self.groups.setdefault(tuple(cell * n + symbol for cell in house), set()).add("house>=1")
        self.groups_of: list[list[frozenset[int]]] = [[] for _ in range(self.variables + 1)]
        for group in map(frozenset, self.groups):
            for variable in group:
                self.groups_of[variable].append(group)

    def clauses(self, kinds: Collection[str]) -> Iterator[tuple[str, Clause]]:
        """All clauses of these kinds, each with its kind."""
        n = self.order
        for group, names in self.groups.items():
            yield from ((name, group) for name in sorted(names) if name in kinds)
        for kind in ("cell<=1", "house<=1"):
            for variable in range(1, self.variables + 1) if kind in kinds else ():
                cell, symbol = divmod(variable - 1, n)
                if kind == "cell<=1":
                    others: Iterable[int] = range(variable + 1, cell * n + n + 1)
                else:
                    others = (peer * n + symbol + 1 for peer in self.peers[cell] if peer > cell)
                yield from ((kind, (-other, -variable)) for other in others)

    def say(self, clause: Clause) -> bool:
        """Whether it is one of the clauses of all kinds."""
        if len(clause) == 2 and -self.variables <= clause[0] and clause[1] < 0:
            (one, a), (other, b) = divmod(-clause[0] - 1, self.order), divmod(-clause[1] - 1, self.order)
            return one == other or (a == b and other in self.peers[one])
        return clause in self.groups

    def text(self, clause: Sequence[int]) -> str:
        """A clause for people: its numbers, and what its cell variables stand for."""
        if len(clause) > 12:
            return f"{self.text(clause[:12])} ... ({len(clause)} literals)"
        n, names = self.order, []
        for x in clause:
            cell, symbol = divmod(abs(x) - 1, n)
            named = f"{'not ' * (x < 0)}{cell_name(cell, n)}={symbol + 1}"
            names.append(named if abs(x) <= self.variables else str(x))
        return f"{' '.join(map(str, clause))} ({' or '.join(names) or 'the empty clause'})"


def board_literals(board: Board, n: int) -> tuple[set[int], set[int]]:
    """What the board says as literals: those that it states itself, and all those that follow cell by
    cell."""
    stated: set[int] = set()
    follows: set[int] = set()
    for cell in board.clues.keys() | board.candidates.keys():
        allowed = set(board.candidates.get(cell, range(1, n + 1)))
        stated.update(-(cell * n + symbol) for symbol in range(1, n + 1) if symbol not in allowed)
        if cell in board.clues:
            stated.add(cell * n + board.clues[cell])
            allowed &= {board.clues[cell]}
        follows.update(-(cell * n + symbol) for symbol in range(1, n + 1) if symbol not in allowed)
        if len(allowed) == 1:
            follows.add(cell * n + min(allowed))
    return stated, follows | stated


def definition_clauses(formula: Formula, houses: Houses) -> Iterator[list[int]]:
    """What the definitions say, and what the rules then say of a variable defined within one group: it
    excludes the rest of that group. (This follows; it is spelled out because propagation alone does not see
    it.)"""
    for literal, disjuncts in formula.definitions.values():
        yield [-literal, *disjuncts]
        yield from ([literal, -disjunct] for disjunct in disjuncts)
        if len(disjuncts) > 1 and all(0 < disjunct <= houses.variables for disjunct in disjuncts):
            listed = set(disjuncts)
            for group in houses.groups_of[disjuncts[0]]:
                if listed <= group:
                    yield from ([-literal, -other] for other in group - listed)


@dataclass(frozen=True, slots=True)
class Expected:
    """What one formula has to say: the houses (kinds of their rules in ``states``, all others following), the
    rules, the board, and that one grid is forbidden (``None``: that none is)."""

    houses: Houses
    states: frozenset[str]
    rules: Stated
    board: Board
    forbidden: dict[int, int] | None


class _Enough(Exception):
    """As many failures are named as the limits ask for."""


def _key(clause: Iterable[int]) -> Clause:
    return tuple(sorted(set(clause)))


class FormulaCheck:
    """Both directions: no clause beyond the rules, the board and the forbidden grid; and none of what a formula has to
    state left out. The argument is in the package's docstring."""

    def __init__(self, formula: Formula, expected: Expected, file: str, limits: Limits, clock: Clock) -> None:
        self._formula, self._expected, self._houses = formula, expected, expected.houses
        self._file, self._limits, self._clock = file, limits, clock
        self.failures: list[Finding] = []
        self._rest: list[int] = []  # clauses that have to be derived, by their index
        self._of_rules: list[list[int]] = []  # those that say no more than houses and rules
        self._said: set[Clause] = set()  # the clauses of houses and rules that are there
        self._units: set[int] = set()
        self._forbids = False
        self._stated, self._follows = board_literals(expected.board, expected.houses.order)
        self._needed = {_key(clause): number for number, clause in self._bounded(expected.rules.clauses())}
        self._further = {_key(clause) for clause in expected.rules.further()} if self._needed else set()

    def run(self) -> dict[str, int]:
        """Finds the failures. Returns how many clauses there are of which sort."""
        with suppress(_Enough):
            self._sort()
            self._derive()
            self._look_for_the_board()
            if not self.failures:
                self._look_for_the_rules()
        formula = self._formula
        counts = {"clauses": len(formula.clauses), "definitions": len(formula.definitions) + len(formula.states)}
        return {**counts, "clauses by RUP": len(self._rest)}

    def _bounded(self, clauses: Iterator[tuple[Any, Sequence[int]]]) -> Iterator[tuple[Any, Sequence[int]]]:
        literals = 0
        for who, clause in clauses:
            literals += len(clause)
            if literals > self._limits.literals:
                text = f"what its clauses are derived from has more than {self._limits.literals} literals"
                raise Refusal("too-large", text, self._file)
            yield who, clause

    def _refuse(self, code: str, message: str, line: int = 0) -> None:
        self.failures.append(Finding(code, message, self._file, line))
        if len(self.failures) >= self._limits.failures:
            raise _Enough

    def _sort(self) -> None:
        """Finds the clauses that literally are what a formula has to say; the rest has to be derived."""
        n, board, forbidden = self._houses.order, self._expected.board, self._expected.forbidden or {}
        whole = {-(cell * n + symbol) for cell, symbol in forbidden.items()}
        # The cells of clues may be left out of the forbidding clause: no grid of the board differs there.
        open_cells = {-(cell * n + symbol) for cell, symbol in forbidden.items() if cell not in board.clues}
        for index, clause in enumerate(self._formula.clauses):
            key = _key(clause)
            of_rules = self._houses.say(key) or key in self._needed or key in self._further
            if of_rules:
                self._of_rules.append(clause)
                self._said.add(key)
            if len(clause) == 1 and clause[0] in self._follows:
                self._units.add(clause[0])
            elif self._expected.forbidden is not None and open_cells <= set(clause) <= whole:
                self._forbids = True
            elif not of_rules:
                self._rest.append(index)

    def _derive(self) -> None:
        """Each clause of the rest has RUP from houses, rules and definitions, or weakens what the board says."""
        if not self._rest:
            return
        formula, houses = self._formula, self._houses
        base = Propagator(formula.variables)
        known = chain(
            houses.clauses(HOUSE_RULES),
            ((None, clause) for clause in chain(definition_clauses(formula, houses), self._needed, self._further)),
        )
        base.load(clause for _, clause in self._bounded(known))
        for index in self._rest:
            clause, line = formula.clauses[index], formula.lines[index]
            self._clock.look()
            loose = next((x for x in clause if abs(x) > houses.variables and not formula.knows(abs(x))), 0)
            if loose:
                text = f"variable {abs(loose)} of {houses.text(clause)} is not defined"
                self._refuse("undefined-variable", text, line)
            elif base.implied(clause):
                self._of_rules.append(clause)
            elif self._follows.isdisjoint(clause):
                text = f"{houses.text(clause)} does not follow from the rules by propagation"
                self._refuse("clause-not-implied", text, line)

    def _look_for_the_board(self) -> None:
        """Every clue is there, and the clause that forbids the grid."""
        for literal in sorted(self._stated - self._units, key=abs):
            text = f"the board says {self._houses.text([literal])}, but the formula does not"
            self._refuse("clue-missing", text)
        if self._expected.forbidden is not None and not self._forbids:
            self._refuse("forbidding-clause-missing", "no clause forbids the solution and nothing else")

    def _look_for_the_rules(self) -> None:
        """Every clause of the rules, and of houses of the kinds stated, is there or follows by propagation from
        those that say no more than rules (without the board)."""
        rules = [clause for clause in self._needed if clause not in self._said]
        houses = [pair for pair in self._houses.clauses(self._expected.states) if pair[1] not in self._said]
        if not rules and not houses:
            return
        own = Propagator(self._formula.variables)
        own.load(self._of_rules)
        for clause in rules:
            self._clock.look()
            if not own.implied(clause):
                self._left_out(clause, f"rule {self._needed[clause]} says so")
        for literal, alike in groupby(houses, key=lambda pair: pair[1][-1]):
            true = own.consequences(-literal)  # worked out once for the many pairs of this variable
            for kind, clause in alike:
                self._clock.look()
                # that two variables exclude each other has to show from one of them alone
                if true and true.isdisjoint(clause) and (clause[0] < 0 or not own.implied(clause)):
                    self._left_out(clause, f"the claim says that it states all {kind}")

    def _left_out(self, clause: Clause, why: str) -> None:
        self._refuse("rule-missing", f"the formula leaves {self._houses.text(clause)} out, but {why}")
