"""The command line: every module of this package whose name has no leading underscore is a command.

A command module has ``GROUP``, ``SUMMARY``, ``EXIT_CODES``, ``EXAMPLES``, ``configure(parser)`` and ``run(args)``; that
returns the exit code.
What loads a solver, NumPy or many modules it imports when it runs, so that ``--help`` and a mistyped option are quick.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import pkgutil
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from gridproof._version import __version__
from gridproof.cli import _exit_codes, _options
from gridproof.cli._streams import keep_standard_output, message_of, on_terminal, open_standard_streams, to_stderr
from gridproof.errors import GridproofError, InputError, choices, shortened
from gridproof.formats.sources import exists
from gridproof.runs.interrupts import Ended

_GROUPS = ("puzzles", "trust", "research")
"""The groups of commands, in the order of the help."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. ``argv`` without the program's name, else the process's."""
    if argv is None:
        keep_standard_output()
    arguments = _options.shielded(sys.argv[1:] if argv is None else argv)
    open_standard_streams()
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
    if name == "exit-codes" and rest == ["--help"]:
        print(_exit_codes.listed({name: _command(name).EXIT_CODES for name in _names()}), end="")
        return 0
    if name.startswith("-"):
        raise InputError(f"{name} stands before the command; see `gridproof --help`")
    module = _command(name)
    parser = _parser(name, module)
    # INPUTs may stand anywhere between the options; the method for that does not know what -- means
    args = (parser.parse_args if "--" in rest else parser.parse_intermixed_args)(rest)
    if getattr(args, "input", None) == [] and on_terminal(sys.stdin):
        end = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
        to_stderr(f"gridproof: waiting for puzzles on standard input; end them with {end}")
    code: int = module.run(args)
    return 2 if code < 2 and getattr(args, "unread", False) else code


def _names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))


def _command(name: str) -> ModuleType:
    """The module of a command. Raises ``InputError`` with what may have been meant."""
    known = _names()
    if name in known:
        return importlib.import_module(f"{__name__}.{name}")
    text = shortened(name.strip())
    if not exists(name) and name.replace("-", "").replace("_", "").isalpha():
        raise InputError(f"no command is called {text}; {choices(name, known)}")
    meant = "FILE" if exists(name) else "PUZZLE"
    raise InputError(f"no command is called {text}; did you mean `gridproof verify {meant}`?")


class _Parser(argparse.ArgumentParser):
    """Says in one line what is wrong with the arguments."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def _parser(name: str, module: ModuleType) -> argparse.ArgumentParser:
    """The parser of one command."""
    examples = "\n".join(f"    {example}" for example in module.EXAMPLES)
    parser = _Parser(
        prog=f"gridproof {name}",
        description=module.__doc__,
        epilog=f"examples:\n{examples}\n\n{_exit_codes.listed({name: module.EXIT_CODES})}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.configure(parser)
    return parser


def _overview() -> str:
    """The help of the whole: each command with its summary, in groups."""
    commands = {name: _command(name) for name in _names()}
    width = max(map(len, commands))
    lines = [
        "usage: gridproof COMMAND [OPTION ...] [INPUT ...]\n",
        "Solve and verify Sudoku and its variants. Every answer is cross-checked.",
        "INPUT is a file, a puzzle or a link. Start with `gridproof verify INPUT`.\n",
    ]
    for group in sorted({module.GROUP for module in commands.values()}, key=_GROUPS.index):
        lines.append(f"{group}:")
        lines += [f"  {name:{width}}  {each.SUMMARY}" for name, each in commands.items() if group == each.GROUP]
    lines += ["", "`gridproof help COMMAND` explains a command, `gridproof help exit-codes` all exit codes."]
    return "\n".join([*lines, "`gridproof --version` prints the version."])
