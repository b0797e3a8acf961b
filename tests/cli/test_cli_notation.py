"""Notations at the command line: what 0 is, solutions with the puzzle's own symbols, inputs without any puzzle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from cli_runner import Command
from formats.notations import LINE, SOLUTION
from gridproof import verify_many
from gridproof.formats import datasets
from gridproof.formats.puzzle import Symbols
from gridproof.formats.symbols import symbol_names
from gridproof.puzzle.geometry import Geometry

ZEROS = LINE.translate(str.maketrans("123456789", "012345678"))
ZEROS_SOLVED = SOLUTION.translate(str.maketrans("123456789", "012345678"))
UNCLEAR = "1.0" + ZEROS[3:].replace("8", ".").replace("7", ".")
BULK = ("-j", "0")


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)  # where `tree` leaves its picture


@pytest.mark.parametrize("bulk", [(), BULK], ids=["one by one", "in bulk"])
def test_a_puzzle_has_one_verdict_in_every_notation(call: Command, tmp_path: Path, bulk: tuple[str, ...]) -> None:
    board = next(board for board in datasets.load("large") if board.geometry == Geometry.classic(4))
    assert {*board.clues} == {*range(17)}
    path = tmp_path / "puzzle.txt"
    solutions = set()
    for symbols in Symbols:
        known = (".", *symbol_names(16, symbols))
        path.write_text("".join(known[clue] for clue in board.clues))
        code, out, _ = call("verify", "-q", str(path), *bulk)
        verdict, solution = out.rstrip("\n").split("\t")
        assert (code, verdict) == (0, "unique")
        solutions.add("".join("0123456789ABCDEFG"[known.index(character)] for character in solution))
    assert len(solutions) == 1


def test_zeros_beside_nothing_in_an_array() -> None:
    cells = np.array([float(cell) if cell != "." else np.nan for cell in ZEROS])
    unclear = np.array([float(cell) if cell != "." else np.nan for cell in UNCLEAR])
    usual = np.array([float(cell) if cell != "." else np.nan for cell in LINE])
    mixed = np.nan_to_num(usual, nan=0.0)
    mixed[:40] = usual[:40]
    for given in (np.array([cells, unclear, usual, mixed]), np.ma.masked_invalid([cells, unclear, usual, mixed])):
        records = list(verify_many(given))
        assert [record.verdict for record in records] == ["unique", "malformed", "unique", "unique"]
        assert "two readings of 0" in str(records[1].reason)
        assert {record.solution for record in records} == {SOLUTION, None}
    assert [record.verdict for record in verify_many(np.array([cells, usual]), zero="symbol")] == [
        "unique",
        "malformed",
    ]
    answers = verify_many({"puzzle": [ZEROS, list(cells)], "solution": [ZEROS_SOLVED, SOLUTION]})
    assert [record.stored for record in answers] == ["right", "right"]


def test_other_names_of_symbols_are_explained_where_they_are_shown(call: Command) -> None:
    assert "line 1: symbols 0-8 are shown as 1-9" in call("candidates", ZEROS)[2]
    assert "shown as" not in call("candidates", LINE)[2]
    assert "shown as" not in call("explain", ZEROS)[2], "whose sentences have the names of the puzzle"
