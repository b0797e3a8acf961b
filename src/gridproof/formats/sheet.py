"""A sheet: what a file of another program says about one puzzle, and what of it was not understood.

``item_of`` makes the puzzle of it that everything else works with, as it is asked for, or the error that says why not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from gridproof.errors import InputError, NotUnderstoodError, PuzzleFormatError
from gridproof.formats.notation import Form, Item, Puzzle, Shapes, readable
from gridproof.formats.shapes import usual
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid

MOST_SAID = 8
"""Unread parts that are said on a line; the others are counted there."""

MOST_OF_A_NAME, MOST_OF_THE_PROSE = 200, 5_000
"""Characters of a title and of the rules in words that are shown before a verdict."""


def _cut(text: str, most: int) -> str:
    """The text, cut where it is too long to be shown."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text):,} characters)"


def clean(text: object) -> str:
    """The text without halves of split characters, which nothing can print; nothing for what is no text."""
    if not isinstance(text, str):
        return ""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that was not turned into a rule.

    Parameters
    ----------
    where : str
        The key and the place in the file.
    what : str
        A short description.
    may_be_rule : bool
        Whether it may change the solutions; a colour or a message may not.

    Examples
    --------
    >>> print(Unread("circle 1 of 1", "drawn at r2c1"))
    circle 1 of 1: drawn at r2c1
    """

    where: str
    what: str
    may_be_rule: bool = True

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(frozen=True, slots=True, repr=False)
class Sheet:
    """Everything that a file, a link or a text says about one puzzle; ``gridproof.read_sheet`` reads it.

    Parameters
    ----------
    board : Board
        Its geometry, clues, pencil marks and rules.
    entries : tuple of int
        Digits that are filled in but not given (0 for none); they are not clues.
    solution : tuple of int, or None
        The stored solution, if it is complete.
    title, author, prose : str
        Title, author and the rules in words. They are for people; gridproof does not interpret them.
    unread : tuple of Unread
        Every key and drawing that was not turned into a rule.
    text, line : str, int
        Its part of a file with several puzzles, and the number of its first line.

    Examples
    --------
    >>> import gridproof
    >>> text = '{"author": "Nobody", "grid": [[{"value": 1}, {}], [{}, {}]], "circle": [{"cells": ["R2C1"]}]}'
    >>> sheet = gridproof.read_sheet(text)
    >>> sheet.author, sheet.entries, sheet.board.clues
    ('Nobody', (1, 0, 0, 0), (0, 0, 0, 0))
    >>> [str(one) for one in sheet.not_understood]
    ['circle 1 of 1: drawn at r2c1']
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
        """What was not read and may be a rule. If there is any, a verdict may be about another puzzle."""
        return tuple(one for one in self.unread if one.may_be_rule)

    def with_entries_as_clues(self) -> Sheet:
        """Return the sheet with its entries as clues.

        Examples
        --------
        >>> from gridproof import parse
        >>> Sheet(parse("1... .... .... ...."), entries=(0, 2) + (0,) * 14).with_entries_as_clues().board.clues[:3]
        (1, 2, 0)
        """
        if not self.entries:
            return self
        clues = tuple(clue or entry for clue, entry in zip(self.board.clues, self.entries, strict=True))
        return replace(self, board=replace(self.board, clues=clues), entries=())

    def understood(self, despite_unread: bool = False) -> Sheet:
        """Return this sheet. Raises ``NotUnderstoodError`` if something unread may be a rule."""
        if self.not_understood and not despite_unread:
            raise NotUnderstoodError(self, text=self.title)
        return self

    def said_unread(self) -> str:
        """What may be a rule and was not read, on one line."""
        found = self.not_understood
        more = f"; and {len(found) - MOST_SAID:,} more" if len(found) > MOST_SAID else ""
        return "; ".join(map(str, found[:MOST_SAID])) + more

    def caveat(self) -> str:
        """The remark for a verdict despite something unread; empty if there is nothing unread."""
        return f"despite what is unread: {self.said_unread()}" if self.not_understood else ""

    def __repr__(self) -> str:
        number = len(self.not_understood)
        return f"<Sheet: {self.headings()[0]}{f'; {number} not understood' if number else ''}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import sheet_card

        return sheet_card(self)

    def headings(self) -> list[str]:
        """The lines to show before a verdict: title and author, kinds of rules, the rules in words."""
        named = " by ".join(_cut(name.strip(), MOST_OF_A_NAME) for name in (self.title, self.author) if name.strip())
        kinds = Counter(rule.called for rule in self.board.rules)
        lines = [f"{named or 'untitled'}: a {self.board.geometry.description} board"]
        if kinds:
            lines[0] += ", " + ", ".join(f"{number} {name}" for name, number in kinds.most_common())
        prose = _cut(self.prose, MOST_OF_THE_PROSE)
        lines += [f"  {line.strip()}" for line in prose.splitlines() if line.strip()]
        if number := sum(map(bool, self.entries)):
            lines.append(f"  filled in but not given: {number}; --entries as-clues takes them as clues")
        return lines


def item_of(sheet: Sheet, text: str, line: int, asked: Shapes) -> Item:
    """The puzzle of a sheet, or its error: of another shape than is asked for, or not understood.

    text, line: where the sheet was read from. asked: also says whether entries are clues, and whether a puzzle is taken
    of which something was not read that may be a rule.
    """
    try:
        sheet = replace(sheet, board=shaped(sheet.board, asked))
    except InputError as problem:
        return PuzzleFormatError(str(problem), text=readable(text), expected="", line=line, column=1)
    if asked.entries_as_clues:
        sheet = sheet.with_entries_as_clues()
    text = readable(text.strip())
    if sheet.not_understood and not asked.despite_unread:
        return NotUnderstoodError(sheet, text=text, line=line)
    board = replace(sheet.board, filled=sheet.entries)
    return Puzzle(board, Form.LINE, text, line, answer=sheet.solution, title=sheet.title, sheet=sheet)


def shaped(board: Board, asked: Shapes, where: str = "") -> Board:
    """The board with the further houses that are asked for; no other shape may be asked for than it has.

    where: what its shape was said by. Raises ``InputError``.
    """
    own, wanted = board.geometry, asked.wanted(board.geometry.order)
    if wanted is None or wanted == own or (asked.fixed is None and wanted == usual(own.order)):
        return board
    houses, more = ({frozenset(house.cells) for house in geometry.houses} for geometry in (own, wanted))
    if wanted.order == own.order and houses <= more:
        return replace(board, geometry=wanted)
    raise InputError(
        f"{where}a board of {own.description}, where {wanted.description} is asked for; expected the shape in one place"
    )
