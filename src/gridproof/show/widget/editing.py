"""Editing a board: keys, undo and redo, text in and out. This module knows no widget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from gridproof.errors import InputError
from gridproof.formats import parse
from gridproof.puzzle.board import Board

Mode: TypeAlias = Literal["clue", "entry", "mark"]
"""What a symbol typed into a cell becomes: part of the puzzle, an entry beside it, or a pencil mark."""

MOST_UNDONE = 1_000
"""Steps that can be undone."""


class Editor:
    """A board with its history.

    Parameters
    ----------
    board : Board
        Where it begins. Entries are ``board.filled``, pencil marks ``board.marks``: these restrict its solutions.

    Examples
    --------
    >>> from gridproof import Geometry
    >>> editor = Editor(Board.empty(Geometry.classic(2)))
    >>> editor.enter([0, 5], 3, "clue")
    >>> editor.enter([1], 2, "entry")
    >>> editor.board.clues[:6], editor.board.filled[:2]
    ((3, 0, 0, 0, 0, 3), (0, 2))
    >>> editor.undo()
    >>> editor.board.filled
    ()
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self._before: list[Board] = []
        self._after: list[Board] = []

    def show(self, board: Board) -> None:
        """Go on with this board; the one before can be had again by ``undo``."""
        if board != self.board:
            self._before = [*self._before[1 - MOST_UNDONE :], self.board]
            self._after = []
            self.board = board

    def enter(self, cells: Iterable[int], symbol: int, mode: Mode) -> None:
        """Put a symbol into cells, or take away what they hold (``symbol`` 0).

        The same symbol again takes it away. Entries and pencil marks leave cells with a clue alone, and a clue takes
        the place of an entry.

        Raises
        ------
        InputError
            For a cell or a symbol that the board does not have.
        """
        board, n = self.board, self.board.geometry.order
        chosen = sorted(set(cells))
        if not 0 <= symbol <= n or any(not 0 <= cell < len(board.clues) for cell in chosen):
            raise InputError(f"symbol {symbol} in the cells {chosen}; expected 0 to {n}, and cells of the board")
        if not chosen:
            return
        clues, entries = list(board.clues), list(board.filled or (0,) * len(board.clues))
        full = (1 << n) - 1
        marks = list(board.marks or (full,) * len(clues))
        if symbol == 0:
            for cell in chosen:
                clues[cell], entries[cell], marks[cell] = _emptied(clues[cell], entries[cell], marks[cell], full, mode)
        elif mode == "mark":
            for cell in (cell for cell in chosen if not clues[cell]):
                kept = 0 if marks[cell] == full else marks[cell]
                marks[cell] = kept ^ 1 << (symbol - 1) or full
        else:
            target = clues if mode == "clue" else entries
            own = [cell for cell in chosen if mode == "clue" or not clues[cell]]
            new = 0 if all(target[cell] == symbol for cell in own) else symbol
            for cell in own:
                target[cell] = new
                if mode == "clue":
                    entries[cell] = 0
        self.show(
            replace(
                board,
                clues=tuple(clues),
                filled=tuple(entries) if any(entries) else (),
                marks=None if all(mask == full for mask in marks) else tuple(marks),
            )
        )

    def undo(self) -> None:
        """The board before the last step."""
        if self._before:
            self._after.append(self.board)
            self.board = self._before.pop()

    def redo(self) -> None:
        """The board after the step that was undone last."""
        if self._after:
            self._before.append(self.board)
            self.board = self._after.pop()

    def clear(self) -> None:
        """Take away entries, then, if there are none, pencil marks, then clues."""
        board = self.board
        if board.filled:
            self.show(replace(board, filled=()))
        elif board.marks is not None:
            self.show(replace(board, marks=None))
        else:
            self.show(replace(board, clues=(0,) * len(board.clues)))

    def paste(self, text: str) -> None:
        """Take the puzzle of a text in any format, on the board's own geometry if it fits.

        Raises
        ------
        PuzzleFormatError, InputError
            For a text that is no puzzle.
        """
        try:
            self.show(parse(text, self.board.geometry))
        except InputError:
            self.show(parse(text))

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to do again."""
        return bool(self._after)


def _emptied(clue: int, entry: int, mark: int, full: int, mode: Mode) -> tuple[int, int, int]:
    """What is left of a cell when a person deletes: the entry, else the pencil marks, else (not on marks) the clue."""
    if entry:
        return clue, 0, mark
    if mark != full and (mode == "mark" or not clue):
        return clue, 0, full
    return (0 if mode == "clue" else clue), 0, mark


def labels(board: Board, candidates: Sequence[int] | None = None) -> list[str]:
    """Each cell in words, for people who hear the board: ``r1c1, clue 5``."""
    geometry = board.geometry
    entries, marks = board.filled or (0,) * len(board.clues), candidates or board.marks
    said = []
    for cell, clue in enumerate(board.clues):
        what = "empty"
        if clue:
            what = f"clue {geometry.symbol_text(clue)}"
        elif entries[cell]:
            what = f"entry {geometry.symbol_text(entries[cell])}"
        elif marks:
            possible = [geometry.symbol_text(s + 1) for s in range(geometry.order) if marks[cell] >> s & 1]
            what = f"candidates {' '.join(possible)}" if possible else "no candidate left"
        said.append(f"{geometry.cell_name(cell)}, {what}")
    return said
