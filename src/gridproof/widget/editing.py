"""Editing of a puzzle: keys, rules, new boards, undo and redo, text in. This module is independent of the widget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

from gridproof.errors import InputError
from gridproof.formats import Puzzle, read_puzzle
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import RuleText, find
from gridproof.widget.selection import cells_for, names_of

Typing: TypeAlias = Literal["clue", "mark", "entry", "note"]
"""The use of a typed symbol: a clue or a candidate that the puzzle gives, an entry or a pencil mark of its solver."""

TYPINGS: tuple[Typing, ...] = ("clue", "mark", "entry", "note")

MOST_UNDONE = 1_000
"""Largest number of steps that can be undone."""

LARGEST_ORDER = 25
"""Largest order of boards that one can click into."""

_CHARACTERS = "text"
"""The format of a text that is only the contents of cells."""

PAINTED = "region"
"""The kind of the houses of a jigsaw that is not yet painted to its end."""


class Stage(NamedTuple):
    """The puzzle after a step.

    words_covered: whether its setter has stated that its rules on the board are all that its rules in words state.
    """

    puzzle: Puzzle
    words_covered: bool = False


class Editor:
    """A puzzle with its history.

    Parameters
    ----------
    puzzle : Puzzle
        The first puzzle. Its clues, ``board.marks`` and rules are those of the setter; the entries ``board.filled`` and
        the pencil marks ``notes`` are those of the solver, and restrict nothing.
    words_covered : bool
        Whether its rules in words say nothing beyond its rules on the board.

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

    def __init__(self, puzzle: Puzzle, *, words_covered: bool = False) -> None:
        self._stages = [Stage(_fitting(puzzle), words_covered)]
        self._now = 0

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is now."""
        return self._stages[self._now].puzzle

    @property
    def board(self) -> Board:
        """Its board."""
        return self.puzzle.board

    @property
    def words_covered(self) -> bool:
        """True if the setter has stated that the rules in words say nothing beyond the rules on the board."""
        return self._stages[self._now].words_covered

    @property
    def has_unread_words(self) -> bool:
        """True if there are rules in words, which nobody reads, that may say more than the rules on the board."""
        return bool(self.puzzle.prose.strip()) and not self.words_covered

    def show(self, puzzle: Puzzle, *, words_covered: bool | None = None) -> None:
        """Continue with this puzzle; ``undo`` returns to the one before.

        words_covered: whether its rules in words say nothing beyond its rules on the board; ``None``: as before.
        """
        if words_covered is None:
            words_covered = self.words_covered
        stage = Stage(_fitting(puzzle), words_covered)
        same_notes = stage.puzzle.notes == self.puzzle.notes  # which are not compared with the rest
        if stage == self._stages[self._now] and same_notes:
            return
        before = self._stages[: self._now + 1]
        self._stages = [*before[-MOST_UNDONE:], stage]
        self._now = len(self._stages) - 1

    def show_board(self, board: Board, *, notes: tuple[int, ...] | None = None) -> None:
        """Continue with another board of the puzzle, of which title, author and prose stay.

        notes: the pencil marks of the solver; those that are there, if none are given and the boards have one size.
        """
        same_size = len(board.clues) == len(self.board.clues)
        same = replace(self.board, filled=()) == replace(board, filled=())
        puzzle = replace(self.puzzle, board=board)
        if notes or not same_size:
            puzzle = replace(puzzle, notes=notes)
        if not same:
            puzzle = replace(puzzle, solution=None)
        self.show(puzzle)

    def enter(self, cells: Iterable[int], symbol: int, typing: Typing) -> None:
        """Put a symbol into cells, or take away what they hold (``symbol`` 0).

        The same symbol again takes it away. Whatever is no clue leaves cells with a clue alone, and a clue takes the
        place of an entry. Symbol 0 takes away clues or entries; in cells without any, candidates or pencil marks.

        Raises
        ------
        InputError
            For a cell, a symbol or a use of it that there is not.
        """
        board = self.board
        n = board.geometry.order
        count = len(board.clues)
        chosen = sorted(set(cells))
        if typing not in TYPINGS:
            raise InputError(f"a symbol as {typing!r}; expected {', '.join(TYPINGS[:-1])} or note")
        if not 0 <= symbol <= n or any(not 0 <= cell < count for cell in chosen):
            raise InputError(f"symbol {symbol} in the cells {chosen}; expected 0 to {n}, and cells of the board")
        full = (1 << n) - 1
        clues = list(board.clues)
        entries = list(board.filled or [0] * count)
        marks = list(board.marks or [full] * count)
        notes = list(self.puzzle.notes or [full] * count)
        by_setter = typing in ("clue", "mark")
        symbols, masks = entries, notes
        if by_setter:
            symbols, masks = clues, marks
        if typing == "clue" or (by_setter and not symbol):
            own = chosen
        else:
            own = [cell for cell in chosen if not clues[cell]]
        if not symbol:
            erase(own, symbols, masks, full)
        elif typing in ("mark", "note"):
            toggle_candidate(own, masks, symbol, full)
        else:
            is_there = all(symbols[cell] == symbol for cell in own)
            for cell in own:
                symbols[cell] = 0 if is_there else symbol
        for cell, clue in enumerate(clues):
            if clue:
                entries[cell] = 0
        edited = replace(
            board,
            clues=tuple(clues),
            filled=tuple(entries) if any(entries) else (),
            marks=tuple(marks) if any(mask != full for mask in marks) else None,
        )
        self.show_board(edited, notes=tuple(notes))

    def clear(self, *, setter: bool) -> None:
        """Take away clues and candidates, or (``setter`` is false) entries and pencil marks of the solver."""
        board = replace(self.board, filled=())
        if setter:
            self.show_board(replace(board, clues=(0,) * len(board.clues), marks=None))
        else:
            self.show(replace(self.puzzle, board=board, notes=None))

    def clear_rules(self) -> None:
        """Take away all rules; houses and clues stay."""
        self.show_board(replace(self.board, rules=()))

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
        return self._now < len(self._stages) - 1

    def paste(self, text: str) -> None:
        """Take the puzzle of a text or a link in any format.

        Characters alone go onto the board's own geometry if they fit. Every other format states its own houses, so that
        its puzzle is the whole new puzzle.

        Raises
        ------
        PuzzleFormatError, InputError
            For a text that is no puzzle, or has something that may be a rule and was not understood.
        """
        puzzle = None
        problem = None
        try:
            puzzle = read_puzzle(text, despite_unread=False)
        except InputError as found:
            problem = found
        if puzzle is None or puzzle.format == _CHARACTERS:
            with suppress(InputError):
                here = read_puzzle(text, self.board.geometry, despite_unread=False)
                if here.format == _CHARACTERS:
                    puzzle = here
        if puzzle is None:
            assert problem is not None
            raise problem
        self.show(puzzle, words_covered=False)

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
        board = self.board
        kind = find(name)
        named = {key: value for key, value in values.items() if value not in ("", None, False)}
        if cells or number is None:
            for key, chosen in cells_for(kind, cells, board.geometry).items():
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
        make_geometry = Geometry.standard if shape == "boxes" else Geometry.latin
        geometry = make_geometry(order)
        self.show(Puzzle(Board.empty(replace(geometry, families=tuple(sorted(houses))))), words_covered=False)

    def paint(self, cells: Sequence[int]) -> int:
        """Make the cells a region of a jigsaw, and the rest the last one. Return how many cells have no region yet.

        Raises
        ------
        InputError
            If there are more or fewer cells than symbols.
        """
        geometry = self.board.geometry
        n = geometry.order
        painted = []
        for house in geometry.houses:
            if house.kind == PAINTED and not set(house.cells) & set(cells):
                painted.append(house.cells)
        painted.append(tuple(cells))
        rest = set(range(n * n)).difference(*painted)
        if len(rest) == n:
            painted.append(tuple(sorted(rest)))
            rest = set()
        made = Geometry.latin(n).with_houses(painted, PAINTED)
        if not rest:
            region_of = [0] * (n * n)
            for number, region in enumerate(painted):
                for cell in region:
                    region_of[cell] = number
            made = Geometry.jigsaw(region_of)
        self.show_board(replace(self.board, geometry=replace(made, families=geometry.families)))
        return len(rest)


def erase(cells: Iterable[int], symbols: list[int], masks: list[int], full: int) -> None:
    """Take away the symbols of cells; in cells without one, the candidates."""
    for cell in cells:
        if symbols[cell]:
            symbols[cell] = 0
        else:
            masks[cell] = full


def toggle_candidate(cells: Iterable[int], masks: list[int], symbol: int, full: int) -> None:
    """Add a symbol to the candidates of cells, or take it away. A cell that has all or none of them has no marks."""
    for cell in cells:
        marked = 0 if masks[cell] == full else masks[cell]
        masks[cell] = (marked ^ 1 << (symbol - 1)) or full


def refuse_large(board: Board) -> None:
    """Refuse a board that is too large to click into. Raises ``InputError``."""
    if board.geometry.order > LARGEST_ORDER:
        raise InputError(f"a board of order {board.geometry.order}; expected one up to order {LARGEST_ORDER}")


def _fitting(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with pencil marks of its solver, which rule nothing out if it has none."""
    board = puzzle.board
    refuse_large(board)
    return replace(puzzle, notes=puzzle.notes or ((1 << board.geometry.order) - 1,) * len(board.clues))
