"""Contradictions of a board that are seen at a glance, without any search.

Each is certain: a symbol twice in a house, a cell without a candidate, a symbol without a place in a house, or a rule
that its kind shows to be impossible. From clues and pencil marks nothing is concluded but that a clue takes its symbol
from the other cells of its houses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import House
from gridproof.text import counted

if TYPE_CHECKING:
    from gridproof.rules import Rule


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A reason why a board has no solution, found without any search.

    Attributes
    ----------
    kind : {"clash", "cell", "place", "rule"}
        One symbol twice in a house, a cell without a candidate, a symbol without a place in a house, or a rule.
    message : str
        The reason in words, with cells as r1c1.
    cells : tuple of int
        The cells that show it.
    symbol, house
        The symbol and the house, of a clash and of a place; no symbol for a house with fewer candidates than cells.
    """

    kind: Literal["clash", "cell", "place", "rule"]
    message: str
    cells: tuple[int, ...]
    symbol: int | None = None
    house: House | None = None

    def __str__(self) -> str:
        return self.message


def find_contradictions(
    geometry: Geometry, clues: Sequence[int], candidates: Sequence[int], rules: Sequence[Rule]
) -> list[Contradiction]:
    """Return every contradiction of a board; clashes first, then cells, places and rules.

    candidates: the mask of symbols that clue and pencil marks of each cell allow.
    """
    found = list(_find_clashes(geometry, clues))
    left = _exclude_clues(geometry, clues, candidates)
    found += _find_empty_cells(geometry, left)
    found += _find_symbols_without_place(geometry, left)
    if all(left):
        found += _find_impossible_rules(geometry, left, rules)
    return found


def _find_clashes(geometry: Geometry, clues: Sequence[int]) -> Iterator[Contradiction]:
    for house in geometry.houses:
        for symbol, cells in _places_of_clues(house, clues).items():
            if len(cells) > 1:
                names = " and ".join([geometry.cell_name(cell) for cell in cells])
                both = "both" if len(cells) == 2 else "all"
                message = f"{names} in {house.name} {both} hold {geometry.symbol_text(symbol)}"
                yield Contradiction("clash", message, tuple(cells), symbol, house)


def _places_of_clues(house: House, clues: Sequence[int]) -> dict[int, list[int]]:
    """Return the cells of a house with a clue, by its symbol."""
    places: dict[int, list[int]] = {}
    for cell in house.cells:
        if clues[cell]:
            places.setdefault(clues[cell], []).append(cell)
    return places


def _exclude_clues(geometry: Geometry, clues: Sequence[int], candidates: Sequence[int]) -> list[int]:
    """Return the candidates of each cell without the symbols of the clues in its houses."""
    left = list(candidates)
    for house in geometry.houses:
        taken = 0
        for symbol in _places_of_clues(house, clues):
            taken |= 1 << (symbol - 1)
        for cell in house.cells:
            if not clues[cell]:
                left[cell] &= ~taken
    return left


def _find_empty_cells(geometry: Geometry, left: Sequence[int]) -> Iterator[Contradiction]:
    for cell, symbol_mask in enumerate(left):
        if not symbol_mask:
            yield Contradiction("cell", f"{geometry.cell_name(cell)} has no candidate left", (cell,))


def _find_symbols_without_place(geometry: Geometry, left: Sequence[int]) -> Iterator[Contradiction]:
    for house in geometry.houses:
        placed = 0
        for cell in house.cells:
            placed |= left[cell]
        if placed == geometry.every_symbol:
            continue
        if not geometry.is_full(house):
            if placed.bit_count() < len(house.cells):
                cells = counted(len(house.cells), "cell")
                message = f"{house.name} has {cells} and {counted(placed.bit_count(), 'candidate')} for them"
                yield Contradiction("place", message, house.cells, None, house)
            continue
        for symbol in geometry.symbols:
            if not placed >> (symbol - 1) & 1:
                message = f"{geometry.symbol_text(symbol)} has no place left in {house.name}"
                yield Contradiction("place", message, house.cells, symbol, house)


def _find_impossible_rules(geometry: Geometry, left: Sequence[int], rules: Sequence[Rule]) -> Iterator[Contradiction]:
    for rule in rules:
        reason = rule.impossible(geometry, left)
        if reason is not None:
            message = f"{rule.sentence(geometry)}: {reason}"
            yield Contradiction("rule", message, tuple(sorted(rule.scope(geometry))))
