"""Singles and subsets: as many symbols as cells in a house, seen from the cells (naked) or the symbols (hidden).

What is naked in some cells of a house is hidden in the other open ones, so each subset has a *twin*. A naked subset is
*locked* if it takes something from two houses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import TypeAlias

from gridproof.solving.patterns import Pattern, cell_set, union
from gridproof.solving.position import Fact, Goal, Position

SIZES = {2: "pair", 3: "triple", 4: "quad"}
"""The name of a subset by its size."""

Offers: TypeAlias = Callable[[int, Position, Goal], Iterator[Sequence[Fact]]]
"""A function that offers the subsets of a size for a goal."""

# ---- singles ---------------------------------------------------------------------------------------------------------


def offer_places(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer each full house of the cell as that in which the symbol has no other place; boxes first, as people look."""
    geometry = position.board.geometry
    if goal.placed:
        for house in reversed(geometry.houses_of[goal.cell]):
            if house in geometry.full_houses:
                yield [Fact("place", house, goal.symbol)]


def is_full_house(position: Position, reason: Sequence[Fact]) -> bool:
    """Return whether the house of a hidden single has no other open cell."""
    cells = position.board.geometry.houses[reason[0].number].cells
    still_open = [cell for cell in cells if not position.entries[cell]]
    return len(still_open) == 1


def offer_cell(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer the cell as one with a single symbol left."""
    if goal.placed:
        yield [Fact("cell", goal.cell)]


# ---- subsets ---------------------------------------------------------------------------------------------------------


def offer_naked(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer cells of a house of the goal that have as many symbols as they are, among them that of the goal."""
    for house in subset_houses(position, goal):
        cells = [cell for cell in position.board.geometry.houses[house].cells if cell != goal.cell]
        symbols_of = {Fact("cell", cell): position.candidates[cell] for cell in cells}
        for facts in find_tight(symbols_of, size, goal.symbol - 1):
            yield [Fact("once", house)] + list(facts)


def offer_hidden(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer other symbols that have as many places in a full house as they are, among them the cell of the goal."""
    for house in subset_houses(position, goal):
        if house not in position.board.geometry.full_houses:
            continue
        cells_of: dict[Fact, int] = {}
        for symbol in position.board.geometry.symbols:
            if symbol != goal.symbol:
                places = position.places(house, symbol)
                cells_of[Fact("place", house, symbol)] = cell_set(places)
        yield from find_tight(cells_of, size, goal.cell)


def subset_houses(position: Position, goal: Goal) -> Sequence[int]:
    """Return the houses of the cell of a goal to remove, boxes first, as people look; none for a goal to place."""
    if goal.placed:
        return ()
    return position.board.geometry.houses_of[goal.cell][::-1]


def find_tight(options_of: dict[Fact, int], size: int, needed: int) -> Iterator[Sequence[Fact]]:
    """Yield as many facts as they have options together, if the needed one is among these.

    options_of: the options of each fact, as a set with a bit for each.
    """
    small = [fact for fact, options in options_of.items() if 1 < options.bit_count() <= size]
    for facts in combinations(small, size):
        options = union([options_of[fact] for fact in facts])
        if options.bit_count() == size and options >> needed & 1:
            yield facts


def offer_locked(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer naked subsets that take something from two houses."""
    for facts in offer_naked(size, position, goal):
        cells = [fact.number for fact in facts if fact.kind == "cell"]
        if len(houses_that_lose(position, cells)) > 1:
            yield facts


def houses_that_lose(position: Position, cells: Sequence[int]) -> list[int]:
    """Return the houses of all these cells in which others have one of their symbols, too."""
    geometry = position.board.geometry
    symbols = union([position.candidates[cell] for cell in cells])
    losing: list[int] = []
    for house in geometry.houses_of[cells[0]]:
        members = geometry.houses[house].cells
        others = [cell for cell in members if cell not in cells]
        holds_all = len(members) - len(others) == len(cells)
        if holds_all and any(position.candidates[cell] & symbols for cell in others):
            losing.append(house)
    return losing


# ---- the patterns ----------------------------------------------------------------------------------------------------


def make_subsets(kind: str, twin: str, first_place: float, offers: Offers) -> Iterator[Pattern]:
    """Yield the naked or the hidden subsets of all sizes. first_place: in the usual order, from which they count."""
    twins = tuple([f"{twin} {name}" for name in SIZES.values()])
    for size, name in SIZES.items():
        yield Pattern(f"{kind} {name}", first_place + 10 * size, partial(offers, size), twins=twins)


PATTERNS = (
    Pattern("full house", 0, offer_places, is_full_house),
    Pattern("hidden single", 1, offer_places, twins=("naked single",)),
    Pattern("naked single", 2, offer_cell),
    Pattern("locked pair", 12, partial(offer_locked, 2), twins=("naked pair",)),
    Pattern("locked triple", 13, partial(offer_locked, 3), twins=("naked triple",)),
    *make_subsets("naked", "hidden", 0, offer_naked),
    *make_subsets("hidden", "naked", 1, offer_hidden),
)
