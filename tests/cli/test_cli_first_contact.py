"""The first contact: help that is true, errors in a line that name what was meant, complaints that do not flood."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli_runner import COMMANDS, EXIT_CODES, Command, environment
from core_samples import UNIQUE, UNIQUE_SOLUTION
from gridproof.cli._results import MOST_REPORTED
from gridproof.text import quote
from small_pyodide import write_small_pyodide

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[2]
DAMAGED = UNIQUE.replace(".", "?", 1)
CLASH = "11.............."
SEVERAL = "1..............."

# ---- names that were meant ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["verfy"], "no command is called 'verfy'; did you mean verify"),
        (
            ["help", "exlpain"],
            "no command is called 'exlpain'; did you mean explain? Expected one of audit, backends, ",
        ),
        (["hint"], "no command is called 'hint'; did you mean `gridproof steps --hint 1 INPUT`?"),
        (["Next"], "no command is called 'Next'; did you mean `gridproof steps --next INPUT`?"),
        (["grade"], "no command is called 'grade'; did you mean `gridproof rate INPUT`?"),
        (["difficulty"], "no command is called 'difficulty'; did you mean `gridproof rate INPUT`?"),
        (["frobnicate"], "no command is called 'frobnicate'; expected one of audit, backends, candidates, "),
        ([UNIQUE], "did you mean `gridproof verify PUZZLE`?"),
        (["-" * 15 + "1"], "did you mean `gridproof verify PUZZLE`?"),
        ([str(ROOT / "README.md")], "did you mean `gridproof verify FILE`?"),
        (["verify", "-b", "cadical", UNIQUE], "did you mean cadical300, cadical195 or cadical153?"),
        (["verify", "-b", "Kisat", UNIQUE], "did you mean kissat"),
        (["verify", "-e", "tryad", UNIQUE], "no encoding is called 'tryad'; did you mean triad? "),
        (["compare", "esay"], "no puzzle set 'esay'; did you mean easy? Expected the path of a file, a puzzle, "),
        (["-q", "verify"], "-q stands before the command; see `gridproof --help`"),
        (["--", "verify"], "-- stands before"),
    ],
    ids=lambda value: shlex.join(value) if isinstance(value, list) else "",
)
def test_the_nearest_name_is_suggested(call: Command, arguments: list[str], message: str) -> None:
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert err.startswith("gridproof: ")


# ---- help ------------------------------------------------------------------------------------------------------------


def test_help_is_a_command_too(call: Command) -> None:
    code, overview, err = call("help")
    assert (code, err) == (0, "")
    assert call("--help") == (0, overview, "")
    assert call() == (2, "", overview), "without a command it is an error, and as helpful"
    assert overview.count("\n") <= 38
    groups = [overview.index(f"\n{group}:\n") for group in ("puzzles", "trust", "research")]
    assert groups == sorted(groups)
    assert "exit codes:" not in overview
    for command, module in COMMANDS.items():
        assert f"  {command} " in overview
        summary, _, _ = (module.__doc__ or "").partition("\n")
        assert summary.endswith(".")
        assert f"  {summary[0].lower()}{summary[1:-1]}\n" in overview
        code, text, _ = call("help", command)
        assert (code, text) == (0, call(command, "--help")[1])
        assert text.startswith(f"usage: gridproof {command} ")
        assert text.index("\n\n") < 100, "the usage is short"


def examples_of(call: Command, command: str) -> list[str]:
    text = call(command, "--help")[1].partition("\nexamples:\n")[2].partition("\n\n")[0]
    return [line.strip() for line in text.splitlines()]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_of_the_help_run(
    call: Command, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    well_known = tmp_path / "examples" / "well-known.txt"
    # without its two hardest puzzles, whose paths take seconds each
    _hardest, easier = well_known.read_text("utf-8").split("# Gordon Royle")
    well_known.write_text("# Gordon Royle" + easier, "utf-8")
    monkeypatch.chdir(tmp_path)
    if command == "check":  # what is checked is what the examples of the other command make
        for example in examples_of(call, "certify"):
            assert call(*shlex.split(example)[1:])[0] == 0
    if command == "page":
        write_small_pyodide(tmp_path / "package")
    examples = examples_of(call, command)
    assert examples
    for example in examples:
        program, *arguments = shlex.split(example)
        assert (program, arguments[0]) == ("gridproof", command)
        assert "*" not in example
        code, _, err = call(*arguments)
        assert code in EXIT_CODES[command], err
        assert code != 2


# ---- arguments -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_argument_is_refused_in_a_line(call: Command, command: str) -> None:
    code, out, err = call(command, "--frobnicate")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"gridproof {command}: ")
    assert err.endswith(f"; see `gridproof {command} --help`\n")


@pytest.mark.parametrize("command", ["verify", "compare"])
@pytest.mark.parametrize("value", ["0", "nan", "soon"])
def test_a_time_limit_is_above_zero(call: Command, command: str, value: str) -> None:
    code, out, err = call(command, f"--seconds={value}", "x")
    assert (code, out) == (2, "")
    assert err == (
        f"gridproof {command}: argument --seconds: {value!r}; expected a number above zero; "
        f"see `gridproof {command} --help`\n"
    )


def test_inputs_may_stand_between_options(call: Command, tmp_path: Path) -> None:
    want = ["unique", "multiple", "none"]
    for arguments in (
        [UNIQUE, "-q", SEVERAL, "-b", "cadical153", CLASH],
        ["-q", UNIQUE, SEVERAL, "-b", "cadical153", CLASH],
        ["-q", "-b", "cadical153", "--", UNIQUE, SEVERAL, CLASH],
    ):
        code, out, err = call("verify", *arguments)
        assert (code, err) == (1, "")
        assert [line.split("\t")[0] for line in out.splitlines()] == want
    assert call("count", SEVERAL, "-q", "--limit", "1", UNIQUE)[1] == "1\tat least; stopped at 1\n" * 2
    assert (
        call("tree", UNIQUE, "-o", str(tmp_path / "t.svg"), UNIQUE)[2] == "gridproof: several puzzles; expected one\n"
    )


# ---- inputs that are not there, or no puzzles ------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["verify", "explain", "compile"])
def test_an_input_that_is_neither_a_file_nor_a_puzzle_is_one_error_that_states_both(
    call: Command, command: str, tmp_path: Path
) -> None:
    output = ["-o", str(tmp_path / "it.svg")] if command in ("certify", "compile", "tree") else []
    for text in ("puzzle.txt", "no/such/folder/p", "my puzzles.CSV", UNIQUE[:-1], DAMAGED, "53x"):
        code, out, err = call(command, text, *output)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert err.startswith(f"gridproof: {quote(text)} is no file that exists; read as a puzzle: column ")
        assert "; expected " in err


@pytest.mark.parametrize("text", ["", " "])
def test_an_empty_input(call: Command, text: str) -> None:
    for bulk in ([], ["-j0"]):
        code, out, err = call("verify", text, *bulk)
        assert (code, out) == (2, "")
        assert f"argument INPUT: {text!r} is empty; expected a file, - for standard input, or a puzzle; see" in err


@pytest.mark.parametrize("command", ["verify", "count", "explain", "certify -o {folder}/proofs", "solve"])
def test_malformed_lines_are_reported_up_to_ten_then_counted(call: Command, tmp_path: Path, command: str) -> None:
    file = tmp_path / "odd.txt"
    file.write_text(f"{DAMAGED}\n" * 7 + f"{UNIQUE}\n{DAMAGED}\n" * 8)
    code, out, err = call(*command.format(folder=tmp_path).split(), str(file))
    assert code == 2
    assert (out + err).count("no symbol of a 9x9 board: '?'") == MOST_REPORTED, "each once, in all"
    assert "gridproof: 5 more malformed\n" in err
    if command == "verify":
        assert out.count("unique\t") == 8, "no good puzzle is lost"
        rows = [json.loads(line) for line in call("verify", "--json", str(file))[1].splitlines()]
        assert [row["verdict"] for row in rows].count("malformed") == 15, "for programs the result is complete"
        assert call("verify", "--engine", "session", "-j0", str(file))[1] == out


# ---- messages beside the results -------------------------------------------------------------------------------------


def test_each_of_several_files_has_its_heading_before_its_results(tmp_path: Path) -> None:
    first, second = tmp_path / "one.txt", tmp_path / "other.txt"
    first.write_text(f"{UNIQUE}\n{SEVERAL}\n")
    second.write_text(f"{DAMAGED}\n")
    done = subprocess.run(
        [sys.executable, "-m", "gridproof", "verify", str(first), "missing.txt", str(second)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
        check=False,
    )
    lines = done.stdout.splitlines()
    assert lines[0] == f"==> {first} <=="
    assert [line.split("\t")[0] for line in lines[1:3]] == ["unique", "multiple"]
    assert (lines[3], lines[5]) == ("==> 'missing.txt' <==", f"==> {second} <==")
    assert lines[4].startswith("gridproof: 'missing.txt' is no file that exists; ")
    assert lines[6].startswith(f"malformed\t{second}, line 1, column ")
    assert lines[7].startswith("3 puzzles: 1 unique, 1 multiple, 1 malformed; ")


def test_none_has_its_reason_at_a_glance(call: Command) -> None:
    assert call("verify", "-q", CLASH)[1] == "none\tr1c1 and r1c2 in row 1 both hold 1\n"
    assert json.loads(call("verify", "--json", CLASH)[1])["reason"] == "r1c1 and r1c2 in row 1 both hold 1"
    assert call("solve", "-q", CLASH)[1] == "# line 1: none: r1c1 and r1c2 in row 1 both hold 1\n"
    hidden = (ROOT / "examples" / "no-solution.txt").read_text().splitlines()[-1]
    assert call("verify", "-q", hidden)[1] == "none\n"


def test_the_summary_points_to_explain_where_that_helps(call: Command) -> None:
    for puzzle, points in ((CLASH, True), (SEVERAL, True), (UNIQUE, False), ("12x" + "." * 13, False)):
        assert ("`gridproof explain` shows why" in call("verify", puzzle)[2]) == points
    assert call("verify", "-q", CLASH)[2] == ""


def test_a_single_solution_speaks_for_itself(call: Command) -> None:
    assert call("solve", UNIQUE) == (0, f"{UNIQUE_SOLUTION}\n", "")
    assert "2 puzzles: 2 solved; " in call("solve", UNIQUE, UNIQUE)[2]
    assert "/s" not in call("verify", UNIQUE)[2], "of one puzzle that is no speed"
    assert "1 puzzle: 1 none" in call("solve", CLASH)[2]
