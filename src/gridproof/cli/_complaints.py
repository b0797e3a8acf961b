"""What is said on standard error: in order with the results, each thing once, and little about what is no puzzle."""

from __future__ import annotations

import os
import re
import sys
from typing import TextIO

from gridproof.errors import printable

SHOWN = 10
"""Malformed puzzles in a row that are complained about one by one; more are counted."""

SHOWN_OF_OTHERS = 3
"""The same where they look like something else than puzzles."""

_WORD = re.compile(r"[^\W\d_]{3,}")


def say(text: str) -> None:
    """A line on standard error, after the results before it also where both go to one place."""
    if sys.stderr is None:
        return
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()
    print(text, file=sys.stderr)


def said(problem: Exception) -> str:
    """An error in a line; of the system's errors what went wrong, and with which file."""
    if isinstance(problem, OSError):
        return printable(f"{problem.strerror or problem}: {problem.filename or ''}".rstrip(": "))
    return printable(str(problem))


def on_terminal(stream: TextIO | None) -> bool:
    """Whether a person sees the stream."""
    return stream is not None and not stream.closed and stream.isatty()


def _at_one_place(stream: TextIO | None, other: TextIO | None) -> bool:
    """Whether two streams go to the same terminal, file or pipe."""
    if on_terminal(stream) and on_terminal(other):
        return True
    try:
        places = [os.fstat(one.fileno()) for one in (stream, other) if one is not None]
    except (OSError, ValueError):  # closed, or no file of the system
        return False
    return len(places) == 2 and places[0].st_ino != 0 and os.path.samestat(*places)


class Complaints:
    """Says why puzzles cannot be read. The result of such a puzzle may say it, too: at one place it is said once.

    Only the first are complained about of many malformed ones in a row, and of those of a file that looks like
    something else (it says so somewhere, and two thirds of it are no puzzles). The file is read to its end all the
    same: no good puzzle is lost. Results that go to a file or a pipe stay complete; on a terminal those of the
    malformed puzzles that are only counted are left out.
    """

    def __init__(self) -> None:
        self._at_one_place = _at_one_place(sys.stdout, sys.stderr)
        self._results_are_seen = on_terminal(sys.stdout)
        self._begin("")

    def _begin(self, source: str) -> None:
        self._source = source
        self._looks_like = ""
        self._good = self._bad = self._in_a_row = self._counted = 0

    def good(self) -> None:
        """A puzzle that can be read has come."""
        self._good += 1
        self._in_a_row = 0
        if not self._looks_like:
            self.end()

    def malformed(self, problem: str, text: str, source: str, *, in_result: bool) -> bool:
        """Say a problem where it is to be said. text: that is no puzzle. source: where it came from.

        in_result: whether the result says it, too. Returns whether to show the result.
        """
        told = in_result and self._at_one_place
        if told and not self._results_are_seen:
            return True
        if source != self._source:
            self.end()
            self._begin(source)
        self._looks_like = self._looks_like or _kind(text)
        self._bad += 1
        self._in_a_row += 1
        other = self._looks_like and self._bad > max(SHOWN_OF_OTHERS, 2 * self._good)
        if not other and self._in_a_row <= SHOWN:
            self.end()
            if not told:
                say(f"gridproof: {problem}")
            return True
        if not self._counted:
            looks = f"{self._source or 'the input'} looks like {self._looks_like}, not like puzzles"
            why = looks if other else f"{SHOWN} malformed in a row"
            say(f"gridproof: {why}: what else is malformed there is only counted")
        self._counted += 1
        return not self._results_are_seen

    def end(self) -> None:
        """No more puzzles come, or none that are only counted: say how many those were."""
        if self._counted:
            say(f"gridproof: {self._counted:,} more malformed")
        self._counted = 0


def _kind(text: str) -> str:
    """What a text that is no puzzle rather is; empty if it may well be a damaged puzzle."""
    if "\0" in text or re.search(r"\\x[89a-f]", text):  # bytes that are no text are shown so
        return "binary data"
    if text.lstrip().startswith("<"):
        return "XML or HTML"
    return "prose or a program" if len(_WORD.findall(text)) >= 4 else ""
