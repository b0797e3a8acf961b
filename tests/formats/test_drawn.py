"""Drawings in SudokuPad: their form, its look in pictures and in words; and damage in it is no crash."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from gridproof.cli import main
from gridproof.formats.drawn import drawings_of, groups_of, note_of_unread, sketches_of

GREEN, GREY, WHITE, BLACK = "#67f067ff", "#CFCFCF", "#FFFFFF", "#000000"


def line(*cells: tuple[int, int], colour: str = GREEN, thickness: float = 10) -> dict[str, Any]:
    return {"wayPoints": [[r - 0.5, c - 0.5] for r, c in cells], "color": colour, "thickness": thickness}


def circle(r: float, c: float, size: float = 0.8, fill: str = GREY, **more: Any) -> dict[str, Any]:
    shape = {"center": [r - 0.5, c - 0.5], "width": size, "height": size, "rounded": True, "backgroundColor": fill}
    return shape | more


def file(**drawn: Any) -> str:
    """Return a SudokuPad file of a 4x4 board with these drawings."""
    boxes = [[[r, c] for r in range(4) for c in range(4) if r // 2 == k // 2 and c // 2 == k % 2] for k in range(4)]
    return json.dumps({"cells": [[{}] * 4] * 4, "regions": boxes, **drawn})


def test_what_was_drawn_is_in_the_picture_where_it_was_not_understood() -> None:
    text = file(lines=[line((1, 1), (1, 2), colour="#123456")])
    assert "#123456" in gridproof.show(text)
    puzzle = gridproof.read_puzzle(text)
    [sketch] = sketches_of(groups_of(puzzle), puzzle.board)
    assert (sketch.points, sketch.colour, sketch.label) == (((0.5, 0.5), (0.5, 1.5)), "#123456", "A")
    assert ">A</text>" in gridproof.show(text)
    assert drawings_of(gridproof.read_puzzle(file())) == []


def ring(r: float, c: float) -> dict[str, Any]:
    return circle(r, c, fill=WHITE, borderColor=GREY)


def word(r: float, c: float, text: str, **more: Any) -> dict[str, Any]:
    return circle(r, c, 0.3, WHITE, text=text, **more)


def box(r: float, c: float, size: float) -> dict[str, Any]:
    return circle(r, c, size, rounded=False)


THIN = {"color": GREY, "thickness": 3}
DIAMOND = {"wayPoints": [[0.2, 0.5], [0.5, 0.8], [0.8, 0.5], [0.5, 0.2], [0.2, 0.5]], **THIN}
POINTER = {"wayPoints": [[-0.3, 0.7], [-0.1, 0.9]], "color": "#000"}
FORMS: dict[str, tuple[dict[str, Any], list[tuple[str, tuple[int, ...]]], list[str]]] = {
    "a line": ({"lines": [line((1, 1), (1, 3))]}, [("plain", (0, 1, 2))], ["1 green line"]),
    "two pieces of a line": (
        {"lines": [line((1, 1), (1, 3)), line((1, 3), (3, 3))]},
        [("plain", (0, 1, 2)), ("plain", (2, 6, 10))],
        ["1 green line"],
    ),
    "lines that only cross": (
        {"lines": [line((1, 1), (2, 2)), line((1, 2), (2, 1))]},
        [("plain", (0, 5)), ("plain", (1, 4))],
        ["2 green lines"],
    ),
    "a bulb, and a piece that leads on": (
        {"underlays": [circle(4, 1)], "lines": [line((4, 3), (4, 1), colour=GREY), line((4, 3), (3, 3), colour=GREY)]},
        [("bulb", (12, 13, 14)), ("bulb", (14, 10)), ("end", (12,))],
        ["1 grey line with a bulb"],
    ),
    "a line between circles": (
        {"overlays": [ring(1, 1), ring(1, 4)], "lines": [line((1, 1), (1, 4), colour=BLACK)]},
        [("ringed", (0, 1, 2, 3)), ("end", (0,)), ("end", (3,))],
        ["1 black line between circles"],
    ),
    "a diagonal": (
        {"lines": [{"wayPoints": [[0, 0], [4, 4]], "color": "#34bbe6", "thickness": 2}]},
        [("diagonal", (0, 5, 10, 15))],
        ["1 blue line along a diagonal"],
    ),
    "a diamond": ({"lines": [DIAMOND]}, [("diamond", (0,))], ["1 grey diamond"]),
    "an arrow": (
        {"overlays": [ring(1, 1)], "arrows": [line((1, 1), (1, 3), colour=GREY, thickness=3)]},
        [("arrow", (0, 1, 2)), ("end", (0,))],
        ["1 grey arrow"],
    ),
    "an arrow outside": (
        {"overlays": [word(0, 1, "7")], "arrows": [POINTER]},
        [("pointer", (1, 6, 11)), ("end", (0, 4, 8, 12))],
        ["1 black arrow outside"],
    ),
    "a number outside": ({"overlays": [word(2, 5, "3")]}, [("outside", (7, 6, 5, 4))], ["1 text outside"]),
    "a dot": ({"overlays": [circle(1.5, 1, 0.3, BLACK)]}, [("dot", (0, 4))], ["1 black dot on an edge"]),
    "a sign, and its circle": (
        {"overlays": [circle(1, 1.5, 0.3, WHITE), word(1, 1.5, ">")]},
        [("dot", (1, 0))],
        ["1 white dot on an edge with signs"],
    ),
    "a sign across the edge": ({"overlays": [word(1.5, 1, ">")]}, [("unknown", ())], ["1 other drawing with letters"]),
    "a corner": (
        {"overlays": [word(1.5, 1.5, "1 4")]},
        [("corner", (0, 1, 4, 5))],
        ["1 white mark on a corner with numbers"],
    ),
    "a corner over another shape": (
        {"overlays": [circle(1.5, 1.5, 0.3, WHITE), circle(2.5, 2.5, 0.3, WHITE), box(2.5, 2.5, 0.7)]},
        [("corner", (0, 1, 4, 5)), ("corner", (5, 6, 9, 10))],
        ["1 white mark on a corner", "1 white and grey mark on a corner"],
    ),
    "marks in cells": (
        {"underlays": [circle(1, 1), box(2, 3, 0.5), box(3, 3, 1), word(4, 4, "x")]},
        [("circle", (0,)), ("square", (6,)), ("shade", (10,)), ("text", (15,))],
        ["1 grey circle", "1 grey square", "1 grey shaded cell", "1 text in a cell with letters"],
    ),
    "what cannot be seen": (
        {"underlays": [circle(1, 1, fill=""), circle(0, 0, fill=WHITE), {**circle(1, 1), "class": "board-position"}]},
        [("hidden", ()), ("hidden", ())],
        [],
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_the_form_of_what_is_drawn_and_how_it_looks(name: str) -> None:
    drawn, forms, looks = FORMS[name]
    puzzle = gridproof.read_puzzle(file(**drawn))
    assert [(item.form, item.cells) for item in drawings_of(puzzle)] == forms
    groups = groups_of(puzzle)
    assert [group.words for group in groups if group.look.form not in ("end", "hidden")] == looks
    note = note_of_unread(puzzle, groups, in_picture=True)
    for letter, words in zip("ABCDE", [group.words for group in groups], strict=False):
        assert f"{letter} ({words})" in note


def test_the_note_counts_what_is_not_drawn_by_its_key(capsys: pytest.CaptureFixture[str]) -> None:
    text = file(lines=[line((1, 1), (1, 3)), line((3, 1), (3, 3))], sums=True)
    note = "A (2 green lines); and not drawn: sums (1)"
    assert note in gridproof.show(text)
    assert main(["show", text]) == 0
    assert f"not understood, and not in the picture: {note}" in capsys.readouterr().out


DRAWINGS: dict[str, list[dict[str, Any]]] = {
    "lines": [line((1, 1), (1, 3)), line((4, 1), (4, 4), colour=GREY, thickness=19), line((2, 2), (2, 2))],
    "arrows": [line((1, 1), (1, 3), colour=GREY, thickness=3), {"wayPoints": [[-0.3, 0.7], [-0.1, 0.9]]}],
    "overlays": [
        circle(1, 1.5, 0.3, WHITE, borderColor=BLACK),
        circle(1.5, 1.5, 0.7, WHITE, text="1 4"),
        circle(0, 1, 0.3, WHITE, text="7"),
        circle(1, 1.5, 0.3, WHITE, text=">"),
    ],
    "underlays": [circle(1, 1), circle(2, 3, rounded=False), circle(3, 3, 1, rounded=False)],
}
ANYTHING = st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.lists(st.floats(-9, 9), max_size=3)
FIELDS = ["wayPoints", "center", "color", "thickness", "width", "backgroundColor", "text", "angle", "rounded"]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(DRAWINGS)), st.sampled_from(FIELDS), ANYTHING)
def test_damage_is_no_crash(name: str, key: str, value: Any) -> None:
    damaged = [item | {key: value} for item in DRAWINGS[name]]
    gridproof.show(file(**(DRAWINGS | {name: damaged})))
