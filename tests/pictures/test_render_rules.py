"""Rules in pictures: each kind leaves its marks in the SVG, and its sentence under the text."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from gridproof.pictures import board_svg, board_text, colours
from gridproof.pictures.contours import borders, contour
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.catalog import all_kinds
from gridproof.rules.drawing import Dot, Line, Note, Outline, Outside, Shape
from gridproof.rules.rule_parsing import parse_rule

EMPTY = Board.empty(Geometry.classic(3))


def elements(board: Board, tag: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(board_svg(board))
    return [e for e in root.iter() if e.tag.endswith("}" + tag)]


def texts(board: Board) -> list[str]:
    return [e.text or "" for e in elements(board, "text")]


@pytest.mark.parametrize("name", all_kinds())
def test_every_kind_is_drawn_and_described(name: str) -> None:
    board = EMPTY.with_rule(parse_rule(all_kinds()[name].example))
    (rule,) = board.rules
    assert board_svg(board) != board_svg(EMPTY)
    ElementTree.fromstring(board_svg(board))
    sentence = rule.sentence(board.geometry)
    assert " ".join(board_text(board).replace("\n ", " ").split()).endswith(f"- {sentence}")
    assert max(map(len, board_text(board).splitlines())) <= 100
    for mark in rule.draw(board.geometry):
        assert isinstance(mark, (Dot, Line, Note, Outline, Outside, Shape))
        assert getattr(mark, "colour", "ink") in colours.RULES
        if isinstance(mark, (Note, Outside)):
            assert mark.text in " ".join(texts(board))


def test_a_cage_is_outlined_inside_its_cells_with_its_sum() -> None:
    board = EMPTY.with_rule("killer 15 r1c1 r1c2 r2c1")
    (cage,) = [e for e in elements(board, "path") if e.get("stroke-dasharray")]
    numbers = [float(x) for x in re.findall(r"[\d.]+", cage.get("d", ""))]
    assert 0 < min(numbers) < max(numbers) < 80
    assert (cage.get("d") or "").count("Q") == 6
    (text,) = elements(board, "text")
    assert (text.text, float(text.get("x", "")) < 20, float(text.get("y", "")) < 20) == ("15", True, True)
    assert not texts(EMPTY.with_rule("killer r1c1 r1c2"))


def test_borders_go_around_holes_and_keep_touching_cells_apart() -> None:
    ring = [0, 1, 2, 9, 11, 18, 19, 20]
    assert sorted(map(len, borders(ring, 9))) == [4, 4]
    assert [{(corner.real, corner.imag) for corner in loop} for loop in borders([0, 10], 9)] == [
        {(0, 0), (0, 1), (1, 0), (1, 1)},
        {(1, 1), (1, 2), (2, 1), (2, 2)},
    ]
    assert contour([0], 9, 10, 1, 0) == "M1 1L9 1L9 9L1 9Z"


def test_a_thermometer_begins_with_a_bulb() -> None:
    board = EMPTY.with_rule("thermo r3c3 r3c4 r4c4")
    (bulb,) = elements(board, "circle")
    assert (bulb.get("cx"), bulb.get("cy"), bulb.get("fill")) == ("100", "100", colours.RULES["grey"])
    (line,) = [e for e in elements(board, "path") if e.get("stroke") == colours.RULES["grey"]]
    assert line.get("d") == "M100 100L140 100L140 140"


def test_an_arrow_begins_at_the_edge_of_its_circle() -> None:
    board = EMPTY.with_rule("arrow r5c1 / r5c2 r5c3")
    (circle,) = elements(board, "circle")
    assert (circle.get("cx"), circle.get("fill")) == ("20", "none")
    (shaft,) = [e for e in elements(board, "path") if e.get("stroke") == colours.RULE_LINES["grey"]]
    assert (shaft.get("d") or "").startswith("M36 180L60 180L100 180M")


def test_dots_are_the_usual_ones() -> None:
    white = EMPTY.with_rule("difference r1c1 r1c2 r2c2")
    assert [(e.get("cx"), e.get("cy")) for e in elements(white, "circle")] == [("40", "20"), ("60", "40")]
    assert {e.get("fill") for e in elements(white, "circle")} == {colours.DOTS["white"]}
    assert texts(white) == texts(EMPTY.with_rule("ratio r1c1 r1c2")) == []
    assert texts(EMPTY.with_rule("difference 3 r1c1 r1c2")) == ["3"]
    assert [texts(EMPTY.with_rule(f"xv {total} r1c1 r1c2")) for total in (10, 5, 7)] == [["X"], ["V"], ["7"]]
    quadruple = EMPTY.with_rule("quadruple 1 2 3 4 r1c1 r1c2 r2c1 r2c2")
    assert texts(quadruple) == ["1 2", "3 4"]
    assert [(e.get("cx"), e.get("cy")) for e in elements(quadruple, "circle")] == [("40", "40")]


def test_a_sign_between_cells_is_narrow_towards_the_smaller() -> None:
    def tip(rule: str) -> tuple[float, float]:
        (path,) = [e for e in elements(EMPTY.with_rule(rule), "path") if e.get("stroke") == colours.RULES["ink"]]
        numbers = list(map(float, re.findall(r"[\d.]+", path.get("d", ""))))
        return numbers[2] - numbers[0], numbers[3] - numbers[1]

    assert tip("inequality r1c1 r1c2")[0] < 0 < tip("inequality r1c2 r1c1")[0]
    assert tip("inequality r1c1 r2c1")[1] < 0 < tip("inequality r2c1 r1c1")[1]


def test_clues_outside_stand_in_a_margin_and_do_not_hide_each_other() -> None:
    plain = ElementTree.fromstring(board_svg(EMPTY))
    board = EMPTY.with_rules(["sandwich 12 column4", "x-sum 23 column4", "little-killer 35 r1c5-r5c9"])
    root = ElementTree.fromstring(board_svg(board))
    assert root.get("width") == plain.get("width")
    assert float(root.get("height", "")) > float(plain.get("height", "")) + 50
    places = {e.text: (float(e.get("x", "")), float(e.get("y", ""))) for e in elements(board, "text")}
    assert places["12"][0] == places["23"][0] == 140
    assert places["23"][1] < places["12"][1] < 0
    arrows = [e for e in elements(board, "path") if e.get("stroke") == colours.RULES["ink"]]
    assert len(arrows) == 1
    below = EMPTY.with_rule("skyscraper 4 r9c1 r8c1 r7c1 r6c1 r5c1 r4c1 r3c1 r2c1 r1c1")
    assert float(elements(below, "text")[0].get("y", "")) > 360


def test_kinds_of_numbers_outside_differ_in_their_frames() -> None:
    kinds = ["sandwich 12 row1", "x-sum 20 row2", "skyscraper 3 row3", "numbered-room 3 row4"]
    frames = []
    for kind in kinds:
        board = EMPTY.with_rule(kind)
        strokes = [e for e in elements(board, "path") if e.get("stroke") == colours.RULE_LINES["ink"]]
        corners = [e.get("d", "").count("L") for e in strokes]
        frames.append((corners, len(elements(board, "circle")), " ".join(texts(board)[1:])))
    assert frames == [
        ([], 0, "sandwich (outside)"),
        ([], 1, "x-sum (outside, in a circle)"),
        ([3], 0, "skyscraper (outside, in a square)"),
        ([3], 0, "numbered-room (outside, in a diamond)"),
    ]


def test_an_arrow_outside_always_ends_at_the_board() -> None:
    """The place above r1c2 is also that of a skyscraper clue, and of a second arrow."""
    arrow, longer = "little-killer 23 r1c3 r2c4 r3c5", "little-killer 20 r1c3 r2c4 r3c5 r4c6"
    for rules in (["skyscraper 3 column2", arrow], [arrow, longer]):
        board = EMPTY.with_rules(rules)
        for path in elements(board, "path"):
            if path.get("stroke-width") == "1.5":
                ends = [float(y) for y in re.findall(r"[ML]\S+ (-?[\d.]+)", path.get("d", ""))]
                assert ends[1] == pytest.approx(-2, abs=0.1), "the tip is just above the grid"
    board = EMPTY.with_rules(["skyscraper 3 column2", arrow])
    height = {e.text: float(e.get("y", "")) for e in elements(board, "text")}
    assert height["3"] < height["23"], "the number moves, not the arrow"


def test_what_differs_in_colour_only_is_named_too() -> None:
    board = EMPTY.with_rules(["renban r1c1-r1c4", "whispers r2c1-r2c4", "sandwich 12 row1", "thermo r9c1 r9c2"])
    assert " ".join(texts(board)) == "12 renban (purple), whispers (green), sandwich (outside)"


def test_a_rule_about_the_whole_board_is_a_line_under_it() -> None:
    board = EMPTY.with_rules(["anti-knight", "non-consecutive"])
    assert texts(board) == ["anti-knight", "non-consecutive"]
    assert all(float(e.get("y", "")) > 360 for e in elements(board, "text"))


def test_shades_lie_below_lines_and_outlines_above() -> None:
    svg = board_svg(EMPTY.with_rules(["arrow r1c1 / r1c2 r1c3", "column-indexer column1", "renban r1c1 r2c1"]))
    parts = [f'fill="{colours.RULES["red"]}"', f'stroke="{colours.RULES["purple"]}"', "<circle"]
    assert sorted(map(svg.index, parts)) == list(map(svg.index, parts))


def test_candidates_make_room_for_the_sums_of_cages() -> None:
    def first(board: Board) -> float:
        mark = next(e for e in elements(board, "text") if e.text == "1")
        return float(mark.get("y", ""))

    marked = EMPTY.with_marks([1, *[511] * 80])
    assert first(marked.with_rule("killer 11 r9c8 r9c9")) > first(marked) + 3


def test_colours_of_rules_leave_symbols_legible() -> None:
    def luminance(colour: str) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def contrast(first: str, second: str) -> float:
        low, high = sorted((luminance(first), luminance(second)))
        return (high + 0.05) / (low + 0.05)

    for ink in (colours.CLUE, colours.FILLED, colours.CANDIDATE, colours.ALARM):
        for ground in (colours.BACKGROUND, colours.HIGHLIGHT, colours.DIFFERS):
            # the ratio that the web's accessibility guidelines require: 4.5, and 3 for large text
            assert contrast(ink, ground) >= (4.5 if ground == colours.BACKGROUND or ink == colours.CLUE else 3)
    grounds = [colour for name, colour in colours.RULES.items() if name != "ink"]
    for ink, needed in ((colours.CLUE, 4.5), (colours.FILLED, 3), (colours.ALARM, 3)):
        for ground in (colours.BACKGROUND, colours.HIGHLIGHT, colours.DIFFERS, *grounds):
            assert contrast(colours.DARK[ink], colours.DARK[ground]) >= needed, (ink, ground, "dark")
    for ground in grounds:
        assert contrast(colours.CLUE, ground) >= 4.5, ground
        assert contrast(colours.FILLED, ground) >= 3, ground


def test_themes() -> None:
    auto, light, dark = (board_svg(EMPTY, theme=theme) for theme in ("auto", "light", "dark"))
    assert "light-dark(" in auto
    assert "<style" not in light + dark
    assert re.sub("<style>.*?</style>", "", auto) == light
    assert colours.BACKGROUND not in dark
    assert colours.DARK[colours.BACKGROUND] in dark
