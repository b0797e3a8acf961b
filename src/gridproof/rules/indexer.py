"""What the kinds of indexers share: a cell says at which place of its line another symbol stands."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Shape
from gridproof.rules.primitives import Cells, Equivalent, Primitive
from gridproof.rules.rule import Rule, parameter


@dataclass(frozen=True, kw_only=True)
class Indexer(Rule):
    """A cell at place i of its line with the digit v says that i stands at place v of that line."""

    cells: Cells = parameter("cells", "the indexing cells")

    colour: ClassVar[str]

    @abstractmethod
    def line(self, cell: int, geometry: Geometry) -> Sequence[int]:
        """The cells that a cell speaks of, in the order in which they are counted; ``holds`` does not ask this."""

    def scope(self, geometry: Geometry) -> frozenset[int]:
        return frozenset(other for cell in self.cells for other in self.line(cell, geometry))

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for cell in self.cells:
            line = self.line(cell, geometry)
            for v, other in enumerate(line, 1):
                yield Equivalent((cell, v), (other, line.index(cell) + 1))

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        return [Shape((cell,), "shade", filled=True, colour=self.colour) for cell in self.cells]
