"""Options that several commands share, and what they stand for."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from gridproof.errors import GeometryError, InputError, PuzzleFormatError
from gridproof.geometry import Geometry

if TYPE_CHECKING:
    from gridproof.board import Board
    from gridproof.limits import Limits
    from gridproof.solve import Pipeline
    from gridproof.text.notation import Item, Puzzle


def add_input(parser: argparse.ArgumentParser) -> None:
    """The puzzles and their shape."""
    parser.add_argument(
        "input",
        nargs="*",
        type=_input,
        metavar="INPUT",
        help="a file, - or nothing for standard input, or a puzzle itself",
    )
    add_zero(parser)
    add_shape(parser)
    parser.set_defaults(without_puzzle=False)


_BEGINS_WITH_BLANK = re.compile(r"-[-.*_0-9A-Z]{15,}")
"""A puzzle of 4x4 cells or more whose first cell is the blank ``-``. No option has capitals or digits only."""


def shielded(arguments: Sequence[str]) -> list[str]:
    """The arguments, with a blank before each puzzle that begins with ``-``: argparse would take it for an option."""
    return [f" {text}" if _BEGINS_WITH_BLANK.fullmatch(text) else text for text in arguments]


def _input(text: str) -> str:
    return text[1:] if text[:1] == " " and _BEGINS_WITH_BLANK.fullmatch(text[1:]) else text


def add_zero(parser: argparse.ArgumentParser) -> None:
    """What the character 0 is."""
    parser.add_argument(
        "--zero",
        choices=("blank", "symbol"),
        help="what 0 is in all puzzles: a blank, or a symbol as in 0-8 and 0-F (default: each puzzle's text tells)",
    )


def add_shape(parser: argparse.ArgumentParser) -> None:
    """The options that say which houses a board has."""
    shape = parser.add_argument_group("shape of the boards (usual boxes unless said otherwise)")
    regions = shape.add_mutually_exclusive_group()
    regions.add_argument("--boxes", metavar="RxC", help="boxes of R rows and C columns, such as 2x3")
    regions.add_argument("--jigsaw", metavar="FILE", help="regions for boxes: a file with a label for each cell")
    regions.add_argument("--latin", action="store_true", help="neither boxes nor regions")
    shape.add_argument("--diagonal", action="store_true", help="both diagonals hold every symbol, too")
    shape.add_argument("--windoku", action="store_true", help="so do the inner windows")
    shape.add_argument("--disjoint", action="store_true", help="so do the cells at the same place of all boxes")


def add_backend(parser: argparse.ArgumentParser) -> None:
    """Backend, encoding and limits."""
    parser.add_argument(
        "-b", "--backend", metavar="NAME", help="see `gridproof backends` (default: the fastest measured)"
    )
    parser.add_argument("-e", "--encoding", metavar="NAME", help="see `gridproof encodings`, or a path to a .toml file")
    add_seconds(parser)
    parser.add_argument(
        "--conflicts", type=positive, metavar="N", help="limit of conflicts (dead ends) for each puzzle"
    )


def add_seconds(parser: argparse.ArgumentParser) -> None:
    """The time limit."""
    parser.add_argument("--seconds", type=float, metavar="S", help="time limit for each puzzle (then: undecided)")


def add_cross_check(parser: argparse.ArgumentParser, in_bulk: str = "") -> None:
    """How much is cross-checked, and where reproducers go.

    in_bulk: for a command where the default depends on the number of puzzles then, what it is; ``None`` stands for it.
    """
    parser.add_argument(
        "--cross-check",
        default=None if in_bulk else "all",
        metavar="all|none|sample=P",
        help=f"which answers the reference checks (default: all{in_bulk and f'; in bulk {in_bulk}'})",
    )
    parser.add_argument(
        "--reproducers",
        default=".",
        metavar="DIR",
        help="where a disagreement's reproducer file is written (default: .)",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """How results are shown."""
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("-q", "--quiet", action="store_true", help="no summary on standard error")


def shape_of(args: argparse.Namespace) -> Geometry | Callable[[int], Geometry]:
    """The geometry the options ask for, as a function of the order where they leave it open."""
    if args.jigsaw is not None:
        try:
            regions = _regions(Path(args.jigsaw).read_text(encoding="utf-8-sig"))
        except UnicodeDecodeError:
            raise InputError(
                f"--jigsaw {args.jigsaw}: not text in UTF-8; expected a text file with a label for each cell, "
                "such as 4 lines of 4 characters for a 4x4"
            ) from None
        except GeometryError as problem:
            raise InputError(f"--jigsaw {args.jigsaw}: {problem}") from None
        return _extended(regions, args)
    if args.boxes is not None:
        match = re.fullmatch(r"(\d{1,3})[xX](\d{1,3})", args.boxes)
        if not match:
            raise InputError(f"--boxes {args.boxes!r}; expected rows x columns of a box, such as 2x3")
        return _extended(Geometry.classic(int(match[1]), int(match[2])), args)
    return lambda order: _extended(Geometry.latin(order) if args.latin else Geometry.standard(order), args)


def _regions(text: str) -> Geometry:
    """The jigsaw of a file's text; lines that begin with # are comments, unless # is a label."""
    try:
        return Geometry.jigsaw(text)
    except GeometryError:
        return Geometry.jigsaw("\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")))


def _extended(geometry: Geometry, args: argparse.Namespace) -> Geometry:
    if args.diagonal:
        geometry = geometry.with_diagonals()
    if args.windoku:
        geometry = geometry.with_windoku()
    return geometry.with_disjoint_groups() if args.disjoint else geometry


def limits_of(args: argparse.Namespace) -> Limits:
    """The limits for each puzzle."""
    from gridproof.limits import Limits

    return Limits(seconds=args.seconds, conflicts=args.conflicts)


def pipeline_of(args: argparse.Namespace) -> Pipeline:
    """The pipeline the options ask for."""
    from gridproof.solve import DEFAULT_BACKEND, Pipeline

    backend = DEFAULT_BACKEND if args.backend is None else args.backend
    return Pipeline(backend, args.encoding, limits=limits_of(args), cross_check=args.cross_check)


def items_of(args: argparse.Namespace) -> Iterator[Item]:
    """Every puzzle of every INPUT, or the error that tells what is wrong with it, in order.

    An INPUT without any is said on standard error at the end, and noted in ``args.without_puzzle``: a forgotten file
    should not pass as "all unique".
    """
    missing: list[str] = []
    yield from _items(args, missing)
    args.without_puzzle = bool(missing)
    for name in missing:
        print(f"gridproof: {no_puzzle_in(name)}", file=sys.stderr)


def no_puzzle_in(name: str) -> str:
    """What is said of an input that holds none."""
    return f"no puzzle in {name}; expected at least one"


def _items(args: argparse.Namespace, missing: list[str]) -> Iterator[Item]:
    """The same. missing: to which the names of those INPUTs are added that hold none."""
    from gridproof import text
    from gridproof.sources import exists, lines_of

    shape = shape_of(args)
    for source in args.input or ["-"]:
        number = 0
        itself = source != "-" and not exists(source)
        if itself:
            items = text.read(source, shape, args.zero)
        elif source == "-":
            items = text.read(sys.stdin.buffer if sys.stdin is not None else "", shape, args.zero)
        else:
            items = text.read(lines_of(source), shape, args.zero)
        for item in items:
            number += 1
            if itself and isinstance(item, PuzzleFormatError):
                item = _or_a_file(item, source)
            yield item
        if not number:
            missing.append("standard input" if source == "-" else repr(source))


def board_of(args: argparse.Namespace) -> Board:
    """The one puzzle that a command takes. Raises ``InputError`` for none or several, or the puzzle's own error."""
    missing: list[str] = []
    items = list(islice(_items(args, missing), 2))
    if missing:
        raise InputError(no_puzzle_in(missing[0]))
    if isinstance(items[0], PuzzleFormatError):
        raise items[0]
    if len(items) > 1:
        raise InputError("several puzzles; expected one")
    say_names(items[0])
    return items[0].board


def say_names(puzzle: Puzzle) -> None:
    """Say on standard error that symbols are shown by other names than the puzzle has for them, if they are."""
    from gridproof.text.notation import Symbols, called

    if puzzle.symbols is not Symbols.FROM_ONE:
        order = puzzle.board.geometry.order
        names, shown = called(order, puzzle.symbols), called(order)
        print(f"gridproof: line {puzzle.line}: symbols {names} are shown as {shown}", file=sys.stderr)


_LINK = re.compile(r"\w+://|www\.")
_LIKE_A_PATH = re.compile(r".*[/\\].*|.*\.[a-z]\w{1,9}")


def _or_a_file(item: PuzzleFormatError, source: str) -> PuzzleFormatError:
    """The error of an INPUT that is neither a puzzle nor a file: it may have been meant as either."""
    problem, expected, file = item.problem, item.expected, "the path of a file that exists"
    if _LINK.match(source):
        return item
    if _LIKE_A_PATH.fullmatch(source):
        problem, expected = f"no such file; read as a puzzle: {problem}", f"{file}, or {expected}"
    else:
        expected = f"{expected}, or {file}"
    return PuzzleFormatError(problem, text=item.text, expected=expected, column=item.column)


def positive(text: str) -> int:
    """An option's whole number of at least 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number of at least 1")
    return int(text)
