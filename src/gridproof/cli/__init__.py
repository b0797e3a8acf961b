"""The command line: every module of this package whose name has no leading underscore is a command.

The docstring of a command module is its help: a summary, a text, its exit codes and examples. The module has
``configure(parser)`` and ``run(args)``; that returns the exit code. Only the command that is run is imported.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import NoReturn, TextIO

from gridproof._version import __version__
from gridproof.cli._options import shielded
from gridproof.errors import GridproofError, InputError
from gridproof.runs.interrupts import Ended
from gridproof.text import escape_controls, quote, suggest

_GROUPS = {
    "trust": ("certify", "check"),
    "research": ("backends", "compare", "compile", "encodings", "instances", "tree"),
}
"""Commands in the groups of the help; all others are in the first group."""

COMMON_EXIT_CODES = """\
    2    wrong usage, a file that cannot be used, malformed input, or a puzzle that is not understood because something
         unread in it may be a rule; the good puzzles are still processed
    130  interrupted by Ctrl-C"""
"""Codes that every command may return, for its help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. ``argv`` without the program's name, else the process's."""
    if argv is None:
        _keep_standard_output()
    arguments = shielded(sys.argv[1:] if argv is None else argv)
    _open_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what the terminal's encoding lacks is no reason to stop
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has enough. What Python would flush at its end must not fail, too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("gridproof: interrupted", file=sys.stderr)
        return 130
    except Ended as end:
        to_stderr(f"gridproof: {end}")
        return end.exit_code
    except (GridproofError, OSError) as problem:
        print(f"gridproof: {message_of(problem)}", file=sys.stderr)
        return 2


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:2], "--help"]
    name, *rest = arguments or [""]
    if name in ("", "-h", "--help"):
        print(_overview(), file=sys.stdout if name else sys.stderr)
        return 0 if name else 2
    if name == "--version":
        print(f"gridproof {__version__}")
        return 0
    if name.startswith("-"):
        raise InputError(f"{name} stands before the command; see `gridproof --help`")
    module = _command(name)
    parser = _parser(name, module)
    # INPUTs may stand anywhere between the options; the method for that has no meaning for --
    args = (parser.parse_args if "--" in rest else parser.parse_intermixed_args)(rest)
    if getattr(args, "input", None) == [] and on_terminal(sys.stdin):
        end = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
        to_stderr(f"gridproof: waiting for puzzles on standard input; end them with {end}")
    code: int = module.run(args)
    return 2 if code < 2 and getattr(args, "unread", False) else code


_NAMES = sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


def _command(name: str) -> ModuleType:
    """The module of a command. Raises ``InputError`` with what may have been meant."""
    if name in _NAMES:
        return importlib.import_module(f"{__name__}.{name}")
    from gridproof.formats.sources import exists

    text = quote(name.strip())
    if not exists(name) and name.replace("-", "").replace("_", "").isalpha():
        raise InputError(f"no command is called {text}; {suggest(name, _NAMES)}")
    meant = "FILE" if exists(name) else "PUZZLE"
    raise InputError(f"no command is called {text}; did you mean `gridproof verify {meant}`?")


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def _parser(name: str, module: ModuleType) -> argparse.ArgumentParser:
    """The parser of one command."""
    description, _, rest = (module.__doc__ or "").partition("\n\nexit codes:\n")
    own, _, examples = rest.partition("\n\nexamples:\n")
    epilog = f"examples:\n{examples}\nexit codes:\n{own}\n{COMMON_EXIT_CODES}"
    plain = argparse.RawDescriptionHelpFormatter
    parser = _Parser(prog=f"gridproof {name}", description=description, epilog=epilog, formatter_class=plain)
    module.configure(parser)
    return parser


def _overview() -> str:
    """The help of the whole: each command with its summary, in groups."""
    lines = [
        "usage: gridproof COMMAND [OPTION ...] [INPUT ...]\n",
        "Solve and verify Sudoku and its variants. Every answer is cross-checked.",
        "INPUT is a file, a puzzle or a link. Start with `gridproof verify INPUT`.\n",
    ]
    first = [name for name in _NAMES if not any(name in names for names in _GROUPS.values())]
    for group, names in {"puzzles": first, **_GROUPS}.items():
        lines.append(f"{group}:")
        for name in names:
            summary, _, _ = (pkgutil.get_data(__name__, f"{name}.py") or b"").decode().partition(".\n")
            lines.append(f"  {name:11} {summary[3:4].lower()}{summary[4:]}")
    lines += ["", "`gridproof help COMMAND` explains a command and its exit codes."]
    return "\n".join([*lines, "`gridproof --version` prints the version."])


# ---- the standard streams: results alone go to standard output, messages to standard error ---------------------------


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


def _open_standard_streams() -> None:
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
    sys.stdout = os.fdopen(own, "w", buffering=1 if at_once else -1, encoding=out.encoding)
