"""Puzzle files of our own: one puzzle in TOML, with its clues in any notation, its shape and its rules.

::

    title = "Two rules"
    clues = '''
    1 . . .
    . . . .
    . . . .
    . . . 2
    '''
    boxes = "2x2"                         # or latin = true, or jigsaw = the labels of all cells

    [[rule]]
    kind = "killer"                       # as `gridproof rules` lists them
    total = 5
    cells = "r1c2 r2c2"

    [[rule]]
    rule = "thermometer r3c1 r3c2 r3c3"   # the same in one line

``diagonal``, ``windoku`` and ``disjoint`` add the houses of these names, ``houses`` a list of others, each by its
cells. ``zero`` is ``"blank"`` or ``"symbol"``. Without a shape the board has boxes as usual, or the shape that is asked
for where the file is read; a file with a shape of its own is refused where another one is asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gridproof.errors import BoardError, GeometryError, InputError, PuzzleFormatError, choices
from gridproof.formats import shapes
from gridproof.formats.notation import Form, Item, Puzzle, Shape, Shapes, Zero, readable
from gridproof.formats.values import to_lists
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry

if TYPE_CHECKING:
    from gridproof.rules import Rule, Statement

LONGEST_FILE = 1 << 24
"""Characters of a puzzle file."""

_FAMILIES = {"diagonal": "diagonals", "windoku": "windoku", "disjoint": "disjoint groups"}
_TYPES: Mapping[str, tuple[type, ...]] = {
    "title": (str,),
    "clues": (str,),
    "zero": (str,),
    "latin": (bool,),
    "boxes": (str,),
    "jigsaw": (str,),
    **dict.fromkeys(_FAMILIES, (bool,)),
    "houses": (list, dict),
    "rule": (str, list),
}
_WORDS = {bool: "true or false", str: "a text", list: "a list", dict: "a table"}
_BEGINS = re.compile(
    r"""(title|clues|zero|boxes|jigsaw)\s*=\s*["']|(latin|diagonal|windoku|disjoint)\s*=\s*(true|false)\b"""
    r"""|houses\s*=\s*[\[{]|rule\s*=\s*["'\[]|\[\[\s*rule\s*\]\]"""
)


def begins_file(line: str) -> bool:
    """Whether the first line with any content, stripped, is one of a puzzle file."""
    return _BEGINS.match(line) is not None


# ---- reading ---------------------------------------------------------------------------------------------------------


def read_file(text: str, shape: Shapes, read_clues: Callable[[str, Shapes], Puzzle]) -> Item:
    """The puzzle of a file, or the error that tells what is wrong with it.

    shape: what is asked for where it is read. read_clues: reads the text of the clues, for the shape of the file.
    """
    try:
        if len(text) > LONGEST_FILE:
            raise _Wrong("", f"a puzzle file of more than {LONGEST_FILE:,} characters; expected one puzzle")
        return _puzzle(text, shape, read_clues)
    except _Wrong as wrong:
        line = wrong.line(text)
        if isinstance(clues := wrong.__cause__, PuzzleFormatError):
            return _in_clues(clues, line, text)
        shown = text.splitlines()[line - 1].strip() if line else text
        return PuzzleFormatError(str(wrong), text=readable(shown), expected="", line=line or 1, column=1)


class _Wrong(InputError):
    """What is wrong with a file, and which key, rule (a number from 1) or place in the text is to blame."""

    def __init__(self, where: str | int, problem: object) -> None:
        self.where = where
        super().__init__(f"rule {where}: {problem}" if isinstance(where, int) else str(problem))

    def line(self, text: str) -> int | None:
        """The line to look at, from 1; ``None`` if it cannot be told."""
        if place := re.search(r"\(at line (\d+), column \d+\)$", str(self)):
            return int(place[1])
        wanted = r"\[\[\s*rule\s*\]\]" if isinstance(self.where, int) else rf"{re.escape(self.where)}\s*="
        lines = [n for n, line in enumerate(text.splitlines(), 1) if self.where and re.match(rf"\s*{wanted}", line)]
        number = self.where - 1 if isinstance(self.where, int) else 0
        return lines[number] if number < len(lines) else None


def _in_clues(error: PuzzleFormatError, line: int | None, text: str) -> PuzzleFormatError:
    """An error of the clues with its place in the file, where they begin in this line."""
    column: int | None = 1
    if line is not None and re.search(r"=\s*(\"\"\"|''')\s*$", text.splitlines()[line - 1]):
        line, column = line + (error.line or 1), error.column
    return PuzzleFormatError(
        f"clues: {error.problem}", text=error.text, expected=error.expected, line=line or 1, column=column
    )


def _puzzle(text: str, asked: Shapes, read_clues: Callable[[str, Shapes], Puzzle]) -> Puzzle:
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise _Wrong("", f"not readable as TOML: {problem}") from None
    for key, value in data.items():
        if key not in _TYPES:
            raise _Wrong(key, f"unknown key {key}; {choices(key, _TYPES)}")
        if type(value) not in _TYPES[key]:
            raise _Wrong(key, f"{key} = {value!r}; expected {' or '.join(_WORDS[one] for one in _TYPES[key])}")
    if "clues" not in data:
        raise _Wrong("", 'no key clues; expected clues = """...""", a puzzle in any notation')
    shape, zero = _shape(data, asked), data.get("zero", asked.zero)
    try:
        found = _read_clues(data["clues"], shape, zero, asked.order, read_clues)
    except PuzzleFormatError as error:
        raise _Wrong("clues", error) from error
    except InputError as problem:
        raise _Wrong("zero", problem) from None
    geometry = _with_houses(found.board.geometry, data.get("houses", []))
    _check_shape(data, geometry, asked)
    board = replace(found.board, geometry=geometry)
    rules = data.get("rule", [])
    for number, entry in enumerate([rules] if isinstance(rules, str) else rules, 1):
        try:
            board = board.with_rule(_statement(entry))
        except InputError as problem:
            raise _Wrong(number, problem) from None
    return Puzzle(board, Form.TOML, text.strip(), 1, symbols=found.symbols, title=data.get("title", ""))


def _read_clues(
    clues: str, shape: Shape, zero: Zero | None, order: int | None, read: Callable[[str, Shapes], Puzzle]
) -> Puzzle:
    """The clues, which are one puzzle: n lines of them are the n rows of a board, if they can be.

    Rows of numbers could be small boards of their own else.
    """
    lines = order or sum(bool(line.strip()) for line in clues.splitlines())
    if lines > 1 and not isinstance(shape, Geometry):
        with suppress(InputError):
            return read(clues, Shapes(shape(lines), zero))
    return read(clues, Shapes(shape, zero))


def _shape(data: Mapping[str, Any], asked: Shapes) -> Shape:
    """The shape that a file says; what is asked for if it says none."""
    said = [key for key in ("boxes", "jigsaw", "latin") if data.get(key)]
    if len(said) > 1:
        raise _Wrong(said[1], f"{' and '.join(said)}; expected one of them")
    further = {key: data.get(key, False) for key in _FAMILIES}
    try:
        if "boxes" in said:
            return shapes.extended(shapes.boxes(data["boxes"], "boxes ="), **further)
        if "jigsaw" in said:
            return shapes.extended(shapes.regions(data["jigsaw"]), **further)
    except InputError as problem:
        raise _Wrong(said[0], problem if str(problem).startswith(said[0]) else f"{said[0]}: {problem}") from None
    if said or any(further.values()):
        plain = Geometry.latin if said else Geometry.standard
        return lambda order: shapes.extended(plain(order), **further)
    return asked.geometry


def _with_houses(geometry: Geometry, said: Sequence[Any] | Mapping[str, Any]) -> Geometry:
    from gridproof.rules.cells import read_cells

    for kind, houses in said.items() if isinstance(said, Mapping) else [("extra", said)]:
        try:
            if not isinstance(houses, list) or not all(isinstance(house, str) for house in houses):
                raise GeometryError(f'{houses!r}; expected a list of cells, such as ["r1c1 r1c2 r2c1 r2c2"]')
            geometry = geometry.with_houses([read_cells(house, geometry) for house in houses], kind)
        except InputError as problem:
            raise _Wrong("houses", f"houses: {problem}") from None
    return geometry


def _check_shape(data: Mapping[str, Any], geometry: Geometry, asked: Shapes) -> None:
    """What is asked for may not be dropped in silence where the file says another shape."""
    said = [key for key in ("boxes", "jigsaw", "latin", *_FAMILIES, "houses") if data.get(key)]
    wanted = asked.wanted(geometry.order)
    if said and wanted not in (None, geometry) and (asked.fixed is not None or wanted != shapes.usual(geometry.order)):
        raise _Wrong(
            said[0],
            f"{', '.join(said)}: a board of {geometry.description}, where {wanted.description} is asked for; "
            "expected the shape in one place",
        )


def _statement(entry: object) -> Statement:
    """The rule of a table, or of a text."""
    from gridproof.rules import Statement, find, parse_rule

    if isinstance(entry, dict) and set(entry) == {"rule"}:
        entry = entry["rule"]
    if isinstance(entry, str):
        return parse_rule(entry)
    if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str):
        raise InputError(f'{entry!r}; expected kind = "..." and its parameters, or rule = "killer 15 r1c1 r1c2"')
    kind = find(entry["kind"])
    types = {p.name: p.type for p in kind.parameters}
    named = []
    for key, value in entry.items():
        if key == "kind":
            continue
        if key not in types:
            raise InputError(f"{kind.name}: unknown key {key}; {choices(key, types) if types else 'it takes none'}")
        fitting = _fitting(types[key], value)
        if fitting is None:
            raise InputError(f"{kind.name}: {key} = {value!r}; expected {_EXPECTED[types[key]]}; usage: {kind.usage}")
        named.append((key, fitting))
    return Statement(kind, (), tuple(named))


_EXPECTED = {
    "cells": 'cells such as "r1c1 r1c2-r1c5 row3"',
    "lines": 'cells such as "r1c1 r1c2", several lines in a list or parted by /',
    "number": "a whole number",
    "numbers": "a list of whole numbers",
    "flag": "true or false",
    "text": "a text",
}


def _fitting(kind: str, value: Any) -> Any:
    """A value of TOML as ``Statement`` takes it; ``None`` for one of a type that does not fit."""
    if kind in ("cells", "lines"):
        texts = [value] if isinstance(value, str) else value
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            return None
        lines = tuple(tuple(line.split()) for text in texts for line in text.split("/"))
        return lines if kind == "lines" else tuple(word for line in lines for word in line)
    if kind == "numbers":
        numbers = value if isinstance(value, list) else [value]
        return tuple(numbers) if all(type(number) is int for number in numbers) else None
    return value if type(value) is {"number": int, "flag": bool, "text": str}[kind] else None


# ---- writing ---------------------------------------------------------------------------------------------------------


def file_of(board: Board, clues: str, title: str) -> str:
    """The file of a board whose clues are this text, as ``read_file`` reads it."""
    geometry = board.geometry
    parts = [f"title = {_quoted(title)}"] if title else []
    parts += [f'clues = """\n{clues}\n"""' if "\n" in clues else f"clues = {_quoted(clues)}", *_shape_lines(geometry)]
    for rule in board.rules:
        parts += ["", "[[rule]]", *_rule_lines(rule, geometry)]
    return "\n".join(parts)


def _shape_lines(geometry: Geometry) -> Iterable[str]:
    from gridproof.rules.cells import written

    if geometry.regions is not None:
        numbers = tuple(number + 1 for number in geometry.regions)
        gap = " " if geometry.order > LARGEST_ORDER_IN_CHARACTERS else ""
        text = "\n".join(gap.join(map(geometry.symbol_text, row)) for row in to_lists(numbers, geometry))
        yield f'jigsaw = """\n{text}\n"""'
    elif geometry.box_shape is None:
        yield "latin = true"
    elif geometry != shapes.usual(geometry.order):
        yield f'boxes = "{geometry.box_shape[0]}x{geometry.box_shape[1]}"'
    for key, family in _FAMILIES.items():
        if family in geometry.families:
            yield f"{key} = true"
    kinds = dict.fromkeys(house.kind for house in geometry.extra)
    if kinds:
        lists = {
            kind: _listed(written(house.cells, geometry) for house in geometry.extra if house.kind == kind)
            for kind in kinds
        }
        table = ", ".join(f"{_quoted(kind)} = {houses}" for kind, houses in lists.items())
        yield f"houses = {lists['extra'] if set(kinds) == {'extra'} else '{ ' + table + ' }'}"


def _rule_lines(rule: Rule, geometry: Geometry) -> Iterable[str]:
    from gridproof.rules import Misstated, find
    from gridproof.rules.cells import written
    from gridproof.rules.relation import RelationRule

    if isinstance(rule, Misstated):
        yield f"rule = {_quoted(rule.stated)}"
        return
    defaults = find(rule.called).defaults
    yield f"kind = {_quoted(rule.called)}"
    for name, kind, value in rule.parameters():
        if value == defaults[name] and type(value) is type(defaults[name]):
            continue
        if isinstance(rule, RelationRule) and "marked_by" in rule.relation and name == rule.relation.get("except"):
            continue  # what other rules of the board say
        if kind == "cells":
            said = _quoted(written(value, geometry))
        elif kind == "lines":
            lines = [written(line, geometry) for line in value]
            said = _quoted(lines[0]) if len(lines) == 1 else _listed(lines)
        else:
            said = _quoted(value) if isinstance(value, str) else json.dumps(value)
        yield f"{name} = {said}"


def _quoted(text: str) -> str:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise BoardError(f"{readable(text)!r} in a puzzle file; expected text that UTF-8 can write")
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _listed(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, texts))}]"
