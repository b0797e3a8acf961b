"""The path to the solution: round after round all steps of the smallest cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import inf

from gridproof.errors import BoardError, Interrupted
from gridproof.explanations.minimiser import contradicting, minimise
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.puzzle.board import Board
from gridproof.runs.interrupts import Closing
from gridproof.solving.chain_story import tell_chain
from gridproof.solving.examples import Examples
from gridproof.solving.facts import UNIT, Facts
from gridproof.solving.naming import Naming, name_by_story
from gridproof.solving.position import Candidate, Fact, position_of
from gridproof.solving.refutation import Network
from gridproof.solving.step import Step
from gridproof.solving.story import StoryGoal, make_story

FIRST_BOUND = 15
"""Largest cost of a reason by propagation at first; it grows by half as long as none is found. In units."""

LAST_BOUND = 400
"""Largest cost of a reason by propagation at last. Beyond, reasons are found among all facts. In units."""

SLACK = 10
"""Cost above the cheapest that propagation may pay: it pays twice for what two ways have in common. In units."""

MOST_CANDIDATES = 25**3
"""Largest number of cells times digits of a board that is solved in steps; order 25 means half a million clauses."""

OPTIONS_OF_HOUSES = 4
"""Number of options by which houses stand among cells and places when facts are left out of a reason among all."""

MOST_ABOVE = 3
"""Largest cost of a step with a name above the cheapest one, without a name, at which it is preferred. In units."""

MOST_CONFLICTS = 20_000
"""Conflicts after which the question whether there is a second solution is left open; steps do not need the answer."""

MOST_SHRUNK = 12
"""Number of reasons among all facts that are made minimal in a round, the cheapest first."""


class SolvingPath(Closing):
    """A position that goes on by steps. Use it as a context manager.

    Parameters
    ----------
    board
        The board. Its entries and pencil marks are part of the position.
    limits
        The limits of all work. A limit acts inside a round, too.
    most
        Largest cost of a step. Where each next step costs more the path ends, and is too dear.

    Attributes
    ----------
    position : Position
        The board as it stands.
    has_solution : bool
        Whether there is a solution from here. If not, the path leads to a contradiction.
    solution : dict of int to int
        The symbol of each cell in the only solution; empty if there are several, or none, or if it stayed open whether
        there are several.
    effort : mapping
        The counters of the solver when it had found the solution and looked for a second one.
    cut : Interrupted or None
        The limit that came first in the last round, whose steps may not be the cheapest then, and have no names.
    is_too_dear : bool
        Whether the path ended because no step was found that costs at most ``most``.

    Raises
    ------
    BoardError
        If the board is too large.
    """

    def __init__(self, board: Board, limits: Limits = NO_LIMITS, most: float = inf) -> None:
        geometry = board.geometry
        if geometry.cell_count * geometry.symbol_count > MOST_CANDIDATES:
            problem = f"a board of {geometry.description} is too large to be solved in steps"
            raise BoardError(f"{problem}; expected at most {MOST_CANDIDATES:,} cells times digits, as on 25x25")
        self.watch = Watch(limits)
        self.position = position_of(board)
        self.cut: Interrupted | None = None
        self.is_too_dear = False
        self._most = most / UNIT
        self._rounds = 0
        self._bound = FIRST_BOUND
        self._declined: set[Candidate] = set()
        self._contradictions: set[Fact] = set()
        self._dearer: list[Step] = []  # steps of the round that cost little more than the cheapest
        self._facts = Facts(board, self.position.candidates, self.watch)
        self._solver = self._facts.load(self.position.candidates)
        self._examples = Examples(self._facts)
        self.solution: dict[int, int] = {}
        self._true: set[Candidate] = set()  # those that are known to be in a solution
        self.has_solution = self._solver.solve(self._facts.every, self.watch)
        if self.has_solution:
            self._find_solutions()
        self.effort = self._solver.counters()

    def _find_solutions(self) -> None:
        """Take note of the solution that was found, and of another one if there is any."""
        self._true = self._model_candidates()
        self.solution = dict(self._true)
        other = self._facts.every[-1] + 1  # is there another solution than the one known?
        differs = [-self._facts.x[cell][symbol] for cell, symbol in self._true]
        self._solver.add(differs + [-other])
        part = self.watch.part(conflicts=MOST_CONFLICTS)
        try:
            if self._solver.solve(self._facts.every + [other], part):
                self._true |= self._model_candidates()
                self.solution = {}
        except Interrupted:
            self.watch.look()
            self.solution = {}
        self.watch.conflict(part.conflicts)

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    def take(self, step: Step, accepted: bool = True) -> None:
        """Take a step of the last round; if it is not accepted, never offer its conclusion again."""
        if not accepted:
            self._declined.update(step.placed or step.removed)
            return
        before = self.position.candidates
        self.position = self.position.apply(step.placed, step.removed)
        for cell, mask in enumerate(before):
            for x in self._facts.variables_of(cell, mask & ~self.position.candidates[cell]):
                self._solver.add([-x])

    # ---- the steps of a round -------------------------------------------------------------------------------------

    def next_round(self) -> list[Step]:
        """Return all steps of the smallest cost, or all singles if there are any; none at the end of the path.

        Without a solution the path ends with a contradiction, which is a step that places and removes nothing. If a
        limit comes first, it returns the best steps found so far, and sets ``cut``.
        """
        self._rounds += 1
        self._dearer = []
        self.is_too_dear = False
        if not self.has_solution:
            contradiction = self._find_contradiction()
            if contradiction is not None:
                if contradiction in self._contradictions:
                    return []
                self._contradictions.add(contradiction)
                return [self._make_step(self._facts.bit[contradiction])]
        singles = self._find_singles()
        if singles:
            return [self._make_step(bit, placed=(single,)) for single, bit in singles.items()]
        self._examples.drop_impossible(self.position.candidates)
        reasons: dict[int, int] = {}
        try:
            self._refute_by_one_rule(reasons)
            if not reasons:
                self._refute_by_rules_with_houses(reasons)
                self._refute_by_propagation(reasons)
            if not reasons and not self.is_too_dear:
                self._refute_by_all_facts(reasons)
        except Interrupted as limit:
            self.cut = limit
        return self._cheapest_steps(reasons)

    def _cheapest_steps(self, reasons: dict[int, int]) -> list[Step]:
        """Return a step for each of the cheapest reasons, with all that it removes; those first that remove most."""
        least = min([self._facts.cost(reason) for reason in reasons.values()], default=0)
        if least > self._most:
            self.is_too_dear = True
            return []
        removed_by: dict[int, list[Candidate]] = {}
        for x, reason in reasons.items():
            if self._facts.cost(reason) <= least + MOST_ABOVE:
                removed_by.setdefault(reason, []).append(self._facts.candidate(x))
        cheapest: list[Step] = []
        for reason in sorted(removed_by, key=self._facts.cost):
            step = self._make_step(reason, removed=tuple(sorted(removed_by[reason])))
            if self._facts.cost(reason) == least:
                cheapest.append(step)
            else:
                self._dearer.append(step)
        return sorted(cheapest, key=lambda step: -len(step.removed))

    def _make_step(self, reason: int, placed: tuple[Candidate, ...] = (), removed: tuple[Candidate, ...] = ()) -> Step:
        cost = round(self._facts.cost(reason) * UNIT, 1)
        members = tuple(self._facts.members(reason))
        return Step(
            self.position,
            placed,
            removed,
            reason=members,
            cost=cost,
            round=self._rounds,
            has_solution=self.has_solution,
        )

    def _find_contradiction(self) -> Fact | None:
        """Return a fact that cannot hold any more: a house, a cell, a place or a rule."""
        position = self.position
        for fact in self._facts.facts:
            if fact.kind == "once":
                held = [position.entries[cell] for cell in position.cells(fact) if position.entries[cell]]
                if len(set(held)) < len(held):
                    return fact
        for bit, variables in self._facts.options(position.candidates):
            if not variables:
                return self._facts.members(bit)[0]
        for number in self._facts.rules:
            fact = Fact("rule", number)
            if not self._solver.solve(self._facts.selectors(self._facts.bit[fact]), self.watch):
                return fact
        return None

    def _find_singles(self) -> dict[Candidate, int]:
        """Return each symbol that is the only one for its cell, or has the only place in a house, with the fact.

        Of some that exclude each other, as they may where there is no solution, there is only the first.
        """
        geometry = self.position.board.geometry
        singles: dict[Candidate, int] = {}
        for bit, variables in self._facts.options(self.position.candidates):
            if len(variables) != 1:
                continue
            single = self._facts.candidate(variables[0])
            cell, symbol = single
            if self.position.entries[cell] or single in self._declined:
                continue
            others = [other for other, held in singles if held == symbol or other == cell]
            if single in singles:
                singles[single] = min(bit, singles[single], key=self._facts.cost)
            elif not any(other == cell or other in geometry.peers[cell] for other in others):
                singles[single] = bit
        return singles

    def _unknown(self, cells: Iterable[int]) -> list[int]:
        """Return the candidates of some cells, as variables, but those declined or known to be in a solution."""
        skipped = self._true | self._declined
        unknown: list[int] = []
        for cell in cells:
            for x in self._facts.variables_of(cell, self.position.candidates[cell]):
                if self._facts.candidate(x) not in skipped:
                    unknown.append(x)
        return unknown

    def _refute_by_one_rule(self, reasons: dict[int, int]) -> None:
        """Add what single rules remove, with each rule."""
        for number in self._facts.rules:
            bit = self._facts.bit[Fact("rule", number)]
            for x in self._refuted_by(number, bit):
                reasons.setdefault(x, bit)

    def _refute_by_rules_with_houses(self, reasons: dict[int, int]) -> None:
        """Add what each rule removes together with the houses that make its own cells differ, with minimal reasons."""
        facts = self._facts
        for number in facts.rules:
            bit = facts.bit[Fact("rule", number)]
            together = facts.with_houses(bit)
            if together == bit:
                continue
            for x in self._refuted_by(number, together):
                reason = self.minimal(x, together)
                if x not in reasons or facts.cost(reason) < facts.cost(reasons[x]):
                    reasons[x] = reason

    def _refuted_by(self, number: int, fact_set: int) -> list[int]:
        """Return the candidates in the cells of a rule that a set of facts refutes. number: that of the rule."""
        scope = self._facts.board.rules[number].scope(self._facts.board.geometry)
        selectors = self._facts.selectors(fact_set)
        shown = self._examples.shown(fact_set)
        refuted: list[int] = []
        for x in self._unknown([cell for cell in self._facts.cells if cell in scope]):
            if shown >> x & 1:
                continue
            if self._solver.solve(selectors + [x], self.watch):
                example = [candidate for candidate in self._model_candidates() if candidate[0] in scope]
                shown |= self._examples.add(fact_set, example)
            else:
                refuted.append(x)
        return refuted

    def _refute_by_propagation(self, reasons: dict[int, int]) -> None:
        """Add the cheapest minimal reasons that propagation finds."""
        unknown = self._unknown(self._facts.cells)
        if not unknown:
            return
        network = Network(self._facts, self.position.candidates)
        while self._bound <= LAST_BOUND:
            best = min([self._facts.cost(reason) for reason in reasons.values()], default=self._bound)
            for x in unknown:
                self.watch.look()
                refuting = network.refute(x, best + SLACK)
                if refuting:
                    reasons[x] = self.minimal(x, refuting)
                    best = min(best, self._facts.cost(reasons[x]))
            if reasons:
                self._bound = max(best, FIRST_BOUND)
                return
            if self._bound + SLACK > self._most:
                self.is_too_dear = True
                return
            self._bound += self._bound // 2
        self._bound = FIRST_BOUND

    def _refute_by_all_facts(self, reasons: dict[int, int]) -> None:
        """Add minimal reasons among all facts for the candidates whose first reasons are cheapest."""
        facts = self._facts
        unknown = self._unknown(facts.cells)
        if not unknown:
            return
        cores: dict[int, int] = {}
        self._solver.close()
        self._solver = facts.load(self.position.candidates)  # whose answers depend on nothing before
        for x in unknown:
            if self._solver.solve(facts.every + [x], self.watch):
                self._true |= self._model_candidates()
            else:
                cores[x] = facts.switched_on(set(self._solver.core()) - {x})
        cheapest = sorted(cores, key=lambda x: facts.cost(cores[x]))
        selectors = self._selectors_by_options()
        for x in cheapest[:MOST_SHRUNK]:
            core = set(facts.selectors(cores[x]))
            members = [selector for selector in selectors if selector in core]
            kept = minimise(members, contradicting(self._solver, self.watch, [x]))
            reasons[x] = facts.switched_on(kept or ())

    def _selectors_by_options(self) -> list[int]:
        """Return the selectors of all facts, those first of which many options are left.

        What stays when they are left out has short consequences: a story of it has few cases.
        """
        facts = self._facts
        number_of_options = {bit: len(variables) for bit, variables in facts.options(self.position.candidates)}
        bits = sorted(facts.bit.values(), key=lambda bit: -number_of_options.get(bit, OPTIONS_OF_HOUSES))
        selectors: list[int] = []
        for bit in bits:
            selectors += facts.selectors(bit)
        return selectors

    # ---- the solver -----------------------------------------------------------------------------------------------

    def minimal(self, literal: int, fact_set: int) -> int:
        """Return a minimal set among some facts that contradicts a literal; 0 if all of them do not."""

        def enough(kept: list[int]) -> list[int] | None:  # a core would depend on the questions before
            has_model = self._solver.solve(kept + [literal], self.watch)
            return None if has_model else kept

        return self._facts.switched_on(minimise(self._facts.selectors(fact_set), enough) or ())

    def with_name(self, step: Step) -> Step:
        """Return a step of the last round with the name of the first pattern that gives its conclusion."""
        if self.cut:
            return step
        try:
            return Naming(step, self._facts, self._solver).with_name()
        except Interrupted as limit:
            self.cut = limit
            return step

    def name_round(self, together: Sequence[Step]) -> list[Step]:
        """Return the steps of the last round with names; if no step has one, one that has and costs little more."""
        named = [self.with_name(step) for step in together]
        if any(step.name or step.placed or step.is_contradiction for step in named):
            return named
        for step in self._dearer:
            dearer = self.with_name(step)
            if dearer.name:
                return [dearer]
        return named

    def with_story(self, step: Step) -> Step:
        """Return a step of the last round with its story; a step without a name has one by the form of its story."""
        if self.cut:
            return step
        if step.chain is not None:
            geometry = step.position.board.geometry
            return replace(step, story=tell_chain(geometry, step.chain, step.removed))
        goal = StoryGoal(step.position, step.shown_reason.facts, step.placed, step.removed)
        try:
            story = make_story(goal, self._facts, self._solver)
        except Interrupted as limit:
            self.cut = limit
            return step
        name = step.name
        if not name and not step.is_contradiction:
            name = name_by_story(story)
        return replace(step, story=story, name=name)

    def _model_candidates(self) -> set[Candidate]:
        """Return the candidates of the model that the solver has just found."""
        model = self._solver.model()[: self._facts.cell_variables]
        return {self._facts.candidate(x) for x in model if x > 0}
