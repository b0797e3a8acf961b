"""The items of f-puzzles: what its JSON lists under the key of a kind of rule.

How a kind of rule is stated there is in its record ``FPuzzlesItem``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from gridproof.formats.programs import Inexpressible, Wrong, is_empty, short, sights, terms_of
from gridproof.puzzle.board import Board
from gridproof.rules import Rule, find
from gridproof.rules.drawing import COLOURS, Line, Mark, Outside, Shape
from gridproof.rules.foreign import FPuzzlesItem
from gridproof.rules.kind import Kind
from gridproof.rules.rule import REQUIRED, Parameter

_COSMETIC = {"outlineC", "fontC", "baseC", "width", "height", "angle", "size", "hidden"}
NOT_DRAWN = {
    *("renban", "whispers", "regionsumline", "entropicline", "modularline", "nabner", "zipperline", "doublearrow"),
    *("slowthermometer", "xsum", "skyscraper", "rowindexer", "columnindexer", "boxindexer"),
}
"""Keys of rules that SudokuPad, or f-puzzles without additions, does not draw."""

_WIDTHS = {"thin": 0.1, "normal": 0.2, "thick": 0.35}
_PLACE = re.compile(r"R(-?\d{1,3})C(-?\d{1,3})", re.IGNORECASE)


def item_of(kind: Kind) -> FPuzzlesItem | None:
    """Return how f-puzzles states a kind, if it does."""
    for item in kind.formats:
        if isinstance(item, FPuzzlesItem):
            return item
    return None


def rule_of(kind: Kind, way: FPuzzlesItem, items: Sequence[Any], n: int) -> Rule | None:
    """Return the rule of one item, or of all items of a kind that is gathered; ``None`` for one that is drawn nowhere.

    Raises ``Wrong`` or ``InputError``.
    """
    known = {"direction", "cells"} if way.slanted else set()
    for field in (way.fields.get(p.name, ()) for p in kind.parameters):
        known |= {"cell"} if field == "sight" else {field} if isinstance(field, str) else {*field}
    for item in items:
        if not isinstance(item, dict):
            raise Wrong(short(item))
        if further := sorted(name for name in _stated(item) if name not in known):
            raise Wrong(f"{', '.join(further)[:60]} beside its usual fields")
    item = {"cell": [one.get("cell") for one in items]} if way.gather else items[0]
    values = {p.name: _value(p, way, item, n) for p in kind.parameters}
    if not any(values[p.name] for p in kind.of_cells):
        if stated := _stated(item):
            raise Wrong(f"no cells, but {stated[0]} {short(item[stated[0]])}")
        return None
    rule = kind.make(values)
    if way.pairs and (len(values["cells"]) != 2 or len({*values["cells"]}) != 2):
        raise Wrong(f"{len(values['cells'])} cells; expected two different ones")
    return rule


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
    key = way.key
    if way.flag and kind.is_plain(rule):
        yield way.flag, True
        return
    if way.negative and kind.is_plain(rule):
        yield "negative", way.negative
        return
    if not key or (way.gather and sum(other.kind == rule.kind for other in board.rules) > 1):
        raise Inexpressible  # all such cells of a board are one rule there
    if key == "quadruple" and not _is_square(values["cells"], n):
        raise Inexpressible
    parts: Iterable[Sequence[int]] = [values.get("cells", ())]
    if way.pairs:
        parts = pairwise(values["cells"])
    elif way.fields.get("cells") == "cell":
        parts = [[cell] for cell in values["cells"]]
    for cells in parts:
        item: dict[str, Any] = {}
        for p in kind.parameters:
            item |= _fields(p, way, values | {"cells": cells}, n)
        yield key, item
    if key in NOT_DRAWN:
        copy = {"fromConstraint": rule.kind, "isNewConstraint": True}
        yield from ((drawing, item | copy) for drawing, item in _drawn(rule.draw(geometry), n))


def _stated(item: Mapping[str, Any]) -> list[str]:
    return [name for name, value in item.items() if name not in _COSMETIC and not is_empty(value)]


def _is_square(cells: Sequence[int], n: int) -> bool:
    first = min(cells, default=0)
    return sorted(cells) == [first, first + 1, first + n, first + n + 1] and first % n < n - 1


# ---- a parameter: its value from the fields of an item, and its fields from the value --------------------------------


def _value(p: Parameter, way: FPuzzlesItem, item: Mapping[str, Any], n: int) -> Any:
    field = way.fields.get(p.name)
    if field is None:
        return p.default
    if field == "sight":
        return _seen(item, n, slanted=way.slanted)
    if isinstance(field, tuple):
        return tuple(_cells(item[name], n) for name in field if not is_empty(item.get(name)))
    value = item.get(field)
    if p.type in ("lines", "cells", "numbers"):
        values = [value] if field == "cell" and not way.gather else [] if value is None else value
        if not isinstance(values, list):
            raise Wrong(f"{field} {short(value)}; expected a list")
        if p.type == "lines":
            lines = [_cells(line, n)[1 if way.drop_first else 0 :] for line in values]
            return tuple(filter(None, lines))
        return _cells(values, n) if p.type == "cells" else tuple(map(number_of, values))
    if value in (None, ""):
        if p.default is REQUIRED:
            raise Wrong(f"no {field}; expected the {p.name}")
        return p.default
    number = way.words.get(str(value).strip().upper()) or number_of(value)
    return p.default if number == way.number_for_none else number


def _fields(p: Parameter, way: FPuzzlesItem, values: Mapping[str, Any], n: int) -> dict[str, Any]:
    value, field = values[p.name], way.fields.get(p.name)
    if field is None:
        if value != p.default:
            raise Inexpressible
        return {}
    if field == "sight":
        return _place(value, n, slanted=way.slanted)
    if isinstance(field, tuple):
        if len(value) != len(field):
            raise Inexpressible
        return {name: named(line, n) for name, line in zip(field, value, strict=True)}
    if p.type == "lines":
        if way.drop_first:
            value = [(_nearest(values["circle"], line, n), *line) for line in value]
        return {field: [named(line, n) for line in value]}
    if p.type == "cells":
        return {field: named(value, n)[0] if field == "cell" else named(value, n)}
    if p.type == "numbers":
        return {field: list(value)}
    if words := way.words:
        if value not in words.values():
            raise Inexpressible
        return {field: next(word for word, meant in words.items() if meant == value)}
    if value is not None and value == way.number_for_none:
        raise Inexpressible
    return {} if value is None else {field: "" if value == p.default else str(value)}


def _nearest(circle: Sequence[int], line: Sequence[int], n: int) -> int:
    """Return the cell of the circle that a shaft begins in."""
    if not line:
        raise Inexpressible
    return min(circle, key=lambda cell: max(abs(cell // n - line[0] // n), abs(cell % n - line[0] % n)))


# ---- numbers, cells and places ---------------------------------------------------------------------------------------


def number_of(value: Any) -> int:
    """Return a whole number, perhaps given as text. Raises ``Wrong``."""
    if type(value) is int:
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,6}\s*", value):
        return int(value)
    raise Wrong(f"value {short(value)}; expected a whole number")


def named(cells: Iterable[int], n: int) -> list[str]:
    """Return the names of cells."""
    return [f"R{cell // n + 1}C{cell % n + 1}" for cell in cells]


def _cells(names: Any, n: int) -> tuple[int, ...]:
    if not isinstance(names, list) or len(names) > n**2:
        raise Wrong(f"{short(names)}; expected a list of at most {n**2} cells")
    places = list(map(_row_and_column, names))
    for name, (row, column) in zip(names, places, strict=True):
        if not (1 <= row <= n and 1 <= column <= n):
            raise Wrong(f"{name} is not on a board of order {n}")
    return tuple((row - 1) * n + column - 1 for row, column in places)


def _row_and_column(name: Any) -> tuple[int, int]:
    match = _PLACE.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise Wrong(f"cell {short(name)}; expected a name such as R1C1")
    return int(match[1]), int(match[2])


def _seen(item: Mapping[str, Any], n: int, *, slanted: bool) -> tuple[int, ...]:
    """Return the cells that a clue outside the grid sees."""
    direction = str(item.get("direction")) if slanted else ""
    cells = sights(n, slanted).get((*_row_and_column(item.get("cell")), direction))
    if cells is None:
        place = f"cell {short(item['cell'])}" + f", direction {short(item.get('direction'))}" * slanted
        wanted = "a place outside the grid" + ", and UL, UR, DL or DR" * slanted
        raise Wrong(f"{place}; expected {wanted}, from where a clue sees cells")
    if item.get("cells") and sorted(_cells(item["cells"], n)) != sorted(cells):
        raise Wrong(f"cells {short(item['cells'])}; expected those that its clue sees")
    return cells


def _place(cells: Sequence[int], n: int, *, slanted: bool) -> dict[str, Any]:
    """Return the place of a clue that sees these cells, and no others. slanted: along a diagonal."""
    for (row, column, direction), line in sights(n, slanted).items():
        if line == tuple(cells):
            place = {"cell": f"R{row}C{column}"}
            return place | {"direction": direction, "cells": named(cells, n)} if slanted else place
    raise Inexpressible


def _drawn(marks: Iterable[Mark], n: int) -> Iterator[tuple[str, dict[str, Any]]]:
    for mark in marks:
        if isinstance(mark, Line):
            style: dict[str, Any] = {"outlineC": COLOURS[mark.colour], "width": _WIDTHS[mark.width]}
            yield "line", {"lines": [named(mark.cells, n)], **style}
        elif isinstance(mark, Outside):
            cell = _place(mark.cells, n, slanted=False)["cell"]
            yield "text", {"cells": [cell], "value": mark.text, "fontC": "#000000", "size": 0.7}
        elif isinstance(mark, Shape) and mark.shape == "shade":
            style = {"baseC": COLOURS[mark.colour], "outlineC": COLOURS[mark.colour], "width": 1, "height": 1}
            yield "rectangle", {"cells": named(mark.cells, n), **style}
