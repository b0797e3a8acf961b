"""Examples of what rules leave: fillings of their cells that fit, kept from round to round while they stay possible.

A candidate that is in an example is not refuted, so that no solver has to look at it. Nothing rests on which examples
there are: without any, a solver looks at each candidate, and finds the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.solving.facts import Facts
from gridproof.solving.position import Candidate


class Examples:
    """Sets of candidates that hold together by some facts, each set of them with a bit for each variable.

    Parameters
    ----------
    facts
        All facts of the board.
    """

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._of_facts: dict[int, list[int]] = {}

    def drop_impossible(self, candidates: Sequence[int]) -> None:
        """Forget the examples with a candidate that is gone."""
        left = 0
        for cell, mask in enumerate(candidates):
            left |= variable_set(self._facts.variables_of(cell, mask))
        for fact_set, examples in self._of_facts.items():
            self._of_facts[fact_set] = [example for example in examples if not example & ~left]

    def add(self, fact_set: int, candidates: Iterable[Candidate]) -> int:
        """Keep an example for some facts: the candidates that hold in it. Return it as a set of variables."""
        example = variable_set([self._facts.x[cell][symbol] for cell, symbol in candidates])
        self._of_facts.setdefault(fact_set, []).append(example)
        return example

    def shown(self, fact_set: int) -> int:
        """Return the variables of all candidates that an example for some facts has, as a set."""
        union = 0
        for example in self._of_facts.get(fact_set, ()):
            union |= example
        return union


def variable_set(variables: Iterable[int]) -> int:
    """Return a set of variables as a number with a bit for each.

    Examples
    --------
    >>> bin(variable_set([1, 4]))
    '0b10010'
    """
    union = 0
    for x in variables:
        union |= 1 << x
    return union
