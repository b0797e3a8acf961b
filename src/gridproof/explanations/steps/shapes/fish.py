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
    for base, cover in (("row", "column"), ("column", "row")):
        if of_bases <= {base, "box"} and of_covers <= {cover, "box"}:
            return [f"Franken {name}" if len(around) == 1 and base not in of_goal else f"finned Franken {name}"]
    return [f"mutant {name}" if len(around) == 1 else f"finned mutant {name}"]


def _named(size: int, lines: bool, position: Position, goal: Goal) -> list[tuple[list[str], list[Fact]]]:
    geometry = position.board.geometry
    small = geometry.order <= LARGEST_ORDER or lines or size == 2
    return _fish(geometry, position.candidates, goal, size, lines) if small else []


def _shape(name: str, place: float, size: int, lines: bool) -> Shape:
    def offers(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
        return (facts for names, facts in _named(size, lines, position, goal) if name in names)

    def fits(position: Position, goal: Goal, reason: Sequence[Fact]) -> bool:
        return [fact.kind for fact in reason].count("place") == size

    def others(position: Position, goal: Goal, reason: Sequence[Fact]) -> Iterator[tuple[str, Sequence[Fact]]]:
        fish = _named(size, lines, position, goal)
        return ((other, facts) for names, facts in fish for other in names if other != name)

    return Shape(name, place, offers, fits, others, one_symbol)


SHAPES = (
    *(_shape(name, 50 + size, size, lines=True) for size, name in SIZES.items()),
    _shape("skyscraper", 60, 2, lines=True),
    *(_shape(name, 61 + n, 2, lines=False) for n, name in enumerate(("kite", "empty rectangle", "turbot fish"))),
    *(_shape(f"finned {name}", 70 + 2 * size, size, lines=True) for size, name in SIZES.items()),
    *(_shape(f"sashimi {name}", 71 + 2 * size, size, lines=True) for size, name in SIZES.items()),
    *(
        _shape(f"{kind} {name}", 90 + 4 * size + n, size, lines=False)
        for size, name in SIZES.items()
        for n, kind in enumerate(("Franken", "finned Franken", "mutant", "finned mutant"))
    ),
)
