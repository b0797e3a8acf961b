"""Backends of other packages, and of files of users: they are loaded here, and isolated."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from gridproof.backends.isolation import IsolatedBackend
from gridproof.backends.protocol import Backend, Model, Session
from gridproof.errors import BackendFailure, BackendUnavailable, GridproofError, error_for
from gridproof.text import describe_value

GROUP = "gridproof.backends"
"""The group of entry points whose functions list backends."""


@contextmanager
def foreign_code() -> Iterator[None]:
    """Let code of others run in this block: whatever it raises becomes an error of ours.

    What it prints goes to standard error, if no other thread may be printing, too.

    Examples
    --------
    >>> with foreign_code():
    ...     raise SystemExit("I do not like this machine")
    Traceback (most recent call last):
        ...
    gridproof.errors.BackendFailure: SystemExit: I do not like this machine
    """
    is_main = threading.current_thread() is threading.main_thread()
    with redirect_stdout(sys.stderr) if is_main else nullcontext():
        try:
            yield
        except KeyboardInterrupt:
            raise
        except BaseException as problem:
            raise error_for(problem) from problem


def isolate(backend: object, name: str, load: Callable[..., Backend], *arguments: Any) -> Backend:
    """Return a backend of another package isolated. name: empty for its own. The rest: as of ``IsolatedBackend``.

    Raises ``BackendFailure`` for what is no backend, and whatever it raises when its version is read.
    """
    if not isinstance(backend, Backend):
        raise BackendFailure(f"it gives {describe_value(backend)}; expected backends")
    isolated = IsolatedBackend(backend, name or backend.name, load, *arguments)
    _ = isolated.version, isolated.unavailable()  # one that fails at these is of no use
    return isolated


def find_in_packages() -> Iterator[Backend]:
    """Yield the backends that entry points name; of one that fails, a stand-in with the reason."""
    for entry in metadata.entry_points(group=GROUP):
        listed: list[Backend] = []
        try:
            with foreign_code():
                for number, backend in enumerate(entry.load()()):
                    listed.append(isolate(backend, "", _load_from_package, entry.name, entry.value, number))
        except GridproofError as problem:
            listed = [BrokenBackend(entry.name, f"the entry point {entry.name!r} ({entry.value}) fails: {problem}")]
        yield from listed


def _load_from_package(name: str, value: str, number: int) -> Backend:
    """Return a backend by its entry point and its number there, which is all that is sent of it."""
    entry = metadata.EntryPoint(name, value, GROUP)
    with foreign_code():
        backend = list(entry.load()())[number]
    return isolate(backend, "", _load_from_package, name, value, number)


def load_file(path: str) -> Backend:
    """Return the backend of a user's own file, called by the path of the file. Raises ``BackendUnavailable``."""
    try:
        with foreign_code():
            # not called by its stem: whatever the file imports may be called like it
            module = ModuleType(f"gridproof backend {path}")
            module.__file__ = path
            exec(compile(Path(path).read_bytes(), path, "exec"), vars(module))
            listed = [isolate(backend, path, load_file, path) for backend in getattr(module, "backends", tuple)()]
    except GridproofError as problem:
        raise BackendUnavailable(f"{path}: {problem}") from None
    if len(listed) != 1:
        raise BackendUnavailable(f"{path}: it brings {len(listed)} backends; expected a function backends() with one")
    return listed[0]


class BrokenBackend(Backend):
    """A stand-in for the backends of a package that cannot list them."""

    family = "search"
    accepts = "problem"

    def __init__(self, name: str, reason: str) -> None:
        self.name = name
        self.summary = f"the entry point {name!r} of another package"
        self._reason = reason

    def unavailable(self) -> str | None:
        return self._reason

    def _open(self, model: Model) -> Session:
        raise NotImplementedError
