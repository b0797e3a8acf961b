"""Links, JSON and shortened text of SudokuPad."""

from __future__ import annotations

import re
from urllib.parse import quote

from gridproof.formats.catalog import EXTRAS, Format
from gridproof.formats.known.f_puzzles import read_link
from gridproof.formats.links import linked
from gridproof.formats.puzzle import Puzzle

_BEGINS = re.compile(
    r"(?:scl|ctc|scf)[\w+/=% -]{24,}\s*$"
    r"|\s*\{(?:\s*(?:id|ce|cells|metadata)\s*:"
    r'|(?!.*"grid"\s*:).*"cells"\s*:\s*\[\s*(?:\[\s*(?:\{|\]|$)|$)'
    r'|\s*"(?:id|cellSize|metadata|regions|cages)"\s*:.*,\s*$)',
    re.IGNORECASE | re.DOTALL,
)


def _sniff(text: str) -> bool:
    return _BEGINS.match(text) is not None or linked(text) == "sudokupad"


def _write(puzzle: Puzzle) -> str:
    from gridproof.formats.known.sudokupad.data import json_of
    from gridproof.formats.lzstring import packed

    return f"https://sudokupad.app/?puzzleid=scl{quote(packed(json_of(puzzle, SUDOKUPAD.refuse)), safe='')}"


SUDOKUPAD = Format(
    name="sudokupad",
    summary="links of SudokuPad, their payloads, and the JSON or shortened text behind them",
    by_line=True,
    sniff=_sniff,
    read=read_link,
    write=_write,
    keeps=(*EXTRAS,),
    examples=('{"cells": [[{"value": 1}, {}], [{}, {}]]}', "{id:'x',ce:[[{v:1},],[,]],re:[]}"),
)
FORMATS = (SUDOKUPAD,)
