"""Find backends: every module of the folder ``solvers`` and its packages that has a function ``backends()``.

A new file needs no registration. Another package adds backends by an entry point of the group ``gridproof.backends``
that names such a function; they work in child processes (``isolation``). Importing this module imports no solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from gridproof.backends import foreign
from gridproof.backends.protocol import Backend, Model, Session, Statistics
from gridproof.discovery import import_tree
from gridproof.errors import BackendUnavailable
from gridproof.expect import expect
from gridproof.text import suggest


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
    expect(name, str, "backend", "a name, a path ending in .py, or a Backend")
    if name.endswith(".py") and (":" not in name or Path(name).is_file()):
        return foreign.load_file(name)
    plain, colon, options = name.partition(":")
    for backend in _every():
        if name == backend.name or name in backend.aliases:
            return backend
        if colon and (plain == backend.name or plain in backend.aliases):
            return backend.configured(options)
    names = [backend.name for backend in all_backends()]
    raise BackendUnavailable(f"no backend is called {plain!r}; {suggest(plain, names, 'a path ending in .py or ')}")


def find_able(backend: str | Backend, purpose: str, refusal: Callable[[Backend], str | None]) -> Backend:
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
    >>> find_able("cadical153", "certify", lambda one: one.no_proofs()).name
    'cadical153'
    """
    wanted = find(backend)
    reason = refusal(wanted)
    if reason:
        able = ", ".join(other.name for other in all_backends() if not refusal(other))
        raise BackendUnavailable(f"{wanted.name} cannot {purpose}: {reason}; expected one of {able or 'none here'}")
    return wanted


def _every() -> Iterator[Backend]:
    for module in import_tree("gridproof.backends.solvers"):
        yield from getattr(module, "backends", tuple)()
    yield from foreign.find_in_packages()


__all__ = ["Backend", "Model", "Session", "Statistics", "all_backends", "find", "find_able"]


def __dir__() -> list[str]:
    return __all__
