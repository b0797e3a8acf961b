"""Write puzzles in another format: links, text, tables, files of other programs.

Everything that affects the solutions is written. If a format cannot express a puzzle, the puzzle is refused and the
others are written. What was not understood (`--despite-unread`) is written as unread, or the puzzle is refused. A
title, a solution and other parts that the format has no place for are counted on standard error. All commands also read
every format that `convert` writes.

exit codes:
    0    every puzzle is written
    2    the format cannot express a puzzle (the others are written)

examples:
    gridproof convert examples/two-solutions.txt --to f-puzzles
    gridproof convert examples/well-known.txt -o puzzles.csv
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.cli._streams import to_stderr
from gridproof.errors import BoardError, InputError
from gridproof.formats.catalog import Format, all_formats, in_file
from gridproof.runs.journal import replace_file

_WRITTEN = "written"


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    written = {name: form for name, form in all_formats().items() if form.write is not None}
    group = parser.add_argument_group("output")
    text = f"one of {', '.join(written)} (default: by the ending of FILE)"
    _options.value(group, "--to", "FORMAT", text, choices=written)
    _options.add_file(group, "where to write (default: standard output)")


def run(args: Options) -> int:
    form = format_for(args.to, args.output)
    _options.refuse_to_overwrite(args.output, force=args.force)
    lost = Counter[str]()
    with Results(args.inputs, _WRITTEN) as results:
        texts = write_puzzles(form, results, lost)
        ahead = list(islice(texts, 1))
        if not ahead:
            return results.exit_code  # there is nothing to write: a file that is there stays
        pieces = in_file(form, chain(ahead, texts))
        if args.output is None:
            sys.stdout.writelines(pieces)
        else:
            with replace_file(Path(args.output)) as draft, draft.open("w", encoding="utf-8", newline="\n") as stream:
                stream.writelines(pieces)
    if lost:
        parts = ", ".join(f"{name} ({number:,})" for name, number in lost.items())
        to_stderr(f"gridproof: {form.name} has no place for these parts of puzzles, which are not written: {parts}")
    return results.exit_code


def format_for(name: str | None, output: str | None) -> Format:
    """Return the format of this name, or that of the output. Raises ``InputError``."""
    if name:
        return all_formats()[name]
    endings: dict[str, Format] = {}
    for form in all_formats().values():
        if form.write is not None:
            endings.update(dict.fromkeys(form.endings, form))
    ending = Path(output or "").suffix.casefold()
    if ending in endings:
        return endings[ending]
    given = "neither --to nor -o"
    if output:
        given = f"-o {output}"
    raise InputError(f"{given}; expected --to FORMAT, or -o FILE with a name that ends in {', '.join(endings)}")


def write_puzzles(form: Format, results: Results, lost: Counter[str]) -> Iterator[str]:
    """Yield each puzzle as the format writes it, and report what it cannot express.

    lost: counts what came with the puzzles and the format has no place for.
    """
    for _, item in results.puzzles(results.inputs.items(headings=False)):
        try:
            if results.counted.verdicts[_WRITTEN] and not form.several:
                raise form.refuse("several puzzles in a file", "one")
            text = form.text_of(item)
        except BoardError as problem:
            results.refuse(problem, item)
        else:
            results.count(_WRITTEN)
            lost.update(form.lost(item))
            if item.not_understood:
                to_stderr(f"gridproof: line {item.line}: marked as not understood: {item.unread_summary()}")
            yield text
