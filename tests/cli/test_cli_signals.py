"""Ctrl-C: partial output, exit code 130, no traceback, nothing left behind; whatever is at work at that moment."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from cli_runner import environment
from core_samples import UNIQUE, UNIQUE_SOLUTION, sampled_backends, starts_processes

HOSTILE = "." * 625
"""An empty 25x25 board keeps every backend below but CP-SAT and the reference busy for long."""

CONTRADICTORY = "..6879513.....38......2..7..1...24....36.79..9854.16.....35.2..1.8....5....24..61"
"""A 9x9 board without a solution, with so many minimal sets of contradictory clues that they take minutes."""

OTHERS = [
    backend.name
    for backend in sampled_backends()
    if starts_processes(backend) or (backend.family not in ("sat", "search") and backend.name != "cp-sat")
]
"""Backends that a larger board keeps busy, as far as they are there."""

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are a POSIX matter"),
]


def _members(group: int) -> list[str]:
    """Processes of a group that are still at work (one that has ended and waits to be reaped is not)."""
    listed = subprocess.run(["ps", "-A", "-o", "pgid=,stat=,args="], capture_output=True, text=True, check=True)
    lines = [line.split(None, 2) for line in listed.stdout.splitlines()]
    return [" ".join(line) for line in lines if int(line[0]) == group and not line[1].startswith("Z")]


def _work(pid: int) -> float:
    """CPU seconds that a process and what it started have taken so far."""
    if not Path("/proc/self/stat").exists():
        return time.monotonic()  # where it is not measured, the time that has passed
    parents, ticks = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            fields = path.read_text().rpartition(")")[2].split()
            parents[int(path.parent.name)] = int(fields[1])
            ticks[int(path.parent.name)] = int(fields[11]) + int(fields[12])
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(ticks.get(member, 0) for member in family) / os.sysconf("SC_CLK_TCK")


def interrupted(arguments: Sequence[str], puzzles: str, folder: Path, lines: int) -> tuple[int, str, str]:
    """Run, wait for so many lines, interrupt the whole group as a terminal does; exit code, output, errors."""
    source, out, err = folder / "in.txt", folder / "out.txt", folder / "err.txt"
    source.write_text(puzzles)
    with out.open("wb") as out_file, err.open("wb") as err_file:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "gridproof", *arguments, str(source)],
            stdout=out_file,
            stderr=err_file,
            env=environment(),
            start_new_session=True,
        )
        try:
            deadline = time.monotonic() + 60
            while out.read_bytes().count(b"\n") < lines and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)
            begun = _work(process.pid)
            while _work(process.pid) < begun + 0.2 and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.01)  # into the next board
            assert process.poll() is None, err.read_text()
            os.killpg(process.pid, signal.SIGINT)
            code = process.wait(timeout=30)
            deadline = time.monotonic() + 10
            while (left := _members(process.pid)) and time.monotonic() < deadline:
                time.sleep(0.05)
            assert not left
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
    return code, out.read_text(), err.read_text()


@pytest.mark.parametrize(
    ("program", "code"),
    [
        # while modules are imported, one of which makes classes by exec, as dataclasses are
        ("sys.meta_path.insert(0, type('', (), {'find_spec': lambda *_: exec('raise KeyboardInterrupt')}))", 130),
        ("atexit.register(signal.raise_signal, signal.SIGINT)", 0),
    ],
    ids=["before", "after"],
)
def test_before_and_after_the_work(program: str, code: int) -> None:
    started = f"import atexit, signal, sys\nfrom gridproof.__main__ import main\n{program}\nsys.exit(main())"
    command = [sys.executable, "-c", started, "encodings"]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify"],
        ["verify", "-b", "lingeling", "--seconds", "100"],
        ["verify", "-b", "cp-sat"],
        *(["verify", "-b", name] for name in OTHERS),
        ["verify", "-b", "search-scan"],
    ],
    ids=" ".join,
)
def test_in_the_middle_of_a_hard_board(arguments: list[str], tmp_path: Path) -> None:
    encoding = ["-e", "natural"] if "-b" not in arguments else []
    hostile = ". " * 36**2 if {*OTHERS} & {*arguments} else HOSTILE
    if "cp-sat" in arguments:  # which fills an empty 25x25 board in a moment
        encoding, hostile = ["-e", "alldifferent"], ". " * 36**2
    code, out, err = interrupted([*arguments, *encoding], f"{UNIQUE}\n{hostile}\n", tmp_path, lines=1)
    assert code == 130
    assert out.count("\n") == 1
    assert UNIQUE_SOLUTION in out
    assert "Traceback" not in err
    assert err.splitlines()[-1] == "gridproof: interrupted"
    assert "1 puzzle: 1 unique" in err
    assert "; interrupted" in err


def test_in_a_stream_of_easy_boards(tmp_path: Path) -> None:
    """Ctrl-C falls between the solver and Python, at any of their seams."""
    code, out, err = interrupted(["verify", "-b", "cadical153"], f"{UNIQUE}\n" * 50_000, tmp_path, lines=5)
    assert code == 130
    assert "Traceback" not in err
    assert err.splitlines()[-1] == "gridproof: interrupted"
    assert set(out.splitlines()) == {f"unique\t{UNIQUE_SOLUTION}"}


@pytest.mark.parametrize(
    ("command", "board"),
    [
        (["explain", "--all", "--sets", "1000000"], CONTRADICTORY),
        (["certify", "-b", "glucose4", "-o", "proof"], ". " * 36**2),
    ],
    ids=["explain --all", "certify"],
)
def test_in_the_other_commands(command: list[str], board: str, tmp_path: Path) -> None:
    """Wherever it falls: into Python, or into a solver of PySAT, which has an error of its own for it."""
    placed = [str(tmp_path / name) if name == "proof" else name for name in command]
    code, _, err = interrupted(placed, f"{UNIQUE}\n\n{board}\n", tmp_path, lines=1)
    assert (code, "Traceback" in err) == (130, False)
    assert err.splitlines()[-1] == "gridproof: interrupted"


def test_a_script_without_a_main_guard_can_use_a_solver_in_a_child(tmp_path: Path) -> None:
    """The child process of a solver that cannot be stopped does not run the user's script once more."""
    script = tmp_path / "script.py"
    script.write_text(
        "from gridproof import Limits, parse, verify\n"
        f"print(verify(parse({UNIQUE!r}), 'lingeling', limits=Limits(seconds=100)).status)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment(), check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "unique\n", "")
