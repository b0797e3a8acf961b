"""Five backtrackers in reading order. They walk the same tree, and differ in how they find the symbols that fit a cell.

======  ===============================================================  ============================================
name    idea                                                             cost
======  ===============================================================  ============================================
tables  a Boolean table of taken symbols for each kind of house          a look-up per house for each symbol tried
scan    the houses are scanned on the board itself; nothing is kept      a look at every cell of every house
sets    a set of the symbols that each house holds                       a new set for each cell that is entered
bits    as sets, with the bits of an integer                             an *or* per house for each cell and placement
lazy    as scan; the first empty cell is looked for anew at each level,  a look for the empty cell at each level
        and a generator scans for a candidate only when one is needed
======  ===============================================================  ============================================

Modelled on the programs that people write: *tables* on the backtracker of programming courses, *scan* on the
``is_valid(board, row, column, number)`` of countless tutorials, *sets* on short Python programs that subtract row,
column and box from ``set(range(1, 10))``, *bits* on the step that every write-up of a fast backtracker takes first (in
C++ a mask allocates nothing and gains a factor of ten; in Python both are objects), *lazy* on programs with ``yield``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import lru_cache

from gridproof.backends.solvers.search.session import Journal, SearchBackend, tests_by_last_cell
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple


def backends() -> list[SearchBackend]:
    """Return the backends of this module."""
    return [
        SearchBackend("search-bits", "reading order, a bit mask of the free symbols of each cell", bits),
        SearchBackend("search-lazy", "first empty cell anew at each level, candidates on demand", lazy),
        SearchBackend("search-scan", "reading order, scans the houses on the board itself", scan),
        SearchBackend("search-sets", "reading order, the set of free symbols of each cell", sets),
        SearchBackend("search-tables", "reading order, Boolean tables of taken symbols", tables),
    ]


def tables(board: Board, journal: Journal) -> Generator[SymbolTuple, None, None]:
    """Search with tables such as ``row[r][symbol]``; a symbol is entered in all of them, and struck out on return."""
    geometry = board.geometry
    lines = [[False] * (geometry.symbol_count + 1) for _ in geometry.houses]
    lines_of = []
    for indices in geometry.houses_of:
        lines_of.append([lines[index] for index in indices])
    allowed = allowed_symbols(board)

    def symbols(cell: int) -> Iterator[int]:
        for symbol in allowed[cell]:
            for taken in lines_of[cell]:
                if taken[symbol]:
                    journal.refused += 1
                    break
            else:
                yield symbol

    def put(cell: int, symbol: int) -> None:
        for taken in lines_of[cell]:
            taken[symbol] = True

    def take(cell: int, symbol: int) -> None:
        for taken in lines_of[cell]:
            taken[symbol] = False

    return reading_order(board, journal, symbols, put, take)


def scan(board: Board, journal: Journal) -> Generator[SymbolTuple, None, None]:
    """Search without any state beyond the board."""
    grid = list(board.clues)
    return reading_order(board, journal, scan_candidates(board, grid, journal), grid=grid)


def sets(board: Board, journal: Journal) -> Generator[SymbolTuple, None, None]:
    """Search with a set for each house."""
    held: list[set[int]] = [set() for _ in board.geometry.houses]
    held_of = []
    for indices in board.geometry.houses_of:
        held_of.append([held[index] for index in indices])
    allowed = [frozenset(symbols) for symbols in allowed_symbols(board)]

    def symbols(cell: int) -> Iterator[int]:
        # Sorted, because a set has no order of its own: the tree must be the one of the other strategies.
        return iter(sorted(allowed[cell].difference(*held_of[cell])))

    def put(cell: int, symbol: int) -> None:
        for house in held_of[cell]:
            house.add(symbol)

    def take(cell: int, symbol: int) -> None:
        for house in held_of[cell]:
            house.remove(symbol)

    return reading_order(board, journal, symbols, put, take)


def bits(board: Board, journal: Journal) -> Generator[SymbolTuple, None, None]:
    """Search with a mask for each house: bit ``symbol - 1`` is set if the house holds the symbol."""
    held = [0] * len(board.geometry.houses)
    houses_of = board.geometry.houses_of
    allowed = board.candidates

    def symbols(cell: int) -> Iterator[int]:
        free = allowed[cell]
        for house in houses_of[cell]:
            free &= ~held[house]
        while free:
            lowest = free & -free
            yield lowest.bit_length()
            free ^= lowest

    def flip(cell: int, symbol: int) -> None:
        bit = 1 << (symbol - 1)
        for house in houses_of[cell]:
            held[house] ^= bit

    return reading_order(board, journal, symbols, flip, flip)


def lazy(board: Board, journal: Journal) -> Generator[SymbolTuple, None, None]:
    """Search for the first empty cell of the grid, and then for a symbol that fits it, as often as one is needed."""
    grid = list(board.clues)
    symbols = scan_candidates(board, grid, journal)
    return reading_order(board, journal, symbols, grid=grid, next_cell=lambda depth: grid.index(0))


# ---- what they share -------------------------------------------------------------------------------------------------


def reading_order(
    board: Board,
    journal: Journal,
    symbols: Callable[[int], Iterator[int]],
    put: Callable[[int, int], None] | None = None,
    take: Callable[[int, int], None] | None = None,
    grid: list[int] | None = None,
    next_cell: Callable[[int], int] | None = None,
) -> Generator[SymbolTuple, None, None]:
    """Fill the cells without a clue one after the other; go back where no symbol fits.

    It keeps its own stack, as ``depth_first`` does, and takes a tenth less time. symbols: gives what may go into a cell
    now, ascending. put, take: called with every symbol that enters and leaves the grid, clues first, for strategies
    that keep more than the grid. grid: the symbol of each cell, 0 for none; it starts with the clues and is changed in
    place. next_cell: the cell to fill when so many were filled; without it they come from a list.

    Each round opens the next cell, or yields a full grid. Then it enters the next untried symbol of the deepest open
    cell that has one, and closes the deeper ones. If no open cell has one, there are no more grids, and it returns.
    """
    grid = list(board.clues) if grid is None else grid
    for cell, clue in enumerate(board.clues):
        if clue and put:
            put(cell, clue)
    cells = [cell for cell, clue in enumerate(board.clues) if not clue]
    next_cell = next_cell or cells.__getitem__
    if board.rules:
        symbols = keep_rules(symbols, board, journal, grid)
    levels: list[tuple[int, Iterator[int]]] = []  # cells, with the symbols that are still to be tried there
    while True:
        if len(levels) == len(cells):
            yield tuple(grid)
        else:
            cell = next_cell(len(levels))
            levels.append((cell, symbols(cell)))  # still empty: the loop below enters its first symbol
        while levels:  # until a cell has an untried symbol, from the deepest up
            cell, untried = levels[-1]
            last = grid[cell]
            if last and take:
                take(cell, last)
            grid[cell] = 0
            symbol = next(untried, 0)
            if symbol:
                grid[cell] = symbol
                if put:
                    put(cell, symbol)
                journal.place(len(levels), cell, symbol)
                break  # on to the next cell, or to the full grid
            if not last:  # not even a first symbol was found
                journal.dead_end(cell)
            levels.pop()
        else:  # no level is left: there are no more grids
            return


def keep_rules(
    symbols: Callable[[int], Iterator[int]], board: Board, journal: Journal, grid: list[int]
) -> Callable[[int], Generator[int, None, None]]:
    """Return a function that yields those symbols of a cell that break no rule; the others count as refused.

    A rule is tested only at the last of its cells to be filled: a rule on the empty cells r1c1 and r1c2 is tested with
    each symbol of r1c2, when r1c1 is filled already, and not with those of r1c1.
    """
    due = tests_by_last_cell(board)

    def keep(cell: int) -> Generator[int, None, None]:
        tests = due.get(cell, ())
        for symbol in symbols(cell):
            grid[cell] = symbol
            fine = all(test.allows(grid) for test in tests)
            grid[cell] = 0
            if fine:
                yield symbol
            else:
                journal.refused += 1

    return keep


def allowed_symbols(board: Board) -> list[tuple[int, ...]]:
    """For each cell the symbols that its clue or its pencil marks allow, ascending."""
    symbols = range(1, board.geometry.symbol_count + 1)
    unpacked: dict[int, tuple[int, ...]] = {}
    for mask in set(board.candidates):
        unpacked[mask] = tuple(symbol for symbol in symbols if mask >> (symbol - 1) & 1)
    return [unpacked[mask] for mask in board.candidates]


def scan_candidates(board: Board, grid: list[int], journal: Journal) -> Callable[[int], Generator[int, None, None]]:
    """Return a function that yields the symbols that fit into a cell; each is looked up on the board, cell by cell."""
    lines = gather_lines(board.geometry)
    allowed = allowed_symbols(board)

    def scan_cell(cell: int) -> Generator[int, None, None]:
        for symbol in allowed[cell]:
            for other in lines[cell]:
                if grid[other] == symbol:
                    journal.refused += 1
                    break
            else:
                yield symbol

    return scan_cell


@lru_cache(maxsize=8)
def gather_lines(geometry: Geometry) -> list[list[int]]:
    """Return for each cell the cells of its houses, one house after the other."""
    lines = []
    for indices in geometry.houses_of:
        cells: list[int] = []
        for index in indices:
            cells += geometry.houses[index].cells
        lines.append(cells)
    return lines
