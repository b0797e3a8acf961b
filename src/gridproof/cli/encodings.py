"""List the encodings.

Each has a name, the target it is for, and a summary.

exit codes:
    0    all encodings are listed

examples:
    gridproof encodings
    gridproof encodings --verbose
"""

from __future__ import annotations

import argparse

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.models import catalog, targets
from gridproof.puzzle.board import Problem
from gridproof.puzzle.geometry import Geometry


def configure(parser: argparse.ArgumentParser) -> None:
    _options.flag(parser, "-v --verbose", "also show the source of each, and the size of its model of a 9x9 board")


def run(args: Options) -> int:
    for name in catalog.names():
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
