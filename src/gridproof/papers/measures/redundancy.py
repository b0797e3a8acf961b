"""Houses of a classic board that follow from the others: rows are sets of so many houses, columns what was found.

Options: ``sizes``, the numbers of houses that are taken away. Of all sets and of their classes by symmetry stand the
numbers, and of the redundant ones; *refuted* is the number of redundant classes with a certificate that the checker
accepts, and *counter-grids* the number of other classes with a grid against them. The row ``inequalities`` has instead
how many of the 810 are left when six lines are taken away, and how many of these do not follow from all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridproof.certificates.redundant_houses import (
    CounterGrids,
    HouseClass,
    all_classes,
    is_counter_grid,
    is_refuted,
    needed_pairs,
    pairs_of,
    redundant_classes,
)
from gridproof.papers.figures import Figures
from gridproof.papers.measures import Measure, Request
from gridproof.papers.options import ORDERS
from gridproof.text import counted

SIX_LINES = (0, 3, 6, 9, 12, 15)
"""The first row of each band and the first column of each stack."""


def measure_redundancy(options: Mapping[str, Any], request: Request) -> Figures:
    """Return the numbers of sets and classes for each size; a sample takes so many classes of each size."""
    rows: dict[str, dict[str, float]] = {}
    for size in options["sizes"]:
        request.note(f"sets of {size}")
        classes = all_classes(size)
        redundant = redundant_classes(size)
        others = sorted(set(classes) - set(redundant), key=lambda one: one.houses)
        rows[counted(size, "house")] = {
            "sets": sum(one.size for one in classes),
            "classes": len(classes),
            "redundant sets": sum(one.size for one in redundant),
            "redundant classes": len(redundant),
            "refuted": count_refuted(redundant[: request.sample]),
            "counter-grids": count_counter_grids(others[: request.sample]),
        }
    request.note("inequalities")
    kept = pairs_of(set(range(27)) - set(SIX_LINES))
    rows["inequalities"] = {"left": len(kept), "needed": len(needed_pairs(kept, sorted(kept)[: request.sample]))}
    remark = "classes by symmetry: bands, stacks, lines in these, and turning the board over"
    return Figures.from_rows(rows, (remark, "inequalities left without the first line of each band and stack"))


def count_refuted(classes: list[HouseClass]) -> int:
    """Return how many classes have a certificate that the checker accepts."""
    return sum(is_refuted(one.houses) for one in classes)


def count_counter_grids(classes: list[HouseClass]) -> int:
    """Return how many classes have a grid against them."""
    found = 0
    with CounterGrids() as search:
        for one in classes:
            grid = search.counter_grid(one.houses)
            found += grid is not None and is_counter_grid(grid, one.houses)
    return found


MEASURE = Measure("redundancy", {"sizes": ORDERS}, "", measure_redundancy)
