"""Boards drawn as SVG, for notebooks, browsers and documents.

The look is in presentation attributes, and there are no ids: many hosts strip style blocks, and several drawings in
one page must not meet. The only style block turns light colours into dark ones (see ``colours``). The background is
painted, so that the drawing is legible on any page. Vertical centring is computed, as not every viewer has
``dominant-baseline``. No meaning is in the colour alone: clues are bold, filled symbols are not; the first highlight is
a filled cell, the second a ring; differing witnesses are split by a slash.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from gridproof.pictures import colours
from gridproof.pictures.board_drawing import MARGIN, BoardDrawing
from gridproof.pictures.cells import Drawable, contents_of, describe_contents
from gridproof.pictures.document import FONTS, Svg, document, group, number, stroke
from gridproof.pictures.links import Link
from gridproof.pictures.pencil import PencilMarks
from gridproof.rules.drawing import Sketch


def board_svg(
    board: Drawable,
    *,
    highlight: Iterable[int] = (),
    second: Iterable[int] = (),
    candidates: Sequence[int | None] | None = None,
    differs: Mapping[int, tuple[int, int]] | None = None,
    struck: Collection[tuple[int, int]] = (),
    links: Sequence[Link] = (),
    wrong: Collection[int] = (),
    title: str | None = None,
    heading: str = "",
    notes: Iterable[str] | None = (),
    sketch: Iterable[Sketch] = (),
    pencil: PencilMarks | None = None,
    labels: bool = False,
    symbols: Sequence[str] = (),
    theme: colours.Theme = "auto",
) -> Svg:
    """Draw the board as a picture.

    Rules are drawn by the marks of their ``draw``. Windows, diagonals and extra houses are shaded; disjoint groups are
    not, as they would cover the whole board.

    Parameters
    ----------
    board : Board
        Its clues are bold, what is filled in is not.
    highlight, second : iterable of int
        Two groups of highlighted cells, filled and as rings.
    candidates : sequence of int or None, optional
        A mask (bit symbol-1) for each cell, drawn small in cells that hold nothing else, or ``None`` for a blank cell.
        By default the board's own pencil marks, if it has any, in cells where they rule something out; ``()`` for
        none. A cell without any left gets a red cross.
    differs : mapping of int to (int, int), optional
        For a cell without a clue, the two symbols that two witnesses have there, drawn in place of what is filled; see
        ``differences``.
    struck : collection of (int, int)
        Cells and symbols: the candidates that are struck out.
    links : sequence of gridproof.pictures.links.Link
        Strong and weak links between candidates, numbered in this order.
    wrong : collection of int
        Cells with a wrong entry.
    title : str, optional
        What the picture is called; by default what the board is.
    heading : str
        A text above the board.
    notes : iterable of str, optional
        Texts below the board; empty ones are left out. With ``None`` there are none, nor the names of rules that look
        alike, so that the picture keeps its size.
    sketch : iterable of Sketch
        What another program drew, pale and below everything else.
    pencil : PencilMarks, optional
        Corner and centre marks and colours of a solver.
    labels : bool
        Whether rows and columns are numbered. Then there is room for clues outside the grid in any case, so that two
        pictures of a puzzle that is being made have the same layout.
    symbols : sequence of str
        The names of the symbols, such as ``"ABCD"``; by default its digits. Rules are about digits nevertheless.
    theme : {"auto", "light", "dark"}
        Light and dark as the page is, or always one of them.

    Returns
    -------
    Svg
        A ``str`` that a notebook shows as a picture.

    Raises
    ------
    BoardError
        For cells, symbols or masks that the board does not have.

    Examples
    --------
    >>> import gridproof
    >>> picture = board_svg(gridproof.parse("1... ..2. .3.. ...4"), highlight=[0, 6], theme="light")
    >>> picture[:4], "Board of 4x4" in picture
    ('<svg', True)
    """
    with_notes = notes is not None
    notes = [note for note in notes or () if note]
    contents = contents_of(board, highlight, second, candidates, differs, free_is_blank=True, symbols=symbols)
    drawing = BoardDrawing(board, contents, heading, notes, labels=labels, legend=with_notes)
    geometry = board.geometry
    if title is None:
        title = heading or f"Board of {geometry.description}"
    words = [describe_contents(contents)]
    words += [rule.sentence(geometry) for rule in board.rules]
    words += notes
    parts = drawing.parts(struck, wrong, sketch, pencil or PencilMarks(), links)
    svg = document((drawing.width, drawing.height), title, parts, words="; ".join(words), theme=theme)
    svg.frame = (drawing.left, drawing.top, drawing.cell)
    svg.cells = contents.cells
    return svg


def icon(board: Drawable, *, theme: colours.Theme = "auto") -> Svg:
    """Draw the rules of a board and the cells that they name, at most three rows and columns: a picture of a kind.

    theme: as of ``board_svg``.

    Examples
    --------
    >>> import gridproof
    >>> icon(gridproof.parse("." * 16, rules="killer 10 r1c1 r1c2 r2c1")).size
    (89.0, 89.0)
    """
    n = board.geometry.columns
    drawing = BoardDrawing(board, contents_of(board, (), (), (), None), "", ())
    side = drawing.cell
    rows: set[int] = set()
    columns: set[int] = set()
    for rule in board.rules:
        for cell in rule.scope(board.geometry):
            rows.add(cell // n)
            columns.add(cell % n)
    # where the first three columns have all cells, what is outside the grid is kept, too
    first = min(columns) if max(columns) > 2 else 0
    right = min(3, max(columns) - first + 1)
    down = min(3, max(rows) + 1)
    grid = ""
    for x in range(right + 1):
        grid += f"M{(first + x) * side} 0v{down * side}"
    for y in range(down + 1):
        grid += f"M{first * side} {y * side}h{right * side}"
    parts = drawing.marks.under + [stroke(grid, colours.THIN_LINE)] + drawing.marks.over
    move = f"translate({number(drawing.left - first * side)} {number(drawing.top)})"
    size = (drawing.left + right * side + MARGIN, drawing.top + down * side + MARGIN)
    return document(size, "", group(parts, transform=move, font_family=FONTS, text_anchor="middle"), theme=theme)
