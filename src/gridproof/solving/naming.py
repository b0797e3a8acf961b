"""The name of a step: that of the first pattern, in the usual order, which gives the whole conclusion.

A pattern offers facts; the solver finds out whether they are enough and which of them are needed. So a name is never
given to a step that does not follow from its pattern.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from gridproof.backends.protocol import Incremental
from gridproof.explanations.minimiser import Enough, contradicting, minimise
from gridproof.solving.chain import Chain, Order
from gridproof.solving.facts import Facts
from gridproof.solving.links import find_chain_in
from gridproof.solving.patterns import Pattern, patterns
from gridproof.solving.position import Candidate, Fact, Goal
from gridproof.solving.reason import LARGEST_NAMED
from gridproof.solving.step import Step
from gridproof.solving.story import StoryLine

MOST_ABOVE = 3
"""Largest cost above the cheapest reason at which a chain is preferred to it. In units."""


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
        self._question_of: dict[Goal, Enough[int]] = {}  # which facts are enough for it
        for goal in self._goals:
            self._question_of[goal] = contradicting(solver, facts.watch, [self._negate(goal)])
        self._one_symbol: dict[Goal, bool] = {}
        self._order = Order(tuple(facts.cells), tuple(facts.symbols))

    def _negate(self, goal: Goal) -> int:
        """Return the literal by which a goal does not hold."""
        x = self._facts.x[goal.cell][goal.symbol]
        return -x if goal.placed else x

    def with_name(self) -> Step:
        """Return the step with its name, if it has one, with that of its twin, and with what matters of its rules."""
        step = self._step
        for pattern in patterns():
            named = self._name_by(pattern)
            if named is not None:
                step = named
                break
        facts = step.shown_reason.facts
        if len(facts) <= LARGEST_NAMED and any(fact.kind == "rule" for fact in facts):
            return replace(step, gone=self._needed_absence(step))
        return step

    def _name_by(self, pattern: Pattern) -> Step | None:
        """Return the step with the name of a pattern; ``None`` if it does not fit."""
        step = self._step
        if pattern.chains is not None:
            for chain, facts in self._chains(pattern):
                twin = self._find_twin(pattern, facts)
                return replace(step, name=pattern.name, twin=twin, pattern=facts, chain=chain)
            return None
        if len(step.reason) > LARGEST_NAMED:
            return None
        for reason in self._reasons(pattern, self._goals):
            named = replace(step, name=pattern.name, twin=self._find_twin(pattern, reason), pattern=reason)
            return self._along_chain(named) if pattern.along_chain else named
        if pattern.may_be_dual and len(self._goals) == 2:
            pair = self._find_pair(pattern)
            if pair:
                return replace(step, name=f"dual {pattern.name}", pattern=pair)
        return None

    def _along_chain(self, step: Step) -> Step:
        """Return a step with its facts in the order of a chain, if they make one."""
        chain = find_chain_in(step.position, self._order, step.pattern, step.removed)
        if chain is None:
            return step
        facts = tuple(chain.facts(step.position.board.geometry, step.removed))
        return replace(step, pattern=facts, chain=chain) if set(facts) == set(step.pattern) else step

    def _find_twin(self, pattern: Pattern, reason: Sequence[Fact]) -> str:
        """Return the name of the same pattern seen from the other side; empty if there is none."""
        by_name = {other.name: other for other in patterns()}
        for name in pattern.twins:
            for other in self._reasons(by_name[name], self._goals):
                if are_side_by_side(reason, other):
                    return name
        return ""

    def _find_pair(self, pattern: Pattern) -> tuple[Fact, ...]:
        """Return two reasons of a pattern together that have a house in common, each for one of two goals; or none."""
        one_goal, other_goal = self._goals
        others = list(self._reasons(pattern, [other_goal]))
        for reason in self._reasons(pattern, [one_goal]):
            for other in others:
                both = self._minimal(reason + other, self._goals)
                has_both = core_of(both) == core_of(reason + other)
                if has_both and are_side_by_side(reason, other) and len(both) <= LARGEST_NAMED:
                    return both
        return ()

    def _chains(self, pattern: Pattern) -> Iterator[tuple[Chain, tuple[Fact, ...]]]:
        """Yield the chains of a pattern that give the whole conclusion, those of the reason itself first.

        Each has a reason, in the order of the chain, which does not cost much more than that of the step.
        """
        step = self._step
        if step.placed or pattern.chains is None:
            return
        if pattern.one_symbol and not self._are_about_one_symbol(self._goals):
            return
        geometry = step.position.board.geometry
        limit = self._facts.cost(self._facts.set_of(step.reason)) + MOST_ABOVE
        for given in (step.reason, None):
            for chain in pattern.chains(step.position, self._order, step.removed, given):
                facts = chain.facts(geometry, step.removed)
                is_cheap = not step.reason or self._facts.cost(self._facts.set_of(facts)) <= limit
                reason = self._minimal(facts, self._goals) if is_cheap else ()
                if len(reason) == len(facts):
                    yield chain, tuple(facts)
                elif reason:
                    shorter = pattern.chains(step.position, self._order, step.removed, reason)
                    yield from [(other, reason) for other in shorter]

    def _reasons(self, pattern: Pattern, goals: Sequence[Goal]) -> Iterator[tuple[Fact, ...]]:
        """Yield the reasons of a pattern that give all of some goals, each minimal for them."""
        if pattern.one_symbol and not self._are_about_one_symbol(goals):
            return
        position = self._step.position
        offers: dict[frozenset[Fact], set[Fact]] = {}
        for goal in goals:
            for offer in pattern.offers(position, goal):  # the houses differ that join a pattern to each goal
                offers.setdefault(core_of(offer), set()).update(offer)
        for core, offered in offers.items():
            joined = core | self._joining_houses(core, goals) if offered == core else offered
            reason = self._minimal(joined, goals)
            if not 0 < len(reason) <= LARGEST_NAMED:
                continue
            fits = pattern.fits(position, reason) if pattern.fits else core_of(reason) == core
            if fits:
                yield reason

    def _are_about_one_symbol(self, goals: Sequence[Goal]) -> bool:
        """Return whether candidates go because of one symbol alone: of its places and of what houses hold once."""
        if len({goal.symbol for goal in goals}) != 1:
            return False
        for goal in goals:
            if goal not in self._one_symbol:
                about = [fact for fact in self._facts.facts if fact.kind == "once" or fact.symbol == goal.symbol]
                self._one_symbol[goal] = not goal.placed and bool(self._minimal(about, [goal]))
            if not self._one_symbol[goal]:
                return False
        return True

    def _joining_houses(self, facts: Iterable[Fact], goals: Sequence[Goal]) -> set[Fact]:
        """Return the houses with two of the cells that some facts and the goals are about, one of them of the facts."""
        position = self._step.position
        cells: set[int] = set()
        for fact in facts:
            if fact.kind != "rule":
                cells.update(position.cells(fact))
        with_goals = cells | {goal.cell for goal in goals}
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
            for goal in self._goals:
                questions.append(contradicting(solver, self._facts.watch, [self._negate(goal)] + selectors))
            if step.is_contradiction:
                questions.append(contradicting(solver, self._facts.watch, selectors))
            kept = minimise(absent, enough_for_each(questions))
        if kept is None:
            return None
        return tuple([self._facts.candidate(-literal) for literal in kept])

    def _minimal(self, facts: Iterable[Fact], goals: Sequence[Goal]) -> tuple[Fact, ...]:
        """Return a minimal set of some facts that gives all of some goals; none if all of them do not."""
        selectors = self._facts.selectors(self._facts.set_of(facts))
        kept = minimise(selectors, enough_for_each([self._question_of[goal] for goal in goals]))
        return tuple(self._facts.members(self._facts.switched_on(kept or ())))


def name_by_story(story: Sequence[StoryLine]) -> str:
    """Return the name of a step without a pattern, by the form of its story; empty if one fact gives it at once.

    In a *forcing chain* each line rests on the one before it; in *Nishio* what follows from the candidate runs along
    several lines that meet in a contradiction. With cases it is a *contradiction with cases*.
    """
    kinds = {line.kind for line in story}
    if kinds <= {"conclusion"}:
        return ""
    if kinds & {"open", "cases", "case"}:
        return "contradiction with cases"
    for number, line in enumerate(story):
        before = [earlier for earlier in line.after if story[earlier].kind != "suppose"]
        if before not in ([], [number - 1]):
            return "Nishio"
    return "forcing chain"


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
