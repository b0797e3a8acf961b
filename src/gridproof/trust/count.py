"""The number of solutions of a board, with its evidence."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from gridproof.puzzle.board import Board
from gridproof.text import plural
from gridproof.trust.answer import Status
from gridproof.trust.evidence import Evidence, Made
from gridproof.trust.verdict import Verdict


@dataclass(frozen=True, slots=True, repr=False)
class Count:
    """The number of solutions that were found, and whether these are all.

    Attributes
    ----------
    number : int
        The number.
    complete : bool
        Whether there are no more.
    reason, evidence
        As in ``Verdict``.
    interval : (int, int), or None
        Of an estimate: the bounds between which the number lies in 95 of 100 estimates.
    """

    number: int
    complete: bool
    reason: str = ""
    evidence: Evidence = field(default_factory=Evidence)
    interval: tuple[int, int] | None = None

    @classmethod
    def of_failure(cls, problem: Exception) -> Count:
        """Return the count of a backend that crashed or contradicts the checks: nothing is counted."""
        return cls(0, False, str(problem), Evidence(contradictions=(str(problem),)))

    def disagreement(self, board: Board, made: Made) -> Verdict | None:
        """Return the verdict that reports a contradiction, if there is one."""
        if not self.evidence.contradictions:
            return None
        return Verdict(Status.DISAGREEMENT, board, (), self.reason, self.evidence, made=made)

    def __str__(self) -> str:
        solutions = f"{write_number(self.number)} {plural('solution', self.number)}"
        if self.interval is not None:
            return f"about {solutions}; {self.reason}"
        return f"exactly {solutions}" if self.complete else f"at least {solutions}; {self.reason}"

    def __repr__(self) -> str:
        return f"<Count: {self}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import card

        return card(f"{self}.", self.evidence.rows())


def write_number(number: int) -> str:
    """Return a number in figures, rounded if it has more than 15 of them."""
    return f"{number:,}" if number < 10**15 else f"{Decimal(number):.3e}"
