"""The reference for boards with rules: a backtracker on candidates. It never uses ``Rule.expand``.

It draws these conclusions. A cell with one candidate removes that symbol from its peers; a symbol with one place in a
house goes there. Of the pairs of ``Rule.follows``, a symbol that fits nothing in its partner goes; of the sums, one
that leads beyond the least or the greatest sum, or into no set of symbols of a cage. A rule with few fillings left is
checked by ``holds`` for each of them. Where no conclusion is left, the search tries the symbols of a cell with fewest.
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
"""Largest number of fillings of the open cells of a rule that are tried one by one."""


@dataclass(slots=True)
class Effort:
    """The effort of a search. nodes: choices made, tries: candidates tried, dead_ends: contradictions met."""

    nodes: int = 0
    tries: int = 0
    dead_ends: int = 0


def solutions(board: Board, effort: Effort, watch: Watch) -> Iterator[Grid]:
    """Yield each solution of ``board`` once; raises ``Interrupted`` when a limit of ``watch`` is reached."""
    search = _Search(board, watch)
    if not all(rule.may_hold(board.candidates, board.geometry) for rule in board.rules):
        return
    watch.before_next_solution()
    stack = [(list(board.candidates), set(range(board.geometry.cell_count)))]
    number = 0
    while stack:
        watch.look()
        candidates, changed = stack.pop()
        if not search.conclude(candidates, changed):
            effort.dead_ends += 1
            watch.conflict()
            continue
        open_cells = [cell for cell, mask in enumerate(candidates) if mask & (mask - 1)]
        if not open_cells:
            if number:
                watch.before_next_solution()
            number += 1
            yield tuple([mask.bit_length() for mask in candidates])
            continue
        effort.nodes += 1
        cell = min(open_cells, key=lambda cell: (candidates[cell].bit_count(), -search.interest[cell]))
        for symbol in range(board.geometry.order, 0, -1):
            if candidates[cell] >> (symbol - 1) & 1:
                effort.tries += 1
                stack.append(([*candidates[:cell], 1 << (symbol - 1), *candidates[cell + 1 :]], {cell}))


class _Fitting(dict[int, int]):
    """The mask of the symbols that fit one of the symbols of a mask."""

    def __init__(self, table: Sequence[int]) -> None:
        self._table = table

    def __missing__(self, mask: int) -> int:
        union = 0
        for symbol, fitting in enumerate(self._table):
            if mask >> symbol & 1:
                union |= fitting
        self[mask] = union
        return union


class _Search:
    """The part of a search that is the same for all positions of one board."""

    def __init__(self, board: Board, watch: Watch) -> None:
        geometry = self._geometry = board.geometry
        self._watch = watch
        self._order = n = geometry.order
        cells = range(geometry.cell_count)
        self._partners: list[list[tuple[int, _Fitting]]] = [[] for _ in cells]
        self._checks_of: list[list[int]] = [[] for _ in cells]
        self._checks: list[tuple[Callable[[list[int]], bool], Cells]] = []
        for rule in board.rules:
            for fact in rule.follows(geometry):
                if isinstance(fact, Relation):
                    backwards = [sum((fact.allowed[a] >> b & 1) << a for a in range(n)) for b in range(n)]
                    there, back = _Fitting(fact.allowed), _Fitting(backwards)
                    for one, other in fact.pairs:
                        self._partners[one].append((other, there))
                        self._partners[other].append((one, back))
                else:
                    self._add(partial(self._by_sum, fact), fact.cells)
                    if fact.distinct and set(fact.coefficients) == {1}:
                        self._add(partial(self._by_sets, fact), fact.cells)
        for rule in board.rules:
            scope = tuple(sorted(rule.scope(geometry)))
            self._add(partial(self._by_fillings, rule.holds, scope), scope)
        self.interest = [
            len(checks) + len(partners) + len(geometry.peers[cell])
            for cell, (checks, partners) in enumerate(zip(self._checks_of, self._partners, strict=True))
        ]

    def _add(self, conclude: Callable[[list[int]], bool], cells: Cells) -> None:
        for cell in set(cells):
            self._checks_of[cell].append(len(self._checks))
        self._checks.append((conclude, cells))

    def conclude(self, candidates: list[int], changed: set[int]) -> bool:
        """Draw all conclusions from the cells that changed; ``False`` at a contradiction."""
        pending: set[int] = set(range(len(self._checks))) if len(changed) == len(candidates) else set()
        while True:
            while changed:
                before = list(candidates)
                if not self._by_houses(candidates):
                    return False
                changed.update(cell for cell, mask in enumerate(candidates) if mask != before[cell])
                for cell in changed:
                    pending.update(self._checks_of[cell])
                if not self._by_partners(candidates, changed):
                    return False
            if not pending:
                return True
            self._watch.look()
            number = min(pending)  # sums before fillings: they cost less
            pending.discard(number)
            conclude, cells = self._checks[number]
            before = list(candidates)
            if not conclude(candidates):
                return False
            changed = {cell for cell in cells if candidates[cell] != before[cell]}

    def _by_partners(self, candidates: list[int], changed: set[int]) -> bool:
        """Remove what fits no symbol of a changed cell from its partners; ``changed`` becomes the cells changed so."""
        queue = list(changed)
        changed.clear()
        for cell in queue:  # it grows while it is walked
            mask = candidates[cell]
            for other, fitting in self._partners[cell]:
                rest = candidates[other] & fitting[mask]
                if rest != candidates[other]:
                    if not rest:
                        return False
                    candidates[other] = rest
                    changed.add(other)
                    queue.append(other)
        return True

    def _by_sum(self, fact: Sum, candidates: list[int]) -> bool:
        """Remove the symbols with which the other cells cannot make up the rest of the sum."""
        masks = [candidates[cell] for cell in fact.cells]
        ends = [
            sorted((weight * (mask & -mask).bit_length(), weight * mask.bit_length()))
            for mask, weight in zip(masks, fact.coefficients, strict=True)
        ]
        least, most = sum(low for low, _ in ends), sum(high for _, high in ends)
        if not least <= fact.total <= most:
            return False
        for cell, weight, (low, high) in zip(fact.cells, fact.coefficients, ends, strict=True):
            lowest, highest = fact.total - (most - high), fact.total - (least - low)
            if lowest > low or highest < high:
                for symbol in range(1, self._order + 1):
                    if not lowest <= weight * symbol <= highest:
                        candidates[cell] &= ~(1 << (symbol - 1))
                if not candidates[cell]:
                    return False
        return True

    def _by_sets(self, fact: Sum, candidates: list[int]) -> bool:
        """Keep the symbols that are in some set with the sum of a cage, whose symbols all differ."""
        masks = [candidates[cell] for cell in fact.cells]
        held, some, every = reduce(or_, masks), 0, -1
        for symbols in _sets(len(masks), fact.total, self._order):
            if not symbols & ~held and all(symbols & mask for mask in masks):
                some |= symbols
                every &= symbols
        if not some:
            return False
        for cell in fact.cells:
            candidates[cell] &= some
        while every:
            bit = every & -every
            every ^= bit
            places = [cell for cell in fact.cells if candidates[cell] & bit]
            if not places:
                return False
            if len(places) == 1:
                candidates[places[0]] = bit
        return True

    def _by_fillings(self, holds: Callable[..., bool], scope: Cells, candidates: list[int]) -> bool:
        """Keep, where few fillings are left, the symbols of those with which the rule holds."""
        open_cells = [cell for cell in scope if candidates[cell] & (candidates[cell] - 1)]
        if len(open_cells) > 7 or prod(candidates[cell].bit_count() for cell in open_cells) > FEW:
            return True
        grid = [mask.bit_length() for mask in candidates]
        possible = dict.fromkeys(open_cells, 0)
        held = False
        choices = [[s for s in range(1, self._order + 1) if candidates[cell] >> (s - 1) & 1] for cell in open_cells]
        for filling in product(*choices):
            for cell, symbol in zip(open_cells, filling, strict=True):
                grid[cell] = symbol
            if holds(grid, self._geometry):
                held = True
                for cell, symbol in zip(open_cells, filling, strict=True):
                    possible[cell] |= 1 << (symbol - 1)
        for cell in open_cells:
            candidates[cell] = possible[cell]
        return held

    def _by_houses(self, candidates: list[int]) -> bool:
        """Draw the conclusions of naked and hidden singles; ``False`` at a contradiction."""
        geometry = self._geometry
        every_symbol = (1 << geometry.order) - 1
        done: set[int] = set()
        while True:
            if 0 in candidates:
                return False
            singles = [c for c, mask in enumerate(candidates) if not mask & (mask - 1) and c not in done]
            for cell in singles:
                done.add(cell)
                for peer in geometry.peers[cell]:
                    candidates[peer] &= ~candidates[cell]
            if singles:
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
    """Return the sets of so many different symbols with a sum, as masks."""
    sets = (symbols for symbols in combinations(range(1, order + 1), size) if sum(symbols) == total)
    return tuple(sum(1 << (symbol - 1) for symbol in symbols) for symbols in sets)
