"""The cheapest way to a contradiction by unit propagation: which facts refute a candidate.

Each literal carries the set of facts from which it follows. Literals are taken in the order of what their sets cost, as
in Dijkstra's algorithm, so that each is reached in its cheapest way, and nothing is followed beyond a bound. What two
ways have in common is paid once, which a way by way search cannot see: the set may not be the cheapest of all.
"""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.explanations.steps.facts import Facts
from gridproof.explanations.steps.step import Fact


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
        self.classes = facts.classes
        size = 2 * facts.variables + 1
        # of a literal, which may be negative: Python counts from the end of a list
        self._implied: list[list[tuple[int, int]]] = [[] for _ in range(size)]
        self._clauses_of: list[list[int]] = [[] for _ in range(size)]
        self._clauses: list[tuple[int, list[int]]] = []
        self.open: list[int] = []
        for bit, literals in facts.left(candidates):
            if len(literals) < 2:
                continue
            fact, pairs = facts.facts[bit.bit_length() - 1], 0
            if fact.kind == "cell":
                self.open += literals
            else:
                pairs = facts.bit[Fact("once", fact.index)]
            for literal in literals:
                self._implied[literal] += [(-other, pairs) for other in literals if other != literal]
            self._state(bit, literals)
        for bit, literals in facts.rules_left(candidates):
            if len(literals) > 1:
                self._state(bit, literals)
        self._sizes = [len(literals) for _, literals in self._clauses]

    def _state(self, bit: int, literals: list[int]) -> None:
        if len(literals) == 2:
            one, other = literals
            self._implied[-one].append((other, bit))
            self._implied[-other].append((one, bit))
            return
        for literal in literals:
            self._clauses_of[-literal].append(len(self._clauses))
        self._clauses.append((bit, literals))

    def refute(self, candidate: int, bound: int) -> tuple[int, int] | None:
        """Return a set of facts that refute a candidate, and its cost; ``None`` if none is found within the bound."""
        clauses, classes, sizes = self._clauses, self.classes, self._sizes.copy()
        from_facts: dict[int, int] = {}
        by_cost: list[list[tuple[int, int]]] = [[] for _ in range(bound + 1)]
        by_cost[0].append((candidate, 0))
        best: int | None = None
        for now, literals in enumerate(by_cost):
            if now > bound:
                break
            for literal, facts in literals:  # which grows meanwhile
                if literal in from_facts:
                    continue
                from_facts[literal] = facts
                follow = self._implied[literal]
                if (opposite := from_facts.get(-literal)) is not None:
                    cost, union = 0, facts | opposite
                    for weight, these in classes:
                        cost += weight * (union & these).bit_count()
                    if cost <= bound:
                        best, bound = union, cost - 1
                    continue
                for other, bit in follow:
                    if other not in from_facts:
                        cost, union = 0, facts | bit
                        for weight, these in classes:
                            cost += weight * (union & these).bit_count()
                        if cost <= bound:
                            by_cost[cost].append((other, union))
                for number in self._clauses_of[literal]:
                    sizes[number] -= 1
                    if sizes[number] > 1:
                        continue
                    bit, clause = clauses[number]
                    cost, union, last = 0, facts | bit, 0
                    for other in clause:
                        if (because := from_facts.get(-other)) is None:
                            last = other
                        else:
                            union |= because
                    for weight, these in classes:
                        cost += weight * (union & these).bit_count()
                    if cost <= bound:
                        if last:
                            by_cost[cost].append((last, union))
                        else:
                            best, bound = union, cost - 1
        return None if best is None else (bound + 1, best)
