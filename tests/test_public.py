"""The public names: all there, imported when used, and nothing at import."""

from __future__ import annotations

import subprocess
import sys

import pytest

import gridproof


@pytest.mark.parametrize("name", gridproof.__all__)
def test_public_name_is_there(name: str) -> None:
    assert getattr(gridproof, name) is not None
    assert name in dir(gridproof)


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = gridproof.nothing_of_the_kind


def test_import_is_light() -> None:
    code = "import sys, gridproof; print(*[m for m in sys.modules if m.startswith('gridproof')])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["gridproof"]


def test_the_shortest_program() -> None:
    board = gridproof.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    assert gridproof.verify(board).status == gridproof.Status.UNIQUE
    assert gridproof.count(gridproof.Board.empty(gridproof.Geometry.classic(2))).number == 288
