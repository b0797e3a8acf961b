"""Items of f-puzzles: where rules and their parameters stand there, to be read and to be written.

Each kind of rule names its own key, and the field of each parameter (``Rule.formats["f-puzzles"]``). An outside clue
has ``sight`` for its cells: the place where it stands, from which they are seen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

from gridproof.formats.programs import Unsayable, Wrong
from gridproof.rules import Rule, find
from gridproof.rules.kind import Kind, Parameter
from gridproof.rules.relation import RelationRule
from gridproof.rules.rule import REQUIRED

FORMAT = "f-puzzles"


_COSMETIC = {"outlineC", "fontC", "baseC", "width", "height", "angle", "size", "hidden"}
_PLACE = re.compile(r"R(-?\d{1,3})C(-?\d{1,3})", re.IGNORECASE)


@lru_cache(maxsize=8)
def _sights(n: int) -> dict[tuple[int, int, str], tuple[int, ...]]:
    """What a clue outside the grid sees, the nearest first: by its row, its column, and the direction if it is slanted.

    Those above and below come first, which is where people put a clue that sees a corner only.
    """
    found = {}
    for down, right in product((0, 1, -1), repeat=2):
        slant = f"{'D' if down > 0 else 'U'}{'R' if right > 0 else 'L'}" if down and right else ""
        for row, column in product(range(n), repeat=2):
            places = [(row + k * down, column + k * right) for k in range(-1, n)]
            inside = [0 <= r < n and 0 <= c < n for r, c in places]
            if not inside[0]:
                cells = tuple(r * n + c for (r, c), within in zip(places, inside, strict=True) if within)
                found[places[0][0] + 1, places[0][1] + 1, slant] = cells
    return dict(sorted(found.items(), key=lambda sight: 1 <= sight[0][0] <= n))


def named(cells: Iterable[int], n: int) -> list[str]:
    """The names of cells."""
    return [f"R{cell // n + 1}C{cell % n + 1}" for cell in cells]


def outside(cells: Sequence[int], n: int, *, slanted: bool) -> dict[str, Any]:
    """Where a clue stands that sees these cells, and no others. slanted: along a diagonal."""
    for (row, column, direction), seen in _sights(n).items():
        if seen == tuple(cells) and bool(direction) == slanted:
            place = {"cell": f"R{row}C{column}"}
            return place | {"direction": direction, "cells": named(cells, n)} if slanted else place
    raise Unsayable


def is_empty(value: Any) -> bool:
    """Return whether a value states nothing, as ``[]`` and ``[[]]`` do; a 0 may be a number."""
    return (
        value is None or value is False or value in ("", {}) or (isinstance(value, list) and all(map(is_empty, value)))
    )


def short(value: Any) -> str:
    """The beginning of a value as JSON."""
    text = json.dumps(value, ensure_ascii=True, default=str)[:60]
    return text if len(text) < 60 else f"{text}..."


def number_of(value: Any) -> int:
    """A whole number, perhaps as text. Raises ``Wrong``."""
    if type(value) is int:
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,6}\s*", value):
        return int(value)
    raise Wrong(f"value {short(value)}; expected a whole number")


# ---- reading ---------------------------------------------------------------------------------------------------------


def rule_of(kind: Kind, items: Sequence[Any], n: int) -> Rule | None:
    """Return the rule of one item, or of all items of a kind that is gathered; ``None`` for one that is drawn nowhere.

    Raises ``Wrong`` or ``InputError``.
    """
    fmt = kind.formats[FORMAT]
    known = _COSMETIC.union(*(_fields(fmt.get(p.name), fmt) for p in kind.parameters))
    for item in items:
        if not isinstance(item, dict):
            raise Wrong(short(item))
        if further := sorted(name for name, value in item.items() if name not in known and not is_empty(value)):
            raise Wrong(f"{', '.join(further)[:60]} beside what is known of it")
    item = {"cell": [one.get("cell") for one in items]} if fmt.get("gather") else items[0]
    values = {p.name: _value(p, fmt, item, n) for p in kind.parameters}
    if not any(values[p.name] for p in kind.of_cells):
        if stated := [name for name, value in item.items() if name not in _COSMETIC and not is_empty(value)]:
            raise Wrong(f"no cells, but {stated[0]} {short(item[stated[0]])}")
        return None
    rule = kind.make(values)
    if _is_of_pairs(rule, fmt) and (len(values["cells"]) != 2 or len({*values["cells"]}) != 2):
        raise Wrong(f"{len(values['cells'])} cells; expected two different ones")
    return rule


def _is_of_pairs(rule: Rule, fmt: Mapping[str, Any]) -> bool:
    """Return whether an item has two cells that are compared, as a dot has."""
    return isinstance(rule, RelationRule) and rule.relation["pairs"] == "consecutive" and fmt.get("cells") == "cells"


def _fields(field: str | list[str] | None, fmt: Mapping[str, Any]) -> set[str]:
    """The fields of an item that say a parameter."""
    if field == "sight":
        return {"cell", "cells", "direction"} if fmt.get("slanted") else {"cell"}
    return {field} if isinstance(field, str) else {*(field or ())}


def _value(p: Parameter, fmt: Mapping[str, Any], item: Mapping[str, Any], n: int) -> Any:
    field = fmt.get(p.name)
    if field is None:
        return p.default
    if field == "sight":
        return _seen(item, n, slanted=bool(fmt.get("slanted")))
    if isinstance(field, list):
        return tuple(_cells(item[name], n) for name in field if not is_empty(item.get(name)))
    value = item.get(field)
    if p.type in ("lines", "cells", "numbers"):
        values = [value] if field == "cell" and not fmt.get("gather") else [] if value is None else value
        if not isinstance(values, list):
            raise Wrong(f"{field} {short(value)}; expected a list")
        if p.type == "lines":
            lines = [_cells(line, n)[1 if fmt.get("drop first") else 0 :] for line in values]
            return tuple(filter(None, lines))
        return _cells(values, n) if p.type == "cells" else tuple(map(number_of, values))
    if value in (None, ""):
        if p.default is REQUIRED:
            raise Wrong(f"no {p.name} is said")
        return p.default
    number = fmt.get("words", {}).get(str(value).strip().upper()) or number_of(value)
    return p.default if number == fmt.get("unstated") else number


def _cells(names: Any, n: int) -> tuple[int, ...]:
    if not isinstance(names, list) or len(names) > n**2:
        raise Wrong(f"{short(names)}; expected a list of at most {n**2} cells")
    places = list(map(_place, names))
    for name, (row, column) in zip(names, places, strict=True):
        if not (1 <= row <= n and 1 <= column <= n):
            raise Wrong(f"{name} is not on a board of order {n}")
    return tuple((row - 1) * n + column - 1 for row, column in places)


def _place(name: Any) -> tuple[int, int]:
    match = _PLACE.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise Wrong(f"cell {short(name)}; expected a name such as R1C1")
    return int(match[1]), int(match[2])


def _seen(item: Mapping[str, Any], n: int, *, slanted: bool) -> tuple[int, ...]:
    """The cells that a clue outside the grid sees."""
    direction = str(item.get("direction")) if slanted else ""
    cells = _sights(n).get((*_place(item.get("cell")), direction))
    if cells is None or slanted != bool(direction):
        said = f"cell {short(item['cell'])}" + f", direction {short(item.get('direction'))}" * slanted
        wanted = "a place outside the grid" + ", and UL, UR, DL or DR" * slanted
        raise Wrong(f"{said}; expected {wanted}, from where cells are seen")
    if item.get("cells") and sorted(_cells(item["cells"], n)) != sorted(cells):
        raise Wrong(f"cells {short(item['cells'])}; expected those that its clue sees")
    return cells


# ---- writing ---------------------------------------------------------------------------------------------------------


def items_of(rule: Rule, fmt: Mapping[str, Any], values: Mapping[str, Any], n: int) -> Iterator[dict[str, Any]]:
    """What stands under the key of a rule: an item, or one for each cell or pair of cells. Raises ``Unsayable``."""
    if fmt.get("key") == "quadruple" and not _is_square(values["cells"], n):
        raise Unsayable
    parts: Iterable[Sequence[int]] = [values.get("cells", ())]
    if _is_of_pairs(rule, fmt):
        parts = pairwise(values["cells"])
    elif fmt.get("cells") == "cell":
        parts = [[cell] for cell in values["cells"]]
    for cells in parts:
        item: dict[str, Any] = {}
        for p in find(rule.kind).parameters:
            if p.name != "marked":
                item |= _written(p, fmt, {**values, "cells": cells}, n)
        yield item


def _written(p: Parameter, fmt: Mapping[str, Any], values: Mapping[str, Any], n: int) -> dict[str, Any]:
    """The fields of an item that say a parameter."""
    value, field = values[p.name], fmt.get(p.name)
    if field is None:
        if value != p.default:
            raise Unsayable
        return {}
    if field == "sight":
        return outside(value, n, slanted=bool(fmt.get("slanted")))
    if isinstance(field, list):
        if len(value) != len(field):
            raise Unsayable
        return {name: named(line, n) for name, line in zip(field, value, strict=True)}
    if p.type == "lines":
        if fmt.get("drop first"):
            value = [(_nearest(values["circle"], line, n), *line) for line in value]
        return {field: [named(line, n) for line in value]}
    if p.type == "cells":
        return {field: named(value, n)[0] if field == "cell" else named(value, n)}
    if p.type == "numbers":
        return {field: list(value)}
    if words := fmt.get("words"):
        if value not in words.values():
            raise Unsayable
        return {field: next(word for word, meant in words.items() if meant == value)}
    if value is not None and value == fmt.get("unstated"):
        raise Unsayable
    return {} if value is None else {field: "" if value == p.default else str(value)}


def _nearest(circle: Sequence[int], line: Sequence[int], n: int) -> int:
    """The cell of the circle that a shaft begins in."""
    if not line:
        raise Unsayable
    return min(circle, key=lambda cell: max(abs(cell // n - line[0] // n), abs(cell % n - line[0] % n)))


def _is_square(cells: Sequence[int], n: int) -> bool:
    first = min(cells, default=0)
    return sorted(cells) == [first, first + 1, first + n, first + n + 1] and first % n < n - 1
