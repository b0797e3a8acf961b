"""Large boards: each is propagated first, and only what it leaves open is compiled.

``propagation`` settles what follows from clues and rules, ``reduced`` compiles the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gridproof.models.targets import Model

if TYPE_CHECKING:
    from gridproof.models.clauses import Clauses
    from gridproof.models.encoding import Encoding
    from gridproof.puzzle.board import Board, Problem


class LargeModel(Model):
    """Compiles each board anew, as an encoding with ``clues = "propagated"`` wants it."""

    def __init__(self, problem: Problem, encoding: Encoding) -> None:
        self.problem = problem
        self.encoding = encoding

    @property
    def sizes(self) -> dict[str, int]:
        """None: each board makes a formula of its own size."""
        return {}

    def clauses_of(self, board: Board) -> Clauses:
        """The clauses for a board: what it leaves open."""
        from gridproof.models.large.propagation import reduce
        from gridproof.models.large.reduced import compile_reduction

        return compile_reduction(reduce(board), self.encoding)
