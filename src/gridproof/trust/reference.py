"""The independent solver that every answer is compared with: two backtrackers, neither of which uses ``Rule.expand``.

The first is for boards of houses, and its board is one integer. A Sudoku is an exact cover (Knuth, "Dancing Links",
2000): its requirements are "this cell holds one symbol" and "this house holds this symbol once"; a candidate, a symbol
in a cell, meets one for its cell and one for each house of the cell. A requirement has a *field* of n + 1 bits: one for
each candidate that meets it and on top a *guard*, set while the requirement is open. A candidate has its bit in all of
its fields or in none. All fields side by side are the *state*, one integer, and one operation on it acts on every field
("broadword" computing; Knuth, The Art of Computer Programming 4A, section 7.1.3):

- ``state & cover[candidate]`` takes a candidate: its fields become 0, guards too, and all candidates excluded
  by it vanish from the other fields. A state without guards is solved.
- ``state - ones``, where ``ones`` has the lowest bit of each open field, borrows the guard of just the fields
  without a candidate; ``state & (state - ones)`` strips one candidate from each of the others. A strip shows
  a dead end, the next the fields of one candidate (of a cell: a naked single; of a house: a hidden one).
  Where there are none, stripping on shows the fields with fewest candidates: there the search branches.

The second is for boards with rules, and for houses that need not hold every symbol. It works on the candidates of each
cell. A cell with one candidate removes that symbol from its peers; a symbol with one place in a full house goes there.
A rule with few fillings left is checked by ``Rule.holds`` for each of them: nothing else of a rule is used. Where no
conclusion is left, the search tries the symbols of a cell with fewest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice, product
from math import prod
from typing import TypeAlias

from gridproof.limits import Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry, SymbolTuple

_SAMPLE = 4  # candidates weighed at a choice: weighing more makes the search smaller, but not faster
_MEMORY = 1 << 26  # bytes for the masks of one geometry: above order 20 or so, not all are kept
_FEW = 200  # fillings of the open cells of a rule that are tried one by one


@dataclass(slots=True)
class Effort:
    """The effort of a search. nodes: choices made, tries: candidates tried, dead_ends: contradictions met."""

    nodes: int = 0
    tries: int = 0
    dead_ends: int = 0


def solutions(board: Board, effort: Effort | None = None, watch: Watch | None = None) -> Iterator[SymbolTuple]:
    """Yield each solution of ``board`` once, in a fixed order; none if the board contradicts itself.

    ``effort`` is counted up as the search runs. Raises ``Interrupted`` when a limit of ``watch`` is reached.
    """
    if effort is None:
        effort = Effort()
    if watch is None:
        watch = Watch()
    if board.rules or not board.geometry.has_full_houses_only:  # a sum has no field
        yield from _with_rules(board, effort, watch)
        return
    cover = _cover(board.geometry)
    order, guards, candidate = cover.order, cover.guards, cover.candidate
    state = cover.full
    every_symbol = (1 << order) - 1
    for cell, mask in enumerate(board.candidates):
        if mask != every_symbol:
            state &= cover.narrow(cell, mask)
    taken: list[int] = []  # the candidates taken on the way to this state
    choices: list[tuple[int, int, int]] = []  # state, bits still to be tried there, length of taken
    watch.before_next_solution()
    while True:
        while unmet := state & guards:
            watch.look()
            ones = unmet >> order
            stripped = state & (state - ones)
            if stripped & guards != unmet:
                effort.dead_ends += 1
                watch.conflict()
                break
            singles = unmet ^ (unmet & (stripped - ones))
            places = state & (singles - (singles >> order))
            if not places:
                effort.nodes += 1
                choices.append((state, cover.options(state, stripped, ones), len(taken)))
                break
            while places:  # a single that another excludes drops out; its field, left empty, is a dead end
                single = candidate[places.bit_length() - 1]
                mask = cover[single]
                state &= mask
                places &= mask
                taken.append(single)
        else:
            yield tuple([cell_and_symbol % order + 1 for cell_and_symbol in sorted(taken)])
            if choices:
                watch.before_next_solution()
        if not choices:
            return
        state, options, length = choices.pop()
        bit = options.bit_length() - 1
        if options := options ^ (1 << bit):
            choices.append((state, options, length))
        effort.tries += 1
        taken[length:] = [candidate[bit]]
        state &= cover[candidate[bit]]


def count(board: Board, limit: int | None = None) -> int:
    """Return the number of solutions of ``board``; counting stops at ``limit``, so that 2 tells one from several."""
    return sum(1 for _ in islice(solutions(board), limit))


class _Cover(dict[int, int]):
    """The fields of a geometry; as a mapping, from a candidate to what taking it leaves of the full state.

    The candidate of a cell and a symbol is the number cell * order + symbol - 1.
    """

    # The state of a board of order n = 2, from its lowest bit; G is a guard:
    #
    #     field            bits of its candidates, then its guard
    #     row 1, symbol 1      r1c1=1  r1c2=1  G        bits 0, 1, 2
    #     row 2, symbol 1      r2c1=1  r2c2=1  G        bits 3, 4, 5
    #     column 1, symbol 1   r1c1=1  r2c1=1  G        ... one field for each house, symbol after symbol
    #     cell r1c1            r1c1=1  r1c1=2  G        ... then one field for each cell
    #
    # So field f has the bits f * (n + 1) .. f * (n + 1) + n, the last of which is its guard. r1c1=1 has a bit in the
    # fields of row 1, of column 1 and of its cell. Taking it clears these three fields, guards included (they are
    # met), and every bit of every candidate in them: r1c2=1, r2c1=1 and r1c1=2 can no longer be taken.
    # ``candidate`` is the list from a bit to its candidate (-1 for a guard), ``bits`` the list from a candidate to
    # its bits. ``unmet >> n`` moves each guard onto the lowest bit of its own field, so that subtracting it borrows
    # from the guard if, and only if, all other bits of that field are 0: no field reaches into the next.

    def __init__(self, geometry: Geometry) -> None:
        self.order = n = geometry.symbol_count
        self.fields: list[list[int]] = []  # the candidates of each
        for symbol in range(n):
            for house in geometry.houses:
                self.fields.append([cell * n + symbol for cell in house.cells])
        for first in range(0, geometry.cell_count * n, n):  # of each cell
            self.fields.append(list(range(first, first + n)))
        self.candidate: list[int] = []  # of a bit; -1: guard
        for field in self.fields:
            self.candidate += field
            self.candidate.append(-1)
        self.bits: list[list[int]] = [
            [] for _ in range(geometry.cell_count * n + 1)
        ]  # of a candidate; the last: of all guards
        for bit, number in enumerate(self.candidate):
            self.bits[number].append(bit)
        self.full = (1 << len(self.candidate)) - 1
        self.guards = self.full ^ self.full_without(self.bits[-1])
        self.most = 1 + _MEMORY * 8 // len(self.candidate)
        self.narrow = lru_cache(self.most)(self._narrow)

    def options(self, state: int, stripped: int, ones: int) -> int:
        """Choose where to branch: a field with fewest candidates, one of which hits many of the other such fields."""
        unmet = state & self.guards
        while not (fewest := unmet ^ (unmet & (stripped - ones))):
            stripped &= stripped - ones
        places = rest = state & (fewest - (fewest >> self.order))
        sample: list[int] = []
        while rest and len(sample) < _SAMPLE:
            sample.append(rest.bit_length() - 1)
            rest &= self[self.candidate[sample[-1]]]
        best = min(sample, key=lambda bit: (places & self[self.candidate[bit]]).bit_count())
        return places & ((1 << self.order) - 1) << best - best % (self.order + 1)

    def __missing__(self, number: int) -> int:
        if len(self) >= self.most:
            self.clear()
        closed = [bit // (self.order + 1) for bit in self.bits[number]]
        gone = [bit for field in closed for rival in self.fields[field] for bit in self.bits[rival]]
        self[number] = mask = self.full_without(gone + [self.bits[-1][field] for field in closed])
        return mask

    def _narrow(self, cell: int, mask: int) -> int:
        absent = [cell * self.order + symbol for symbol in range(self.order) if not mask >> symbol & 1]
        return self.full_without([bit for number in absent for bit in self.bits[number]])

    def full_without(self, bits: Iterable[int]) -> int:
        """Return the full state without these bits."""
        octets = bytearray(len(self.candidate) // 8 + 1)
        for bit in bits:
            octets[bit >> 3] |= 1 << (bit & 7)
        return self.full ^ int.from_bytes(octets, "little")


_cover = lru_cache(maxsize=8)(_Cover)


# ---- boards with rules --------------------------------------------------------------------------------------------


def _with_rules(board: Board, effort: Effort, watch: Watch) -> Iterator[SymbolTuple]:
    """Yield each solution of a board with rules once."""
    search = _Search(board, watch)
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
        for symbol in reversed(board.geometry.symbols):
            if candidates[cell] >> (symbol - 1) & 1:
                effort.tries += 1
                tried = candidates.copy()
                tried[cell] = 1 << (symbol - 1)
                stack.append((tried, {cell}))


Holds: TypeAlias = Callable[[Sequence[Digit], Geometry], bool]
"""The truth of a rule on a full grid."""


class _Search:
    """The part of a search that is the same for all positions of one board."""

    def __init__(self, board: Board, watch: Watch) -> None:
        geometry = self._geometry = board.geometry
        self._watch = watch
        self._checks: list[tuple[Callable[[list[int]], bool], tuple[int, ...]]] = []
        for house in geometry.houses:
            if geometry.is_full(house):
                self._checks.append((partial(self._by_house, house.cells), house.cells))
        for rule in board.rules:
            scope = tuple(sorted(rule.scope(geometry)))
            self._checks.append((partial(self._by_fillings, rule.holds, scope), scope))
        self._checks_of: list[list[int]] = [[] for _ in range(geometry.cell_count)]
        for number, (_, cells) in enumerate(self._checks):
            for cell in cells:
                self._checks_of[cell].append(number)
        self.interest = [len(checks) for checks in self._checks_of]

    def conclude(self, candidates: list[int], changed: set[int]) -> bool:
        """Draw all conclusions from the cells that changed; ``False`` at a contradiction."""
        pending: set[int] = set(range(len(self._checks))) if len(changed) == len(candidates) else set()
        while True:
            if not self._by_peers(candidates, changed):
                return False
            for cell in changed:
                pending.update(self._checks_of[cell])
            if not pending:
                return True
            self._watch.look()
            number = min(pending)  # houses before fillings: they cost less
            pending.discard(number)
            conclude, cells = self._checks[number]
            before = [candidates[cell] for cell in cells]
            if not conclude(candidates):
                return False
            changed = {cell for cell, mask in zip(cells, before, strict=True) if candidates[cell] != mask}

    def _by_peers(self, candidates: list[int], changed: set[int]) -> bool:
        """Remove the symbol of each changed cell with one candidate from its peers, which then have changed, too."""
        queue = list(changed)
        for cell in queue:  # it grows while it is walked
            mask = candidates[cell]
            if mask & (mask - 1):
                continue
            for other in self._geometry.peers[cell]:
                if candidates[other] & mask:
                    candidates[other] &= ~mask
                    if not candidates[other]:
                        return False
                    changed.add(other)
                    queue.append(other)
        return True

    def _by_house(self, cells: tuple[int, ...], candidates: list[int]) -> bool:
        """Place the symbols that have one place in a house."""
        once = twice = 0
        for cell in cells:
            twice |= once & candidates[cell]
            once |= candidates[cell]
        if once != self._geometry.every_symbol:
            return False
        singles = once & ~twice
        if singles:
            for cell in cells:
                alone = candidates[cell] & singles
                if alone:
                    if alone & (alone - 1):  # two symbols with this one place
                        return False
                    candidates[cell] = alone
        return True

    def _by_fillings(self, holds: Holds, scope: tuple[int, ...], candidates: list[int]) -> bool:
        """Keep, where few fillings are left, the symbols of those with which the rule holds."""
        digits = self._geometry.digits
        open_cells = [cell for cell in scope if candidates[cell] & (candidates[cell] - 1)]
        if len(open_cells) > 7 or prod(candidates[cell].bit_count() for cell in open_cells) > _FEW:
            return True
        grid = list(digits.of([mask.bit_length() for mask in candidates]))
        possible = dict.fromkeys(open_cells, 0)
        held = False
        choices = []
        for cell in open_cells:
            mask = candidates[cell]
            choices.append([symbol for symbol in self._geometry.symbols if mask >> (symbol - 1) & 1])
        for filling in product(*choices):
            for cell, symbol in zip(open_cells, filling, strict=True):
                grid[cell] = digits.digit(symbol)
            if holds(grid, self._geometry):
                held = True
                for cell, symbol in zip(open_cells, filling, strict=True):
                    possible[cell] |= 1 << (symbol - 1)
        for cell in open_cells:
            candidates[cell] = possible[cell]
        return held
