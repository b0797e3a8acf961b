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
from itertools import pairwise
from math import isqrt

from gridproof.errors import PuzzleFormatError
from gridproof.formats.lines import EXPECTED, Line, geometry_of, line_item, misfit, puzzle_of
from gridproof.formats.puzzle import Item, Puzzle, readable
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS


def rows_of(lines: Sequence[Line], order: int) -> list[Line]:
    """Return the lines that are rows of a board of this order, without those that only separate.

    A line of dashes may be a row of blanks or a separator: it is a row where the other rows write blanks as
    dashes, or where rows would be missing without it.
    """
    sure = [line for line in lines if line.kind == "cells"]
    both = [line for line in lines if line.kind == "cells" or (line.kind == "either" and line.fits(order, order))]
    dashes = not sure or any("-" in line.text for line in sure)
    for rows in (both, sure) if dashes else (sure, both):
        if rows and len(rows) % order == 0:
            return rows
    return sure


def likely_order(lines: Sequence[Line], shapes: Shapes) -> int:
    """Return the order that these lines have as rows, damaged or not; 0 without any cells."""
    return shapes.order or next(iter(_orders(lines)), 0)


def settle(lines: Sequence[Line], shapes: Shapes, beside_a_line: bool = False) -> list[Item]:
    """Return the puzzles of a block, in order, or an error for the whole of it; nothing if it is mere decoration.

    beside_a_line: a one-line puzzle follows at once, so that lines of no use as rows are damaged puzzles each.
    """
    order = shapes.order
    items = _of_any_order(lines, shapes) if order is None else _as_rows(lines, order, shapes)
    if len(items) != 1 or isinstance(items[0], Puzzle) or not beside_a_line:
        return items
    sure = [line for line in lines if line.kind == "cells"]
    likely = likely_order(lines, shapes)
    are_rows = any(line.fits(order, order) for line in sure) if order else 2 * len(sure) >= likely > 1
    return items if are_rows else [misfit(line, order) for line in sure]


# ---- rows of a known order -----------------------------------------------------------------------------------------


def _as_rows(lines: Sequence[Line], order: int, shapes: Shapes, other: str = "") -> list[Item]:
    """Return the boards of this order, or the errors in their places. other: what else would be right."""
    rows = rows_of(lines, order)
    if not rows:
        return []
    if len(rows) % order:
        return [_wrong_number(lines, rows, order, other)]
    items: list[Item] = []
    for first in range(0, len(rows), order):
        chunk = rows[first : first + order]
        begin = lines[0].number if first == 0 else rows[first - 1].number + 1
        end = lines[-1].number if first + order == len(rows) else chunk[-1].number
        text = _text(line for line in lines if begin <= line.number <= end)
        try:
            puzzle = puzzle_of(chunk, order, geometry_of(chunk[0], order, shapes, text), shapes.zero, text)
            if puzzle is None:
                row = next(row for row in chunk if not row.fits(order, order))
                width, column = _width_and_end(row, order)
                raise row.error(width, f"{order} cells", column)
            if shapes.fixed is None:
                _refuse_other_readings(chunk, puzzle)
            items.append(puzzle)
        except PuzzleFormatError as error:
            items.append(error.with_traceback(None))
    return items


def _text(lines: Iterable[Line]) -> str:
    """Return the lines as given, with a blank line where some (blank lines, comments) lay between them."""
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
    """Return a phrase for the width of a row, and the column where its cells end or should end."""
    by_words = len(row.words) > 1 and abs(len(row.words) - order) <= abs(row.size - order)
    count = len(row.fields) or (len(row.words) if by_words else row.size)
    spans = row.spans(count, LARGEST_ORDER_IN_CHARACTERS) or []
    column = spans[order][0] + 1 if count > order and len(spans) > order else len(row.text.rstrip()) + 1
    return f"a row of {count} cell{'s' if count != 1 else ''}", column


# ---- rows that are drawn in a way that speaks against their shape --------------------------------------------------


class _DrawnOtherwise(PuzzleFormatError):
    """Rows that are drawn in a way that speaks against the shape of their board, for which nobody asked."""


def _refuse_other_readings(rows: Sequence[Line], puzzle: Puzzle) -> None:
    """Raises ``_DrawnOtherwise`` if rows seem to be numbered, or if bars and rules show boxes of another shape."""
    board, order = puzzle.board, puzzle.board.geometry.order
    problem = expected = ""
    if _is_numbered(board.clues, order):
        problem = f"a grid of {order}x{order} cells, or of {order - 1}x{order - 1} with numbers of its rows and columns"
        expected = "rows without numbers, or a shape for all puzzles (such as --boxes) that settles it"
    elif board.geometry.box_shape is not None:
        usual_high, usual_wide = board.geometry.box_shape
        high, wide = _drawn_boxes(rows, order)
        high, wide = high or order // (wide or usual_wide), wide or order // (high or usual_high)
        if (high, wide) != (usual_high, usual_wide) and high * wide == order:
            usual = f"{usual_high}x{usual_wide}"
            problem = f"a grid drawn with boxes of {high}x{wide} cells"
            expected = f"boxes of {usual}, or the option --boxes {high}x{wide} (or {usual}) that settles it"
    if problem:
        raise _DrawnOtherwise(problem, text=readable(puzzle.text), expected=expected, line=rows[0].number, column=1)


def _is_numbered(symbols: Sequence[int], order: int) -> bool:
    """Return whether a grid begins with the numbers of its columns and rows, beside an empty corner."""
    if order < 3 or symbols[0] or symbols[order - 1] not in (order - 1, order - 2):
        return False
    row = list(symbols[1:order])
    return row == list(symbols[order::order]) and row in ([*range(1, order)], [*range(order - 1)])


def _drawn_boxes(rows: Sequence[Line], order: int) -> tuple[int | None, int | None]:
    """Return how many rows and columns the boxes have that rules and bars show; ``None`` where they show none."""
    bands = [1]
    for before, after in pairwise(rows):
        if after.number > before.number + 1:
            bands.append(0)
        bands[-1] += 1
    stacks = {_groups(row, order) for row in rows} if "|" in rows[0].text else {()}
    return _alike(tuple(bands), order), _alike(stacks.pop(), order) if len(stacks) == 1 else None


def _groups(row: Line, order: int) -> tuple[int, ...]:
    """Return how many cells stand between the bars of a row."""
    starts = [start for start, _ in row.spans(order, order) or []]
    edges = [-1, *(place for place, character in enumerate(row.text) if character == "|"), len(row.text)]
    groups = [sum(left < start < right for start in starts) for left, right in pairwise(edges)]
    return tuple(number for number in groups if number)


def _alike(groups: tuple[int, ...], order: int) -> int | None:
    return groups[0] if len({*groups}) == 1 and 1 < groups[0] < order and sum(groups) == order else None


# ---- rows or lines of an order to be found ---------------------------------------------------------------------------


def _of_any_order(lines: Sequence[Line], shapes: Shapes) -> list[Item]:
    content, orders = _content(lines), _orders(lines)
    alone: list[Item] = []
    for order in orders:
        rows = _as_rows(lines, order, shapes) if shapes.usable(order) else []
        boards = [item.board for item in rows if isinstance(item, Puzzle)]
        are_boards = bool(rows) and len(boards) == len(rows)
        if any(isinstance(item, _DrawnOtherwise) for item in rows):
            return rows
        root = isqrt(order)
        if root > 1 and root * root == order and shapes.usable(root):
            if are_boards and all(_is_beyond(board.clues, root) for board in boards):
                return rows
            small = [line_item(line, root, shapes) for line in content]
            if _rather_lines(small, boards if are_boards else [], root):
                return small
            alone = small if len(small) == 1 else alone
        if are_boards:
            return rows
    if alone or not content:
        return alone
    order = next(iter(orders), 0)
    root = isqrt(order)
    might_be_rows = order > 0 and shapes.usable(order) and all(line.fits(order, order) for line in content)
    if not might_be_rows and not any(line.symbols(order, order) for line in content):
        return [lines[0].error("no puzzle", EXPECTED, text=_text(lines))]
    other = ""
    if root > 1 and root * root == order:
        other = f", or {root}x{root} puzzles of one line each"
        other += "" if shapes.usable(root) else " with the option --latin or --jigsaw FILE"
    return _as_rows(lines, order, shapes, other)


def _content(lines: Sequence[Line]) -> list[Line]:
    """Return the lines that hold cells; if there are none, those that may be rows of blanks."""
    return [line for line in lines if line.kind == "cells"] or [line for line in lines if line.kind == "either"]


def _orders(lines: Sequence[Line]) -> list[int]:
    """Return the numbers of cells that at least half of these lines have, the likeliest first.

    Words come before characters: the digits of numbers, counted as cells, may happen to be those of a larger board.
    """
    content = _content(lines)
    counts: Counter[int] = Counter()
    for line in content:
        counts.update({len(line.words), len(line.fields), line.size} - {0, 1} or {line.size} - {0})
    in_words = {len(line.words) for line in content} | {len(line.fields) for line in content}
    common = [size for size, count in counts.items() if 2 * count >= len(content)] or [
        size for size, _ in counts.most_common(1)
    ]

    def likelihood(order: int) -> tuple[bool, int, bool, bool, int]:
        rows = len(rows_of(lines, order))
        return rows == order, counts[order], rows % order == 0, order in in_words, order

    return sorted(common, key=likelihood, reverse=True)


def _rather_lines(small: Sequence[Item], boards: Sequence[Board], root: int) -> bool:
    """Return whether lines are puzzles of order ``root``, some perhaps damaged, rather than rows of these boards."""
    good = [isinstance(item, Puzzle) for item in small]
    width = root * root
    rows = [board.clues[start : start + width] for board in boards for start in range(0, width * width, width)]
    if rows:
        return len(rows) == len(good) and all(one or _is_beyond(row, root) for one, row in zip(good, rows, strict=True))
    return 2 * sum(good) >= len(good)


def _is_beyond(clues: Sequence[int], root: int) -> bool:
    """Return whether a board of order root*root holds symbols that a puzzle of order ``root`` has in no alphabet."""
    return any(root < clue < 10 or clue > 9 + root for clue in clues)
