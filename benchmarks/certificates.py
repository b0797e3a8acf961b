"""Certificates of puzzles with rules: making, checking and size, over the complete shared f-puzzles."""

from __future__ import annotations

import statistics
import tempfile
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time

from benchmarks import real_puzzles
from gridproof import checker
from gridproof.certificates import certificate_of
from gridproof.puzzle.board import Board
from gridproof.questions import verify

TARGETS = {"median": 0.15, "largest": 3.0}
"""Seconds for checking one."""


@dataclass(frozen=True)
class Figure:
    """One certificate: CPU seconds for making and checking it once the verdict is there, and what is in it."""

    name: str
    rules: dict[str, int]
    claim: str
    making: float
    checking: float
    clauses: int
    states: int
    steps: int
    folder: int


def measure() -> list[Figure]:
    """A certificate of each puzzle, accepted by the checker."""
    return [_measured(name, board) for name, board, _ in real_puzzles.complete()]


def _measured(name: str, board: Board) -> Figure:
    verdict = verify(board, cross_check="none")
    started = process_time()
    certificate = certificate_of(verdict)
    made = process_time()
    with tempfile.TemporaryDirectory() as folder:
        path = certificate.write(Path(folder, "certificate"))
        begun = process_time()
        report = checker.check(path)
        checked = process_time()
    assert report.accepted, f"{name}: {report}"
    return Figure(
        name,
        dict(Counter(rule.kind for rule in board.rules)),
        certificate.claim,
        made - started,
        checked - begun,
        report.facts["clauses"],
        report.facts["variables"] - board.geometry.order**3,
        report.steps,
        sum(map(len, certificate.files.values())),
    )


def show(figures: list[Figure]) -> list[dict[str, object]]:
    """Print the largest and the medians; the figures as plain values."""
    if not figures:
        print("the shared puzzles are missing")
        return []
    print(f"{len(figures)} puzzles with rules{'median':>22}{'largest':>12}")
    for what, unit in (
        *(("making", "s"), ("checking", "s"), ("clauses", ""), ("states", ""), ("steps", ""), ("folder", "B")),
    ):
        values = [getattr(figure, what) for figure in figures]
        place = ",.2f" if unit == "s" else ",.0f"
        print(f"{what + ' ' + unit:28}{statistics.median(values):15{place}}{max(values):12{place}}")
    checking = [figure.checking for figure in figures]
    for what, figure in (("median", statistics.median(checking)), ("largest", max(checking))):
        print(f"checking, {what}: target {TARGETS[what]:g} s {'reached' if figure < TARGETS[what] else 'missed'}")
    return [asdict(figure) for figure in figures]
