"""The puzzle of some lines: n rows of n cells, or all cells on one line.

The order of a puzzle on a line follows from its number of cells, unless a geometry is given. 64 and 729 are squares and
cubes: such a line is pencil marks if every symbol stands at its own place of its cell and there are at least as many
symbols as cells, else a puzzle of order 8 or 27. Up to 35 characters may be a row of a board as well, and so may any
number of words: these are for ``readings.py``, which reads them with their neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import isqrt

from gridproof.errors import GeometryError, PuzzleFormatError
from gridproof.formats import jigsaws, symbols
from gridproof.formats.lines import TextLine, sign_for_blanks
from gridproof.formats.puzzle import Item, Puzzle, Symbols
from gridproof.formats.shapes import Shapes, finish_puzzle
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS
from gridproof.puzzle.geometry import Geometry

EXPECTED = "as many rows as each has cells, or a puzzle on one line"
"""The words for what would be right in place of text that is no puzzle."""

# ---- the puzzle of some lines ----------------------------------------------------------------------------------------


def make_puzzle(lines: Sequence[TextLine], order: int, shapes: Shapes, text: str) -> Item | None:
    """Return the puzzle of lines that are a whole board, n lines or one; or the error in its place.

    ``None`` if a line has not its number of cells. text: as given.
    """
    try:
        geometry = shapes.geometry(order)
    except GeometryError as problem:
        return refuse_missing_geometry(lines[0], order, problem, text)
    want = geometry.cell_count // len(lines)
    words: list[str] = []
    for line in lines:
        words += line.words
    marks: symbols.Marks | None = None
    if len(lines) == 1 < order and lines[0].size == want * order and len(words) in (1, want):
        marks = symbols.masks_in_places("".join(words), order, shapes.zero)
        if marks is None:
            return refuse_misplaced_mark(lines[0], order)
        if has_too_few_candidates(marks, shapes):
            return refuse_few_candidates(lines[0], order, marks.masks.count(0))
    elif 1 < order < 10 and are_sets_of_candidates(lines, want):
        marks = symbols.masks_of_sets(words, order)
    if marks is not None:
        board = symbols.board_from_masks(geometry, marks.masks)
        return _complete(board, marks.symbols, lines[0], text)
    cells: list[str] = []
    for line in lines:
        cells += line.cells(want, order)
    if len(cells) != geometry.cell_count:
        return None
    read = symbols.read_symbols(cells, geometry, shapes.zero)
    if isinstance(read, symbols.Misread):
        if len(lines) == 1 and jigsaws.are_labels(lines[0].text):
            return lines[0].error("regions of a jigsaw without its clues", jigsaws.EXPECTED)
        row, place = divmod(read.cell, want)
        return refuse_cell(lines[row], lines[row].spans(want)[place], cells[read.cell], read)
    clues, names = read
    return _complete(Board(geometry, clues), names, lines[0], text)


def are_sets_of_candidates(lines: Sequence[TextLine], want: int) -> bool:
    """Return whether each line has its number of words, some of which are more than a character."""
    if any(len(line.words) != want for line in lines):
        return False
    return any(line.size > want for line in lines)


def _complete(board: Board, names: Symbols, first: TextLine, text: str) -> Puzzle:
    return Puzzle(board, text=text, line=first.number, source=first.place.source, symbols=names)


def has_too_few_candidates(marks: symbols.Marks, shapes: Shapes) -> bool:
    """Return whether pencil marks are hardly meant as such: none at all, or fewer than cells of an order not given."""
    candidates = sum(mask.bit_count() for mask in marks.masks)
    return not candidates or (shapes.order is None and candidates < len(marks.masks))


def puzzle_on_line(line: TextLine, order: int, shapes: Shapes) -> Item | None:
    """Return the line as a puzzle of this order, or the error for it; ``None`` if it is too short or too long."""
    cells = order * order
    if len(line.words) == order > 1 and set(line.words) == {Geometry.latin(order).symbol_characters}:
        return None  # a row of pencil marks of which none is missing
    if not line.fits(cells, order):
        is_large_enough = 1 < order <= LARGEST_ORDER_IN_CHARACTERS and line.size == cells * order
        if not is_large_enough or len(line.words) not in (1, cells):
            return None
    text = line.text if len(line.fields) == cells else line.text.strip()
    return make_puzzle([line], order, shapes, text)


# ---- a line that is a puzzle whatever its neighbours are -------------------------------------------------------------


def puzzle_alone(line: TextLine, shapes: Shapes, in_block: bool) -> Item | None:
    """Return the puzzle, or the error, of a line that is one by itself; ``None`` if its neighbours count."""
    if line.kind == "rule" or (line.kind == "either" and in_block):
        return None
    order = shapes.order
    possible = order
    if order is None:
        possible = find_only_order(line, shapes)
    if possible is not None:
        item = puzzle_on_line(line, possible, shapes)
        if item is not None:
            return item
    if order is not None and line.fits(order, order):
        return None
    several = len(line.words) > 1
    if several:
        item = find_puzzle_with_remark(line, shapes)
        if item is not None:
            return item
    longest_row = LARGEST_ORDER_IN_CHARACTERS
    if order is not None:
        longest_row = max(3 * order, order**1.5)
    if line.kind != "cells" or line.size <= longest_row or (several and (in_block or order is None)):
        return None
    return misfit(line, order)


def find_only_order(line: TextLine, shapes: Shapes) -> int | None:
    """Return the order that a line can only have, if it is too long for a row or a row of groups of pencil marks."""
    size = line.size
    several = len(line.words) > 1
    root = isqrt(size)
    cube_root: int = round(size ** (1 / 3))
    is_cube = 1 < cube_root <= LARGEST_ORDER_IN_CHARACTERS and cube_root**3 == size
    is_long = size > LARGEST_ORDER_IN_CHARACTERS
    is_grouped = several and {len(word) for word in line.words} == {cube_root}
    if is_cube and (is_grouped or not several) and shapes.usable(cube_root):
        marks = symbols.masks_in_places("".join(line.words), cube_root, shapes.zero)
        if marks is not None and sum(mask.bit_count() for mask in marks.masks) >= cube_root**2:
            if is_grouped or is_long:
                return cube_root
            return None
    if several or not is_long:
        return None
    if root * root == size and root <= LARGEST_ORDER_IN_CHARACTERS:
        return root
    if not is_cube:
        return None
    return cube_root


def find_puzzle_with_remark(line: TextLine, shapes: Shapes) -> Item | None:
    """Return a puzzle among other words of its line; ``None`` if no word has its size.

    They are its name or its rating, or the regions of a jigsaw.
    """
    if jigsaws.are_clues_and_labels(line.words):
        clues, labels = [cut_word(line, word) for word in line.words]
        return read_jigsaw(clues, labels, shapes, line.text.strip())
    lengths = {len(word) for word in line.words}
    orders = []
    for order in range(3, LARGEST_ORDER_IN_CHARACTERS + 1):
        if shapes.order is not None:
            is_possible = order == shapes.order
        else:
            is_possible = order > 5
        if is_possible and order * order in lengths:
            orders.append(order)
    if len(orders) != 1:
        return None
    [order] = orders
    cells = order * order
    puzzles = []
    rest = ""
    for word in line.words:
        if len(word) == cells:
            puzzles.append(word)
        else:
            rest += word
    start = line.text.index(puzzles[0])
    column = start + cells + 1
    if len(puzzles) > 1:
        column = line.text.index(puzzles[1], start + cells) + 1
    if len(puzzles) > 1 or (len(rest) >= order and symbols.decode_characters(rest, order) is not None):
        expected = "one puzzle a line, or a first line that names CSV columns, such as puzzle,solution"
        return line.error("more cells than those of one puzzle", expected, column)
    return puzzle_on_line(cut_word(line, puzzles[0]), order, shapes)


def cut_word(line: TextLine, word: str) -> TextLine:
    """Return a line with this word of it alone, at its place."""
    alone = TextLine(line.number, " " * line.text.index(word) + word, line.place)
    alone.given = line.given
    return alone


# ---- jigsaws ---------------------------------------------------------------------------------------------------------


def read_jigsaw(clues: TextLine, labels: TextLine, shapes: Shapes, text: str) -> Item:
    """Return the jigsaw of two lines, or the error in its place.

    clues, labels: of as many cells, a word each. text: as given.
    """
    [word] = labels.words
    order = isqrt(len(word))
    fault = jigsaws.find_fault(word)
    if fault:
        expected = f"{order} connected regions of {order} cells each, or the option --jigsaw FILE"
        return labels.error(fault, expected, labels.text.index(word) + 1, word)
    puzzle = make_puzzle([clues], order, replace(shapes, shape=Geometry.jigsaw(word)), text)
    if isinstance(puzzle, Puzzle):
        return finish_puzzle(puzzle, shapes)
    return puzzle or misfit(clues, order)


# ---- rows that are drawn in a way that speaks against the shape of their board, which nobody stated ------------------


def contradiction(rows: Sequence[TextLine], puzzle: Puzzle) -> PuzzleFormatError | None:
    """Return the error for rows that seem to be numbered, or whose bars and rules show boxes of another shape."""
    geometry = puzzle.board.geometry
    order = geometry.order
    if are_numbered(puzzle.board.clues, order):
        problem = f"a grid of {order}x{order} cells, or of {order - 1}x{order - 1} with numbers of its rows and columns"
        expected = "rows without numbers, or a shape for all puzzles (such as --boxes) that settles it"
        return rows[0].error(problem, expected, text=puzzle.text)
    if geometry.box_shape is None:
        return None
    usual_high, usual_wide = geometry.box_shape
    drawn_high = measure_height_of_boxes(rows, order)
    drawn_wide = measure_width_of_boxes(rows, order)
    high = drawn_high or order // (drawn_wide or usual_wide)
    wide = drawn_wide or order // high
    if (high, wide) == (usual_high, usual_wide) or high * wide != order:
        return None
    usual = f"{usual_high}x{usual_wide}"
    problem = f"a grid drawn with boxes of {high}x{wide} cells"
    expected = f"boxes of {usual}, or the option --boxes {high}x{wide} (or {usual}) that settles it"
    return rows[0].error(problem, expected, text=puzzle.text)


def are_numbered(clues: Sequence[int], order: int) -> bool:
    """Return whether a grid begins with the numbers of its columns and rows, beside an empty corner."""
    first_row = list(clues[1:order])
    first_column = list(clues[order::order])
    if order < 3 or clues[0] or first_row != first_column:
        return False
    return first_row in (list(range(1, order)), list(range(order - 1)))


def measure_height_of_boxes(rows: Sequence[TextLine], order: int) -> int | None:
    """Return how many rows stand between the lines that are drawn; ``None`` where these show no boxes."""
    edges = [0]
    for place in range(1, order):
        if rows[place].number > rows[place - 1].number + 1:
            edges.append(place)
    edges.append(order)
    return _common_size([after - before for before, after in pairwise(edges)], order)


def measure_width_of_boxes(rows: Sequence[TextLine], order: int) -> int | None:
    """Return how many cells stand between the bars of each row; ``None`` where these show no boxes."""
    if "|" not in rows[0].text:
        return None
    groups = {count_between_bars(row, order) for row in rows}
    if len(groups) != 1:
        return None
    return _common_size(groups.pop(), order)


def count_between_bars(row: TextLine, order: int) -> tuple[int, ...]:
    """Return how many cells of a row stand between each two of its bars."""
    starts = [start for start, _ in row.spans(order)]
    edges = [-1]
    for place, character in enumerate(row.text):
        if character == "|":
            edges.append(place)
    edges.append(len(row.text))
    counts = []
    for left, right in pairwise(edges):
        number = sum(left < start < right for start in starts)
        if number:
            counts.append(number)
    return tuple(counts)


def _common_size(groups: Sequence[int], order: int) -> int | None:
    """Return the size of groups that are equal and make up a row or a column, neither cells nor the whole of it."""
    are_equal = len(set(groups)) == 1 and sum(groups) == order
    if are_equal and 1 < groups[0] < order:
        return groups[0]
    return None


# ---- errors ----------------------------------------------------------------------------------------------------------


def misfit(line: TextLine, order: int | None) -> PuzzleFormatError:
    """Return the error for a line that was meant to be a puzzle and has not the size of one."""
    if order is None and len(line.words) > 1:
        return line.error("no puzzle", EXPECTED)
    if order is None:
        root = max(isqrt(line.size), 1)
        if root > LARGEST_ORDER_IN_CHARACTERS:
            expected = "a square number of characters, such as 81"
        elif root * root == line.size:
            expected = EXPECTED
        else:
            expected = f"a square number of characters, such as {root * root} or {(root + 1) ** 2}"
        return line.error(f"a line of {line.size} characters", expected, line.size + 1)
    cells = order * order
    amount = line.amount(cells)
    expected = f"{cells} cells on a line ({order}x{order})"
    if order > LARGEST_ORDER_IN_CHARACTERS:
        expected += ", as numbers with blanks between them"
    elif amount.number > 2 * cells:
        expected += f", or {cells * order} characters of pencil marks"
    return line.error(f"a line of {amount.number} {amount.parts}", expected + sign_for_blanks([line]), amount.column)


def refuse_missing_geometry(line: TextLine, order: int, problem: GeometryError, text: str) -> PuzzleFormatError:
    """Return the error for a board of an order that has no geometry. text: of its lines."""
    reason, _, hint = str(problem).partition("; expected ")
    expected = f"{hint or 'an order with a geometry'} (options --latin, --jigsaw FILE)"
    blamed = None
    if "\n" in text:
        blamed = text
    return line.error(f"a puzzle of {order}x{order} cells: {reason}", expected, text=blamed)


def refuse_cell(line: TextLine, span: tuple[int, int], word: str, why: symbols.Misread) -> PuzzleFormatError:
    """Return the error for a cell of a line. span: where it stands. word: its text."""
    start = line.text.index(word, *span)
    wrong = line.given[start : start + len(word)]
    if any("\udc80" <= character <= "\udcff" for character in wrong):
        return line.error("not UTF-8", "UTF-8 text", start + 1, wrong)
    return line.error(why.problem, why.expected, start + 1, wrong)


def refuse_misplaced_mark(line: TextLine, order: int) -> PuzzleFormatError:
    """Return the error for the first character of pencil marks that is not at its own place."""
    for place, (start, end) in enumerate(line.spans(line.size)):
        cell, candidate = divmod(place, order)
        name = symbols.symbol_names(order)[candidate]
        character = line.text[start:end]
        if symbols.decode_characters(character, order) not in ((0,), (candidate + 1,)):
            problem = f"candidate {name} of r{cell // order + 1}c{cell % order + 1}"
            return line.error(problem, f"{name} or a blank", start + 1, character)
    return line.error("pencil marks with symbols from 1", "symbols from 0, as is requested")


def refuse_few_candidates(line: TextLine, order: int, empty: int) -> PuzzleFormatError:
    """Return the error for pencil marks that leave cells without a candidate, and may be meant as another board."""
    problem = f"pencil marks of {order}x{order} cells, of which {empty:,} have no candidate"
    expected = "a candidate in each cell"
    root = isqrt(line.size)
    if root * root == line.size:
        problem += f", or a board of {root}x{root} cells"
        expected += f", or the {line.size:,} cells of that board with blanks between them"
    return line.error(problem, expected)
