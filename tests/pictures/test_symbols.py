"""Names of symbols: letter boards are drawn in letters, any board in the names that are asked for, and files say so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import gridproof
from cli_runner import Command
from gridproof import Geometry, Puzzle
from gridproof.errors import GeometryError, PuzzleFormatError
from gridproof.pictures import board_svg, board_text

LETTERS = "A.....B..C.....D"
DIGITS = "1.....2..3.....4"


def drawn(picture: str) -> set[str]:
    """The texts of the cells of a picture."""
    return set(re.findall(r"<text[^>]*>([^<]*)</text>", picture))


def test_a_board_is_drawn_in_any_names() -> None:
    board = gridproof.parse(DIGITS)
    assert drawn(board_svg(board, symbols="WXYZ")) == set("WXYZ")
    assert "W .│. .".replace("│", " │ ") in board_text(board, symbols="WXYZ")
    marked = board.with_marks([15, 3] + [15] * 14)
    assert drawn(board_svg(marked, symbols=["ab", "cd", "ef", "gh"])) == {"ab", "cd", "ef", "gh"}
    assert drawn(board_svg(board)) == set("1234"), "names stay with the drawing"
    assert Geometry.classic(2).symbol_text(1) == "1"


@pytest.mark.parametrize("names", ["ABC", "ABCA", "ABC ", "ABC.", ["A", "B", "C", "\x1b"]])
def test_names_that_no_board_can_have(names: list[str]) -> None:
    with pytest.raises(GeometryError, match="expected"):
        board_svg(gridproof.parse(DIGITS), symbols=names)


def test_letter_boards_are_drawn_in_letters(call: Command, tmp_path: Path) -> None:
    _, out, _ = call("show", LETTERS, "--verify")
    assert set(re.findall(r"[A-D1-4]", out.splitlines()[1])) <= set("ABCD")
    assert drawn(gridproof.show(LETTERS)) == drawn(gridproof.show(DIGITS, symbols="ABCD")) == set("ABCD")
    puzzle = gridproof.read_puzzle(LETTERS)
    assert board_svg(puzzle.board, symbols="ABCD").html in puzzle._repr_html_()
    for ending in ("svg", "html"):
        path = tmp_path / f"drawn.{ending}"
        assert call("show", LETTERS, "-o", str(path))[0] == 0
        assert drawn(path.read_text()) == set("ABCD")
    page = tmp_path / "page.html"
    assert call("show", LETTERS, LETTERS, "--solutions", "-o", str(page))[0] == 0
    assert {text for text in drawn(page.read_text()) if text not in ("1", "2")} == set("ABCD")  # and the headings


def test_made_puzzles_are_drawn_in_the_names_that_are_asked_for(call: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    command = ("generate", "2", "-q", "--order", "4", "--seed", "1", "--symbols", "WXYZ")
    _, out, _ = call(*command, "--html", str(page))
    assert set("".join(out.split())) == set(".WXYZ")
    assert {text for text in drawn(page.read_text()) if text not in ("1", "2")} == set("WXYZ")
    _, out, _ = call(*command, "--to", "jsonl")
    records = [json.loads(line) for line in out.splitlines()]
    assert [record["symbols"] for record in records] == ["WXYZ", "WXYZ"]
    assert set("".join(record["puzzle"] for record in records)) <= set(".1234"), "cells are digits in data"
    code, _, err = call(*command[:-1], "WXY")
    assert code == 2
    assert "symbols 'W X Y'; expected 4 different ones" in err
    code, _, err = call("show", DIGITS, "--symbols", "WXY")
    assert code == 2
    assert "--symbols: symbols 'W X Y'" in err


def test_a_book_has_letters(call: Command, tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    pytest.importorskip("cairosvg")
    path = tmp_path / "book.pdf"
    assert call("show", LETTERS, LETTERS, "--solutions", "-o", str(path))[0] == 0
    text = "".join(page.extract_text() for page in pypdf.PdfReader(path).pages)
    assert set(re.findall(r"[A-D]", text)) == set("ABCD")


@pytest.mark.parametrize("form", ["jsonl", "toml", "text", "csv"])
def test_letter_boards_stay_letter_boards(form: str) -> None:
    text = gridproof.convert(LETTERS, form)
    (again,) = gridproof.read(text)
    assert isinstance(again, Puzzle)
    assert again.board == gridproof.parse(DIGITS)
    assert again.symbol_texts == tuple("ABCD")


@pytest.mark.parametrize("form", ["jsonl", "toml"])
def test_any_names_are_written_and_read(form: str) -> None:
    puzzle = Puzzle(gridproof.parse(DIGITS), names=("10", "20", "30", "40"))
    (again,) = gridproof.read(gridproof.convert(puzzle, form))
    assert isinstance(again, Puzzle)
    assert (again.names, again.board) == (puzzle.names, puzzle.board)
    damaged = gridproof.convert(puzzle, form).replace("10, 20", "10")
    (item,) = gridproof.read(damaged)
    assert isinstance(item, PuzzleFormatError)
    assert "symbols" in str(item)


def test_images_and_what_is_left_have_the_letters(call: Command) -> None:
    _, out, _ = call("images", LETTERS, "-n", "3")
    assert set("".join(out.split())) == set(".ABCD")
    _, out, _ = call("minimise", "-q", LETTERS)
    assert set(out.split("\t")[0]) == set(".ABCD")


def test_a_lesson_has_letters_as_its_sentences_have(call: Command, tmp_path: Path) -> None:
    path = tmp_path / "lesson.html"
    code, _, err = call("show", LETTERS, "--widget", str(path))
    assert code == 0
    assert not err
    page = path.read_text()
    named = gridproof.read_puzzle(LETTERS).with_named_symbols().board
    assert board_svg(named).html in page
    assert next(gridproof.steps(LETTERS)).sentence() in page
    assert " is A" in page
    assert " is 1" not in page
