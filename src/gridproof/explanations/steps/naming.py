"""The name of a step: the first shape, in the usual order, of which a pattern gives the whole conclusion."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from gridproof.backends.protocol import Incremental
from gridproof.explanations.minimiser import Enough, contradicting, minimise
from gridproof.explanations.steps.facts import Facts
from gridproof.explanations.steps.shapes import Shape, shapes
from gridproof.explanations.steps.step import LARGEST_NAMED, Candidate, Fact, Goal, Step


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
        self._possible: dict[object, bool] = {None: True}

    def named(self) -> Step:
        """Return the step with its name, if it has one, and with that of its twin."""
        step = self._with_name()
        reason = step.pattern or step.reason
        return replace(step, gone=self._gone(reason)) if any(fact.kind == "rule" for fact in reason) else step

    def _with_name(self) -> Step:
        by_name = {shape.name: shape for shape in shapes()}
        for name, shape in by_name.items():
            for pattern in self.patterns(shape):
                twins = (
                    twin for twin in shape.twins for other in self.patterns(by_name[twin]) if _meet(pattern, other)
                )
                return replace(self._step, name=name, twin=next(twins, ""), pattern=pattern)
        return self._step

    def patterns(self, shape: Shape) -> Iterator[tuple[Fact, ...]]:
        """Yield the patterns of a shape that give the whole conclusion, each minimal for it."""
        if shape.within not in self._possible and shape.within:
            everything = self._selectors(shape.within(self._step.position, self._goals[0]))
            self._possible[shape.within] = self._enough(everything) is not None
        if not self._possible[shape.within]:
            return
        offers: dict[frozenset[Fact], set[Fact]] = {}  # the houses that join a pattern to each goal
        for goal in self._goals:
            for offer in shape.offers(self._step.position, goal):
                offers.setdefault(_core(offer), set()).update(offer)
        for core, offered in offers.items():
            pattern = self._minimal(offered)
            if 0 < len(pattern) <= LARGEST_NAMED:
                fits = (
                    shape.fits(self._step.position, self._goals[0], pattern) if shape.fits else _core(pattern) == core
                )
                if fits:
                    yield pattern

    def _gone(self, reason: Iterable[Fact]) -> tuple[Candidate, ...] | None:
        """Return a minimal set of the candidates that are gone from the cells of rules, by which a reason is enough."""
        board, masks = self._step.position.board, [*self._step.position.candidates]
        scopes = [board.rules[fact.number].scope(board.geometry) for fact in reason if fact.kind == "rule"]
        cells = set[int]().union(*(scope for scope in scopes if len(scope) < len(masks)))
        literals = [-x for cell in cells for x in self._facts.of_cell(cell, ~masks[cell])]
        for cell in cells:
            masks[cell] = -1
        bits = sum(self._facts.bit[fact] for fact in reason)
        selectors = self._facts.selectors(bits)
        with self._facts.solver(masks, bits) as solver:
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
