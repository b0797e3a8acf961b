"""Rules that f-puzzles has no item for, in links to SudokuPad: drawn, in numbered words, and read back by gridproof."""

from __future__ import annotations

from typing import Any

import pytest

import gridproof
from formats.sample_puzzles import meaning
from gridproof.errors import BoardError
from gridproof.formats import Puzzle
from gridproof.formats.known import links
from gridproof.formats.known.links.payloads import data_in
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import all_kinds, parse_rule

NINE = Geometry.classic(3)
FURTHER = (
    "numbered-room 5 row1",
    "counting-circles r1c1 r2c2 r3c3",
    "sum-line 10 r4c1-r4c4",
    "parity-line r5c1-r5c5",
    "inequality r6c1 r6c2",
    "little-killer 20 r2c2-r5c5",
    "rellik 7 r8c8 r8c9",
    "relation 'abs(a-b)>=4' r2c5-r2c8",
)


def _puzzle(*rules: str, prose: str = "") -> Puzzle:
    board = Board.empty(NINE).with_rules([parse_rule(text) for text in rules])
    return Puzzle(board, prose=prose)


def _data_of(puzzle: Puzzle) -> dict[str, Any]:
    return data_in(links.write_sudokupad_link(puzzle))


@pytest.mark.parametrize("kind", all_kinds())
def test_every_kind_is_written_and_read_back_with_its_own_words(kind: str) -> None:
    puzzle = _puzzle(all_kinds()[kind].example, prose="Find all.\n\n1. A list of its own.")
    again = links.read(links.write_sudokupad_link(puzzle))
    assert meaning(again.board) == meaning(puzzle.board)
    assert again.prose == puzzle.prose
    assert not again.not_understood


def test_each_further_rule_has_a_drawing_and_a_numbered_sentence() -> None:
    puzzle = _puzzle("killer 10 r9c8 r9c9", *FURTHER)
    data = _data_of(puzzle)
    drawn = set()
    for key in ("line", "circle", "rectangle", "text", "cage"):
        for item in data.get(key, []):
            drawn.add(item["fromConstraint"])
    assert drawn == {rule.kind for rule in puzzle.board.rules} - {"killer"}
    own, _, numbered = data["ruleset"].partition("\n\n")
    assert own == "The killer cage r9c8 r9c9 sums to 10."
    lines = numbered.splitlines()
    assert len(lines) == len(FURTHER)
    for number, (line, rule) in enumerate(zip(lines, puzzle.board.rules[1:], strict=True), 1):
        assert line.lower() == f"{number}. {rule.sentence(NINE)}.".lower()
    assert links.read(links.write_sudokupad_link(puzzle)).prose == ""


def test_a_clue_outside_stands_where_it_sees_its_cells() -> None:
    data = _data_of(_puzzle("numbered-room 5 row3", "numbered-room 4 r9c2-r1c2", "numbered-room 3 r1c9-r1c1"))
    assert [item["cells"] for item in data["text"]] == [["R3C0"], ["R10C2"], ["R1C10"]]
    assert [item["value"] for item in data["text"]] == ["5", "4", "3"]


def test_without_its_key_a_drawing_is_unread_like_any_other() -> None:
    """Other programs leave out the key when they save the puzzle."""
    data = _data_of(_puzzle(*FURTHER))
    del data["gridproof"]
    again = links.f_puzzles.FPuzzlesReading(data).read_puzzle()
    assert not again.board.rules
    assert len(again.not_understood) >= len(FURTHER)
    assert again.prose.count("\n") == len(FURTHER) - 1


def test_a_drawing_over_other_cells_than_those_of_the_rule_is_unread() -> None:
    data = _data_of(_puzzle("sum-line 10 r4c1-r4c4"))
    data["line"][0]["lines"] = [["R4C1", "R4C2", "R5C3"]]
    (part,) = links.f_puzzles.FPuzzlesReading(data).read_puzzle().not_understood
    assert str(part) == "line 1 of 1: drawn along r4c1 r4c2 r5c3"


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ({"rule": "no-such-kind r1c1"}, "no-such-kind"),
        ({"rule": "./mine.toml r1c1"}, "mine.toml"),
        ({"rule": "killer 5 r1c1 r1c1"}, "r1c1 is named twice"),
        ({"rule": 5}, "expected an object such as"),
        ("even r1c1", "expected an object such as"),
        ({"rule": "even r1c1", "more": 1}, "expected an object such as"),
    ],
)
def test_an_entry_of_no_rule_is_unread(entry: object, problem: str) -> None:
    data = {"grid": [[{}, {}], [{}, {}]], "gridproof": [entry]}
    (part,) = links.f_puzzles.FPuzzlesReading(data).read_puzzle().not_understood
    assert problem in str(part)
    assert part.where == "gridproof 1 of 1"


def test_f_puzzles_itself_is_not_given_what_it_cannot_check() -> None:
    with pytest.raises(BoardError, match=r"first digit.*expected sudokupad-link"):
        gridproof.convert(_puzzle("numbered-room 5 row1"), "f-puzzles")
