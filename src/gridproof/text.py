"""Text for people: counted nouns, suggestions, quotations, and what came from elsewhere made safe for a terminal."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

CONTROL = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]|\r(?!\n)"
)
"""Characters that steer a terminal or turn the direction of text; tabs and line ends are none."""


# ---- parts of a sentence ---------------------------------------------------------------------------------------------


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> counted(1, "cell"), counted(1204, "cell")
    ('1 cell', '1,204 cells')
    """
    return f"{number:,} {plural(noun, number)}"


def plural(noun: str, number: int) -> str:
    """Return a noun as it stands beside a number: the singular beside 1, otherwise with an ``s``.

    Examples
    --------
    >>> plural("cell", 1), plural("cell", 0)
    ('cell', 'cells')
    """
    if number == 1:
        return noun
    return f"{noun}s"


def list_some(texts: Collection[str], most: int, separator: str = ", ", rest: str = "...") -> str:
    """Return the first texts of some, joined; ``rest`` stands for those above ``most``.

    Examples
    --------
    >>> list_some(["r1c1", "r2c2", "r3c3"], 2)
    'r1c1, r2c2, ...'
    >>> list_some(["r1c1", "r2c2"], 2)
    'r1c1, r2c2'
    """
    shown = list(texts)[:most]
    if len(texts) > most:
        shown.append(rest)
    return separator.join(shown)


def suggest(name: str, known: Collection[str], also: str = "") -> str:
    """Return the names that would be right in place of an unknown one: the nearest ones, then all.

    Parameters
    ----------
    name
        The unknown name, as it was given.
    known
        All names.
    also
        Further input that would be right, such as ``"the path of a file, or "``.

    Examples
    --------
    >>> suggest("esay", ["easy", "hard"])
    'did you mean easy? Expected one of easy, hard'
    >>> suggest("x", ["easy", "hard"], "a path or ")
    'expected a path or one of easy, hard'
    """
    from difflib import get_close_matches

    expected = f"xpected {also}one of {', '.join(known)}"
    near = get_close_matches(name.casefold(), known)
    if not near:
        return f"e{expected}"
    meant = near[-1]
    if len(near) > 1:
        meant = f"{', '.join(near[:-1])} or {meant}"
    return f"did you mean {meant}? E{expected}"


# ---- quotations ------------------------------------------------------------------------------------------------------


def quote(text: str, most: int = 60) -> str:
    """Return the offending text, quoted; one that is too long for a message is cut, and its length is added.

    Examples
    --------
    >>> quote("12x4"), quote("1234567", 4)
    ("'12x4'", "'1234'... (7 characters)")
    """
    if len(text) <= most:
        return repr(text)
    return f"{text[:most]!r}... ({len(text)} characters)"


def escape_controls(text: str) -> str:
    r"""Return the text with control characters escaped, so that it cannot steer a terminal or read backwards.

    Examples
    --------
    >>> escape_controls("red: \x1b[31m")
    'red: \\x1b[31m'
    """
    return CONTROL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    """Return the escape of a matched character."""
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


# ---- values from code of others, safe to show, to write and to send --------------------------------------------------


def text_of(value: object, most: int = 1000) -> str:
    r"""Return the text of a value from code of others, safe for a terminal.

    It is on one line, without control characters, and cut after ``most`` characters.

    Examples
    --------
    >>> text_of("red: \x1b[31m")
    'red: \\x1b[31m'
    """
    whole = str(value)
    line = " ".join(whole[:most].split())
    characters = []
    for character in line:
        if not character.isprintable():
            character = character.encode("unicode_escape").decode()
        characters.append(character)
    if len(whole) > most:
        characters.append("...")
    return "".join(characters)


def describe_value(value: object) -> str:
    """Return the ``repr`` of a value, safe for a terminal."""
    try:
        return text_of(repr(value))
    except ValueError:  # Python writes no number of more than 4,300 digits
        return f"{type(value).__name__} with a number of too many digits"


def sanitise_grid(grid: object) -> Any:
    """Return a grid unchanged, and for anything else a description that is safe to write and send."""
    if type(grid) is not tuple:
        return describe_value(grid)
    entries = []
    for entry in grid:
        is_number = type(entry) is int and abs(entry) < 2**63
        entries.append(entry if is_number else describe_value(entry))
    return tuple(entries)
