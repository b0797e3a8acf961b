"""What a board's clues settle by themselves: naked and hidden singles and locked candidates, to a fixpoint.

Everything is arrays over the *open* candidates, of which few are left where boards are large: 100x100 with two thirds
of its cells given has a million candidates, of which some 20,000 survive the first look. A *group* is a set of
candidates of which exactly one holds: those of a cell, or those of a symbol in a house. A group with one candidate left
settles it (a single), one with none is a contradiction. A symbol whose candidates in one house lie all in another
house, too, is out in the rest of that other (a locked candidate). Every step is forced, so no solution is ever lost.

This module exists for NumPy and imports it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gridproof.limits import Watch
from gridproof.puzzle.board import Board, Contradiction
from gridproof.puzzle.geometry import Geometry, Grid

Integers: TypeAlias = npt.NDArray[np.int32]
Flags: TypeAlias = npt.NDArray[np.bool_]

_FIRST_LOOK = 1 << 25
"""Candidates that the first look takes at a time (a byte each, and some more): memory for boards with few clues."""


@dataclass(frozen=True, eq=False)
class HouseArrays:
    """The houses of a geometry as arrays.

    A *slot* is a set of houses without a common cell: all rows, all columns, all boxes, ... slots: of shape
    (slots, cells), the index of the house of each cell in each slot, ``house_count`` where it has none.
    crossings: for each pair of slots (a, b) whose houses share several cells, the number (from 1) of the crossing of
    two houses that each cell lies in, 0 for a crossing of one cell; and how many numbers there are.
    """

    slots: Integers
    house_count: int
    crossings: tuple[tuple[int, int, Integers, int], ...]


@lru_cache(maxsize=8)
def house_arrays(geometry: Geometry) -> HouseArrays:
    """The houses of a geometry as arrays, cached."""
    houses = np.array([house.cells for house in geometry.houses], dtype=np.int32)
    slots: list[Integers] = []
    for index, cells in enumerate(houses):
        for slot in slots:
            if (slot[cells] == len(houses)).all():
                break
        else:
            slot = np.full(geometry.cell_count, len(houses), dtype=np.int32)
            slots.append(slot)
        slot[cells] = index
    crossings = []
    for b in range(len(slots)):
        for a in range(b):
            pair = slots[a].astype(np.int64) * (len(houses) + 1) + slots[b]
            _, crossing, sizes = np.unique(pair, return_inverse=True, return_counts=True)
            real = (slots[a] < len(houses)) & (slots[b] < len(houses)) & (sizes[crossing] > 1)
            if real.any():
                _, crossing[real] = np.unique(crossing[real], return_inverse=True)
                numbers = np.where(real, crossing + 1, 0).astype(np.int32)
                crossings.append((a, b, numbers, int(numbers.max()) + 1))
    return HouseArrays(np.array(slots), len(houses), tuple(crossings))


@dataclass(frozen=True, eq=False)
class Reduction:
    """A board after propagation.

    settled: the symbol of each cell that has one by now (its clue, or what follows), 0 elsewhere. cells, symbols: the
    candidates that are left, by cell and symbol. groups: of shape (1 + slots, candidates), the group of each candidate
    as its cell's, then for each slot as its symbol's in the house; a number of ``real_groups`` or more means none.
    Where there is a ``contradiction`` no candidates are left. rounds: how often the board was looked at.
    """

    geometry: Geometry
    settled: Integers
    cells: Integers
    symbols: Integers
    groups: Integers
    real_groups: int
    rounds: int
    contradiction: Contradiction | None = None

    @property
    def candidate_count(self) -> int:
        """How many candidates are left open."""
        return len(self.cells)

    @property
    def grid(self) -> Grid | None:
        """The solution, if propagation alone found it (it is the only one then)."""
        return None if self.contradiction or len(self.cells) else tuple(self.settled.tolist())


def reduce(board: Board, watch: Watch | None = None) -> Reduction:
    """Propagate the clues (and pencil marks) of a board. Raises ``Interrupted`` when the time of ``watch`` is over."""
    return _Propagation(board).run(watch or Watch())


class _Found(Exception):
    """A contradiction, on its way out of the rounds."""

    def __init__(self, contradiction: Contradiction) -> None:
        super().__init__(contradiction.message)
        self.contradiction = contradiction


class _Propagation:
    def __init__(self, board: Board) -> None:
        self.board = board
        self.geometry = geometry = board.geometry
        self.houses = house_arrays(geometry)
        self.order = n = geometry.order
        self.settled = np.array(board.clues, dtype=np.int32)
        self.real = geometry.cell_count + self.houses.house_count * n
        self.all = self.real + n  # the groups of the house that is none
        self.needed = np.zeros(self.all, dtype=bool)
        self.cells = self.symbols = np.zeros(0, dtype=np.int32)
        self.groups = np.zeros((1 + len(self.houses.slots), 0), dtype=np.int32)
        self.rounds = 0

    def run(self, watch: Watch) -> Reduction:
        try:
            self._first_look(watch)
            while True:
                watch.look()
                self.rounds += 1
                counts = np.bincount(self.groups.ravel(), minlength=self.all)
                if not self._singles(counts) and not self._locked(counts):
                    break
        except _Found as found:
            nothing = np.zeros(0, dtype=np.int32)
            groups = np.zeros((len(self.groups), 0), dtype=np.int32)
            return Reduction(
                self.geometry, self.settled, nothing, nothing, groups, self.real, self.rounds, found.contradiction
            )
        return Reduction(self.geometry, self.settled, self.cells, self.symbols + 1, self.groups, self.real, self.rounds)

    # ---- the first look: what the clues leave ---------------------------------------------------------------------

    def _first_look(self, watch: Watch) -> None:
        n, slots, marks = self.order, self.houses.slots, self.board.marks
        given = np.flatnonzero(self.settled)
        if marks is not None:
            for cell in given.tolist():
                if not marks[cell] >> (self.board.clues[cell] - 1) & 1:
                    raise _Found(self._empty_cell(cell))
        groups = self._groups(given.astype(np.int32), self.settled[given] - 1)
        counts = np.bincount(groups.ravel(), minlength=self.all)
        self._refuse_clash(counts, groups, given, self.settled[given])
        self.needed[: self.real] = counts[: self.real] == 0
        taken = counts[self.geometry.cell_count :].reshape(-1, n) > 0
        taken[-1] = False
        left = np.flatnonzero(self.settled == 0).astype(np.int32)
        found = []
        at_a_time = max(1, _FIRST_LOOK // n)
        for first in range(0, len(left), at_a_time):
            watch.look()
            cells = left[first : first + at_a_time]
            out = taken[slots[0][cells]]
            for slot in slots[1:]:
                out |= taken[slot[cells]]
            if marks is not None:
                out |= ~_flags([marks[cell] for cell in cells.tolist()], n)
            places, symbols = np.nonzero(~out)
            found.append((cells[places], symbols.astype(np.int32)))
        if found:
            self.cells, self.symbols = (np.concatenate(parts) for parts in zip(*found, strict=True))
            self.groups = self._groups(self.cells, self.symbols)

    def _groups(self, cells: Integers, symbols: Integers) -> Integers:
        groups = np.empty((1 + len(self.houses.slots), len(cells)), dtype=np.int32)
        groups[0] = cells
        for place, slot in enumerate(self.houses.slots, 1):
            groups[place] = slot[cells] * self.order + symbols + self.geometry.cell_count
        return groups

    # ---- rounds -----------------------------------------------------------------------------------------------------

    def _singles(self, counts: npt.NDArray[np.int64]) -> bool:
        """Settle every group with one candidate left, all at once. False if there is none."""
        empty = self.needed & (counts == 0)
        if empty.any():
            raise _Found(self._nothing_left(int(np.argmax(empty))))
        single = self.needed & (counts == 1)
        if not single.any():
            return False
        chosen = np.flatnonzero(single[self.groups].any(axis=0))
        groups = self.groups[:, chosen]
        hits = np.bincount(groups.ravel(), minlength=self.all)
        self._refuse_clash(hits, groups, self.cells[chosen], self.symbols[chosen] + 1)
        self.settled[self.cells[chosen]] = self.symbols[chosen] + 1
        done = hits > 0
        done[self.real :] = False
        self.needed &= ~done
        self._keep(np.logical_not(done[self.groups].any(axis=0)))
        return True

    def _locked(self, counts: npt.NDArray[np.int64]) -> bool:
        """Drop what locked candidates rule out. False if that is nothing."""
        keep = np.ones(len(self.cells), dtype=bool)
        for a, b, numbers, how_many in self.houses.crossings:
            crossing = numbers[self.cells]
            place = crossing * np.int64(self.order) + self.symbols
            inside = np.bincount(place, minlength=how_many * self.order)[place]
            for one, other in ((self.groups[1 + a], self.groups[1 + b]), (self.groups[1 + b], self.groups[1 + a])):
                # all that a house has of the symbol lies where it crosses the other house
                locked = (crossing > 0) & (inside == counts[one])
                claimed = np.zeros(self.all, dtype=bool)
                claimed[other[locked]] = True
                keep &= locked | ~claimed[other]
        if keep.all():
            return False
        self._keep(keep)
        return True

    def _keep(self, keep: Flags) -> None:
        self.cells, self.symbols, self.groups = self.cells[keep], self.symbols[keep], self.groups[:, keep]

    # ---- contradictions ---------------------------------------------------------------------------------------------

    def _refuse_clash(
        self, counts: npt.NDArray[np.int64], groups: Integers, cells: npt.NDArray[np.integer], symbols: Integers
    ) -> None:
        """``counts`` of ``groups`` says how many candidates taken at the same time are in each group."""
        many = counts[: self.real] > 1
        if not many.any():
            return
        group = int(np.argmax(many))
        members = np.flatnonzero((groups == group).any(axis=0))
        where = [int(cells[member]) for member in members]
        names = " and ".join(dict.fromkeys(map(self.geometry.cell_name, where)))
        if group < self.geometry.cell_count:
            texts = " and ".join(self.geometry.symbol_text(int(symbols[member])) for member in members)
            raise _Found(Contradiction("cell", f"{names} is the only place left for {texts}", (where[0],)))
        house_index, symbol = divmod(group - self.geometry.cell_count, self.order)
        house, text = self.geometry.houses[house_index], self.geometry.symbol_text(symbol + 1)
        raise _Found(
            Contradiction("clash", f"{names} in {house.name} must all hold {text}", tuple(where), symbol + 1, house)
        )

    def _nothing_left(self, group: int) -> Contradiction:
        if group < self.geometry.cell_count:
            return self._empty_cell(group)
        house_index, symbol = divmod(group - self.geometry.cell_count, self.order)
        house = self.geometry.houses[house_index]
        message = f"{self.geometry.symbol_text(symbol + 1)} has no place left in {house.name}"
        return Contradiction("place", message, house.cells, symbol + 1, house)

    def _empty_cell(self, cell: int) -> Contradiction:
        return Contradiction("cell", f"{self.geometry.cell_name(cell)} has no candidate left", (cell,))


def _flags(masks: list[int], order: int) -> Flags:
    """Candidate masks as flags, of shape (masks, order)."""
    width = (order + 7) // 8
    raw = np.frombuffer(b"".join([mask.to_bytes(width, "little") for mask in masks]), dtype=np.uint8)
    return np.unpackbits(raw.reshape(-1, width), axis=1, count=order, bitorder="little").astype(bool)
