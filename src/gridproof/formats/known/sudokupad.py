"""Links, JSON and shortened text of SudokuPad."""

from __future__ import annotations

import re

from gridproof.formats.catalog import Format
from gridproof.formats.known.f_puzzles import read_link
from gridproof.formats.links import linked

_BEGINS = re.compile(
    r"(?:scl|ctc|scf)[\w+/=% -]{24,}\s*$"
    r"|\s*\{(?:\s*(?:id|ce|cells|metadata)\s*:"
    r'|(?!.*"grid"\s*:).*"cells"\s*:\s*\[\s*(?:\[\s*(?:\{|\]|$)|$)'
    r'|\s*"(?:id|cellSize|metadata|regions|cages)"\s*:.*,\s*$)',
    re.IGNORECASE | re.DOTALL,
)


def _sniff(text: str) -> bool:
    return _BEGINS.match(text) is not None or linked(text) == "sudokupad"


FORMATS = (
    Format(
        name="sudokupad",
        summary="links of SudokuPad, their payloads, and the JSON or shortened text behind them",
        by_line=True,
        sniff=_sniff,
        read=read_link,
        examples=('{"cells": [[{"value": 1}, {}], [{}, {}]]}', "{id:'x',ce:[[{v:1},],[,]],re:[]}"),
    ),
)
