"""Results as the command line gives them: nothing in them steers a terminal, and nothing that is there gets lost."""

from __future__ import annotations

import re
import shlex
from contextlib import nullcontext
from pathlib import Path

import pytest

from core_samples import UNIQUE
from gridproof import cli
from gridproof.cli import verify

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder where the commands run."""
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
    assert shown.err.count(r"\x1b[31m") == 3
    assert not CONTROL.search(shown.out + shown.err)


# ---- files that are there already ------------------------------------------------------------------------------------

VERIFY = "verify small -q -j0 -o {}"
COMPARE = "compare small -q -b reference --repeat 1 -o {}"


@pytest.fixture
def small() -> Path:
    """A file with a puzzle of 4x4 cells."""
    path = Path("small")
    path.write_text("1.....2..3.....4\n")
    return path


@pytest.mark.slow
@pytest.mark.parametrize(("line", "ending"), [(VERIFY, "parquet"), (COMPARE, "csv")])
def test_results_are_not_overwritten_by_default(
    line: str, ending: str, small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = Path(f"it.{ending}")
    words = shlex.split(line.format(result))
    assert run(*words) == 0
    first = result.read_bytes()
    small.write_text("2.....1..3.....4\n")
    assert run(*words) == 2
    message = capsys.readouterr().err
    assert f"{result} exists already; expected --force to overwrite it, --resume, or another name" in message
    assert run(*words, "--resume") == 2
    assert result.read_bytes() == first
    assert run(*words, "--force") == 0
    assert result.read_bytes() != first
    with pytest.raises(SystemExit, match="2"):
        run(*words, "--force", "--resume")


def test_a_run_that_was_to_overwrite_and_came_to_nothing_leaves_the_old_result(
    small: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = Path("it.csv")
    result.write_text("old")
    words = shlex.split(VERIFY.format(result))
    monkeypatch.setattr("sys.argv", ["gridproof", *words, "--force"])
    with monkeypatch.context() as patch:
        patch.setattr(verify, "first_ctrl_c", lambda _: nullcontext(lambda: True))
        assert run(*words, "--force") == 130
    message = capsys.readouterr().err.strip().splitlines()[-1]
    assert message == "gridproof: interrupted before any part was done"
    assert result.read_text() == "old"
    assert run(*words, "--force") == 0
    assert "unique" in result.read_text()


@pytest.mark.parametrize(
    "line",
    [
        "show small -o it.svg",
        "explain small -o it.svg",
        "convert small -o it.csv",
        "compile small -o it.cnf",
    ],
)
def test_any_output_is_overwritten_on_demand_only(line: str, small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line)
    place = Path(words[-1])
    place.write_text("old")
    assert run(*words) == 2
    expected = f"{place} exists already; expected --force to overwrite it, or another name"
    assert (expected in capsys.readouterr().err, place.read_text()) == (True, "old")
    assert run(*words, "--force") == 0
    assert place.read_text() != "old"


def test_a_picture_has_its_ending(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("explain", "tree"):
        assert run(command, "small", "-o", f"{command}.png") == 0
        assert Path(f"{command}.png").read_bytes().startswith(b"\x89PNG")
        assert run(command, "small", "-o", "it.gif") == 2
        assert "'it.gif'; expected a name that ends in .svg, .png, .pdf, .html" in capsys.readouterr().err
        assert not Path("it.gif").exists()
