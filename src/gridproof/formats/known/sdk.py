"""Files .sdk of SadMan Sudoku: ``#A`` the author, ``#D`` what it is, rows, and below ``[State]`` what was filled in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from gridproof.errors import InputError, PuzzleFormatError, shortened
from gridproof.formats.catalog import Format
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.reading import read_plain
from gridproof.formats.shapes import Shapes
from gridproof.formats.writing import to_rows_text

_HEADING = re.compile(r"\s*\[(puzzle|state)\]\s*", re.IGNORECASE)
_TAG = re.compile(r"\s*#([ABCDLSU])(?=\S)(.*)")
_FIRST_ROW = re.compile(r"[\w.*-]{4,35}")


def _sniff(text: str) -> bool:
    lines = text.splitlines()
    first = next((line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")), "")
    headed = any(map(_TAG.match, lines))
    return _HEADING.fullmatch(first) is not None or (headed and _FIRST_ROW.fullmatch(first) is not None)


def _read(text: str, shapes: Shapes) -> Iterator[Puzzle | PuzzleFormatError]:
    tags = {key: words.strip() for key, words in (m.groups() for m in map(_TAG.match, text.splitlines()) if m)}
    puzzles: list[Puzzle | PuzzleFormatError] = []
    name, part = "puzzle", ""
    for line in [*text.splitlines(), "[puzzle]"]:
        if not (heading := _HEADING.fullmatch(line)):
            part += f"{line}\n"
            continue
        for item in read_plain(part, shapes):
            last = puzzles[-1] if puzzles and name == "state" else None
            if isinstance(item, Puzzle) and isinstance(last, Puzzle) and not last.board.filled:
                puzzles[-1] = _filled(last, item)
            elif isinstance(item, Puzzle):
                puzzles.append(replace(item, title=tags.get("D", ""), author=tags.get("A", "")))
            else:
                puzzles.append(item)
        name, part = heading[1].lower(), "\n" * (part.count("\n") + 1)
    yield from puzzles


def _filled(puzzle: Puzzle, state: Puzzle) -> Puzzle:
    """Return the puzzle with what was filled in: the state holds the clues, too."""
    if state.board.geometry != puzzle.board.geometry:
        raise InputError(f"[State] {shortened(state.text)}; expected a grid of the size of the puzzle")
    filled = zip(puzzle.board.clues, state.board.clues, strict=True)
    entries = tuple(0 if clue else entry for clue, entry in filled)
    return replace(puzzle, board=replace(puzzle.board, filled=entries if any(entries) else ()))


def _write(puzzle: Puzzle) -> str:
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
    sniff=_sniff,
    read=_read,
    write=_write,
    keeps=("title", "author", "filled digits"),
    several=False,
    examples=(
        "#ANobody\n#DSmall\n[Puzzle]\n1...\n....\n....\n...2\n[State]\n12..\n....\n....\n...2\n",
        "#DSmall\n1...\n....\n....\n...2\n",
    ),
)
FORMATS = (SDK,)
