"""The independent solver that every answer is compared with: a backtracker whose board is one integer.

Boards with rules go to ``gridproof.trust.candidates``; for boards of houses:

A Sudoku is an exact cover (Knuth, "Dancing Links", 2000): its requirements are "this cell holds one symbol"
and "this house holds this symbol once"; a candidate, a symbol in a cell, meets one for its cell and one for
each house of the cell. A requirement has a *field* of n + 1 bits: one for each candidate that meets it and on
top a *guard*, set while the requirement is open. A candidate has its bit in all of its fields or in none. All
fields side by side are the *state*, one integer, and one operation on it acts on every field ("broadword"
computing; Knuth, The Art of Computer Programming 4A, section 7.1.3):

- ``state & cover[candidate]`` takes a candidate: its fields become 0, guards too, and all candidates excluded
  by it vanish from the other fields. A state without guards is solved.
- ``state - ones``, where ``ones`` has the lowest bit of each open field, borrows the guard of just the fields
  without a candidate; ``state & (state - ones)`` strips one candidate from each of the others. A strip shows
  a dead end, the next the fields of one candidate (of a cell: a naked single; of a house: a hidden one).
  Where there are none, stripping on shows the fields with fewest candidates: there the search branches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from gridproof.limits import Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.trust import candidates

Effort = candidates.Effort

_SAMPLE = 4  # candidates weighed at a choice: weighing more makes the search smaller, but not faster
_MEMORY = 1 << 26  # bytes for the masks of one geometry: above order 20 or so, not all are kept


def solutions(board: Board, effort: Effort | None = None, watch: Watch | None = None) -> Iterator[Grid]:
    """Yield each solution of ``board`` once, in a fixed order; none if the board contradicts itself.

    ``effort`` is counted up as the search runs. Raises ``Interrupted`` when a limit of ``watch`` is reached.
    """
    effort, watch = effort or Effort(), watch or Watch()
    if board.rules:  # a sum has no field
        yield from candidates.solutions(board, effort, watch)
        return
    cover = _cover(board.geometry)
    order, guards, candidate = cover.order, cover.guards, cover.candidate
    state, every_symbol = cover.full, (1 << order) - 1
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
        self.order = n = geometry.order
        self.fields = [[c * n + s for c in house.cells] for s in range(n) for house in geometry.houses]
        self.fields += [list(range(first, first + n)) for first in range(0, n**3, n)]
        self.candidate = [number for field in self.fields for number in (*field, -1)]  # of a bit; -1: guard
        self.bits: list[list[int]] = [[] for _ in range(n**3 + 1)]  # of a candidate; the last: of all guards
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
