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
cells. ``author`` and ``prose`` (the rules in words) are for people. ``solution`` is the known solution, if any, and
``filled`` holds digits that are filled in but not given. ``zero`` is ``"blank"`` or ``"symbol"``. Each ``[[unread]]``
names with ``where`` and ``what`` a part of another program's puzzle that gridproof did not understand: as long as it
stands there, neither is the file understood. Without a shape the board has boxes as usual, or the shape that is
requested where the file is read. Of a file with a shape of its own only further houses may be requested.
"""

from __future__ import annotations

import re
import shlex
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridproof.errors import GeometryError, InputError, PuzzleFormatError
from gridproof.formats import reading, shapes
from gridproof.formats.catalog import EXTRAS, LONGEST_TEXT, Format
from gridproof.formats.puzzle import MOST_ENTRIES, Puzzle, Unread, readable
from gridproof.formats.shapes import Shape, Shapes, shaped
from gridproof.formats.tables import read_answer
from gridproof.formats.toml_writing import FAMILIES, write_puzzle
from gridproof.puzzle.geometry import Geometry
from gridproof.text import quote, suggest
from gridproof.toml_tables import LARGEST_FILE

if TYPE_CHECKING:
    from gridproof.rules import Statement
    from gridproof.rules.rule import Rule

_LARGEST_NUMBER = 10**15

_MOST_DOTS = 32
"""Dots on a line of a file, outside of texts and comments; a puzzle needs none."""

_TEXT_OR_COMMENT = re.compile(
    r""""{3}(?:\\.|[^\\])*?(?:"{3,5}|\Z)|'{3}.*?(?:'{3,5}|\Z)|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*""", re.DOTALL
)
"""A text in one of the four kinds of quotes that TOML has, closed or not, or a comment."""

_SHAPES = ("boxes", "jigsaw", "latin")
_TYPES: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("title", "author", "prose", "clues", "filled", "solution", "zero", "boxes", "jigsaw"), (str,)),
    **dict.fromkeys(("latin", *FAMILIES), (bool,)),
    "houses": (list, dict),
    "rule": (str, list),
    "unread": (list,),
}
_WORDS = {bool: "true or false", str: "a text", list: "a list", dict: "a table"}
_BEGINS = re.compile(
    rf"""\s*(?:(?:{"|".join(_TYPES)})\s*=\s*(?:["'\[{{]|(?:true|false)\b)|\[\[\s*(?:rule|unread)\s*\]\])"""
)
_MARKS_OF_FEW_CELLS = {8: 2, 27: 3}
"""The orders of boards whose pencil marks are so many characters."""


# ---- reading ---------------------------------------------------------------------------------------------------------


def _read(text: str, requested: Shapes) -> Iterator[Puzzle]:
    """Yield the puzzle of a file. requested: the shape that counts where the file states none.

    Raises ``PuzzleFormatError`` with the place to blame.
    """
    try:
        yield _puzzle(text, requested)
    except _Wrong as wrong:
        line, column = wrong.line(text), 1
        lines, inside = text.splitlines(), wrong.__cause__
        problem, blamed, expected = str(wrong), readable(lines[line - 1].strip() if line else text), ""
        if isinstance(inside, PuzzleFormatError):
            problem, blamed, expected = f"{wrong.where}: {inside.problem}", inside.text, inside.expected
            if line and re.search(r"=\s*(\"\"\"|''')\s*$", lines[line - 1]):
                line, column = line + (inside.line or 1), inside.column or 1
        raise PuzzleFormatError(problem, text=blamed, expected=expected, line=line or 1, column=column) from None


def _clues(text: str, wanted: Shapes) -> Puzzle:
    item = reading.only(text, wanted, in_table=True)
    if isinstance(item, PuzzleFormatError):
        raise item
    return item


class _Wrong(InputError):
    """A fault of a file. where: the key to blame, or the rule, such as ``rule 2``; empty if there is none."""

    def __init__(self, where: str, problem: str) -> None:
        self.where = where
        super().__init__(problem)

    def line(self, text: str) -> int | None:
        """Return the number of the line to blame, from 1; ``None`` if it is unknown."""
        if stated := re.search(r"\(at line (\d+), column \d+\)$", str(self)):
            return int(stated[1])
        rule = re.fullmatch(r"rule (\d+)", self.where)
        key, place = ("rule", int(rule[1]) - 1) if rule else (re.escape(self.where), 0)
        begins = re.compile(rf"\s*(\[\[\s*{key}\s*\]\]|{key}\s*=)" if key else r"(?!)")
        heads = [(n, match[1]) for n, line in enumerate(text.splitlines(), 1) if (match := begins.match(line))]
        tables = [n for n, head in heads if head.startswith("[")] or [n for n, _ in heads]
        return next(iter([*tables[place:], *tables]), None)


@contextmanager
def _blaming(where: str) -> Iterator[None]:
    """Blame this key, or the rule of this number, for errors inside."""
    try:
        yield
    except InputError as problem:
        message = str(problem)
        raise _Wrong(where, message if message.startswith(where) else f"{where}: {message}") from problem


def _puzzle(text: str, requested: Shapes) -> Puzzle:
    data = _data(text)
    shape = _shape(data, requested)
    with _blaming("zero"):
        wanted = Shapes(shape, data.get("zero", requested.zero))
    with _blaming("clues"):
        clues = _first_clues(data["clues"], wanted, requested.order)
    board = replace(clues.board, geometry=_with_houses(clues.board.geometry, data.get("houses", [])))
    if stated := [key for key in (*_SHAPES, *FAMILIES, "houses") if data.get(key)]:
        with _blaming(stated[0]):
            board = shaped(board, requested, f"{', '.join(stated)}: ")
    rules, entries = [], data.get("rule", [])
    for number, entry in enumerate([entries] if isinstance(entries, str) else entries, 1):
        with _blaming(f"rule {number}"):
            rules.append(_statement(entry, requested.folder).on(board.geometry))
    fixed = Shapes(clues.board.geometry, wanted.zero)
    with _blaming("filled"):
        filled = _clues(data["filled"], fixed).board.clues if data.get("filled") else ()
    with _blaming("solution"):
        given = data.get("solution")
        solution = read_answer(given, clues, lambda grid: _clues(grid, fixed)) if given else None
        if isinstance(solution, PuzzleFormatError):
            raise solution
    with _blaming("unread"):
        unread = tuple(map(_unread, data.get("unread", [])))
    board = replace(board, filled=filled).with_rules(rules)
    people = {key: data.get(key, "") for key in ("title", "author", "prose")}
    return Puzzle(board, solution, **people, unread=unread, text=text.strip(), symbols=clues.symbols)


def _unread(entry: object) -> Unread:
    """Return the part that an entry of ``unread`` names."""
    match entry:
        case {"where": str(where), "what": str(what), "relaxes": bool(relaxes), **others} if not others:
            return Unread(where, what, relaxes=relaxes)
        case {"where": str(where), "what": str(what), **others} if not others:
            return Unread(where, what)
    raise InputError(f'{entry!r:.60}; expected where = "..." and what = "..."')


def _data(text: str) -> dict[str, Any]:
    """Return the values of a file, key by key, each of a type that it may have."""
    import tomllib

    if len(text) > LONGEST_TEXT:
        raise _Wrong("", f"a puzzle file of more than {LONGEST_TEXT:,} characters; expected one puzzle")
    _check_dots(text)
    try:
        data = tomllib.loads(text)
        _check_size(data)
    except InputError:
        raise
    except (ValueError, RecursionError, MemoryError) as problem:  # Python reads no number of thousands of digits
        raise _Wrong("", f"not readable as TOML: {problem}") from None
    for key, value in data.items():
        if key not in _TYPES:
            raise _Wrong(key, f"unknown key {key}; {suggest(key, _TYPES)}")
        if type(value) not in _TYPES[key]:
            raise _Wrong(key, f"{key} = {value!r:.60}; expected {' or '.join(_WORDS[one] for one in _TYPES[key])}")
    if "clues" not in data:
        raise _Wrong("", 'no key clues; expected clues = """...""", a puzzle in any notation')
    return data


def _check_dots(text: str) -> None:
    """Refuse a key of very many parts: Python's reader takes time and memory with the square of their number."""
    without_texts = _TEXT_OR_COMMENT.sub(_keep_line_ends, text)
    for number, line in enumerate(without_texts.split("\n"), 1):
        if line.count(".") > _MOST_DOTS:
            problem = f"a key of more than {_MOST_DOTS} parts; expected keys such as clues or rule"
            raise _Wrong("", f"not readable as TOML: {problem} (at line {number}, column 1)")


def _keep_line_ends(match: re.Match[str]) -> str:
    """Return as many line ends as there are in a text, so that lines stay what they are."""
    return "\n" * match[0].count("\n")


def _check_size(value: Any, where: str = "") -> None:
    """Refuse numbers and lists beyond any puzzle's. where: the key, or the rule with its number, of the value."""
    with _blaming(where):
        if isinstance(value, int) and abs(value) > _LARGEST_NUMBER:
            raise InputError(f"a number of {value.bit_length():,} bits; expected at most {_LARGEST_NUMBER:,}")
        if isinstance(value, (list, dict)) and len(value) > MOST_ENTRIES:
            raise InputError(f"{len(value):,} entries; expected at most {MOST_ENTRIES:,}")
    parts = value.items() if isinstance(value, dict) else enumerate(value, 1) if isinstance(value, list) else ()
    for key, part in parts:
        _check_size(part, f"rule {key}" if where == "rule" else where or str(key))


def _first_clues(clues: str, wanted: Shapes, order: int | None) -> Puzzle:
    """Return the clues, which are one puzzle: n lines of them are the n rows of a board, if they can be.

    Otherwise rows of numbers could be small boards of their own, and so few pencil marks on a line a row.
    """
    lines = [line.strip() for line in clues.splitlines() if line.strip()]
    order = order or (_MARKS_OF_FEW_CELLS.get(len(lines[0])) if len(lines) == 1 else len(lines))
    if order and wanted.fixed is None:
        with suppress(InputError):
            return _clues(clues, Shapes(wanted.geometry(order), wanted.zero))
    return _clues(clues, wanted)


def _shape(data: Mapping[str, Any], requested: Shapes) -> Shape:
    """Return the shape that a file states, or else the one that is requested."""
    stated = [key for key in _SHAPES if data.get(key)]
    if len(stated) > 1:
        raise _Wrong(stated[1], f"{' and '.join(stated)}; expected one of them")
    further = {key: data.get(key, False) for key in FAMILIES}
    if not stated and not any(further.values()):
        return requested.geometry
    with _blaming("".join(stated)):
        if "boxes" in stated:
            return shapes.extended(shapes.boxes(data["boxes"], "boxes ="), **further)
        if "jigsaw" in stated:
            return shapes.extended(shapes.regions(data["jigsaw"]), **further)
    return lambda order: shapes.extended((Geometry.latin if stated else Geometry.standard)(order), **further)


def _with_houses(geometry: Geometry, stated: Sequence[Any] | Mapping[str, Any]) -> Geometry:
    from gridproof.rules.cells import read_cells

    with _blaming("houses"):
        for kind, houses in stated.items() if isinstance(stated, Mapping) else [("extra", stated)]:
            if not isinstance(houses, list) or not all(isinstance(house, str) for house in houses):
                raise GeometryError(f'{houses!r}; expected a list of cells, such as ["r1c1 r1c2 r2c1 r2c2"]')
            geometry = geometry.with_houses([read_cells(house, geometry) for house in houses], kind)
    return geometry


def _statement(entry: object, folder: Path | None) -> Statement:
    """Return the rule of a table, or of a text. folder: as of ``_find_kind``."""
    from gridproof.rules import Statement, parse_rule

    if isinstance(entry, dict) and set(entry) == {"rule"}:
        entry = entry["rule"]
    if isinstance(entry, str):
        name = _first_word(entry)
        return parse_rule(entry, {name: _find_kind(name, folder)} if name else None)
    if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str):
        raise InputError(f'{entry!r:.60}; expected kind = "..." and its parameters, or rule = "killer 15 r1c1 r1c2"')
    kind = _find_kind(entry["kind"], folder)
    named = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items() if key != "kind"}
    for p in kind.cell_parameters():
        value = named.get(p.name, ())
        if not all(isinstance(cells, str) for cells in (value if isinstance(value, tuple) else (value,))):
            raise InputError(f'{kind.kind}: {p.name} = {value!r}; expected cells such as "r1c1 r1c2-r1c5 row3"')
    return Statement(kind, (), tuple(named.items()))


def _first_word(rule: str) -> str:
    """Return the first word of a rule, as ``parse_rule`` takes it; nothing where that finds a fault."""
    try:
        words = shlex.split(rule)
    except ValueError:
        return ""
    return words[0] if words else ""


def _find_kind(name: str, folder: Path | None) -> type[Rule]:
    """Return a kind of rule by its name, or from a file that a puzzle names. folder: that of the puzzle file, if any.

    Whoever wrote the puzzle chose the name. So only a plain and small file in the folder of a puzzle file is opened,
    and no message tells what is in it.
    """
    from gridproof.rules import find

    if not name.endswith(".toml"):
        return find(name)
    if folder is None or Path(name).name != name:
        raise InputError(
            f"the kind of rule {quote(name)}: a puzzle opens no file but one beside its own; expected the name of a "
            "kind, or state the rule beside the puzzle (rules=..., on the command line --rule)"
        )
    path = folder / name
    try:
        status = path.lstat()
        if stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST_FILE:
            return find(path)
    except (InputError, OSError):
        pass
    raise InputError(
        f"the kind of rule {quote(name)}: expected a file beside the puzzle that states one, plain and of at most "
        f"{LARGEST_FILE:,} bytes (`gridproof rules {name}` states what is wrong with it)"
    )


TOML = Format(
    name="toml",
    summary="gridproof's own puzzle file, which can express every shape and every rule",
    endings=(".toml",),
    sniff=lambda text: _BEGINS.match(text) is not None,
    read=_read,
    write=write_puzzle,
    several=False,
    keeps=(*EXTRAS,),
    examples=('clues = "1... .... .... ...2"\n\n[[rule]]\nrule = "thermometer r1c2 r1c3"\n',),
)
FORMATS = (TOML,)
