"""The path to the solution: round after round all steps of the smallest cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from gridproof.backends.capabilities import Incremental
from gridproof.errors import BoardError
from gridproof.explanations.minimiser import contradicting, minimise
from gridproof.explanations.steps.facts import UNIT, Facts, weights
from gridproof.explanations.steps.refutation import Network
from gridproof.explanations.steps.shapes import shapes
from gridproof.explanations.steps.step import LARGEST_NAMED, Candidate, Fact, Goal, Position, Step
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.puzzle.board import Board
from gridproof.runs.interrupts import Closing

MOST = 400
"""Units that a reason by propagation may cost. Beyond it, reasons are found among all facts."""

MOST_SHRUNK = 12
"""How many reasons among all facts are made minimal in a round, the cheapest first."""


class Path(Closing):
    """A position that goes on by steps. Use it as a context manager.

    Parameters
    ----------
    board
        The board. Its entries and pencil marks are part of the position.
    limits
        Of all work. A limit acts inside a round, too.

    Attributes
    ----------
    candidates : list of int
        The mask of each cell.
    entries : list of int
        The symbol placed in each cell, 0 for none.
    effort : mapping
        The counters of the solver when it had found the solution and looked for a second one.

    Raises
    ------
    BoardError
        If the board has no solution.
    """

    def __init__(self, board: Board, limits: Limits = NO_LIMITS) -> None:
        self.board, self.watch = board, Watch(limits)
        geometry = board.geometry
        self.entries = [0] * geometry.cell_count
        self.candidates = list(board.candidates)
        self.round_number = 0
        self._declined: set[Candidate] = set()
        self._true: set[Candidate] = set()
        self._solver: Incremental | None = None
        self._known: list[int] = []
        for cell, symbol in enumerate(board.clues):
            if symbol or (symbol := board.filled[cell] if board.filled else 0):
                self.place(cell, symbol)
        self._facts = Facts(board, self.candidates, self.watch)
        self._bound = self._least = sum(sorted(weights().values())[:2])
        self._load()
        if not self._has_solution():
            raise BoardError("there is no solution from here; `gridproof explain` shows why")

    def close(self) -> None:
        """Free the solver."""
        if self._solver is not None:
            self._solver.close()

    # ---- the position ---------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The board as it stands."""
        return Position(self.board, tuple(self.candidates), tuple(self.entries))

    @property
    def is_solved(self) -> bool:
        """Whether every cell has its symbol."""
        return all(self.entries)

    def place(self, cell: int, symbol: int) -> None:
        """Place a symbol, and remove it from the other cells of its houses."""
        self.entries[cell], bit = symbol, 1 << (symbol - 1)
        self.candidates[cell] &= bit
        for house in self.board.geometry.houses_of[cell]:
            for peer in self.board.geometry.houses[house].cells:
                if peer != cell:
                    self.candidates[peer] &= ~bit

    def take(self, step: Step, accepted: bool = True) -> None:
        """Take a step, or never offer its conclusion again if it is not accepted."""
        if not accepted:
            self._declined.update(step.placed or step.removed)
            return
        for cell, symbol in step.placed:
            self.place(cell, symbol)
        for cell, symbol in step.removed:
            self.candidates[cell] &= ~(1 << (symbol - 1))

    # ---- the steps of a round -------------------------------------------------------------------------------------

    def round(self) -> list[Step]:
        """Return all steps of the smallest cost; all singles, if there are any; none at the end of the path."""
        self.round_number += 1
        singles = self._singles()
        if singles:
            return singles
        self._load()
        reasons = self._by_one_rule() or self._by_propagation() or self._by_all_facts()
        if not reasons:
            return []
        least = min(self._facts.cost(reason) for reason in reasons.values())
        together: dict[int, list[Candidate]] = {}
        for variable, reason in reasons.items():
            if self._facts.cost(reason) == least:
                together.setdefault(reason, []).append(self._facts.candidate(variable))
        steps = [
            self._step(self._facts.members(reason), least, removed=tuple(sorted(removed)))
            for reason, removed in together.items()
        ]
        return sorted(steps, key=lambda step: -len(step.removed))

    def _step(self, reason: Sequence[Fact], cost: int, **conclusion: tuple[Candidate, ...]) -> Step:
        step = Step(self.position, reason=tuple(reason), cost=round(cost * UNIT, 1), round=self.round_number)
        return replace(step, **conclusion)

    def _singles(self) -> list[Step]:
        reasons: dict[Candidate, Fact] = {}
        position = self.position
        facts = self._facts
        places = [
            (fact, position.places(fact.index, fact.symbol))
            for fact in facts.facts
            if fact.kind == "place"
        ]
        cells = [(fact, [fact.index]) for fact in facts.facts if fact.kind == "cell" if self.candidates[fact.index].bit_count() == 1]
        for fact, there in [*places, *cells]:
            if len(there) == 1 and not self.entries[there[0]]:
                candidate = there[0], fact.symbol or self.candidates[there[0]].bit_length()
                if candidate not in self._declined:
                    before = reasons.get(candidate)
                    if before is None or facts.cost(facts.bit[fact]) < facts.cost(facts.bit[before]):
                        reasons[candidate] = fact
        return [
            self._step([fact], facts.cost(facts.bit[fact]), placed=(candidate,)) for candidate, fact in reasons.items()
        ]

    def _open(self, variables: Iterable[int]) -> list[int]:
        """Return those that may be refuted: neither declined nor known to be in a solution."""
        known = self._declined | self._true
        return [variable for variable in variables if self._facts.candidate(variable) not in known]

    def _by_one_rule(self) -> dict[int, int]:
        """Return what single rules remove, with each rule."""
        reasons: dict[int, int] = {}
        facts, solver = self._facts, self._loaded
        for number in facts.rules:
            bit = facts.bit[Fact("rule", number)]
            selector = facts.selector(bit)
            supported: set[int] = set()
            scope = self.board.rules[number].scope(self.board.geometry)
            variables = [facts.x[c][s] for c in facts.cells if c in scope for s in self.position.symbols(c)]
            for x in self._open(variables):
                if x not in supported and x not in reasons:
                    if solver.solve([selector, x], self.watch):
                        supported.update(literal for literal in solver.model() if literal > 0)
                    else:
                        reasons[x] = bit
        return reasons

    def _by_propagation(self) -> dict[int, int]:
        """Return the cheapest minimal reasons that propagation finds."""
        network, facts = Network(self._facts, self.candidates), self._facts
        candidates, found = self._open(network.open), dict[int, tuple[int, int]]()
        while not found and self._bound <= MOST:
            best = self._bound
            for x in candidates:
                self.watch.look()
                if refuted := network.refute(x, best):
                    found[x], best = refuted, refuted[0]
            if not found:
                self._bound += max(2, self._bound // 2)
        reasons: dict[int, int] = {}
        for x, (cost, reason) in found.items():
            if cost <= best:
                reasons[x] = self.minimal(x, reason) or reason
                best = min(best, facts.cost(reasons[x]))
        self._bound = max(best, self._least) if found else self._least
        return reasons

    def _by_all_facts(self) -> dict[int, int]:
        """Return minimal reasons among all facts for some candidates, if propagation finds none."""
        facts, solver = self._facts, self._loaded
        every = facts.selectors((1 << len(facts.facts)) - 1)
        cores: dict[int, int] = {}
        for x in self._open([facts.x[c][s] for c in facts.cells if not self.entries[c] for s in self.position.symbols(c)]):
            if facts.candidate(x) in self._true:
                continue
            if solver.solve([*every, x], self.watch):
                self._true.update(facts.candidate(v) for v in solver.model()[: facts.cell_variables] if v > 0)
            else:
                core = {*solver.core()} - {x}
                cores[x] = facts.chosen(core)
        cheapest = sorted(cores, key=lambda x: facts.cost(cores[x]))[:MOST_SHRUNK]
        return {x: self.minimal(x, cores[x]) or cores[x] for x in cheapest}

    # ---- the solver -----------------------------------------------------------------------------------------------

    def minimal(self, goal: int, reason: int) -> int | None:
        """Return a minimal set among some facts that contradicts a literal, or ``None`` if all of them do not."""
        kept = minimise(self._facts.selectors(reason), contradicting(self._loaded, self.watch, [goal]))
        return None if kept is None else self._facts.chosen(kept)

    def named(self, step: Step) -> Step:
        """Return the step with the name of the first shape that gives its conclusion. It is one of the last round."""
        if len(step.reason) > LARGEST_NAMED or step.restored:
            return step
        self._load()
        (cell, symbol), position = (step.placed or step.removed)[0], step.position
        goal, literal = Goal(cell, symbol, bool(step.placed)), self._facts.x[cell][symbol]
        for shape in shapes():
            for offer in shape.offers(position, goal):
                chosen = sum({self._facts.bit[fact] for fact in offer})
                kept = self.minimal(-literal if goal.placed else literal, chosen)
                if kept is not None:
                    pattern = tuple(self._facts.members(kept))
                    if shape.fits(position, goal, pattern):
                        return replace(step, name=shape.name, pattern=pattern)
        return step

    @property
    def _loaded(self) -> Incremental:
        assert self._solver is not None
        return self._solver

    def _load(self) -> None:
        """Bring the solver to the position."""
        if self._solver is None or any(now & ~known for now, known in zip(self.candidates, self._known, strict=True)):
            self.close()
            self._solver = self._facts.solver(self.candidates)
        else:
            for cell, (now, known) in enumerate(zip(self.candidates, self._known, strict=True)):
                if gone := known & ~now:
                    for symbol in range(1, self.board.geometry.order + 1):
                        if gone >> (symbol - 1) & 1:
                            self._solver.add([-self._facts.x[cell][symbol]])
        self._known = list(self.candidates)

    def _has_solution(self) -> bool:
        """Return whether there is a solution, after a look for a second one; the effort for both is kept."""
        facts, solver = self._facts, self._loaded
        every = facts.selectors((1 << len(facts.facts)) - 1)
        if not solver.solve(every, self.watch):
            return False
        model = [v for v in solver.model()[: facts.cell_variables] if v > 0]
        self._true = set(map(facts.candidate, model))
        other = every[-1] + 1
        solver.add([*(-variable for variable in model), -other])
        if solver.solve([*every, other], self.watch):
            self._true.update(facts.candidate(v) for v in solver.model()[: facts.cell_variables] if v > 0)
        solver.add([-other])
        self.effort = solver.counters()
        return True
