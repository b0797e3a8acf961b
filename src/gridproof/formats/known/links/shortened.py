"""The data of JSON, or of SudokuPad's shortened text: keys without quotes, strings in single ones, gaps in lists."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

from gridproof.errors import InputError

_SHORT_NAMES = (
    "a=arrows ca=cages ce=cells cs=cellSize ct=center l=lines o=overlays re=regions "
    "t=title te=text u=underlays v=value vd=videos wp=wayPoints"
)
_LONG_NAMES: dict[str, str] = dict(re.findall(r"(\w+)=(\w+)", _SHORT_NAMES))
"""Names of properties in the shortened text; those of colours and widths, which nobody reads, stay."""

_WORDS = {"t": "true", "true": "true", "f": "false", "false": "false", "null": "null", "": "null"}
_PART = re.compile(
    r"(?:'(?P<string>(?:[^'\\]|\\.)*)'|(?P<word>[^,:{}\[\]']+))(?P<key>:)?"
    r"|(?P<gap>(?<=\[)(?=,)|(?<=,)(?=[,\]]))|(?P<nothing>(?<=:)(?=[,}]))|(?P<last>,(?=\}))",
    re.DOTALL,
)
_STANDS_FOR = {"gap": "{}", "nothing": "null", "last": ""}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def data_of(text: str) -> dict[str, Any]:
    """Return the data of JSON or of shortened text.

    Raises
    ------
    InputError
        If it is neither, or no object.
    RecursionError
        If it is nested too deeply.

    Examples
    --------
    >>> data_of("{t:'It is small',ce:[[{v:1},,]],hidden:f}")
    {'title': 'It is small', 'cells': [[{'value': 1}, {}, {}]], 'hidden': False}
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as problem:
        if re.match(r'\s*\{\s*"', text):
            raise InputError(f"JSON that is damaged: {problem}") from None
        data = decode_shortened(text.strip())
    except ValueError as problem:  # a number of thousands of digits
        raise InputError(f"JSON that cannot be read: {problem}") from None
    if not isinstance(data, dict):
        raise InputError("neither a grid nor cells; expected a puzzle of f-puzzles or SudokuPad")
    return data


def decode_shortened(text: str) -> Any:
    """Return the data of JSON or of SudokuPad's shortened text."""
    try:
        return json.loads(_PART.sub(convert_part, text) or "null")
    except json.JSONDecodeError as problem:
        here = problem.doc[problem.pos : problem.pos + 20]
        raise InputError(f"{here!r}; expected JSON or SudokuPad's shortened text") from None


def convert_part(part: re.Match[str]) -> str:
    """Return a part of shortened text as JSON."""
    is_key = part["key"] is not None
    if part["word"] is not None:
        return _json_of_word(part["word"].strip(), is_key)
    if part["string"] is None:
        return _STANDS_FOR[part.lastgroup or ""]
    string = _ESCAPE.sub(unescape, part["string"])
    if is_key:
        return _json_of_word(string, is_key)
    return json.dumps(string)


def unescape(escape: re.Match[str]) -> str:
    """Return what an escape in a string stands for."""
    code: str = escape[1]
    if len(code) > 1:
        return chr(int(code[1:], 16))
    return _ESCAPED.get(code, code)


@lru_cache(maxsize=4096)
def _json_of_word(word: str, is_key: bool) -> str:
    """Return a key, or a value without quotes, as JSON."""
    if is_key:
        return f"{json.dumps(_LONG_NAMES.get(word, word))}:"
    if word in _WORDS:
        return _WORDS[word]
    try:
        if re.fullmatch("-?[0-9]{1,15}", word):
            return json.dumps(int(word))
        return json.dumps(float(word))
    except ValueError:
        return json.dumps(word)
