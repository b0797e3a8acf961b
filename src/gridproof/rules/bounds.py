"""Bounds: why a primitive cannot be fulfilled within the candidates of its cells, where that is easy to see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from gridproof.puzzle.digits import Digits
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
)
from gridproof.text import counted

NO_SYMBOL = "it leaves no symbol for a cell"


def explain_impossible(primitive: Primitive, masks: Sequence[int], digits: Digits) -> str | None:
    """Explain why a primitive cannot be fulfilled within the candidate masks of all cells, or return ``None``."""
    match primitive:
        case Domain(cell=cell, values=values):
            return None if masks[cell] & mask_of(values) else NO_SYMBOL
        case Relation():
            return NO_SYMBOL if leaves_a_cell_nothing(primitive, masks) else None
        case Different(cells=cells):
            return explain_too_few_symbols(cells, masks)
        case Count(cells=cells, symbol=symbol, low=low):
            able = [cell for cell in cells if masks[cell] & mask_of([symbol])]
            return (
                f"{counted(len(cells), 'cell')} cannot hold a symbol {counted(low, 'time')}"
                if len(able) < low
                else None
            )
        case Automaton():
            return None if reaches_an_end(primitive, masks) else "no symbols along its cells fulfil it"
        case AnyOf(options=options):
            for option in options:
                if not any(explain_impossible(inner, masks, digits) for inner in option):
                    return None
            return "no symbols in its cells fulfil it"
        case Sum():
            return explain_out_of_reach(primitive, masks, digits)
        case OwnPrimitive():
            return primitive.explain_impossible(masks, digits)


def mask_of(symbols: Iterable[int]) -> int:
    """Return symbols as a mask; those below 1 are in no mask."""
    mask = 0
    for symbol in symbols:
        if symbol > 0:
            mask |= 1 << (symbol - 1)
    return mask


def explain_too_few_symbols(cells: Sequence[int], masks: Sequence[int]) -> str | None:
    """Explain why cells cannot all differ, or return ``None``."""
    if len(set(cells)) < len(cells):
        return "it names a cell twice, which cannot differ from itself"
    candidates = 0
    for cell in cells:
        candidates |= masks[cell]
    symbols = candidates.bit_count()
    if len(cells) > symbols:
        return f"{counted(len(cells), 'cell')} cannot all differ with {counted(symbols, 'symbol')}"
    return None


def leaves_a_cell_nothing(relation: Relation, masks: Sequence[int]) -> bool:
    """Return whether the pairs, in their order, leave a cell without symbols, as where a thermometer is too long."""
    fitting_of: dict[int, int] = {}

    def fitting(mask: int) -> int:
        """Return the symbols that fit some symbol of a mask."""
        if mask not in fitting_of:
            symbols = 0
            for number, row in enumerate(relation.allowed):
                if mask >> number & 1:
                    symbols |= row
            fitting_of[mask] = symbols
        return fitting_of[mask]

    left = {cell: masks[cell] for pair in relation.pairs for cell in pair}
    for first, second in relation.pairs:
        left[second] &= fitting(left[first])
    return 0 in left.values()


def reaches_an_end(machine: Automaton, masks: Sequence[int]) -> bool:
    """Return whether some candidates lead the machine to an end."""
    states = {0}
    for cell, layer in zip(machine.cells, machine.layers, strict=True):
        reached: set[int] = set()
        for state in states:
            if not layer:
                continue
            for number, state_after in enumerate(layer[state]):
                if masks[cell] >> number & 1:
                    reached.add(state_after)
        states = reached - {-1}
    return bool(states)


def explain_out_of_reach(primitive: Sum, masks: Sequence[int], digits: Digits) -> str | None:
    """Explain that a sum is out of reach, or return ``None``."""
    weighted = [(weight, masks[cell]) for weight, cell in zip(primitive.coefficients, primitive.cells, strict=True)]
    turned = [(-weight, mask) for weight, mask in weighted]
    low = least_sum(weighted, primitive.distinct)
    high = -least_sum(turned, primitive.distinct)
    if low <= primitive.total <= high:
        return None
    more = (digits.first - 1) * sum(primitive.coefficients)  # as sums of digits
    return f"{counted(len(primitive.cells), 'cell')} reach sums from {low + more} to {high + more} only"


def least_sum(weighted: Sequence[tuple[int, int]], distinct: bool) -> int:
    """Return the least weighted sum of candidates; with ``distinct``, of different symbols for equal weights."""
    least = 0
    order = 0
    for weight, mask in weighted:
        lowest_bit = mask & -mask
        least += weight * (lowest_bit if weight > 0 else mask).bit_length()
        order = max(order, mask.bit_length())
    if not distinct:
        return least
    least_of_different = 0
    for weight, number in Counter(weight for weight, _ in weighted).items():
        symbols = range(1, number + 1) if weight > 0 else range(order, order - number, -1)
        least_of_different += weight * sum(symbols)
    return max(least, least_of_different)
