"""The clauses of what the clues of a large board leave open: for a second opinion on a board without rules.

Whole houses of such a board would be millions of clauses, so the clues are propagated first. This shares nothing with
the answer: the answer propagates by arrays (``models.propagation``) and writes the clauses of an encoding; here are
singles and locked candidates on sets of symbols, and the pairs that the checker of certificates writes.

A cell has the symbols that are left to it as the bits of an integer, and so has a symbol the cells that are left to it
in a house. A cell with one symbol left holds it (a naked single); a symbol with one cell left in a house of as many
cells as there are symbols is there (a hidden one). If all of its cells are in another house, too, the symbol is in none
of the other cells there (a locked candidate). Each conclusion is forced, so every solution satisfies the clauses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from gridproof.limits import Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple

LOOKS = 1024
"""Cells that are settled between two looks at the clock."""


class Contradicted(Exception):
    """A cell without a symbol, or a symbol without a cell in a full house: the board has no solution."""


class OpenBoard:
    """A board without rules after its singles.

    Raises
    ------
    Contradicted
        If the board has no solution because of them.
    Interrupted
        If a limit of the watch comes first.

    Examples
    --------
    >>> from gridproof import parse
    >>> left = OpenBoard(parse("1... ..2. .3.. ...."), Watch())
    >>> len(left.candidates), len(list(left.clauses()))
    (15, 56)
    """

    def __init__(self, board: Board, watch: Watch) -> None:
        geometry = board.geometry
        self._count = geometry.symbol_count
        self._houses = [house.cells for house in geometry.houses]
        self._symbols = list(board.candidates)
        self._settled = {cell for cell, clue in enumerate(board.clues) if clue}
        self._houses_of: dict[int, list[tuple[int, int]]] = {}
        self._places: list[dict[int, int]] = []  # of each house: the places that are left to a symbol
        for number, cells in enumerate(self._houses):
            watch.look()
            self._places.append(self._enter_house(number, cells, board.clues))
        self._pending: list[tuple[int, int]] = []  # singles: cell and symbol
        self._touched = {(house, symbol) for house, places in enumerate(self._places) for symbol in places}
        self._shared: dict[tuple[int, int], int] = {}
        self._find_singles()
        self._settle_singles(watch)
        while self._touched:
            self._exclude_locked(watch)
            self._settle_singles(watch)
        self.candidates: dict[tuple[int, int], int] = {}
        for cell in self._open_cells():
            for symbol in _bits(self._symbols[cell]):
                self.candidates[cell, symbol] = len(self.candidates) + 1

    def clauses(self) -> Iterator[tuple[int, ...]]:
        """Yield the clauses of open cells, and of open symbols in houses; candidates have the variables 1, 2, ..."""
        groups = []
        for cell in self._open_cells():
            groups.append(([self.candidates[cell, symbol] for symbol in _bits(self._symbols[cell])], True))
        for cells, places in zip(self._houses, self._places, strict=True):
            is_full = len(cells) == self._count
            for symbol, place_mask in places.items():
                variables = [self.candidates[cells[place], symbol] for place in _bits(place_mask)]
                groups.append((variables, is_full))
        pairs: set[tuple[int, int]] = set()
        for variables, one_at_least in groups:
            if one_at_least:
                yield tuple(variables)
            for first, second in combinations(variables, 2):
                if (first, second) not in pairs:
                    pairs.add((first, second))
                    yield (-first, -second)

    def clause_against(self, grid: SymbolTuple) -> tuple[int, ...] | None:
        """Return the clause that forbids a solution: empty if no other is left, ``None`` if singles exclude it."""
        literals = []
        for cell, symbol in enumerate(grid):
            if not self._symbols[cell] >> (symbol - 1) & 1:
                return None
            if cell not in self._settled:
                literals.append(-self.candidates[cell, symbol - 1])
        return tuple(literals)

    def grid_of(self, true: set[int]) -> SymbolTuple:
        """Return the grid of a model of the clauses."""
        symbols = [symbol_mask.bit_length() for symbol_mask in self._symbols]
        for (cell, symbol), variable in self.candidates.items():
            if variable in true:
                symbols[cell] = symbol + 1
        return tuple(symbols)

    def _open_cells(self) -> list[int]:
        return [cell for cell in range(len(self._symbols)) if cell not in self._settled]

    def _enter_house(self, number: int, cells: Sequence[int], clues: Sequence[int]) -> dict[int, int]:
        """Take the clues of a house from its open cells, and note its places; return those of each symbol left."""
        taken = 0
        for cell in cells:
            clue = clues[cell]
            if clue:
                if taken >> (clue - 1) & 1:
                    raise Contradicted
                taken |= 1 << (clue - 1)
        for place, cell in enumerate(cells):
            if not clues[cell]:
                self._symbols[cell] &= ~taken
                self._houses_of.setdefault(cell, []).append((number, 1 << place))
        every_symbol = (1 << self._count) - 1
        return dict.fromkeys(_bits(every_symbol & ~taken), 0)

    def _find_singles(self) -> None:
        """Note the places of symbols, and the singles that one look at the board shows."""
        for cell in self._open_cells():
            symbol_mask = self._symbols[cell]
            self._note_naked_single(cell)
            for symbol in _bits(symbol_mask):
                for house, place_mask in self._houses_of[cell]:
                    self._places[house][symbol] |= place_mask
        for house, places in enumerate(self._places):
            for symbol in places:
                self._note_hidden_single(house, symbol)

    def _note_naked_single(self, cell: int) -> None:
        symbol_mask = self._symbols[cell]
        if not symbol_mask:
            raise Contradicted
        if not symbol_mask & (symbol_mask - 1):
            self._pending.append((cell, symbol_mask.bit_length() - 1))

    def _note_hidden_single(self, house: int, symbol: int) -> None:
        cells = self._houses[house]
        if len(cells) == self._count:
            place_mask = self._places[house][symbol]
            if not place_mask:
                raise Contradicted
            if not place_mask & (place_mask - 1):
                self._pending.append((cells[place_mask.bit_length() - 1], symbol))

    def _settle_singles(self, watch: Watch) -> None:
        """Settle cells until no single is left."""
        while self._pending:
            cell, symbol = self._pending.pop()
            if cell in self._settled:
                continue
            self._settled.add(cell)
            if len(self._settled) % LOOKS == 0:
                watch.look()
            if not self._symbols[cell] >> symbol & 1:
                raise Contradicted
            for house, place_mask in self._houses_of[cell]:
                others = self._places[house].pop(symbol) ^ place_mask
                for place in _bits(others):
                    self._exclude(self._houses[house][place], symbol, house)
            for other in _bits(self._symbols[cell] ^ 1 << symbol):
                self._exclude(cell, other)

    def _exclude(self, cell: int, symbol: int, settled_house: int | None = None) -> None:
        """Take a symbol from a cell, and note the singles that this leaves.

        settled_house: the house in which the symbol has its cell.
        """
        self._symbols[cell] ^= 1 << symbol
        self._note_naked_single(cell)
        for house, place_mask in self._houses_of[cell]:
            if house != settled_house:
                self._places[house][symbol] ^= place_mask
                self._touched.add((house, symbol))
                self._note_hidden_single(house, symbol)

    def _exclude_locked(self, watch: Watch) -> None:
        """Look at the symbols of houses that have lost a cell, and take symbols from cells where they are locked."""
        watch.look()
        touched = sorted(self._touched)
        self._touched = set()
        for house, symbol in touched:
            place_mask = self._places[house].get(symbol, 0)
            if not place_mask or len(self._houses[house]) < self._count:
                continue
            first_cell = self._houses[house][place_mask.bit_length() - 1]
            for other, _ in self._houses_of[first_cell]:
                if other != house and not place_mask & ~self._places_shared(house, other):
                    outside = self._places[other][symbol] & ~self._places_shared(other, house)
                    for place in _bits(outside):
                        self._exclude(self._houses[other][place], symbol)

    def _places_shared(self, house: int, other: int) -> int:
        """Return the places of a house whose cells are in another one, too."""
        if (house, other) not in self._shared:
            others = set(self._houses[other])
            places = [1 << place for place, cell in enumerate(self._houses[house]) if cell in others]
            self._shared[house, other] = sum(places)
        return self._shared[house, other]


def _bits(mask: int) -> Iterator[int]:
    """Yield the places of the bits that are set, the lowest first."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
