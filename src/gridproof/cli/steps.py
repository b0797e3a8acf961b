"""Show the next step and why, or the whole path to the solution.

There is a sentence for each step, which is a symbol to place or candidates to remove. Its reason is a minimal set of
facts, given the candidates that are left: none of them can be left out. Entries and pencil marks of the puzzle count.
Where one of them is wrong, that comes first. Where there is no solution, the last step is a contradiction. With --story
the reason is told in order: from "suppose ..." line by line to what cannot be.
With --notation a chain is also written in Eureka notation, in which = is a strong link and - a weak one.

exit codes:
    0    there was a step for every puzzle, or the whole path
    1    some have no next step or no solution, or are undecided

examples:
    gridproof steps examples/well-known.txt
    gridproof steps --next --hint 1 1...............
    gridproof steps --story examples/well-known.txt
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from textwrap import fill

from gridproof.cli import _options
from gridproof.cli._inputs import Inputs
from gridproof.cli._options import Options
from gridproof.cli._results import Results
from gridproof.formats.puzzle import Puzzle
from gridproof.limits import Limits
from gridproof.pictures.document import html_page, save_text
from gridproof.puzzle.board import Board
from gridproof.solving import Step, slides, steps
from gridproof.trust.answer import Status


def configure(parser: argparse.ArgumentParser) -> None:
    _options.add_input(parser)
    _options.flag(parser, "--next", "one step only")
    _options.flag(parser, "--story", "tell each step line by line")
    _options.flag(parser, "--notation", "write chains in Eureka notation, and name what a step is from the other side")
    text = "of the next step only 1: the place, 2: the facts, 3: all of it with its story"
    parser.add_argument("--hint", choices=("1", "2", "3"), help=text)
    _options.seconds(parser)
    output = _options.add_output(parser)
    _options.add_symbols(output)
    _options.value(output, "--svg", "DIR", "draw each step as a picture in this folder")
    _options.value(output, "--html", "FILE", "draw the steps on a page with a slider")
    _options.flag(output, "--force", "overwrite the folder or the page if it exists")


def run(args: Options) -> int:
    for path in (args.svg, args.html):
        _options.refuse_to_overwrite(path, force=args.force)
    results = Results(args.inputs, Status.SOLVED, as_json=args.json)
    walks = _Walks(
        inputs=results.inputs,
        most=1 if args.next or args.hint else None,
        level=None if args.hint is None else int(args.hint),
        with_story=args.story,
        with_notation=args.notation,
        as_json=args.json,
        limits=args.limits,
    )
    items = results.inputs.items(entries_count=True)
    for _, given, (status, reason) in results.answers(walks.walk, items):
        puzzle = given.with_named_symbols()
        if status is Status.NONE:
            results.show(puzzle, status, results.below_name(puzzle, reason), {"verdict": status, "reason": reason})
        elif reason:
            text = results.below_name(puzzle, f"no step: {reason}")
            results.show(puzzle, status, text, {"verdict": status, "reason": reason})
        else:
            results.count(status)
    if args.svg:
        walks.save_pictures(Path(args.svg))
    if args.html:
        walks.save_page(args.html)
    return results.exit_code


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walks:
    """Takes the steps of each puzzle, prints them, and draws them at the end.

    Parameters
    ----------
    inputs
        Where the puzzles are from, and what they are called.
    most
        How many steps of each puzzle are wanted; ``None`` for all.
    level
        How much of a step is printed, from 1 to 3; ``None`` for all of it, with its number and cost.
    with_story
        Whether the lines of a step's story are printed below it.
    with_notation
        Whether the notation of a chain, and the name of a step as seen from the other side, are printed below it.
    as_json
        Whether steps are printed as records.
    limits
        For the path of each puzzle.
    """

    inputs: Inputs
    most: int | None
    level: int | None
    with_story: bool
    with_notation: bool
    as_json: bool
    limits: Limits
    paths: list[list[Step]] = field(default_factory=list)

    def walk(self, puzzle: Puzzle) -> tuple[Status, str]:
        """Take and print the steps of a puzzle; return how that ended, and a reason if there is no (further) step."""
        board = puzzle.with_named_symbols().position
        taken: list[Step] = []
        self.paths.append(taken)
        for step in islice(steps(board, limits=self.limits), self.most):
            taken.append(step)
            name = self.inputs.name(puzzle)
            if len(taken) == 1 and name and not self.as_json:
                print(name)
            self.print_step(len(taken), step)
        if taken and not taken[-1].has_solution:
            return Status.NONE, "there is no solution from here; `gridproof explain` shows why"
        if not (taken and self.most) and not is_filled(board, taken):
            return Status.MULTIPLE, "nothing more follows: there are several solutions"
        return Status.SOLVED, "" if taken else "every cell is filled, as in the solution"

    def print_step(self, number: int, step: Step) -> None:
        """Print a step. number: from 1."""
        if self.as_json:
            print(json.dumps({"step": number} | step.as_dict()))
            return
        if self.level is None:
            print_wrapped(f"{number:3} {step.cost:5.1f}  {step.sentence()}", 11)
        else:
            print_wrapped(step.hint(self.level), 0)
        if self.with_notation:
            if step.twin:
                print_wrapped(f"{'':11}seen from the other side: {step.twin}", 11)
            if step.chain is not None:
                print_wrapped(f"{'':11}{step.notation()}", 11)
        if len(step.story) > 1 and (self.with_story or self.level == 3):
            for text in step.story_texts():
                print_wrapped(f"{'':11}{text}", 14 + len(text) - len(text.lstrip()))

    def save_pictures(self, folder: Path) -> None:
        """Write a picture of each step."""
        folder.mkdir(parents=True, exist_ok=True)
        level = self.level or 3
        for puzzle, path in enumerate(self.paths, 1):
            for number, step in enumerate(path, 1):
                step.picture(level, notes=[step.hint(level)]).save(folder / f"{puzzle}-{number:03}.svg")

    def save_page(self, file: str) -> None:
        """Write a page with a slider for each puzzle that has steps; none if no puzzle has any."""
        sliders = []
        for puzzle, path in enumerate(self.paths, 1):
            if path:
                sliders.append(slides(path, f"Puzzle {puzzle}", self.level or 3)._repr_html_())
        if sliders:
            save_text(file, html_page("Steps", "", "".join(sliders)))


def print_wrapped(text: str, indent: int) -> None:
    """Print a text, on a terminal in lines of its width; all lines but the first one begin with so many spaces."""
    if sys.stdout.isatty():
        width = shutil.get_terminal_size().columns
        text = fill(text, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)
    print(text)


def is_filled(board: Board, taken: Iterable[Step]) -> bool:
    """Return whether every cell has a symbol after these steps."""
    placed = {cell for step in taken for cell, _ in step.placed}
    for cell, clue in enumerate(board.clues):
        is_entered = bool(board.filled) and board.filled[cell] > 0
        if not (clue or is_entered or cell in placed):
            return False
    return True
