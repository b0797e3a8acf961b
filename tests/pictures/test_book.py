"""Books as PDF: pages, places, titles, numbers and solutions."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from core_samples import UNIQUE
from gridproof import Board, Geometry, parse
from gridproof.cli import main
from gridproof.pictures import Svg, board_svg
from gridproof.pictures.book import book_pages, columns_and_rows, page_of

pypdf = pytest.importorskip("pypdf")
pytest.importorskip("cairosvg")

PICTURE = board_svg(parse("1... ..2. .3.. ...4"), heading="1")


def texts_of(path: Path) -> list[str]:
    """The text of each page."""
    return [page.extract_text() for page in pypdf.PdfReader(path).pages]


@pytest.mark.parametrize(("boards", "per_page", "solutions"), [*product((1, 6, 7), (1, 4, 6), (0, 7))])
def test_each_board_has_a_place_and_each_page_a_number(boards: int, per_page: int, solutions: int) -> None:
    pages = list(book_pages([PICTURE] * boards, "A title", [PICTURE] * solutions, per_page=per_page))
    assert sum(page.count(" scale(") for page in pages) == boards + solutions
    assert len(pages) == -(-boards // per_page) + -(-solutions // (2 * per_page))
    for number, page in enumerate(pages, 1):
        assert f">{number}</text>" in page
    assert [">A title<" in page for page in pages] == [True] + [False] * (len(pages) - 1)
    assert sum(">Solutions<" in page for page in pages) == bool(solutions)


@pytest.mark.parametrize("places", range(1, 40))
def test_there_are_as_many_places_as_boards(places: int) -> None:
    columns, rows = columns_and_rows(places, 511, 700)
    assert columns * rows >= places > (columns * rows) - columns - rows


def test_a_large_board_fits() -> None:
    page = page_of([board_svg(Board.empty(Geometry.classic(5)))], "", 1, 1)
    assert float(page.split("scale(")[1].split(")")[0]) < 1


def test_a_picture_of_no_board_has_a_size() -> None:
    assert isinstance(PICTURE, Svg)
    assert PICTURE.size[0] > 0


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "book.pdf"
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text("1.....2..3.....4\n1...............\n..4.1......3.2..\n")
    options = ["--title", "Three", "--solutions", "--grades", "--per-page", "2"]
    assert main(["show", str(puzzles), "-o", str(book), *options]) == 0
    pages = texts_of(book)
    assert len(pages) == 3
    assert "Three" in pages[0]
    assert "easy" in pages[0]
    assert "Solutions" in pages[2]
    assert main(["generate", "3", "--order", "4", "--book", str(tmp_path / "made.pdf"), "--per-page", "3", "-q"]) == 0
    assert len(texts_of(tmp_path / "made.pdf")) == 2
    assert main(["show", str(puzzles), "--solutions"]) == 2
    assert "without -o" in capsys.readouterr().err


def test_a_book_keeps_the_good_lines_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = tmp_path / "book.pdf"
    puzzles = tmp_path / "puzzles.txt"
    large = " ".join(["1", *["."] * (36**2 - 1)])
    puzzles.write_text(f"{UNIQUE}\n{'x' + UNIQUE[1:]}\n{large}\n{UNIQUE}\n")
    assert main(["show", str(puzzles), "-o", str(book), "--solutions", "--grades", "--per-page", "1"]) == 2
    pages = texts_of(book)
    assert len(pages) == 3
    assert "2 · easy" in pages[1]
    malformed, refused = capsys.readouterr().err.splitlines()
    place = f"gridproof: {puzzles}, line"
    assert malformed.startswith(f"{place} 2, column 1: no symbol of a 9x9 board: 'x'; expected 1-9, or one of")
    assert refused.startswith(f"{place} 3: a board of 36x36, 6x6 boxes is too large to be solved in steps; expected")


def test_a_line_that_the_symbols_do_not_fit_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"1.....2..3.....4\n{'.' * 81}\n..4.1......3.2..\n")
    assert main(["show", str(puzzles), "-o", str(tmp_path / "page.html"), "--symbols", "ABCD"]) == 2
    assert (tmp_path / "page.html").read_text().count("<svg ") == 2
    err = capsys.readouterr().err
    assert err == f"gridproof: {puzzles}, line 2: --symbols: symbols 'A B C D'; expected 9 different ones\n"
