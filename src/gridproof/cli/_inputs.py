"""The INPUTs of a command: their puzzles in order, and what standard error gets about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path

from gridproof.cli._streams import message_of, to_stderr
from gridproof.errors import GeometryError, InputError, NotUnderstoodError, PuzzleFormatError
from gridproof.formats import Shape, Zero
from gridproof.formats.any_source import read_any
from gridproof.formats.jigsaws import REGIONS_ALONE, are_labels
from gridproof.formats.options import DrawnOptions
from gridproof.formats.puzzle import Item, Puzzle, Symbols, refuse_no_puzzle, with_rules
from gridproof.formats.reading import read_items, read_source
from gridproof.formats.shapes import Shapes
from gridproof.formats.sources import STANDARD_INPUT, exists, lines_of
from gridproof.formats.symbols import describe_symbols
from gridproof.puzzle.board import Board
from gridproof.rules.rule_text import RuleText
from gridproof.text import escape_controls, quote

NOTHING_DRAWN = DrawnOptions()
"""The options of a command without any for drawings and words."""


@dataclass(slots=True, kw_only=True)
class Inputs:
    """The INPUTs of a command and how they are read.

    Parameters
    ----------
    sources
        Each INPUT as it was given; none stands for standard input.
    shape, zero, despite_unread, entries_as_clues
        As in ``gridproof.parse``.
    rules
        Further rules of every puzzle.
    quiet
        Whether standard error gets no headings.
    drawn
        The options for drawings and words.
    explain_reading
        Whether to list on standard error what is drawn.
    all_words
        Whether to print all rules in words there, not only the beginning of long ones.
    column
        The name of the column of puzzles in a table, if it is none of the usual.
    names
        The names of the symbols of every puzzle, for drawings; none for its own.

    Attributes
    ----------
    unusable : int
        How many of several INPUTs could not be read or held no puzzle, so far.
    """

    sources: tuple[str, ...]
    shape: Shape
    rules: tuple[RuleText, ...] = ()
    zero: Zero | None = None
    despite_unread: bool = False
    entries_as_clues: bool = False
    quiet: bool = False
    drawn: DrawnOptions = NOTHING_DRAWN
    explain_reading: bool = False
    all_words: bool = False
    column: str | None = None
    names: tuple[str, ...] = ()
    unusable: int = field(default=0, init=False)

    def items(self, *, headings: bool = True, parts: bool = False, entries_count: bool = False) -> Iterator[Item]:
        """Yield every puzzle of every INPUT, or the error in its place, in order.

        One of several INPUTs without any puzzle, or that cannot be read, is an error on standard error, counted as
        ``unusable`` and left out: a forgotten file should not pass as "all unique".

        Parameters
        ----------
        headings
            Whether to print, unless the command is to be quiet, from which of several INPUTs the next puzzles are, and
            the texts of a puzzle of another program.
        parts
            Whether a puzzle that is not understood is an item, since its part may decide it.
        entries_count
            Whether the command takes digits that a solver has entered as such.

        Raises
        ------
        InputError, OSError
            For the only INPUT, if it cannot be read or holds no puzzle.
        """
        headings = headings and not self.quiet
        sources = self.sources or (STANDARD_INPUT,)
        for source in sources:
            if headings and len(sources) > 1:
                name = source if exists(source) else quote(source)
                to_stderr(f"==> {'standard input' if source == STANDARD_INPUT else name} <==")
            try:
                for item in self._read(source, despite_unread=parts or self.despite_unread or self.looks_at_drawings):
                    for line in self._notes_on(item, headings, entries_count):
                        to_stderr(escape_controls(line))
                    if self.looks_at_drawings and isinstance(item, Puzzle):
                        item = self._apply_drawn(item, parts or self.despite_unread)
                    if self.names and isinstance(item, Puzzle):
                        item = self._with_symbols(item)
                    if self.rules and isinstance(item, Puzzle):
                        yield with_rules(item, self.rules, item.line)
                    else:
                        yield item
            except (InputError, OSError) as problem:
                if len(sources) == 1:
                    raise
                to_stderr(f"gridproof: {message_of(problem)}")
                self.unusable += 1

    def only_board(self) -> Board:
        """Return the board of the only puzzle. Raises ``InputError`` for none or several, or the puzzle's own error."""
        puzzles = []
        for item in islice(self.items(headings=len(self.sources) < 2), 2):
            if isinstance(item, PuzzleFormatError):
                raise item
            puzzles.append(item)
        if not puzzles:
            raise InputError("no puzzle; expected one")
        if len(puzzles) > 1:
            raise InputError("several puzzles; expected one")
        warn_of_names(puzzles[0])
        return puzzles[0].board

    @property
    def looks_at_drawings(self) -> bool:
        """True if there is an option for drawings or words."""
        return self.explain_reading or self.drawn.is_given

    @property
    def exit_code(self) -> int:
        """The exit code of a command that did its work: 2 if an INPUT was left out."""
        return 2 if self.unusable else 0

    def place(self, problem: PuzzleFormatError, puzzle: Puzzle) -> None:
        """Give the error of a puzzle that could be read the place of that puzzle."""
        problem.line = None if puzzle.text in self.sources else puzzle.line
        problem.source = puzzle.source
        problem.text = puzzle.text

    def name(self, puzzle: Puzzle) -> str:
        """Return what a puzzle is called in the output: its title, and its file and line.

        One that is an INPUT itself has no place: without a title it is quoted, and if it is the only INPUT, it has no
        name.
        """
        is_from_file = bool(puzzle.source) or not self.sources or STANDARD_INPUT in self.sources
        place = f"{puzzle.source or 'standard input'}, line {puzzle.line}"
        if is_from_file and puzzle.title:
            name = f"{puzzle.title} ({place})"
        elif is_from_file:
            name = place
        elif puzzle.title:
            name = puzzle.title
        elif len(self.sources) > 1:
            name = quote(puzzle.text)
        else:
            name = ""
        return escape_controls(name)

    def _read(self, source: str, *, despite_unread: bool) -> Iterator[Item]:
        """Yield the puzzles of an INPUT.

        despite_unread: whether those with something unread that may be a rule are puzzles, too. Raises ``InputError``
        or ``OSError`` if it cannot be read or holds none.
        """
        shapes = Shapes(
            self.shape,
            self.zero,
            despite_unread=despite_unread,
            entries_as_clues=self.entries_as_clues,
            column=self.column,
        )
        if source != STANDARD_INPUT and not exists(source):
            items = list(read_items(source, shapes))
            refuse_no_puzzle(source, items)
            yield from items
            return
        name = "" if source == STANDARD_INPUT else source
        damage: list[PuzzleFormatError] = []  # known when all before it is given
        if source == STANDARD_INPUT:
            read = read_source(lines_of(source, damage.append), shapes)
        else:
            read = read_any(Path(source), shapes)
        is_empty = True
        for item in chain(read, damage):
            is_empty = False
            if isinstance(item, PuzzleFormatError):
                if item.line is not None:
                    item.source = name
                yield item
            else:
                yield replace(item, source=name) if name else item
        if is_empty and name:
            raise InputError(f"no puzzle in {name!r}; expected at least one")
        if is_empty:
            raise InputError("no puzzle in standard input; expected at least one")

    def _apply_drawn(self, puzzle: Puzzle, takes_parts: bool) -> Item:
        """Return a puzzle as it is read with the options, or its error.

        takes_parts: whether one that is still not understood is an item.
        """
        if self.explain_reading:
            for line in explain_drawings(puzzle):
                to_stderr(escape_controls(line))
        try:
            return self.drawn.apply(puzzle).understood(takes_parts)
        except NotUnderstoodError as not_understood:
            problem: PuzzleFormatError = not_understood
        except InputError as refusal:
            problem = PuzzleFormatError(str(refusal), text=puzzle.text, expected="")
        self.place(problem, puzzle)
        return problem

    def _with_symbols(self, puzzle: Puzzle) -> Item:
        """Return a puzzle whose symbols have the names of the option, or its error if they cannot."""
        try:
            puzzle.board.geometry.with_symbol_texts(self.names)
        except GeometryError as refusal:
            problem = PuzzleFormatError(f"--symbols: {refusal}", text=puzzle.text, expected="")
            self.place(problem, puzzle)
            return problem
        return replace(puzzle, names=self.names)

    def _notes_on(self, item: Item, headings: bool, entries_count: bool) -> list[str]:
        """Return title, author and rules in words of a puzzle that can have these, if they are wanted."""
        puzzle = item.puzzle if isinstance(item, PuzzleFormatError) else item
        if puzzle is None:
            return []
        lines: list[str] = []
        if headings and isinstance(item, Puzzle) and are_labels(puzzle.text):
            place = puzzle.source or "standard input"
            lines.append(f"gridproof: {place}, line {puzzle.line}: {REGIONS_ALONE}")
        if headings and puzzle.format not in ("text", "csv"):
            first, *others = puzzle.headings(entries_count, self.all_words)
            if puzzle.title or puzzle.author or puzzle.prose or puzzle.board.rules:
                lines.append(first)
            lines += others
            if puzzle.not_understood and self.despite_unread:
                lines.append(f"  unread, although it may be a rule: {puzzle.unread_summary()}")
        return lines


def explain_drawings(puzzle: Puzzle) -> list[str]:
    """Return the lines that list what is drawn in a puzzle, and what its words suggest."""
    from gridproof.formats.drawn import groups_of, suggest_readings

    lines = []
    suggestions = {suggestion.letter: suggestion for suggestion in suggest_readings(puzzle)}
    drawn: set[str] = set()
    for group in groups_of(puzzle):
        drawn.update(group.parts())
        line = f"  {group}"
        if group.letter in suggestions:
            suggestion = suggestions[group.letter]
            line += f"; the words suggest {suggestion.reading}: {suggestion.sentence!r:.120}"
        lines.append(line)
    for part in puzzle.not_understood:
        if part.where not in drawn:
            lines.append(f"  unread: {part}")
    return lines or ["  nothing is unread"]


def warn_of_names(puzzle: Puzzle) -> None:
    """Print a line if symbols are drawn by other names than those of the puzzle."""
    if puzzle.symbols is not Symbols.FROM_ONE:
        order = puzzle.board.geometry.order
        names, shown = describe_symbols(order, puzzle.symbols), describe_symbols(order)
        to_stderr(f"gridproof: line {puzzle.line}: symbols {names} are shown as {shown}")
