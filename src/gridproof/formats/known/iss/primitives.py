"""Rules that have no type of their own in the Interactive Sudoku Solver, by the primitives that they expand into.

A relation becomes a table of pairs, and whatever reads its cells in order becomes a machine, as ``coded.py`` reads
them. The solver states both in letters for six bits each, the table from the lowest bit on and the machine from the
highest.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from gridproof.formats.known.iss.names import SIX_BITS, name_of_cell
from gridproof.formats.programs import Inexpressible
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.primitives import (
    AnyOf,
    Automaton,
    Count,
    Different,
    Domain,
    OwnPrimitive,
    Primitive,
    Relation,
    Sum,
    TooLarge,
)

MOST_STATES = 4096
"""States of a machine at most; the program makes no larger ones itself."""

MOST_SYMBOLS = 16
"""Symbols of a machine at most."""

_STATE_SIZE = 4
"""Bits for the size of a state, and for the number of symbols; each states one less than it means."""


def write_primitive(part: Primitive, geometry: Geometry) -> Iterator[str]:
    """Yield the items of a primitive; none for one that holds anyway.

    Raises
    ------
    Inexpressible
        If no grid fulfils the primitive, or its machine is too large.

    Examples
    --------
    >>> board = Geometry.latin(2)
    >>> list(write_primitive(Relation(((0, 1), (1, 3), (2, 3)), (2, 1)), board))
    ['.Pair~G~~R1C1~R1C2~R2C2~~R2C1~R2C2']
    """
    match part:
        case Domain():
            yield write_given(part.cell, part.values, geometry)
        case Different():
            if len(set(part.cells)) < len(part.cells):
                raise Inexpressible
            if len(part.cells) > 1:
                yield write_item("AllDifferent", (), part.cells, geometry.columns)
        case Relation():
            yield from write_relation(part, geometry)
        case AnyOf():
            yield write_options(part, geometry)
        case OwnPrimitive():
            raise Inexpressible
        case _:
            machine = machine_of(part, geometry)
            if machine.cells:
                yield write_machine(machine, geometry)
            elif not part.allows(()):
                raise Inexpressible


def write_item(name: str, arguments: Iterable[str], cells: Iterable[int], columns: int) -> str:
    """Return an item: its type, its arguments and its cells."""
    words = [f".{name}"]
    words += arguments
    for cell in cells:
        words.append(name_of_cell(cell, columns))
    return "~".join(words)


def write_given(cell: int, symbols: Sequence[int], geometry: Geometry) -> str:
    """Return the item of a cell that holds one of some symbols. Raises ``Inexpressible`` if it can hold none."""
    words = [f".~{name_of_cell(cell, geometry.columns)}"]
    for symbol in geometry.symbols:
        if symbol in symbols:
            words.append(str(geometry.digits.digit(symbol)))
    if len(words) == 1:
        raise Inexpressible
    return "_".join(words)


def write_options(part: AnyOf, geometry: Geometry) -> str:
    """Return the group of a choice. Raises ``Inexpressible`` for one without options."""
    texts = []
    for option in part.options:
        items: list[str] = []
        for inner in option:
            items += write_primitive(inner, geometry)
        if len(items) == 1:
            texts += items
        else:
            texts.append(f".And{''.join(items)}.End")
    if not texts:
        raise Inexpressible
    return f".Or{''.join(texts)}.End"


# ---- tables of pairs -------------------------------------------------------------------------------------------------


def write_relation(part: Relation, geometry: Geometry) -> Iterator[str]:
    """Yield the item of a relation, and what it leaves in each cell that it compares with itself."""
    with_itself = [symbol for symbol, row in enumerate(part.allowed, 1) if row >> (symbol - 1) & 1]
    pairs = []
    for first, second in part.pairs:
        if first == second:
            yield write_given(first, with_itself, geometry)
        else:
            pairs.append((first, second))
    if pairs:
        yield write_table(replace(part, pairs=tuple(pairs)), geometry)


def write_table(part: Relation, geometry: Geometry) -> str:
    """Return the item of a table of pairs; pairs that follow each other are a line."""
    n = geometry.symbol_count
    bits = 0
    for place, (a, b) in enumerate(product(range(n), repeat=2)):
        if part.allowed[a] >> b & 1:
            bits |= 1 << place
    words = [".Pair", _letters_of(bits, n * n)]
    for line in join_pairs(part.pairs):
        words.append("")
        for cell in line:
            words.append(name_of_cell(cell, geometry.columns))
    return "~".join(words)


def join_pairs(pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return lines whose neighbours are the pairs: each pair that begins where the one before ends goes on with it.

    Examples
    --------
    >>> join_pairs([(0, 1), (1, 2), (5, 6)])
    [[0, 1, 2], [5, 6]]
    """
    lines: list[list[int]] = []
    for first, second in pairs:
        if lines and lines[-1][-1] == first:
            lines[-1].append(second)
        else:
            lines.append([first, second])
    return lines


def _letters_of(bits: int, size: int) -> str:
    """Return bits as letters, the lowest six first; the last letters that stand for none are left out."""
    letters = [SIX_BITS[bits >> place & 63] for place in range(0, size, 6)]
    return "".join(letters).rstrip(SIX_BITS[0]) or SIX_BITS[0]


# ---- machines --------------------------------------------------------------------------------------------------------


def machine_of(part: Sum | Count | Automaton, geometry: Geometry) -> Automaton:
    """Return the machine of a primitive about some cells. Raises ``Inexpressible`` for one that is too large."""
    try:
        match part:
            case Sum():
                return _machine_of_sum(part, geometry)
            case Count():
                return _machine_of_count(part, geometry)
            case _:
                return part
    except TooLarge:
        raise Inexpressible from None


def _machine_of_sum(part: Sum, geometry: Geometry) -> Automaton:
    weights: dict[int, int] = {}
    for cell, weight in zip(part.cells, part.coefficients, strict=True):
        weights[cell] = weights.get(cell, 0) + weight
    cells = tuple(sorted(weights))
    steps = [weights[cell] for cell in cells]

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int]:
        place, total = state
        return place + 1, total + steps[place] * symbol

    return Automaton.of(cells, Digits(1, geometry.symbol_count), (0, 0), step, lambda state: state[1] == part.total)


def _machine_of_count(part: Count, geometry: Geometry) -> Automaton:
    times = Counter(part.cells)
    cells = tuple(sorted(times))

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int]:
        place, number = state
        if symbol == part.symbol:
            number += times[cells[place]]
        return place + 1, number

    def accepts(state: tuple[int, int]) -> bool:
        return part.low <= state[1] <= part.high

    return Automaton.of(cells, Digits(1, geometry.symbol_count), (0, 0), step, accepts)


def write_machine(machine: Automaton, geometry: Geometry) -> str:
    """Return the item of a machine: one start, one end, and of each other state the symbols that lead on, as a mask.

    The states are numbered anew: the start is 0 and the end is 1. Raises ``Inexpressible`` for too many of them.
    """
    number_of = {(0, 0): 0, (len(machine.cells), 0): 1}
    for place, layer in enumerate(machine.layers):
        for state in range(len(layer)):
            number_of.setdefault((place, state), len(number_of))
    if len(number_of) > MOST_STATES or geometry.symbol_count > MOST_SYMBOLS:
        raise Inexpressible
    size = max(1, (len(number_of) - 1).bit_length())
    symbols = geometry.symbol_count
    masked = "01"
    bits = [masked, f"{size - 1:0{_STATE_SIZE}b}", f"{symbols - 1:0{_STATE_SIZE}b}", f"{1:0{size}b}", f"{1:0{size}b}"]
    start_is_no_end = "0"
    bits.append(start_is_no_end)
    for (place, state), _ in sorted(number_of.items(), key=lambda entry: entry[1]):
        symbol_mask = 0
        states_after = []
        if place < len(machine.cells):
            for symbol, after in enumerate(machine.layers[place][state]):
                if after >= 0:
                    symbol_mask |= 1 << symbol
                    states_after.append(f"{number_of[place + 1, after]:0{size}b}")
        bits.append(f"{symbol_mask:0{symbols}b}")
        bits += states_after
    words = [".NFA", _code_of("".join(bits)), ""]
    for cell in machine.cells:
        words.append(name_of_cell(cell, geometry.columns))
    return "~".join(words)


def _code_of(bits: str) -> str:
    """Return bits, filled up to whole bytes, as letters."""
    bits += "0" * (-len(bits) % 8)
    code = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return urlsafe_b64encode(code).decode().rstrip("=")
