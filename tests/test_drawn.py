"""Rules that are drawn in SudokuPad and stated in words: what is read, and what is left alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

import gridproof
from gridproof.errors import NotUnderstoodError

GREEN, GREY, WHITE, BLACK = "#67f067ff", "#CFCFCF", "#FFFFFF", "#000000"
SUDOKU = "Normal sudoku rules apply."


def line(*cells: tuple[int, int], colour: str = GREEN, thickness: float = 10) -> dict[str, Any]:
    return {"wayPoints": [[r - 0.5, c - 0.5] for r, c in cells], "color": colour, "thickness": thickness}


def circle(r: float, c: float, size: float = 0.8, fill: str = GREY, **more: Any) -> dict[str, Any]:
    return {
        "center": [r - 0.5, c - 0.5],
        "width": size,
        "height": size,
        "rounded": True,
        "backgroundColor": fill,
    } | more


def file(prose: str, order: int = 4, solution: str = "", givens: str = "", **drawn: Any) -> str:
    """Return a SudokuPad file with boxes of two rows."""
    width = order // 2
    regions: dict[int, list[list[int]]] = {}
    for r in range(order):
        for c in range(order):
            regions.setdefault(r // 2 * 2 + c // width if order == 4 else (r // 2) * 2 + c // 3, []).append([r, c])
    cells = [
        [{"value": int(d)} if d.isdigit() else {} for d in givens[order * r :][:order].ljust(order, ".")]
        for r in range(order)
    ]
    metadata = {"rules": prose} | ({"solution": solution} if solution else {})
    return json.dumps({"cells": cells, "regions": [*regions.values()], "metadata": metadata, **drawn})


def rules(text: str) -> list[str]:
    puzzle = gridproof.read_puzzle(text, drawings=True, despite_unread=False)
    return [rule.sentence(puzzle.board.geometry) for rule in puzzle.board.rules]


def test_sentences_and_drawings_become_rules() -> None:
    prose = f"{SUDOKU} Digits on the green line differ by at least 2. Digits increase from the bulb of the thermometer."
    lines = [line((1, 1), (1, 3)), line((4, 1), (4, 4), colour=GREY, thickness=19)]
    text = file(prose, underlays=[circle(4, 1)], lines=lines)
    assert rules(text) == [
        "neighbours on the whispers line r1c1-r1c3 differ by at least 2",
        "the thermometer r4c1-r4c4 increases from its bulb",
    ]
    with pytest.raises(NotUnderstoodError):
        gridproof.verify(text)
    assert "read too weakly" in gridproof.verify(text, drawings=True).reason


@pytest.mark.parametrize(
    ("prose", "problem"),
    [
        (f"{SUDOKU} Digits on the green line must not differ by at least 2.", "not read"),
        (f"{SUDOKU} Values on the green line differ by at least 2.", "not read"),
        (f"{SUDOKU}", "no sentence for it"),
        (f"{SUDOKU} Digits on the red line differ by at least 2.", "none for"),
        ("Digits on the green line differ by at least 2.", "no sentence about rows"),
        (f"{SUDOKU} Green lines are renban lines: they hold consecutive digits in any order.", "breaks this reading"),
    ],
)
def test_nothing_is_read_unless_everything_is(prose: str, problem: str) -> None:
    text = file(prose, solution="1342243131244213", lines=[line((1, 1), (1, 2))])
    with pytest.raises(NotUnderstoodError, match=problem):
        rules(text)


def test_a_reading_without_solution_is_no_verdict() -> None:
    prose = f"{SUDOKU} Digits on the green line differ by at least 3."
    verdict = gridproof.verify(file(prose, lines=[line((1, 1), (1, 3))]), drawings=True)
    assert verdict.status == "not understood"
    assert "misread" in verdict.reason


def test_the_stored_solution_confirms_a_reading() -> None:
    prose = f"{SUDOKU} Digits on green lines differ by at least 2."
    text = file(prose, solution="1342243131244213", givens="134.2431.124....", lines=[line((1, 1), (1, 2))])
    verdict = gridproof.verify(text, drawings=True)
    assert "leave the stored solution alone" in verdict.reason
    assert [read.items for read in verdict.evidence.drawn] == [("lines 1 of 1",)]
