"""A refutation by a search of our own: a tree of assumptions whose every leaf is a contradiction.

The search assumes a literal, propagates, and goes on, until a clause has only false literals or the cells hold one of
the grids that the formula forbids. Then the assumptions that led there cannot all be true. This is a step of the proof;
its hints are the clauses that propagated, in their order. The deepest of these assumptions is undone and its
opposite follows from the step. A step without assumptions is the empty clause and ends the proof. What has been
propagated for the assumptions that stay is not propagated again, so that a proof about thousands of grids costs
little more than to find them; that makes this way better than a solver's proof, which has no hints.

Steps are not used elsewhere in the tree (a solver would learn from them), so this is for boards that need few
assumptions for each grid; for others there is a limit on the number of steps.
"""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.certificates.clauses import Clauses, Conflict, pack
from gridproof.checker.formula import Formula
from gridproof.checker.statement import Layout
from gridproof.errors import DisagreementError
from gridproof.limits import Watch

LOOKS = 64
"""Steps between two looks at the clock."""


FEWEST = 2
"""Symbols that an open cell has left at least."""


class TooManySteps(Exception):
    """A refutation by a tree that would need more steps than it may have."""


def refute_by_tree(
    formula: Formula, layout: Layout, grids: Sequence[Sequence[int]], most_steps: int, watch: Watch
) -> bytes:
    """Return the proof that a formula of the checker has no solution.

    Parameters
    ----------
    formula
        The formula, whose last clauses forbid the grids.
    layout
        The cells and digits of the board: of each cell and place of a digit there is a variable, cell by cell.
    grids
        The grids, each as the symbols of all cells in reading order.
    most_steps
        The largest number of contradictions.
    watch
        The clock, whose limit may interrupt the work.

    Returns
    -------
    bytes
        The lines of ``proof.lrat``.

    Raises
    ------
    TooManySteps
        If the tree has more leaves.
    Interrupted
        If a limit comes first.
    DisagreementError
        If the formula has a solution.

    Examples
    --------
    >>> from gridproof import Limits, parse
    >>> from gridproof.trust.checked_board import state_for_checker
    >>> stated = state_for_checker(parse("1... ..2. .3.. ...."))
    >>> refute_by_tree(stated.formula(), stated.layout, [], 100, Watch(Limits()))
    Traceback (most recent call last):
    gridproof.errors.DisagreementError: the checker's formula has a solution more: 1234342143122143
    """
    tree = _Tree(formula, layout, grids)
    steps = 0
    last = tree.add_units()
    while not last:
        steps += 1
        if steps > most_steps:
            raise TooManySteps
        if steps % LOOKS == 0:
            watch.look()
        last = tree.add_step(tree.find_conflict())
    return tree.write_steps(last)


class _Tree:
    """The search: the clauses of a formula, and where in the trail each assumption stands."""

    def __init__(self, formula: Formula, layout: Layout, grids: Sequence[Sequence[int]]) -> None:
        self._formula = formula
        self._clauses = Clauses(formula.variables)
        count = layout.count
        self._last_of_cells = len(layout.cells) * count
        self._cells = [range(first, first + count) for first in range(1, self._last_of_cells + 1, count)]
        self._marks: list[int] = []  # the place of each assumption in the trail
        self._head = 0  # the place in the trail from which on nothing is propagated yet
        first_forbidding = len(formula.clauses) - len(grids)
        self._clauses.load(formula.clauses[:first_forbidding])
        # Clauses that forbid grids have a literal for each open cell: they are looked up when the cells are full.
        self._forbidding: dict[frozenset[int], int] = {}
        for clause, grid in zip(formula.clauses[first_forbidding:], grids, strict=True):
            true = [cell * count + symbol for cell, symbol in enumerate(grid)]
            self._forbidding[frozenset(true)] = self._clauses.note(clause)

    def add_units(self) -> int:
        """Propagate the units; return the id of the empty clause if they contradict each other, else 0."""
        try:
            self._clauses.propagate_units()
        except Conflict as conflict:
            return self._clauses.add_empty_step(conflict.number)
        self._head = len(self._clauses.trail)
        return 0

    def find_conflict(self) -> int:
        """Assume literals until the literals of a clause are all false; return its id."""
        clauses = self._clauses
        while True:
            try:
                clauses.propagate(self._head, len(clauses.literals))
            except Conflict as conflict:
                return conflict.number
            literal = self._choose_cell()
            if not literal:
                full = frozenset([literal for literal in clauses.trail if 0 < literal <= self._last_of_cells])
                if full in self._forbidding:
                    return self._forbidding[full]
                literal = self._choose_of_rules(full)
            self._head = len(clauses.trail)
            self._marks.append(self._head)
            clauses.make_true(literal, 0)

    def add_step(self, conflict: int) -> int:
        """Add the step that the assumptions behind a conflict are not all true, and turn the deepest of them round.

        Returns the id of the empty clause if there are no assumptions, else 0.
        """
        clauses = self._clauses
        hints, assumptions = clauses.trace(conflict, clauses.number_of_units)
        opposites = tuple([-literal for literal in assumptions])
        if len(opposites) == 1:  # true whatever is assumed: a unit
            clauses.undo(clauses.number_of_units)
            self._marks.clear()
            clauses.hints[clauses.hold(opposites)] = hints
            return self.add_units()
        step = clauses.note(opposites)
        clauses.hints[step] = pack(hints)
        if not opposites:
            return step
        while clauses.value[opposites[0]]:
            self._head = self._marks.pop()
            clauses.undo(self._head)
        clauses.make_true(opposites[0], step)
        return 0

    def write_steps(self, last: int) -> bytes:
        """Return the lines of the steps that the last one needs."""
        return self._clauses.write_steps(last, len(self._formula.clauses))

    def _choose_cell(self) -> int:
        """Return the first open literal of a cell with the fewest symbols left, or 0 if the cells are full."""
        value = self._clauses.value
        fewest = self._last_of_cells
        chosen = 0
        for variables in self._cells:
            open_variables = []
            for variable in variables:
                if value[variable] > 0:
                    break
                if not value[variable]:
                    open_variables.append(variable)
            else:
                if len(open_variables) < fewest:
                    chosen = open_variables[0]
                    fewest = len(open_variables)
                    if fewest == FEWEST:
                        break
        return chosen

    def _choose_of_rules(self, full: frozenset[int]) -> int:
        """Return an open variable of a rule, such as the choice of one of several lines."""
        value = self._clauses.value
        for variable in range(self._last_of_cells + 1, self._formula.variables + 1):
            if not value[variable]:
                return variable
        symbols = []
        for cell, literal in enumerate(sorted(full)):
            symbols.append(str(literal - cell * len(self._cells[0])))
        raise DisagreementError(f"the checker's formula has a solution more: {''.join(symbols)}")
