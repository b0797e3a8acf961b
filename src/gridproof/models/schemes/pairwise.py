"""Every pair of literals is forbidden: no auxiliaries, but as many clauses as there are pairs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from gridproof.models.schemes import New, Scheme
from gridproof.models.variables import Clause


def pairs(literals: Sequence[int], new: New) -> list[Clause]:
    """Return the clauses of all pairs, in order."""
    return [(-a, -b) for a, b in combinations(literals, 2)]


SCHEMES = (Scheme("pairwise", "folklore", pairs),)
