"""The kind of rules about one connected region; see ``machines``."""

from __future__ import annotations

from collections.abc import Iterator

from .machines import Line, Machine, Part, Region, kind
from .statement import Cells, Layout


@kind("connected", values="numbers", size="number or null", cells="cells or none")
def _connected(layout: Layout, values: Cells, size: int | None, cells: Cells) -> Iterator[Part]:
    """At least one of the cells listed (of all cells if none are) holds one of the values, and as many as the size
    states, unless it is null; each of these is reached from each other by steps up, down, left and right among them."""
    among = sorted(cells or layout.cells)
    digits = frozenset(values)
    most = most_of(among, digits, layout)
    if size is not None:
        yield Line(tuple(among), number_of(digits, size))
        most = min(most, size)
    yield Region(tuple(among), digits, tuple([steps_from(cell, among, layout) for cell in among]), most)


def number_of(digits: frozenset[int], size: int) -> Machine:
    """The number of symbols that are among the digits; it stops above the size."""

    def step(found: int, symbol: int) -> int | None:
        found += symbol in digits
        return found if found <= size else None

    return Machine(0, step, lambda found: bool(found == size))


def most_of(cells: list[int], digits: frozenset[int], layout: Layout) -> int:
    """Return the most of the cells that can hold one of the digits: in each row each digit at most once."""
    most = 0
    for row in range(layout.rows):
        in_row = [cell for cell in cells if cell // layout.columns == row]
        most += min(len(in_row), len(digits))
    return most


def steps_from(cell: int, among: list[int], layout: Layout) -> Cells:
    """Return the places, among the cells, of those above, to the left, to the right of and below a cell."""
    column = cell % layout.columns
    around = [cell - layout.columns]
    if column:
        around.append(cell - 1)
    if column + 1 < layout.columns:
        around.append(cell + 1)
    around.append(cell + layout.columns)
    return tuple([among.index(other) for other in around if other in among])
