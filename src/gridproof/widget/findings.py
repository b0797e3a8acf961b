"""Knowledge of the board on the screen: what the analysis found, and what is wrong with the entries."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NamedTuple

from gridproof.explanations import Explanation
from gridproof.solving import Step
from gridproof.trust.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings about a board without its entries; see ``Analyst``.

    path: the steps of the lesson. looked: whether nothing more is to be found about the verdict.
    """

    verdict: Verdict | None = None
    solutions: int = 0
    complete: bool = False
    candidates: tuple[int, ...] | None = None
    explanation: Explanation | None = None
    path: tuple[Step, ...] = ()
    looked: bool = False

    @property
    def number_in_words(self) -> str:
        """The number of several solutions, as far as they are counted."""
        if self.complete:
            return f"several: {self.solutions:,}"
        if self.solutions > 2:
            return f"several: {self.solutions:,}+"
        return "several"


class Mistakes(NamedTuple):
    """The wrong entries of a solver.

    clashing: those that are twice in a house. differing: others that differ from the only solution. broken: a sentence
    for each rule that does not hold.
    """

    clashing: AbstractSet[int] = frozenset()
    differing: AbstractSet[int] = frozenset()
    broken: Sequence[str] = ()
