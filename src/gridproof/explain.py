"""Why a board has no solution, what its solutions disagree on, and which clues of a puzzle matter.

All questions go to one incremental SAT solver that holds the rules (encoding ``triad``); clues and pencil marks are
assumptions, so that "without this clue" costs one query and nothing is compiled again. "Without this clue" means what
``Board.without_clue`` means: the pencil marks of all cells stay.

- A *conflict set* is a minimal set of clues that contradict the rules and the pencil marks: minimal, because leaving
  out any one of them ends the contradiction. One is found by deletion from an unsatisfiable core (Chinneck and
  Dravnieks 1991); all of them, smallest first, by implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva
  2015): PySAT's OptUx.
- A *true candidate* is a symbol that a cell takes in some solution. All are found by asking again and again for a
  solution that shows a candidate not seen yet, until there is none: exact, with a witness for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from types import TracebackType
from typing import Self

from gridproof.backends._pysat_solvers import Solver, ask_in_slices
from gridproof.errors import BoardError, Interrupted
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models import catalog
from gridproof.models.targets.cnf import Cnf, compile_cnf
from gridproof.puzzle.board import Board, Contradiction
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.runs.interrupts import PysatsHandlerOff, ctrl_c_waits
from gridproof.trust.verdict import Status

SOLVER = "glucose4"
"""PySAT's name of the solver that answers: it gives small cores and takes thousands of questions in a row."""

ENUMERATED = 500
"""Solutions looked at for the smallest difference, unless told."""


@dataclass(frozen=True, slots=True)
class ConflictSet:
    """Clues that contradict the rules and the pencil marks; without any one of them there is a solution.

    cells: where these clues are; no cell at all if there is no solution even without any clue. direct: contradictions
    that show at a glance. rules_alone: whether the rules admit no grid, so that not even the pencil marks matter.
    """

    cells: tuple[int, ...]
    direct: tuple[Contradiction, ...] = ()
    rules_alone: bool = False

    def said(self, board: Board) -> str:
        """The clues with their symbols: ``r1c6=5 r2c4=6``."""
        geometry = board.geometry
        return " ".join(f"{geometry.cell_name(cell)}={geometry.symbol_text(board.clues[cell])}" for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Candidates:
    """The true candidates of a board.

    masks: for each cell the symbols it takes (bit symbol-1); 0 everywhere if there is no solution. witnesses: for each
    (cell, symbol) among them a solution in which the cell holds it.
    """

    masks: tuple[int, ...]
    witnesses: dict[tuple[int, int], Grid]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What there is to say about a board, by its status.

    none: ``conflicts``, minimal sets of clues that contradict; one empty set if the pencil marks alone, or the rules
    alone, have no solution.
    ``complete`` is ``False`` if there are more than the number asked for, or if a limit came first (``stopped`` says
    which); where none was asked for, it says nothing.
    multiple: ``differing``, the fewest cells in which two of the ``solutions`` looked at differ (all there are if
    ``complete``), and ``fixing``, a (cell, symbol) that as a further clue makes it unique, if there is one.
    unique: ``redundant``, the cells whose clue can be left out (one at a time) with the solution still the only one:
    those with ``verify(board.without_clue(cell)).is_unique``.
    """

    board: Board
    status: Status
    conflicts: tuple[ConflictSet, ...] = ()
    solutions: int = 0
    complete: bool = True
    stopped: str = ""
    differing: tuple[int, ...] = ()
    witnesses: tuple[Grid, ...] = ()
    fixing: tuple[int, int] | None = None
    redundant: tuple[int, ...] = ()

    @property
    def is_minimal(self) -> bool:
        """Whether the puzzle is unique and no clue can be left out."""
        return self.status is Status.UNIQUE and not self.redundant


class Explainer:
    """One solver with the rules of a geometry, for any number of boards and questions. Use it as a context manager.

    limits: of all questions together; one that comes to a limit raises ``Interrupted``.
    """

    def __init__(self, geometry: Geometry, limits: Limits = NO_LIMITS) -> None:
        self.geometry = geometry
        self._cnf: Cnf = compile_cnf(geometry, catalog.load("triad"))
        self._solver = Solver(SOLVER, self._cnf.clauses)
        self._watch = Watch(limits)
        self._activations = self._cnf.activations()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver."""
        self._solver.delete()

    # ---- questions ------------------------------------------------------------------------------------------------

    def conflict_set(self, board: Board) -> ConflictSet:
        """One minimal set of clues that contradict. Raises ``BoardError`` if the board has a solution.

        Two clues that clash at a glance are taken where there are any: nothing explains better. (They are minimal,
        because without pencil marks no clue contradicts alone: any grid can have its symbols renamed.)
        """
        at_a_glance = [c for c in board.contradictions() if c.kind == "clash" and len(c.cells) == 2]
        if at_a_glance and board.marks is None and self._rules_admit_a_grid():
            cells = at_a_glance[0].cells
            return ConflictSet(cells, tuple(c for c in at_a_glance if c.cells == cells))
        clues, fixed = self._split(board)
        if self._ask([*fixed, *clues]):
            raise BoardError("the board has a solution; expected one whose clues contradict")
        core = set(self._solver.core())
        needed = [clue for clue in clues if clue in core]
        for clue in list(needed):
            fewer = [other for other in needed if other != clue]
            if not self._ask([*fixed, *fewer]):
                core = set(self._solver.core())
                needed = [other for other in fewer if other in core]
        return self._conflict(board, needed)

    def conflict_sets(self, board: Board) -> Iterator[ConflictSet]:
        """Every minimal set of clues that contradict, smallest first; none if the board has a solution.

        There may be very many: take as many as are wanted.
        """
        from pysat.examples.optux import OptUx
        from pysat.formula import WCNF

        clues, fixed = self._split(board)
        if self._ask([*fixed, *clues]):
            return
        if not self._ask(fixed):
            yield self._conflict(board, ())
            return
        formula = WCNF()
        for clause in (*self._cnf.clauses, *([literal] for literal in fixed)):
            formula.append(list(clause))
        for clue in clues:
            formula.append([clue], weight=1)
        with PysatsHandlerOff(), ctrl_c_waits():  # as in Solver: nothing is left half made or half freed
            sets = OptUx(formula, solver=SOLVER)
        try:
            found = sets.enumerate()
            while True:
                with PysatsHandlerOff():
                    places = next(found, None)
                if places is None:
                    return
                yield self._conflict(board, [clues[place - 1] for place in places])
                self._watch.look()
        finally:
            with ctrl_c_waits():
                sets.delete()

    def redundant_clues(self, board: Board) -> tuple[int, ...]:
        """The cells of a *unique* board whose clue can be left out, each on its own, without a further solution."""
        clues, fixed = self._split(board)
        # every solution of the rest either has the clue (the one solution there is) or has another symbol there
        found = []
        for place, clue in enumerate(clues):
            others = [*clues[:place], *clues[place + 1 :]]
            if not self._ask([*fixed, *others, -clue]):
                found.append(self._cnf.variables.cells.of(clue)[0])
        return tuple(found)

    def candidates(self, board: Board) -> Candidates:
        """The true candidates, exactly, with a witness for each."""
        literals = self._cnf.literals(board)
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
            goal = next(self._activations)
            # some candidate that no solution has shown yet
            self._solver.add([*unseen, -goal])
        self._retire(goal)
        masks = [0] * self.geometry.cell_count
        for cell, symbol in witnesses:
            masks[cell] |= 1 << (symbol - 1)
        return Candidates(tuple(masks), witnesses)

    def solutions(self, board: Board, most: int) -> list[Grid]:
        """Up to ``most`` different solutions."""
        literals = self._cnf.literals(board)
        found: list[Grid] = []
        active = next(self._activations)
        while len(found) < most and self._ask([*literals, active]):
            grid = self._cnf.decode(self._solver.model())
            found.append(grid)
            self._solver.add([*self._cnf.blocking_clause(grid), -active])
        self._retire(active)
        return found

    def fixing_clue(self, board: Board) -> tuple[int, int] | None:
        """A (cell, symbol) that as a further clue leaves exactly one solution, ``None`` if there is none."""
        witnesses = self.candidates(board).witnesses
        seen: set[Grid] = set()
        shown: Counter[tuple[int, int]] = Counter()

        def look_at(grids: Iterable[Grid]) -> None:
            for grid in set(grids) - seen:
                seen.add(grid)
                shown.update(enumerate(grid))

        look_at(witnesses.values())
        for cell, symbol in sorted(witnesses):
            # What two solutions show fixes neither: on a board with many, that spares nearly every question.
            if not board.clues[cell] and shown[cell, symbol] < 2:
                found = self.solutions(board.with_clue(cell, symbol), 2)
                if len(found) == 1:
                    return cell, symbol
                look_at(found)
        return None

    # ---- how ------------------------------------------------------------------------------------------------------

    def _ask(self, assumptions: list[int]) -> bool:
        """Whether there is a solution under these. Raises ``Interrupted``."""
        return ask_in_slices(self._solver, assumptions, self._watch)

    def _split(self, board: Board) -> tuple[list[int], list[int]]:
        """(the clues, what the pencil marks rule out) as literals."""
        literals = self._cnf.literals(board)
        return [literal for literal in literals if literal > 0], [literal for literal in literals if literal < 0]

    def _conflict(self, board: Board, clues: Iterable[int]) -> ConflictSet:
        cells = tuple(sorted(self._cnf.variables.cells.of(clue)[0] for clue in clues))
        alone = Board(board.geometry, tuple(s if c in cells else 0 for c, s in enumerate(board.clues)), (), board.marks)
        return ConflictSet(cells, tuple(alone.contradictions()), not cells and not self._rules_admit_a_grid())

    def _rules_admit_a_grid(self) -> bool:
        return always_has_a_grid(self.geometry) or self._ask([])

    def _retire(self, active: int) -> None:
        if active:
            self._solver.add([-active])


def explain(
    board: Board, *, conflicts: int | None = None, enumerated: int = ENUMERATED, limits: Limits = NO_LIMITS
) -> Explanation:
    """What there is to say about a board.

    conflicts: how many conflict sets are wanted of a board without a solution, smallest first; ``None`` for the one
    that is found fastest. enumerated: how many solutions are looked at for the smallest difference. Raises
    ``Interrupted`` when a limit comes first, but for conflict sets once there is one.
    """
    with Explainer(board.geometry, limits) as explainer:
        found = explainer.solutions(board, 2)
        if not found:
            if conflicts is None:
                return Explanation(board, Status.NONE, conflicts=(explainer.conflict_set(board),))
            return _with_conflicts(board, explainer.conflict_sets(board), conflicts)
        if len(found) == 1:
            redundant = explainer.redundant_clues(board)
            return Explanation(board, Status.UNIQUE, solutions=1, witnesses=tuple(found), redundant=redundant)
        found = explainer.solutions(board, enumerated + 1)
        complete, found = len(found) <= enumerated, found[:enumerated]
        first, second = closest(found)
        differing = tuple(cell for cell, (a, b) in enumerate(zip(first, second, strict=True)) if a != b)
        return Explanation(
            board,
            Status.MULTIPLE,
            solutions=len(found),
            complete=complete,
            differing=differing,
            witnesses=(first, second),
            fixing=explainer.fixing_clue(board),
        )


def _with_conflicts(board: Board, found: Iterator[ConflictSet], most: int) -> Explanation:
    """The explanation of a board without a solution by so many of the sets found, or those before a limit."""
    sets, stopped = [], ""
    try:
        for conflict in islice(found, most + 1):
            sets.append(conflict)  # noqa: PERF402 -- what was found before a limit is kept
    except Interrupted as limit:
        if not sets:
            raise
        stopped = str(limit)
    complete = not stopped and len(sets) <= most
    return Explanation(board, Status.NONE, conflicts=tuple(sets[:most]), complete=complete, stopped=stopped)


def always_has_a_grid(geometry: Geometry) -> bool:
    """Whether rows and columns, perhaps with boxes, are all its houses: each row a shift of the first makes a grid.

    Spares a question that takes seconds on large boards; where it is ``False``, only a solver knows.
    """
    return geometry.regions is None and not geometry.families and not geometry.extra


def closest(grids: Sequence[Grid]) -> tuple[Grid, Grid]:
    """The two of at least two grids that differ in the fewest cells."""
    # one bit for each cell and symbol: two grids agree in as many cells as they have bits in common
    order = max(grids[0])
    bits = [sum(1 << (cell * order + symbol) for cell, symbol in enumerate(grid)) for grid in grids]
    a, b = max(combinations(range(len(grids)), 2), key=lambda pair: (bits[pair[0]] & bits[pair[1]]).bit_count())
    return grids[a], grids[b]


def true_candidates(board: Board, *, limits: Limits = NO_LIMITS) -> Candidates:
    """For each cell the symbols it takes over all solutions, exactly, with a witness for each.

    Raises ``Interrupted`` when a limit comes first.
    """
    with Explainer(board.geometry, limits) as explainer:
        return explainer.candidates(board)
