"""Puzzles that are made one by one, without NumPy: the same as in the lanes, and the same without it installed."""

from __future__ import annotations

import json
import subprocess
import sys
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gridproof
from gridproof.generation import in_lanes, top_down
from gridproof.lanes import MULTIPLE, OPEN, UNIQUE

CODES = {True: UNIQUE, False: MULTIPLE, None: OPEN}

PROGRAM = """
import json, sys
sys.modules["numpy"] = None
import gridproof
shape = gridproof.Geometry.classic(2)
made = [board.text() for board in gridproof.generate(3, rules="anti-knight", symmetry="full", seed=5)]
graded = [board.text() for board in gridproof.generate(1, grade="easy", seed=1)]
small = [board.text() for board in gridproof.generate(2, shape=shape, clues=5, pattern="1" * 15 + ".", seed=1)]
killer = [repr(board.rules) for board in gridproof.generate(1, shape=shape, killer=True, seed=1)]
print(json.dumps([made, graded, small, killer]))
"""


@pytest.mark.process
@pytest.mark.slow
def test_puzzles_are_made_where_numpy_cannot_be_imported() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    made, [graded], small, killer = json.loads(done.stdout)
    shape = gridproof.Geometry.classic(2)
    assert made == [board.text() for board in gridproof.generate(3, rules="anti-knight", symmetry="full", seed=5)]
    assert killer == [repr(board.rules) for board in gridproof.generate(1, shape=shape, killer=True, seed=1)]
    assert gridproof.rate(graded).grade == "easy"
    for text in small:
        board = gridproof.parse(text)
        assert board.clue_count == 5
        assert not board.clues[15]
        assert gridproof.verify(board).is_unique


@given(st.integers(0, 2**48), st.integers(0, 2**20), st.integers(1, 90))
def test_random_words_are_those_of_the_lanes(seed: int, number: int, count: int) -> None:
    [expected] = in_lanes.words(seed, np.array([number]), "order", count).tolist()
    assert top_down.random_words(seed, number, "order", count) == expected


@given(st.integers(0, 2**32), st.integers(1, 30), st.booleans(), st.integers(0, 12))
def test_clues_are_taken_away_as_in_the_lanes(seed: int, cells: int, some_empty: bool, least: int) -> None:
    random = Random(seed)
    groups = random.randint(1, cells)
    ranks = [random.randrange(groups) for _ in range(cells)]
    ranks[random.randrange(cells)] = groups - 1
    if some_empty and cells > 1:
        ranks[ranks.index(min(ranks))] = -1
    needed = [random.sample(range(cells), random.randint(0, min(3, cells))) for _ in range(2)]
    undecided = random.random() < 0.3

    def is_unique(given: list[bool]) -> bool | None:
        if all(given[cell] for cell in needed[0]):
            return True
        return None if undecided and all(given[cell] for cell in needed[1]) else False

    thinning = in_lanes.Thinning(np.array([ranks]), least)
    busy = np.arange(1)
    while len(busy):
        [given] = thinning.next_clues(busy).tolist()
        busy = thinning.take_codes(busy, np.array([CODES[is_unique(given)]]))
    expected = (thinning.kept[0].tolist(), bool(thinning.unique[0]), bool(thinning.minimal[0]))
    so_far: list[int] = []

    def is_unique_with(kept: list[int], rest: list[int]) -> bool | None:
        assert kept[: len(so_far)] == so_far
        so_far[:] = kept
        return is_unique([cell in kept or cell in rest for cell in range(cells)])

    assert top_down.thin_one(is_unique_with, ranks, least) == expected
