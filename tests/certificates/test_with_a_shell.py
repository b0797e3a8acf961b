"""A count is checked without Python: awk writes the formula of a classic board, as docs/certificates.md shows it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from gridproof import certify

AWK = shutil.which("awk")
PROGRAM = Path(__file__).resolve().parents[2] / "docs" / "classic.awk"
SEVENTY_TWO = ".........3...6.9.71.8.9..6..673........2.6....2...938..3..8.1.25.26....8........."

pytestmark = pytest.mark.skipif(AWK is None, reason="there is no awk")


def formula_by_awk(folder: Path) -> subprocess.CompletedProcess[bytes]:
    files = [folder / "board.txt", folder / "solutions.txt"]
    return subprocess.run([str(AWK), "-f", PROGRAM, *files], capture_output=True, check=False)


def test_awk_writes_the_formula_of_a_count(tmp_path: Path) -> None:
    certificate = certify(SEVENTY_TWO, count=True)
    assert certificate.solutions == 72
    certificate.write(tmp_path / "count")
    written = formula_by_awk(tmp_path / "count")
    assert written.returncode == 0
    assert written.stdout == (tmp_path / "count" / "formula.cnf").read_bytes()


@pytest.mark.parametrize(("symbol", "other"), [(b"2", b"4"), (b"3", b"5")])
def test_it_refuses_a_list_with_a_wrong_digit(tmp_path: Path, symbol: bytes, other: bytes) -> None:
    certify(SEVENTY_TWO, count=True).write(tmp_path / "count")
    solutions = tmp_path / "count" / "solutions.txt"
    solutions.write_bytes(solutions.read_bytes().replace(symbol, other, 1))
    refused = formula_by_awk(tmp_path / "count")
    assert refused.returncode == 1
    assert refused.stdout.startswith((b"twice", b"against a clue"))
