"""Clauses of *extended* that clues leave, and how many times fewer they are: rows are ways, columns are orders.

Options: ``orders``, ``clues`` (shares of the cells, in percent, of random full grids) and ``show``: ``clauses``, or
``times`` for the quotient of the clauses of the empty board, as houses state them, and those that are left; its column
``mean`` is the mean over the orders. *Applied once* is the way of Kwon and Jain: a clue satisfies its clauses, and
makes its symbol false in the cells that see it. *Propagated* is the encoding ``reduced``, which goes on to singles and
locked candidates; of a board that this solves nothing is left, and there is no quotient.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from statistics import fmean
from typing import Any

from gridproof.experiments.instances import instance
from gridproof.models import catalog
from gridproof.models.sizes import model_size
from gridproof.papers.figures import Figures
from gridproof.papers.measures import Measure, Request
from gridproof.papers.options import ORDERS, PERCENTAGES, one_of
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

SEED = 0
"""Seed of the boards."""


def measure_left(options: Mapping[str, Any], request: Request) -> Figures:
    """Return what is left for each share of clues, way and order."""
    orders = options["orders"]
    if request.sample is not None:
        orders = orders[: request.sample]
    shows_times = options["show"] == "times"
    rows: dict[str, dict[str, float]] = {}
    for percent in options["clues"]:
        once = rows.setdefault(f"{percent} % clues, applied once", {})
        propagated = rows.setdefault(f"{percent} % clues, propagated", {})
        for order in orders:
            request.note(f"{percent} % clues, {order}x{order}")
            geometry = Geometry.standard(order)
            board = instance("sudoku", geometry, 1 - percent / 100, SEED).board
            whole = model_size(Board.empty(geometry), catalog.load("extended")).with_repeats
            for row, clauses in (
                (once, count_left(board)),
                (propagated, model_size(board, catalog.load("reduced")).clauses),
            ):
                if not shows_times:
                    row[str(order)] = clauses or 0
                elif clauses and whole is not None:
                    row[str(order)] = whole / clauses
    if shows_times:
        for row in rows.values():
            if row:
                row["mean"] = fmean(row.values())
    return Figures.from_rows(rows, (f"one random board for each order and share, seed {SEED}",))


def count_left(board: Board) -> int:
    """Return the number of clauses of ``extended`` that are left when clues are applied once, as houses state them.

    Examples
    --------
    >>> count_left(Board.from_symbols(Geometry.classic(2), "1.....2..3.....4"))
    84
    """
    geometry = board.geometry
    given_in: list[set[int]] = []
    for house in geometry.houses:
        given_in.append({board.clues[cell] for cell in house.cells})
    open_symbols: dict[int, set[int]] = {}
    for cell, clue in enumerate(board.clues):
        if not clue:
            open_symbols[cell] = set(geometry.symbols)
    for house, given in zip(geometry.houses, given_in, strict=True):
        for cell in house.cells:
            if cell in open_symbols:
                open_symbols[cell] -= given
    clauses = 0
    for symbols in open_symbols.values():
        clauses += 1 + len(symbols) * (len(symbols) - 1) // 2
    for house, given in zip(geometry.houses, given_in, strict=True):
        places = Counter[int]()
        for cell in house.cells:
            places.update(open_symbols.get(cell, ()))
        for symbol in geometry.symbols:
            if symbol not in given:
                clauses += 1 + places[symbol] * (places[symbol] - 1) // 2
    return clauses


OPTIONS = {"orders": ORDERS, "clues": PERCENTAGES, "show": one_of("clauses", "times")}

MEASURE = Measure("left", OPTIONS, "", measure_left)
