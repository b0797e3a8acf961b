"""PySAT's cardinality encodings (``pysat.card.CardEnc``), by their names there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from gridproof.models.schemes import New, Scheme
from gridproof.models.variables import Clause
from gridproof.runs.interrupts import PysatsHandlerOff

_SOURCES = {
    "seqcounter": "Sinz 2005, Towards an optimal CNF encoding of Boolean cardinality constraints",
    "sortnetwrk": "Batcher 1968, Sorting networks and their applications",
    "cardnetwrk": "Asin, Nieuwenhuis, Oliveras and Rodriguez-Carbonell 2011, Cardinality networks",
    "bitwise": "Prestwich 2007, Variable dependency in local search",
    "ladder": "Gent and Nightingale 2004, A new encoding of AllDifferent into SAT",
    "totalizer": "Bailleux and Boufkhad 2003, Efficient CNF encoding of Boolean cardinality constraints",
    "mtotalizer": "Ogawa, Liu, Hasegawa and others 2013, Modulo based CNF encoding of cardinality constraints",
    "kmtotalizer": "Morgado, Ignatiev and Marques-Silva 2014, MSCG: robust core-guided MaxSAT solving",
}


def at_most(name: str, literals: Sequence[int], new: New) -> list[Clause]:
    """Return the clauses of ``CardEnc.atmost``, its auxiliaries renumbered."""
    from pysat.card import CardEnc, EncType

    size = len(literals)
    with PysatsHandlerOff():
        encoded = CardEnc.atmost(list(range(1, size + 1)), bound=1, top_id=size, encoding=getattr(EncType, name))
    numbers = [0, *literals, *[new() for _ in range(size, encoded.nv)]]
    return [tuple([numbers[x] if x > 0 else -numbers[-x] for x in clause]) for clause in encoded.clauses]


SCHEMES = tuple(Scheme(name, source, partial(at_most, name)) for name, source in _SOURCES.items())
