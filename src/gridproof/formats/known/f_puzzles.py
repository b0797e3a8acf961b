"""Links and JSON of f-puzzles, which SudokuPad opens as well."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gridproof.formats.catalog import Format
from gridproof.formats.notation import Shapes
from gridproof.formats.sheet import Sheet

_BEGINS = re.compile(
    r"[\W_]{0,3}(?:https?://)?(?:"
    r"(?:[\w-]+\.)*f-puzzles\.com\b"
    r"|(?:[\w-]+\.)*(?:sudokupad\.app|crackingthecryptic\.com)/\S*?fpuz"
    r"|(?:fpuz(?:zles)?|N4I)[\w+/=%-]{12,}\s*$)"
    r'|\s*\{(?:.*"grid"\s*:\s*\[\s*(?:\[\s*(?:\{|$)|$)|\s*"(?:size|title|author|ruleset)"\s*:.*,\s*$)',
    re.IGNORECASE | re.DOTALL,
)


def _sniff(text: str) -> bool:
    return _BEGINS.match(text) is not None


def read_link(text: str, _: Shapes) -> Iterator[Sheet]:
    """The sheet of a link, also of one in brackets or quotes, or of what is behind it."""
    from gridproof.formats import links

    yield links.read(text if "{" in text else text.strip(" \t\r\n<>()[]\"'*"))


FORMATS = (
    Format(
        name="f-puzzles",
        summary="links of f-puzzles, also those that open in SudokuPad, their payloads, and the JSON behind them",
        by_line=True,
        sniff=_sniff,
        read=read_link,
        examples=(
            '{"size": 2, "title": "Small", "grid": [[{"value": 1, "given": true}, {}], [{}, {}]]}',
            "https://f-puzzles.com/?load=N4IgzglgXgpiBcAmANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYLgXWSEeffvy5A=",
        ),
    ),
)
