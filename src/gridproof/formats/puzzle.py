"""The record of one puzzle: its board and what came with it, wherever it was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import shorten
from typing import TYPE_CHECKING, Any, TypeAlias

from gridproof.errors import InputError, NotUnderstoodError, PuzzleFormatError
from gridproof.formats.alphabets import Symbols as Symbols
from gridproof.formats.alphabets import symbol_names
from gridproof.formats.unread import AsRead as AsRead
from gridproof.formats.unread import Unread as Unread
from gridproof.formats.unread import count_by_key as count_by_key
from gridproof.formats.unread import summary_of_unread as summary_of_unread
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.text import counted, quote

if TYPE_CHECKING:
    from gridproof.rules.rule_text import AnyRule

LONGEST_NAME, LONGEST_PROSE = 200, 5_000
"""Characters that are printed before a verdict: of a title, and of the rules in words."""

LONGEST_BEGINNING = 120
"""Characters of the rules in words that are printed where not all of them are wanted."""

MOST_ENTRIES = 5_000
"""Entries of a list in a file or a link, such as rules; a board of order 35 has 2,380 pairs of neighbours."""


def _cut(text: str, most: int) -> str:
    """Return the text, cut where it is too long to be printed."""
    if len(text) <= most:
        return text
    return f"{text[:most]}... ({len(text):,} characters)"


def replace_surrogates(text: object) -> str:
    """Return the text without halves of split characters, which nothing can print; ``""`` for what is no text."""
    if not isinstance(text, str):
        return ""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def make_readable(text: str) -> str:
    """Return the text with what stands for undecodable bytes escaped, so that it can be printed anywhere."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, slots=True)
class Table:
    """The head of a CSV file: its column names, what separates them, where puzzles and solutions are.

    rules: the places of columns that hold rules, which nobody reads.
    """

    header: tuple[str, ...]
    delimiter: str
    puzzle: int
    solution: int | None
    rules: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Puzzle:
    """A board and everything that came with it; ``gridproof.read`` and ``gridproof.read_puzzle`` return these.

    Two puzzles are equal if they mean the same, however and wherever they were written.

    Parameters
    ----------
    board : Board
        Its geometry, clues, pencil marks and rules. Digits that are filled in but not given are ``board.filled``.
    solution : tuple of int, or None
        The solution that came with it. Nothing has checked it; in the answer of a table 0 stands for a blank cell.
    title, author, prose : str
        Title, author and the rules in words. They are for people; gridproof does not interpret them.
    unread : tuple of Unread
        Every key and drawing that was not turned into a rule.
    as_read : tuple of AsRead
        The drawings that were read as rules of a kind that the file does not state.
    words_read : bool
        Whether somebody has read the rules in words, and they add nothing.
    text : str
        The puzzle as given, without line end, comment or remark; of a CSV file the field.
    line : int
        The number of its first line, from 1.
    source : str
        The path of the file that it was read from, if ``read`` opened it.
    format : str
        The name of the format it was written in; ``gridproof.formats.catalog.all_formats`` lists them.
    symbols : Symbols
        The names of its symbols.
    names : tuple of str
        The names by which its symbols are drawn, where these are none of ``Symbols``; see ``symbol_texts``.
    notes : tuple of int, or None
        What a solver has noted down as left in each cell, as masks. They are no part of the puzzle.
    row, table : tuple of str, Table or None
        Its record in a CSV file, and the head of that file, to write it back.
    record : dict, or None
        Its record in a file of JSON lines.

    Examples
    --------
    >>> import gridproof
    >>> text = '{"author": "Nobody", "grid": [[{"value": 1}, {}], [{}, {}]], "circle": [{"cells": ["R2C1"]}]}'
    >>> puzzle = gridproof.read_puzzle(text)
    >>> puzzle.author, puzzle.board.filled, puzzle.board.clues
    ('Nobody', (1, 0, 0, 0), (0, 0, 0, 0))
    >>> [str(one) for one in puzzle.not_understood]
    ['circle 1 of 1: drawn at r2c1']
    >>> [puzzle] = gridproof.read("# easy\\n1... .... .... ...2  # from a book")
    >>> puzzle.line, puzzle.text
    (2, '1... .... .... ...2')
    """

    board: Board
    solution: SymbolTuple | None = None
    title: str = ""
    author: str = ""
    prose: str = ""
    unread: tuple[Unread, ...] = ()
    as_read: tuple[AsRead, ...] = ()
    words_read: bool = False
    text: str = field(default="", compare=False)
    line: int = field(default=1, compare=False)
    source: str = field(default="", compare=False)
    format: str = field(default="text", compare=False)
    symbols: Symbols = field(default=Symbols.FROM_ONE, compare=False)
    names: tuple[str, ...] = field(default=(), compare=False)
    notes: tuple[int, ...] | None = field(default=None, compare=False)
    row: tuple[str, ...] = field(default=(), compare=False)
    table: Table | None = field(default=None, compare=False)
    record: Mapping[str, Any] | None = field(default=None, compare=False)

    @property
    def columns(self) -> Mapping[str, Any]:
        """The fields of its record by their names; empty if it stood in no table."""
        if self.table is not None:
            return dict(zip(self.table.header, self.row, strict=False))
        return self.record or {}

    @property
    def symbol_texts(self) -> tuple[str, ...]:
        """The names by which its symbols are drawn; none where these are the digits of its board.

        >>> from gridproof import read_puzzle
        >>> read_puzzle("A..............C").symbol_texts, read_puzzle("1..............3").symbol_texts
        (('A', 'B', 'C', 'D'), ())
        """
        if self.names or self.symbols is Symbols.FROM_ONE:
            return self.names
        return symbol_names(self.board.geometry.symbol_count, self.symbols)

    @property
    def not_understood(self) -> tuple[Unread, ...]:
        """The parts that were not read and may be rules. If there are any, a verdict may be about another puzzle."""
        if not self.unread:  # as of nearly all puzzles
            return ()
        return tuple(part for part in self.unread if part.may_be_rule)

    @property
    def position(self) -> Board:
        """The board from which a solver goes on: with the notes as further pencil marks."""
        if self.notes is None:
            return self.board
        marks = self.board.marks or self.notes
        return self.board.with_marks([mark & note for mark, note in zip(marks, self.notes, strict=True)])

    def with_named_symbols(self) -> Puzzle:
        """Return the puzzle with a board that writes its symbols by their names, for sentences and drawings.

        Examples
        --------
        >>> import gridproof
        >>> board = gridproof.read_puzzle("A..............C").with_named_symbols().board
        >>> board.geometry.symbol_text(3)
        'C'
        """
        names = self.symbol_texts
        if not names:
            return self
        board = replace(self.board, geometry=self.board.geometry.with_symbol_texts(names))
        return replace(self, board=board, symbols=Symbols.FROM_ONE, names=())

    def with_filled_as_clues(self) -> Puzzle:
        """Return the puzzle with the digits that are filled in as clues.

        Examples
        --------
        >>> from gridproof import parse
        >>> board = parse("1... .... .... ....").with_filled((0, 2) + (0,) * 14)
        >>> Puzzle(board).with_filled_as_clues().board.clues[:3]
        (1, 2, 0)
        """
        board = self.board
        if not board.filled:
            return self
        clues = tuple(clue or entry for clue, entry in zip(board.clues, board.filled, strict=True))
        return replace(self, board=replace(board, clues=clues, filled=()))

    def understood(self, despite_unread: bool = False) -> Puzzle:
        """Return this puzzle. Raises ``NotUnderstoodError`` if something unread may be a rule."""
        if self.not_understood and not despite_unread:
            raise NotUnderstoodError(self, text=self.title)
        return self

    def part(self) -> Board:
        """Return the board of the part that was understood: it has every solution of the puzzle, perhaps more.

        Rules about all unmarked pairs are left out, because what is unread may mark some.

        Raises
        ------
        NotUnderstoodError
            If something unread may allow more than what was read.

        Examples
        --------
        >>> from gridproof import read_puzzle
        >>> puzzle = read_puzzle('{"grid": [[{}, {}], [{}, {}]], "negative": ["xv"], "circle": [{"cells": ["R2C1"]}]}')
        >>> len(puzzle.board.rules), len(puzzle.part().rules)
        (1, 0)
        """
        for part in self.unread:
            if part.relaxes:
                why = ""
                if not part.may_be_rule:
                    why = str(part)
                raise NotUnderstoodError(self, text=self.text or self.title, why=why)
        rules = [rule for rule in self.board.rules if not rule.looks_at_others]
        return replace(self.board, rules=tuple(rules))

    @property
    def has_words(self) -> bool:
        """True if there are rules in words that nobody has read."""
        return bool(self.prose.strip()) and not self.words_read

    @property
    def suggested(self) -> str:
        """The drawings that were read as the words suggest, which nobody has confirmed; empty for none."""
        return "; ".join([str(group) for group in self.as_read if group.sentence])

    def unread_summary(self) -> str:
        """Return on one line the parts that may be rules and were not read."""
        return summary_of_unread(self.not_understood)

    def __repr__(self) -> str:
        words = self.headings()[0]
        if self.not_understood:
            words += f"; {len(self.not_understood)} not understood"
        return f"<Puzzle: {words}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import board_card

        lines = self.headings()
        rows: list[tuple[str, object]] = []
        for line in lines[1:]:
            rows.append(("", line.strip()))
        for part in self.not_understood:
            rows.append(("not understood", str(part)))
        rows.append(("stored solution", "is there" if self.solution else None))
        return board_card(f"{lines[0]}.", rows, self.board, notes=[self.missing()], symbols=self.symbol_texts)

    def missing(self) -> str:
        """Return the note for a picture about what was not understood: how many things of which key; empty if none.

        Examples
        --------
        >>> from gridproof import read_puzzle
        >>> read_puzzle('{"grid": [[{}, {}], [{}, {}]], "circle": [{"cells": ["R2C1"]}]}').missing()
        'not understood, and not in the picture: circle (1)'
        """
        names = count_by_key(self.not_understood)
        if names:
            return f"not understood, and not in the picture: {names}"
        return ""

    def headings(self, entries_count: bool = False, all_words: bool = True) -> list[str]:
        """Return the lines to print before a verdict: title and author, kinds of rules, the rules in words.

        entries_count: whether a step goes on from the digits that are filled in, where a verdict leaves them out.
        all_words: whether the rules in words are wanted as they stand, or only the beginning of long ones.
        """
        names = []
        for name in (self.title, self.author):
            if name.strip():
                names.append(_cut(name.strip(), LONGEST_NAME))
        first = f"{' by '.join(names) or 'untitled'}: a {self.board.geometry.description} board"
        kinds = Counter(rule.name_or_path for rule in self.board.rules)
        for name, number in kinds.most_common():
            first += f", {number} {name}"
        lines = [first]
        prose = _cut(self.prose, LONGEST_PROSE)
        if not all_words and len(self.prose) > LONGEST_BEGINNING:
            beginning = shorten(self.prose, LONGEST_BEGINNING, placeholder=" ...")
            words = counted(len(self.prose.split()), "word")
            prose = f"{beginning} ({words} in all; --words prints them)"
        for line in prose.splitlines():
            if line.strip():
                lines.append(f"  {line.strip()}")
        number = len(self.board.filled) - self.board.filled.count(0)
        if number:
            meaning = "--entries as-clues takes them as clues"
            if entries_count:
                meaning = "they count as entries"
            lines.append(f"  filled in but not given: {number}; {meaning}")
        return lines


Item: TypeAlias = "Puzzle | PuzzleFormatError"
"""A puzzle, or the error in its place."""


def with_rules(puzzle: Puzzle, rules: Iterable[AnyRule], line: int | None) -> Item:
    """Return the puzzle with further rules, or the error in its place if one of them does not fit its board."""
    try:
        return replace(puzzle, board=puzzle.board.with_rules(rules))
    except InputError as problem:
        return PuzzleFormatError(str(problem), text=puzzle.text, expected="", line=line)


def refuse_no_puzzle(text: str, items: Sequence[Item]) -> None:
    """Raise ``InputError`` for a text that is neither a file nor a puzzle. items: what was read of it."""
    is_line = "\n" not in text.strip()
    for item in items:
        if is_line and isinstance(item, PuzzleFormatError):
            item.line = None
    if items and all(isinstance(item, PuzzleFormatError) and item.puzzle is None for item in items):
        # a link or several lines can hardly be meant as the name of a file
        no_file = f"{quote(text)} is no file that exists; read as a puzzle: "
        raise InputError(f"{no_file if is_line and '://' not in text else ''}{items[0]}")


def given_text(item: Item) -> str:
    """Return the text of a puzzle as given, or the line in which an error stands."""
    if isinstance(item, Puzzle):
        return item.text
    return item.given or item.text
