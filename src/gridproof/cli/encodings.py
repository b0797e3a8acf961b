"""List the encodings, or the sizes of their models.

Each has a name, the target it is for, and a summary. --sizes prints a table of the variables and clauses of models of
boards of some orders, in both ways of counting: each clause once, and, as published tables do, as often as houses state
it. The options of shapes and rules, and --of PUZZLE, stand for other boards than the usual ones. -o writes the table.

exit codes:
    0    all encodings are listed

examples:
    gridproof encodings
    gridproof encodings --verbose
    gridproof encodings --sizes 9 16 25 -o sizes.tex
    gridproof encodings minimal extended --sizes 9 --diagonal --rule anti-knight
"""

from __future__ import annotations

import argparse
from pathlib import Path

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.errors import InputError
from gridproof.models import catalog, targets
from gridproof.puzzle.board import Problem
from gridproof.puzzle.geometry import Geometry


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [OPTION ...] [NAME ...]"
    text = "an encoding, or a .toml file (default: all; with --sizes, all for clauses)"
    parser.add_argument("names", metavar="NAME", nargs="*", help=text)
    _options.flag(parser, "-v --verbose", "also show the source of each, and the size of its model of a 9x9 board")
    sizes = parser.add_argument_group("sizes")
    text = "a table of the sizes of models of boards of these orders"
    sizes.add_argument("--sizes", metavar="N", nargs="+", type=read_order, default=[], help=text)
    text = "a table of the sizes of the model of this puzzle, or file with one; repeatable"
    _options.value(sizes, "--of", "PUZZLE", text, action="append", default=[])
    _options.add_file(sizes, "write the table, as .tex, .md or .csv")
    _options.add_shape(parser)


def read_order(text: str) -> int:
    """Return the order of a board. Raises ``ArgumentTypeError``."""
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r}; expected orders such as 9 16 25; encodings stand before --sizes")
    return int(text)


def run(args: Options) -> int:
    if args.sizes or args.of:
        print_sizes(args)
        return 0
    if args.output:
        raise InputError("-o without --sizes; expected the orders of boards, such as --sizes 9 16 25")
    for name in args.names or catalog.names():
        encoding = catalog.load(name)
        target = targets.find(encoding.target)
        mark = " *" if name == target.default_encoding(None) else ""
        print(f"{name + mark:24} {encoding.target:7} {encoding.summary}")
        if args.verbose:
            sizes = target.compile(Problem(Geometry.classic(3)), encoding).sizes
            size = ", ".join(f"{number:,} {what}" for what, number in sizes.items()) or "depends on the board"
            for line in (encoding.source, f"9x9: {size}"):
                print(f"{'':24} {'':7} {line}")
    print("* the default for its target")
    return 0


def print_sizes(args: Options) -> None:
    """Print the sizes of models, and write them to a file."""
    from gridproof.experiments.size_tables import WRITERS, size_rows
    from gridproof.experiments.text_tables import align_rows

    write = None
    if args.output:
        ending = Path(args.output).suffix
        if ending not in WRITERS:
            raise InputError(f"-o {args.output}; expected a name that ends in {', '.join(WRITERS)}")
        _options.refuse_to_overwrite(args.output, force=args.force)
        write = WRITERS[ending]
    puzzles = [Path(text) if Path(text).is_file() else text for text in args.of]
    rows = size_rows(args.sizes, args.names, puzzles, args.shape, _options.parse_rules(args.rule))
    if write is not None:
        Path(args.output).write_text(write(rows), encoding="utf-8")
    print(align_rows(rows))
