"""Calls that last long until somebody interrupts them; run in a process or a Jupyter kernel of their own.

``python -m runs.interrupt_samples HOW NAME...`` prints ``at work`` on a line before each call, and then how it ended.
HOW: ``main`` for calls in the main thread, which gets the signal; ``foreign`` for calls there while the system gives it
to another thread; ``thread`` for calls in a thread.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

import psutil

import gridproof as gp
from core_samples import HARD, UNIQUE, UNIQUE_SOLUTION
from gridproof.backends import all_backends
from gridproof.experiments import compare
from gridproof.explanations import candidates, explain
from gridproof.models import catalog
from gridproof.models.targets.cnf import compile_cnf
from gridproof.runs.children import Child
from gridproof.trust.verdict import Status

CONTRADICTORY = "..6879513.....38......2..7..1...24....36.79..9854.16.....35.2..1.8....5....24..61"
"""A 9x9 board without a solution, with so many minimal sets of contradictory clues that they take minutes."""


LARGE = gp.Geometry.classic(6)
"""A shape so large that an explanation of its empty board takes minutes."""


def pigeons(order: int) -> gp.Board:
    """No cell of the first row may hold 1; an encoding that has to count finds this after very many conflicts only."""
    every = (1 << order) - 1
    marks = [every - (cell < order) for cell in range(order * order)]
    return gp.Board(gp.Geometry.latin(order), (0,) * order * order, (), tuple(marks))


def _all(items: Iterable[object]) -> None:
    deque(items, maxlen=0)


def _compare() -> None:
    with tempfile.TemporaryDirectory() as folder:
        puzzles = Path(folder) / "hostile.txt"
        puzzles.write_text("." * 625 + "\n")
        if not compare([puzzles], ["reference"], seconds=600.0).complete:
            raise KeyboardInterrupt  # which it answers with what it has


def _frame() -> object:
    import pandas

    return pandas.DataFrame({"puzzle": [HARD] * 10**6})


def _verify(backend: str, encoding: str, board: gp.Board) -> None:
    gp.verify(board, backend, encoding, cross_check="none")


CALLS: dict[str, Callable[[], object]] = {
    "count": lambda: gp.count(gp.parse("." * 81)),
    "count cp-sat": lambda: gp.count(gp.parse("." * 81), backend="cp-sat"),
    "solutions cp-sat": lambda: _all(gp.solutions(gp.parse("." * 81), "cp-sat")),
    "verify": partial(_verify, "cadical153", "minimal", pigeons(13)),
    "verify glucose4": partial(_verify, "glucose4", "minimal", pigeons(13)),
    "verify lingeling": partial(_verify, "lingeling", "minimal", pigeons(13)),
    "verify kissat404": partial(_verify, "kissat404", "minimal", pigeons(13)),
    "verify_many": lambda: _all(gp.verify_many([HARD] * 10**6, cross_check="none")),
    "verify_many session": lambda: _all(
        gp.verify_many([pigeons(13)], engine="session", encoding="minimal", cross_check="none")
    ),
    "verify_many jobs": lambda: _all(gp.verify_many([HARD] * 10**6, engine="session", jobs=1)),
    "verify_table": lambda: gp.verify_table(_frame(), cross_check="none"),
    "compare": _compare,
    "explain": lambda: explain(gp.Board.empty(LARGE)),
    "explain conflicts": lambda: explain(gp.parse(CONTRADICTORY), conflicts=10**6),
    "candidates": lambda: candidates(gp.Board.empty(LARGE)),
}

FURTHER = [
    f"count {backend.name}"
    for backend in all_backends()
    if backend.family not in ("sat", "search") and backend.name != "cp-sat" and not backend.unavailable()
]
"""Calls of solvers that need not be there."""

CALLS |= {name: partial(gp.count, gp.parse("." * 81), backend=name.split()[1]) for name in FURTHER}


def usable() -> None:
    """Raises unless the process is as before: Python's handler is there, nothing is blocked, solvers answer."""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    for backend in ("cadical153", "glucose4", "cp-sat"):
        verdict = gp.verify(gp.parse(UNIQUE), backend)
        assert (verdict.status, str(verdict.evidence.reference)) == (Status.UNIQUE, "agrees")
    (record,) = gp.verify_many([UNIQUE])
    assert record.solution == UNIQUE_SOLUTION


def none_left() -> bool:
    """Return whether the processes that this one has begun are gone, but for the one that tidies up after them.

    One that was just being started is ended when it has begun.
    """
    children = psutil.Process().children(recursive=True)
    workers = [child for child in children if not _tidies(child)]
    return not psutil.wait_procs(workers, timeout=30)[1]


def _tidies(process: psutil.Process) -> bool:
    try:
        return any("resource_tracker" in word for word in process.cmdline())
    except psutil.Error:  # it is gone
        return False


def first_child() -> None:
    """Start the first child of a process; it replies whether Ctrl-C reaches it before it can do anything about that."""
    child = Child(_send_blocked)
    print(child.reply())
    child.end()


def _send_blocked(pipe: Connection) -> None:
    pipe.send("blocked" if signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()) else "open")


def call(name: str) -> None:
    """Print that the call begins, and make it."""
    if "table" in name:
        _frame()  # to import pandas takes long, and is nothing to be broken into
    if name in ("explain", "candidates"):
        compile_cnf(LARGE, catalog.load("triad"))  # kept for the call, which so begins with its questions
    print("at work", flush=True)
    CALLS[name]()


def _in_thread(name: str) -> None:
    thread = threading.Thread(target=CALLS[name], daemon=True)
    print("at work", flush=True)
    thread.start()
    while thread.is_alive():
        thread.join(0.1)


def main(how: str, names: Iterable[str]) -> Iterator[str]:
    """Yield the way that each of the calls ended."""
    if how == "foreign":
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    for name in names:
        try:
            (_in_thread if how == "thread" else call)(name)
        except KeyboardInterrupt:
            assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == blocked
            if how != "thread":  # where the call goes on
                usable()
            yield "interrupted"
        else:
            yield f"{name} came to an end"


if __name__ == "__main__":
    for ended in main(sys.argv[1], sys.argv[2:]):
        print(ended, flush=True)
    os._exit(0)  # a thread may be at work
