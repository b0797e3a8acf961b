"""Complete puzzles of f-puzzles and SudokuPad from link to verdict, one thread: ``python -m benchmarks.links [none]``.

Each is read and verified once in one pipeline, so that geometries compiled before are there, but no rules. The last
line has the figures and a hash of verdicts and solutions: two versions that give the same hash gave the same answers.
"""

from __future__ import annotations

import statistics
import sys
from hashlib import sha256
from time import process_time

from benchmarks import real_puzzles
from gridproof import formats
from gridproof.pipeline import Pipeline


def main() -> None:
    cross_check = sys.argv[1] if len(sys.argv) > 1 else "all"
    rows = [row for name in real_puzzles.FILES for row in real_puzzles.rows(name) if row["complete"]]
    reading, verifying, answers = 0.0, [], sha256()
    with Pipeline(cross_check=cross_check) as pipeline:
        for row in rows:
            started = process_time()
            puzzle = formats.read_puzzle(row["payload"])
            read = process_time()
            verdict = pipeline.verify(puzzle, despite_unread=True)
            reading += read - started
            if puzzle.board.rules:
                verifying.append(1e3 * (process_time() - started))
            answers.update(f"{row['name']} {verdict.status} {[tuple(grid) for grid in verdict.solutions]}\n".encode())
    with_rules = f"{len(verifying)} of {len(rows)} with rules: median {statistics.median(verifying):.1f} ms"
    print(f"{with_rules}, most {max(verifying):.0f}, all {sum(verifying) / 1e3:.2f} s; {answers.hexdigest()[:12]}")


if __name__ == "__main__":
    main()
