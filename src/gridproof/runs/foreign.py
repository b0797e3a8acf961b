"""Values and errors that come out of somebody else's code, made fit to be shown, written down and sent on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gridproof.errors import GridproofError


def text_of(value: object, form: Callable[[object], str] = str, most: int = 1000) -> str:
    r"""The text of what somebody else's code gave, fit for a terminal.

    It is on one line, without control characters, and cut if it is too long; to make it never fails.

    Parameters
    ----------
    value
        Anything.
    form
        What makes the text: ``str`` or ``repr``.
    most
        Characters after which the text is cut.

    Examples
    --------
    >>> text_of("red: \x1b[31m")
    'red: \\x1b[31m'
    >>> text_of(10**5000)
    '<int that cannot be shown>'
    """
    try:
        whole = form(value)
        text = " ".join(whole[:most].split())
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
        return text if len(whole) <= most else f"{text}..."
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = f"<{type(value).__name__} that cannot be shown>"
        return text if text.isprintable() else "<something that cannot be shown>"


def crash(problem: BaseException) -> str:
    """What came out of somebody else's code, for a message: the kind of error and its text.

    An error of our own tree speaks for itself, without its kind.
    """
    text = text_of(problem)
    return text if isinstance(problem, GridproofError) else f"{text_of(type(problem).__name__)}: {text}"


def described(value: object) -> str:
    """``repr`` of whatever a backend gave, fit for a terminal even if it has none."""
    return text_of(value, repr)


def harmless(grid: object) -> Any:
    """A grid as it is; for anything else what can be said about it, which can be written down and sent on."""
    if type(grid) is not tuple:
        return described(grid)
    return tuple(entry if type(entry) is int and abs(entry) < 2**63 else described(entry) for entry in grid)
