"""The search for digits of further cells, beside a grid, and the primitive that there are some.

The search keeps the candidates of each open cell. A candidate with which some demand cannot be met any more is left
out, again and again; then the cell with the fewest candidates is tried. Of full cells a demand is decided by its own
meaning; before that by bounds, which never call possible cells impossible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gridproof.limits import look
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.further_cells import WithFurtherCells
from gridproof.rules.bounds import explain_impossible
from gridproof.rules.primitives import OwnPrimitive, Primitive, cells_of, cells_of_all


class Demand(NamedTuple):
    """A demand on some cells. fails: whether it cannot be met within candidate masks."""

    cells: frozenset[int]
    fails: Callable[[Sequence[int]], bool]


def demand_of(primitive: Primitive, board: WithFurtherCells) -> Demand:
    """Return a primitive as a demand."""
    cells = frozenset(cells_of(primitive))

    def fails(masks: Sequence[int]) -> bool:
        if all(masks[cell].bit_count() == 1 for cell in cells):
            return not primitive.allows([mask.bit_length() for mask in masks])
        return explain_impossible(primitive, masks, board.digits) is not None

    return Demand(cells, fails)


def can_be_filled(grid: Sequence[int], board: WithFurtherCells, demands: Sequence[Demand]) -> bool:
    """Return whether the further cells of a board can be filled beside a grid so that all demands are met.

    The grid may have a 0 where no demand looks.
    """
    first = board.board.cell_count
    masks = [board.every_symbol] * board.cell_count
    for cell, symbol in enumerate(grid[:first]):
        if symbol:
            masks[cell] = 1 << (symbol - 1)
    if any(demand.fails(masks) for demand in demands):
        return False
    demands_on: list[list[Demand]] = [[] for _ in masks]
    for demand in demands:
        for cell in demand.cells:
            demands_on[cell].append(demand)
    to_try = [(masks, list(range(first, board.cell_count)))]
    while to_try:
        look()
        masks, changed = to_try.pop()
        if not leave_out(masks, changed, demands_on):
            continue
        open_cells = [cell for cell in range(first, len(masks)) if masks[cell].bit_count() > 1]
        if not open_cells:
            return True
        cell = min(open_cells, key=lambda cell: masks[cell].bit_count())
        for bit in bits_of(masks[cell]):
            tried = masks.copy()
            tried[cell] = bit
            to_try.append((tried, [other for demand in demands_on[cell] for other in demand.cells]))
    return False


def leave_out(masks: list[int], cells: Sequence[int], demands_on: Sequence[Sequence[Demand]]) -> bool:
    """Leave out the candidates of open cells that some demand excludes; return whether each cell keeps one.

    cells: those to look at; others follow where a candidate goes.
    """
    pending = dict.fromkeys(cells)
    while pending:
        cell, _ = pending.popitem()
        before = masks[cell]
        left = 0
        for bit in bits_of(before):
            masks[cell] = bit
            if not any(demand.fails(masks) for demand in demands_on[cell]):
                left |= bit
        masks[cell] = left
        if not left:
            return False
        if left != before:
            for demand in demands_on[cell]:
                pending.update(dict.fromkeys([other for other in demand.cells if masks[other].bit_count() > 1]))
    return True


def bits_of(mask: int) -> list[int]:
    """Return the bits of a mask, each as a mask of its own."""
    bits = []
    while mask:
        bits.append(mask & -mask)
        mask &= mask - 1
    return bits


@dataclass(frozen=True)
class Exists(OwnPrimitive):
    """There are symbols for the further cells of a board with which all parts hold.

    Attributes
    ----------
    board : WithFurtherCells
        The board with its further cells.
    parts : tuple of Primitive
        The parts, of the grid and these cells.
    """

    board: WithFurtherCells
    parts: tuple[Primitive, ...]

    def scope(self) -> set[int]:
        """Return the cells of the grid that the parts are about."""
        return cells_of_all(self.parts).difference(self.board.further_cells.values())

    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""
        return can_be_filled(grid, self.board, [demand_of(part, self.board) for part in self.parts])

    def explain_impossible(self, masks: Sequence[int], digits: Digits) -> str | None:
        """Explain that one of the parts is impossible, whatever the further cells hold."""
        first = self.board.board.cell_count
        with_further = list(masks[:first])
        with_further += [self.board.every_symbol] * (self.board.cell_count - first)
        for part in self.parts:
            reason = explain_impossible(part, with_further, digits)
            if reason is not None:
                return reason
        return None
