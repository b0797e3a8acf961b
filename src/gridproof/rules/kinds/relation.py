"""A relation of the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line
from gridproof.rules.expressions import comparison, compiled, without_value
from gridproof.rules.families import OnLines
from gridproof.rules.primitives import Primitive, Relation
from gridproof.rules.rule import parameter


class OwnRelation(OnLines):
    """A comparison of your own holds for pairs of cells along a line, such as ``abs(a-b)>2``.

    a and b are the digits of a pair, n is the order of the board. The pairs are ``consecutive`` cells of each line, or
    ``all`` pairs of cells on it.
    """

    allow: str = parameter("text", "the comparison of a and b")
    pairs: str = parameter("text", "consecutive or all", "consecutive")

    kind = "relation"
    words = "{allow} holds for {pairs} pairs (a, b) of {lines}"
    mark = Line((), "teal", "thin")
    example = "relation a!=b r1c1 r2c2"

    def __post_init__(self) -> None:
        if self.pairs not in ("consecutive", "all"):
            raise InputError(f"pairs = {self.pairs!r}; expected consecutive or all")
        try:
            comparison(self.allow, {"a", "b", "n"})
        except ValueError as problem:
            raise InputError(str(problem)) from None

    def senseless(self, geometry: Geometry) -> str | None:
        return super().senseless(geometry) or without_value(self.allow, lambda: self._relation(geometry))

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        yield self._relation(geometry)

    def _relation(self, geometry: Geometry) -> Relation:
        allow = compiled(self.allow, {"a", "b", "n"})
        pairs = [
            p for line in self.lines for p in (pairwise(line) if self.pairs == "consecutive" else combinations(line, 2))
        ]
        return Relation.of(
            tuple(dict.fromkeys((one, other) for one, other in pairs if one != other)),
            geometry.order,
            lambda a, b: bool(allow(a=a, b=b, n=geometry.order)),
        )

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        allow = compiled(self.allow, {"a", "b", "n"})
        for line in self.lines:
            for place, one in enumerate(line):
                for other in line[place + 1 : place + 2] if self.pairs == "consecutive" else line[place + 1 :]:
                    if one != other and not allow(a=grid[one], b=grid[other], n=geometry.order):
                        return False
        return True
