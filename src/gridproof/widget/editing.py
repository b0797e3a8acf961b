"""Editing of a puzzle: keys, rules, new boards, undo and redo, text in. This module is independent of the widget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_args

from gridproof.errors import InputError
from gridproof.formats import Puzzle, read_puzzle
from gridproof.formats.puzzle import Unread
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import RuleText, find
from gridproof.rules.drawing import Sketch
from gridproof.text import counted
from gridproof.widget.entries import LAST_PAINT, Entries, toggle_candidate
from gridproof.widget.history import History
from gridproof.widget.selection import FIRST, cells_for, names_of, stated_in_form
from gridproof.widget.stage import make_stage, refuse_large

Typing: TypeAlias = Literal["clue", "mark", "entry", "note", "corner", "colour"]
"""The use of a typed symbol: a clue or a candidate of the puzzle; of its solver an entry, a note in the middle of a
cell, a mark in its corner, or a colour."""

TYPINGS: tuple[Typing, ...] = get_args(Typing)

_CHARACTERS = "text"
"""The format of a text that is only the contents of cells."""

PAINTED = "region"
"""The kind of the houses of a jigsaw that is not yet painted to its end."""


class Editor:
    """A puzzle with two histories: that of its setter, and that of its solver.

    Another puzzle begins another history of its solver; with the puzzle before, the solver's is there again.

    Parameters
    ----------
    puzzle : Puzzle
        The first puzzle. Its clues, ``board.marks`` and rules are those of the setter; the entries ``board.filled`` and
        the marks ``notes`` are those of the solver, and restrict nothing.
    words_covered : bool
        Whether its words and drawings say nothing beyond its rules on the board.
    entries : Entries, optional
        More work of its solver than comes with the puzzle.

    Raises
    ------
    InputError
        For a board that is too large to click into; ``open``, ``show_board`` and ``paste`` refuse it, too.

    Examples
    --------
    >>> from gridproof import Geometry
    >>> editor = Editor(Puzzle(Board.empty(Geometry.classic(2))))
    >>> editor.enter([0, 5], 3, "clue")
    >>> editor.enter([1], 2, "entry")
    >>> editor.board.clues[:6], editor.board.filled[:2]
    ((3, 0, 0, 0, 0, 3), (0, 2))
    >>> editor.undo(setter=True)
    >>> editor.board.clues[:6], editor.board.filled[:2]
    ((0, 0, 0, 0, 0, 0), (0, 2))
    >>> editor.rule("killer", {"total": "5"}, [2, 3])
    >>> editor.board.rules[0].text(editor.board.geometry)
    'killer total=5 r1c3 r1c4'
    """

    def __init__(self, puzzle: Puzzle, *, words_covered: bool = False, entries: Entries | None = None) -> None:
        work = History(entries or Entries.of(puzzle))
        self._stages = History(make_stage(puzzle)._replace(words_covered=words_covered, work=work))
        self._composed: tuple[Puzzle, Entries, Puzzle] | None = None  # the last puzzle with its entries

    # ---- what there is -----------------------------------------------------------------------------------------------

    @property
    def entries(self) -> Entries:
        """The work of the solver as it is now."""
        return self._stages.now.work.now

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is now, with the entries and the notes of its solver."""
        puzzle = self._stages.now.puzzle
        entries = self.entries
        if self._composed and self._composed[0] is puzzle and self._composed[1] is entries:
            return self._composed[2]
        clues = puzzle.board.clues
        filled = tuple([0 if clue else entry for clue, entry in zip(clues, entries.filled, strict=True)])
        if not any(filled):
            filled = ()
        composed = replace(puzzle, board=replace(puzzle.board, filled=filled), notes=entries.notes)
        self._composed = puzzle, entries, composed
        return composed

    @property
    def board(self) -> Board:
        """Its board."""
        return self.puzzle.board

    @property
    def words_covered(self) -> bool:
        """True if the setter has stated that the rules on the board are all that the puzzle has."""
        return self._stages.now.words_covered

    @property
    def has_unread_words(self) -> bool:
        """True if there are rules in words, which nobody reads, that may say more than the rules on the board."""
        return self._stages.now.puzzle.has_words and not self.words_covered

    @property
    def unread(self) -> tuple[Unread, ...]:
        """The parts of the puzzle that may be rules and were not read; none if the setter has added them."""
        return () if self.words_covered else self._stages.now.puzzle.not_understood

    @property
    def sketch(self) -> tuple[Sketch, ...]:
        """Drawings of another program that nobody read."""
        return self._stages.now.sketch

    # ---- other puzzles -----------------------------------------------------------------------------------------------

    def open(self, puzzle: Puzzle) -> None:
        """Continue with another puzzle, and its own entries."""
        self._stages.add(make_stage(puzzle))

    def describe(self, title: str, author: str, prose: str, *, words_covered: bool) -> None:
        """Change what is told about the puzzle.

        words_covered: whether its words and drawings state nothing beyond its rules on the board.
        """
        puzzle = replace(self._stages.now.puzzle, title=title, author=author, prose=prose)
        self._change(puzzle, words_covered)

    def show_board(self, board: Board) -> None:
        """Continue with another board of the puzzle, of which title, author and prose stay."""
        refuse_large(*board.geometry.shape, board.geometry.symbol_count)
        now = self._stages.now
        given = replace(board, filled=())
        if len(board.clues) != len(self.board.clues):
            self._stages.add(make_stage(replace(now.puzzle, board=board, solution=None, notes=None))._replace(
                words_covered=now.words_covered, sketch=()
            ))  # fmt: skip
            return
        if given != now.puzzle.board:
            self._change(replace(now.puzzle, board=given, solution=None), now.words_covered)
        if board.filled != self.board.filled:
            filled = board.filled or (0,) * len(board.clues)
            self._write(replace(self.entries, filled=tuple(filled)))

    def _change(self, puzzle: Puzzle, words_covered: bool) -> None:
        """Add a step of the setter, if it changes anything."""
        now = self._stages.now
        stage = now._replace(puzzle=puzzle, words_covered=words_covered)
        if stage != now:
            self._stages.add(stage)

    def _write(self, entries: Entries) -> None:
        """Add a step of the solver, if it changes anything."""
        if entries != self.entries:
            self._stages.now.work.add(entries)

    # ---- symbols -----------------------------------------------------------------------------------------------------

    def enter(self, cells: Iterable[int], symbol: int, typing: Typing, *, tidy: bool = False) -> None:
        """Put a symbol into cells, or take away what they hold (``symbol`` 0).

        The same symbol again takes it away. Whatever is no clue leaves cells with a clue alone. Symbol 0 takes away
        clues or entries; in cells without any, candidates or marks. A colour is the number of one of
        ``gridproof.pictures.pencil.PAINTS``.

        tidy: whether an entry takes the marks of its symbol away from all cells that see it.

        Raises
        ------
        InputError
            For a cell, a symbol or a use of it that there is not.
        """
        board = self._stages.now.puzzle.board
        geometry = board.geometry
        count = len(board.clues)
        chosen = sorted(set(cells))
        if typing not in TYPINGS:
            raise InputError(f"a symbol as {typing!r}; expected {', '.join(TYPINGS[:-1])} or {TYPINGS[-1]}")
        last = LAST_PAINT if typing == "colour" else geometry.symbol_count
        if not 0 <= symbol <= last or any(not 0 <= cell < count for cell in chosen):
            raise InputError(f"symbol {symbol} in the cells {chosen}; expected 0 to {last}, and cells of the board")
        if typing == "clue" or typing == "mark":
            self._set(board, chosen, symbol, typing)
            return
        entries = self.entries
        own = [cell for cell in chosen if not board.clues[cell]]
        if typing == "colour" and symbol:
            entries = entries.paint(chosen, symbol)
        elif typing == "colour":
            entries = replace(
                entries, paints=tuple([() if cell in chosen else one for cell, one in enumerate(entries.paints)])
            )
        elif not symbol:
            entries = entries.erase(own, geometry)
        elif typing == "entry":
            entries = entries.enter(own, symbol)
            placed = [cell for cell in own if entries.filled[cell]]
            if tidy:
                entries = entries.tidy(placed, symbol, geometry)
        else:
            entries = entries.toggle(own, symbol, typing, geometry)
        self._write(entries)

    def _set(self, board: Board, chosen: Sequence[int], symbol: int, typing: Typing) -> None:
        """Put a clue or a candidate of the puzzle into cells, or take it away."""
        full = board.geometry.every_symbol
        clues = list(board.clues)
        marks = list(board.marks or [full] * len(clues))
        if not symbol:
            erase(chosen, clues, marks, full)
        elif typing == "mark":
            toggle_candidate([cell for cell in chosen if not clues[cell]], marks, symbol, full)
        else:
            is_there = all(clues[cell] == symbol for cell in chosen)
            for cell in chosen:
                clues[cell] = 0 if is_there else symbol
        edited = replace(board, clues=tuple(clues), marks=tuple(marks) if any(mask != full for mask in marks) else None)
        self._show_given(edited)

    def _show_given(self, board: Board) -> None:
        """Add a step of the setter with another board of the same size."""
        now = self._stages.now
        if board != now.puzzle.board:
            self._change(replace(now.puzzle, board=board, solution=None), now.words_covered)

    def take_step(self, board: Board) -> None:
        """Take over the entries and the notes of a board, by which the solver has gone on."""
        full = board.geometry.every_symbol
        filled = board.filled or (0,) * len(board.clues)
        notes = board.marks or (full,) * len(board.clues)
        self._write(replace(self.entries, filled=tuple(filled), notes=tuple(notes)))

    def clear(self, *, setter: bool) -> None:
        """Take away clues and candidates, or (``setter`` is false) all work of the solver."""
        board = self._stages.now.puzzle.board
        if setter:
            self._show_given(replace(board, clues=(0,) * len(board.clues), marks=None))
        else:
            self._write(Entries.none(board.geometry))

    def clear_rules(self) -> None:
        """Take away all rules; houses and clues stay."""
        self._show_given(replace(self._stages.now.puzzle.board, rules=()))

    def undo(self, *, setter: bool) -> None:
        """Undo the last step of the setter, or of the solver."""
        self.history(setter=setter).undo()

    def redo(self, *, setter: bool) -> None:
        """Do again what was undone last, of the setter or of the solver."""
        self.history(setter=setter).redo()

    def history(self, *, setter: bool) -> History[Any]:
        """Return the history of the setter, or of the solver."""
        return self._stages if setter else self._stages.now.work

    def paste(self, text: str, *, despite_unread: bool = False) -> None:
        """Take the puzzle of a text or a link in any format.

        Characters alone go onto the board's own geometry if they fit. Every other format states its own houses, so that
        its puzzle is the whole new puzzle.

        despite_unread: whether to take it if something that may be a rule was not understood.

        Raises
        ------
        PuzzleFormatError, InputError
            For a text that is no puzzle, or has something that may be a rule and was not understood.
        """
        puzzle = None
        problem = None
        try:
            puzzle = read_puzzle(text, despite_unread=despite_unread)
        except InputError as found:
            problem = found
        if puzzle is None or puzzle.format == _CHARACTERS:
            with suppress(InputError):
                here = read_puzzle(text, self.board.geometry, despite_unread=despite_unread)
                if here.format == _CHARACTERS:
                    puzzle = here
        if puzzle is None:
            assert problem is not None
            raise problem
        self.open(puzzle)

    # ---- rules -------------------------------------------------------------------------------------------------------

    def rule(
        self,
        name: str,
        values: Mapping[str, Any],
        cells: Sequence[int],
        number: int | None = None,
        *,
        starts: Sequence[int] = (),
    ) -> None:
        """Add a rule of a kind to the chosen cells, or put it in the place of the rule of this number.

        values: its parameters besides cells, as text; empty ones are left out. cells: in the order in which they were
        chosen; without any, a rule that takes the place of another has the cells of that one. starts: the places in
        ``cells`` at which a line begins.

        Raises
        ------
        InputError
            For cells or values that make no rule of the kind.
        """
        board = self._stages.now.puzzle.board
        kind = find(name)
        named = stated_in_form(values)
        if cells or number is None:
            first = read_first(values.get(FIRST, "1"), len(cells))
            for key, chosen in cells_for(kind, cells, board.geometry, starts=starts, first=first).items():
                named[key] = names_of(chosen, board.geometry)  # as errors show them
        else:
            for parameter in kind.parameters():
                if parameter.type in ("cells", "lines", "rules"):
                    named[parameter.name] = board.rules[number].value(parameter.name)
        try:
            made = RuleText(kind, (), tuple(named.items())).make(board.geometry)
        except InputError as problem:  # a form needs no line of how to type the rule
            raise type(problem)(str(problem).removesuffix(f"; usage: {kind.usage()}")) from None
        rules = list(board.rules)
        if number is None:
            rules.append(made)
        else:
            rules[number] = made
        self._show_given(replace(board, rules=()).with_rules(rules))

    def without_rule(self, number: int) -> None:
        """Take away the rule of this number."""
        self._show_given(self._stages.now.puzzle.board.without_rule(number))

    # ---- boards ------------------------------------------------------------------------------------------------------

    def paint(self, cells: Sequence[int]) -> int:
        """Make the cells a region of a jigsaw, and the rest the last one. Return how many cells have no region yet.

        On a square board a region has as many cells as a row, on an oblong one as there are digits.

        Raises
        ------
        InputError
            If there are more or fewer cells.
        """
        board = self._stages.now.puzzle.board
        geometry = board.geometry
        size = region_size(geometry)
        if len(set(cells)) != size:
            raise InputError(f"a region of {counted(len(set(cells)), 'cell')}; expected {size}")
        painted = []
        for house in geometry.houses:
            if house.kind == PAINTED and not set(house.cells) & set(cells):
                painted.append(house.cells)
        painted.append(tuple(cells))
        rest = set(range(geometry.cell_count)).difference(*painted)
        if len(rest) <= size:
            painted.append(tuple(sorted(rest)))
            rest = set()
        made = Geometry.oblong(*geometry.shape, geometry.digits).with_houses(painted, PAINTED)
        if not rest:
            region_of = [0] * geometry.cell_count
            for number, region in enumerate(painted):
                for cell in region:
                    region_of[cell] = number
            made = Geometry.oblong(*geometry.shape, geometry.digits, regions=region_of)
        self._show_given(replace(board, geometry=replace(made, families=geometry.families)))
        return len(rest)


def region_size(geometry: Geometry) -> int:
    """Return how many cells a region has that is painted."""
    return geometry.rows if geometry.rows == geometry.columns else geometry.symbol_count


def erase(cells: Iterable[int], symbols: list[int], masks: list[int], full: int) -> None:
    """Take away the symbols of cells; in cells without one, the candidates."""
    for cell in cells:
        if symbols[cell]:
            symbols[cell] = 0
        else:
            masks[cell] = full


def read_first(text: str, count: int) -> int:
    """Read how many of some cells are the first part of a rule, such as the circle of an arrow."""
    if not text.strip().isdecimal() or not 1 <= int(text) <= max(1, count):
        raise InputError(f"{text!r} cells for the circle; expected a whole number from 1 to {count}")
    return int(text)
