"""Puzzles with rules of a wished grade: ``python -m benchmarks.graded [SEEDS]``, CPU seconds until the first one.

For each recipe so many seeds (ten by default), one process; a seed that gives none within its patience counts with it.
"""

from __future__ import annotations

import statistics
import sys
from time import process_time
from typing import Any

from gridproof.errors import InputError
from gridproof.generation.making import puzzles
from gridproof.generation.recipe import Recipe

RECIPES: tuple[dict[str, Any], ...] = (
    {"killer": True, "grade": "easy"},
    {"killer": True, "grade": "medium"},
    {"killer": True, "grade": "hard"},
    {"rules": "anti-knight", "grade": "medium"},
    {"rules": "anti-knight", "grade": "hard"},
    {"rules": "non-consecutive", "grade": "hard"},
)

PATIENCE = 120.0
"""Seconds after which a seed is given up."""


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    for options in RECIPES:
        seconds = []
        clues = []
        for seed in range(1, count + 1):
            started = process_time()
            try:
                (made,) = puzzles(1, Recipe(seed=seed, **options), patience=PATIENCE)
                clues.append(made.board.clue_count)
            except InputError as problem:
                print(f"seed {seed}: {problem}")
            seconds.append(process_time() - started)
        name = " ".join([str(value) for value in options.values()])
        of_clues = statistics.median(clues) if clues else "no"
        print(f"{name}: median {statistics.median(seconds):.2f} s, most {max(seconds):.2f}; {of_clues} clues")


if __name__ == "__main__":
    main()
