"""The puzzles of the INPUTs of a command, as they are read."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from gridproof import formats
from gridproof.cli import _options
from gridproof.cli._streams import message_of, to_stderr
from gridproof.errors import InputError, PuzzleFormatError, printable, shortened
from gridproof.formats import Shape
from gridproof.formats.blocks import LONGEST_BLOCK
from gridproof.formats.puzzle import Item, Puzzle, Symbols, keep_given, refuse_no_puzzle, with_rules
from gridproof.formats.sources import exists, lines_of
from gridproof.formats.symbols import called
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
            to_stderr(f"==> {name} <==")
        try:
            for item in _items_in(source, shape, args):
                if headings:
                    _print_notes(item)
                if rules and isinstance(item, Puzzle):
                    item = with_rules(item, rules, item.line)
                yield item
        except (InputError, OSError) as problem:
            to_stderr(f"gridproof: {message_of(problem)}")
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
    warn_of_names(puzzles[0])
    _print_notes(puzzles[0])
    return puzzles[0].board.with_rules(rules)


def _rules(args: argparse.Namespace) -> list[Statement]:
    from gridproof.rules import parse_rule

    return [parse_rule(text) for text in _options.rules_of(args)]


def _print_notes(item: Item) -> None:
    """Print title, author, rules in words and unread parts of a puzzle that can have these."""
    puzzle: Puzzle | None = item.puzzle if isinstance(item, PuzzleFormatError) else item
    if puzzle is None or puzzle.format in ("text", "csv"):
        return
    for line in puzzle.headings():
        to_stderr(printable(line))
    if puzzle.not_understood and puzzle is item:
        to_stderr(printable(f"  unread, although it may be a rule: {puzzle.unread_summary()}"))


def warn_of_names(puzzle: Puzzle) -> None:
    """Print a line if symbols are drawn by other names than those of the puzzle."""
    if puzzle.symbols is not Symbols.FROM_ONE:
        order = puzzle.board.geometry.order
        names, shown = called(order, puzzle.symbols), called(order)
        to_stderr(f"gridproof: line {puzzle.line}: symbols {names} are shown as {shown}")


def _items_in(source: str, shape: Shape, args: argparse.Namespace) -> Iterator[Item]:
    """The puzzles of an INPUT. Raises ``InputError`` or ``OSError`` if it cannot be read or holds none."""
    some = False
    damage: list[PuzzleFormatError] = []
    itself = source != "-" and not exists(source)
    lines = () if itself else lines_of(source, damage.append)
    given: dict[int, bytes] = {}

    def remembered(lines: Iterable[bytes]) -> Iterator[bytes]:
        for number, line in enumerate(lines, 1):
            given[number] = line
            given.pop(number - 2 * LONGEST_BLOCK, None)
            yield line

    def read(lines: Iterable[bytes] | str) -> Iterator[Item]:
        as_clues = args.entries == "as-clues"
        lines = lines if isinstance(lines, str) else remembered(lines)
        return formats.read(lines, shape, args.zero, despite_unread=args.despite_unread, entries_as_clues=as_clues)

    items = read(source if itself else lines)
    if itself:
        items = iter(puzzles := list(items))
        refuse_no_puzzle(source, puzzles)
    for item in chain(items, damage):  # the damage is known when all before it is given
        some = True
        if isinstance(item, PuzzleFormatError) and item.line is not None:
            item.source = "" if source == "-" else source
            keep_given(item, given.get(item.line, b"").decode("utf-8", "surrogateescape").rstrip("\r\n"))
        yield item
    if not some:
        name = "standard input" if source == "-" else repr(source)
        raise InputError(f"no puzzle in {name}; expected at least one")
