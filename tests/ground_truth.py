"""The ground truth: a solver that anybody can see is right. It is slow; tests compare the fast reference with it.

It fills the cells in reading order and looks back at what it placed: no symbol twice in a house, the clue and the
pencil marks of the cell kept, and each rule true as soon as all of its cells are filled.
"""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple


def solutions(board: Board) -> Iterator[SymbolTuple]:
    """Each solution of a board, in ascending order.

    Examples
    --------
    >>> from gridproof.puzzle.geometry import Geometry
    >>> len(list(solutions(Board.empty(Geometry.classic(2)))))
    288
    """
    geometry = board.geometry
    cells = range(geometry.cell_count)
    houses_with = [[house.cells for house in geometry.houses if cell in house.cells] for cell in cells]
    # a rule can be checked when the last of its cells is filled; one about no cell, after the first of all
    rules_after = [[rule for rule in board.rules if max(rule.scope(geometry), default=0) == cell] for cell in cells]
    grid = [0] * geometry.cell_count

    def fits(cell: int) -> bool:
        symbol = grid[cell]
        if board.clues[cell] not in (0, symbol):
            return False
        if board.marks is not None and not board.marks[cell] >> (symbol - 1) & 1:
            return False
        for house in houses_with[cell]:
            if symbol in [grid[other] for other in house if other < cell]:
                return False
        return all(rule.holds(geometry.digits.of(grid), geometry) for rule in rules_after[cell])

    def fill(cell: int) -> Iterator[SymbolTuple]:
        if cell == geometry.cell_count:
            yield tuple(grid)
            return
        for symbol in range(1, geometry.symbol_count + 1):
            grid[cell] = symbol
            if fits(cell):
                yield from fill(cell + 1)
        grid[cell] = 0

    yield from fill(0)
