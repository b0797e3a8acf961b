"""Schemes that divide the literals: into groups, into a rectangle, or by their number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt

from gridproof.models.schemes import New, Scheme, find
from gridproof.models.schemes.pairwise import pairs
from gridproof.models.variables import Clause

BIMANDER_GROUP = 2
"""Literals of a group: the best of the authors' experiments."""

COMMANDER_GROUP = 3
"""Literals of a group; the authors' choice."""

NO_RECTANGLE = 3
"""So many literals are taken pair by pair: they make no rectangle."""

LARGEST_PAIRWISE = 24
"""Up to this size of a group ``by-size`` means pairwise: fewest conflicts, measured. Above it the number of pairs costs
more than ``seqcounter`` (three clauses a literal) costs conflicts (benchmarks/README.md)."""


def bimander(literals: Sequence[int], new: New) -> list[Clause]:
    """At most one of each group, and each literal implies every bit of its group's number."""
    number_of_groups = -(-len(literals) // BIMANDER_GROUP)
    # cells of a group lie far apart, so that no two houses have clauses in common
    groups = [literals[start::number_of_groups] for start in range(number_of_groups)]
    bits = [new() for _ in range((number_of_groups - 1).bit_length())]
    clauses: list[Clause] = []
    for number, group in enumerate(groups):
        clauses += pairs(group, new)
        for literal in group:
            clauses += [(-literal, bit if number >> place & 1 else -bit) for place, bit in enumerate(bits)]
    return clauses


def commander(literals: Sequence[int], new: New) -> list[Clause]:
    """Return that at most one of a group is true, and one exactly if its commander is; so for commanders, too."""
    if len(literals) <= COMMANDER_GROUP:
        return pairs(literals, new)
    groups = [literals[start : start + COMMANDER_GROUP] for start in range(0, len(literals), COMMANDER_GROUP)]
    commanders = [new() for _ in groups]
    clauses = commander(commanders, new)
    for group, leader in zip(groups, commanders, strict=True):
        clauses += [*pairs(group, new), (-leader, *group), *((leader, -literal) for literal in group)]
    return clauses


def product(literals: Sequence[int], new: New) -> list[Clause]:
    """Return that a literal implies its row and its column, and that there is at most one of rows and of columns."""
    if len(literals) <= NO_RECTANGLE:
        return pairs(literals, new)
    width = isqrt(len(literals) - 1) + 1
    height = -(-len(literals) // width)  # about as many rows as columns
    rows, columns = [new() for _ in range(height)], [new() for _ in range(width)]
    clauses = product(rows, new) + product(columns, new)
    for place, literal in enumerate(literals):
        row, column = divmod(place, width)
        clauses += [(-literal, rows[row]), (-literal, columns[column])]
    return clauses


def by_size(literals: Sequence[int], new: New) -> Iterable[Clause]:
    """Return the clauses of ``pairwise`` or of ``seqcounter``."""
    return find("pairwise" if len(literals) <= LARGEST_PAIRWISE else "seqcounter").at_most_one(literals, new)


SCHEMES = (
    Scheme("bimander", "Nguyen and Mai 2015, A new method to encode the at-most-one constraint into SAT", bimander),
    Scheme("commander", "Klieber and Kwon 2007, Efficient CNF encoding for selecting 1 from N objects", commander),
    Scheme("product", "Chen 2010, A new SAT encoding of the at-most-one constraint", product),
    Scheme("by-size", "measured (benchmarks/README.md)", by_size),
)
