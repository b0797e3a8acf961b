"""Does a formula say exactly the rules, the board's clues and that one grid is forbidden, no more and no
less?

The rules are rebuilt here from the houses. x[cell, symbol] is variable cell * n + symbol (symbols from 1); a
*group* is the n variables of a cell, or those of one symbol in a house; exactly one variable of each group is
true.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from .dimacs import Formula
from .findings import Clock, Finding, Limits, Refusal
from .rup import Propagator
from .statement import Board, Geometry, cell_name


class Rules:
    """The rules of a geometry, to compare clauses with."""

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


def definition_clauses(formula: Formula, rules: Rules) -> Iterator[list[int]]:
    """What the definitions say, and what the rules then say of a variable defined within one group: it
    excludes the rest of that group. (This follows; it is spelled out because propagation alone does not see
    it.)"""
    for literal, disjuncts in formula.definitions.values():
        yield [-literal, *disjuncts]
        yield from ([literal, -disjunct] for disjunct in disjuncts)
        if len(disjuncts) > 1 and all(0 < disjunct <= rules.variables for disjunct in disjuncts):
            listed = set(disjuncts)
            for group in rules.groups_of[disjuncts[0]]:
                if listed <= group:
                    yield from ([-literal, -other] for other in group - listed)


def check_formula(
    formula: Formula, rules: Rules, board: Board, forbidden: dict[int, int] | None, states: frozenset[str],
    file: str, limits: Limits, clock: Clock,
) -> tuple[list[Finding], dict[str, int]]:  # fmt: skip
    """Both directions: no clause beyond the rules, the board and the forbidden grid; and none of what it has
    to state left out. The failures, and how many clauses were found of which sort. The argument is in the
    package's docstring.
    """
    n, top = rules.order, rules.variables
    cell_of, symbol_of, peers = rules.cell_of, rules.symbol_of, rules.peers
    stated, follows = board_literals(board, n)
    whole = {-(cell * n + symbol) for cell, symbol in (forbidden or {}).items()}
    # The cells of clues may be left out of the forbidding clause: no grid of the board differs there.
    grid = {x for x in whole if cell_of[-x] not in board.clues} if forbidden is not None else None
    failures: list[Finding] = []
    found: dict[str, set[int]] = {"cell<=1": set(), "house<=1": set()}
    groups: set[frozenset[int]] = set()
    rule_clauses: list[list[int]] = []
    rest: list[int] = []
    units: set[int] = set()
    forbids = False
    in_cell, in_house = found["cell<=1"], found["house<=1"]
    for index, clause in enumerate(formula.clauses):
        if len(clause) == 2 and clause[0] < 0 and clause[1] < 0 and -top <= clause[0] and -top <= clause[1]:
            first, second = sorted((-clause[0], -clause[1]))
            if cell_of[first] == cell_of[second] and first != second:
                in_cell.add(first * top + second)
                rule_clauses.append(clause)
                continue
            if symbol_of[first] == symbol_of[second] and cell_of[second] in peers[cell_of[first]]:
                in_house.add(first * top + second)
                rule_clauses.append(clause)
                continue
        if len(clause) == n and (group := frozenset(clause)) in rules.groups:
            groups.add(group)
            rule_clauses.append(clause)
            units.update(clause if n == 1 else ())  # the board's only clue is a rule, too
        elif len(clause) == 1 and clause[0] in follows:
            units.add(clause[0])
        elif grid is not None and grid <= set(clause) <= whole:
            forbids = True
        else:
            rest.append(index)

    def refuse(code: str, message: str, line: int = 0) -> bool:
        failures.append(Finding(code, message, file, line))
        return len(failures) >= limits.failures

    counts = {
        "clauses": len(formula.clauses),
        "definitions": len(formula.definitions),
        "clauses by RUP": len(rest),
    }
    if rest:
        base = Propagator(formula.variables)
        base.load(_bounded(chain(rules.clauses(), definition_clauses(formula, rules)), file, limits))
        for index in rest:
            clause, line = formula.clauses[index], formula.lines[index]
            clock.look()
            loose = next((x for x in clause if abs(x) > top and abs(x) not in formula.definitions), 0)
            if loose:
                if refuse(
                    "undefined-variable",
                    f"variable {abs(loose)} of {rules.text(clause)} is not defined",
                    line,
                ):
                    return failures, counts
            elif base.implied(clause):
                rule_clauses.append(clause)
            elif follows.isdisjoint(clause) and refuse(
                "clause-not-implied", f"{rules.text(clause)} does not follow from the rules by propagation", line
            ):
                return failures, counts
    for literal in sorted(stated - units, key=abs):
        if refuse("clue-missing", f"the board says {rules.text([literal])}, but the formula does not"):
            return failures, counts
    if forbidden is not None and not forbids:
        refuse("forbidding-clause-missing", "no clause forbids the solution and nothing else")
    if not failures:
        for kind, clause in _left_out(rules, states, found, groups, rule_clauses, formula.variables, clock):
            text = f"the formula leaves {rules.text(clause)} out, but the claim says that it states all {kind}"
            if refuse("rule-missing", text):
                break
    return failures, counts


def _bounded(clauses: Iterator[list[int]], file: str, limits: Limits) -> Iterator[list[int]]:
    literals = 0
    for clause in clauses:
        literals += len(clause)
        if literals > limits.literals:
            text = f"what its clauses are derived from has more than {limits.literals} literals"
            raise Refusal("too-large", text, file)
        yield clause


def _left_out(
    rules: Rules, states: frozenset[str], pairs: dict[str, set[int]], groups: set[frozenset[int]],
    rule_clauses: list[list[int]], variables: int, clock: Clock,
) -> Iterator[tuple[str, list[int]]]:  # fmt: skip
    """The rules of the kinds stated that the formula neither has nor gives by propagation (without the
    board)."""
    n, top = rules.order, rules.variables
    complete = {"cell<=1": rules.cells * n * (n - 1) // 2, "house<=1": n * sum(map(len, rules.peers)) // 2}
    open_kinds = [kind for kind in complete if kind in states and len(pairs[kind]) < complete[kind]]
    open_groups = [group for group, kinds in rules.groups.items() if kinds & states and group not in groups]
    if not open_kinds and not open_groups:
        return
    own = Propagator(variables)
    own.load(rule_clauses)
    for group in open_groups:
        clock.look()
        if not own.implied(group):
            yield min(rules.groups[group] & states), sorted(group)
    for kind in open_kinds:
        for variable in range(1, top + 1):
            clock.look()
            missing = [other for other in rules.excluded(variable, kind)
                       if other > variable and variable * top + other not in pairs[kind]]  # fmt: skip
            if missing and (true := own.consequences(variable)) is not None:
                yield from ((kind, [-variable, -other]) for other in missing if -other not in true)
