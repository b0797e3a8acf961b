"""What is said twice for scripts, which may keep only one of two streams, is said once to who sees both."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import IO

import pytest

from cli_runner import environment
from core_samples import UNIQUE

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
    master, slave = pty.openpty()
    streams: dict[str, int] = {name: slave if name in on_terminal else subprocess.PIPE for name in ("stdout", "stderr")}
    with subprocess.Popen(
        [sys.executable, "-m", "gridproof", *(part.format(folder=folder) for part in command), "-q", DAMAGED],
        stdin=subprocess.DEVNULL,
        env=environment(),
        **streams,  # type: ignore[call-overload]
    ) as process:
        os.close(slave)
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
