"""Disjoint groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Note
from gridproof.rules.primitives import NEVER, Cells, Different, Primitive, Relation, Sum
from gridproof.rules.rule import Rule, unequal


class DisjointGroups(Rule):
    """Cells at the same place of all boxes or regions hold different digits. Places are counted in reading order."""

    kind = "disjoint-groups"
    words = "cells at the same place of their boxes differ"
    example = "disjoint-groups"
    formats = {
        "f-puzzles": {"flag": "disjointgroups"},
        "iss": {"type": "DisjointSets", "regions": "usual"},
    }

    def impossible(self, geometry: Geometry) -> str | None:
        return "the board has no regions" if geometry.region_of is None else None

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        return [NEVER] if geometry.region_of is None else map(Different, _groups(geometry))

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        regions: dict[int, list[int]] = {}
        for symbol, region in zip(grid, geometry.region_of or (), strict=False):
            regions.setdefault(region, []).append(symbol)
        places = zip(*regions.values(), strict=True)
        return bool(regions) and all(len(set(symbols)) == len(symbols) for symbols in places)

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        return (unequal(group, geometry) for group in _groups(geometry))

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Note("disjoint groups")


def _groups(geometry: Geometry) -> Iterable[Cells]:
    """Return the cells at each place of the regions."""
    region_of = geometry.region_of or ()
    return zip(*([c for c, region in enumerate(region_of) if region == k] for k in sorted({*region_of})), strict=True)
