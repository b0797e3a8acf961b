"""The options of every function that reads a puzzle, and those for drawings and words in a record."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict

from gridproof.errors import InputError
from gridproof.expect import expect_flag
from gridproof.formats.puzzle import Puzzle
from gridproof.formats.shapes import Shape, Zero
from gridproof.text import describe_value

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
    ignored: Collection[str]
    words_read: bool


@dataclass(frozen=True, slots=True)
class DrawnOptions:
    """The options for drawings and words; see ``gridproof.read_puzzle``."""

    readings: Readings = field(default_factory=dict)
    ignored: Collection[str] = ()
    words_read: bool = False

    def __post_init__(self) -> None:
        readings = self.readings
        if isinstance(readings, Mapping):
            are_good = all(isinstance(text, str) for pair in readings.items() for text in pair)
        else:
            are_good = isinstance(readings, str)
        if not are_good:
            text = "expected the kind of rule for the letters of each group, or 'suggested'"
            raise InputError(f"readings is {describe_value(readings)}; {text}")
        is_list = isinstance(self.ignored, (list, tuple, set, frozenset))
        if not is_list or not all(isinstance(name, str) for name in self.ignored):
            raise InputError(f"ignored is {describe_value(self.ignored)}; expected a list of letters of groups")
        expect_flag(self.words_read, "words_read")

    @property
    def is_given(self) -> bool:
        """True if there is such an option."""
        return len(self.readings) > 0 or len(self.ignored) > 0 or self.words_read

    def apply(self, puzzle: Puzzle) -> Puzzle:
        """Return the puzzle as it is read with the options. Raises ``InputError`` for a drawing that does not fit."""
        from gridproof.formats.drawn import read_drawings

        return replace(read_drawings(puzzle, self.readings, self.ignored), words_read=self.words_read)
