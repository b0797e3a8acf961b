"""Literals in a rectangle: at most one row and at most one column has a true literal."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from gridproof.models.schemes import New, Scheme
from gridproof.models.schemes.pairwise import pairs
from gridproof.models.variables import Clause

LARGEST_PAIRWISE = 3
"""So many literals are taken pair by pair: they make no rectangle."""


def product(literals: Sequence[int], new: New) -> list[Clause]:
    """Return that a literal implies its row and its column, and that there is at most one of rows and of columns."""
    if len(literals) <= LARGEST_PAIRWISE:
        return pairs(literals, new)
    width = isqrt(len(literals) - 1) + 1
    height = -(-len(literals) // width)  # about as many rows as columns
    rows, columns = [new() for _ in range(height)], [new() for _ in range(width)]
    clauses = product(rows, new) + product(columns, new)
    for place, literal in enumerate(literals):
        row, column = divmod(place, width)
        clauses += [(-literal, rows[row]), (-literal, columns[column])]
    return clauses


SCHEMES = (Scheme("product", "Chen 2010, A new SAT encoding of the at-most-one constraint", product),)
