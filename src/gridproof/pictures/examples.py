"""The example of each kind of rule, as a board."""

from __future__ import annotations

import shlex
from contextlib import suppress

from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import OffBoard
from gridproof.rules.rule import Rule


def example_board(kind: type[Rule], called: str = "") -> Board:
    """Return a small board with the rule that the kind gives as its example. called: the path of a user's own kind.

    Examples
    --------
    >>> from gridproof.rules import find
    >>> board = example_board(find("killer"))
    >>> board.geometry.description, board.rules[0].sentence(board.geometry)
    ('6x6, 2x3 boxes', 'the killer cage r1c1 r1c2 r2c1 sums to 10')
    """
    _, blank, values = kind.example.partition(" ")
    rule = shlex.quote(called or kind.kind) + blank + values
    for order in (4, 6):
        with suppress(OffBoard):
            board = Board.empty(Geometry.standard(order)).with_rule(rule)
            if not board.contradictions():
                return board
    return Board.empty(Geometry.standard(9)).with_rule(rule)
