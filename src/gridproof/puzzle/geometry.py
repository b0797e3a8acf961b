"""Geometries: the cells of a board and its houses, computed once per geometry and cached.

A usual geometry of *order* n has n x n cells, numbered 0 .. n*n-1 in reading order, and n symbols, numbered 1 .. n. A
*house* is a set of n cells that holds every symbol exactly once: a row, a column, a box (or a jigsaw region in its
place), and any others. *Peers* of a cell are the cells that share a house with it.

Other geometries have no order: theirs are ``rows``, ``columns`` and ``symbol_count``. Where a house has fewer cells
than the board has symbols, its cells differ and need not hold every symbol; a house is ``full`` if they do.
``digits`` are what people write for the symbols (``digits.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, TypeAlias

from gridproof.errors import GeometryError
from gridproof.expect import expect
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.frame import Frame
from gridproof.puzzle.houses import (
    FAMILIES,
    House,
    Shape,
    all_whole,
    boxes,
    check_boxes,
    check_family,
    check_regions,
    check_size,
    find_peers,
    lines,
    number_regions,
    regions_of,
    whole,
    whole_order,
)
from gridproof.text import counted

SymbolTuple: TypeAlias = tuple[int, ...]
"""A full assignment: the symbol (from 1) of each cell, in reading order."""

_keep = object.__setattr__  # for the fields of a frozen dataclass


@dataclass(frozen=True)
class Geometry(Frame):
    """The cells of a board and its houses. Use the constructors below; equal geometries are one cached object.

    Parameters
    ----------
    rows, columns : int
        The number of rows and of columns.
    digits : Digits
        The digits that cells may hold: at least as many as the largest house has cells.
    box_shape : (int, int), optional
        Rows and columns of a box. ``None`` on a board without boxes.
    regions : tuple of int, optional
        The number (from 0) of the region of each cell, for a jigsaw.
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

    box_shape: Shape | None = None
    regions: tuple[int, ...] | None = None
    families: tuple[str, ...] = ()
    extra: tuple[House, ...] = ()

    def __post_init__(self) -> None:
        # equal geometries are one object, so none may keep numbers of NumPy
        _keep(self, "rows", whole(self.rows, "rows"))
        _keep(self, "columns", whole(self.columns, "columns"))
        if self.box_shape is not None:
            _keep(self, "box_shape", all_whole(self.box_shape, "box of size"))
        if self.regions is not None:
            _keep(self, "regions", all_whole(self.regions, "region"))
        _keep(self, "families", tuple(self.families))
        count = self.symbol_count
        check_size("a row", self.columns, count)
        check_size("a column", self.rows, count)
        if self.box_shape is not None:
            check_boxes(self.box_shape, self.shape, count)
        if self.regions is not None:
            check_regions(self.regions, self.shape, count)
        for family in self.families:
            check_family(family, self.shape, count, self.box_shape, replace(self, families=()).description)
        sizes = range(count, count + 1) if self.is_usual else range(1, count + 1)
        _keep(self, "extra", tuple([house.checked(self.cell_count, sizes) for house in self.extra]))

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
        order = whole_order(max(rows * columns, 0))
        return _cached(cls(order, order, Digits(1, order), (rows, columns)))

    @classmethod
    def latin(cls, order: int) -> Geometry:
        """Return the geometry of a Latin square: rows and columns only.

        Examples
        --------
        >>> len(Geometry.latin(5).houses)
        10
        """
        order = whole_order(order)
        return _cached(cls(order, order, Digits(1, order)))

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
        order = round(len(region_of) ** 0.5)
        return _cached(cls(order, order, Digits(1, order), None, region_of))

    @classmethod
    def oblong(
        cls,
        rows: int,
        columns: int,
        digits: Digits | None = None,
        box_shape: Shape | None = None,
        regions: Sequence[int] | None = None,
    ) -> Geometry:
        """Return the geometry of so many rows and columns, which need not be as many.

        Parameters
        ----------
        rows, columns : int
            The rows and columns of the board.
        digits : Digits, optional
            Its digits; if not given, from 1 as many as the longer of its rows and columns has cells.
        box_shape : (int, int), optional
            Rows and columns of a box; without it there are no boxes.
        regions : sequence of int, optional
            The number of each cell's region, in place of boxes.

        Examples
        --------
        >>> Geometry.oblong(6, 8).description, Geometry.oblong(4, 4, Digits(0, 5), (2, 2)).description
        ('6x8, no boxes, digits 1-8', '4x4, 2x2 boxes, digits 0-5')
        """
        rows = whole(rows, "rows")
        columns = whole(columns, "columns")
        if rows < 1 or columns < 1:
            raise GeometryError(f"a board of {rows}x{columns}; expected at least one row and one column")
        if digits is None:
            digits = Digits(1, max(rows, columns))
        return _cached(cls(rows, columns, digits, box_shape, None if regions is None else tuple(regions)))

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

    def with_digits(self, digits: Digits) -> Geometry:
        """Return the same board with other digits, at least as many as its largest house has cells.

        Examples
        --------
        >>> Geometry.classic().with_digits(Digits(0, 8)).description
        '9x9, 3x3 boxes, digits 0-8'
        """
        expect(digits, Digits, "digits", "Digits, such as Digits(0, 8)")
        return _cached(replace(self, digits=digits))

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
            The cells of each house: one for each symbol, or no more than that on a board without an order.
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

    @cached_property
    def has_full_houses_only(self) -> bool:
        """True if every house holds every symbol, as on usual boards."""
        return len(self.full_houses) == len(self.houses)

    @cached_property
    def full_houses(self) -> tuple[int, ...]:
        """The indices into ``houses`` of the houses that hold every symbol; the others hold none twice."""
        return tuple([number for number, house in enumerate(self.houses) if self.is_full(house)])

    @cached_property
    def _hash(self) -> int:  # a jigsaw's regions are long
        return hash(self._fields)

    @property
    def _fields(self) -> tuple[object, ...]:
        return self.rows, self.columns, self.digits, self.box_shape, self.regions, self.families, self.extra

    @cached_property
    def houses(self) -> tuple[House, ...]:
        """All houses: rows, columns, boxes or regions, then the others."""
        houses = lines(self.shape)
        if self.region_of is not None:
            kind = "box" if self.box_shape is not None else "region"
            houses += regions_of(self.region_of, kind)
        for family in self.families:
            houses += FAMILIES[family](self.shape, self.box_shape or (0, 0))
        houses += self.extra
        return tuple(houses)

    @cached_property
    def region_of(self) -> tuple[int, ...] | None:
        """The number of each cell's box or region; ``None`` on a board without them."""
        if self.box_shape is None:
            return self.regions
        return boxes(self.shape, self.box_shape)

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
        return find_peers(self.houses, self.houses_of)

    @cached_property
    def description(self) -> str:
        """One phrase for people, such as ``9x9, 3x3 boxes, diagonals``."""
        parts = [f"{self.rows}x{self.columns}"]
        if self.box_shape is not None:
            parts.append(f"{self.box_shape[0]}x{self.box_shape[1]} boxes")
        elif self.regions is not None:
            parts.append("jigsaw")
        else:
            parts.append("Latin square" if self.is_usual else "no boxes")
        parts += self.families
        for kind, count in Counter([house.kind for house in self.extra]).items():
            parts.append(counted(count, f"{kind} house"))
        if not self.is_usual or self.digits.first != 1:
            parts.append(f"digits {self.digits}")
        return ", ".join(parts)

    def __repr__(self) -> str:
        box_shape = self.box_shape
        boxes_are_usual = box_shape is None or box_shape[0] * box_shape[1] == self.rows
        if self.rows != self.columns or not boxes_are_usual:
            stated = f"{self.rows}, {self.columns}, {self.digits!r}, {box_shape!r}, {self.regions!r}"
            text = f"Geometry.oblong({stated})"
        elif box_shape is not None:
            text = f"Geometry.classic({box_shape[0]}, {box_shape[1]})"
        elif self.regions is not None:
            text = f"Geometry.jigsaw({self.regions!r})"
        else:
            text = f"Geometry.latin({self.rows})"
        if self.digits != Digits(1, self.rows) and not text.startswith("Geometry.oblong"):
            text += f".with_digits({self.digits!r})"
        text += "".join(f".with_{family.replace(' ', '_')}()" for family in self.families)
        for kind, houses in groupby(self.extra, key=attrgetter("kind")):
            cells = [house.cells for house in houses]
            text += f".with_houses({cells!r}, {kind!r})"
        return text

    def __reduce__(self) -> tuple[object, ...]:
        # what was computed stays behind: it is large, and hashes of text differ between processes
        return _rebuilt, self._fields


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
