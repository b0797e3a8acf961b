"""Write puzzles in another format: as links, text, tables, or gridproof's own puzzle files.

Everything that affects the solutions is written. If a format cannot express a puzzle, the puzzle is refused and the
others are written. All commands also read every format that `convert` writes.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from gridproof.cli import _options
from gridproof.cli._asking import Reading

if TYPE_CHECKING:
    from gridproof.formats.catalog import Format

SUMMARY = "write puzzles in another format: links, text, tables, files of other programs"
EXIT_CODES = {
    0: "every puzzle is written",
    2: "the format cannot express a puzzle (the others are written)",
}
EXAMPLES = (
    "gridproof convert examples/two-solutions.txt --to f-puzzles",
    "gridproof convert examples/well-known.txt -o puzzles.csv",
)


def configure(parser: argparse.ArgumentParser) -> None:
    from gridproof.formats.catalog import all_formats

    _options.add_input(parser)
    written = {name: form for name, form in all_formats().items() if form.write is not None}
    group = parser.add_argument_group("output")
    group.add_argument(
        "--to",
        metavar="FORMAT",
        choices=written,
        help=f"one of {', '.join(written)} (default: by the ending of FILE)",
    )
    group.add_argument("-o", "--output", metavar="FILE", help="where to write (default: standard output)")
    group.add_argument("--force", action="store_true", help="overwrite the file if it exists")


def run(args: argparse.Namespace) -> int:
    from gridproof.formats.catalog import in_file
    from gridproof.formats.sources import refuse_to_overwrite
    from gridproof.runs.journal import replaced

    form, reading = _form(args), Reading(args)
    if args.output is not None and not args.force:
        refuse_to_overwrite(args.output)
    texts = _texts(reading, form)
    if (first := next(texts, None)) is None:
        return reading.code  # there is nothing to write: a file that is there stays
    pieces = in_file(form, chain([first], texts))
    if args.output is None:
        sys.stdout.writelines(pieces)
        return reading.code
    with replaced(Path(args.output)) as draft, draft.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(pieces)
    return reading.code


def _form(args: argparse.Namespace) -> Format:
    """The format that is asked for. Raises ``InputError``."""
    from gridproof.errors import InputError
    from gridproof.formats.catalog import all_formats

    if args.to:
        return all_formats()[args.to]
    endings = {ending: form for form in all_formats().values() if form.write is not None for ending in form.endings}
    if form := endings.get(Path(args.output or "").suffix.casefold()):
        return form
    said = f"-o {args.output}" if args.output else "neither --to nor -o"
    raise InputError(f"{said}; expected --to FORMAT, or -o FILE with a name that ends in {', '.join(endings)}")


def _texts(reading: Reading, form: Format) -> Iterator[str]:
    """Each puzzle as the format writes it. What cannot be said is complained about."""
    from gridproof.errors import BoardError
    from gridproof.formats.sheet import Sheet

    assert form.write is not None
    written = 0
    for item in reading.puzzles(headings=False):
        sheet = item.sheet or Sheet(item.board, solution=item.answer, title=item.title)
        try:
            if written and not form.several:
                raise form.refuse("several puzzles in a file", "one")
            text = form.write(replace(sheet, board=item.board))
        except BoardError as problem:
            reading.refused(f"line {item.line}: {problem}")
        else:
            written += 1
            yield text
