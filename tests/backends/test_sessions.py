"""Sessions of a pipeline: how many are kept, who has them, and threads that share a pipeline or a session."""

from __future__ import annotations

import random
import sys
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from core_samples import FOUR, NINE, UNIQUE, some_grid
from gridproof.backends import find, sessions
from gridproof.backends.protocol import Backend, Session, Statistics
from gridproof.backends.sessions import MOST_OPEN
from gridproof.errors import BackendError, BackendFailure
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.trust import reference
from gridproof.trust.verdict import Status
from liars import Liar, LyingSession

SEVERAL = Board(FOUR, (1, 2, 3, 4, *[0] * 12))
"""Has 12 solutions."""

PUZZLES = [
    (Board.from_symbols(NINE, UNIQUE), Status.UNIQUE),
    (SEVERAL, Status.MULTIPLE),
    (Board.from_symbols(FOUR, "12.........3...4"), Status.NONE),
    (Board.empty(NINE), Status.MULTIPLE),
    (Board(FOUR, some_grid(FOUR)), Status.UNIQUE),
]


class Counted(Backend):
    """Counts its open sessions. step: called in the middle of each step."""

    name, family, accepts, summary = "counted", "search", "problem", "counts its sessions"

    def __init__(self, step: Callable[[], object] = lambda: None) -> None:
        self.open_now: set[Session] = set()
        self.opened = 0
        self.most = 0
        self.step = step

    def _open(self, model: Any) -> Session:
        assert isinstance(model, Problem)
        session = CountedSession(model, self)
        self.open_now.add(session)
        self.opened += 1
        self.most = max(self.most, len(self.open_now))
        return session


class CountedSession(Session):
    def __init__(self, geometry: Problem, backend: Counted) -> None:
        super().__init__(geometry)
        self.backend = backend

    @property
    def statistics(self) -> Statistics:
        return Statistics()

    def _solutions(self, board: Board, limits: Limits) -> Generator[SymbolTuple, None, None]:
        self.backend.step()
        yield from reference.solutions(board)

    def close(self) -> None:
        super().close()
        self.backend.open_now.discard(self)


def jigsaws(number: int) -> Iterator[Geometry]:
    """Different ones of order 4 that have a solution: each region is given one cell of each symbol of a grid."""
    chance, seen, grid = random.Random(7), set[Geometry](), some_grid(FOUR)
    while len(seen) < number:
        regions = {symbol: iter(chance.sample("ABCD", 4)) for symbol in range(1, 5)}
        geometry = Geometry.jigsaw("".join(next(regions[symbol]) for symbol in grid))
        if geometry not in seen:
            seen.add(geometry)
            yield geometry


# ---- the number of open sessions -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_bounded_number_is_kept_open() -> None:
    backend = Counted()
    with Pipeline(backend, cross_check="none") as pipeline:
        geometries = list(jigsaws(300))
        for geometry in geometries:
            pipeline.verify(Board.empty(geometry))
            assert len(backend.open_now) <= MOST_OPEN
        assert (backend.most, backend.opened) == (MOST_OPEN, 300)
        assert {session.geometry for session in backend.open_now} == {*geometries[-MOST_OPEN:]}
        pipeline.verify(Board.empty(geometries[-MOST_OPEN]))
        assert backend.opened == 300, "it was still open"
        pipeline.verify(Board.empty(geometries[0]))
        assert geometries[-MOST_OPEN] in {session.geometry for session in backend.open_now}, "it was used since"
    assert not backend.open_now


def test_a_session_that_is_lent_is_not_closed_to_make_room() -> None:
    backend = Counted()
    geometries = list(jigsaws(2 * MOST_OPEN))
    with Pipeline(backend, cross_check="none") as pipeline:
        running = [pipeline.solutions(Board.empty(geometry)) for geometry in geometries]
        firsts = [next(one) for one in running]
        assert len(backend.open_now) == 2 * MOST_OPEN
        pipeline.verify(SEVERAL)
        for one, geometry, first in zip(running, geometries, firsts, strict=True):
            assert {first, *one} == {*reference.solutions(Board.empty(geometry))}
        assert len(backend.open_now) <= MOST_OPEN, "those that are not needed any more are closed"
    assert not backend.open_now


def test_an_iterator_outlives_the_pipeline_and_its_session_does_not_outlive_it() -> None:
    backend = Counted()
    with Pipeline(backend) as pipeline:
        running = pipeline.solutions(SEVERAL)
        next(running)
    assert len(backend.open_now) == 1
    assert len(list(running)) == 11
    assert not backend.open_now
    running = pipeline.solutions(SEVERAL)
    next(running)
    pipeline.close()
    del running
    assert not backend.open_now


def test_what_breaks_is_not_lent_again() -> None:
    def out() -> None:
        raise SystemExit(7)

    backend = Counted(out)
    with Pipeline(backend) as pipeline:
        assert pipeline.verify(SEVERAL).reason == "the backend counted crashed: SystemExit: 7"
        with pytest.raises(BackendFailure, match="the backend counted crashed: SystemExit: 7"):
            pipeline.count(SEVERAL)
        assert not backend.open_now
        backend.step = lambda: None
        assert pipeline.count(SEVERAL).number == 12


def test_ctrl_c_is_nobodys_crash() -> None:
    def out() -> None:
        raise KeyboardInterrupt

    backend = Counted(out)
    with Pipeline(backend) as pipeline:
        with pytest.raises(KeyboardInterrupt):
            pipeline.verify(SEVERAL)
        with pytest.raises(KeyboardInterrupt):
            pipeline.count(SEVERAL)
        assert not backend.open_now, "what it left in the middle of something is not used again"
        backend.step = lambda: None
        assert pipeline.verify(SEVERAL).status is Status.MULTIPLE


# ---- threads -------------------------------------------------------------------------------------------------------


@pytest.fixture
def switching_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["cadical153", "kissat404", "cp-sat", "lanes", "reference"])
def test_threads_may_share_a_pipeline(backend: str, switching_often: None) -> None:
    if reason := find(backend).unavailable():
        pytest.skip(reason)
    threads, rounds = 4, 4
    together = threading.Barrier(threads)
    wrong: list[str] = []

    def work(number: int) -> None:
        chance = random.Random(number)
        together.wait()
        for _ in range(rounds):
            for board, status in chance.sample(PUZZLES, len(PUZZLES)):
                verdict = pipeline.verify(board)
                if verdict.status is not status:
                    wrong.append(str(verdict))
            if pipeline.solve(SEVERAL).status is not Status.SOLVED:
                wrong.append("solve")
            if pipeline.count(SEVERAL).number != 12 or len(set(pipeline.solutions(SEVERAL))) != 12:
                wrong.append("count")

    # whose caches threads share as well
    cross_check = "all" if backend == "cadical153" else "none"
    with Pipeline(backend, cross_check=cross_check) as pipeline, ThreadPoolExecutor(threads) as pool:
        for done in [pool.submit(work, number) for number in range(threads)]:
            done.result()
        assert len(pipeline._sessions) <= MOST_OPEN
    assert Counter(wrong) == Counter()


@pytest.fixture
def held() -> Iterator[tuple[Counted, threading.Event, threading.Event]]:
    """A backend whose next step waits in the middle; one event is set when it waits, the other lets it go on."""
    waits, go_on = threading.Event(), threading.Event()

    def step() -> None:
        waits.set()
        assert go_on.wait(60)

    yield Counted(step), waits, go_on
    go_on.set()


def test_a_pipeline_is_closed_and_used_while_another_thread_is_at_work(
    held: tuple[Counted, threading.Event, threading.Event],
) -> None:
    backend, waits, go_on = held
    with ThreadPoolExecutor(1) as pool, Pipeline(backend) as pipeline:
        first = pool.submit(pipeline.verify, SEVERAL)
        assert waits.wait(60)
        pipeline.close()
        backend.step = lambda: None
        assert pipeline.verify(SEVERAL).status is Status.MULTIPLE
        assert backend.opened == 2
        go_on.set()
        assert first.result().status is Status.MULTIPLE
        assert len(backend.open_now) == 1, "the first session was closed when it was given back"


def test_a_second_thread_on_a_session_is_refused(held: tuple[Counted, threading.Event, threading.Event]) -> None:
    backend, waits, go_on = held
    with Pipeline(backend) as pipeline, ThreadPoolExecutor(1) as pool:
        session = pipeline.session(FOUR)
        running = session.solutions(SEVERAL)
        first = pool.submit(lambda: len(list(running)))
        assert waits.wait(60)
        assert session.at_work
        for call in (lambda: session.solutions(SEVERAL), lambda: next(running), running.close, session.close):
            with pytest.raises(BackendFailure, match="another thread is at work here; expected one thread at a time"):
                call()
        assert issubclass(BackendFailure, BackendError)
        # a pipeline does not lend it now
        backend.step = lambda: None
        assert pipeline.verify(SEVERAL).status is Status.MULTIPLE
        go_on.set()
        assert first.result() == 12, "nobody disturbed the first"
        assert not session.at_work
        assert len(list(session.solutions(SEVERAL))) == 12, "another thread may have its turn"


def test_a_session_that_is_closed_badly_is_a_warning_wherever_it_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST_OPEN", 1)
    monkeypatch.setattr(LyingSession, "close", _exit_in_close)
    with Pipeline(Liar("honest")) as pipeline:
        assert pipeline.verify(SEVERAL).status is Status.MULTIPLE
        with pytest.warns(RuntimeWarning, match=r"liar-honest crashed: SystemExit: 3 \(while it was closed\)"):
            assert pipeline.verify(Board.empty(Geometry.latin(3))).status is Status.MULTIPLE
        with pytest.warns(RuntimeWarning, match="SystemExit: 3"):
            pipeline.close()


def _exit_in_close(session: Session) -> None:
    raise SystemExit(3)
