"""Make puzzles with exactly one solution.

Clues are taken away from random grids as long as they can be ("top-down"). Each puzzle is verified, and minimal unless
--clues requires more: no clue can be left out (with --symmetry: no set of clues that belong together). The same seed,
version and options give the same bytes, whatever --jobs; without --seed, a new one is drawn and written to standard
error. Boards without rules up to 9x9 are made thousands at a time; larger ones, and boards with rules, one by one by a
SAT solver. On 25x25 it may not come to an end: clues that are not decided by then stay (the column `minimal` has `no`).

The output has a puzzle on each line; with rules, as a string of the Interactive Sudoku Solver. -o writes a table with
puzzle, solution, the number of clues, seed, number of the attempt, and, with --rate, what `gridproof rate` measures.
--html writes pages to be printed, with the solutions at the end. Ctrl-C keeps what is finished.

exit codes:
    0    all puzzles are made
    1    the rules leave one solution without any clue, so there is one puzzle
    3    a bug, please report it: two independent checks disagree, or a backend crashed

examples:
    gridproof generate 5 --symmetry half-turn --seed 7
    gridproof generate 3 --order 16 --clues 100..110
    gridproof generate --rule anti-knight
    gridproof generate 6 --cost 2..3 -o easy.csv --html easy.html --title 'Six easy ones'
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, get_args

from gridproof.cli import _options, to_stderr
from gridproof.errors import DisagreementError, InputError
from gridproof.formats import parse, to_line
from gridproof.generation.recipe import Generated, Recipe, Symmetry
from gridproof.pictures import board_svg
from gridproof.pictures.document import save_text, web_page
from gridproof.puzzle.board import Board
from gridproof.runs import tables
from gridproof.runs.progress import ProgressBar
from gridproof.verbs import convert


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [N] [OPTION ...]"
    parser.add_argument("count", metavar="N", nargs="?", type=int, default=1, help="the number of puzzles (default: 1)")
    group = parser.add_argument_group("the puzzles")
    text = "the number of clues; where fewer would do, clues stay until there are MIN"
    _options.value(group, "--clues", "MIN..MAX", text, type=_span_of(int))
    _options.flag(group, "--minimal", "only minimal puzzles, also with --clues")
    text = "of the places of clues: half-turn, quarter-turn, horizontal, vertical, diagonal, full (all) or none"
    _options.value(group, "--symmetry", "NAME", text, choices=get_args(Symmetry), default="none")
    text = "where clues may stand: a text with a character for each cell, . where none may"
    _options.value(group, "--pattern", "FILE", text)
    _options.flag(group, "--killer", "cages in place of clues: random layouts, until one leaves one solution")
    _options.value(group, "--cost", "MIN..MAX", "the rating, as `gridproof rate` measures it", type=_span_of(float))
    _options.flag(group, "--distinct", "no two puzzles that are equal up to symmetry")
    _options.number(group, "--seed", "seed of all random choices (default: another one each time)", least=0)
    _options.number(group, "--jobs", "worker processes", 1)
    _options.number(group, "--order", "the number of symbols (default: 9, or that of the shape)")
    _options.add_shape(parser)
    text = "a puzzle file, such as TOML or a link: its shape and rules, without clues"
    _options.value(parser, "--rules", "FILE", text)
    output = parser.add_argument_group("output")
    _options.flag(output, "--rate", "rate each puzzle: further columns of the table")
    _options.value(output, "--html", "FILE", "pages to be printed, with the solutions at the end")
    _options.value(output, "--title", "TEXT", "a heading for these pages", default="")
    _options.flag(output, "-q --quiet", "no progress, and nothing on standard error but errors")
    _options.add_file(output, "a table: a name that ends in .csv, .parquet or .jsonl (default: lines to read)")


def _span_of(kind: type) -> Any:
    def span(text: str) -> tuple[Any, ...]:
        try:
            return tuple(map(kind, text.split("..")))
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r}; expected a number, or MIN..MAX") from None

    return span


def run(args: argparse.Namespace) -> int:
    from gridproof.generation.making import puzzles  # with NumPy, which help and mistyped options do not need

    recipe, made, number, empty = _recipe(args), list[Any](), 0, False
    _options.refuse_to_overwrite(args)
    if args.html and Path(args.html).exists() and not args.force:
        raise InputError(f"--html: {args.html} exists already; expected --force to overwrite it, or another name")
    if args.html and not Path(args.html).resolve().parent.is_dir():
        raise InputError(f"--html: {args.html} is in no folder; expected a name in a folder that exists")
    if args.output:
        tables.target(args.output)
    if args.seed is None and not args.quiet:
        to_stderr(f"gridproof: seed {recipe.seed}")
    with ExitStack() as stack:
        bar = stack.enter_context(ProgressBar("puzzles", wanted=not args.quiet))
        # whatever ends the run: what is finished is kept
        if args.output:
            stack.callback(_write_table, made, args, recipe)
        if args.html:
            stack.callback(_write_pages, made, Path(args.html), args.title)
        try:
            for one in puzzles(args.count, recipe, jobs=args.jobs, distinct=args.distinct, progress=bar):
                number += 1
                empty = not (one.board.clue_count or args.killer)
                if args.output or args.html:
                    made.append(one)
                if not args.output:
                    bar.clear()
                    print(_text(one), flush=True)
        except DisagreementError as problem:
            to_stderr(f"gridproof: DISAGREEMENT: {problem}")
            return 3
    if empty and not args.quiet:
        to_stderr("gridproof: no clues are needed: the rules leave exactly one solution, so this is the only puzzle")
    return int(number < args.count)


def _recipe(args: argparse.Namespace) -> Recipe:
    shape = _options.shape_of(args)
    if args.rules is not None:
        board = parse(Path(args.rules), shape)
        if board.clue_count or board.marks is not None:
            what = "a puzzle with clues or pencil marks; expected shape and rules alone"
            raise InputError(f"--rules {args.rules}: {what}")
    else:
        board = Board.empty(shape(args.order or 9) if callable(shape) else shape)
    if args.order not in (None, board.geometry.order):
        shown = board.geometry.description
        raise InputError(f"--order {args.order} with a board of {shown}; expected no --order, or the same")
    same = ("clues", "minimal", "symmetry", "killer", "cost")
    return Recipe(
        shape=board.geometry,
        rules=[*board.rules, *_options.rules_of(args)],
        pattern=None if args.pattern is None else Path(args.pattern).read_text(encoding="utf-8-sig"),
        rated=args.rate or bool(args.cost),
        **{name: getattr(args, name) for name in same},
        **({} if args.seed is None else {"seed": args.seed}),
    )


def _text(made: Generated) -> str:
    """Return a puzzle on a line."""

    board = made.board
    return convert(board, "iss").rstrip("\n") if board.rules else to_line(board.clues, board.geometry)


def _write_table(made: Sequence[Generated], args: argparse.Namespace, recipe: Recipe) -> None:
    types = {"puzzle": "string", "solution": "string", "clues": "int64"}
    types |= {"seed": "int64", "number": "int64", "minimal": "string"}
    ratings = {"cost": "float64", "hardest": "float64", "times": "int64", "total": "float64"}
    ratings |= {"rounds": "int64", "width": "int64", "name": "string"}
    rows = []
    for one in made:
        board, rating = one.board, one.rating
        measured: dict[str, Any] = {} if rating is None else rating.as_dict()
        row = [_text(one), to_line(one.solution, board.geometry), board.clue_count, recipe.seed, one.number]
        rows.append([*row, "yes" if one.minimal else "no", *(measured[name] for name in ratings if recipe.rated)])
    types |= ratings if recipe.rated else {}
    if rows:
        tables.write(args.output, types, list(zip(*rows, strict=True)))


def _write_pages(made: Sequence[Generated], path: Path, title: str) -> None:
    """Write puzzles, and then their solutions in small, as HTML that is printed on several pages."""

    boards, solved = [], []
    for number, one in enumerate(made, 1):
        cost = f" · cost {one.rating.cost:.1f}" if one.rating else ""
        boards.append(board_svg(one.board, heading=f"{number}{cost}"))
        entries = [0 if clue else symbol for symbol, clue in zip(one.solution, one.board.clues, strict=True)]
        solved.append(board_svg(one.board.with_filled(entries), heading=str(number)))
    save_text(path, web_page(boards, title, solved))
