"""Links of Penpa+, composed here from the facts about its layout."""

from __future__ import annotations

import json
import random
import zlib
from base64 import b64encode
from typing import Any

import pytest

from gridproof import read_puzzle
from gridproof.errors import InputError
from gridproof.formats import Puzzle
from gridproof.formats.drawn.drawings import groups_of
from gridproof.formats.known.links import read_penpa
from gridproof.formats.known.links.penpa_payloads import MOST_BYTES
from gridproof.rules.kinds.killer import Killer
from gridproof.rules.kinds.pair_lines import Thermometer

SHORT = {"number": "zN", "numberS": "z1", "thermo": "zT", "killercages": "z6", "line": "zL", "lineE": "zE"}
ORDER = 4


def packed(text: str) -> str:
    packing = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return b64encode(packing.compress(text.encode()) + packing.flush()).decode()


def cell(row: int, column: int, space: int = 0, side: int = ORDER) -> int:
    """The number of a cell, both counted from 1, in a grid with a space on all sides."""
    return (side + 4) * (row + 1 + space) + column + 1 + space


def corner(row: int, column: int) -> int:
    """The number of the corner between four cells; (0, 0) is the upper left one of the board."""
    return (ORDER + 4) ** 2 + cell(row, column)


def text_in_corner(row: int, column: int) -> str:
    return str(4 * ((ORDER + 4) ** 2 + cell(row, column)))


def boxes() -> dict[str, int]:
    lines = {}
    for k in range(ORDER):
        lines[f"{corner(k, 2)},{corner(k + 1, 2)}"] = 2
        lines[f"{corner(2, k)},{corner(2, k + 1)}"] = 2
    return lines


def link(
    question: dict[str, Any] | None = None,
    *,
    answer: dict[str, Any] | None = None,
    grid: str = "sudoku,4,4",
    side: int = ORDER,
    space: int = 0,
    mode: str = "edit",
    rules: str = "",
    more: str = "",
) -> str:
    layer = json.dumps({"lineE": boxes(), **(question or {})}).replace("z", "zZ")
    for name, short in SHORT.items():
        layer = layer.replace(f'"{name}"', short)
    cells = [cell(r, c, space, side) for r in range(1, ORDER + 1) for c in range(1, ORDER + 1)]
    steps = [number - before for before, number in zip([0, *cells], cells, strict=False)]
    head = f"{grid},38,0,1,1,190,190,0,0,0,0,0,0,Title: zZebra%2C two,Author: Nobody,,{rules}"
    lines = [head, "[0,0,0,0]", "{}", layer, json.dumps(answer) if answer else "", json.dumps(steps)]
    return f"https://swaroopg92.github.io/penpa-edit/#m={mode}&p={packed(chr(10).join(lines))}{more}"


def read_all(text: str) -> Puzzle:
    return read_puzzle(text, despite_unread=True)


@pytest.mark.parametrize("mode", ["edit", "solve"])
def test_givens_boxes_and_texts(mode: str) -> None:
    numbers = {str(cell(1, 2)): ["3", 1, "1"], str(cell(4, 4)): ["2", 1, "10"]}
    puzzle = read_puzzle(link({"number": numbers}, mode=mode, rules="One%2C two%2Dthree"))
    assert puzzle.format == "penpa"
    assert (puzzle.board.clues[1], puzzle.board.clues[15], sum(puzzle.board.clues)) == (3, 2, 5)
    assert puzzle.board.geometry.description == "4x4, 2x2 boxes"
    assert (puzzle.title, puzzle.author, puzzle.prose) == ("zebra, two", "Nobody", "One, two\nthree")


def test_entries_and_the_solution_of_the_answer_check() -> None:
    grid = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    pairs = [f"{cell(k // 4 + 1, k % 4 + 1)},{digit}" for k, digit in enumerate(grid) if k]
    question = {"number": {str(cell(1, 1)): ["1", 1, "1"]}}
    answer = {"number": {str(cell(1, 2)): ["4", 2, "1"]}}
    puzzle = read_puzzle(link(question, answer=answer, more=f"&a={packed(json.dumps([[], [], [], [], pairs]))}"))
    assert puzzle.solution == tuple(grid)
    assert puzzle.board.filled[:3] == (0, 4, 0)


def test_killer_cages_and_thermometers_are_rules() -> None:
    question = {
        "killercages": [[cell(1, 2), cell(1, 1)]],
        "numberS": {text_in_corner(1, 1): ["5", 1]},
        "thermo": [[cell(4, 1), cell(3, 2), cell(3, 3)]],
    }
    puzzle = read_puzzle(link(question))
    assert puzzle.board.rules == (Killer(total=5, cells=(1, 0)), Thermometer(lines=((12, 9, 10),)))
    assert not puzzle.not_understood
    assert [part.key for part in puzzle.unread] == ["killercages", "thermo"]


def test_thermometers_are_drawings_where_the_words_are_about_slow_ones() -> None:
    puzzle = read_all(link({"thermo": [[cell(4, 1), cell(3, 2)]]}, rules="Slow thermometers never decrease."))
    assert puzzle.board.rules == ()
    assert [part.key for part in puzzle.not_understood] == ["thermo"]


def test_two_cages_at_one_corner_are_drawings() -> None:
    cages = [[cell(1, 1), cell(1, 2)], [cell(1, 1), cell(2, 1)]]
    puzzle = read_all(link({"killercages": cages, "numberS": {text_in_corner(1, 1): ["5", 1]}}))
    assert puzzle.board.rules == ()


def test_a_cage_without_a_clear_sum_is_a_drawing() -> None:
    cages = [[cell(1, 1), cell(1, 2)], [cell(3, 3), cell(3, 4)]]
    texts = {text_in_corner(3, 3): ["7+", 1]}
    puzzle = read_all(link({"killercages": cages, "numberS": texts}))
    assert puzzle.board.rules == ()
    assert {group.look.form for group in groups_of(puzzle)} >= {"cage"}
    assert [part.key for part in puzzle.not_understood] == ["killercages", "killercages", "numberS"]


def test_lines_are_drawn_groups_that_a_person_names() -> None:
    line = {f"{cell(1, 1)},{cell(1, 2)}": 3, f"{cell(1, 3)},{cell(1, 2)}": 3}
    text = link({"line": line})
    puzzle = read_all(text)
    assert [str(group) for group in groups_of(puzzle)] == ["A: 1 green line"]
    named = read_puzzle(text, readings={"A": "palindrome"})
    assert len(named.board.rules) == 1
    assert {named.board.geometry.cell_name(c) for c in named.board.rules[0].value("lines")[0]} == {
        "r1c1",
        "r1c2",
        "r1c3",
    }


def test_lines_that_bound_no_regions_are_drawings() -> None:
    puzzle = read_all(link({"lineE": {f"{corner(0, 1)},{corner(1, 1)}": 2}}))
    assert puzzle.board.geometry.region_of is None
    assert [part.key for part in puzzle.not_understood] == ["lineE"]


def test_a_board_in_a_space_outside() -> None:
    numbers = {str(cell(1, 1, 1, 6)): ["2", 1, "1"], str(cell(0, 1, 1, 6)): ["7", 1, "1"]}
    puzzle = read_all(link({"number": numbers, "lineE": {}}, grid="sudoku,6,6", side=6, space=1))
    assert (puzzle.board.geometry.order, puzzle.board.clues[0]) == (4, 2)
    assert [str(group) for group in groups_of(puzzle)] == ["A: 1 text outside"]


@pytest.mark.parametrize(
    ("question", "relaxes"),
    [
        ({"polygon": [[1, 2]]}, True),
        ({"strange": 1}, True),
        ({"thermo": "x"}, True),
        ({"killercages": [[1, 2]]}, True),
        ({"number": {str(cell(1, 1)): ["0", 1, "1"]}}, True),
        ({"symbol": {str(cell(1, 1)): [2, "circle_M", 1]}}, False),
        ({"surface": {str(cell(1, 1)): 3}}, False),
        ({"arrows": [[cell(1, 1), cell(1, 2)]]}, False),
        ({"thermo": [[cell(1, 1), cell(3, 3)]]}, False),
        ({"nobulbthermo": [[cell(1, 1), cell(1, 2)]]}, False),
    ],
    ids=str,
)
def test_everything_else_is_unread(question: dict[str, Any], relaxes: bool) -> None:
    puzzle = read_all(link(question))
    assert [part.relaxes for part in puzzle.not_understood] == [relaxes]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (link(grid="hex,4,4"), "'hex'; expected square or sudoku"),
        (link(grid="square,1000,4"), "a side of '1000' cells"),
        (link(grid="square,1,1"), "expected"),
        ("https://penpa.example/#m=edit&p=AAA*", "no base64"),
        ("https://penpa.example/#m=edit&p=////", "damaged"),
        (link()[:-20], "cut off|base64"),
        (f"https://penpa.example/#m=edit&p={packed('x' * (MOST_BYTES + 1))}", "more than 4,000,000 bytes"),
        (f"https://penpa.example/#m=edit&p={packed('square,4')}", "1 lines of data"),
        (link(more=f"&a={packed('[' * 50_000)}"), "nested too deeply|expected JSON"),
    ],
)
def test_what_is_no_puzzle_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_penpa(text)


def test_hostile_layers_are_errors_or_unread() -> None:
    dice = random.Random(7)
    values: list[Any] = [
        None,
        True,
        -1,
        10**30,
        "x",
        "999999",
        [],
        {},
        [[]],
        [None],
        {"1,2": []},
        [["9"], 1],
        {"a": [1]},
        {"27": 1},
    ]
    names = ["number", "numberS", "thermo", "killercages", "line", "lineE", "symbol", "surface", "arrows", "wall"]
    for _ in range(150):
        layer = {name: dice.choice(values) for name in dice.sample(names, 3)}
        puzzle = read_penpa(link(layer, answer={"number": dice.choice(values)}, more=""))
        groups_of(read_all(link(layer)))
        assert puzzle.board.geometry.order == ORDER
