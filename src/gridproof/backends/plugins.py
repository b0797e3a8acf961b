"""Backends of other packages, behind a guard: whatever they do appears in the verdict and never ends a run.

What they raise, ``SystemExit`` included, is a ``BackendFailure``. What they print while the main thread waits for them
goes to standard error. What they call themselves can be shown on a terminal. Under a time limit they work in a child
process, which is ended when they overrun it. Without one they work in this process, where a crash of compiled code
ends everything.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from importlib import import_module
from typing import Any, Self, cast, get_args

from gridproof.backends.capabilities import Incremental
from gridproof.backends.guarding import EndableBackend
from gridproof.backends.protocol import Backend, Family, Model, Session, Statistics
from gridproof.errors import BackendFailure, BackendUnavailable, Interrupted
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models import targets
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Grid
from gridproof.runs.foreign import NO_MEMORY, crash, described, text_of


@contextmanager
def guarded() -> Iterator[None]:
    """Somebody else's code runs in this block. Raises ``BackendFailure`` or ``Interrupted``, nothing else."""
    # other threads would get standard output back in the wrong order, and it is shared by all
    main = threading.current_thread() is threading.main_thread()
    with redirect_stdout(sys.stderr) if main else nullcontext():
        try:
            yield
        except KeyboardInterrupt:
            raise
        except Interrupted as stop:
            value = stop.value if type(stop.value) in (int, float) else None
            raise Interrupted(text_of(stop.limit), value) from None
        except MemoryError:
            raise Interrupted(NO_MEMORY) from None
        except BaseException as problem:
            raise BackendFailure(crash(problem)) from problem


class Foreign(EndableBackend):
    """A backend of another package. Raises ``BackendFailure`` if what it states about itself cannot be used.

    called: the name by which it is found, if not its own.
    """

    # one that stops by itself within this keeps its child process
    grace = 1.0

    def __init__(self, plain: object, called: str = "") -> None:
        with guarded():
            if not isinstance(plain, Backend):
                raise BackendFailure(f"it gives {described(plain)}; expected backends")
            self._plain = plain
            self.name, self.aliases = called or text_of(plain.name), tuple(map(text_of, plain.aliases))
            self.summary, self.origin = text_of(plain.summary), text_of(plain.origin)
            self.process_per_question = bool(plain.process_per_question)
            for attribute, allowed in (("family", get_args(Family)), ("accepts", (*targets.all_targets(), "problem"))):
                if (kind := getattr(plain, attribute)) not in allowed:
                    message = f"{attribute} of {self.name} is {described(kind)}"
                    raise BackendFailure(f"{message}; expected one of {', '.join(allowed)}")
                setattr(self, attribute, kind)

    def __reduce__(self) -> tuple[object, ...]:
        return _by_name, (self.name,)  # its object need not be one that can be sent to another process

    @property
    def plain(self) -> Backend:
        return self._plain

    @property
    def version(self) -> str:
        return _text_or_failure(lambda: self._plain.version) or ""

    def unavailable(self) -> str | None:
        return _text_or_failure(self._plain.unavailable)

    def no_proofs(self) -> str | None:
        return _text_or_failure(self._plain.no_proofs)

    def no_incremental(self) -> str | None:
        return _text_or_failure(self._plain.no_incremental)

    def incremental(self, clauses: Iterable[Sequence[int]]) -> Incremental:
        with guarded():
            return cast(Incremental, _Guard(self._plain.incremental(clauses)))

    def refuses(self, problem: Problem) -> str | None:
        return _text_or_failure(lambda: self._plain.refuses(problem))

    def short(self, problem: Problem) -> bool:
        return True

    def open_here(self, model: Model) -> Session:
        return _Session(self._plain, model)

    def refute(self, clauses: Sequence[Sequence[int]], limits: Limits = NO_LIMITS) -> list[str] | None:
        with guarded():
            proof = self._plain.refute(clauses, limits)
            if proof is not None and not all(type(step) is str for step in proof):
                raise BackendFailure("its proof is not made of text; expected a list of steps, each of them text")
        return proof


def _by_name(name: str) -> Backend:
    # whoever unpickles this has not looked for backends yet
    backend: Backend = import_module("gridproof.backends").find(name)
    return backend


def _text_or_failure(ask: Callable[[], object]) -> str | None:
    """Return the text or ``None`` that a backend states about itself, or the error that came instead."""
    try:
        with guarded():
            return text_of(answer) if (answer := ask()) else None
    except (BackendFailure, Interrupted) as problem:
        return f"it fails: {problem}"


class _Guard:
    """Somebody else's solver: each of its methods is called under guard."""

    def __init__(self, theirs: Incremental) -> None:
        self._theirs = theirs

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            with guarded():
                return getattr(self._theirs, name)(*arguments)

        return call

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_NO_MORE = object()


class _Session(Session):
    """A session of somebody else's."""

    def __init__(self, backend: Backend, model: Model) -> None:
        super().__init__(model if isinstance(model, Problem) else model.problem)
        refusal = None
        with guarded():
            try:
                self._theirs = backend.open(model)
            except BackendUnavailable as problem:
                refusal = text_of(problem)
        if refusal is not None:
            raise BackendUnavailable(refusal)

    @property
    def statistics(self) -> Statistics:
        with guarded():
            return self._theirs.statistics

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        with guarded():
            running = self._theirs.solutions(board, limits)
        try:
            while True:
                with guarded():
                    grid: Any = next(running, _NO_MORE)
                if grid is _NO_MORE:
                    return
                yield grid
        finally:
            with guarded():
                running.close()

    def close(self) -> None:
        super().close()
        with guarded():
            self._theirs.close()
