"""Sizes of models: rows are encodings, columns are orders.

Options: ``encodings`` (names), ``orders`` (numbers), ``count``: ``variables``, ``clauses`` (each different one once) or
``with-repeats`` (each house states its own, as published tables count them).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gridproof.models import catalog
from gridproof.models.sizes import model_size
from gridproof.papers.figures import Figures
from gridproof.papers.measures import Measure, Request
from gridproof.papers.options import NAMES, ORDERS, one_of
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry


def measure_sizes(options: Mapping[str, Any], request: Request) -> Figures:
    """Return the size of each encoding at each order."""
    orders = options["orders"]
    if request.sample is not None:
        orders = orders[: request.sample]
    counted = options["count"].replace("-", "_")
    rows: dict[str, dict[str, float]] = {}
    for name in options["encodings"]:
        encoding = catalog.load(name)
        rows[name] = {}
        for order in orders:
            request.note(f"{name}, {order}x{order}")
            number = getattr(model_size(Board.empty(Geometry.standard(order)), encoding), counted)
            if number is not None:
                rows[name][str(order)] = number
    return Figures.from_rows(rows, ("boards with the usual boxes, without clues",))


OPTIONS = {"encodings": NAMES, "orders": ORDERS, "count": one_of("variables", "clauses", "with-repeats")}

MEASURE = Measure("sizes", OPTIONS, "", measure_sizes)
