"""A board without its houses: on it a rule states what it means by itself."""

from __future__ import annotations

from functools import cached_property, lru_cache

from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import House


class WithoutHouses(Geometry):
    """The cells, regions and symbols of a board, of which no two cells have to differ."""

    @cached_property
    def houses(self) -> tuple[House, ...]:
        """No houses."""
        return ()


@lru_cache(maxsize=256)
def without_houses(geometry: Geometry) -> Geometry:
    """Return the cells, regions and symbols of a geometry without its houses.

    Examples
    --------
    >>> alone = without_houses(Geometry.classic(2))
    >>> alone.houses, alone.peers[0], alone.region_of[:4]
    ((), (), (0, 0, 1, 1))
    """
    return WithoutHouses(geometry.rows, geometry.columns, geometry.digits, geometry.box_shape, geometry.regions)
