"""Draw puzzles, on the terminal or as SVG, PNG, PDF or HTML.

--verify draws the solution, or two solutions where they differ, and prints the verdict. What was not understood is
counted under the board. Several puzzles go on one page of HTML. PNG and PDF need the extra `picture`. --widget writes a
page of its own, with a slider for the steps to each solution; it needs neither Jupyter nor a network.

exit codes:
    0    every puzzle is drawn
    1    a puzzle is undecided (with --verify)
    3    a bug, please report it: two independent checks disagree, or a backend crashed

examples:
    gridproof show examples/two-solutions.txt --verify -o differences.svg
    gridproof show examples/well-known.txt --title "Well known" -o page.html
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from gridproof.cli import _options, on_terminal
from gridproof.cli._results import Results, items_of
from gridproof.formats.drawn import sketches_of
from gridproof.formats.puzzle import Puzzle
from gridproof.limits import Limits
from gridproof.pictures import board_svg, board_text
from gridproof.pictures.colours import Theme
from gridproof.pictures.document import html_page, save, save_text
from gridproof.solving import slides, steps
from gridproof.trust.answer import Status
from gridproof.trust.record import VerdictRecord
from gridproof.trust.verdict import Verdict

_LONGEST_PATH = 60.0
"""Seconds for the steps of a puzzle."""

_DRAWN = (Status.UNIQUE, Status.MULTIPLE, Status.NONE, Status.SOLVED)


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    group = parser.add_argument_group("what is drawn")
    _options.flag(group, "--verify", "draw the solution, or two where they differ, and show the verdict")
    _options.value(group, "--title", "TEXT", "a heading above the drawing", default="")
    _options.value(group, "--widget", "FILE", "write a page with each puzzle and the steps to its solution")
    _options.add_file(group, _options.PICTURE)
    _options.add_cross_check(_options.add_backend(parser))


def run(args: argparse.Namespace) -> int:
    if args.widget:
        return _lessons(args)
    path = _options.picture_path(args)
    colour = on_terminal(sys.stdout) and "NO_COLOR" not in os.environ
    args.despite_unread |= not args.verify  # a drawing is no verdict
    if args.title and not args.output:
        print(f"{args.title}\n")
    views: list[tuple[str, str, dict[str, Any]]] = []  # the verdict in a word and as a line, and what is drawn

    def ask(puzzle: Puzzle) -> Verdict | None:
        if not args.verify:
            return None
        return pipeline.verify(puzzle if puzzle.not_understood and not args.despite_unread else puzzle.board)

    with _options.pipeline_of(args) as pipeline, Results(args, *_DRAWN) as results:
        for _, item, verdict in results.answers(ask, items_of(args, parts=args.verify)):
            drawn: dict[str, Any] = {"board": item.board}
            word = result = ""
            if verdict is None:
                results.count(Status.SOLVED)
            else:
                results.add(VerdictRecord.of(verdict), verdict)
                board, options = verdict.view()
                drawn, word, result = {"board": board, **options}, verdict.status, f"{verdict.sentence()}\n"
            if args.output:
                views.append((word, result, {"notes": [item.missing()], "sketch": sketches_of(item), **drawn}))
            else:
                print(board_text(**drawn, colour=colour))
                print(result + f"{item.missing()}\n" * bool(item.missing()), end="")
    if views:
        alone = len(views) == 1
        theme: Theme = "auto" if path.suffix.casefold() in (".html", ".svg") else "light"
        pictures = []
        for number, (word, result, drawn) in enumerate(views, 1):
            heading = args.title if alone else f"{number}: {word}" if word else str(number)
            pictures.append(board_svg(**drawn, theme=theme, heading=heading))
            print(result, end="")
        save(pictures, path, "" if alone else args.title)
    return results.exit_code


def _lessons(args: argparse.Namespace) -> int:
    """Write a page with each puzzle and a slider for the steps to its solution."""

    _options.refuse_to_overwrite(argparse.Namespace(output=args.widget, force=args.force))
    parts: list[str] = []
    limits = Limits(seconds=_LONGEST_PATH)
    with Results(args, *_DRAWN) as results:
        for _, item, path in results.answers(lambda puzzle: [*steps(puzzle, limits=limits)], items_of(args)):
            results.count(Status.SOLVED)
            parts.append(item._repr_html_())
            parts.append(slides(path)._repr_html_() if path else "<p>There are several solutions: nothing follows.</p>")
    if parts:
        save_text(args.widget, html_page(args.title or "Puzzles", "", "\n".join(parts)))
    return results.exit_code
