"""The command line: every module of this package whose name has no leading underscore is a command.

The docstring of a command module is its help: a summary, a text, its exit codes and examples. The module has
``configure(parser)`` and ``run(args)``; that gets ``Options`` and returns the exit code. Only the command that is run
is imported. Commands hand on values, never ``args``; what they do with them stands in the rooms.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import NoReturn

from gridproof._version import __version__
from gridproof.cli._options import Options, shield_puzzles
from gridproof.cli._streams import message_of, on_terminal, prepare_streams, to_stderr
from gridproof.discovery import module_names
from gridproof.errors import GridproofError, InputError
from gridproof.runs.interrupts import Ended, repeat_lost_ctrl_c
from gridproof.text import quote, suggest

_GROUPS: dict[str, Sequence[str]] = {
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
    prepare_streams(keep_results_apart=argv is None)
    if argv is None:
        repeat_lost_ctrl_c()
        argv = sys.argv[1:]
    arguments = shield_puzzles(argv)
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
    """Run the command that the arguments name; return the exit code."""
    if arguments[:1] == ["help"]:
        arguments = arguments[1:2] + ["--help"]
    if not arguments or not arguments[0]:
        print(_overview(), file=sys.stderr)
        return 2
    name, *rest = arguments
    if name in ("-h", "--help"):
        print(_overview())
        return 0
    if name == "--version":
        print(f"gridproof {__version__}")
        return 0
    if name.startswith("-"):
        raise InputError(f"{name} stands before the command; see `gridproof --help`")
    module = _find_command(name)
    parser = _make_parser(name, module)
    # INPUTs may stand anywhere between the options; the method for that has no meaning for --
    parse = parser.parse_args if "--" in rest else parser.parse_intermixed_args
    args = parse(rest, Options())
    if args.input == [] and on_terminal(sys.stdin):
        end = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
        to_stderr(f"gridproof: waiting for puzzles on standard input; end them with {end}")
    code: int = module.run(args)
    return code


_MEANT = {
    "hint": "steps --hint 1",
    "next": "steps --next",
    "step": "steps",
    "path": "steps",
    "grade": "rate",
    "difficulty": "rate",
    "rating": "rate",
    "why": "explain",
}
"""The command that people mean by a word that is the name of none."""

_NAMES = module_names(__name__)


def _find_command(name: str) -> ModuleType:
    """Return the module of a command. Raises ``InputError`` with what may have been meant."""
    if name in _NAMES:
        return importlib.import_module(f"{__name__}.{name}")
    from gridproof.formats.sources import exists

    text = quote(name.strip())
    meant = _MEANT.get(name.casefold())
    if meant and not exists(name):
        raise InputError(f"no command is called {text}; did you mean `gridproof {meant} INPUT`?")
    if not exists(name) and name.replace("-", "").replace("_", "").isalpha():
        raise InputError(f"no command is called {text}; {suggest(name, _NAMES)}")
    what = "FILE" if exists(name) else "PUZZLE"
    raise InputError(f"no command is called {text}; did you mean `gridproof verify {what}`?")


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; see `{self.prog} --help`\n")


def _make_parser(name: str, module: ModuleType) -> argparse.ArgumentParser:
    """Return the parser of a command."""
    description, _, rest = (module.__doc__ or "").partition("\n\nexit codes:\n")
    own, _, examples = rest.partition("\n\nexamples:\n")
    epilog = f"examples:\n{examples}\nexit codes:\n{own}\n{COMMON_EXIT_CODES}"
    plain = argparse.RawDescriptionHelpFormatter
    parser = _Parser(prog=f"gridproof {name}", description=description, epilog=epilog, formatter_class=plain)
    module.configure(parser)
    return parser


def _overview() -> str:
    """Return the help of the whole: each command with its summary, in groups."""
    lines = [
        "usage: gridproof COMMAND [OPTION ...] [INPUT ...]\n",
        "Solve and verify Sudoku and its variants. Every answer is cross-checked.",
        "INPUT is a file, a puzzle or a link. Start with `gridproof verify INPUT`.\n",
    ]
    grouped = set().union(*_GROUPS.values())
    groups: dict[str, Sequence[str]] = {"puzzles": [name for name in _NAMES if name not in grouped]}
    groups.update(_GROUPS)
    for group, names in groups.items():
        lines.append(f"{group}:")
        for name in names:
            source = (pkgutil.get_data(__name__, f"{name}.py") or b"").decode()  # not imported: that takes too long
            summary = source.removeprefix('"""').partition(".\n")[0]
            lines.append(f"  {name:11} {summary[:1].lower()}{summary[1:]}")
    lines += ["", "`gridproof help COMMAND` explains a command and its exit codes."]
    lines.append("`gridproof --version` prints the version.")
    return "\n".join(lines)
