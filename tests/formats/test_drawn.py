"""What is drawn in SudokuPad: it is shown as it was drawn, and damage in it is no crash."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from gridproof.formats.drawn import sketches_of

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
    [sketch] = sketches_of(gridproof.read_puzzle(text))
    assert (sketch.points, sketch.colour) == (((0.5, 0.5), (0.5, 1.5)), "#123456")


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
