"""Sets of facts that refute a candidate, as cheap as propagation finds them.

In propagation each literal carries the set of facts from which it follows. Literals are taken in the order of what
their sets cost, as in Dijkstra's algorithm, so that each is reached in its cheapest way, and nothing is followed beyond
a bound. What two ways have in common is paid once, which a way by way search cannot see: the set may not be the
cheapest of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TypeAlias

from gridproof.solving.facts import Facts

Implication: TypeAlias = tuple[int, int, int]
"""The consequence of a literal by a clause of two: the other literal, the bit of the fact behind it, and its weight."""


class Network:
    """The facts of a position, ready for propagation.

    Parameters
    ----------
    facts
        All facts.
    candidates
        The mask of each cell. No cell and no house is without a candidate for something.

    Attributes
    ----------
    implications, clauses_without
        For each literal what follows from it, and the numbers of the longer clauses that lose a literal by it. A
        literal may be negative: Python counts from the end of a list.
    clauses, sizes
        The longer clauses, each with the bit of its fact, and the number of their literals.
    """

    def __init__(self, facts: Facts, candidates: Sequence[int]) -> None:
        self.cost_of = facts.cost
        size = 2 * facts.variables + 1
        self.implications: list[list[Implication]] = [[] for _ in range(size)]
        self.clauses_without: list[list[int]] = [[] for _ in range(size)]
        self.clauses: list[tuple[int, list[int]]] = []
        for bit, literals in chain(facts.clauses(candidates), facts.rule_clauses(candidates)):
            if len(literals) == 2:
                one, other = literals
                weight = self.cost_of(bit)
                self.implications[-one].append((other, bit, weight))
                self.implications[-other].append((one, bit, weight))
            elif len(literals) > 2:
                for literal in literals:
                    self.clauses_without[-literal].append(len(self.clauses))
                self.clauses.append((bit, literals))
        self.sizes = [len(literals) for _, literals in self.clauses]

    def refute(self, candidate: int, bound: int) -> int:
        """Return a set of facts that refutes a candidate, as cheap as can be; 0 if none is found within the bound."""
        return Propagation(self, candidate, bound).run()


class Propagation:
    """The consequences of a candidate, up to a bound that falls below the cost of each set that refutes it.

    Attributes
    ----------
    best
        The cheapest set that refutes the candidate so far.
    from_facts
        The set of facts behind each literal that was taken.
    cheapest
        The least cost at which each literal was reached so far.
    by_cost
        The literals to take at each cost, with their facts. Those of the cost that is at hand may grow meanwhile.
    open_literals
        How many literals of each clause are not false yet.
    """

    def __init__(self, network: Network, candidate: int, bound: int) -> None:
        self.network = network
        self.bound = bound
        self.best = 0
        self.from_facts: dict[int, int] = {}
        self.cheapest = {candidate: 0}
        self.by_cost: list[list[tuple[int, int]]] = [[] for _ in range(bound + 1)]
        self.by_cost[0].append((candidate, 0))
        self.open_literals = network.sizes.copy()

    def run(self) -> int:
        """Take literal after literal. Return the cheapest set of facts from which a contradiction follows, or 0."""
        from_facts = self.from_facts
        for cost, literals in enumerate(self.by_cost):
            if cost > self.bound:
                break
            for literal, facts in literals:
                if literal in from_facts:
                    continue
                from_facts[literal] = facts
                opposite = from_facts.get(-literal)
                if opposite is None:
                    self.follow_implications(literal, facts, cost)
                    self.follow_clauses(literal, facts)
                else:
                    self.contradict(facts | opposite)
        return self.best

    def contradict(self, facts: int) -> None:
        """Take note of a set of facts that refutes the candidate."""
        cost = self.network.cost_of(facts)
        if cost <= self.bound:
            self.best = facts
            self.bound = cost - 1

    def follow_implications(self, literal: int, facts: int, cost_so_far: int) -> None:
        """Reach what follows from a literal by clauses of two."""
        bound = self.bound
        cheapest = self.cheapest
        for other, bit, weight in self.network.implications[literal]:
            cost = cost_so_far if facts & bit == bit else cost_so_far + weight
            if cost <= bound and cheapest.get(other, cost + 1) > cost:
                cheapest[other] = cost
                self.by_cost[cost].append((other, facts | bit))

    def follow_clauses(self, literal: int, facts: int) -> None:
        """Reach the last literals of the longer clauses that have no other one left, or a contradiction."""
        from_facts = self.from_facts
        open_literals = self.open_literals
        for number in self.network.clauses_without[literal]:
            open_literals[number] -= 1
            if open_literals[number] > 1:
                continue
            bit, clause = self.network.clauses[number]
            union = facts | bit
            last = 0
            for other in clause:
                because = from_facts.get(-other)
                if because is None:
                    last = other
                else:
                    union |= because
            if last:
                self.reach(last, union)
            else:
                self.contradict(union)

    def reach(self, literal: int, facts: int) -> None:
        """Put a literal among those to take, if no cheaper set of facts leads to it."""
        cost = self.network.cost_of(facts)
        if cost <= self.bound and self.cheapest.get(literal, cost + 1) > cost:
            self.cheapest[literal] = cost
            self.by_cost[cost].append((literal, facts))
