"""gridproof certify and check, as a user types them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from cli_runner import Command
from gridproof.checker import check_all

UNIQUE = "1234341221434321".replace("4", ".")
SEVENTEEN = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
NONE, MULTIPLE = "11..............", "1..............."


@pytest.fixture
def puzzles(tmp_path: Path) -> Path:
    path = tmp_path / "puzzles.txt"
    path.write_text(f"{UNIQUE}\n{NONE}\n\n{MULTIPLE}\n")
    return path


def test_one_puzzle_one_certificate(tmp_path: Path, call: Command) -> None:
    run = call("certify", UNIQUE, "-o", tmp_path / "folder")
    assert (run.code, run.out) == (0, f"unique\t{tmp_path / 'folder'}\n")
    checked = call("check", tmp_path / "folder")
    assert checked.code == 0
    assert checked.out.startswith(f"{tmp_path / 'folder'}: accepted: unique (")
    assert (tmp_path / "folder" / "proof.lrat").is_file()


def test_many_puzzles_a_folder_each(puzzles: Path, tmp_path: Path, call: Command) -> None:
    place = tmp_path / "folder"
    run = call("certify", puzzles, "-o", place, "-b", "cp-sat", "--prover", "glucose4")
    assert run.code == 0
    assert run.lines == [f"unique\t{place}/000001", f"none\t{place}/000002", f"multiple\t{place}/000003"]
    assert "3 puzzles" in run.err
    checked = call("check", place, "--json")
    assert checked.code == 0
    assert [record["claim"] for record in checked.records] == ["unique", "none", "multiple"]
    assert [record["name"] for record in checked.records] == ["000001", "000002", "000003"]
    assert json.loads((place / "000001" / "claim.json").read_text())["made"]["prover"].startswith("glucose4 ")


def test_json_and_malformed_lines(puzzles: Path, tmp_path: Path, call: Command) -> None:
    puzzles.write_text(f"what is this\n{UNIQUE}\n")
    run = call("certify", puzzles, "-o", tmp_path / "out", "--json", "-q")
    assert run.code == 2
    assert [record["claim"] for record in run.records] == ["malformed", "unique"]
    assert run.records[1] == {
        "line": 2,
        "input": UNIQUE,
        "claim": "unique",
        "certificate": str(tmp_path / "out" / "000002"),
    }
    assert call("check", tmp_path / "out").code == 0


def test_the_shape_is_certified(tmp_path: Path, call: Command) -> None:
    line = "123456" + "." * 30
    assert call("certify", line, "--boxes", "3x2", "--diagonal", "-o", tmp_path / "out").code == 0
    geometry = json.loads((tmp_path / "out" / "geometry.json").read_text())
    assert geometry["boxes"] == [3, 2]
    assert len(geometry["houses"]) == 2
    assert call("check", tmp_path / "out").code == 0


@pytest.mark.parametrize("name", ["folder", "file"])
def test_a_place_that_is_taken_is_refused_before_the_work(
    name: str, tmp_path: Path, call: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "file":
        (tmp_path / name).write_text("mine")
    else:
        (tmp_path / name).mkdir()
        (tmp_path / name / "notes").write_text("mine")
    monkeypatch.setattr("gridproof.pipeline.Pipeline.verify", lambda *_: pytest.fail("the work was begun"))
    run = call("certify", UNIQUE, "-o", tmp_path / name)
    assert (run.code, run.out) == (2, "")
    assert "; expected" in run.err


# ---- check -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def good(tmp_path: Path, call: Command) -> Path:
    assert call("certify", UNIQUE, "-o", tmp_path / "good").code == 0
    return tmp_path / "good"


@pytest.fixture
def bad(good: Path, tmp_path: Path) -> Path:
    shutil.copytree(good, tmp_path / "bad")
    (tmp_path / "bad" / "board.txt").write_text("....\n" * 4)
    return tmp_path / "bad"


def test_a_refusal_has_its_reasons(good: Path, bad: Path, call: Command) -> None:
    run = call("check", good, bad)
    assert run.code == 1
    assert run.lines[0].startswith(f"{good}: accepted: unique")
    assert run.lines[1:4] == [
        "  board: 123. 3.12 21.3 .321",
        "  cells with a clue: 12",
        "  houses: 4 rows, 4 columns, 4 boxes of 2x2",
    ]
    assert run.lines[4] == f"{bad}: refused: unique"
    assert run.lines[5].startswith("  [digest-mismatch] board.txt: ")
    quiet = call("check", good, bad, "--quiet", "--json")
    assert quiet.code == 1
    assert [record["accepted"] for record in quiet.records] == [False]
    assert "digest-mismatch" in {reason["code"] for reason in quiet.records[0]["reasons"]}


def test_nothing_to_check(good: Path, tmp_path: Path, call: Command) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("no archive")
    for path in (tmp_path / "missing", tmp_path / "empty", tmp_path / "file"):
        run = call("check", good, path)
        assert run.code == 2
        assert run.lines[0].startswith(f"{good}: accepted")
        assert run.lines[4] == f"{path}: refused: no readable claim"


def program(folder: Path, answer: str) -> Path:
    """A proof checker that has made up its mind."""
    path = folder / "drat-fake"
    path.write_text(f"#!/bin/sh\necho 's {answer}'\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_both_opinions_are_reported(puzzles: Path, tmp_path: Path, call: Command) -> None:
    assert call("certify", puzzles, "-o", tmp_path / "out").code == 0
    agrees = call("check", tmp_path / "out", "--with", program(tmp_path, "VERIFIED"))
    assert agrees.code == 0
    assert sum(": verified" in line for line in agrees.lines) == 2  # a claim of several solutions has no proof
    differs = call("check", tmp_path / "out", "--with", program(tmp_path, "NOT VERIFIED"), "--json")
    assert differs.code == 1
    assert [record["accepted"] for record in differs.records] == [True, True, True]
    answers = [record["opinion"] and record["opinion"]["answer"] for record in differs.records]
    assert answers == ["refuted", "refuted", None]


def files_of(folder: Path) -> dict[str, bytes]:
    """The content of all files below a folder, by their paths."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("options", [[], ["--count"]])
def test_any_number_of_jobs_writes_the_same(options: list[str], tmp_path: Path, call: Command) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text("\n".join([MULTIPLE, "what is this", UNIQUE, NONE, "." * 16, MULTIPLE, "12" + "." * 14]) + "\n")
    one, two = tmp_path / "1", tmp_path / "2"
    alone = call("certify", puzzles, "-o", one, *options)
    together = call("certify", puzzles, "-o", two, *options, "--jobs", "2")
    assert alone.code == together.code == 2  # a line is malformed
    assert together.out.replace(str(two), str(one)) == alone.out
    assert files_of(one) == files_of(two)
    assert len(list(two.glob("*/claim.json"))) == 6
    assert call("check", two).code == 0


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C cannot be sent to one process there")
def test_ctrl_c_leaves_whole_certificates_only(tmp_path: Path) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{SEVENTEEN}\n" * 3000)
    place = tmp_path / "out"
    command = [sys.executable, "-m", "gridproof", "certify", str(puzzles), "-o", str(place), "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        run.stdout.readline()
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "interrupted" in err
    assert [path.name for path in place.iterdir() if path.name.startswith(".")] == []
    for report in check_all(place):
        assert report.accepted, report


def test_drafts_of_a_run_that_was_killed_are_removed(puzzles: Path, tmp_path: Path, call: Command) -> None:
    place = tmp_path / "out"
    assert call("certify", puzzles, "-o", place).code == 0
    (place / ".000002.abc.tmp").mkdir()
    assert call("certify", puzzles, "-o", place, "--force").code == 0
    assert sorted(path.name for path in place.iterdir()) == ["000001", "000002", "000003"]
