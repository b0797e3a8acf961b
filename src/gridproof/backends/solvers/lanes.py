"""The bit-parallel lane engine of bulk runs as a backend, under the same contract as all others.

The engine decides whether a board has no solution, one, or several, and gives two of several. All of them come out
by halves: where two solutions were found, a cell in which they differ splits the board into one for each symbol of that
cell, which share no solution and miss none. A board that the engine leaves open, because a bound came first, is split
at a cell with few candidates. Open parts go to the engine many at a time, as lanes.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gridproof.backends.protocol import Backend, Session, Statistics
from gridproof.backends.solvers.search.session import only_full_houses, only_houses
from gridproof.errors import BackendFailure, BackendUnavailable, GeometryError
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import SymbolTuple

if TYPE_CHECKING:
    from gridproof.lanes import LaneEngine

LANES = 64
"""Boards of one call of the engine: those of one machine word."""

BRANCHES = 500
"""Bound of the engine on each of them: between two calls the clock is looked at."""


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of a board: its candidates by cell, and the solutions found in it (and yielded)."""

    candidates: tuple[int, ...]
    found: tuple[SymbolTuple, ...] = ()

    def split(self, cell: int) -> Iterator[_Part]:
        """A part for each symbol of a cell."""
        mask = self.candidates[cell]
        while mask:
            bit = mask & -mask
            mask ^= bit
            candidates = list(self.candidates)
            candidates[cell] = bit
            found = [grid for grid in self.found if grid[cell] == bit.bit_length()]
            yield _Part(tuple(candidates), tuple(found))


class LaneSession(Session):
    """An engine; the open parts of a board are a stack between two calls of it.

    Statistics: nodes is how often the engine split a board in two, or the session in several; dead_ends are parts
    without any solution. A search tree of binary choices has as many leaves as choices, and one more: where the engine
    stops early, as it does with two solutions, not all were visited, and dead_ends is the most there can have been.
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self._usual = self._engine(BRANCHES)

    def _engine(self, branches: int) -> LaneEngine:
        from gridproof.lanes import LaneEngine

        return LaneEngine(self.geometry, max_depth=self.geometry.cell_count, max_branches=branches)

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        watch = Watch(limits)
        self._statistics = Statistics(nodes=0, dead_ends=0)
        stack = [_Part(board.candidates)]
        lanes = 1
        while stack:
            watch.look()
            watch.before_search()
            parts = [stack.pop() for _ in range(min(lanes, len(stack)))]
            lanes = min(2 * lanes, LANES)
            answers = self._verdicts([part for part in parts if len(part.found) < 2], watch)
            for part in parts:
                code, given = next(answers) if len(part.found) < 2 else ("multiple", [])
                fresh = [grid for grid in given if grid not in part.found]
                for grid in fresh:
                    watch.before_next_solution()
                    yield grid
                found = (*part.found, *fresh)
                if code in ("none", "unique"):
                    if len(found) != (code == "unique"):
                        raise BackendFailure(f"the lanes call a part of this board {code}, and have {len(found)} grids")
                    continue
                if len(found) < 2:
                    lanes = 1  # hard, or far from any solution: better one part in depth than many
                stack += _Part(part.candidates, found).split(choose_cell(part.candidates, found))
                self._add_figures(watch, nodes=1)

    def _verdicts(self, parts: list[_Part], watch: Watch) -> Iterator[tuple[str, list[SymbolTuple]]]:
        """Yield the engine's verdict on each part, and the solutions it gives. Raises ``Interrupted``."""
        from gridproof.lanes import VERDICT_NAMES

        conflicts = watch.conflicts_left()
        engine = self._usual if conflicts is None or conflicts >= BRANCHES else self._engine(conflicts)
        result = engine.verify_candidates([part.candidates for part in parts])
        branches = int(result.branches.sum())
        dead_ends = branches + result.counts["none"]
        self._add_figures(watch, nodes=branches, dead_ends=dead_ends)
        watch.conflict(dead_ends)
        for number, code in enumerate(result.codes.tolist()):
            rows = (result.first[number], result.second[number])
            yield VERDICT_NAMES[code], [tuple(row.tolist()) for row in rows if row.any()]


def choose_cell(candidates: tuple[int, ...], found: tuple[SymbolTuple, ...]) -> int:
    """Return a cell where two solutions differ, or the one with the fewest candidates of those that have several."""
    if len(found) > 1:
        return next(cell for cell, (a, b) in enumerate(zip(*found[:2], strict=True)) if a != b)
    counts = ((mask.bit_count(), cell) for cell, mask in enumerate(candidates))
    return min((count, cell) for count, cell in counts if count > 1)[1]


class Lanes(Backend):
    """The engine of ``gridproof.lanes``, with the compiled kernel if that is installed."""

    name = "lanes"
    family = "search"
    accepts = "problem"
    summary = "the bit-parallel engine of bulk runs (boards up to order 32)"

    def refuses(self, problem: Problem) -> str | None:
        """Refuse any rule, and houses that do not hold every digit: the lanes place each digit in each house."""
        return only_houses(problem) or only_full_houses(problem.geometry)

    def _open(self, model: Problem) -> Session:
        """A session for a problem. Raises ``BackendUnavailable`` above order 32."""
        try:
            return LaneSession(model)
        except GeometryError as problem:
            raise BackendUnavailable(f"{self.name}: {problem}") from None


def backends() -> Iterable[Backend]:
    """Return the backends of this module."""
    return [Lanes()]
