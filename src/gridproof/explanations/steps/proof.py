"""The proof that no reason is cheaper: a search for facts that refute some candidate and cost less."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import count

from gridproof import backends
from gridproof.backends.protocol import Incremental
from gridproof.explanations.minimiser import minimise
from gridproof.explanations.steps.facts import SOLVER, Facts
from gridproof.limits import Watch


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
