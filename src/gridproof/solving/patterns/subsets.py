"""Singles and subsets: as many symbols as cells in a house, seen from the cells (naked) or the symbols (hidden).

What is naked in some cells of a house is hidden in the other open ones, so each subset has a *twin*. A naked subset is
*locked* if it takes something from two houses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations

from gridproof.solving.patterns import Pattern, union
from gridproof.solving.step import Fact, Goal, Position

SIZES = {2: "pair", 3: "triple", 4: "quad"}


def _houses(position: Position, goal: Goal, placed: bool = False) -> Sequence[int]:
    """Return the houses of the cell of a goal, boxes first, as people look; none for a goal of the other sort."""
    return position.board.geometry.houses_of[goal.cell][::-1] if goal.placed == placed else ()


def _places(position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer each house of the cell as the one in which the symbol has no other place."""
    return ([Fact("place", house, goal.symbol)] for house in _houses(position, goal, placed=True))


def _is_full_house(position: Position, reason: Sequence[Fact]) -> bool:
    return sum(not position.entries[cell] for cell in position.board.geometry.houses[reason[0].number].cells) == 1


def _cell(position: Position, goal: Goal) -> Sequence[Sequence[Fact]]:
    return [[Fact("cell", goal.cell)]] * goal.placed


def _naked(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer cells of a house of the goal that have as many symbols as they are, among them that of the goal."""
    for house in _houses(position, goal):
        cells = [cell for cell in position.board.geometry.houses[house].cells if cell != goal.cell]
        left = {Fact("cell", cell): position.candidates[cell] for cell in cells}
        yield from ([Fact("once", house), *facts] for facts in _tight(left, size, goal.symbol - 1))


def _hidden(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer other symbols that have as many places in a house as they are, among them the cell of the goal."""
    for house in _houses(position, goal):
        facts = [Fact("place", house, s) for s in range(1, position.board.geometry.order + 1) if s != goal.symbol]
        yield from _tight({f: union(1 << cell for cell in position.cells(f)) for f in facts}, size, goal.cell)


def _tight(left: dict[Fact, int], size: int, needed: int) -> Iterator[Sequence[Fact]]:
    """Yield as many facts as what is left for all of them has members, if the needed one is among these."""
    for facts in combinations([fact for fact, mask in left.items() if 1 < mask.bit_count() <= size], size):
        mask = union(left[fact] for fact in facts)
        if mask.bit_count() == size and mask >> needed & 1:
            yield facts


def _locked(size: int, position: Position, goal: Goal) -> Iterator[Sequence[Fact]]:
    """Offer naked subsets that take something from two houses."""
    geometry, masks = position.board.geometry, position.candidates
    for once, *facts in _naked(size, position, goal):
        cells = {fact.number for fact in facts}
        mask, shared = (
            union(masks[cell] for cell in cells),
            set.intersection(*({*geometry.houses_of[c]} for c in cells)),
        )
        if sum(any(masks[c] & mask for c in {*geometry.houses[house].cells} - cells) for house in shared) > 1:
            yield [once, *facts]


PATTERNS = (
    Pattern("full house", 0, _places, _is_full_house),
    Pattern("hidden single", 1, _places, twins=("naked single",)),
    Pattern("naked single", 2, _cell),
    *(Pattern(f"locked {SIZES[n]}", 10 + n, partial(_locked, n), twins=(f"naked {SIZES[n]}",)) for n in (2, 3)),
    *(
        Pattern(
            f"{kind} {name}",
            place + 10 * size,
            partial(offers, size),
            twins=tuple(f"{twin} {n}" for n in SIZES.values()),
        )
        for place, kind, offers, twin in ((0, "naked", _naked, "hidden"), (1, "hidden", _hidden, "naked"))
        for size, name in SIZES.items()
    ),
)
