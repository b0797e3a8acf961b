"""Every encoding found: its name, target, what it says, and the size of its model of the 9x9 board."""

from __future__ import annotations

import argparse
import json
from contextlib import suppress

SUMMARY = "which encodings there are"
EXIT_CODES = {0: "all are listed"}
EXAMPLES = ("gridproof encodings", "gridproof encodings --verbose")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("-v", "--verbose", action="store_true", help="where each comes from, and its size as a formula")


def run(args: argparse.Namespace) -> int:
    from gridproof import catalog
    from gridproof.solve import DEFAULT_ENCODING

    for name in catalog.names():
        encoding = catalog.load(name)
        formulas = {"variables": encoding.variables, "clauses": encoding.clauses}
        sizes: dict[str, int] = {}
        for what, formula in formulas.items():
            with suppress(LookupError):  # its tables do not know order 9
                sizes |= {what: formula(9, 3, 3)} if formula else {}
        if args.json:
            record = {"name": name, "target": encoding.target, "summary": encoding.summary, "source": encoding.source}
            print(json.dumps(record | {"size of 9x9": sizes}))
            continue
        mark = " *" if name in DEFAULT_ENCODING.values() else ""
        size = ", ".join(f"{number:,} {_unit(what, encoding.target)}" for what, number in sizes.items())
        print(f"{name + mark:24} {encoding.target:7} {encoding.summary} (9x9: {size or 'not stated'})")
        if args.verbose:
            print(f"{'':24} {'':7} {encoding.source}")
            for what, formula in formulas.items():
                if formula:
                    print(f"{'':24} {'':7} {_unit(what, encoding.target)} = {formula}")
    if not args.json:
        print("* the default for its target")
    return 0


def _unit(what: str, target: str) -> str:
    return "constraints" if what == "clauses" and target == "cp-sat" else what
