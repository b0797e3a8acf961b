"""Boards drawn for a terminal: the lines of boxes or regions and, between them, the cells.

Only region borders are drawn, so that any shape works in the same way: a line takes space only where some row
or column has one. Without colour everything is still distinct: ``.`` is blank, ``4'`` is filled while ``4``
is a clue, ``[4]`` is highlighted, ``(4)`` is highlighted second, ``{4}`` is both, ``4/7`` is where two
witnesses differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from textwrap import wrap

from gridproof.pictures.cells import Drawable, Picture, picture, walls

BLANK = "."
_LINES = " ╴╶─╵┘└┴╷┐┌┬│┤├┼"  # indexed by the arms that meet: left 1, right 2, up 4, down 8
_BRACKETS = ((" ", " "), ("[", "]"), ("(", ")"), ("{", "}"))  # indexed by group: highlight 1, second 2
_GROUP_STYLES = ("", "7", "7;33", "7;35")
_CONTENT_STYLES = {"clue": "1", "filled": "36", "differs": "1;31", "marks": "2", "blank": ""}


def board_text(
    board: Drawable,
    *,
    highlight: Iterable[int] = (),
    second: Iterable[int] = (),
    candidates: Sequence[int] | None = None,
    differs: Mapping[int, tuple[int, int]] | None = None,
    colour: bool = False,
) -> str:
    """Draw the board with lines of characters, and under it write a sentence for each rule.

    Parameters
    ----------
    board : Board
        What to draw.
    highlight, second : iterable of int
        Two groups of highlighted cells.
    candidates : sequence of int, optional
        A mask (bit symbol-1) for each cell, written out in cells that hold nothing else. By default the board's own
        pencil marks if it has any, ``()`` for none. They are blanks if they rule out nothing in any cell, and ``∅``
        in a cell that may hold no symbol.
    differs : mapping of int to (int, int), optional
        For a cell, the two symbols that two witnesses have there; see ``differences``.
    colour : bool
        ANSI escapes (bold clues, cyan filled symbols, reverse video) in place of marks and brackets.

    Returns
    -------
    str
        The lines, without the last line end.

    Raises
    ------
    BoardError
        For cells, symbols or masks that the board does not have.

    Examples
    --------
    >>> import gridproof
    >>> print(board_text(gridproof.parse("1... ..2. .3.. ...4")))
    ┌─────┬─────┐
    │ 1 . │ . . │
    │ . . │ 2 . │
    ├─────┼─────┤
    │ . 3 │ . . │
    │ . . │ . 4 │
    └─────┴─────┘
    """
    contents = picture(board, highlight, second, candidates, differs)
    n = contents.geometry.order
    framed = bool(contents.highlight or contents.second)
    pad = "" if framed else " "  # where every cell brings a space or bracket to either side, none is needed
    texts = _aligned(contents, colour)
    widths = [*(len(text) + 2 * framed for text in texts[:n]), 0]  # at the last place there is no cell
    cells = [_styled(contents, cell, text, framed, colour) for cell, text in enumerate(texts)]
    upright, level = walls(contents.geometry)
    ruled = [any(column) for column in zip(*upright, strict=True)]  # the places at which a line runs in some row
    outside = [False] * (n + 1)
    drawn = []
    for row, (above, below) in enumerate(pairwise([outside, *upright, outside])):
        parts: list[str] = []
        if any(level[row]):  # the line above a row, with the corner that fits where lines meet
            for place, (before, after) in enumerate(pairwise([False, *level[row], False])):
                left, right = _LINES[3 * before], _LINES[3 * after]
                corner = _LINES[before + 2 * after + 4 * above[place] + 8 * below[place]]
                # no line ends where none crosses: what runs before runs on
                parts.append(left * len(pad) + corner + right * len(pad) if ruled[place] else left * len(pad))
                parts.append(right * widths[place])
            drawn.append("".join(parts).strip())
        if row < n:
            parts = [
                f"{pad}{_LINES[12] if below[place] else ' '}{pad}{text}" if ruled[place] else f"{pad}{text}"
                for place, text in enumerate([*cells[row * n : row * n + n], ""])
            ]
            drawn.append("".join(parts).strip())
    for rule in board.rules:
        drawn += wrap(rule.sentence(contents.geometry), 98, initial_indent="- ", subsequent_indent="  ")
    return "\n".join(drawn)


def _styled(contents: Picture, cell: int, text: str, framed: bool, colour: bool) -> str:
    group = (cell in contents.highlight) + 2 * (cell in contents.second)
    if framed:
        before, after = _BRACKETS[0 if colour else group]
        text = f"{before}{text}{after}"
    style = ";".join(filter(None, (_CONTENT_STYLES[contents.cells[cell].kind], _GROUP_STYLES[group])))
    return f"\x1b[{style}m{text}\x1b[0m" if colour and style else text


def _aligned(contents: Picture, colour: bool) -> list[str]:
    """Return the text of each cell, padded to the width of its column."""
    geometry, n = contents.geometry, contents.geometry.order
    marked = not colour and contents.count("filled") > 0
    nothing_ruled_out = all(len(content.symbols) == n for content in contents.cells if content.kind == "marks")
    texts = []
    for content in contents.cells:
        symbols = list(map(geometry.symbol_text, content.symbols))
        text = ("" if geometry.symbol_characters else ",").join(symbols) or BLANK
        if content.kind == "differs":
            text = "/".join(symbols)
        elif content.kind == "marks" and nothing_ruled_out:
            text = BLANK
        elif content.kind == "marks" and not symbols:
            text = "∅"
        if marked and content.kind != "differs":
            text += "'" if content.kind == "filled" else " "
        texts.append(text)
    if any(len(content.symbols) > 1 for content in contents.cells):
        widths = [max(map(len, texts[column::n])) for column in range(n)]
        return [text.ljust(widths[cell % n]) for cell, text in enumerate(texts)]
    width = max(map(len, texts))
    return [text.rjust(width) for text in texts]
