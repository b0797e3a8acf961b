"""Propagate clues and rules: naked and hidden singles, locked candidates and relations of rules, to a fixpoint.

Everything is arrays over the *open* candidates, of which few are left where boards are large: 100x100 with two thirds
of its cells given has a million candidates, of which some 20,000 survive the first look. A *group* is a set of
candidates of which exactly one holds: those of a cell, or those of a symbol in a house. A group with one candidate left
settles it (a single), one with none is a contradiction. A symbol whose candidates in one house lie all in another
house, too, is out in the rest of that other (a locked candidate). Every step is forced, so no solution is ever lost.

Of rules, a cell that is settled rules candidates out of the cells that it is related to, or must differ from. Other
primitives are looked at when all of their cells are settled; those that are left are compiled.

What a step costs is in proportion to what it changes: a group is looked at again only when it has lost a candidate, and
the members of a group are found by an index that is made once. Large boards may need thousands of steps, each of which
settles a few cells.

The houses of a geometry, and candidate masks, are arrays, too. This module exists for NumPy and imports it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gridproof.limits import look
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules.primitives import Different, Domain, Primitive, Relation, cells_of

Integers: TypeAlias = npt.NDArray[np.int32]
Flags: TypeAlias = npt.NDArray[np.bool_]


class HouseArrays(NamedTuple):
    """The houses of a geometry as arrays.

    A *slot* is a set of houses without a common cell: all rows, all columns, all boxes, ... slots: of shape
    (slots, cells), the index of the house of each cell in each slot, ``house_count`` where it has none. slot_of: the
    slot of each house. crossings: for each pair of slots (a, b) whose houses share several cells, the number (from 1)
    of the crossing of two houses that each cell lies in, 0 for a crossing of one cell. widest: the most cells of one.
    """

    slots: Integers
    slot_of: Integers
    house_count: int
    crossings: tuple[tuple[int, int, Integers], ...]
    widest: int


@lru_cache(maxsize=8)
def house_arrays(geometry: Geometry) -> HouseArrays:
    """The houses of a geometry as arrays, cached."""
    houses = np.array([house.cells for house in geometry.houses], dtype=np.int32)
    slots: list[Integers] = []
    slot_of = np.zeros(len(houses), dtype=np.int32)
    for index, cells in enumerate(houses):
        place = 0  # the first slot that has no house of these cells yet
        while place < len(slots) and (slots[place][cells] != len(houses)).any():
            place += 1
        if place == len(slots):
            slots.append(np.full(geometry.cell_count, len(houses), dtype=np.int32))
        slots[place][cells] = index
        slot_of[index] = place
    crossings = []
    for b in range(len(slots)):
        for a in range(b):
            pair = slots[a].astype(np.int64) * (len(houses) + 1) + slots[b]
            _, crossing, sizes = np.unique(pair, return_inverse=True, return_counts=True)
            real = (slots[a] < len(houses)) & (slots[b] < len(houses)) & (sizes[crossing] > 1)
            if real.any():
                _, crossing[real] = np.unique(crossing[real], return_inverse=True)
                crossings.append((a, b, np.where(real, crossing + 1, 0).astype(np.int32)))
    widest = max((int(np.bincount(numbers)[1:].max()) for _, _, numbers in crossings), default=0)
    return HouseArrays(np.array(slots), slot_of, len(houses), tuple(crossings), widest)


def flags(masks: Sequence[int], order: int) -> Flags:
    """Candidate masks as flags, of shape (masks, order)."""
    width = (order + 7) // 8
    raw = np.frombuffer(b"".join([mask.to_bytes(width, "little") for mask in masks]), dtype=np.uint8)
    return np.unpackbits(raw.reshape(-1, width), axis=1, count=order, bitorder="little").astype(bool)


@dataclass(frozen=True, eq=False)
class Reduction:
    """A board after propagation.

    settled: the symbol of each cell that has one by now (its clue, or what follows), 0 elsewhere. cells, symbols: the
    candidates that are left, by cell and symbol. groups: of shape (1 + slots, candidates), the group of each candidate
    as its cell's, then for each slot as its symbol's in the house; a number of ``real_groups`` or more means none.
    Where there is a ``contradiction`` no candidates are left. rounds: the steps it took, each of all singles at once,
    or of all locked candidates. primitives: what rules still demand of open cells, each with the number of its rule.
    """

    problem: Problem
    settled: Integers
    cells: Integers
    symbols: Integers
    groups: Integers
    real_groups: int
    rounds: int
    primitives: list[tuple[int, Primitive]]
    contradiction: bool

    @property
    def geometry(self) -> Geometry:
        """The geometry of the problem."""
        return self.problem.geometry

    @property
    def candidate_count(self) -> int:
        """The number of candidates that are left open."""
        return len(self.cells)

    @property
    def grid(self) -> SymbolTuple | None:
        """The solution, if propagation alone found it (it is the only one then)."""
        return None if self.contradiction or len(self.cells) else tuple(self.settled.tolist())


def reduce(board: Board) -> Reduction:
    """Propagate clues, pencil marks and rules of a board. Raises ``Interrupted`` when the time of ``watched`` is over.

    Examples
    --------
    >>> reduce(Board.from_symbols(Geometry.classic(2), "1.....2....3.4..")).grid is None
    False
    """
    spread = _Propagation(board)
    primitives: list[tuple[int, Primitive]] = []
    contradiction = False
    try:
        spread.first_look()
        spread.to_the_end()
        primitives = list(spread.rules.remaining())
    except _Contradicted:
        spread.open[:] = False
        contradiction = True
    left = spread.open
    return Reduction(
        board.problem,
        spread.settled,
        spread.cells[left],
        spread.symbols[left] + 1,
        spread.groups[:, left],
        spread.real,
        spread.rounds,
        primitives,
        contradiction,
    )


class _Contradicted(Exception):
    """A contradiction, on its way out of the rounds."""


class _Propagation:
    def __init__(self, board: Board) -> None:
        self.board = board
        self.geometry = geometry = board.geometry
        self.houses = house_arrays(geometry)
        self.order = n = geometry.order
        self.settled = np.array(board.clues, dtype=np.int32)
        self.real = geometry.cell_count + self.houses.house_count * n
        self.all = self.real + n  # the groups of the house that is none
        self.needed = np.zeros(self.all, dtype=bool)  # groups that nothing has settled yet
        self.cells = self.symbols = np.zeros(0, dtype=np.int32)
        self.open = np.zeros(0, dtype=bool)  # those of these candidates that are left
        self.groups = self._groups(self.cells, self.symbols)
        self.rounds = 0
        self.rules = _Rules(board.problem, self)

    def first_look(self) -> None:
        """Find the candidates that the clues leave."""
        n, slots, marks = self.order, self.houses.slots, self.board.marks
        given = np.flatnonzero(self.settled)
        if marks is not None and 0 in self.board.candidates:
            raise _Contradicted
        groups = self._groups(given.astype(np.int32), self.settled[given] - 1)
        self._refuse_clash(groups)
        self.needed[: self.real] = True
        self.needed[groups] = False
        taken = ~self.needed[self.geometry.cell_count :].reshape(-1, n)
        taken[-1] = False
        cells = np.flatnonzero(self.settled == 0).astype(np.int32)
        out = np.zeros((len(cells), n), dtype=bool)
        for slot in slots:
            look()
            out |= taken[slot[cells]]
        if marks is not None:
            out |= ~flags([marks[cell] for cell in cells.tolist()], n)
        places, symbols = np.nonzero(~out)
        self.cells = cells[places]
        self.symbols = symbols.astype(np.int32)
        self.groups = self._groups(self.cells, self.symbols)
        self.open = np.ones(len(self.cells), dtype=bool)

    def _groups(self, cells: Integers, symbols: Integers) -> Integers:
        of_houses = self.houses.slots[:, cells] * self.order + symbols + self.geometry.cell_count
        return np.concatenate((cells[None], of_houses)).astype(np.int32)

    def to_the_end(self) -> None:
        """Follow what the clues force, to the end."""
        by_group = np.argsort(self.groups, axis=None, kind="stable") % max(1, len(self.cells))
        self.members = by_group.astype(np.int32)  # of all groups, one after the other
        self.sizes = np.bincount(self.groups.ravel(), minlength=self.all)
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.counts = self.sizes.copy()
        touched = np.flatnonzero(self.needed).astype(np.int32)
        unlooked = [touched]  # touched since locked candidates were looked for
        while True:
            look()
            self.rounds += 1
            removed = self._singles(touched)
            if not len(removed):
                removed = self._locked(_distinct(np.concatenate(unlooked)))
                unlooked = []
            if not len(removed):
                removed = self.rules.excluded()
            if not len(removed):
                return
            self.open[removed] = False
            groups = self.groups[:, removed].ravel()
            np.subtract.at(self.counts, groups, 1)
            touched = _distinct(groups[self.needed[groups]])
            unlooked.append(touched)

    def open_members(self, groups: Integers) -> Integers:
        """Return the open candidates of groups, one group after the other; ``counts`` has their numbers."""
        sizes = self.sizes[groups]
        ends = np.cumsum(sizes)
        places = np.repeat(self.starts[groups] + sizes - ends, sizes)
        members = self.members[places + np.arange(len(places))]
        return members[self.open[members]]

    def _singles(self, touched: Integers) -> Integers:
        """Settle each of these groups that has one candidate left. The candidates that are open no longer."""
        counts = self.counts[touched]
        if not counts.all():
            raise _Contradicted
        single: Integers = touched[counts == 1]
        if not len(single):
            return single
        chosen = _distinct(self.open_members(single))
        self._refuse_clash(self.groups[:, chosen])
        self.settled[self.cells[chosen]] = self.symbols[chosen] + 1
        done = self.groups[:, chosen].ravel()
        done = done[done < self.real]
        self.needed[done] = False
        return _distinct(self.open_members(done))

    def _locked(self, touched: Integers) -> Integers:
        """The candidates that are ruled out by those of these groups, where they are locked."""
        parts = [touched[:0]]
        touched = touched[self.needed[touched] & (touched >= self.geometry.cell_count)]
        touched = touched[self.counts[touched] <= self.houses.widest]
        slot_of = self.houses.slot_of[(touched - self.geometry.cell_count) // self.order]
        for slot in range(len(self.houses.slots)):
            here = touched[slot_of == slot]
            if not len(here):
                continue
            members = self.open_members(here)
            counts = self.counts[here]
            firsts = np.cumsum(counts) - counts
            for a, b, numbers in self.houses.crossings:
                if slot not in (a, b):
                    continue
                # all that a house has of the symbol lies where it crosses the other house
                crossing = numbers[self.cells[members]]
                low = np.minimum.reduceat(crossing, firsts)
                locked = (low > 0) & (low == np.maximum.reduceat(crossing, firsts))
                crossed = self.groups[1 + a + b - slot][members[firsts[locked]]]
                outside = self.open_members(crossed)
                claimed = np.repeat(low[locked], self.counts[crossed])
                parts.append(outside[numbers[self.cells[outside]] != claimed])
        return _distinct(np.concatenate(parts))

    def _refuse_clash(self, groups: Integers) -> None:
        """Raise ``_Contradicted`` if two candidates that are taken at one time have one of these groups in common."""
        numbers = np.sort(groups[groups < self.real])
        if (numbers[1:] == numbers[:-1]).any():
            raise _Contradicted


class _Rules:
    """The primitives of a board's rules while cells are being settled.

    pairs: for each relation, with the number of its rule, the pairs of cells of which neither is settled yet, of shape
    (pairs, 2), and the allowed symbols as flags, of shape (order, order).
    """

    def __init__(self, problem: Problem, spread: _Propagation) -> None:
        self.spread = spread
        self.pairs: list[tuple[int, Relation, Integers, Flags]] = []
        self.primitives: list[tuple[int, Primitive]] = []
        self.domains: list[Domain] = []
        for number, primitive in primitives_of(problem):
            if isinstance(primitive, Domain):
                self.domains.append(primitive)
            if not isinstance(primitive, Relation):
                self.primitives.append((number, primitive))
            elif primitive.pairs:
                pairs = np.array(primitive.pairs, dtype=np.int32)
                self.pairs.append((number, primitive, pairs, flags(primitive.allowed, spread.order)))

    def excluded(self) -> Integers:
        """Return the open candidates that the rules exclude as far as cells are settled now."""
        spread = self.spread
        parts = [np.zeros(0, dtype=np.int32)]
        for domain in self.domains:
            members = spread.open_members(np.array([domain.cell]))
            parts.append(members[~np.isin(spread.symbols[members] + 1, domain.values)])
        for place, (number, relation, pairs, allowed) in enumerate(self.pairs):
            known = spread.settled[pairs] > 0
            both = pairs[known.all(axis=1)]
            symbols = spread.settled[both] - 1
            if not allowed[symbols[:, 0], symbols[:, 1]].all():
                raise _Contradicted
            for one in (0, 1):
                half = pairs[known[:, one] & ~known[:, 1 - one]]
                members = spread.open_members(half[:, 1 - one])
                symbol = np.repeat(spread.settled[half[:, one]] - 1, spread.counts[half[:, 1 - one]])
                fits = allowed if one == 0 else allowed.T
                parts.append(members[~fits[symbol, spread.symbols[members]]])
            self.pairs[place] = (number, relation, pairs[~known.any(axis=1)], allowed)
        for _, primitive in self.primitives:
            if isinstance(primitive, Different):
                parts.append(self._repeated(primitive))
        self.domains = []
        return _distinct(np.concatenate(parts))

    def _repeated(self, different: Different) -> Integers:
        """Return the open candidates that repeat a symbol settled in another of the cells."""
        spread = self.spread
        cells = np.array(different.cells)
        symbols = spread.settled[cells]
        taken = np.bincount(symbols, minlength=spread.order + 1)
        if (taken[1:] > 1).any():
            raise _Contradicted
        members = spread.open_members(cells[symbols == 0])
        return members[taken[spread.symbols[members] + 1] > 0]

    def remaining(self) -> Iterator[tuple[int, Primitive]]:
        """Yield what the rules still demand, with the number of its rule; raise for what is broken."""
        for number, relation, pairs, _ in self.pairs:
            if len(pairs):
                remaining = tuple([(first, second) for first, second in pairs.tolist()])
                yield number, Relation(remaining, relation.allowed)
        grid = self.spread.settled.tolist()
        for number, primitive in self.primitives:
            if not all(grid[cell] for cell in cells_of(primitive)):
                yield number, primitive
            elif not primitive.allows(grid):
                raise _Contradicted


@lru_cache(maxsize=8)
def primitives_of(problem: Problem) -> tuple[tuple[int, Primitive], ...]:
    """Return the primitives that the rules of a problem expand into, each with the number of its rule, from 1."""
    numbered: list[tuple[int, Primitive]] = []
    for number, rule in enumerate(problem.rules, 1):
        look()
        numbered += [(number, primitive) for primitive in rule.expand(problem.geometry)]
    return tuple(numbered)


def _distinct(numbers: Integers) -> Integers:
    """Each number once, ascending: ``np.unique`` for the many short arrays of a long chain."""
    numbers = np.sort(numbers)
    new = np.ones(len(numbers), dtype=bool)
    np.not_equal(numbers[1:], numbers[:-1], out=new[1:])
    return numbers[new]
