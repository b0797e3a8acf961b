"""Results as the command line gives them: nothing in them steers a terminal, and nothing that is there gets lost."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from core_samples import UNIQUE
from gridproof import cli

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> int:
    return cli.main(arguments)


# ---- input as given --------------------------------------------------------------------------------------------------

NASTY = ["\x1b[31mred\x07", f"{UNIQUE[:-1]}\x1b", "=1+1", "@SUM(1)", "+1+1", "-1+cmd|x", "\t=1", "\x9b31m", UNIQUE]
NASTY_TABLE = ["id,puzzle,\x1b[31mred", f"1,{UNIQUE},", "2,\x1b]0;title\x07,", "3", f"4,=1 {UNIQUE},"]


@pytest.mark.parametrize(
    "command",
    [["verify"], ["verify", "--json"], ["verify", "-j0"], ["count"], ["explain"], ["candidates"]],
    ids=" ".join,
)
@pytest.mark.parametrize("lines", [NASTY, NASTY_TABLE], ids=["lines", "table"])
def test_a_terminal_is_not_steered(command: list[str], lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("nasty").write_text("\n".join(lines) + "\n")
    assert run(*command, "nasty") == 2
    shown = capsys.readouterr()
    assert r"\x1b" in shown.out + shown.err
    assert not CONTROL.search(shown.out + shown.err)


def test_nor_by_the_name_of_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    Path("\x1b[31m").mkdir()
    assert run("verify", "\x1b[31m") == 2
    assert run("verify", "-j0", "x/\x1b[31m") == 2
    shown = capsys.readouterr()
    assert shown.err.count(r"\x1b[31m") == 2
    assert not CONTROL.search(shown.out + shown.err)


def test_a_csv_result_is_the_same_whoever_did_it_and_runs_no_formula() -> None:
    Path("nasty").write_text("\n".join(NASTY * 3) + "\n")
    for jobs in "01":
        assert run("verify", "nasty", "-o", f"{jobs}.csv", "-q", "--part-size", "4", "-j", jobs) == 2
    assert Path("0.csv").read_bytes() == Path("1.csv").read_bytes()
    with Path("0.csv").open(newline="") as file:
        found = [row["puzzle"] for row in csv.DictReader(file)]
    expected = [*NASTY[:2], *(f"'{text}" for text in NASTY[2:7]), *NASTY[7:]]
    assert found == [CONTROL.sub(lambda one: f"\\x{ord(one[0]):02x}", text) for text in expected] * 3
