"""Backends that lie or break, each in its own way: test doubles to be caught. ``LIARS`` has the purpose of each.

The tests bring them in as a package of somebody else would: by an entry point that names ``backends``.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator, Iterable
from itertools import islice
from typing import Any, NoReturn

from gridproof.backends.protocol import Backend, Session, Statistics
from gridproof.backends.solvers.cpsat import CpSat
from gridproof.backends.solvers.search.propagate import propagate
from gridproof.backends.solvers.search.session import SearchBackend
from gridproof.limits import Limits
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust import reference

Answer = Callable[[Board, list[SymbolTuple]], Iterable[Any]]
"""The grids that a liar yields, from the board and up to two true solutions."""


def honest(board: Board, truth: list[SymbolTuple]) -> Iterable[Any]:
    return truth


def wrong_grid(board: Board, truth: list[SymbolTuple]) -> Iterable[Any]:
    """Two neighbours of a solution changed places."""
    return [(*grid[:-2], grid[-1], grid[-2]) for grid in truth]


def clue_changed(board: Board, truth: list[SymbolTuple]) -> Iterable[Any]:
    """A grid that no house complains of: the symbols of a solution, renamed."""
    return [tuple(symbol % board.geometry.order + 1 for symbol in grid) for grid in truth]


def crash_at_once(board: Board, truth: list[SymbolTuple]) -> Iterable[Any]:
    raise ZeroDivisionError("of its own")


def crash_after_one(board: Board, truth: list[SymbolTuple]) -> Iterable[Any]:
    yield truth[0]
    raise RuntimeError("after one")


def out_of_memory(board: Board, truth: list[SymbolTuple]) -> Iterable[Any]:
    raise MemoryError


def exits_after_one(board: Board, truth: list[SymbolTuple]) -> Iterable[Any]:
    yield truth[0]
    sys.exit("that is enough")


def chatty(board: Board, truth: list[SymbolTuple]) -> Iterable[Any]:
    """Prints where the verdicts are printed, in Python and beneath it."""
    print("| Conflicts | ORIGINAL")
    os.write(1, b"c written by compiled code\n")
    return truth


def hangs(board: Board, truth: list[SymbolTuple]) -> NoReturn:
    """Whatever the limits are."""
    while True:
        time.sleep(60)


def hangs_after_one(board: Board, truth: list[SymbolTuple]) -> Iterable[Any]:
    yield truth[0]
    hangs(board, truth)


def dies(board: Board, truth: list[SymbolTuple]) -> Iterable[Any]:
    os._exit(9)


OTHERS: dict[str, Answer] = {
    "honest": honest,
    "crash-in-close": honest,
    "chatty": chatty,
    "out-of-memory": out_of_memory,
    "hangs-after-one": hangs_after_one,
    "hangs-in-open": honest,
    "dies": dies,
}
"""Backends that no command calls false: these answer, or do not answer at all."""

ALWAYS = {"verify", "solve", "count"}

LIARS: dict[str, tuple[Answer, set[str]]] = {
    "wrong-grid": (wrong_grid, ALWAYS),
    "clue-changed": (clue_changed, ALWAYS),
    "one-of-two": (lambda board, truth: truth[:1], {"verify", "count"}),
    "none-at-all": (lambda board, truth: [], ALWAYS),
    "twice": (lambda board, truth: truth[:1] * 2, {"verify", "count"}),
    "too-short": (lambda board, truth: [grid[:-1] for grid in truth], ALWAYS),
    "not-a-grid": (lambda board, truth: [None], ALWAYS),
    "crash-at-once": (crash_at_once, ALWAYS),
    "crash-after-one": (crash_after_one, {"verify", "count"}),
    "exits-after-one": (exits_after_one, {"verify", "count"}),
    "crash-in-open": (honest, ALWAYS),
    "crash-in-statistics": (honest, {"verify", "solve"}),
}
"""name -> what it yields, and the commands whose answer that makes false on a board of two solutions."""


class LyingSession(Session):
    def __init__(self, geometry: Problem, name: str) -> None:
        super().__init__(geometry)
        self.name = name

    @property
    def statistics(self) -> Statistics:
        if self.name == "crash-in-statistics":
            raise RuntimeError("no statistics")
        return Statistics()

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        answer = LIARS[self.name][0] if self.name in LIARS else OTHERS[self.name]
        yield from answer(board, list(islice(reference.solutions(board), 2)))

    def close(self) -> None:
        super().close()
        if self.name == "crash-in-close":
            raise RuntimeError("closed badly")


class Liar(Backend):
    family = "search"
    accepts = "problem"
    summary = "lies"

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.name = f"liar-{kind}"

    @property
    def version(self) -> str:
        return "6.66"

    def _open(self, model: Any) -> Session:
        assert isinstance(model, Problem)
        if self.kind == "crash-in-open":
            raise RuntimeError("cannot load")
        if self.kind == "hangs-in-open":
            hangs(Board.empty(model.geometry), [])
        return LyingSession(model, self.kind)


def backends() -> Iterable[Backend]:
    return [Liar(kind) for kind in (*LIARS, *OTHERS)]


class Mine(CpSat):
    name = "cp-mine"


def own_backends() -> Iterable[Backend]:
    """Honest ones, made of parts of ours."""
    return [SearchBackend("search-mine", "a search", propagate), Mine()]


class Odd(Liar):
    """Cannot even state whether it can be used."""

    def __init__(self) -> None:
        super().__init__("honest")
        self.name = "odd"

    def unavailable(self) -> str | None:
        sys.exit(7)

    @classmethod
    def alone(cls) -> Iterable[Backend]:
        return [cls()]


def no_backends() -> Iterable[Any]:
    sys.exit(7)
