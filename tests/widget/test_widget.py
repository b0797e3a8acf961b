"""The widget without a page: editing, looking, giving up, and what it makes of messages."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from gridproof import Geometry, parse
from gridproof.errors import InputError
from gridproof.experiments import instance
from gridproof.explanations import candidates, explain
from gridproof.formats import Puzzle
from gridproof.pictures.examples import example_board
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.rules import all_kinds, find
from gridproof.widget import analyst
from gridproof.widget.analysis import Question, Task
from gridproof.widget.analyst import Analyst
from gridproof.widget.editing import TYPINGS, Editor
from gridproof.widget.palette import build_palette, make_form

pytest.importorskip("anywidget", reason="anywidget is not installed (extra widget)")

FOUR = Geometry.classic(2)
MULTIPLE = "12......4.1....."
SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


# ---- editing ------------------------------------------------------------------------------------------------------


class Editing(RuleBasedStateMachine):
    """Whatever is typed: the histories of setter and solver go back and forth by themselves; clues win over entries."""

    def __init__(self) -> None:
        super().__init__()
        self.editor = Editor(Puzzle(Board.empty(FOUR)))
        self.past: dict[bool, list[Any]] = {setter: [self.now(setter)] for setter in (True, False)}

    def now(self, setter: bool) -> Any:
        """What the setter or the solver has made."""
        if not setter:
            return self.editor.entries
        return replace(self.editor.board, filled=())

    def note(self, setter: bool) -> None:
        """Take a step that changed anything into the past of the one who made it."""
        other = self.past[not setter]
        assert self.now(not setter) == other[-1], "it is no step of the other"
        past = self.past[setter]
        past += [self.now(setter)] * (self.now(setter) != past[-1])

    @rule(
        cells=st.lists(st.integers(0, 15), max_size=4),
        symbol=st.integers(0, 4),
        typing=st.sampled_from(TYPINGS),
    )
    def type(self, cells: list[int], symbol: int, typing: Any) -> None:
        self.editor.enter(cells, symbol, typing)
        self.note(typing in ("clue", "mark"))

    @rule(setter=st.booleans())
    def clear(self, setter: bool) -> None:
        self.editor.clear(setter=setter)
        self.note(setter)

    @rule(setter=st.booleans())
    def back_and_forth(self, setter: bool) -> None:
        others = self.now(not setter)
        for expected in reversed(self.past[setter][:-1]):
            self.editor.undo(setter=setter)
            assert self.now(setter) == expected
            assert self.now(not setter) == others
        assert not self.editor.history(setter=setter).can_undo
        for expected in self.past[setter][1:]:
            self.editor.redo(setter=setter)
            assert self.now(setter) == expected
        assert not self.editor.history(setter=setter).can_redo

    @invariant()
    def clues_win(self) -> None:
        board = self.editor.board
        assert not any(clue and entry for clue, entry in zip(board.clues, board.filled or board.clues, strict=True)
                       if board.filled)  # fmt: skip
        assert board.marks is None or 0 not in board.marks


TestEditing = Editing.TestCase


def test_what_typing_does() -> None:
    editor = Editor(Puzzle(Board.empty(FOUR)))
    editor.enter([0, 1], 3, "clue")
    editor.enter([0, 1], 3, "clue")
    assert editor.board == Board.empty(FOUR), "the same again takes it away"
    editor.enter([2], 1, "mark")
    editor.enter([2], 4, "mark")
    assert editor.board.marks is not None
    assert editor.board.marks[2] == 0b1001
    editor.enter([2], 2, "entry")
    assert editor.board.filled[2] == 2
    editor.enter([2], 0, "entry")
    editor.enter([2], 0, "clue")
    assert editor.board == Board.empty(FOUR)
    for _ in range(2):
        editor.enter([2, 3], 4, "corner")
        editor.enter([2], 2, "colour")
        editor.enter([2], 4, "note")
    editor.enter([2], 4, "note")
    assert editor.entries.corners == editor.entries.filled, "all that was typed twice is gone"
    assert (editor.board, editor.puzzle.notes[2]) == (Board.empty(FOUR), 8), "notes restrict nothing"  # type: ignore
    for cells, symbol in (([16], 1), ([-1], 1), ([0], 5), ([0], -1)):
        with pytest.raises(InputError, match="expected 0 to 4"):
            editor.enter(cells, symbol, "clue")
    with pytest.raises(InputError, match="expected 0 to 9"):
        editor.enter([0], 10, "colour")


def test_what_is_pasted_keeps_the_shape_of_the_board_if_it_fits() -> None:
    jigsaw = Geometry.jigsaw("AAAB ACBB DCCB DDDC")
    editor = Editor(Puzzle(Board.empty(jigsaw)))
    editor.paste("1... ..2. .3.. ...4")
    assert editor.board.geometry is jigsaw
    editor.paste("." * 81)
    assert editor.board.geometry.order == 9
    with pytest.raises(InputError):
        editor.paste("nonsense")


@pytest.mark.parametrize("name", [name for name, kind in all_kinds().items() if not kind.name_of_rules()])
def test_the_palette_has_a_form_for_every_kind(name: str) -> None:
    """A rule that is chosen fills its form, from which the same rule is made again."""
    [kind] = [one for group in build_palette()["groups"] for one in group["kinds"] if one["name"] == name]
    board = example_board(find(name))
    editor = Editor(Puzzle(board))
    values = {field: value for field, _, _, value, _ in make_form(find(name), board.rules[0])["fields"]}
    editor.rule(name, values, [], 0)
    assert editor.board == board
    cells = [cell for _, cells in board.rules[0].lists() for cell in cells]
    editor.without_rule(0)
    editor.rule(name, values, cells)
    assert editor.board == board
    assert kind["svg"] == "" or kind["svg"].startswith("<svg")


def test_a_rule_of_ones_own_kind_is_changed_as_any_other(widget: Any, tmp_path: Path) -> None:
    path = tmp_path / "apart.toml"
    path.write_text(
        'words = "{lines} are {least} apart"\nabout = "About."\nexample = "apart 3 r1c1 r1c2"\n'
        'parameters.least = { type = "number", help = "l" }\nparameters.lines = { type = "lines", help = "l" }\n'
        'relation = { cells = "lines", pairs = "consecutive", allow = "abs(a - b) >= least" }\n'
    )
    widget.board = widget.board.with_rules([path, "apart 2 r1c3 r1c4"])
    assert widget.page["rules"][0]["form"]["fields"][0][3] == 2
    widget._on_message(None, {"act": "change", "rule": 0, "values": {"least": "1"}, "cells": []}, [])
    assert widget.board.rules[0].sentence(FOUR) == "r1c3 r1c4 are 1 apart", widget.sentence


def test_a_choice_that_was_typed_is_kept(widget: Any) -> None:
    widget.board = widget.board.with_rules(["any-of [ even r1c1 ] [ odd r1c2 ]"])
    rules = widget.board.rules
    widget._on_message(None, {"act": "change", "rule": 0, "values": {}, "cells": []}, [])
    assert widget.board.rules == rules, widget.sentence


def test_where_a_clue_looks_from_and_what_does_not_show_it() -> None:
    editor = Editor(Puzzle(Board.empty(FOUR)))
    for cells, seen in (([13, 9], (13, 9, 5, 1)), ([6, 5], (7, 6, 5, 4)), ([2, 6], (2, 6, 10, 14))):
        editor.rule("sandwich", {"total": "2"}, cells)
        assert editor.board.rules[-1].value("cells") == seen
    editor.rule("little-killer", {"total": "5"}, [1, 4])
    assert editor.board.rules[-1].value("cells") == (1, 4)
    for name, cells in (("sandwich", [0]), ("sandwich", [0, 5]), ("little-killer", [1, 2]), ("killer", [])):
        with pytest.raises(InputError, match="expected"):
            editor.rule(name, {"total": "5"}, cells)


def test_title_author_and_prose_stay_while_the_puzzle_changes() -> None:
    editor = Editor(Puzzle(parse(MULTIPLE), title="One", author="me", prose="Sudoku.", solution=(1,) * 16))
    editor.enter([2], 3, "entry")
    assert editor.puzzle.solution
    editor.rule("killer", {"total": "7"}, [2, 3])
    assert (editor.puzzle.title, editor.puzzle.prose) == ("One", "Sudoku.")
    assert not editor.puzzle.solution
    editor.open(Puzzle(Board.empty(Geometry.latin(6).with_diagonals())))
    assert (editor.puzzle.title, editor.board.geometry.description) == ("", "6x6, Latin square, diagonals")
    editor.undo(setter=True)
    assert editor.puzzle.title == "One"
    assert editor.board.filled[2] == 3, "with its entries"


# ---- looking ------------------------------------------------------------------------------------------------------


class Recorder:
    """An analyst, and what it found about each board."""

    def __init__(self) -> None:
        self.of: dict[Board, dict[str, Any]] = {}
        self.analyst = Analyst(self.take)

    def take(self, task: Task, finding: dict[str, Any]) -> None:
        self.of.setdefault(task[1].board, {}).update(finding)

    def begin(self, board: Board, question: Question = "look") -> None:
        self.analyst.begin((question, Puzzle(board)))

    def done(self, board: Board, question: Question = "look") -> dict[str, Any]:
        self.of.pop(board, None)
        self.begin(board, question)
        wait_for(lambda: "done" in self.of.get(board, {}))
        return self.of[board]


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    made = Recorder()
    yield made
    made.analyst.close()


@pytest.mark.process
def test_what_is_found(recorder: Recorder) -> None:
    board = parse(MULTIPLE)
    finding = recorder.done(board)
    assert (finding["verdict"].status, finding["solutions"], finding["complete"]) == ("multiple", 2, True)
    assert finding["candidates"] == candidates(board).masks
    none = board.with_clue(3, 2)
    assert recorder.done(none)["explanation"].sentences() == explain(none).sentences()
    assert len(recorder.done(board, "why")["explanation"].differing) == 4


@pytest.mark.process
def test_the_next_board_ends_what_the_solver_is_at(recorder: Recorder) -> None:
    hard, easy = instance("qcp", Geometry.latin(25), 0.45, seed=3).board, parse("1... ..2. .3.. ...4")
    recorder.done(easy)
    recorder.begin(hard)
    time.sleep(0.3)
    began = time.monotonic()
    recorder.done(easy.without_clue(0))
    assert "done" not in recorder.of.get(hard, {}) or time.monotonic() - began < 5


def test_closed_is_closed(recorder: Recorder) -> None:
    board = parse(MULTIPLE)
    recorder.begin(board)
    recorder.analyst.close()
    before = len(recorder.of)
    recorder.begin(board)
    time.sleep(0.2)
    assert len(recorder.of) == before


@pytest.mark.slow
def test_candidates_are_those_of_all_solutions(recorder: Recorder) -> None:
    """The first 200 solutions have one candidate only in many cells that can hold more."""
    board = parse("123456789" + "." * 72)
    finding = recorder.done(board)
    assert (finding["solutions"], finding["complete"]) == (200, False)
    assert finding["candidates"] == candidates(board).masks
    assert finding["candidates"][31] == 0b111101111


@pytest.mark.slow
def test_a_process_without_work_ends(monkeypatch: pytest.MonkeyPatch, recorder: Recorder) -> None:
    monkeypatch.setattr(analyst, "IDLE_SECONDS", 0.3)
    before = set(multiprocessing.active_children())
    for board in (parse(MULTIPLE), parse(MULTIPLE).with_clue(2, 3)):
        recorder.done(board)
        wait_for(lambda: recorder.analyst._thread is None and set(multiprocessing.active_children()) <= before)


# ---- the widget ---------------------------------------------------------------------------------------------------


@pytest.fixture
def widget() -> Iterator[Any]:
    from gridproof import BoardWidget

    made = BoardWidget(MULTIPLE, live=False)
    yield made
    made.close()


@pytest.mark.process
def test_a_live_widget_shows_the_verdict_on_the_board() -> None:
    from gridproof import BoardWidget

    made: Any = BoardWidget(MULTIPLE)
    try:
        made.wait()
        assert (made.verdict.status, made.solutions, made.complete) == ("multiple", 2, True)
        assert made.sentence.startswith("The puzzle has several solutions")
        made.enter(["r1c3"], 3)
        assert not made.verdict
        made.wait()
        assert made.verdict.is_unique
        made.enter(["r1c4"], 4, "entry")
        assert made.verdict.is_unique, "entries are no clues"
        made.why()
        made.wait()
        assert "could be left out" in made.sentence or "can be left out" in made.sentence
    finally:
        made.close()


@pytest.mark.slow
def test_pencil_marks_stay_visible_and_the_guilty_one_is_named() -> None:
    from gridproof import BoardWidget

    made: Any = BoardWidget(SUDOKU)
    try:
        made.enter(["r2c2"], 2, "mark")
        made.wait()
        assert made.page["badges"] == [("none", "bad")]
        assert made.sentence.startswith(
            "The puzzle has no solution.\n"
            "Leave out this one and there is a solution: the pencil mark 2 in r2c2 (exactly one).\n"
        )
        assert made.page["labels"][10] == "r2c2, candidates 2"
        assert "candidates" not in "".join(made.page["labels"][:10]), "where nothing is ruled out, nothing is written"
        made.enter(["r2c2"], 7, "mark")
        made.wait()
        assert made.verdict.is_unique
        assert made.page["labels"][10] == "r2c2, candidates 2 7", "what was typed stays"
        assert made.page["labels"][2] == "r1c3, empty", "the solution is shown only if it is wanted"
        made.show = "candidates"
        assert made.page["labels"][2:11:8] == ["r1c3, candidates 4", "r2c2, candidates 7"], "none that no solution has"
        made.show = "solution"
        assert made.page["labels"][2] == "r1c3, entry 4"
    finally:
        made.close()


def test_the_board_goes_both_ways(widget: Any) -> None:
    seen: list[Board] = []
    widget.on_change(seen.append)
    observed: list[Any] = []
    widget.observe(lambda change: observed.append(change["new"]), "board")
    widget.board = parse("1... ..2. .3.. ...4")
    widget.enter(["r1c2"], 2)
    assert seen == observed == [parse("1... ..2. .3.. ...4"), widget.board]
    assert "r1c2, clue 2" in widget.page["labels"]
    widget.undo()
    widget.undo()
    assert widget.board == parse(MULTIPLE)
    assert not widget.page["undo"]


def test_what_can_be_copied(widget: Any) -> None:
    assert parse(widget.text("text")) == parse(widget.text("link")) == widget.board
    assert widget.text("svg").startswith("<svg")
    widget.board = widget.board.with_rule("killer 7 r1c3 r1c4")
    assert parse(widget.text("text")) == widget.board
    with pytest.raises(InputError, match="as 'soul'; expected text, toml, link, sudokupad, iss or svg"):
        widget.text("soul")


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"act": "enter"},
        {"act": "enter", "cells": ["x"], "symbol": 1, "typing": "clue"},
        {"act": "enter", "cells": [99], "symbol": 1, "typing": "clue"},
        {"act": "enter", "cells": [0], "symbol": 9, "typing": "clue"},
        {"act": "enter", "cells": [0], "symbol": 1, "typing": "magic"},
        {"act": "close"},
        {"act": ["undo"]},
        {"act": "add", "values": {}, "cells": [0]},
        {"act": "add", "kind": "soul", "values": {}, "cells": [0]},
        {"act": "add", "kind": "pyproject.toml", "values": {}, "cells": [0]},
        {"act": "change", "rule": 3, "values": {}},
        {"act": "delete", "rule": None, "values": {}},
        {"act": "about", "values": {"title": "One"}},
        {"act": "new", "values": {"size": "7", "shape": "boxes"}},
        {"act": "new", "values": {"size": "26", "shape": "none"}},
        {"act": "new", "values": {"size": "4", "digits": "0-25", "shape": "none"}},
        {"act": "new", "values": {"size": "4", "digits": "0-2", "shape": "none"}},
        {"act": "new", "values": {"size": "4", "digits": "some", "shape": "none"}},
        {"act": "new", "values": {"size": "4", "boxes": "2x2", "shape": "none"}},
        {"act": "new", "values": {"size": "6x8", "boxes": "4x4", "shape": "boxes"}},
        {"act": "new", "values": {"size": "6x8", "shape": "none", "diagonals": True}},
        {"act": "paint", "values": {}, "cells": [0]},
        {"act": "paste", "text": "nonsense"},
        {"act": "paste", "text": "." * 36**2},
        {"act": "copy", "what": "soul"},
        [],
    ],
)
def test_odd_messages_change_nothing(widget: Any, message: Any) -> None:
    before = widget.board
    widget._on_message(None, message, [])
    assert widget.board == before
    assert widget.sentence


def test_a_board_that_cannot_be_clicked_into_is_refused() -> None:
    from traitlets import TraitError

    from gridproof import BoardWidget

    too_large = Board.empty(Geometry.classic(6))
    with pytest.raises(InputError, match="expected at most 25 rows, columns and digits"):
        BoardWidget(too_large)
    made = BoardWidget(MULTIPLE, live=False)
    for wrong in (too_large, None, MULTIPLE):
        with pytest.raises((InputError, TraitError)):
            made.board = wrong
        assert made.board == parse(MULTIPLE), "what is on the screen stays"
    made.close()


@pytest.mark.slow
def test_the_next_step_is_shown_in_three_levels_and_applied() -> None:
    from gridproof import BoardWidget

    widget = BoardWidget("1... ..2. .3.. ...4", live=False)
    try:
        sentences = []
        for _ in range(3):
            widget.next()
            widget.wait()
            assert widget.mode == "solve"
            sentences.append(widget.sentence)
        assert [one.partition(" ")[0] for one in sentences[:1]] == ["Look"]
        assert "because" in sentences[2]
        widget.apply()
        assert sum(map(bool, widget.board.filled)) == 1
        widget.enter(["r4c1"], 3, "entry")
        mistake = []
        for _ in range(3):
            widget.next()
            widget.wait()
            mistake.append(widget.sentence)
        assert mistake == [
            "Look at r4c1.",
            "3 was entered in r4c1, which is wrong.",
            "3 was entered in r4c1, but every solution has 2 there.",
        ]
        widget.apply()
        assert not widget.board.filled[12]
    finally:
        widget.close()


@pytest.mark.slow
def test_a_question_comes_before_the_verdict_which_is_found_after_it() -> None:
    from gridproof import BoardWidget

    widget = BoardWidget(MULTIPLE)
    try:
        widget.why()
        widget.wait()
        assert widget.verdict is not None
    finally:
        widget.close()


def test_a_lesson_without_a_step_ends(widget: Any) -> None:
    widget.board = Board.empty(FOUR)
    widget.mode = "teach"
    widget.wait()
    assert (widget.page["badges"][0][0], widget.sentence) == (
        "no steps",
        "No step follows from here: the board is full, or there are several solutions.",
    )


@pytest.mark.slow
def test_a_lesson_keeps_what_the_steps_before_gave(widget: Any) -> None:
    """The steps of one round are found from one position, but drawn one after the other."""
    widget.board = parse("1... ..2. .3.. ...4")
    widget.mode = "teach"
    widget.wait()
    widget.place = next(number for number, place in enumerate(widget._live.lesson) if place.step == 4)
    path = widget._live._findings.path
    assert path[0].round == path[4].round
    cells = [cell for step in path[:4] for cell, _ in step.placed]
    assert all("entry" in widget.page["labels"][cell] for cell in cells)


def test_a_step_that_takes_a_pencil_mark_back_is_taken(widget: Any) -> None:
    widget.board = parse("1... ..2. .3.. ...4")
    for symbol in (1, 3, 4):
        widget.enter(["r1c2"], symbol, "note")
    widget.next()
    widget.wait()
    widget.apply()
    assert set(widget.puzzle.notes) == {15}


@pytest.mark.parametrize(
    ("geometry", "regions"),
    [
        (FOUR.with_digits(Digits(0, 5)), [(0, 1, 2, 6), (3, 7, 11, 10), (15, 14, 13, 9)]),
        (Geometry.oblong(3, 4), [(0, 1, 4, 5), (2, 3, 6, 7)]),
        (Geometry.oblong(2, 5), [(0, 1, 2, 5, 6)]),
        (Geometry.oblong(2, 3, Digits(1, 5)), [(0, 1, 2, 3, 4)]),
    ],
)
def test_regions_of_any_board_are_painted(geometry: Geometry, regions: list[tuple[int, ...]]) -> None:
    editor = Editor(Puzzle(Board.empty(geometry)))
    lefts = [editor.paint(region) for region in regions]
    assert lefts[-1] == 0
    painted = editor.board.geometry
    assert (painted.shape, painted.digits) == (geometry.shape, geometry.digits)
    assert [house.cells for house in painted.houses if house.kind == "region"][: len(regions)] == [
        tuple(sorted(region)) for region in regions
    ]
    with pytest.raises(InputError, match="a region of 1 cell; expected"):
        editor.paint([0])


def test_a_painted_jigsaw_keeps_its_diagonals() -> None:
    editor = Editor(Puzzle(Board.empty(Geometry.latin(9).with_diagonals())))
    for row in range(8):
        editor.paint(range(9 * row, 9 * row + 9))
    assert editor.board.geometry.description == "9x9, jigsaw, diagonals"
