"""Puzzles that the widget takes over, and the verdicts that it shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from gridproof import Geometry, convert, parse, read_puzzle
from gridproof.errors import InputError, NotUnderstoodError
from gridproof.formats import Puzzle
from gridproof.formats.catalog import all_formats
from gridproof.puzzle.board import Board
from gridproof.widget.editing import Editor

pytest.importorskip("anywidget", reason="anywidget is not installed (extra widget)")

SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
UNREAD = '{"title": "Tiny", "grid": [[{}, {}], [{}, {}]], "line": [{"lines": [["R1C1", "R2C2"]]}]}'
FOUR = "1... ..2. .3.. ...4"
SEVERAL = "12......4.1....."


def link(board: Board, **extras: Any) -> str:
    """Return a link of f-puzzles to a puzzle with these extras."""
    return all_formats()["f-puzzles"].text_of(Puzzle(board, **extras))


# ---- a new puzzle ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["f-puzzles", "sudokupad", "toml", "iss"])
@pytest.mark.parametrize(
    "before",
    [Geometry.classic(3).with_diagonals(), Geometry.classic(3).with_windoku(), Geometry.latin(9)],
    ids=lambda geometry: geometry.description,
)
def test_a_pasted_puzzle_with_houses_of_its_own_has_none_of_the_board_before(form: str, before: Geometry) -> None:
    editor = Editor(Puzzle(Board.empty(before)))
    editor.paste(convert(SUDOKU, form))
    assert editor.board == parse(SUDOKU)


def test_characters_alone_keep_the_houses_of_the_board() -> None:
    jigsaw = Geometry.jigsaw([cell // 9 for cell in range(81)])
    editor = Editor(Puzzle(Board.empty(jigsaw)))
    editor.paste("." * 81)
    assert editor.board.geometry is jigsaw
    editor.paste("1" + "." * 80)
    assert editor.board.geometry is jigsaw


def test_a_link_that_cannot_be_read_is_refused_by_its_own_error() -> None:
    editor = Editor(Puzzle(Board.empty(Geometry.classic(3).with_diagonals())))
    with pytest.raises(NotUnderstoodError, match="line 1 of 1"):
        editor.paste(UNREAD)
    assert editor.board == Board.empty(Geometry.classic(3).with_diagonals())


# ---- words, and parts that were not read -----------------------------------------------------------------------------


@pytest.fixture
def open_widget() -> Iterator[Any]:
    """Open widgets, which are closed at the end."""
    from gridproof import BoardWidget

    widgets: list[Any] = []

    def open_one(puzzle: Any, **options: Any) -> Any:
        widgets.append(BoardWidget(puzzle, **options))
        return widgets[-1]

    yield open_one
    for widget in widgets:
        widget.close()


def test_the_constructor_refuses_what_paste_refuses(open_widget: Any) -> None:
    widget = open_widget(SUDOKU, live=False)
    with pytest.raises(NotUnderstoodError) as pasted:
        widget.paste(UNREAD)
    with pytest.raises(NotUnderstoodError) as constructed:
        open_widget(UNREAD, live=False)
    assert str(pasted.value) == str(constructed.value)


@pytest.mark.process
@pytest.mark.parametrize("puzzle", [FOUR, SEVERAL, "11.............."], ids=["unique", "several", "none"])
@pytest.mark.parametrize("way", ["constructor", "paste"])
def test_words_that_nobody_read_leave_no_coloured_verdict(puzzle: str, way: str, open_widget: Any) -> None:
    text = link(parse(puzzle), prose="Digits on the line rise.")
    if way == "constructor":
        widget = open_widget(text)
    else:
        widget = open_widget(None)
        widget.paste(text)
    widget.wait()
    assert widget.page["badges"][0][1] == "plain", "a verdict on a part of the rules has no colour"
    assert widget.page["badges"][1:] == [("words not read", "unread")]
    assert widget.sentence.startswith("By the rules on the board alone, because nobody has read the rules in words.")
    assert widget.page["about"][2] == "Digits on the line rise."


@pytest.mark.process
def test_a_stored_solution_confirms_that_the_words_add_nothing(open_widget: Any) -> None:
    solution = tuple(int(symbol) for symbol in SOLUTION)
    widget = open_widget(link(parse(SUDOKU), prose="Normal sudoku rules apply.", solution=solution))
    widget.wait()
    assert widget.page["badges"] == [("unique", "good")]
    widget.enter(["r1c1"], 0)
    widget.wait()
    assert widget.page["badges"][0][1] == "plain", "a verdict on a part of the rules has no colour"
    assert widget.page["badges"][1:] == [("words not read", "unread")], "it is another puzzle now"


@pytest.mark.process
def test_a_setter_states_that_the_rules_on_the_board_are_all(open_widget: Any) -> None:
    widget = open_widget(FOUR)
    values = {"title": "", "author": "", "prose": "Normal rules.", "covered": True}
    widget._on_message(None, {"act": "about", "values": values}, [])
    widget.wait()
    assert widget.page["badges"] == [("unique", "good")]
    widget._on_message(None, {"act": "about", "values": values | {"covered": False}}, [])
    assert widget.page["badges"][1:] == [("words not read", "unread")]
    widget.undo()
    assert widget.page["badges"] == [("unique", "good")]
    widget.paste(link(parse(SEVERAL), prose="Other words."))
    widget.wait()
    assert widget.page["badges"][0][1] == "plain", "a verdict on a part of the rules has no colour"
    assert widget.page["badges"][1:] == [("words not read", "unread")], "stated of one puzzle, it holds for no other"


@pytest.mark.process
def test_a_link_has_a_solution_only_where_all_rules_were_read(open_widget: Any) -> None:
    widget = open_widget(link(parse(FOUR), prose="Words."))
    widget.wait()
    assert read_puzzle(widget.text("link")).solution is None
    values = {"title": "", "author": "", "prose": "Words.", "covered": True}
    widget._on_message(None, {"act": "about", "values": values}, [])
    assert read_puzzle(widget.text("link")).solution is not None


def test_a_grid_filled_under_unread_words_is_not_called_solved(open_widget: Any) -> None:
    widget = open_widget(link(parse(FOUR), prose="Words."), mode="solve", live=False)
    for cell, symbol in enumerate("1243342143122134"):
        widget.enter([cell], int(symbol), "entry")
    assert widget.page["badges"] == [("full", "plain"), ("words not read", "unread")]
    assert "nobody has read the rest" in widget.sentence


# ---- solving ---------------------------------------------------------------------------------------------------------


def test_a_full_but_wrong_grid_is_reported(open_widget: Any) -> None:
    widget = open_widget(FOUR, mode="solve", live=False)
    for cell, symbol in enumerate("1243342143122314"):
        widget.enter([cell], int(symbol), "entry")
    assert widget.page["badges"] == [("full, but not right", "bad")]
    assert widget.sentence == "The grid is full, but not right."


def test_a_hint_chooses_the_cell_that_it_changes(open_widget: Any) -> None:
    widget = open_widget(FOUR, live=False)
    assert widget.page["target"] is None
    widget.next()
    widget.wait()
    cell, _ = widget._live._hint.placed[0]
    assert widget.page["target"] == cell


def test_rules_are_cleared_at_once(open_widget: Any) -> None:
    widget = open_widget(parse(FOUR, rules=["killer 5 r1c2 r1c3", "anti-knight"]), live=False)
    widget._on_message(None, {"act": "clear_rules"}, [])
    assert widget.board == parse(FOUR)
    widget.undo()
    assert len(widget.board.rules) == 2


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            {"act": "add", "kind": "killer", "values": {"total": "x"}, "cells": [40, 41]},
            "The rule 'killer total=x r5c5 r5c6': total = 'x'; expected a whole number",
        ),
        (
            {"act": "add", "kind": "whispers", "values": {"least": "x"}, "cells": [0, 1, 2]},
            "The rule 'whispers least=x r1c1 r1c2 r1c3'",
        ),
        (
            {"act": "new", "values": {"size": "abc", "shape": "boxes"}},
            "Size 'abc'; expected rows x columns, such as 6x8.",
        ),
        ({"act": "paste", "text": "nonsense"}, "'nonsense'"),
    ],
)
def test_errors_look_like_errors_and_name_cells_by_row_and_column(
    message: dict[str, Any], words: str, open_widget: Any
) -> None:
    widget = open_widget(SUDOKU, live=False)
    widget._on_message(None, message, [])
    assert words in widget.sentence
    assert "usage:" not in widget.sentence
    assert widget.page["error"] is True
    widget.enter(["r1c3"], 4)
    assert widget.page["error"] is False


def test_a_finding_is_no_error(open_widget: Any) -> None:
    widget = open_widget("1243342143122134", mode="solve", live=False)
    widget.next()
    widget.wait()
    assert widget.sentence
    assert widget.page["error"] is False


def test_every_message_of_the_page_is_answered(open_widget: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    widget = open_widget(SUDOKU, live=False)
    sent: list[Any] = []
    monkeypatch.setattr(widget, "send", sent.append)
    for message in ({"act": "undo"}, {"act": "nonsense"}, {"act": "paste", "text": "nonsense"}):
        widget._on_message(None, message, [])
        assert sent.pop() == {"kind": "answered"}


def test_a_wrong_rule_of_the_editor_keeps_the_kind_of_its_error() -> None:
    editor = Editor(Puzzle(read_puzzle(SUDOKU).board))
    with pytest.raises(InputError, match="r1c1"):
        editor.rule("killer", {"total": "x"}, [0, 1])
