"""The puzzles of the INPUTs of a command, as they are read."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING

from gridproof import formats
from gridproof.cli import _options
from gridproof.cli._complaints import said, say
from gridproof.errors import InputError, PuzzleFormatError, printable, shortened
from gridproof.formats import Shape
from gridproof.formats.catalog import opened, sniffed
from gridproof.formats.notation import called
from gridproof.formats.pasted import found_in, may_be_wrapped
from gridproof.formats.puzzle import Item, Puzzle, Symbols
from gridproof.formats.sources import exists, lines_of
from gridproof.formats.toml_puzzle import begins_file
from gridproof.puzzle.board import Board

if TYPE_CHECKING:
    from gridproof.rules import Statement


def items_of(args: argparse.Namespace, *, headings: bool = True) -> Iterator[Item]:
    """Every puzzle of every INPUT, or the error that tells what is wrong with it, in order.

    An INPUT without any puzzle, or that cannot be read, is complained about, noted in ``args.unread`` and left out: a
    forgotten file should not pass as "all unique". headings: say on standard error, unless ``args.quiet``, from which
    of several INPUTs the next puzzles are, and what a puzzle of another program says beside its cells and rules.

    Raises ``InputError`` for options that are wrong for all puzzles.
    """
    shape, rules, sources = _options.shape_of(args), _rules(args), args.input or ["-"]
    headings = headings and not getattr(args, "quiet", False)
    for source in sources:
        if headings and len(sources) > 1:
            name = "standard input" if source == "-" else source if exists(source) else shortened(source)
            say(f"==> {name} <==")
        try:
            for item in _items_in(source, shape, args):
                if headings:
                    _say_headings(item)
                if rules and isinstance(item, Puzzle):
                    item = replace(item, board=item.board.with_rules(rules))
                yield item
        except (InputError, OSError) as problem:
            say(f"gridproof: {said(problem)}")
            args.unread = True


def board_of(args: argparse.Namespace) -> Board:
    """The one puzzle that a command takes. Raises ``InputError`` for none or several, or the puzzle's own error."""
    shape, rules = _options.shape_of(args), _rules(args)
    puzzles = []
    for item in islice((item for source in args.input or ["-"] for item in _items_in(source, shape, args)), 2):
        if isinstance(item, PuzzleFormatError):
            raise item
        puzzles.append(item)
    if len(puzzles) > 1:
        raise InputError("several puzzles; expected one")
    say_names(puzzles[0])
    _say_headings(puzzles[0])
    return puzzles[0].board.with_rules(rules)


def _rules(args: argparse.Namespace) -> list[Statement]:
    from gridproof.rules import parse_rule

    return [parse_rule(text) for text in _options.rules_of(args)]


def _say_headings(item: Item) -> None:
    """Print on standard error title, author, rules in words and unread parts of a puzzle that can have these."""
    puzzle = item.puzzle if isinstance(item, PuzzleFormatError) else item
    if puzzle is None or puzzle.format in ("text", "csv"):
        return
    for line in puzzle.headings():
        say(printable(line))
    if puzzle.not_understood and puzzle is item:
        say(printable(f"  unread, although it may be a rule: {puzzle.unread_summary()}"))


def say_names(puzzle: Puzzle) -> None:
    """Say on standard error that symbols are shown by other names than the puzzle has for them, if they are."""
    if puzzle.symbols is not Symbols.FROM_ONE:
        order = puzzle.board.geometry.order
        names, shown = called(order, puzzle.symbols), called(order)
        say(f"gridproof: line {puzzle.line}: symbols {names} are shown as {shown}")


def _items_in(source: str, shape: Shape, args: argparse.Namespace) -> Iterator[Item]:
    """The puzzles of an INPUT. Raises ``InputError`` or ``OSError`` if it cannot be read or holds none."""
    some = False
    damage: list[PuzzleFormatError] = []
    itself = source != "-" and not exists(source)
    lines = () if itself else lines_of(source, damage.append)

    def read(lines: Iterable[bytes] | str) -> Iterator[Item]:
        as_clues = args.entries == "as-clues"
        return formats.read(lines, shape, args.zero, despite_unread=args.despite_unread, entries_as_clues=as_clues)

    items = _puzzle_itself(source, read) if itself else read(lines)
    for item in chain(items, damage):  # the damage is known when all before it is given
        some = True
        if isinstance(item, PuzzleFormatError) and source != "-" and item.line is not None:
            item.source = source
        yield item
    if not some:
        name = "standard input" if source == "-" else repr(source)
        raise InputError(f"no puzzle in {name}; expected at least one")


def _puzzle_itself(source: str, read: Callable[[str], Iterator[Item]]) -> Iterator[Item]:
    """The puzzles of an INPUT that is no file. Raises ``InputError`` if it was rather meant as the name of one."""
    items = list(read(source))
    known = (may_be_wrapped(source) and sniffed(source)) or opened(iter([*enumerate(source.split("\n"), 1)]))[0]
    # what has a name of its own, such as a link
    if known or found_in(source) is not None or begins_file(source.lstrip()):
        for item in items:
            if isinstance(item, PuzzleFormatError) and "\n" not in source.strip():
                item.line = None
            yield item
        return
    if all(isinstance(item, PuzzleFormatError) for item in items) and _is_like_a_name(source):
        raise InputError(f"no such file: {source!r}")
    for item in items:
        if isinstance(item, PuzzleFormatError):
            expected = f"{item.expected}, or the path of a file that exists"
            item = PuzzleFormatError(item.problem, text=item.text, expected=expected, column=item.column)
        yield item


_NAME_OF_A_FILE = re.compile(r".*[/\\].*|.*\.[A-Za-z]\w{0,9}|[^\W\d_][\w-]{0,39}")
"""What has a separator of folders, the ending of a file's name, or begins as a word does and is one."""


def _is_like_a_name(text: str) -> bool:
    """Whether a text that is no puzzle is like the name of a file, and not mostly what cells without letters hold."""
    cells = sum(character in "0123456789.*_-" for character in text)
    return _NAME_OF_A_FILE.fullmatch(text) is not None and (len(text) < 16 or 2 * cells < len(text))
