"""Backends that misbehave, for the tests of ``compare``: they live in a module, so that worker processes find them.

Each searches the board like the reference, but on boards whose first cell holds the clue 2.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from gridproof.backends.protocol import Backend, Session, Statistics
from gridproof.errors import InputError
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust import reference

Way = Callable[[Board, Limits], Generator[SymbolTuple, None, None]]


def honest(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    yield from reference.solutions(board, watch=Watch(limits))


def sleeps(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    while True:
        time.sleep(60)
    yield ()


def sleeps_after_the_first(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    yield next(honest(board, limits))
    yield from sleeps(board, limits)


def calls_a_program(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    """Have a process burn 0.3 seconds of processor time, and then hold 150 MB for a second."""
    burn = "import time\nwhile time.process_time() < 0.3: pass\nmemory = bytearray(150_000_000); time.sleep(1)"
    subprocess.run([sys.executable, "-c", burn], check=True)
    yield from honest(board, limits)


PINS: list[bytes] = []


def fills_memory(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    """Take 100 MB in small pieces, and free them below a piece that stays, so that they are not given back at once."""
    pieces = [bytes(1000) for _ in range(100_000)]
    PINS.append(bytes(1000))
    yield from honest(board, limits)
    del pieces


def dies(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    os._exit(7)
    yield ()


def raises(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    raise ZeroDivisionError("by design")
    yield ()


def denies(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    yield from ()


def stops_at_one(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    yield next(honest(board, limits))


def invents(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    yield (1,) * board.geometry.cell_count


def repeats(board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
    first = next(honest(board, limits))
    yield first
    yield first


class FakeSession(Session):
    def __init__(self, geometry: Problem, way: Way) -> None:
        super().__init__(geometry)
        self._way = way

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        yield from (self._way if board.clues[0] == 2 else honest)(board, limits)

    @property
    def statistics(self) -> Statistics:
        return Statistics(nodes=5)


class Fake(Backend):
    family = "search"
    accepts = "problem"
    summary = "misbehaves"

    def __init__(self, name: str, way: Way = honest, missing: str | None = None) -> None:
        self.name = name
        self._way = way
        self._missing = missing

    def unavailable(self) -> str | None:
        return self._missing

    def _open(self, model: Any) -> Session:
        assert isinstance(model, Problem)
        return FakeSession(model, self._way)


class SlowToOpen(Fake):
    def _open(self, model: Any) -> Session:
        assert isinstance(model, Problem)
        if model.geometry.order == 6:
            with Path(os.environ["GRIDPROOF_TEST_OPENINGS"]).open("a", encoding="ascii") as openings:
                openings.write("x")
            time.sleep(600)
        return super()._open(model)


class HoldsMemory(Fake):
    """Has a session that holds 80 MB in small pieces."""

    def _open(self, model: Any) -> Session:
        session: Any = super()._open(model)
        session.pieces = [bytes(1000) for _ in range(80_000 if model.geometry.families else 0)]
        return session  # type: ignore[no-any-return]


class CannotStart(Fake):
    """Fails where a worker opens its first session, not where it is planned."""

    def _open(self, model: Any) -> Session:
        raise ImportError("no such library")


class HousesOnly(Fake):
    """Takes no rules."""

    def refuses(self, problem: Problem) -> str | None:
        return "it takes houses only" if problem.rules else None


class RefusesWhenOpened(Fake):
    def _open(self, model: Any) -> Session:
        raise InputError("no board of 4x4")


class SleepingSolver(Backend):
    """Gets clauses, and sleeps over boards whose first cell holds the clue 2."""

    name = "slow"
    family = "sat"
    accepts = "cnf"
    summary = "sleeps"

    def _open(self, model: Any) -> Session:
        return FakeSession(model.problem, sleeps)
