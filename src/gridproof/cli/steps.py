"""Show the next step and why, or the whole path to the solution, a sentence for each step.

A step is a symbol to place or candidates to remove. Its reason is a minimal set of facts, given the candidates that are
left. Entries and pencil marks of the puzzle count. Where one of them is wrong, that comes first.
"""

from __future__ import annotations

import argparse
import json
from itertools import islice

from gridproof.cli import _options
from gridproof.cli._results import Results
from gridproof.errors import BoardError, Interrupted
from gridproof.limits import Limits
from gridproof.trust.answer import Status

GROUP = "puzzles"
SUMMARY = "show the next step and why, or the whole path to the solution"
EXIT_CODES = {
    0: "there was a step for every puzzle, or the whole path",
    1: "some have no next step, several solutions, or are undecided",
}
EXAMPLES = ("gridproof steps examples/classic.txt", "gridproof steps --next --hint 1 1...............")


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.flag(parser, "--next", "one step only")
    _options.number(parser, "--hint", "of the next step only 1: the place, 2: the facts, 3: all of it", None)
    _options.add_seconds(parser)
    _options.add_output(parser, quiet=False)


def run(args: argparse.Namespace) -> int:
    from gridproof.explanations.steps import steps

    limits, results = Limits(args.seconds), Results(args, Status.SOLVED)
    for _, item in results.puzzles():
        last, solved = None, False
        try:
            for number, step in enumerate(islice(steps(item.board, limits=limits), 1 if args.next or args.hint else None), 1):
                last = step
                if args.json:
                    print(json.dumps({"input": item.text, "step": number, **step.as_dict()}))
                elif args.hint:
                    print(step.hint(args.hint))
                else:
                    print(f"{number:3}  {step.cost:4.1f}  {step.sentence()}")
        except BoardError as problem:
            results.refuse(problem)
            continue
        except Interrupted as stop:
            print(json.dumps({"input": item.text, "verdict": Status.UNDECIDED, "reason": str(stop)}) if args.json else f"{Status.UNDECIDED}: {stop}")
            results.count(Status.UNDECIDED)
            continue
        results.count(Status.SOLVED if last else Status.MULTIPLE)
    return results.exit_code
