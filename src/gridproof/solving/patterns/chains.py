"""Wings, remote pairs and colouring: cells with two symbols, and houses with two places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from gridproof.solving.patterns import Pattern, cell_facts
from gridproof.solving.position import Fact, Goal, Position

# ---- cells with two symbols, houses with two places ------------------------------------------------------------------


def find_pairs(position: Position, goal: Goal, cells: Iterable[int]) -> list[int]:
    """Return those of some cells that have two symbols left; none for a goal to place, nor the cell of the goal."""
    if goal.placed:
        return []
    return [cell for cell in cells if cell != goal.cell and position.candidates[cell].bit_count() == 2]


def find_all_pairs(position: Position, goal: Goal) -> list[int]:
    """Return all cells with two symbols left, as ``find_pairs`` does for some."""
    return find_pairs(position, goal, range(len(position.candidates)))


def find_ends(position: Position, goal: Goal) -> Iterator[tuple[int, int]]:
    """Yield two cells at a time that the goal sees, and that have its symbol and one more."""
    pairs = find_pairs(position, goal, position.board.geometry.peers[goal.cell])
    with_symbol = [cell for cell in pairs if position.candidates[cell] >> (goal.symbol - 1) & 1]
    return combinations(with_symbol, 2)


def find_strong_links(position: Position, symbol: int) -> dict[int, list[int]]:
    """Return the places of a symbol in each full house that has two."""
    links: dict[int, list[int]] = {}
    for house in position.board.geometry.full_houses:
        places = position.places(house, symbol)
        if len(places) == 2:
            links[house] = places
    return links


# ---- wings -----------------------------------------------------------------------------------------------------------


def offer_xy_wings(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer two pairs, and a pivot that both see, of their two other symbols."""
    masks = position.candidates
    symbol_mask = 1 << (goal.symbol - 1)
    for one, other, pivot in find_wings(position, goal):
        if masks[pivot] == (masks[one] | masks[other]) & ~symbol_mask:
            yield cell_facts([one, other, pivot])


def offer_xyz_wings(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer two pairs, and a pivot that both and the goal see, of all their three symbols."""
    masks = position.candidates
    for one, other, pivot in find_wings(position, goal):
        sees_goal = pivot in position.board.geometry.peers[goal.cell]
        if sees_goal and masks[pivot] == masks[one] | masks[other]:
            yield cell_facts([one, other, pivot])


def find_wings(position: Position, goal: Goal) -> Iterator[tuple[int, int, int]]:
    """Yield two different pairs that the goal sees, and a cell that both of them see."""
    peers = position.board.geometry.peers
    for one, other in find_ends(position, goal):
        if position.candidates[one] != position.candidates[other]:
            for pivot in peers[one]:
                if pivot in peers[other]:
                    yield one, other, pivot


def offer_w_wings(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer two equal pairs, and a house in which each of the two places of their other symbol is seen by one."""
    peers = position.board.geometry.peers
    masks = position.candidates
    for one, other in find_ends(position, goal):
        if masks[one] != masks[other]:
            continue
        symbol = (masks[one] & ~(1 << (goal.symbol - 1))).bit_length()
        for house, (first, second) in find_strong_links(position, symbol).items():
            straight = first in peers[one] and second in peers[other]
            crossed = second in peers[one] and first in peers[other]
            if straight or crossed:
                yield cell_facts([one, other]) + [Fact("place", house, symbol)]


# ---- nets ------------------------------------------------------------------------------------------------------------


def offer_remote_pairs(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer all cells of each pair of symbols of which one is that of the goal."""
    cells_of: dict[int, list[int]] = {}
    for cell in find_all_pairs(position, goal):
        cells_of.setdefault(position.candidates[cell], []).append(cell)
    for symbols, cells in cells_of.items():
        if symbols >> (goal.symbol - 1) & 1:
            yield cell_facts(cells)


def offer_colouring(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer each net of houses with two places, as far as they have places in common."""
    rest = find_strong_links(position, goal.symbol)
    while rest:
        house, places = rest.popitem()
        net = set(places)
        houses = [house]
        touching = [house]
        while touching:
            touching = [other for other, cells in rest.items() if not net.isdisjoint(cells)]
            for other in touching:
                net.update(rest.pop(other))
            houses += touching
        yield [Fact("place", house, goal.symbol) for house in houses]


def is_chain(position: Position, reason: Sequence[Fact]) -> bool:
    """Return whether a reason is longer than a pattern that has a name of its own."""
    links = [fact for fact in reason if fact.kind != "once"]
    return len(links) > 2


PATTERNS = (
    Pattern("remote pair", 55, offer_remote_pairs, is_chain, along_chain=True),
    Pattern("W-wing", 65, offer_w_wings, along_chain=True),
    Pattern("XY-wing", 66, offer_xy_wings, along_chain=True),
    Pattern("XYZ-wing", 67, offer_xyz_wings),
    Pattern("simple colouring", 80, offer_colouring, is_chain, one_symbol=True, along_chain=True),
)
