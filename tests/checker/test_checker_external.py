"""A second check by programs of others: scripts on the PATH, and the real programs where they are installed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from checker.certificate_files import joined, lines, multiple, none, sealed, unique, write
from gridproof.checker import check
from gridproof.checker.external import with_opinion
from gridproof.checker.findings import Opinion

pytestmark = pytest.mark.process

VERIFIES = """
head -n 1 "$1" | grep -q '^p cnf ' || { echo "c no formula"; exit 2; }
tail -n 1 "$2" | grep -q ' 0$' || { echo "s NOT VERIFIED"; exit 1; }
printf 'c parsing\\rc checking\\rs VERIFIED UNSAT\\n'
"""


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return folder


def opinion(folder: Path, script: str, files: dict[str, bytes], name: str = "lpr", seconds: float = 60.0) -> Opinion:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    report = with_opinion(check(write(files, folder.parent / "certificate")), name, seconds)
    assert report.accepted
    assert report.opinion is not None
    assert str(report).splitlines()[-1] == f"  {report.opinion}"
    assert report.confirmed == (report.opinion.answer == "verified")
    return report.opinion


def test_it_verifies(bin_folder: Path) -> None:
    for files in (unique(), none()):
        assert str(opinion(bin_folder, VERIFIES, files)) == "lpr on proof.lrat: verified: s VERIFIED UNSAT"


def test_a_program_gets_the_proof_that_it_reads(bin_folder: Path) -> None:
    for name, suffix in (("my-drat-checker", "drat"), ("my-lrat-checker", "lrat")):
        both = opinion(bin_folder, f'case "$2" in *.{suffix}) echo "s VERIFIED";; esac', unique(), name)
        assert both.answer == "verified", str(both)


def test_a_proof_checker_cannot_see_that_a_formula_states_something_else(bin_folder: Path) -> None:
    opinion(bin_folder, VERIFIES, unique())
    easier = sealed(unique() | {"formula.cnf": joined([*lines(unique()["formula.cnf"]), "1 0"])})
    report = with_opinion(check(write(easier, bin_folder.parent / "easier")), "lpr")
    assert report.codes() == ("formula-differs",)
    assert report.opinion is not None
    assert report.opinion.answer == "verified"
    assert not report.confirmed


@pytest.mark.parametrize(
    ("script", "answer", "text"),
    [
        ("echo 's NOT VERIFIED'; exit 1", "refuted", "s NOT VERIFIED"),
        ("exit 0", "refuted", "no output"),
        ("echo 'this is s VERIFIED, nearly'", "refuted", "this is s VERIFIED, nearly"),
        ("kill -9 $$", "failed", "no output"),
        ("exec sleep 60", "failed", "no answer within 0.5 seconds"),
        ("yes | head -c 3000000", "refuted", "y"),
    ],
)
def test_programs_that_do_not_verify(script: str, answer: str, text: str, bin_folder: Path) -> None:
    found = opinion(bin_folder, script, none(), seconds=0.5 if "sleep" in script else 60)
    assert (found.answer, found.text) == (answer, text)


def test_nothing_to_run(bin_folder: Path) -> None:
    missing = with_opinion(check(write(unique(), bin_folder.parent / "certificate")), "no-such-checker")
    assert missing.opinion is not None
    assert missing.opinion.answer == "not run"
    assert with_opinion(check(write(multiple(), bin_folder.parent / "multiple")), "lpr").opinion is None
    assert with_opinion(check(bin_folder / "nothing"), "lpr").opinion is None


@pytest.mark.parametrize("program", ["cake_lpr", "lrat-check", "drat-trim"])
def test_real_programs(program: str, tmp_path: Path) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    for name, files in (("unique", unique()), ("none", none())):
        report = with_opinion(check(write(files, tmp_path / name)), program)
        assert report.confirmed, str(report)
