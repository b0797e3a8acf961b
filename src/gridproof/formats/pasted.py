"""What people paste, line by line: decoration, program text, links, lines of libraries and files of other programs.

``plain`` has decoration in ASCII. ``found_in`` is a table of lines that hold a puzzle in a wrapping, or are of a kind
that cannot be read: these are called by their name, since it helps nobody to have their characters counted.
"""

from __future__ import annotations

import re
from math import isqrt

_VERTICAL = "│┃┆┇┊┋║╎╏╵╷╹╻╽╿▏▕∣¦‖"
_HORIZONTAL = "─━┄┅┈┉═╌╍╴╶╸╺╼╾"
_PASTED = dict.fromkeys(range(0x2500, 0x2580), "+")
_PASTED |= dict.fromkeys(map(ord, _VERTICAL), "|") | dict.fromkeys(map(ord, _HORIZONTAL), "=")
_PASTED |= dict.fromkeys(map(ord, "‒–—―−"), "-") | dict.fromkeys(map(ord, "·□"), ".")
_PASTED |= dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x3000], " ")
_PASTED |= {
    wide: chr(wide - 0xFEE0) for wide in range(0xFF01, 0xFF5F)
}  # ASCII as Chinese and Japanese keyboards have it

_COMMENT = re.compile(r"(?:^|(?<=\s))#")
_QUOTED_NOTHING = re.compile(r"\"\"|''")
_CODE = re.compile(
    r"\s*+(?:"
    r"(?:\{\s*+)?\"\w++\"\s*+:\s*+(?=\[)"  # the key of an array in JSON
    r"|(?:(?:[A-Za-z_]\w*+\s++){0,3}[A-Za-z_][\w.]*+\s*+(?:\[\w*+\]\s*+){0,2}=\s*+(?=[\[({\"']|[A-Za-z_][\w.]*+\())?"
    r"(?:[A-Za-z_][\w.]*+(?=\())?"  # an assignment, a call, or one in the other
    r")"
)
_DTYPE = re.compile(r",\s*dtype=[\w.'\"<>|]+")


def plain(given: str) -> str:
    """The line without comment and program text, its decoration in ASCII; each character that stays is at its place."""
    text = given if given.isascii() else given.translate(_PASTED)
    if "#" in text and (comment := _COMMENT.search(text)):
        text = text[: comment.start()]
    if "[" in text:
        text = _QUOTED_NOTHING.sub(" .", text)
    if "[" in text or "=" in text or "(" in text:
        code = _CODE.match(text)
        text = " " * code.end() + text[code.end() :] if code else text
        text = _DTYPE.sub(lambda match: " " * len(match[0]), text)
    return text


# ---- lines that hold a puzzle in a wrapping, or none that can be read ------------------------------------------------

_LINK = re.compile(r"[\W_]{0,3}(?:https?://|www\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/)\S*", re.IGNORECASE)
_CELLS_OF_LINK = re.compile(r"(?<=[=/?&#])[\d.*_-]{36,}(?=$|[^\w.*%+/=-])")

_CANNOT_BE_READ = "the cells of the puzzle as text; what this holds cannot be read yet"
_NAMED = {
    "JSON of f-puzzles or SudokuPad": re.compile(r'\s*"(?:value|given)"\s*:', re.IGNORECASE),
    "a killer Sudoku": re.compile(r"\s*SumoCueV?\d*=", re.IGNORECASE),
}
_MAY_BE_WRAPPED = re.compile(r"[:<>+/~=^`]|\[[a-z]|fpuz|scl|scf|ctc|N4I|SumoCue", re.IGNORECASE)


def may_be_wrapped(text: str) -> bool:
    """Whether a line is worth a closer look: it has what no row of cells has, or hardly one."""
    return _MAY_BE_WRAPPED.search(text) is not None


def found_in(text: str) -> str | tuple[str, str] | None:
    """What a line is that is no row, nor a puzzle by itself.

    The cells of the puzzle in it; or its name and what was expected instead; ``None`` for any other line.
    """
    if not may_be_wrapped(text):
        return None
    for name, pattern in _NAMED.items():
        if pattern.match(text):
            return name, _CANNOT_BE_READ
    if _LINK.match(text):
        cells = [piece for piece in _CELLS_OF_LINK.findall(text.strip()) if isqrt(len(piece)) ** 2 == len(piece)]
        without = "a link without the cells of a puzzle", "the cells, or a link with them"
        return cells[0] if len(cells) == 1 else without
    return None
