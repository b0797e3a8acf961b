"""The exceptions of gridproof, all below one root.

::

    GridproofError
    ├── InputError (also a ValueError)    what the user gave is not usable
    │   ├── PuzzleFormatError             text that is not a puzzle: line, column, text, expected
    │   │   └── NotUnderstoodError        a puzzle of which something was not read that may be a rule: puzzle
    │   ├── GeometryError                 a shape that no board can have
    │   ├── BoardError                    values that do not fit the board's geometry
    │   │   └── InexpressibleRule         a rule that a format cannot express: rule
    │   └── EncodingError                 an encoding file: file, key, what is allowed
    ├── Interrupted                       a limit came before the answer: not the same as "no solution"
    ├── BackendError
    │   ├── BackendUnavailable            unknown, not installed, or not able to do this
    │   └── BackendFailure                the solver broke its contract or crashed
    └── DisagreementError                 two independent parts contradict each other: a bug
"""

from __future__ import annotations

from functools import partial
from typing import Any

from gridproof.text import escape_controls, quote, text_of


class GridproofError(Exception):
    """The root: catching it catches everything that gridproof raises on purpose."""


class InputError(GridproofError, ValueError):
    """Input that is not usable as it is."""


class PuzzleFormatError(InputError):
    """Text that is not a puzzle.

    ``line`` and ``column`` count from 1 (``None`` where the puzzle did not come from lines of text), ``text`` is
    the offending piece, ``given`` the line in which it stands, and ``expected`` what would have been right. ``source``
    is the name of the file. Without ``expected``, ``problem`` is the whole message. ``puzzle`` is the readable part of
    a puzzle that is not understood. ``row`` and ``table`` are those of a malformed record of a CSV file, ``record``
    that of JSON lines.
    """

    source = ""
    given = ""
    puzzle: Any = None
    why = ""
    row: tuple[str, ...] = ()
    table: Any = None
    record: dict[str, Any] | None = None

    def __init__(
        self, problem: str, *, text: str, expected: str, line: int | None = None, column: int | None = None
    ) -> None:
        self.problem = problem
        self.text = text
        self.expected = expected
        self.line = line
        self.column = column
        super().__init__(problem, text, expected, line, column)

    @property
    def reason(self) -> str:
        """The message beside that word."""
        if self.puzzle is None:
            return str(self)
        summary = self._summary()
        return f"{self.place}: {summary}" if self.place else summary

    @property
    def word(self) -> str:
        """The word in place of a verdict: ``malformed`` or ``not understood``."""
        return "malformed" if self.puzzle is None else "not understood"

    @property
    def place(self) -> str:
        """``puzzles.txt, line 3, column 7``, as far as there is one."""
        parts = []
        if self.source:
            parts.append(self.source)
        if self.line:
            parts.append(f"line {self.line}")
        if self.column:
            parts.append(f"column {self.column}")
        return ", ".join(parts)

    def _summary(self) -> str:
        """Return what stands in the way of a verdict: ``why`` and the unread parts, as far as there are some."""
        reasons = []
        if self.why:
            reasons.append(self.why)
        unread = self.puzzle.unread_summary()
        if unread:
            reasons.append(unread)
        return "; ".join(reasons)

    def __str__(self) -> str:
        message = self.problem
        if self.place:
            message = f"{self.place}: {message}"
        if self.expected:
            message += f": {quote(self.text)}; expected {self.expected}"
        return escape_controls(message)

    def __reduce__(self) -> tuple[object, ...]:
        # the state of an exception is its ``__dict__``, so ``source`` goes along
        arguments: dict[str, Any] = {name: vars(self)[name] for name in ("text", "expected", "line", "column")}
        return partial(PuzzleFormatError, self.problem, **arguments), (), self.__dict__


class NotUnderstoodError(PuzzleFormatError):
    """A puzzle with something unread that may be a rule: a verdict would be about another puzzle.

    ``puzzle`` is everything that was read; ``puzzle.not_understood`` lists the rest, with its places. ``why`` is what
    else stands in the way of a verdict, such as a rule that the stored solution breaks.
    """

    def __init__(self, puzzle: Any, *, text: str, line: int | None = None, why: str = "") -> None:
        self.puzzle = puzzle
        self.why = why
        super().__init__(f"not understood: {self._summary()}", text=text, expected="", line=line)

    def __reduce__(self) -> tuple[object, ...]:
        return partial(NotUnderstoodError, text=self.text, line=self.line), (self.puzzle,), self.__dict__


class GeometryError(InputError):
    """A shape that no board can have, such as a house that has not one cell for each symbol."""


class BoardError(InputError):
    """Values that do not fit the board's geometry: a wrong number of cells, a symbol out of range."""


class InexpressibleRule(BoardError):
    """A rule that a format cannot express. ``rule`` is the rule of the board."""

    def __init__(self, problem: str, rule: Any = None) -> None:
        super().__init__(problem)
        self.rule = rule


class EncodingError(InputError):
    """An encoding that cannot be read or does not fit its use; the message names the file and the key."""


class Interrupted(GridproofError):
    """A limit came before the answer. ``limit`` is its name in ``Limits``, ``value`` what it was set to."""

    def __init__(self, limit: str, value: float | None = None) -> None:
        self.limit = limit
        self.value = value
        super().__init__(limit, value)

    def __str__(self) -> str:
        return f"stopped by the limit of {self.value:g} {self.limit}" if self.value is not None else self.limit


class BackendError(GridproofError):
    """An error about a backend: see the two kinds below."""


class BackendUnavailable(BackendError, LookupError):
    """A backend that is unknown, not installed, or not able to do this; the message names the reason."""


class BackendFailure(BackendError):
    """A backend that crashed or broke its contract while it worked on a board."""


class DisagreementError(GridproofError):
    """Two independent parts contradict each other where no verdict can carry the news (``solve``, ``count``)."""


# ---- errors from code of others --------------------------------------------------------------------------------------

NO_MEMORY = "there was not enough memory"
"""The name of the limit that has come first when memory runs out."""


def describe_error(problem: BaseException) -> str:
    """Return the kind and the text of an error from code of others; of our own errors only the text.

    Examples
    --------
    >>> describe_error(KeyError("x"))
    "KeyError: 'x'"
    """
    text = text_of(problem)
    if isinstance(problem, GridproofError):
        return text
    return f"{text_of(type(problem).__name__)}: {text}"


def error_for(problem: BaseException) -> GridproofError:
    """Return the error that stands for one from code of others. Memory that ran out is a limit, not a fault.

    Examples
    --------
    >>> error_for(KeyError("x")), error_for(MemoryError())
    (BackendFailure("KeyError: 'x'"), Interrupted('there was not enough memory', None))
    """
    if isinstance(problem, GridproofError):
        return problem
    if isinstance(problem, MemoryError):
        return Interrupted(NO_MEMORY)
    return BackendFailure(describe_error(problem))
