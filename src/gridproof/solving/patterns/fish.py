"""Patterns of one symbol: locked candidates, X-wing to jellyfish, with fins or boxes; skyscraper, kite, turbot fish.

If the goal held the symbol, no other cell of its houses would. What is then left of the places of some *bases* (houses)
lies in *covers*, of which there is one too few: each base needs a place of its own, but a cover takes only one. The
*joints* are those houses of the goal that are needed for this. With one base and no cover the pattern is *pointing*,
from a box or region to a line, or *claiming*, from a line to a box or region.

A set of cells is an integer with a bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import NamedTuple

from gridproof.solving.patterns import Pattern, cell_set
from gridproof.solving.position import Fact, Goal, Position

SIZES = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}
"""The name of a basic fish by the number of its bases; its bases are parallel lines, its covers lines across."""

CHAINS = {"skyscraper", "kite", "empty rectangle", "turbot fish"}
"""The names of those that are chains, too."""

DUAL = {"kite", "empty rectangle"}
"""The names of those of which two that share a box have a name together."""

ACROSS = {"row": "column", "column": "row"}
"""The kind of the lines across, for each kind of lines."""

LARGEST_ORDER = 9
"""Largest order for which fish are looked for that have more than two bases and are not basic."""


class Places(NamedTuple):
    """The places of a symbol in a house.

    number, kind: of the house; the kind of all that are no lines is ``box``. cells: all places. unseen: those that are
    in no house of the goal.
    """

    number: int
    kind: str
    cells: int
    unseen: int


class Fish(NamedTuple):
    """The houses of a fish. around: all houses of the goal, of which the joints are some."""

    bases: Sequence[Places]
    covers: Sequence[Places]
    joints: Sequence[Places]
    around: Sequence[Places]


# ---- the search ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=32)
def find_fish(position: Position, goal: Goal, size: int, basic: bool) -> list[tuple[list[str], Fish]]:
    """Return all fish for a goal, with their names. size: the number of bases. basic: only basic fish."""
    geometry = position.board.geometry
    houses = places_in_houses(position, goal)
    around = [houses[number] for number in geometry.houses_of[goal.cell]]
    others = [house for house in houses if house not in around]
    full = [house for house in others if house.number in geometry.full_houses]  # a base has a place for the symbol
    found: list[Fish] = []
    if basic:
        for line, across in ACROSS.items():
            bases = [house for house in full if house.kind == line]
            covers = [house for house in others if house.kind == across]
            found += combine(bases, covers, around, size)
    else:
        found += combine(full, others, around, size)
    return [(names_of(fish), fish) for fish in found]


def places_in_houses(position: Position, goal: Goal) -> list[Places]:
    """Return the places of the goal's symbol in each house."""
    geometry = position.board.geometry
    seen = cell_set(geometry.peers[goal.cell]) | (1 << goal.cell)
    found = []
    for number, house in enumerate(geometry.houses):
        kind = house.kind if house.kind in ACROSS else "box"
        cells = cell_set(position.places(number, goal.symbol))
        found.append(Places(number, kind, cells, cells & ~seen))
    return found


def combine(bases: Sequence[Places], covers: Sequence[Places], around: Sequence[Places], size: int) -> Iterator[Fish]:
    """Yield each fish that is made of some of these bases and covers."""
    useful = [cover for cover in covers if cover.unseen]
    for chosen_covers in combinations(useful, size - 1):
        covered = cells_of(chosen_covers)
        inside = [base for base in bases if not base.unseen & ~covered and base not in chosen_covers]
        for chosen_bases in combinations(inside, size):
            if not overlap([base.unseen for base in chosen_bases]):
                left_over = cells_of(chosen_bases) & ~covered
                yield Fish(chosen_bases, chosen_covers, fewest_joints(around, left_over), around)


def fewest_joints(around: Sequence[Places], left_over: int) -> Sequence[Places]:
    """Return the fewest houses of the goal that hold all that the covers leave over of the bases."""
    for number in range(len(around)):
        for joints in combinations(around, number):
            if not left_over & ~cells_of(joints):
                return joints
    return around


def cells_of(houses: Iterable[Places]) -> int:
    """Return the places in some houses."""
    cells = 0
    for house in houses:
        cells |= house.cells
    return cells


def overlap(masks: Iterable[int]) -> bool:
    """Return whether a cell is in two of some sets."""
    before = 0
    for mask in masks:
        if mask & before:
            return True
        before |= mask
    return False


# ---- the names -------------------------------------------------------------------------------------------------------


def names_of(fish: Fish) -> list[str]:
    """Return the names of a fish: one, or two if it is a special one; none for some with a single base."""
    if len(fish.bases) == 1:
        return names_of_single(fish)
    line = line_of(fish)
    if line is not None and "box" not in kinds(fish.bases) | kinds(fish.covers):
        return names_of_basic(fish)
    names = names_of_pair(fish) if len(fish.bases) == 2 else []
    return names or [name_of_other(fish, line)]


def line_of(fish: Fish) -> str | None:
    """Return the kind of the lines among the bases if they are parallel, and the lines among the covers across."""
    for line, across in ACROSS.items():
        if kinds(fish.bases) <= {line, "box"} and kinds(fish.covers) <= {across, "box"}:
            return line
    return None


def kinds(houses: Iterable[Places]) -> set[str]:
    """Return the kinds of some houses."""
    return {house.kind for house in houses}


def names_of_single(fish: Fish) -> list[str]:
    """Return the name of a fish with one base, if one house of the goal has all its places."""
    if len(fish.joints) != 1:
        return []
    return ["pointing"] if fish.bases[0].kind == "box" else ["claiming"]


def names_of_basic(fish: Fish) -> list[str]:
    """Return the names of a basic fish. What is neither in a cover nor in the line across through the goal is a fin."""
    name = SIZES[len(fish.bases)]
    across = kinds(fish.covers)
    if kinds(fish.joints) == across:
        return [name]
    body = cells_of(fish.covers) | cells_of(house for house in fish.around if house.kind in across)
    is_sashimi = any((base.cells & body).bit_count() < 2 for base in fish.bases)
    names = [f"sashimi {name}" if is_sashimi else f"finned {name}"]
    if len(fish.bases) == 2 and has_two_places(fish.bases):
        names.append("skyscraper")
    return names


def names_of_pair(fish: Fish) -> list[str]:
    """Return the names of a fish with two bases that is not basic, if it has one of its own."""
    pairs = has_two_places(fish.bases)
    if pairs and kinds(fish.bases) == {"row", "column"} and kinds(fish.covers) == {"box"}:
        return ["kite"]
    names = ["turbot fish"] if pairs else []
    lines = [base for base in fish.bases if base.kind != "box"]
    if len(lines) == 1 and has_two_places(lines) and "box" not in kinds(fish.covers):
        names.append("empty rectangle")
    return names


def has_two_places(houses: Iterable[Places]) -> bool:
    """Return whether the symbol has two places in each of some houses."""
    return all(house.cells.bit_count() == 2 for house in houses)


def name_of_other(fish: Fish, line: str | None) -> str:
    """Return the name of a fish with boxes (Franken), or with rows and columns on one side (mutant).

    It has fins unless one house of the goal would do as one more cover for all that is left over.
    """
    family = "mutant" if line is None else "Franken"
    name = f"{family} {SIZES[len(fish.bases)]}"
    disjoint = not overlap([base.cells for base in fish.bases])
    if disjoint and len(fish.joints) == 1 and line not in kinds(fish.joints):
        return name
    return f"finned {name}"


# ---- the patterns ----------------------------------------------------------------------------------------------------


def make_pattern(name: str, place: float, size: int, basic: bool = False, twins: tuple[str, ...] = ()) -> Pattern:
    """Return the pattern of the fish of a name. place: in the usual order. size: the number of bases."""

    def offers(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
        too_many = position.board.geometry.symbol_count > LARGEST_ORDER and size > 2 and not basic
        if goal.placed or too_many:
            return
        for names, fish in find_fish(position, goal, size, basic):
            if name in names:
                facts = [Fact("place", base.number, goal.symbol) for base in fish.bases]
                facts += [Fact("once", house.number) for house in chain(fish.covers, fish.joints)]
                yield facts

    return Pattern(
        name, place, offers, twins=twins, one_symbol=True, may_be_dual=name in DUAL, along_chain=name in CHAINS
    )


def make_patterns() -> Iterator[Pattern]:
    """Yield the patterns of all fish."""
    yield make_pattern("pointing", 10, size=1, twins=("locked pair", "locked triple"))
    yield make_pattern("claiming", 11, size=1, twins=("locked pair", "locked triple"))
    yield make_pattern("skyscraper", 60, size=2, basic=True)
    yield make_pattern("kite", 61, size=2, twins=("finned X-wing", "sashimi X-wing"))
    yield make_pattern("turbot fish", 62, size=2, twins=("empty rectangle",))
    yield make_pattern("empty rectangle", 64, size=2)
    for size, name in SIZES.items():
        place = 63 if size == 2 else 70 + 2 * size
        rectangle = ("empty rectangle",) if size == 2 else ()
        yield make_pattern(name, 50 + size, size, basic=True)
        yield make_pattern(f"finned {name}", place, size, basic=True, twins=(f"sashimi {name}", *rectangle))
        yield make_pattern(f"sashimi {name}", place + 0.5, size, basic=True, twins=rectangle)
        yield make_pattern(f"Franken {name}", 90 + 2 * size, size)
        yield make_pattern(f"finned Franken {name}", 91 + 2 * size, size)
        yield make_pattern(f"mutant {name}", 100 + 2 * size, size)
        yield make_pattern(f"finned mutant {name}", 101 + 2 * size, size)


PATTERNS = tuple(make_patterns())
