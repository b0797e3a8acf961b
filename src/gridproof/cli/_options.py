"""Options that several commands share, and what they stand for."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from gridproof.cli._arguments import above_zero, add_number, add_repeatable, positive
from gridproof.cli._complaints import said, say
from gridproof.errors import GeometryError, InputError, PuzzleFormatError, printable, shortened
from gridproof.formats import shapes
from gridproof.formats.sources import exists, lines_of
from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    from gridproof.formats.notation import Item, Puzzle
    from gridproof.limits import Limits
    from gridproof.pipeline import Pipeline
    from gridproof.puzzle.board import Board
    from gridproof.rules import Statement
    from gridproof.trust.crosscheck import CrossCheck


def add_input(parser: argparse.ArgumentParser) -> None:
    """The puzzles and their shape."""
    parser.usage = "%(prog)s [OPTION ...] [INPUT ...]"
    group = parser.add_argument_group("input")
    group.add_argument(
        "input",
        nargs="*",
        type=_input,
        metavar="INPUT",
        help="a file, a puzzle or a link; - or nothing for standard input",
    )
    group.add_argument(
        "--despite-unread",
        action="store_true",
        help="also accept puzzles of other programs with something unread that may be a rule; the verdict lists it",
    )
    group.add_argument(
        "--entries",
        choices=("ignored", "as-clues"),
        default="ignored",
        help="treatment of digits that are filled in but not given, in puzzles of other programs (default: ignored)",
    )
    add_zero(group)
    add_shape(parser)


_BEGINS_WITH_BLANK = re.compile(r"-[-.*_0-9A-Z]{15,}")
"""A puzzle of 4x4 cells or more whose first cell is the blank ``-``. No option has capitals or digits only."""


def shielded(arguments: Sequence[str]) -> list[str]:
    """The arguments, with a blank before each puzzle that begins with ``-``: argparse would take it for an option."""
    return [f" {text}" if _BEGINS_WITH_BLANK.fullmatch(text) else text for text in arguments]


def _input(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is empty; expected a file, - for standard input, or a puzzle")
    return text[1:] if text[:1] == " " and _BEGINS_WITH_BLANK.fullmatch(text[1:]) else text


def add_zero(group: argparse._ArgumentGroup) -> None:
    """What the character 0 means."""
    group.add_argument(
        "--zero",
        choices=("blank", "symbol"),
        help="meaning of 0 in all puzzles: a blank, or a symbol as in 0-8 and 0-F (default: each puzzle decides)",
    )


def add_shape(parser: argparse.ArgumentParser) -> None:
    """The options that say which houses a board has."""
    shape = parser.add_argument_group("shape of the boards (default: the usual boxes)")
    regions = shape.add_mutually_exclusive_group()
    regions.add_argument("--boxes", metavar="RxC", help="boxes of R rows and C columns, such as 2x3")
    regions.add_argument("--jigsaw", metavar="FILE", help="regions, not boxes: a file with a label for each cell")
    regions.add_argument("--latin", action="store_true", help="a Latin square: neither boxes nor regions")
    shape.add_argument("--diagonal", action="store_true", help="both diagonals hold every symbol, too")
    shape.add_argument("--windoku", action="store_true", help="the inner windows hold every symbol, too")
    shape.add_argument("--disjoint", action="store_true", help="cells at the same place of the boxes hold every symbol")
    rules = parser.add_argument_group("rules beyond houses (`gridproof rules` lists them)")
    told = "a rule for every board, such as anti-knight or 'killer 15 r1c1 r1c2 r2c1'"
    add_repeatable(rules, "--rule", "TEXT", told)
    told = "a file with a kind of rule of your own, which has its name; see `gridproof help rules`"
    add_repeatable(rules, "--rules", "FILE.toml", told)


def add_backend(
    parser: argparse.ArgumentParser, backend: str = "", seconds: float | None = None
) -> argparse._ArgumentGroup:
    """Backend, encoding and limits. backend, seconds: the command's own defaults, if it has any."""
    group = parser.add_argument_group("how the answer is found")
    group.add_argument(
        "-b",
        "--backend",
        metavar="NAME",
        default=backend or None,
        help="a solver, with options as NAME:option=value,..., or the path of a .py file; see `gridproof backends` "
        f"(default: {backend or 'the fastest one, marked * there'})",
    )
    group.add_argument(
        "-e", "--encoding", metavar="NAME", help="an encoding or a .toml file: see `gridproof encodings`"
    )
    add_seconds(group, seconds)
    add_number(group, "--conflicts", "limit on conflicts (dead ends) for each puzzle")
    return group


def add_seconds(group: argparse._ActionsContainer, default: float | None = None) -> None:
    """The time limit."""
    stated = "" if default is None else f"; default: {default:g}"
    group.add_argument(
        "--seconds",
        type=above_zero,
        default=default,
        metavar="S",
        help=f"time limit for each puzzle (then: undecided{stated})",
    )


def add_cross_check(group: argparse._ActionsContainer, usual: str = "") -> None:
    """How much is cross-checked, and where reproducers go.

    usual: the default in words, for a command where it depends on the number of puzzles; ``None`` stands for it then.
    """
    group.add_argument(
        "--cross-check",
        default=None if usual else "all",
        metavar="all|none|sample=P",
        help=f"which answers the reference checks (default: {usual or 'all'})",
    )
    told = "time limit of the cross-check for each puzzle, a second solver included"
    add_number(group, "--cross-check-seconds", told, 5.0, seconds=True)
    group.add_argument(
        "--reproducers",
        default=".",
        metavar="DIR",
        help="folder for a file about each disagreement, with everything that reproduces it (default: .)",
    )


def add_output(parser: argparse.ArgumentParser, *, quiet: bool = True) -> argparse._ArgumentGroup:
    """How results are shown."""
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="write one JSON object per line")
    if quiet:
        group.add_argument("-q", "--quiet", action="store_true", help="no summary and no headings on standard error")
    return group


def add_former(group: argparse._ActionsContainer, name: str, now: str) -> None:
    """The former name of an option for a number, which still works and is not shown. now: where its value goes."""
    group.add_argument(name, dest=now, type=positive, default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def add_force(parser: argparse._ArgumentGroup, resume: str) -> None:
    """What may happen to a result that is there already. resume: the help of ``--resume``."""
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--resume", action="store_true", help=resume)
    either.add_argument("--force", action="store_true", help="overwrite the output file if it exists")


def shape_of(args: argparse.Namespace) -> Geometry | Callable[[int], Geometry]:
    """The geometry the options ask for, as a function of the order where they leave it open."""
    if args.jigsaw is not None:
        try:
            regions = shapes.regions(Path(args.jigsaw).read_text(encoding="utf-8-sig"))
        except UnicodeDecodeError:
            raise InputError(
                f"--jigsaw {args.jigsaw}: not text in UTF-8; expected a text file with a label for each cell, "
                "such as 4 lines of 4 characters for a 4x4"
            ) from None
        except GeometryError as problem:
            raise InputError(f"--jigsaw {args.jigsaw}: {problem}") from None
        return _extended(regions, args)
    if args.boxes is not None:
        return _extended(shapes.boxes(args.boxes, "--boxes"), args)
    return lambda order: _extended(Geometry.latin(order) if args.latin else Geometry.standard(order), args)


def _extended(geometry: Geometry, args: argparse.Namespace) -> Geometry:
    return shapes.extended(geometry, diagonal=args.diagonal, windoku=args.windoku, disjoint=args.disjoint)


def rules_of(args: argparse.Namespace) -> tuple[str, ...]:
    """The rules that the options state, as text; one of the user's own begins with the path of its kind's file.

    Raises ``InputError`` for a kind that is not known.
    """
    if not args.rule and not args.rules:
        return ()
    from gridproof.rules import find, parse_rule

    own = {}
    for file in args.rules:
        if not file.endswith(".toml"):
            raise InputError(f"--rules {file!r}; expected a file that ends in .toml, with a kind of rule of your own")
        own[find(file).name] = shlex.quote(file)
    if not args.rule:
        name = next(iter(own))
        raise InputError(f"--rules {args.rules[0]!r} without a rule of that kind; expected --rule '{name} ...', too")
    texts = []
    for text in args.rule:
        name, *rest = text.split(maxsplit=1) or [""]
        texts.append(" ".join([own.get(name, name), *rest]))
        try:
            parse_rule(texts[-1]).on(Geometry.classic(3))  # what is wrong with a rule, is wrong on any board
        except InputError as problem:
            told = str(problem)
            raise InputError(told if told.startswith("the rule ") else f"the rule {shortened(text)}: {told}") from None
    return tuple(texts)


def _stated(args: argparse.Namespace) -> list[Statement]:
    texts = rules_of(args)
    if not texts:
        return []
    from gridproof.rules import parse_rule

    return [parse_rule(text) for text in texts]


def limits_of(args: argparse.Namespace) -> Limits:
    """The limits for each puzzle."""
    from gridproof.limits import Limits

    return Limits(seconds=args.seconds, conflicts=args.conflicts)


def cross_check_of(args: argparse.Namespace) -> CrossCheck:
    """What is cross-checked, and for how long."""
    from gridproof.trust.crosscheck import CrossCheck

    return CrossCheck.parse(args.cross_check, args.cross_check_seconds)


def pipeline_of(args: argparse.Namespace) -> Pipeline:
    """The pipeline the options ask for."""
    from gridproof.pipeline import DEFAULT_BACKEND, Pipeline

    backend = DEFAULT_BACKEND if args.backend is None else args.backend
    return Pipeline(backend, args.encoding, limits=limits_of(args), cross_check=cross_check_of(args))


def items_of(args: argparse.Namespace, *, headings: bool = True) -> Iterator[Item]:
    """Every puzzle of every INPUT, or the error that tells what is wrong with it, in order.

    An INPUT without any puzzle, or that cannot be read, is complained about, noted in ``args.unread`` and left out: a
    forgotten file should not pass as "all unique". headings: say on standard error, unless ``args.quiet``, from which
    of several INPUTs the next puzzles are.

    Raises ``InputError`` for options that are wrong for all puzzles.
    """
    rules = _stated(args)
    for item in _items_of(args, headings):
        if headings:
            _say_sheet(args, item)
        yield replace(item, board=item.board.with_rules(rules)) if rules and not isinstance(item, Exception) else item


def _say_sheet(args: argparse.Namespace, item: Item) -> None:
    """Say on standard error what a puzzle of another program says beside its cells and rules, and what is unread."""
    if item.sheet is None or getattr(args, "quiet", False):
        return
    for line in item.sheet.headings():
        say(printable(line))
    if item.sheet.not_understood and not isinstance(item, PuzzleFormatError):
        say(printable(f"  unread, although it may be a rule: {item.sheet.said_unread()}"))


def _items_of(args: argparse.Namespace, headings: bool) -> Iterator[Item]:
    shape, sources = shape_of(args), args.input or ["-"]
    headed = headings and len(sources) > 1 and not getattr(args, "quiet", False)
    for source in sources:
        if headed:
            name = "standard input" if source == "-" else source if exists(source) else shortened(source)
            say(f"==> {name} <==")
        try:
            yield from _items_in(source, shape, args)
        except (InputError, OSError) as problem:
            say(f"gridproof: {said(problem)}")
            args.unread = True


def board_of(args: argparse.Namespace) -> Board:
    """The one puzzle that a command takes. Raises ``InputError`` for none or several, or the puzzle's own error."""
    shape = shape_of(args)
    puzzles = []
    for item in islice((item for source in args.input or ["-"] for item in _items_in(source, shape, args)), 2):
        if isinstance(item, PuzzleFormatError):
            raise item
        puzzles.append(item)
    if len(puzzles) > 1:
        raise InputError("several puzzles; expected one")
    say_names(puzzles[0])
    _say_sheet(args, puzzles[0])
    return puzzles[0].board.with_rules(_stated(args))


def say_names(puzzle: Puzzle) -> None:
    """Say on standard error that symbols are shown by other names than the puzzle has for them, if they are."""
    from gridproof.formats.notation import Symbols, called

    if puzzle.symbols is not Symbols.FROM_ONE:
        order = puzzle.board.geometry.order
        names, shown = called(order, puzzle.symbols), called(order)
        say(f"gridproof: line {puzzle.line}: symbols {names} are shown as {shown}")


def _items_in(source: str, shape: Geometry | Callable[[int], Geometry], args: argparse.Namespace) -> Iterator[Item]:
    """The puzzles of an INPUT. Raises ``InputError`` or ``OSError`` if it cannot be read or holds none."""
    from gridproof import formats

    number = 0
    damage: list[PuzzleFormatError] = []
    itself = source != "-" and not exists(source)
    lines = () if itself else lines_of(source, damage.append)

    def read(lines: Iterable[bytes] | str) -> Iterator[Item]:
        as_clues = args.entries == "as-clues"
        return formats.read(lines, shape, args.zero, despite_unread=args.despite_unread, entries_as_clues=as_clues)

    items = _puzzle_itself(source, read) if itself else read(lines)
    for item in chain(items, damage):  # the damage is known when all before it is given
        number += 1
        if isinstance(item, PuzzleFormatError) and source != "-" and item.line is not None:
            item.source = source
        yield item
    if not number:
        name = "standard input" if source == "-" else repr(source)
        raise InputError(f"no puzzle in {name}; expected at least one")


def _puzzle_itself(source: str, read: Callable[[str], Iterator[Item]]) -> Iterator[Item]:
    """The puzzles of an INPUT that is no file. Raises ``InputError`` if it was rather meant as the name of one."""
    from gridproof.formats.catalog import opened, sniffed
    from gridproof.formats.pasted import found_in, may_be_wrapped
    from gridproof.formats.toml_puzzle import begins_file

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
