"""Draw the tree that a search backend walks, as SVG, PNG, PDF or HTML.

The edges show choices. Dead ends are crossed and explained, and the path to a solution is thick. Forced moves are
folded, and nodes that do not fit are only counted. A SAT backend walks no such tree, so its decisions, conflicts and
restarts are drawn over time instead.

exit codes:
    0    the picture is drawn

examples:
    gridproof tree ..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97.. -o tree.svg
    gridproof tree examples/no-solution.txt -b cadical153 -o timeline.svg
"""

from __future__ import annotations

import argparse
import sys

from gridproof.backends import find
from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.errors import InputError
from gridproof.limits import Limits
from gridproof.pictures.document import save
from gridproof.trees import TREE_LIMITS, sat_timeline, search_tree

_DEFAULT_BACKEND = "search-propagate"


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_backend(parser, _DEFAULT_BACKEND, TREE_LIMITS.seconds)
    output = parser.add_argument_group("output")
    _options.add_file(output, f"{_options.PICTURE} (default: tree.svg)", default="tree.svg")


def run(args: Options) -> int:
    path = _options.picture_path(args.output, force=args.force)
    inputs = args.inputs
    board = inputs.only_board()
    limits = Limits(args.seconds, solutions=TREE_LIMITS.solutions)
    backend = find(args.backend)
    if backend.family == "sat":
        timeline = sat_timeline(board, backend, args.encoding, limits=limits)
        picture = timeline.to_svg()
        summary = timeline.summary
    elif args.encoding:
        raise InputError(f"--encoding {args.encoding!r}: {backend.name} takes none; expected a SAT backend with it")
    else:
        tree = search_tree(board, backend, limits=limits)
        picture = tree.to_svg()
        summary = tree.summary
    save([picture], path)
    print(summary, file=sys.stderr)
    return inputs.exit_code
