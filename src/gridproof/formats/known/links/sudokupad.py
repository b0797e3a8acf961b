"""Read and write puzzles of SudokuPad: JSON, or the same as shortened text, behind ``scl`` or ``ctc`` in a link.

Little of it is a rule that a program can read: givens, regions, cages marked as unique, and the moves of chess pieces.
Thermometers, arrows and dots are drawings without a meaning, so they are listed as unread. So are cages with a number
that are not marked as unique, since that number is often not the sum; but where the stored solution agrees with all of
them they are killer cages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import floor
from typing import Any

from gridproof.errors import BoardError, InputError
from gridproof.formats.programs import Inexpressible, Reader, further_houses, is_empty, listed, short, terms_of, written
from gridproof.formats.puzzle import MOST_ENTRIES, Puzzle
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry, symbol_number
from gridproof.rules import Rule, find

LARGEST_SIDE = 40
"""Rows of a board that is read, perhaps with a frame around it."""

_HIDDEN = re.compile(r"\s*(\w+)\s*:\s*(.*)", re.DOTALL)
"""The text of a cage without cells, which is a part of the metadata."""

_FOG = re.compile(r"\s*(FOW|FOGLIGHT)\b", re.IGNORECASE)
_KEYS = {"id", "cells", "regions", "cages", "cellSize", "metadata", "global"}
_DECORATION = {"settings", "foglight", "triggereffect", "videos", "fogofwar"}
_TEXTS = ("title", "author", "rules", "solution")
_METADATA = {*_TEXTS, "source", "msgcorrect", "bgimage", "bgimageopacity", "videos", "norowcol"}
_MOVES = {"antiknight": "anti-knight", "antiking": "anti-king"}
_CAGE = {"cells", "value", "unique", "type", "hidden", "outlineC", "fontC", "c1", "c2", "style"}
_ENOUGH = 3
"""Cages with which the stored solution must agree before they are taken for killer cages."""

_Place = tuple[int, int]


class SudokuPadReading(Reader):
    """The reading of data with a list called cells. Raises ``InputError`` if these are none of a board."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.data = data
        self.metadata = dict(self._part("metadata", {}))
        self.regions = [self._places(f"regions {k}", one) for k, one in enumerate(self._part("regions", []), 1)]
        self.cages: list[tuple[str, Mapping[str, Any], list[_Place]]] = []
        cages = self._part("cages", [])
        for number, cage in enumerate(cages, 1):
            self._cage(f"cages {number} of {len(cages)}", cage)
        for key, value in self.metadata.items():
            if key not in _METADATA | _MOVES.keys() and not is_empty(value):
                self.leave(f"metadata.{key}", short(value))
        self.top, self.left, self.size = self._square()
        self.geometry = self._geometry()

    def _part(self, key: str, nothing: Any) -> Any:
        """Return a list or an object of the data. nothing: an empty one."""
        value = self.data.get(key)
        if is_empty(value):
            return nothing
        if not isinstance(value, type(nothing)):
            self.leave(key, f"{short(value)}; expected {'an object' if nothing == {} else 'a list'}")
            return nothing
        if len(value) > MOST_ENTRIES:
            raise InputError(f"{len(value):,} {key}; expected at most {MOST_ENTRIES:,}")
        return value

    def _places(self, where: str, names: Any) -> list[_Place]:
        """Return the pairs (row, column) of a list; none of anything else, which is left unread."""
        if is_empty(names):
            return []
        pairs = names if isinstance(names, list) else [names]
        if not all(isinstance(pair, list) and [*map(type, pair)] == [int, int] for pair in pairs):
            self.leave(where, f"cells {short(names)}; expected pairs such as [0, 1]")
            return []
        return [(row, column) for row, column in pairs]

    def _cage(self, where: str, cage: Any) -> None:
        """Note a cage, or what one without cells states about the puzzle."""
        if not isinstance(cage, dict):
            if not is_empty(cage):
                self.leave(where, f"{short(cage)}; expected an object")
        elif places := self._places(where, cage.get("cells")):
            self.cages.append((where, cage, places))
        elif is_empty(cage.get("cells")):
            text = str(cage.get("value") or "")
            hidden = _HIDDEN.match(text)
            if hidden and hidden[1].lower() in _METADATA:
                self.metadata.setdefault(hidden[1].lower(), hidden[2])
            elif text.strip() and not self.is_fog(cage):
                self.leave(where, f"the text {text[:30]!r} without cells")

    def puzzle(self) -> Puzzle:
        """Return the puzzle, with everything that the data state."""
        texts = {name: self.text(f"metadata.{name}", self.metadata.get(name)) for name in _TEXTS}
        clues, entries, noted = self._digits()
        solution = self._solution(texts["solution"])
        rules = [*self._killers(solution), *self._moves()]
        for key, value in self.data.items():
            if key not in _KEYS and not is_empty(value):
                self._drawn(key, value)
        # some files escape line ends twice
        title, author, prose = (texts[name].replace("\\n", "\n") for name in ("title", "author", "rules"))
        board = Board(self.geometry, tuple(clues), tuple(entries) if any(entries) else ()).with_rules(rules)
        return Puzzle(board, solution, title, author, prose, tuple(self.unread), notes=self.notes(noted, self.size))

    def _square(self) -> tuple[int, int, int]:
        """Return top, left and order of the board: all cells, or inside a frame for clues those of the regions."""
        rows = self.data["cells"]
        widths = {len(row) if isinstance(row, list) else -1 for row in rows}
        if len(widths) != 1 or not 1 <= len(rows) <= LARGEST_SIDE or not 1 <= max(widths) <= LARGEST_SIDE:
            raise InputError(f"cells in rows of {sorted(widths)}; expected up to {LARGEST_SIDE} rows of one length")
        places, n = {place for region in self.regions for place in region}, len(self.regions)
        if places and {*map(len, self.regions)} == {n}:
            top, left = min(row for row, _ in places), min(column for _, column in places)
            inside = 0 <= top <= len(rows) - n and 0 <= left <= max(widths) - n
            if inside and places == {*product(range(top, top + n), range(left, left + n))}:
                return top, left, n
        if len(rows) != max(widths):
            raise InputError(f"{len(rows)} rows of {max(widths)} cells; expected a square")
        return 0, 0, len(rows)

    def _geometry(self) -> Geometry:
        regions = {k: self.cells_at(region) for k, region in enumerate(self.regions, 1) if region}
        if not regions:
            self.leave("regions", "none: only rows and columns are houses", False, relaxes=True)
        if not is_empty(self.metadata.get("norowcol")):
            self.leave(
                "metadata.norowcol",
                "rows and columns may hold digits twice, which gridproof cannot express",
                relaxes=True,
            )
        return self.with_regions(self.size, regions, "regions")

    def cells_at(self, places: Sequence[_Place]) -> tuple[int, ...]:
        """Return the numbers of the cells at places that are on the board."""
        moved = [(row - self.top, column - self.left) for row, column in places]
        return tuple(r * self.size + c for r, c in moved if 0 <= r < self.size and 0 <= c < self.size)

    def _digits(self) -> tuple[list[int], list[int], list[Any]]:
        """Return the givens, what is filled in beside them, and what a solver has noted in the middle of cells."""
        n = self.size
        clues, entries, notes = [0] * (n * n), [0] * (n * n), [None] * (n * n)
        cells: dict[str, Mapping[str, Any]] = {}
        for row, line in enumerate(self.data["cells"], -self.top):
            for column, cell in enumerate(line, -self.left):
                where = f"r{row + 1}c{column + 1}"
                fields = cells[where] = cell if isinstance(cell, dict) else {"value": cell or None}
                inside = 0 <= row < n and 0 <= column < n
                given = self.flag(f"cells {where} given", fields.get("given"), True)
                symbol = self.symbol(f"cells {where}", fields.get("value"), n if inside and fields is cell else 0)
                if inside:
                    (clues if given else entries)[row * n + column] = symbol
                    notes[row * n + column] = fields.get("centremarks")
        self.leave_fields("cells", cells, {"value", "given", "centremarks"})
        if number := sum(map(bool, notes)):
            self.leave("cells", f"{number} cells with notes of a solver", False)
        return clues, entries, notes

    def _killers(self, solution: Sequence[int] | None) -> Iterator[Rule]:
        """Yield the cages whose digits differ, or add up to a whole number, or both.

        Those with a number that are not marked as unique are killer cages if the stored solution agrees with them all.
        """
        numbered: dict[str, tuple[int, Rule]] = {}
        fog = 0
        for name, cage, places in self.cages:
            cells = self.cells_at(places)
            where = f"{name} ({listed(list(map(self.geometry.cell_name, cells)))})"
            text = str(cage.get("value", "")).strip() if cage.get("value") is not None else ""
            total = int(text) if re.fullmatch(r"-?\d{1,6}", text) else None
            rule = find("killer").make({"total": total, "cells": cells, "repeats": False})
            if self.is_fog(cage):
                fog += 1
            elif cage.get("type") == "rowcol" and {*cells} in [{*house.cells} for house in self.geometry.houses]:
                pass  # a house that the board has anyway
            elif reason := self._problem(cage, places, text if total is None else "") or rule.senseless(self.geometry):
                self.leave(where, reason)
            elif cage.get("unique"):
                yield rule
            elif total is not None:
                numbered[where] = total, rule
            else:
                self.leave(where, "a cage without a sum", not cage.get("hidden"))
        if fog:
            self.leave("cages", f"{fog} of fog", False)
        rules = [rule for _, rule in numbered.values()]
        if solution and len(rules) >= _ENOUGH and all(rule.holds(solution, self.geometry) for rule in rules):
            self.leave("cages", f"{len(rules)} taken for killer cages, as the stored solution agrees with each", False)
            yield from rules
            return
        for where, (total, _) in numbered.items():
            self.leave(where, f"the number {total}, which is not marked as a sum of different digits")

    def is_fog(self, cage: Mapping[str, Any]) -> bool:
        """Return whether a cage only marks where the fog is thin."""
        return _FOG.match(str(cage.get("value") or "")) is not None

    def _problem(self, cage: Mapping[str, Any], places: Sequence[_Place], text: str) -> str:
        """Return the reason why a cage is not read. text: that in its corner, if it is no number."""
        known = _CAGE | ({"sum"} if cage.get("sum") == cage.get("value") else set())
        unknown = [field for field in cage if field not in known and not is_empty(cage[field])]
        unknown += [flag for flag in ("unique", "hidden") if type(cage.get(flag)) not in (bool, type(None))]
        if unknown:
            return f"{unknown[0][:40]} {short(cage[unknown[0]])}"
        if len(self.cells_at(places)) != len(places):
            return "cells beyond the board"
        if not is_empty(cage.get("type")):
            return f"the type {short(cage['type'])}"
        return f"the text {text[:30]!r}" if text else ""

    def _moves(self) -> Iterator[Rule]:
        flags = [flag.lower() if isinstance(flag, str) else flag for flag in self._part("global", [])]
        for name, kind in _MOVES.items():
            if self.flag(f"metadata.{name}", self.metadata.get(name)) or name in flags:
                yield find(kind).make(find(kind).defaults)
        for flag in flags:
            if flag not in [*_MOVES] and not is_empty(flag):
                self.leave("global", flag if isinstance(flag, str) else short(flag))

    def _solution(self, stored: str) -> tuple[int, ...] | None:
        """Return the stored solution, where it is whole; that of a board with a frame may be stored with its frame."""
        n, rows = self.size, self.data["cells"]
        width = len(rows[0])
        if len(stored) == len(rows) * width != n * n:
            starts = [(self.top + row) * width + self.left for row in range(n)]
            stored = "".join(stored[start : start + n] for start in starts)
        symbols = [0 if character in ".?" else symbol_number(character) or n + 1 for character in stored]
        if stored and (len(stored) != n * n or max(symbols) > n):
            strange = sorted({text for text, symbol in zip(stored, symbols, strict=True) if symbol > n})
            what = f"{len(stored)} cells" if len(stored) != n * n else f"the symbols {''.join(strange)[:20]!r}"
            expected = f"expected {n * n} of the symbols of a {self.geometry.description} board"
            self.leave("solution", f"{what}; {expected}", relaxes=True)
        elif blanks := symbols.count(0):
            self.leave("solution", f"{blanks} cells are blank, and so it was not tested", False, relaxes=True)
        elif stored:
            return tuple(symbols)
        return None

    def _drawn(self, key: str, value: Any) -> None:
        if key in _DECORATION:
            self.leave(key, "display only", False)
            return
        items = [item for item in value if not is_empty(item)] if isinstance(value, list) else [value]
        loose = [item for item in items if key != "underlays" or not self._makes_room(item)]
        if len(loose) < len(items):
            self.leave(key, f"{len(items) - len(loose)} that only make room", False)
        self.leave_drawings(key, [*enumerate(map(self.description, loose), 1)], len(loose))

    def _makes_room(self, item: Any) -> bool:
        return isinstance(item, dict) and item.get("class") == "board-position" and "text" not in item

    def description(self, item: Any) -> str:
        """Return the words for what is drawn, and where."""
        if not isinstance(item, dict):
            return short(item)
        points = item["wayPoints"] if isinstance(item.get("wayPoints"), list) else [item.get("center")]
        cells = [
            f"r{floor(point[0]) - self.top + 1}c{floor(point[1]) - self.left + 1}"
            for point in points
            if isinstance(point, list) and [type(x) in (int, float) and abs(x) < 100 for x in point] == [True, True]
        ]
        return self.drawing("wayPoints" in item, cells, str(item.get("text") or ""))


# ---- writing ---------------------------------------------------------------------------------------------------------


def json_of(puzzle: Puzzle, refuse: Callable[..., BoardError]) -> str:
    """Return the JSON of a puzzle. refuse: makes the error, to be raised, for what the format cannot express."""
    board, geometry, n = puzzle.board, puzzle.board.geometry, puzzle.board.geometry.order
    if n > LARGEST_ORDER_IN_CHARACTERS:
        raise refuse(f"a board of order {n}")
    if board.marks is not None:
        raise refuse("pencil marks", "f-puzzles or toml")
    metadata: dict[str, Any] = {"title": puzzle.title, "author": puzzle.author, "rules": puzzle.prose}
    if puzzle.solution:
        metadata["solution"] = "".join(map(geometry.symbol_text, puzzle.solution))

    def places(cells: Sequence[int]) -> list[list[int]]:
        return [list(divmod(cell, n)) for cell in cells]

    def cage(cells: Sequence[int], total: int | None = None) -> dict[str, Any]:
        return {"cells": places(cells), "unique": True} | ({} if total is None else {"value": str(total)})

    def cages(rule: Rule) -> Iterator[dict[str, Any]]:
        values = terms_of(rule, geometry)
        match rule.kind:
            case "killer" if values["cells"] and not values["repeats"]:
                yield cage(values["cells"], values["total"])
            case "extra-region":
                yield cage(values["cells"])
            case "anti-knight" | "anti-king" if find(rule.kind).is_plain(rule):
                metadata[rule.kind.replace("-", "")] = True
            case _:
                raise Inexpressible

    further = further_houses(geometry)
    regions = geometry.houses[2 * n : len(geometry.houses) - len(further)]
    cells: list[dict[str, Any]] = [{"value": clue} if clue else {} for clue in board.clues]
    for number, entry in enumerate(board.filled):
        if entry:
            cells[number] = {"value": entry, "given": False}
    data: dict[str, Any] = {
        "cellSize": 50,
        "cells": [cells[start : start + n] for start in range(0, n * n, n)],
        "regions": [places(house.cells) for house in regions],
        "cages": [
            *(cage(house.cells) for house in further),
            *written(board, cages, lambda what: refuse(what, "sudokupad-link, or another format")),
        ],
        "metadata": {key: value for key, value in metadata.items() if value},
    }
    return json.dumps(data, separators=(",", ":"))
