"""Programs of others, which run to their end or are stopped."""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from gridproof.runs.children import kill_with_all_it_started
from gridproof.runs.foreign import text_of
from gridproof.runs.interrupts import ctrl_c_waits, ended_cleanly


@lru_cache(maxsize=64)
def version_of(program: str) -> str:
    """Return the version that a program reports, or ``unknown``."""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=5,
        )
        if match := re.search(r"\d+(\.\d+)+", done.stdout) or re.match(r"\S+$", done.stdout.strip()):
            return text_of(match[0], most=40)
    return "unknown"


def run(command: Sequence[str], folder: Path, seconds: float | None = None) -> tuple[int, str, str]:
    """Run a command; return its exit code, its standard output and its standard error.

    Parameters
    ----------
    command
        The program and its arguments. No shell is used.
    folder
        A folder for its output during the run; a program that it started could hold a pipe open.
    seconds
        The time limit.

    Raises
    ------
    TimeoutError
        If the command was ended at the time limit.

    Examples
    --------
    >>> import sys, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run([sys.executable, "-c", "print(1 + 1)"], Path(folder))[0]
    0
    """
    # A child process of ours (``children.Child``) is ended with its group. Elsewhere a group of its own keeps Ctrl-C
    # from the command, which ends here, with all that it started, if this process is interrupted.
    own = hasattr(os, "killpg") and multiprocessing.parent_process() is None
    with (folder / "stdout").open("w+b") as out, (folder / "stderr").open("w+b") as err:
        with ctrl_c_waits():
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=out, stderr=err, process_group=0 if own else None
            )
        try:
            with ended_cleanly():
                code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError from None
        finally:
            with ctrl_c_waits():
                if process.poll() is None:
                    kill_with_all_it_started(process.pid)
                    process.kill()
                    process.wait()
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
        return code, texts[0], texts[1]
