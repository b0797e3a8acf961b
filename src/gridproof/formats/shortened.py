"""Data as these programs write them: JSON, or the same as SudokuPad shortens it to text that packs well."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from gridproof.errors import InputError

_LONG_NAMES = {
    "a": "arrows",
    "ca": "cages",
    "ce": "cells",
    "cs": "cellSize",
    "ct": "center",
    "l": "lines",
    "o": "overlays",
    "re": "regions",
    "t": "title",
    "te": "text",
    "u": "underlays",
    "v": "value",
    "vd": "videos",
    "wp": "wayPoints",
}
"""Names of properties as the shortened text writes them; those of colours and widths, which nobody reads, stay."""

_WORDS = {"t": True, "true": True, "f": False, "false": False, "null": None, "": None}
_PART = re.compile(
    r"(?:'(?P<string>(?:[^'\\]|\\.)*)'|(?P<word>[^,:{}\[\]']+))(?P<key>:)?"
    r"|(?P<gap>(?<=\[)(?=,)|(?<=,)(?=[,\]]))|(?P<nothing>(?<=:)(?=[,}]))|(?P<last>,(?=\}))",
    re.DOTALL,
)
_STANDS_FOR = {"gap": "{}", "nothing": "null", "last": ""}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


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
        If it is neither JSON nor shortened text.
    RecursionError
        If it is nested too deeply.

    Examples
    --------
    >>> data_of("{t:'It is small',ce:[[{v:1},,]],hidden:f}")
    {'title': 'It is small', 'cells': [[{'value': 1}, {}, {}]], 'hidden': False}
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        if re.match(r'\s*\{\s*"', text):
            place = len(text) if problem.msg.startswith("Unterminated") else problem.pos
            raise Garbled(f"JSON that is damaged: {problem}", place) from None
        return _shortened(text.strip())
    except ValueError as problem:  # a number of thousands of digits
        raise InputError(f"JSON that cannot be read: {problem}") from None


def _shortened(text: str) -> Any:
    """The data of shortened text: keys without quotes, strings in single quotes, ``t`` and ``f``, gaps for ``{}``."""
    try:
        return json.loads(_PART.sub(_json, text) or "null")
    except json.JSONDecodeError as problem:
        place = problem.pos
        for part in _PART.finditer(text):  # back from what was made of the text to the text
            if part.start() >= place:
                break
            place = max(part.start(), place - len(_json(part)) + len(part[0]))
        here = text[place : place + 20]
        raise Garbled(f"character {place + 1}: {here!r}; expected JSON or SudokuPad's shortened text", place) from None


def _json(part: re.Match[str]) -> str:
    """A part of shortened text in JSON."""
    if part["word"] is not None:
        return _word(part["word"].strip(), part["key"] is not None)
    if part["string"] is None:
        return _STANDS_FOR[part.lastgroup or ""]
    said = _ESCAPE.sub(_unescaped, part["string"])
    return _word(said, True) if part["key"] else json.dumps(said)


def _unescaped(found: re.Match[str]) -> str:
    what = found[1]
    return chr(int(what[1:], 16)) if len(what) == 5 else _ESCAPED.get(what, what)


@lru_cache(maxsize=4096)
def _word(word: str, is_key: bool) -> str:
    """A key, or a value without quotes."""
    if is_key:
        return f"{json.dumps(_LONG_NAMES.get(word, word))}:"
    if word in _WORDS:
        return json.dumps(_WORDS[word])
    try:
        return json.dumps(int(word) if re.fullmatch("-?[0-9]{1,15}", word) else float(word))
    except ValueError:
        return json.dumps(word)
