"""The command line: every module of this package whose name has no leading underscore is a command.

A command module has ``SUMMARY``, ``EXIT_CODES``, ``configure(parser)`` and ``run(args) -> exit code``; it imports what
it needs when it runs, so that ``--help`` and a mistyped option cost no solver import.
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

from gridproof import __version__
from gridproof.cli import _exit_codes, _options
from gridproof.errors import GridproofError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code. ``argv`` without the program's name, else the process's."""
    if argv is None:
        _keep_standard_output()
    arguments = _options.shielded(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what the terminal's encoding lacks is no reason to stop
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            parser, commands = _parser(arguments)
            args = parser.parse_args(arguments)
            code: int = commands[args.command].run(args)
        finally:
            if sys.stdout is not None:  # it is closed, otherwise
                sys.stdout.flush()
    except GridproofError as problem:
        print(f"gridproof: {problem}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read our output has enough. What Python would flush at its end must not fail, too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("gridproof: interrupted", file=sys.stderr)
        return 130
    except OSError as problem:
        print(f"gridproof: {problem.strerror or problem}: {problem.filename or ''}".rstrip(": "), file=sys.stderr)
        return 2
    return code


def _keep_standard_output() -> None:
    """Results alone go to standard output.

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


def _parser(arguments: Sequence[str]) -> tuple[argparse.ArgumentParser, dict[str, ModuleType]]:
    parser = argparse.ArgumentParser(
        prog="gridproof",
        description="Sudoku as a constraint problem: any board, any encoding, any backend, every answer cross-checked.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"gridproof {__version__}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands = {}
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")):
        module = importlib.import_module(f"{__name__}.{name}")
        command = name.replace("_", "-")
        commands[command] = module
        subparser = subparsers.add_parser(
            command,
            help=module.SUMMARY,
            description=module.__doc__,
            epilog=_exit_codes.of_one(module.EXIT_CODES),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if command in arguments:  # the options of the other commands are not needed
            module.configure(subparser)
    parser.epilog = _exit_codes.of_all({command: module.EXIT_CODES for command, module in commands.items()})
    return parser, commands
