"""A sheet: what a file of another program says about one puzzle, and what of it was not understood."""

from __future__ import annotations

from dataclasses import dataclass, field

from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that was not turned into a rule.

    where: the key and the place in the file. what: what stands there, in short. may_be_rule: whether it may change the
    solutions; a colour or a message may not.
    """

    where: str
    what: str
    may_be_rule: bool = True

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """One puzzle as it stands in a file.

    board: geometry, clues, pencil marks and rules. entries: digits that are filled in but not given (0 for none); they
    are no clues. solution: the stored one, if it is whole. prose: the rules in words, for people. text, line: the part
    of the file that it stands in, where that holds several puzzles, and the number of its first line.
    """

    board: Board
    entries: tuple[int, ...] = ()
    solution: Grid | None = None
    title: str = ""
    author: str = ""
    prose: str = ""
    unread: tuple[Unread, ...] = ()
    text: str = field(default="", compare=False)
    line: int = field(default=1, compare=False)

    @property
    def not_understood(self) -> tuple[Unread, ...]:
        """What was not read and may be a rule: while there is any, a verdict may be about another puzzle."""
        return tuple(one for one in self.unread if one.may_be_rule)
