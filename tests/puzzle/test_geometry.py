"""Geometries: the houses and peers of every kind of board, and the shapes that no board can have."""

from __future__ import annotations

import copy
import pickle
import typing
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gridproof.errors import GeometryError, InputError
from gridproof.puzzle.digits import Digits, symbol_number
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import House

JIGSAW = "AABBBBCCCAAAABBCCCAAABBBCCCDDDEEFFFFDDDEEEEFFDDDEEEFFFGGGHHHIIIGGGHHHIIIGGGHHHIII"
"""A 9x9 jigsaw: boxes, two pairs of which have exchanged a cell."""


def regular_jigsaw(order: int) -> str:
    return "".join(chr(ord("a") + (r + c) % order) for r in range(order) for c in range(order))


SHAPES = [
    Geometry.classic(1),
    Geometry.classic(2, 3),
    Geometry.classic(3, 2),
    Geometry.classic(3),
    Geometry.classic(8),
    Geometry.latin(1),
    Geometry.latin(5),
    Geometry.jigsaw(regular_jigsaw(7)),
    Geometry.classic(3).with_windoku().with_diagonals().with_disjoint_groups(),
    Geometry.classic(2, 3).with_houses([range(6), range(6, 12)], "extra"),
    Geometry.latin(3).with_houses([(0, 4, 8)], "line").with_houses([(2, 4, 6)], "o").with_houses([(1, 5, 6)], "line"),
]


@pytest.mark.parametrize("geometry", SHAPES, ids=repr)
class TestEveryShape:
    def test_houses_have_one_cell_for_each_symbol(self, geometry: Geometry) -> None:
        n = geometry.order
        for house in geometry.houses:
            assert len(house.cells) == len(set(house.cells)) == n
            assert all(0 <= cell < n * n for cell in house.cells)
        names = [house.name for house in geometry.houses]
        assert len(set(names)) == len(names)

    def test_houses_of_is_the_inverse_of_houses(self, geometry: Geometry) -> None:
        step = 1 if geometry.order <= 16 else 97
        for cell, indices in list(enumerate(geometry.houses_of))[::step]:
            assert list(indices) == [k for k, house in enumerate(geometry.houses) if cell in house.cells]

    def test_peers_share_a_house(self, geometry: Geometry) -> None:
        step = 1 if geometry.order <= 16 else 97
        for cell, peers in list(enumerate(geometry.peers))[::step]:
            expected = {peer for house in geometry.houses if cell in house.cells for peer in house.cells} - {cell}
            assert list(peers) == sorted(expected)

    def test_the_repr_gives_the_same_object(self, geometry: Geometry) -> None:
        assert eval(repr(geometry)) is geometry

    def test_a_pickle_gives_the_same_object(self, geometry: Geometry) -> None:
        sent = pickle.dumps(geometry)
        assert len(sent) < 1000, "what was computed, such as a hash, stays behind"
        assert pickle.loads(sent) is geometry
        assert copy.deepcopy(geometry) is geometry


@pytest.mark.parametrize(
    ("geometry", "houses", "peers"),
    [
        # peers of a cell: rows and columns give 2(n-1), a box the (rows-1)(columns-1) cells in neither
        (Geometry.classic(2, 3), 18, {12}),
        (Geometry.classic(3), 27, {20}),
        (Geometry.classic(5), 75, {64}),
        (Geometry.latin(9), 18, {16}),
        (Geometry.classic(3).with_diagonals(), 29, {20, 26, 32}),
        # r2c2 gains the 3 cells of its window that it did not see before, r4c4 gains 4, r1c1 none
        (Geometry.classic(3).with_windoku(), 31, {20, 23, 24}),
        # of the eight others in a group, four are in neither the cell's row nor its column
        (Geometry.classic(3).with_disjoint_groups(), 36, {24}),
    ],
    ids=repr,
)
def test_numbers_of_houses_and_peers(geometry: Geometry, houses: int, peers: set[int]) -> None:
    assert len(geometry.houses) == houses
    assert {len(some) for some in geometry.peers} == peers


def test_diagonals() -> None:
    falling, rising = Geometry.classic(2).with_diagonals().houses[-2:]
    assert falling.cells == (0, 5, 10, 15)
    assert rising.cells == (3, 6, 9, 12)


def test_the_four_windows() -> None:
    windows = [house for house in Geometry.classic(3).with_windoku().houses if house.kind == "window"]
    assert [window.cells for window in windows] == [
        (10, 11, 12, 19, 20, 21, 28, 29, 30),
        (14, 15, 16, 23, 24, 25, 32, 33, 34),
        (46, 47, 48, 55, 56, 57, 64, 65, 66),
        (50, 51, 52, 59, 60, 61, 68, 69, 70),
    ]


def test_disjoint_groups_take_one_cell_of_each_box() -> None:
    geometry = Geometry.classic(3).with_disjoint_groups()
    groups = [house for house in geometry.houses if house.kind == "group"]
    assert groups[0].cells == (0, 3, 6, 27, 30, 33, 54, 57, 60)
    region_of = geometry.region_of
    assert region_of is not None
    assert sorted(cell for group in groups for cell in group.cells) == list(range(81))
    assert all(sorted(region_of[cell] for cell in group.cells) == list(range(9)) for group in groups)


class TestStandard:
    @pytest.mark.parametrize(
        ("order", "box"),
        [(4, (2, 2)), (6, (2, 3)), (8, (2, 4)), (9, (3, 3)), (10, (2, 5)), (12, (3, 4)), (16, (4, 4)), (36, (6, 6))],
    )
    def test_boxes_as_square_as_they_can_be(self, order: int, box: tuple[int, int]) -> None:
        assert Geometry.standard(order) is Geometry.classic(*box)

    @pytest.mark.parametrize("order", [-4, 0, 1, 2, 13])
    def test_no_usual_boxes(self, order: int) -> None:
        with pytest.raises(GeometryError, match=f"order {order}"):
            Geometry.standard(order)


class TestCaching:
    def test_equal_geometries_are_one_object(self) -> None:
        assert Geometry.classic(3) is Geometry.classic(3, 3)
        assert Geometry.latin(9) is Geometry.latin(9)
        assert Geometry.classic(3).with_diagonals() is Geometry.classic(3).with_diagonals()
        assert Geometry.jigsaw(JIGSAW) is Geometry.jigsaw(list(JIGSAW))

    def test_the_order_of_families_does_not_matter(self) -> None:
        one = Geometry.classic(3).with_windoku().with_diagonals()
        assert one is Geometry.classic(3).with_diagonals().with_windoku()
        assert one is one.with_windoku()


class TestJigsaw:
    def test_regions_take_the_place_of_boxes(self) -> None:
        geometry = Geometry.jigsaw(JIGSAW)
        assert len(geometry.houses) == 27
        regions = [house for house in geometry.houses if house.kind == "region"]
        assert regions[0].cells == tuple(cell for cell, label in enumerate(JIGSAW) if label == "A")
        assert geometry.box_shape is None

    def test_white_space_in_text_is_ignored(self) -> None:
        lines = "\n".join(JIGSAW[start : start + 9] for start in range(0, 81, 9))
        assert Geometry.jigsaw(lines) is Geometry.jigsaw(JIGSAW)

    def test_labels_of_several_characters_are_words(self) -> None:
        rows = [[row // 3 * 3 + column // 4 + 1 for column in range(12)] for row in range(12)]
        text = "\n".join(" ".join(map(str, row)) for row in rows)
        assert Geometry.jigsaw(text) is Geometry.jigsaw([label for row in rows for label in row])
        # of two ways to read a text, that of characters counts: these four words would be a board of order 2
        assert Geometry.jigsaw("1122 1122 3344 3344").order == 4

    @pytest.mark.parametrize(
        ("labels", "match"),
        [
            ("", "0 labels"),
            (JIGSAW[:-1], "80 labels"),
            ("aaab", "'a' has 3 cells"),
            ("aaab aaab ccdd ccdd", "'a' has 6 cells"),
            (JIGSAW.replace("I", "H"), "'H' has"),
        ],
    )
    def test_wrong_regions(self, labels: str, match: str) -> None:
        with pytest.raises(GeometryError, match=match):
            Geometry.jigsaw(labels)


class TestRefusals:
    @pytest.mark.parametrize("arguments", [(0,), (-3,), (0, 3), (3, 0), (-2, -2), (2, -2)])
    def test_boxes_without_cells(self, arguments: tuple[int, ...]) -> None:
        with pytest.raises(GeometryError):
            Geometry.classic(*arguments)

    def test_boxes_that_do_not_fit_the_order(self) -> None:
        with pytest.raises(GeometryError, match="boxes of 2x3"):
            Geometry(9, 9, Digits(1, 9), (2, 3))

    def test_an_unknown_family(self) -> None:
        with pytest.raises(GeometryError, match="'knight'"):
            Geometry(9, 9, Digits(1, 9), (3, 3), families=("knight",))

    @pytest.mark.parametrize(
        "cells",
        [[], range(8), range(10), [0] * 9, [*range(8), 81], [-1, *range(8)]],
        ids=["none", "too few", "too many", "twice", "beyond", "below"],
    )
    def test_wrong_houses(self, cells: typing.Iterable[int]) -> None:
        with pytest.raises(GeometryError, match="house"):
            Geometry.classic(3).with_houses([cells])

    def test_windows_and_groups_need_boxes_with_room(self) -> None:
        for geometry in (Geometry.latin(9), Geometry.jigsaw(JIGSAW)):
            with pytest.raises(GeometryError, match="windoku"):
                geometry.with_windoku()
            with pytest.raises(GeometryError, match="disjoint groups"):
                geometry.with_disjoint_groups()
        with pytest.raises(GeometryError, match="windoku"):
            Geometry.classic(1, 4).with_windoku()


anything: Any = Geometry
"""The same, where the wrong kind of number is given on purpose."""


class TestWholeNumbers:
    def test_numbers_of_numpy_make_the_usual_geometry(self) -> None:
        two, three = np.int64(2), np.uint8(3)
        assert anything.classic(two, three) is Geometry.classic(2, 3)
        assert anything.latin(np.int32(7)) is Geometry.latin(7)
        assert anything.standard(np.int16(12)) is Geometry.standard(12)
        assert Geometry.classic(2).with_houses(np.array([[0, 5, 10, 15]])) is Geometry.classic(2).with_houses(
            [[0, 5, 10, 15]]
        )

    def test_what_came_first_is_plain_whoever_made_it(self) -> None:
        geometry = anything.latin(np.int64(31)).with_houses([np.arange(31)])
        assert type(geometry.order) is int
        assert type(geometry.extra[0].cells[0]) is int
        house: Any = House
        shaped = anything(
            np.int64(4),
            np.int64(4),
            Digits(1, 4),
            [np.int64(2), np.int64(2)],
            None,
            [],
            [house("x", "x 1", [0, 1, 2, 3])],
        )
        assert shaped == Geometry.classic(2).with_houses([[0, 1, 2, 3]], "x")
        assert hash(shaped) == hash(Geometry.classic(2).with_houses([[0, 1, 2, 3]], "x"))
        assert all(type(kept) is tuple for kept in (shaped.box_shape, shaped.families, shaped.extra))
        assert repr(anything(4, 4, Digits(1, 4), None, np.repeat(range(4), 4))) == repr(
            Geometry.jigsaw("0000111122223333")
        )

    @pytest.mark.parametrize(
        ("made", "message"),
        [
            (lambda: anything.classic(2.0), "box_rows 2.0"),
            (lambda: anything.classic(True), "box_rows True"),
            (lambda: anything.standard("9"), "order '9'"),
            (lambda: anything(4, 4, Digits(1, 4), None, (0.0,) * 16), "region 0.0"),
            (lambda: anything.latin(2).with_houses([[0, 3.0]]), "house 'extra 1' with the cell 3.0"),
        ],
    )
    def test_others_are_refused(self, made: Callable[[], Geometry], message: str) -> None:
        with pytest.raises(InputError, match="expected a whole number") as raised:
            made()
        assert message in str(raised.value)


class TestNames:
    def test_cells_are_named_by_row_and_column_from_one(self) -> None:
        geometry = Geometry.classic(4)
        assert [geometry.cell_name(cell) for cell in (0, 15, 16, 255)] == ["r1c1", "r1c16", "r2c1", "r16c16"]

    def test_symbols_are_digits_then_letters_then_numbers(self) -> None:
        assert Geometry.latin(35).symbol_characters == "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        assert Geometry.classic(4).symbol_text(16) == "G"
        assert Geometry.latin(36).symbol_characters == ""
        assert Geometry.classic(6).symbol_text(36) == "36"
        assert Geometry.classic(6).symbol_text(7) == "7"


def test_the_symbol_of_a_character() -> None:
    assert [symbol_number(character) for character in "19Az"] == [1, 9, 10, 35]
    # upper() makes ST of the ligature, S of the long s, and two characters may stand side by side in the alphabet
    assert [symbol_number(text) for text in ("0", "", "12", "\ufb06", "\u017f", "\u0661")] == [None] * 6


def test_one_further_house_is_not_called_several() -> None:
    geometry = Geometry.classic(2).with_houses([[0, 3, 12, 15]], "corner")
    assert geometry.description == "4x4, 2x2 boxes, 1 corner house"
    assert geometry.with_houses([[1, 2, 13, 14]], "corner").description == "4x4, 2x2 boxes, 2 corner houses"
