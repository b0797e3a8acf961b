"""Does a formula say exactly the rules, the board's clues and that one grid is forbidden, no more and no
less?

What houses say is rebuilt here, what rules say in ``rules``. x[cell, symbol] is variable cell * n + symbol
(symbols from 1); a *group* is the n variables of a cell, or those of one symbol in a house; exactly one
variable of each group is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain

from .dimacs import Formula
from .findings import Clock, Finding, Limits, Refusal
from .rules import Stated
from .rup import Propagator
from .statement import Board, Geometry, cell_name


class Houses:
    """What the houses of a geometry say, to compare clauses with."""

    def __init__(self, geometry: Geometry) -> None:
        self.order = n = geometry.order
        self.cells = n * n
        self.variables = n**3
        self.cell_of = [-1] + [variable // n for variable in range(self.variables)]
        self.symbol_of = [0] + [variable % n + 1 for variable in range(self.variables)]
        self.peers: list[set[int]] = [set() for _ in range(self.cells)]
        for house in geometry.houses:
            for cell in house:
                self.peers[cell].update(house)
        for cell, peers in enumerate(self.peers):
            peers.discard(cell)
        self.groups: dict[frozenset[int], set[str]] = {}
        for cell in range(self.cells):
            self.groups.setdefault(frozenset(range(cell * n + 1, cell * n + n + 1)), set()).add("cell>=1")
        for house in geometry.houses:
            for symbol in range(1, n + 1):
                group = frozenset(cell * n + symbol for cell in house)
                self.groups.setdefault(group, set()).add("house>=1")
        self.groups_of: list[list[frozenset[int]]] = [[] for _ in range(self.variables + 1)]
        for group in self.groups:
            for variable in group:
                self.groups_of[variable].append(group)

    def excluded(self, variable: int, kind: str) -> list[int]:
        """The variables that a rule of kind ``cell<=1`` or ``house<=1`` forbids together with this one."""
        n, cell = self.order, self.cell_of[variable]
        if kind == "cell<=1":
            return [other for other in range(cell * n + 1, cell * n + n + 1) if other != variable]
        return [peer * n + self.symbol_of[variable] for peer in self.peers[cell]]

    def clauses(self) -> Iterator[list[int]]:
        """All clauses of all four kinds."""
        yield from (list(group) for group in self.groups)
        for variable in range(1, self.variables + 1):
            for kind in ("cell<=1", "house<=1"):
                yield from ([-variable, -other] for other in self.excluded(variable, kind) if other > variable)

    def text(self, clause: list[int]) -> str:
        """A clause for people: its numbers, and what its cell variables stand for."""
        if len(clause) > 12:
            return f"{self.text(clause[:12])} ... ({len(clause)} literals)"
        names = [f"{'not ' * (x < 0)}{cell_name(self.cell_of[abs(x)], self.order)}={self.symbol_of[abs(x)]}"
                 if abs(x) <= self.variables else str(x) for x in clause]  # fmt: skip
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


def check_formula(
    formula: Formula, expected: Expected, file: str, limits: Limits, clock: Clock
) -> tuple[list[Finding], dict[str, int]]:
    """Both directions: no clause beyond the rules, the board and the forbidden grid; and none of what it has
    to state left out. The failures, and how many clauses were found of which sort. The argument is in the
    package's docstring.
    """
    check = _Check(formula, expected, file, limits, clock)
    with suppress(_Enough):
        check.sort()
        check.derive()
        check.look_for_the_board()
        if not check.failures:
            check.look_for_the_rules()
    counts = {"clauses": len(formula.clauses), "definitions": len(formula.definitions) + len(formula.states)}
    return check.failures, {**counts, "clauses by RUP": len(check.rest)}


class _Enough(Exception):
    """As many failures are named as the limits ask for."""


def _key(clause: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(set(clause)))


class _Check:
    """One formula under check."""

    def __init__(self, formula: Formula, expected: Expected, file: str, limits: Limits, clock: Clock) -> None:
        self._formula, self._expected, self._houses = formula, expected, expected.houses
        self._file, self._limits, self._clock = file, limits, clock
        self.failures: list[Finding] = []
        self.rest: list[int] = []  # clauses that have to be derived, by their index
        self._of_rules: list[list[int]] = []  # those that say no more than houses and rules
        self._pairs: dict[str, set[int]] = {"cell<=1": set(), "house<=1": set()}
        self._groups: set[frozenset[int]] = set()
        self._units: set[int] = set()
        self._said: set[tuple[int, ...]] = set()  # the clauses of rules that are there
        self._forbids = False
        self._needed = {_key(clause): number for number, clause in self._bounded(expected.rules.clauses())}
        self._further = {_key(clause) for clause in expected.rules.further()} if self._needed else set()

    def _bounded(self, clauses: Iterator[tuple[int, list[int]]]) -> Iterator[tuple[int, list[int]]]:
        literals = 0
        for number, clause in clauses:
            literals += len(clause)
            if literals > self._limits.literals:
                text = f"what its clauses are derived from has more than {self._limits.literals} literals"
                raise Refusal("too-large", text, self._file)
            yield number, clause

    def _refuse(self, code: str, message: str, line: int = 0) -> None:
        self.failures.append(Finding(code, message, self._file, line))
        if len(self.failures) >= self._limits.failures:
            raise _Enough

    def sort(self) -> None:
        """Finds the clauses that literally are what a formula has to say; the rest has to be derived."""
        n, top, cell_of, symbol_of = (
            self._houses.order,
            self._houses.variables,
            self._houses.cell_of,
            self._houses.symbol_of,
        )
        peers, board, forbidden = self._houses.peers, self._expected.board, self._expected.forbidden
        _, follows = board_literals(board, n)
        whole = {-(cell * n + symbol) for cell, symbol in (forbidden or {}).items()}
        # The cells of clues may be left out of the forbidding clause: no grid of the board differs there.
        grid = {x for x in whole if cell_of[-x] not in board.clues} if forbidden is not None else None
        in_cell, in_house = self._pairs["cell<=1"], self._pairs["house<=1"]
        for index, clause in enumerate(self._formula.clauses):
            of_rule = False
            if self._needed:
                key = _key(clause)
                self._said.add(key)
                of_rule = key in self._needed or key in self._further
            if len(clause) == 2 and clause[0] < 0 and clause[1] < 0 and -top <= clause[0] and -top <= clause[1]:
                first, second = sorted((-clause[0], -clause[1]))
                if cell_of[first] == cell_of[second] and first != second:
                    in_cell.add(first * top + second)
                    self._of_rules.append(clause)
                    continue
                if symbol_of[first] == symbol_of[second] and cell_of[second] in peers[cell_of[first]]:
                    in_house.add(first * top + second)
                    self._of_rules.append(clause)
                    continue
            if len(clause) == n and (group := frozenset(clause)) in self._houses.groups:
                self._groups.add(group)
                self._of_rules.append(clause)
                self._units.update(clause if n == 1 else ())  # the board's only clue is a rule, too
                continue
            if of_rule:
                self._of_rules.append(clause)
            if len(clause) == 1 and clause[0] in follows:
                self._units.add(clause[0])
            elif grid is not None and grid <= set(clause) <= whole:
                self._forbids = True
            elif not of_rule:
                self.rest.append(index)

    def derive(self) -> None:
        """Each clause of the rest has RUP from houses, rules and definitions, or weakens what the board says."""
        if not self.rest:
            return
        formula, houses = self._formula, self._houses
        _, follows = board_literals(self._expected.board, houses.order)
        base = Propagator(formula.variables)
        known = chain(
            houses.clauses(), definition_clauses(formula, houses), map(list, self._needed), map(list, self._further)
        )
        base.load(clause for _, clause in self._bounded((0, clause) for clause in known))
        for index in self.rest:
            clause, line = formula.clauses[index], formula.lines[index]
            self._clock.look()
            loose = next((x for x in clause if abs(x) > houses.variables and not formula.knows(abs(x))), 0)
            if loose:
                text = f"variable {abs(loose)} of {houses.text(clause)} is not defined"
                self._refuse("undefined-variable", text, line)
            elif base.implied(clause):
                self._of_rules.append(clause)
            elif follows.isdisjoint(clause):
                text = f"{houses.text(clause)} does not follow from the rules by propagation"
                self._refuse("clause-not-implied", text, line)

    def look_for_the_board(self) -> None:
        """Every clue is there, and the clause that forbids the grid."""
        stated, _ = board_literals(self._expected.board, self._houses.order)
        for literal in sorted(stated - self._units, key=abs):
            text = f"the board says {self._houses.text([literal])}, but the formula does not"
            self._refuse("clue-missing", text)
        if self._expected.forbidden is not None and not self._forbids:
            self._refuse("forbidding-clause-missing", "no clause forbids the solution and nothing else")

    def look_for_the_rules(self) -> None:
        """Every clause of the rules, and of houses of the kinds stated, is there or follows by propagation from
        those that say no more than rules (without the board)."""
        houses, states = self._houses, self._expected.states
        n, top = houses.order, houses.variables
        complete = {"cell<=1": houses.cells * n * (n - 1) // 2, "house<=1": n * sum(map(len, houses.peers)) // 2}
        open_kinds = [kind for kind in complete if kind in states and len(self._pairs[kind]) < complete[kind]]
        open_groups = [group for group, kinds in houses.groups.items() if kinds & states and group not in self._groups]
        open_clauses = [(number, key) for key, number in self._needed.items() if key not in self._said]
        if not open_kinds and not open_groups and not open_clauses:
            return
        own = Propagator(self._formula.variables)
        own.load(self._of_rules)
        for number, clause in open_clauses:
            self._clock.look()
            if not own.implied(clause):
                text = f"the formula leaves {houses.text(list(clause))} out, but rule {number} says so"
                self._refuse("rule-missing", text)
        for group in open_groups:
            self._clock.look()
            if not own.implied(group):
                self._left_out(min(houses.groups[group] & states), sorted(group))
        for kind in open_kinds:
            for variable in range(1, top + 1):
                self._clock.look()
                missing = [other for other in houses.excluded(variable, kind)
                           if other > variable and variable * top + other not in self._pairs[kind]]  # fmt: skip
                if missing and (true := own.consequences(variable)) is not None:
                    for other in (other for other in missing if -other not in true):
                        self._left_out(kind, [-variable, -other])

    def _left_out(self, kind: str, clause: list[int]) -> None:
        text = f"the formula leaves {self._houses.text(clause)} out, but the claim says that it states all {kind}"
        self._refuse("rule-missing", text)
