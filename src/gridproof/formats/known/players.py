"""Lines and files of programs that people play with: HoDoKu, SadMan Sudoku, OpenSudoku.

They hold clues and what a player or a solver has filled in: entries, which are no clues. The candidates that a solver
has excluded are missing in the notes: a verdict is about the puzzle as it was given, only steps go on from there. No
entity of a file of XML is ever expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import escape, unescape
from typing import Any

from gridproof.errors import InputError
from gridproof.formats.catalog import Format
from gridproof.formats.known.text import to_line, to_rows_text
from gridproof.formats.puzzle import Item, Puzzle, Unread
from gridproof.formats.reading import read_plain
from gridproof.formats.shapes import Shapes
from gridproof.text import quote


def _read_played(clues: str, shapes: Shapes, filled: tuple[int, ...] = (), **further: Any) -> Iterator[Item]:
    """Read clues. filled: the symbol that is filled in, for each cell, or 0. further: what the puzzle has beside."""
    for item in read_plain(clues, shapes):
        if isinstance(item, Puzzle):
            entries = filled if any(filled) else ()
            item = replace(item, board=replace(item.board, filled=entries), **further)
        yield item


# ---- lines of HoDoKu's library: ``:0000:x:81 cells:excluded candidates:...``, with ``+`` before placed digits --------

_LINE = re.compile(r"\s*(?::[\w-]{4,8}:[^:]*:)?([0-9.]*(?:\+[1-9][0-9.]*)*)((?::[^:]*)*)\s*")
_EXCLUDED = re.compile("([1-9])([1-9])([1-9])")
"""A candidate: its symbol, its row, its column."""

_FEWEST_CELLS = 16


def is_library_line(text: str) -> bool:
    """Return whether a text is a line of HoDoKu's library: it has fields, or placed digits."""
    if "+" not in text and not text.lstrip().startswith(":"):
        return False
    line = _LINE.fullmatch(text)
    return line is not None and len(line[1]) >= _FEWEST_CELLS


def read_hodoku(text: str, shapes: Shapes) -> Iterator[Item]:
    """Yield the puzzle of a line of HoDoKu's library."""
    line = _LINE.fullmatch(text)
    if line is None:
        raise InputError(f"{quote(text.strip())} is no line of HoDoKu's library; expected :0000:x:81 cells:::")
    cells = re.findall(r"\+?.", line[1])
    filled = []
    clues = ""
    for cell in cells:
        filled.append(int(cell[1:] or 0))
        clues += "." if cell.startswith("+") else cell
    parts = line[2].split(":")
    excluded = ""
    if len(parts) > 1:
        excluded = parts[1].strip()
    if not excluded:
        return _read_played(clues, shapes, tuple(filled))
    unread = Unread("candidates", f"{quote(excluded)} excluded by a solver", may_be_rule=False)
    return _read_played(clues, shapes, tuple(filled), unread=(unread,), notes=read_notes(excluded, len(cells)))


def read_notes(excluded: str, cells: int) -> tuple[int, ...]:
    """Return the candidates that are left in each cell, as masks."""
    notes = [511] * cells
    if cells == 81:
        for symbol, row, column in _EXCLUDED.findall(excluded):
            cell = 9 * (int(row) - 1) + int(column) - 1
            notes[cell] &= ~(1 << (int(symbol) - 1))
    return tuple(notes)


def write_hodoku(puzzle: Puzzle) -> str:
    """Return the line of a puzzle in HoDoKu's library. Raises ``BoardError``."""
    board = HODOKU.clues_only(puzzle, 9)
    cells = list(to_line(board.clues, board.geometry))
    for cell, entry in enumerate(board.filled):
        if entry:
            cells[cell] = f"+{entry}"
    return f":0000:x:{''.join(cells)}:::"


HODOKU = Format(
    name="hodoku",
    summary="lines of HoDoKu's library",
    by_line=True,
    sniff=is_library_line,
    read=read_hodoku,
    write=write_hodoku,
    keeps=("filled digits",),
    examples=(
        ":0000:x:53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:::",
        ":0701-1:2:53+4.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:121 221:288:",
    ),
)

# ---- files .sdk of SadMan Sudoku: ``#A`` the author, ``#D`` what it is, rows, below ``[State]`` what was filled in ---

_HEADING = re.compile(r"\s*\[(puzzle|state)\]\s*", re.IGNORECASE)
_TAG = re.compile(r"\s*#([ABCDLSU])(?=\S)(.*)")
_FIRST_ROW = re.compile(r"[\w.*-]{4,35}")


def is_sdk(text: str) -> bool:
    """Return whether a text begins as a file of SadMan Sudoku: with a heading, or tags before a row."""
    lines = text.splitlines()
    first = ""
    for line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            first = line.strip()
            break
    if _HEADING.fullmatch(first):
        return True
    has_tag = any(_TAG.match(line) for line in lines)
    return has_tag and _FIRST_ROW.fullmatch(first) is not None


def read_sdk(text: str, shapes: Shapes) -> Iterator[Item]:
    """Yield the puzzles of a file of SadMan Sudoku, with what was filled in below them."""
    lines = text.splitlines()
    tags: dict[str, str] = {}
    for line in lines:
        tag = _TAG.match(line)
        if tag:
            tags[tag[1]] = tag[2].strip()
    items: list[Item] = []
    heading = "puzzle"
    part: list[str] = []
    begin = 0
    for number, line in enumerate(lines + ["[puzzle]"]):
        found = _HEADING.fullmatch(line)
        if not found:
            part.append(line)
            continue
        below = shapes.at(shapes.place._replace(line=shapes.place.line + begin))
        for item in _read_played("\n".join(part), below, title=tags.get("D", ""), author=tags.get("A", "")):
            last = None
            if items and heading == "state":
                last = items[-1]
            if isinstance(item, Puzzle) and isinstance(last, Puzzle) and not last.board.filled:
                items[-1] = fill_in(last, item)
            else:
                items.append(item)
        heading = found[1].lower()
        part = []
        begin = number + 1
    yield from items


def fill_in(puzzle: Puzzle, state: Puzzle) -> Puzzle:
    """Return the puzzle with what was filled in: the state holds the clues, too."""
    if state.board.geometry != puzzle.board.geometry:
        raise InputError(f"[State] {quote(state.text)}; expected a grid of the size of the puzzle")
    entries = []
    for clue, entry in zip(puzzle.board.clues, state.board.clues, strict=True):
        entries.append(0 if clue else entry)
    return replace(puzzle, board=replace(puzzle.board, filled=tuple(entries) if any(entries) else ()))


def write_sdk(puzzle: Puzzle) -> str:
    """Return the file of a puzzle for SadMan Sudoku. Raises ``BoardError``."""
    board = SDK.clues_only(puzzle)
    if not board.geometry.symbol_characters:
        raise SDK.refuse(f"a board of order {board.geometry.order}")
    lines = []
    for key, text in (("A", puzzle.author), ("D", puzzle.title)):
        words = " ".join(text.split())
        if words:
            lines.append(f"#{key}{words}")
    lines += ["[Puzzle]", to_rows_text(board.clues, board.geometry)]
    if any(board.filled):
        both = [clue or entry for clue, entry in zip(board.clues, board.filled, strict=True)]
        lines += ["[State]", to_rows_text(both, board.geometry)]
    return "\n".join(lines)


SDK = Format(
    name="sdk",
    summary="files of SadMan Sudoku, with what was filled in",
    endings=(".sdk",),
    comments=True,
    sniff=is_sdk,
    read=read_sdk,
    write=write_sdk,
    keeps=("title", "author", "filled digits"),
    several=False,
    examples=(
        "#ANobody\n#DSmall\n[Puzzle]\n1...\n....\n....\n...2\n[State]\n12..\n....\n....\n...2\n",
        "#DSmall\n1...\n....\n....\n...2\n",
    ),
)

# ---- files of OpenSudoku: XML, of which games, names and authors are read --------------------------------------------

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


def read_opensudoku(text: str, shapes: Shapes) -> Iterator[Item]:
    """Yield the puzzles of a file of OpenSudoku, or the error in the place of a saved game that is none."""
    names = {"name": "", "author": ""}
    place = shapes.place
    line = place.line
    counted_to = 0
    for part in _PART.finditer(text):
        if part["tag"]:
            names[part["tag"].lower()] = unescape(part["text"]).strip()
            continue
        line += text.count("\n", counted_to, part.start())
        counted_to = part.start()
        cells = unescape(part["cells"]).replace("\\n", "\n")
        clues, placed = read_saved_game(cells) if "|" in cells else (cells, "")
        if not clues.strip():
            expected = "81 cells, or 81 times value|notes|whether it may be changed|"
            yield place.error("a saved game of OpenSudoku", part[0], expected, line)
            continue
        note = _NOTE.search(part[0])
        title = unescape(note["note"]) if note else names["name"]
        filled = tuple([int(digit) for digit in placed])
        # the cells are on one line of the file, however many lines they are themselves
        for item in _read_played(clues.strip(), shapes.at(place._replace(line=line)), filled):
            if isinstance(item, Puzzle):
                item = replace(item, title=title, author=names["author"], line=line)
            yield item


def read_saved_game(text: str) -> tuple[str, str]:
    """Return the clues and what was placed in a saved game, whose cells have a value, notes, and a mark if free.

    Both are empty if it is none.
    """
    saved = _SAVED.fullmatch(text)
    if not saved:
        return "", ""
    fields = saved[1].split("|")[:-1]
    width, rest = divmod(len(fields), 81)
    if width not in (3, 4) or rest:
        return "", ""
    clues = placed = ""
    for start in range(0, len(fields), width):
        value = fields[start]
        is_free = fields[start + width - 1] == "1"
        if not re.fullmatch("[0-9]", value):
            return "", ""
        clues += "0" if is_free else value
        placed += value if is_free else "0"
    return clues, placed


def write_opensudoku(puzzle: Puzzle) -> str:
    """Return the element of a puzzle in a file of OpenSudoku. Raises ``BoardError``."""
    board = OPENSUDOKU.clues_only(puzzle, 9)
    cells = to_line(board.clues, board.geometry).replace(".", "0")
    return f'  <game created="0" state="1" time="0" last_played="0" data="{cells}" note="{escape(puzzle.title)}"/>'


OPENSUDOKU = Format(
    name="opensudoku",
    summary="files of OpenSudoku, with its saved games",
    endings=(".opensudoku", ".xml"),
    sniff=lambda text: _BEGINS.match(text) is not None,
    read=read_opensudoku,
    write=write_opensudoku,
    keeps=("title",),
    around=('<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku version="1">\n', "</opensudoku>\n"),
    examples=(
        "<?xml version='1.0'?>\n<opensudoku>\n  <name>One</name>\n  <game data=\""
        '530070000600195000098000060800060003400803001700020006060000280000419005000080079"/>\n</opensudoku>\n',
        '<game data="version: 1&#10;' + "5|0|0|" + "0|0|1|" * 80 + '"/>',
    ),
)
FORMATS = (HODOKU, SDK, OPENSUDOKU)
