"""The houses of a geometry, and candidate masks, as arrays. This module exists for NumPy and imports it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gridproof.puzzle.geometry import Geometry

Integers: TypeAlias = npt.NDArray[np.int32]
Flags: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class HouseArrays:
    """The houses of a geometry as arrays.

    A *slot* is a set of houses without a common cell: all rows, all columns, all boxes, ... slots: of shape
    (slots, cells), the index of the house of each cell in each slot, ``house_count`` where it has none. slot_of: the
    slot of each house. crossings: for each pair of slots (a, b) whose houses share several cells, the number (from 1)
    of the crossing of two houses that each cell lies in, 0 for a crossing of one cell. widest: the most cells of one.
    """

    slots: Integers
    slot_of: Integers
    house_count: int
    crossings: tuple[tuple[int, int, Integers], ...]
    widest: int


@lru_cache(maxsize=8)
def house_arrays(geometry: Geometry) -> HouseArrays:
    """The houses of a geometry as arrays, cached."""
    houses = np.array([house.cells for house in geometry.houses], dtype=np.int32)
    slots: list[Integers] = []
    slot_of = np.zeros(len(houses), dtype=np.int32)
    for index, cells in enumerate(houses):
        place = next((place for place, slot in enumerate(slots) if (slot[cells] == len(houses)).all()), len(slots))
        if place == len(slots):
            slots.append(np.full(geometry.cell_count, len(houses), dtype=np.int32))
        slots[place][cells] = index
        slot_of[index] = place
    crossings = []
    for b in range(len(slots)):
        for a in range(b):
            pair = slots[a].astype(np.int64) * (len(houses) + 1) + slots[b]
            _, crossing, sizes = np.unique(pair, return_inverse=True, return_counts=True)
            real = (slots[a] < len(houses)) & (slots[b] < len(houses)) & (sizes[crossing] > 1)
            if real.any():
                _, crossing[real] = np.unique(crossing[real], return_inverse=True)
                crossings.append((a, b, np.where(real, crossing + 1, 0).astype(np.int32)))
    widest = max((int(np.bincount(numbers)[1:].max()) for _, _, numbers in crossings), default=0)
    return HouseArrays(np.array(slots), slot_of, len(houses), tuple(crossings), widest)


def flags(masks: list[int], order: int) -> Flags:
    """Candidate masks as flags, of shape (masks, order)."""
    width = (order + 7) // 8
    raw = np.frombuffer(b"".join([mask.to_bytes(width, "little") for mask in masks]), dtype=np.uint8)
    return np.unpackbits(raw.reshape(-1, width), axis=1, count=order, bitorder="little").astype(bool)
