"""Boards, grids and backends that the tests of the core share."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.backends.solvers.pysat import PySat
from gridproof.backends.solvers.pysat._solver import quirks_of
from gridproof.backends.solvers.search.session import SearchBackend
from gridproof.limits import Limits
from gridproof.models import catalog
from gridproof.models.targets import Encoding
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.trust import reference

NINE = Geometry.classic(3)
FOUR = Geometry.classic(2)

UNIQUE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
UNIQUE_SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."

JIGSAW = "AAABB ADABB CDDDB CCDEE CCEEE"
JIGSAW_SIX = "AAABBB AAABBB CCDDEE CCDDEE CCDDEE FFFFFF"

SHAPES: dict[str, Callable[[], Geometry]] = {
    "Latin 1": lambda: Geometry.latin(1),
    "Latin 5": lambda: Geometry.latin(5),
    "flat boxes": lambda: Geometry.classic(1, 4),
    "2x2 diagonals": lambda: Geometry.classic(2).with_diagonals(),
    "2x2 groups": lambda: Geometry.classic(2).with_disjoint_groups(),
    "2x3": lambda: Geometry.classic(2, 3),
    "3x2": lambda: Geometry.classic(3, 2),
    "jigsaw": lambda: Geometry.jigsaw(JIGSAW),
    "regions in pieces": lambda: Geometry.jigsaw("ABBA BAAB CDDC DCCD"),
    "extra row": lambda: Geometry.classic(2).with_houses([[0, 5, 10, 15]], "row"),
    "extra box": lambda: Geometry.classic(2).with_houses([[0, 5, 10, 15]], "box"),
    "extra region": lambda: Geometry.jigsaw("ABBA BAAB CDDC DCCD").with_houses([[0, 6, 9, 15]], "region"),
    "9x9": lambda: Geometry.classic(3),
    "9x9 diagonals": lambda: Geometry.classic(3).with_diagonals(),
    "windoku": lambda: Geometry.classic(3).with_windoku(),
}


EVERYTHING = os.environ.get("GRIDPROOF_TESTS") == "all"
"""True if the tests that take a sample take everything, however long it takes."""

COMMANDS = ("dimacs:minisat", "dimacs:cadical -q")
"""Backends that need a command: one with MiniSat's files, one with the output of competitions."""


def usable_backends() -> list[Backend]:
    """Every backend found that can be used here, and those by a command."""
    found = [*backends.all_backends(), *map(backends.find, COMMANDS)]
    return [backend for backend in found if not backend.unavailable()]


def sampled_backends() -> list[Backend]:
    """One usable backend for each adapter, the default among them; with GRIDPROOF_TESTS=all every usable one.

    All solvers of PySAT share an adapter; they are as different as their quirks. Each search is a solver of its own.
    """
    usable = usable_backends()
    if EVERYTHING:
        return usable
    sample: dict[object, Backend] = {}
    for backend in sorted(usable, key=lambda backend: backend.name != DEFAULT_BACKEND):
        adapter: object = type(backend)
        if isinstance(backend, PySat):
            quirks = quirks_of(backend.solver)
            adapter = (quirks.fresh, quirks.stoppable, bool(quirks.options))
        elif isinstance(backend, SearchBackend):
            adapter = backend.name
        sample.setdefault(adapter, backend)
    return list(sample.values())


def encodings_of(backend: Backend) -> list[Encoding | None]:
    """Every encoding found that the backend takes; for one that takes the geometry itself, none."""
    if backend.accepts == "problem":
        return [None]
    return [found for name in catalog.names() if (found := catalog.load(name)).target == backend.accepts]


def starts_processes(backend: Backend) -> bool:
    """Return whether each question starts a process."""
    return backend.name.partition(":")[0] in ("minizinc", "dimacs")


def is_slow(backend: Backend) -> bool:
    """Return whether a question costs so much (a new solver, a copy of the model) that the tests have fewer of them."""
    return backend.family in ("cp", "smt", "mip") or starts_processes(backend) or quirks_of(backend.name).fresh


@lru_cache(maxsize=64)
def some_grid(geometry: Geometry) -> SymbolTuple:
    """A solution of the empty board."""
    return next(reference.solutions(Board.empty(geometry)))


def random_grid(geometry: Geometry, rng: random.Random) -> SymbolTuple:
    """``some_grid`` with its symbols renamed."""
    names = list(range(1, geometry.order + 1))
    rng.shuffle(names)
    return tuple(names[symbol - 1] for symbol in some_grid(geometry))


def keep(geometry: Geometry, grid: SymbolTuple, number: int, rng: random.Random) -> Board:
    """A board with so many of the grid's symbols as clues."""
    cells = set(rng.sample(range(geometry.cell_count), number))
    return Board(geometry, tuple(symbol if cell in cells else 0 for cell, symbol in enumerate(grid)))


def minimal(geometry: Geometry, rng: random.Random) -> Board:
    """A board with one solution that loses it with any clue that is taken away."""
    clues = list(random_grid(geometry, rng))
    order = list(range(geometry.cell_count))
    rng.shuffle(order)
    for cell in order:
        symbol, clues[cell] = clues[cell], 0
        if reference.count(Board(geometry, tuple(clues)), 2) > 1:
            clues[cell] = symbol
    return Board(geometry, tuple(clues))


def with_random_marks(board: Board, grid: SymbolTuple | None, rng: random.Random) -> Board:
    """The board with pencil marks that leave the grid possible (any marks, without a grid)."""
    full = (1 << board.geometry.order) - 1
    marks = [rng.randint(0, full) | rng.randint(0, full) | rng.randint(0, full) for _ in board.clues]
    if grid is not None:
        marks = [mark | 1 << (symbol - 1) for mark, symbol in zip(marks, grid, strict=True)]
    return board.with_marks(marks)


def pigeons(holes: int) -> list[list[int]]:
    """One pigeon more than there are holes: short to state, long to refute."""
    at = [[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)]
    return at + [[-a, -b] for hole in zip(*at, strict=True) for a, b in combinations(hole, 2)]


@dataclass(frozen=True)
class Task:
    """A board with the limits of its search, and the number of solutions after which the caller stops."""

    kind: str
    board: Board
    limits: Limits = Limits()  # noqa: RUF009  # frozen
    enough: int | None = None


def tasks(geometry: Geometry, number: int, seed: int) -> Iterator[Task]:
    """Boards of every kind, interleaved."""
    rng = random.Random(seed)
    cells, order = geometry.cell_count, geometry.order
    kinds = ["unique", "multiple", "none", "interrupted", "early", "marks", "contradictory", "full", "clash in marks"]
    for count in range(number):
        kind = kinds[count % len(kinds)] if rng.random() < 0.8 else rng.choice(kinds)
        grid = random_grid(geometry, rng)
        some = keep(geometry, grid, rng.randint(cells // 3, cells // 2), rng)
        few = keep(geometry, grid, rng.randint(order, order + 2), rng)
        if kind == "unique":
            yield Task(kind, minimal(geometry, rng))
        elif kind == "multiple":
            yield Task(kind, some)
        elif kind == "none":
            yield Task(kind, _spoilt(some, rng))
        elif kind == "interrupted":
            yield Task(kind, few, rng.choice([Limits(solutions=1), Limits(solutions=2), Limits(conflicts=1)]))
        elif kind == "early":
            yield Task(kind, few, enough=rng.randint(0, 3))
        elif kind == "marks":
            yield Task(kind, with_random_marks(some, rng.choice([grid, None]), rng))
        elif kind == "contradictory":
            clues = list(some.clues)
            clues[0] = clues[1] = grid[0]
            yield Task(kind, replace(some, clues=tuple(clues)))
        elif kind == "full":
            yield Task(kind, Board(geometry, grid))
        else:
            marks = [(1 << order) - 1] * cells
            cell = rng.randrange(cells)
            marks[cell] = 0 if rng.random() < 0.5 else marks[cell] & ~(1 << (grid[cell] - 1))
            yield Task(kind, Board(geometry, grid).with_marks(marks))


def _spoilt(board: Board, rng: random.Random) -> Board:
    """The board with one more clue that no house forbids, and that may leave it without a solution."""
    geometry = board.geometry
    for cell in rng.sample(range(geometry.cell_count), geometry.cell_count):
        if board.clues[cell]:
            continue
        for symbol in rng.sample(range(1, geometry.order + 1), geometry.order):
            changed = list(board.clues)
            changed[cell] = symbol
            other = Board(geometry, tuple(changed))
            if not any(found.kind == "clash" for found in other.contradictions()) and not reference.count(other, 1):
                return other
    return board
