"""A million puzzles from a few thousand, by the symmetries of Sudoku, which change no verdict; 1 % damaged lines.

    python -m benchmarks.make_million million.txt [--lines 1000000] [--damaged 0.01] [--set NAME] [--seed 0]

Each line is a puzzle of a set with its symbols renamed, rows permuted within their bands and bands among themselves,
columns likewise, and transposed or not, all at random. The sets are those of ``../shared/data`` if they are there, else
the package's own; every puzzle in them has one solution. With a name that ends in .gz the file is compressed.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"

_BATCH = 50_000


def puzzles(name: str | None = None) -> NDArray[np.uint8]:
    """The puzzles of the sets as (puzzles, 81) symbols, 0 for a blank: of one set if it is named, else of all."""
    from gridproof import formats
    from gridproof.errors import PuzzleFormatError
    from gridproof.formats import datasets

    files = sorted(SHARED.glob(f"{name or '*'}.txt"))
    if not files:
        files = [datasets.path(each) for each in ([name] if name else ["easy", "hard"])]
    items = [item for file in files for item in formats.read(file.read_bytes())]
    grids = [item.board.clues for item in items if not isinstance(item, PuzzleFormatError)]
    return np.array([clues for clues in grids if len(clues) == 81], np.uint8)


def scrambled(source: NDArray[np.uint8], number: int, random: np.random.Generator) -> NDArray[np.uint8]:
    """Make so many puzzles, each one of ``source`` at random under a symmetry at random."""
    grids = source[random.integers(len(source), size=number)].reshape(number, 9, 9)
    flipped = random.random(number) < 0.5
    grids[flipped] = grids[flipped].transpose(0, 2, 1)
    every = np.arange(number)[:, None, None]
    rows, columns = _lines(number, random), _lines(number, random)
    grids = grids[every, rows[:, :, None], columns[:, None, :]]
    names = np.zeros((number, 10), np.uint8)
    names[:, 1:] = random.permuted(np.tile(np.arange(1, 10, dtype=np.uint8), (number, 1)), axis=1)
    return names[every, grids].reshape(number, 81)


def _lines(number: int, random: np.random.Generator) -> NDArray[np.int64]:
    """Rows (or columns) permuted within their bands, and the bands among themselves."""
    bands = random.permuted(np.tile(np.arange(3), (number, 1)), axis=1)
    within = random.permuted(np.tile(np.arange(3), (number, 3, 1)), axis=2)
    return np.asarray(3 * bands[:, :, None] + within, np.int64).reshape(number, 9)


def lines(number: int, damaged: float, seed: int, name: str | None = None) -> Iterator[bytes]:
    """Batches of lines, a share of them damaged in one of four ways: too short, too long, a letter, a stray byte."""
    random = np.random.default_rng(seed)
    source = puzzles(name)
    for start in range(0, number, _BATCH):
        size = min(_BATCH, number - start)
        characters = np.full((size, 82), ord("\n"), np.uint8)
        characters[:, :81] = np.frombuffer(b".123456789", np.uint8)[scrambled(source, size, random)]
        batch = characters.tobytes()
        hit = np.flatnonzero(random.random(size) < damaged).tolist()
        if hit:
            each = batch.splitlines(keepends=True)
            for place in hit:
                line, at = each[place], int(random.integers(81))
                each[place] = (
                    line[:at] + line[at + 1 :],
                    line[:at] + b"5" + line[at:],
                    line[:at] + b"x" + line[at + 1 :],
                    line[:at] + b"\xff" + line[at + 1 :],
                )[int(random.integers(4))]
            batch = b"".join(each)
        yield batch


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--damaged", type=float, default=0.01)
    parser.add_argument("--set", dest="name", help="one set only, such as 17clue-2000")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    with args.output.open("wb") as plain:
        compressed = gzip.GzipFile(fileobj=plain, mode="wb", compresslevel=5) if args.output.suffix == ".gz" else None
        for batch in lines(args.lines, args.damaged, args.seed, args.name):
            (compressed or plain).write(batch)
        if compressed is not None:
            compressed.close()


if __name__ == "__main__":
    main()
