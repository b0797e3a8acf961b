"""Symbols: their names in text, and the clues or pencil marks that the texts of all cells of a board stand for.

Three alphabets are read: 1-9 and A-Z, 0-9 and A-Z, or letters only; above order 35 the first two are numbers. Blanks
are ``. 0 * _ -`` in any mixture, or one of ``x`` and ``?`` where it is the only sign of a blank. Each puzzle's own text
decides, since others in its file need not be written alike. Two alphabets that leave the same cells blank make one
puzzle, in which symbols have other names: the first is taken. They make two puzzles in one case only: ``0`` beside
another blank, where the last symbol (9 on a 9x9, G on a 16x16) does not occur, may be a blank or a symbol. It is a
symbol if it occurs more than once, in no house twice, and all symbols but one occur, as in any puzzle with one
solution. Else the puzzle is refused with both readings, unless it is stated what its zeros are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import isqrt
from typing import Any, NamedTuple

from gridproof.errors import GeometryError, PuzzleFormatError
from gridproof.formats.puzzle import Symbols
from gridproof.formats.shapes import Shape, Shapes, Zero
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry

BLANKS = ".0*_-"
"""The characters of a cell without a clue; ``0`` only where it is no symbol."""

WRONG = 255
"""Stands for a character that is neither a symbol nor a blank, in a table of symbols."""

_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_NOTHING = ("none", "None", "null", "nan", "NaN", "")
_LONE_BLANKS = (frozenset("xX"), frozenset("?"))


@lru_cache(maxsize=64)
def names(order: int, symbols: Symbols = Symbols.FROM_ONE) -> tuple[str, ...]:
    """Return the name of each symbol: characters up to order 35, else numbers; nothing if there are too few letters."""
    if symbols is Symbols.LETTERS:
        return tuple(_CHARACTERS[10 : order + 10]) if order <= 26 else ()
    first = 1 if symbols is Symbols.FROM_ONE else 0
    if order > LARGEST_ORDER_IN_CHARACTERS:
        return tuple(map(str, range(first, first + order)))
    return tuple(_CHARACTERS[first : first + order])


@lru_cache(maxsize=64)
def words(order: int, symbols: Symbols = Symbols.FROM_ONE) -> dict[str, int]:
    """Return each way to write a symbol or a blank (0) as a word: ``7``, ``07``, ``G``, ``16``, ``.``, ``None``."""
    table = dict.fromkeys([*BLANKS, *_NOTHING], 0)
    if symbols is not Symbols.LETTERS:
        less = 1 if symbols is Symbols.FROM_ZERO else 0
        width = len(str(order - less))
        for symbol in range(less, order + 1):
            for digits in range(1, width + 1):
                table[str(symbol - less).zfill(digits)] = symbol
    if order <= LARGEST_ORDER_IN_CHARACTERS:
        for symbol, character in enumerate(names(order, symbols), 1):
            table[character] = table[character.lower()] = symbol
    return table


@lru_cache(maxsize=64)
def alphabet(order: int, symbols: Symbols = Symbols.FROM_ONE) -> bytes:
    """Return the table for ``bytes.translate`` from characters to symbols: 0 for a blank, ``WRONG`` for any other."""
    table = words(order, symbols)
    return bytes([table.get(chr(code), WRONG) for code in range(256)])


def decode_characters(characters: str, order: int, symbols: Symbols = Symbols.FROM_ONE) -> tuple[int, ...] | None:
    """Return the symbols (0 for a blank) of one character for each cell, or ``None`` if one is not valid."""
    values = characters.encode("ascii", "replace").translate(alphabet(order, symbols))
    return None if WRONG in values else tuple(values)


def describe_symbols(order: int, symbols: Symbols = Symbols.FROM_ONE) -> str:
    """Return all symbols in short, such as ``1-9, A-G``."""
    known = names(order, symbols)
    if order > LARGEST_ORDER_IN_CHARACTERS:
        return f"a number from {known[0]} to {known[-1]}"
    kinds = [name for name in known if name.isdigit()], [name for name in known if not name.isdigit()]
    return ", ".join(f"{kind[0]}-{kind[-1]}" if len(kind) > 1 else kind[0] for kind in kinds if kind)


class Misread(NamedTuple):
    """A cell that cannot be read, and why."""

    cell: int
    problem: str
    expected: str


def read_symbols(
    cells: Sequence[str], geometry: Geometry, zero: Zero | None
) -> tuple[tuple[int, ...], Symbols] | Misread:
    """Return the clues of the texts of all cells of a board, and the names of its symbols; or the cell that is wrong.

    zero: what ``0`` is, if that is stated.
    """
    order, distinct = geometry.order, frozenset(cells)
    zeros = {word for word in distinct if word and not word.strip("0")}
    usual = words(order)
    if not zeros and zero != "symbol" and distinct <= usual.keys():
        return tuple([usual[word] for word in cells]), Symbols.FROM_ONE
    tables = {symbols: words(order, symbols) for symbols in _possible(order, zero, bool(zeros))}
    blanks = {word for word in distinct - zeros if usual.get(word) == 0}
    if not blanks:
        blanks = _lone_blank(distinct, order)
        for symbols, table in tables.items():
            if symbols is Symbols.FROM_ZERO or not zeros:
                tables[symbols] = table | dict.fromkeys(blanks, 0)
    fitting = [symbols for symbols, table in tables.items() if distinct <= table.keys()]
    if not fitting:
        wrong = {symbols: [k for k, word in enumerate(cells) if word not in table] for symbols, table in tables.items()}
        best = min(wrong, key=lambda symbols: len(wrong[symbols]))
        signs = BLANKS.replace("0", "") if best is Symbols.FROM_ZERO else BLANKS
        expected = f"{describe_symbols(order, best)}, or one of {' '.join(signs)} for a blank cell"
        return Misread(wrong[best][0], f"no symbol of a {order}x{order} board", expected)
    chosen = fitting[0]
    if zeros and blanks and zero is None and Symbols.FROM_ZERO in fitting:
        chosen = Symbols.FROM_ZERO
        places = [k for k, word in enumerate(cells) if word in zeros]
        if not _are_zeros_symbols(places, distinct, tables[chosen], geometry):
            sign = " or ".join(map(repr, sorted(filter(None, blanks)))) or "an empty cell"
            problem = (
                f"two readings of 0 beside {sign}, as a blank (symbols {describe_symbols(order)}) "
                f"or as a symbol ({describe_symbols(order, chosen)})"
            )
            return Misread(places[0], problem, "the option --zero blank or --zero symbol")
    table = tables[chosen]
    return tuple([table[word] for word in cells]), chosen


def _possible(order: int, zero: Zero | None, zeros: bool) -> list[Symbols]:
    """Return the alphabets that may be meant by a text with zeros or without, the usual one first."""
    wanted = [Symbols.FROM_ONE, Symbols.LETTERS]
    if zero == "symbol":
        wanted = [Symbols.FROM_ZERO, *([] if zeros else [Symbols.LETTERS])]
    elif zero is None and zeros:
        wanted = [*Symbols]
    return [symbols for symbols in wanted if names(order, symbols)]


def _lone_blank(distinct: frozenset[str], order: int) -> set[str]:
    """Return the unusual sign of a blank in a text with clues and without usual blanks, if it is no symbol there."""
    taken = {*names(order), *names(order, Symbols.LETTERS)}
    signs = [sign & distinct for sign in _LONE_BLANKS if sign & distinct and not taken & sign]
    return set(signs[0]) if len(signs) == 1 and distinct - signs[0] else set()


def _are_zeros_symbols(zeros: list[int], distinct: frozenset[str], table: dict[str, int], geometry: Geometry) -> bool:
    """Return whether the zeros in these cells are symbols rather than blanks. One alone may be a slip."""
    if len(zeros) < 2 or len({table[word] for word in distinct} - {0}) < geometry.order - 1:
        return False
    return all(len({*zeros}.intersection(house.cells)) < 2 for house in geometry.houses)


# ---- pencil marks ----------------------------------------------------------------------------------------------------


def board_from_masks(geometry: Geometry, masks: Sequence[int]) -> Board:
    """Return the board of these pencil marks. A cell with one candidate is a clue; full marks are dropped.

    The one candidate is stated by the clue alone, so that the cell is free once its clue is taken away.
    """
    full = (1 << geometry.order) - 1
    clues = tuple([0 if mask & (mask - 1) else mask.bit_length() for mask in masks])
    marks = tuple([full if clue else mask for clue, mask in zip(clues, masks, strict=True)])
    return Board(geometry, clues, marks=None if {full}.issuperset(marks) else marks)


class Marks(NamedTuple):
    """The pencil marks of all cells as masks, and the names of the symbols."""

    masks: list[int]
    symbols: Symbols


def masks_in_places(characters: str, order: int, zero: Zero | None) -> Marks | None:
    """Return the masks of ``order`` characters a cell, each candidate at its own place; ``None`` if one is not."""
    for symbols in _possible(order, zero, "0" in characters):
        values = decode_characters(characters, order, symbols) or (-1,)
        if all({0, place + 1}.issuperset(values[place::order]) for place in range(order)):
            cells = [values[start : start + order] for start in range(0, len(values), order)]
            return Marks([sum(1 << place for place, symbol in enumerate(cell) if symbol) for cell in cells], symbols)
    return None


def masks_of_sets(cells: Sequence[str], order: int) -> Marks | None:
    """Return the masks of cells written as their candidates one after the other (``136``), or ``None``."""
    sets = [decode_characters(cell, order) or (0,) for cell in cells]
    if any(0 in candidates or len({*candidates}) < len(candidates) for candidates in sets):
        return None
    return Marks([sum(1 << (symbol - 1) for symbol in candidates) for candidates in sets], Symbols.FROM_ONE)


# ---- Python values ---------------------------------------------------------------------------------------------------


def from_values(cells: Any, shape: Shape = Geometry.standard, zero: Zero | None = None) -> Board:
    """Return the board of n*n cells in a sequence or an array: flat, or n rows of n.

    Cells are numbers or texts, where 0, ``None``, NaN, masked cells, ``''`` and ``. 0 * _ -`` are blank; a row may be a
    text. Raises ``PuzzleFormatError``, also for anything that is no puzzle at all.

    Examples
    --------
    >>> from_values(["1...", "..2.", ".3..", "...4"]).clues[:4]
    (1, 0, 0, 0)
    """
    if hasattr(cells, "__array__"):
        import numpy as np

        array = np.asanyarray(cells)
        if array.ndim not in (1, 2):
            raise _refused("an array of this shape", array.shape, "n x n cells, or n*n cells in one dimension")
        cells = array.tolist()
    if not isinstance(cells, Sequence) or isinstance(cells, (str, bytes)):
        expected = "a puzzle: a text, a Board, or its cells in a list or an array"
        raise _refused(f"a value of type {type(cells).__name__}", cells, expected)
    if cells and all(_is_row(entry, len(cells)) for entry in cells):
        for number, row in enumerate(cells, 1):
            if len(row) != len(cells):
                expected = f"{len(cells)} cells, as there are {len(cells)} rows"
                raise _refused(f"row {number} of {len(row)} cells", row, expected)
        cells = [cell for row in cells for cell in row]
    order = isqrt(len(cells))
    if order**2 != len(cells) or not order:
        raise _refused(f"{len(cells)} cells", cells, "n*n cells")
    shapes = Shapes(shape, zero)
    try:
        geometry = shapes.geometry(order)
    except GeometryError as problem:
        raise _refused("a board without a geometry", f"{order}x{order} cells", f"another shape ({problem})") from None
    read = read_symbols([_word(value) for value in cells], geometry, shapes.zero)
    if isinstance(read, Misread):
        name = geometry.cell_name(read.cell)
        where = name if read.problem.startswith("no symbol") else f"{name}: {read.problem}"
        raise _refused(where, cells[read.cell], read.expected)
    return Board(geometry, read[0])


def _is_row(entry: Any, entries: int) -> bool:
    """Return whether one of so many entries holds several cells. A text that may be one symbol does not."""
    try:
        return len(entry) > (len(str(entries)) if isinstance(entry, (str, bytes)) else 0)
    except TypeError:
        return False


def _word(value: Any) -> str:
    """Return a Python value as text would have it; something that is no symbol if it would not."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        return value.strip() or "None"
    try:
        if value is None or value != value:  # NaN, the only number that is not itself
            return "None"
        number = int(value)
        return str(number) if number == value and not isinstance(value, bool) else repr(value)
    except (TypeError, ValueError, OverflowError):
        return "no number"


def _refused(problem: str, value: object, expected: str) -> PuzzleFormatError:
    return PuzzleFormatError(problem, text=value if isinstance(value, str) else repr(value), expected=expected)
