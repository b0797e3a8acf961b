"""Values and errors from code of others, in a form that is safe to show, write and send."""

from __future__ import annotations

from typing import Any

from gridproof.errors import BackendFailure, GridproofError, Interrupted

NO_MEMORY = "there was not enough memory"
"""The limit that has come first when memory runs out."""


def text_of(value: object, most: int = 1000) -> str:
    r"""Return the text of a value from code of others, safe for a terminal.

    It is on one line, without control characters, and cut after ``most`` characters.

    Examples
    --------
    >>> text_of("red: \x1b[31m")
    'red: \\x1b[31m'
    """
    whole = str(value)
    text = " ".join(whole[:most].split())
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
    return text if len(whole) <= most else f"{text}..."


def crash(problem: BaseException) -> str:
    """Return the kind and the text of an error from code of others; of our own errors only the text.

    Examples
    --------
    >>> crash(KeyError("x"))
    "KeyError: 'x'"
    """
    text = text_of(problem)
    return text if isinstance(problem, GridproofError) else f"{text_of(type(problem).__name__)}: {text}"


def failure(problem: BaseException) -> GridproofError:
    """Return the error that stands for one from code of others. Memory that ran out is a limit, not a fault.

    Examples
    --------
    >>> failure(KeyError("x")), failure(MemoryError())
    (BackendFailure("KeyError: 'x'"), Interrupted('there was not enough memory', None))
    """
    if isinstance(problem, GridproofError):
        return problem
    return Interrupted(NO_MEMORY) if isinstance(problem, MemoryError) else BackendFailure(crash(problem))


def described(value: object) -> str:
    """Return the ``repr`` of a value, safe for a terminal."""
    return text_of(repr(value))


def harmless(grid: object) -> Any:
    """Return a grid unchanged, and for anything else a description that is safe to write and send."""
    if type(grid) is not tuple:
        return described(grid)
    return tuple(entry if type(entry) is int and abs(entry) < 2**63 else described(entry) for entry in grid)
