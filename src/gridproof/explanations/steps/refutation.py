"""The cheapest way to a contradiction by unit propagation: which facts refute a candidate.

Each literal carries the set of facts from which it follows. Literals are taken in the order of what their sets cost, as
in Dijkstra's algorithm, so that each is reached in its cheapest way, and nothing is followed beyond a bound. What two
ways have in common is paid once, which a way by way search cannot see: the set may not be the cheapest of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from gridproof.explanations.steps.facts import Facts


class Network:
    """The facts of a position, ready for propagation.

    Parameters
    ----------
    facts
        All facts.
    candidates
        The mask of each cell. No cell and no house is without a candidate for something.
    """

    def __init__(self, facts: Facts, candidates: Sequence[int]) -> None:
        self._cost = facts.cost
        size = 2 * facts.variables + 1
        # of a literal, which may be negative: Python counts from the end of a list
        self._implied: list[list[tuple[int, int, int]]] = [[] for _ in range(size)]
        self._clauses_of: list[list[int]] = [[] for _ in range(size)]
        self._clauses: list[tuple[int, list[int]]] = []
        for bit, literals in chain(facts.clauses(candidates), facts.rules_left(candidates)):
            if len(literals) == 2:
                weight = self._cost(bit)
                for one, other in (literals, literals[::-1]):
                    self._implied[-one].append((other, bit, weight))
            elif len(literals) > 2:
                for literal in literals:
                    self._clauses_of[-literal].append(len(self._clauses))
                self._clauses.append((bit, literals))
        self._sizes = [len(literals) for _, literals in self._clauses]

    def refute(self, candidate: int, bound: int) -> int:
        """Return facts that refute a candidate, as cheap as can be; 0 if none are found within the bound."""
        clauses, cost_of, open_literals = self._clauses, self._cost, self._sizes.copy()
        reached = {candidate: 0}
        from_facts: dict[int, int] = {}
        by_cost: list[list[tuple[int, int]]] = [[] for _ in range(bound + 1)]
        by_cost[0].append((candidate, 0))
        best = 0
        for now, literals in enumerate(by_cost):
            if now > bound:
                break
            for literal, facts in literals:  # which grows meanwhile
                if literal in from_facts:
                    continue
                from_facts[literal] = facts
                if (opposite := from_facts.get(-literal)) is not None:
                    if (cost := cost_of(facts | opposite)) <= bound:
                        best, bound = facts | opposite, cost - 1
                    continue
                for other, bit, weight in self._implied[literal]:
                    cost = now if facts & bit else now + weight
                    if cost <= bound and reached.get(other, cost + 1) > cost:
                        reached[other] = cost
                        by_cost[cost].append((other, facts | bit))
                for number in self._clauses_of[literal]:
                    open_literals[number] -= 1
                    if open_literals[number] > 1:
                        continue
                    bit, clause = clauses[number]
                    union, last = facts | bit, 0
                    for other in clause:
                        because = from_facts.get(-other)
                        if because is None:
                            last = other
                        else:
                            union |= because
                    if (cost := cost_of(union)) > bound:
                        continue
                    if not last:
                        best, bound = union, cost - 1
                    elif reached.get(last, cost + 1) > cost:
                        reached[last] = cost
                        by_cost[cost].append((last, union))
        return best
