"""Checks whether a grid is a solution of a board: directly against houses, clues, pencil marks and rules.

Every grid that any backend returns passes here, so there is a quick check for solutions. A grid that does not pass it
is checked cell by cell and house by house, and only that check refuses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

BREAKS = "it breaks a rule: "
"""Beginning of a reason that is a broken rule; the sentence of the rule follows."""

_LARGEST_ORDER_OF_THE_SHORT_WAY = 25  # its table grows with the fifth power of the order: 5 MB here


def is_solution(board: Board, grid: object) -> bool:
    """Return whether ``grid``, which may be any object, is a solution of ``board``."""
    return not violations(board, grid)


def violations(board: Board, grid: object) -> list[str]:
    """Return every reason why ``grid`` is no solution of ``board``; none if it is one.

    A solution is a tuple or list of one symbol, an ``int`` from 1 on, for each cell, in reading order, that gives each
    clue, keeps to the pencil marks, has no symbol twice in a house and breaks no rule. A value that is nearly an
    ``int`` (a NumPy scalar) is refused. The reasons name cells (r1c1) and houses.
    """
    if not isinstance(grid, (tuple, list)):
        return [f"{_shortened(grid)} is no grid; expected a tuple of {board.geometry.cell_count} symbols"]
    reasons = [] if _passes(board, grid) else list(_reasons(board, grid))
    if board.rules and not reasons:  # a rule is about grids of symbols only
        digits = board.geometry.digits.of(grid)
        broken = [rule for rule in board.rules if not rule.holds(digits, board.geometry)]
        reasons = [f"{BREAKS}{rule.sentence(board.geometry)}" for rule in broken]
    return reasons


def _passes(board: Board, grid: Sequence[object]) -> bool:
    """Check quickly: true only for a solution; false leaves it open.

    Only boards of full houses are checked here. Each pair of a house and a symbol has one bit, and a symbol in a cell
    weighs the bits of its cell's houses. The weights of a grid have as many bits in all as there are pairs, so their
    sum has every bit set only if no bit was added twice (each carry loses one): no symbol is twice in a house.
    """
    if board.geometry.symbol_count > _LARGEST_ORDER_OF_THE_SHORT_WAY or board.marks is not None:
        return False
    if not board.geometry.has_full_houses_only:
        return False
    if len(grid) != len(board.clues):
        return False
    weights, every_pair = _weights(board.geometry)
    total = 0
    for weight_of, symbol, clue in zip(weights, grid, board.clues, strict=True):
        if type(symbol) is not int or symbol not in weight_of:
            return False
        if clue and clue != symbol:
            return False
        total += weight_of[symbol]
    return total == every_pair


@lru_cache(maxsize=16)
def _weights(geometry: Geometry) -> tuple[list[dict[int, int]], int]:
    """Return for each cell the weight of each symbol in it, and the sum of the weights of a solution."""
    order = geometry.symbol_count
    weights = []
    for houses in geometry.houses_of:
        weight_of: dict[int, int] = {}
        for symbol in range(1, order + 1):
            weight_of[symbol] = sum([1 << (house * order + symbol - 1) for house in houses])
        weights.append(weight_of)
    return weights, (1 << order * len(geometry.houses)) - 1


def _reasons(board: Board, grid: Sequence[object]) -> Iterator[str]:
    geometry = board.geometry
    order, name, text = geometry.symbol_count, geometry.cell_name, geometry.symbol_text
    if len(grid) != geometry.cell_count:
        yield f"a grid of {len(grid)} cells; expected {geometry.cell_count} on a board of {geometry.description}"
        return
    symbols: list[int] = []  # 0 where there is no symbol
    for cell, (entry, clue) in enumerate(zip(grid, board.clues, strict=True)):
        if type(entry) is not int or not 1 <= entry <= order:
            yield f"{name(cell)} holds {_shortened(entry)}; expected an int from 1 to {order}"
            symbols.append(0)
            continue
        symbols.append(entry)
        if clue and clue != entry:
            yield f"{name(cell)} holds {text(entry)} but its clue is {text(clue)}"
        if board.marks is not None and not board.marks[cell] >> (entry - 1) & 1:
            yield f"{name(cell)} holds {text(entry)}, which is not among its pencil marks"
    for house in geometry.houses:
        held = [symbols[cell] for cell in house.cells]
        if len(set(held)) == len(held) and 0 not in held:
            continue
        for symbol in sorted(set(held) - {0}):
            times = held.count(symbol)
            if times > 1:
                often = "twice" if times == 2 else f"{times} times"
                cells = ", ".join([name(cell) for cell in house.cells if symbols[cell] == symbol])
                yield f"{house.name} holds {text(symbol)} {often} ({cells})"


def _shortened(entry: object) -> str:
    try:
        text = repr(entry) if type(entry) is int else f"{entry!r} ({type(entry).__name__})"
    except ValueError:
        text = "a number of too many digits"  # more than Python writes
    return text if len(text) <= 60 else f"{text[:60]}..."
