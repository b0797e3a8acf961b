"""Disjoint groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Mark, Note
from gridproof.rules.primitives import NEVER, Different, Primitive, Relation, Sum
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
        if geometry.region_of is None:
            return [NEVER]
        regions = [[c for c, region in enumerate(geometry.region_of) if region == k] for k in range(geometry.order)]
        return map(Different, zip(*regions, strict=True))

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        regions: dict[int, list[int]] = {}
        for symbol, region in zip(grid, geometry.region_of or (), strict=False):
            regions.setdefault(region, []).append(symbol)
        places = zip(*regions.values(), strict=True)
        return bool(regions) and all(len(set(symbols)) == len(symbols) for symbols in places)

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        region_of = geometry.region_of or ()
        for place in range(geometry.order) if region_of else ():
            group = [[c for c, r in enumerate(region_of) if r == region][place] for region in range(geometry.order)]
            yield unequal(group, geometry)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        yield Note("disjoint groups")
