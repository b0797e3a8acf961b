"""Rules that are drawn: which shared SudokuPad puzzles ``drawings=True`` reads, and what the verdicts are worth.

``python -m benchmarks.drawings [SECONDS] [ROWS ...]`` prints a line for each puzzle that is not complete without its
drawings, and the table; it is empty where the shared sets are missing. A puzzle counts as *refuted* if its stored
solution breaks a rule that was read although every sentence and drawing had one, or if a verdict contradicts it.
"""

from __future__ import annotations

import json
import sys
from collections import Counter

import gridproof
from benchmarks.sets import SHARED
from gridproof.formats.puzzle import Puzzle

PATH = SHARED / "sudokupad.jsonl"


def outcome(puzzle: Puzzle, seconds: float) -> str:
    """Return the class of a puzzle: what its verdict is, or what was in the way."""
    if parts := puzzle.not_understood:
        if any("stored solution breaks" in part.what for part in parts):
            return "refuted"
        in_words = any(part.where == "rules in words" for part in parts)
        return "in the way: a sentence" if in_words else f"in the way: {parts[0].where.split(' ')[0]}"
    verdict = gridproof.verify(puzzle, limits=gridproof.Limits(seconds=seconds), cross_check="none")
    agrees = verdict.evidence.stored in (None, "right" if verdict.is_unique else "not_only", "valid")
    return str(verdict.status) if agrees and verdict.status != "disagreement" else "refuted"


def main(seconds: float = 60, chosen: tuple[int, ...] = ()) -> Counter[str]:
    """Print the outcome of each puzzle, and return their number."""
    counts: Counter[str] = Counter()
    rows = [json.loads(line) for line in PATH.read_text().splitlines()] if PATH.exists() else []
    for number, row in enumerate(rows):
        if chosen and number not in chosen:
            continue
        group = "complete" if row["complete"] is True else "open"
        puzzle = gridproof.read_puzzle(row["payload"], drawings=True)
        found = outcome(puzzle, seconds)
        counts[f"{group}: {found}"] += 1
        if found != "unique":
            print(f"{number:4} {group:9}{found:32}{'; '.join(map(str, puzzle.not_understood))[:160]}")
    for name, count in sorted(counts.items(), key=lambda pair: pair[0]):
        print(f"{count:5} {name}")
    return counts


if __name__ == "__main__":
    main(float((sys.argv[1:] or ["60"])[0]), tuple(map(int, sys.argv[2:])))
