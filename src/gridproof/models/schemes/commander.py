"""Literals in groups of three with a commander each, which says whether one of the group is true."""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.models.schemes import New, Scheme
from gridproof.models.schemes.pairwise import pairs
from gridproof.models.variables import Clause

GROUP = 3
"""Literals of a group; the authors' choice."""


def commander(literals: Sequence[int], new: New) -> list[Clause]:
    """Return that at most one of a group is true, and one exactly if its commander is; so for commanders, too."""
    if len(literals) <= GROUP:
        return pairs(literals, new)
    groups = [literals[start : start + GROUP] for start in range(0, len(literals), GROUP)]
    commanders = [new() for _ in groups]
    clauses = commander(commanders, new)
    for group, leader in zip(groups, commanders, strict=True):
        clauses += [*pairs(group, new), (-leader, *group), *((leader, -literal) for literal in group)]
    return clauses


SCHEMES = (
    Scheme("commander", "Klieber and Kwon 2007, Efficient CNF encoding for selecting 1 from N objects", commander),
)
