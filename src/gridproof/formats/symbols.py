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
from typing import NamedTuple

from gridproof.formats.alphabets import Symbols
from gridproof.formats.alphabets import symbol_names as symbol_names
from gridproof.formats.shapes import Zero
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS
from gridproof.puzzle.geometry import Geometry

BLANKS = ".0*_-"
"""The characters of a cell without a clue; ``0`` only where it is no symbol."""

WRONG = 255
"""Stands for a character that is neither a symbol nor a blank, in a table of symbols."""

_NOTHING = ("none", "None", "null", "nan", "NaN", "")
_LONE_BLANKS = (frozenset("xX"), frozenset("?"))

# ---- alphabets -------------------------------------------------------------------------------------------------------


def read_names(text: str) -> tuple[str, ...]:
    """Return the names of symbols: characters, or words with commas between them.

    Examples
    --------
    >>> read_names("ABCD"), read_names("10, 20, 30, 40")
    (('A', 'B', 'C', 'D'), ('10', '20', '30', '40'))
    """
    if "," in text:
        return tuple([name.strip() for name in text.split(",")])
    return tuple(text.strip())


def write_names(names: Sequence[str]) -> str:
    """Return names as ``read_names`` reads them."""
    longest = max([len(name) for name in names], default=0)
    return "".join(names) if longest < 2 else ", ".join(names)


@lru_cache(maxsize=64)
def word_table(order: int, symbols: Symbols = Symbols.FROM_ONE) -> dict[str, int]:
    """Return each way to write a symbol or a blank (0) as a word: ``7``, ``07``, ``G``, ``16``, ``.``, ``None``."""
    table = dict.fromkeys(BLANKS, 0)
    table |= dict.fromkeys(_NOTHING, 0)
    if symbols is not Symbols.LETTERS:
        less = 0
        if symbols is Symbols.FROM_ZERO:
            less = 1
        width = len(str(order - less))
        for symbol in range(less, order + 1):
            for digits in range(1, width + 1):
                table[str(symbol - less).zfill(digits)] = symbol
    if order <= LARGEST_ORDER_IN_CHARACTERS:
        for symbol, character in enumerate(symbol_names(order, symbols), 1):
            table[character] = symbol
            table[character.lower()] = symbol
    return table


@lru_cache(maxsize=64)
def byte_table(order: int, symbols: Symbols = Symbols.FROM_ONE) -> bytes:
    """Return the table for ``bytes.translate`` from characters to symbols: 0 for a blank, ``WRONG`` for any other."""
    table = word_table(order, symbols)
    return bytes([table.get(chr(code), WRONG) for code in range(256)])


def decode_characters(characters: str, order: int, symbols: Symbols = Symbols.FROM_ONE) -> tuple[int, ...] | None:
    """Return the symbols (0 for a blank) of one character for each cell, or ``None`` if one is not valid."""
    values = characters.encode("ascii", "replace").translate(byte_table(order, symbols))
    return None if WRONG in values else tuple(values)


def describe_symbols(order: int, symbols: Symbols = Symbols.FROM_ONE) -> str:
    """Return all symbols in short, such as ``1-9, A-G``."""
    known = symbol_names(order, symbols)
    if order > LARGEST_ORDER_IN_CHARACTERS:
        return f"a number from {known[0]} to {known[-1]}"
    digits = [name for name in known if name.isdigit()]
    letters = known[len(digits) :]
    ranges = []
    for names in (digits, letters):
        if len(names) == 1:
            ranges.append(names[0])
        elif names:
            ranges.append(f"{names[0]}-{names[-1]}")
    return ", ".join(ranges)


# ---- the cells of a board --------------------------------------------------------------------------------------------


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
    order = geometry.order
    distinct = frozenset(cells)
    zeros = set()
    for word in distinct:
        if word and not word.strip("0"):
            zeros.add(word)
    usual = word_table(order)
    if not zeros and zero != "symbol" and distinct <= usual.keys():
        return tuple([usual[word] for word in cells]), Symbols.FROM_ONE
    tables = {}
    for symbols in _possible_alphabets(order, zero, bool(zeros)):
        tables[symbols] = word_table(order, symbols)
    blanks = {word for word in distinct - zeros if usual.get(word) == 0}
    if not blanks:
        blanks = find_lone_blank(distinct, order)
        for symbols, table in tables.items():
            if symbols is Symbols.FROM_ZERO or not zeros:
                tables[symbols] = table | dict.fromkeys(blanks, 0)
    fitting = [symbols for symbols, table in tables.items() if distinct <= table.keys()]
    if not fitting:
        return find_misread(cells, tables, order)
    chosen = fitting[0]
    if zeros and blanks and zero is None and Symbols.FROM_ZERO in fitting:
        chosen = Symbols.FROM_ZERO
        places = [place for place, word in enumerate(cells) if word in zeros]
        if not are_zeros_symbols(places, distinct, tables[chosen], geometry):
            return refuse_two_readings_of_zero(places[0], blanks, order)
    table = tables[chosen]
    return tuple([table[word] for word in cells]), chosen


def find_misread(cells: Sequence[str], tables: dict[Symbols, dict[str, int]], order: int) -> Misread:
    """Return the first cell that no alphabet has, in the one that lacks the fewest."""
    best = Symbols.FROM_ONE
    fewest: list[int] = []
    for symbols, table in tables.items():
        wrong = [place for place, word in enumerate(cells) if word not in table]
        if not fewest or len(wrong) < len(fewest):
            best = symbols
            fewest = wrong
    signs = BLANKS
    if best is Symbols.FROM_ZERO:
        signs = BLANKS.replace("0", "")
    expected = f"{describe_symbols(order, best)}, or one of {' '.join(signs)} for a blank cell"
    return Misread(fewest[0], f"no symbol of a {order}x{order} board", expected)


def refuse_two_readings_of_zero(cell: int, blanks: set[str], order: int) -> Misread:
    """Return the first zero of a board in which zeros may be blanks or symbols. blanks: the other signs of a blank."""
    signs = [repr(sign) for sign in sorted(blanks) if sign]
    beside = " or ".join(signs) or "an empty cell"
    problem = (
        f"two readings of 0 beside {beside}, as a blank (symbols {describe_symbols(order)}) "
        f"or as a symbol ({describe_symbols(order, Symbols.FROM_ZERO)})"
    )
    return Misread(cell, problem, "the option --zero blank or --zero symbol")


def _possible_alphabets(order: int, zero: Zero | None, has_zeros: bool) -> list[Symbols]:
    """Return the alphabets that may be meant by a text with zeros or without, the usual one first."""
    if zero == "symbol":
        wanted = [Symbols.FROM_ZERO]
        if not has_zeros:
            wanted = [Symbols.FROM_ZERO, Symbols.LETTERS]
    elif zero is None and has_zeros:
        wanted = list(Symbols)
    else:
        wanted = [Symbols.FROM_ONE, Symbols.LETTERS]
    return [symbols for symbols in wanted if symbol_names(order, symbols)]


def find_lone_blank(distinct: frozenset[str], order: int) -> set[str]:
    """Return the unusual sign of a blank in a text with clues and without usual blanks, if it is no symbol there."""
    taken = set(symbol_names(order) + symbol_names(order, Symbols.LETTERS))
    signs = []
    for sign in _LONE_BLANKS:
        if sign & distinct and not taken & sign:
            signs.append(sign & distinct)
    if len(signs) != 1 or not distinct - signs[0]:
        return set()
    return set(signs[0])


def are_zeros_symbols(zeros: list[int], distinct: frozenset[str], table: dict[str, int], geometry: Geometry) -> bool:
    """Return whether the zeros in these cells are symbols rather than blanks. One alone may be a slip."""
    symbols = {table[word] for word in distinct} - {0}
    if len(zeros) < 2 or len(symbols) < geometry.order - 1:
        return False
    return all(len(set(zeros).intersection(house.cells)) < 2 for house in geometry.houses)


# ---- pencil marks ----------------------------------------------------------------------------------------------------


def board_from_masks(geometry: Geometry, masks: Sequence[int]) -> Board:
    """Return the board of these pencil marks. A cell with one candidate is a clue; full marks are dropped.

    masks: the candidates of each cell. The one candidate is stated by the clue alone, so that the cell is free once
    its clue is taken away.
    """
    full = geometry.every_symbol
    clues = []
    marks = []
    for mask in masks:
        is_clue = mask != 0 and not mask & (mask - 1)
        clues.append(mask.bit_length() if is_clue else 0)
        marks.append(full if is_clue else mask)
    is_marked = any(mark != full for mark in marks)
    return Board(geometry, tuple(clues), marks=tuple(marks) if is_marked else None)


class Marks(NamedTuple):
    """The pencil marks of all cells, each a mask of candidates, and the names of the symbols."""

    masks: list[int]
    symbols: Symbols


def masks_in_places(characters: str, order: int, zero: Zero | None) -> Marks | None:
    """Return the marks of ``order`` characters a cell, each candidate at its own place; ``None`` if one is not."""
    for symbols in _possible_alphabets(order, zero, "0" in characters):
        values = decode_characters(characters, order, symbols)
        if values is None:
            continue
        # each of the characters of a cell is a blank or the symbol of its own place
        if all({0, place + 1}.issuperset(values[place::order]) for place in range(order)):
            masks = []
            for start in range(0, len(values), order):
                masks.append(_mask(values[start : start + order]))
            return Marks(masks, symbols)
    return None


def masks_of_sets(cells: Sequence[str], order: int) -> Marks | None:
    """Return the marks of cells written as their candidates one after the other (``136``), or ``None``."""
    masks = []
    for cell in cells:
        candidates = decode_characters(cell, order)
        if not candidates or 0 in candidates or len(set(candidates)) < len(candidates):
            return None
        masks.append(_mask(candidates))
    return Marks(masks, Symbols.FROM_ONE)


def _mask(candidates: Sequence[int]) -> int:
    """Return the candidates of a cell as a mask; 0 among them stands for none."""
    mask = 0
    for symbol in candidates:
        if symbol:
            mask |= 1 << (symbol - 1)
    return mask
