"""Hall sets among the facts of a reason: as many cells, or places of symbols, as there is room for.

If three cells of a house have only three symbols left together, no other cell of it holds one of these. If three
symbols have only three cells left in a house, nothing else is in these cells. If the places of a symbol in three rows
are all in three columns, it has no further place there. It is one argument (Hall 1935, On representatives of subsets):
each of some facts needs a candidate of its own, and of each *room*, such as a symbol of a house, a cell, or a column
for a symbol, at most one candidate can hold. Fewer rooms than facts are not looked for: all facts but one then have as
many rooms as they need, or fewer, and take away all that the last one has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from gridproof.solving.position import Candidate, Fact, Position

MOST_FACTS = 4
"""Largest number of cells, or places, in a Hall set; four cells are a naked quad."""


class Group(NamedTuple):
    """Facts among which Hall sets are looked for, and the rooms for their candidates.

    facts: each needs one of its candidates. room_of: the number of the room of a candidate. houses: the fact that makes
    the candidates of a room exclude each other; a cell as a room needs none.
    """

    facts: Sequence[Fact]
    room_of: Mapping[Candidate, int]
    houses: Mapping[int, Fact]


class HallSet(NamedTuple):
    """Facts that need all the rooms there are for them.

    facts: they, before or after the houses that make the rooms; the first one decides. members: those of them that need
    a candidate. gone: other candidates of the rooms.
    """

    facts: tuple[Fact, ...]
    members: tuple[Fact, ...]
    gone: tuple[Candidate, ...]


def group_facts(position: Position, reason: Sequence[Fact]) -> list[Group]:
    """Return the groups of the facts of a reason: cells of a house, symbols in a house, houses with a symbol."""
    geometry = position.board.geometry
    cells = [fact for fact in reason if fact.kind == "cell"]
    places = [fact for fact in reason if fact.kind == "place"]
    houses = [fact for fact in reason if fact.kind == "once"]
    groups: list[Group] = []
    for house in houses:
        inside = set(geometry.houses[house.number].cells)
        room_of: dict[Candidate, int] = {}
        for cell in inside:
            for symbol in position.symbols(cell):
                room_of[cell, symbol] = symbol
        facts = [fact for fact in cells if fact.number in inside]
        groups.append(Group(facts, room_of, dict.fromkeys(room_of.values(), house)))
    for number in dict.fromkeys([fact.number for fact in places]):
        room_of = {}
        for cell in geometry.houses[number].cells:
            for symbol in position.symbols(cell):
                room_of[cell, symbol] = cell
        groups.append(Group([fact for fact in places if fact.number == number], room_of, {}))
    for symbol in dict.fromkeys([fact.symbol for fact in places]):
        for kind in dict.fromkeys([geometry.houses[house.number].kind for house in houses]):
            room_of = {}
            across = [house for house in houses if geometry.houses[house.number].kind == kind]
            for house in across:
                room_of |= dict.fromkeys(
                    [(cell, symbol) for cell in position.places(house.number, symbol)], house.number
                )
            facts = [fact for fact in places if fact.symbol == symbol]
            groups.append(Group(facts, room_of, {house.number: house for house in across}))
    return [group for group in groups if len(group.facts) > 1]


def find_hall_sets(group: Group, options: Mapping[Fact, Sequence[Candidate]], size: int) -> Iterator[HallSet]:
    """Yield the Hall sets of some size in a group.

    Parameters
    ----------
    group
        The facts and the rooms.
    options
        The candidates that are left of each fact that is open. A set is not looked for with others.
    size
        The number of facts in a set.
    """
    rooms_of: dict[Fact, set[int]] = {}
    for fact in group.facts:
        rooms = {group.room_of.get(option, -1) for option in options.get(fact, ())}
        if rooms and -1 not in rooms and len(rooms) <= size:
            rooms_of[fact] = rooms
    for members in combinations(rooms_of, size):
        rooms = set().union(*[rooms_of[fact] for fact in members])
        if len(rooms) != size:
            continue
        taken: list[Candidate] = []
        for fact in members:
            taken += options[fact]
        if len(taken) > len(set(taken)):
            continue  # two of the facts may need the same candidate
        gone = tuple(
            [candidate for candidate, room in group.room_of.items() if room in rooms and candidate not in taken]
        )
        houses = dict.fromkeys([group.houses[room] for room in sorted(rooms) if room in group.houses])
        facts = (*houses, *members) if members[0].kind == "cell" else (*members, *houses)
        yield HallSet(facts, members, gone)
