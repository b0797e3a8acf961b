"""Lines of bytes to matrices and back."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gridproof.bulk.chunks import Decoded, decode, encode_grids, find_lines, to_symbols, to_texts

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def by_character(data: bytes, order: int) -> tuple[list[list[int]], list[int]]:
    """The same, one character after the other: symbols, good lines."""
    verified, good = [], []
    for index, line in enumerate(data.split(b"\n")[:-1]):
        text = line.decode("latin-1")
        values = []
        for character in text:
            if character in ".0*_-":
                values.append(0)
            elif character.isascii() and character.upper() in SYMBOLS[:order]:
                values.append(SYMBOLS.index(character.upper()) + 1)
        if len(values) == len(text) == order * order:
            verified.append(values)
            good.append(index)
    return verified, good


def decoded(lines: list[bytes], order: int, *, zeros_are_blanks: bool = False) -> Decoded:
    return decode(find_lines(b"".join(line + b"\n" for line in lines)), order, zeros_are_blanks=zeros_are_blanks)


def assert_decoded(data: bytes, order: int) -> None:
    expected, good = by_character(data, order)
    lines = find_lines(data)
    texts = [data[start:end] for start, end in zip(lines.starts, lines.ends, strict=True)]
    assert texts == data.split(b"\n")[:-1]
    verified = decode(lines, order)
    assert verified.symbols.tolist() == expected
    assert verified.symbols.shape == verified.characters.shape == (len(good), order * order)
    assert verified.good.tolist() == good
    assert [text.encode() for text in to_texts(verified.characters)] == [texts[index] for index in good]
    assert to_symbols(verified.characters, order).tolist() == expected


@pytest.mark.parametrize("order", [2, 9, 16])
def test_random_lines(order: int) -> None:
    chance = random.Random(order)
    cells = order * order
    for _ in range(80):
        lines = []
        for _ in range(chance.randrange(8)):
            text = "".join(chance.choice("." + SYMBOLS[:order] + SYMBOLS[:order].lower()) for _ in range(cells))
            if chance.random() < 0.2:
                text = text[: chance.randrange(cells)] + chance.choice(["", "?", "..", "\r", ",", "é"])
            lines.append(text.encode("latin-1") + b"\n")
        assert_decoded(b"".join(lines), order)


def test_zeros_that_may_be_symbols_are_left_to_a_closer_look() -> None:
    unclear = [b"10.............3", b"10-0............", b"..0.............", b"0_1............."]
    clear = [b"10.4............", b"1000000000000003", b"1..3............", b"0" * 16]
    assert decoded(unclear + clear, 4).good.tolist() == [4, 5, 6, 7]
    assert decoded(unclear, 4, zeros_are_blanks=True).symbols.sum(axis=1).tolist() == [4, 1, 0, 1]
    assert not len(decoded([b"10.............3"], 4).good)


def test_text_there_and_back() -> None:
    for order in (4, 9, 16, 25):
        clues = np.random.default_rng(order).integers(0, order + 1, (50, order * order)).astype(np.uint8)
        texts = encode_grids(clues, order)
        assert texts.shape == clues.shape
        lines = [text.encode() for text in to_texts(texts)]
        assert np.array_equal(decoded(lines, order, zeros_are_blanks=True).symbols, clues)
    assert to_texts(encode_grids(np.array([[0, 1, 2, 0]], np.uint8), 2)) == [".12."]
