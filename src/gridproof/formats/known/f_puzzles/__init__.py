"""Links and JSON of f-puzzles, which SudokuPad opens as well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from gridproof.formats import links
from gridproof.formats.catalog import EXTRAS, Format
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shapes

_BEGINS = re.compile(
    r"(?:fpuz(?:zles)?|N4I)[\w+/=% -]{12,}\s*$"
    r'|\s*\{(?:.*"grid"\s*:\s*\[\s*(?:\[\s*(?:\{|\]|$)|$)|\s*"(?:size|title|author|ruleset)"\s*:.*,\s*$)',
    re.IGNORECASE | re.DOTALL,
)


def read_link(text: str, _: Shapes) -> Iterator[Puzzle]:
    """Yield the puzzle of a link, also of one in brackets or quotes, or of the data behind it."""
    yield links.read(text)


def _payload(puzzle: Puzzle, form: Format) -> str:
    from gridproof.formats.known.f_puzzles.writing import json_of
    from gridproof.formats.lzstring import packed

    return packed(json_of(puzzle, form.refuse))


def _to_f_puzzles(puzzle: Puzzle) -> str:
    return f"https://www.f-puzzles.com/?load={_payload(puzzle, F_PUZZLES)}"


def _to_sudokupad(puzzle: Puzzle) -> str:
    return f"https://sudokupad.app/?puzzleid=fpuzzles{quote(_payload(puzzle, SUDOKUPAD_LINK), safe='')}"


F_PUZZLES = Format(
    name="f-puzzles",
    summary="links of f-puzzles, their payloads, and the JSON behind them",
    by_line=True,
    sniff=lambda text: _BEGINS.match(text) is not None or links.linked(text) == "f-puzzles",
    read=read_link,
    write=_to_f_puzzles,
    keeps=(*EXTRAS,),
    examples=(
        '{"size": 2, "title": "Small", "grid": [[{"value": 1, "given": true}, {}], [{}, {}]]}',
        "https://f-puzzles.com/?load=N4IgzglgXgpiBcAmANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYLgXWSEeffvy5A=",
    ),
)
SUDOKUPAD_LINK = Format(
    name="sudokupad-link",
    summary="links that open a puzzle of f-puzzles in SudokuPad",
    by_line=True,
    sniff=lambda text: links.linked(text) == "sudokupad-link",
    read=read_link,
    write=_to_sudokupad,
    keeps=(*EXTRAS,),
    examples=(
        "https://sudokupad.app/fpuzN4IgzglgXgpiBcAmANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYLgXWSEeffvy5A=",
    ),
)
FORMATS = (F_PUZZLES, SUDOKUPAD_LINK)
