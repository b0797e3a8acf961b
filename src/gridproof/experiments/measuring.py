"""The process that measures: one backend with one encoding, run after run.

It reports to its parent when it has imported what it needs (or why it cannot), when it is ready, and what it measured.
While it measures it only writes stage and times into shared memory: a parent that has to end it reads them there.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import RawArray
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, TypeAlias

from gridproof import backends
from gridproof.backends.isolation import without_isolation
from gridproof.backends.models import compile_model
from gridproof.backends.protocol import Backend, Session
from gridproof.errors import Interrupted, describe_error
from gridproof.experiments.records import STAGES, Budget
from gridproof.formats import to_line
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models.targets import Encoding, cnf
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.runs.children import serve as serve_pipe
from gridproof.runs.children import started_by
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

_TIMES = tuple(f"{stage}_{kind}" for stage in STAGES for kind in ("seconds", "cpu"))


class StageClock:
    """Wall and processor time by stage, in memory that may be shared with the parent.

    shared: the index of the stage, then seconds and processor seconds of each stage, -1 where it was not gone through.
    """

    def __init__(self, shared: Any = None) -> None:
        self.shared = RawArray("d", 1 + len(_TIMES)) if shared is None else shared

    def reset(self) -> None:
        """Forget the run before."""
        self.shared[:] = [BETWEEN, *[-1.0] * len(_TIMES)]

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what happens inside, however it ends. Processes that it starts count, too."""
        self.shared[0] = STAGES.index(name)
        children, cpu, wall = children_cpu(), process_time(), perf_counter()
        try:
            yield
        finally:
            seconds, spent = perf_counter() - wall, process_time() - cpu  # before children are looked for
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

    def spent(self, *names: str, kind: str = "seconds") -> float:
        """Return the seconds of stages that are over; kind: ``cpu`` for processor time."""
        times = self.times()
        return sum(times[f"{name}_{kind}"] or 0.0 for name in names)

    def times(self) -> dict[str, float | None]:
        """Return the times as fields of ``RunRecord``."""
        return {name: time if time >= 0 else None for name, time in zip(_TIMES, self.shared[1:], strict=True)}


@dataclass(slots=True)
class _Open:
    """A session, the size of its model, how many boards it had, and how many bytes it has taken and kept."""

    session: Session
    sizes: dict[str, int]
    age: int = 0
    kept: int = 0


class Bench:
    """A bench that measures runs of one backend with one encoding in this process."""

    def __init__(self, backend: Backend, encoding: Encoding | None, budget: Budget, clock: StageClock) -> None:
        self._backend = backend
        self._encoding = encoding
        self._budget = budget
        self._clock = clock
        self._warm: dict[SessionKey, _Open] = {}
        self.base_memory: int | None = None

    def measure(self, board: Board, key: SessionKey | None = None) -> Measured:
        """Make one run; whatever the backend raises is part of what is measured.

        key: of the warm session to use, opened when it is first named, which closes those of another round.
        """
        if key is not None and (old := [one for one in self._warm if one[0] != key[0]]):
            for one in old:
                self._warm.pop(one).session.close()
            give_memory_back()
        gc.collect()
        forget_peak()
        before = resident_bytes()
        clock = self._clock
        clock.reset()
        measured: Measured = {"base_memory": self.base_memory}
        opened: _Open | None = None
        verdict, reason = "", ""
        try:
            opened = self._opened(board.problem, key)
            measured |= {"session_age": opened.age, **opened.sizes}
            opened.age += 1
            self._ask(opened.session, board, key is not None, measured)
        except Interrupted as stop:
            # a backend may have been given less: the limit without encoding and loading
            limit = f"stopped by the limit of {self._budget.seconds:g} seconds"
            verdict, reason = Status.UNDECIDED, limit if stop.limit == "seconds" else text_of(stop)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # a backend may be anybody's code: its crash is its answer
            verdict, reason = Status.FAILED, f"crashed: {describe_error(problem)}"
        if verdict:
            last = next((name for name in reversed(STAGES) if clock.spent(name) > 0), "")
            measured |= {"verdict": verdict, "reason": reason, "stage": last}
        measured |= {**clock.times(), "peak_memory": self._peak(before, opened)}
        if opened is not None:
            with contextlib.suppress(Exception, SystemExit):
                statistics = asdict(opened.session.statistics)
                del statistics["seconds"]
                measured |= statistics
            if key is None or verdict == Status.FAILED:
                self._warm = {key: value for key, value in self._warm.items() if value is not opened}
                with contextlib.suppress(Exception, SystemExit):
                    opened.session.close()
            else:
                if resident_bytes() - before > LITTLE:  # else the next run would pay for pages that are given back
                    give_memory_back()
                opened.kept += resident_bytes() - before
        if key is None:
            opened = None  # its memory can be given back
            cnf.forget()
            give_memory_back()
        return measured

    def _peak(self, before: int, opened: _Open | None) -> int | None:
        """Return the peak of this run as if no other had been made: without what other runs left in memory."""
        peak = peak_bytes()
        if peak is None or self.base_memory is None:
            return peak
        kept = 0 if opened is None else opened.kept
        return self.base_memory + max(0, kept + peak - before)

    def _opened(self, problem: Problem, key: SessionKey | None) -> _Open:
        """Return the session to use, compiled and loaded now unless it is a warm one that is open."""
        clock = self._clock
        if key is not None and key in self._warm:
            clock.set("encode", 0.0, 0.0)
            clock.set("load", 0.0, 0.0)
            return self._warm[key]
        cnf.forget()
        with clock.stage("encode"):
            model = compile_model(problem, self._backend, self._encoding)
        with clock.stage("load"):
            session = self._backend.open(model)
        opened = _Open(session, {} if isinstance(model, Problem) else model.sizes)
        if key is not None:
            self._warm[key] = opened
        return opened

    def _ask(self, session: Session, board: Board, warm: bool, measured: Measured) -> None:
        clock, remaining = self._clock, self._budget.seconds
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
        if reason := _refused(board, first, "a grid"):
            measured |= {"verdict": Status.DISAGREEMENT, "reason": reason}
            return
        measured["solution"] = to_line(first, board.geometry)
        with clock.stage("prove"):
            second = next(running, None)
            if (close := getattr(running, "close", None)) is not None:
                close()
        verdict = Status.UNIQUE if second is None else Status.MULTIPLE
        if second == first:
            reason = "gave the same solution twice as two"
        elif second is not None:
            reason = _refused(board, second, "a second grid")
        measured |= {"verdict": Status.DISAGREEMENT if reason else verdict, "reason": reason}


def _refused(board: Board, grid: SymbolTuple, what: str) -> str:
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


# ---- processor time and memory of processes --------------------------------------------------------------------------


def usage(*processes: int) -> tuple[float, int]:
    """Return the processor seconds of processes and their ended children, and the bytes that are resident."""
    import psutil

    cpu, memory = 0.0, 0
    for number in processes:
        with contextlib.suppress(psutil.Error):  # one that is gone uses nothing
            process = psutil.Process(number)
            times = process.cpu_times()
            cpu += times.user + times.system + times.children_user + times.children_system
            memory += process.memory_info().rss
    return cpu, memory


def children_cpu() -> float:
    """Return the processor seconds of all processes that this one has started, whether they run or have ended."""
    ended = os.times()
    return ended.children_user + ended.children_system + usage(*started_by(os.getpid()))[0]


def resident_bytes() -> int:
    """Return the memory of this process that is resident now."""
    return usage(os.getpid())[1]


def give_memory_back() -> None:
    """Return freed memory to the system, so that the next run does not begin with what this one has left."""
    gc.collect()
    with contextlib.suppress(AttributeError, OSError, TypeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)


def forget_peak() -> None:
    """Begin anew with ``peak_bytes``."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak_bytes() -> int | None:
    """Return the most memory that was resident since ``forget_peak``; ``None`` where the system is not Linux."""
    with contextlib.suppress(OSError):
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    return None
