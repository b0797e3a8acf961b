"""The board on the screen without a host: its histories, its lesson, its words, and what it refuses."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gridproof import Geometry, parse, read_puzzle
from gridproof.errors import InputError, NotUnderstoodError
from gridproof.formats import Puzzle
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.widget import analysis
from gridproof.widget.analysis import Finder, Task
from gridproof.widget.board import LiveBoard
from gridproof.widget.editing import Editor
from gridproof.widget.entries import Entries
from gridproof.widget.script import read_script
from gridproof.widget.selection import sight

UNIQUE = "1... ..2. .3.. ...4"
LINE = '{"lines": [["R1C1", "R2C2"]], "outlineC": "#67F067", "width": 0.3}'
UNREAD = f'{{"title": "Tiny", "grid": [[{{}}, {{}}], [{{}}, {{}}]], "line": [{LINE}]}}'
FOUR = Geometry.classic(2)


class Shown:
    """A board, and what its page was sent. Whatever is to be found is found at once."""

    def __init__(self, puzzle: Any, **options: Any) -> None:
        self.page: dict[str, Any] = {}
        self.sent: list[dict[str, Any]] = []
        self.task: Task | None = None
        self.finder = Finder()
        record = puzzle if isinstance(puzzle, Puzzle) else Puzzle(parse(puzzle))
        self.board = LiveBoard(
            record, show_changes=self._take_changes, send=self.sent.append, begin=self._begin, **options
        )
        self.do(self.board.begin)

    def _take_changes(self, changes: dict[str, Any]) -> None:
        self.page = changes.get("page", self.page)

    def _begin(self, task: Task) -> None:
        self.task = task

    def do(self, act: Any, *values: Any) -> None:
        """Call a function of the board, and work on what it begins."""
        act(*values)
        while self.task is not None:
            task, self.task = self.task, None
            for finding in self.finder.find(task):
                self.board.take(task, finding)

    def send(self, **message: Any) -> None:
        """Send a message of the page."""
        self.do(self.board.receive, message)


# ---- the work of a solver --------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 15), st.integers(1, 4), st.sampled_from(["note", "corner"]))), st.data())
def test_an_entry_tidies_the_marks_of_its_peers_alone(marks: list[Any], data: st.DataObject) -> None:
    entries = Entries.none(FOUR)
    for cell, symbol, kind in marks:
        entries = entries.toggle([cell], symbol, kind, FOUR)
    cell, symbol = data.draw(st.integers(0, 15)), data.draw(st.integers(1, 4))
    tidied = entries.tidy([cell], symbol, FOUR)
    bit = 1 << (symbol - 1)
    full = FOUR.every_symbol
    for other in range(16):
        sees = other in FOUR.peers[cell]
        assert tidied.corners[other] == entries.corners[other] & ~(bit if sees else 0)
        notes = entries.notes[other]
        if sees and notes != full:
            notes = notes & ~bit or full
        assert tidied.notes[other] == notes


def test_another_puzzle_has_entries_of_its_own_and_undo_gives_those_before_back() -> None:
    editor = Editor(Puzzle(parse(UNIQUE)))
    editor.enter([1], 2, "entry")
    editor.paste("." * 16)
    assert editor.board.filled == ()
    editor.enter([0], 3, "entry")
    editor.undo(setter=True)
    assert editor.entries.filled[:2] == (0, 2)
    editor.undo(setter=False)
    assert not any(editor.entries.filled)
    assert editor.board.clue_count == 4, "an entry that is undone takes no clue with it"


def test_undo_is_that_of_the_mode() -> None:
    shown = Shown(UNIQUE, live=False)
    shown.board.enter(["r1c2"], 2, "clue")
    shown.board.switch("mode", "solve")
    assert not shown.page["undo"]
    shown.board.enter(["r1c3"], 4, "entry")
    shown.send(act="undo")
    assert (shown.board.board.clues[1], shown.board.board.filled) == (2, ())
    shown.board.switch("mode", "set")
    shown.send(act="undo")
    assert shown.board.board == parse(UNIQUE)


# ---- what was not read -----------------------------------------------------------------------------------------------


def test_what_was_not_read_opens_only_on_request_and_has_no_verdict() -> None:
    shown = Shown(UNIQUE)
    shown.send(act="paste", text=UNREAD)
    assert shown.page["anyway"]
    assert shown.page["error"]
    shown.send(act="open_anyway")
    assert shown.board.puzzle.title == "Tiny"
    assert [badge[0] for badge in shown.page["badges"]] == ["no verdict", "not all read"]
    assert shown.page["unread"] == ["line 1 of 1: drawn along r1c1 r2c2"]
    assert "not read: line (1)" in shown.page["sentence"]
    assert "solution" not in shown.page["sentence"]
    assert 'opacity="0.5"' in shown.page["svg"], "the line is drawn, pale"
    assert "#67f067" in shown.page["svg"]
    with pytest.raises(InputError, match="not understood of the puzzle"):
        shown.board.text("link")
    values = {"title": "Tiny", "author": "", "prose": "", "covered": True}
    shown.send(act="about", values=values)
    assert [badge[1] for badge in shown.page["badges"]] == ["warn"], "the setter states that the rules are all"
    assert not read_puzzle(shown.board.text("link")).unread


def test_a_puzzle_that_was_read_despite_it_all_is_taken() -> None:
    shown = Shown(read_puzzle(UNREAD, despite_unread=True))
    assert shown.page["badges"][0][0] == "no verdict"
    with pytest.raises(NotUnderstoodError):
        shown.board.paste(UNREAD)


# ---- other digits, and boards that are not square --------------------------------------------------------------------


def test_a_board_has_its_own_digits() -> None:
    board = Board.empty(Geometry.classic(2).with_digits(Digits(0, 3)))
    shown = Shown(Puzzle(board.with_rules(parse(UNIQUE, rules=["killer 1 r1c1 r1c2"]).rules)), mode="solve")
    assert shown.page["symbols"] == ["0", "1", "2", "3"]
    shown.send(act="enter", cells=[0], symbol=1, typing="entry")
    shown.send(act="enter", cells=[1], symbol=1, typing="note")
    shown.send(act="enter", cells=[5], symbol=4, typing="corner")
    labels = shown.page["labels"]
    assert labels[0] == "r1c1, entry 0, in killer 1"
    assert labels[1] == "r1c2, centre 0, in killer 1"
    assert labels[5] == "r2c2, corner 3"
    shown.do(shown.board.switch, "check", "clashes")
    shown.send(act="enter", cells=[3], symbol=1, typing="entry")
    assert shown.page["sentence"].splitlines()[0] == "Entries that clash: r1c1 r1c4."
    shown.send(act="enter", cells=[3], symbol=0, typing="entry")
    assert shown.page["labels"][3] == "r1c4, empty"


def test_more_digits_than_cells_of_a_house() -> None:
    shown = Shown(Puzzle(Board.empty(Geometry.oblong(2, 2, Digits(0, 4), (1, 2)))))
    assert shown.page["symbols"] == list("01234")
    shown.send(act="enter", cells=[0], symbol=5, typing="clue")
    shown.send(act="enter", cells=[3], symbol=1, typing="mark")
    assert shown.page["labels"][0] == "r1c1, clue 4"
    assert shown.page["labels"][3] == "r2c2, candidates 0"
    assert shown.page["badges"][0][0] == "several: 9", "two digits beside the 4 and the 0, and not the 4 below it"
    shown.send(act="enter", cells=[0], symbol=6, typing="clue")
    assert shown.page["error"]


def test_copies_that_cannot_be_made_have_a_reason() -> None:
    assert Shown(UNIQUE, live=False).board.refusals() == {}
    refusals = Shown(Puzzle(Board.empty(FOUR.with_digits(Digits(0, 3)))), live=False).board.refusals()
    assert list(refusals) == ["text", "link", "sudokupad"]
    assert refusals["text"].startswith("text cannot express a board of 4x4, 2x2 boxes, digits 0-3; expected toml")


def test_an_oblong_board_is_set_and_solved() -> None:
    shown = Shown(Puzzle(Board.empty(Geometry.oblong(2, 3))))
    assert (shown.page["rows"], shown.page["columns"]) == (2, 3)
    assert len(shown.page["labels"]) == 6
    for cell, symbol in enumerate((1, 2, 3, 2, 3)):
        shown.send(act="enter", cells=[cell], symbol=symbol, typing="clue")
    assert shown.page["badges"][0][0] == "unique"
    shown.send(act="add", cells=[5, 1], kind="thermometer", values={})
    assert shown.page["error"] is False
    assert shown.page["rules"][0]["cells"] == [5, 1]
    shown.send(act="next")
    shown.send(act="next")
    assert shown.page["sentence"] == "Full house: 1 has only one place in row 2."
    shown.send(act="enter", cells=[5], symbol=1, typing="entry")
    assert shown.page["solved"]


@given(data=st.data(), rows=st.integers(1, 6), columns=st.integers(2, 6))
def test_a_clue_outside_sees_a_whole_line_of_an_oblong_board(data: st.DataObject, rows: int, columns: int) -> None:
    geometry = Geometry.oblong(rows, columns)
    row = data.draw(st.integers(0, rows - 1))
    first = data.draw(st.integers(0, columns - 2)) + row * columns
    line = tuple(range(row * columns, (row + 1) * columns))
    assert sight((first, first + 1), geometry, slanted=False) == line
    assert sight((first + 1, first), geometry, slanted=False) == line[::-1]


def test_a_board_that_is_too_long_is_refused() -> None:
    with pytest.raises(InputError, match="a board of 2x26 with 26 digits; expected at most 25"):
        Shown(Puzzle(Board.empty(Geometry.oblong(2, 26))))


# ---- a lesson --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_lesson_goes_through_stories_line_by_line() -> None:
    shown = Shown("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", mode="solve")
    for _ in range(3):
        shown.do(shown.board.next)
    story = shown.page["story"]
    assert len(story) > 3
    whole = shown.page["svg"]
    for line in (0, 2):
        shown.send(act="line", line=line)
        assert shown.page["line"] == line
        assert shown.page["svg"] != whole
    shown.send(act="line", line=2)
    assert shown.page["svg"] == whole, "the same line again shows the whole step"
    shown.send(act="line", line=10_000)
    assert shown.page["error"]
    assert shown.page["line"] is None


def test_forward_and_back_go_through_every_place_of_a_lesson() -> None:
    shown = Shown(UNIQUE, mode="teach")
    places = shown.board.lesson
    assert len({place.step for place in places}) == 12
    seen = [shown.page["badges"][0][0]]
    for _ in places[1:]:
        shown.send(act="forward")
        seen.append(shown.page["badges"][0][0])
    assert seen[-1] == "step 12 of 12"
    assert [int(badge.split()[1]) - 1 for badge in seen] == [place.step for place in places]
    shown.send(act="forward")
    assert shown.board.place == len(places) - 1, "there is no further place"
    shown.send(act="first")
    assert places[shown.board.place].level == 1


# ---- boards for pupils -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        {"act": "enter", "cells": [1], "symbol": 2, "typing": "clue"},
        {"act": "paste", "text": "." * 16},
        {"act": "clear_rules"},
        {"act": "new", "values": {"size": "4", "shape": "boxes"}},
        {"act": "about", "values": {"title": "", "author": "", "prose": "", "covered": True}},
    ],
)
def test_a_fixed_puzzle_is_not_changed_by_its_page(message: dict[str, Any]) -> None:
    shown = Shown(UNIQUE, modes=("solve",))
    before = shown.board.puzzle
    shown.send(**message)
    assert shown.board.puzzle == before
    assert "the puzzle is fixed" in shown.page["sentence"].lower()
    assert shown.page["error"]
    assert read_puzzle(shown.board.text("link")).solution is None, "nor is the solution given away"


def test_a_mode_that_a_board_does_not_have_is_refused() -> None:
    shown = Shown(UNIQUE, modes=("solve", "teach"), live=False)
    assert shown.page["modes"] == ["solve", "teach"]
    with pytest.raises(InputError, match="'set'; expected solve or teach"):
        shown.board.switch("mode", "set")
    for modes in ((), ("play",), "solve"):
        with pytest.raises(InputError, match="expected some of set, solve, teach"):
            Shown(UNIQUE, modes=modes)


# ---- words -----------------------------------------------------------------------------------------------------------


def test_long_lists_are_folded_and_rules_have_short_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "SECONDS_TO_CORRECT", 60.0)  # however busy the machine is
    rules = [f"killer 3 r{row}c1 r{row}c2" for row in (1, 2, 3, 4)]
    shown = Shown(Puzzle(Board.empty(Geometry.classic(3)).with_rules(rules)))
    assert shown.page["badges"][0][0] == "none"
    lines = shown.page["sentence"].split("\n")
    assert all(len(line) < 200 for line in lines)
    assert "killer 3, r1c1 r1c2" in shown.page["sentence"]
    labels = [label for label, _ in shown.page["lists"]]
    assert any("corrections" in label for label in labels), labels


def test_cells_name_their_cages() -> None:
    shown = Shown(Puzzle(parse(UNIQUE, rules=["killer 5 r1c2 r1c3", "sandwich 2 row1"])), live=False)
    assert shown.page["labels"][1] == "r1c2, empty, in killer 5"
    assert shown.page["labels"][3] == "r1c4, empty"


def test_the_script_is_one_module_with_every_name_once() -> None:
    script = read_script()
    names = re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", script, re.MULTILINE)
    assert len(names) == len(set(names)) > 30
    assert script.count("export ") == 1
    assert not re.search(r"^import ", script, re.MULTILINE)
