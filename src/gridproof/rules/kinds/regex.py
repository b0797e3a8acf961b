"""A regular expression of the user's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from gridproof.errors import InputError
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry
from gridproof.rules import patterns
from gridproof.rules.drawing import Line, Mark
from gridproof.rules.primitives import Automaton, Cells, Primitive
from gridproof.rules.rule import Rule, parameter


@dataclass(frozen=True, kw_only=True)
class Regex(Rule):
    """The digits along a line match a regular expression, such as ``.*(12|21).*``.

    It knows symbols, ``.``, ``[1-3]``, ``[^5]``, ``( )``, ``|``, ``* + ?`` and ``{2,3}``; the whole line must match.
    Above order 35 symbols are no characters, and no grid fulfils the rule.
    """

    pattern: str = parameter("text", "the regular expression")
    lines: tuple[Cells, ...] = parameter("lines", "each line of cells")

    kind: ClassVar[str] = "regex"
    words: ClassVar[str] = "the digits along {lines} match {pattern}"
    example: ClassVar[str] = "regex .*(12|21).* row1"
    aliases: ClassVar[tuple[str, ...]] = ("automaton",)

    def __post_init__(self) -> None:
        try:
            patterns.parsed(self.pattern)
        except (ValueError, RecursionError) as problem:
            raise InputError(str(problem)) from None

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for line in self.lines:
            yield Automaton.of(
                line,
                geometry.order if geometry.order <= LARGEST_ORDER_IN_CHARACTERS else 0,
                patterns.parsed(self.pattern),
                lambda node, symbol: None if (left := patterns.after(node, symbol)) == patterns.NOTHING else left,
                patterns.matches_nothing_more,
            )

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        if geometry.order > LARGEST_ORDER_IN_CHARACTERS:
            return False
        texts = ("".join(geometry.symbol_text(grid[cell]) for cell in line) for line in self.lines)
        return all(re.fullmatch(self.pattern, text, re.IGNORECASE) for text in texts)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Line(line, "teal", "thin") for line in self.lines]
