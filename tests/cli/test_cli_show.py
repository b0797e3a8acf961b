"""``gridproof show``: what it draws, on the terminal and in each form of file."""

from __future__ import annotations

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import gridproof
from core_samples import UNIQUE
from gridproof import parse
from gridproof.cli import main
from gridproof.errors import InputError
from gridproof.pictures import board_svg, board_text, colours
from gridproof.pictures.document import save

EXAMPLES = Path(__file__).parents[2] / "examples"
MULTIPLE, NONE, PLAIN = "12.............3", "11..............", "1.....2..3.....4"

try:
    import cairosvg  # noqa: F401

    MISSING = ""
except (ImportError, OSError) as problem:
    MISSING = str(problem)


def test_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", PLAIN]) == 0
    assert capsys.readouterr().out == f"{board_text(parse(PLAIN))}\n"
    assert main(["show", "--verify", MULTIPLE, NONE]) == 0
    out = capsys.readouterr().out
    assert "two solutions differ in 4 cells: r2c1 r2c2 r3c1 r3c2." in out
    assert "/" in out.splitlines()[4]
    assert out.endswith("The puzzle has no solution: r1c1 and r1c2 in row 1 both hold 1.\n")
    assert "[1][1]" in out
    assert main(["show", "--title", "A title", MULTIPLE]) == 0
    assert capsys.readouterr().out.startswith("A title\n\n┌")


def test_what_was_not_understood_is_counted_under_the_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """{"size": 4, "grid": [[{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}]],
        "circle": [{"cells": ["R2C1"]}, {"cells": ["R3C1"]}], "line": [{"lines": [["R1C1", "R2C2"]]}]}"""
    note = "not understood, and not in the picture: A (1 line), B (2 circles)"
    path = tmp_path / "board.svg"
    (tmp_path / "drawn.json").write_text(text)
    assert main(["show", str(tmp_path / "drawn.json")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == note
    assert main(["show", str(tmp_path / "drawn.json"), "-o", str(path)]) == 0
    root = ElementTree.parse(path).getroot()
    texts = [element.text or "" for element in root.iter() if element.tag.endswith("text")]
    assert texts[:3] == ["A", "B", "B"]
    pale = note.replace("not in", "pale in")
    assert " ".join(texts[3:]) == pale
    assert (root[1].text or "").endswith(pale)
    assert pale in gridproof.show(text)


def test_an_svg_shows_two_solutions_where_they_differ(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    assert main(["show", MULTIPLE, "--verify", "--title", "Nº 1 <b>", "-o", str(path)]) == 0
    root = ElementTree.parse(path).getroot()
    assert root[0].text == "Nº 1 <b>"
    assert "Nº 1 <b>" in [element.text for element in root.iter() if element.tag.endswith("text")]
    assert "differs: r2c1 3 or 4, r2c2 4 or 3, r3c1 4 or 3, r3c2 3 or 4;" in (root[1].text or "")
    assert "light-dark(" in path.read_text()


def test_explain_draws_the_two_symbols_of_differing_cells(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    assert main(["explain", MULTIPLE, "-o", str(path)]) == 1
    assert "differs: r2c3 1 or 2, r2c4 2 or 1, r3c3" in (ElementTree.parse(path).getroot()[1].text or "")
    assert colours.DIFFERS in path.read_text()


def test_several_puzzles_make_a_web_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    assert main(["show", PLAIN, UNIQUE, "53x", MULTIPLE, "--verify", "--title", "<All>", "-o", str(path)]) == 2
    assert len(capsys.readouterr().out.splitlines()) == 3
    html = path.read_text(encoding="utf-8")
    assert html.count("<svg ") == 3
    assert "<h1>&lt;All&gt;</h1>" in html
    for heading in ("1: unique", "2: unique", "3: multiple"):
        assert f"<title>{heading}</title>" in html
    assert main(["show", PLAIN, UNIQUE, "-o", str(tmp_path / "page.svg")]) == 2
    assert "2 boards in " in capsys.readouterr().err
    assert not (tmp_path / "page.svg").exists()


@pytest.mark.skipif(bool(MISSING), reason=f"cairosvg cannot be used: {MISSING}")
@pytest.mark.parametrize(("ending", "begins"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_png_and_pdf(ending: str, begins: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"board.{ending}"
    assert main(["show", PLAIN, "--title", "T", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(begins)


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_without_cairosvg_the_message_names_what_to_install(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    path = tmp_path / f"board.{ending}"
    with pytest.raises(InputError, match=r"pip install 'gridproof\[picture\]'"):
        save([board_svg(parse(PLAIN))], path)
    assert not path.exists()


def test_the_examples_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(EXAMPLES / "well-known.txt"), str(EXAMPLES / "two-solutions.txt")]) == 0
    assert capsys.readouterr().out.count("┌") == 6
