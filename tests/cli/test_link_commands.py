"""Puzzles of other programs in every command and in Python: read, shown, and no verdict on what was not understood."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import gridproof
from cli_runner import Command
from gridproof.errors import InputError, NotUnderstoodError, PuzzleFormatError
from gridproof.formats.lzstring import pack
from gridproof.puzzle.geometry import Geometry

SOLUTION = "1234341221434321"
PLAIN = "1..............."
PUZZLE: dict[str, Any] = {
    "size": 4,
    "title": "Small",
    "author": "Nobody",
    "ruleset": "Normal rules.\nDigits along a thermometer increase.",
    "grid": [[{"value": 1, "given": True}, {}, {}, {"value": 4}], *([{}] * 4 for _ in range(3))],
    "killercage": [{"cells": ["R1C2", "R2C2"], "value": "6"}, {"cells": ["R3C3", "R4C3"], "value": 6}],
    "thermometer": [{"lines": [["R4C4", "R4C3", "R3C3"]]}, {"lines": [["R1C2", "R2C2"]]}],
    "solution": [int(symbol) for symbol in SOLUTION],
}


def link(**changes: Any) -> str:
    return "https://f-puzzles.com/?load=" + pack(json.dumps(PUZZLE | changes))


GOOD = link()
LINES: dict[str, Any] = {"line": [{"lines": [["R1C1", "R2C2"]]}, {"lines": [["R3C1", "R3C2"]]}]}
DRAWN = link(**LINES)
OPEN = link(**LINES, killercage=[])
"""The part of DRAWN that is understood has one solution, and of OPEN several."""
UNREAD = "line 1 of 2: drawn along r1c1 r2c2; line 2 of 2: drawn along r3c1 r3c2"


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("text", [GOOD, json.dumps(PUZZLE)])
def test_a_link_is_a_puzzle_of_every_command(call: Command, tmp_path: Path, text: str) -> None:
    assert call("verify", "-q", text) == (0, f"unique\t{SOLUTION}\n", "")
    assert call("solve", "-q", text) == (0, f"{SOLUTION}\n", "")
    assert call("count", "-q", text) == (0, "1\n", "")
    file = tmp_path / "puzzles.txt"
    file.write_text(f"# mine\n{text}\n\n{'.' * 16}\n{text}\n", encoding="utf-8")
    code, out, _ = call("verify", "-q", str(file))
    assert code == 1
    assert [line.split("\t")[0] for line in out.splitlines()] == ["unique", "multiple", "unique"]
    assert "unique" in call("explain", text)[1]
    assert "thermometer" in call("show", text)[1]
    assert call("candidates", text)[0] == 0


def test_title_author_and_words_are_shown(call: Command) -> None:
    code, out, err = call("verify", GOOD)
    assert (code, out) == (0, f"unique\t{SOLUTION}\n")
    assert err.splitlines()[:4] == [
        "Small by Nobody: a 4x4, 2x2 boxes board, 2 killer, 2 thermometer",
        "  Normal rules.",
        "  Digits along a thermometer increase.",
        "  filled in but not given: 1; --entries as-clues takes them as clues",
    ]
    assert call("steps", "--next", GOOD)[2].endswith("  filled in but not given: 1; they count as entries\n")
    record = json.loads(call("verify", "-q", "--json", "--details", GOOD)[1])
    assert (record["title"], record["author"], record["prose"]) == ("Small", "Nobody", PUZZLE["ruleset"])
    assert (record["entries"], record["evidence"]["stored"]) == (1, "right")
    assert record["rules"][0] == "the killer cage r1c2 r2c2 sums to 6"


def test_of_long_rules_in_words_the_beginning_is_shown(call: Command) -> None:
    sentence = "Normal rules apply here."
    text = link(ruleset=f"{sentence}\n" * 10)
    beginning = f"{sentence} {sentence} {sentence} {sentence} Normal rules ..."
    assert call("verify", text)[2].splitlines()[1] == f"  {beginning} (40 words in all; --words prints them)"
    assert call("verify", "--words", text)[2].splitlines()[1:11] == [f"  {sentence}"] * 10


def test_a_title_cannot_steer_a_terminal(call: Command) -> None:
    assert "\\x1b[2J" in call("verify", link(title="\x1b[2J", ruleset="half \ud83d"))[2]


def test_endless_names_and_words_are_cut_where_they_are_shown(call: Command) -> None:
    err = call("verify", link(title="t" * 100_000, author="a" * 100_000, ruleset="r" * 100_000))[2]
    assert len(err) < 10_000
    assert "ttt... (100,000 characters) by aaa" in err
    assert "  ... (1 word in all; --words prints them)" in err
    assert "rrr... (100,000 characters)" in call("verify", "--words", link(ruleset="r" * 100_000))[2]


@pytest.mark.parametrize("name", ["verify", "solve", "count", "explain", "candidates", "certify -o proof", "tree"])
def test_what_may_be_a_rule_withholds_the_answer(call: Command, name: str) -> None:
    code, out, err = call(*name.split(), OPEN)
    assert code == 2
    assert f"not understood: {UNREAD}" in err + out or f"not understood\t{UNREAD}" in out
    assert "unique" not in out
    assert not Path("proof").exists()


def test_a_puzzle_that_is_not_understood_loses_no_other(call: Command, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"{GOOD}\n{OPEN}\n{GOOD}\n", encoding="utf-8")
    code, out, err = call("verify", str(file))
    assert code == 2
    assert out.splitlines() == [
        f"unique\t{SOLUTION}",
        f"not understood\t{file}, line 2: {UNREAD}",
        f"unique\t{SOLUTION}",
    ]
    assert "3 puzzles: 2 unique, 1 not understood" in err
    records = [json.loads(line) for line in call("verify", "-q", "--json", str(file))[1].splitlines()]
    assert [record["verdict"] for record in records] == ["unique", "not understood", "unique"]
    assert records[1]["unread"][0] == {"where": "line 1 of 2", "what": "drawn along r1c1 r2c2", "may_be_rule": True}
    assert records[1]["title"] == "Small"


def test_despite_what_is_unread(call: Command) -> None:
    code, out, err = call("verify", "--despite-unread", DRAWN)
    assert (code, out) == (0, f"unique\t{SOLUTION}\tdespite what is unread: {UNREAD}\n")
    assert f"  unread, although it may be a rule: {UNREAD}" in err
    record = json.loads(call("verify", "-q", "--json", "--despite-unread", DRAWN)[1])
    assert len(record["unread"]) == 2
    assert UNREAD in record["reason"]
    assert call("solve", "-q", "--despite-unread", DRAWN)[1] == f"{SOLUTION}\n"


def test_entries_are_no_clues_unless_they_are_wanted(call: Command) -> None:
    loose = link(
        killercage=[], thermometer=[], grid=[[{"value": v} for v in range(1, 5)], *([{}] * 4 for _ in range(3))]
    )
    assert call("count", "-q", loose)[1] == "288\n"
    assert call("count", "-q", "--entries", "as-clues", loose)[1] == "12\n"
    assert gridproof.count(gridproof.read_puzzle(loose, entries_as_clues=True)).number == 12


def test_in_python() -> None:
    assert gridproof.parse(GOOD).rules[0].kind == "killer"
    assert gridproof.verify(GOOD).is_unique
    with pytest.raises(NotUnderstoodError, match="line 1 of 2") as caught:
        gridproof.verify(OPEN)
    for error in caught.value, pickle.loads(pickle.dumps(caught.value)):
        assert error.puzzle is not None
        assert error.puzzle.not_understood[1].where == "line 2 of 2"
        assert error.puzzle.title == "Small"
    for verb in gridproof.parse, gridproof.solve, gridproof.count, gridproof.Pipeline().verify:
        with pytest.raises(NotUnderstoodError):
            verb(OPEN)
    verdict = gridproof.verify(DRAWN, despite_unread=True)
    assert verdict.is_unique
    assert [part.where for part in verdict.evidence.unread] == ["line 1 of 2", "line 2 of 2"]
    assert "despite what is unread" in str(verdict)
    assert gridproof.solve(gridproof.parse(DRAWN, despite_unread=True)) == tuple(map(int, SOLUTION))
    puzzle = gridproof.read_puzzle(PLAIN)
    assert (puzzle.board, puzzle.unread) == (gridproof.parse(PLAIN), ())


def test_a_shape_that_is_wanted() -> None:
    diagonals = Geometry.classic(2).with_diagonals()
    assert gridproof.parse(GOOD, diagonals).geometry == diagonals
    with pytest.raises(PuzzleFormatError, match="where 4x4, Latin square is requested"):
        gridproof.parse(GOOD, Geometry.latin)
    with pytest.raises(PuzzleFormatError, match="where 9x9, 3x3 boxes is requested"):
        gridproof.parse(GOOD, Geometry.classic(3))


def test_no_link_is_ever_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the network")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.getaddrinfo", refuse)
    with pytest.raises(InputError):
        gridproof.parse("https://sudokupad.app/abc123")
    assert gridproof.parse(GOOD)


def test_the_document_names_every_key_that_is_read() -> None:
    from gridproof.rules import all_kinds
    from gridproof.rules.foreign import FPuzzlesItem

    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    items = [item for kind in all_kinds().values() for item in kind.formats if isinstance(item, FPuzzlesItem)]
    keys = {item.key or item.flag for item in items} - {""}
    assert len(keys) > 30
    assert {key for key in keys if f"`{key}`" not in text} == set()
