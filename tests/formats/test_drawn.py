"""Rules that are drawn in SudokuPad and stated in words: what is read, and what is left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from gridproof.errors import NotUnderstoodError
from gridproof.formats.drawn.sentences import language

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
    assert "only the stored solution is left" in verdict.reason
    assert [read.items for read in verdict.evidence.drawn] == [("lines 1 of 1",)]


def ring(r: float, c: float) -> dict[str, Any]:
    return circle(r, c, fill=WHITE, borderColor=GREY)


def text(r: float, c: float, word: str, **more: Any) -> dict[str, Any]:
    return circle(r, c, 0.3, WHITE, text=word, **more)


KINDS: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "white dot": (
        "A white dot between two cells means that their digits are consecutive.",
        {"overlays": [circle(1, 1.5, 0.3, WHITE, borderColor=BLACK)]},
        ["r1c1 r1c2 differ by 1"],
    ),
    "dots without a fill": (
        "White dots separate consecutive digits.",
        {"overlays": [circle(1, 1.5, 0.3, "", borderColor=BLACK)]},
        ["r1c1 r1c2 differ by 1"],
    ),
    "black dot": (
        "Black dots join digits where one is double the other.",
        {"overlays": [circle(1.5, 1, 0.3, BLACK)]},
        ["r1c1 r2c1 stand in the ratio 1 to 2"],
    ),
    "xv": ("Cells separated by a V sum to 5.", {"overlays": [text(1, 1.5, "V")]}, ["r1c1 r1c2 sum to 5"]),
    "inequality": (
        "The inequality sign points to the smaller digit.",
        {"overlays": [text(1, 1.5, ">")]},
        ["the digits of r1c2 r1c1 increase"],
    ),
    "arrow": (
        "Digits along an arrow sum to the digit in its circle.",
        {"overlays": [ring(1, 1)], "arrows": [line((1, 1), (1, 3), colour=GREY, thickness=3)]},
        ["the digits along r1c2 r1c3 add up to the number in r1c1"],
    ),
    "between": (
        "Digits on a line lie between the digits in the circles at its ends.",
        {"overlays": [ring(1, 1), ring(1, 4)], "lines": [line((1, 1), (1, 4), colour=GREY, thickness=3)]},
        ["the digits inside r1c1-r1c4 lie strictly between those at its ends"],
    ),
    "filled circles": (
        "The digits along a line lie between the digits in the circles at its ends.",
        {"underlays": [circle(1, 1), circle(1, 4)], "lines": [line((1, 1), (1, 4), colour=GREY, thickness=3)]},
        ["the digits inside r1c1-r1c4 lie strictly between those at its ends"],
    ),
    "two pieces": (
        "Box borders divide each blue line into segments with the same sum.",
        {"lines": [line((1, 1), (1, 3), colour="#2ecbff"), line((1, 3), (2, 3), colour="#2ecbff")]},
        ["the parts of the line r1c1-r1c3 r2c3 have the same sum, cut where it leaves a region"],
    ),
    "even": (
        "Grey squares contain even digits.",
        {"underlays": [circle(2, 3, rounded=False)]},
        ["r2c3 holds an even digit"],
    ),
    "quadruple": (
        "Digits in a circle appear at least once in the four surrounding cells.",
        {"overlays": [circle(1.5, 1.5, 0.7, WHITE, borderColor=BLACK, text="1\u20094")]},
        ["r1c1 r1c2 r2c1 r2c2 hold 1 4 among them"],
    ),
    "diagonal": (
        "Digits do not repeat along the marked diagonal.",
        {"lines": [{"wayPoints": [[0, 0], [4, 4]], "color": "#34bbe6", "thickness": 2}]},
        ["the digits of the extra region r1c1-r4c4 differ"],
    ),
    "little killer": (
        "Clues outside the grid give the sum of the digits along the indicated diagonal.",
        {"overlays": [text(0, 1, "7")], "arrows": [{"wayPoints": [[-0.3, 0.7], [-0.1, 0.9]], "color": "#000"}]},
        ["the diagonal r1c2-r3c4 sums to 7"],
    ),
    "skyscraper": (
        "Clues outside the grid count how many skyscrapers are visible from that direction.",
        {"overlays": [text(2, 5, "3")]},
        ["from the right in row 2, 3 skyscrapers are seen"],
    ),
    "cage": (
        "Digits in cages sum to the number in the top left corner, and cannot repeat.",
        {"cages": [{"cells": [[0, 0], [0, 1]], "value": 5}]},
        ["the killer cage r1c1 r1c2 sums to 5"],
    ),
    "clone": (
        "Shaded regions are clones: they contain the same digits in the same positions.",
        {"underlays": [circle(r, c, 1, rounded=False) for r, c in ((1, 1), (1, 2), (4, 3), (4, 4))]},
        ["r1c1 r1c2 and r4c3 r4c4 hold the same digits in the same order"],
    ),
    "knight": (
        "Cells a knight's move apart cannot contain the same digit.",
        {},
        ["cells a knight's move apart differ"],
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_each_way_to_draw(name: str) -> None:
    sentence, drawn, expected = KINDS[name]
    assert rules(file(f"{SUDOKU} {sentence}", **drawn)) == expected


@pytest.mark.parametrize("name", KINDS)
def test_one_more_word_or_item_blocks(name: str) -> None:
    sentence, drawn, _ = KINDS[name]
    first, *others = sentence.split(" ")
    for prose in (f"{SUDOKU} {first} unexpectedly {' '.join(others)}", f"{SUDOKU} {sentence} Once, this is false."):
        with pytest.raises(NotUnderstoodError, match="not read"):
            rules(file(prose, **drawn))
    further = {"underlays": [*drawn.get("underlays", []), circle(3, 1, 0.5, "#ff0000")]}
    with pytest.raises(NotUnderstoodError):
        rules(file(f"{SUDOKU} {sentence}", **(drawn | further)))
    if drawn:
        with pytest.raises(NotUnderstoodError, match=r"none for|no diagonal"):
            rules(file(f"{SUDOKU} {sentence}"))


SENTENCES = [
    line.split(" | ", 1)
    for line in Path(__file__).with_name("drawn_sentences.txt").read_text("utf-8").splitlines()
    if line and line[0] != "#"
]
NINE = language(9, "3x3")


def sorts_of(text: str) -> list[str]:
    """Return the sorts of a text, ``-`` for a sentence that is of none."""
    return sorted({name for one in NINE.read(text) for name in [sort.name for sort, _ in one.sorts] or ["-"]})


def test_sentences_of_many_setters() -> None:
    assert [
        (text, sorts_of(text)) for sorts, text in SENTENCES if sorts != "-" and sorts_of(text) != sorted(sorts.split())
    ] == []


def test_what_is_no_rule_is_left_out() -> None:
    for text in ("Thanks to Bob for testing.", "This is my first puzzle.", "Solution code: Row 5.", "By: Jane"):
        assert list(NINE.read(text)) == []


def test_twists_are_not_read() -> None:
    assert [text for sorts, text in SENTENCES if sorts == "-" and "-" not in sorts_of(text)] == []


@pytest.mark.parametrize("twist", ["unless", "all but one of the"])
def test_a_twist_blocks_wherever_it_stands(twist: str) -> None:
    stated = [
        text for sorts, text in SENTENCES if sorts in ("whispers", "renban", "arrow", "killer", "white-dot", "between")
    ]
    words = [(text.split(" "), k) for text in stated for k in range(2, len(text.split(" ")), 4)]
    texts = [" ".join([*parts[:k], twist, *parts[k:]]) for parts, k in words]
    assert [text for text in texts if "-" not in sorts_of(text) and "repeat" not in text] == []


ANYTHING = st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.lists(st.floats(-9, 9), max_size=3)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([name for name in KINDS if KINDS[name][1]]),
    st.sampled_from(
        ["wayPoints", "center", "color", "thickness", "width", "backgroundColor", "text", "angle", "rounded"]
    ),
    ANYTHING,
)
def test_damage_is_no_crash(name: str, key: str, value: Any) -> None:
    sentence, drawn, _ = KINDS[name]
    damaged: dict[str, Any] = {kind: [item | {key: value} for item in items] for kind, items in drawn.items()}
    gridproof.read_puzzle(file(f"{SUDOKU} {sentence}", **damaged), drawings=True)


SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "sudokupad.jsonl"


@pytest.mark.skipif(not SHARED.exists(), reason="the shared puzzles are not there")
def test_no_reading_breaks_a_shared_solution() -> None:
    rows = [json.loads(line) for line in SHARED.read_text().splitlines()]
    puzzles = [(row, gridproof.read_puzzle(row["payload"], drawings=True)) for row in rows]
    read = [row["complete"] is True for row, puzzle in puzzles if not puzzle.not_understood]
    assert read.count(True) >= 99
    assert read.count(False) >= 50
    refuted = [puzzle.title for _, puzzle in puzzles if "stored solution breaks" in puzzle.unread_summary()]
    assert refuted == []


def test_what_was_drawn_is_below_what_was_understood() -> None:
    text = file(f"{SUDOKU} Digits on green lines differ by at least 2.", lines=[line((1, 1), (1, 2), colour="#123456")])
    assert "#123456" in gridproof.show(text, drawings=True)
    assert "#123456" not in gridproof.show(text)
