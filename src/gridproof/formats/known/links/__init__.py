"""Links that hold a puzzle: those of f-puzzles, SudokuPad and Penpa+, their payloads and data, and other links.

payloads.py       the link in a line, its payload, and the data inside
shortened.py      JSON, and SudokuPad's shortened text
f_puzzles.py      reading puzzles of f-puzzles; f_puzzles_writing.py: writing them; items.py: how it states rules;
                  f_puzzles_decoration.py: drawings that are copies of rules, or messages
further_rules.py  rules without an item, in words and drawn; f_puzzles_drawing.py: the drawings of rules
named_drawings.py drawings that a person has read or ignored, written back
sudokupad.py      reading puzzles of SudokuPad; sudokupad_cages.py: its cages; sudokupad_writing.py: writing them
penpa.py          reading puzzles of Penpa+; penpa_payloads.py: the data in its links; penpa_places.py: its places
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from math import isqrt
from urllib.parse import quote

from gridproof.errors import InputError
from gridproof.formats.catalog import EXTRAS, Format
from gridproof.formats.known.links import f_puzzles, f_puzzles_writing, sudokupad, sudokupad_writing
from gridproof.formats.known.links.payloads import data_in, format_of_link, program_of
from gridproof.formats.known.links.penpa import PenpaReading
from gridproof.formats.known.links.penpa_payloads import data_of_penpa, is_penpa
from gridproof.formats.lzstring import pack
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.formats.reading import read_plain
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.digits import Digits

LONGEST = 1_000_000
"""Characters of a link or of JSON at most."""

_F_PUZZLES = re.compile(
    r"(?:fpuz(?:zles)?|N4I)[\w+/=% -]{12,}\s*$"
    r'|\s*\{(?:.*"grid"\s*:\s*\[\s*(?:\[\s*(?:\{|\]|$)|$)|\s*"(?:size|title|author|ruleset)"\s*:.*,\s*$)',
    re.IGNORECASE | re.DOTALL,
)
_SUDOKUPAD = re.compile(
    r"(?:scl|ctc|scf)[\w+/=% -]{24,}\s*$"
    r"|\s*\{(?:\s*(?:id|ce|cells|metadata)\s*:"
    r'|(?!.*"grid"\s*:).*"cells"\s*:\s*\[\s*(?:\[\s*(?:\{|\]|$)|$)'
    r'|\s*"(?:id|cellSize|metadata|regions|cages)"\s*:.*,\s*$)',
    re.IGNORECASE | re.DOTALL,
)
_OTHER = re.compile(
    r"[\W_]{0,3}(?:https?://|www\.|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}/)(?!sigh\.github\.io/)\S*", re.IGNORECASE
)
_CELLS = re.compile(r"(?<=[=/?&#])[\d.*_-]{36,}(?=$|[^\w.*%+/=-])")


def read(text: str, digits: Digits | None = None) -> Puzzle:
    """Return the puzzle of one link, payload or JSON text.

    Parameters
    ----------
    text : str
        ``https://f-puzzles.com/?load=...``, ``https://sudokupad.app/...``, a payload by itself (with or without
        ``fpuzzles``, ``scl``, ``ctc`` before it), JSON, or SudokuPad's shortened text. Percent codes, blanks for ``+``
        and slashes that a server has merged are mended.
    digits : Digits, optional
        The digits of the board, which no link states; those from 1 on if not given.

    Raises
    ------
    InputError
        If it is none of these, is damaged, is a short link whose puzzle is on a server, or its board has too many cells
        for the digits.

    Examples
    --------
    >>> from gridproof.formats.lzstring import pack
    >>> puzzle = read("https://f-puzzles.com/?load=" + pack('{"size": 1, "title": "Small", "grid": [[{}]]}'))
    >>> puzzle.title, puzzle.board.geometry.order
    ('Small', 1)
    """
    text = text.strip()
    try:
        if len(text) > LONGEST:
            raise InputError(f"a text of {len(text):,} characters; expected at most {LONGEST:,}")
        data = data_in(text)
        if isinstance(data.get("grid"), list):
            return f_puzzles.FPuzzlesReading(data, digits).read_puzzle()
        if isinstance(data.get("cells"), list):
            return sudokupad.SudokuPadReading(data, digits).read_puzzle()
        raise InputError("neither a grid nor cells; expected a puzzle of f-puzzles or SudokuPad")
    except RecursionError:
        raise InputError(f"{program_of(text)}: data that are nested too deeply; expected a puzzle") from None
    except InputError as problem:
        raise InputError(f"{program_of(text)}: {problem}") from None


def read_penpa(text: str) -> Puzzle:
    """Return the puzzle of a link of Penpa+.

    Raises
    ------
    InputError
        If it is damaged, or its grid is no square.
    """
    text = text.strip()
    try:
        if len(text) > LONGEST:
            raise InputError(f"a text of {len(text):,} characters; expected at most {LONGEST:,}")
        return PenpaReading(data_of_penpa(text)).read_puzzle()
    except RecursionError:
        raise InputError("a link of Penpa+: data that are nested too deeply; expected a puzzle") from None
    except InputError as problem:
        raise InputError(f"a link of Penpa+: {problem}") from None


# ---- formats ---------------------------------------------------------------------------------------------------------


def read_cells(text: str, shapes: Shapes) -> Iterator[Item]:
    """Yield the puzzle of the cells in a link, or the error in its place."""
    cells = [piece for piece in _CELLS.findall(text.strip()) if isqrt(len(piece)) ** 2 == len(piece)]
    if len(cells) == 1:
        yield from read_plain(cells[0], shapes)
    else:
        yield shapes.place.error("a link without the cells of a puzzle", text, "the cells, or a link with them")


KEPT = tuple(name for name in EXTRAS if name != "unread parts")
"""The parts of a puzzle that the links of both programs have a place for."""


def _read_link(text: str, shapes: Shapes) -> Iterator[Puzzle]:
    yield read(text, shapes.digits)


def _format_of_links(
    name: str, summary: str, sniff: Callable[[str], bool], write: Callable[[Puzzle], str], examples: tuple[str, ...]
) -> Format:
    """Return a format of links that hold JSON of f-puzzles or SudokuPad."""
    return Format(
        name=name,
        summary=summary,
        by_line=True,
        sniff=sniff,
        read=_read_link,
        write=write,
        keeps=KEPT,
        examples=examples,
    )


def is_f_puzzles(text: str) -> bool:
    """Return whether a text is a link, a payload or JSON of f-puzzles."""
    return _F_PUZZLES.match(text) is not None or format_of_link(text) == "f-puzzles"


def write_f_puzzles(puzzle: Puzzle) -> str:
    """Return a link that opens a puzzle in f-puzzles."""
    refuse = partial(F_PUZZLES.refuse, expected="sudokupad-link, or another format")
    return f"https://www.f-puzzles.com/?load={pack(f_puzzles_writing.json_of(puzzle, refuse))}"


F_PUZZLES = _format_of_links(
    "f-puzzles",
    "links of f-puzzles, their payloads, and the JSON behind them",
    is_f_puzzles,
    write_f_puzzles,
    examples=(
        '{"size": 2, "title": "Small", "grid": [[{"value": 1, "given": true}, {}], [{}, {}]]}',
        "https://f-puzzles.com/?load=N4IgzglgXgpiBcAmANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYLgXWSEeffvy5A=",
    ),
)


def is_sudokupad_link(text: str) -> bool:
    """Return whether a text is a link to a puzzle of f-puzzles in SudokuPad."""
    return format_of_link(text) == "sudokupad-link"


def write_sudokupad_link(puzzle: Puzzle) -> str:
    """Return a link that opens a puzzle of f-puzzles in SudokuPad, which draws what it does not check."""
    data = f_puzzles_writing.json_of(puzzle, SUDOKUPAD_LINK.refuse, draws_further=True)
    return _link_of_sudokupad("fpuzzles", data)


def _link_of_sudokupad(kind: str, data: str) -> str:
    return f"https://sudokupad.app/?puzzleid={kind}{quote(pack(data), safe='')}"


SUDOKUPAD_LINK = _format_of_links(
    "sudokupad-link",
    "links that open a puzzle of f-puzzles in SudokuPad",
    is_sudokupad_link,
    write_sudokupad_link,
    examples=(
        "https://sudokupad.app/fpuzN4IgzglgXgpiBcAmANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYLgXWSEeffvy5A=",
    ),
)


def is_sudokupad(text: str) -> bool:
    """Return whether a text is a link, a payload or the data of a puzzle of SudokuPad."""
    return _SUDOKUPAD.match(text) is not None or format_of_link(text) == "sudokupad"


def write_sudokupad(puzzle: Puzzle) -> str:
    """Return a link that opens a puzzle of SudokuPad's own in it."""
    return _link_of_sudokupad("scl", sudokupad_writing.json_of(puzzle, SUDOKUPAD.refuse))


SUDOKUPAD = _format_of_links(
    "sudokupad",
    "links of SudokuPad, their payloads, and the JSON or shortened text behind them",
    is_sudokupad,
    write_sudokupad,
    examples=('{"cells": [[{"value": 1}, {}], [{}, {}]]}', "{id:'x',ce:[[{v:1},],[,]],re:[]}"),
)


def _read_penpa_link(text: str, _: Shapes) -> Iterator[Puzzle]:
    yield read_penpa(text)


PENPA = Format(
    name="penpa",
    summary="links of Penpa+",
    by_line=True,
    sniff=is_penpa,
    read=_read_penpa_link,
    examples=(
        "https://swaroopg92.github.io/penpa-edit/#m=edit&p=bY4xC8IwEIX3/IqS+Q25xtJcNgdXF91CBkFBMVKwzdKQ/27aqD"
        "jI4+59HMe7G+N5uEdsirSBAi1itdavjrcpXGxzeJxCwDZO1+FpG0C494IXKYs0722SZKR1kmRJKt1nzLsy7TsYLW0LaRisKmkwrV"
        "SufYjA/KW2EoNUX7EFLzE5C+HI1H/R/Xf/Ag==",
    ),
)


def is_other_link(text: str) -> bool:
    """Return whether a text is a link of another program that may hold cells."""
    is_of_iss = "sigh.github.io/" in text
    is_known = is_of_iss or is_penpa(text) or format_of_link(text)
    return _OTHER.match(text) is not None and not is_known


CELLS_LINK = Format(
    name="cells-link",
    summary="links that hold the cells of a puzzle",
    by_line=True,
    sniff=is_other_link,
    read=read_cells,
    examples=(f"https://www.example.org/sudoku?bd={'53007' + '0' * 76}",),
)
FORMATS = (F_PUZZLES, SUDOKUPAD_LINK, SUDOKUPAD, PENPA, CELLS_LINK)
