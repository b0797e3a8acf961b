"""Editing of a board: keys, undo and redo, text in and out. This module is independent of the widget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from gridproof.errors import InputError
from gridproof.formats import parse
from gridproof.pictures.cells import picture
from gridproof.puzzle.board import Board

Mode: TypeAlias = Literal["clue", "entry", "mark"]
"""The use of a typed symbol: part of the puzzle, an entry beside it, or a pencil mark."""

MOST_UNDONE = 1_000
"""Steps that can be undone."""

LARGEST_ORDER = 25
"""Of boards that one can click into."""


class Editor:
    """A board with its history.

    Parameters
    ----------
    board : Board
        The first board. Entries are ``board.filled``, pencil marks ``board.marks``: these restrict its solutions.

    Raises
    ------
    InputError
        For a board that is too large to click into; ``show`` and ``paste`` refuse it, too.

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
        self._boards = [_fitting(board)]
        self._now = 0

    @property
    def board(self) -> Board:
        """The board as it is now."""
        return self._boards[self._now]

    def show(self, board: Board) -> None:
        """Continue with this board; ``undo`` returns to the one before."""
        if _fitting(board) != self.board:
            before = self._boards[: self._now + 1]
            self._boards = [*before[-MOST_UNDONE:], board]
            self._now = len(self._boards) - 1

    def enter(self, cells: Iterable[int], symbol: int, mode: Mode) -> None:
        """Put a symbol into cells, or take away what they hold (``symbol`` 0).

        The same symbol again takes it away. Entries and pencil marks leave cells with a clue alone, and a clue takes
        the place of an entry.

        Raises
        ------
        InputError
            For a cell, a symbol or a mode that there is not.
        """
        board, n = self.board, self.board.geometry.order
        chosen = sorted(set(cells))
        if mode not in ("clue", "entry", "mark"):
            raise InputError(f"mode {mode!r}; expected clue, entry or mark")
        if not 0 <= symbol <= n or any(not 0 <= cell < len(board.clues) for cell in chosen):
            raise InputError(f"symbol {symbol} in the cells {chosen}; expected 0 to {n}, and cells of the board")
        full = (1 << n) - 1
        clues, entries = list(board.clues), list(board.filled or (0,) * len(board.clues))
        marks = list(board.marks or (full,) * len(clues))
        own = [cell for cell in chosen if symbol == 0 or mode == "clue" or not clues[cell]]
        again = all((clues if mode == "clue" else entries)[cell] == symbol for cell in own)
        for cell in own:
            if symbol == 0:
                clues[cell], entries[cell], marks[cell] = _emptied(clues[cell], entries[cell], marks[cell], full, mode)
            elif mode == "mark":
                marks[cell] = (0 if marks[cell] == full else marks[cell]) ^ 1 << (symbol - 1) or full
            elif mode == "entry":
                entries[cell] = 0 if again else symbol
            else:
                clues[cell], entries[cell] = 0 if again else symbol, 0
        kept = None if all(mask == full for mask in marks) else tuple(marks)
        self.show(replace(board, clues=tuple(clues), filled=tuple(entries) if any(entries) else (), marks=kept))

    def undo(self) -> None:
        """The board before the last step."""
        self._now -= self.can_undo

    def redo(self) -> None:
        """The board after the step that was undone last."""
        self._now += self.can_redo

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
        """True if there is a step to undo."""
        return self._now > 0

    @property
    def can_redo(self) -> bool:
        """True if there is a step to do again."""
        return self._now < len(self._boards) - 1


def _fitting(board: Board) -> Board:
    if board.geometry.order > LARGEST_ORDER:
        raise InputError(f"a board of order {board.geometry.order}; expected one up to order {LARGEST_ORDER}")
    return board


def _emptied(clue: int, entry: int, mark: int, full: int, mode: Mode) -> tuple[int, int, int]:
    """Delete the entry of a cell, else the pencil marks, else (unless marks are typed) the clue. Return the rest."""
    if entry:
        return clue, 0, mark
    if mark != full and (mode == "mark" or not clue):
        return clue, 0, full
    return (0 if mode == "clue" else clue), 0, mark


def labels(board: Board, candidates: Sequence[int] | None = None) -> list[str]:
    """Describe each cell for screen readers: ``r1c1, clue 5``."""
    geometry = board.geometry
    names = {"clue": "clue", "filled": "entry", "marks": "candidates"}
    words = []
    for cell, content in enumerate(picture(board, (), (), candidates, None, free_is_blank=True).cells):
        symbols = " ".join(map(geometry.symbol_text, content.symbols))
        what = f"{names[content.kind]} {symbols}" if symbols else "no candidate left"
        words.append(f"{geometry.cell_name(cell)}, {'empty' if content.kind == 'blank' else what}")
    return words
