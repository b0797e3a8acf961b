"""Short names of rules, for lists and for sentences about many of them."""

from __future__ import annotations

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import line_of_sight, shortened_runs
from gridproof.rules.kinds.outside import OutsideClue
from gridproof.rules.rule import Rule

MOST_PLACES = 4
"""Largest number of cells and runs of cells in a name; of more the last ones are left out."""


def short_name(rule: Rule, geometry: Geometry) -> str:
    """Return the kind of a rule, its values and its place.

    Examples
    --------
    >>> from gridproof import Geometry
    >>> from gridproof.rules import killer, sandwich
    >>> geometry = Geometry.classic(2)
    >>> short_name(killer(5, "r1c1 r1c2").make(geometry), geometry)
    'killer 5, r1c1 r1c2'
    >>> short_name(sandwich(4, "r4c3 r3c3 r2c3 r1c3").make(geometry), geometry)
    'sandwich 4, column 3 from the bottom'
    """
    words = [rule.name_or_path]
    numbers = rule.numbers(geometry)
    defaults = rule.defaults()
    for name, kind, value in rule.stated_values():
        if kind in ("cells", "lines") or value is None or value == defaults[name]:
            continue
        stated = numbers.get(name, value)
        if kind == "flag":
            words.append(name)
        elif kind == "numbers":
            words.append("-".join([str(number) for number in stated]))
        else:
            words.append(str(stated))
    place = name_place(rule, geometry)
    return f"{' '.join(words)}, {place}" if place else " ".join(words)


def name_place(rule: Rule, geometry: Geometry) -> str:
    """Return where a rule holds, in few words; nothing for one of the whole board."""
    if isinstance(rule, OutsideClue):
        sight = line_of_sight(rule.cells, geometry)
        side, _, line = sight.partition(" in ")
        if not line:
            return shortened_runs(rule.cells, geometry)
        return line if side in ("from the left", "from the top") else f"{line} {side}"
    lines = [shortened_runs(cells, geometry) for _, cells in rule.lists()]
    places = " / ".join(lines).split(" ")
    if len(places) > MOST_PLACES:
        return f"{' '.join(places[:MOST_PLACES])} \N{HORIZONTAL ELLIPSIS}"
    return " ".join(places)
