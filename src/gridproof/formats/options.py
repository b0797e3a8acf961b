"""The options of every function that reads a puzzle, and those for drawings and words in a record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, TypedDict

from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shape, Zero

if TYPE_CHECKING:
    from gridproof.rules.rule_text import AnyRule

Readings: TypeAlias = "Mapping[str, str] | Literal['suggested']"
"""The kinds of rules that groups of drawings are, by their letters; or what the words suggest."""

NO_READINGS: Readings = MappingProxyType({})
"""The readings where no drawing was read."""


class ReadOptions(TypedDict, total=False):
    """The options of every function that reads a puzzle; see ``parse``."""

    shape: Shape
    zero: Zero | None
    rules: Iterable[AnyRule] | AnyRule
    entries_as_clues: bool
    despite_unread: bool
    readings: Readings
    ignored: Iterable[str]
    words_read: bool


class DrawnOptions(NamedTuple):
    """The options for drawings and words; see ``gridproof.read_puzzle``."""

    readings: Readings = NO_READINGS
    ignored: Iterable[str] = ()
    words_read: bool = False

    @property
    def is_given(self) -> bool:
        """True if there is such an option."""
        return bool(self.readings or self.ignored or self.words_read)

    def apply(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle as it is read with the options. Raises ``InputError`` for a drawing that does not fit."""
        from gridproof.formats.drawn import read_drawings

        return replace(read_drawings(puzzle, self.readings, self.ignored), words_read=self.words_read)
