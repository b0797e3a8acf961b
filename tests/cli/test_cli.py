"""The command line: what it prints where, its exit codes, and what it makes of odd input."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cli_runner import Command, environment, run
from core_samples import FOUR, HARD, JIGSAW_SIX, NINE, UNIQUE, UNIQUE_SOLUTION
from gridproof.cli import main
from gridproof.models import catalog
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import compile_cnf
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import quote
from gridproof.trust import reference
from gridproof.trust.check import violations

JUDGE_IN = """\
.2738..1..1...6735.......293.5692.8...........6.1745.364.......9518...7..8..6534.
......52..8.4......3...9...5.1...6..2..7........3.....6...1..........7.4.......3.
end
"""
JUDGE_OUT = """\
527389416819426735436751829375692184194538267268174593643217958951843672782965341
416837529982465371735129468571298643293746185864351297647913852359682714128574936
"""
TWO = "12343412........"
NONE = "12.........3...4"
"""4x4 boards: the first has several solutions, the second none, though no two clues clash."""


# ---- solve, verify, count ------------------------------------------------------------------------------------------


def test_the_online_judge_gets_its_two_lines_and_nothing_else() -> None:
    done = run("solve", stdin=JUDGE_IN)
    assert done.returncode == 0
    assert done.stdout == JUDGE_OUT.encode()
    assert b"2 solved" in done.stderr
    quiet = run("solve", "-q", "-", stdin=JUDGE_IN.replace("\n", "\r\n"))
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, JUDGE_OUT.encode(), b"")


def test_verify_prints_each_kind_in_its_place(call: Command, tmp_path: Path) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{UNIQUE}\n# a comment\n{TWO}\n{NONE}\n12x4{'.' * 12}\n{UNIQUE}\n", encoding="utf-8")
    done = call("verify", str(puzzles))
    assert done.code == 2
    lines = [line.split("\t") for line in done.out.splitlines()]
    assert [line[0] for line in lines] == ["unique", "multiple", "none", "malformed", "unique"]
    assert lines[0] == lines[4] == ["unique", UNIQUE_SOLUTION]
    _, first, second, differ = lines[1]
    board = Board.from_symbols(FOUR, TWO)
    grids = [tuple(map(int, text)) for text in (first, second)]
    assert not [reason for grid in grids for reason in violations(board, grid)]
    cells = [cell for cell, (a, b) in enumerate(zip(*grids, strict=True)) if a != b]
    assert differ == "differ in " + " ".join(FOUR.cell_name(cell) for cell in cells)
    assert cells
    assert lines[2] == ["none", "r1c4 has no candidate left"]
    assert lines[3][1].startswith(f"{puzzles}, line 5, column 3: ")
    assert "'x'" in lines[3][1]
    assert re.search(r"5 puzzles: 2 unique, 1 multiple, 1 none, 1 malformed; .*reference: ", done.err)


def test_solve_names_the_puzzles_that_have_other_solutions(call: Command) -> None:
    done = call("solve", stdin=f"{UNIQUE}\n{TWO}\n{NONE}\n{TWO}\n")
    line = "gridproof: 2 puzzles have other solutions, too: line 2, line 4 (`gridproof verify` shows two of each)"
    assert line in done.err.splitlines()
    assert len(done.lines) == 4
    assert "other solutions" not in call("solve", UNIQUE).err
    assert call("solve", "-q", TWO).err == ""
    assert "1 puzzle has other solutions, too: line 1 (" in call("solve", "--json", TWO).err


def test_count_up_to_a_limit(call: Command) -> None:
    assert call("count", "-q", "--limit", "7", "." * 16) == (0, "7\tat least; stopped at 7\n", "")
    assert call("count", "-q", "--limit", "289", "." * 16) == (0, "288\n", "")
    undecided = call("count", "--seconds", "1e-9", HARD)
    assert undecided.code == 1
    assert undecided.out == "0\tat least; stopped by the limit of 1e-09 seconds\n"
    for bad in ("0", "-1", "x", "1.5"):
        assert call("count", "--limit", bad, UNIQUE).code == 2


def test_seconds_on_a_hostile_board(call: Command) -> None:
    """An empty 25x25 board is more than a search in reading order can fill; a hopeless one need not take its time."""
    done = call("verify", "--seconds", "0.3", "-b", "search-scan", stdin="." * 625 + "\n")
    assert done.code == 1
    assert done.out == "undecided\tstopped by the limit of 0.3 seconds\n"
    clues = [[0] * 25 for _ in range(25)]
    clues[24][:24] = range(1, 25)
    clues[20][24] = 25  # the last cell of the last row needs 25, too
    text = "\n".join(" ".join(map(str, row)) for row in clues)
    assert call("verify", "--seconds", "600", stdin=text + "\n").out == "none\tr25c25 has no candidate left\n"


# ---- JSON ------------------------------------------------------------------------------------------------------------


def test_json_is_one_object_a_line_with_the_named_keys(call: Command) -> None:
    lines = f"{UNIQUE}\n{TWO}\n{NONE}\n12x4{'.' * 12}\n"
    named = {"input", "verdict", "solutions", "evidence", "statistics", "timings"}
    done = call("verify", "--json", "--details", stdin=lines)
    assert done.code == 2
    records = [json.loads(line) for line in done.out.splitlines()]
    assert [record["verdict"] for record in records] == ["unique", "multiple", "none", "malformed"]
    assert [record.get("reason") for record in records[:3]] == [None, None, "r1c4 has no candidate left"]
    assert [record["input"] for record in records[:3]] == [UNIQUE, TWO, NONE]
    assert [record["line"] for record in records] == [1, 2, 3, 4]
    for record in records[:3]:
        assert named <= set(record)
        assert set(record["timings"]) == {"solve", "check", "reference"} - (
            {"reference"} if record["verdict"] == "multiple" else set()
        )
        assert all(seconds >= 0 for seconds in record["timings"].values())
        assert record["backend"]
        assert record["encoding"] in catalog.names()
    assert [len(record["solutions"]) for record in records[:3]] == [1, 2, 0]
    assert records[0]["solutions"] == [UNIQUE_SOLUTION]
    assert records[0]["evidence"]["reference"] == "agrees"
    assert records[1]["evidence"]["reference"] == "not needed"
    assert records[1]["differ"]
    assert "expected" in records[3]["reason"]
    solved = json.loads(call("solve", "--json", UNIQUE).out)
    assert named <= set(solved)
    assert solved["verdict"] == "solved"
    counted = json.loads(call("count", "--json", "." * 16).out)
    assert (counted["count"], counted["complete"], counted["verdict"]) == (288, True, "counted")
    assert counted["evidence"]["reference"] == "agrees"
    cut = json.loads(call("count", "--json", "--limit", "5", "." * 16).out)
    assert (cut["count"], cut["complete"]) == (5, False)


# ---- shapes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "geometry"),
    [
        ("", Geometry.classic(3)),
        ("--boxes 3x2", Geometry.classic(3, 2)),
        ("--boxes 2X3", Geometry.classic(2, 3)),
        ("--latin", Geometry.latin(5)),
        ("--diagonal", Geometry.classic(3).with_diagonals()),
        ("--windoku", Geometry.classic(3).with_windoku()),
        ("--disjoint", Geometry.classic(2).with_disjoint_groups()),
        ("--boxes 2x2 --diagonal --disjoint", FOUR.with_diagonals().with_disjoint_groups()),
        ("--jigsaw six.txt", Geometry.jigsaw(JIGSAW_SIX)),
        ("--jigsaw six.txt --diagonal", Geometry.jigsaw(JIGSAW_SIX).with_diagonals()),
    ],
    ids=str,
)
def test_every_shape_has_its_options(
    call: Command, tmp_path: Path, arguments: str, geometry: Geometry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("six.txt").write_text(JIGSAW_SIX.replace(" ", "\n"), encoding="utf-8-sig", newline="\r\n")
    empty = Board.empty(geometry)
    first = next(reference.solutions(empty), None)
    line = "." * geometry.cell_count
    record = json.loads(call("solve", "--json", *arguments.split(), line).out)
    assert record["geometry"] == geometry.description
    if first is None:
        assert record["verdict"] == "none"
        return
    assert record["verdict"] == "solved"
    grid = tuple(map(int, record["solutions"][0]))
    assert not violations(empty, grid)
    # and the houses are all there: the solution with one clue short is no board of several solutions
    text = "".join(map(str, first))
    assert call("verify", *arguments.split(), "." + text[1:]).out == f"unique\t{text}\n"


def test_a_puzzle_that_begins_with_the_blank_minus_is_no_option(call: Command) -> None:
    puzzle = "-" + UNIQUE_SOLUTION[1:]
    assert call("verify", "-q", puzzle) == (0, f"unique\t{UNIQUE_SOLUTION}\n", "")
    done = call("verify", "--json", "-q", "--34" + "-" * 12, "-" * 15 + "1")
    assert [json.loads(line)["input"] for line in done.out.splitlines()] == ["--34" + "-" * 12, "-" * 15 + "1"]
    damaged = call("verify", "-q", "-" * 10 + "34" + "-" * 5)
    assert damaged.code == 2
    assert "'----------34-----'; expected" in damaged.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--boxes", "foo"], "--boxes 'foo'"),
        (["--boxes", "2x2"], "16 cells"),
        (["--boxes", "0x3"], "order 0"),
        (["--boxes", ""], "--boxes ''"),
        (["--boxes", "3x3", "--latin"], "not allowed with"),
        (["--jigsaw", "missing.txt"], "missing.txt"),
        (["--windoku", "--latin"], "windoku"),
        (["--cross-check", "bad"], "expected all, none or sample=P"),
        (["--cross-check", "sample=1.5"], "expected all, none or sample=P"),
        (["--cross-check", "sample="], "expected all, none or sample=P"),
        (["-b", "nobody"], "no backend is called 'nobody'"),
        (["-b", ""], "no backend is called ''"),
        (["-e", "nothing"], "no encoding is called 'nothing'"),
        (["-e", ""], "no encoding is called ''"),
        (["-e", "missing.toml"], "missing.toml"),
        (["-b", "reference", "-e", "minimal"], "takes no encoding"),
        (["-b", "cp-sat", "-e", "minimal"], "target"),
    ],
)
def test_bad_usage(call: Command, arguments: list[str], message: str) -> None:
    done = call("verify", *arguments, UNIQUE)
    assert done.code == 2
    assert message in done.err
    assert "unique" not in done.out


# ---- cross-check -----------------------------------------------------------------------------------------------------


# ---- odd input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "verdicts"),
    [
        (b"", []),
        (b"\n\r\n   \n# nothing but a comment\n", []),
        (b"puzzle,solution\n", []),
        (b"\xef\xbb\xbf" + UNIQUE.encode() + b"\r\n", ["unique"]),
        (UNIQUE.encode(), ["unique"]),
        (UNIQUE.replace(".", "0").encode() + b"\r", ["unique"]),
        (UNIQUE.encode() + b"\r\n" + UNIQUE.encode() + b"\r\n", ["unique", "unique"]),
        (UNIQUE.encode()[:-1] + b"\n", ["malformed"]),
        (UNIQUE.encode() + b"1\n", ["malformed"]),
        (b"\x00" * 81 + b"\n" + UNIQUE.encode() + b"\n", ["malformed", "unique"]),
        (b"\xff\xfe" + UNIQUE.encode("utf-16-le"), ["unique"]),
        (UNIQUE.replace("5", "\u0665").encode(), ["malformed"]),
        (UNIQUE.encode() + b"\n" + bytes(range(128, 256)) + b"\n" + UNIQUE.encode(), ["unique", "malformed", "unique"]),
        (b"1" * 2_000_000 + b"\n" + UNIQUE.encode() + b"\n", ["malformed", "unique"]),
    ],
    ids=[
        *("empty", "comment", "header", "mark", "no line end", "old Macintosh", "Windows", "short", "long", "zeros"),
        *("UTF-16", "other digits", "junk", "huge line"),
    ],
)
@pytest.mark.parametrize("place", ["file", "standard input"])
def test_odd_files(call: Command, tmp_path: Path, content: bytes, verdicts: list[str], place: str) -> None:
    name = place
    if place == "file":
        path = tmp_path / "odd file.txt"
        path.write_bytes(content)
        name = repr(str(path))
        done = call("verify", str(path))
    else:
        done = call("verify", stdin=content)
    assert [line.split("\t")[0] for line in done.out.splitlines()] == verdicts
    assert done.code == (2 if "malformed" in verdicts or not verdicts else 0)
    assert verdicts or done.err == f"gridproof: no puzzle in {name}; expected at least one\n"
    assert "Traceback" not in done.err
    assert len(done.err) < 2_000, "a huge line is not repeated whole"


def test_a_folder_a_missing_and_an_unreadable_file(
    call: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = call("verify", str(tmp_path))
    assert folder == (2, "", f"gridproof: {tmp_path} is a folder; expected a file\n")
    missing = str(tmp_path / "missing.txt")
    message = call("verify", missing)
    assert message[:2] == (2, "")
    assert message.err.count("\n") == 1
    assert message.err.startswith(f"gridproof: {quote(missing)} is no file that exists; read as a puzzle: ")
    # what comes after is verified all the same
    done = call("verify", "-q", missing, UNIQUE, str(tmp_path), TWO)
    assert done.code == 2
    assert [line.split("\t")[0] for line in done.out.splitlines()] == ["unique", "multiple"]
    assert done.err == message.err + folder.err
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert call("verify", str(tmp_path / "loop")).code == 2
    locked = tmp_path / "locked.txt"
    locked.write_text(UNIQUE)

    opened = io.FileIO

    def refuse(name: str, *arguments: Any) -> io.FileIO:  # root may read anything
        if Path(name) == locked:
            raise PermissionError(13, "Permission denied", name)
        return opened(name, *arguments)

    monkeypatch.setattr(io, "FileIO", refuse)
    done = call("verify", str(locked))
    assert done == (2, "", f"gridproof: Permission denied: {locked}\n")


@pytest.mark.parametrize(("terminal", "waits"), [(True, 1), (False, 0)])
def test_at_a_terminal_a_message_waits_for_puzzles(
    terminal: bool, waits: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = io.TextIOWrapper(io.BytesIO(f"{UNIQUE}\n".encode()))
    monkeypatch.setattr(typed, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stdin", typed)
    assert main(["verify", "-q"]) == 0
    assert capsys.readouterr().err.count("waiting for puzzles on standard input; end them with") == waits


def test_a_terminal_that_lacks_characters() -> None:
    done = run("verify", stdin="53é".encode(), PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert b"53\\xe9" in done.stdout


# ---- pipes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [["verify", "-q"], ["--help"]],
    ids=shlex.join,
)
def test_a_closed_pipe_is_no_traceback(arguments: Sequence[str], tmp_path: Path) -> None:
    many = tmp_path / "many.txt"
    many.write_text(f"{UNIQUE}\n" * 2_000)
    command = shlex.join([sys.executable, "-m", "gridproof", *arguments])
    script = f"{command} < {shlex.quote(str(many))} | head -n 1"
    done = subprocess.run(["sh", "-c", script], capture_output=True, env=environment(), check=False, timeout=60)
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 1
    assert done.stderr == b""


# ---- lists ----------------------------------------------------------------------------------------------------------


def test_backends_and_encodings_are_listed(call: Command) -> None:
    from gridproof.backends import all_backends

    *lines, last = call("backends").out.splitlines()
    assert last == "* the default"
    for line, backend in zip(lines, all_backends(), strict=True):
        assert line.split()[0] == backend.name
        assert line.endswith(
            f"unavailable: {backend.unavailable()}" if backend.unavailable() else backend.version + ")"
        )
    text = call("encodings").out
    assert [line.split()[0] for line in text.splitlines()] == [*catalog.names(), "*"]
    verbose = call("encodings", "--verbose").out.splitlines()
    for name, place in zip(catalog.names(), range(0, len(verbose), 3), strict=False):
        encoding = catalog.load(name)
        assert verbose[place].split()[0] == name
        assert verbose[place + 1].strip() == encoding.source
        if encoding.target == "cnf":
            cnf = compile_cnf(NINE, encoding)
            size = f"{cnf.variables.count:,} variables, {len(cnf.clauses):,} clauses"
            assert verbose[place + 2].strip() == f"9x9: {'depends on the board' if _propagates(encoding) else size}"


# ---- compile ---------------------------------------------------------------------------------------------------------


def _propagates(encoding: Encoding) -> bool:
    return (("board", "clues"), "propagated") in encoding.choices


def test_what_is_compiled_goes_to_a_file_with_or_without_clues_and_names(call: Command, tmp_path: Path) -> None:
    path = tmp_path / "board.cnf"
    done = call("compile", UNIQUE, "-e", "extended", "-o", str(path))
    assert (done.code, done.out) == (0, "")
    text = path.read_text(encoding="utf-8")
    assert call("compile", UNIQUE, "-e", "extended").out == text
    less = (call("compile", UNIQUE, "-e", "extended", option).out for option in ("--rules-only", "--no-names"))
    outs = [text, *less]
    clauses, of_rules, nameless = ([line for line in out.splitlines() if line[0] not in "cp"] for out in outs)
    given = [f"{cell * 9 + int(symbol)} 0" for cell, symbol in enumerate(UNIQUE) if symbol != "."]
    assert clauses == of_rules + given == nameless
    assert ["x[r1c3=4]" in out for out in outs] == [True, True, False]


# ---- a user's own encoding -----------------------------------------------------------------------------------------


MINE = """\
summary = "mine"
source = "me, 2026"
target = "cnf"
[cell]
at_least_one = true
at_most_one = "ladder"
[house]
at_least_one = true
at_most_one = "bitwise"
through = "intersections"
"""


def test_a_users_own_encoding_by_its_path(call: Command, tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(MINE, encoding="utf-8-sig", newline="\r\n")
    done = call("verify", "--json", "--details", "-e", str(mine), UNIQUE)
    record = json.loads(done.out)
    assert (done.code, record["verdict"], record["encoding"]) == (0, "unique", "mine")
    assert call("compile", "-e", str(mine), UNIQUE).out.startswith("c gridproof: 9x9, 3x3 boxes, encoding mine\n")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"ladder"', '"leader"', "cell.at_most_one = 'leader'"),
        ("at_least_one = true\n", "", "cell.at_least_one is missing"),
        ("[cell]", "[cells]", "cells"),
        ("[house]", "[house", "mine.toml"),
    ],
)
def test_a_wrong_encoding_is_an_error_that_names_file_and_key(
    call: Command, tmp_path: Path, old: str, new: str, message: str
) -> None:
    mine = tmp_path / "mine.toml"
    assert old in MINE
    mine.write_text(MINE.replace(old, new, 1))
    done = call("verify", "-e", str(mine), UNIQUE)
    assert done.code == 2
    assert str(mine) in done.err
    assert message in done.err
    assert done.out == ""
    assert done.err.count("\n") == 1


# ---- a cold start ----------------------------------------------------------------------------------------------------

_HEAVY = ("pysat", "pysolvers", "ortools", "numpy", "pandas", "matplotlib", "numba", "pyarrow", "asyncio", "tomllib")
_LOADED = "import sys; print(*sorted(name for name in sys.modules if '.' not in name), file=sys.stderr)"


@pytest.mark.parametrize(
    "script",
    [
        "import gridproof",
        "from gridproof.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        "from gridproof.cli import main\ntry: main(['verify', '--help'])\nexcept SystemExit: pass",
        "from gridproof.cli import main\ntry: main(['verify', '--no-such-option'])\nexcept SystemExit: pass",
        "import gridproof.backends, gridproof.puzzle.board, gridproof.formats, gridproof.trust.crosscheck",
    ],
    ids=["import", "help", "help of a command", "mistyped option", "most modules"],
)
def test_nothing_heavy_is_imported_before_it_is_used(script: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{script}\n{_LOADED}"], capture_output=True, text=True, env=environment(), check=True
    )
    loaded = done.stderr.splitlines()[-1].split()
    assert "gridproof" in loaded
    assert not set(_HEAVY) & set(loaded)
