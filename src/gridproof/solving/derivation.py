"""The search for the story of a reason: what follows from a candidate by its facts, up to a contradiction.

The clauses of the reason are followed from the assumption by unit propagation, breadth first, and each literal keeps
the clause that it follows from. Where propagation stops before a contradiction, a solver finds what each rule of the
reason takes away now. Where that is not enough, the options of one fact are tried as cases; and where no fact will do,
a single candidate is tried, which goes if it leads to a contradiction. There are up to ``DEEPEST`` cases inside each
other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import combinations
from typing import NamedTuple

from gridproof.solving.facts import Facts
from gridproof.solving.hall import MOST_FACTS, find_hall_sets, group_facts
from gridproof.solving.position import Candidate, Fact, Position
from gridproof.solving.rule_answers import RuleAnswers

DEEPEST = 3
"""Largest number of cases inside each other."""

MOST_OPTIONS = 3
"""Largest number of options of a fact that is told as cases."""

MOST_WORK = 150_000
"""Largest number of clauses that are looked at for a story, once cases are tried; it is open then."""


class StatedClause(NamedTuple):
    """A clause and the fact that states it; none for "a cell holds at most one symbol"."""

    facts: tuple[Fact, ...]
    literals: Sequence[int]


class Derivation(NamedTuple):
    """The way to a literal: the facts behind it, the literals before it, and how many cases it is in.

    An assumption has no facts and nothing before it. Several facts make a Hall set. refutation: of a candidate that was
    tried and goes.
    """

    facts: tuple[Fact, ...]
    before: Sequence[int]
    depth: int
    refutation: Refutation | None = None


class Refutation(NamedTuple):
    """The way to a contradiction: facts that cannot hold after some literals; or all options of a fact, in cases.

    derivations: the way to each literal that holds there. cases: each option with the way to its contradiction.
    """

    facts: tuple[Fact, ...]
    before: Sequence[int]
    derivations: Mapping[int, Derivation]
    cases: Sequence[tuple[int, Refutation]] = ()


# ---- the clauses of a reason -----------------------------------------------------------------------------------------


def state_reason(facts: Facts, position: Position, reason: Sequence[Fact], candidate: Candidate) -> list[StatedClause]:
    """Return the clauses of a reason, as far as they are about candidates that its facts or the goal are about.

    They stand in the canonical order, so that a turned or relabelled puzzle has the same story.
    """
    clauses: list[StatedClause] = []
    for fact in reason:
        if fact.kind in ("cell", "place"):
            variables = sorted([facts.x[cell][symbol] for cell, symbol in position.options(fact)])
            clauses.append(StatedClause((fact,), variables))
    false = facts.false_literals(position.candidates)
    for fact in reason:
        if fact.kind == "rule":
            for literals in facts.clauses_of_rule(facts.bit[fact], false, facts.set_of(reason)):
                clauses.append(StatedClause((fact,), literals))
    about = {facts.x[candidate[0]][candidate[1]]}
    for clause in clauses:
        about.update([abs(literal) for literal in clause.literals if abs(literal) <= facts.cell_variables])
    pairs: list[StatedClause] = []
    houses = [(fact, set(position.cells(fact))) for fact in reason if fact.kind == "once"]
    for one, other in combinations(sorted(about), 2):
        cell, symbol = facts.candidate(one)
        other_cell, other_symbol = facts.candidate(other)
        if cell == other_cell:
            pairs.append(StatedClause((), (-one, -other)))
        elif symbol == other_symbol:
            for fact, cells in houses:
                if cell in cells and other_cell in cells:
                    pairs.append(StatedClause((fact,), (-one, -other)))
    return pairs + clauses


# ---- from the assumption to the contradiction ------------------------------------------------------------------------


class DerivationTree:
    """The consequences of a candidate by the facts of a reason, with the way to each literal.

    Attributes
    ----------
    assumed
        The candidate as a literal.
    derivations
        The way to each literal that holds where one is in the search.
    """

    def __init__(self, facts: Facts, position: Position, reason: Sequence[Fact], candidate: Candidate) -> None:
        self.facts = facts
        self.position = position
        self.reason = reason
        self.assumed = facts.x[candidate[0]][candidate[1]]
        self.clauses = state_reason(facts, position, reason, candidate)
        self.clauses_with: dict[int, list[StatedClause]] = {}
        for clause in self.clauses:
            for literal in clause.literals:
                self.clauses_with.setdefault(literal, []).append(clause)
        self.houses_of_rule = find_houses_of_rules(position, reason)
        self.rules = RuleAnswers(self.clauses_of_rules(), facts.cell_variables, facts.watch)
        self.clause_of: dict[Fact, StatedClause] = {}
        for clause in self.clauses:
            for fact in clause.facts:
                if fact.kind in ("cell", "place"):
                    self.clause_of[fact] = clause
        self.groups = group_facts(position, reason)
        self.derivations: dict[int, Derivation] = {}
        self.work = 0

    def clauses_of_rules(self) -> dict[Fact, list[Sequence[int]]]:
        """Return the clauses with which each rule of the reason is solved: its own, and those on its cells."""
        clauses_of: dict[Fact, list[Sequence[int]]] = {}
        for rule, houses in self.houses_of_rule.items():
            stated = [clause.literals for clause in self.clauses if clause.facts == (rule,)]
            variables: set[int] = set()
            for literals in stated:
                variables.update([abs(literal) for literal in literals])
            for clause in self.clauses:
                is_on_cells = all(fact in houses for fact in clause.facts)
                if is_on_cells and all(abs(literal) in variables for literal in clause.literals):
                    stated.append(clause.literals)
            clauses_of[rule] = stated
        return clauses_of

    def refute(self) -> Refutation | None:
        """Return the way to a contradiction with few cases inside each other; ``None`` if none is found."""
        with closing(self.rules):
            return self.assume(self.assumed, 0, DEEPEST)

    def assume(self, literal: int, depth: int, deepest: int) -> Refutation | None:
        """Assume a literal on top of all others. Return the way from there to a contradiction."""
        self.derivations[literal] = Derivation((), (), depth)
        new = [literal]
        if depth == 0:
            for fact in self.houses_of_rule:
                contradiction = self.rules.ask(fact, new).contradiction
                if contradiction is not None:
                    return Refutation((fact,), contradiction, self.derivations)
            new += self.derive_units()
        while new:
            refutation = self.propagate(new, depth)
            new = []
            if refutation is None and depth == 0:  # in cases a set would take longer to find than to go without
                new = self.find_hall_sets(depth)
            if refutation is None and not new and self.work < MOST_WORK:
                new, refutation = self.ask_rules(depth)
            for reach in range(depth + 1, deepest + 1):
                if refutation is None and not new:
                    refutation = self.try_cases(depth, reach)
                if refutation is None and not new:
                    new = self.try_candidates(depth, reach)
            if refutation is not None:
                return refutation
        return None

    def derive_units(self) -> list[int]:
        """Derive what facts state alone. Return the literals."""
        units: list[int] = []
        for clause in self.clauses:
            if len(clause.literals) == 1 and clause.literals[0] not in self.derivations:
                self.derivations[clause.literals[0]] = Derivation(clause.facts, (), 0)
                units.append(clause.literals[0])
        return units

    def propagate(self, layer: list[int], depth: int) -> Refutation | None:
        """Derive what follows from a layer of literals, then from what is new, up to the first contradictions.

        Of those that show in the same layer that one is returned which has fewest literals before it.
        """
        while layer:
            after: list[int] = []
            refutations: list[Refutation] = []
            for literal in layer:
                self.work += len(self.clauses_with.get(-literal, ()))
                for clause in self.clauses_with.get(-literal, ()):
                    open_literals = self.open_literals(clause)
                    if open_literals is None or len(open_literals) > 1:
                        continue
                    if not open_literals:
                        refutations.append(
                            Refutation(clause.facts, [-other for other in clause.literals], self.derivations)
                        )
                        continue
                    derived = open_literals[0]
                    before = [-other for other in clause.literals if other != derived]
                    self.derivations[derived] = Derivation(clause.facts, before, depth)
                    after.append(derived)
            if refutations:
                return min(refutations, key=self.count_before)
            layer = after
        return None

    def open_literals(self, clause: StatedClause) -> list[int] | None:
        """Return the literals of a clause that are not false; ``None`` if one is true."""
        still_open: list[int] = []
        for literal in clause.literals:
            if literal in self.derivations:
                return None
            if -literal not in self.derivations:
                still_open.append(literal)
        return still_open

    def count_before(self, refutation: Refutation) -> int:
        """Return how many candidates that hold lead to a contradiction."""
        seen: set[int] = set()
        todo = list(refutation.before)
        while todo:
            literal = todo.pop()
            if literal not in seen:
                seen.add(literal)
                todo += self.derivations[literal].before
        return sum(0 < literal <= self.facts.cell_variables for literal in seen)

    # ---- Hall sets, rules, and cases ---------------------------------------------------------------------------------

    def find_hall_sets(self, depth: int) -> list[int]:
        """Derive what the smallest Hall sets take away that take away anything. Return the literals."""
        options_of: dict[Fact, list[Candidate]] = {}
        for fact, clause in self.clause_of.items():
            options = self.open_literals(clause)
            if options is not None:
                options_of[fact] = [self.facts.candidate(option) for option in options]
        new: list[int] = []
        for size in range(2, MOST_FACTS + 1):
            for group in self.groups:
                for hall in find_hall_sets(group, options_of, size):
                    before = self.literals_before(hall.members)
                    for cell, symbol in hall.gone:
                        literal = -self.facts.x[cell][symbol]
                        if -literal in self.clauses_with and literal not in self.derivations:
                            self.derivations[literal] = Derivation(hall.facts, before, depth)
                            new.append(literal)
            if new:
                break
        return new

    def literals_before(self, members: Sequence[Fact]) -> list[int]:
        """Return the literals by which candidates of some cells or places are gone."""
        before: dict[int, None] = {}
        for fact in members:
            for literal in self.clause_of[fact].literals:
                if -literal in self.derivations:
                    before[-literal] = None
        return list(before)

    def ask_rules(self, depth: int) -> tuple[list[int], Refutation | None]:
        """Derive what each rule takes away by itself now, or the contradiction that it gives."""
        new: list[int] = []
        for fact in self.houses_of_rule:
            answer = self.rules.ask(fact, self.derivations)
            if answer.contradiction is not None:
                return [], Refutation((fact,), answer.contradiction, self.derivations)
            for x, before in answer.removed.items():
                if x not in self.derivations and -x not in self.derivations:
                    self.derivations[-x] = Derivation((fact,), before, depth)
                    new.append(-x)
        return new, None

    def try_cases(self, depth: int, deepest: int) -> Refutation | None:
        """Return a contradiction in each of the options of a fact, for the first fact that has it."""
        derivations = self.derivations
        for clause, options in self.few_options():
            cases: list[tuple[int, Refutation]] = []
            for option in options:
                if self.work >= MOST_WORK:
                    break
                self.derivations = derivations.copy()
                refutation = self.assume(option, depth + 1, deepest)
                if refutation is None:
                    break
                cases.append((option, refutation))
            self.derivations = derivations
            if len(cases) == len(options):
                before = [-literal for literal in clause.literals if literal not in options]
                return Refutation(clause.facts, before, derivations, cases)
        return None

    def try_candidates(self, depth: int, deepest: int) -> list[int]:
        """Derive that the first candidate goes that leads to a contradiction. Return the literal, or none."""
        derivations = self.derivations
        for x in self.unknown_candidates():
            if self.work >= MOST_WORK:
                return []
            self.derivations = derivations.copy()
            refutation = self.assume(x, depth + 1, deepest)
            self.derivations = derivations
            if refutation is not None:
                before = find_case_roots(refutation, depth)
                derivations[-x] = Derivation((), before, depth, refutation)
                return [-x]
        return []

    def unknown_candidates(self) -> list[int]:
        """Return the candidates of which nothing is known yet, in the canonical order."""
        variables: set[int] = set()
        for clause in self.clauses:
            variables.update([abs(literal) for literal in clause.literals])
        known = self.derivations
        return [x for x in sorted(variables) if x <= self.facts.cell_variables and x not in known and -x not in known]

    def few_options(self) -> list[tuple[StatedClause, list[int]]]:
        """Return the facts of which two or three options are left, those with two first."""
        few: list[tuple[StatedClause, list[int]]] = []
        for clause in self.clauses:
            options = self.open_literals(clause)
            if options is None or not 1 < len(options) <= MOST_OPTIONS:
                continue
            if all(0 < literal <= self.facts.cell_variables for literal in options):
                few.append((clause, options))
        return sorted(few, key=lambda one: len(one[1]))


def find_houses_of_rules(position: Position, reason: Sequence[Fact]) -> dict[Fact, list[Fact]]:
    """Return the rules of a reason, each with the houses of the reason that have two of its cells."""
    houses_of: dict[Fact, list[Fact]] = {}
    for rule in reason:
        if rule.kind != "rule":
            continue
        scope = set(position.cells(rule))
        houses_of[rule] = []
        for house in reason:
            if house.kind == "once" and len(scope.intersection(position.cells(house))) > 1:
                houses_of[rule].append(house)
    return houses_of


def find_roots(refutation: Refutation, depth: int) -> list[int]:
    """Return the literals that a refutation begins with: those before it, and those before its cases."""
    roots = list(refutation.before)
    for _, case in refutation.cases:
        roots += find_case_roots(case, depth)
    return list(dict.fromkeys(roots))


def find_case_roots(case: Refutation, depth: int) -> list[int]:
    """Return the literals of so many cases, or fewer, that the refutation of a case begins with."""
    roots: list[int] = []
    seen: set[int] = set()
    todo = find_roots(case, depth + 1)
    while todo:
        literal = todo.pop(0)
        if literal in seen:
            continue
        seen.add(literal)
        derivation = case.derivations[literal]
        if derivation.depth <= depth:
            roots.append(literal)
        else:
            todo += derivation.before
    return roots
