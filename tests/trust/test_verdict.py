"""Verdicts: their words, and the files to reproduce them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core_samples import FOUR, some_grid
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.questions import verify
from gridproof.trust import reference
from gridproof.trust.crosscheck import AGREES
from gridproof.trust.evidence import Evidence, Made
from gridproof.trust.verdict import Status, Verdict

BOARD = Board(FOUR, (1, 2, 3, 4, *[0] * 12))
ONE, TWO = list(reference.solutions(BOARD))[:2]


def test_each_status_is_its_word() -> None:
    assert [str(status) for status in Status] == [
        *(
            "unique",
            "multiple",
            "none",
            "at most one",
            "undecided",
            "malformed",
            "disagreement",
            "not understood",
            "solved",
            "failed",
        ),
    ]
    for status in Status:
        assert Verdict(status, BOARD).is_unique == (status == "unique")


def test_where_witnesses_differ() -> None:
    verdict = verify(BOARD)
    assert verdict.status is Status.MULTIPLE
    one, two = verdict.solutions
    assert verdict.differing_cells == tuple(cell for cell in range(16) if one[cell] != two[cell])
    assert f"two solutions differ in {len(verdict.differing_cells)} cells: " in str(verdict)
    assert FOUR.cell_name(verdict.differing_cells[0]) in str(verdict)
    assert "reference: not needed" in str(verdict)
    assert verify(Board(FOUR, some_grid(FOUR))).differing_cells == ()


def test_the_words_of_a_verdict() -> None:
    assert str(Verdict(Status.NONE, BOARD)) == "none"
    evidence = Evidence(reference=AGREES)
    assert str(Verdict(Status.UNIQUE, BOARD, (ONE,), evidence=evidence)) == "unique; reference: agrees"
    assert str(Verdict(Status.UNDECIDED, BOARD, reason="out of time")) == "undecided; out of time"


def test_the_board_of_a_reproducer_is_the_board(tmp_path: Path) -> None:
    boards = [
        BOARD,
        BOARD.with_marks([15] * 16).with_filled([0] * 15 + [1]),
        Board.empty(Geometry.jigsaw("AABB AABB CCDD CCDD").with_diagonals()),
        Board.empty(FOUR.with_houses([[0, 5, 10, 15]], "mine")),
        Board.empty(Geometry.classic(6)),
    ]
    for board in boards:
        made = Made("some", "1.0", "minimal", "0.1")
        verdict = Verdict(Status.DISAGREEMENT, board, reason="two claims", made=made)
        path = verdict.write_reproducer(tmp_path)
        assert path.name.startswith("gridproof-disagreement-")
        record = json.loads(path.read_text(encoding="utf-8"))
        assert eval(record["board"], {"Board": Board, "Geometry": Geometry}) == board
        assert record["made"] == {
            "backend": "some",
            "backend_version": "1.0",
            "encoding": "minimal",
            "gridproof": "0.1",
        }
        assert record["reason"] == "two claims"
        assert {"python", "platform", "solutions", "contradictions", "status"} <= set(record)
        assert verdict.write_reproducer(tmp_path) == path, "the same again is the same file"
    assert len(list(tmp_path.iterdir())) == len(boards)


def test_a_reproducer_takes_whatever_was_given(tmp_path: Path) -> None:
    odd = (None, [1], {1}, object(), (object(), 2.5, b"x"))
    verdict = Verdict(Status.DISAGREEMENT, BOARD, odd)
    assert verdict.differing_cells == ()
    record = json.loads(verdict.write_reproducer(tmp_path).read_text(encoding="utf-8"))
    assert len(record["solutions"]) == 5
    with pytest.raises(OSError, match="missing"):
        verdict.write_reproducer(tmp_path / "missing")


def test_a_verdict_names_its_backend() -> None:
    with Pipeline("minisat22", "minimal") as pipeline:
        made = pipeline.verify(BOARD).made
    assert made is not None
    assert (made.backend, made.encoding) == ("minisat22", "minimal")
    assert made.backend_version
    assert made.gridproof
