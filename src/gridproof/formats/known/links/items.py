"""The items of f-puzzles: what its JSON lists under the key of a kind of rule.

How a kind of rule is stated there is in its record ``FPuzzlesItem``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from gridproof.formats.known.links.f_puzzles_drawing import cell_names, draw_copies
from gridproof.formats.programs import Inexpressible, UnreadItem, find_place, is_empty, shorten, sights, terms_of
from gridproof.puzzle.board import Board
from gridproof.rules import Rule, all_kinds, find
from gridproof.rules.foreign import FPuzzlesItem
from gridproof.rules.rule import REQUIRED, Parameter

_COSMETIC = {"outlineC", "fontC", "baseC", "width", "height", "angle", "size", "hidden"}

_PLACE = re.compile(r"R(-?[0-9]{1,3})C(-?[0-9]{1,3})", re.IGNORECASE)


def item_of(kind: type[Rule]) -> FPuzzlesItem | None:
    """Return how f-puzzles states a kind, if it does."""
    for item in kind.formats:
        if isinstance(item, FPuzzlesItem):
            return item
    return None


class Way(NamedTuple):
    """A kind of rules that is read, and the way in which f-puzzles states it."""

    kind: type[Rule]
    item: FPuzzlesItem


@lru_cache(maxsize=1)
def ways_of_kinds() -> tuple[dict[str, Way], dict[str, Way]]:
    """Return the ways in which kinds are stated: by their key or flag, and by their name among the negative ones."""
    by_key = {}
    negative = {}
    for kind in all_kinds().values():
        item = item_of(kind)
        if item is None or not item.is_read:
            continue
        if item.negative:
            negative[item.negative] = Way(kind, item)
        else:
            by_key[item.key or item.flag] = Way(kind, item)
    return by_key, negative


# ---- reading: a rule from the fields of an item ----------------------------------------------------------------------


def rule_of(kind: type[Rule], way: FPuzzlesItem, items: Sequence[Any], n: int) -> Rule | None:
    """Return the rule of one item, or of all items of a kind that is gathered; ``None`` for one that is drawn nowhere.

    Raises ``UnreadItem`` or ``InputError``.
    """
    known = list_fields(way)
    for item in items:
        if not isinstance(item, dict):
            raise UnreadItem(shorten(item))
        further = sorted(set(_stated_fields(item)) - known)
        if further:
            raise UnreadItem(f"{', '.join(further)[:60]} beside its usual fields")
    item = items[0]
    if way.gather:
        item = {"cell": [each.get("cell") for each in items]}
    values = {p.name: read_value(p, way, item, n) for p in kind.parameters()}
    if not any(values[p.name] for p in kind.cell_parameters()):
        for name in _stated_fields(item):
            raise UnreadItem(f"no cells, but {name} {shorten(item[name])}")
        return None
    for p in kind.cell_parameters():
        if p.default is REQUIRED and not values[p.name]:
            raise UnreadItem(f"no {p.name}; expected some")
    if way.pairs and not len(values["cells"]) == len(set(values["cells"])) == 2:
        raise UnreadItem(f"{len(values['cells'])} cells; expected two different ones")
    return kind(**values)


def list_fields(way: FPuzzlesItem) -> set[str]:
    """Return the fields that an item may have, beside those of its look."""
    fields: set[str] = set()
    for field in way.fields.values():
        if isinstance(field, tuple):
            fields.update(field)
        else:
            fields.add("cell" if field == "sight" else field)
    if way.slanted:
        fields |= {"direction", "cells"}
    return fields


def _stated_fields(item: Mapping[str, Any]) -> list[str]:
    return [name for name, value in item.items() if name not in _COSMETIC and not is_empty(value)]


def read_value(p: Parameter, way: FPuzzlesItem, item: Mapping[str, Any], n: int) -> Any:
    """Return the value of a parameter."""
    field = way.fields.get(p.name)
    if field is None:
        return p.default
    if field == "sight":
        return find_seen_cells(item, n, slanted=way.slanted)
    if isinstance(field, tuple):
        return tuple(_read_cells(item[name], n) for name in field if not is_empty(item.get(name)))
    value = item.get(field)
    if p.type in ("lines", "cells", "numbers"):
        return read_list(p, way, field, value, n)
    if value in (None, ""):
        if p.default is REQUIRED:
            raise UnreadItem(f"no {field}; expected the {p.name}")
        return p.default
    number = way.words.get(str(value).strip().upper()) or number_of(value)
    return p.default if number == way.number_for_none else number


def read_list(p: Parameter, way: FPuzzlesItem, field: str, value: Any, n: int) -> tuple[Any, ...]:
    """Return the value of a parameter that is a list: of cells, of numbers, or of lines."""
    if field == "cell" and not way.gather:
        values = [value]
    else:
        values = [] if value is None else value
    if not isinstance(values, list):
        raise UnreadItem(f"{field} {shorten(value)}; expected a list")
    if p.type == "cells":
        return _read_cells(values, n)
    if p.type == "numbers":
        return tuple(number_of(number) for number in values)
    lines = []
    for line in values:
        cells = _read_cells(line, n)
        if way.drop_first:
            cells = cells[1:]
        if cells:
            lines.append(cells)
    return tuple(lines)


def number_of(value: Any) -> int:
    """Return a whole number, perhaps given as text. Raises ``UnreadItem``."""
    if type(value) is int:
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,6}\s*", value):
        return int(value)
    raise UnreadItem(f"value {shorten(value)}; expected a whole number")


def _read_cells(names: Any, n: int) -> tuple[int, ...]:
    if not isinstance(names, list) or len(names) > n**2:
        raise UnreadItem(f"{shorten(names)}; expected a list of at most {n**2} cells")
    cells = []
    for name in names:
        row, column = _row_and_column(name)
        if not (1 <= row <= n and 1 <= column <= n):
            raise UnreadItem(f"{name} is not on a board of order {n}")
        cells.append((row - 1) * n + column - 1)
    return tuple(cells)


def _row_and_column(name: Any) -> tuple[int, int]:
    match = _PLACE.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise UnreadItem(f"cell {shorten(name)}; expected a name such as R1C1")
    return int(match[1]), int(match[2])


def find_seen_cells(item: Mapping[str, Any], n: int, *, slanted: bool) -> tuple[int, ...]:
    """Return the cells that a clue outside the grid sees."""
    row, column = _row_and_column(item.get("cell"))
    direction = str(item.get("direction")) if slanted else ""
    cells = sights(n, slanted).get((row, column, direction))
    if cells is None:
        place = f"cell {shorten(item['cell'])}"
        wanted = "a place outside the grid"
        if slanted:
            place += f", direction {shorten(item.get('direction'))}"
            wanted += ", and UL, UR, DL or DR"
        raise UnreadItem(f"{place}; expected {wanted}, from where a clue sees cells")
    if item.get("cells") and sorted(_read_cells(item["cells"], n)) != sorted(cells):
        raise UnreadItem(f"cells {shorten(item['cells'])}; expected those that its clue sees")
    return cells


# ---- writing: the items of a rule ------------------------------------------------------------------------------------


def items_of(rule: Rule, board: Board) -> Iterator[tuple[str, Any]]:
    """Yield the keys of a rule with its items, and copies of what would not be drawn; ``True`` for a flag.

    Raises ``Inexpressible``.
    """
    geometry, n = board.geometry, board.geometry.order
    values = terms_of(rule, geometry)
    kind = find(rule.kind)
    way = item_of(kind)
    if way is None:
        raise Inexpressible
    if way.flag and rule.is_plain():
        yield way.flag, True
        return
    if way.negative and rule.is_plain():
        yield "negative", way.negative
        return
    if not way.key or (way.key == "quadruple" and not is_square(values["cells"], n)):
        raise Inexpressible
    if way.gather and sum(other.kind == rule.kind for other in board.rules) > 1:
        raise Inexpressible  # all such cells of a board are one rule there
    parts: Iterable[Sequence[int]] = [values.get("cells", ())]
    if way.pairs:
        parts = pairwise(values["cells"])
    elif way.fields.get("cells") == "cell":
        parts = [[cell] for cell in values["cells"]]
    for cells in parts:
        item: dict[str, Any] = {}
        for p in kind.parameters():
            item |= write_value(p, way, {**values, "cells": cells}, n)
        yield way.key, item
    if not way.is_drawn:
        yield from draw_copies(rule, geometry)


def is_square(cells: Sequence[int], n: int) -> bool:
    """Return whether cells are the four of a square of 2x2."""
    first = min(cells, default=0)
    return sorted(cells) == [first, first + 1, first + n, first + n + 1] and first % n < n - 1


def write_value(p: Parameter, way: FPuzzlesItem, values: Mapping[str, Any], n: int) -> dict[str, Any]:
    """Return the fields of an item for the value of a parameter."""
    value = values[p.name]
    field = way.fields.get(p.name)
    if field is None:
        if value != p.default:
            raise Inexpressible
        return {}
    if field == "sight":
        return _find_place(value, n, slanted=way.slanted)
    if isinstance(field, tuple):
        if len(value) != len(field):
            raise Inexpressible
        return {name: cell_names(line, n) for name, line in zip(field, value, strict=True)}
    if p.type == "lines":
        lines = value
        if way.drop_first:
            lines = [begin_in_circle(values["circle"], line, n) for line in value]
        return {field: [cell_names(line, n) for line in lines]}
    if p.type == "cells":
        names = cell_names(value, n)
        return {field: names[0] if field == "cell" else names}
    if p.type == "numbers":
        return {field: list(value)}
    return write_number(p, way, field, value)


def write_number(p: Parameter, way: FPuzzlesItem, field: str, value: Any) -> dict[str, Any]:
    """Return the field of a number, or of the word for it. Raises ``Inexpressible``."""
    if way.words:
        return {field: find_word(value, way.words)}
    if value is None:
        return {}
    if value == way.number_for_none:
        raise Inexpressible
    return {field: "" if value == p.default else str(value)}


def find_word(number: int, words: Mapping[str, int]) -> str:
    """Return the word that stands for a number. Raises ``Inexpressible``."""
    for word, meant in words.items():
        if meant == number:
            return word
    raise Inexpressible


def begin_in_circle(circle: Sequence[int], line: Sequence[int], n: int) -> list[int]:
    """Return a shaft with the cell of the circle that it begins in."""
    if not line:
        raise Inexpressible
    first = line[0]
    nearest = min(circle, key=lambda cell: max(abs(cell // n - first // n), abs(cell % n - first % n)))
    return [nearest, *line]


def _find_place(cells: Sequence[int], n: int, *, slanted: bool) -> dict[str, Any]:
    """Return the place of a clue that sees these cells, and no others. slanted: along a diagonal."""
    found = find_place(cells, n, slanted=slanted)
    if found is None:
        raise Inexpressible
    row, column, direction = found
    place: dict[str, Any] = {"cell": f"R{row}C{column}"}
    if slanted:
        place |= {"direction": direction, "cells": cell_names(cells, n)}
    return place
