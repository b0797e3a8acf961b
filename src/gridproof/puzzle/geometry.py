"""Geometries: the cells of a board and its houses, computed once per geometry and cached.

A geometry of *order* n has n x n cells, numbered 0 .. n*n-1 in reading order, and n symbols, numbered 1 .. n. A
*house* is a set of n cells that holds every symbol exactly once: a row, a column, a box (or a jigsaw region in its
place), and any others. *Peers* of a cell are the cells that share a house with it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeAlias

from gridproof.errors import BoardError, GeometryError
from gridproof.expect import expect
from gridproof.puzzle.houses import (
    FAMILIES,
    House,
    all_whole,
    boxes,
    check_boxes,
    check_family,
    check_regions,
    lines,
    number_regions,
    regions_of,
    whole,
    whole_number,
)

SymbolTuple: TypeAlias = tuple[int, ...]
"""A full assignment: the symbol (1 .. n) of each cell, in reading order."""

LARGEST_ORDER_IN_CHARACTERS = 35
"""Largest order whose symbols are 1-9 and A-Z; above it they are decimal numbers."""

_CHARACTERS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

CellName: TypeAlias = str | tuple[int, int] | int
"""A cell by its name ``"r1c3"``, by row and column from 1, or by its number from 0."""

_CELL_NAME = re.compile(r"r(\d{1,4})c(\d{1,4})", re.IGNORECASE | re.ASCII)

_keep = object.__setattr__  # for the fields of a frozen dataclass


@dataclass(frozen=True)
class Geometry:
    """The cells of a board and its houses. Use the constructors below; equal geometries are one cached object.

    Parameters
    ----------
    order : int
        The number of symbols, of rows and of columns.
    box_shape : (int, int), optional
        Rows and columns of a box. ``None`` on a board without boxes.
    regions : tuple of int, optional
        The number (0 .. order-1) of the region of each cell, for a jigsaw.
    families : tuple of str
        Built-in families of further houses: ``diagonals``, ``disjoint groups``, ``windoku``; sorted.
    extra : tuple of House
        Further houses.

    Raises
    ------
    GeometryError
        For a shape that no board can have, and for a number that is not whole (2.0 is none).

    Examples
    --------
    >>> geometry = Geometry.classic(2, 3).with_diagonals()
    >>> geometry.description
    '6x6, 2x3 boxes, diagonals'
    >>> len(geometry.houses), geometry.houses[-1].name, geometry.houses[-1].cells
    (20, 'rising diagonal', (5, 10, 15, 20, 25, 30))
    >>> [geometry.houses[index].name for index in geometry.houses_of[0]]
    ['row 1', 'column 1', 'box 1', 'falling diagonal']
    """

    order: int
    box_shape: tuple[int, int] | None = None
    regions: tuple[int, ...] | None = None
    families: tuple[str, ...] = ()
    extra: tuple[House, ...] = ()

    def __post_init__(self) -> None:
        # equal geometries are one object, so none may keep numbers of NumPy
        _keep(self, "order", whole(self.order, "order"))
        if self.box_shape is not None:
            _keep(self, "box_shape", all_whole(self.box_shape, "box of size"))
        if self.regions is not None:
            _keep(self, "regions", all_whole(self.regions, "region"))
        _keep(self, "families", tuple(self.families))
        if self.order < 1:
            raise GeometryError(f"order {self.order}; expected a whole number of at least 1")
        if self.box_shape is not None:
            check_boxes(self.box_shape, self.order)
        if self.regions is not None:
            check_regions(self.regions, self.order)
        for family in self.families:
            check_family(family, self.order, self.box_shape, replace(self, families=()).description)
        _keep(self, "extra", tuple([house.for_order(self.order) for house in self.extra]))

    # ---- constructors ------------------------------------------------------------------------------------------

    @classmethod
    def classic(cls, box_rows: int = 3, box_columns: int | None = None) -> Geometry:
        """Return the geometry of rows, columns and boxes; 9x9 is ``classic(3)``. ``standard`` takes the order instead.

        Parameters
        ----------
        box_rows : int
            The rows of a box.
        box_columns : int, optional
            The columns of a box; as many as it has rows if not given. The order is the product of both.

        Raises
        ------
        GeometryError
            A number is not whole or too small (all constructors raise it); or 9 alone, which would mean 81x81 cells.

        Examples
        --------
        >>> Geometry.classic().description, Geometry.classic(3, 4).order
        ('9x9, 3x3 boxes', 12)
        """
        rows = whole(box_rows, "box_rows")
        if rows == 9 and box_columns is None:
            raise GeometryError("boxes of 9x9 cells; expected classic(3) for a board of 9x9, classic(9, 9) for 81x81")
        columns = rows if box_columns is None else whole(box_columns, "box_columns")
        return _cached(cls(max(rows * columns, 0), (rows, columns)))

    @classmethod
    def latin(cls, order: int) -> Geometry:
        """Return the geometry of a Latin square: rows and columns only.

        Examples
        --------
        >>> len(Geometry.latin(5).houses)
        10
        """
        return _cached(cls(order))

    @classmethod
    def jigsaw(cls, regions: str | Sequence[str | int]) -> Geometry:
        """Return the geometry of rows, columns and regions.

        Parameters
        ----------
        regions : str or sequence
            The label of each cell's region, in reading order. In text each character is a label and white space is
            ignored, unless only its words are labels (``9 10 10``).

        Raises
        ------
        GeometryError
            The number of labels is no square, or a region has not one cell for each symbol.

        Examples
        --------
        >>> Geometry.jigsaw("AAAB ACBB DCCB DDDC").region_of
        (0, 0, 0, 1, 0, 2, 1, 1, 3, 2, 2, 1, 3, 3, 3, 2)
        """
        region_of = number_regions(regions)
        return _cached(cls(round(len(region_of) ** 0.5), None, region_of))

    @classmethod
    def standard(cls, order: int) -> Geometry:
        """Return the usual geometry of an order: boxes as square as they can be, with no more rows than columns.

        Raises
        ------
        GeometryError
            For a prime order, where no box is usual: name a Latin square or a jigsaw.

        Examples
        --------
        >>> Geometry.standard(6).box_shape, Geometry.standard(12).box_shape
        ((2, 3), (3, 4))
        """
        return _standard(whole(order, "order"))

    def with_diagonals(self) -> Geometry:
        """Return the same board where both diagonals hold every symbol once, too."""
        return self._with_family("diagonals")

    def with_windoku(self) -> Geometry:
        """Return the same board with inner windows of a box's shape, one cell apart from each other and the edge."""
        return self._with_family("windoku")

    def with_disjoint_groups(self) -> Geometry:
        """Return the same board where the cells at one place of all boxes hold every symbol once, too."""
        return self._with_family("disjoint groups")

    def with_houses(self, houses: Iterable[Iterable[int]], kind: str = "extra") -> Geometry:
        """Return the same board with further houses.

        Parameters
        ----------
        houses : iterable of iterables of int
            The cells of each house, as many as the order.
        kind : str
            The name of these houses; they are numbered from 1.

        Raises
        ------
        GeometryError
            A house has not one cell for each symbol, or a cell that the board does not have.

        Examples
        --------
        >>> Geometry.classic(2).with_houses([[0, 3, 12, 15]], "corners").houses[-1].name
        'corners 1'
        """
        expect(kind, str, "kind", "a text")
        before = sum(house.kind == kind for house in self.extra)
        named = []
        try:
            for number, cells in enumerate(houses, before + 1):
                named.append(House(kind, f"{kind} {number}", tuple(cells)))
        except TypeError:
            raise GeometryError(f"houses {houses!r:.60}; expected a list of cells for each house") from None
        return _cached(replace(self, extra=self.extra + tuple(named)))

    def _with_family(self, family: str) -> Geometry:
        families = {family, *self.families}
        return _cached(replace(self, families=tuple(sorted(families))))

    def __hash__(self) -> int:
        return self._hash

    # ---- derived, once -----------------------------------------------------------------------------------------

    @property
    def cell_count(self) -> int:
        """Number of cells: order squared."""
        return self.order * self.order

    @cached_property
    def _hash(self) -> int:  # a jigsaw's regions are long
        return hash((self.order, self.box_shape, self.regions, self.families, self.extra))

    @cached_property
    def houses(self) -> tuple[House, ...]:
        """All houses: rows, columns, boxes or regions, then the others."""
        houses = lines(self.order)
        if self.region_of is not None:
            kind = "box" if self.box_shape is not None else "region"
            houses += regions_of(self.region_of, kind, self.order)
        for family in self.families:
            houses += FAMILIES[family](self.order, self.box_shape or (0, 0))
        houses += self.extra
        return tuple(houses)

    @cached_property
    def region_of(self) -> tuple[int, ...] | None:
        """The number of each cell's box or region; ``None`` on a Latin square."""
        if self.box_shape is None:
            return self.regions
        return boxes(self.order, self.box_shape)

    @cached_property
    def houses_of(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the indices into ``houses`` of the houses it is in."""
        indices: list[list[int]] = [[] for _ in range(self.cell_count)]
        for index, house in enumerate(self.houses):
            for cell in house.cells:
                indices[cell].append(index)
        return tuple([tuple(own) for own in indices])

    @cached_property
    def peers(self) -> tuple[tuple[int, ...], ...]:
        """For each cell, the other cells of its houses, ascending. Of order n**3 numbers: not for huge boards."""
        peers = []
        for cell, indices in enumerate(self.houses_of):
            around: set[int] = set()
            for index in indices:
                around.update(self.houses[index].cells)
            around.discard(cell)
            peers.append(tuple(sorted(around)))
        return tuple(peers)

    @cached_property
    def description(self) -> str:
        """One phrase for people, such as ``9x9, 3x3 boxes, diagonals``."""
        parts = [f"{self.order}x{self.order}"]
        if self.box_shape is not None:
            parts.append(f"{self.box_shape[0]}x{self.box_shape[1]} boxes")
        else:
            parts.append("jigsaw" if self.regions is not None else "Latin square")
        parts += self.families
        for kind, count in Counter([house.kind for house in self.extra]).items():
            parts.append(f"{count} {kind} houses")
        return ", ".join(parts)

    # ---- symbols and names -------------------------------------------------------------------------------------

    def symbol_text(self, symbol: int) -> str:
        """Return a symbol as text: 1-9, then A-Z; a decimal number on boards of more than 35 symbols."""
        return str(symbol) if self.order > LARGEST_ORDER_IN_CHARACTERS else _CHARACTERS[symbol - 1]

    @property
    def symbol_characters(self) -> str:
        """The characters of symbols 1 .. n in order; empty where symbols are decimal numbers."""
        return _CHARACTERS[: self.order] if self.order <= LARGEST_ORDER_IN_CHARACTERS else ""

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell: row and column from 1, so ``r1c1`` for cell 0."""
        row, column = divmod(cell, self.order)
        return f"r{row + 1}c{column + 1}"

    def cell(self, name: CellName) -> int:
        """Return the number of a cell, from 0 in reading order.

        Parameters
        ----------
        name : str, (int, int) or int
            Its name ``"r1c3"``, its row and column from 1, or its number.

        Raises
        ------
        BoardError
            For anything else, and for a cell that the board does not have.

        Examples
        --------
        >>> geometry = Geometry.classic()
        >>> geometry.cell("r1c3"), geometry.cell((1, 3)), geometry.cell(2)
        (2, 2, 2)
        """
        number = whole_number(name)
        if number is None:
            number = self._cell_at(name)
        if number is None or not 0 <= number < self.cell_count:
            n = self.order
            expected = f"r1c1 to r{n}c{n}, row and column from 1 to {n}, or a number from 0 to {self.cell_count - 1}"
            raise BoardError(f"cell {name!r}; expected {expected}")
        return number

    def _cell_at(self, place: Any) -> int | None:
        """Return the number of a cell by its name, or its row and column from 1; ``None`` if it is not on the board."""
        if isinstance(place, str):
            match = _CELL_NAME.fullmatch(place)
            place = (int(match[1]), int(match[2])) if match else ()
        if not isinstance(place, tuple) or len(place) != 2:
            return None
        row = whole_number(place[0])
        column = whole_number(place[1])
        if row is None or column is None or not (1 <= row <= self.order and 1 <= column <= self.order):
            return None
        return (row - 1) * self.order + column - 1

    def __repr__(self) -> str:
        if self.box_shape is not None:
            text = f"Geometry.classic({self.box_shape[0]}, {self.box_shape[1]})"
        elif self.regions is not None:
            text = f"Geometry.jigsaw({self.regions!r})"
        else:
            text = f"Geometry.latin({self.order})"
        text += "".join(f".with_{family.replace(' ', '_')}()" for family in self.families)
        for kind, houses in groupby(self.extra, key=attrgetter("kind")):
            cells = [house.cells for house in houses]
            text += f".with_houses({cells!r}, {kind!r})"
        return text

    def __reduce__(self) -> tuple[object, ...]:
        # what was computed stays behind: it is large, and hashes of text differ between processes
        return _rebuilt, (self.order, self.box_shape, self.regions, self.families, self.extra)


@lru_cache(maxsize=256)
def _cached(geometry: Geometry) -> Geometry:
    """Return the first geometry equal to this one, with whatever was computed on it."""
    return geometry


@lru_cache(maxsize=256)
def _standard(order: int) -> Geometry:
    for rows in range(int(max(order, 0) ** 0.5), 1, -1):
        if order % rows == 0:
            return Geometry.classic(rows, order // rows)
    expected = "an order such as 4, 6, 9, 12 or 16, a Latin square or a jigsaw"
    raise GeometryError(f"order {order} has no usual boxes; expected {expected}")


def _rebuilt(*fields: Any) -> Geometry:
    return _cached(Geometry(*fields))


def symbol_number(character: str) -> int | None:
    """Return the symbol that a character stands for (1-9, then A-Z), on boards of up to 35 symbols."""
    if len(character) != 1 or not character.isascii():
        return None
    place = _CHARACTERS.find(character.upper())
    return place + 1 if place >= 0 else None
