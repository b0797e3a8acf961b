"""The scheme that suits the size of each group: pairs for small groups, counters for large ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.models.schemes import New, Scheme, find
from gridproof.models.variables import Clause

LARGEST_PAIRWISE = 24
"""Up to this size of a group ``by-size`` means pairwise: fewest conflicts, measured. Above it the number of pairs costs
more than ``seqcounter`` (three clauses a literal) costs conflicts (benchmarks/README.md)."""


def by_size(literals: Sequence[int], new: New) -> Iterable[Clause]:
    """Return the clauses of ``pairwise`` or of ``seqcounter``."""
    return find("pairwise" if len(literals) <= LARGEST_PAIRWISE else "seqcounter").at_most_one(literals, new)


SCHEMES = (Scheme("by-size", "measured (benchmarks/README.md)", by_size),)
