"""Options that several commands share, and their values."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridproof.errors import GeometryError, InputError
from gridproof.limits import Limits
from gridproof.text import quote

if TYPE_CHECKING:
    from gridproof.bulk.job import RunOptions
    from gridproof.formats import Shape
    from gridproof.pipeline import Pipeline

Group = argparse._ActionsContainer

# ---- one option ------------------------------------------------------------------------------------------------------


def flag(group: Group, names: str, text: str) -> None:
    """Add an option without a value. names: such as ``-q --quiet``. text: its help."""
    group.add_argument(*names.split(), action="store_true", help=text)


def value(group: Group, names: str, metavar: str, text: str, **more: Any) -> None:
    """Add an option with a text. more: as of ``add_argument``."""
    group.add_argument(*names.split(), metavar=metavar, help=text, **more)


def number(group: Group, names: str, text: str, default: int | None = None, least: int = 1) -> None:
    """Add an option for a whole number of at least ``least``. text: its help, without the default."""

    def whole(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number of at least {least}")
        return int(text)

    group.add_argument(*names.split(), type=whole, default=default, metavar="N", help=text + _stated(default))


def seconds(
    group: Group,
    names: str = "--seconds",
    text: str = "time limit for each puzzle; then it is undecided",
    default: float | None = None,
    metavar: str = "S",
) -> None:
    """Add an option for seconds, or another number above zero. text: its help, without the default."""

    def above_zero(text: str) -> float:
        with suppress(ValueError):
            if (value := float(text)) > 0:
                return value
        raise argparse.ArgumentTypeError(f"{text!r}; expected a number above zero")

    group.add_argument(*names.split(), type=above_zero, default=default, metavar=metavar, help=text + _stated(default))


def repeatable(group: Group, name: str, values: str | tuple[str, ...], text: str) -> None:
    """Add an option that may be given several times, with a value or several. text: its help."""
    many = len(values) if isinstance(values, tuple) else None
    group.add_argument(name, action="append", default=[], nargs=many, metavar=values, help=f"{text}; repeatable")


def _stated(default: float | None) -> str:
    return f" (default: {default:g})" if default else ""


# ---- options of several commands -------------------------------------------------------------------------------------


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the options for the puzzles and their shape."""
    parser.usage = "%(prog)s [OPTION ...] [INPUT ...]"
    group = parser.add_argument_group("input")
    text = "a file, a puzzle or a link; - or nothing for standard input"
    value(group, "input", "INPUT", text, nargs="*", type=_input)
    text = "also accept puzzles of other programs with something unread that may be a rule; the verdict lists it"
    flag(group, "--despite-unread", text)
    text = "digits that a solver has entered (not givens) in imported puzzles (default: ignored; `steps` counts them)"
    group.add_argument("--entries", choices=("ignored", "as-clues"), default="ignored", help=text)
    text = "meaning of 0 in all puzzles: a blank, or a symbol as in 0-8 and 0-F (default: each puzzle decides)"
    group.add_argument("--zero", choices=("blank", "symbol"), help=text)
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


def add_shape(parser: argparse.ArgumentParser) -> None:
    """Add the options for the houses and rules of boards."""
    shape = parser.add_argument_group("shape of the boards (default: the usual boxes)")
    regions = shape.add_mutually_exclusive_group()
    value(regions, "--boxes", "RxC", "boxes of R rows and C columns, such as 2x3")
    value(regions, "--jigsaw", "FILE", "regions, not boxes: a file with a label for each cell")
    flag(regions, "--latin", "a Latin square: neither boxes nor regions")
    flag(shape, "--diagonal", "both diagonals hold every symbol, too")
    flag(shape, "--windoku", "the inner windows hold every symbol, too")
    flag(shape, "--disjoint", "cells at the same place of the boxes hold every symbol")
    rules = parser.add_argument_group("rules beyond houses (`gridproof rules` lists them)")
    text = "a rule for every board, such as anti-knight, 'killer 15 r1c1 r1c2 r2c1' or '/path/to/mine.toml r1c1 r1c2'"
    repeatable(rules, "--rule", "TEXT", text)


def add_backend(parser: argparse.ArgumentParser, backend: str = "", most_seconds: float | None = None) -> Group:
    """Add the options for backend, encoding and limits. backend, most_seconds: the command's own defaults, if any."""
    group = parser.add_argument_group("how the answer is found")
    text = "a solver, with options as NAME:option=value,..., or the path of a .py file; see `gridproof backends`"
    usual = backend or "the fastest one, marked * there"
    value(group, "-b --backend", "NAME", f"{text} (default: {usual})", default=backend or None)
    value(group, "-e --encoding", "NAME", "an encoding or a .toml file: see `gridproof encodings`")
    seconds(group, default=most_seconds)
    return group


def add_cross_check(group: Group, usual: str = "") -> None:
    """Add the option of the cross-check.

    usual: the default in words, for a command where it depends on the number of puzzles; ``None`` stands for it then.
    """
    text = f"which answers the reference checks (default: {usual or 'all'})"
    value(group, "--cross-check", "all|none|sample=P", text, default=None if usual else "all")


def add_output(parser: argparse.ArgumentParser, *, quiet: bool = True) -> argparse._ArgumentGroup:
    """Add the options for the form of the output."""
    group = parser.add_argument_group("output")
    flag(group, "--json", "write one JSON object per line")
    if quiet:
        flag(group, "-q --quiet", "no summary and no headings on standard error")
    return group


PICTURE = "a name that ends in .svg, .png, .pdf or .html; .html for several boards"
"""The help of ``-o`` where it is for a picture."""


def add_file(group: Group, help_text: str, metavar: str = "FILE", resume: str = "", **more: Any) -> None:
    """Add the options for the place of the result: -o, --force, and --resume with this help if it has any."""
    value(group, "-o --output", metavar, help_text, **more)
    either = group.add_mutually_exclusive_group()
    if resume:
        flag(either, "--resume", resume)
    flag(either, "--force", "overwrite the output if it exists")


# ---- their values ---------------------------------------------------------------------------------------------------


def shape_of(args: argparse.Namespace) -> Shape:
    """Return the geometry of the options, as a function of the order where they leave it open."""
    from gridproof.formats import shapes
    from gridproof.puzzle.geometry import Geometry

    extended = partial(shapes.extended, diagonal=args.diagonal, windoku=args.windoku, disjoint=args.disjoint)
    if args.jigsaw is not None:
        try:
            return extended(shapes.regions(Path(args.jigsaw).read_text(encoding="utf-8-sig")))
        except (UnicodeDecodeError, GeometryError) as problem:
            expected = "expected a text file with a label for each cell, such as 4 lines of 4 characters for a 4x4"
            raise InputError(f"--jigsaw {args.jigsaw}: {problem}; {expected}") from None
    if args.boxes is not None:
        return extended(shapes.boxes(args.boxes, "--boxes"))
    if args.latin or args.diagonal or args.windoku or args.disjoint:
        usual = Geometry.latin if args.latin else Geometry.standard
        return lambda order: extended(usual(order))
    return Geometry.standard


def rules_of(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the rules of the options as text. Raises ``InputError`` for one that no board can have."""
    from gridproof.puzzle.geometry import Geometry
    from gridproof.rules import parse_rule
    from gridproof.rules.cells import OffBoard

    for text in args.rule:
        try:
            parse_rule(text).on(Geometry.classic(3))  # what is wrong with a rule, is wrong on any board
        except OffBoard:
            pass  # another board may have these cells
        except InputError as problem:
            prefix = "" if str(problem).startswith("the rule ") else f"the rule {quote(text)}: "
            raise InputError(f"{prefix}{problem}") from None
    return tuple(args.rule)


def refuse_to_overwrite(args: argparse.Namespace) -> None:
    """Raise ``InputError`` if there is an output, whose results may have taken hours, without --force or --resume.

    An empty folder does not count.
    """
    from gridproof.formats.sources import exists

    output, resume = args.output, getattr(args, "resume", None)
    if not output or args.force or resume or not exists(output):
        return
    if Path(output).is_dir() and next(Path(output).iterdir(), None) is None:
        return
    also = "" if resume is None else " --resume,"
    raise InputError(f"{output} exists already; expected --force to overwrite it,{also} or another name")


def picture_path(args: argparse.Namespace) -> Path:
    """The file for a picture, empty if there is none. Raises ``InputError`` for what ``refuse_to_overwrite`` refuses
    and for another ending."""
    from gridproof.pictures.document import ENDINGS

    if args.output and Path(args.output).suffix.casefold() not in ENDINGS:
        raise InputError(f"-o {args.output!r}; expected a name that ends in {', '.join(ENDINGS)}")
    refuse_to_overwrite(args)
    return Path(args.output or "")


def limits_of(args: argparse.Namespace) -> Limits:
    """Return the limits for each puzzle."""
    return Limits(seconds=args.seconds)


def run_options(args: argparse.Namespace) -> RunOptions:
    """Return the options of a run on many puzzles."""
    from gridproof.bulk.job import RunOptions
    from gridproof.pipeline import DEFAULT_BACKEND

    same = ("encoding", "cross_check", "column", "zero", "despite_unread", "rate")
    return RunOptions(
        shape=shape_of(args),
        engine=args.engine or ("session" if args.backend or args.encoding else None),
        backend=args.backend or DEFAULT_BACKEND,
        limits=limits_of(args),
        rules=rules_of(args),
        entries_as_clues=args.entries == "as-clues",
        **{name: getattr(args, name) for name in same},
    )


def pipeline_of(args: argparse.Namespace) -> Pipeline:
    """Return the pipeline of the options."""
    from gridproof.pipeline import DEFAULT_BACKEND, Pipeline

    backend = DEFAULT_BACKEND if args.backend is None else args.backend
    return Pipeline(backend, args.encoding, limits=limits_of(args), cross_check=args.cross_check or "all")
