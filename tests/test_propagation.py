"""The work list ends where the same steps end that are taken one at a time, in any order, over the whole board."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from core_samples import SHAPES, keep, random_grid, with_random_marks
from gridproof.models.propagation import reduce
from gridproof.puzzle.board import Board
from test_reduced import boards, candidate_masks

SEEDS = range(6)


def naive(board: Board, rng: random.Random) -> list[int] | None:
    """Singles and locked candidates until nothing changes, as masks; ``None`` for a contradiction."""
    n, houses = board.geometry.order, [set(house.cells) for house in board.geometry.houses]
    masks = [1 << clue >> 1 or (1 << n) - 1 for clue in board.clues]
    if board.marks is not None:
        masks = [mask & marks for mask, marks in zip(masks, board.marks, strict=True)]
    steps = [(place, bit) for place in range(len(houses)) for bit in range(n)]
    changed = True
    while changed:
        changed = False
        rng.shuffle(steps)
        for place, bit in steps:
            here = {cell for cell in houses[place] if masks[cell] >> bit & 1}
            if not here:
                return None
            before = list(masks)
            if len(here) == 1:  # a hidden single
                masks[min(here)] = 1 << bit
            for cell in here:
                if masks[cell] == 1 << bit:  # a naked one
                    for other in houses[place] - {cell}:
                        masks[other] &= ~(1 << bit)
            for house in houses:
                if here <= house:
                    for cell in house - here:
                        masks[cell] &= ~(1 << bit)
            changed |= masks != before
    return masks if all(masks) else None


def small_boards(shape: str, seed: int) -> Iterator[Board]:
    """Boards with solutions, and boards of random clues, of which most have none."""
    yield from boards(shape, seed)
    geometry = SHAPES[shape]()
    rng = random.Random(f"{shape} {seed} spoiled")
    grid = random_grid(geometry, rng)
    for share in (0.1, 0.3, 0.5):
        board = keep(geometry, grid, max(1, int(share * geometry.cell_count)), rng)
        cell = rng.choice([cell for cell, clue in enumerate(board.clues) if clue])
        clues = list(board.clues)
        clues[cell] = rng.randint(1, geometry.order)
        yield Board(geometry, tuple(clues))
        yield with_random_marks(Board(geometry, tuple(clues)), random_grid(geometry, rng), rng)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_the_work_list_ends_where_naive_steps_end_in_any_order(shape: str) -> None:
    contradictions = 0
    for seed in SEEDS:
        for number, board in enumerate(small_boards(shape, seed)):
            reduction = reduce(board)
            wanted = naive(board, random.Random(number))
            contradictions += wanted is None
            assert (reduction.contradiction is None) == (wanted is not None), board
            assert wanted is None or candidate_masks(reduction) == wanted, board
    assert contradictions or SHAPES[shape]().order == 1
