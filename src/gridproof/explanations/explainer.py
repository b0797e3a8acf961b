"""The solver behind explanations: one question after another about boards of one geometry.

All questions go to one incremental SAT solver that holds the houses. Each clue is an assumption, and each rule, and the
pencil marks of each cell, have a selector that switches their clauses on. So "without this clue" or "without this rule"
costs one query, and nothing is compiled again. "Without this clue" means what ``Board.without_clue`` means: the pencil
marks of all cells stay.

- A *conflict set* is a minimal set of clues, rules and pencil marks that contradict the houses: leaving out any one of
  them ends the contradiction. A *correction* is a minimal set without which the board has a solution. See
  ``minimiser`` for how one is found, and all of them.
- A *true candidate* is a symbol that a cell takes in some solution. All are found by asking again and again for a
  solution that has a new candidate, until there is none: exact, with a witness for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count

from gridproof import backends
from gridproof.backends.models import encoding_for
from gridproof.backends.protocol import Backend
from gridproof.errors import BoardError, DisagreementError, EncodingError
from gridproof.expect import expect
from gridproof.explanations.minimiser import Enough, conflicts, contradicting, corrections, minimise, redundant
from gridproof.explanations.parts import ConflictSet, Correction, Part
from gridproof.explanations.values import Candidates
from gridproof.limits import NO_LIMITS, Limits, Watch, watched
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import compile_cnf
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import Rule
from gridproof.rules.primitives import check_effort
from gridproof.runs.interrupts import Closing
from gridproof.trust.check import is_solution, violations

DEFAULT_BACKEND = "glucose4"
"""The default solver: its cores are small, and it takes thousands of questions in a row."""

LARGEST_ORDER = 49
"""Largest order of a board that is explained; above it houses are millions of clauses, gigabytes in a solver."""


class Explainer(Closing):
    """One solver with the houses of a geometry, for any number of boards and questions. Use it as a context manager.

    Parameters
    ----------
    geometry
        The geometry of the boards; each brings rules of its own, if any.
    limits
        The limits of all questions together; one that comes to a limit raises ``Interrupted``.
    backend
        A name or an object. Its solver must take assumptions: see ``Backend.no_incremental``.
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
        expect(geometry, Geometry, "geometry", "a Geometry")
        if geometry.symbol_count > LARGEST_ORDER:
            problem = f"a board of order {geometry.symbol_count} is too large to be explained"
            raise BoardError(f"{problem}; expected one up to order {LARGEST_ORDER}")
        self.geometry = geometry
        self._watch = Watch(limits)
        solvers = backends.find_able(backend, "explain", lambda one: one.no_incremental())
        named = encoding_for(solvers, "triad" if encoding is None else encoding)
        assert named is not None
        if named.choice("board", "clues") == "propagated":
            raise EncodingError(
                f"encoding {named.name!r} compiles each board alone, and an explanation needs parts of it; "
                "expected one with board.clues = 'assumed', such as 'triad'"
            )
        self._encoding = named
        self._cnf = compile_cnf(geometry, named)
        self._solver = solvers.incremental(self._cnf.clauses)
        self._new = count(self._cnf.variable_count + 1)
        self._selectors: dict[Rule, int] = {}
        self._marks: dict[tuple[int, int], int] = {}
        self._rule_clauses = 0

    def close(self) -> None:
        """Free the solver."""
        self._solver.close()

    # ---- questions ------------------------------------------------------------------------------------------------

    def conflict_set(self, board: Board) -> ConflictSet:
        """Find one minimal conflict set. Raises ``BoardError`` if the board has a solution.

        Two clues that clash at a glance are taken where there are any: nothing explains better. (They are minimal,
        because no clue contradicts the houses alone: any grid can have its symbols renamed.) Rules are left out before
        clues, and clues before pencil marks.
        """
        clashes = [one for one in board.contradictions() if one.kind == "clash" and len(one.cells) == 2]
        geometry = self.geometry
        # with rows and columns alone, each row a shift of the first: that spares seconds on large boards
        admits_shifts = geometry.regions is None and not geometry.families and not geometry.extra
        if clashes and (admits_shifts or self._ask([])):
            cells = clashes[0].cells
            return ConflictSet(cells, direct=tuple([clash for clash in clashes if clash.cells == cells]))
        groups = minimise(self._groups(board), contradicting(self._solver, self._watch))
        if groups is None:
            raise BoardError("the board has a solution; expected one whose clues contradict")
        return self._conflict(board, groups)

    def conflict_sets(self, board: Board) -> Iterator[ConflictSet]:
        """Find every minimal conflict set, smallest first; none if the board has a solution.

        There may be very many: take as many as are wanted.
        """
        for groups in conflicts(self._solver, self._groups(board), self._watch):
            yield self._conflict(board, groups)

    def corrections(self, board: Board, known: Part | None = None) -> Iterator[Correction]:
        """Find the smallest sets without which the board has a solution, all of one size; none if it has one.

        A rule that leans on another one may state more without it (see ``Board.without_rule``). So a set counts only if
        the board that is left has a solution. known: a conflict set of the board, if there is one already.
        """

        def count(chosen: Iterable[int]) -> int:
            return len(self.solutions(self._part(board, chosen).rest_of(board).of(board), 2))

        conflict = self._groups(board, known) if known else ()
        for chosen, number in corrections(self._solver, self._groups(board), self._watch, count, conflict):
            part = self._part(board, chosen)
            yield Correction(part.cells, part.rules, part.marks, number == 1)

    def redundant(self, board: Board) -> Part:
        """Find the clues and rules of a *unique* board that can be left out on their own without a further solution.

        A rule that leans on another one may state more without it: see ``Board.without_rule``.
        """
        with self._other_than(board) as (grid, other):
            every = Part().rest_of(board)
            clues = redundant(self._cnf.variables.cells.of_symbols(board.clues), self._clues_enough(board, other))
            rules = redundant(every.rules, self._rules_enough(board, every, grid, other))
            return Part(self._cells(clues), tuple(rules))

    def enough(self, board: Board, keep: str = "", *, fewest: bool = False) -> Part:
        """Find a minimal set of clues and rules of a *unique* board that still leaves one solution.

        The pencil marks stay, and the ``clues`` or the ``rules`` if these are to be kept. Clues are left out before
        rules. fewest: of all such sets, one with the fewest members, unless rules that lean on others mean more without
        them, so that this one is not enough.
        """
        with self._other_than(board) as (grid, other):
            part = Part().rest_of(board)
            if fewest:
                smallest = self._smallest(board, keep, grid, other)
                if smallest is not None:
                    return smallest
            if keep != "clues":
                clues = minimise(self._cnf.variables.cells.of_symbols(board.clues), self._clues_enough(board, other))
                part = replace(part, cells=self._cells(clues or ()))
            if keep != "rules":
                enough = self._rules_enough(board, part, grid, other)
                rules = list(part.rules)
                before: list[int] | None = None
                while rules != before:  # without a rule, one that leans on it may become redundant
                    before = rules
                    rules = minimise(rules, enough) or []
                part = replace(part, rules=tuple(rules))
        return part

    def _smallest(self, board: Board, keep: str, grid: SymbolTuple, other: int) -> Part | None:
        """Return the smallest part that is enough: the first conflict with the assumption of another solution.

        ``None`` if it is not enough after all, since rules that lean on others mean more without these.
        """
        every = Part().rest_of(board)
        cells = every.cells if keep == "clues" else ()
        rules = every.rules if keep == "rules" else ()
        fixed = self._groups(board, replace(every, cells=cells, rules=rules))
        may_go = [group for group in self._groups(board) if group not in fixed]
        chosen = next(conflicts(self._solver, may_go, self._watch, fixed + [other]))
        part = self._part(board, fixed + chosen, every=keep == "rules")
        part = replace(part, marks=every.marks)
        is_enough = self._rules_enough(board, part, grid, other)(list(part.rules)) is not None
        return part if is_enough else None

    def candidates(self, board: Board) -> Candidates:
        """Find the true candidates, exactly, with a witness for each."""
        *_, found = self.search_candidates(board)
        assert found is not None
        return found

    def search_candidates(self, board: Board) -> Iterator[Candidates | None]:
        """Yield the true candidates at last, and before that ``None`` after each question: other work may come in."""
        literals = self._groups(board)
        x = self._cnf.variables.cells
        witnesses: dict[tuple[int, int], SymbolTuple] = {}
        unseen = set(x.numbers)
        # Where the solver is free to choose, it prefers candidates without a witness: far fewer questions.
        self._solver.prefer(sorted(unseen))
        with self._switch() as goal:
            while self._ask(literals + [goal]):
                grid = self._witness(board)
                for cell, symbol in enumerate(grid):
                    if x(cell, symbol) in unseen:
                        unseen.remove(x(cell, symbol))
                        witnesses[cell, symbol] = grid
                self._solver.prefer([-literal for literal in x.of_symbols(grid)])
                # a solution with some candidate that has no witness yet
                self._solver.add([*unseen, -goal])
                yield None
        masks = [0] * self.geometry.cell_count
        for cell, symbol in witnesses:
            masks[cell] |= 1 << (symbol - 1)
        yield Candidates(tuple(masks), witnesses)

    def solutions(self, board: Board, most: int) -> list[SymbolTuple]:
        """Find up to ``most`` different solutions."""
        literals = self._groups(board)
        grids: list[SymbolTuple] = []
        with self._switch() as other:
            while len(grids) < most and self._ask(literals + [other]):
                grids.append(self._witness(board))
                self._solver.add([*self._cnf.blocking_clause(grids[-1]), -other])
        return grids

    def fixing_clue(self, board: Board) -> tuple[int, int] | None:
        """Find a (cell, symbol) that as a further clue leaves exactly one solution, or return ``None``."""
        witnesses = self.candidates(board).witnesses
        grids = set(witnesses.values())
        occurrences: Counter[tuple[int, int]] = Counter()
        for grid in grids:
            occurrences.update(enumerate(grid))
        for cell, symbol in sorted(witnesses):
            # A clue that two known solutions share fixes neither: that spares nearly every question.
            if board.clues[cell] or occurrences[cell, symbol] > 1:
                continue
            two = self.solutions(board.with_clue(cell, symbol), 2)
            if len(two) == 1:
                return cell, symbol
            for grid in set(two) - grids:
                occurrences.update(enumerate(grid))
                grids.add(grid)
        return None

    # ---- how ------------------------------------------------------------------------------------------------------

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """Limit the questions inside the block to so many seconds, besides the explainer's own limits."""
        whole = self._watch
        self._watch = whole.part(seconds=seconds)
        try:
            yield
        finally:
            self._watch = whole

    def _ask(self, assumptions: list[int]) -> bool:
        """Return whether there is a solution under these. Raises ``Interrupted``."""
        return self._solver.solve(assumptions, self._watch)

    def _witness(self, board: Board) -> SymbolTuple:
        """Return the grid that the solver found, which has passed the check of solutions.

        Raises ``DisagreementError`` for one that has not: a rule would have been stated wrongly in clauses.
        """
        grid = self._cnf.decode(self._solver.model())
        reasons = violations(board, grid)
        if reasons:
            raise DisagreementError(f"the solver found a grid that is no solution: {reasons[0]}")
        return grid

    @contextmanager
    def _other_than(self, board: Board) -> Iterator[tuple[SymbolTuple, int]]:
        """Yield the solution of the board, and an assumption that forbids it."""
        (grid,) = self.solutions(board, 1)
        with self._switch() as other:
            self._solver.add([*self._cnf.blocking_clause(grid), -other])
            yield grid, other

    @contextmanager
    def _switch(self) -> Iterator[int]:
        """Yield a variable with which clauses count where it is assumed, up to the end of the block."""
        switch = next(self._new)
        try:
            yield switch
        finally:
            self._solver.add([-switch])

    def _clues_enough(self, board: Board, other: int) -> Enough[int]:
        """Return the question which clues, with all rules and marks, exclude all solutions but one."""
        without_clues = replace(Part().rest_of(board), cells=())
        return contradicting(self._solver, self._watch, self._groups(board, without_clues) + [other])

    def _rules_enough(self, board: Board, part: Part, grid: SymbolTuple, other: int) -> Enough[int]:
        """Return the question whether some rules, with the clues and marks of a part, leave the grid alone."""

        def enough(rules: list[int]) -> list[int] | None:
            fewer = replace(part, rules=tuple(rules)).of(board)
            only = is_solution(fewer, grid) and not self._ask(self._groups(fewer) + [other])
            return rules if only else None

        return enough

    def _cells(self, clues: Iterable[int]) -> tuple[int, ...]:
        """Return the cells of clues, ascending."""
        return tuple(sorted(self._cnf.variables.cells.of(clue)[0] for clue in clues))

    def _groups(self, board: Board, part: Part | None = None) -> list[int]:
        """Return the rules, the clues, and the pencil marks of each cell, as one literal each. part: those of it."""
        if part is None:
            part = Part().rest_of(board)
        rules = [self._selector(board.rules[number]) for number in part.rules]
        groups = list(dict.fromkeys(rules))  # equal rules are one group
        groups += [self._cnf.variables.cells(cell, board.clues[cell]) for cell in part.cells]
        if board.marks is not None:
            groups += [self._mark(cell, board.marks[cell]) for cell in part.marks]
        return groups

    def _mark(self, cell: int, mask: int) -> int:
        """Return the variable that switches the pencil marks of a cell on."""
        if (cell, mask) not in self._marks:
            self._marks[cell, mask] = selector = next(self._new)
            for symbol in self.geometry.symbols:
                if not mask >> (symbol - 1) & 1:
                    self._solver.add([-self._cnf.variables.cells(cell, symbol), -selector])
        return self._marks[cell, mask]

    def _selector(self, rule: Rule) -> int:
        """Return the variable that switches a rule on: its clauses are those that a board with it alone would add."""
        if rule in self._selectors:
            return self._selectors[rule]
        selector = next(self._new)
        with watched(self._watch):
            compiled = compile_cnf(Problem(self.geometry, (rule,)), self._encoding)
        clauses = compiled.clauses[len(self._cnf.clauses) :]
        self._rule_clauses += len(clauses)
        check_effort(self._rule_clauses)
        number_of: dict[int, int] = {}
        for variable in range(1, compiled.variable_count + 1):
            is_own = variable > self._cnf.variable_count  # each rule has further variables of its own
            number = next(self._new) if is_own else variable
            number_of[variable] = number
            number_of[-variable] = -number
        for clause in clauses:
            literals = [number_of[literal] for literal in clause]
            literals.append(-selector)
            self._solver.add(literals)
        self._selectors[rule] = selector
        return selector

    def _part(self, board: Board, groups: Iterable[int], every: bool = True) -> Part:
        """Return the clues, rules and pencil marks that some groups stand for.

        every: whether all of equal rules are wanted, which are one group, or the first of them.
        """
        chosen = set(groups)
        candidates = self._cnf.variables.cells.numbers
        rules: list[int] = []
        for number, rule in enumerate(board.rules):
            is_wanted = every or board.rules.index(rule) == number
            if is_wanted and self._selector(rule) in chosen:
                rules.append(number)
        marks = [cell for cell, mask in enumerate(board.marks or ()) if self._marks.get((cell, mask)) in chosen]
        clues = self._cells([group for group in chosen if group in candidates])
        return Part(clues, tuple(rules), tuple(marks))

    def _conflict(self, board: Board, groups: Iterable[int]) -> ConflictSet:
        """Return the conflict that some groups stand for, with one of equal rules."""
        part = self._part(board, groups, every=False)
        rules = tuple([board.rules[number] for number in part.rules])
        alone = replace(part.of(board), rules=rules)
        return ConflictSet(part.cells, part.rules, part.marks, direct=tuple(alone.contradictions()))
