"""Write puzzles in another format: as links, text, tables, or gridproof's own puzzle files.

Everything that affects the solutions is written. If a format cannot express a puzzle, the puzzle is refused and the
others are written. All commands also read every format that `convert` writes.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
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

    form = _form(args)
    puzzles = _Puzzles(args, form)
    if args.output is None:
        sys.stdout.writelines(in_file(form, puzzles.texts()))
        return puzzles.code
    path = Path(args.output)
    if not args.force:
        refuse_to_overwrite(path)
    part = path.with_name(f".{path.name}.{os.getpid()}.tmp")  # what was there before stays until all is written
    try:
        with part.open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(in_file(form, puzzles.texts()))
        if puzzles.written:
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return puzzles.code


def _form(args: argparse.Namespace) -> Format:
    """The format that is asked for. Raises ``InputError``."""
    from gridproof.errors import InputError
    from gridproof.formats.catalog import all_formats, find

    if args.to:
        return find(args.to)
    ending = Path(args.output or "").suffix.casefold()
    for form in all_formats().values():
        if form.write is not None and ending in form.endings:
            return form
    said = f"-o {args.output}" if args.output else "neither --to nor -o"
    endings = [ending for form in all_formats().values() if form.write is not None for ending in form.endings]
    raise InputError(f"{said}; expected --to FORMAT, or -o FILE with a name that ends in {', '.join(endings)}")


class _Puzzles(Reading):
    """The puzzles of the input in a format. What cannot be said is complained about. written: how many puzzles were."""

    def __init__(self, args: argparse.Namespace, form: Format) -> None:
        super().__init__(args)
        self.written = 0
        self._form = form

    def texts(self) -> Iterator[str]:
        """Each puzzle as the format writes it."""
        from gridproof.errors import BoardError
        from gridproof.formats.sheet import Sheet

        assert self._form.write is not None
        for item in self.puzzles(headings=False):
            sheet = item.sheet or Sheet(item.board, solution=item.answer, title=item.title)
            try:
                if self.written and not self._form.several:
                    raise self._form.refuse("several puzzles in a file", "one")
                text = self._form.write(replace(sheet, board=item.board))
            except BoardError as problem:
                self.refused(f"line {item.line}: {problem}")
                continue
            self.written += 1
            yield text
