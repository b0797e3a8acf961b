"""Data as these programs write them: JSON, or the same as SudokuPad shortens it to text that packs well."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from gridproof.errors import InputError

DEEPEST = 30

_LONG_NAMES = {
    "c": "color",
    "ca": "cages",
    "ct": "center",
    "c1": "borderColor",
    "c2": "backgroundColor",
    "ce": "cells",
    "cs": "cellSize",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
    "w": "width",
    "h": "height",
    "v": "value",
    "l": "lines",
    "r": "rounded",
    "re": "regions",
    "fs": "fontSize",
    "th": "thickness",
    "hl": "headLength",
    "wp": "wayPoints",
    "t": "title",
    "te": "text",
    "vd": "videos",
    "d": "duration",
    "d2": "d2",
}
"""Names of properties as the shortened text writes them."""


_WORDS = {"t": True, "true": True, "f": False, "false": False, "null": None, "": None}


class Garbled(InputError):
    """Text that is neither. place: the characters before the damage."""

    def __init__(self, problem: str, place: int) -> None:
        super().__init__(problem)
        self.place = place


def data_of(text: str) -> Any:
    """The data that a text says.

    Raises
    ------
    Garbled, InputError
        If it is neither JSON nor shortened text, or is nested too deeply.

    Examples
    --------
    >>> data_of("{t:'It is small',ce:[[{v:1},,]],hidden:f}")
    {'title': 'It is small', 'cells': [[{'value': 1}, {}, {}]], 'hidden': False}
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise InputError("JSON that is nested too deeply; expected a puzzle") from None
    except json.JSONDecodeError as problem:
        if re.match(r'\s*\{\s*"', text):
            place = len(text) if problem.msg.startswith("Unterminated") else problem.pos
            raise Garbled(f"JSON that is damaged: {problem}", place) from None
        return _Shortened(text).whole()
    except ValueError as problem:  # a number of thousands of digits
        raise InputError(f"JSON that cannot be read: {problem}") from None


class _Shortened:
    """The shortened text: keys without quotes, strings in single quotes, ``t`` and ``f``, gaps in lists for ``{}``."""

    _WHOLE = re.compile(r"-?[0-9]{1,15}")
    _WORD = re.compile(r"[^,:{}\[\]']*")
    _STRING = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
    _ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)

    def __init__(self, text: str) -> None:
        self.text, self.place = text.strip(), 0

    def whole(self) -> Any:
        """The value that the text says."""
        value = self.value(0)
        if self.place < len(self.text):
            raise self.wrong()
        return value

    def value(self, depth: int) -> Any:
        if depth > DEEPEST:
            raise InputError(
                f"character {self.place + 1}: nested deeper than {DEEPEST}; expected a puzzle of SudokuPad"
            )
        start = self.text[self.place : self.place + 1]
        if start == "{":
            return dict(self.items(depth))
        if start == "[":
            return list(self.entries(depth))
        if start == "'":
            return self.string()
        return self.word()

    def items(self, depth: int) -> Iterator[tuple[str, Any]]:
        self.place += 1
        while not self.take("}"):
            key = self.string() if self.text.startswith("'", self.place) else self.match(self._WORD)[0]
            if not self.take(":"):
                raise self.wrong()
            yield _LONG_NAMES.get(key, key), self.value(depth + 1)
            if not self.take(",") and not self.text.startswith("}", self.place):
                raise self.wrong()

    def entries(self, depth: int) -> Iterator[Any]:
        self.place += 1
        if self.take("]"):
            return
        while True:
            empty = self.text[self.place : self.place + 1] in (",", "]")
            yield {} if empty else self.value(depth + 1)
            if self.take("]"):
                return
            if not self.take(","):
                raise self.wrong()

    def string(self) -> str:
        raw = self.match(self._STRING)[1]
        return self._ESCAPE.sub(_unescaped, raw)

    def word(self) -> Any:
        word = self.match(self._WORD)[0].strip()
        if word in _WORDS:
            return _WORDS[word]
        try:
            return int(word) if self._WHOLE.fullmatch(word) else float(word)
        except ValueError:
            return word

    def match(self, pattern: re.Pattern[str]) -> re.Match[str]:
        found = pattern.match(self.text, self.place)
        if found is None:
            raise self.wrong()
        self.place = found.end()
        return found

    def take(self, character: str) -> bool:
        found = self.text.startswith(character, self.place)
        self.place += found
        return found

    def wrong(self) -> Garbled:
        here = self.text[self.place : self.place + 20]
        return Garbled(f"character {self.place + 1}: {here!r}; expected JSON or SudokuPad's shortened text", self.place)


def _unescaped(found: re.Match[str]) -> str:
    what = found[1]
    if len(what) == 5:
        return chr(int(what[1:], 16))
    return {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}.get(what, what)
