"""Make puzzles with exactly one solution.

Clues are taken away from random grids as long as they can be ("top-down"). Each puzzle is verified, and minimal unless
--clues requires more: no clue can be left out (with --symmetry: no set of clues that belong together). The same seed,
version and options give the same bytes, whatever --jobs; without --seed, a new one is drawn and written to standard
error. Boards without rules up to 9x9 are made thousands at a time; larger ones, and boards with rules, one by one by a
SAT solver. On 25x25 it may not come to an end: clues that are not decided by then stay (the column `minimal` has `no`).

The output has a puzzle on each line; with rules, as a string of the Interactive Sudoku Solver. A rule that this program
does not have, such as one of your own kinds, is written as TOML: one puzzle as a file, several as JSON lines. --to and
-o write any other format, or a table with puzzle, solution, the number of clues, seed, number of the attempt, and with
--rate what `gridproof rate` measures; JSON lines also state board, digits and rules as data, and the digest of the
canonical form. --split 90/10 makes sets that share no puzzle in whatever guise. --html writes pages to be printed, with
the solutions at the end: each puzzle with its grade, where it is known, and with --cost also that. Ctrl-C keeps what is
finished.

If no puzzle comes for 2 seconds, a line states what the attempts have given: how many clues, what cost. Without one
for --patience seconds, or after very many attempts, it ends with an error.

exit codes:
    0    all puzzles are made
    1    the rules leave one solution without any clue, so there is one puzzle
    3    a bug, please report it: two independent checks disagree, or a backend crashed

examples:
    gridproof generate 5 --symmetry half-turn --seed 7
    gridproof generate 3 --order 16 --clues 100..110
    gridproof generate --rule anti-knight
    gridproof generate 6 --grade easy -o easy.csv --html easy.html --title 'Six easy ones'
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from secrets import randbits
from typing import Any

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._streams import to_stderr
from gridproof.cli._way_out import add_way_out, wishes_of
from gridproof.errors import DisagreementError, InputError, PuzzleFormatError
from gridproof.formats import Shape, parse, read
from gridproof.formats.shapes import geometry_of
from gridproof.generation.recipe import Generated, Recipe, read_symmetry
from gridproof.generation.tally import PATIENCE
from gridproof.output.generated import made_of, open_way_out
from gridproof.output.pages import write_pages
from gridproof.pictures.book import PER_PAGE, import_packages
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.runs.progress import ProgressBar


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [N] [OPTION ...]"
    parser.add_argument("count", metavar="N", nargs="?", type=int, default=1, help="the number of puzzles (default: 1)")
    group = parser.add_argument_group("the puzzles")
    text = "the number of clues; where fewer would do, clues stay until there are MIN"
    _options.value(group, "--clues", "MIN..MAX", text, type=span_of(int))
    _options.flag(group, "--minimal", "only minimal puzzles, also with --clues, or with rules and a grade")
    text = "of the places of clues: half-turn, quarter-turn, horizontal, vertical, diagonal, full (all) or none"
    _options.value(group, "--symmetry", "NAME", text, default="none")
    text = "where clues may stand: a text with a character for each cell, . where none may"
    _options.value(group, "--pattern", "FILE", text)
    _options.flag(group, "--killer", "cages in place of clues: random layouts, until one leaves one solution")
    text = "the cost of the hardest step, as `gridproof rate` measures it"
    _options.value(group, "--cost", "MIN..MAX", text, type=span_of(float))
    _options.value(group, "--grade", "NAME", "the grade, as `gridproof rate` gives it, such as easy")
    _options.flag(group, "--distinct", "no two puzzles that are equal up to symmetry")
    _options.value(group, "--unlike", "FILE", "no puzzle that is equal to one of this file up to symmetry")
    _options.number(group, "--seed", "seed of all random choices (default: another one each time)", least=0)
    _options.number(group, "--jobs", "worker processes", 1)
    _options.seconds(group, "--patience", "seconds without a puzzle after which it ends", PATIENCE)
    _options.number(group, "--order", "the number of symbols (default: 9, or that of the shape)")
    _options.add_shape(parser)
    text = "a puzzle file, such as TOML or a link: its shape and rules, without clues"
    _options.value(parser, "--rules", "FILE", text)
    output = parser.add_argument_group("output")
    add_way_out(output, "a puzzle on each line", reads=False)
    text = "pages to be printed, with the solutions at the end: a name that ends in .html or .pdf"
    _options.value(output, "--html --book", "FILE", text)
    _options.number(output, "--per-page", "puzzles on a page of a .pdf", PER_PAGE)
    _options.value(output, "--title", "TEXT", "a heading for these pages", default="")
    _options.flag(output, "-q --quiet", "no progress, and nothing on standard error but errors")


def span_of(kind: type) -> Any:
    def span(text: str) -> tuple[Any, ...]:
        try:
            return tuple(kind(end) for end in text.split(".."))
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r}; expected a number, or MIN..MAX") from None

    return span


def run(args: Options) -> int:
    from gridproof.generation.making import puzzles  # with NumPy, which help and mistyped options do not need

    board = read_board(args.rules, args.shape, args.order)
    recipe = Recipe(
        shape=board.geometry,
        rules=[*board.rules, *_options.parse_rules(args.rule)],
        clues=args.clues,
        minimal=args.minimal,
        symmetry=read_symmetry(args.symmetry),
        pattern=None if args.pattern is None else Path(args.pattern).read_text(encoding="utf-8-sig"),
        killer=args.killer,
        cost=args.cost,
        grade=args.grade,
        rated=args.rate,
        seed=randbits(48) if args.seed is None else args.seed,
    )
    check_page(args.html, force=args.force)
    way_out = open_way_out(wishes_of(args), recipe, args.count, args.symbols)
    if args.seed is None and not args.quiet:
        to_stderr(f"gridproof: seed {recipe.seed}")
    made: list[Generated] = []
    number = 0
    needs_no_clue = False
    with ExitStack() as stack:
        bar = stack.enter_context(ProgressBar("puzzles", wanted=not args.quiet))
        # whatever ends the run: what is finished is kept
        stack.enter_context(way_out)
        if args.html:
            write = partial(write_pages, per_page=args.per_page, symbols=args.symbols)
            stack.callback(write, made, args.html, args.title, with_cost=args.cost is not None)

        def report(line: str) -> None:
            if not args.quiet:
                bar.clear()
                to_stderr(f"gridproof: {line}")

        wanted = partial(puzzles, args.count, recipe, jobs=args.jobs, distinct=args.distinct, patience=args.patience)
        if args.unlike:
            wanted = partial(wanted, unlike=read_others(args.unlike, recipe.shape))
        try:
            for puzzle in wanted(progress=bar, report=report):
                number += 1
                needs_no_clue = not (puzzle.board.clue_count or args.killer)
                if args.html:
                    made.append(puzzle)
                if not args.output:
                    bar.clear()
                way_out.add(made_of(puzzle, recipe, args.symbols))
        except DisagreementError as problem:
            to_stderr(f"gridproof: DISAGREEMENT: {problem}")
            return 3
    if needs_no_clue and not args.quiet:
        to_stderr("gridproof: no clues are needed: the rules leave exactly one solution, so this is the only puzzle")
    if way_out.summary and not args.quiet:
        to_stderr(way_out.summary)
    return int(number < args.count)


def read_board(file: str | None, shape: Shape, order: int | None) -> Board:
    """Return an empty board with the rules of a file, if there is one. Raises ``InputError``."""
    if file is None:
        board = Board.empty(geometry_of(shape, order or 9))
    else:
        board = parse(Path(file), shape)
        if board.clue_count or board.marks is not None:
            what = "a puzzle with clues or pencil marks; expected shape and rules alone"
            raise InputError(f"--rules {file}: {what}")
    if order not in (None, board.geometry.order):
        shown = board.geometry.description
        raise InputError(f"--order {order} with a board of {shown}; expected no --order, or the same")
    return board


def read_others(file: str, shape: Geometry) -> list[Board]:
    """Return the puzzles of a file to which none may be equal. Raises ``InputError`` for a row that is no puzzle."""
    boards = []
    for item in read(Path(file), shape):
        if isinstance(item, PuzzleFormatError):
            raise item
        boards.append(item.board)
    return boards


def check_page(file: str | None, *, force: bool) -> None:
    """Raise ``InputError`` if a page cannot be written, or is not to be overwritten."""
    if file is None:
        return
    if Path(file).exists() and not force:
        raise InputError(f"--html: {file} exists already; expected --force to overwrite it, or another name")
    if Path(file).suffix.casefold() == ".pdf":
        import_packages(Path(file))
    if not Path(file).resolve().parent.is_dir():
        raise InputError(f"--html: {file} is in no folder; expected a name in a folder that exists")
