"""A puzzle that is stated by keys: its clues in any notation, its shape, its rules, and what came with it.

A puzzle file in TOML is one way to write the keys (``known/toml.py`` lists them), a record in JSON another.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridproof.errors import GeometryError, InputError, PuzzleFormatError
from gridproof.formats import shapes
from gridproof.formats.puzzle import Puzzle, Unread
from gridproof.formats.reading import read_one
from gridproof.formats.shapes import Shape, Shapes, fit_to_request
from gridproof.formats.stated_values import StatedValues
from gridproof.formats.stated_writing import FAMILIES
from gridproof.formats.symbols import read_names
from gridproof.formats.tables import read_answer
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import read_digits
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.text import quote
from gridproof.toml_tables import LARGEST_FILE, TomlTable

if TYPE_CHECKING:
    from gridproof.rules import Rule, RuleText

_SHAPES = ("boxes", "jigsaw", "latin")
"""The keys that state a shape, of which a file has at most one."""

_KEYS_OF_SHAPE = _SHAPES + ("size", "digits") + tuple(FAMILIES) + ("houses",)
"""The keys that state a shape or further houses."""

_TEXTS = ("title", "author", "prose", "clues", "filled", "solution", "zero", "boxes", "jigsaw", "size", "digits")
TYPES: dict[str, tuple[type, ...]] = dict.fromkeys((*_TEXTS, "symbols"), (str,))
TYPES["latin"] = (bool,)
TYPES |= dict.fromkeys(FAMILIES, (bool,))
TYPES |= {"houses": (list, dict), "rule": (str, list), "unread": (list,), "drawn": (list,)}

CLUES = {"clues": 'clues = """...""", a puzzle in any notation'}
_MARKS_OF_FEW_CELLS = {8: 2, 27: 3}
"""The orders of boards whose pencil marks are so many characters."""


def read_stated(values: StatedValues, requested: Shapes, text: str) -> Puzzle:
    """Return the puzzle that some keys state.

    requested: the shape that counts where they state none. text: what the puzzle was read from. Raises
    ``PuzzleFormatError`` with the place to blame.
    """
    clues = _read_clues(values, requested)
    board = clues.board
    with values.blame("houses"):
        board = replace(board, geometry=add_houses(board.geometry, values.get("houses", [])))
    stated = [key for key in _KEYS_OF_SHAPE if values.get(key)]
    if stated:
        with values.blame(stated[0]):
            board = fit_to_request(board, requested, f"{', '.join(stated)}: ")
    filled: SymbolTuple = ()
    if values.get("filled"):
        with values.blame("filled"):
            filled = _read_grid(values.get("filled"), _shapes_of_value(values, "filled", clues)).board.clues
    board = replace(board, filled=filled).with_rules(_read_rules(values, board.geometry, requested.folder))
    with values.blame("unread"):
        unread = [read_unread(entry) for entry in values.get("unread", [])]
    for number, entry in enumerate(values.get("drawn", []), 1):
        with values.blame(f"drawn {number}"):
            board, part = _read_drawn(number, entry, board)
            unread.append(part)
    names: tuple[str, ...] = ()
    if values.get("symbols"):
        with values.blame("symbols"):
            names = read_names(values.get("symbols"))
            board.geometry.with_symbol_texts(names)  # which refuses names that no board can have
    return Puzzle(
        board,
        _read_solution(values, clues),
        title=values.get("title", ""),
        author=values.get("author", ""),
        prose=values.get("prose", ""),
        unread=tuple(unread),
        text=text.strip(),
        symbols=clues.symbols,
        names=names,
    )


# ---- clues, and other cells ------------------------------------------------------------------------------------------


def _read_clues(values: StatedValues, requested: Shapes) -> Puzzle:
    """Return the clues, which are one puzzle: n lines of them are the n rows of a board, if they can be.

    Otherwise rows of numbers could be small boards of their own, and so few pencil marks on a line a row.
    """
    shape = read_shape(values, requested)
    if isinstance(shape, Geometry) and not shape.is_plain:
        with values.blame("clues"):
            return _read_grid(values.get("clues"), Shapes(shape, place=values.place_of_text("clues")))
    with values.blame("zero"):
        wanted = Shapes(shape, values.get("zero", requested.zero), place=values.place_of_text("clues"))
    clues = values.get("clues")
    with values.blame("clues"):
        lines = [line.strip() for line in clues.splitlines() if line.strip()]
        order = requested.order or len(lines)
        if requested.order is None and len(lines) == 1:
            order = _MARKS_OF_FEW_CELLS.get(len(lines[0]), 0)
        if order and wanted.fixed is None:
            with suppress(InputError):
                return _read_grid(clues, Shapes(wanted.geometry(order), wanted.zero, place=wanted.place))
        return _read_grid(clues, wanted)


def _read_grid(text: str, wanted: Shapes) -> Puzzle:
    item = read_one(text, wanted, in_table=True)
    if isinstance(item, PuzzleFormatError):
        raise item
    return item


def _shapes_of_value(values: StatedValues, key: str, clues: Puzzle) -> Shapes:
    """Return what is expected of further cells: the shape of the clues."""
    return Shapes(clues.board.geometry, values.get("zero"), place=values.place_of_text(key))


def _read_solution(values: StatedValues, clues: Puzzle) -> SymbolTuple | None:
    given = values.get("solution")
    if not given:
        return None
    with values.blame("solution"):
        fixed = _shapes_of_value(values, "solution", clues)

        def read_field(text: str) -> Puzzle:
            return _read_grid(text, fixed)

        solution = read_answer(given, clues, read_field, fixed.place)
        if isinstance(solution, PuzzleFormatError):
            raise solution
        return solution


# ---- shape and houses ------------------------------------------------------------------------------------------------


def read_shape(values: StatedValues, requested: Shapes) -> Shape:
    """Return the shape that a file states, or else the one that is requested."""
    size = None
    digits = None
    if values.get("size"):
        with values.blame("size"):
            size = shapes.read_size(values.get("size"), "size =")
    if values.get("digits"):
        with values.blame("digits"):
            digits = read_digits(values.get("digits"))
    if size is None and digits is None:
        return _read_usual_shape(values, requested)
    lines = values.get("clues").split()
    if size is None and len(lines) > 1:
        size = (len(lines), len(lines))
    elif size is None:
        order = isqrt(len(lines[0])) if lines else 0
        size = (order, order)
    with values.blame("size" if values.get("size") else "digits"):
        shape = shapes.with_size_and_digits(_read_usual_shape(values, requested, extend=False), size, digits)
        assert isinstance(shape, Geometry)
        return shapes.add_families(shape, **{key: values.get(key, False) for key in FAMILIES})


def _read_usual_shape(values: StatedValues, requested: Shapes, *, extend: bool = True) -> Shape:
    """Return the shape that boxes, a jigsaw or a Latin square make, or else the one that is requested.

    extend: whether further houses are added.
    """
    stated = [key for key in _SHAPES if values.get(key)]
    if len(stated) > 1:
        raise values.error(stated[1], f"{' and '.join(stated)}; expected one of them")
    further = {key: extend and values.get(key, False) for key in FAMILIES}
    if not stated and not any(further.values()):
        return requested.of_cells or requested.geometry
    if "boxes" in stated:
        with values.blame("boxes"):
            return shapes.add_families(shapes.read_boxes(values.get("boxes"), "boxes ="), **further)
    if "jigsaw" in stated:
        with values.blame("jigsaw"):
            return shapes.add_families(shapes.read_regions(values.get("jigsaw")), **further)
    usual = Geometry.latin if stated else Geometry.standard

    def shape_of_order(order: int) -> Geometry:
        return shapes.add_families(usual(order), **further)

    return shape_of_order


def add_houses(geometry: Geometry, stated: Sequence[Any] | Mapping[str, Any]) -> Geometry:
    """Return the geometry with further houses. stated: lists of cells, perhaps by the kinds of the houses."""
    from gridproof.rules.cells import read_cells

    if isinstance(stated, Mapping):
        by_kind = stated
    else:
        by_kind = {"extra": stated}
    for kind, houses in by_kind.items():
        if not isinstance(houses, list) or not all(isinstance(house, str) for house in houses):
            raise GeometryError(f'{houses!r:.60}; expected a list of cells, such as ["r1c1 r1c2 r2c1 r2c2"]')
        geometry = geometry.with_houses([read_cells(house, geometry) for house in houses], kind)
    return geometry


# ---- rules, and what is unread ---------------------------------------------------------------------------------------


def read_unread(entry: object) -> Unread:
    """Return the part that an entry of ``unread`` names."""
    if not isinstance(entry, Mapping):
        raise InputError(f'{entry!r:.60}; expected where = "..." and what = "..."')
    table = TomlTable("unread", entry, keys=("where", "what", "relaxes"))
    if "relaxes" in table:
        return Unread(table.text("where"), table.text("what"), relaxes=table.choice("relaxes", (True, False)))
    return Unread(table.text("where"), table.text("what"))


def _read_drawn(number: int, entry: object, board: Board) -> tuple[Board, Unread]:
    """Return a board with the rules of a group of drawings, and the part that the group is."""
    from gridproof.formats.drawn.of_toml import read_table, rules_of_table

    drawn = read_table(number, entry, board.geometry)
    where = f"drawn {number}"
    words = drawn.group.words
    if drawn.is_ignored:
        return board, Unread(where, f"{words}; ignored", may_be_rule=False, relaxes=False)
    if drawn.reading is None:
        return board, Unread(where, words, relaxes=False)
    board = board.with_rules(rules_of_table(drawn, board.geometry))
    return board, Unread(where, f"{words}; read as {drawn.reading}", may_be_rule=False, relaxes=False)


def _read_rules(values: StatedValues, geometry: Geometry, folder: Path | None) -> list[Rule]:
    """Return the rules of a board. folder: as of ``_find_kind``."""
    entries = values.get("rule", [])
    rules = []
    for number, entry in enumerate([entries] if isinstance(entries, str) else entries, 1):
        with values.blame(f"rule {number}"):
            rules.append(read_statement(entry, folder).make(geometry))
    return rules


def read_statement(entry: object, folder: Path | None, depth: int = 0) -> RuleText:
    """Return the rule of a table, or of a text. depth: the number of choices around it."""
    from gridproof.rules import RuleText, parse_rule
    from gridproof.rules.rule_parsing import MOST_BRACKETS, kinds_named

    if depth > MOST_BRACKETS:
        raise InputError(f"rules in rules; expected at most {MOST_BRACKETS}, one inside the other")
    if isinstance(entry, dict) and set(entry) == {"rule"}:
        entry = entry["rule"]
    if isinstance(entry, str):
        kinds = {name: _find_kind(name, folder) for name in kinds_named(entry)}
        return parse_rule(entry, kinds, files=False)
    if not isinstance(entry, dict) or not isinstance(entry.get("kind"), str):
        raise InputError(f'{entry!r:.60}; expected kind = "..." and its parameters, or rule = "killer 15 r1c1 r1c2"')
    kind = _find_kind(entry["kind"], folder)
    of_cells = {parameter.name for parameter in kind.cell_parameters()}
    named: list[tuple[str, Any]] = []
    for key, value in entry.items():
        if key == "kind":
            continue
        if key in of_cells and not are_cells(value):
            raise InputError(f'{kind.kind}: {key} = {value!r:.60}; expected cells such as "r1c1 r1c2-r1c5 row3"')
        if key == kind.name_of_rules():
            if not isinstance(value, list):
                raise InputError(f'{kind.kind}: {key} = {value!r:.60}; expected a list such as ["even r1c1"]')
            value = [read_statement(inner, folder, depth + 1) for inner in value]
        named.append((key, as_tuple(value)))
    return RuleText(kind, (), tuple(named))


def are_cells(value: object) -> bool:
    """Return whether a value is a text of cells, a list of such, or a list of lists of them."""
    if not isinstance(value, list):
        return isinstance(value, str)
    for line in value:
        words = line if isinstance(line, list) else [line]
        if not all(isinstance(word, str) for word in words):
            return False
    return True


def as_tuple(value: Any) -> Any:
    """Return a list, and each list in it, as a tuple; anything else as it is."""
    if isinstance(value, list):
        return tuple([as_tuple(entry) for entry in value])
    return value


def _find_kind(name: str, folder: Path | None) -> type[Rule]:
    """Return a kind of rule by its name, or from a file that a puzzle names. folder: that of the puzzle file, if any.

    Whoever wrote the puzzle chose the name. So only a plain and small file in the folder of a puzzle file is opened,
    and no message quotes it.
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
