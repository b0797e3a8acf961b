"""Ratings and steps: ``python -m benchmarks.ratings FILE [SHARE]``, on lines of a puzzle and a published rating.

The rank correlation of cost and rating has a 95 % interval by bootstrap over puzzles; that of the grade stands beside
it, and that of the cost inside each band of ratings. Times are CPU time: of whole paths in this process, and of the
next step with the start of a process, on ten puzzles. Without ratings, only times.
SHARE takes every so many lines. A puzzle may be a link.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import process_time

from gridproof import rate
from gridproof.solving.grades import GRADES

RESAMPLED = 1000
BANDS = ((2.5, 3.4), (3.6, 4.8), (5.0, 6.6), (6.7, 7.9), (8.0, 9.3))
STARTED = 10
NAMES = [grade.name for grade in GRADES]


def ranks(values: Sequence[float]) -> list[float]:
    """The place of each value, from 0; that of equal ones is the mean of theirs."""
    ordered = sorted(values)
    first = {value: place for place, value in reversed([*enumerate(ordered)])}
    return [first[value] + (ordered.count(value) - 1) / 2 for value in values]


def spearman(pairs: Sequence[tuple[float, float]]) -> float:
    ours, theirs = zip(*pairs, strict=True)
    return statistics.correlation(ranks(ours), ranks(theirs))


def interval(pairs: Sequence[tuple[float, float]], seed: int = 0) -> tuple[float, float]:
    """The 95 % interval of the rank correlation."""
    random = Random(seed)
    found = sorted(spearman(random.choices(pairs, k=len(pairs))) for _ in range(RESAMPLED))
    return found[RESAMPLED // 40], found[-RESAMPLED // 40]


def spread(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    ninth = ordered[len(ordered) * 9 // 10]
    return f"median {statistics.median(ordered):.3f}, nine of ten {ninth:.3f}, worst {ordered[-1]:.3f} s"


def next_step(puzzle: str) -> float:
    """CPU seconds of a process that gives one step."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "gridproof", "steps", "--next", puzzle], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(path: str, share: int = 1) -> None:
    lines = [line.split() for line in Path(path).read_text(encoding="utf-8").splitlines() if line[:1] not in ("", "#")]
    lines, costs, seconds = lines[::share], list[float](), list[float]()
    grades: list[float] = []
    for puzzle, *_ in lines:
        started = process_time()
        rating = rate(puzzle)
        costs.append(rating.cost)
        grades.append(NAMES.index(rating.grade))
        seconds.append(process_time() - started)
    print(f"{len(lines)} puzzles, costs {min(costs):.3f} to {max(costs):.3f}, median {statistics.median(costs):.3f}")
    if len(lines[0]) > 1:
        published = [float(line[1]) for line in lines]
        pairs = [*zip(costs, published, strict=True)]
        low, high = interval(pairs)
        print(f"rank correlation with the ratings: {spearman(pairs):.3f} [{low:.3f}, {high:.3f}]")
        print(f"that of the grades: {spearman([*zip(grades, published, strict=True)]):.3f}")
        for first, last in BANDS:
            inside = [pair for pair in pairs if first <= pair[1] <= last]
            if len({cost for cost, _ in inside}) > 1:
                print(f"inside {first} to {last}: {spearman(inside):.2f} ({len(inside)} puzzles)")
    print(f"whole paths: {spread(seconds)}; {len(seconds) / sum(seconds):.1f} a second")
    every = max(1, len(lines) // STARTED)
    print(f"next step, with start: {spread([next_step(puzzle) for puzzle, *_ in lines[::every][:STARTED]])}")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
