"""The exceptions of gridproof, all below one root.

::

    GridproofError
    ├── InputError (also a ValueError)    what the user gave is not usable
    │   ├── PuzzleFormatError             text that is not a puzzle: line, column, text, expected
    │   │   └── NotUnderstoodError        a puzzle of which something was not read that may be a rule: puzzle
    │   ├── GeometryError                 a shape that no board can have
    │   ├── BoardError                    values that do not fit the board's geometry
    │   └── EncodingError                 an encoding file: file, key, what is allowed
    ├── Interrupted                       a limit came before the answer: not the same as "no solution"
    ├── BackendError
    │   ├── BackendUnavailable            unknown, not installed, or not able to do this
    │   └── BackendFailure                the solver broke its contract or crashed
    └── DisagreementError                 two independent parts contradict each other: a bug
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial
from typing import Any

CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|\r(?!\n)"
)
"""Characters that steer a terminal or turn the direction of text; tabs and line ends are none."""


def printable(text: str) -> str:
    """Return the text with control characters escaped, so that it cannot steer a terminal or read backwards."""
    return CONTROL.sub(
        lambda match: f"\\x{ord(match[0]):02x}" if match[0] < "\u0100" else f"\\u{ord(match[0]):04x}", text
    )


class GridproofError(Exception):
    """The root: catching it catches everything that gridproof raises on purpose."""


class InputError(GridproofError, ValueError):
    """Input that is not usable as it is."""


class PuzzleFormatError(InputError):
    """Text that is not a puzzle.

    ``line`` and ``column`` count from 1 (``None`` where the puzzle did not come from lines of text), ``text`` is
    the offending piece, ``given`` the line in which it stands, and ``expected`` what would have been right. ``source``
    is the name of the file. Without ``expected``, ``problem`` is the whole message. ``puzzle`` is the readable part of
    a puzzle that is not understood. ``row`` and ``table`` are those of a malformed record of a CSV file.
    """

    source = ""
    given = ""
    puzzle: Any = None
    why = ""
    row: tuple[str, ...] = ()
    table: Any = None

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
        return ": ".join(filter(None, (self.place, "; ".join(filter(None, (self.why, self.puzzle.unread_summary()))))))

    @property
    def word(self) -> str:
        """The word in place of a verdict: ``malformed`` or ``not understood``."""
        return "malformed" if self.puzzle is None else "not understood"

    @property
    def place(self) -> str:
        """``puzzles.txt, line 3, column 7``, as far as there is one."""
        parts = [f"{name} {value}" for name, value in (("line", self.line), ("column", self.column)) if value]
        return ", ".join([self.source, *parts] if self.source else parts)

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        rest = f": {shortened(self.text)}; expected {self.expected}" if self.expected else ""
        return printable(f"{where}{self.problem}{rest}")

    def __reduce__(self) -> tuple[object, ...]:
        # the state of an exception is its ``__dict__``, so ``source`` goes along
        arguments: dict[str, Any] = {name: vars(self)[name] for name in ("text", "expected", "line", "column")}
        return partial(PuzzleFormatError, self.problem, **arguments), (), self.__dict__


def shortened(text: str, most: int = 60) -> str:
    """Return the offending text, quoted; one that is too long for a message is cut, and its length is added."""
    return repr(text) if len(text) <= most else f"{text[:most]!r}... ({len(text)} characters)"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 cell``, ``1,204 cells``."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def choices(name: str, known: Collection[str], also: str = "") -> str:
    """Return the names that would be right in place of an unknown one: the nearest ones, then all.

    Parameters
    ----------
    name
        The unknown name, as it was given.
    known
        All names.
    also
        Further input that would be right, such as ``"the path of a file, or "``.

    Examples
    --------
    >>> choices("esay", ["easy", "hard"])
    'did you mean easy? Expected one of easy, hard'
    >>> choices("x", ["easy", "hard"], "a path or ")
    'expected a path or one of easy, hard'
    """
    from difflib import get_close_matches

    every = f"xpected {also}one of {', '.join(known)}"
    *near, last = get_close_matches(name.casefold(), known) or [""]
    meant = f"{', '.join(near)} or {last}" if near else last
    return f"did you mean {meant}? E{every}" if meant else f"e{every}"


class NotUnderstoodError(PuzzleFormatError):
    """A puzzle with something unread that may be a rule: a verdict would be about another puzzle.

    ``puzzle`` is everything that was read; ``puzzle.not_understood`` lists the rest, with its places. ``why`` is what
    else stands in the way of a verdict, such as a rule that the stored solution breaks.
    """

    def __init__(self, puzzle: Any, *, text: str, line: int | None = None, why: str = "") -> None:
        self.puzzle = puzzle
        self.why = why
        summary = "; ".join(filter(None, (why, puzzle.unread_summary())))
        super().__init__(f"not understood: {summary}", text=text, expected="", line=line)

    def __reduce__(self) -> tuple[object, ...]:
        return partial(NotUnderstoodError, text=self.text, line=self.line), (self.puzzle,), self.__dict__


class GeometryError(InputError):
    """A shape that no board can have, such as a house that has not one cell for each symbol."""


class BoardError(InputError):
    """Values that do not fit the board's geometry: a wrong number of cells, a symbol out of range."""


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


# ---- values and errors from code of others, safe to show, to write and to send ---------------------------------------

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
    try:
        return text_of(repr(value))
    except ValueError:  # Python writes no number of more than 4,300 digits
        return f"{type(value).__name__} with a number of too many digits"


def harmless(grid: object) -> Any:
    """Return a grid unchanged, and for anything else a description that is safe to write and send."""
    if type(grid) is not tuple:
        return described(grid)
    return tuple(entry if type(entry) is int and abs(entry) < 2**63 else described(entry) for entry in grid)
