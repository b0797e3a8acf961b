"""List the kinds of rules beyond houses, or explain some of them.

Each kind has its parameters; those named as KIND are explained in full. CELLS are cells such as r1c1, r1c2-r1c5, row3,
column4 or box5; a / separates the lines of a rule that takes several. Give other parameters in order or by name
(total=15). Those in brackets are optional. Other commands take a rule by the option `--rule 'KIND ...'`. gridproof's
own puzzle files state each rule in a table:

    clues = "1..............."
    [[rule]]
    kind = "killer"
    total = 10
    cells = "r1c2 r1c3 r2c2"

A kind of your own is a file, such as apart.toml, for `--rule 'apart.toml 3 r1c1-r1c4'`:

    words = "neighbours on {lines} are at least {least} apart"
    about = "Neighbours on the line differ by at least the number."
    example = "apart 3 r1c1 r1c2"
    parameters.least = { type = "number", help = "the least difference" }
    parameters.lines = { type = "lines", help = "the lines" }
    relation = { cells = "lines", pairs = "consecutive", allow = "abs(a - b) >= least" }

exit codes:
    0    all kinds are listed, or explained

examples:
    gridproof rules
    gridproof rules killer thermometer
"""

from __future__ import annotations

import argparse
import textwrap

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.pictures import board_text
from gridproof.pictures.examples import example_board
from gridproof.rules import all_kinds
from gridproof.rules.catalog import find_matching
from gridproof.rules.rule import REQUIRED, Parameter, Rule

_WIDTH = 100


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = "%(prog)s [OPTION ...] [KIND ...]"
    _options.value(parser, "kinds", "KIND", "a kind, or the .toml file of one of your own", nargs="*")


def run(args: Options) -> int:
    kinds = []
    for word in args.kinds:
        kinds += [(word, kind) for kind in find_matching(word)]
    for number, (word, kind) in enumerate(kinds or all_kinds().items()):
        if not args.kinds:
            print(f"{kind.usage():35} {kind.title()}")
            continue
        if number:
            print()
        print(explain(kind, word if word.endswith(".toml") else kind.kind))
    return 0


def default(p: Parameter) -> str:
    """Return the default of a parameter in brackets; empty if the parameter must be stated."""
    if p.default is REQUIRED:
        return ""
    words: dict[object, str] = {None: "optional", (): "optional", False: "default: no"}
    if p.default in words:
        return f" ({words[p.default]})"
    plain = p.default
    if isinstance(plain, tuple):
        plain = " ".join(str(part) for part in plain)
    return f" (default: {plain})"


def explain(kind: type[Rule], named: str) -> str:
    """Return all about a kind, as text. named: its name, or the path of a user's own."""
    lines = [kind.usage(), f"    {kind.title()}"]
    if kind.aliases:
        lines.append(f"    also called {', '.join(kind.aliases)}")
    for part in kind.about().split("\n\n"):
        lines += ["", textwrap.fill(" ".join(part.split()).replace("``", "`"), _WIDTH)]
    lines.append("")
    width = max((len(p.name) for p in kind.parameters()), default=0)
    lines += [f"{p.name:{width}}  {p.help}{default(p)}" for p in kind.parameters()] or ["It has no parameters."]
    board = example_board(kind, named)
    cells = board.rules[0].scope(board.geometry)
    if len(cells) == board.geometry.cell_count:
        cells = frozenset()
    lines += ["", f"example: {kind.example}", "", board_text(board, highlight=cells)]
    return "\n".join(lines)
