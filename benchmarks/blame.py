"""The blame for one wrong digit: ``python -m benchmarks.blame``, CPU seconds of what the widget finds out by itself.

Each complete puzzle of f-puzzles gets one wrong digit in a random open cell. The widget's analysis then gives the
verdict, with its cross-check, a conflict, and what to leave out; the wrong digit has to be among this.
"""

from __future__ import annotations

import statistics
from random import Random
from time import process_time

from benchmarks import real_puzzles
from gridproof import formats
from gridproof.formats import Puzzle
from gridproof.puzzle.digits import symbol_number
from gridproof.widget.analysis import Finder


def main() -> None:
    random = Random(5)
    seconds = []
    is_named = 0
    finder = Finder()
    for row in real_puzzles.rows("f-puzzles"):
        if not row["complete"]:
            continue
        board = formats.read_puzzle(row["payload"]).board
        cell = random.choice([cell for cell, clue in enumerate(board.clues) if not clue])
        right = symbol_number(row["solution"][cell])
        wrong = random.choice([symbol for symbol in board.geometry.symbols if symbol != right])
        started = process_time()
        found = list(finder.find(("look", Puzzle(board.with_clue(cell, wrong)))))
        seconds.append(process_time() - started)
        for finding in found:
            if "explanation" in finding:
                corrections = finding["explanation"].corrections
                is_named += any(one.cells == (cell,) and one.size == 1 for one in corrections)
    in_order = sorted(seconds)
    median = statistics.median(seconds)
    print(
        f"{len(seconds)} puzzles: median {median:.2f} s, most {in_order[-1]:.2f}; the wrong digit named in {is_named}"
    )


if __name__ == "__main__":
    main()
