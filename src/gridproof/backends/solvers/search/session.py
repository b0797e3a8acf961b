"""The common part of the search backends: the journal of a search, the session around a strategy, the backend.

A *strategy* is one way to search: a generator of solutions that reports its steps to a *journal*. Counting, limits and
tracing all hang on the journal's few calls, so a search that is not traced pays nothing for the possibility.

Rules become small tests, each due as soon as all of its cells are filled: a rule is taken apart (``Rule.expand``),
down to single pairs, so that a knight's move is looked at when its second cell is filled, not when the board is full.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from itertools import combinations
from time import perf_counter
from typing import TypeAlias, TypeVar

from gridproof.backends.protocol import Backend, Session, Statistics
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules.primitives import Different, Primitive, Relation, cells_of

Failure: TypeAlias = int | tuple[int, int]
"""The place of a dead end: a cell that no symbol fits, or (index of a house, symbol that has no place in
it)."""

_NODES_PER_LOOK = 64
"""Nodes between two looks of a search at the clock, a power of two. A look costs about as much as the cheapest node."""


class Journal:
    """The record of one search so far, which keeps the limits. ``gridproof.trees`` has one that keeps the tree.

    nodes: symbols placed by choice. refused: symbols looked at and not placed, because a peer holds them
    already. dead_ends: positions from which no choice leads on. propagations: cells settled as a
    consequence, not by choice; ``None`` for a strategy that draws no conclusions.
    """

    __slots__ = ("dead_ends", "nodes", "propagations", "refused", "watch")

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.nodes = 0
        self.refused = 0
        self.dead_ends = 0
        self.propagations: int | None = None

    def place(self, depth: int, cell: int, symbol: int) -> None:
        """A choice: ``symbol`` is put into ``cell``, as the ``depth``-th choice that stands (from 1).

        That takes back every choice that stood at this depth or below it: no call announces it.
        """
        self.nodes += 1
        if not self.nodes & (_NODES_PER_LOOK - 1):
            self.watch.look()

    def settled(self, cell: int, symbol: int) -> None:
        """A consequence of the last choice (of the board, before the first): ``cell`` holds ``symbol``."""
        self.propagations = (self.propagations or 0) + 1

    def dead_end(self, failure: Failure) -> None:
        """The choices that stand lead to nothing, as ``failure`` shows."""
        self.dead_ends += 1
        self.watch.conflict()

    def solution(self) -> None:
        """The choices that stand make a solution."""


Strategy: TypeAlias = Callable[[Board, Journal], Generator[SymbolTuple, None, None]]
"""One way to search: each solution once. No two clues of the board clash, and every cell has a candidate."""

C = TypeVar("C")
"""The state after a choice: whatever the next level needs, but never ``None``."""


def depth_first(
    start: C, choices: Callable[[int, C], Generator[C, None, None] | None], solution: Callable[[C], SymbolTuple]
) -> Generator[SymbolTuple, None, None]:
    """Walk a tree of choices.

    It keeps its own stack: a 36x36 board has 1,296 levels, deeper than Python recurses, and a generator in a generator
    hands each solution up through all of them. choices: for a level (from 1) and what the last choice left, the choices
    of that level, or ``None`` if what is left is a solution. Each is made when it is needed, and taken back when the
    next one is. If the caller has enough, all levels are closed, the deepest first.
    """
    levels: list[Generator[C, None, None]] = []
    state: C | None = start
    try:
        while state is not None:
            level = choices(len(levels) + 1, state)
            if level is None:
                yield solution(state)
            else:
                levels.append(level)
            state = None
            while levels and state is None:
                try:
                    state = next(levels[-1])
                except StopIteration:
                    levels.pop()
    finally:
        while levels:
            levels.pop().close()


class TimedSession(Session):
    """A session of a generator in Python."""

    _seconds = 0.0

    def _timed(self, search: Iterator[SymbolTuple]) -> Generator[SymbolTuple, None, None]:
        """The grids of a search; ``_seconds`` is the time spent in it, not between solutions."""
        self._seconds = 0.0
        while True:
            started = perf_counter()
            try:
                grid = next(search)
            except StopIteration:
                return
            finally:
                self._seconds += perf_counter() - started
            yield grid


class SearchSession(TimedSession):
    """A search of boards. Give ``make_journal`` another value to trace the boards that follow."""

    def __init__(self, problem: Problem, strategy: Strategy) -> None:
        super().__init__(problem)
        self.make_journal: Callable[[Watch], Journal] = Journal
        self._strategy = strategy
        self._journal = Journal(Watch())

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        watch = Watch(limits)
        journal = self._journal = self.make_journal(watch)
        self._seconds = 0.0
        if not _can_start(board):
            return
        with closing(self._strategy(board, journal)) as search:
            for grid in self._timed(search):
                watch.before_next_solution()
                journal.solution()
                yield grid
                watch.before_search()

    @property
    def statistics(self) -> Statistics:
        journal = self._journal
        return Statistics(
            nodes=journal.nodes,
            tries=journal.nodes + journal.refused,
            dead_ends=journal.dead_ends,
            propagations=journal.propagations,
            seconds=self._seconds,
        )


class SearchBackend(Backend):
    """A strategy as a backend. houses_only: it cannot keep to the rules of a board beyond houses."""

    family = "search"
    accepts = "problem"

    def __init__(self, name: str, summary: str, strategy: Strategy, *, houses_only: bool = False) -> None:
        self.name = name
        self.summary = summary
        self._strategy, self._houses_only = strategy, houses_only

    def refuses(self, problem: Problem) -> str | None:
        """Refuse any rule, if the strategy takes houses only."""
        return only_houses(problem) if self._houses_only else None

    def _open(self, model: Problem) -> SearchSession:
        return SearchSession(model, self._strategy)


def only_houses(problem: Problem) -> str | None:
    """Return the reason why a solver that takes houses only refuses a problem, or ``None`` if it has no rules."""
    if not problem.rules:
        return None
    return f"it takes houses only, not {problem.rules[0].sentence(problem.geometry)!r}"


def only_full_houses(geometry: Geometry) -> str | None:
    """Return the reason why what counts on full houses refuses a geometry, or ``None`` if all of them are."""
    if geometry.has_full_houses_only:
        return None
    return f"it takes boards whose houses hold every digit, not {geometry.description}"


def _can_start(board: Board) -> bool:
    """Return whether no two clues clash, none break a rule, and each cell has a candidate, as strategies need it."""
    for house in board.geometry.houses:
        clues = [board.clues[cell] for cell in house.cells if board.clues[cell]]
        if len(set(clues)) < len(clues):
            return False
    if board.rules and not all(test.allows(board.clues) for test in tests_by_last_cell(board).get(-1, ())):
        return False
    return 0 not in board.candidates


def small_tests(board: Board) -> Iterator[tuple[set[int], Primitive]]:
    """Return the demands of a board's rules, in parts as small as they come, each with its cells."""
    for rule in board.rules:
        for primitive in rule.expand(board.geometry):
            parts: list[Primitive] = [primitive]
            if isinstance(primitive, Relation):
                parts = [Relation((pair,), primitive.allowed) for pair in primitive.pairs]
            elif isinstance(primitive, Different):
                parts = [Different(pair) for pair in combinations(primitive.cells, 2)]
            for part in parts:
                yield cells_of(part), part


def tests_by_last_cell(board: Board) -> dict[int, list[Primitive]]:
    """Return for each open cell the tests due when it and the open cells before it are filled; under -1 the others."""
    demands: dict[int, list[Primitive]] = {}
    for cells, part in small_tests(board):
        last = max((cell for cell in cells if not board.clues[cell]), default=-1)
        demands.setdefault(last, []).append(part)
    return demands
