"""The reference for boards with rules: a backtracker on candidates. ``Rule.expand`` is never asked.

It draws these conclusions: a settled cell takes its symbol from its peers; a symbol with one place left in a house goes
there; of what ``Rule.follows`` says of pairs, a symbol that fits nothing in a partner goes; of what it says of sums,
one that leads beyond the least or the greatest sum, or into no set of symbols of a cage, goes; and a rule with few
fillings left is asked for each of them whether it ``holds``. Where they end it tries the symbols of a cell with fewest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial, reduce
from itertools import combinations, product
from math import prod
from operator import or_

from gridproof.limits import Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.rules.primitives import Cells, Relation, Sum

FEW = 200
"""Fillings of the open cells of a rule that are tried one by one."""


@dataclass(slots=True)
class Effort:
    """What a search cost. nodes: choices made, tries: candidates tried, dead_ends: contradictions met."""

    nodes: int = 0
    tries: int = 0
    dead_ends: int = 0


def solutions(board: Board, effort: Effort, watch: Watch) -> Iterator[Grid]:
    """Each solution of ``board`` once; raises ``Interrupted`` when a limit of ``watch`` is reached."""
    search = _Search(board, watch)
    if not all(rule.may_hold(board.candidates, board.geometry) for rule in board.rules):
        return
    watch.before_next_solution()
    stack = [(list(board.candidates), set(range(board.geometry.cell_count)))]
    found = 0
    while stack:
        watch.look()
        candidates, changed = stack.pop()
        if not search.conclude(candidates, changed):
            effort.dead_ends += 1
            watch.conflict()
            continue
        open_cells = [cell for cell, mask in enumerate(candidates) if mask & (mask - 1)]
        if not open_cells:
            if found:
                watch.before_next_solution()
            found += 1
            yield tuple([mask.bit_length() for mask in candidates])
            continue
        effort.nodes += 1
        cell = min(open_cells, key=lambda cell: (candidates[cell].bit_count(), -search.interest[cell]))
        for symbol in range(board.geometry.order, 0, -1):
            if candidates[cell] >> (symbol - 1) & 1:
                effort.tries += 1
                stack.append(([*candidates[:cell], 1 << (symbol - 1), *candidates[cell + 1 :]], {cell}))


class _Fitting(dict[int, int]):
    """From a mask of symbols to the mask of those that fit one of them."""

    def __init__(self, table: Sequence[int]) -> None:
        self._table = table

    def __missing__(self, mask: int) -> int:
        found = 0
        for symbol, fitting in enumerate(self._table):
            if mask >> symbol & 1:
                found |= fitting
        self[mask] = found
        return found


class _Search:
    """What is the same for all positions of one board."""

    def __init__(self, board: Board, watch: Watch) -> None:
        geometry = self._geometry = board.geometry
        self._watch = watch
        self._order = n = geometry.order
        cells = range(geometry.cell_count)
        self._partners: list[list[tuple[int, _Fitting]]] = [[] for _ in cells]
        self._asks_of: list[list[int]] = [[] for _ in cells]
        self._asks: list[tuple[Callable[[list[int]], bool], Cells]] = []
        for rule in board.rules:
            for said in rule.follows(geometry):
                if isinstance(said, Relation):
                    backwards = [sum((said.allowed[a] >> b & 1) << a for a in range(n)) for b in range(n)]
                    there, back = _Fitting(said.allowed), _Fitting(backwards)
                    for one, other in said.pairs:
                        self._partners[one].append((other, there))
                        self._partners[other].append((one, back))
                else:
                    self._ask(partial(self._by_sum, said), said.cells)
                    if said.distinct and set(said.coefficients) == {1}:
                        self._ask(partial(self._by_sets, said), said.cells)
        for rule in board.rules:
            scope = tuple(sorted(rule.scope(geometry)))
            self._ask(partial(self._by_fillings, rule.holds, scope), scope)
        self.interest = [
            len(asks) + len(partners) + len(geometry.peers[cell])
            for cell, (asks, partners) in enumerate(zip(self._asks_of, self._partners, strict=True))
        ]

    def _ask(self, conclude: Callable[[list[int]], bool], cells: Cells) -> None:
        for cell in set(cells):
            self._asks_of[cell].append(len(self._asks))
        self._asks.append((conclude, cells))

    def conclude(self, candidates: list[int], changed: set[int]) -> bool:
        """Draw all conclusions from the cells that changed; ``False`` at a contradiction."""
        pending: set[int] = set(range(len(self._asks))) if len(changed) == len(candidates) else set()
        while True:
            while changed:
                before = list(candidates)
                if not self._by_houses(candidates):
                    return False
                changed.update(cell for cell, mask in enumerate(candidates) if mask != before[cell])
                for cell in changed:
                    pending.update(self._asks_of[cell])
                if not self._by_partners(candidates, changed):
                    return False
            if not pending:
                return True
            self._watch.look()
            number = min(pending)  # sums before fillings: they cost less
            pending.discard(number)
            conclude, cells = self._asks[number]
            before = list(candidates)
            if not conclude(candidates):
                return False
            changed = {cell for cell in cells if candidates[cell] != before[cell]}

    def _by_partners(self, candidates: list[int], changed: set[int]) -> bool:
        """What the cells that changed leave to their partners; ``changed`` is then what these changed."""
        queue = list(changed)
        changed.clear()
        for cell in queue:  # it grows while it is walked
            mask = candidates[cell]
            for other, fitting in self._partners[cell]:
                left = candidates[other] & fitting[mask]
                if left != candidates[other]:
                    if not left:
                        return False
                    candidates[other] = left
                    changed.add(other)
                    queue.append(other)
        return True

    def _by_sum(self, said: Sum, candidates: list[int]) -> bool:
        """Take the symbols with which the others cannot make up the rest."""
        masks = [candidates[cell] for cell in said.cells]
        ends = [
            sorted((weight * (mask & -mask).bit_length(), weight * mask.bit_length()))
            for mask, weight in zip(masks, said.coefficients, strict=True)
        ]
        least, most = sum(low for low, _ in ends), sum(high for _, high in ends)
        if not least <= said.total <= most:
            return False
        for cell, weight, (low, high) in zip(said.cells, said.coefficients, ends, strict=True):
            lowest, highest = said.total - (most - high), said.total - (least - low)
            if lowest > low or highest < high:
                for symbol in range(1, self._order + 1):
                    if not lowest <= weight * symbol <= highest:
                        candidates[cell] &= ~(1 << (symbol - 1))
                if not candidates[cell]:
                    return False
        return True

    def _by_sets(self, said: Sum, candidates: list[int]) -> bool:
        """Of a cage whose symbols differ, keep what some set of symbols with its sum has."""
        masks = [candidates[cell] for cell in said.cells]
        held, some, every = reduce(or_, masks), 0, -1
        for symbols in _sets(len(masks), said.total, self._order):
            if not symbols & ~held and all(symbols & mask for mask in masks):
                some |= symbols
                every &= symbols
        if not some:
            return False
        for cell in said.cells:
            candidates[cell] &= some
        while every:
            bit = every & -every
            every ^= bit
            places = [cell for cell in said.cells if candidates[cell] & bit]
            if not places:
                return False
            if len(places) == 1:
                candidates[places[0]] = bit
        return True

    def _by_fillings(self, holds: Callable[..., bool], scope: Cells, candidates: list[int]) -> bool:
        """Where few fillings are left, keep what stands in one with which the rule holds."""
        open_cells = [cell for cell in scope if candidates[cell] & (candidates[cell] - 1)]
        if len(open_cells) > 7 or prod(candidates[cell].bit_count() for cell in open_cells) > FEW:
            return True
        grid = [mask.bit_length() for mask in candidates]
        left = dict.fromkeys(open_cells, 0)
        held = False
        choices = [[s for s in range(1, self._order + 1) if candidates[cell] >> (s - 1) & 1] for cell in open_cells]
        for filling in product(*choices):
            for cell, symbol in zip(open_cells, filling, strict=True):
                grid[cell] = symbol
            if holds(grid, self._geometry):
                held = True
                for cell, symbol in zip(open_cells, filling, strict=True):
                    left[cell] |= 1 << (symbol - 1)
        for cell in open_cells:
            candidates[cell] = left[cell]
        return held

    def _by_houses(self, candidates: list[int]) -> bool:
        """Settled cells exclude their peers, symbols with one place are settled; ``False`` at a contradiction."""
        geometry = self._geometry
        every_symbol = (1 << geometry.order) - 1
        done: set[int] = set()
        while True:
            if 0 in candidates:
                return False
            settled = [c for c, mask in enumerate(candidates) if not mask & (mask - 1) and c not in done]
            for cell in settled:
                done.add(cell)
                for peer in geometry.peers[cell]:
                    candidates[peer] &= ~candidates[cell]
            if settled:
                continue
            changed = False
            for house in geometry.houses:
                once = twice = 0
                for cell in house.cells:
                    twice |= once & candidates[cell]
                    once |= candidates[cell]
                if once != every_symbol:
                    return False
                single = once & ~twice
                for cell in house.cells if single else ():
                    mask = candidates[cell]
                    alone = mask & single
                    if alone & (alone - 1):  # two symbols with this one place
                        return False
                    if alone and mask != alone:
                        candidates[cell] = alone
                        changed = True
            if not changed:
                return True


@lru_cache(maxsize=1024)
def _sets(size: int, total: int, order: int) -> tuple[int, ...]:
    """The sets of so many different symbols with a sum, as masks."""
    found = (symbols for symbols in combinations(range(1, order + 1), size) if sum(symbols) == total)
    return tuple(sum(1 << (symbol - 1) for symbol in symbols) for symbols in found)
