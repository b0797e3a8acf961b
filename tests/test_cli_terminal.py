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

pytestmark = pytest.mark.process

pty = pytest.importorskip("pty", reason="pseudo-terminals are a POSIX matter")

DAMAGED = UNIQUE.replace(".", "?", 1)
COMPLAINT = b"no symbol of a 9x9 board: '?'"


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


def test_who_types_puzzles_is_told_that_they_are_waited_for() -> None:
    everything = ("stdin", "stdout", "stderr")
    for command in ("verify", "explain"):
        code, read = at_terminal(command, on_terminal=everything, typed=f"{UNIQUE}\n\x04".encode())
        assert code == 0
        assert b"waiting for puzzles on standard input; end them with Ctrl-D" in read["terminal"]
    given = at_terminal("verify", UNIQUE, on_terminal=everything)[1]
    assert b"waiting" not in given["terminal"]
    assert at_terminal("verify", "-q", on_terminal=("stdout", "stderr"))[1]["terminal"].count(b"waiting") == 0
