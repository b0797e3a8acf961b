"""The meaning of the exit codes of each command, for its own help and for `gridproof help exit-codes`.

A command declares its codes in ``EXIT_CODES``, each with its meaning there; what all have in common is added here.
"""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill

DISAGREEMENT = "a bug, please report it: two independent checks disagree, or a backend crashed"
"""The meaning of 3 for the commands that cross-check."""

COMMON = {
    2: "wrong usage, a file that cannot be used, malformed input, or a puzzle that is not understood because something "
    "unread in it may be a rule; the good puzzles are still processed",
    130: "interrupted by Ctrl-C",
}
"""Codes that every command may return. A command that declares one of them, too, adds a meaning."""


def listed(commands: Mapping[str, Mapping[int, str]]) -> str:
    """Return the list for a help. commands: the ``EXIT_CODES`` of each, by name, which is left out of a list for one.

    Commands for which a code has the same meaning stand together.
    """
    lines = ["exit codes:"]
    for code in sorted({code for own in commands.values() for code in own} | {*COMMON}):
        names: dict[str, list[str]] = {}
        for name, own in commands.items():
            if code in own:
                names.setdefault(own[code], []).append(name)
        meanings = [COMMON[code]] if code in COMMON else []
        meanings += [f"{', '.join(those)}: {text}" if len(commands) > 1 else text for text, those in names.items()]
        for number, meaning in enumerate(meanings):
            label = "" if number else str(code)
            lines.append(fill(meaning, 100, initial_indent=f"  {label:4} ", subsequent_indent=" " * 9))
    return "\n".join(lines) + "\n"
