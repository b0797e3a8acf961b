"""List every encoding: its name, its target, its summary, and the size of its model of the 9x9 board."""

from __future__ import annotations

import argparse
import json

from gridproof.cli import _options

GROUP = "research"
SUMMARY = "list the encodings"
EXIT_CODES = {0: "all encodings are listed"}
EXAMPLES = ("gridproof encodings", "gridproof encodings --verbose")


def configure(parser: argparse.ArgumentParser) -> None:
    _options.flag(parser, "--json", "one JSON object a line")
    _options.flag(parser, "-v --verbose", "also show where each comes from, and its size as a formula")


def run(args: argparse.Namespace) -> int:
    from gridproof.models import catalog, targets

    for name in catalog.names():
        encoding = catalog.load(name)
        sizes = encoding.sizes(9, 3, 3)
        if args.json:
            record = {"name": name, "target": encoding.target, "summary": encoding.summary, "source": encoding.source}
            print(json.dumps(record | {"size of 9x9": sizes}))
            continue
        mark = " *" if name == targets.find(encoding.target).default_encoding(None) else ""
        size = ", ".join(f"{number:,} {what}" for what, number in sizes.items())
        print(f"{name + mark:24} {encoding.target:7} {encoding.summary} (9x9: {size})")
        if args.verbose:
            for line in (encoding.source, *(f"{what} = {formula}" for what, formula in encoding.formulas)):
                print(f"{'':24} {'':7} {line}")
    if not args.json:
        print("* the default for its target")
    return 0
