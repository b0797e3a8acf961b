"""Every reading of a block of lines, each complete, and the one decision between them.

A block can be *rows* of boards, n lines of n cells each, or *one puzzle a line*. With a geometry n is known. Without
one it follows from the width of the lines; a width that is a square, such as 16, may mean both: a row of 16x16, or a
4x4 puzzle. If one reading has no fault, it is taken. If two have none, and make different puzzles, the block is refused
with both named. If none has, the errors are those of the nearest one.

An order without geometry is never inferred, so with the usual boxes 9 characters are always a row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isqrt
from typing import NamedTuple

from gridproof.errors import PuzzleFormatError
from gridproof.formats.layouts import EXPECTED, contradiction, make_puzzle, misfit, puzzle_on_line
from gridproof.formats.lines import LineKind, TextLine, sign_for_blanks
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.formats.shapes import Shapes
from gridproof.text import counted


class BlockReading(NamedTuple):
    """The puzzles that a block of lines is under one assumption.

    name: the assumption, in words. items: the puzzles, and the errors in their places. lines: how many lines hold cells
    under it. lines_read: how many of these are parts of a board.
    """

    name: str
    items: list[Item]
    lines: int
    lines_read: int

    @property
    def is_whole(self) -> bool:
        """True if all lines are parts of boards."""
        return self.lines_read == self.lines


def read_block(lines: Sequence[TextLine], shapes: Shapes) -> list[Item]:
    """Return the puzzles of a block, in order, or the errors in their places; nothing if it is mere decoration."""
    readings = list_readings(lines, shapes)
    whole = [reading for reading in readings if reading.is_whole]
    if not whole:
        return find_nearest_errors(lines, readings, shapes)
    first = whole[0]
    for other in whole[1:]:
        if other.items != first.items:
            problem = f"two readings, {first.name} or {other.name}"
            expected = "a shape for all puzzles (such as --boxes) that settles it"
            return [lines[0].error(problem, expected, text=join_lines(lines))]
    return first.items


def list_readings(lines: Sequence[TextLine], shapes: Shapes) -> list[BlockReading]:
    """Return every reading of a block, the likelier before the others; none of mere decoration."""
    readings: list[BlockReading] = []
    orders = likely_orders(lines)
    if shapes.order is not None:
        orders = [shapes.order]
    for order in orders:
        rows = rows_of(lines, order)
        as_rows = None
        if rows and shapes.usable(order):
            as_rows = read_as_rows(lines, rows, order, shapes)
        root = order
        if shapes.order is None:
            root = _order_of_lines(order)
        as_lines = None
        if root and shapes.usable(root):
            as_lines = read_as_lines(lines, root, shapes)
        if as_lines is None:
            readings += [as_rows] if as_rows is not None else []
        elif as_rows is None or (shapes.order is None and are_small_puzzles(as_lines, as_rows, root)):
            readings.append(as_lines)  # sixteen lines without any symbol above 4 are 4x4 puzzles all the same
        else:
            readings += [as_rows, as_lines]
    return readings


def are_small_puzzles(as_lines: BlockReading, as_rows: BlockReading, root: int) -> bool:
    """Return whether lines are puzzles of order ``root``, some perhaps damaged, though they would be rows as well.

    They are if one of the boards of rows has no symbol beyond those of such a puzzle, and every line that is no puzzle
    has one: it is the damage.
    """
    if not as_rows.is_whole or as_rows.lines != len(as_lines.items):
        return False
    boards = [item.board.clues for item in as_rows.items if isinstance(item, Puzzle)]
    if all(_is_beyond(clues, root) for clues in boards):
        return False
    order = root * root
    rows = []
    for clues in boards:
        for start in range(0, order * order, order):
            rows.append(clues[start : start + order])
    for item, row in zip(as_lines.items, rows, strict=False):
        if not isinstance(item, Puzzle) and not _is_beyond(row, root):
            return False
    return True


def _is_beyond(clues: Sequence[int], root: int) -> bool:
    """Return whether cells hold a symbol that a puzzle of order ``root`` has in no alphabet."""
    return any(root < clue < 10 or clue > 9 + root for clue in clues)


# ---- rows of a board -------------------------------------------------------------------------------------------------


def rows_of(lines: Sequence[TextLine], order: int) -> list[TextLine]:
    """Return the lines that are rows of a board of this order, without those that only separate.

    A line of dashes may be a row of blanks or a separator: it is a row where the other rows write blanks as
    dashes, or where rows would be missing without it.
    """
    sure = []
    possible = []
    for line in lines:
        if line.kind == "cells":
            sure.append(line)
            possible.append(line)
        elif line.kind == "either" and line.fits(order, order):
            possible.append(line)
    dashes_are_blanks = not sure or any("-" in line.text for line in sure)
    for rows in (possible, sure) if dashes_are_blanks else (sure, possible):
        if rows and len(rows) % order == 0:
            return rows
    return sure


def read_as_rows(lines: Sequence[TextLine], rows: Sequence[TextLine], order: int, shapes: Shapes) -> BlockReading:
    """Return the boards whose rows these are. lines: the rows with all that stands between them."""
    boards = "a board of"
    if len(rows) > order:
        boards = f"{len(rows) // order} boards of"
    name = f"{boards} {order}x{order} cells in rows"
    if len(rows) % order:
        return BlockReading(name, [refuse_number_of_rows(lines, rows, order, shapes)], len(rows), 0)
    items: list[Item] = []
    lines_read = 0
    begin = 0
    for first in range(0, len(rows), order):
        board_rows = rows[first : first + order]
        if first + order < len(rows):
            end = lines.index(board_rows[-1], begin) + 1
        else:
            end = len(lines)
        item = make_puzzle(board_rows, order, shapes, join_lines(lines[begin:end]))
        begin = end
        if item is None:
            item = refuse_row(board_rows, order)
        elif isinstance(item, Puzzle):
            lines_read += order
            if shapes.fixed is None:
                item = contradiction(board_rows, item) or item
        items.append(item)
    return BlockReading(name, items, len(rows), lines_read)


def join_lines(lines: Iterable[TextLine]) -> str:
    """Return the lines as given, with a blank line where some (blank lines, comments) lay between them."""
    texts: list[str] = []
    before: int | None = None
    for line in lines:
        if before is not None and line.number > before + 1:
            texts.append("")
        texts.append(line.given)
        before = line.number
    return "\n".join(texts)


# ---- one puzzle a line -----------------------------------------------------------------------------------------------


def _order_of_lines(order: int) -> int:
    """Return the order of puzzles of one line that has as many cells as a row of this order; 0 if there is none."""
    root = isqrt(order)
    return root if root > 1 and root * root == order else 0


def read_as_lines(lines: Sequence[TextLine], order: int, shapes: Shapes) -> BlockReading:
    """Return the puzzles of this order that the lines with cells are, one each.

    A row of blanks that is no such line, as a table has, is not read.
    """
    content = _with_cells(lines)
    rows_of_blanks = []
    if content and content[0].kind == "cells":
        rows_of_blanks = [line for line in lines if line.kind == "either" and line.fits(order * order, order)]
    items: list[Item] = []
    lines_read = 0
    for line in content:
        item = puzzle_on_line(line, order, shapes) or misfit(line, order)
        lines_read += isinstance(item, Puzzle)
        items.append(item)
    name = f"{counted(len(content), 'puzzle')} of {order}x{order} cells, one a line"
    return BlockReading(name, items, len(content) + len(rows_of_blanks), lines_read)


# ---- orders ----------------------------------------------------------------------------------------------------------


def _with_cells(lines: Sequence[TextLine]) -> list[TextLine]:
    """Return the lines that hold cells; if there are none, those that may be rows of blanks."""
    sure = _of_kind("cells", lines)
    if sure:
        return sure
    return _of_kind("either", lines)


def _of_kind(kind: LineKind, lines: Sequence[TextLine]) -> list[TextLine]:
    return [line for line in lines if line.kind == kind]


def likely_orders(lines: Sequence[TextLine]) -> list[int]:
    """Return the numbers of cells that at least half of these lines have, the likeliest first.

    Words come before characters: the digits of numbers, counted as cells, may happen to be those of a larger board.
    """
    content = _with_cells(lines)
    counts: Counter[int] = Counter()
    in_words: set[int] = set()
    for line in content:
        by_parts = {len(line.words), len(line.fields)}
        in_words |= by_parts
        sizes = by_parts | {line.size}
        counts.update(sizes - {0, 1} or {line.size} - {0})
    common = []
    for size, count in counts.items():
        if 2 * count >= len(content):
            common.append(size)
    if not common:
        for size, _ in counts.most_common(1):
            common.append(size)

    def likelihood(order: int) -> tuple[bool, int, bool, bool, int]:
        rows = len(rows_of(lines, order))
        return rows == order, counts[order], rows % order == 0, order in in_words, order

    return sorted(common, key=likelihood, reverse=True)


def likely_order(lines: Sequence[TextLine], shapes: Shapes) -> int:
    """Return the order that these lines have as rows, damaged or not; 0 without any cells."""
    if shapes.order is not None:
        return shapes.order
    orders = likely_orders(lines)
    return orders[0] if orders else 0


# ---- errors of the nearest reading -----------------------------------------------------------------------------------


def find_nearest_errors(lines: Sequence[TextLine], readings: Sequence[BlockReading], shapes: Shapes) -> list[Item]:
    """Return the items of the reading that is nearest to one without a fault.

    That is one under which at least half of the lines are parts of boards. Else lines that cannot be rows are damaged
    puzzles of one line each; and in all other cases the lines are the rows of a damaged board.
    """
    content = _of_kind("cells", lines)
    if not content:
        return []
    best: BlockReading | None = None
    for reading in readings:
        if best is None or reading.lines_read > best.lines_read:
            best = reading
    if best is not None and best.lines_read and 2 * best.lines_read >= best.lines:
        return best.items
    order = likely_order(lines, shapes)
    if are_damaged_lines(content, shapes):
        return [misfit(line, shapes.order) for line in content]
    if shapes.order is None:
        root = _order_of_lines(order)
        if len(content) == 1 and root and shapes.usable(root):
            return [puzzle_on_line(content[0], root, shapes) or misfit(content[0], root)]
        if not can_be_rows(content, order, shapes):
            return [lines[0].error("no puzzle", EXPECTED + sign_for_blanks(content), text=join_lines(lines))]
    return read_as_rows(lines, rows_of(lines, order) or content, order, shapes).items


def are_damaged_lines(content: Sequence[TextLine], shapes: Shapes) -> bool:
    """Return whether lines are rather damaged puzzles of one line each than rows of a board.

    They are one long word each, too few to be a board of their width.
    """
    if any(len(line.words) > 1 for line in content) or sign_for_blanks(content):
        return False
    widths = likely_orders(content)
    if not widths:
        return False
    width = widths[0]
    order = shapes.order
    if order is None:
        may_be_rows = len(content) == 1 or shapes.usable(width)
    else:
        may_be_rows = any(line.fits(order, order) for line in content)
    return not may_be_rows and (len(content) == 1 or width < 2 or 2 * len(content) < width)


def can_be_rows(content: Sequence[TextLine], order: int, shapes: Shapes) -> bool:
    """Return whether lines may be rows of a board of this order: all of their size, or one that surely is one."""
    if shapes.usable(order) and all(line.fits(order, order) for line in content):
        return True
    return any(line.is_row(order) for line in content)


def refuse_number_of_rows(
    lines: Sequence[TextLine], rows: Sequence[TextLine], order: int, shapes: Shapes
) -> PuzzleFormatError:
    """Return the error for rows that are not whole boards: at a row of another size if there is one."""
    expected = f"{order} rows of {order} cells"
    root = _order_of_lines(order)
    if shapes.order is None and root:
        expected += f", or {root}x{root} puzzles of one line each"
        if not shapes.usable(root):
            expected += " with the option --latin or --jigsaw FILE"
    expected += sign_for_blanks(rows)
    misfits = [row for row in rows if not row.fits(order, order)]
    if misfits and misfits[0] is not rows[0] and len(rows) > order:
        row = misfits[0]
        amount = row.amount(order)
        return row.error(
            f"{len(rows)} rows, this one a row of {counted(amount.number, 'cell')}", expected, amount.column
        )
    first_too_many = rows[0]
    if len(rows) > order:
        first_too_many = rows[order]
    return first_too_many.error(counted(len(rows), "row"), expected, text=join_lines(lines))


def refuse_row(rows: Sequence[TextLine], order: int) -> PuzzleFormatError:
    """Return the error for the first of these rows that has not its number of cells."""
    misfits = [row for row in rows if not row.fits(order, order)]
    row = misfits[0]
    amount = row.amount(order)
    expected = f"{order} cells{sign_for_blanks([row])}"
    return row.error(f"a row of {counted(amount.number, 'cell')}", expected, amount.column)
