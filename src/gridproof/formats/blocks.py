"""Blocks: lines without a blank line between them, and the puzzles that their rows make up.

With a geometry, n rows of n cells are a puzzle. Without one the order follows from the width of the rows; a
width that is a square may also mean one-line puzzles of a smaller order k (16 characters: a row of 16x16 or a
4x4 puzzle). Such lines are rows if their number is a multiple of their width and every board among them holds
a symbol above k; or if most of them hold one (a damaged board); else each line is a puzzle. An order without
geometry is never inferred, so with the usual boxes 9 characters are always a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isqrt

from gridproof.errors import PuzzleFormatError
from gridproof.formats.drawn import drawn_boxes, filled_up, is_numbered, without_numbers
from gridproof.formats.notation import Line, names
from gridproof.formats.one_line import geometry_of, line_item, misfit
from gridproof.formats.puzzle import Form, Item, Puzzle, readable
from gridproof.formats.readings import board_from_masks, mask_of_word, symbols_of, symbols_of_row
from gridproof.formats.shapes import Shapes, Zero
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry, Grid


def rows_of(lines: Sequence[Line], order: int) -> list[Line]:
    """The lines that are rows of a board of this order, without those that only separate.

    A line of dashes may be a row of blanks or a separator: it is a row where the other rows write blanks as
    dashes, or where rows would be missing without it.
    """
    sure = _sure(lines)
    both = [line for line in lines if line.kind == "cells" or (line.kind == "either" and line.fits(order, order))]
    dashes = not sure or any("-" in line.text for line in sure)
    for rows in (both, sure) if dashes else (sure, both):
        if rows and len(rows) % order == 0:
            return rows
    return sure


def _sure(lines: Sequence[Line]) -> list[Line]:
    """The lines that hold cells for sure."""
    return [line for line in lines if line.kind == "cells"]


def _shown(lines: Sequence[Line]) -> list[Line]:
    """The same; if there are none, those that may be rows of blanks."""
    return _sure(lines) or [line for line in lines if line.kind == "either"]


def settle(lines: Sequence[Line], shapes: Shapes, beside_a_line: bool = False) -> list[Item]:
    """The puzzles of a block, in order, or an error for the whole of it; nothing if it is mere decoration.

    ``beside_a_line``: a one-line puzzle follows at once, so that lines of no use as rows are damaged puzzles
    each.
    """
    lines = filled_up(lines)
    order = shapes.order
    items = _of_any_order(lines, shapes) if order is None else _as_rows(lines, order, shapes)
    if len(items) != 1 or isinstance(items[0], Puzzle):
        return items
    if numbered := _of_numbered_rows(lines, shapes):
        return numbered
    sure = _sure(lines)
    are_rows = order is not None and any(line.fits(order, order) for line in sure)
    if not beside_a_line or are_rows or len({line.size for line in sure}) < 2:
        return items
    return [misfit(line, order) for line in sure]


def likely_order(lines: Sequence[Line], shapes: Shapes) -> int | None:
    """The order that these lines have as rows, damaged or not; ``None`` without any cells."""
    if shapes.order is not None:
        return shapes.order
    candidates = _candidates(lines)
    return candidates[0] if candidates else None


def fill(puzzle: Puzzle, grid: Grid) -> str | None:
    """The puzzle's own text with each cell's symbol put in its place; ``None`` if a cell's width does not allow it."""
    geometry = puzzle.board.geometry
    order = geometry.order
    given = puzzle.text.split("\n")
    lines = [Line(number, text) for number, text in enumerate(given) if text.strip()]
    rows = lines if len(lines) == 1 else rows_of(lines, order)
    want = order * order // max(len(rows), 1)
    cell = 0
    for row in rows:
        spans = row.spans(want, order)
        if spans is None:
            return None
        pieces = []
        last = 0
        for start, end in spans:
            symbol = names(order, puzzle.symbols)[grid[cell] - 1]
            word = row.text[start:end]
            if len(symbol) > 1 or len(word.strip()) > 1 or row.given[start:end] in ('"', "'"):
                return None
            # between bars a cell may be nothing but blanks: its symbol goes to their middle
            before = len(word) - len(word.lstrip()) if word.strip() else len(word) // 2
            pieces += [row.given[last : start + before], symbol]
            last = min(start + before + 1, end)
            cell += 1
        given[row.number] = "".join(pieces) + row.given[last:]
    return "\n".join(given) if cell == len(grid) else None


# ---- rows of a known order -----------------------------------------------------------------------------------------


def _as_rows(lines: Sequence[Line], order: int, shapes: Shapes, other: str = "") -> list[Item]:
    rows = rows_of(lines, order)
    if not rows:
        return []
    if len(rows) % order:
        return [_wrong_number(lines, rows, order, other)]
    items: list[Item] = []
    for first in range(0, len(rows), order):
        last = first + order
        begin = lines[0].number if first == 0 else rows[first - 1].number + 1
        end = lines[-1].number if last == len(rows) else rows[last - 1].number
        text = _text(line for line in lines if begin <= line.number <= end)
        chunk = rows[first:last]
        try:
            puzzle = _puzzle(chunk, geometry_of(chunk[0], order, shapes, text), text, shapes.zero)
            if shapes.fixed is None:
                _refuse_other_readings(chunk, puzzle)
            items.append(puzzle)
        except PuzzleFormatError as error:
            items.append(error.with_traceback(None))
    return items


def _puzzle(rows: Sequence[Line], geometry: Geometry, text: str, zero: Zero | None) -> Puzzle:
    order, first = geometry.order, rows[0].number
    if 1 < order <= 9 and all(len(row.words) == order for row in rows) and any(row.size > order for row in rows):
        masks = [mask_of_word(word, order) for row in rows for word in row.words]
        if all(masks):
            return Puzzle(board_from_masks(geometry, masks), text=text, line=first, form=Form.MARK_GRID)
    found = symbols_of(rows, order, geometry, zero)
    if found is None:
        row = next(row for row in rows if not row.fits(order, order))
        width, column = _width_and_end(row, order)
        raise row.error(width, f"{order} cells", column)
    if any(bracket in text for bracket in "[({"):
        form = Form.LISTS
    elif any(row.bars for row in rows) or text.count("\n") >= len(rows):
        form = Form.DECORATED
    elif all(len(row.words) == order for row in rows) and order > 1:
        form = Form.NUMBERS
    else:
        form = Form.ROWS if all(len(row.words) == 1 for row in rows) else Form.DECORATED
    return Puzzle(Board(geometry, found[0]), text=text, line=first, form=form, symbols=found[1])


class _DrawnOtherwise(PuzzleFormatError):
    """Rows that are drawn in a way that speaks against the shape of their board, for which nobody asked."""


def _refuse_other_readings(rows: Sequence[Line], puzzle: Puzzle) -> None:
    """Raises ``_DrawnOtherwise``."""
    board, geometry, order = puzzle.board, puzzle.board.geometry, puzzle.board.geometry.order
    problem = expected = ""
    if is_numbered(board.clues, order):
        problem = f"a grid of {order}x{order} cells, or of {order - 1}x{order - 1} with numbers of its rows and columns"
        expected = "rows without numbers, or a shape for all puzzles (such as --boxes) that settles it"
    elif geometry.box_shape is not None:
        high, wide = drawn_boxes(rows, order)
        high, wide = high or order // (wide or geometry.box_shape[1]), wide or order // (high or geometry.box_shape[0])
        if (high, wide) != geometry.box_shape and high * wide == order:
            usual = "x".join(map(str, geometry.box_shape))
            problem = f"a grid drawn with boxes of {high}x{wide} cells"
            expected = f"boxes of {usual}, or the option --boxes {high}x{wide} (or {usual}) that settles it"
    if problem:
        raise _DrawnOtherwise(problem, text=readable(puzzle.text), expected=expected, line=rows[0].number, column=1)


def _of_numbered_rows(lines: Sequence[Line], shapes: Shapes) -> list[Item]:
    """The puzzle of a grid with numbers of its rows or columns; nothing if it is none, or could be a larger one."""
    rows = _sure(lines)
    for order in (shapes.order,) if shapes.order else (len(rows), len(rows) - 1):
        bare = without_numbers(lines, rows, order) if order > 1 else None
        if bare is None or not shapes.usable(order) or (len(rows) > order and _is_board(rows, shapes)):
            continue
        items = _as_rows(filled_up(bare), order, shapes)
        if len(items) == 1 and isinstance(items[0], Puzzle):
            return items
    return []


def _is_board(rows: Sequence[Line], shapes: Shapes) -> bool:
    """Whether all of these rows are a board without a contradiction at a glance."""
    if not shapes.usable(len(rows)) or not all(row.fits(len(rows), len(rows)) for row in rows):
        return False
    try:
        return not _puzzle(rows, shapes.geometry(len(rows)), "", shapes.zero).board.contradictions()
    except PuzzleFormatError:
        return False


def _text(lines: Iterable[Line]) -> str:
    """The lines as given, a blank line where some (blank lines, comments) lay between them."""
    parts: list[str] = []
    last = 0
    for line in lines:
        if parts and line.number > last + 1:
            parts.append("")
        parts.append(line.given)
        last = line.number
    return "\n".join(parts)


def _wrong_number(lines: Sequence[Line], rows: Sequence[Line], order: int, other: str) -> PuzzleFormatError:
    expected = f"{order} rows of {order} cells{other}"
    row = next((row for row in rows if not row.fits(order, order)), rows[0])
    if row is not rows[0] and len(rows) > order:
        width, column = _width_and_end(row, order)
        return row.error(f"{len(rows)} rows, this one {width}", expected, column)
    where = rows[order] if len(rows) > order else rows[0]
    return where.error(f"{len(rows)} row{'s' if len(rows) != 1 else ''}", expected, text=_text(lines))


def _width_and_end(row: Line, order: int) -> tuple[str, int]:
    """What is wrong with the width of a row, and the column where it ends or should end."""
    words = len(row.words)
    by_words = words > 1 and abs(words - order) <= abs(row.size - order)
    count = row.fields or (words if by_words else row.size)
    column = len(row.text.rstrip()) + 1
    if count > order:
        places = [place for place, _ in row.spans(count, max(order, 10)) or [] if place < len(row.text)]
        column = places[order] + 1 if len(places) > order else column
    return f"a row of {count} cell{'s' if count != 1 else ''}", column


# ---- rows or lines of an order to be found ---------------------------------------------------------------------------


def _of_any_order(lines: Sequence[Line], shapes: Shapes) -> list[Item]:
    candidates = _candidates(lines)
    if not candidates:
        return []
    shown = _shown(lines)
    for order in candidates:
        if shapes.usable(order):
            items = _as_rows(lines, order, shapes)
            if items and all(isinstance(item, Puzzle) for item in items) and not _rather_lines(items, shown, shapes):
                return items
            if any(isinstance(item, _DrawnOtherwise) for item in items):
                return items
    for root in _roots(shown, shapes):
        above = sum(_holds_above(line, root) for line in shown)
        results = [line_item(line, root, shapes) for line in shown]
        if above * 2 <= len(shown) and (len(shown) == 1 or any(isinstance(item, Puzzle) for item in results)):
            return results
    order = candidates[0]
    if all(symbols_of_row(line, order, order) is None for line in shown):
        expected = "as many rows as each has cells, or a puzzle on one line"
        return [lines[0].error("no puzzle", expected, text=_text(lines))]
    root = isqrt(order)
    other = ""
    if root > 1 and root * root == order:
        other = f", or {root}x{root} puzzles of one line each"
        other += "" if shapes.usable(root) else " with the option --latin or --jigsaw FILE"
    return _as_rows(lines, order, shapes, other)


def _candidates(lines: Sequence[Line]) -> list[int]:
    """The orders that lines may have as rows, the likeliest first."""
    shown = _shown(lines)
    votes: Counter[int] = Counter()
    for line in shown:
        votes.update(_widths(line))
    if not votes:
        return [len(shown)] if shown else []
    common = {order for order, count in votes.items() if 2 * count >= len(shown)} or {votes.most_common(1)[0][0]}
    if any(line.bars for line in shown):
        common.add(len(shown))

    def likelihood(order: int) -> tuple[bool, int, bool, int]:
        rows = len(rows_of(lines, order))
        return rows == order, votes[order], rows % order == 0, order

    return sorted(common, key=likelihood, reverse=True)


def _widths(line: Line) -> set[int]:
    """How many cells the line may be a row of: its words, or its characters where they can be symbols."""
    widths = {len(line.words), line.fields} - {0, 1}
    return widths | {size for size in (line.size, line.places) if 0 < size <= LARGEST_ORDER_IN_CHARACTERS}


def _roots(lines: Sequence[Line], shapes: Shapes) -> list[int]:
    """The orders that most of these lines have as one-line puzzles: in numbers first, then the largest first.

    In numbers, since their digits, counted as cells, may happen to be those of a larger board.
    """
    votes: Counter[int] = Counter()
    in_numbers = set()
    for line in lines:
        sizes = {len(line.words), line.size, line.fields, line.places}
        votes.update({isqrt(size) for size in sizes if size and isqrt(size) ** 2 == size})
        if any(len(word) > 1 and word.isdecimal() for word in line.words):
            in_numbers.add(isqrt(len(line.words)))
    likely = [root for root, count in votes.items() if 2 * count >= len(lines) and shapes.usable(root)]
    return sorted(likely, key=lambda root: (root in in_numbers, root), reverse=True)


def _rather_lines(items: Sequence[Item], lines: Sequence[Line], shapes: Shapes) -> bool:
    """Whether what can be read as boards of order k*k is, by its symbols, one puzzle of order k on each line."""
    boards = [item.board for item in items if isinstance(item, Puzzle)]
    root = isqrt(boards[0].geometry.order)
    if root * root != boards[0].geometry.order or root < 2 or not shapes.usable(root):
        return False
    # known already, while to read the lines anew takes as long as it took to read the boards
    if all(max(board.clues) > root for board in boards):
        letters_only = root < 6 and all(not 0 < clue < 10 for board in boards for clue in board.clues)
        return letters_only and all(isinstance(line_item(line, root, shapes), Puzzle) for line in lines)
    return all(isinstance(line_item(line, root, shapes), Puzzle) or _holds_above(line, root) for line in lines)


def _holds_above(line: Line, root: int) -> bool:
    """Whether the line, as a row of order root*root, holds a symbol that an order of ``root`` has not."""
    order = root * root
    return symbols_of_row(line, order, order) is not None and symbols_of_row(line, order, root) is None
