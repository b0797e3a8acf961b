"""Options that several commands share, and their values."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gridproof.errors import GeometryError, InputError
from gridproof.limits import Limits
from gridproof.text import quote

if TYPE_CHECKING:
    from gridproof.cli._inputs import Inputs
    from gridproof.formats import Shape
    from gridproof.pipeline import Pipeline
    from gridproof.rules.rule_text import RuleText

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

    group.add_argument(*names.split(), type=whole, default=default, metavar="N", help=text + _default(default))


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
            value = float(text)
            if value > 0:
                return value
        raise argparse.ArgumentTypeError(f"{text!r}; expected a number above zero")

    group.add_argument(*names.split(), type=above_zero, default=default, metavar=metavar, help=text + _default(default))


def repeatable(group: Group, name: str, values: str | tuple[str, ...], text: str) -> None:
    """Add an option that may be given several times, with a value or several. text: its help."""
    many = len(values) if isinstance(values, tuple) else None
    group.add_argument(name, action="append", default=[], nargs=many, metavar=values, help=f"{text}; repeatable")


def _default(default: float | None) -> str:
    return f" (default: {default:g})" if default else ""


# ---- options of several commands -------------------------------------------------------------------------------------


def add_input(parser: argparse.ArgumentParser) -> None:
    """Add the options for the puzzles and their shape."""
    parser.usage = "%(prog)s [OPTION ...] [INPUT ...]"
    group = parser.add_argument_group("input")
    text = "a file, a puzzle or a link; - or nothing for standard input"
    value(group, "input", "INPUT", text, nargs="*", type=_unshield)
    text = "also accept puzzles with something unread that may be a rule, such as rules in words; the verdict lists it"
    flag(group, "--despite-unread", text)
    text = "digits that a solver has entered (not givens) in imported puzzles (default: ignored; `steps` counts them)"
    group.add_argument("--entries", choices=("ignored", "as-clues"), default="ignored", help=text)
    text = "meaning of 0 in all puzzles: a blank, or a symbol as in 0-8 and 0-F (default: each puzzle decides)"
    group.add_argument("--zero", choices=("blank", "symbol"), help=text)
    add_drawn(parser)
    add_shape(parser)


def add_drawn(parser: argparse.ArgumentParser) -> None:
    """Add the options for drawings and words of a link, which no program can read."""
    group = parser.add_argument_group("drawings and words of a link (--explain-reading lists the drawings)")
    text = "the kind of rule of the drawings of a letter, such as 'A = whispers' or 'B C = sandwich'; suggested: all "
    text += "that the words suggest"
    repeatable(group, "--read", "LETTER = KIND", text)
    repeatable(
        group, "--ignore", "LETTER", "drawings that are no rule, such as 'B, C', or the key of another unread part"
    )
    flag(group, "--words", "print all rules in words on standard error, not only the beginning of long ones")
    flag(group, "--words-read", "the rules in words were read, and add nothing")
    flag(group, "--explain-reading", "list on standard error what is drawn, and what the words suggest")


_BEGINS_WITH_BLANK = re.compile(r"-[-.*_0-9A-Z]{15,}")
"""A puzzle of 4x4 cells or more whose first cell is the blank ``-``. No option has capitals or digits only."""


def shield_puzzles(arguments: Sequence[str]) -> list[str]:
    """Return the arguments, with a blank before each puzzle that begins with ``-``: argparse sees no option in it."""
    texts = []
    for text in arguments:
        texts.append(f" {text}" if _BEGINS_WITH_BLANK.fullmatch(text) else text)
    return texts


def _unshield(text: str) -> str:
    """Return an INPUT as it was given."""
    if not text.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is empty; expected a file, - for standard input, or a puzzle")
    if text.startswith(" ") and _BEGINS_WITH_BLANK.fullmatch(text[1:]):
        return text[1:]
    return text


def add_shape(parser: argparse.ArgumentParser) -> None:
    """Add the options for the houses and rules of boards."""
    shape = parser.add_argument_group("shape of the boards (default: the usual boxes)")
    regions = shape.add_mutually_exclusive_group()
    value(regions, "--boxes", "RxC", "boxes of R rows and C columns, such as 2x3")
    value(regions, "--jigsaw", "FILE", "regions, not boxes: a file with a label for each cell")
    flag(regions, "--latin", "a Latin square: neither boxes nor regions")
    value(shape, "--size", "RxC", "R rows and C columns, such as 6x8; no boxes if these differ, unless stated")
    value(
        shape,
        "--digits",
        "FIRST-LAST",
        "the digits of the board, or of a link, such as 0-8 or 1-12; 0 is no blank then",
    )
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

    usual: the default in words, for a command with one of its own; ``None`` stands for it then.
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


def add_symbols(group: Group) -> None:
    """Add the option for the names of symbols."""
    text = "names of the symbols in drawings and sentences, such as ABCD, or 10,20,30,40 (default: those of the puzzle)"
    value(group, "--symbols", "NAMES", text, type=read_symbols, default=())


def read_symbols(text: str) -> tuple[str, ...]:
    """Return the names of symbols."""
    from gridproof.formats.symbols import read_names

    return read_names(text)


PICTURE = "a name that ends in .svg, .png, .pdf or .html; .html or .pdf for several boards"
"""The help of ``-o`` where it is for a picture."""


def split_names(text: str) -> tuple[str, ...]:
    """Return the names of a list with commas."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise argparse.ArgumentTypeError(f"{text!r}; expected names with commas between them, such as id,source")
    return tuple(names)


def add_file(group: Group, help_text: str, metavar: str = "FILE", resume: str = "", **more: Any) -> None:
    """Add the options for the place of the result: -o, --force, and --resume with this help if it has any."""
    value(group, "-o --output", metavar, help_text, **more)
    either = group.add_mutually_exclusive_group()
    if resume:
        flag(either, "--resume", resume)
    flag(either, "--force", "overwrite the output if it exists")


# ---- their values ---------------------------------------------------------------------------------------------------


class Options(argparse.Namespace):
    """The values of a command's options; those that several commands share also as values of the package."""

    input: Sequence[str] | None = None
    """The INPUTs, for a command that takes some."""

    quiet = False
    """True if there is -q."""

    @property
    def limits(self) -> Limits:
        """The limits for each puzzle."""
        return Limits(seconds=self.seconds)

    @property
    def shape(self) -> Shape:
        """The geometry, as a function of the order where the options leave that open. Raises ``InputError``."""
        return read_shape(
            boxes=self.boxes,
            jigsaw=self.jigsaw,
            latin=self.latin,
            size=self.size,
            digits=self.digits,
            diagonal=self.diagonal,
            windoku=self.windoku,
            disjoint=self.disjoint,
        )

    @property
    def inputs(self) -> Inputs:
        """The INPUTs and how they are read. Raises ``InputError`` for a shape or a rule that no board can have."""
        from gridproof.cli._inputs import Inputs
        from gridproof.formats.options import DrawnOptions

        return Inputs(
            sources=tuple(self.input or ()),
            shape=self.shape,
            rules=parse_rules(self.rule),
            zero=self.zero,
            despite_unread=self.despite_unread,
            entries_as_clues=self.entries == "as-clues",
            quiet=self.quiet,
            drawn=DrawnOptions(parse_readings(self.read), tuple(self.ignore), self.words_read),
            explain_reading=self.explain_reading,
            all_words=self.words,
            column=getattr(self, "column", None),
            names=getattr(self, "symbols", ()),
        )

    def open_pipeline(self) -> Pipeline:
        """Return a pipeline with the backend, the encoding, the limits and the cross-check of the options."""
        from gridproof.pipeline import DEFAULT_BACKEND, Pipeline

        backend = DEFAULT_BACKEND if self.backend is None else self.backend  # "" is a name that no backend has
        return Pipeline(backend, self.encoding, limits=self.limits, cross_check=self.cross_check or "all")


def read_shape(
    *,
    boxes: str | None,
    jigsaw: str | None,
    latin: bool,
    size: str | None,
    digits: str | None,
    diagonal: bool,
    windoku: bool,
    disjoint: bool,
) -> Shape:
    """Return the geometry of these options, as a function of the order where they leave it open."""
    from gridproof.formats import shapes
    from gridproof.puzzle.digits import read_digits
    from gridproof.puzzle.geometry import Geometry

    extended = partial(shapes.add_families, diagonal=diagonal, windoku=windoku, disjoint=disjoint)
    usual = Geometry.latin if latin else Geometry.standard
    shape: Shape = usual
    if jigsaw is not None:
        try:
            shape = shapes.read_regions(Path(jigsaw).read_text(encoding="utf-8-sig"))
        except (UnicodeDecodeError, GeometryError) as problem:
            expected = "expected a text file with a label for each cell, such as 4 lines of 4 characters for a 4x4"
            raise InputError(f"--jigsaw {jigsaw}: {problem}; {expected}") from None
    elif boxes is not None:
        shape = shapes.read_boxes(boxes, "--boxes")
    has_further_houses = diagonal or windoku or disjoint
    if digits is not None and shape is usual and size is None and not (latin or has_further_houses):
        return read_digits(digits)
    if size is not None or digits is not None:
        rows_and_columns = None if size is None else shapes.read_size(size, "--size")
        digits_stated = None if digits is None else read_digits(digits)
        shape = shapes.with_size_and_digits(shape, rows_and_columns, digits_stated)
    if isinstance(shape, Geometry):
        return extended(shape)
    if latin or has_further_houses:
        return lambda order: extended(usual(order))
    return Geometry.standard


def parse_rules(texts: Iterable[str]) -> tuple[RuleText, ...]:
    """Return the rules of some texts. Raises ``InputError`` for one that no board can have."""
    from gridproof.puzzle.geometry import Geometry
    from gridproof.rules import parse_rule
    from gridproof.rules.cells import OffBoard

    rules = []
    for text in texts:
        try:
            rule = parse_rule(text)
            with suppress(OffBoard):  # another board may have these cells; what else is wrong, is wrong on any board
                rule.make(Geometry.classic(3))
        except InputError as problem:
            what = str(problem)
            if not what.startswith("the rule "):
                what = f"the rule {quote(text)}: {what}"
            raise InputError(what) from None
        rules.append(rule)
    return tuple(rules)


def parse_readings(texts: Iterable[str]) -> dict[str, str] | Literal["suggested"]:
    """Return the kind for each letter, or ``suggested``. Raises ``InputError``."""
    readings: dict[str, str] = {}
    given = list(texts)
    if given == ["suggested"]:
        return "suggested"
    for text in given:
        letters, equals, kind = text.partition("=")
        if not equals or not letters.strip() or not kind.strip():
            raise InputError(f"--read {quote(text)}; expected a letter and a kind such as 'A = whispers', or suggested")
        for letter in letters.replace(",", " ").split():
            readings[letter.upper()] = kind.strip()
    return readings


def refuse_to_overwrite(path: str | Path | None, *, force: bool, resume: bool | None = None) -> None:
    """Raise ``InputError`` if there is an output, whose results may have taken hours, that is not to be overwritten.

    An empty folder does not count. resume: whether the run that left it is to be continued; ``None`` for a command that
    cannot do that.
    """
    from gridproof.formats.sources import exists

    if not path or force or resume or not exists(path):
        return
    if Path(path).is_dir() and not any(Path(path).iterdir()):
        return
    ways = "--force to overwrite it"
    if resume is not None:
        ways += ", --resume"
    raise InputError(f"{path} exists already; expected {ways}, or another name")


def picture_path(output: str, *, force: bool) -> Path:
    """Return the file for a picture.

    Raises ``InputError`` for what ``refuse_to_overwrite`` refuses and for another ending.
    """
    from gridproof.pictures.document import ENDINGS

    if Path(output).suffix.casefold() not in ENDINGS:
        raise InputError(f"-o {output!r}; expected a name that ends in {', '.join(ENDINGS)}")
    refuse_to_overwrite(output, force=force)
    return Path(output)
