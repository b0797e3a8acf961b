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
from gridproof.rules.cells import step
from gridproof.rules.kinds.outside import OutsideClue
from gridproof.rules.rule import REQUIRED, Rule

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
        puzzle = _fitting(puzzle)
        if (puzzle, puzzle.notes) != (self.puzzle, self.puzzle.notes):
            self._puzzles = [*self._puzzles[: self._now + 1][-MOST_UNDONE:], puzzle]
            self._now = len(self._puzzles) - 1

    def show_board(self, board: Board, *, notes: tuple[int, ...] | None = None) -> None:
        """Continue with another board of the puzzle, of which title, author and prose stay.

        notes: the pencil marks of the solver; those that are there, if none are given and the boards have one size.
        """
        same_size = len(board.clues) == len(self.board.clues)
        same = replace(self.board, filled=()) == replace(board, filled=())
        notes = notes or (self.puzzle.notes if same_size else None)
        solution = self.puzzle.solution if same else None
        self.show(replace(self.puzzle, board=board, solution=solution, notes=notes))

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
        chosen, count = sorted({*cells}), len(board.clues)
        if typing not in TYPINGS:
            raise InputError(f"a symbol as {typing!r}; expected {', '.join(TYPINGS[:-1])} or note")
        if not 0 <= symbol <= n or any(not 0 <= cell < count for cell in chosen):
            raise InputError(f"symbol {symbol} in the cells {chosen}; expected 0 to {n}, and cells of the board")
        full, notes = (1 << n) - 1, [*(self.puzzle.notes or ())]
        clues, entries, marks = [*board.clues], [*(board.filled or [0] * count)], [*(board.marks or [full] * count)]
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
        given = tuple(marks) if any(mask != full for mask in marks) else None
        board = replace(board, clues=tuple(clues), filled=filled if any(filled) else (), marks=given)
        self.show_board(board, notes=tuple(notes))

    def clear(self, *, setter: bool) -> None:
        """Take away clues and candidates, or (``setter`` is false) entries and pencil marks of the solver."""
        board = replace(self.board, filled=())
        if setter:
            self.show_board(replace(board, clues=(0,) * len(board.clues), marks=None))
        else:
            self.show(replace(self.puzzle, board=board, notes=None))

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
        try:
            puzzle = read_puzzle(text, self.board.geometry, despite_unread=False)
        except InputError:
            puzzle = read_puzzle(text, despite_unread=False)
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
            named |= {p.name: board.rules[number].value(p.name) for p in kind.cell_parameters()}
        rules = [*board.rules]
        place = len(rules) if number is None else number
        rules[place : place + 1] = rules_on(board.geometry, Statement(kind, (), tuple(named.items())))
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
        self.show(Puzzle(Board.empty(replace(geometry, families=tuple(sorted(houses))))))

    def paint(self, cells: Sequence[int]) -> int:
        """Make the cells a region of a jigsaw, and the rest the last one. Return how many cells have no region yet.

        Raises
        ------
        InputError
            If there are more or fewer cells than symbols.
        """
        geometry, n = self.board.geometry, self.board.geometry.order
        before = [house.cells for house in geometry.houses if house.kind == PAINTED]
        painted = [*(region for region in before if not {*region} & {*cells}), tuple(cells)]
        rest = {*range(n * n)}.difference(*painted)
        if len(rest) == n:
            painted, rest = [*painted, tuple(sorted(rest))], set()
        made = Geometry.latin(n).with_houses(painted, PAINTED)
        if not rest:
            made = Geometry.jigsaw([next(k for k, one in enumerate(painted) if cell in one) for cell in range(n * n)])
        self.show_board(replace(self.board, geometry=replace(made, families=geometry.families)))
        return len(rest)


def cells_for(kind: type[Rule], cells: Sequence[int], geometry: Geometry) -> dict[str, Any]:
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
    wanted = [p for p in kind.cell_parameters() if p.default is REQUIRED]
    if wanted and not cells:
        raise InputError(f"no cell is selected; expected the cells of the rule {kind.kind}")
    if issubclass(kind, OutsideClue):
        return {"cells": sight(cells, geometry, slanted=kind.slanted)}
    first, rest = (cells[:1], cells[1:]) if len(wanted) > 1 else (cells, cells)
    return {p.name: tuple(first) if p.type == "cells" else _lines(rest, geometry.order) for p in wanted}


def sight(cells: Sequence[int], geometry: Geometry, *, slanted: bool) -> tuple[int, ...]:
    """Return the cells that a clue outside the grid sees: from its edge on, in the direction of the first two cells."""
    n, way = geometry.order, step(cells[0], cells[1], geometry.order) if len(cells) > 1 else None
    if way is None or all(way) is not slanted:
        along = "a diagonal" if slanted else "a row or column"
        raise InputError(f"no direction; expected two cells from the edge inwards, along {along}")
    (row, column), (down, right) = divmod(cells[0], n), way
    line = [(row + place * down, column + place * right) for place in range(-n, n)]
    return tuple(r * n + c for r, c in line if 0 <= r < n and 0 <= c < n)


def _lines(cells: Sequence[int], n: int) -> tuple[tuple[int, ...], ...]:
    """Return the runs of cells that touch, one after the other."""
    lines = [[cell] for cell in cells[:1]]
    for one, other in pairwise(cells):
        if step(one, other, n) is None:
            lines.append([])
        lines[-1].append(other)
    return tuple(map(tuple, lines))


def _fitting(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with pencil marks of its solver, which rule nothing out if it has none."""
    board, order = puzzle.board, puzzle.board.geometry.order
    if order > LARGEST_ORDER:
        raise InputError(f"a board of order {order}; expected one up to order {LARGEST_ORDER}")
    return replace(puzzle, notes=puzzle.notes or ((1 << order) - 1,) * len(board.clues))
