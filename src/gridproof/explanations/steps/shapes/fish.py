"""Patterns of one symbol: X-wing to jellyfish, with fins or boxes; skyscraper, kite, turbot fish and empty rectangle.

If the goal held the symbol, the places of some *bases* (houses) would lie in *covers*, of which there is one too few:
a cover takes one base. The places that the goal sees by the houses around it would be out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations

from gridproof.explanations.steps.shapes import Shape, one_symbol, union
from gridproof.explanations.steps.step import Fact, Goal, Position
from gridproof.puzzle.geometry import Geometry

SIZES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
LARGEST_ORDER = 9
"""Of boards on which houses of every kind are tried as bases and covers of a fish of any size."""


@cache
def _houses(geometry: Geometry) -> tuple[list[int], list[str]]:
    """Return the cells of each house, and its kind: a row, a column or else."""
    kinds = [house.kind if house.kind in ("row", "column") else "box" for house in geometry.houses]
    return [union(1 << cell for cell in house.cells) for house in geometry.houses], kinds


@lru_cache(maxsize=32)
def _fish(
    geometry: Geometry, candidates: tuple[int, ...], goal: Goal, size: int, lines: bool
) -> list[tuple[list[str], list[Fact]]]:
    """Return the names and the facts of all fish for a goal.

    size: the number of bases. lines: only with parallel lines as bases, and lines across as covers.
    """
    (masks, kinds), around = _houses(geometry), geometry.houses_of[goal.cell]
    everywhere = union(1 << cell for cell, mask in enumerate(candidates) if mask >> (goal.symbol - 1) & 1)
    seen = union(masks[house] for house in around)
    left = {house: mask & everywhere & ~seen for house, mask in enumerate(masks) if house not in around}
    found = []
    for base, cover in [("row", "column"), ("column", "row")] if lines else [("", "")]:
        bases = [house for house in left if base in ("", kinds[house])]
        for covers in combinations([h for h in left if left[h] and cover in ("", kinds[h])], size - 1):
            outside = ~union([masks[house] for house in covers])
            inside = [house for house in bases if not left[house] & outside and house not in covers]
            for chosen in combinations(inside, size):
                if union([left[h] for h in chosen]).bit_count() == sum([left[h].bit_count() for h in chosen]):
                    out = union([masks[house] & everywhere for house in chosen]) & outside
                    needed = next(
                        houses
                        for number in range(len(around) + 1)
                        for houses in combinations(around, number)
                        if not out & ~union([masks[house] for house in houses])
                    )
                    places = [masks[house] & everywhere for house in chosen]
                    facts = [Fact("place", house, goal.symbol) for house in chosen]
                    facts += [Fact("once", house) for house in (*covers, *needed)]
                    found.append((_names(geometry, goal, chosen, covers, needed, places), facts))
    return found


def _names(
    geometry: Geometry,
    goal: Goal,
    bases: Sequence[int],
    covers: Sequence[int],
    around: Sequence[int],
    places: Sequence[int],
) -> list[str]:
    """Return the names of a fish, by the kinds of its houses and the places of the symbol in each base."""
    masks, kinds = _houses(geometry)
    of_bases, of_covers, of_goal = ({kinds[house] for house in houses} for houses in (bases, covers, around))
    name, twice = SIZES[len(bases)], all(mask.bit_count() == 2 for mask in places)
    for base, cover in (("row", "column"), ("column", "row")):
        if of_bases == {base} and of_covers == {cover}:
            if of_goal == {cover}:
                return [name]
            across = [house for house in geometry.houses_of[goal.cell] if kinds[house] == cover]
            body = union(masks[house] for house in (*covers, *across))
            fins = "sashimi" if any((mask & body).bit_count() < 2 for mask in places) else "finned"
            return [*(["skyscraper"] if twice and len(bases) == 2 else []), f"{fins} {name}"]
    if len(bases) == 2 and of_bases == {"row", "column"} and of_covers == {"box"} and twice:
        return ["kite"]
    if len(bases) == 2 and len(of_bases) == 2 and "box" in of_bases and "box" not in of_covers:
        (line,) = (mask for house, mask in zip(bases, places, strict=True) if kinds[house] != "box")
        if line.bit_count() == 2:
            return ["empty rectangle", "turbot fish"] if twice else ["empty rectangle"]
    if len(bases) == 2 and twice:
        return ["turbot fish"]
    bare = len(around) == 1 and union(places).bit_count() == sum(mask.bit_count() for mask in places)
    for base, cover in (("row", "column"), ("column", "row")):
        if of_bases <= {base, "box"} and of_covers <= {cover, "box"}:
            return [f"Franken {name}" if bare and base not in of_goal else f"finned Franken {name}"]
    return [f"mutant {name}" if bare else f"finned mutant {name}"]


def _shape(name: str, place: float, size: int, lines: bool = True, twins: tuple[str, ...] = ()) -> Shape:
    def offers(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
        geometry = position.board.geometry
        if geometry.order <= LARGEST_ORDER or lines or size == 2:
            for names, facts in _fish(geometry, position.candidates, goal, size, lines):
                if name in names:
                    yield facts

    return Shape(name, place, offers, twins=twins, within=one_symbol)


SHAPES = (
    *(_shape(name, 50 + size, size) for size, name in SIZES.items()),
    _shape("skyscraper", 60, 2),
    _shape("kite", 61, 2, lines=False),
    _shape("empty rectangle", 62, 2, lines=False, twins=("turbot fish",)),
    _shape("turbot fish", 63, 2, lines=False),
    *(_shape(f"finned {name}", 70 + 2 * n, n, twins=(f"sashimi {name}",)) for n, name in SIZES.items()),
    *(_shape(f"sashimi {name}", 71 + 2 * n, n) for n, name in SIZES.items()),
    *(
        _shape(f"{fins}{kind} {name}", 90 + 10 * late + 2 * size + bool(fins), size, lines=False)
        for late, kind in enumerate(("Franken", "mutant"))
        for size, name in SIZES.items()
        for fins in ("", "finned ")
    ),
)
