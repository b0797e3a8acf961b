"""Rules about lines, and about a clue outside the grid: what several kinds share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from typing import ClassVar, Literal

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import line_of_sight
from gridproof.rules.drawing import Line, Mark, Outside, Shape
from gridproof.rules.primitives import Cells, Primitive, Relation, Sum
from gridproof.rules.rule import Rule, parameter


class OnLines(Rule):
    """A rule about each of some lines. ``mark`` and ``ends`` say how a line, and each of its two ends, is drawn.

    A kind states what one line expands into, what it implies, and, separately, which digits along it fit.
    """

    lines: tuple[Cells, ...] = parameter("lines", "each line of cells, with both ends")

    mark: ClassVar[Line]
    ends: ClassVar[Shape | None] = None

    @abstractmethod
    def expand_line(self, line: Cells, geometry: Geometry) -> Iterable[Primitive]:
        """Return one line in primitives; see ``expand``."""

    @abstractmethod
    def fits(self, digits: Sequence[int], line: Cells, geometry: Geometry) -> bool:
        """Return whether digits along a line keep the rule; see ``holds``."""

    def line_implies(self, line: Cells, geometry: Geometry) -> Iterable[Relation | Sum]:
        """Return what follows for pairs and sums of one line; see ``follows``."""
        return ()

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        return chain.from_iterable(self.expand_line(line, geometry) for line in self.lines)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        return all(self.fits([grid[cell] for cell in line], line, geometry) for line in self.lines)

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        return chain.from_iterable(self.line_implies(line, geometry) for line in self.lines)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        for line in self.lines:
            yield replace(self.mark, cells=line)
            if self.ends:
                yield replace(self.ends, cells=(line[0],))
                yield replace(self.ends, cells=(line[-1],))


class OutsideClue(Rule):
    """A number outside the grid about the cells that it sees; it is the first parameter of the kind."""

    cells: Cells = parameter("cells", "the cells in the order in which the clue sees them", once=True)

    slanted: ClassVar[bool] = False
    frame: ClassVar[Literal["", "circle", "square", "diamond"]] = ""

    @abstractmethod
    def agrees(self, digits: Sequence[int], geometry: Geometry) -> bool:
        """Return whether the digits that the clue sees keep the rule; see ``holds``."""

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        return self.agrees([grid[cell] for cell in self.cells], geometry)

    def texts(self, geometry: Geometry) -> dict[str, str]:
        """Return what ``words`` may name, with ``sight``: from where, and along what, the clue looks."""
        return super().texts(geometry) | {"sight": line_of_sight(self.cells, geometry)}

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        _, _, clue = self.parameters()[0]
        yield Outside(self.cells, str(clue), self.slanted, self.frame)
