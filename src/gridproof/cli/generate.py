"""Make puzzles with exactly one solution: from random grids, clues are taken away as long as they can be ("top-down").

Each puzzle is verified, and minimal unless --clues wants more: no clue can be left out (with --symmetry: no set of
clues that belong together). The same seed, version and options give the same bytes, whatever --jobs; without --seed, a
new one is drawn and written to standard error. Boards without rules up to 9x9 are made thousands at a time; larger
ones, and boards with rules, one by one by a SAT solver. On 25x25 it may not come to an end: clues that are not decided
by then stay (the column `minimal` has `no`).

The output has a puzzle on each line; with rules, as a string of the Interactive Sudoku Solver. -o writes a table with
puzzle, solution, the number of clues, seed, number of the attempt, and, with --rate, what `gridproof rate` measures.
--html writes pages to be printed, with the solutions at the end. Ctrl-C keeps what is finished.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from gridproof.cli import DISAGREEMENT, _options, to_stderr
from gridproof.errors import DisagreementError, InputError

if TYPE_CHECKING:
    from gridproof.generation.recipe import Generated, Recipe

GROUP = "puzzles"
SUMMARY = "make puzzles with exactly one solution"
EXIT_CODES = {0: "all puzzles are made", 1: "the rules leave one solution without any clue, so there is one puzzle",
              3: DISAGREEMENT}  # fmt: skip
EXAMPLES = (
    "gridproof generate 5 --symmetry half-turn --seed 7",
    "gridproof generate 3 --order 16 --clues 100..110",
    "gridproof generate --rule anti-knight",
    "gridproof generate 20 --cost 2..3 -o easy.csv --html easy.html --title 'Twenty easy ones'",
)

_ROWS_AT_ONCE = 1_000


def configure(parser: argparse.ArgumentParser) -> None:
    from gridproof.generation.recipe import Symmetry

    parser.usage = "%(prog)s [N] [OPTION ...]"
    parser.add_argument("count", metavar="N", nargs="?", type=int, default=1, help="the number of puzzles (default: 1)")
    group = parser.add_argument_group("the puzzles")
    text = "the number of clues; where fewer would do, clues stay until there are MIN"
    _options.value(group, "--clues", "MIN..MAX", text, type=_span_of(int))
    _options.flag(group, "--minimal", "only minimal puzzles, also with --clues")
    text = (
        "of the places of clues: half-turn, quarter-turn, horizontal (upper and lower half), vertical (left and right "
        "half), diagonal, full (all of these) or none (default)"
    )
    _options.value(group, "--symmetry", "NAME", text, choices=get_args(Symmetry), default="none")
    text = "where clues may stand: a text with a character for each cell, . where none may"
    _options.value(group, "--pattern", "FILE", text)
    _options.flag(group, "--killer", "cages in place of clues: random layouts, until one leaves one solution")
    _options.value(group, "--cost", "MIN..MAX", "the rating, as `gridproof rate` measures it", type=_span_of(float))
    _options.flag(group, "--distinct", "no two puzzles that are equal up to symmetry")
    _options.number(group, "--seed", "seed of all random choices (default: another one each time)", least=0)
    _options.number(group, "--jobs", "worker processes", 1)
    _options.number(group, "--order", "the number of symbols", 9)
    _options.add_shape(parser)
    _options.value(
        parser, "--rules", "FILE", "a puzzle file, such as TOML or a link: its shape and rules, without clues"
    )
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
    from gridproof.generation.making import puzzles
    from gridproof.runs.progress import ProgressBar

    recipe, made, number, empty = _recipe(args), list[Any](), 0, False
    _options.refuse_to_overwrite(args)
    if args.html and Path(args.html).exists() and not args.force:
        raise InputError(f"--html: {args.html} exists already; expected --force to overwrite it, or another name")
    if args.seed is None and not args.quiet:
        to_stderr(f"gridproof: seed {recipe.seed}")
    with ExitStack() as stack:
        write = stack.enter_context(_Table(args, recipe)) if args.output else _write_line
        bar = stack.enter_context(ProgressBar("puzzles", wanted=not args.quiet))
        if args.html:
            stack.callback(_write_pages, made, Path(args.html), args.title)
        try:
            for one in puzzles(args.count, recipe, jobs=args.jobs, distinct=args.distinct, progress=bar):
                bar.clear()
                write(one)
                number += 1
                empty = not (one.board.clue_count or args.killer)
                if args.html:
                    made.append(one)
        except DisagreementError as problem:
            to_stderr(f"gridproof: DISAGREEMENT: {problem}")
            return 3
    if empty and not args.quiet:
        to_stderr("gridproof: no clues are needed: the rules leave exactly one solution, so this is the only puzzle")
    return int(number < args.count)


def _recipe(args: argparse.Namespace) -> Recipe:
    from gridproof.formats import parse
    from gridproof.generation.recipe import Recipe
    from gridproof.puzzle.board import Board

    shape = _options.shape_of(args)
    if args.rules is not None:
        board = parse(Path(args.rules), shape)
        if board.clue_count or board.marks is not None:
            raise InputError(
                f"--rules {args.rules}: a puzzle with clues or pencil marks; expected shape and rules alone"
            )
    else:
        board = Board.empty(shape(args.order) if callable(shape) else shape)
    pattern = None if args.pattern is None else Path(args.pattern).read_text(encoding="utf-8-sig")
    return Recipe(
        shape=board.geometry,
        rules=[*board.rules, *_options.rules_of(args)],
        clues=args.clues,
        minimal=args.minimal,
        symmetry=args.symmetry,
        pattern=pattern,
        killer=args.killer,
        cost=args.cost,
        rated=args.rate or bool(args.cost),
        **({} if args.seed is None else {"seed": args.seed}),
    )


def _text(made: Generated) -> str:
    """Return a puzzle on a line."""
    from gridproof.formats import to_line
    from gridproof.verbs import convert

    board = made.board
    return convert(board, "iss").rstrip("\n") if board.rules else to_line(board.clues, board.geometry)


def _write_line(made: Generated) -> None:
    print(_text(made), flush=True)


class _Table(ExitStack):
    """A table file; rows that are not written yet are written when it is closed, whatever ended the run."""

    def __init__(self, args: argparse.Namespace, recipe: Recipe) -> None:
        from gridproof.runs import tables

        super().__init__()
        self._tables, path = tables, tables.target(args.output)
        self._form = tables.form_of(path) or ""
        self._seed = recipe.seed
        self._types = {"puzzle": "string", "solution": "string", "clues": "int64"}
        self._types |= {"seed": "int64", "number": "int64", "minimal": "string"}
        if recipe.rated:
            self._types |= {"cost": "float64", "hardest": "float64", "times": "int64", "total": "float64"}
            self._types |= {"rounds": "int64", "width": "int64", "name": "string"}
        self._rows: list[Sequence[Any]] = []
        self._file = tables.TableFile(self._form, path, self._types)
        self.callback(self._file.close)
        self.callback(self._flush)

    def __call__(self, made: Generated) -> None:
        from gridproof.formats import to_line

        board, rating = made.board, made.rating
        solution = to_line(made.solution, board.geometry)
        row = [_text(made), solution, board.clue_count, self._seed, made.number, "yes" if made.minimal else "no"]
        measured: dict[str, Any] = {} if rating is None else rating.as_dict()
        self._rows.append([*row, *(measured[name] for name in list(self._types)[len(row) :])])
        if len(self._rows) == _ROWS_AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            self._file.append(self._tables.encode(self._form, self._types, list(zip(*self._rows, strict=True))))
            self._rows = []


def _write_pages(made: Sequence[Generated], path: Path, title: str) -> None:
    """Write puzzles, and then their solutions in small, as HTML that is printed on several pages."""
    from gridproof.pictures import board_svg
    from gridproof.pictures.document import save_text, web_page

    def headings() -> Iterator[str]:
        for number, one in enumerate(made, 1):
            yield f"{number}" + (f"  ({one.rating.cost:.1f})" if one.rating else "")

    boards = [board_svg(one.board, heading=heading) for one, heading in zip(made, headings(), strict=True)]
    solved = [board_svg(one.board.with_filled(_entries(one)), heading=str(n)) for n, one in enumerate(made, 1)]
    save_text(path, web_page(boards, title, solved))


def _entries(made: Generated) -> list[int]:
    return [0 if clue else symbol for symbol, clue in zip(made.solution, made.board.clues, strict=True)]
