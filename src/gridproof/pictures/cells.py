"""The content of each cell in a drawing of a board, for text and SVG alike; boards drawn for a terminal.

In text only region borders are drawn, so that any shape works in the same way: a line takes space only where some row
or column has one. Without colour everything is still distinct: ``.`` is blank, ``4'`` is filled while ``4`` is a clue,
``[4]`` is highlighted, ``(4)`` is highlighted second, ``{4}`` is both, ``4/7`` is where two witnesses differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import ne
from textwrap import wrap
from typing import TYPE_CHECKING, Literal, Protocol, Self

from gridproof.errors import BoardError
from gridproof.puzzle.geometry import Geometry

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
class Picture:
    """The content of each cell in reading order, and two highlighted groups."""

    geometry: Geometry
    cells: tuple[Content, ...]
    highlight: frozenset[int]
    second: frozenset[int]

    def count(self, kind: str) -> int:
        """Count the cells with this kind of content."""
        return sum(cell.kind == kind for cell in self.cells)


def picture(
    board: Drawable,
    highlight: Iterable[int],
    second: Iterable[int],
    candidates: Sequence[int | None] | None,
    differs: Mapping[int, tuple[int, int]] | None,
    *,
    free_is_blank: bool = False,
) -> Picture:
    """Return the contents of a drawing. The arguments are those of ``gridproof.pictures.board_svg``.

    free_is_blank: whether cells in which the board's own pencil marks rule nothing out are blank.

    Raises ``BoardError`` for a cell or a symbol the board has not, and for a wrong number of candidate masks.
    """
    geometry = board.geometry
    masks, full = board.marks, (1 << geometry.order) - 1
    if candidates is not None:
        given, free_is_blank = tuple(full if mask is None else mask for mask in candidates), False
        masks = board.with_marks(given).marks if given else None
    pairs = differs or {}
    _checked_cells("differs", pairs, geometry)
    filled = board.filled or (0,) * geometry.cell_count
    cells = []
    for cell, (clue, entry) in enumerate(zip(board.clues, filled, strict=True)):
        if cell in pairs:
            cells.append(Content("differs", pairs[cell]))
        elif clue or entry:
            cells.append(Content("clue" if clue else "filled", (clue or entry,)))
        elif masks and not (free_is_blank and masks[cell] == full) and (candidates or masks)[cell] is not None:
            mask = masks[cell]
            cells.append(Content("marks", tuple([s for s in range(1, geometry.order + 1) if mask >> (s - 1) & 1])))
        else:
            cells.append(Content("blank"))
    groups = [_checked_cells(what, group, geometry) for what, group in (("highlight", highlight), ("second", second))]
    return Picture(geometry, tuple(cells), *groups)


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
        raise BoardError(f"grids of {len(first)} and {len(second)} cells; expected two grids of one board")
    return {cell: (a, b) for cell, (a, b) in enumerate(zip(first, second, strict=True)) if a != b}


def walls(geometry: Geometry) -> tuple[list[list[bool]], list[list[bool]]]:
    """Find the bold lines: around the board and between cells of different boxes or regions.

    The first table has for each row the n+1 places before, between and after its cells; the second for
    each of the n+1 places above, between and below the rows its n columns.
    """
    n, region = geometry.order, geometry.region_of or (0,) * geometry.cell_count
    rows = [region[start : start + n] for start in range(0, n * n, n)]
    upright = [[True, *map(ne, row, row[1:]), True] for row in rows]
    level = [[True] * n, *(list(map(ne, above, below)) for above, below in pairwise(rows)), [True] * n]
    return upright, level


def description(picture: Picture) -> str:
    """Describe the picture in words, for people who do not see it."""
    geometry, n = picture.geometry, picture.geometry.order
    clues = picture.count("clue")
    names = {"clue": "clue" if clues == 1 else "clues", "filled": "filled", "marks": "with candidates"}
    parts = [
        ", ".join(f"{picture.count(kind)} {what}" for kind, what in names.items() if picture.count(kind)) or "empty"
    ]
    for cells, what in ((picture.highlight, "highlighted"), (picture.second, "highlighted second")):
        if cells:
            parts.append(f"{what}: {', '.join(map(geometry.cell_name, sorted(cells)))}")
    pairs = [
        f"{geometry.cell_name(cell)} {' or '.join(map(geometry.symbol_text, content.symbols))}"
        for cell, content in enumerate(picture.cells)
        if content.kind == "differs"
    ]
    if pairs:
        parts.append(f"differs: {', '.join(pairs)}")
    if n <= LARGEST_ORDER_DESCRIBED:
        words = [
            geometry.symbol_text(content.symbols[0]) if content.kind in ("clue", "filled") else "_"
            for content in picture.cells
        ]
        parts += [f"row {row + 1}: {' '.join(words[row * n : row * n + n])}" for row in range(n)]
    return "; ".join(parts)


def _checked_cells(what: str, cells: Iterable[int], geometry: Geometry) -> frozenset[int]:
    chosen = frozenset(cells)
    for cell in chosen:
        if not 0 <= cell < geometry.cell_count:
            raise BoardError(f"{what} of cell {cell!r}; expected 0 to {geometry.cell_count - 1}")
    return chosen


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
