"""The name of a step: the first shape, in the usual order, of which a pattern gives the whole conclusion."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from gridproof.backends.protocol import Incremental
from gridproof.explanations.minimiser import Enough, contradicting, minimise
from gridproof.solving.facts import Facts
from gridproof.solving.patterns import Pattern, patterns
from gridproof.solving.step import LARGEST_NAMED, Candidate, Fact, Goal, Step


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
        self._step, self._facts = step, facts
        self._goals = [Goal(*one, bool(step.placed)) for one in step.placed or step.removed]
        self._literals = [facts.x[cell][symbol] * (-1 if placed else 1) for cell, symbol, placed in self._goals]
        self._enough = partial(_each, [contradicting(solver, facts.watch, [goal]) for goal in self._literals])
        symbols = {goal.symbol for goal in self._goals}
        of_symbol = [fact for fact in facts.facts if fact.kind == "once" or fact.symbol in symbols]
        self._one_symbol = not step.placed and len(symbols) == 1 and bool(self._minimal(of_symbol))

    def named(self) -> Step:
        """Return the step with its name, if it has one, with that of its twin, and with what matters of its rules."""
        step, by_name = self._step, {shape.name: shape for shape in patterns()}
        for shape in by_name.values():
            if pattern := next(self._patterns(shape), None):
                others = ((twin, other) for twin in shape.twins for other in self._patterns(by_name[twin]))
                twins = (twin for twin, other in others if _meet(pattern, other))
                step = replace(step, name=shape.name, twin=next(twins, ""), pattern=pattern)
                break
        return replace(step, gone=self._gone(step)) if any(fact.kind == "rule" for fact in step.facts) else step

    def _patterns(self, shape: Pattern) -> Iterator[tuple[Fact, ...]]:
        """Yield the patterns of a shape that give the whole conclusion, each minimal for it."""
        position, offers = self._step.position, dict[frozenset[Fact], set[Fact]]()
        for goal in self._goals if self._one_symbol or not shape.one_symbol else ():
            for offer in shape.offers(position, goal):  # the houses differ that join a pattern to each goal
                offers.setdefault(_core(offer), set()).update(offer)
        for core, offered in offers.items():
            pattern = self._minimal(offered if offered != core else core | self._joining(core))
            fits = shape.fits(position, pattern) if pattern and shape.fits else _core(pattern) == core
            if 0 < len(pattern) <= LARGEST_NAMED and fits:
                yield pattern

    def _joining(self, facts: Iterable[Fact]) -> set[Fact]:
        """Return the houses with two of the cells that some facts and the goals are about."""
        position = self._step.position
        cells = {cell for fact in facts if fact.kind != "rule" for cell in position.cells(fact)}
        goals = {goal.cell for goal in self._goals}
        houses = [{*house.cells} for house in position.board.geometry.houses]
        return {Fact("once", n) for n, house in enumerate(houses) if house & cells and len(house & (cells | goals)) > 1}

    def _gone(self, step: Step) -> tuple[Candidate, ...] | None:
        """Return a minimal set of the candidates that are gone from the cells of rules, by which a reason is enough."""
        masks = [*step.position.candidates]
        scopes = [{*step.position.cells(fact)} for fact in step.facts if fact.kind == "rule"]
        cells = set[int]().union(*(scope for scope in scopes if len(scope) < len(masks)))
        literals = [-x for cell in cells for x in self._facts.of_cell(cell, ~masks[cell])]
        for cell in cells:
            masks[cell] = -1
        selectors = self._selectors(step.facts)
        with self._facts.solver(masks, self._facts.chosen(selectors)) as solver:
            questions = [contradicting(solver, self._facts.watch, [goal, *selectors]) for goal in self._literals]
            kept = minimise(literals, partial(_each, questions))
        return None if kept is None else tuple(self._facts.candidate(-literal) for literal in kept)

    def _minimal(self, offer: Iterable[Fact]) -> tuple[Fact, ...]:
        """Return a minimal set of some facts that gives the whole conclusion; none if all of them do not."""
        kept = minimise(self._selectors(offer), self._enough)
        return tuple(self._facts.members(self._facts.chosen(kept or ())))

    def _selectors(self, facts: Iterable[Fact]) -> list[int]:
        return self._facts.selectors(sum(self._facts.bit[fact] for fact in {*facts}))


def _each(questions: Sequence[Enough[int]], members: list[int]) -> Collection[int] | None:
    """Return the members that any of several questions needs, if they are enough for each."""
    cores = set[int]()
    for question in questions:
        core = question(members)
        if core is None:
            return None
        cores.update(core)
    return cores


def _core(facts: Iterable[Fact]) -> frozenset[Fact]:
    """Return the cells, places and rules among some facts."""
    return frozenset(fact for fact in facts if fact.kind != "once")


def _meet(one: Iterable[Fact], other: Iterable[Fact]) -> bool:
    """Return whether two patterns are about a house in common, or one of them about cells alone."""
    houses, others = ({fact.number for fact in facts if fact.kind in ("place", "once")} for facts in (one, other))
    return not houses or not others or not houses.isdisjoint(others)
