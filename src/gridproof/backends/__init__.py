"""Find backends: every module of the folder ``solvers`` and its packages that has a function ``backends()``.

A new file needs no registration. Another package adds backends by an entry point of the group ``gridproof.backends``
that names such a function; they work behind a guard (``plugins``). Importing this module imports no solver.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from importlib import metadata, util
from pathlib import Path
from types import ModuleType

from gridproof.arguments import checked
from gridproof.backends import solvers
from gridproof.backends.protocol import Backend, Model, Session, Statistics
from gridproof.errors import BackendFailure, BackendUnavailable, Interrupted, choices
from gridproof.runs.foreign import text_of

ENTRY_POINTS = "gridproof.backends"
"""The entry-point group in which other packages name a function that returns backends."""


def all_backends() -> list[Backend]:
    """Return every backend, usable or not.

    Returns
    -------
    list of Backend
        Ours first, in the order of their modules, then those of other packages.

    Examples
    --------
    >>> "reference" in [backend.name for backend in all_backends()]
    True
    """
    return list(_every())


@checked
def find(name: str | Backend) -> Backend:
    """Return a backend; one that is given already as it is.

    Parameters
    ----------
    name
        Its name or alias, perhaps with options (``cp-sat:num_workers=2``, see ``Backend.configured``), or the path of
        a user's own ``.py`` file.

    Returns
    -------
    Backend
        It may be one that cannot be used here: see ``Backend.unavailable``.

    Raises
    ------
    InputError
        For anything that is neither a name nor a backend.
    BackendUnavailable
        For an unknown name, with the nearest names and all that exist; or if the file or an option is wrong.

    Examples
    --------
    >>> find("cp-sat").family
    'cp'
    """
    if isinstance(name, Backend):
        return name
    if name.endswith(".py") and (":" not in name or Path(name).is_file()):
        return _from_file(name)
    plain, colon, options = name.partition(":")
    for backend in _every():
        if name == backend.name or name in backend.aliases:
            return backend
        if colon and (plain == backend.name or plain in backend.aliases):
            return backend.configured(options)
    names = [backend.name for backend in all_backends()]
    raise BackendUnavailable(f"no backend is called {plain!r}; {choices(plain, names, 'a path ending in .py or ')}")


@checked
def offering(backend: str | Backend, purpose: str, refusal: Callable[[Backend], str | None]) -> Backend:
    """Return a backend if it can do something that only some backends can.

    Parameters
    ----------
    backend
        The backend, or its name.
    purpose
        What it has to do, for the message, such as ``certify``.
    refusal
        A function from a backend to the reason why it cannot, or to ``None``; such as its ``no_proofs``.

    Returns
    -------
    Backend

    Raises
    ------
    BackendUnavailable
        If it cannot, with the names of those that can.

    Examples
    --------
    >>> offering("cadical153", "certify", lambda one: one.no_proofs()).name
    'cadical153'
    """
    wanted = find(backend)
    if reason := refusal(wanted):
        able = ", ".join(other.name for other in all_backends() if not refusal(other))
        raise BackendUnavailable(f"{wanted.name} cannot {purpose}: {reason}; expected one of {able or 'none here'}")
    return wanted


def _every() -> Iterator[Backend]:
    for module in _modules(solvers):
        yield from getattr(module, "backends", tuple)()
    yield from _from_entry_points()


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    """Import and yield the modules of a package; its packages come last, as to list PySAT's solvers imports PySAT."""
    listed = pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    for module in sorted(listed, key=lambda one: (one.ispkg, one.name)):
        if not module.name.rpartition(".")[2].startswith("_"):
            yield (imported := importlib.import_module(module.name))
            if module.ispkg:
                yield from _modules(imported)


def _from_entry_points() -> Iterator[Backend]:
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        from gridproof.backends.plugins import Foreign, guarded

        listed: list[object] = []
        try:
            with guarded():
                listed = list(entry.load()())
        except (BackendFailure, Interrupted) as problem:
            yield _Broken(entry, problem)
        for plain in listed:
            try:
                yield Foreign(plain)
            except (BackendFailure, Interrupted) as problem:
                yield _Broken(entry, problem)


def _from_file(path: str) -> Backend:
    """The backend of a user's own file, behind a guard and called by the path of the file."""
    from gridproof.backends.plugins import Foreign, guarded

    # not by its stem: whatever the file imports may be called like it
    spec = util.spec_from_file_location(f"gridproof backend {path}", path)
    assert spec is not None
    assert spec.loader is not None
    try:
        with guarded():
            module = util.module_from_spec(spec)
            spec.loader.exec_module(module)
            listed = list(module.backends()) if hasattr(module, "backends") else []
        if len(listed) != 1:
            raise BackendUnavailable(f"{path} brings {len(listed)} backends; expected a function backends() with one")
        return Foreign(listed[0], path)
    except (BackendFailure, Interrupted) as problem:
        raise BackendUnavailable(f"{path}: {problem}") from None


class _Broken(Backend):
    """A stand-in for the backends of a package that cannot list them."""

    family = "search"
    accepts = "problem"

    def __init__(self, entry: metadata.EntryPoint, problem: Exception) -> None:
        self.name = text_of(entry.name)
        self.summary = f"the entry point {self.name!r} of another package"
        self._reason = f"the entry point {self.name!r} ({text_of(entry.value)}) fails: {problem}"

    def unavailable(self) -> str | None:
        return self._reason

    def _open(self, model: Model) -> Session:
        raise BackendUnavailable(f"{self.name}: {self._reason}")


__all__ = ["Backend", "Model", "Session", "Statistics", "all_backends", "find", "offering"]


def __dir__() -> list[str]:
    return __all__
