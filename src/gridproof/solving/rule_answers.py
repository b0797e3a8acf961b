"""Answers of the rules of a reason: what each takes away after some candidates hold or are gone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import NamedTuple

from gridproof import backends
from gridproof.backends.protocol import Incremental
from gridproof.limits import Watch
from gridproof.solving.facts import SOLVER
from gridproof.solving.position import Fact


class RuleAnswer(NamedTuple):
    """The answer of a rule after some literals.

    contradiction: literals that it cannot hold after; ``None`` if it can. removed: each candidate that goes, with the
    literals that it goes after. There may be more literals than are needed.
    """

    contradiction: Sequence[int] | None
    removed: Mapping[int, Sequence[int]]


class RuleAnswers:
    """The answers of rules. The same question may come again and again, in one case after the other.

    Parameters
    ----------
    clauses_of
        The clauses of each rule: its own, those on the houses of its cells, and "a cell holds at most one symbol".
    cell_variables
        The number of variables of candidates.
    watch
        The limits of all work.
    """

    def __init__(self, clauses_of: Mapping[Fact, Sequence[Sequence[int]]], cell_variables: int, watch: Watch) -> None:
        self.clauses_of = clauses_of
        self.watch = watch
        self.variables_of: dict[Fact, list[int]] = {}
        for fact, clauses in clauses_of.items():
            variables: set[int] = set()
            for literals in clauses:
                variables.update([abs(literal) for literal in literals if abs(literal) <= cell_variables])
            self.variables_of[fact] = sorted(variables)
        self._open_solvers = ExitStack()
        self._solvers: dict[Fact, Incremental] = {}
        self._answers: dict[tuple[Fact, frozenset[int]], RuleAnswer] = {}

    def close(self) -> None:
        """Free the solvers."""
        self._open_solvers.close()

    def ask(self, fact: Fact, literals: Iterable[int]) -> RuleAnswer:
        """Return what a rule gives after some literals."""
        variables = set(self.variables_of[fact])
        known = [literal for literal in literals if abs(literal) in variables]
        question = (fact, frozenset(known))
        if question not in self._answers:
            self._answers[question] = self._find_answer(fact, known)
        return self._answers[question]

    def _find_answer(self, fact: Fact, known: list[int]) -> RuleAnswer:
        if fact not in self._solvers:
            solver = backends.find(SOLVER).incremental(self.clauses_of[fact])
            self._solvers[fact] = self._open_solvers.enter_context(solver)
        solver = self._solvers[fact]
        if not solver.solve(known, self.watch):
            core = set(solver.core())
            return RuleAnswer([literal for literal in known if literal in core], {})
        excluded = set(known)
        supported = set(solver.model())
        removed: dict[int, Sequence[int]] = {}
        for x in self.variables_of[fact]:
            if x in supported or -x in excluded:
                continue
            if solver.solve(known + [x], self.watch):
                supported.update(solver.model())
            else:
                core = set(solver.core())
                removed[x] = [literal for literal in known if literal in core]
        return RuleAnswer(None, removed)
