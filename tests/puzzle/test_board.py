"""Boards: what they hold, what they refuse, and every contradiction that can be seen without a search."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof.errors import BoardError
from gridproof.puzzle.board import Board
from gridproof.puzzle.contradictions import Contradiction
from gridproof.puzzle.geometry import Geometry

NINE = Geometry.classic(3)
FOUR = Geometry.classic(2)
PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def board_of(symbols: str, geometry: Geometry = FOUR, **more: tuple[int, ...]) -> Board:
    return Board.from_symbols(geometry, symbols, **more)


def found(board: Board) -> list[tuple[str, int | None, str]]:
    return [(one.kind, one.symbol, one.message) for one in board.contradictions()]


class TestConstruction:
    def test_clues_and_candidates(self) -> None:
        board = board_of(PUZZLE, NINE)
        assert board.clues[:5] == (5, 3, 0, 0, 7)
        assert board.clue_count == 30
        assert board.candidates[:3] == (1 << 4, 1 << 2, 511)

    def test_marks_and_clues_meet(self) -> None:
        board = Board(FOUR, (1, 2, *[0] * 14), marks=(15, 1, 6, *[15] * 13))
        assert board.candidates[:4] == (1, 0, 6, 15)
        assert board.without_clue(1).candidates[:4] == (1, 1, 6, 15), "marks stay"
        assert board.without_clue(1).marks == board.marks

    @pytest.mark.parametrize("count", [0, 15, 17])
    def test_wrong_number_of_cells(self, count: int) -> None:
        with pytest.raises(BoardError, match=f"clues of {count} cells; expected 16"):
            Board(FOUR, (0,) * count)
        if count:
            with pytest.raises(BoardError, match=f"filled of {count} cells"):
                Board(FOUR, (0,) * 16, filled=(0,) * count)
        with pytest.raises(BoardError, match=f"marks of {count} cells"):
            Board(FOUR, (0,) * 16, marks=(0,) * count)

    @pytest.mark.parametrize("value", [-1, 5, 100])
    def test_values_out_of_range(self, value: int) -> None:
        entries = (*[0] * 6, value, *[0] * 9)
        with pytest.raises(BoardError, match=f"clues: {value} at r2c3"):
            Board(FOUR, entries)
        with pytest.raises(BoardError, match=f"filled: {value} at r2c3"):
            Board(FOUR, (0,) * 16, filled=entries)

    @pytest.mark.parametrize("mark", [-1, 16])
    def test_marks_out_of_range(self, mark: int) -> None:
        with pytest.raises(BoardError, match=f"marks: {mark} at r1c2; expected 0 to 15"):
            Board(FOUR, (0,) * 16, marks=(0, mark, *[0] * 14))

    @pytest.mark.parametrize("symbols", ["5" + "." * 15, "x" * 16, "0" * 16])
    def test_symbols_that_are_none(self, symbols: str) -> None:
        with pytest.raises(BoardError, match="symbol"):
            board_of(symbols)


class TestWhatIsKept:
    @pytest.mark.parametrize("kind", [list, np.array, iter, lambda values: np.array(values, dtype=np.uint8)])
    def test_any_sequence_is_kept_as_a_tuple_of_plain_numbers(self, kind: Callable[[list[int]], Any]) -> None:
        clues, filled, marks = [1, 2, *[0] * 14], [0, 0, 3, *[0] * 13], [15] * 16
        board = Board(FOUR, kind(clues), kind(filled), kind(marks))
        plain = Board(FOUR, tuple(clues), tuple(filled), tuple(marks))
        assert board == plain
        assert hash(board) == hash(plain)
        assert repr(board) == repr(plain)
        for entries in (board.clues, board.filled, board.marks):
            assert type(entries) is tuple
            assert {type(entry) for entry in entries} == {int}

    def test_copies_are_plain_too(self) -> None:
        board = Board.empty(FOUR).with_clue(0, np.int64(1)).with_filled(np.array([0, 2, *[0] * 14]))  # type: ignore[arg-type]
        assert {type(entry) for entry in board.clues + board.filled} == {int}

    @pytest.mark.parametrize(
        ("entry", "shown"), [(1.0, "1.0"), ("1", "'1'"), (None, "None"), (True, "True"), ([1], r"\[1\]")]
    )
    def test_what_is_no_whole_number_is_refused(self, entry: Any, shown: str) -> None:
        with pytest.raises(BoardError, match=f"clues: {shown} at r1c2; expected a whole number from 0 to 4"):
            Board(FOUR, (0, entry, *[0] * 14))
        with pytest.raises(BoardError, match=f"marks: {shown} at r1c2; expected a whole number from 0 to 15"):
            Board(FOUR, (0,) * 16, marks=(15, entry, *[15] * 14))

    def test_what_is_no_sequence_is_refused(self) -> None:
        with pytest.raises(BoardError, match="clues: 7; expected a number for each cell"):
            Board(FOUR, 7)  # type: ignore[arg-type]


class TestFrozen:
    def test_copies_leave_the_original(self) -> None:
        board = board_of("1" + "." * 15)
        more = board.with_clue(5, 3)
        assert board.clues[5] == 0
        assert more.clues == (1, 0, 0, 0, 0, 3, *[0] * 10)
        assert more.without_clue(5) == board
        assert more.with_clue(0, 4).clues[:6] == (4, 0, 0, 0, 0, 3)
        with pytest.raises(BoardError):
            board.with_clue(0, 5)

    def test_filled_is_kept_apart_from_clues(self) -> None:
        board = board_of("1" + "." * 15)
        filled = board.with_filled((1, 2, 3, 4, *[0] * 12))
        assert filled.clues == board.clues
        assert filled.filled == (0, 2, 3, 4, *[0] * 12)
        assert filled.candidates == board.candidates
        assert filled.clue_count == 1
        with pytest.raises(BoardError, match="entries of 3 cells"):
            board.with_filled((1, 2, 3))


BOARDS = [
    Board.empty(FOUR),
    board_of(PUZZLE, NINE),
    board_of("1" + "." * 15, marks=(1, *[14] * 15)),
    board_of("1" + "." * 15).with_filled([0, 2, *[0] * 14]),
    board_of("1" + "." * 15, marks=(1, *[14] * 15)).with_filled([0, 2, *[0] * 14]),
    Board(Geometry.classic(6), (36, *[0] * 1295)),
    Board(Geometry.classic(6), (36, *[0] * 1295), marks=((1 << 36) - 1,) * 1296),
    board_of("." * 15 + "G" + "." * 240, Geometry.classic(4)),
    board_of("." * 81, NINE.with_windoku().with_diagonals()),
    board_of("12" * 2, Geometry.jigsaw("aabb")),
]


class TestRoundTrips:
    @pytest.mark.parametrize("board", BOARDS, ids=range(len(BOARDS)))
    def test_repr(self, board: Board) -> None:
        assert eval(repr(board)) == board

    @pytest.mark.parametrize("board", BOARDS, ids=range(len(BOARDS)))
    def test_pickle(self, board: Board) -> None:
        again = pickle.loads(pickle.dumps(board))
        assert again == board
        assert hash(again) == hash(board)


class TestContradictions:
    def test_two_equal_clues_in_a_row(self) -> None:
        board = board_of("1..1" + "." * 12)
        clash, place = board.contradictions()
        assert clash == Contradiction("clash", "r1c1 and r1c4 in row 1 both hold 1", (0, 3), 1, FOUR.houses[0])
        assert str(clash) == clash.message
        assert place.message == "1 has no place left in row 2"

    def test_three_equal_clues_are_one_clash(self) -> None:
        clashes = [one for one in board_of("1.11" + "." * 12).contradictions() if one.kind == "clash"]
        assert [one.cells for one in clashes if one.house == FOUR.houses[0]] == [(0, 2, 3)]
        assert "r1c1 and r1c3 and r1c4 in row 1 all hold 1" in [one.message for one in clashes]

    def test_clashes_in_other_houses(self) -> None:
        diagonal = Board.from_symbols(FOUR.with_diagonals(), "1" + "." * 14 + "1")
        assert ("clash", 1, "r1c1 and r4c4 in falling diagonal both hold 1") in found(diagonal)
        assert found(board_of("1..............1")) == []
        jigsaw = Geometry.jigsaw("aaaabbccbbccdddd")
        assert ("clash", 2, "r2c1 and r3c2 in region 2 both hold 2") in found(
            Board.from_symbols(jigsaw, "....2....2......")
        )

    def test_a_cell_that_sees_every_symbol(self) -> None:
        # r1c4 sees 1 2 3 in its row and 4 in its column
        contradictions = board_of("123........4....").contradictions()
        assert ("cell", None, "r1c4 has no candidate left") in [
            (one.kind, one.symbol, one.message) for one in contradictions
        ]
        assert all(one.kind != "clash" for one in contradictions)

    def test_a_symbol_without_a_place(self) -> None:
        # 1 is kept out of box 1 by row 2 and column 2, and r1c1 holds something else
        board = board_of("2......1" + ".1......")
        assert found(board) == [
            ("place", 1, f"1 has no place left in {name}") for name in ("row 1", "column 1", "box 1")
        ]
        box = board.contradictions()[-1]
        assert box.cells == (0, 1, 4, 5)
        assert box.house is not None
        assert box.house.name == "box 1"

    def test_order_one(self) -> None:
        for geometry in (Geometry.classic(1), Geometry.latin(1)):
            assert Board(geometry, (1,)).contradictions() == []
            assert Board(geometry, (0,)).contradictions() == []
            assert Board(geometry, (0,), marks=(0,)).contradictions() != []

    @given(clues=st.lists(st.integers(0, 4), min_size=16, max_size=16))
    def test_against_the_plain_definition(self, clues: list[int]) -> None:
        board = Board(FOUR, tuple(clues))
        kinds = {one.kind for one in board.contradictions()}
        pairs = [(a, b) for a in range(16) for b in FOUR.peers[a] if clues[a]]
        left = [
            {clues[cell]} if clues[cell] else {1, 2, 3, 4} - {clues[peer] for peer in FOUR.peers[cell]}
            for cell in range(16)
        ]
        assert ("clash" in kinds) == any(clues[a] == clues[b] for a, b in pairs)
        assert ("cell" in kinds) == any(not some for some in left)
        assert ("place" in kinds) == any(
            all(symbol not in left[cell] for cell in house.cells) for house in FOUR.houses for symbol in range(1, 5)
        )
