"""Drawings that a person names, or that the words suggest: the rules that follow, and the verdicts on these."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from gridproof.cli import main
from gridproof.errors import InputError, NotUnderstoodError
from gridproof.formats.drawn import groups_of, kinds_that_fit, suggest_readings
from gridproof.formats.drawn.lines import chain_pieces, order_parts
from gridproof.formats.known.links.payloads import data_in
from gridproof.formats.toml_writing import write_puzzle
from gridproof.rules.kinds.lines import RegionSum
from gridproof.trust.answer import Status

SOLUTION = "1234341221434321"


def line(*cells: tuple[int, int], colour: str = "#67f067", thickness: float = 10) -> dict[str, Any]:
    return {"wayPoints": [[r - 0.5, c - 0.5] for r, c in cells], "color": colour, "thickness": thickness}


def shape(r: float, c: float, size: float = 0.3, fill: str = "#FFFFFF", **more: Any) -> dict[str, Any]:
    drawn = {"center": [r - 0.5, c - 0.5], "width": size, "height": size, "rounded": True, "backgroundColor": fill}
    return drawn | more


def sudokupad(solution: str = "", rules: str = "", clues: str = "." * 16, **drawn: Any) -> str:
    boxes = [[[r, c] for r in range(4) for c in range(4) if r // 2 == k // 2 and c // 2 == k % 2] for k in range(4)]
    cells = [[{"value": int(clue)} if clue != "." else {} for clue in clues[4 * r : 4 * r + 4]] for r in range(4)]
    metadata = {"solution": solution, "rules": rules}
    return json.dumps({"cells": cells, "regions": boxes, "metadata": metadata, **drawn})


def f_puzzles(**drawn: Any) -> str:
    return json.dumps({"size": 4, "grid": [[{}] * 4] * 4, **drawn})


def sentences(text: str, readings: dict[str, str], **options: Any) -> list[str]:
    puzzle = gridproof.read_puzzle(text, readings=readings, **options)
    assert puzzle.not_understood == ()
    return [rule.sentence(puzzle.board.geometry) for rule in puzzle.board.rules]


GREEN = line((1, 1), (1, 3))
BULB: dict[str, Any] = {
    "underlays": [shape(4, 1, 0.8, "#CFCFCF")],
    "lines": [line((4, 3), (4, 1), colour="#CFCFCF", thickness=20)],
}
RING = {"borderColor": "#000000"}
ARROW: dict[str, Any] = {
    "overlays": [shape(1, 1, 0.8, **RING)],
    "arrows": [line((1, 1), (1, 3), colour="#CFCFCF", thickness=3)],
}
POINTER: dict[str, Any] = {
    "overlays": [shape(0, 1, text="7")],
    "arrows": [{"wayPoints": [[-0.3, 0.7], [-0.1, 0.9]], "color": "#000"}],
}
CAGE: dict[str, Any] = {"cages": [{"cells": [[0, 0], [0, 1]], "value": "5"}]}
LOOP = [line((1, 1), (1, 2)), line((1, 2), (2, 2), (2, 1), (1, 1))]

READ: dict[str, tuple[str, str, list[str]]] = {
    "a line": (
        sudokupad(lines=[GREEN]),
        "whispers 2",
        ["neighbours on the whispers line r1c1-r1c3 differ by at least 2"],
    ),
    "a line in pieces is one": (
        sudokupad(lines=[GREEN, line((1, 3), (3, 3))]),
        "palindrome",
        ["the palindrome r1c1-r1c3 r2c3 r3c3 reads the same from both ends"],
    ),
    "a loop": (
        sudokupad(lines=LOOP),
        "renban",
        ["the digits of the renban line r1c1 r1c2 r2c2 r2c1 are consecutive, in any order"],
    ),
    "a bulb at the other end": (
        sudokupad(**BULB),
        "thermometer",
        ["the thermometer r4c1-r4c3 increases from its bulb"],
    ),
    "an arrow and its circle": (
        sudokupad(**ARROW),
        "arrow",
        ["the digits along r1c2 r1c3 add up to the number in r1c1"],
    ),
    "an arrow outside": (sudokupad(**POINTER), "little-killer", ["the diagonal r1c2-r3c4 sums to 7"]),
    "a number outside": (
        sudokupad(overlays=[shape(2, 0, text="3")]),
        "sandwich",
        ["from the left in row 2, the digits between 1 and 4 sum to 3"],
    ),
    "a number in a dot": (sudokupad(overlays=[shape(1, 1.5, text="2")]), "difference", ["r1c1 r1c2 differ by 2"]),
    "a letter": (sudokupad(overlays=[shape(1, 1.5, text="V")]), "xv", ["r1c1 r1c2 sum to 5"]),
    "a corner": (
        sudokupad(overlays=[shape(1.5, 1.5, 0.7, text="1 4")]),
        "quadruple",
        ["r1c1 r1c2 r2c1 r2c2 hold 1 and 4 among them"],
    ),
    "a cage": (sudokupad(**CAGE), "killer", ["the killer cage r1c1 r1c2 sums to 5"]),
    "with cells and numbers": (
        sudokupad(**CAGE),
        "any-of [ killer #-1 @ ] [ inequality @2 @1 ]",
        ["at least one of these holds: the killer cage r1c1 r1c2 sums to 4; or the digits of r1c2 r1c1 increase"],
    ),
    "f-puzzles": (
        f_puzzles(line=[{"lines": [["R1C1", "R2C2", "R3C3"]], "outlineC": "#f0f", "width": 0.3}]),
        "renban",
        ["the digits of the renban line r1c1-r3c3 are consecutive, in any order"],
    ),
    "a turned sign of f-puzzles": (
        f_puzzles(text=[{"cells": ["R1C1", "R2C1"], "value": ">", "angle": 90}]),
        "inequality",
        ["the digits of r2c1 r1c1 increase"],
    ),
    "shades that touch are a region": (
        f_puzzles(
            rectangle=[
                {"cells": [cell], "baseC": "#ccc", "width": 1, "height": 1} for cell in ("R1C1", "R1C2", "R3C3", "R3C4")
            ]
        ),
        "clone",
        ["r1c1 r1c2 and r3c3 r3c4 hold the same digits in the same order"],
    ),
}


@pytest.mark.parametrize("name", READ)
def test_a_named_drawing_becomes_rules(name: str) -> None:
    text, reading, expected = READ[name]
    letters = [group.letter for group in groups_of(gridproof.read_puzzle(text)) if group.look.form != "end"]
    others = [] if name == "with cells and numbers" else letters[1:]
    kind = reading.split()[0]
    found = sentences(
        text, {"A": reading}, ignored=[letter for letter in others if kind not in ("thermometer", "arrow")]
    )
    assert found == expected


REFUSED = {
    "a branch": (
        sudokupad(lines=[GREEN, line((1, 2), (3, 2))]),
        "A = palindrome",
        "r1c1 r1c2 r1c3 r2c2 r3c2 .*a line with branches",
    ),
    "another form": (
        sudokupad(lines=[GREEN]),
        "A = quadruple 1",
        r"the line at r1c1 r1c2 r1c3 \(lines 1 of 1\): not for quadruple",
    ),
    "no number": (
        sudokupad(overlays=[shape(0, 1, text="?")]),
        "A = sandwich",
        "the text '\\?', where sandwich needs a number",
    ),
    "more than a number": (
        sudokupad(cages=[{"cells": [[0, 0], [0, 1]], "value": "<5"}]),
        "A = killer",
        "the text '<5'",
    ),
    "a number without a place": (sudokupad(**CAGE), "A = extra-region", "its number has no place in extra-region"),
    "no such cell": (sudokupad(lines=[GREEN]), "A = even @9", "@9 of 3 cells"),
    "no kind": (sudokupad(lines=[GREEN]), "A = wispers", "did you mean 'whispers'"),
    "no letter": (sudokupad(lines=[GREEN]), "B = whispers", "'B' names no group of drawings; there is A: 1 green line"),
    "a file": (sudokupad(lines=[GREEN]), "A = ./mine.toml", "mine.toml"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_and_named(name: str) -> None:
    text, reading, problem = REFUSED[name]
    letter, _, kind = reading.partition(" = ")
    with pytest.raises(InputError, match=problem):
        gridproof.read_puzzle(text, readings={letter: kind})


def test_what_is_not_named_stays_unread_and_keeps_its_letter() -> None:
    text = sudokupad(SOLUTION, lines=[GREEN, line((4, 1), (4, 4), colour="#f00")], overlays=[shape(1, 1.5)])
    puzzle = gridproof.read_puzzle(text, readings={"A": "thermometer"}, ignored=["C"])
    assert [str(group) for group in groups_of(puzzle)] == ["B: 1 red line"]
    assert [part.where for part in puzzle.not_understood] == ["lines 2 of 2"]
    with pytest.raises(NotUnderstoodError):
        gridproof.parse(text, readings={"A": "thermometer"}, ignored=["C"])


def test_the_kinds_that_fit_a_group_can_all_be_read() -> None:
    text = sudokupad(lines=[GREEN], overlays=[shape(1, 1.5), shape(0, 1, text="3")])
    puzzle = gridproof.read_puzzle(text)
    geometry = puzzle.board.geometry
    fitting = {group.letter: kinds_that_fit(group, geometry) for group in groups_of(puzzle)}
    assert {"renban", "thermometer", "palindrome"} <= set(fitting["A"])
    assert {"difference", "ratio"} <= set(fitting["B"])
    assert {"sandwich", "x-sum", "skyscraper"} <= set(fitting["C"])
    for letter, kinds in fitting.items():
        for kind in kinds:
            assert gridproof.read_puzzle(text, readings={letter: kind}).board.rules


WORDS = "Normal rules apply. Digits increase along the green line."
CLUED = "1.3.34..2.4.43.."


def test_a_suggestion_is_confirmed_only_by_the_stored_solution() -> None:
    text = sudokupad(SOLUTION, "Green lines are renban lines.", "1234341221434...", lines=[line((4, 1), (4, 4))])
    [suggestion] = suggest_readings(gridproof.read_puzzle(text))
    assert suggestion == ("A", "renban", "Green lines are renban lines.")
    verdict = gridproof.verify(text, readings="suggested")
    assert (verdict.status, verdict.evidence.basis, verdict.evidence.stored) == (Status.UNIQUE, None, "right")
    assert "as read: A = renban (1 green line: 'Green lines are renban lines.')" in verdict.reason
    without = gridproof.verify(text.replace(SOLUTION, ""), readings="suggested")
    assert (without.status, without.evidence.basis) == (Status.UNIQUE, "as read")
    assert "as read: A = renban" in without.reason


@pytest.mark.parametrize("option", [{}, {"words_read": True}, {"despite_unread": True}])
@pytest.mark.parametrize("clues", ["." * 16, "1234341221434.3."])
def test_a_suggestion_gives_neither_none_nor_multiple(clues: str, option: Any) -> None:
    text = sudokupad("", "Digits on the green line are a palindrome.", clues, lines=[line((4, 1), (4, 4))])
    with pytest.raises(NotUnderstoodError, match="as read: A = palindrome"):
        gridproof.verify(text, readings="suggested", **option)


def test_what_a_person_names_is_a_statement() -> None:
    text = sudokupad("", "", "1234341221434...", lines=[line((4, 1), (4, 4))])
    assert gridproof.verify(text, readings={"A": "palindrome"}).status is Status.NONE
    assert gridproof.verify(text, readings={"A": "renban"}).evidence.basis is None


def test_words_that_were_read_add_nothing() -> None:
    text = sudokupad("", "Something else.", "12..............")
    with pytest.raises(NotUnderstoodError, match="the words may exclude them"):
        gridproof.verify(text)
    assert gridproof.verify(text, words_read=True).status is Status.MULTIPLE
    assert gridproof.verify(sudokupad("", "Something.", SOLUTION), words_read=True).evidence.basis is None


@pytest.mark.parametrize(
    "words", ["Purple lines are renbans.", "Green lines are thermometers or renbans. Green lines are palindromes."]
)
def test_other_colours_and_two_kinds_suggest_nothing(words: str) -> None:
    assert suggest_readings(gridproof.read_puzzle(sudokupad("", words, lines=[GREEN]))) == []


def test_groups_in_a_puzzle_file_are_read_when_somebody_names_them() -> None:
    text = sudokupad(lines=[GREEN, line((1, 3), (3, 3))], overlays=[shape(0, 1, text="3")])
    file = write_puzzle(gridproof.read_puzzle(text))
    puzzle = gridproof.read_puzzle(file)
    assert [str(group) for group in groups_of(puzzle)] == ["A: 1 green line", "B: 1 text outside"]
    assert write_puzzle(puzzle) == file
    lines = file.replace('form = "plain"', 'form = "plain"\nread = "palindrome"')
    named = lines.replace('form = "outside"', 'form = "outside"\nread = "sandwich"')
    expected = sentences(text, {"A": "palindrome", "B": "sandwich"})
    read = gridproof.read_puzzle(named)
    assert [rule.sentence(read.board.geometry) for rule in read.board.rules] == expected
    assert read.not_understood == ()
    assert sentences(file, {"A": "palindrome", "B": "sandwich"}) == expected
    with pytest.raises(InputError, match="line 15, column 1: drawn 2: the text outside at r1c1"):
        gridproof.read_puzzle(lines.replace('form = "outside"', 'form = "outside"\nread = "inequality 1 2"'))


def test_drawings_that_were_named_stay_in_a_puzzle_file_and_are_no_further_rules() -> None:
    text = sudokupad(lines=[GREEN], overlays=[shape(1.5, 1)])
    puzzle = gridproof.read_puzzle(text, readings={"A": "palindrome"}, ignored=["B"])
    file = write_puzzle(puzzle)
    assert file.count("[[drawn]]") == 2
    assert "# read as palindrome: its rules stand above\nignored = true" in file
    again = gridproof.read_puzzle(file)
    assert again.board == puzzle.board
    assert again.not_understood == ()
    rewritten = gridproof.read_puzzle(write_puzzle(again))
    assert write_puzzle(rewritten) == write_puzzle(again)
    assert write_puzzle(again).count("ignored = true") == 2


def test_drawings_that_were_named_stay_in_links_of_their_program() -> None:
    """A read green line, an ignored dot and a second trip: the same rules, nothing unread, every drawing there."""
    text = f_puzzles(line=[{"lines": [["R1C1", "R1C3"]], "outlineC": "#0f0"}], circle=[{"cells": ["R4C4"]}])
    puzzle = gridproof.read_puzzle(text, readings={"A": "whispers 2"}, ignored=["B"])
    for target in ("f-puzzles", "sudokupad-link"):
        once = gridproof.read_puzzle(gridproof.convert(puzzle, target))
        assert once.board == puzzle.board
        assert once.not_understood == ()
        twice = data_in(gridproof.convert(once, target))
        assert [item for item in twice["line"] if "gridproofNamed" in item] == [
            {"lines": [["R1C1", "R1C3"]], "outlineC": "#0f0", "gridproofNamed": True}
        ]
        assert twice["circle"] == [{"cells": ["R4C4"], "gridproofNamed": True}]


EVERY_FORM: dict[str, Any] = {
    "lines": [line((1, 1), (1, 3)), line((4, 1), (4, 3), colour="#CFCFCF", thickness=20)],
    "underlays": [shape(4, 1, 0.8, "#CFCFCF"), shape(3, 2, 1, "#FF0000", rounded=False)],
    "overlays": [
        shape(2.5, 2),
        shape(1.5, 1.5, text="7"),
        shape(2, 4, 0.8, "#0000FF"),
        shape(2, 3, 0.6, "#0000FF", rounded=False),
        {"center": [2.5, 3.5], "text": "5", "width": 0.3},
        {"center": [1.5, -0.5], "text": "12", "width": 0.5},
    ],
    "cages": [{"cells": [[3, 3], [2, 3]], "value": "x"}],
}
"""Drawings of SudokuPad of every form that f-puzzles can draw."""


def drawn_in(text: str) -> list[tuple[str, tuple[int, ...], str, str]]:
    """The form, cells, text and colour of each drawing of a text that is unread."""
    drawn = []
    for group in groups_of(gridproof.read_puzzle(text, despite_unread=True)):
        for item in group.items:
            colour = None if item.form in ("cage", "text", "outside") else item.colour
            drawn.append((item.form, item.cells, item.text, colour.name if colour else ""))
    return sorted(drawn)


@pytest.mark.parametrize("target", ["f-puzzles", "sudokupad-link"])
def test_drawings_of_puzzle_files_and_other_programs_go_into_links_of_f_puzzles(target: str) -> None:
    text = sudokupad(**EVERY_FORM)
    letters = [group.letter for group in groups_of(gridproof.read_puzzle(text))]
    puzzle = gridproof.read_puzzle(text, readings={"A": "whispers 2"}, ignored=letters[1:])
    links = {}
    for source in (puzzle, gridproof.read_puzzle(gridproof.convert(puzzle, "toml"))):
        link = gridproof.convert(source, target)
        again = gridproof.read_puzzle(link)
        assert again.not_understood == ()
        assert again.board == puzzle.board
        links[source.format] = json.dumps(data_in(link)).replace("gridproofNamed", "angle")
    expected = [
        drawing for drawing in drawn_in(text) if drawing[0] != "plain"
    ]  # a copy of the rule that it was read as
    assert len({form for form, *_ in expected}) == 10
    assert drawn_in(links["sudokupad"]) == expected
    without_colour = [drawing[:3] for drawing in drawn_in(links["toml"])]
    assert without_colour == [drawing[:3] for drawing in expected]
    assert {"grey", "red", "blue"} <= {colour for *_, colour in drawn_in(links["toml"])}


def test_names_are_written_as_people_write_them_and_letters_in_lists() -> None:
    text = sudokupad(lines=[GREEN, line((4, 1), (4, 3), colour="#000000")], overlays=[shape(1.5, 1), shape(4, 4, 0.8)])
    puzzle = gridproof.read_puzzle(text, readings={"A": "German Whispers 2"}, ignored=["B, C", "d"])
    assert [rule.kind for rule in puzzle.board.rules] == ["whispers"]
    assert puzzle.not_understood == ()
    with pytest.raises(InputError, match="'E' names no group of drawings"):
        gridproof.read_puzzle(text, ignored=["A E"])


@pytest.mark.parametrize(
    ("dots", "expected"),
    [
        ({"fill": "#000000"}, {"A": "ratio"}),
        ({"text": "X"}, {"A": "xv"}),
        ({"text": ">"}, {"A": "inequality"}),
        ({}, {"A": "difference"}),
    ],
)
def test_a_sentence_about_letters_suggests_nothing_for_dots_without(dots: Any, expected: dict[str, str]) -> None:
    words = "Black dots: ratio 1:2. X sums to 10, V to 5. White dots are consecutive. Signs: the greater one is there."
    puzzle = gridproof.read_puzzle(sudokupad("", words, overlays=[shape(1, 1.5, **dots)]))
    assert {one.letter: one.reading for one in suggest_readings(puzzle)} == expected


def test_a_line_with_a_bulb_is_a_thermometer_whatever_else_is_drawn_in_grey() -> None:
    words = "Thermometers: digits increase from the bulb. Grey 10 lines: the digits of segments sum to 10."
    puzzle = gridproof.read_puzzle(sudokupad("", words, **BULB))
    assert [(one.letter, one.reading) for one in suggest_readings(puzzle)] == [("A", "thermometer")]


def test_a_colour_in_a_puzzle_file_is_one() -> None:
    file = 'clues = ".... .... .... ...."\n[[drawn]]\nform = "plain"\ncolour = "greenish"\ncells = ["r1c1 r1c2"]\n'
    with pytest.raises(InputError, match="colour = 'greenish'; expected a colour such as #67f067"):
        gridproof.read_puzzle(file)


def test_a_picture_at_no_cell_stays_in_a_puzzle_file() -> None:
    """A stroke that keeps to no cells was a traceback when it was written."""
    strokes = [{"wayPoints": [[0, 0.2], [0, 3.1]], "color": "#000", "thickness": 2} for _ in range(2)]
    puzzle = gridproof.read_puzzle(sudokupad(lines=strokes))
    (group,) = groups_of(puzzle)
    assert {item.cells for item in group.items} == {()}
    again = gridproof.read_puzzle(gridproof.convert(puzzle, "toml", despite_unread=True))
    assert len(again.not_understood) == 1
    ignored = gridproof.read_puzzle(sudokupad(lines=strokes), ignored=["A"])
    assert gridproof.read_puzzle(gridproof.convert(ignored, "toml")).not_understood == ()


def test_drawings_in_a_frame_move_with_the_board() -> None:
    """The frame of a SudokuPad file is not written, and so the places count from the board."""
    inner = json.loads(sudokupad(overlays=[shape(2, 2)], cages=[{"cells": [[0, 0], [0, 1]], "value": "x"}]))
    framed = json.loads(sudokupad())
    framed["cells"] = [[{}] * 6 for _ in range(6)]
    framed["regions"] = [[[r + 1, c + 1] for r, c in region] for region in framed["regions"]]
    framed["overlays"] = [shape(3, 3)]
    framed["cages"] = [{"cells": [[1, 1], [1, 2]], "value": "x"}]
    puzzle = gridproof.read_puzzle(json.dumps(framed))
    letters = [group.letter for group in groups_of(puzzle)]
    ignored = gridproof.read_puzzle(json.dumps(framed), ignored=letters)
    link = gridproof.convert(ignored, "sudokupad")
    again = gridproof.read_puzzle(link)
    assert again.not_understood == ()
    data = data_in(link)
    assert data["overlays"] == [{**inner["overlays"][0], "gridproofNamed": True}]
    assert data["cages"] == [{**inner["cages"][0], "gridproofNamed": True}]
    assert data_in(gridproof.convert(again, "sudokupad")) == data


def test_the_command_line_reads_lists_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    text = sudokupad(SOLUTION, WORDS, "1234341221434...", lines=[line((1, 1), (1, 4))])
    assert main(["verify", "-q", "--explain-reading", "--read", "A = thermometer", text]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("unique\t")
    assert "A: 1 green line" in printed.err
    assert main(["verify", "-q", "--read", "suggested", "--ignore", "Z", text]) == 2
    assert "'Z' names no group of drawings" in capsys.readouterr().out
    assert main(["verify", "-q", "--read", "whispers", text]) == 2
    assert "expected a letter and a kind" in capsys.readouterr().err


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 15), min_size=3, max_size=6, unique=True), st.data())
def test_pieces_of_a_path_are_joined_in_whatever_order_they_were_drawn(path: list[int], data: st.DataObject) -> None:
    pieces = [(path[place], path[place + 1]) for place in range(len(path) - 1)]
    drawn = [piece[:: data.draw(st.sampled_from([1, -1]))] for piece in data.draw(st.permutations(pieces))]
    assert chain_pieces(drawn) in (tuple(path), tuple(path[::-1]), None)
    if drawn == pieces:
        assert chain_pieces(drawn) is not None


def test_parts_of_a_line_with_branches_are_never_side_by_side_in_one_region() -> None:
    geometry = gridproof.Geometry.classic(2)
    regions = geometry.region_of
    assert regions is not None
    for lines in permutations([(0, 1, 2), (1, 5), (2, 6, 10)]):
        cells = order_parts(lines, geometry)
        assert sorted(cells) == [0, 1, 2, 5, 6, 10]
        rule = RegionSum(lines=(cells,))
        sums = {(0, 1, 5), (2, 6), (10,)}
        parts = set()
        start = 0
        for end in range(1, len(cells) + 1):
            if end == len(cells) or regions[cells[end]] != regions[cells[start]]:
                parts.add(tuple(sorted(cells[start:end])))
                start = end
        assert parts == sums
        assert rule.invalid_reason(geometry) is None
