"""Draw puzzles, on the terminal or as SVG, PNG, PDF or HTML.

--verify draws the solution, or two solutions where they differ, and prints the verdict. What was not understood is
counted under the board. --symbols names the symbols; a puzzle in letters is drawn in letters. Several puzzles become a
page of HTML, or a book as PDF: --per-page boards on a page, --grades above them, --solutions at the end. PNG and PDF
need the extra `picture`. --widget writes a page of its own, with a slider for the steps to each solution; it needs
neither Jupyter nor a network.

exit codes:
    0    every puzzle is drawn
    1    a puzzle is undecided (with --verify)
    2    a puzzle cannot be drawn, or is too large for --grades (the others are drawn)
    3    a bug, please report it: two independent checks disagree, or a backend crashed

examples:
    gridproof show examples/two-solutions.txt --verify -o differences.svg
    gridproof show examples/well-known.txt --title "Well known" -o page.html
    gridproof show examples/two-solutions.txt --solutions --per-page 2 -o book.pdf --force
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Self

from gridproof.cli import _options
from gridproof.cli._inputs import Inputs
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.cli._streams import on_terminal
from gridproof.errors import InputError
from gridproof.formats.drawn import groups_of, note_of_unread, sketches_of
from gridproof.formats.puzzle import Puzzle
from gridproof.limits import Limits
from gridproof.pictures import Svg, board_svg, board_text
from gridproof.pictures.book import PER_PAGE
from gridproof.pictures.colours import Theme
from gridproof.pictures.document import html_page, save, save_text
from gridproof.pictures.pages import draw_solution, save_pages, theme_of
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.grid import Grid
from gridproof.solving import rate, slides, steps
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
    _options.flag(group, "--solutions", "the solutions, on pages of their own at the end of a .pdf or .html")
    _options.flag(group, "--grades", "the grade of each puzzle above it")
    _options.number(group, "--per-page", "boards on a page of a .pdf with several", PER_PAGE)
    _options.add_symbols(group)
    _options.value(group, "--widget", "FILE", "write a page with each puzzle and the steps to its solution")
    _options.add_file(group, _options.PICTURE)
    _options.add_cross_check(_options.add_backend(parser))


def run(args: Options) -> int:
    if args.widget:
        return write_lessons(args.inputs, args.widget, args.title, force=args.force)
    path = output_of(args)
    colour = on_terminal(sys.stdout) and "NO_COLOR" not in os.environ
    despite_unread = args.despite_unread or not args.verify  # a drawing is no verdict
    inputs = replace(args.inputs, despite_unread=despite_unread)
    if args.title and not args.output:
        print(f"{args.title}\n")
    views: list[_View] = []
    with args.open_pipeline() as pipeline, Results(inputs, *_DRAWN) as results:

        def look_at(puzzle: Puzzle) -> _View:
            verdict = None
            if args.verify:
                verdict = pipeline.verify(puzzle, despite_unread=despite_unread)
            grade = str(rate(puzzle.board).grade) if args.grades else ""
            solution = find_solution(puzzle.board, pipeline) if args.solutions else None
            return _View.of(puzzle, verdict, grade, solution)

        for _, puzzle, view in results.answers(look_at, inputs.items(parts=args.verify)):
            if view.verdict is None:
                results.count(Status.SOLVED)
            else:
                results.add(VerdictRecord.of(view.verdict), view.verdict)
            if path is None:
                print(board_text(view.board, **view.drawn, colour=colour, symbols=puzzle.symbol_texts))
                print(view.sentence, end="")
                if note := note_of_unread(puzzle, groups_of(puzzle), in_picture=False):
                    print(note)
            else:
                views.append(view)
    if path is not None and views:
        save_views(views, path, args.title, per_page=args.per_page)
    return results.exit_code


class _View(NamedTuple):
    """A puzzle as it is drawn.

    drawn: the options of the drawing. grade: empty if it is not wanted. solution: the only one, if that is wanted.
    """

    puzzle: Puzzle
    board: Board
    drawn: dict[str, Any]
    verdict: Verdict | None
    grade: str
    solution: Grid | None

    @classmethod
    def of(cls, puzzle: Puzzle, verdict: Verdict | None, grade: str, solution: Grid | None) -> Self:
        """Return the view of a puzzle; with a verdict, that of its solutions."""
        board = puzzle.board
        drawn: dict[str, Any] = {}
        if verdict is not None:
            board, drawn = verdict.view()
        return cls(puzzle, board, drawn, verdict, grade, solution)

    @property
    def sentence(self) -> str:
        """The verdict as a line; empty without one."""
        return "" if self.verdict is None else f"{self.verdict.sentence()}\n"


def output_of(args: Options) -> Path | None:
    """Return the path of the pictures, if there are any. Raises ``InputError`` for options that need one."""
    if args.output:
        return _options.picture_path(args.output, force=args.force)
    if args.solutions or args.grades:
        raise InputError("--solutions or --grades without -o; expected the file that they are written to")
    return None


def find_solution(board: Board, pipeline: Pipeline) -> Grid | None:
    """Return the solution of a board that has exactly one; else ``None``."""
    verdict = pipeline.verify(board)
    return verdict.solutions[0] if verdict.status is Status.UNIQUE else None


def draw_solutions(views: Sequence[_View], theme: Theme) -> list[Svg]:
    """Return the pictures of those solutions that are wanted."""
    pictures: list[Svg] = []
    for number, view in enumerate(views, 1):
        if view.solution is not None:
            puzzle = view.puzzle
            pictures.append(draw_solution(puzzle.board, view.solution, number, theme, puzzle.symbol_texts))
    return pictures


def save_views(views: Sequence[_View], path: Path, title: str, *, per_page: int) -> None:
    """Write the pictures to a file, and print the verdicts. per_page: boards on a page of a book as PDF."""
    theme = theme_of(path)
    solutions = draw_solutions(views, theme)
    is_alone = len(views) == 1 and not solutions
    pictures = []
    for number, view in enumerate(views, 1):
        heading = str(number)
        if is_alone:
            heading = title
        elif view.verdict is not None:
            heading += f": {view.verdict.status}"
        if view.grade:
            heading += f" · {view.grade}"
        groups = groups_of(view.puzzle)
        picture = board_svg(
            view.board,
            heading=heading,
            notes=[note_of_unread(view.puzzle, groups, in_picture=True)],
            sketch=sketches_of(groups, view.board),
            symbols=view.puzzle.symbol_texts,
            theme=theme,
            **view.drawn,
        )
        pictures.append(picture)
        print(view.sentence, end="")
    has_pages = path.suffix.casefold() in (".pdf", ".html")
    if has_pages and not is_alone:
        save_pages(path, pictures, title, solutions, per_page=per_page)
    else:
        save(pictures, path, "" if is_alone else title)


def write_lessons(inputs: Inputs, path: str, title: str, *, force: bool) -> int:
    """Write a page with each puzzle and a slider for the steps to its solution; return the exit code."""
    _options.refuse_to_overwrite(path, force=force)
    parts: list[str] = []
    results = Results(inputs, *_DRAWN)
    limits = Limits(seconds=_LONGEST_PATH)
    for _, puzzle, walk in results.answers(lambda puzzle: list(steps(puzzle, limits=limits))):
        results.count(Status.SOLVED)
        parts.append(puzzle.with_named_symbols()._repr_html_())
        if walk:
            parts.append(slides(walk)._repr_html_())
        else:
            parts.append("<p>There are several solutions: nothing follows.</p>")
    if parts:
        save_text(path, html_page(title or "Puzzles", "", "\n".join(parts)))
    return results.exit_code
