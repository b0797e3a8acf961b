"""What is said twice for scripts, which may keep only one of two streams, is said once to who sees both."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest

from cli_runner import environment
from core_samples import UNIQUE, UNIQUE_SOLUTION

pytestmark = pytest.mark.process

pty = pytest.importorskip("pty", reason="pseudo-terminals are a POSIX matter")

DAMAGED = UNIQUE.replace(".", "?", 1)
COMPLAINT = b"no symbol of a 9x9 board: '?'"

COMMANDS = [
    ["verify"],
    ["verify", "--json"],
    ["count"],
    ["solve"],
    ["solve", "--json"],
    ["certify", "-o", "{folder}/it"],
]


def shown(command: Sequence[str], folder: object, *, on_terminal: Sequence[str]) -> tuple[int, dict[str, bytes]]:
    """Exit code of a command on a damaged puzzle, and what came out at ``terminal``, ``stdout`` and ``stderr``."""
    return at_terminal(*(part.format(folder=folder) for part in command), "-q", DAMAGED, on_terminal=on_terminal)


def at_terminal(*arguments: str, on_terminal: Sequence[str], typed: bytes = b"") -> tuple[int, dict[str, bytes]]:
    """The same of any call. typed: what is typed at the terminal if ``stdin`` is on it."""
    master, slave = pty.openpty()
    outputs = {name: slave if name in on_terminal else subprocess.PIPE for name in ("stdout", "stderr")}
    streams: dict[str, int] = outputs | {"stdin": slave if "stdin" in on_terminal else subprocess.DEVNULL}
    with subprocess.Popen(
        [sys.executable, "-m", "gridproof", *arguments],
        env=environment(),
        **streams,  # type: ignore[call-overload]
    ) as process:
        os.close(slave)
        os.write(master, typed)
        read: dict[str, bytes] = {"terminal": _everything(master)}
        pipes: dict[str, IO[bytes] | None] = {"stdout": process.stdout, "stderr": process.stderr}
        read |= {name: pipe.read() for name, pipe in pipes.items() if pipe is not None}
    os.close(master)
    return process.returncode, read


def _everything(master: int) -> bytes:
    found = b""
    while True:
        try:
            piece = os.read(master, 4096)
        except OSError:  # how Linux says that nobody has the other end open any more
            return found
        if not piece:
            return found
        found += piece


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_terminal_shows_a_complaint_once(command: list[str], tmp_path: object) -> None:
    code, read = shown(command, tmp_path, on_terminal=("stdout", "stderr"))
    assert code == 2
    assert read["terminal"].count(COMPLAINT) == 1
    assert b"malformed" in read["terminal"]


@pytest.mark.parametrize("command", [["verify"], ["solve"]], ids=" ".join)
@pytest.mark.parametrize("on_terminal", [(), ("stdout",), ("stderr",)], ids=["none", "stdout", "stderr"])
def test_streams_that_go_apart_say_it_each(command: list[str], on_terminal: tuple[str, ...], tmp_path: object) -> None:
    code, read = shown(command, tmp_path, on_terminal=on_terminal)
    assert code == 2
    results = read["terminal" if "stdout" in on_terminal else "stdout"]
    complaints = read["terminal" if "stderr" in on_terminal else "stderr"]
    assert results.count(COMPLAINT) == 1
    assert b"malformed" in results
    assert complaints.count(b"gridproof: column 3: " + COMPLAINT) == 1


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_so_does_a_file_or_a_pipe_that_takes_both(command: list[str], tmp_path: Path) -> None:
    arguments = [part.format(folder=tmp_path) for part in command]
    call = [sys.executable, "-m", "gridproof", *arguments, "-q", DAMAGED]
    pipe = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(), check=False)
    with (tmp_path / "both.txt").open("wb") as both:
        subprocess.run(call, stdout=both, stderr=subprocess.STDOUT, env=environment(), check=False)
    for text in (pipe.stdout, (tmp_path / "both.txt").read_bytes()):
        assert text.count(COMPLAINT) == 1
        assert b"malformed" in text


def test_a_table_has_no_place_for_a_complaint_so_it_is_said_beside_it(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text(f"puzzle\n{DAMAGED}\n{UNIQUE}\n")
    code, read = at_terminal("solve", "-q", str(table), on_terminal=("stdout", "stderr"))
    assert code == 2
    assert read["terminal"].count(COMPLAINT) == 1
    assert UNIQUE_SOLUTION.encode() in read["terminal"]


def test_a_terminal_is_not_flooded_and_no_good_puzzle_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "odd.txt"
    file.write_text(f"{DAMAGED}\n" * 25 + f"{UNIQUE}\n" + f"{DAMAGED}\n")
    for options, word in (([], b"malformed\t"), (["--json"], b'"malformed"')):
        code, read = at_terminal("verify", *options, str(file), on_terminal=("stdout", "stderr"))
        assert code == 2
        assert read["terminal"].count(word) == 10 + 1
        assert read["terminal"].count(UNIQUE_SOLUTION.encode()) == 1
        assert b"gridproof: 10 malformed in a row: " in read["terminal"]
        assert b"gridproof: 15 more malformed\r\n" in read["terminal"]
        assert b"27 puzzles: 26 malformed, 1 unique" in read["terminal"]


def test_who_types_puzzles_is_told_that_they_are_waited_for() -> None:
    everything = ("stdin", "stdout", "stderr")
    for command in ("verify", "explain"):
        code, read = at_terminal(command, on_terminal=everything, typed=f"{UNIQUE}\n\x04".encode())
        assert code == 0
        assert b"waiting for puzzles on standard input; end them with Ctrl-D" in read["terminal"]
    given = at_terminal("verify", UNIQUE, on_terminal=everything)[1]
    assert b"waiting" not in given["terminal"]
    assert at_terminal("verify", "-q", on_terminal=("stdout", "stderr"))[1]["terminal"].count(b"waiting") == 0
