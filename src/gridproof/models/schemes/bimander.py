"""Literals in groups of two; a true literal says the number of its group in bits."""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.models.schemes import New, Scheme
from gridproof.models.schemes.pairwise import pairs
from gridproof.models.variables import Clause

GROUP = 2
"""Literals of a group: the best of the authors' experiments."""


def bimander(literals: Sequence[int], new: New) -> list[Clause]:
    """At most one of each group, and each literal implies every bit of its group's number."""
    number_of_groups = -(-len(literals) // GROUP)
    # cells of a group lie far apart, so that no two houses have clauses in common
    groups = [literals[start::number_of_groups] for start in range(number_of_groups)]
    bits = [new() for _ in range((number_of_groups - 1).bit_length())]
    clauses: list[Clause] = []
    for number, group in enumerate(groups):
        clauses += pairs(group, new)
        for literal in group:
            clauses += [(-literal, bit if number >> place & 1 else -bit) for place, bit in enumerate(bits)]
    return clauses


SCHEMES = (
    Scheme("bimander", "Nguyen and Mai 2015, A new method to encode the at-most-one constraint into SAT", bimander),
)
