"""A recorded search: its vertices, and the journal that records them while the search walks."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate, chain

from gridproof.backends.protocol import Statistics
from gridproof.backends.solvers.search.session import Failure, Journal
from gridproof.errors import counted
from gridproof.limits import Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

MOST_NODES = 60
"""How many nodes a picture shows by default: about what fits a page and can still be read."""


@dataclass(slots=True, eq=False)
class Vertex:
    """A position of a search. ``cell`` and ``symbol`` are the choice that led here (-1 and 0 at the root).

    forced: what followed without a choice, as (cell, symbol). failure: the reason of a dead end, else ``None``.
    solution: the number of the solution it is (from 1), else 0. hidden, hidden_solutions: vertices and solutions below
    this one that were counted but not kept. on_solution: it is kept, because a solution is below it. open: the search
    ended before it was done here.
    """

    cell: int = -1
    symbol: int = 0
    forced: list[tuple[int, int]] = field(default_factory=list)
    children: list[Vertex] = field(default_factory=list)
    failure: Failure | None = None
    solution: int = 0
    hidden: int = 0
    hidden_solutions: int = 0
    on_solution: bool = False
    open: bool = True

    def hide(self, child: Vertex) -> None:
        """Count a child, what hangs on it included, in place of keeping it."""
        waiting = [child]
        while waiting:
            vertex = waiting.pop()
            self.hidden += 1 + vertex.hidden
            self.hidden_solutions += (vertex.solution > 0) + vertex.hidden_solutions
            waiting += vertex.children


def failure_text(vertex: Vertex, geometry: Geometry) -> str:
    """Return the reason why a vertex is a dead end, empty if it is none."""
    if vertex.failure is None:
        return ""
    if isinstance(vertex.failure, int):
        return f"{geometry.cell_name(vertex.failure)} has no candidate"
    house, symbol = vertex.failure
    return f"{geometry.symbol_text(symbol)} has no place in {geometry.houses[house].name}"


class TreeJournal(Journal):
    """A journal that remembers the tree, as much of it as ``most_kept`` vertices hold: what is nearest to the root.

    The paths to the first ``most_solutions`` solutions are kept besides, and the path to where the search is.
    """

    __slots__ = ("_bound", "_deepest", "_kept", "_path", "most_kept", "most_solutions", "root", "solutions")

    def __init__(self, most_kept: int, most_solutions: int) -> None:
        super().__init__(Watch())
        self.most_kept = most_kept
        self.most_solutions = most_solutions
        self.root = Vertex()
        self.solutions = 0
        self._path = [self.root]
        self._kept = 0
        self._bound = most_kept  # when so many are kept, some are to go
        self._deepest: int | None = None  # vertices below this depth are not kept once they are left

    def started(self, watch: Watch) -> TreeJournal:
        """Return this journal with the watch of the board that is recorded: for ``SearchSession.make_journal``."""
        self.watch = watch
        return self

    def place(self, depth: int, cell: int, symbol: int) -> None:
        self._go_back_to(depth)
        vertex = Vertex(cell, symbol)
        self._path[-1].children.append(vertex)
        self._path.append(vertex)
        self._kept += 1
        if self._kept > self._bound:
            self._thin_out()
        super().place(depth, cell, symbol)

    def settled(self, cell: int, symbol: int) -> None:
        self._path[-1].forced.append((cell, symbol))
        super().settled(cell, symbol)

    def dead_end(self, failure: Failure) -> None:
        self._path[-1].failure = failure
        super().dead_end(failure)

    def solution(self) -> None:
        self.solutions += 1
        self._path[-1].solution = self.solutions
        if self.solutions <= self.most_solutions:
            for vertex in self._path:
                vertex.on_solution = True

    def finish(self) -> None:
        """Note that the search has looked everywhere."""
        self._go_back_to(1)
        self.root.open = False

    def _go_back_to(self, depth: int) -> None:
        """Leave the vertices at this depth and below."""
        path = self._path
        while len(path) > depth:
            vertex = path.pop()
            vertex.open = False
            if self._deepest is not None and len(path) > self._deepest and not vertex.on_solution:
                path[-1].children.pop()
                path[-1].hide(vertex)
                self._kept -= 1  # what hung on it has gone the same way before

    def _thin_out(self) -> None:
        """Lower the depth below which nothing is kept until at most half as many vertices as allowed are left."""
        levels = [[self.root]]
        while levels[-1]:
            levels.append([child for vertex in levels[-1] for child in vertex.children])
        totals = list(accumulate(map(len, levels)))
        self._deepest = max(1, sum(total <= self.most_kept // 2 for total in totals) - 1)
        for vertex in chain(*levels[self._deepest :]):
            kept = [child for child in vertex.children if child.open or child.on_solution]
            for child in vertex.children:
                if child not in kept:
                    vertex.hide(child)
            vertex.children = kept
        self._kept = sum(len(vertex.children) for vertex in chain(*levels))
        self._bound = max(self.most_kept, 2 * self._kept)


@dataclass(frozen=True, slots=True, repr=False)
class Walk:
    """A recorded search. ``stopped`` is the limit that ended it, ``None`` if it looked everywhere."""

    board: Board
    backend: str
    root: Vertex
    solutions: int
    statistics: Statistics
    stopped: str | None
    most_nodes: int = MOST_NODES

    @property
    def summary(self) -> str:
        """The backend, its work and the result, in one line."""
        numbers = self.statistics
        parts = [counted(numbers.nodes or 0, "node"), counted(numbers.dead_ends or 0, "dead end")]
        if numbers.propagations is not None:
            parts.append(f"{numbers.propagations:,} settled by propagation")
        parts.append(counted(self.solutions, "solution"))
        text = f"{self.backend}: {', '.join(parts)}"
        return f"{text}; {self.stopped}" if self.stopped else text
