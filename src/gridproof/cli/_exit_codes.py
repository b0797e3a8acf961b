"""What the exit codes of each command mean, for its own help and for that of all.

A command declares its codes in ``EXIT_CODES``, each with what it means there; what all have in common is added here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from textwrap import fill

DISAGREEMENT = "two independent parts contradict each other (disagreement), or a backend crashed"
"""What 3 means to the commands that cross-check."""

COMMON = {
    2: "bad usage, a file that cannot be used, malformed input, or a puzzle of another program that is not understood "
    "(something unread may be a rule); the good puzzles are still processed",
    130: "interrupted by Ctrl-C",
}
"""What may happen to every command. One that names such a code, too, says what else it means there."""

_NOTE = "  0    also if the reader of the output closes it early (| head)"


def of_one(own: Mapping[int, str]) -> str:
    """The list for the help of a command. own: its ``EXIT_CODES``."""
    codes = sorted({*own, *COMMON})
    meanings = ((code, ["; ".join(table[code] for table in (COMMON, own) if code in table)]) for code in codes)
    return _listed(meanings)


def of_all(commands: Mapping[str, Mapping[int, str]]) -> str:
    """The list for the help of all commands: by name, the ``EXIT_CODES`` of each; those that agree together."""
    codes = sorted({code for own in commands.values() for code in own} | {*COMMON})
    return _listed((code, _meanings(code, commands)) for code in codes)


def _meanings(code: int, commands: Mapping[str, Mapping[int, str]]) -> list[str]:
    names: dict[str, list[str]] = {}
    for name, own in commands.items():
        if code in own:
            names.setdefault(own[code], []).append(name)
    said = [f"{', '.join(those)}: {meaning}" for meaning, those in names.items()]
    return [COMMON[code], *said] if code in COMMON else said


def _listed(meanings: Iterator[tuple[int, list[str]]]) -> str:
    lines = ["exit codes:"]
    for code, said in meanings:
        for number, meaning in enumerate(said):
            label = "" if number else str(code)
            lines.append(fill(meaning, 100, initial_indent=f"  {label:4} ", subsequent_indent=" " * 9))
    return "\n".join([*lines, _NOTE]) + "\n"
