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
from gridproof.formats.puzzle import Item, Puzzle, Unread, malformed
from gridproof.formats.reading import read_plain
from gridproof.formats.shapes import Shapes
from gridproof.text import quote


def _played(clues: str, shapes: Shapes, filled: tuple[int, ...] = (), **further: Any) -> Iterator[Item]:
    """Read clues. filled: the symbol that is filled in, for each cell, or 0. further: what the puzzle has beside."""
    for item in read_plain(clues, shapes):
        if isinstance(item, Puzzle):
            item = replace(item, board=replace(item.board, filled=filled if any(filled) else ()), **further)
        yield item


# ---- lines of HoDoKu's library: ``:0000:x:81 cells:excluded candidates:...``, with ``+`` before placed digits --------

_LINE = re.compile(r"\s*(?::[\w-]{4,8}:[^:]*:)?([0-9.]*(?:\+[1-9][0-9.]*)*)((?::[^:]*)*)\s*")


def _is_library_line(text: str) -> bool:
    line = _LINE.fullmatch(text) if "+" in text or text.lstrip()[:1] == ":" else None
    return line is not None and len(line[1]) > 15


def _read_hodoku(text: str, shapes: Shapes) -> Iterator[Item]:
    line = _LINE.fullmatch(text)
    if line is None:
        raise InputError(f"{quote(text.strip())} is no line of HoDoKu's library; expected :0000:x:81 cells:::")
    cells, excluded = re.findall(r"\+?.", line[1]), [*line[2].split(":"), "", ""][1].strip()
    notes = [511] * len(cells)
    for symbol, row, column in re.findall("([1-9])([1-9])([1-9])", excluded if len(cells) == 81 else ""):
        notes[9 * int(row) + int(column) - 10] &= ~(1 << (int(symbol) - 1))
    filled = tuple(int(cell[1:] or 0) for cell in cells)
    clues = "".join("." if cell[0] == "+" else cell for cell in cells)
    unread = (Unread("candidates", f"{quote(excluded)} excluded by a solver", False),)
    return _played(clues, shapes, filled, **({"unread": unread, "notes": tuple(notes)} if excluded else {}))


def _write_hodoku(puzzle: Puzzle) -> str:
    board = HODOKU.clues_only(puzzle, 9)
    entries = board.filled or (0,) * 81
    cells = to_line(board.clues, board.geometry)
    return f":0000:x:{''.join(f'+{entry}' if entry else cell for cell, entry in zip(cells, entries, strict=True))}:::"


HODOKU = Format(
    name="hodoku",
    summary="lines of HoDoKu's library",
    by_line=True,
    sniff=_is_library_line,
    read=_read_hodoku,
    write=_write_hodoku,
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


def _is_sdk(text: str) -> bool:
    lines = text.splitlines()
    first = next((line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    headed = any(map(_TAG.match, lines))
    return _HEADING.fullmatch(first) is not None or (headed and _FIRST_ROW.fullmatch(first) is not None)


def _read_sdk(text: str, shapes: Shapes) -> Iterator[Item]:
    tags = {key: words.strip() for key, words in (m.groups() for m in map(_TAG.match, text.splitlines()) if m)}
    puzzles: list[Item] = []
    name, part = "puzzle", ""
    for line in [*text.splitlines(), "[puzzle]"]:
        if not (heading := _HEADING.fullmatch(line)):
            part += f"{line}\n"
            continue
        for item in _played(part, shapes, title=tags.get("D", ""), author=tags.get("A", "")):
            last = puzzles[-1] if puzzles and name == "state" else None
            if isinstance(item, Puzzle) and isinstance(last, Puzzle) and not last.board.filled:
                puzzles[-1] = _filled(last, item)
            else:
                puzzles.append(item)
        name, part = heading[1].lower(), "\n" * (part.count("\n") + 1)
    yield from puzzles


def _filled(puzzle: Puzzle, state: Puzzle) -> Puzzle:
    """Return the puzzle with what was filled in: the state holds the clues, too."""
    if state.board.geometry != puzzle.board.geometry:
        raise InputError(f"[State] {quote(state.text)}; expected a grid of the size of the puzzle")
    filled = zip(puzzle.board.clues, state.board.clues, strict=True)
    entries = tuple(0 if clue else entry for clue, entry in filled)
    return replace(puzzle, board=replace(puzzle.board, filled=entries if any(entries) else ()))


def _write_sdk(puzzle: Puzzle) -> str:
    board = SDK.clues_only(puzzle)
    if not board.geometry.symbol_characters:
        raise SDK.refuse(f"a board of order {board.geometry.order}")
    tags = {"A": " ".join(puzzle.author.split()), "D": " ".join(puzzle.title.split())}
    lines = [f"#{key}{words}" for key, words in tags.items() if words]
    lines += ["[Puzzle]", to_rows_text(board.clues, board.geometry)]
    if any(board.filled):
        both = tuple(clue or entry for clue, entry in zip(board.clues, board.filled, strict=True))
        lines += ["[State]", to_rows_text(both, board.geometry)]
    return "\n".join(lines)


SDK = Format(
    name="sdk",
    summary="files of SadMan Sudoku, with what was filled in",
    endings=(".sdk",),
    comments=True,
    sniff=_is_sdk,
    read=_read_sdk,
    write=_write_sdk,
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


def _read_opensudoku(text: str, shapes: Shapes) -> Iterator[Item]:
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
        note = _NOTE.search(part[0])
        title, author = unescape(note["note"]) if note else names.get("name", ""), names.get("author", "")
        for item in _played(clues, shapes, tuple(map(int, placed)), title=title, author=author, line=line):
            if not isinstance(item, Puzzle):
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


def _write_opensudoku(puzzle: Puzzle) -> str:
    board = OPENSUDOKU.clues_only(puzzle, 9)
    cells = to_line(board.clues, board.geometry).replace(".", "0")
    return f'  <game created="0" state="1" time="0" last_played="0" data="{cells}" note="{escape(puzzle.title)}"/>'


OPENSUDOKU = Format(
    name="opensudoku",
    summary="files of OpenSudoku, with its saved games",
    endings=(".opensudoku", ".xml"),
    sniff=lambda text: _BEGINS.match(text) is not None,
    read=_read_opensudoku,
    write=_write_opensudoku,
    keeps=("title",),
    around=('<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku version="1">\n', "</opensudoku>\n"),
    examples=(
        "<?xml version='1.0'?>\n<opensudoku>\n  <name>One</name>\n  <game data=\""
        '530070000600195000098000060800060003400803001700020006060000280000419005000080079"/>\n</opensudoku>\n',
        '<game data="version: 1&#10;' + "5|0|0|" + "0|0|1|" * 80 + '"/>',
    ),
)
FORMATS = (HODOKU, SDK, OPENSUDOKU)
