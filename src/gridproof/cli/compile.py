"""Write the model of a board for other solvers, in the format of --to or the usual format of the encoding.

The formats are dimacs (SAT solvers), cp-sat-proto (CP-SAT's text format), lp and mps (MIP solvers), opb (pseudo-Boolean
solvers), minizinc, asp (clingo) and smtlib (SMT solvers). The model includes the clues; --rules-only leaves them out.
The encoding `reduced` propagates first and writes only what the board leaves open. If you name neither a format nor an
encoding, the encoding is the one that verify takes, and standard error says which.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from gridproof.cli import _options

SUMMARY = "write the model of a board for other solvers"
EXIT_CODES = {0: "the model is written"}
EXAMPLES = (
    "gridproof compile examples/no-solution.txt -o board.cnf",
    "gridproof compile examples/six-rules.toml --to lp -o board.lp",
    "gridproof compile --rules-only --no-names -e minimal ................",
)


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    parser.add_argument(
        "--to", metavar="FORMAT", help="format of the file (default: the usual one for the encoding, such as dimacs)"
    )
    parser.add_argument(
        "-e",
        "--encoding",
        metavar="NAME",
        help="an encoding, or the path of a .toml file (default: the one that verify takes)",
    )
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="where to write (default: standard output)")
    parser.add_argument("--rules-only", action="store_true", help="leave out the board's clues")
    parser.add_argument("--no-names", action="store_true", help="leave out the comment for each variable")


def run(args: argparse.Namespace) -> int:
    from gridproof import backends
    from gridproof.errors import InputError, choices
    from gridproof.models import catalog, targets
    from gridproof.pipeline import DEFAULT_BACKEND

    named = catalog.load(args.encoding) if args.encoding else None
    formats = {form: target for target in targets.all_targets().values() for form in target.formats}
    if args.to is not None and args.to not in formats:
        raise InputError(f"--to {args.to!r}; {choices(args.to, sorted(formats))}")
    usual = targets.find(named.target if named else backends.find(DEFAULT_BACKEND).accepts)
    target = formats[args.to] if args.to else usual
    board = _options.board_of(args)
    encoding = named or catalog.load(target.default_encoding(board.problem))
    form = args.to or next(iter(target.formats))
    if encoding.target != target.name:
        known = " or ".join(usual.formats)
        raise InputError(
            f"--to {form} with the encoding {encoding.name!r}, which is for {usual.name}; expected {known}"
        )
    with _opened(args.output) as out:
        model = target.compile(board.problem, encoding)
        target.formats[form](model, out, None if args.rules_only else board, not args.no_names)
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
