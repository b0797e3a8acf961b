"""The path to the solution: round after round all steps of the smallest cost."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gridproof.errors import BoardError, Interrupted
from gridproof.explanations.minimiser import contradicting, minimise
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.puzzle.board import Board
from gridproof.runs.interrupts import Closing
from gridproof.solving.facts import UNIT, Facts
from gridproof.solving.naming import Naming
from gridproof.solving.refutation import Network, cheaper
from gridproof.solving.step import LARGEST_NAMED, Candidate, Fact, Position, Step

LEAST, MOST = 15, 400
"""Units that a reason by propagation may cost, at first and at last. Beyond, reasons are found among all facts."""

SLACK = 10
"""Units above the cheapest that propagation may pay, because it pays twice for what two ways have in common."""

MOST_PROVEN, PROOF_SECONDS = 50, 12.0
"""Units up to which a step can be proven the cheapest, and the time for a proof."""

LARGEST_ORDER = 25
"""Of boards that are solved in steps: half a million clauses."""

MOST_SHRUNK = 12
"""How many reasons among all facts are made minimal in a round, the cheapest first."""


class NoSolution(BoardError):
    """There is no solution from a position, so nothing can be explained from it."""


class SolvingPath(Closing):
    """A position that goes on by steps. Use it as a context manager.

    Parameters
    ----------
    board
        The board. Its entries and pencil marks are part of the position.
    limits
        Of all work. A limit acts inside a round, too.
    proven
        Whether steps are to be the cheapest of all, with a proof. ``Step.proven`` is whether there is one.

    Attributes
    ----------
    position : Position
        The board as it stands.
    solution : dict of int to int
        The symbol of each cell in the only solution; empty if there are several.
    effort : mapping
        The counters of the solver when it had found the solution and looked for a second one.
    cut : Interrupted or None
        The limit that came first in the last round, whose steps may not be the cheapest then, and have no names.

    Raises
    ------
    NoSolution
        If the board has none.
    BoardError
        If the board is too large.
    """

    def __init__(self, board: Board, limits: Limits = NO_LIMITS, proven: bool = False) -> None:
        if board.geometry.order > LARGEST_ORDER:
            problem = f"a board of order {board.geometry.order} is too large to be solved in steps"
            raise BoardError(f"{problem}; expected one up to order {LARGEST_ORDER}")
        self.watch = Watch(limits)
        self._rounds, self._bound, self._to_be_proven = 0, LEAST, proven
        self.cut: Interrupted | None = None
        self._declined: set[Candidate] = set()
        filled = {cell: symbol for cell, symbol in enumerate(board.filled) if symbol and not board.clues[cell]}
        clues = {cell: symbol for cell, symbol in enumerate(board.clues) if symbol}
        masks = [*board.candidates]
        for cell, symbol in filled.items():
            masks[cell] |= 1 << (symbol - 1)  # whatever the marks below it are
        self.position = Position(board, tuple(masks), (0,) * len(masks)).after({**clues, **filled}.items())
        self._facts = Facts(board, self.position.candidates, self.watch)
        self._solver = self._facts.solver(self.position.candidates)
        every, other = self._facts.every, self._facts.every[-1] + 1
        if not self._solver.solve(every, self.watch):
            self.close()
            raise NoSolution("there is no solution from here; `gridproof explain` shows why")
        self._true = self._of_model()
        self.solution = dict(self._true)
        self._solver.add([-other, *(-self._facts.x[cell][symbol] for cell, symbol in self._true)])
        if self._solver.solve([*every, other], self.watch):
            self._true, self.solution = self._true | self._of_model(), {}
        self.effort = self._solver.counters()

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    def take(self, step: Step, accepted: bool = True) -> None:
        """Take a step of the last round; if it is not accepted, never offer its conclusion again."""
        if not accepted:
            self._declined.update(step.placed or step.removed)
            return
        before, self.position = self.position, self.position.after(step.placed, step.removed)
        for cell, mask in enumerate(before.candidates):
            for x in self._facts.of_cell(cell, mask & ~self.position.candidates[cell]):
                self._solver.add([-x])

    # ---- the steps of a round -------------------------------------------------------------------------------------

    def round(self) -> list[Step]:
        """Return all steps of the smallest cost, or all singles if there are any; none at the end of the path.

        If a limit comes first, it returns the best steps found so far, and sets ``cut``.
        """
        self._rounds += 1
        if singles := self._singles():
            return [self._step(bit, placed=(single,)) for single, bit in singles.items()]
        reasons, proven = dict[int, int](), False
        try:
            self._by_one_rule(reasons)
            proven = bool(reasons)
            if not reasons:
                self._by_propagation(reasons)
                if not reasons:
                    self._by_all_facts(reasons)
                proven = self._to_be_proven and self._prove(reasons)
        except Interrupted as limit:
            self.cut = limit
        least = min(map(self._facts.cost, reasons.values()), default=0)
        together: dict[int, list[Candidate]] = {}
        for x, reason in reasons.items():
            if self._facts.cost(reason) == least:
                together.setdefault(reason, []).append(self._facts.candidate(x))
        steps = [self._step(reason, proven, removed=tuple(sorted(gone))) for reason, gone in together.items()]
        return sorted(steps, key=lambda step: -len(step.removed))

    def _step(self, reason: int, proven: bool = True, **conclusion: Any) -> Step:
        cost, members = round(self._facts.cost(reason) * UNIT, 1), tuple(self._facts.members(reason))
        return Step(self.position, reason=members, cost=cost, round=self._rounds, proven=proven, **conclusion)

    def _singles(self) -> dict[Candidate, int]:
        """Return each symbol that is the only one for its cell, or has the only place in a house, with the fact."""
        singles: dict[Candidate, int] = {}
        for bit, literals in self._facts.left(self.position.candidates):
            if len(literals) == 1:
                single = self._facts.candidate(literals[0])
                if not self.position.entries[single[0]] and single not in self._declined:
                    singles[single] = min(bit, singles.get(single, bit), key=self._facts.cost)
        return singles

    def _open(self, cells: Iterable[int]) -> list[int]:
        """Return the candidates of some cells, as variables, but those declined or known to be in a solution."""
        known = self._true | self._declined
        variables = (x for cell in cells for x in self._facts.of_cell(cell, self.position.candidates[cell]))
        return [x for x in variables if self._facts.candidate(x) not in known]

    def _by_one_rule(self, reasons: dict[int, int]) -> None:
        """Add what single rules remove, with each rule."""
        facts, geometry = self._facts, self.position.board.geometry
        for number in facts.rules:
            bit, supported = facts.bit[Fact("rule", number)], set[int]()
            scope = self.position.board.rules[number].scope(geometry)
            for x in self._open(cell for cell in facts.cells if cell in scope):
                if x not in supported and x not in reasons:
                    if self._solver.solve([*facts.selectors(bit), x], self.watch):
                        supported.update(literal for literal in self._solver.model() if literal > 0)
                    else:
                        reasons[x] = bit

    def _by_propagation(self, reasons: dict[int, int]) -> None:
        """Add the cheapest minimal reasons that propagation finds."""
        network, candidates = Network(self._facts, self.position.candidates), self._open(self._facts.cells)
        while not reasons and self._bound <= MOST:
            best = self._bound
            for x in candidates:
                self.watch.look()
                if refuted := network.refute(x, best + SLACK):
                    reasons[x] = self.minimal(x, refuted)
                    best = min(best, self._facts.cost(reasons[x]))
            if not reasons:
                self._bound += self._bound // 2
        self._bound = max(best, LEAST) if reasons else LEAST

    def _by_all_facts(self, reasons: dict[int, int]) -> None:
        """Add minimal reasons among all facts for the candidates whose first reasons are cheapest."""
        facts, cores = self._facts, dict[int, int]()
        self._renew()
        for x in self._open(facts.cells):
            if self._solver.solve([*facts.every, x], self.watch):
                self._true |= self._of_model()
            else:
                cores[x] = facts.chosen({*self._solver.core()} - {x})
        for x in sorted(cores, key=lambda x: facts.cost(cores[x]))[:MOST_SHRUNK]:
            kept = minimise(facts.selectors(cores[x]), contradicting(self._solver, self.watch, [x]))
            reasons[x] = facts.chosen(kept or ())

    def _prove(self, reasons: dict[int, int]) -> bool:
        """Add cheaper reasons as long as there are any. Return whether the cheapest is proven to be that."""
        watch = self.watch.part(PROOF_SECONDS)
        self._renew()
        try:
            while reasons and (least := min(map(self._facts.cost, reasons.values()))) <= MOST_PROVEN:
                found = cheaper(self._facts, self._solver, self._open(self._facts.cells), least, watch)
                if not found:
                    return True
                reasons[found[0]] = self.minimal(*found)
        except Interrupted:
            pass
        return False

    # ---- the solver -----------------------------------------------------------------------------------------------

    def minimal(self, goal: int, facts: int) -> int:
        """Return a minimal set among some facts that contradicts a literal; 0 if all of them do not."""

        def enough(kept: list[int]) -> list[int] | None:  # a core would depend on the questions before
            return None if self._solver.solve([*kept, goal], self.watch) else kept

        return self._facts.chosen(minimise(self._facts.selectors(facts), enough) or ())

    def named(self, step: Step) -> Step:
        """Return a step of the last round with the name of the first pattern that gives its conclusion."""
        if len(step.reason) > LARGEST_NAMED or self.cut:
            return step
        try:
            return Naming(step, self._facts, self._solver).named()
        except Interrupted as limit:
            self.cut = limit
            return step

    def _renew(self) -> None:
        """Take a new solver, whose answers depend on nothing before."""
        self._solver.close()
        self._solver = self._facts.solver(self.position.candidates)

    def _of_model(self) -> set[Candidate]:
        model = self._solver.model()[: self._facts.cell_variables]
        return {self._facts.candidate(x) for x in model if x > 0}
