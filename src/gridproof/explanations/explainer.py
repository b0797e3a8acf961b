"""Why a board has no solution, what its solutions disagree on, and which clues and rules of a puzzle matter.

All questions go to one incremental SAT solver that holds the houses. Clues and pencil marks are assumptions, and each
rule has a selector that switches its clauses on, so that "without this clue" or "without this rule" costs one query and
nothing is compiled again. "Without this clue" means what ``Board.without_clue`` means: the pencil marks of all cells
stay.

- A *conflict set* is a minimal set of clues and rules that contradict the houses and the pencil marks: minimal, because
  leaving out any one of them ends the contradiction. See ``conflicts`` for how one is found, and all of them.
- A *true candidate* is a symbol that a cell takes in some solution. All are found by asking again and again for a
  solution that shows a candidate not seen yet, until there is none: exact, with a witness for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.errors import BoardError, EncodingError
from gridproof.explanations.conflicts import all_minimal, always_has_a_grid, minimal
from gridproof.explanations.values import Candidates, ConflictSet
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models import catalog, targets
from gridproof.models.encoding import Encoding
from gridproof.models.targets.cnf import compile_cnf
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.rules import Rule
from gridproof.runs.closing import Closing
from gridproof.trust.check import is_solution

DEFAULT_BACKEND = "glucose4"
"""The solver that answers: it gives small cores and takes thousands of questions in a row."""

LARGEST_ORDER = 49
"""Of boards that are explained: the houses of a larger one are millions of clauses, gigabytes in a solver."""


class Explainer(Closing):
    """One solver with the houses of a geometry, for any number of boards and questions. Use it as a context manager.

    Parameters
    ----------
    geometry
        Of the boards; each brings rules of its own, if any.
    limits
        Of all questions together; one that comes to a limit raises ``Interrupted``.
    backend
        A name or an object. Its solver has to be asked under assumptions: see ``Backend.no_incremental``.
    encoding
        A name, a path or an object; ``triad`` if none is given.

    Raises
    ------
    BackendUnavailable
        The backend cannot be used for this.
    EncodingError
        The encoding is not for clauses, or compiles each board alone.
    BoardError
        The boards are too large.

    Examples
    --------
    >>> from gridproof import parse
    >>> board = parse("1... ..2. .3.. ....")
    >>> with Explainer(board.geometry) as explainer:
    ...     len(explainer.solutions(board, 10))
    ...     explainer.fixing_clue(board)  # r1c3 = 3
    3
    (2, 3)
    """

    def __init__(
        self,
        geometry: Geometry,
        limits: Limits = NO_LIMITS,
        backend: str | Backend = DEFAULT_BACKEND,
        encoding: str | Encoding | None = None,
    ) -> None:
        if geometry.order > LARGEST_ORDER:
            said = f"a board of order {geometry.order} is too large to be explained"
            raise BoardError(f"{said}; expected one up to order {LARGEST_ORDER}")
        self.geometry = geometry
        self._watch = Watch(limits)
        self._encoding = _encoding(encoding)
        solvers = backends.offering(backend, "explain", lambda one: one.no_incremental())
        self._cnf = compile_cnf(geometry, self._encoding)
        self._solver = solvers.incremental(self._cnf.clauses)
        self._new = self._cnf.activations()
        self._selectors: dict[Rule, int] = {}

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    # ---- questions ------------------------------------------------------------------------------------------------

    def conflict_set(self, board: Board) -> ConflictSet:
        """One minimal set of clues and rules that contradict. Raises ``BoardError`` if the board has a solution.

        Two clues that clash at a glance are taken where there are any: nothing explains better. (They are minimal,
        because without pencil marks no clue contradicts alone: any grid can have its symbols renamed.) Rules are left
        out before clues.
        """
        at_a_glance = [c for c in board.contradictions() if c.kind == "clash" and len(c.cells) == 2]
        if at_a_glance and board.marks is None and self._houses_admit_a_grid():
            cells = at_a_glance[0].cells
            return ConflictSet(cells, tuple(c for c in at_a_glance if c.cells == cells))
        groups, marks = self._split(board)
        found = minimal(self._solver, groups, self._watch, marks)
        if found is None:
            raise BoardError("the board has a solution; expected one whose clues contradict")
        return self._conflict(board, found)

    def conflict_sets(self, board: Board) -> Iterator[ConflictSet]:
        """Every minimal set of clues and rules that contradict, smallest first; none if the board has a solution.

        There may be very many: take as many as are wanted.
        """
        groups, marks = self._split(board)
        for found in all_minimal(self._solver, groups, self._watch, marks):
            yield self._conflict(board, found)

    def redundant_clues(self, board: Board) -> tuple[int, ...]:
        """The cells of a *unique* board whose clue can be left out, each on its own, without a further solution."""
        literals = self._literals(board)
        clues = [literal for literal in self._cnf.literals(board) if literal > 0]
        # every solution of the rest either has the clue (the one solution there is) or has another symbol there
        return tuple(
            self._cnf.variables.cells.of(clue)[0]
            for clue in clues
            if not self._ask([-literal if literal == clue else literal for literal in literals])
        )

    def redundant_rules(self, board: Board) -> tuple[int, ...]:
        """The rules of a *unique* board that can be left out, each on its own, without a further solution.

        Their numbers in ``board.rules``. Other rules may say something else without it: see ``Board.without_rule``.
        """
        if not board.rules:
            return ()
        (grid,) = self.solutions(board, 1)
        other = next(self._new)
        self._solver.add([*self._cnf.blocking_clause(grid), -other])
        rests = [board.without_rule(number) for number in range(len(board.rules))]
        found = tuple(
            number
            for number, rest in enumerate(rests)
            if is_solution(rest, grid) and not self._ask([*self._literals(rest), other])
        )
        self._retire(other)
        return found

    def candidates(self, board: Board) -> Candidates:
        """The true candidates, exactly, with a witness for each."""
        literals = self._literals(board)
        x = self._cnf.variables.cells
        witnesses: dict[tuple[int, int], Grid] = {}
        unseen = set(x.numbers)
        goal = 0
        # Where it is free to choose, the solver shows what it has not shown yet: far fewer questions.
        self._solver.prefer(sorted(unseen))
        while self._ask([*literals, goal] if goal else literals):
            grid = self._cnf.decode(self._solver.model())
            for cell, symbol in enumerate(grid):
                if x(cell, symbol) in unseen:
                    unseen.remove(x(cell, symbol))
                    witnesses[cell, symbol] = grid
            self._solver.prefer([-literal for literal in x.of_symbols(grid)])
            self._retire(goal)
            goal = next(self._new)
            # some candidate that no solution has shown yet
            self._solver.add([*unseen, -goal])
        self._retire(goal)
        masks = [0] * self.geometry.cell_count
        for cell, symbol in witnesses:
            masks[cell] |= 1 << (symbol - 1)
        return Candidates(tuple(masks), witnesses)

    def solutions(self, board: Board, most: int) -> list[Grid]:
        """Up to ``most`` different solutions."""
        literals = self._literals(board)
        found: list[Grid] = []
        active = next(self._new)
        while len(found) < most and self._ask([*literals, active]):
            grid = self._cnf.decode(self._solver.model())
            found.append(grid)
            self._solver.add([*self._cnf.blocking_clause(grid), -active])
        self._retire(active)
        return found

    def fixing_clue(self, board: Board) -> tuple[int, int] | None:
        """A (cell, symbol) that as a further clue leaves exactly one solution, ``None`` if there is none."""
        witnesses = self.candidates(board).witnesses
        seen = set(witnesses.values())
        shown = Counter(pair for grid in seen for pair in enumerate(grid))
        for cell, symbol in sorted(witnesses):
            # What two solutions show fixes neither: on a board with many, that spares nearly every question.
            if not board.clues[cell] and shown[cell, symbol] < 2:
                found = self.solutions(board.with_clue(cell, symbol), 2)
                if len(found) == 1:
                    return cell, symbol
                shown.update(pair for grid in set(found) - seen for pair in enumerate(grid))
                seen.update(found)
        return None

    # ---- how ------------------------------------------------------------------------------------------------------

    def _ask(self, assumptions: list[int]) -> bool:
        """Whether there is a solution under these. Raises ``Interrupted``."""
        return self._solver.solve(assumptions, self._watch)

    def _literals(self, board: Board) -> list[int]:
        """All that a board adds to the houses."""
        return [*map(self._selector, board.rules), *self._cnf.literals(board)]

    def _split(self, board: Board) -> tuple[list[int], list[int]]:
        """(the rules and the clues, what the pencil marks rule out) as literals."""
        literals = self._cnf.literals(board)
        rules = dict.fromkeys(map(self._selector, board.rules))
        return [*rules, *(literal for literal in literals if literal > 0)], [one for one in literals if one < 0]

    def _selector(self, rule: Rule) -> int:
        """The variable that switches a rule on. Its clauses are those that a board with this rule alone would add."""
        if rule in self._selectors:
            return self._selectors[rule]
        selector = next(self._new)
        houses = self._cnf
        compiled = compile_cnf(Problem(self.geometry, (rule,)), self._encoding)
        own = {variable: next(self._new) for variable in range(houses.variable_count + 1, compiled.variable_count + 1)}
        for clause in compiled.clauses[len(houses.clauses) :]:
            said = [own.get(literal) or -own.get(-literal, -literal) for literal in clause]
            self._solver.add([*said, -selector])
        self._selectors[rule] = selector
        return selector

    def _conflict(self, board: Board, groups: Iterable[int]) -> ConflictSet:
        x = self._cnf.variables.cells
        found = set(groups)
        cells = tuple(sorted(x.of(group)[0] for group in found if group in x.numbers))
        selectors = [self._selector(rule) for rule in board.rules]
        rules = tuple(sorted(selectors.index(group) for group in found if group not in x.numbers))
        part = ConflictSet(cells, rules=rules).part_of(board)
        alone = not found and not self._houses_admit_a_grid()
        return ConflictSet(cells, tuple(part.contradictions()), alone, rules)

    def _houses_admit_a_grid(self) -> bool:
        return always_has_a_grid(self.geometry) or self._ask([])

    def _retire(self, active: int) -> None:
        if active:
            self._solver.add([-active])


def _encoding(chosen: str | Encoding | None) -> Encoding:
    """The encoding to use. Raises ``EncodingError`` for one that cannot be."""
    if chosen is None:
        chosen = "triad"
    encoding = catalog.load(chosen) if isinstance(chosen, str) else chosen
    targets.check_target(encoding, "cnf")
    if encoding.choice("board", "clues") == "propagated":
        raise EncodingError(
            f"encoding {encoding.name!r} compiles each board alone, and an explanation asks about parts of it; "
            "expected one with board.clues = 'assumed', such as 'triad'"
        )
    return encoding
