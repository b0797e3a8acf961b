"""What the characters of a puzzle stand for, where its cells are known: which are symbols, which are blanks.

Symbols are 1-9 and A-Z, or 0-9 and A-Z, or only letters. Blanks are ``. 0 * _ -`` in any mixture, or one of ``x``,
``?`` and a space where it is the only sign of a blank. Each puzzle's own text decides, since others in its file need
not be written alike. Two ways to read it that have the same blanks are one puzzle, in which symbols have other names:
the first way is taken. They are two puzzles in one case only: ``0`` beside another blank (alone it is one), where the
last symbol (9 on a 9x9, G on a 16x16) does not occur, may be a blank or a symbol. It is a symbol if it occurs more than
once, in no house twice, and all symbols but one occur, as in any puzzle with one solution. Else the puzzle is refused,
unless it is known what its zeros are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gridproof.formats.notation import Line, called, decode_characters, names, symbols_expected, words
from gridproof.formats.puzzle import Symbols
from gridproof.formats.shapes import Zero
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

_ONLY_BLANKS = (frozenset("xX"), frozenset("?"), frozenset(" "))


class Misread(NamedTuple):
    """A cell for which a puzzle cannot be read, and why."""

    cell: int
    problem: str
    expected: str


def settled(cells: Sequence[str], geometry: Geometry, zero: Zero | None) -> tuple[tuple[int, ...], Symbols] | Misread:
    """The clues of what is written in all cells of a board, and what its symbols are called.

    zero: what ``0`` is, if that is known.
    """
    order = geometry.order
    distinct = frozenset(cells)
    zeros = {word for word in distinct if word and not word.strip("0")}
    tables = {symbols: words(order, symbols) for symbols in _possible(order, zero, bool(zeros))}
    signs = {word for word in distinct - zeros if words(order).get(word) == 0}
    if not signs:
        signs = _only_sign(distinct, order)
        for symbols, table in tables.items():
            if symbols is Symbols.FROM_ZERO or not zeros:
                tables[symbols] = table | dict.fromkeys(signs, 0)
    valid = [symbols for symbols, table in tables.items() if distinct <= table.keys()]
    if not valid:
        wrong = {symbols: [k for k, word in enumerate(cells) if word not in table] for symbols, table in tables.items()}
        best = min(wrong, key=lambda symbols: len(wrong[symbols]))
        problem = f"no symbol of a {order}x{order} board"
        return Misread(wrong[best][0], problem, symbols_expected(order, best))
    chosen = valid[0]
    if zeros and signs and zero is None and Symbols.FROM_ZERO in valid:
        chosen = Symbols.FROM_ZERO
        if not _are_symbols([k for k, word in enumerate(cells) if word in zeros], distinct, tables[chosen], geometry):
            sign = " or ".join(map(repr, sorted(filter(None, signs)))) or "an empty cell"
            problem = (
                f"two readings of 0 beside {sign}, as a blank (symbols {called(order)}) "
                f"or as a symbol ({called(order, chosen)})"
            )
            first = next(k for k, word in enumerate(cells) if word in zeros)
            return Misread(first, problem, "the option --zero blank or --zero symbol")
    table = tables[chosen]
    return tuple([table[word] for word in cells]), chosen


def symbols_of(
    lines: Sequence[Line], want: int, geometry: Geometry, zero: Zero | None
) -> tuple[tuple[int, ...], Symbols] | None:
    """The clues of lines of ``want`` cells each, which are a whole board; ``None`` if there are not as many.

    Raises ``PuzzleFormatError``.
    """
    order = geometry.order
    symbols: list[int] = []
    for line in lines:
        found = line.symbols(want, order)
        if found is None:
            break
        symbols += found
    else:
        if zero == "blank" or (zero is None and (order in symbols or not any("0" in line.text for line in lines))):
            return tuple(symbols), Symbols.FROM_ONE
    cells: list[tuple[str, Line, int]] = []
    for line in lines:
        there = line.cells(want, order)
        if there is None:
            return None
        cells += [(word, line, start) for word, start in there]
    _refuse_table_of_words(lines, want)
    read = settled([word for word, _, _ in cells], geometry, zero)
    if not isinstance(read, Misread):
        return read
    word, line, start = cells[read.cell]
    text = line.given[start : start + len(word)]
    if any("\udc80" <= character <= "\udcff" for character in text):
        raise line.error("not UTF-8", "UTF-8 text", start + 1, text)
    raise line.error(read.problem, read.expected, start + 1, text)


def symbols_of_row(line: Line, want: int, order: int) -> Sequence[int] | None:
    """The symbols of an order that ``want`` cells can have, whatever the other rows of their board are.

    ``None`` if there are not as many, or one is no symbol.
    """
    if (found := line.symbols(want, order)) is not None:
        return found
    cells = [word for word, _ in line.cells(want, want) or [("#", 0)]]
    for symbols in (Symbols.FROM_ONE, Symbols.LETTERS):
        table = words(order, symbols) | dict.fromkeys(_only_sign({*cells}, order), 0)
        if all(word in table for word in cells):
            return [table[word] for word in cells]
    return None


def _possible(order: int, zero: Zero | None, zeros: bool) -> list[Symbols]:
    """The ways to call symbols that come into question for a text with zeros or without, the usual one first."""
    wanted = [Symbols.FROM_ONE, Symbols.LETTERS]
    if zero == "symbol":
        wanted = [Symbols.FROM_ZERO, *([] if zeros else [Symbols.LETTERS])]
    elif zero is None and zeros:
        wanted = [*Symbols]
    return [symbols for symbols in wanted if names(order, symbols)]


def _only_sign(distinct: set[str] | frozenset[str], order: int) -> set[str]:
    """The one sign of a blank in a text with clues that has none of the usual, if it is an unusual one, no symbol."""
    taken = {*names(order), *names(order, Symbols.LETTERS)}
    found = [signs & distinct for signs in _ONLY_BLANKS if signs & distinct and not taken & signs]
    return set(found[0]) if len(found) == 1 and distinct - found[0] else set()


def _are_symbols(zeros: list[int], distinct: frozenset[str], table: dict[str, int], geometry: Geometry) -> bool:
    """Whether the zeros in these cells are rather symbols than a second sign for blanks. One alone may be a slip."""
    if len(zeros) < 2 or len({table[word] for word in distinct} - {0}) < geometry.order - 1:
        return False
    return all(len({*zeros}.intersection(house.cells)) < 2 for house in geometry.houses)


def _refuse_table_of_words(lines: Sequence[Line], want: int) -> None:
    """Raises ``PuzzleFormatError`` if lines that are cells only by their spaces are rather words in columns."""
    spaced = [line for line in lines if line.by_place(want)]
    if not spaced:
        return
    places = {place % 2 for line in spaced for place, character in enumerate(line.text) if character != " "}
    counts = {len(line.words) for line in spaced}
    if places == {0, 1} and (len(counts) > 1 if len(lines) > 1 else "  " in lines[0].text):
        return
    line = spaced[0]
    what = f"a row of {len(line.words)} cells" if len(lines) > 1 else f"a line of {len(line.words)} words"
    raise line.error(what, f"{want} cells", len(line.text.rstrip()) + 1)


# ---- pencil marks --------------------------------------------------------------------------------------------------


def board_from_masks(geometry: Geometry, masks: Sequence[int]) -> Board:
    """The board of these pencil marks: a cell with one candidate is a clue, and marks are dropped if none is
    missing.

    The one candidate is said by the clue alone, so that the cell is free once its clue is taken away.
    """
    full = (1 << geometry.order) - 1
    clues = tuple([0 if mask & (mask - 1) else mask.bit_length() for mask in masks])
    marks = tuple([full if clue else mask for clue, mask in zip(clues, masks, strict=True)])
    return Board(geometry, clues, marks=None if {full}.issuperset(marks) else marks)


def mask_of_word(word: str, order: int) -> int:
    """The mask of a cell written as its candidates one after the other (``136``); 0 if it is anything else.

    A symbol behind ``u`` (in a file ``.sdx``) was put there by a solver: it is no clue, and the cell may hold anything.
    """
    if word[0] == "u" and word[1:] in names(order):
        return (1 << order) - 1
    symbols = decode_characters(word, order) or (0,)
    return sum(1 << (symbol - 1) for symbol in symbols) if 0 not in symbols and len(set(symbols)) == len(symbols) else 0


def masks_in_places(characters: str, order: int, zero: Zero | None) -> tuple[list[int], Symbols] | None:
    """The masks of n*n*n characters of pencil marks, n for each cell; ``None`` if one is not at its place."""
    for symbols in _possible(order, zero, "0" in characters):
        found = decode_characters(characters, order, symbols) or ()
        cells = [found[start : start + order] for start in range(0, len(found), order)]
        if cells and all({0, place}.issuperset(there) for place, there in enumerate(zip(*cells, strict=True), 1)):
            return [sum(1 << place for place, symbol in enumerate(cell) if symbol) for cell in cells], symbols
    return None
