"""Rows that are drawn in a way that speaks against the shape of their board, which nobody stated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gridproof.errors import PuzzleFormatError
from gridproof.formats.lines import TextLine
from gridproof.formats.puzzle import Puzzle


def contradiction(rows: Sequence[TextLine], puzzle: Puzzle) -> PuzzleFormatError | None:
    """Return the error for rows that seem to be numbered, or whose bars and rules show boxes of another shape."""
    geometry = puzzle.board.geometry
    order = geometry.order
    if _are_numbered(puzzle.board.clues, order):
        problem = f"a grid of {order}x{order} cells, or of {order - 1}x{order - 1} with numbers of its rows and columns"
        expected = "rows without numbers, or a shape for all puzzles (such as --boxes) that settles it"
        return rows[0].error(problem, expected, text=puzzle.text)
    if geometry.box_shape is None:
        return None
    usual_high, usual_wide = geometry.box_shape
    drawn_high = _height_of_boxes(rows, order)
    drawn_wide = _width_of_boxes(rows, order)
    high = drawn_high or order // (drawn_wide or usual_wide)
    wide = drawn_wide or order // high
    if (high, wide) == (usual_high, usual_wide) or high * wide != order:
        return None
    usual = f"{usual_high}x{usual_wide}"
    problem = f"a grid drawn with boxes of {high}x{wide} cells"
    expected = f"boxes of {usual}, or the option --boxes {high}x{wide} (or {usual}) that settles it"
    return rows[0].error(problem, expected, text=puzzle.text)


def _are_numbered(clues: Sequence[int], order: int) -> bool:
    """Return whether a grid begins with the numbers of its columns and rows, beside an empty corner."""
    first_row = list(clues[1:order])
    first_column = list(clues[order::order])
    if order < 3 or clues[0] or first_row != first_column:
        return False
    return first_row in (list(range(1, order)), list(range(order - 1)))


def _height_of_boxes(rows: Sequence[TextLine], order: int) -> int | None:
    """Return how many rows stand between the lines that are drawn; ``None`` where these show no boxes."""
    edges = [0]
    edges += [place for place in range(1, order) if rows[place].number > rows[place - 1].number + 1]
    edges.append(order)
    return _common_size([after - before for before, after in pairwise(edges)], order)


def _width_of_boxes(rows: Sequence[TextLine], order: int) -> int | None:
    """Return how many cells stand between the bars of each row; ``None`` where these show no boxes."""
    if "|" not in rows[0].text:
        return None
    groups = {_count_between_bars(row, order) for row in rows}
    return _common_size(groups.pop(), order) if len(groups) == 1 else None


def _count_between_bars(row: TextLine, order: int) -> tuple[int, ...]:
    starts = [start for start, _ in row.spans(order)]
    edges = [-1]
    edges += [place for place, character in enumerate(row.text) if character == "|"]
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
    return groups[0] if are_equal and 1 < groups[0] < order else None
