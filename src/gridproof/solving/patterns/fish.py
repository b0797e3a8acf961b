"""Patterns of one symbol: locked candidates, X-wing to jellyfish, with fins or boxes; skyscraper, kite, turbot fish.

If the goal held the symbol, the places of some *bases* (houses) would lie in *covers*, of which there is one too few:
a cover takes one base. The places that the goal sees by the houses around it would be out. With one base and no cover
this is *pointing*, from a box or region to a line, or *claiming*, from a line to a box or region.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations

from gridproof.puzzle.geometry import Geometry
from gridproof.solving.patterns import Pattern, union
from gridproof.solving.step import Fact, Goal, Position

SIZES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
ACROSS = (("row", "column"), ("column", "row"))
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
    for base, cover in ACROSS if lines else [("", "")]:
        bases = [house for house in left if base in ("", kinds[house])]
        for covers in combinations([h for h in left if left[h] and cover in ("", kinds[h])], size - 1):
            outside = ~union([masks[house] for house in covers])
            inside = [house for house in bases if not left[house] & outside and house not in covers]
            for chosen in combinations(inside, size):
                if union([left[h] for h in chosen]).bit_count() == sum([left[h].bit_count() for h in chosen]):
                    places = [masks[house] & everywhere for house in chosen]
                    out = union(places) & outside
                    needed = next(
                        houses
                        for number in range(len(around) + 1)
                        for houses in combinations(around, number)
                        if not out & ~union([masks[house] for house in houses])
                    )
                    facts = [Fact("place", house, goal.symbol) for house in chosen]
                    facts += [Fact("once", house) for house in (*covers, *needed)]
                    body = union(masks[h] for h in (*covers, *(h for h in around if kinds[h] == cover)))
                    sides = ([kinds[house] for house in some] for some in (chosen, covers, needed))
                    found.append((_names(*sides, places=places, body=body), facts))
    return found


def _names(bases: list[str], covers: list[str], around: list[str], *, places: list[int], body: int) -> list[str]:
    """Return the names of a fish, by the kinds of its bases, its covers and the houses around the goal.

    places: of the symbol in each base. body: the covers and what is parallel to them around the goal.
    """
    of_bases, of_covers, size, twice = {*bases}, {*covers}, len(bases), all(mask.bit_count() == 2 for mask in places)
    if size == 1:
        return ["pointing" if "box" in of_bases else "claiming"] if len(around) == 1 else []
    if (*of_bases, *of_covers) in ACROSS:
        if {*around} == of_covers:
            return [SIZES[size]]
        fins = "sashimi" if any((mask & body).bit_count() < 2 for mask in places) else "finned"
        return [*(["skyscraper"] if twice and size == 2 else []), f"{fins} {SIZES[size]}"]
    if size == 2 and twice and of_bases == {"row", "column"} and of_covers == {"box"}:
        return ["kite"]
    if size == 2 and "box" in of_bases and len(of_bases) == 2 and "box" not in of_covers:
        line = next(mask for mask, kind in zip(places, bases, strict=True) if kind != "box")
        if line.bit_count() == 2:
            return ["empty rectangle", "turbot fish"] if twice else ["empty rectangle"]
    if size == 2 and twice:
        return ["turbot fish"]
    bare = len(around) == 1 and union(places).bit_count() == sum(mask.bit_count() for mask in places)
    for base, cover in ACROSS:
        if of_bases <= {base, "box"} and of_covers <= {cover, "box"}:
            return [f"Franken {SIZES[size]}" if bare and base not in around else f"finned Franken {SIZES[size]}"]
    return [f"mutant {SIZES[size]}" if bare else f"finned mutant {SIZES[size]}"]


def _pattern(name: str, place: float, size: int, lines: bool = True, twins: tuple[str, ...] = ()) -> Pattern:
    def offers(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
        geometry = position.board.geometry
        if not goal.placed and (geometry.order <= LARGEST_ORDER or lines or size <= 2):
            for names, facts in _fish(geometry, position.candidates, goal, size, lines):
                if name in names:
                    yield facts

    return Pattern(name, place, offers, twins=twins, one_symbol=True)


PATTERNS = (
    *(
        _pattern(name, 10 + n, 1, False, ("locked pair", "locked triple"))
        for n, name in enumerate(("pointing", "claiming"))
    ),
    *(_pattern(name, 50 + size, size) for size, name in SIZES.items()),
    _pattern("skyscraper", 60, 2),
    _pattern("kite", 61, 2, lines=False),
    _pattern("empty rectangle", 62, 2, lines=False, twins=("turbot fish",)),
    _pattern("turbot fish", 63, 2, lines=False),
    *(_pattern(f"finned {name}", 70 + 2 * n, n, twins=(f"sashimi {name}",)) for n, name in SIZES.items()),
    *(_pattern(f"sashimi {name}", 71 + 2 * n, n) for n, name in SIZES.items()),
    *(
        _pattern(f"{fins}{kind} {name}", 90 + 10 * late + 2 * size + bool(fins), size, lines=False)
        for late, kind in enumerate(("Franken", "mutant"))
        for size, name in SIZES.items()
        for fins in ("", "finned ")
    ),
)
