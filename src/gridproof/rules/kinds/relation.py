"""A relation of the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import ClassVar

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark
from gridproof.rules.expressions import compiled
from gridproof.rules.primitives import Cells, Primitive, Relation
from gridproof.rules.rule import Rule, parameter


@dataclass(frozen=True, kw_only=True)
class OwnRelation(Rule):
    """A comparison of your own holds for pairs of cells along a line, such as ``abs(a-b)>2``.

    a and b are the digits of a pair, n is the order of the board. pairs: ``consecutive`` cells of each line (as it is
    unless said), or ``all``.
    """

    allow: str = parameter("text", "the comparison of a and b")
    lines: tuple[Cells, ...] = parameter("lines", "each line of cells")
    pairs: str = parameter("text", "consecutive or all", "consecutive")

    kind: ClassVar[str] = "relation"
    words: ClassVar[str] = "{allow} for {pairs} pairs (a, b) of {lines}"
    example: ClassVar[str] = "relation a!=b r1c1 r2c2"

    def __post_init__(self) -> None:
        if self.pairs not in ("consecutive", "all"):
            raise InputError(f"pairs = {self.pairs!r}; expected consecutive or all")
        try:
            compiled(self.allow, {"a", "b", "n"})
        except ValueError as problem:
            raise InputError(str(problem)) from None

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        allow = compiled(self.allow, {"a", "b", "n"})
        found = [
            p for line in self.lines for p in (pairwise(line) if self.pairs == "consecutive" else combinations(line, 2))
        ]
        pairs = [(one, other) for one, other in found if one != other]
        yield Relation.of(
            tuple(dict.fromkeys(pairs)), geometry.order, lambda a, b: bool(allow(a=a, b=b, n=geometry.order))
        )

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        allow = compiled(self.allow, {"a", "b", "n"})
        for line in self.lines:
            for place, one in enumerate(line):
                others = line[place + 1 : place + 2] if self.pairs == "consecutive" else line[place + 1 :]
                for other in others:
                    if one != other and not allow(a=grid[one], b=grid[other], n=geometry.order):
                        return False
        return True

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Line(line, "teal", "thin") for line in self.lines]
