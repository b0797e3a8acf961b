"""The content of each cell in a drawing of a board, for text and SVG alike; boards drawn for a terminal.

In text only region borders are drawn, so that any shape works in the same way: a line takes space only where some row
or column has one. Without colour everything is still distinct: ``.`` is blank, ``4'`` is filled while ``4`` is a clue,
``[4]`` is highlighted, ``(4)`` is highlighted second, ``{4}`` is both, ``4/7`` is where two witnesses differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from textwrap import wrap
from typing import TYPE_CHECKING, Literal, Protocol, Self

from gridproof.errors import BoardError
from gridproof.puzzle.geometry import Geometry
from gridproof.text import counted, plural

if TYPE_CHECKING:
    from gridproof.rules import Rule

LARGEST_ORDER_DESCRIBED = 16
"""Up to this order an accessible description spells out every row; beyond it nobody would listen on."""


class Drawable(Protocol):
    """The parts of a board that its drawings need; ``gridproof.Board`` has them."""

    @property
    def geometry(self) -> Geometry: ...
    @property
    def clues(self) -> Sequence[int]: ...
    @property
    def filled(self) -> Sequence[int]: ...
    @property
    def marks(self) -> Sequence[int] | None: ...
    @property
    def rules(self) -> Sequence[Rule]: ...
    def with_marks(self, marks: Iterable[int], /) -> Self: ...


@dataclass(frozen=True, slots=True)
class Content:
    """The content of one cell.

    kind: ``clue``, ``filled``, ``differs`` (two symbols, one of each witness), ``marks`` (ascending
    candidates; none at all where the cell has no candidate) or ``blank``. symbols: those that are written,
    1 .. order.
    """

    kind: Literal["clue", "filled", "differs", "marks", "blank"]
    symbols: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class BoardContents:
    """The content of each cell in reading order, and two highlighted groups."""

    geometry: Geometry
    cells: tuple[Content, ...]
    highlight: frozenset[int]
    second: frozenset[int]

    def count(self, kind: str) -> int:
        """Count the cells with this kind of content."""
        return sum(cell.kind == kind for cell in self.cells)


def contents_of(
    board: Drawable,
    highlight: Iterable[int],
    second: Iterable[int],
    candidates: Sequence[int | None] | None,
    differs: Mapping[int, tuple[int, int]] | None,
    *,
    free_is_blank: bool = False,
    symbols: Sequence[str] = (),
) -> BoardContents:
    """Return the contents of a drawing. The arguments are those of ``gridproof.pictures.board_svg``.

    free_is_blank: whether cells in which the board's own pencil marks rule nothing out are blank.

    Raises ``BoardError`` for a cell or a symbol the board has not, and for a wrong number of candidate masks.
    """
    geometry = board.geometry
    if symbols:
        geometry = geometry.with_symbol_texts(symbols)
    full = geometry.every_symbol
    masks: list[int | None] = [None] * geometry.cell_count  # of the candidates that are written, if any
    if candidates:
        full_for_none = [full if mask is None else mask for mask in candidates]
        board.with_marks(full_for_none)  # which refuses masks that the board has not
        masks = list(candidates)
    elif candidates is None and board.marks:
        masks = list(board.marks)
        if free_is_blank:
            masks = [None if mask == full else mask for mask in masks]
    pairs = differs or {}
    _refuse_strange_cells("differs", pairs, geometry)
    filled = board.filled or (0,) * geometry.cell_count
    cells = []
    for cell, (clue, entry, mask) in enumerate(zip(board.clues, filled, masks, strict=True)):
        if cell in pairs:
            cells.append(Content("differs", pairs[cell]))
        elif clue:
            cells.append(Content("clue", (clue,)))
        elif entry:
            cells.append(Content("filled", (entry,)))
        elif mask is not None:
            left = [symbol for symbol in geometry.symbols if mask >> (symbol - 1) & 1]
            cells.append(Content("marks", tuple(left)))
        else:
            cells.append(Content("blank"))
    first_group = frozenset(highlight)
    second_group = frozenset(second)
    _refuse_strange_cells("highlight", first_group, geometry)
    _refuse_strange_cells("second", second_group, geometry)
    return BoardContents(geometry, tuple(cells), first_group, second_group)


def differences(first: Sequence[int], second: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Find where two grids differ.

    Parameters
    ----------
    first, second : sequence of int
        The symbol of each cell.

    Returns
    -------
    dict of int to (int, int)
        Each cell in which they differ, with both symbols, as ``differs`` of the drawings takes it.

    Raises
    ------
    BoardError
        If the grids are not of one size.

    Examples
    --------
    >>> differences((1, 2, 2, 1), (1, 2, 1, 2))
    {2: (2, 1), 3: (1, 2)}
    """
    if len(first) != len(second):
        raise BoardError(f"grids of {len(first)} and {counted(len(second), 'cell')}; expected two grids of one board")
    return {cell: (a, b) for cell, (a, b) in enumerate(zip(first, second, strict=True)) if a != b}


def walls(geometry: Geometry) -> tuple[list[list[bool]], list[list[bool]]]:
    """Find the bold lines: around the board and between cells of different boxes or regions.

    The first table has for each row the places before, between and after its cells, the second for each place above,
    between and below the rows its columns.
    """
    n = geometry.columns
    region = geometry.region_of or (0,) * geometry.cell_count
    upright = []
    level = [[True] * n]
    for start in range(0, geometry.cell_count, n):
        row = region[start : start + n]
        row_below = region[start + n : start + 2 * n]
        between = [left != right for left, right in pairwise(row)]
        upright.append([True, *between, True])
        if row_below:
            level.append([above != below for above, below in zip(row, row_below, strict=True)])
    level.append([True] * n)
    return upright, level


def describe_contents(contents: BoardContents) -> str:
    """Return the contents in words, for people who do not see the picture."""
    geometry = contents.geometry
    numbers = []
    nouns = {"clue": plural("clue", contents.count("clue")), "filled": "filled", "marks": "with candidates"}
    for kind, noun in nouns.items():
        number = contents.count(kind)
        if number:
            numbers.append(f"{number} {noun}")
    parts = [", ".join(numbers) or "empty"]
    for cells, group in ((contents.highlight, "highlighted"), (contents.second, "highlighted second")):
        if cells:
            names = [geometry.cell_name(cell) for cell in sorted(cells)]
            parts.append(f"{group}: {', '.join(names)}")
    pairs = []
    for cell, content in enumerate(contents.cells):
        if content.kind == "differs":
            symbols = [geometry.symbol_text(symbol) for symbol in content.symbols]
            pairs.append(f"{geometry.cell_name(cell)} {' or '.join(symbols)}")
    if pairs:
        parts.append(f"differs: {', '.join(pairs)}")
    if geometry.columns <= LARGEST_ORDER_DESCRIBED:
        parts += describe_rows(contents)
    return "; ".join(parts)


def describe_rows(contents: BoardContents) -> Iterator[str]:
    """Yield the clues and filled symbols of each row, with ``_`` for every other cell."""
    n = contents.geometry.columns
    words = []
    for content in contents.cells:
        if content.kind in ("clue", "filled"):
            words.append(contents.geometry.symbol_text(content.symbols[0]))
        else:
            words.append("_")
    for row in range(contents.geometry.rows):
        yield f"row {row + 1}: {' '.join(words[row * n : row * n + n])}"


def _refuse_strange_cells(name: str, cells: Iterable[int], geometry: Geometry) -> None:
    """Refuse cells that the board does not have. name: the argument."""
    for cell in cells:
        if not 0 <= cell < geometry.cell_count:
            raise BoardError(f"{name} of cell {cell!r}; expected 0 to {geometry.cell_count - 1}")


# ---- in text ---------------------------------------------------------------------------------------------------------

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
    symbols: Sequence[str] = (),
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
    symbols : sequence of str
        The names of the symbols, such as ``"ABCD"``; by default its digits.

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
    contents = contents_of(board, highlight, second, candidates, differs, symbols=symbols)
    rows, n = contents.geometry.shape
    framed = bool(contents.highlight or contents.second)
    pad = "" if framed else " "  # where every cell brings a space or bracket to either side, none is needed
    texts = align_texts(contents, colour)
    widths = [len(text) + 2 * framed for text in texts[:n]]
    cells = [style_text(contents, cell, text, framed, colour) for cell, text in enumerate(texts)]
    upright, level = walls(contents.geometry)
    ruled = [any(column) for column in zip(*upright, strict=True)]  # the places at which a line runs in some row
    no_wall = [False] * (n + 1)
    lines = []
    for row in range(rows + 1):
        above = upright[row - 1] if row > 0 else no_wall
        below = upright[row] if row < rows else no_wall
        if any(level[row]):
            lines.append(_draw_line(level[row], above, below, ruled, widths, pad))
        if row < rows:
            parts = []
            for place, text in enumerate(cells[row * n : row * n + n] + [""]):  # at the last place there is no cell
                if ruled[place]:
                    parts.append(pad + (_LINES[12] if below[place] else " "))
                parts.append(pad + text)
            lines.append("".join(parts).strip())
    for rule in board.rules:
        lines += wrap(rule.sentence(contents.geometry), 98, initial_indent="- ", subsequent_indent="  ")
    return "\n".join(lines)


def _draw_line(
    level: Sequence[bool],
    above: Sequence[bool],
    below: Sequence[bool],
    ruled: Sequence[bool],
    widths: Sequence[int],
    pad: str,
) -> str:
    """Draw the line above a row, with the corner that fits where lines meet.

    level: whether a line runs above each column. above, below: whether one runs upright at each place between columns,
    in the row above and in the row below. ruled: whether one does in any row.
    """
    parts = []
    for place in range(len(widths) + 1):
        before = place > 0 and level[place - 1]
        after = place < len(widths) and level[place]
        left = _LINES[3 * before]
        right = _LINES[3 * after]
        parts.append(left * len(pad))  # no line ends where none crosses: what runs before runs on
        if ruled[place]:
            parts.append(_LINES[before + 2 * after + 4 * above[place] + 8 * below[place]])
            parts.append(right * len(pad))
        if place < len(widths):
            parts.append(right * widths[place])
    return "".join(parts).strip()


def style_text(contents: BoardContents, cell: int, text: str, framed: bool, colour: bool) -> str:
    """Return the text of a cell with brackets, or escapes of colour, for the groups that it is in."""
    group = 0
    if cell in contents.highlight:
        group += 1
    if cell in contents.second:
        group += 2
    if framed:
        before, after = _BRACKETS[0 if colour else group]
        text = f"{before}{text}{after}"
    styles = [_CONTENT_STYLES[contents.cells[cell].kind], _GROUP_STYLES[group]]
    style = ";".join([style for style in styles if style])
    if colour and style:
        return f"\x1b[{style}m{text}\x1b[0m"
    return text


def align_texts(contents: BoardContents, colour: bool) -> list[str]:
    """Return the text of each cell, padded to the width of its column."""
    geometry = contents.geometry
    n = geometry.columns
    marked = not colour and contents.count("filled") > 0
    nothing_ruled_out = all(
        len(content.symbols) == geometry.symbol_count for content in contents.cells if content.kind == "marks"
    )
    between = "" if geometry.symbol_characters else ","
    texts = []
    for content in contents.cells:
        symbols = [geometry.symbol_text(symbol) for symbol in content.symbols]
        text = between.join(symbols) or BLANK
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
        widths = [max([len(text) for text in texts[column::n]]) for column in range(n)]
        return [text.ljust(widths[cell % n]) for cell, text in enumerate(texts)]
    width = max([len(text) for text in texts])
    return [text.rjust(width) for text in texts]
