"""The standard streams: results alone go to standard output, messages to standard error."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TextIO

from gridproof.text import escape_controls


def to_stderr(text: str) -> None:
    """Write a line to standard error, after the results before it also where both go to one place."""
    if sys.stderr is None:
        return
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()
    print(text, file=sys.stderr)


def message_of(problem: Exception) -> str:
    """Return an error in a line; of an error of the system what went wrong, and with which file."""
    if isinstance(problem, OSError):
        return escape_controls(f"{problem.strerror or problem}: {problem.filename or ''}".rstrip(": "))
    return escape_controls(str(problem))


def on_terminal(stream: TextIO | None) -> bool:
    """Return True if a person reads the stream or types into it."""
    return stream is not None and not stream.closed and stream.isatty()


def prepare_streams(*, keep_results_apart: bool) -> None:
    """Open standard streams that are closed, and let none stop at a character that a terminal lacks.

    keep_results_apart: whether what others write to the file of standard output goes to standard error.
    """
    if keep_results_apart:
        _keep_standard_output()
    _open_missing_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _open_missing_streams() -> None:
    """Open the null device for each standard stream that is closed: else the first file opened would take its place.

    Solvers print there, and what reads or writes there works as usual.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115
            os.set_inheritable(stream.fileno(), True)
            setattr(sys, name, stream)


def _keep_standard_output() -> None:
    """Keep standard output for results.

    What a compiled solver, or a program that a backend starts, writes to it goes to standard error from here on.
    """
    out = sys.stdout
    try:
        if (out.fileno(), sys.stderr.fileno()) != (1, 2) or not isinstance(out, io.TextIOWrapper):
            return
        own = os.dup(1)
        os.dup2(2, 1)
    except (AttributeError, OSError, ValueError):  # closed, or replaced by what is no file
        return
    at_once = out.line_buffering or out.write_through
    # it stays open to the end of the process, and nobody closes it
    sys.stdout = os.fdopen(own, "w", buffering=1 if at_once else -1, encoding=out.encoding, closefd=False)
