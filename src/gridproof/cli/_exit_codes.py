"""What the exit codes of each command mean, for its own help and for that of all.

A command declares its codes in ``EXIT_CODES``, each with what it means there; what all have in common is added here.
"""

from __future__ import annotations

from collections.abc import Mapping
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


def listed(commands: Mapping[str, Mapping[int, str]]) -> str:
    """The list for a help. commands: the ``EXIT_CODES`` of each, by name, which is left out if it is a single one.

    Commands to which a code means the same stand together.
    """
    lines = ["exit codes:"]
    for code in sorted({code for own in commands.values() for code in own} | {*COMMON}):
        names: dict[str, list[str]] = {}
        for name, own in commands.items():
            if code in own:
                names.setdefault(own[code], []).append(name)
        said = [COMMON[code]] if code in COMMON else []
        said += [f"{', '.join(those)}: {what}" if len(commands) > 1 else what for what, those in names.items()]
        for number, meaning in enumerate(said):
            label = "" if number else str(code)
            lines.append(fill(meaning, 100, initial_indent=f"  {label:4} ", subsequent_indent=" " * 9))
    return "\n".join([*lines, _NOTE]) + "\n"
