"""One orthogonally connected region -> clauses.

The root of the region is its first cell in reading order. A variable for each cell and number of steps is true only
where the cell is in the region and reached from the root within so many steps; in the end each cell of the region is.
As the root follows from the region, no two assignments differ in the root alone. The number of steps that may be needed
is one less than the largest number of cells that the region can have.
"""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.models.clauses import Builder
from gridproof.models.cnf_counts import add_at_least
from gridproof.rules.regions import Connected


def add_connected(region: Connected, to: Builder, label: str) -> None:
    if region.size > len(region.cells):
        to.never(label)
        return
    inside = [literal_of(to, cell, region.symbols, label) for cell in region.cells]
    number = len(inside)
    before = to.new(number, f"{label}: some cell so far is in the region")
    for place, literal in enumerate(inside):
        to.add((-literal, before + place))
        if place:
            to.add((-before - place + 1, before + place))
            to.add((-before - place, before + place - 1, literal))
        else:
            to.add((-before, literal))
    to.add((before + number - 1,))
    if region.size:
        add_at_least(inside, region.size, to, label)
        add_at_least([-literal for literal in inside], number - region.size, to, label)
    reached = to.new(number, f"{label}: root of the region")
    for place, literal in enumerate(inside):
        to.add((-reached - place, literal))
        if place:
            to.add((-reached - place, -before - place + 1))
    for step in range(1, most_steps(region) + 1):
        to.check()
        here = to.new(number, f"{label}: reached within {step}")
        for place, literal in enumerate(inside):
            to.add((-here - place, literal))
            before_it = [reached + other for other in region.neighbours[place]]
            to.add([-here - place, reached + place] + before_it)
        reached = here
    for place, literal in enumerate(inside):
        to.add((-literal, reached + place))


def literal_of(to: Builder, cell: int, symbols: Sequence[int], label: str) -> int:
    """Return a literal that is true exactly where the cell holds one of the symbols."""
    if len(symbols) == 1:
        return to.x(cell, symbols[0])
    literal = to.new(1, f"{label}: in the region")
    literals = [to.x(cell, symbol) for symbol in symbols]
    to.add([-literal] + literals)
    to.extend([(-other, literal) for other in literals])
    return literal


def most_steps(region: Connected) -> int:
    """Return the largest number of steps from the root of the region to one of its cells."""
    return min(region.size or region.most, region.most, len(region.cells)) - 1
