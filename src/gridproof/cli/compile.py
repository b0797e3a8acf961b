"""The model of a board, for other solvers: DIMACS CNF with the clues as unit clauses, or CP-SAT's text format.

Of an encoding that propagates (``reduced``) it is what the board leaves open; with --rules-only, all rules. Where no
encoding is named it is the one that verify takes, and standard error says which.
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
    parser.add_argument("-e", "--encoding", metavar="NAME", help="default: the one that verify takes")
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="default: standard output")
    parser.add_argument("--rules-only", action="store_true", help="without the board's clues")
    parser.add_argument("--no-names", action="store_true", help="without a comment for each variable")


def run(args: argparse.Namespace) -> int:
    from gridproof import backends
    from gridproof.models import catalog, targets
    from gridproof.pipeline import DEFAULT_BACKEND, default_encoding

    named = catalog.load(args.encoding) if args.encoding else None
    board = _options.board_of(args)
    encoding = named or default_encoding(backends.find(DEFAULT_BACKEND), board.problem)
    assert encoding is not None, "the default backend takes encodings"
    with _opened(args.output) as out:
        target, clues = targets.find(encoding.target), None if args.rules_only else board
        target.write(out, board.problem, encoding, clues, not args.no_names)
    if named is None:
        print(f"encoding {encoding.name}, the default: -e NAME takes another", file=sys.stderr)
    return 0


@contextlib.contextmanager
def _opened(name: str) -> Iterator[TextIO]:
    if name == "-":
        yield sys.stdout
    else:
        with Path(name).open("w", encoding="utf-8") as out:
            yield out
