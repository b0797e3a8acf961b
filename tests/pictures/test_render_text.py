"""The drawing for a terminal: the content of each cell, and that its lines meet."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given, settings

from gridproof import formats
from gridproof.errors import BoardError
from gridproof.pictures import board_text, differences
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from pictures.render_samples import JIGSAW, SOLUTION, boards_with_cells, classic

LEFT, RIGHT, UP, DOWN = 1, 2, 4, 8
ARMS = dict(zip(" ╴╶─╵┘└┴╷┐┌┬│┤├┼", range(16), strict=True))
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def test_the_classic_puzzle() -> None:
    assert str(classic()) == "\n".join(
        [
            "┌───────┬───────┬───────┐",
            "│ 5 3 . │ . 7 . │ . . . │",
            "│ 6 . . │ 1 9 5 │ . . . │",
            "│ . 9 8 │ . . . │ . 6 . │",
            "├───────┼───────┼───────┤",
            "│ 8 . . │ . 6 . │ . . 3 │",
            "│ 4 . . │ 8 . 3 │ . . 1 │",
            "│ 7 . . │ . 2 . │ . . 6 │",
            "├───────┼───────┼───────┤",
            "│ . 6 . │ . . . │ 2 8 . │",
            "│ . . . │ 4 1 9 │ . . 5 │",
            "│ . . . │ . 8 . │ . 7 9 │",
            "└───────┴───────┴───────┘",
        ]
    )


def test_a_jigsaw() -> None:
    board = Board.from_symbols(JIGSAW, "12345" + "." * 20)
    assert str(board) == "\n".join(
        [
            "┌───────────┬───────┐",
            "│ 1   2   3 │ 4   5 │",
            "│   ┌───┐   │       │",
            "│ . │ . │ . │ .   . │",
            "├───┤   └───┴───┐   │",
            "│ . │ .   .   . │ . │",
            "│   └───┐   ┌───┴───┤",
            "│ .   . │ . │ .   . │",
            "│       ├───┘       │",
            "│ .   . │ .   .   . │",
            "└───────┴───────────┘",
        ]
    )


def test_numbers_are_right_aligned_beyond_the_letters() -> None:
    geometry = Geometry.classic(6)
    lines = str(Board(geometry, tuple(range(1, 37)) + (0,) * 1260)).splitlines()
    assert lines[1].startswith("│  1  2  3  4  5  6 │  7  8  9 10 11 12 │")
    assert lines[2].startswith("│  .  .  .  .  .  . │")
    assert {len(line) for line in lines} == {len(lines[0])}


def test_filled_symbols_differ_from_clues() -> None:
    board = classic(filled=True)
    first = str(board).splitlines()[1]
    assert first == "│ 5  3  4' │ 6' 7  8' │ 9' 1' 2' │"
    coloured = board_text(board, colour=True)
    assert "\x1b[1m5\x1b[0m" in coloured
    assert "\x1b[36m4\x1b[0m" in coloured
    assert "'" not in coloured
    assert ESCAPE.sub("", coloured).splitlines()[1] == "│ 5 3 4 │ 6 7 8 │ 9 1 2 │"


def test_highlights_without_colour_are_brackets() -> None:
    lines = board_text(classic(), highlight=[0, 1], second=iter([1, 2])).splitlines()
    assert lines[1] == "│[5]{3}(.)│ .  7  . │ .  .  . │"


def test_highlights_in_colour_are_reverse_video() -> None:
    lines = board_text(classic(), highlight=[0, 1], second=[1, 2], colour=True).splitlines()
    assert lines[1].startswith("│\x1b[1;7m 5 \x1b[0m\x1b[1;7;35m 3 \x1b[0m\x1b[7;33m . \x1b[0m│ . ")


def test_pencil_marks_fill_columns_of_their_own_width() -> None:
    marks = [0b1111, 0b0011, 0b0000, 0b0100, *[0b1111] * 12]
    board = Board.from_symbols(Geometry.classic(2), "4" + "." * 15, marks)
    assert str(board).splitlines()[1] == "│ 4    12   │ ∅    3    │"
    assert str(board).splitlines()[2] == "│ 1234 1234 │ 1234 1234 │"
    assert board_text(board, candidates=()).splitlines()[1] == "│ 4 . │ . . │"
    assert board_text(board, candidates=[0b1111] * 16).splitlines()[1] == "│ 4 . │ . . │"


def test_candidates_beyond_the_letters_are_separated() -> None:
    geometry = Geometry.classic(6)
    masks = [1 << 35 | 1 << 1, *[0] * 1295]
    assert board_text(Board.empty(geometry), candidates=masks).splitlines()[1].startswith("│ 2,36 ∅ ")


def test_differing_witnesses_share_a_cell() -> None:
    first = tuple(map(int, SOLUTION))
    second = (*first[:2], 6, 4, *first[4:])
    drawing = board_text(classic(filled=True), differs=differences(first, second))
    assert drawing.splitlines()[1] == "│ 5  3  4/6 │ 6/4 7  8' │ 9' 1' 2' │"
    assert "\x1b[1;31m4/6\x1b[0m" in board_text(classic(filled=True), differs=differences(first, second), colour=True)


@settings(max_examples=60, deadline=None)
@given(boards_with_cells())
def test_every_line_meets_its_neighbours(drawn: tuple[Board, set[int], set[int]]) -> None:
    board, highlight, second = drawn
    lines = board_text(board, highlight=highlight, second=second).splitlines()
    assert {len(line) for line in lines} == {len(lines[0])}
    arms = [[ARMS.get(character, 0) for character in line] for line in lines]
    for row in arms:
        assert not row[0] & LEFT
        assert not row[-1] & RIGHT
        for here, right in pairwise(row):
            assert bool(here & RIGHT) == bool(right & LEFT)
    for above, below in pairwise(arms):
        for here, down in zip(above, below, strict=True):
            assert bool(here & DOWN) == bool(down & UP)


@settings(max_examples=60, deadline=None)
@given(boards_with_cells())
def test_a_drawing_can_be_read_again(drawn: tuple[Board, set[int], set[int]]) -> None:
    board, highlight, second = drawn
    n = board.geometry.order
    marks = None
    if board.marks and 1 < n <= 9:  # up to there columns of pencil marks can be read
        masks = zip(board.marks, board.clues, strict=True)
        marks = tuple((mask or 1) | (1 << clue >> 1) for mask, clue in masks)  # no cell without any
    board = replace(board, filled=(), marks=marks)
    rows = [board.candidates[start : start + n] for start in range(0, n * n, n)]
    # as many characters as the board has cells could also be a whole puzzle on one line
    assume(marks is None or all(sum(mask.bit_count() for mask in row) != n * n for row in rows))
    drawing = board_text(board, highlight=highlight, second=second)
    assert formats.parse(drawing, board.geometry).candidates == board.candidates


@settings(max_examples=60, deadline=None)
@given(boards_with_cells())
def test_colour_changes_no_symbol(drawn: tuple[Board, set[int], set[int]]) -> None:
    board, highlight, second = drawn
    plain = board_text(board, highlight=highlight, second=second)
    coloured = board_text(board, highlight=highlight, second=second, colour=True)
    symbols = [re.findall(r"[0-9A-Z.,∅]+", drawing) for drawing in (plain, ESCAPE.sub("", coloured))]
    assert symbols[0] == symbols[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"highlight": [81]}, ["highlight", "81", "0 to 80"]),
        ({"second": [-1]}, ["second", "-1"]),
        ({"candidates": [1]}, ["1 cell;", "81"]),
        ({"candidates": [512] * 81}, ["512", "r1c1", "511"]),
        ({"differs": {99: (4, 5)}}, ["99"]),
    ],
)
def test_what_the_board_has_not_is_refused(arguments: dict[str, object], words: list[str]) -> None:
    with pytest.raises(BoardError) as caught:
        board_text(classic(), **arguments)  # type: ignore[arg-type]
    for word in words:
        assert word in str(caught.value)


def test_differences_of_grids_of_two_sizes_are_refused() -> None:
    with pytest.raises(BoardError, match="2 and 3"):
        differences((1, 2), (1, 2, 3))
