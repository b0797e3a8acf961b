"""A second opinion, from a program that the test puts on the PATH."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from checker_maker import Files, certificate, geometry, sealed, write
from cli_runner import environment
from gridproof.checker import check_external
from gridproof.checker.external import SecondOpinion

pytestmark = pytest.mark.process

FOUR = geometry(2, 2)
NONE = certificate(FOUR, {2: 1, 5: 2, 8: 1, 15: 3}, conflict=[2, 5, 8])
MANY = certificate(FOUR, {2: 1})

VERIFIES = """
head -c 200 "$1" | grep -q '^p cnf 64 ' || { echo "c no formula"; exit 2; }
tail -n 1 "$2" | grep -qx 0 || { echo "s NOT VERIFIED"; exit 1; }
printf 'c parsing\\rc checking\\rs VERIFIED\\n'
"""


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def install(bin_folder: Path, script: str) -> None:
    program = bin_folder / "drat-trim"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def opinion(bin_folder: Path, script: str, files: Files = NONE, seconds: float = 60.0) -> SecondOpinion:
    install(bin_folder, script)
    return check_external(write(files, bin_folder.parent / "certificate.zip"), seconds=seconds)


def test_both_accept(bin_folder: Path) -> None:
    both = opinion(bin_folder, VERIFIES)
    assert both.accepted
    assert both.agree
    assert [(o.proof, o.answer) for o in both.opinions] == [
        ("proof/proof.drat", "verified"), ("proof/conflict.drat", "verified"),
    ]  # fmt: skip
    assert "drat-trim on proof/proof.drat: verified" in str(both)
    assert json.loads(json.dumps(both.as_dict()))["external"][1]["answer"] == "verified"


def test_the_other_refuses(bin_folder: Path) -> None:
    both = opinion(bin_folder, "echo 's NOT VERIFIED'; exit 1")
    assert both.report.accepted
    assert not both.accepted
    assert not both.agree
    assert {o.answer for o in both.opinions} == {"refuted"}


def test_ours_refuses(bin_folder: Path) -> None:
    """A formula that says something else is no business of a proof checker."""
    easier = NONE["proof/formula.cnf"].replace(b"\n-1 -2 0\n", b"\n-1 -3 -2 0\n")
    both = opinion(bin_folder, VERIFIES, sealed(NONE | {"proof/formula.cnf": easier}))
    assert not both.report.accepted
    assert not both.accepted
    assert both.opinions[0].answer == "verified"


def test_both_see_that_the_end_is_missing(bin_folder: Path) -> None:
    both = opinion(bin_folder, VERIFIES, sealed(NONE | {"proof/proof.drat": b"1 2 3 4 0\n"}))
    assert both.report.codes() == ("proof-incomplete",)
    assert [o.answer for o in both.opinions] == ["refuted", "verified"]
    assert both.agree


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("exit 0", "no output"),
        ("echo 'this is s VERIFIED, nearly'", "this is s VERIFIED, nearly"),
        ("kill -9 $$", "no output"),
        ("exec sleep 60", "no answer within 0.5 seconds"),
        ("yes | head -c 3000000", "y"),
    ],
)
def test_programs_that_say_nothing_of_use(script: str, text: str, bin_folder: Path) -> None:
    both = opinion(bin_folder, script, seconds=0.5)
    assert both.report.accepted
    assert not both.accepted
    assert [(o.answer, o.text) for o in both.opinions] == [("failed", text)] * 2


def test_no_such_program(bin_folder: Path) -> None:
    both = check_external(write(NONE, bin_folder.parent / "certificate.zip"), "no-such-checker")
    assert not both.accepted
    assert both.agree
    assert {o.answer for o in both.opinions} == {"not run"}


def test_nothing_to_run_on(bin_folder: Path) -> None:
    many = opinion(bin_folder, VERIFIES, MANY)
    assert many.accepted
    assert many.opinions == ()
    broken = {name: data for name, data in NONE.items() if name != "proof/proof.drat"}
    both = opinion(bin_folder, VERIFIES, broken)
    assert [o.answer for o in both.opinions] == ["not run", "verified"]
    missing = check_external(bin_folder / "nothing.zip")
    assert not missing.accepted
    assert missing.opinions == ()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_end_from_outside_leaves_no_copies_behind(bin_folder: Path, tmp_path: Path) -> None:
    install(bin_folder, 'touch "$0.begun"; exec sleep 60')
    path = write(NONE, tmp_path / "certificate.zip")
    begun, copies = bin_folder / "drat-trim.begun", tmp_path / "copies"
    copies.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "gridproof", "check", str(path), "--external", "drat-trim"],
        env=environment(TMPDIR=str(copies)),
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while not begun.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    assert list(copies.iterdir())
    process.terminate()
    said = process.communicate(timeout=30)[1]
    assert (process.returncode, said) == (143, b"gridproof: ended by SIGTERM\n")
    assert not list(copies.iterdir())
