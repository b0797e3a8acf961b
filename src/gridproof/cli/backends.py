"""List the solvers, and which of them can be used here.

There is a line for each backend: its name, its description, the installed version, or why it cannot be used. Those
marked `proofs` write proofs that a checker accepts, so `gridproof certify` takes them.

Options of a solver follow its name: -b cp-sat:num_workers=2,random_seed=7. The error for an unknown option names the
known ones. You can use any SAT solver that reads DIMACS files by its command: -b 'dimacs:cadical -q', or
-b 'dimacs:mysolver {cnf} {proof}' if it needs the names of its files. You can use a backend of your own by its file:
-b ./mine.py. The file has a function backends(), as docs/backends.md shows.

exit codes:
    0    all backends are listed, including those that cannot be used here

examples:
    gridproof backends
"""

from __future__ import annotations

import argparse

from gridproof.backends import all_backends
from gridproof.cli._options import Options
from gridproof.pipeline import DEFAULT_BACKEND


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [-h]"


def run(args: Options) -> int:
    for backend in all_backends():
        name = backend.name
        if name == DEFAULT_BACKEND:
            name += " *"
        proofs = ""
        reason = backend.unavailable()
        if reason:
            what = f"unavailable: {reason}"
        else:
            what = f"{backend.summary} ({backend.version})"
            if not backend.no_proofs():
                proofs = "proofs"
        print(f"{name:20} {backend.family:7} {proofs:7} {what}")
    print("* the default")
    return 0
