"""What several kinds of rules share: that they speak of lines, of a clue outside the grid, or of indexing cells."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark, Outside, Shape
from gridproof.rules.primitives import Cells, Equivalent, Primitive
from gridproof.rules.rule import Rule, parameter


class OnLines(Rule):
    """A rule about each of some lines. ``mark`` and ``ends`` say how a line, and each of its two ends, is drawn."""

    lines: tuple[Cells, ...] = parameter("lines", "each line of cells, with both ends")

    mark: ClassVar[Line]
    ends: ClassVar[Shape | None] = None

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        for line in self.lines:
            yield replace(self.mark, cells=line)
            if self.ends:
                yield replace(self.ends, cells=(line[0],))
                yield replace(self.ends, cells=(line[-1],))


class OutsideClue(Rule):
    """A number outside the grid about the cells that it sees; it is the first parameter of the kind."""

    cells: Cells = parameter("cells", "the cells in the order in which the clue sees them")

    slanted: ClassVar[bool] = False

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        _, _, clue = self.parameters()[0]
        yield Outside(self.cells, str(clue), self.slanted)


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
