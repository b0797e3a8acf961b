"""Editing of a puzzle: keys, rules, new boards, undo and redo, text in. This module is independent of the widget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from gridproof.errors import InputError
from gridproof.formats import Puzzle, read_puzzle
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Statement, find, rules_on
from gridproof.rules.kind import Kind
from gridproof.rules.kinds.outside import OutsideClue
from gridproof.rules.rule import REQUIRED

Typing: TypeAlias = Literal["clue", "mark", "entry", "note"]
"""The use of a typed symbol: a clue or a candidate that the puzzle gives, an entry or a pencil mark of its solver."""

TYPINGS: tuple[Typing, ...] = ("clue", "mark", "entry", "note")

MOST_UNDONE = 1_000
"""Steps that can be undone."""

LARGEST_ORDER = 25
"""Of boards that one can click into."""

PAINTED = "region"
"""The kind of the houses of a jigsaw that is not yet painted to its end."""


class Editor:
    """A puzzle with its history.

    Parameters
    ----------
    puzzle : Puzzle
        The first puzzle. Its clues, ``board.marks`` and rules are those of the setter; the entries ``board.filled`` and
        the pencil marks ``notes`` are those of the solver, and restrict nothing.

    Raises
    ------
    InputError
        For a board that is too large to click into; ``show`` and ``paste`` refuse it, too.

    Examples
    --------
    >>> from gridproof import Geometry
    >>> editor = Editor(Puzzle(Board.empty(Geometry.classic(2))))
    >>> editor.enter([0, 5], 3, "clue")
    >>> editor.enter([1], 2, "entry")
    >>> editor.board.clues[:6], editor.board.filled[:2]
    ((3, 0, 0, 0, 0, 3), (0, 2))
    >>> editor.undo()
    >>> editor.board.filled
    ()
    >>> editor.rule("killer", {"total": "5"}, [2, 3])
    >>> editor.board.rules[0].text(editor.board.geometry)
    'killer total=5 r1c3 r1c4'
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzles = [_fitting(puzzle)]
        self._now = 0

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is now."""
        return self._puzzles[self._now]

    @property
    def board(self) -> Board:
        """Its board."""
        return self.puzzle.board

    def show(self, puzzle: Puzzle) -> None:
        """Continue with this puzzle; ``undo`` returns to the one before."""
        if (_fitting(puzzle), puzzle.notes) != (self.puzzle, self.puzzle.notes):
            self._puzzles = [*self._puzzles[: self._now + 1][-MOST_UNDONE:], puzzle]
            self._now = len(self._puzzles) - 1

    def show_board(self, board: Board, *, notes: Sequence[int] | None = None) -> None:
        """Continue with another board of the puzzle, of which title, author and prose stay.

        notes: the pencil marks of the solver; those that are there, if none are given and the boards have one size.
        """
        before, kept = self.board, notes or self.puzzle.notes
        if len(board.clues) != len(before.clues):
            kept = None
        same = replace(before, filled=()) == replace(board, filled=())
        solution = self.puzzle.solution if same else None
        self.show(replace(self.puzzle, board=board, solution=solution, notes=_ruling_out(kept, board)))

    def enter(self, cells: Iterable[int], symbol: int, typing: Typing) -> None:
        """Put a symbol into cells, or take away what they hold (``symbol`` 0).

        The same symbol again takes it away. Whatever is no clue leaves cells with a clue alone, and a clue takes the
        place of an entry. Symbol 0 takes away clues or entries; in cells without any, candidates or pencil marks.

        Raises
        ------
        InputError
            For a cell, a symbol or a use of it that there is not.
        """
        board, n = self.board, self.board.geometry.order
        chosen = sorted(set(cells))
        if typing not in TYPINGS:
            raise InputError(f"a symbol as {typing!r}; expected {', '.join(TYPINGS[:-1])} or note")
        if not 0 <= symbol <= n or any(not 0 <= cell < len(board.clues) for cell in chosen):
            raise InputError(f"symbol {symbol} in the cells {chosen}; expected 0 to {n}, and cells of the board")
        full, count = (1 << n) - 1, len(board.clues)
        clues, entries = list(board.clues), list(board.filled or [0] * count)
        marks, notes = list(board.marks or [full] * count), list(self.puzzle.notes or [full] * count)
        by_setter = typing in ("clue", "mark")
        symbols, masks = (clues, marks) if by_setter else (entries, notes)
        own = [cell for cell in chosen if typing == "clue" or (by_setter and not symbol) or not clues[cell]]
        again = all(symbols[cell] == symbol for cell in own)
        for cell in own:
            if not symbol and symbols[cell]:
                symbols[cell] = 0
            elif not symbol:
                masks[cell] = full
            elif typing in ("mark", "note"):
                masks[cell] = (0 if masks[cell] == full else masks[cell]) ^ 1 << (symbol - 1) or full
            else:
                symbols[cell] = 0 if again else symbol
        filled = tuple(0 if clue else entry for clue, entry in zip(clues, entries, strict=True))
        changed = replace(board, clues=tuple(clues), filled=filled if any(filled) else (), marks=tuple(marks))
        self.show_board(replace(changed, marks=_ruling_out(marks, board)), notes=notes)

    def clear(self, *, setter: bool) -> None:
        """Take away clues and candidates, or (``setter`` is false) entries and pencil marks of the solver."""
        board = replace(self.board, filled=())
        board = replace(board, clues=(0,) * len(board.clues), marks=None) if setter else board
        self.show_board(board, notes=self.puzzle.notes if setter else [-1] * len(board.clues))

    def undo(self) -> None:
        """The puzzle before the last step."""
        self._now -= self.can_undo

    def redo(self) -> None:
        """The puzzle after the step that was undone last."""
        self._now += self.can_redo

    @property
    def can_undo(self) -> bool:
        """True if there is a step to undo."""
        return self._now > 0

    @property
    def can_redo(self) -> bool:
        """True if there is a step to do again."""
        return self._now < len(self._puzzles) - 1

    def paste(self, text: str) -> None:
        """Take the puzzle of a text or a link in any format, on the board's own geometry if it fits.

        Raises
        ------
        PuzzleFormatError, InputError
            For a text that is no puzzle, or has something that may be a rule and was not understood.
        """
        shapes = (self.board.geometry, Geometry.standard)
        try:
            puzzle = read_puzzle(text, shapes[0], despite_unread=False, drawings=True)
        except InputError:
            puzzle = read_puzzle(text, shapes[1], despite_unread=False, drawings=True)
        self.show(puzzle)

    # ---- rules -------------------------------------------------------------------------------------------------------

    def rule(self, name: str, values: Mapping[str, Any], cells: Sequence[int], number: int | None = None) -> None:
        """Add a rule of a kind to the chosen cells, or put it in the place of the rule of this number.

        values: its parameters besides cells, as text; empty ones are left out. cells: in the order in which they were
        chosen; without any, a rule that takes the place of another has the cells of that one.

        Raises
        ------
        InputError
            For cells or values that make no rule of the kind.
        """
        board, kind = self.board, find(name)
        named = {key: value for key, value in values.items() if value not in ("", None, False)}
        if cells or number is None:
            named |= cells_for(kind, cells, board.geometry)
        else:
            named |= {p.name: board.rules[number].value(p.name) for p in kind.of_cells}
        [rule] = rules_on(board.geometry, Statement(kind, (), tuple(named.items())))
        rules = [*board.rules]
        number = len(rules) if number is None else number
        rules[number : number + 1] = [rule]
        self.show_board(replace(board, rules=()).with_rules(rules))

    def without_rule(self, number: int) -> None:
        """Take away the rule of this number."""
        self.show_board(self.board.without_rule(number))

    # ---- boards ------------------------------------------------------------------------------------------------------

    def new(self, order: int, shape: str, houses: Iterable[str] = ()) -> None:
        """Begin an empty puzzle. shape: boxes, or none; houses: ``diagonals`` or ``windoku`` beside them.

        Raises
        ------
        InputError
            For a shape that no board has.
        """
        geometry = Geometry.standard(order) if shape == "boxes" else Geometry.latin(order)
        for family in houses:
            geometry = geometry.with_diagonals() if family == "diagonals" else geometry.with_windoku()
        self.show(Puzzle(Board.empty(geometry)))

    def paint(self, cells: Sequence[int]) -> int:
        """Make the cells a region of a jigsaw, and the rest the last one. Return how many cells have no region yet.

        Raises
        ------
        InputError
            If there are more or fewer cells than symbols.
        """
        board, geometry = self.board, self.board.geometry
        n, before = geometry.order, [house.cells for house in geometry.houses if house.kind == PAINTED]
        painted = [*(region for region in before if not {*region} & {*cells}), tuple(cells)]
        rest = {*range(n * n)}.difference(*painted)
        if len(rest) == n:
            painted, rest = [*painted, tuple(sorted(rest))], set()
        made = Geometry.latin(n).with_houses(painted, PAINTED)
        if not rest:
            made = Geometry.jigsaw([next(k for k, one in enumerate(painted) if cell in one) for cell in range(n * n)])
        made = made.with_diagonals() if "diagonals" in geometry.families else made
        self.show_board(replace(board, geometry=made))
        return len(rest)


def cells_for(kind: Kind, cells: Sequence[int], geometry: Geometry) -> dict[str, Any]:
    """Return the parameters of a kind that take cells, for cells in the order in which they were chosen.

    A clue outside the grid takes its line of sight, from the edge on. A kind with lines takes a line for each run of
    cells that touch; one with cells and lines (an arrow) the first cell, and the rest as lines.

    Examples
    --------
    >>> cells_for(find("arrow"), [0, 1, 5], Geometry.classic(2))
    {'circle': (0,), 'shafts': ((1, 5),)}
    >>> cells_for(find("sandwich"), [4, 5], Geometry.classic(2))
    {'cells': (4, 5, 6, 7)}
    """
    wanted = [p for p in kind.of_cells if p.default is REQUIRED]
    if not wanted:
        return {}
    if not cells:
        raise InputError(f"no cell is selected; expected the cells of the rule {kind.name}")
    if issubclass(kind.rule, OutsideClue):
        return {"cells": sight(cells, geometry, slanted=kind.rule.slanted)}
    first, rest = (tuple(cells), ()) if len(wanted) == 1 else (tuple(cells[:1]), cells[1:])
    return {
        p.name: first if p.type == "cells" else _lines(rest if len(wanted) > 1 else first, geometry.order)
        for p in wanted
    }


def sight(cells: Sequence[int], geometry: Geometry, *, slanted: bool) -> tuple[int, ...]:
    """Return the cells that a clue outside the grid sees: from its edge on, in the direction of the first two cells.

    One cell is enough at an edge, but not in a corner.
    """
    n = geometry.order
    row, column = divmod(cells[0], n)
    steps = [divmod(step, 3) for step in ((0, 2, 6, 8) if slanted else (1, 3, 5, 7))]
    ways = []  # those to the second cell, or those that come from outside
    for down, right in [(a - 1, b - 1) for a, b in steps]:
        before = 0 <= row - down < n and 0 <= column - right < n
        if divmod(cells[1], n) == (row + down, column + right) if len(cells) > 1 else not before:
            ways.append((down, right))
    if len(ways) != 1:
        way = "a diagonal" if slanted else "a row or column"
        raise InputError(f"no direction; expected cells from the edge inwards, along {way} that the clue looks along")
    [(down, right)] = ways
    line = [(row + place * down, column + place * right) for place in range(-n, n)]
    return tuple(r * n + c for r, c in line if 0 <= r < n and 0 <= c < n)


def _lines(cells: Sequence[int], n: int) -> tuple[tuple[int, ...], ...]:
    """Return the runs of cells that touch, one after the other."""
    lines = [[cells[0]]] if cells else []
    for one, other in pairwise(cells):
        if max(abs(one // n - other // n), abs(one % n - other % n)) > 1:
            lines.append([])
        lines[-1].append(other)
    return tuple(map(tuple, lines))


def _ruling_out(masks: Sequence[int] | None, board: Board) -> tuple[int, ...] | None:
    """Return masks of candidates; ``None`` if they rule nothing out."""
    full = (1 << board.geometry.order) - 1
    kept = tuple(mask & full for mask in masks or ())
    return kept if any(mask != full for mask in kept) else None


def _fitting(puzzle: Puzzle) -> Puzzle:
    if (order := puzzle.board.geometry.order) > LARGEST_ORDER:
        raise InputError(f"a board of order {order}; expected one up to order {LARGEST_ORDER}")
    return puzzle
