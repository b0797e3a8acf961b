"""Beside the fastest solvers of others: from the characters of a line to a count of solutions up to two, on one core.

    python -m benchmarks.peers [--runs 5] [--lines 200000] PROGRAM...

A program gets the path of a file of lines and prints four numbers: how many have no solution, one, and several, and the
CPU seconds that counting took, without start and reading; ``peer_drivers`` has what makes such programs of tdoku,
rust_sudoku and schoku. Ours are the seconds from the bytes of the file to verdicts whose grids were all checked, once
the compiled search is loaded. All take turns, on five sets: 17 clues; easy (24 to 35 clues); random minimal; hard; and
mixed, of which three in ten have one solution, five several and two none. The ratios are those of the medians. Counts
that differ from ours are printed.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks import make_million, sets
from gridproof.bulk.job import Job
from gridproof.bulk.many import PART_SIZE
from gridproof.bulk.reading import Rows
from gridproof.bulk.run import start_workers, work_through
from gridproof.bulk.work import keep_memory
from gridproof.formats.shapes import Shapes
from gridproof.generation.in_lanes import Thinning, full_grids
from gridproof.lanes import MULTIPLE, NONE, LaneEngine, LaneResult
from gridproof.puzzle.geometry import Geometry
from gridproof.trust.crosscheck import CrossCheck

Puzzles = NDArray[np.uint8]

NINE = Geometry.standard(9)
OURS = "gridproof"
BASES = 20_000
"""Random minimal puzzles, of which the sets have symmetric ones."""


def make_sets(lines: int, engine: LaneEngine) -> dict[str, Puzzles]:
    """Return the sets: so many lines each, of the hard one a twentieth."""
    random = np.random.default_rng(7)
    seventeen = as_array(sets.seventeen()[1])
    minimal, solutions = random_minimal(engine, random)
    clues = minimal > 0
    wanted = np.maximum(random.integers(24, 36, len(minimal)), clues.sum(axis=1))
    order = (random.random(minimal.shape) - clues).argsort(axis=1).argsort(axis=1)  # given clues come first
    easy = np.where(order < wanted[:, None], solutions, 0).astype(np.uint8)
    unique = np.concatenate([make_million.scrambled(each, lines, random) for each in (seventeen, minimal, easy)])
    random.shuffle(unique)
    return {
        "17 clues": make_million.scrambled(seventeen, lines, random),
        "easy": make_million.scrambled(easy, lines, random),
        "random minimal": make_million.scrambled(minimal, lines, random),
        "hard": make_million.scrambled(as_array(sets.hardest()[1]), lines // 20, random),
        "mixed": mix(unique, lines, engine, random),
    }


def as_array(lines: list[str]) -> Puzzles:
    """Return puzzles of lines as symbols."""
    symbols = []
    for line in lines:
        symbols.append([int(character) if character.isdigit() else 0 for character in line])
    return np.array(symbols, np.uint8)


def random_minimal(engine: LaneEngine, random: np.random.Generator) -> tuple[Puzzles, Puzzles]:
    """Return minimal puzzles, made of random grids, and their solutions."""
    grids = full_grids(NINE, 7, np.arange(BASES))
    thinning = Thinning(random.random(grids.shape).argsort(axis=1), 0)

    def follow_up(puzzles: NDArray[np.int64], found: LaneResult) -> tuple[NDArray[np.int64], Puzzles]:
        busy = thinning.take_codes(puzzles, found.codes)
        return busy, grids[busy] * thinning.next_clues(busy)

    engine.verify_in_turn(grids * thinning.next_clues(np.arange(BASES)), follow_up)
    return grids * thinning.kept, grids


def mix(unique: Puzzles, lines: int, engine: LaneEngine, random: np.random.Generator) -> Puzzles:
    """Return unique puzzles, some with a clue or two less (several solutions), some with a wrong one more (none)."""
    solutions = engine.verify(unique).first
    rows = np.arange(len(unique))
    fewer = unique.copy()
    for _ in range(2):
        fewer[rows, (random.random(unique.shape) * (unique > 0)).argmax(axis=1)] = 0
    wrong = unique.copy()
    cells = (random.random(unique.shape) * (unique == 0)).argmax(axis=1)
    wrong[rows, cells] = (solutions[rows, cells] - 1 + random.integers(1, 9, len(rows))) % 9 + 1
    several = fewer[engine.verify(fewer).codes == MULTIPLE]
    none = wrong[engine.verify(wrong).codes == NONE]
    mixed = np.concatenate([unique[: lines * 3 // 10], several[: lines // 2], none[: lines // 5]])
    random.shuffle(mixed)
    return mixed


def run_ours(path: Path) -> tuple[list[int], float]:
    """Return the numbers of puzzles without, with one and with several solutions, and the seconds."""
    job = Job(cross_check=CrossCheck("none"))
    verdicts: Counter[str] = Counter()
    begun = process_time()
    for _, result in work_through(Rows(path, Shapes(Geometry.standard)).chunks(PART_SIZE), job, start_workers(0)):
        verdicts.update(result.summary.verdicts)
    spent = process_time() - begun
    return [verdicts["none"], verdicts["unique"], verdicts["multiple"]], spent


def run_peer(program: Path, path: Path) -> tuple[list[int], float]:
    """Return the same of another program."""
    done = subprocess.run([program, path], check=True, capture_output=True, text=True)
    *counts, seconds = done.stdout.split()
    return [int(count) for count in counts], float(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5, help="of each (default: 5)")
    parser.add_argument("--lines", type=int, default=200_000, help="of each set (default: 200,000)")
    parser.add_argument("programs", type=Path, nargs="*")
    args = parser.parse_args()
    keep_memory()
    engine = LaneEngine(NINE, "numba")
    with tempfile.TemporaryDirectory() as folder:
        for name, puzzles in make_sets(args.lines, engine).items():
            path = Path(folder) / name
            characters = np.full((len(puzzles), 82), ord("\n"), np.uint8)
            characters[:, :81] = np.frombuffer(b".123456789", np.uint8)[puzzles]
            path.write_bytes(characters.tobytes())
            compare(name, path, len(puzzles), args.runs, args.programs)


def compare(name: str, path: Path, number: int, runs: int, programs: list[Path]) -> None:
    """Print the row of a set: puzzles a second, and how many times the first program's that is."""
    seconds: dict[str, list[float]] = {}
    counts = run_ours(path)[0]
    for _ in range(runs):
        seconds.setdefault(OURS, []).append(run_ours(path)[1])
        for program in programs:
            found, spent = run_peer(program, path)
            seconds.setdefault(program.name, []).append(spent)
            if found != counts:
                print(f"{program.name} on {name}: {found}; expected {counts}")
    medians = {each: statistics.median(values) for each, values in seconds.items()}
    peers = [medians[program.name] for program in programs]
    print(f"{name}: {number:,} lines; none, one, several: {counts}")
    for each, median in medians.items():
        ratio = f"{peers[0] / median:8.2f}" if peers else ""
        print(f"    {each:20}{number / median:12,.0f} a second{ratio}")
    if peers:
        print(f"    {OURS} is {min(peers) / medians[OURS]:.2f} times as fast as the fastest other", flush=True)


if __name__ == "__main__":
    main()
