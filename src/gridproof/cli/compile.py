"""Write the model of a board for other solvers.

The format is that of --to, or the usual one of the encoding: dimacs (SAT solvers), cp-sat-proto (CP-SAT's text format),
lp and mps (MIP solvers), opb (pseudo-Boolean solvers), minizinc, asp (clingo) or smtlib (SMT solvers). The model
includes the clues; --rules-only leaves them out. The encoding `reduced` propagates first and writes only what the board
leaves open. If you name neither a format nor an encoding, the encoding is the one that verify takes, and standard error
names it.

exit codes:
    0    the model is written

examples:
    gridproof compile examples/no-solution.txt -o board.cnf
    gridproof compile examples/six-rules.toml --to lp -o board.lp
    gridproof compile --rules-only --no-names -e minimal ................
"""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.verbs import model_of


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    text = "format of the file (default: the usual one for the encoding, such as dimacs)"
    _options.value(parser, "--to", "FORMAT", text)
    text = "an encoding, or the path of a .toml file (default: the one that verify takes)"
    _options.value(parser, "-e --encoding", "NAME", text)
    _options.add_file(parser, "where to write (default: standard output)")
    _options.flag(parser, "--rules-only", "leave out the board's clues")
    _options.flag(parser, "--no-names", "leave out the comment for each variable")


def run(args: Options) -> int:
    output = args.output
    if output == "-":
        output = None
    _options.refuse_to_overwrite(output, force=args.force)
    inputs = args.inputs
    board = inputs.only_board()
    model, write = model_of(board, args.encoding, args.to)
    clues = None if args.rules_only else board
    with ExitStack() as stack:
        out = sys.stdout
        if output:
            out = stack.enter_context(Path(output).open("w", encoding="utf-8"))
        write(model, out, clues, not args.no_names)
    if args.encoding is None:
        print(f"using the default encoding `{model.encoding.name}` (choose another with -e)", file=sys.stderr)
    return inputs.exit_code
