"""The puzzle sets of the benchmarks: the shared ones beside the checkout if they are there, else the project's own."""

from __future__ import annotations

from pathlib import Path

from gridproof import formats
from gridproof.formats import datasets

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line and not line.startswith("#")]


def _own(name: str) -> list[str]:
    return [formats.to_line(board.clues, board.geometry) for board in datasets.load(name)]


def seventeen() -> tuple[str, list[str]]:
    """(what it is, lines): 2,000 17-clue puzzles, or the project's easy ones where the shared sets are missing."""
    path = SHARED / "17clue-2000.txt"
    return ("17-clue", _lines(path)) if path.exists() else ("own easy set", _own("easy"))


def hardest() -> tuple[str, list[str]]:
    """(what it is, lines): the shared set hardest188, or the project's own hard ones where it is missing.

    Sets that were called hardest before are easy beside it: top95 and hardest11 take a tenth of its branches.
    """
    path = SHARED / "hardest188.txt"
    return ("hardest188", _lines(path)) if path.exists() else ("own hard set", _own("hard"))
