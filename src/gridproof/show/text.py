"""Boards drawn for a terminal: the lines of boxes or regions and, between them, the cells.

Only region borders are drawn, so that any shape works in the same way: a line takes space only where some row
or column has one. Without colour everything is still told apart: ``.`` is blank, ``4'`` is filled while ``4``
is a clue, ``[4]`` is highlighted, ``(4)`` is highlighted second, ``{4}`` is both, ``4/7`` is where two
witnesses differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING

from gridproof.puzzle.geometry import Geometry
from gridproof.show.cells import Picture, Shown, picture, walls

if TYPE_CHECKING:
    from gridproof.puzzle.board import Board

BLANK = "."
_UNICODE = " ╴╶─╵┘└┴╷┐┌┬│┤├┼"  # indexed by the arms that meet: left 1, right 2, up 4, down 8
_ASCII = " ---|+++|+++|+++"
_BRACKETS = ("  ", "[]", "()", "{}")  # indexed by group: highlight 1, second 2
_GROUP_STYLES = ("", "7", "7;33", "7;35")
_CONTENT_STYLES = {"clue": "1", "filled": "36", "differs": "1;31", "marks": "2", "blank": ""}


def board_text(
    board: Board,
    *,
    highlight: Iterable[int] = (),
    second: Iterable[int] = (),
    candidates: Sequence[int] | None = None,
    differs: Mapping[int, tuple[int, int]] | None = None,
    colour: bool = False,
    unicode: bool = True,
) -> str:
    """The board drawn with lines of characters, and under it a sentence for each rule; without a last newline.

    Parameters
    ----------
    board : Board
        What to draw.
    highlight, second : iterable of int
        Cells of two groups to stand out.
    candidates : sequence of int, optional
        A mask (bit symbol-1) for each cell, written out in cells that hold nothing else. By default the board's own
        pencil marks if it has any, ``()`` for none. They are blanks if they rule out nothing in any cell, and ``∅``
        (``!`` in ASCII) in a cell that may hold no symbol.
    differs : mapping of int to (int, int), optional
        For a cell, the two symbols that two witnesses have there; see ``differences``.
    colour : bool
        ANSI escapes (bold clues, cyan filled symbols, reverse video) in place of marks and brackets.
    unicode : bool
        Box-drawing lines, or ``+ - |``.

    Raises
    ------
    BoardError
        For cells, symbols or masks that the board does not have.

    Examples
    --------
    >>> import gridproof
    >>> print(board_text(gridproof.parse("1... ..2. .3.. ...4"), unicode=False))
    +-----+-----+
    | 1 . | . . |
    | . . | 2 . |
    +-----+-----+
    | . 3 | . . |
    | . . | . 4 |
    +-----+-----+
    """
    shown = picture(board, highlight, second, candidates, differs)
    upright, level = walls(shown.geometry)
    n = shown.geometry.order
    drawing = _Drawing(
        shown,
        texts=_aligned(shown, colour, unicode),
        upright=upright,
        level=level,
        ruled=[any(row[place] for row in upright) for place in range(n + 1)],
        framed=bool(shown.highlight or shown.second),
        colour=colour,
        lines=_UNICODE if unicode else _ASCII,
    )
    drawn = []
    for row in range(n + 1):
        if any(level[row]):
            drawn.append(drawing.rule(row))
        if row < n:
            drawn.append(drawing.row(row))
    for rule in board.rules:
        drawn += wrap(rule.sentence(shown.geometry), 98, initial_indent="- ", subsequent_indent="  ")
    return "\n".join(drawn)


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Texts of equal width in each column, and the places between columns.

    ruled: at which of the n+1 places left of, between and right of the columns a line runs in any row.
    framed: every cell brings its own space or bracket to either side; otherwise neighbours share a space.
    """

    shown: Picture
    texts: list[str]
    upright: list[list[bool]]
    level: list[list[bool]]
    ruled: list[bool]
    framed: bool
    colour: bool
    lines: str

    def row(self, row: int) -> str:
        """The line of text that shows the cells of a row."""
        n, pad = len(self.level) - 1, "" if self.framed else " "
        parts = []
        for place in range(n + 1):
            if self.ruled[place]:
                line = self.lines[12] if self.upright[row][place] else " "
                parts.append((pad if place else "") + line + (pad if place < n else ""))
            else:
                parts.append(pad)
            if place < n:
                parts.append(self._cell(row * n + place))
        return "".join(parts)

    def _cell(self, cell: int) -> str:
        group = (cell in self.shown.highlight) + 2 * (cell in self.shown.second)
        text = self.texts[cell]
        if self.framed:
            brackets = _BRACKETS[0 if self.colour else group]
            text = brackets[0] + text + brackets[1]
        if not self.colour:
            return text
        kind = self.shown.cells[cell].kind
        style = ";".join(filter(None, (_CONTENT_STYLES[kind], _GROUP_STYLES[group])))
        return f"\x1b[{style}m{text}\x1b[0m" if style else text

    def rule(self, row: int) -> str:
        """The line above a row (below the last one), with the corner that fits where lines meet."""
        n, pad = len(self.level) - 1, 0 if self.framed else 1
        level = self.level[row]
        parts = []
        for place in range(n + 1):
            before = place > 0 and level[place - 1]
            after = place < n and level[place]
            if self.ruled[place]:
                arms = before + 2 * after + 4 * (row > 0 and self.upright[row - 1][place])
                arms += 8 * (row < n and self.upright[row][place])
                parts.append(self.lines[3 * before] * (pad if place else 0) + self.lines[arms])
                parts.append(self.lines[3 * after] * (pad if place < n else 0))
            else:  # no line ends where none crosses: what runs before runs on
                parts.append(self.lines[3 * before] * pad)
            if place < n:
                parts.append(self.lines[3 * after] * (len(self.texts[place]) + 2 * self.framed))
        return "".join(parts)


def _aligned(shown: Picture, colour: bool, unicode: bool) -> list[str]:
    """The text of each cell, padded to the width of its column."""
    n = shown.geometry.order
    marked = not colour and any(content.kind == "filled" for content in shown.cells)
    nothing_ruled_out = all(len(content.symbols) == n for content in shown.cells if content.kind == "marks")
    texts = []
    for content in shown.cells:
        text = BLANK
        if content.kind != "marks" or not nothing_ruled_out:
            text = _content(content, shown.geometry, unicode)
        if marked and content.kind != "differs":
            text += "'" if content.kind == "filled" else " "
        texts.append(text)
    if any(len(content.symbols) > 1 for content in shown.cells):
        widths = [max(map(len, texts[column::n])) for column in range(n)]
        return [text.ljust(widths[cell % n]) for cell, text in enumerate(texts)]
    width = max(map(len, texts))
    return [text.rjust(width) for text in texts]


def _content(content: Shown, geometry: Geometry, unicode: bool) -> str:
    written = [geometry.symbol_text(symbol) for symbol in content.symbols]
    if content.kind == "differs":
        return "/".join(written)
    if content.kind == "marks" and not written:
        return "∅" if unicode else "!"
    return ("" if geometry.symbol_characters else ",").join(written) or BLANK
