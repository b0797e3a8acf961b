"""The model of a board, for other solvers: DIMACS CNF with the clues as unit clauses, or CP-SAT's text format.

Of an encoding that propagates (``reduced``) it is what the board leaves open; with --rules-only, all rules.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from gridproof.cli import _options

SUMMARY = "the model of a board as a file: DIMACS or CP-SAT"
EXIT_CODES = {0: "the model is written"}
EXAMPLES = (
    "gridproof compile examples/no-solution.txt -o board.cnf",
    "gridproof compile --rules-only --no-names -e minimal ................",
)


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    parser.add_argument("-e", "--encoding", default="extended", metavar="NAME", help="default: extended")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")
    parser.add_argument("--rules-only", action="store_true", help="without the board's clues")
    parser.add_argument("--no-names", action="store_true", help="without a comment for each variable")


def run(args: argparse.Namespace) -> int:
    from gridproof import catalog
    from gridproof.cnf import compile_cnf
    from gridproof.cpmodel import compile_cpsat

    encoding = catalog.load(args.encoding)
    board = _options.board_of(args)
    clues = None if args.rules_only else board
    with _opened(args.output) as out:
        if encoding.propagated and clues is not None:
            from gridproof.reduced import compile_reduced

            compile_reduced(board, encoding).write_dimacs(out, names=not args.no_names)
        elif encoding.target == "cnf":
            compile_cnf(board.geometry, encoding).write_dimacs(out, clues, names=not args.no_names)
        else:
            out.write(compile_cpsat(board.geometry, encoding).proto_text(clues))
    return 0


@contextlib.contextmanager
def _opened(name: str) -> Iterator[TextIO]:
    if name == "-":
        yield sys.stdout
    else:
        with Path(name).open("w", encoding="utf-8") as out:
            yield out
