"""The tree of a search: recorded while the search walks, folded, pruned and drawn.

A *vertex* is a position of the search, the root the board itself. An edge is a choice, such as r1c2=5. A
leaf is a dead end, with the cell that has no candidate or the house that has no place for a symbol, or a
solution.

    tree = search_tree(board, "search-bits")
    tree.to_svg().save("tree.svg")
"""

from __future__ import annotations

from dataclasses import dataclass

from gridproof import backends
from gridproof.backends.isolation import without_isolation
from gridproof.backends.protocol import Backend, Statistics
from gridproof.backends.solvers.search.session import Failure, Journal, SearchBackend, SearchSession
from gridproof.errors import BackendUnavailable, InputError, Interrupted
from gridproof.limits import Limits, Watch
from gridproof.models.variables import candidate_name
from gridproof.pictures.document import Svg
from gridproof.pictures.steps import MOST_STEPS, Slide, Steps
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import counted
from gridproof.trees.drawing import Vertex, failure_text, tree_svg

TREE_LIMITS = Limits(seconds=10, solutions=2)
"""Limits of a search by default: enough to see why a puzzle has one solution, or that it has more."""

MOST_NODES = 60
"""Default number of nodes in a picture: about what fits a page and can still be read."""

_MOST_KEPT = 20_000
"""Vertices kept in memory, so that there is something to choose from."""

_NEAR_ROOT = 3
"""Vertices of up to so many choices are kept in any case, so that the whole search is outlined."""

_LISTED = 6
"""Forced moves that are written out; more are counted."""


class TreeJournal(Journal):
    """A journal that keeps the tree.

    Once ``most_kept`` vertices are kept, further ones are only counted where they hang, but for those near the root and
    the paths to the first ``most_solutions`` solutions and to where the search is.
    """

    __slots__ = ("_kept", "_path", "most_kept", "most_solutions", "root", "solutions")

    def __init__(self, most_kept: int, most_solutions: int) -> None:
        super().__init__(Watch())
        self.most_kept = most_kept
        self.most_solutions = most_solutions
        self.root = Vertex()
        self.solutions = 0
        self._path = [self.root]
        self._kept = 0

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
            if self._kept > self.most_kept and len(path) > _NEAR_ROOT and not vertex.on_solution:
                path[-1].children.pop()
                path[-1].hide(vertex)


@dataclass(frozen=True, slots=True, repr=False)
class SearchTree:
    """A recorded search that draws itself. ``stopped`` is the limit that ended it, ``None`` if it looked everywhere."""

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
        if self.stopped:
            text += f"; {self.stopped}"
        return text

    def to_svg(self) -> Svg:
        """Draw the tree: choices on edges, the path to a solution thick, dead ends crossed and explained."""
        return tree_svg(self.root, self.board, self.most_nodes, self.summary)

    def steps(self, most: int = MOST_STEPS) -> Steps:
        """Return the walk with a slider: for each step the choice, what it forced, and where it was a dead end.

        Parameters
        ----------
        most : int
            How many steps at most; the title counts the others.

        Examples
        --------
        >>> from gridproof import parse
        >>> steps = search_tree(parse("1... ..2. .3.. ...4"), "search-bits").steps()
        >>> steps.steps[1].text, steps.position(1).filled[:4]
        ('r1c2=2', (0, 2, 0, 0))
        """
        if most < 1:
            raise InputError(f"at most {most!r} steps; expected a whole number of at least 1")
        steps: list[Slide] = []
        waiting = [(self.root, -1, 0)]
        before = 0  # the number of choices at the step before
        while waiting and len(steps) < most:
            vertex, after, depth = waiting.pop()
            number = len(steps)
            taken_back = 0
            if depth:
                taken_back = before - depth + 1
            steps.append(make_slide(vertex, after, taken_back, self.board.geometry))
            before = depth
            waiting += [(child, number, depth + 1) for child in reversed(vertex.children)]
        title = self.summary
        nodes = self.statistics.nodes or 0
        if nodes >= len(steps):
            title += f"; {len(steps) - 1:,} of {nodes:,} nodes are shown"
        return Steps(self.board, title, tuple(steps), self.to_svg())

    def _repr_html_(self) -> str:
        return self.to_svg().html

    def __repr__(self) -> str:
        return f"<SearchTree: {self.summary}>"


def search_tree(
    board: Board, backend: str | Backend, *, most_nodes: int = MOST_NODES, limits: Limits = TREE_LIMITS
) -> SearchTree:
    """Search ``board`` with a search backend and record the tree.

    most_nodes: how many nodes a picture of it shows; the others are counted. limits: those of the search; the summary
    names one that ended it. Raises ``BackendUnavailable`` for a backend that is no search, ``InputError`` for
    ``most_nodes`` below 1.
    """
    if most_nodes < 1:
        raise InputError(f"most_nodes is {most_nodes!r}; expected a whole number of at least 1")
    backend = without_isolation(backends.find(backend))
    if not isinstance(backend, SearchBackend):
        raise BackendUnavailable(f"{backend.name} records no tree; expected a search backend")
    journal = TreeJournal(max(_MOST_KEPT, most_nodes), most_nodes)
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


def make_slide(vertex: Vertex, after: int, taken_back: int, geometry: Geometry) -> Slide:
    """Return the step to a vertex. after: the number of the step that it follows. taken_back: choices, before it."""
    chosen = None
    first = "the board"
    if vertex.symbol:
        chosen = (vertex.cell, vertex.symbol)
        first = candidate_name(geometry, vertex.cell, vertex.symbol)
    if taken_back:
        first = f"takes back {counted(taken_back, 'choice')}, then {first}"
    parts = [first]
    forced = [candidate_name(geometry, cell, symbol) for cell, symbol in vertex.forced]
    if forced:
        text = f"then forced: {', '.join(forced[:_LISTED])}"
        if len(forced) > _LISTED:
            text += f" and {len(forced) - _LISTED} more"
        parts.append(text)
    marked: tuple[int, ...] = ()
    if vertex.failure is not None:
        parts.append(f"dead end: {failure_text(vertex, geometry)}")
        marked = failed_cells(vertex.failure, geometry)
    if vertex.solution:
        parts.append(f"solution {vertex.solution}")
    if vertex.hidden:
        parts.append(f"{counted(vertex.hidden, 'node')} below are counted, not kept")
    return Slide("; ".join(parts), after, chosen, tuple(vertex.forced), marked)


def failed_cells(failure: Failure, geometry: Geometry) -> tuple[int, ...]:
    """Return the cell that has no candidate, or the cells of the house in which a symbol has no place."""
    if isinstance(failure, int):
        return (failure,)
    house, _ = failure
    return tuple(geometry.houses[house].cells)
