"""Standard streams that are closed: no traceback, the same result, and nothing else in their place."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli_runner import environment
from core_samples import UNIQUE
from gridproof.cli import main

pytestmark = pytest.mark.process

STREAMS = ("stdin", "stdout", "stderr")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "puzzle.txt").write_text(f"{UNIQUE}\n")
    return tmp_path


@pytest.mark.parametrize("closed", [*((name,) for name in STREAMS), STREAMS], ids=str)
@pytest.mark.parametrize("words", ["verify -", "verify -q -j 0 --json -", "verify -o result.csv -j 0 -", "backends"])
def test_closed_streams(words: str, closed: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python then has no object for the stream, and so it is taken away here."""
    if "stdin" not in closed and words.endswith(" -"):
        words = f"{words.removesuffix('-')}puzzle.txt"
    for name in closed:
        monkeypatch.setattr(sys, name, None)
    code = 2 if words.endswith("-") else 0
    assert main(words.split()) == code, "without a puzzle there is nothing to print"
    for name in closed:
        getattr(sys, name).close()


CLOSING = ["sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-', sys.executable]
COMPARE = ["compare", "puzzle.txt", "-b", "reference", "--sample", "1", "--repeat", "1", "-o", "runs.csv"]


@pytest.mark.skipif(os.name != "posix", reason="a shell closes them")
@pytest.mark.parametrize("words", [["verify", "puzzle.txt", "-o", "runs.csv", "-j", "1"], COMPARE], ids=" ".join)
def test_a_process_and_its_workers_without_any(words: list[str], folder: Path) -> None:
    command = [*CLOSING, "-m", "gridproof", *words]
    assert subprocess.run(command, env=environment(), check=False, timeout=60).returncode == 0
    assert (folder / "runs.csv").read_text().count("\n") == 2


@pytest.mark.skipif(os.name != "posix", reason="a shell closes them")
def test_no_file_gets_the_number_of_a_closed_stream(folder: Path) -> None:
    """Solvers print by these numbers: into the result, else."""
    program = (
        "import sys; from gridproof.cli import main; main(['encodings']); "
        "made = open('made', 'w'); made.write(str(made.fileno()))"
    )
    assert subprocess.run([*CLOSING, "-c", program], env=environment(), check=False, timeout=60).returncode == 0
    assert int((folder / "made").read_text()) > 2


@pytest.mark.parametrize("words", ["verify puzzle.txt", "verify -b kissat --seconds 9 puzzle.txt", "backends"])
def test_a_command_leaves_nothing_open_that_python_warns_of(words: str, folder: Path) -> None:
    command = [sys.executable, "-X", "dev", "-W", "error", "-m", "gridproof", *words.split()]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment())
    assert (run.returncode, run.stderr.replace("1 puzzle: 1 unique; reference: agrees 1\n", "")) == (0, "")
    assert run.stdout
