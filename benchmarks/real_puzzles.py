"""Puzzles as people have them: shared links of f-puzzles and SudokuPad, read, verified and compared with what is known.

``complete`` gives those whose declared rules have exactly one solution; it is empty where the shared sets are missing.
"""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from time import process_time
from typing import Any

from benchmarks.sets import SHARED
from gridproof import formats
from gridproof.errors import GridproofError
from gridproof.formats import Puzzle
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import symbol_number
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust.check import BREAKS, violations
from gridproof.trust.verdict import Verdict

FILES = {"f-puzzles": "fpuzzles.jsonl", "SudokuPad": "sudokupad.jsonl"}
LIMITS = Limits(seconds=5)


@dataclass
class Figures:
    """Figures of the puzzles of one file.

    crashed: anything but an error of ours. right: complete ones that are ``unique`` with the given solution; reference:
    the word of the cross-check on these. understood: of the others, those with nothing unread that may be a rule.
    unread: in how many puzzles something of a key is, which may be a rule. stored: what the solutions are worth, by
    verdict, where one is known. breaking: of them, those that break a declared rule. against: puzzles called unique
    with another solution than the known one. milliseconds: median and largest of reading.
    """

    file: str
    puzzles: int = 0
    refused: int = 0
    crashed: int = 0
    complete: int = 0
    right: int = 0
    reference: Counter[str] = field(default_factory=Counter)
    understood: int = 0
    unread: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    solutions: int = 0
    breaking: int = 0
    against: int = 0
    milliseconds: tuple[float, float] = (0.0, 0.0)


@cache
def rows(name: str) -> tuple[dict[str, Any], ...]:
    """The puzzles of a shared file with what is known of each; none if it is not there."""
    path = SHARED / FILES[name]
    return tuple(map(json.loads, path.read_text(encoding="utf-8").splitlines())) if path.exists() else ()


def complete() -> Iterator[tuple[str, Board, SymbolTuple]]:
    """(name, board, solution) of each puzzle of f-puzzles whose declared rules have exactly one solution."""
    for row in rows("f-puzzles"):
        if row["complete"]:
            board = formats.parse(row["payload"])
            known = _known(row, board)
            assert known is not None
            yield row["name"], board, known


def measure() -> list[Figures]:
    """Read and verify all of them; what is unread counts as no rule."""
    with Pipeline(cross_check="all", limits=LIMITS) as pipeline, Pipeline(cross_check="none", limits=LIMITS) as quick:
        return [_measured(name, pipeline, quick) for name in FILES]


def _measured(name: str, pipeline: Pipeline, quick: Pipeline) -> Figures:
    figures, seconds = Figures(name), []
    for row in rows(name):
        figures.puzzles += 1
        figures.complete += bool(row["complete"])
        try:
            puzzle, spent = _read(row["payload"])
            seconds.append(spent)
            _count(figures, row, puzzle, (pipeline if row["complete"] else quick).verify(puzzle, despite_unread=True))
        except GridproofError as problem:
            print(f"{row['name']}: {problem}")
            figures.refused += 1
        except Exception as problem:  # a row of the table, and no end of it
            print(f"{row['name']}: {problem!r}")
            figures.crashed += 1
    if seconds:
        figures.milliseconds = (1e3 * statistics.median(seconds), 1e3 * max(seconds))
    return figures


def _read(payload: str) -> tuple[Puzzle, float]:
    """The puzzle, and the seconds of the quickest of three readings: the first of all imports what it needs."""
    seconds = []
    for _ in range(3):
        started = process_time()
        puzzle = formats.read_puzzle(payload)
        seconds.append(process_time() - started)
    return puzzle, min(seconds)


def _count(figures: Figures, row: dict[str, Any], puzzle: Puzzle, verdict: Verdict) -> None:
    known = _known(row, puzzle.board) or puzzle.solution
    unique_with_it = verdict.is_unique and verdict.solution == known
    if row["complete"]:
        figures.right += unique_with_it and not puzzle.not_understood
        figures.reference[str(verdict.evidence.reference)] += 1
    else:
        figures.understood += not puzzle.not_understood
        figures.unread.update({one.where.split()[0] for one in puzzle.not_understood})
        figures.verdicts[str(verdict.status) + (" (not understood)" if puzzle.not_understood else "")] += 1
    if known is not None:
        figures.solutions += 1
        figures.breaking += any(problem.startswith(BREAKS) for problem in violations(puzzle.board, known))
        figures.against += verdict.is_unique and not unique_with_it


def _known(row: dict[str, Any], board: Board) -> SymbolTuple | None:
    """The solution that the file has, if it is a whole grid of the board's symbols."""
    symbols = tuple([symbol_number(symbol) or 0 for symbol in row["solution"] or ""])
    n = board.geometry.order
    return symbols if len(symbols) == n * n and all(1 <= symbol <= n for symbol in symbols) else None


def show(measured: list[Figures]) -> list[dict[str, object]]:
    """The table, and what is kept of it."""
    columns = [vars(figures) for figures in measured]
    print(f"| | {' | '.join(figures.file for figures in measured)} |\n|---|{'---|' * len(measured)}")
    for name, label in LABELS.items():
        print(f"| {label} | {' | '.join(_text(record[name]) for record in columns)} |")
    return columns


def _text(value: object) -> str:
    if isinstance(value, Counter):
        return ", ".join(f"{name} {number}" for name, number in value.most_common()) or "-"
    return " / ".join(f"{part:.1f}" for part in value) if isinstance(value, tuple) else str(value)


LABELS = {
    "puzzles": "puzzles",
    "refused": "refused as no puzzle",
    "crashed": "crashes",
    "complete": "complete: the declared rules have one solution",
    "right": "of these `unique` with the given solution",
    "reference": "of these the reference",
    "understood": "of the others understood entirely",
    "unread": "of the others with something unread: puzzles by key",
    "verdicts": "verdicts on the others",
    "solutions": "puzzles with a known whole solution",
    "breaking": "of these break a declared rule",
    "against": "called `unique` with another solution than the known one",
    "milliseconds": "milliseconds to read one, median / largest",
}
"""The label of each field, in order."""
