"""Finds at-most-one schemes: every module of this folder has ``SCHEMES``, so a new file needs no registration.

A scheme states "at most one of these literals" in clauses, with or without auxiliary variables. The clauses depend only
on the number of literals, so each size is made once, as a template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count, groupby
from operator import itemgetter
from typing import TypeAlias

from gridproof.discovery import collect
from gridproof.models.variables import Clause

New: TypeAlias = Callable[[], int]
"""A function that returns the number of a new auxiliary variable at each call."""


@dataclass(frozen=True, eq=False)
class Scheme:
    """A way to state "at most one of these literals".

    Parameters
    ----------
    name : str
        The name that encoding files use.
    source : str
        The paper or program that it comes from.
    at_most_one : function
        Takes literals (at least one) and a ``New``. Returns clauses. Some values of the auxiliaries satisfy them if at
        most one of the literals is true, and no values do if more are.

    Examples
    --------
    >>> find("pairwise").template(3).clauses
    ((-1, -2), (-1, -3), (-2, -3))
    """

    name: str
    source: str
    at_most_one: Callable[[Sequence[int], New], Iterable[Clause]]

    def template(self, literals: int) -> Template:
        """Return the clauses for a group of so many literals; they are made once for each number."""
        return _template(self, literals)


class Template:
    """The clauses of a scheme for one number of literals.

    clauses: over the literals 1, 2, ... and the auxiliaries, whose numbers follow. auxiliaries: how many there are.
    """

    def __init__(self, auxiliaries: int, clauses: tuple[Clause, ...]) -> None:
        self.auxiliaries = auxiliaries
        self.clauses = clauses
        # clauses of one length in a row are looked up together; the 0 because of one index itemgetter gives no tuple
        self._runs = []
        for length, run in groupby(clauses, len):
            literals = chain.from_iterable(run)
            self._runs.append((length, itemgetter(*literals, 0)))

    def clauses_for(self, literals: Clause, first: int) -> list[Clause]:
        """Return the clauses for these literals, with auxiliaries from the variable ``first`` on."""
        numbers = list(literals)
        numbers += range(first, first + self.auxiliaries)
        negated = [-number for number in reversed(numbers)]
        # the literal -v of a clause finds -numbers[v - 1]: a negative index counts from the end
        table = [0] + numbers + negated
        made: list[Clause] = []
        for length, taken in self._runs:
            chosen = iter(taken(table)[:-1])
            made += zip(*[chosen] * length, strict=True)
        return made


@lru_cache(maxsize=1024)
def _template(scheme: Scheme, literals: int) -> Template:
    numbers = count(literals + 1)
    clauses = tuple(tuple(clause) for clause in scheme.at_most_one(range(1, literals + 1), numbers.__next__))
    return Template(next(numbers) - literals - 1, clauses)


@lru_cache(maxsize=1)
def all_schemes() -> dict[str, Scheme]:
    """Return every scheme found, by its name."""
    return {scheme.name: scheme for scheme in collect(__name__, "SCHEMES")}


def find(name: str) -> Scheme:
    """Return the scheme of a name. Raises ``KeyError`` if there is none."""
    return all_schemes()[name]
