"""Boards with further cells: cells beside the grid, in no house, that some rules are about.

They have numbers after those of the grid, group by group, and are called by the name of their group and a number from
1: ``va1``. Each group lies in rows, so that its cells have neighbours among each other. Grids, clues, models and
verdicts are about the board without them: only the rules inside a rule that states such cells see them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from gridproof.errors import GeometryError
from gridproof.puzzle.frame import CellName, neighbours_in_rows
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import House

MOST_FURTHER_CELLS = 1_000
"""Largest number of further cells of one rule."""

_GROUP = re.compile(r"(v[a-z]{0,15}):([0-9]{1,3})(?:x([0-9]{1,3}))?", re.IGNORECASE | re.ASCII)


class CellGroup(NamedTuple):
    """A group of further cells: its name, its size, and how many of them lie in a row.

    columns: 0 if not stated; then they lie in rows as long as those of the board.
    """

    name: str
    size: int
    columns: int = 0

    def __str__(self) -> str:
        if self.columns:
            return f"{self.name}:{self.size // self.columns}x{self.columns}"
        return f"{self.name}:{self.size}"


def read_groups(text: str) -> tuple[CellGroup, ...]:
    """Return the groups of further cells that a text states.

    Raises
    ------
    GeometryError
        For any other text, and for a name that is taken twice.

    Examples
    --------
    >>> [str(group) for group in read_groups("va:8 vs:9x9")]
    ['va:8', 'vs:9x9']
    """
    groups: dict[str, CellGroup] = {}
    for word in text.replace(",", " ").split():
        stated = _GROUP.fullmatch(word)
        if stated is None:
            expected = "a name that begins with v and a size, such as va:8 or vs:9x9"
            raise GeometryError(f"further cells {word!r:.60}; expected {expected}")
        name = stated[1].lower()
        if name in groups:
            raise GeometryError(f"further cells {name!r} stated twice; expected a name for each group")
        if stated[3] is None:
            groups[name] = CellGroup(name, int(stated[2]))
        else:
            columns = int(stated[3])
            groups[name] = CellGroup(name, int(stated[2]) * columns, columns)
    number = sum(group.size for group in groups.values())
    if not 1 <= number <= MOST_FURTHER_CELLS or not all(group.size for group in groups.values()):
        expected = f"1 to {MOST_FURTHER_CELLS:,}, and some in each group"
        raise GeometryError(f"{number} further cells in {text!r:.60}; expected {expected}")
    return tuple(groups.values())


@dataclass(frozen=True, eq=False, repr=False)
class WithFurtherCells(Geometry):
    """A board with further cells. ``with_further_cells`` makes it.

    Attributes
    ----------
    board : Geometry
        The board without them.
    groups : tuple of CellGroup
        The groups of further cells.
    """

    board: Geometry = None  # type: ignore[assignment]  # it is always given
    groups: tuple[CellGroup, ...] = ()

    @cached_property
    def cell_count(self) -> int:
        """Number of cells, with the further ones."""
        return self.board.cell_count + sum(group.size for group in self.groups)

    @cached_property
    def houses(self) -> tuple[House, ...]:
        """The houses of the board."""
        return self.board.houses

    @cached_property
    def region_of(self) -> tuple[int, ...] | None:
        """The number of each cell's region; the further cells are one of their own."""
        regions = self.board.region_of
        if regions is None:
            return None
        return regions + (max(regions) + 1,) * (self.cell_count - len(regions))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the further cells."""
        names = []
        for group in self.groups:
            names += [f"{group.name}{number}" for number in range(1, group.size + 1)]
        return tuple(names)

    @cached_property
    def further_cells(self) -> Mapping[str, int]:
        """The number of each further cell by its name."""
        return {name: number for number, name in enumerate(self.names, self.board.cell_count)}

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell: ``r1c1`` of the grid, ``va1`` of the others."""
        if cell < self.board.cell_count:
            return self.board.cell_name(cell)
        return self.names[cell - self.board.cell_count]

    def neighbours(self, cell: int) -> Iterator[int]:
        """Yield the orthogonal neighbours of a cell: in the grid, or in the rows and columns of its group."""
        if cell < self.board.cell_count:
            yield from self.board.neighbours(cell)
            return
        first = self.board.cell_count
        for group in self.groups:
            if cell < first + group.size:
                columns = group.columns or self.columns
                for other in neighbours_in_rows(cell - first, columns, group.size):
                    yield first + other
                return
            first += group.size

    def cell(self, name: CellName) -> int:
        """Return the number of a cell, by its name, its row and column, or its number."""
        if isinstance(name, str) and name.lower() in self.further_cells:
            return self.further_cells[name.lower()]
        return super().cell(name)

    @property
    def _fields(self) -> tuple[object, ...]:
        return self.board, self.groups

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WithFurtherCells) and self._fields == other._fields

    def __hash__(self) -> int:
        return hash(self._fields)

    def __reduce__(self) -> tuple[object, ...]:
        return with_further_cells, (self.board, self.groups)

    def __repr__(self) -> str:
        return f"with_further_cells({self.board!r}, {self.groups!r})"


@lru_cache(maxsize=256)
def with_further_cells(board: Geometry, groups: tuple[CellGroup, ...]) -> WithFurtherCells:
    """Return a board with further cells.

    Examples
    --------
    >>> more = with_further_cells(Geometry.classic(2), read_groups("va:3"))
    >>> more.cell_count, more.cell_name(16), more.cell("va2"), more.houses == Geometry.classic(2).houses
    (19, 'va1', 17, True)
    """
    shape = (board.rows, board.columns, board.digits, board.box_shape, board.regions)
    return WithFurtherCells(*shape, board=board, groups=groups)
