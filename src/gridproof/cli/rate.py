"""Measure how hard puzzles are for people.

First comes the grade, which the hardest step decides: easy, medium, hard, fiendish or extreme. The cost of a puzzle is
that of its hardest step on the path of cheapest steps, and more for the other rounds that are not singles. A step costs
the sum of the weights of the facts in its reason. A round has all steps of the smallest cost, so the path is no
accident. The work of a SAT solver stands apart: it has little to do with people's.

exit codes:
    0    every puzzle has exactly one solution
    1    some have none or several, or are undecided

examples:
    gridproof rate examples/well-known.txt
    gridproof rate --json examples/two-solutions.txt
"""

from __future__ import annotations

import argparse

from gridproof.cli import _options
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.solving import rate
from gridproof.trust.answer import Status


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.seconds(parser)
    _options.add_output(parser)


def run(args: Options) -> int:
    results = Results(args.inputs, Status.UNIQUE, as_json=args.json)
    for _, puzzle, rating in results.answers(lambda puzzle: rate(puzzle.board, limits=args.limits)):
        name = results.inputs.name(puzzle)
        text = f"{rating.headline()}  {name}: {rating.figures()}" if name else str(rating)
        results.show(puzzle, rating.verdict, text, rating.as_dict())
    return results.exit_code
