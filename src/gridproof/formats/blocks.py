"""A stream of lines is cut into blocks (lines without a blank line between them), and these into puzzles.

With a geometry, n rows of n cells are a puzzle. Without one the order follows from the width of the rows; a
width that is a square may also mean one-line puzzles of a smaller order k (16 characters: a row of 16x16 or a
4x4 puzzle). Such lines are rows if their number is a multiple of their width and every board among them holds
a symbol above k; or if most of them hold one (a damaged board); else each line is a puzzle. An order without
geometry is never inferred, so with the usual boxes 9 characters are always a row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from math import isqrt

from gridproof.errors import PuzzleFormatError
from gridproof.formats.catalog import may_be_wrapped, puzzles, sniffed
from gridproof.formats.lines import EXPECTED, LONGEST_LINE, Line, easy_puzzle, puzzle_of, sign_for_blanks, too_long
from gridproof.formats.puzzle import Item, Puzzle, readable
from gridproof.formats.shapes import Shapes
from gridproof.puzzle.board import Board
from gridproof.text import counted

LONGEST_BLOCK = 4096
"""Lines without a blank line between them that are judged as one; of more the boards are read as they come."""

_JSON = re.compile(r'\s*\{\s*"[^"]*"\s*:(?!.*(?:\[|[,{]\s*$))')
"""The beginning of an object in JSON that does not go on over further lines, without an array, which might be a row."""

_HEADING = re.compile(r"\[?(puzzle|grid|board|sudoku|game|problem)\]?\s*[#:.]?\s*\d*\s*[:.]?|[^\W\d_].*:", re.I)


class Stream:
    """A reader that takes lines one after the other and returns the puzzles, and the errors, that they complete.

    foreign: whether lines of other programs are read, too. ended: whether what follows is not to be read.
    """

    def __init__(self, shapes: Shapes, foreign: bool = True) -> None:
        self.ended = False
        self._shapes, self._foreign = shapes, foreign
        self._lines: list[Line] = []  # of the block
        self._held: list[list[Line]] = []  # blocks before it that may be parts of the same board
        self._blank_gap = self._after_rule = False

    @property
    def open(self) -> bool:
        """True while lines wait for those that follow. If not, a line that is easy is a puzzle by itself."""
        return bool(self._lines or self._held)

    def take(self, number: int, text: str) -> Sequence[Item]:
        """Return the puzzles and errors that the line completes."""
        if not text and not self._lines:  # of blank lines there may be millions
            self._blank_gap = True
            return ()
        if not self.open and (puzzle := easy_puzzle(text, number, self._shapes)):
            return (puzzle,)
        return list(self._closer_look(number, text))

    def close(self, beside_a_line: bool = False) -> Iterator[Item]:
        """Yield the puzzles of all lines that wait, since no row follows. beside_a_line: as in ``settle``."""
        if self.open:
            yield from self._end(final=True, beside_a_line=beside_a_line)

    def _closer_look(self, number: int, text: str) -> Iterator[Item]:
        stripped = text.strip() if len(text) <= LONGEST_LINE else text
        if (not stripped and text.count("\t") < 3) or stripped[:1] == "#":
            if self._lines:  # the end of a block, unless it lacks rows that may follow
                yield from self._end(final=False)
                self._blank_gap = False
            self._blank_gap |= not stripped
        elif len(stripped) == 3 and stripped.casefold() == "end":
            self.ended = True
        elif len(text) > LONGEST_LINE:
            yield from self.close()
            yield too_long(number, text)
        elif len(stripped) <= 80 and _HEADING.fullmatch(stripped):
            yield from self.close()
        elif self._foreign and may_be_wrapped(text) and (wrapping := sniffed(text)) is not None:
            yield from self.close()
            yield from puzzles(wrapping, text, self._shapes, number)
        else:
            yield from self._add(Line(number, text))

    def _add(self, line: Line) -> Iterator[Item]:
        """Take a line that is neither blank nor comment nor heading."""
        item = line.own_puzzle(self._shapes, bool(self._lines))
        if item is None and _JSON.match(line.given):
            expected = "JSON of f-puzzles or SudokuPad, or the cells as text"
            item = line.error("JSON that cannot be read as a puzzle", expected)
        if item is not None:
            yield from self.close(beside_a_line=True)
            yield item
            return
        cells = next((other for other in reversed(self._lines) if other.kind == "cells"), None)
        may_be_row = line.kind == "either" and cells is not None and line.size == cells.size
        rule = bool(line.words) and line.kind != "cells" and not may_be_row
        if rule and self._after_rule and cells is not None:  # the end of a frame, and the beginning of another
            yield from self._end(final=True)
        self._after_rule = rule
        self._lines.append(line)
        number = len(self._lines)
        if number % 64 == 0 and max(sum(len(one.given) for one in self._lines) // 4000, number) >= LONGEST_BLOCK:
            yield from self._make_room()

    def _end(self, final: bool, beside_a_line: bool = False) -> Iterator[Item]:
        """Yield the puzzles of the block, or hold it back if it may be the beginning of a board."""
        pieces = [*self._held, self._lines]
        self._held, self._lines, self._after_rule = [], [], False
        if len(pieces) > 1 and not self._are_one(pieces):
            for piece in pieces[:-1]:
                yield from settle(piece, self._shapes)
            pieces = pieces[-1:]
        together = [*chain(*pieces)]
        order = likely_order(together, self._shapes)
        lacks_rows = order > 0 and 0 < len(rows_of(together, order)) < order
        if not final and lacks_rows and _fit(together, order):
            self._held = pieces
            return
        for piece in pieces if lacks_rows else [together]:
            yield from settle(piece, self._shapes, beside_a_line and piece[-1:] == together[-1:])

    def _are_one(self, pieces: list[list[Line]]) -> bool:
        """Return whether blocks may be parts of one puzzle: parted by comments, or bands of boxes."""
        together = [*chain(*pieces)]
        order = likely_order(together, self._shapes)
        counts = [len(rows_of(piece, order)) for piece in pieces] if order else [0]
        if self._blank_gap:
            box = self._shapes.geometry(order).box_shape if self._shapes.usable(order) else None
            if box is None or {*counts} != {box[0]}:
                return False
        return 0 not in counts and sum(counts) <= order and _fit(together, order)

    def _make_room(self) -> Iterator[Item]:
        """Yield the puzzles of a very long block, of as many lines as make whole boards; of all if none do."""
        order = likely_order(self._lines, self._shapes)
        rows = rows_of(self._lines, order) if order else []
        whole = len(rows) // order * order if order else 0
        last = rows[whole - 1].number if whole else self._lines[-1].number
        now = [line for line in self._lines if line.number <= last]
        self._lines = self._lines[len(now) :]
        yield from settle(now, self._shapes)


# ---- blocks ----------------------------------------------------------------------------------------------------------


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


def _fit(lines: Sequence[Line], order: int) -> bool:
    """Return whether all of these lines that hold cells may be rows of a board of this order."""
    return all(line.kind != "cells" or line.fits(order, order) for line in lines)


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
    return items if are_rows else [line.misfit(order) for line in sure]


# ---- rows of a given order -----------------------------------------------------------------------------------------


def _as_rows(lines: Sequence[Line], order: int, shapes: Shapes, other: str = "") -> list[Item]:
    """Return the boards of this order, or the errors in their places. other: what else would be right."""
    rows = rows_of(lines, order)
    if not rows:
        return []
    if len(rows) % order:
        return [_wrong_number(lines, rows, order, other)]
    items: list[Item] = []
    begin = 0
    for first in range(0, len(rows), order):
        chunk = rows[first : first + order]
        end = lines.index(chunk[-1], begin) + 1 if first + order < len(rows) else len(lines)
        item = puzzle_of(chunk, order, shapes, _text(lines[begin:end]))
        begin = end
        if item is None:
            row = next(row for row in chunk if not row.fits(order, order))
            count, _, column = row.amount(order)
            item = row.error(f"a row of {counted(count, 'cell')}", f"{order} cells{sign_for_blanks([row])}", column)
        elif isinstance(item, Puzzle) and shapes.fixed is None:
            item = _drawn_otherwise(chunk, item) or item
        items.append(item)
    return items


def _text(lines: Iterable[Line]) -> str:
    """Return the lines as given, with a blank line where some (blank lines, comments) lay between them."""
    text = before = None
    for line in lines:
        gap = "" if before is None or line.number == before + 1 else "\n"
        text, before = line.given if text is None else f"{text}\n{gap}{line.given}", line.number
    return text or ""


def _wrong_number(lines: Sequence[Line], rows: Sequence[Line], order: int, other: str) -> PuzzleFormatError:
    expected = f"{order} rows of {order} cells{other}{sign_for_blanks(rows)}"
    row = next((row for row in rows if not row.fits(order, order)), rows[0])
    if row is not rows[0] and len(rows) > order:
        count, _, column = row.amount(order)
        return row.error(f"{len(rows)} rows, this one a row of {counted(count, 'cell')}", expected, column)
    where = rows[order] if len(rows) > order else rows[0]
    return where.error(counted(len(rows), "row"), expected, text=_text(lines))


# ---- rows that are drawn in a way that speaks against their shape --------------------------------------------------


class _DrawnOtherwise(PuzzleFormatError):
    """Rows that are drawn in a way that speaks against the shape of their board, which nobody stated."""


def _drawn_otherwise(rows: Sequence[Line], puzzle: Puzzle) -> _DrawnOtherwise | None:
    """Return the error for rows that seem to be numbered, or whose bars and rules show boxes of another shape."""
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
    if not problem:
        return None
    return _DrawnOtherwise(problem, text=readable(puzzle.text), expected=expected, line=rows[0].number, column=1)


def _is_numbered(symbols: Sequence[int], order: int) -> bool:
    """Return whether a grid begins with the numbers of its columns and rows, beside an empty corner."""
    row, column = list(symbols[1:order]), list(symbols[order::order])
    return order > 2 and not symbols[0] and row == column and row in ([*range(1, order)], [*range(order - 1)])


def _drawn_boxes(rows: Sequence[Line], order: int) -> tuple[int | None, int | None]:
    """Return how many rows and columns the boxes have that rules and bars show; ``None`` where they show none."""
    gaps = [place for place in range(1, order) if rows[place].number > rows[place - 1].number + 1]
    bands = [after - before for before, after in pairwise([0, *gaps, order])]
    stacks = {_groups(row, order) for row in rows} if "|" in rows[0].text else {()}
    return _alike(bands, order), _alike(stacks.pop(), order) if len(stacks) == 1 else None


def _groups(row: Line, order: int) -> tuple[int, ...]:
    """Return how many cells stand between the bars of a row."""
    starts = [start for start, _ in row.spans(order)]
    edges = [-1, *(place for place, character in enumerate(row.text) if character == "|"), len(row.text)]
    groups = [sum(left < start < right for start in starts) for left, right in pairwise(edges)]
    return tuple(number for number in groups if number)


def _alike(groups: Sequence[int], order: int) -> int | None:
    return groups[0] if len({*groups}) == 1 and 1 < groups[0] < order and sum(groups) == order else None


# ---- rows or lines of an order to be found ---------------------------------------------------------------------------


def _of_any_order(lines: Sequence[Line], shapes: Shapes) -> list[Item]:
    content, orders = _content(lines), _orders(lines)
    alone: list[Item] = []
    for order in orders:
        rows = _as_rows(lines, order, shapes) if shapes.usable(order) else []
        boards = [item.board for item in rows if isinstance(item, Puzzle)]
        are_boards = bool(rows) and len(boards) == len(rows)
        root = _root(order)
        if any(isinstance(item, _DrawnOtherwise) for item in rows):
            return rows
        if root and shapes.usable(root):
            if are_boards and all(_is_beyond(board.clues, root) for board in boards):
                return rows
            small = [line.item(root, shapes) or line.misfit(root) for line in content]
            if _rather_lines(small, boards if are_boards else [], root):
                return small
            alone = small if len(small) == 1 else alone
        if are_boards:
            return rows
    if alone or not content:
        return alone
    order = next(iter(orders), 0)
    might_be_rows = order > 0 and shapes.usable(order) and all(line.fits(order, order) for line in content)
    if not might_be_rows and not any(line.is_row(order) for line in content):
        return [lines[0].error("no puzzle", EXPECTED + sign_for_blanks(content), text=_text(lines))]
    other = ""
    if root := _root(order):
        other = f", or {root}x{root} puzzles of one line each"
        other += "" if shapes.usable(root) else " with the option --latin or --jigsaw FILE"
    return _as_rows(lines, order, shapes, other)


def _root(order: int) -> int:
    """Return the order of puzzles of one line that has as many cells as a row of this order; 0 if there is none."""
    root = isqrt(order)
    return root if root > 1 and root * root == order else 0


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
