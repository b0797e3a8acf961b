"""Strings and links of the Interactive Sudoku Solver: ``.~R1C1_5.Cage~10~R1C2~R1C3``.

Each item is a type, its arguments and its cells, separated by ``~``. How a kind of rule is stated is in its records
``IssItem``, for reader and writer alike.

names.py          names of cells, numbers and places
groups.py         choices among items, and copies of items
reading.py        board, givens and rules of a string
board_items.py    items about the whole board
coded.py          items that are stated otherwise here: tables of pairs, machines, sums
writing.py        the string of a puzzle
primitives.py     rules without a type of item: tables of pairs and machines
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote

from gridproof.errors import InputError
from gridproof.formats.catalog import Format
from gridproof.formats.known.iss.groups import GROUPS, StringItem
from gridproof.formats.known.iss.reading import IssReading
from gridproof.formats.known.iss.writing import string_of
from gridproof.formats.places import Place
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.formats.shapes import Shapes
from gridproof.text import quote

LONGEST = 1_000_000
"""Characters of a string at most."""

MOST_ITEMS = 5_000
"""Items of a string at most."""

_LINK = re.compile(r"[\W_]{0,3}(?:https?://)?sigh\.github\.io/\S*?[?&]q=([^\s&#>\"']*)", re.IGNORECASE)
_STRING = re.compile(r"\s*(?:\.\s*)+(?:[A-Z][A-Za-z]*(?:\s*\.[A-Z][A-Za-z]*)*\s*\.?)?~[\w~.,=%+\s-]*$")
_BARE = re.compile(r"\s*(?:\.[A-Z][a-z]{3,}[A-Za-z]*\s*)+$")
"""A string of items without values, such as ``.AntiKnight``: no line of cells looks so."""

_PART = re.compile(r"\.+(?:[A-Z]|~)[\w~.,=%+ \t-]*")
_CELL = re.compile(r"~R[1-9a-g]C[1-9a-g]", re.IGNORECASE)
_GIVENS = ".~"
"""The beginning of the item that holds the clues."""


def is_joined(text: str) -> bool:
    """Return whether a text is, or its first line begins, one string over several lines.

    The first line is indented or names no cell, or only one of several lines has clues: otherwise each is a string.
    """
    lines = _content_of(text)
    if not lines or not all(_PART.fullmatch(line.strip()) for line in lines):
        return False
    if len(lines) > 1 and not _are_strings(lines):
        return True
    return _is_indented(lines[0]) or not _CELL.search(lines[0])


def _content_of(text: str) -> list[str]:
    """Return the lines of a text without blank ones and comments."""
    content = []
    for line in text.splitlines():
        if line.strip() and not line.strip().startswith("#"):
            content.append(line)
    return content


def _is_indented(line: str) -> bool:
    return line[:1] in (" ", "\t")


def _are_strings(lines: Sequence[str]) -> bool:
    """Return whether several lines have clues, or a shape, and no group goes over several: then each is a string."""
    if _have_group_over_lines(lines):
        return False
    with_clues = 0
    with_shape = 0
    for line in lines:
        if _GIVENS in line:
            with_clues += 1
        if ".Shape~" in line:
            with_shape += 1
    return with_clues > 1 or with_shape > 1


def _have_group_over_lines(lines: Sequence[str]) -> bool:
    """Return whether a group begins on one line and ends on another, so that the lines are one string."""
    is_over_lines = False
    depth = 0
    for line in lines:
        for part in line.split("."):
            name = part.split("~")[0].strip()
            if name in GROUPS:
                depth += 1
            elif name == "End":
                depth -= 1
        if depth < 0:
            return False
        if depth > 0:
            is_over_lines = True
    return is_over_lines and depth == 0


def read_text(text: str, shapes: Shapes) -> Iterator[Item]:
    """Yield the puzzle of a string or a link; of indented lines, one for each part that blank lines separate."""
    link = _LINK.match(text)
    if link:
        yield _read_string(unquote(link[1]))
        return
    if "\n" in text:
        content = _content_of(text)
        if content and _is_indented(content[0]):
            yield from read_indented(text, shapes.place)
            return
        if len(re.findall(r"\.Shape~", text)) > 1:
            raise InputError("two Shapes; expected one string, over several lines or on one line for each puzzle")
    yield _read_string(re.sub(r"(?m)^\s*#.*$", "", text))


def read_indented(text: str, place: Place) -> Iterator[Item]:
    """Yield the puzzles of a text whose first line is indented: those lines are one string that stand together.

    A line that is not indented begins the next one, and lines that have clues or a shape of their own are one each.
    """
    groups: list[list[tuple[int, str]]] = []
    is_open = False
    for number, line in enumerate(text.splitlines(), place.line):
        if line.strip().startswith("#"):
            continue
        if not line.strip():
            is_open = False
            continue
        if not is_open or not _is_indented(line):
            groups.append([])
        groups[-1].append((number, line))
        is_open = True
    for group in groups:
        lines = [line for _, line in group]
        if _are_strings(lines):
            for entry in group:
                yield _read_lines([entry], place)
        else:
            yield _read_lines(group, place)


def _read_lines(lines: Sequence[tuple[int, str]], place: Place) -> Item:
    """Return the puzzle of the lines of one string, with their numbers, or the error in its place."""
    number = lines[0][0]
    string = "\n".join(line for _, line in lines)
    try:
        puzzle = _read_string(string)
    except InputError as problem:
        return place.error(str(problem), string.strip(), "a string of the Interactive Sudoku Solver", number)
    return Puzzle(puzzle.board, unread=puzzle.unread, text=string.strip(), line=number)


def _read_string(text: str) -> Puzzle:
    """Return the puzzle of one string."""
    string = "".join(text.split())
    if not string.startswith("."):
        raise InputError(f"{quote(string)} begins with no dot; expected one such as .~R1C1_5.Cage~10~R1C2~R1C3")
    if len(string) > LONGEST:
        raise InputError(f"a string of {len(string):,} characters; expected at most {LONGEST:,}")
    parts = string[1:].split(".")
    if len(parts) > MOST_ITEMS:
        raise InputError(f"a string of {len(parts):,} items; expected at most {MOST_ITEMS:,}")
    items = []
    for number, part in enumerate(parts, 1):
        words = part.split("~")
        name = words[0] or "Given"
        arguments = words[1:]
        items.append(StringItem(f"{name} (item {number} of {len(parts)})", name, arguments))
    return IssReading(items).read_puzzle()


def is_iss(text: str) -> bool:
    """Return whether a text is a string or a link of the solver."""
    return any(pattern.match(text) for pattern in (_LINK, _STRING, _BARE))


def write_string(puzzle: Puzzle) -> str:
    """Return the string of a puzzle. Raises ``BoardError``."""
    return string_of(puzzle, ISS.refuse)


ISS = Format(
    name="iss",
    summary="strings and links of the Interactive Sudoku Solver",
    by_line=True,
    joined=is_joined,
    sniff=is_iss,
    read=read_text,
    write=write_string,
    has_digits=True,
    examples=(
        ".Shape~4x4.~R1C1_1~R4C4_2_3.Cage~5~R1C2~R1C3.Thermo~R2C1~R2C2.AntiKnight",
        "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.~R1C1_5.Sandwich~13~R1.XSum~C2~~20",
    ),
)
FORMATS = (ISS,)
