"""Lines of bytes to arrays and back, and the bulk check."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gridproof.errors import InputError
from gridproof.lanes import check_grids, decode_lines, decode_rows, encode_grids
from gridproof.puzzle.geometry import Geometry
from lane_samples import GEOMETRIES, grids, is_solution

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def by_character(data: bytes, order: int) -> tuple[list[list[int]], list[int], list[int]]:
    """The same, one character after the other: clues, good lines, damaged lines."""
    lines = data.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    clues, good, damaged = [], [], []
    for index, line in enumerate(lines):
        text = line.removesuffix(b"\r").decode("latin-1")
        values = []
        for character in text:
            if character in ".0*_-":
                values.append(0)
            elif character.isascii() and character.upper() in SYMBOLS[:order]:
                values.append(SYMBOLS.index(character.upper()) + 1)
        if len(values) == len(text) == order * order:
            clues.append(values)
            good.append(index)
        else:
            damaged.append(index)
    return clues, good, damaged


def assert_decoded(data: bytes, order: int) -> None:
    clues, good, damaged = by_character(data, order)
    lines = decode_lines(data, order)
    assert lines.clues.tolist() == clues
    assert lines.clues.shape == (len(good), order * order)
    assert lines.good.tolist() == good
    assert lines.damaged.tolist() == damaged
    for index in good:
        text = data[lines.starts[index] : lines.ends[index]]
        assert len(text) == order * order


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\n\n",
        b"\r\n",
        b"1234.0*_-1234...",
        b"1234.0*_-1234...\n",
        b"1234.0*_-1234...\r\n",
        b"1234.0*_-1234...\r",
        b"1234.0*_-1234...\n................\n",
        b"1234.0*_-1234...\n................",
        b"\n1234.0*_-1234...\n\n................\n\n",
        b"12345...........\n................\n",  # 5 is no symbol of order 4
        b"123............\n................\n.................\n",  # one short, one long
        b"...............\n.................\n",  # as many bytes as two good lines
        b"1234567\xff........\n\x00...............\n",
        b"...............\r\n",
    ],
)
def test_lines_of_order_4(data: bytes) -> None:
    assert_decoded(data, 4)


@pytest.mark.parametrize("order", [2, 9, 16])
def test_random_lines(order: int) -> None:
    chance = random.Random(order)
    cells = order * order
    for ending in (b"\n", b"\r\n"):
        for _ in range(40):
            lines = []
            for _ in range(chance.randrange(8)):
                text = "".join(chance.choice("." + SYMBOLS[:order] + SYMBOLS[:order].lower()) for _ in range(cells))
                if chance.random() < 0.2:
                    text = text[: chance.randrange(cells)] + chance.choice(["", "?", "..", "\r", ",", "é"])
                lines.append(text.encode("latin-1"))
            assert_decoded(ending.join(lines) + chance.choice([b"", ending]), order)


def test_zeros_that_may_be_symbols_are_left_to_a_closer_look() -> None:
    unclear = [b"10.............3", b"10-0............", b"..0.............", b"0_1............."]
    clear = [b"10.4............", b"1000000000000003", b"1..3............", b"0" * 16]
    lines = decode_lines(b"\n".join(unclear + clear), 4)
    assert lines.damaged.tolist() == [0, 1, 2, 3]
    assert lines.good.tolist() == [4, 5, 6, 7]
    assert decode_lines(b"\n".join(unclear), 4, zeros_are_blanks=True).clues.sum(axis=1).tolist() == [4, 1, 0, 1]
    assert not len(decode_lines(b"10.............3", 4).good)


def test_rows_anywhere_in_a_buffer() -> None:
    data = b"xx1234............yy................zz123"
    raw = np.frombuffer(data, np.uint8)
    lines = decode_rows(raw, np.array([2, 20, 38]), np.array([18, 36, 41]), 4)
    assert lines.good.tolist() == [0, 1]
    assert lines.damaged.tolist() == [2]
    assert lines.clues[0, :5].tolist() == [1, 2, 3, 4, 0]


def test_text_there_and_back() -> None:
    for order in (4, 9, 16, 25):
        clues = np.random.default_rng(order).integers(0, order + 1, (50, order * order)).astype(np.uint8)
        texts = encode_grids(clues, order)
        assert texts.shape == (50,)
        assert np.array_equal(decode_lines(b"\n".join(texts.tolist()), order).clues, clues)
    assert encode_grids(np.array([[0, 1, 2, 0]], np.uint8), 2).tolist() == [b".12."]


def test_orders_without_characters() -> None:
    with pytest.raises(InputError, match="order 36"):
        decode_lines(b"", 36)
    with pytest.raises(InputError, match="order 40"):
        encode_grids(np.zeros((1, 1600), np.uint8), 40)


@pytest.mark.parametrize("name", ["2x2", "2x3 disjoint groups", "windoku", "latin 7"])
def test_the_bulk_check_is_the_check_of_each_grid(name: str) -> None:
    geometry = GEOMETRIES[name]()
    houses = np.array([house.cells for house in geometry.houses])
    order, cells = geometry.order, geometry.cell_count
    chance = np.random.default_rng(4)
    solutions = np.array(grids(geometry, 40, 4), np.uint8)
    clues = np.where(chance.random(solutions.shape) < 0.4, solutions, 0).astype(np.uint8)
    damaged = solutions.copy()
    for index in range(len(damaged)):  # one cell changed: a house fails, or a clue; or none changed
        if index % 4:
            damaged[index, chance.integers(cells)] = chance.integers(0, order + 2)
    relabelled = solutions % order + 1  # every house is right, clues are not
    for candidate in (solutions, damaged, relabelled.astype(np.uint8)):
        expected = [is_solution(geometry, *pair) for pair in zip(clues, candidate, strict=True)]
        assert check_grids(candidate, order, houses, clues).tolist() == expected
    assert check_grids(solutions, order, houses, clues).all()
    assert not check_grids(damaged, order, houses, clues).all()


def test_the_bulk_check_keeps_to_candidates() -> None:
    geometry = Geometry.classic(2)
    houses = np.array([house.cells for house in geometry.houses])
    grid = np.array(grids(geometry, 1, 1), np.uint8)
    none = np.zeros_like(grid)
    masks = (1 << (grid.astype(np.uint32) - 1)).astype(np.uint32)
    assert check_grids(grid, 4, houses, none, masks).all()
    masks[0, 3] = 15 & ~masks[0, 3]
    assert not check_grids(grid, 4, houses, none, masks).any()
