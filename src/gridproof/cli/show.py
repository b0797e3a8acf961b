"""Draw puzzles: on the terminal, or as SVG, PNG, PDF or HTML.

--verify draws the solution, or two solutions where they differ, and shows the verdict. --candidates draws the symbols
that each cell takes in any solution. Several puzzles go on one page (A4; HTML takes any number). PNG and PDF need the
extra `picture`.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gridproof.cli import _exit_codes, _options
from gridproof.cli._complaints import on_terminal

if TYPE_CHECKING:
    from gridproof.cli._results import Tally
    from gridproof.pipeline import Pipeline
    from gridproof.puzzle.board import Board
    from gridproof.show.colours import Theme

SUMMARY = "draw puzzles, on the terminal or as SVG, PNG, PDF or HTML"
EXIT_CODES = {
    0: "every puzzle is drawn",
    1: "a puzzle is undecided (with --verify or --candidates) or has no solution (with --candidates)",
    3: _exit_codes.DISAGREEMENT,
}
EXAMPLES = (
    "gridproof show examples/two-solutions.txt --verify -o differences.svg",
    'gridproof show examples/well-known.txt --title "Well known" -o page.html',
)


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    group = parser.add_argument_group("what is drawn")
    either = group.add_mutually_exclusive_group()
    either.add_argument(
        "--verify", action="store_true", help="draw the solution, or two where they differ, and show the verdict"
    )
    either.add_argument(
        "--candidates", action="store_true", help="draw the symbols that each cell takes in any solution"
    )
    group.add_argument("--title", metavar="TEXT", default="", help="a heading above the drawing")
    group.add_argument("-o", "--output", metavar="FILE", help="a name that ends in .svg, .png, .pdf or .html")
    group.add_argument("--force", action="store_true", help="overwrite the file if it exists")
    _options.add_cross_check(_options.add_backend(parser))


def run(args: argparse.Namespace) -> int:
    from gridproof.cli._results import Tally
    from gridproof.errors import InputError, PuzzleFormatError
    from gridproof.show import board_svg, board_text
    from gridproof.show.sheet import ENDINGS, save

    path = Path(args.output) if args.output else None
    if path and path.suffix.casefold() not in ENDINGS:
        raise InputError(f"-o {args.output!r}; expected a name that ends in {', '.join(ENDINGS)}")
    if path and path.exists() and not args.force:
        raise InputError(f"{path} exists already; expected another name, or --force")
    tally, codes, views = Tally(args, ""), {0}, list[_View]()
    colour = on_terminal(sys.stdout) and "NO_COLOR" not in os.environ
    args.despite_unread |= not (args.verify or args.candidates)  # a drawing is no verdict
    if args.title and not path:
        print(f"{args.title}\n")
    with _options.pipeline_of(args) as pipeline:
        for item in _options.items_of(args):
            if isinstance(item, PuzzleFormatError):
                tally.malformed(item, in_result=False)
                codes.add(2)
                continue
            tally.complaints.good()
            view = _view(args, item.board, pipeline, tally)
            codes.add(view.code)
            if path:
                views.append(view)
            else:
                print(board_text(view.board, colour=colour, **view.shown))
                if view.said:
                    print(view.said)
    tally.complaints.end()
    if path and views:
        alone = len(views) == 1
        theme: Theme = "auto" if path.suffix.casefold() == ".html" or (alone and path.suffix == ".svg") else "light"
        pictures = [
            board_svg(view.board, theme=theme, heading=args.title if alone else _heading(number, view), **view.shown)
            for number, view in enumerate(views, 1)
        ]
        save(pictures, path, "" if alone else args.title)
        print("".join(f"{view.said}\n" for view in views if view.said), end="")
    return max(codes)


class _View(NamedTuple):
    """What is drawn of a puzzle (board, and arguments of the drawings), what is said beside it, and the exit code."""

    board: Board
    shown: dict[str, Any]
    word: str = ""
    said: str = ""
    code: int = 0


def _view(args: argparse.Namespace, board: Board, pipeline: Pipeline, tally: Tally) -> _View:
    from gridproof.errors import Interrupted
    from gridproof.explain import true_candidates
    from gridproof.show.cards import verdict_sentence, verdict_view

    if args.verify:
        verdict = pipeline.verify(board)
        if verdict.status == "disagreement":
            tally.report(verdict)
        code = {"undecided": 1, "disagreement": 3}.get(verdict.status, 0)
        return _View(*verdict_view(verdict), str(verdict.status), verdict_sentence(verdict), code)
    if args.candidates:
        try:
            found = true_candidates(board, limits=pipeline.limits)
        except Interrupted as problem:
            return _View(board, {}, "undecided", f"undecided: {problem}", 1)
        if not found.witnesses:
            return _View(board, {}, "no candidates", "no candidates: the puzzle has no solution", 1)
        return _View(board, {"candidates": found.masks})
    return _View(board, {})


def _heading(number: int, view: _View) -> str:
    return f"{number}: {view.word}" if view.word else str(number)
