"""The tree that a search backend walks, as a picture (.svg) or for Graphviz (.dot).

Choices stand on the edges, dead ends are crossed and explained, the path to a solution is thick; forced moves are
folded, and what does not fit is counted. A SAT backend walks no such tree: its decisions, conflicts and restarts are
drawn over time instead.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gridproof.cli import _options

SUMMARY = "the search tree of a board as a picture"
EXIT_CODES = {0: "the picture is drawn"}


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.add_backend(parser)
    parser.add_argument("-o", "--output", default="tree.svg", metavar="FILE", help=".svg or .dot (default: tree.svg)")
    parser.add_argument("--nodes", type=_options.positive, metavar="N", help="nodes drawn; the rest is counted")


def run(args: argparse.Namespace) -> int:
    from gridproof.backends import find
    from gridproof.errors import InputError
    from gridproof.limits import Limits
    from gridproof.timeline import sat_timeline
    from gridproof.tree import MOST_NODES, TREE_LIMITS, search_tree

    output = Path(args.output)
    if output.suffix not in (".svg", ".dot"):
        raise InputError(f"--output {args.output!r}; expected a name ending in .svg or .dot")
    board = _options.board_of(args)
    given = _options.limits_of(args)
    limits = Limits(given.seconds or TREE_LIMITS.seconds, given.conflicts, TREE_LIMITS.solutions)
    backend = find(args.backend or "search-propagate")
    if backend.family == "sat":
        if output.suffix == ".dot":
            raise InputError(f"{backend.name} walks no tree for {output.name}; expected a name ending in .svg")
        timeline = sat_timeline(board, backend, args.encoding, limits=limits)
        timeline.to_svg().save(output)
        print(timeline.summary, file=sys.stderr)
        return 0
    tree = search_tree(board, backend, most_nodes=args.nodes or MOST_NODES, limits=limits)
    if output.suffix == ".dot":
        output.write_text(tree.to_dot(), encoding="utf-8")
    else:
        tree.to_svg().save(output)
    print(tree.summary, file=sys.stderr)
    return 0
