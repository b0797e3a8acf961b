"""Draw puzzles: on the terminal, or as SVG, PNG, PDF or HTML.

--verify draws the solution, or two solutions where they differ, and prints the verdict. --candidates draws the digits
that each cell has in at least one solution. What was not understood is counted under the board. Several puzzles go on
one page (A4; HTML takes any number). PNG and PDF need the extra `picture`.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.cli import DISAGREEMENT, _options, on_terminal
from gridproof.cli._results import Results, items_of
from gridproof.errors import Interrupted, NotUnderstoodError
from gridproof.trust.answer import Status

if TYPE_CHECKING:
    from gridproof.formats.puzzle import Puzzle
    from gridproof.pictures.colours import Theme
    from gridproof.pipeline import Pipeline
    from gridproof.puzzle.board import Board

GROUP = "puzzles"
SUMMARY = "draw puzzles, on the terminal or as SVG, PNG, PDF or HTML"
EXIT_CODES = {
    0: "every puzzle is drawn",
    1: "a puzzle is undecided (with --verify or --candidates) or has no solution (with --candidates)",
    3: DISAGREEMENT,
}
EXAMPLES = (
    "gridproof show examples/two-solutions.txt --verify -o differences.svg",
    'gridproof show examples/well-known.txt --title "Well known" -o page.html',
)


_DRAWN = (Status.UNIQUE, Status.MULTIPLE, Status.NONE, Status.SOLVED)


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    group = parser.add_argument_group("what is drawn")
    either = group.add_mutually_exclusive_group()
    _options.flag(either, "--verify", "draw the solution, or two where they differ, and show the verdict")
    _options.flag(either, "--candidates", "draw the digits that each cell has in at least one solution")
    _options.value(group, "--title", "TEXT", "a heading above the drawing", default="")
    _options.add_file(group, _options.PICTURE)
    _options.add_cross_check(_options.add_backend(parser))


def run(args: argparse.Namespace) -> int:
    from gridproof.pictures import board_svg, board_text
    from gridproof.pictures.document import save

    path = _options.picture_path(args)
    colour = on_terminal(sys.stdout) and "NO_COLOR" not in os.environ
    args.despite_unread |= not (args.verify or args.candidates)  # a drawing is no verdict
    if args.title and not args.output:
        print(f"{args.title}\n")
    views = []
    with _options.pipeline_of(args) as pipeline, Results(args, *_DRAWN) as results:
        for number, item in results.puzzles(items_of(args, parts=args.verify)):
            try:
                view = _view(args, item, pipeline, results)._replace(note=item.missing())
            except NotUnderstoodError as problem:
                results.bad(problem, number, item)
                continue
            if args.output:
                views.append(view)
            else:
                print(board_text(view.board, colour=colour, **view.options))
                print(view.result + f"{view.note}\n" * bool(view.note), end="")
    if args.output and views:
        alone = len(views) == 1
        theme: Theme = "auto" if path.suffix.casefold() == ".html" or (alone and path.suffix == ".svg") else "light"
        headings = [args.title] if alone else [f"{n}: {v.word}" if v.word else str(n) for n, v in enumerate(views, 1)]
        pictures = [
            board_svg(view.board, theme=theme, heading=heading, notes=[view.note], **view.options)
            for heading, view in zip(headings, views, strict=True)
        ]
        save(pictures, path, "" if alone else args.title)
        print("".join(view.result for view in views), end="")
    return results.exit_code


class _View(NamedTuple):
    """The board to be drawn, the options of the drawing, the verdict in a word and as a line, and a note."""

    board: Board
    options: dict[str, Any]
    word: str = ""
    result: str = ""
    note: str = ""


def _view(args: argparse.Namespace, item: Puzzle, pipeline: Pipeline, results: Results) -> _View:
    """Decide what is drawn of a puzzle, and count it. Raises ``NotUnderstoodError``."""
    from gridproof.explanations import DEFAULT_BACKEND, candidates
    from gridproof.trust.record import VerdictRecord

    board = item.board
    if args.verify:
        in_part = item.not_understood and not args.despite_unread
        verdict = pipeline.verify(item if in_part else board)
        results.add(VerdictRecord.of(verdict), verdict)
        return _View(*verdict.view(), str(verdict.status), f"{verdict.sentence()}\n")
    word, view = str(Status.SOLVED), _View(board, {})
    if args.candidates:
        try:
            answer = candidates(board, args.backend or DEFAULT_BACKEND, args.encoding, limits=pipeline.limits)
        except Interrupted as problem:
            word = str(Status.UNDECIDED)
            view = _View(board, {}, word, f"{word}: {problem}\n")
        else:
            view = _View(board, {"candidates": answer.masks})
            if not answer.witnesses:
                word = "no candidates"
                view = _View(board, {}, word, f"{word}: the puzzle has no solution\n")
    results.count(word)
    return view
