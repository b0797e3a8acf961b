"""The process that measures: one backend with one encoding, run after run.

It reports to its parent when it has imported what it needs (or why it cannot), when it is ready, and what it measured.
While it measures it only writes stage and times into shared memory: a parent that has to end it reads them there.
"""

from __future__ import annotations

import contextlib
import gc
import signal
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from time import perf_counter, process_time
from typing import Any, TypeAlias

from gridproof import backends
from gridproof.backends.isolation import without_isolation
from gridproof.backends.models import compile_model
from gridproof.backends.protocol import Backend, Session
from gridproof.errors import BackendUnavailable, InputError, Interrupted, describe_error
from gridproof.experiments.records import NOT_APPLICABLE, STAGES, Budget
from gridproof.experiments.resources import children_cpu, forget_peak, give_memory_back, peak_bytes, resident_bytes
from gridproof.formats import to_line
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models.targets import Encoding, cnf
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.runs.children import serve as serve_pipe
from gridproof.text import text_of
from gridproof.trust import check
from gridproof.trust.answer import Status

Measured: TypeAlias = dict[str, Any]
"""The fields of ``RunRecord`` that are measured in a run."""

BETWEEN = -1
"""The stage of a worker that is not in any of ``STAGES``: it checks, or frees memory."""

ALARM_AFTER = 72.0
"""Seconds beyond the limit after which a process ends even if its parent, which ends it sooner, is gone."""

LITTLE = 4_000_000
"""Bytes that a warm run may leave behind before they are given back to the system."""

SessionKey: TypeAlias = tuple[int, str, Problem]
"""The round, set and problem of a warm session."""

_TIMES = tuple([f"{stage}_{kind}" for stage in STAGES for kind in ("seconds", "cpu")])

_SIZES = ("variables", "clauses", "constraints", "session_age", "base_memory")
"""The facts of a run once its session is open; kept in shared memory, so that they survive the end of the process."""


class StageClock:
    """Wall and processor time by stage, and sizes of the model, in memory that may be shared with the parent.

    shared: the index of the stage, then seconds and processor seconds of each stage, then the sizes; -1 for a stage
    that was not gone through, and for a size that is not known.
    """

    def __init__(self, shared: Any = None) -> None:
        if shared is None:
            shared = RawArray("d", 1 + len(_TIMES) + len(_SIZES))
        self.shared = shared

    def reset(self) -> None:
        """Forget the run before."""
        unknown = [-1.0] * (len(self.shared) - 1)
        self.shared[:] = [BETWEEN] + unknown

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside, however it ends. Processes that it starts count, too."""
        self.shared[0] = STAGES.index(name)
        children = children_cpu()
        cpu = process_time()
        wall = perf_counter()
        try:
            yield
        finally:
            seconds = perf_counter() - wall  # before children are looked for
            spent = process_time() - cpu
            self.set(name, seconds, spent + children_cpu() - children)
            self.shared[0] = BETWEEN

    def set(self, name: str, seconds: float, cpu: float) -> None:
        """Set the times of a stage."""
        place = 1 + 2 * STAGES.index(name)
        self.shared[place : place + 2] = seconds, cpu

    @property
    def now(self) -> str:
        """The stage it is in, ``""`` between stages."""
        place = int(self.shared[0])
        return STAGES[place] if place >= 0 else ""

    @property
    def last(self) -> str:
        """The last stage that took time, ``""`` if there is none."""
        for name in reversed(STAGES):
            if self.spent(name) > 0:
                return name
        return ""

    def spent(self, *names: str, kind: str = "seconds") -> float:
        """Return the seconds of stages that are over; kind: ``cpu`` for processor time."""
        times = self.times()
        return sum(times[f"{name}_{kind}"] or 0.0 for name in names)

    def times(self) -> dict[str, float | None]:
        """Return the times as fields of ``RunRecord``."""
        kept = self.shared[1 : 1 + len(_TIMES)]
        return {name: time if time >= 0 else None for name, time in zip(_TIMES, kept, strict=True)}

    def keep_sizes(self, measured: Mapping[str, Any]) -> None:
        """Keep what is known of the run, of the fields of ``RunRecord``."""
        for place, name in enumerate(_SIZES, 1 + len(_TIMES)):
            value = measured.get(name)
            if value is not None:
                self.shared[place] = value

    def sizes(self) -> dict[str, int]:
        """Return the sizes that are known, as fields of ``RunRecord``."""
        kept = self.shared[1 + len(_TIMES) :]
        return {name: int(value) for name, value in zip(_SIZES, kept, strict=True) if value >= 0}


@dataclass(slots=True)
class OpenSession:
    """A session that is open, with what its runs have in common.

    Attributes
    ----------
    session : Session
        The session.
    sizes : dict
        The size of its model.
    age : int
        How many boards it had.
    kept : int
        How many bytes it has taken and kept.
    """

    session: Session
    sizes: dict[str, int]
    age: int = 0
    kept: int = 0

    def close(self) -> None:
        """Close the session, whatever it raises."""
        with contextlib.suppress(Exception, SystemExit):
            self.session.close()


class RefusedError(Exception):
    """The refusal of a backend or an encoding to take a board with its rules. The text is the reason."""


class Bench:
    """A bench that measures runs of one backend with one encoding in this process."""

    def __init__(self, backend: Backend, encoding: Encoding | None, budget: Budget, clock: StageClock) -> None:
        self._backend = backend
        self._encoding = encoding
        self._budget = budget
        self._clock = clock
        self._warm: dict[SessionKey, OpenSession] = {}
        self.base_memory: int | None = None

    def measure(self, board: Board, key: SessionKey | None = None) -> Measured:
        """Make one run; whatever the backend raises is part of what is measured.

        key: of the warm session to use, opened when it is first named, which closes those of another round.
        """
        if key is not None:
            self._close_sessions_of_other_rounds(key)
        gc.collect()
        forget_peak()
        before = resident_bytes()
        self._clock.reset()
        measured: Measured = {"base_memory": self.base_memory}
        self._clock.keep_sizes(measured)
        opened: OpenSession | None = None
        failure: Measured = {}
        try:
            opened = self._open_session(board.problem, key)
            measured |= {"session_age": opened.age, **opened.sizes}
            self._clock.keep_sizes(measured)
            opened.age += 1
            self._solve(opened.session, board, key is not None, measured)
        except Interrupted as stop:
            reason = text_of(stop)
            if stop.limit == "seconds":  # a backend may have been given less: the limit without encoding and loading
                reason = f"stopped by the limit of {self._budget.seconds:g} seconds"
            failure = {"verdict": Status.UNDECIDED, "reason": reason}
        except RefusedError as refusal:
            failure = {"verdict": NOT_APPLICABLE, "reason": str(refusal)}
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # a backend may be anybody's code: its crash is its answer
            failure = {"verdict": Status.FAILED, "reason": f"crashed: {describe_error(problem)}"}
        if failure:
            measured |= failure | {"stage": self._clock.last}
        measured |= self._clock.times()
        measured["peak_memory"] = self._peak(before, opened)
        if opened is not None:
            measured |= read_statistics(opened.session)
            if key is None or failure.get("verdict") == Status.FAILED:
                self._warm = {other: session for other, session in self._warm.items() if session is not opened}
                opened.close()
            else:
                if resident_bytes() - before > LITTLE:  # else the next run would pay for pages that are given back
                    give_memory_back()
                opened.kept += resident_bytes() - before
        if key is None:
            opened = None  # its memory can be given back
            cnf.forget()
            give_memory_back()
        return measured

    def _close_sessions_of_other_rounds(self, key: SessionKey) -> None:
        old = [other for other in self._warm if other[0] != key[0]]
        for other in old:
            self._warm.pop(other).session.close()
        if old:
            give_memory_back()

    def _peak(self, before: int, opened: OpenSession | None) -> int | None:
        """Return the peak of this run as if no other had been made: without what other runs left in memory."""
        peak = peak_bytes()
        if peak is None or self.base_memory is None:
            return peak
        kept = 0 if opened is None else opened.kept
        return self.base_memory + max(0, kept + peak - before)

    def _open_session(self, problem: Problem, key: SessionKey | None) -> OpenSession:
        """Return the session to use, compiled and loaded now unless it is a warm one that is open.

        Raises ``RefusedError`` if the encoding or the backend cannot take the problem.
        """
        clock = self._clock
        if key is not None and key in self._warm:
            clock.set("encode", 0.0, 0.0)
            clock.set("load", 0.0, 0.0)
            return self._warm[key]
        cnf.forget()
        sizes: dict[str, int] = {}
        try:
            with clock.stage("encode"):
                model = compile_model(problem, self._backend, self._encoding)
            if not isinstance(model, Problem):
                sizes = model.sizes
                clock.keep_sizes(sizes)
            with clock.stage("load"):
                session = self._backend.open(model)
        except (BackendUnavailable, InputError) as refusal:
            raise RefusedError(text_of(refusal)) from refusal
        opened = OpenSession(session, sizes)
        if key is not None:
            self._warm[key] = opened
        return opened

    def _solve(self, session: Session, board: Board, warm: bool, measured: Measured) -> None:
        """Look for two solutions, and note the verdict with what belongs to it.

        Raises ``Interrupted`` if the limit came first; a solution that was found by then is noted.
        """
        clock = self._clock
        remaining = self._budget.seconds
        if not warm:
            remaining -= clock.spent("encode", "load")
        if remaining <= 0:
            raise Interrupted("seconds", self._budget.seconds)
        # an endable session would start a process of its own, and that would be measured; this one can be ended already
        limits = NO_LIMITS if session.endable else Limits(seconds=remaining)
        with clock.stage("first"):
            running = session.solutions(board, limits)
            first = next(running, None)
        if first is None:
            clock.set("prove", 0.0, 0.0)
            measured["verdict"] = Status.NONE
            return
        reason = _explain_refusal(board, first, "a grid")
        if reason:
            measured |= {"verdict": Status.DISAGREEMENT, "reason": reason}
            return
        measured["solution"] = to_line(first, board.geometry)
        with clock.stage("prove"):
            second = next(running, None)
            if hasattr(running, "close"):
                running.close()
        verdict = Status.UNIQUE
        if second is not None:
            verdict = Status.MULTIPLE
            reason = _explain_refusal(board, second, "a second grid")
            if second == first:
                reason = "gave the same solution twice as two"
            if reason:
                verdict = Status.DISAGREEMENT
        measured |= {"verdict": verdict, "reason": reason}


def read_statistics(session: Session) -> Measured:
    """Return the statistics of a session as fields of ``RunRecord``; none if it fails."""
    with contextlib.suppress(Exception, SystemExit):
        statistics = asdict(session.statistics)
        del statistics["seconds"]
        return statistics
    return {}


def _explain_refusal(board: Board, grid: SymbolTuple, what: str) -> str:
    """Return why a grid is no solution, or nothing if it is one."""
    reasons = check.violations(board, grid)
    return f"gave {what} that is no solution: {text_of(reasons[0])}" if reasons else ""


def serve(pipe: Connection, shared: Any, sent: str | Backend, encoding: Encoding | None, budget: Budget) -> None:
    """Prepare, then measure each run that comes through the pipe until it closes: the child's main function."""
    small = Geometry.classic(2)
    try:
        backend = without_isolation(backends.find(sent))  # it is in a child process already
        # opening a session imports the solver
        backend.open(compile_model(small, backend, encoding)).close()
    except BaseException as problem:
        pipe.send(describe_error(problem))
        return
    pipe.send("")
    bench = Bench(backend, encoding, budget, StageClock(shared))
    bench.measure(Board.from_symbols(small, "1..............."))  # warms up
    gc.collect()
    gc.freeze()  # what was imported is not looked at again by collections that fall into a run
    bench.base_memory = resident_bytes()
    pipe.send("")

    def answer(run: tuple[Board, SessionKey | None]) -> Iterator[Measured]:
        _set_alarm(budget.seconds + ALARM_AFTER)
        measured = bench.measure(*run)
        _set_alarm(0.0)
        yield measured

    serve_pipe(pipe, answer)


def _set_alarm(seconds: float) -> None:
    """Set the alarm, whose default action ends the process, even in the middle of a solver's own code."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
