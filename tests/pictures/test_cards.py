"""Results in notebooks: short to read in text, a well-formed card with picture, sentence and evidence in HTML."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

import gridproof
from gridproof.checker import check
from gridproof.cli import main
from gridproof.experiments import instance
from gridproof.experiments.results import Comparison
from gridproof.explanations import Explanation, explain
from gridproof.pictures.cards import LARGEST_ORDER_PICTURED, card
from gridproof.pictures.colours import ALARM
from gridproof.trust.count import Count
from gridproof.trust.evidence import Evidence
from gridproof.trust.record import VerdictRecord
from gridproof.trust.verdict import Status, Verdict

UNIQUE, MULTIPLE, NONE = "1... ..2. .3.. ...4", "12.. .... 4.1. ....", "11.. .... .... ...."


def read(html: str) -> tuple[str, bool]:
    """(all words of a card but those of its picture, whether it has one)."""
    root = ElementTree.fromstring(html)
    pictures = 0
    for parent in list(root.iter()):
        for child in list(parent):
            pictures += child.tag == "img"
            if child.tag in ("img", "style"):
                parent.remove(child)
    return " ".join(root.itertext()), bool(pictures)


@pytest.mark.parametrize(
    ("puzzle", "sentence"),
    [
        (UNIQUE, "The puzzle has exactly one solution."),
        (MULTIPLE, "The puzzle has several solutions; two solutions differ in 4 cells: r1c3 r1c4 r4c3 r4c4."),
        (NONE, "The puzzle has no solution: r1c1 and r1c2 in row 1 both hold 1."),
    ],
)
def test_a_verdict(puzzle: str, sentence: str) -> None:
    verdict = gridproof.verify(puzzle)
    words, pictured = read(verdict._repr_html_())
    assert words.startswith(sentence)
    assert f"reference {verdict.evidence.reference}" in words
    assert "cadical153" in words
    assert pictured
    assert repr(verdict) == f"<Verdict: {verdict}>"
    assert len(repr(verdict)) < 150


def test_a_verdict_states_its_rules() -> None:
    board = gridproof.parse(UNIQUE).with_rule("killer 3 r1c1 r1c2")
    words, _ = read(gridproof.verify(board)._repr_html_())
    assert board.rules[0].sentence(board.geometry) in words


def test_a_disagreement_shows_what_the_backend_gave_as_no_grid() -> None:
    board = gridproof.parse(UNIQUE)
    evidence = Evidence(contradictions=("A <says> this",))
    verdict = Verdict(Status.DISAGREEMENT, board, ("what is no grid",), "A <says> this", evidence)
    words, pictured = read(verdict._repr_html_())
    assert words.startswith("Disagreement: independent parts contradict each other: A <says> this.")
    assert pictured
    assert verdict.solution is None
    undecided = Verdict(Status.UNDECIDED, board, reason="1 s is over")
    assert read(undecided._repr_html_())[0].startswith("Undecided: 1 s is over.")
    solved = Verdict(Status.SOLVED, board, (tuple(gridproof.solve(board) or ()),))
    assert "it was not checked whether it is the only one" in read(solved._repr_html_())[0]


def test_a_board_that_is_too_large_has_no_picture() -> None:
    board = gridproof.Board.empty(gridproof.Geometry.latin(LARGEST_ORDER_PICTURED + 1))
    words, pictured = read(Verdict(Status.UNDECIDED, board, reason="a limit")._repr_html_())
    assert (words, pictured) == ("Undecided: a limit. reference not asked", False)


def test_a_count() -> None:
    whole, part = gridproof.count("1234" + "." * 12), gridproof.count("." * 16, limit=5)
    assert (repr(whole), repr(part)) == (
        "<Count: exactly 12 solutions>",
        "<Count: at least 5 solutions; stopped at 5>",
    )
    assert str(Count(1, True)) == "exactly 1 solution"
    assert read(whole._repr_html_())[0].startswith("exactly 12 solutions.")


@pytest.mark.parametrize(
    ("puzzle", "sentence", "short"),
    [
        (
            UNIQUE,
            "The puzzle has exactly one solution. no clue can be left out: it is minimal",
            "unique; 0 redundant clues",
        ),
        ("1234 3412 .... ....", "The puzzle has 4 solutions. two solutions differ in only 4 cells", "multiple; two"),
        (NONE, "The puzzle has no solution.", "none; 1 conflict set"),
    ],
)
def test_an_explanation(puzzle: str, sentence: str, short: str) -> None:
    explanation = explain(gridproof.parse(puzzle))
    words, pictured = read(explanation._repr_html_())
    assert words.startswith(sentence)
    assert pictured
    assert repr(explanation).startswith(f"<Explanation: {short}")
    if explanation.status == "none":
        assert "r1c1=1 r1c2=1" in words
    if explanation.status == "multiple":
        assert f'stroke="{ALARM}"' in explanation.picture(), "differing symbols are split by a slash"


def test_an_explanation_names_what_can_be_left_out() -> None:
    explanation = explain(gridproof.parse("1... ..2. .3.. 2..4"))
    assert isinstance(explanation, Explanation)
    assert "only this clue can be left out: r4c1" in read(explanation._repr_html_())[0]


def test_an_explanation_names_rules_that_can_be_left_out() -> None:
    board = gridproof.parse(UNIQUE).with_rule("killer 3 r1c1 r1c2")
    words, _ = read(explain(board)._repr_html_())
    assert "only this rule can be left out: the killer cage r1c1 r1c2 sums to 3" in words


def test_a_row_of_a_result() -> None:
    def row(puzzle: str, solution: str | None) -> VerdictRecord:
        return VerdictRecord(7, 8, puzzle, "unique", solution, None, "lanes", 1, "agrees", None, None)

    good = row("<x>.....2..3.....4", "1243342143122134")
    assert good.is_unique
    assert repr(good) == "<VerdictRecord 7: unique>"
    words, _ = read(good._repr_html_())
    assert words.startswith("Row 7: unique.")


def test_a_row_with_a_puzzle_that_has_rules_shows_nothing_wrong() -> None:
    (record,) = gridproof.verify_many([gridproof.parse(UNIQUE).with_rule("killer 3 r1c1 r1c2")])
    words, _ = read(record._repr_html_())
    assert record.is_unique
    assert "killer" in words


def test_a_sheet() -> None:
    text = """{"title": "A <title>", "author": "Nobody", "ruleset": "Some words.", "size": 4,
        "grid": [[{"value": 1, "given": true}, {"value": 2}, {}, {}],
            [{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}]],
        "killercage": [{"cells": ["R1C1", "R1C2"], "value": "3"}], "circle": [{"cells": ["R2C1"]}]}"""
    sheet = gridproof.read_puzzle(text)
    first = "A <title> by Nobody: a 4x4, 2x2 boxes board, 1 killer"
    assert repr(sheet) == f"<Puzzle: {first}; 1 not understood>"
    words, pictured = read(sheet._repr_html_())
    assert pictured
    assert words.startswith(f"{first}. ")
    for expected in (
        "Some words.",
        "filled in but not given: 1",
        "r1c1 r1c2 sums to 3",
        "circle 1 of 1: drawn at r2c1",
    ):
        assert expected in words


def test_an_instance() -> None:
    made = instance("qwh", gridproof.Geometry.latin(5), 0.4, seed=3, balanced=True)
    assert repr(made) == "<Instance: qwh, 5x5, Latin square, 10 holes, balanced, seed 3>"
    words, pictured = read(made._repr_html_())
    assert words.startswith("qwh: quasigroup with holes: a random Latin square")
    assert words.endswith("holes 10 balanced yes seed 3")
    assert pictured


def test_a_report_of_the_checker(tmp_path: Path) -> None:
    assert main(["certify", "-q", "-o", str(tmp_path / "proof"), UNIQUE.replace(" ", "")]) == 0
    good, bad = check(tmp_path / "proof"), check(tmp_path / "nothing")
    assert (repr(good), repr(bad)) == ("<Report: accepted: unique>", "<Report: refused: no readable claim>")
    for report in (good, bad):
        assert "".join(ElementTree.fromstring(report._repr_html_()).itertext()) == str(report)


def test_a_card_escapes_and_leaves_out_what_is_empty() -> None:
    words, pictured = read(card('<b> & "', [("a", None), ("b", ""), ("c", 0), ("<d>", "\x00")]))
    assert (words, pictured) == ('<b> & " c 0 <d> \ufffd', False)


def test_a_comparison() -> None:
    empty = Comparison((), 1.0, 0, 4, ("<note>",))
    words, _ = read(empty._repr_html_())
    assert words.startswith("0 of 4 runs, at most 1 s each.")
    assert "<note>" in words
