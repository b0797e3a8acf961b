"""Write puzzles in another format: links, text, tables, files of other programs.

Everything that affects the solutions is written. If a format cannot express a puzzle, the puzzle is refused and the
others are written. What was not understood (`--despite-unread`) is written as unread, or the puzzle is refused. A
title, a solution and other parts that the format has no place for are counted on standard error. All commands also read
every format that `convert` writes. With `--partly` rules that a format cannot express are left out, and named on
standard error: the text then has every solution of the puzzle, perhaps more.

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
from collections.abc import Callable, Iterator
from itertools import chain, islice
from pathlib import Path

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.cli._streams import to_stderr
from gridproof.errors import BoardError, InputError
from gridproof.formats.catalog import Format, all_formats, in_file
from gridproof.formats.partial import PartialText, write_partly
from gridproof.formats.puzzle import Puzzle
from gridproof.pipeline import Pipeline
from gridproof.runs.journal import replace_file
from gridproof.verbs import refuse_lost, with_names, with_only_solution

_WRITTEN = "written"


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    written = {name: form for name, form in all_formats().items() if form.write is not None}
    group = parser.add_argument_group("output")
    text = f"one of {', '.join(written)} (default: by the ending of FILE)"
    _options.value(group, "--to", "FORMAT", text, choices=written)
    _options.add_file(group, "where to write (default: standard output)")
    _options.value(group, "--title", "TEXT", "the title of each puzzle, in place of its own")
    _options.value(group, "--author", "TEXT", "the author of each puzzle, in place of its own")
    _options.flag(group, "--with-solution", "find the only solution and store it; a puzzle without one is refused")
    _options.seconds(group, text="time limit for each solution", default=10.0)
    text = "leave out rules that the format cannot express, and name them on standard error"
    _options.flag(group, "--partly", text)


def run(args: Options) -> int:
    form = format_for(args.to, args.output)
    refuse_lost(form, title=args.title, author=args.author, with_solution=args.with_solution)
    _options.refuse_to_overwrite(args.output, force=args.force)
    lost = Counter[str]()
    with Results(args.inputs, _WRITTEN) as results, Pipeline(limits=args.limits) as pipeline:

        def prepare(puzzle: Puzzle) -> Puzzle:
            puzzle = with_names(puzzle, args.title, args.author)
            if args.with_solution:
                puzzle = with_only_solution(puzzle, pipeline)
            return puzzle

        texts = write_puzzles(form, results, lost, prepare, partly=args.partly)
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


def write_puzzles(
    form: Format, results: Results, lost: Counter[str], prepare: Callable[[Puzzle], Puzzle], *, partly: bool
) -> Iterator[str]:
    """Yield each puzzle as the format writes it, and report what it cannot express.

    lost: counts what came with the puzzles and the format has no place for. prepare: makes of each puzzle the one that
    is written. partly: whether rules that the format cannot express are left out.
    """
    for _, item in results.puzzles(results.inputs.items(headings=False)):
        try:
            if results.counted.verdicts[_WRITTEN] and not form.several:
                raise form.refuse("several puzzles in a file", "one")
            item = prepare(item)
            text, left_out = write_partly(form, item) if partly else PartialText(form.text_of(item), ())
        except BoardError as problem:
            results.refuse(problem, item)
        else:
            results.count(_WRITTEN)
            for rule in left_out:
                to_stderr(f"gridproof: line {item.line}: left out: {rule.sentence(item.board.geometry)}")
            lost.update(form.lost(item))
            if item.not_understood:
                to_stderr(f"gridproof: line {item.line}: marked as not understood: {item.unread_summary()}")
            yield text
