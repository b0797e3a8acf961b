"""Sets of facts that refute a candidate: a cheap one by propagation; a search for a cheaper one, or the proof of none.

In propagation each literal carries the set of facts from which it follows. Literals are taken in the order of what
their sets cost, as in Dijkstra's algorithm, so that each is reached in its cheapest way, and nothing is followed beyond
a bound. What two ways have in common is paid once, which a way by way search cannot see: the set may not be the
cheapest of all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain, count

from gridproof import backends
from gridproof.backends.protocol import Incremental
from gridproof.explanations.minimiser import minimise
from gridproof.limits import Watch
from gridproof.solving.facts import SOLVER, Facts


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


def cheaper(
    facts: Facts, solver: Incremental, candidates: Sequence[int], bound: int, watch: Watch
) -> tuple[int, int] | None:
    """Find facts that cost less than a bound and refute one of some candidates. Return it with these, or ``None``.

    Facts refute a candidate if they have a member of each of its *corrections*: minimal sets without which all other
    facts allow it. A second solver chooses a candidate, and facts with a member of each correction found so far; if
    these do not refute it, there is another correction, of all candidates that the model has (implicit hitting sets,
    Ignatiev, Previti, Liffiton and Marques-Silva 2015).

    Parameters
    ----------
    facts, solver
        All facts, and the solver that holds them.
    candidates
        Variables.
    bound
        Units that are too many.
    watch
        The limits of the search.
    """
    number = dict(zip(facts.every, range(1, len(facts.every) + 1), strict=True))
    goals = {x: len(number) + place for place, x in enumerate(candidates, 1)}
    new = count(len(number) + len(goals) + 1)
    clauses = [[*goals.values()], *_within([facts.cost(1 << n) for n in range(len(number))], bound - 1, new)]
    with backends.find(SOLVER).incremental(clauses) as chooser:
        while chooser.solve((), watch):
            model = {*chooser.model()}
            chosen = [selector for selector, own in number.items() if own in model]
            x = next(x for x, own in goals.items() if own in model)
            if not solver.solve([*chosen, x], watch):
                return x, facts.chosen(chosen)

            def allows(left_out: list[int], x: int = x) -> Collection[int] | None:
                kept = {*facts.every}.difference(left_out)
                return {*left_out}.difference(solver.model()) if solver.solve([*kept, x], watch) else None

            left_out = minimise([selector for selector in facts.every if selector not in chosen], allows) or []
            solver.solve([*{*facts.every}.difference(left_out), x], watch)
            for other in {*solver.model()}.intersection(goals):
                chooser.add([-goals[other], *(number[selector] for selector in left_out)])
    return None


def _within(weights: Sequence[int], most: int, new: Iterator[int]) -> Iterator[list[int]]:
    """Yield the clauses by which those of the variables 1, 2, ... that are true weigh no more than ``most``."""
    reached = {0: 0}  # the variable for each total that those so far may have
    for variable, weight in enumerate(weights, 1):
        totals = {*reached, *(total + weight for total in reached)}
        after = {total: next(new) if total else 0 for total in sorted(totals) if total <= most}
        for total, literal in reached.items():
            if total:
                yield [-literal, after[total]]
            heavier = [after[total + weight]] if total + weight <= most else []
            yield [*([-literal] if total else []), -variable, *heavier]
        reached = after
