"""Show the next step and why, or the whole path to the solution.

There is a sentence for each step, which is a symbol to place or candidates to remove. Its reason is a minimal set of
facts, given the candidates that are left: none of them can be left out. Whether another reason is cheaper is looked
into with --proven, for up to 12 seconds a step. Entries and pencil marks of the puzzle count. Where one of them is
wrong, that comes first.

exit codes:
    0    there was a step for every puzzle, or the whole path
    1    some have no next step, or are undecided

examples:
    gridproof steps examples/well-known.txt
    gridproof steps --next --hint 1 1...............
"""

from __future__ import annotations

import argparse
import json
from itertools import islice
from operator import or_
from pathlib import Path

from gridproof.cli import _options
from gridproof.cli._results import Results
from gridproof.formats.puzzle import Puzzle
from gridproof.limits import Limits
from gridproof.pictures.document import html_page, save_text
from gridproof.solving import NoSolution, Step, slides, steps
from gridproof.trust.answer import Status


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.flag(parser, "--next", "one step only")
    text = "of the next step only 1: the place, 2: the facts, 3: all of it"
    parser.add_argument("--hint", choices=("1", "2", "3"), help=text)
    _options.flag(parser, "--proven", "prove each step the cheapest, up to a cost of 5, or state that it is not proven")
    _options.seconds(parser)
    parser.set_defaults(entries_count=True)
    output = _options.add_output(parser, quiet=False)
    _options.value(output, "--svg", "DIR", "draw each step as a picture in this folder")
    _options.value(output, "--html", "FILE", "draw the steps on a page with a slider")
    _options.flag(output, "--force", "overwrite the folder or the page if it exists")


def run(args: argparse.Namespace) -> int:
    for path in filter(None, (args.svg, args.html)):
        _options.refuse_to_overwrite(argparse.Namespace(output=path, force=args.force))
    level = int(args.hint or 3)
    drawn: list[list[Step]] = []
    results = Results(args, Status.SOLVED)

    def show(puzzle: Puzzle) -> tuple[Status, str]:
        board = puzzle.position
        drawn.append([])
        number, most = 0, 1 if args.next or args.hint else None
        try:
            path = steps(board, proven=args.proven, limits=Limits(args.seconds))
            for number, step in enumerate(islice(path, most), 1):
                drawn[-1].append(step)
                line = step.hint(level) if args.hint else f"{number:3} {step.cost:5.1f}  {step.sentence()}"
                proven = f" ({'' if step.proven else 'not '}proven cheapest)" if args.proven else ""
                print(json.dumps({"step": number, **step.as_dict()}) if args.json else line + proven)
        except NoSolution as problem:
            return Status.NONE, str(problem)
        placed = {cell for step in drawn[-1] for cell, _ in step.placed}
        held = enumerate(map(or_, board.clues, board.filled or board.clues))
        if (number and most) or all(symbol or cell in placed for cell, symbol in held):
            return Status.SOLVED, "" if number else "every cell is filled, as in the solution"
        return Status.MULTIPLE, "nothing more follows: there are several solutions"

    for _, item, (status, reason) in results.answers(show):
        if reason:
            results.show(item, status, f"no step: {reason}", {"verdict": status, "reason": reason})
        else:
            results.count(status)
    if args.svg:
        Path(args.svg).mkdir(parents=True, exist_ok=True)
        for puzzle, path in enumerate(drawn, 1):
            for number, step in enumerate(path, 1):
                step.picture(level, notes=[step.hint(level)]).save(Path(args.svg) / f"{puzzle}-{number:03}.svg")
    if args.html and any(drawn):
        pages = [slides(path, f"Puzzle {puzzle}", level) for puzzle, path in enumerate(drawn, 1) if path]
        save_text(args.html, html_page("Steps", "", "".join(page._repr_html_() for page in pages)))
    return results.exit_code
