"""The schemes: pairs, literals in groups or in a rectangle, and PySAT's cardinality encodings by their names there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations
from math import isqrt

from gridproof.models.schemes import New, Scheme
from gridproof.models.variables import Clause
from gridproof.runs.interrupts import PysatsHandlerOff

BIMANDER_GROUP = 2
"""Number of literals of a group of ``bimander``: the best of the authors' experiments."""

COMMANDER_GROUP = 3
"""Number of literals of a group of ``commander``: the authors' choice."""

NO_RECTANGLE = 3
"""Largest number of literals that ``product`` takes pair by pair: they make no rectangle."""

LARGEST_PAIRWISE = 24
"""Largest group for which ``by-size`` means pairwise: fewest conflicts, measured. Above it the number of pairs costs
more than ``seqcounter`` (three clauses a literal) costs conflicts (benchmarks/attempts.md)."""

_OF_PYSAT = {
    "seqcounter": "Sinz 2005, Towards an optimal CNF encoding of Boolean cardinality constraints",
    "sortnetwrk": "Batcher 1968, Sorting networks and their applications",
    "cardnetwrk": "Asin, Nieuwenhuis, Oliveras and Rodriguez-Carbonell 2011, Cardinality networks",
    "bitwise": "Prestwich 2007, Variable dependency in local search",
    "ladder": "Gent and Nightingale 2004, A new encoding of AllDifferent into SAT",
    "totalizer": "Bailleux and Boufkhad 2003, Efficient CNF encoding of Boolean cardinality constraints",
    "mtotalizer": "Ogawa, Liu, Hasegawa and others 2013, Modulo based CNF encoding of cardinality constraints",
    "kmtotalizer": "Morgado, Ignatiev and Marques-Silva 2014, MSCG: robust core-guided MaxSAT solving",
}


def pairs(literals: Sequence[int], new: New) -> list[Clause]:
    """Return the clauses of all pairs, in order: no auxiliaries, but as many clauses as there are pairs."""
    return [(-a, -b) for a, b in combinations(literals, 2)]


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
            for place, bit in enumerate(bits):
                is_one = number >> place & 1
                clauses.append((-literal, bit if is_one else -bit))
    return clauses


def commander(literals: Sequence[int], new: New) -> list[Clause]:
    """Return that at most one of a group is true, and one exactly if its commander is; so for commanders, too."""
    if len(literals) <= COMMANDER_GROUP:
        return pairs(literals, new)
    groups = []
    for start in range(0, len(literals), COMMANDER_GROUP):
        groups.append(literals[start : start + COMMANDER_GROUP])
    commanders = [new() for _ in groups]
    clauses = commander(commanders, new)
    for group, leader in zip(groups, commanders, strict=True):
        clauses += pairs(group, new)
        clauses.append((-leader,) + tuple(group))
        for literal in group:
            clauses.append((leader, -literal))
    return clauses


def product(literals: Sequence[int], new: New) -> list[Clause]:
    """Return that a literal implies its row and its column, and that there is at most one of rows and of columns."""
    if len(literals) <= NO_RECTANGLE:
        return pairs(literals, new)
    width = isqrt(len(literals) - 1) + 1
    height = -(-len(literals) // width)  # about as many rows as columns
    rows = [new() for _ in range(height)]
    columns = [new() for _ in range(width)]
    clauses = product(rows, new) + product(columns, new)
    for place, literal in enumerate(literals):
        row, column = divmod(place, width)
        clauses += [(-literal, rows[row]), (-literal, columns[column])]
    return clauses


def by_size(literals: Sequence[int], new: New) -> list[Clause]:
    """Return the clauses of ``pairwise`` or of ``seqcounter``."""
    if len(literals) <= LARGEST_PAIRWISE:
        return pairs(literals, new)
    return by_pysat("seqcounter", literals, new)


def by_pysat(name: str, literals: Sequence[int], new: New) -> list[Clause]:
    """Return the clauses of ``CardEnc.atmost``, its auxiliaries renumbered."""
    from pysat.card import CardEnc, EncType

    size = len(literals)
    with PysatsHandlerOff():
        encoded = CardEnc.atmost(list(range(1, size + 1)), bound=1, top_id=size, encoding=getattr(EncType, name))
    number_of: dict[int, int] = {}
    for place, literal in enumerate(literals, 1):
        number_of[place] = literal
    for auxiliary in range(size + 1, encoded.nv + 1):
        number_of[auxiliary] = new()
    clauses = []
    for clause in encoded.clauses:
        renumbered = [number_of[x] if x > 0 else -number_of[-x] for x in clause]
        clauses.append(tuple(renumbered))
    return clauses


SCHEMES = [
    Scheme("pairwise", "folklore", pairs),
    Scheme("bimander", "Nguyen and Mai 2015, A new method to encode the at-most-one constraint into SAT", bimander),
    Scheme("commander", "Klieber and Kwon 2007, Efficient CNF encoding for selecting 1 from N objects", commander),
    Scheme("product", "Chen 2010, A new SAT encoding of the at-most-one constraint", product),
    Scheme("by-size", "measured (benchmarks/attempts.md)", by_size),
]
for name, source in _OF_PYSAT.items():
    SCHEMES.append(Scheme(name, source, partial(by_pysat, name)))
