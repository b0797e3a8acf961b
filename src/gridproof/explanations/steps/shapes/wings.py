"""XY-wing, XYZ-wing and W-wing: two or three cells with few symbols that leave none for the symbol of the goal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations, product

from gridproof.explanations.steps.shapes import Shape
from gridproof.explanations.steps.step import Fact, Goal, Position
from gridproof.puzzle.geometry import Geometry


def seen_by(geometry: Geometry, pairs: Sequence[tuple[int, int]]) -> list[Fact]:
    """Return the fewest houses by which the cells of each pair see each other, as facts."""
    shared = [[h for h in geometry.houses_of[a] if h in geometry.houses_of[b]] for a, b in pairs]
    return [Fact("once", house) for house in min((sorted({*houses}) for houses in product(*shared)), key=len)]


def _pairs(position: Position, goal: Goal) -> list[int]:
    """Return the cells seen by the goal that have its symbol and one more."""
    masks, bit = position.candidates, 1 << (goal.symbol - 1)
    peers = () if goal.placed else position.board.geometry.peers[goal.cell]
    return [cell for cell in peers if masks[cell] & bit and masks[cell].bit_count() == 2]


def _with_pivot(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer two pairs and a pivot of so many symbols, which both see: without the goal's symbol, or with it."""
    geometry, masks, bit = position.board.geometry, position.candidates, 1 << (goal.symbol - 1)
    for one, other in combinations(_pairs(position, goal), 2):
        wanted = masks[one] | masks[other]
        wanted = wanted & ~bit if size == 2 else wanted
        if masks[one] == masks[other]:
            continue
        for pivot in geometry.peers[one]:
            if masks[pivot] == wanted and pivot in geometry.peers[other] and pivot != goal.cell:
                cells = [one, other, pivot]
                links = [(pivot, one), (pivot, other), (goal.cell, one), (goal.cell, other)]
                if size == 3:
                    if goal.cell not in geometry.peers[pivot]:
                        continue
                    links.append((goal.cell, pivot))
                yield [*(Fact("cell", cell) for cell in cells), *seen_by(geometry, links)]


def _w_wing(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer two equal pairs, and a house in which each of the two places of their other symbol is seen by one."""
    geometry, masks = position.board.geometry, position.candidates
    for one, other in combinations(_pairs(position, goal), 2):
        if masks[one] != masks[other]:
            continue
        symbol = (masks[one] & ~(1 << (goal.symbol - 1))).bit_length()
        for house in range(len(geometry.houses)):
            places = position.places(house, symbol)
            for a, b in [places, places[::-1]] if len(places) == 2 else ():
                if a in geometry.peers[one] and b in geometry.peers[other]:
                    links = [(one, a), (other, b), (goal.cell, one), (goal.cell, other)]
                    cells = [Fact("cell", one), Fact("cell", other), Fact("place", house, symbol)]
                    yield [*cells, *seen_by(geometry, links)]


SHAPES = (
    Shape("W-wing", 65, _w_wing),
    Shape("XY-wing", 66, partial(_with_pivot, 2)),
    Shape("XYZ-wing", 67, partial(_with_pivot, 3)),
)
