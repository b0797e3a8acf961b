"""A regular expression of the user's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gridproof.errors import InputError
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry
from gridproof.rules import patterns
from gridproof.rules.drawing import Line
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import Automaton, Primitive
from gridproof.rules.rule import parameter


class Regex(OnLines):
    """The digits along a line match a regular expression, such as ``.*(12|21).*``.

    It knows symbols, ``.``, ``[1-3]``, ``[^5]``, ``( )``, ``|``, ``* + ?`` and ``{2,3}``; the whole line must match.
    Above order 35 symbols are no characters, and no grid fulfils the rule.
    """

    pattern: str = parameter("text", "the regular expression")

    kind = "regex"
    words = "the digits along {lines} match {pattern}"
    mark = Line((), "teal", "thin")
    example = "regex .*(12|21).* row1"
    aliases = ("automaton",)

    def __post_init__(self) -> None:
        try:
            patterns.parsed(self.pattern)
        except (ValueError, RecursionError) as problem:
            raise InputError(str(problem)) from None

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        order = geometry.order if geometry.order <= LARGEST_ORDER_IN_CHARACTERS else 0
        machine = patterns.Machine(self.pattern)
        return [Automaton.of(line, order, machine.start, machine.step, machine.accepts) for line in self.lines]

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        if geometry.order > LARGEST_ORDER_IN_CHARACTERS:
            return False
        texts = ("".join(geometry.symbol_text(grid[cell]) for cell in line) for line in self.lines)
        return all(re.fullmatch(self.pattern.upper(), text) for text in texts)
