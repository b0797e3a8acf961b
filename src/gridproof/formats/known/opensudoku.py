"""Files of OpenSudoku: XML, of which games, names and authors are read. No entity is ever expanded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape, unescape

from gridproof.errors import PuzzleFormatError
from gridproof.formats.catalog import Format
from gridproof.formats.puzzle import Puzzle, malformed
from gridproof.formats.reading import read_plain
from gridproof.formats.shapes import Shapes
from gridproof.formats.writing import to_line

_TAGS = "opensudoku|folder|game"
_BEGINS = re.compile(
    rf"\s*</?(?:{_TAGS}|name|author|description|comment|created|source|level|sourceurl)\b"
    rf"|\s*<(?:\?xml|!)(?:.*<(?:{_TAGS})\b|[^\n]*\s*$)",
    re.IGNORECASE | re.DOTALL,
)
_PART = re.compile(
    r"<(?P<tag>name|author)>(?P<text>[^<]{0,1000})</(?P=tag)>|<game\b[^<>]{0,100000}?\bdata=(?P<q>[\"'])(?P<cells>.*?)(?P=q)"
    r"(?:[^<>]{0,100000}>)?",
    re.IGNORECASE | re.DOTALL,
)
_NOTE = re.compile(r"\bnote=([\"'])(?P<note>.+?)\1", re.DOTALL)
_SAVED = re.compile(r"\s*version: \d+\s+((?:[^|]*\|)+)\s*")


def _read(text: str, shapes: Shapes) -> Iterator[Puzzle | PuzzleFormatError]:
    names: dict[str, str] = {}
    line, place = 1, 0
    for part in _PART.finditer(text):
        if part["tag"]:
            names[part["tag"].lower()] = unescape(part["text"]).strip()
            continue
        line, place = line + text.count("\n", place, part.start()), part.start()
        cells = unescape(part["cells"]).replace("\\n", "\n")
        clues, placed = _saved(cells) if "|" in cells else (cells, "")
        if not clues.strip():
            expected = "81 cells, or 81 times value|notes|whether it may be changed|"
            yield malformed("a saved game of OpenSudoku", part[0], expected, line)
            continue
        entries = tuple(map(int, placed)) if placed.strip("0") else ()
        note = _NOTE.search(part[0])
        title, author = unescape(note["note"]) if note else names.get("name", ""), names.get("author", "")
        for item in read_plain(clues, shapes):
            if isinstance(item, Puzzle):
                board = replace(item.board, filled=entries)
                yield replace(item, board=board, title=title, author=author, line=line)
            else:
                item.line = line
                yield item


def _saved(text: str) -> tuple[str, str]:
    """Return the clues and what was placed in a saved game, whose cells have a value, notes, and a mark if free."""
    saved = _SAVED.fullmatch(text)
    fields = saved[1].split("|")[:-1] if saved else []
    width, rest = divmod(len(fields), 81)
    cells = list(zip(fields[::width], fields[width - 1 :: width], strict=True)) if width in (3, 4) and not rest else []
    if not all(re.fullmatch("[0-9]", value) for value, _ in cells):
        return "", ""
    given = ["0" if free == "1" else value for value, free in cells]
    return "".join(given), "".join(value if free == "1" else "0" for value, free in cells)


def _write(puzzle: Puzzle) -> str:
    board = OPENSUDOKU.clues_only(puzzle, 9)
    cells = to_line(board.clues, board.geometry).replace(".", "0")
    return f'  <game created="0" state="1" time="0" last_played="0" data="{cells}" note="{escape(puzzle.title)}"/>'


OPENSUDOKU = Format(
    name="opensudoku",
    summary="files of OpenSudoku, with its saved games",
    endings=(".opensudoku", ".xml"),
    sniff=lambda text: _BEGINS.match(text) is not None,
    read=_read,
    write=_write,
    keeps=("title",),
    around=('<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku version="1">\n', "</opensudoku>\n"),
    examples=(
        "<?xml version='1.0'?>\n<opensudoku>\n  <name>One</name>\n  <game data=\""
        '530070000600195000098000060800060003400803001700020006060000280000419005000080079"/>\n</opensudoku>\n',
        '<game data="version: 1&#10;' + "5|0|0|" + "0|0|1|" * 80 + '"/>',
    ),
)
FORMATS = (OPENSUDOKU,)
