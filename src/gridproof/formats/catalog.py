"""All formats, found by walking: every module of ``known/`` has ``FORMATS``.

A *format* is a way in which programs or people write puzzles down. It recognises its own text, reads it to puzzles, and
writes a puzzle. It refuses what it cannot express; nothing is left out in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from operator import attrgetter
from typing import TypeAlias

from gridproof.discovery import collect
from gridproof.errors import BoardError, InexpressibleRule, InputError, PuzzleFormatError
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.formats.shapes import Shapes, finish_puzzle, usual_geometry
from gridproof.puzzle.board import Board

LONGEST_TEXT = 1 << 24
"""Characters of a file that is read as one."""

_MOST_COMMENTS = 1000
"""Lines before the first puzzle that are examined: in some formats they hold its name."""

_NEEDS_MORE = re.compile(r"[{\[]$|<\?xml|<!", re.IGNORECASE)
"""The first line of a text whose format is not clear from it."""

_MAY_BE_WRAPPED = re.compile(r"[:<>+/~=^`]|\[[a-z]|fpuz|scl|scf|ctc|N4I|(?-i:\.[A-Z][a-z]{3})", re.IGNORECASE)

MOST_THAT_GO_ON = 200
"""Lines that are looked at to find whether they are one puzzle: a file of millions of puzzles is not read ahead."""

_HEAD = re.compile(r"\s*#[ABCDLSU]\S")
"""The beginning of a comment that is part of a format."""


NumberedLine: TypeAlias = tuple[int, str]
"""A line without its end, and its number in the file, from 1."""

EXTRAS = {"title": "title", "author": "author", "rules in words": "prose", "solution": "solution"}
EXTRAS |= {"filled digits": "board.filled", "unread parts": "not_understood"}
"""The names of what may come with the board of a puzzle, and its attribute for each."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Format:
    """A way to write puzzles down.

    Parameters
    ----------
    name : str
        How users call it.
    summary : str
        What it is, in a few words.
    endings : tuple of str
        Of the names of its files.
    by_line : bool
        Whether each puzzle is a line by itself, which may stand among lines of other formats.
    joined : function, or None
        Of a format of lines: takes a text and returns whether it is one puzzle over several lines, or, if it is one
        line, begins such a puzzle.
    comments : bool
        Whether lines that begin with ``#`` are a part of it. Elsewhere they are skipped at the beginning.
    sniff : function, or None
        Takes a line, or the beginning of a text: up to its first line with any content, or the second where that one
        is not enough. Returns whether it is of this format. ``None`` for plain text and tables, which
        ``gridproof.formats.read`` distinguishes by itself.
    read : function
        Takes a text and the shapes that are wanted, which count where the format states none, and which state the place
        of the text. Yields a puzzle, or the error in its place, for each puzzle; both count their lines from that
        place on. May raise ``InputError``.
    write : function, or None
        Takes a puzzle, gives its text without the last line end. May raise ``BoardError``, see ``refuse``.
    around : tuple of str
        What stands before and after all puzzles of a file.
    several : bool
        Whether a file may hold several puzzles.
    keeps : tuple of str
        What it has a place for, beside the board, of ``EXTRAS``.
    examples : tuple of str
        Texts of the format.

    Examples
    --------
    >>> all_formats()["csv"].around[0]
    'puzzle,solution,title,author\\n'
    """

    name: str
    summary: str
    endings: tuple[str, ...] = ()
    by_line: bool = False
    joined: Callable[[str], bool] | None = None
    comments: bool = False
    sniff: Callable[[str], bool] | None = None
    read: Callable[[str, Shapes], Iterator[Puzzle | PuzzleFormatError]]
    write: Callable[[Puzzle], str] | None = None
    around: tuple[str, str] = ("", "")
    several: bool = True
    keeps: tuple[str, ...] = ()
    has_digits: bool = False
    examples: tuple[str, ...]

    def refuse(self, what: str, expected: str = "") -> BoardError:
        """Return the error for what this format cannot express, to be raised."""
        problem = f"{self.name} cannot express {what}"
        return BoardError(f"{problem}; expected {expected}" if expected else problem)

    def lost(self, puzzle: Puzzle) -> list[str]:
        """Return the names of what came with a puzzle and the format has no place for."""
        names = []
        for name, path in EXTRAS.items():
            extra = attrgetter(path)(puzzle)
            if name not in self.keeps and extra and any(extra):
                names.append(name)
        return names

    def text_of(self, puzzle: Puzzle) -> str:
        """Return the text of a puzzle, without the last line end.

        Raises ``BoardError`` for what the format cannot express. So are parts that were not understood, if a reader of
        the text could not notice them.
        """
        if self.write is None:
            raise self.refuse("puzzles, since it is only read")
        geometry = puzzle.board.geometry
        if not self.has_digits and not geometry.is_plain:
            raise self.refuse(f"a board of {geometry.description}", "toml, which can express all digits and sides")
        if "unread parts" in self.lost(puzzle):
            raise self.refuse(f"what was not understood of the puzzle ({puzzle.unread_summary()})", "toml")
        return self.write(puzzle)

    def clues_only(self, puzzle: Puzzle, order: int | None = None, *, marks: bool = False) -> Board:
        """Return the board of a puzzle, for a format of clues: usual boxes, neither rules nor pencil marks.

        order: the only one that it has. marks: whether it has another way to write pencil marks. Raises ``BoardError``.
        """
        board = puzzle.board
        for rule in board.rules:
            problem = self.refuse(f"the rule: {rule.sentence(board.geometry)}", "toml, which can express every rule")
            raise InexpressibleRule(str(problem), rule)
        if board.geometry != usual_geometry(board.geometry.order):
            raise self.refuse(f"the shape {board.geometry.description}", "toml, which can express every shape")
        if board.marks is not None and not marks:
            raise self.refuse("pencil marks", "text or toml")
        if order not in (None, board.geometry.order):
            raise self.refuse(f"a board of order {board.geometry.order}", str(order))
        return board


@lru_cache(maxsize=1)
def all_formats() -> dict[str, Format]:
    """Return every format by its name, in alphabetical order."""
    forms = collect("gridproof.formats.known", "FORMATS")
    return {form.name: form for form in sorted(forms, key=attrgetter("name"))}


def recognise(text: str, comments: str = "") -> Format | None:
    """Return the format of a line or of a text that begins so; ``None`` for plain text, tables and anything else.

    comments: what stands before.

    Examples
    --------
    >>> recognise('{"size": 4, "grid": [[{}').name
    'f-puzzles'
    """
    for form in all_formats().values():
        if form.sniff is not None and form.sniff(comments + text if form.comments else text):
            return form
    return None


def may_be_wrapped(text: str) -> bool:
    """Return whether a line is worth a closer look: it has what no row of cells has, or hardly one."""
    return _MAY_BE_WRAPPED.search(text) is not None


def choose_format(lines: Iterator[NumberedLine]) -> tuple[Format | None, Iterator[NumberedLine]]:
    """Return the format of a text that is read as one, ``None`` for text that is read line by line; and its lines.

    No more lines are read than are needed: up to the first that is neither blank nor a comment, or the second where
    that one is not enough; more only where the puzzles of a format may go over several lines.
    """
    before = up_to_content(lines)
    content = before[-1:]
    before = before[:-1]
    text = ""
    if content:
        text = content[0][1].strip()
    needs_more = _NEEDS_MORE.match(text) is not None
    has_head = any(_HEAD.match(line) for _, line in before)
    if not needs_more and not has_head and not may_be_wrapped(text):
        return None, chain(before, content, lines)
    if needs_more:
        content += up_to_content(lines)
    comments = "".join([f"{line}\n" for _, line in before])
    form = recognise("\n".join([line for _, line in content]), comments)
    if form is not None and form.joined is not None:
        content += lines_that_go_on(content[0][1], lines)
    if form is None or (is_alone(form, content[0][1]) and not needs_each_other(form, content)):
        return None, chain(before, content, lines)
    return form, chain(before if form.comments else (), content, lines)


def is_alone(form: Format, line: str) -> bool:
    """Return whether a line of a format is a puzzle by itself, so that its neighbours may be of another one."""
    if not form.by_line or line.rstrip().endswith(("{", "[", ",")):
        return False
    return form.joined is None or not form.joined(line)


def lines_that_go_on(first: str, lines: Iterator[NumberedLine]) -> list[NumberedLine]:
    """Return the next lines, up to one that begins with another character than the first."""
    gathered = []
    for number, text in lines:
        gathered.append((number, text))
        if len(gathered) == MOST_THAT_GO_ON or text.strip()[:1] != first.strip()[:1]:
            break
    return gathered


def needs_each_other(form: Format, lines: Sequence[NumberedLine]) -> bool:
    """Return whether lines are one puzzle, because one of them is none by itself."""
    texts = [text for _, text in lines]
    if form.sniff is None or form.joined is None or all(form.sniff(text) for text in texts):
        return False
    return form.joined("\n".join(texts))


def up_to_content(lines: Iterator[NumberedLine]) -> list[NumberedLine]:
    """Return the next lines, up to one that is neither blank nor a comment; a thousand at most."""
    gathered = []
    for number, text in lines:
        gathered.append((number, text))
        stripped = text.strip()
        if len(gathered) > _MOST_COMMENTS or (stripped and not stripped.startswith("#")):
            break
    return gathered


def whole_text(lines: Iterator[NumberedLine]) -> str:
    """Return numbered lines as one text from line 1 on, cut off where it is longer than any file of puzzles."""
    number, first = next(lines)
    pieces = ["\n" * (number - 1) + first]
    length = len(pieces[0])
    for _, line in lines:
        pieces.append(line)
        length += len(line) + 1
        if length > LONGEST_TEXT:
            break
    return "\n".join(pieces)


def read_in_format(form: Format, text: str, shapes: Shapes, line: int | None = None) -> Iterator[Item]:
    """Yield the puzzles of a text of a format, or their errors. line: the number of its first line, if it is another.

    A format that does not count lines leaves 1.
    """
    if line is None:
        place = shapes.place
    else:
        place = shapes.place._replace(line=line)
    shapes = shapes.at(place)
    try:
        for item in form.read(text, shapes):
            if isinstance(item, PuzzleFormatError):
                yield item
            else:
                own_line = max(item.line, place.line)
                name = form.name if item.format == "text" else item.format  # in a record another format may stand
                item = replace(item, text=item.text or text, line=own_line, source=place.source, format=name)
                yield finish_puzzle(item, shapes)
    except PuzzleFormatError as problem:
        yield problem
    except InputError as problem:
        yield place.error(str(problem), text.strip(), "", given=text.split("\n", 1)[0])


def in_file(form: Format, texts: Iterable[str]) -> Iterator[str]:
    """Yield the pieces of a file that holds these puzzles, as ``write`` of the format returned them.

    Examples
    --------
    >>> "".join(in_file(all_formats()["csv"], ["1..............2,,,"]))
    'puzzle,solution,title,author\\n1..............2,,,\\n'
    """
    before = ""
    yield form.around[0]
    for text in texts:
        yield piece_of_file(text, before)
        before = text
    yield form.around[1]


def piece_of_file(text: str, before: str) -> str:
    """Return the text of a puzzle as it stands in a file: a blank line parts it from another one of several lines."""
    gap = "\n" if before and "\n" in before + text else ""
    return f"{gap}{text}\n"
