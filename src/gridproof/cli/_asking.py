"""Commands that ask one thing about each puzzle and whose answer is no verdict."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from gridproof.cli import _options
from gridproof.cli._complaints import Complaints, say
from gridproof.errors import BoardError, Interrupted, PuzzleFormatError
from gridproof.trust.answer import Status

if TYPE_CHECKING:
    from gridproof.formats.notation import Puzzle
    from gridproof.puzzle.board import Board

Told = TypeVar("Told")


class Reading:
    """The puzzles of the input that can be read; what is malformed is said. code: the exit code so far."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.code = 0
        self._args = args

    def puzzles(self, *, headings: bool = True) -> Iterator[Puzzle]:
        """Each that can be read. headings: see ``items_of``."""
        complaints = Complaints()
        for item in _options.items_of(self._args, headings=headings):
            if isinstance(item, PuzzleFormatError):
                complaints.malformed(str(item), item.text, item.source, in_result=False)
                self.code = 2
            else:
                complaints.good()
                yield item
        complaints.end()

    def refused(self, problem: object) -> None:
        """Say why nothing comes of a puzzle."""
        say(f"gridproof: {problem}")
        self.code = 2


class Asking(Reading, Generic[Told]):
    """Each puzzle of the input with what is told of its board. What is undecided is said, too."""

    def __init__(self, args: argparse.Namespace, ask: Callable[[Board], Told]) -> None:
        super().__init__(args)
        self._ask = ask

    def __iter__(self) -> Iterator[tuple[Puzzle, Told]]:
        for item in self.puzzles():
            _options.say_names(item)
            try:
                told = self._ask(item.board)
            except BoardError as problem:
                self.refused(problem)
            except Interrupted as stop:
                record = {"input": item.text, "verdict": Status.UNDECIDED, "reason": str(stop)}
                print(json.dumps(record) if self._args.json else f"{Status.UNDECIDED}: {stop}")
                self.found_otherwise()
            else:
                yield item, told

    def found_otherwise(self) -> None:
        """Something is not as hoped for, which is exit code 1 unless there is worse."""
        self.code = self.code or 1
