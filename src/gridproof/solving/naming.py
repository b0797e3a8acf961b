"""The name of a step: that of the first pattern, in the usual order, which gives the whole conclusion.

A pattern offers facts; the solver finds out whether they are enough and which of them are needed. So a name is never
given to a step that does not follow from its pattern.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from gridproof.backends.protocol import Incremental
from gridproof.explanations.minimiser import Enough, contradicting, minimise
from gridproof.solving.facts import Facts
from gridproof.solving.patterns import Pattern, patterns
from gridproof.solving.position import Candidate, Fact, Goal
from gridproof.solving.reason import LARGEST_NAMED
from gridproof.solving.step import Step


class Naming:
    """The search for the names of a step.

    Parameters
    ----------
    step
        A step without a name.
    facts, solver
        All facts, and the solver that holds them and the candidates that are left.
    """

    def __init__(self, step: Step, facts: Facts, solver: Incremental) -> None:
        self._step = step
        self._facts = facts
        self._goals = [Goal(cell, symbol, bool(step.placed)) for cell, symbol in step.placed or step.removed]
        self._negated: list[int] = []  # the literals by which the goals do not hold
        for goal in self._goals:
            x = facts.x[goal.cell][goal.symbol]
            self._negated.append(-x if goal.placed else x)
        self._enough = enough_for_each([contradicting(solver, facts.watch, [literal]) for literal in self._negated])
        # do candidates go because of one symbol alone: of its places and of what houses hold once?
        self._one_symbol = False
        symbols = {goal.symbol for goal in self._goals}
        if not step.placed and len(symbols) == 1:
            about = [fact for fact in facts.facts if fact.kind == "once" or fact.symbol in symbols]
            self._one_symbol = bool(self._minimal(about))

    def with_name(self) -> Step:
        """Return the step with its name, if it has one, with that of its twin, and with what matters of its rules."""
        step = self._step
        for pattern in patterns():
            reason = next(self._reasons(pattern), ())
            if reason:
                step = replace(step, name=pattern.name, twin=self._find_twin(pattern, reason), pattern=reason)
                break
        if any(fact.kind == "rule" for fact in step.shown_reason.facts):
            return replace(step, gone=self._needed_absence(step))
        return step

    def _find_twin(self, pattern: Pattern, reason: Sequence[Fact]) -> str:
        """Return the name of the same pattern seen from the other side; empty if there is none."""
        by_name = {other.name: other for other in patterns()}
        for name in pattern.twins:
            for other in self._reasons(by_name[name]):
                if are_side_by_side(reason, other):
                    return name
        return ""

    def _reasons(self, pattern: Pattern) -> Iterator[tuple[Fact, ...]]:
        """Yield the reasons of a pattern that give the whole conclusion, each minimal for it."""
        if pattern.one_symbol and not self._one_symbol:
            return
        position = self._step.position
        offers: dict[frozenset[Fact], set[Fact]] = {}
        for goal in self._goals:
            for offer in pattern.offers(position, goal):  # the houses differ that join a pattern to each goal
                offers.setdefault(core_of(offer), set()).update(offer)
        for core, offered in offers.items():
            joined = core | self._joining_houses(core) if offered == core else offered
            reason = self._minimal(joined)
            if not 0 < len(reason) <= LARGEST_NAMED:
                continue
            fits = pattern.fits(position, reason) if pattern.fits else core_of(reason) == core
            if fits:
                yield reason

    def _joining_houses(self, facts: Iterable[Fact]) -> set[Fact]:
        """Return the houses with two of the cells that some facts and the goals are about, one of them of the facts."""
        position = self._step.position
        cells: set[int] = set()
        for fact in facts:
            if fact.kind != "rule":
                cells.update(position.cells(fact))
        with_goals = cells | {goal.cell for goal in self._goals}
        houses: set[Fact] = set()
        for number, house in enumerate(position.board.geometry.houses):
            if not cells.isdisjoint(house.cells) and len(with_goals.intersection(house.cells)) > 1:
                houses.add(Fact("once", number))
        return houses

    def _needed_absence(self, step: Step) -> tuple[Candidate, ...] | None:
        """Return a minimal set of the candidates that are gone from the cells of rules, by which a reason is enough."""
        masks = list(step.position.candidates)
        cells: set[int] = set()
        for fact in step.facts:
            if fact.kind == "rule":
                scope = step.position.cells(fact)
                if len(scope) < len(masks):
                    cells.update(scope)
        absent: list[int] = []
        for cell in self._facts.cells:
            if cell not in cells:
                continue
            absent += [-x for x in self._facts.variables_of(cell, ~masks[cell])]
            masks[cell] = -1
        fact_set = self._facts.set_of(step.facts)
        selectors = self._facts.selectors(fact_set)
        questions: list[Enough[int]] = []
        with self._facts.load(masks, fact_set) as solver:
            for literal in self._negated:
                questions.append(contradicting(solver, self._facts.watch, [literal] + selectors))
            if step.is_contradiction:
                questions.append(contradicting(solver, self._facts.watch, selectors))
            kept = minimise(absent, enough_for_each(questions))
        if kept is None:
            return None
        return tuple([self._facts.candidate(-literal) for literal in kept])

    def _minimal(self, facts: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return a minimal set of some facts that gives the whole conclusion; none if all of them do not."""
        selectors = self._facts.selectors(self._facts.set_of(facts))
        kept = minimise(selectors, self._enough)
        return tuple(self._facts.members(self._facts.switched_on(kept or ())))


def enough_for_each(questions: Sequence[Enough[int]]) -> Enough[int]:
    """Return the question which members are enough for each of several questions."""

    def enough(members: list[int]) -> Collection[int] | None:
        needed: set[int] = set()
        for question in questions:
            core = question(members)
            if core is None:
                return None
            needed.update(core)
        return needed

    return enough


def core_of(facts: Iterable[Fact]) -> frozenset[Fact]:
    """Return the cells, places and rules among some facts: what is left without the houses that join them."""
    return frozenset([fact for fact in facts if fact.kind != "once"])


def are_side_by_side(reason: Iterable[Fact], other: Iterable[Fact]) -> bool:
    """Return whether two reasons are about a house in common, or one of them about cells alone."""
    houses = {fact.number for fact in reason if fact.kind in ("place", "once")}
    other_houses = {fact.number for fact in other if fact.kind in ("place", "once")}
    return not houses or not other_houses or not houses.isdisjoint(other_houses)
