"""All formats, found by walking: every module of ``known/`` has ``FORMATS``.

A *format* is a way in which programs or people write puzzles down. It recognises its own text, reads it to puzzles, and
writes a puzzle. It refuses what it cannot express; nothing is left out in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain
from operator import attrgetter

from gridproof.discovery import collect
from gridproof.errors import BoardError, InputError, PuzzleFormatError
from gridproof.formats.puzzle import Item, Puzzle, keep_given, readable
from gridproof.formats.shapes import Shapes, as_wanted, usual
from gridproof.puzzle.board import Board

LONGEST_TEXT = 1 << 24
"""Characters of a file that is read as one."""

_MOST_COMMENTS = 1000
"""Lines before the first puzzle that are examined: in some formats they hold its name."""

_NEEDS_MORE = re.compile(r"[{\[]$|<\?xml|<!", re.IGNORECASE)
"""The first line of a text whose format is not clear from it."""

_MAY_BE_WRAPPED = re.compile(r"[:<>+/~=^`]|\[[a-z]|fpuz|scl|scf|ctc|N4I", re.IGNORECASE)

_HEAD = re.compile(r"\s*#[ABCDLSU]\S")
"""The beginning of a comment that is part of a format."""


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
        Takes a text and the shapes that are wanted, which count where the format states none. Yields a puzzle, or the
        error in its place, for each puzzle. May raise ``InputError``.
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
    examples: tuple[str, ...]

    def refuse(self, what: str, expected: str = "") -> BoardError:
        """Return the error for what this format cannot express, to be raised."""
        return BoardError(f"{self.name} cannot express {what}" + f"; expected {expected}" * bool(expected))

    def lost(self, puzzle: Puzzle) -> list[str]:
        """Return the names of what came with a puzzle and the format has no place for."""
        extras = {name: attrgetter(path)(puzzle) for name, path in EXTRAS.items() if name not in self.keeps}
        return [name for name, extra in extras.items() if extra and any(extra)]

    def text_of(self, puzzle: Puzzle) -> str:
        """Return the text of a puzzle, without the last line end.

        Raises ``BoardError`` for what the format cannot express. So are parts that were not understood, if a reader of
        the text could not notice them.
        """
        if self.write is None:
            raise self.refuse("puzzles, since it is only read")
        if "unread parts" in self.lost(puzzle):
            raise self.refuse(f"what was not understood of the puzzle ({puzzle.unread_summary()})", "toml")
        return self.write(puzzle)

    def clues_only(self, puzzle: Puzzle, order: int | None = None, *, marks: bool = False) -> Board:
        """Return the board of a puzzle, for a format of clues: usual boxes, neither rules nor pencil marks.

        order: the only one that it has. marks: whether it has another way to write pencil marks. Raises ``BoardError``.
        """
        board = puzzle.board
        for rule in board.rules:
            raise self.refuse(f"the rule: {rule.sentence(board.geometry)}", "toml, which can express every rule")
        if board.geometry != usual(board.geometry.order):
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


def sniffed(text: str, comments: str = "") -> Format | None:
    """Return the format of a line or of a text that begins so; ``None`` for plain text, tables and anything else.

    comments: what stands before.

    Examples
    --------
    >>> sniffed('{"size": 4, "grid": [[{}').name
    'f-puzzles'
    """
    for form in all_formats().values():
        if form.sniff is not None and form.sniff(comments + text if form.comments else text):
            return form
    return None


def may_be_wrapped(text: str) -> bool:
    """Return whether a line is worth a closer look: it has what no row of cells has, or hardly one."""
    return _MAY_BE_WRAPPED.search(text) is not None


def opened(lines: Iterator[tuple[int, str]]) -> tuple[Format | None, Iterator[tuple[int, str]]]:
    """Return the format of a text that is read as one, ``None`` for text that is read line by line; and its lines.

    lines: with their numbers. No more are read than are needed: up to the first that is neither blank nor a comment,
    or the second where that one is not enough.
    """
    *before, last = up_to_content(lines) or [(0, "")]
    text, content = last[1].strip(), [last] if last[0] else []
    more = _NEEDS_MORE.match(text) is not None
    if not more and not may_be_wrapped(text) and not any(_HEAD.match(line) for _, line in before):
        return None, chain(before, content, lines)
    content += up_to_content(lines) if more else []
    form = sniffed("\n".join(line for _, line in content), "".join(f"{line}\n" for _, line in before))
    joined = form is not None and form.joined is not None and form.joined(last[1])
    if form is None or (form.by_line and text[-1:] not in ("{", "[", ",") and not joined):
        return None, chain(before, content, lines)
    return form, chain(before if form.comments else (), content, lines)


def up_to_content(lines: Iterator[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the next lines, up to one that is neither blank nor a comment; a thousand at most."""
    gathered = []
    for number, text in lines:
        gathered.append((number, text))
        stripped = text.strip()
        if len(gathered) > _MOST_COMMENTS or (stripped and not stripped.startswith("#")):
            break
    return gathered


def whole_text(lines: Iterator[tuple[int, str]]) -> str:
    """Return numbered lines as one text from line 1 on, cut off where it is longer than any file of puzzles."""
    number, text = next(lines)
    text = "\n" * (number - 1) + text
    for _, line in lines:
        text += f"\n{line}"
        if len(text) > LONGEST_TEXT:
            break
    return text


def puzzles(form: Format, text: str, shapes: Shapes, line: int = 1) -> Iterator[Item]:
    """Yield the puzzles of a text of a format, or their errors. line: the number of the first line."""
    try:
        for item in form.read(text, shapes):
            if isinstance(item, Puzzle):
                place = item.line + line - 1
                yield as_wanted(replace(item, text=item.text or text, line=place, format=form.name), shapes)
            else:
                yield _placed(item, text, line)
    except InputError as problem:
        if not isinstance(problem, PuzzleFormatError):
            problem = PuzzleFormatError(str(problem), text=readable(text.strip()), expected="", line=1, column=1)
        yield _placed(problem, text, line)


def _placed(error: PuzzleFormatError, text: str, first_line: int) -> PuzzleFormatError:
    """Return the error in a text with the line in which it stands, counted from the first line of the text."""
    number = error.line or 1
    error.line = number + first_line - 1
    return keep_given(error, "".join(text.split("\n")[number - 1 : number]))


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
        gap = "\n" if before and "\n" in before + text else ""
        yield f"{gap}{text}\n"
        before = text
    yield form.around[1]
