"""What people meet first: help that is true, errors in a line that say what was meant, complaints that do not flood."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from cli_runner import COMMANDS, environment, run
from core_samples import UNIQUE, UNIQUE_SOLUTION
from gridproof.cli import main
from gridproof.cli._complaints import SHOWN, SHOWN_OF_OTHERS
from gridproof.errors import choices
from gridproof.experiments import DEFAULT_BACKENDS
from gridproof.formats import datasets

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[1]
DAMAGED = UNIQUE.replace(".", "?", 1)
CLASH = "11.............."
SEVERAL = "1..............."

Command: TypeAlias = Callable[..., tuple[int, str, str]]


@pytest.fixture
def gridproof(capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line in this process: exit code, output, errors."""

    def call(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as leave:
            code = int(leave.code or 0)
        return (code, *capsys.readouterr())

    return call


# ---- what was meant -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["verfy"], "no command is called 'verfy'; did you mean verify"),
        (["help", "exlpain"], "no command is called 'exlpain'; did you mean explain? Expected one of backends, "),
        (["frobnicate"], "no command is called 'frobnicate'; expected one of backends, candidates, "),
        ([UNIQUE], "did you mean `gridproof verify PUZZLE`?"),
        (["-" * 15 + "1"], "did you mean `gridproof verify PUZZLE`?"),
        ([str(ROOT / "README.md")], "did you mean `gridproof verify FILE`?"),
        (["verify", "-b", "cadical", UNIQUE], "did you mean cadical300, cadical195 or cadical153?"),
        (["verify", "-b", "Kisat", UNIQUE], "did you mean kissat"),
        (["verify", "-e", "tryad", UNIQUE], "no encoding is called 'tryad'; did you mean triad? "),
        (["compare", "esay"], "no puzzle set 'esay'; did you mean easy? Expected the path of a file, or one of easy, "),
        (["-q", "verify"], "-q; see `gridproof --help`"),
        (["--", "verify"], "--"),
    ],
    ids=lambda value: shlex.join(value) if isinstance(value, list) else "",
)
def test_the_nearest_name_is_said(gridproof: Command, arguments: list[str], says: str) -> None:
    code, out, err = gridproof(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1
    assert err.startswith("gridproof: ")


def test_the_nearest_names_then_all() -> None:
    known = ["easy", "hard", "hardest"]
    assert choices("HARD", known) == "did you mean hard or hardest? Expected one of easy, hard, hardest"
    assert choices("", known, "a path or ") == "expected a path or one of easy, hard, hardest"


# ---- help ------------------------------------------------------------------------------------------------------------


def test_help_is_a_command_too(gridproof: Command) -> None:
    code, overview, err = gridproof("help")
    assert (code, err) == (0, "")
    assert gridproof("--help") == (0, overview, "")
    assert gridproof() == (2, "", overview), "without a command it is an error, and as helpful"
    for command, module in COMMANDS.items():
        assert f"  {command} " in overview
        assert f"  {module.SUMMARY}\n" in overview
        code, text, _ = gridproof("help", command)
        assert (code, text) == (0, gridproof(command, "--help")[1])
        assert text.startswith(f"usage: gridproof {command} ")
        assert text.index("\n\n") < 100, "the usage is short"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_of_the_help_run(
    gridproof: Command, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    module = COMMANDS[command]
    if command == "check":  # what is checked is what the examples of the other command make
        for example in COMMANDS["certify"].EXAMPLES:
            assert gridproof(*shlex.split(example)[1:])[0] == 0
    assert len(module.EXAMPLES) >= 2
    text = gridproof(command, "--help")[1]
    for example in module.EXAMPLES:
        assert f"\n    {example}\n" in text
        program, *arguments = shlex.split(example)
        assert (program, arguments[0]) == ("gridproof", command)
        assert "*" not in example
        code, _, err = gridproof(*arguments)
        assert code in module.EXIT_CODES, err
        assert code != 2


def test_the_defaults_that_the_help_states_are_those(gridproof: Command, tmp_path: Path) -> None:
    text = " ".join(gridproof("tree", "--help")[1].replace("-\n", "-").split())
    assert "see `gridproof backends` (default: search- propagate)" in text.replace(
        "search-propagate", "search- propagate"
    )
    assert "time limit for each puzzle; then it is undecided (default: 10)" in text
    for options in ([], ["-b", "search-propagate", "--seconds", "10", "--nodes", "60"]):
        code, _, err = gridproof("tree", UNIQUE, "-o", str(tmp_path / "tree.svg"), *options)
        assert code == 0
        assert err.startswith("search-propagate: ")
    text = " ".join(gridproof("compare", "--help")[1].split())
    assert f"(default: {', '.join(DEFAULT_BACKENDS)})" in text
    assert f"one of the sets {', '.join(datasets.names())}" in text


def test_the_sets_are_listed(gridproof: Command) -> None:
    code, out, err = gridproof("compare", "--list-sets")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == datasets.names()
    for line, name in zip(out.splitlines(), datasets.names(), strict=True):
        assert int(line.split()[1]) == len(datasets.load(name))
        assert datasets.summary(name) in line
    assert datasets.summary("many") == "Several solutions, 2 to 1000"


def test_verify_groups_its_options(gridproof: Command) -> None:
    text = gridproof("verify", "--help")[1]
    groups = ["input:", "shape of the boards", "how the answer is found:", "output:", "many puzzles of one file"]
    places = [text.index(f"\n{group}") for group in groups]
    assert places == sorted(places)
    assert places[-1] < text.index("  --dask ADDRESS")


# ---- arguments -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_argument_is_told_in_a_line(gridproof: Command, command: str) -> None:
    code, out, err = gridproof(command, "--frobnicate")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"gridproof {command}: ")
    assert err.endswith(f"; see `gridproof {command} --help`\n")


@pytest.mark.parametrize("command", ["verify", "explain", "tree", "compare", "check"])
@pytest.mark.parametrize("value", ["0", "-1", "nan", "soon", ""])
def test_a_time_limit_is_above_zero(gridproof: Command, command: str, value: str) -> None:
    code, out, err = gridproof(command, f"--seconds={value}", "x")
    assert (code, out) == (2, "")
    assert err == (
        f"gridproof {command}: argument --seconds: {value!r}; expected a number above zero; "
        f"see `gridproof {command} --help`\n"
    )


def test_inputs_may_stand_between_options(gridproof: Command, tmp_path: Path) -> None:
    want = ["unique", "multiple", "none"]
    for arguments in (
        [UNIQUE, "-q", SEVERAL, "-b", "cadical153", CLASH],
        ["-q", UNIQUE, SEVERAL, "-b", "cadical153", CLASH],
        ["-q", "-b", "cadical153", "--", UNIQUE, SEVERAL, CLASH],
    ):
        code, out, err = gridproof("verify", *arguments)
        assert (code, err) == (1, "")
        assert [line.split("\t")[0] for line in out.splitlines()] == want
    assert gridproof("count", SEVERAL, "-q", "--limit", "1", UNIQUE)[1] == "1\tat least; stopped at 1\n" * 2
    assert (
        gridproof("tree", UNIQUE, "-o", str(tmp_path / "t.svg"), UNIQUE)[2]
        == "gridproof: several puzzles; expected one\n"
    )


def test_what_a_tree_cannot_use_is_refused(gridproof: Command, tmp_path: Path) -> None:
    output = str(tmp_path / "tree.svg")
    code, _, err = gridproof("tree", UNIQUE, "-o", output, "-e", "triad")
    assert (code, "--encoding 'triad': search-propagate takes none" in err) == (2, True)
    code, _, err = gridproof("tree", UNIQUE, "-o", output, "-b", "cadical153", "--nodes", "5")
    assert (code, "--nodes 5: cadical153 walks no tree" in err) == (2, True)
    assert not Path(output).exists()


# ---- inputs that are not there, or no puzzles ------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["verify", "solve", "count", "explain", "candidates", "certify", "compile", "tree"])
def test_a_missing_file_is_one_line_and_no_puzzle(gridproof: Command, command: str, tmp_path: Path) -> None:
    output = ["-o", str(tmp_path / "it.svg")] if command in ("certify", "compile", "tree") else []
    for name in ("puzzle.txt", "puzzles", "no/such/folder/p", "..\\x.sdk", "my puzzles.CSV"):
        assert gridproof(command, name, *output) == (2, "", f"gridproof: no such file: {name!r}\n")


@pytest.mark.parametrize("text", [UNIQUE[:-1], DAMAGED, UNIQUE[:-4] + ".x79", UNIQUE.replace(".", "/", 1), "53x"])
def test_a_damaged_puzzle_is_no_missing_file(gridproof: Command, text: str) -> None:
    code, out, err = gridproof("verify", text)
    assert (code, out.startswith("malformed\t")) == (2, True)
    assert "or the path of a file that exists" in err
    assert "1 puzzle: 1 malformed" in err


@pytest.mark.parametrize("text", ["", " "])
def test_an_empty_input(gridproof: Command, text: str) -> None:
    for bulk in ([], ["-j0"]):
        code, out, err = gridproof("verify", text, *bulk)
        assert (code, out) == (2, "")
        assert f"argument INPUT: {text!r} is empty; expected a file, - for standard input, or a puzzle; see" in err


PROSE = "This is a text about puzzles of every kind.\n\nIt has several words, and no cells at all in its lines.\n\n"


@pytest.mark.parametrize(
    ("content", "like"),
    [
        (PROSE * 20, "prose or a program"),
        ('"""A module of things."""\n\nfrom collections import deque, Counter\n\nclass A:\n    x = 1\n\n' * 9, "prose"),
        (
            '<?xml version="1.0"?>\n\n<svg xmlns="http://www.w3.org/2000/svg">\n\n<path d="M0 0"/>\n\n</svg>\n\n' * 9,
            "XML or HTML",
        ),
        (b"\x7fELF\x02\x01\x00\n\n\x00\x01\x02\n\n\x89\x90\n\n" * 9, "binary data"),
    ],
    ids=["prose", "program", "XML", "binary"],
)
def test_what_is_no_file_of_puzzles_is_not_complained_about_line_by_line(
    gridproof: Command, tmp_path: Path, content: str | bytes, like: str
) -> None:
    file = tmp_path / "some file"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with file.open("ab") as more:  # a good puzzle is not lost, wherever it stands
        more.write(f"\n\n{UNIQUE}\n".encode())
    code, out, err = gridproof("verify", str(file))
    assert code == 2
    rows = [line.split("\t")[0] for line in out.splitlines()]
    assert rows[-1] == "unique"
    assert len(rows) > 10, "the result has a row for each, as it is no terminal"
    told = err.splitlines()
    assert [line.startswith(f"gridproof: {file}, line ") for line in told[: SHOWN_OF_OTHERS + 1]] == [True] * 3 + [
        False
    ]
    assert told[SHOWN_OF_OTHERS].startswith(f"gridproof: {file} looks like {like}")
    assert f"gridproof: {len(rows) - 1 - SHOWN_OF_OTHERS} more malformed" in told
    assert len(told) == SHOWN_OF_OTHERS + 3
    # the same where there are no rows
    assert gridproof("explain", str(file))[2].splitlines() == told[:-1]


def test_a_run_of_damaged_puzzles_is_counted_and_scattered_ones_are_told(gridproof: Command, tmp_path: Path) -> None:
    file = tmp_path / "odd.txt"
    file.write_text(f"{DAMAGED}\n" * 25 + f"{UNIQUE}\n{DAMAGED}\n" * 15)
    code, out, err = gridproof("verify", str(file))
    assert (code, out.count("malformed"), out.count("unique")) == (2, 40, 15)
    assert err.count("no symbol of a 9x9 board") == SHOWN + 15
    assert "gridproof: 10 malformed in a row: what else is malformed there is only counted\n" in err
    assert "gridproof: 15 more malformed\n" in err
    # prose at the beginning of many puzzles: damage among them is told
    file.write_text(PROSE * 4 + f"{UNIQUE}\n" * 12 + f"{DAMAGED}\n")
    err = gridproof("count", str(file))[2]
    assert "gridproof: 5 more malformed\n" in err
    assert err.count("no symbol of a 9x9 board") == 1


def test_the_next_file_begins_anew(gridproof: Command, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.txt", "b.txt")]
    for file in files:
        file.write_text(f"{DAMAGED}\n" * 12)
    err = gridproof("verify", *map(str, files))[2]
    for file in files:
        assert err.count(f"gridproof: {file}, line ") == SHOWN
    assert err.count("gridproof: 2 more malformed\n") == 2


# ---- what is said beside the results ---------------------------------------------------------------------------------


def test_each_of_several_files_has_its_heading_before_its_results(tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    one.write_text(f"{UNIQUE}\n{SEVERAL}\n")
    other.write_text(f"{DAMAGED}\n")
    done = subprocess.run(
        [sys.executable, "-m", "gridproof", "verify", str(one), "missing.txt", str(other)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(),
        check=False,
    )
    lines = done.stdout.splitlines()
    assert lines[0] == f"==> {one} <=="
    assert [line.split("\t")[0] for line in lines[1:3]] == ["unique", "multiple"]
    assert lines[3:6] == ["==> 'missing.txt' <==", "gridproof: no such file: 'missing.txt'", f"==> {other} <=="]
    assert lines[6].startswith(f"malformed\t{other}, line 1, column ")
    assert lines[7].startswith("3 puzzles: 1 unique, 1 multiple, 1 malformed; ")
    assert "==>" not in run("verify", "-q", str(one), str(other)).stderr.decode()
    assert "==>" not in run("verify", str(one)).stderr.decode()


def test_none_says_why_at_a_glance(gridproof: Command) -> None:
    assert gridproof("verify", "-q", CLASH)[1] == "none\tr1c1 and r1c2 in row 1 both hold 1\n"
    assert json.loads(gridproof("verify", "--json", CLASH)[1])["reason"] == "r1c1 and r1c2 in row 1 both hold 1"
    assert gridproof("solve", "-q", CLASH)[1] == "# line 1: none: r1c1 and r1c2 in row 1 both hold 1\n"
    hidden = (ROOT / "examples" / "no-solution.txt").read_text().splitlines()[-1]
    assert gridproof("verify", "-q", hidden)[1] == "none\n"


def test_the_summary_points_to_explain_where_that_helps(gridproof: Command) -> None:
    for puzzle, points in ((CLASH, True), (SEVERAL, True), (UNIQUE, False), (DAMAGED, False)):
        assert ("`gridproof explain` tells why" in gridproof("verify", puzzle)[2]) == points
    assert gridproof("verify", "-q", CLASH)[2] == ""


def test_a_single_solution_speaks_for_itself(gridproof: Command) -> None:
    assert gridproof("solve", UNIQUE) == (0, f"{UNIQUE_SOLUTION}\n", "")
    assert "2 puzzles: 2 solved; " in gridproof("solve", UNIQUE, UNIQUE)[2]
    assert "/s" not in gridproof("verify", UNIQUE)[2], "of one puzzle that is no speed"
    assert "1 puzzle: 1 none" in gridproof("solve", CLASH)[2]


def test_all_candidates_do_not_look_like_none(gridproof: Command) -> None:
    assert gridproof("candidates", "." * 16) == (0, "every cell can hold every symbol\n", "")
    assert "1234" in gridproof("candidates", SEVERAL)[1]


def test_explain_says_what_its_brackets_mean(gridproof: Command) -> None:
    redundant = "1234341221434321"
    for puzzle, legend in ((CLASH, "contradict each other"), (SEVERAL, "differ"), (redundant, "can be left out")):
        lines = gridproof("explain", puzzle)[1].splitlines()
        (place,) = [number for number, line in enumerate(lines) if line.startswith("[ ]: ")]
        assert legend in lines[place]
        assert any("[" in line for line in lines[:place])
        assert lines[place - 1].startswith("└")
    minimal = gridproof("explain", UNIQUE)[1]
    assert ("[ ]" in minimal) == ("on its own" in minimal)
