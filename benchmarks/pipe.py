"""Puzzles per second of the bulk job in one process: from the bytes of a file to verdicts that prove uniqueness.

    python -m benchmarks.pipe [--lines 200000]

Each kind is a set of puzzles under random symmetries (``make_million``), none damaged, in a file of lines. Reading,
decoding, lanes, the session for what they leave open, the check of every grid and the counting of verdicts are timed;
the cross-check against the reference is off, and once more on as a run of this size has it by default (a sample of one
in a thousand). Nothing is written. CPU and wall seconds, medians; compiling is not counted.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks import make_million, sets
from gridproof.bulk.job import Job, RunOptions
from gridproof.bulk.many import PART_SIZE
from gridproof.bulk.reading import Rows
from gridproof.bulk.run import start_workers, work_through
from gridproof.errors import BackendUnavailable
from gridproof.formats.shapes import Shapes
from gridproof.lanes import LaneEngine
from gridproof.puzzle.geometry import Geometry
from gridproof.trust.crosscheck import CrossCheck

EASY_CLUES = 30


@dataclass(frozen=True)
class Figure:
    """Puzzles a second of one kind beside the target: CPU, wall, and CPU with the usual sample cross-checked."""

    kind: str
    puzzles: int
    per_cpu_second: float
    per_wall_second: float
    sampled_per_cpu_second: float
    target: float | None

    @property
    def reached(self) -> str:
        """In plain words, by the CPU time."""
        if self.target is None:
            return ""
        share = self.per_cpu_second / self.target
        return "reached" if share >= 1 else f"missed ({share:.0%})"


def kinds() -> list[tuple[str, NDArray[np.uint8], float, float]]:
    """(name, puzzles, target in puzzles/s, share of the lines asked for) of each kind."""
    return [
        ("easy", _easy(), 300_000, 1),
        ("17-clue", _clues(sets.seventeen()[1]), 150_000, 1),
        ("hardest188", _clues(sets.hardest()[1]), 13_500, 0.1),
    ]


def _easy() -> NDArray[np.uint8]:
    """Of the shared puzzles those with many clues; without these, the project's easy ones with clues added."""
    if (make_million.SHARED / "mixed10k.txt").exists():
        mixed = make_million.puzzles("mixed10k")
        return np.asarray(mixed[(mixed > 0).sum(axis=1) >= EASY_CLUES])
    puzzles = make_million.puzzles("easy")
    solutions = LaneEngine(Geometry.standard(9)).verify(puzzles).first
    ranks = np.random.default_rng(0).random(puzzles.shape) - (puzzles > 0)  # given clues come first
    kept = ranks.argsort(axis=1).argsort(axis=1) < np.maximum((puzzles > 0).sum(axis=1), EASY_CLUES)[:, None]
    return np.asarray(np.where(kept, solutions, 0), np.uint8)


def _clues(lines: Sequence[str]) -> NDArray[np.uint8]:
    digits = [[int(character) if character.isdigit() else 0 for character in line] for line in lines]
    return np.array(digits, np.uint8)


def measure(lines: int = 200_000, repetitions: int = 5) -> list[Figure]:
    """Every kind, the kinds taking turns."""
    random = np.random.default_rng(0)
    timings: dict[str, list[tuple[float, float, float]]] = {}
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        for name, puzzles, _, share in kinds():
            characters = np.full((int(lines * share), 82), ord("\n"), np.uint8)
            scrambled = make_million.scrambled(puzzles, len(characters), random)
            characters[:, :81] = np.frombuffer(b".123456789", np.uint8)[scrambled]
            (Path(folder) / name).write_bytes(characters.tobytes())
        with suppress(BackendUnavailable):  # NumPy is measured then; else it would be until the background has compiled
            LaneEngine(Geometry.standard(9), "numba").verify(np.zeros((1, 81), np.uint8))
        for _ in range(repetitions):
            for name, *_ in kinds():
                path = Path(folder) / name
                sampled = _timed(path, RunOptions().make_job(lines).cross_check)[0]
                timings.setdefault(name, []).append((*_timed(path, CrossCheck("none")), sampled))
        for name, _, target, share in kinds():
            number = int(lines * share)
            cpu, wall, sampled = (number / statistics.median(column) for column in zip(*timings[name], strict=True))
            figures.append(Figure(name, number, cpu, wall, sampled, target))
    return figures


def _timed(path: Path, cross_check: CrossCheck) -> tuple[float, float]:
    """(CPU, wall) seconds of one run over a file."""
    job = Job(cross_check=cross_check)
    verdicts: Counter[str] = Counter()
    wall, cpu = perf_counter(), process_time()
    for _, result in work_through(Rows(path, Shapes(Geometry.standard)).chunks(PART_SIZE), job, start_workers(0)):
        verdicts.update(result.summary.verdicts)
    spent = process_time() - cpu, perf_counter() - wall
    assert set(verdicts) == {"unique"}, verdicts
    return spent


def show(figures: list[Figure]) -> list[Figure]:
    """Print them."""
    print(f"{'whole pipe, puzzles/s':22}{'puzzles':>9}{'CPU':>10}{'wall':>10}{'sampled':>10}{'target':>10}")
    for figure in figures:
        print(
            f"{figure.kind:22}{figure.puzzles:9,}{figure.per_cpu_second:10,.0f}{figure.per_wall_second:10,.0f}"
            f"{figure.sampled_per_cpu_second:10,.0f}{figure.target or 0:10,.0f}  {figure.reached}"
        )
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=200_000, help="of each kind (of hardest188 a tenth)")
    show(measure(parser.parse_args().lines))


if __name__ == "__main__":
    main()
