"""The tree that a search walks: recorded while it walks, folded, pruned and drawn.

A *vertex* is a position of the search, the root the board itself. An edge is a choice, such as r1c2=5. A
leaf is a dead end, with the cell that has no candidate or the house that has no place for a symbol, or a
solution.

    tree = search_tree(board, "search-bits")
    tree.to_svg().save("tree.svg")
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from gridproof import backends
from gridproof.backends.solvers.search.session import Failure, Journal, SearchBackend, SearchSession
from gridproof.errors import BackendUnavailable, InputError, Interrupted
from gridproof.limits import Limits, Watch
from gridproof.pictures.document import Svg
from gridproof.pictures.steps import MOST_STEPS, Steps
from gridproof.pictures.tree.shape import counted
from gridproof.pictures.tree.steps import tree_steps
from gridproof.pictures.tree.svg import tree_svg

if TYPE_CHECKING:
    from gridproof.backends.protocol import Backend, Statistics
    from gridproof.puzzle.board import Board

MOST_NODES = 60
"""How many nodes a picture shows unless told: about what fits a page and can still be read."""

TREE_LIMITS = Limits(seconds=10, solutions=2)
"""What a search may cost unless told: enough to see why a puzzle has one solution, or that it has more."""

_KEPT_PER_DRAWN = 50
"""Vertices kept in memory for each one drawn, so that there is something to choose from; the rest is
counted."""


@dataclass(slots=True, eq=False)
class Vertex:
    """A position of a search. ``cell`` and ``symbol`` are the choice that led here (-1 and 0 at the root).

    settled: what followed without a choice, as (cell, symbol). failure: why it is a dead end, else ``None``. solution:
    the number of the solution it is (from 1), else 0. hidden, hidden_solutions: vertices and solutions below this one
    that were counted but not kept. on_solution: it is to be kept, for a solution hangs on it. open: the search ended
    before it was done here.
    """

    cell: int = -1
    symbol: int = 0
    settled: list[tuple[int, int]] = field(default_factory=list)
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
        """This journal, with the watch of the board that is to be recorded: for ``SearchSession.make_journal``."""
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
        self._path[-1].settled.append((cell, symbol))
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
        """The search has looked everywhere."""
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
            left = [child for child in vertex.children if child.open or child.on_solution]
            for child in vertex.children:
                if child not in left:
                    vertex.hide(child)
            vertex.children = left
        self._kept = sum(len(vertex.children) for vertex in chain(*levels))
        self._bound = max(self.most_kept, 2 * self._kept)


@dataclass(frozen=True, slots=True, repr=False)
class SearchTree:
    """A recorded search. ``stopped`` says which limit ended it, ``None`` if it looked everywhere."""

    board: Board
    backend: str
    root: Vertex
    solutions: int
    statistics: Statistics
    stopped: str | None
    most_nodes: int = MOST_NODES

    def to_svg(self) -> Svg:
        """The picture: choices on edges, the path to a solution thick, dead ends crossed and explained."""
        return tree_svg(self)

    def steps(self, most: int = MOST_STEPS) -> Steps:
        """The walk with a slider over its steps: which cell, which symbol, what was forced, where it was a dead end.

        Parameters
        ----------
        most : int
            How many steps; a search that is longer says so.

        Examples
        --------
        >>> from gridproof import parse
        >>> steps = search_tree(parse("1... ..2. .3.. ...4"), "search-bits").steps()
        >>> steps.steps[1].text, steps.position(1).filled[:4]
        ('r1c2=2', (0, 2, 0, 0))
        """
        return tree_steps(self, most)

    def _repr_html_(self) -> str:
        return self.to_svg().html

    def __repr__(self) -> str:
        return f"<SearchTree: {self.summary}>"

    @property
    def summary(self) -> str:
        """One line: the backend, what it cost and what came of it."""
        numbers = self.statistics
        parts = [counted(numbers.nodes or 0, "node"), counted(numbers.dead_ends or 0, "dead end")]
        if numbers.propagations is not None:
            parts.append(f"{numbers.propagations:,} settled by propagation")
        parts.append(counted(self.solutions, "solution"))
        text = f"{self.backend}: {', '.join(parts)}"
        return f"{text}; {self.stopped}" if self.stopped else text


def search_tree(
    board: Board,
    backend: str | Backend,
    *,
    most_nodes: int = MOST_NODES,
    limits: Limits = TREE_LIMITS,
) -> SearchTree:
    """Search ``board`` with a search backend and record the tree.

    most_nodes: how many nodes a picture of it shows; the others are counted. limits: what the search may
    cost; a tree that a limit cut says so. Raises ``BackendUnavailable`` for a backend that is no search,
    ``InputError`` for ``most_nodes`` below 1.
    """
    if most_nodes < 1:
        raise InputError(f"most_nodes is {most_nodes!r}; expected a whole number of at least 1")
    backend = (backends.find(backend) if isinstance(backend, str) else backend).plain
    if not isinstance(backend, SearchBackend):
        raise BackendUnavailable(f"{backend.name} records no tree; expected a search backend")
    journal = TreeJournal(max(1000, most_nodes * _KEPT_PER_DRAWN), most_nodes)
    stopped = None
    with backend.open(board.problem) as session:
        assert isinstance(session, SearchSession)
        session.make_journal = journal.started
        try:
            for _ in session.solutions(board, limits):
                pass
            journal.finish()
        except Interrupted as reason:
            stopped = str(reason)
        statistics = session.statistics
    return SearchTree(board, backend.name, journal.root, journal.solutions, statistics, stopped, most_nodes)
