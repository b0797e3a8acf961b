"""The values of a puzzle file in TOML, and the places of its keys.

Python's reader of TOML keeps no places, so they are looked for in the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gridproof.errors import PuzzleFormatError
from gridproof.formats.catalog import LONGEST_TEXT
from gridproof.formats.places import Place
from gridproof.formats.stated_values import StatedValues

MOST_DOTS = 32
"""Dots on a line of a file, outside of texts and comments; a puzzle needs none."""

_TEXT_OR_COMMENT = re.compile(
    r""""{3}(?:\\.|[^\\])*?(?:"{3,5}|\Z)|'{3}.*?(?:'{3,5}|\Z)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*""", re.DOTALL
)
"""A text in one of the four kinds of quotes that TOML has, closed or not, or a comment."""

_STATED_LINE = re.compile(r"\(at line (\d+), column \d+\)$")
_RULE = re.compile(r"(rule|drawn) (\d+)")
_TEXT_OF_LINES = re.compile(r"=\s*(?:\"\"\"|''')\s*$")


class TomlValues(StatedValues):
    """The values of a file by their keys; see ``StatedValues``. Raises ``PuzzleFormatError`` with the line to blame."""

    def __init__(
        self, text: str, place: Place, types: Mapping[str, tuple[type, ...]], required: Mapping[str, str]
    ) -> None:
        self._text = text
        self._lines = text.splitlines()
        self._place = place
        super().__init__(self._load(), text, place, types, required)

    def error(self, where: str, problem: str) -> PuzzleFormatError:
        """Return the error for a key, or a rule such as ``rule 2``; for the whole file if ``where`` is empty."""
        line = self._line_of(where, problem)
        blamed = self._text
        if line is not None:
            blamed = self._lines[line - 1].strip()
        return self._place.error(problem, blamed, "", self._number(line or 1))

    def place_of_text(self, key: str) -> Place:
        """Return where the text begins that is the value of a key."""
        line = self._line_of(key, "") or 1
        if _TEXT_OF_LINES.search(self._lines[line - 1]):
            line += 1
        return self._place._replace(line=self._number(line))

    def _number(self, line: int) -> int:
        """Return the number in the file of a line of the text."""
        return self._place.line + line - 1

    def _line_of(self, where: str, problem: str) -> int | None:
        """Return the line to blame, from 1; ``None`` if it is unknown. A problem of TOML itself may state it."""
        stated = _STATED_LINE.search(problem)
        if stated:
            return int(stated[1])
        if not where:
            return None
        rule = _RULE.fullmatch(where)
        key = re.escape(where)
        if rule:
            key = rule[1]
        begins_table = re.compile(rf"\s*\[\[\s*{key}\s*\]\]")
        begins_value = re.compile(rf"\s*{key}\s*=")
        tables = [number for number, line in enumerate(self._lines, 1) if begins_table.match(line)]
        lines = tables or [number for number, line in enumerate(self._lines, 1) if begins_value.match(line)]
        place = 0
        if rule:
            place = int(rule[2]) - 1
        if place < len(lines):
            return lines[place]
        if not lines:
            return None
        return lines[0]

    # ---- loading -----------------------------------------------------------------------------------------------------

    def _load(self) -> dict[str, Any]:
        import tomllib  # only whoever reads such files waits for it

        if len(self._text) > LONGEST_TEXT:
            raise self.error("", f"a puzzle file of more than {LONGEST_TEXT:,} characters; expected one puzzle")
        self._refuse_long_keys()
        try:
            values = tomllib.loads(self._text)
        except (ValueError, RecursionError, MemoryError) as problem:  # Python reads no number of thousands of digits
            raise self.error("", f"not readable as TOML: {problem}") from None
        return values

    def _refuse_long_keys(self) -> None:
        """Refuse a key of very many parts: Python's reader takes time and memory with the square of their number."""
        without_texts = _TEXT_OR_COMMENT.sub(keep_line_ends, self._text)
        for number, line in enumerate(without_texts.split("\n"), 1):
            if line.count(".") > MOST_DOTS:
                problem = f"a key of more than {MOST_DOTS} parts; expected keys such as clues or rule"
                raise self.error("", f"not readable as TOML: {problem} (at line {number}, column 1)")


def keep_line_ends(match: re.Match[str]) -> str:
    """Return as many line ends as there are in a text, so that lines stay what they are."""
    return "\n" * match[0].count("\n")
