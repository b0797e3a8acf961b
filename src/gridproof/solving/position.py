"""A position: what is left in each cell of a board; the facts that hold in it; a goal, which may follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from gridproof.puzzle.board import Board

Candidate: TypeAlias = tuple[int, int]
"""A cell and a symbol."""


class Fact(NamedTuple):
    """A fact that a person would name, as a member of a reason.

    kind: ``cell`` (cell ``number`` holds something), ``place`` (``symbol`` has a place in house ``number``, which is
    full), ``once`` (house ``number`` holds no symbol twice) or ``rule`` (rule ``number`` of the board).
    """

    kind: Literal["cell", "place", "once", "rule"]
    number: int
    symbol: int = 0


class Goal(NamedTuple):
    """A conclusion: the cell holds the symbol, or (``placed`` is false) does not."""

    cell: int
    symbol: int
    placed: bool


@dataclass(frozen=True, slots=True)
class Position:
    """A board, the candidates that are left (a mask for each cell, bit ``symbol - 1``) and the symbols placed so far.

    Examples
    --------
    >>> from gridproof import parse
    >>> board = parse("12.. .... .... ....")
    >>> Position(board, board.candidates, board.clues).places(0, 3)
    [2, 3]
    """

    board: Board
    candidates: tuple[int, ...]
    entries: tuple[int, ...]

    def symbols(self, cell: int) -> list[int]:
        """Return the symbols that are left in a cell."""
        return [s for s in self.board.geometry.symbols if self.candidates[cell] >> (s - 1) & 1]

    def places(self, house: int, symbol: int) -> list[int]:
        """Return the cells that are left for a symbol in a house, by the number of the house in its geometry."""
        return [c for c in self.board.geometry.houses[house].cells if self.candidates[c] >> (symbol - 1) & 1]

    def cells(self, fact: Fact) -> Sequence[int]:
        """Return the cells of a fact: the places of a symbol, all cells of a house or a rule."""
        match fact.kind:
            case "cell":
                return [fact.number]
            case "place":
                return self.places(fact.number, fact.symbol)
            case "once":
                return self.board.geometry.houses[fact.number].cells
            case "rule":
                return sorted(self.board.rules[fact.number].scope(self.board.geometry))

    def options(self, fact: Fact) -> list[Candidate]:
        """Return the candidates of a cell that holds something, or of a symbol in a house."""
        if fact.kind == "place":
            return [(cell, fact.symbol) for cell in self.cells(fact)]
        return [(fact.number, symbol) for symbol in self.symbols(fact.number)]

    def apply(self, placed: Iterable[Candidate], removed: Iterable[Candidate] = ()) -> Position:
        """Return the position with symbols placed, which then go from the other cells of their houses, and removed."""
        entries = list(self.entries)
        masks = list(self.candidates)
        for cell, symbol in placed:
            bit = 1 << (symbol - 1)
            entries[cell] = symbol
            masks[cell] &= bit
            for peer in self.board.geometry.peers[cell]:
                masks[peer] &= ~bit
        for cell, symbol in removed:
            masks[cell] &= ~(1 << (symbol - 1))
        return replace(self, candidates=tuple(masks), entries=tuple(entries))


def position_of(board: Board) -> Position:
    """Return the position of a board: its clues and entries placed, its pencil marks kept elsewhere."""
    placed = {cell: symbol for cell, symbol in enumerate(board.clues) if symbol}
    masks = list(board.candidates)
    for cell, symbol in enumerate(board.filled):
        if symbol and not board.clues[cell]:
            placed[cell] = symbol
            masks[cell] |= 1 << (symbol - 1)  # whatever the marks below it are
    empty = Position(board, tuple(masks), (0,) * len(masks))
    return empty.apply(placed.items())
