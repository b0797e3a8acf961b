"""The primitives of cells whose digits are consecutive, in any order."""

from __future__ import annotations

from collections.abc import Iterator

from gridproof.puzzle.digits import Digit, Digits
from gridproof.rules.primitives import AnyOf, Cells, Count, Different, Domain, Option, Primitive, Relation


def state_consecutive(cells: Cells, digits: Digits) -> Iterator[Primitive]:
    """Yield that the digits of different cells are consecutive, and none stands twice."""
    size = len(cells)
    if size == 2:
        yield Relation.of(((cells[0], cells[1]),), digits, are_neighbours)
        return
    yield Different(cells)
    if size > 1:
        yield from state_next_digits(cells, digits)
    options = []
    for low in range(digits.first, digits.last - size + 2):
        window = range(low, low + size)
        option: list[Primitive] = [Domain.of(cell, window, digits) for cell in cells]
        # that each digit of a window stands somewhere follows from the rest; stating it halves the search
        option += [Count.of(cells, digit, 1, size, digits) for digit in window]
        options.append(tuple(option))
    yield AnyOf(tuple(options))


def state_next_digits(cells: Cells, digits: Digits) -> Iterator[Primitive]:
    """Yield that beside a digit in one of the cells the next lower or higher one is in another.

    It follows from the rest, too, and takes up to a third off the search.
    """
    for cell in cells:
        other_cells = [other for other in cells if other != cell]
        for digit in digits:
            other_digits = [other for other in digits if other != digit]
            options: list[Option] = [(Domain.of(cell, other_digits, digits),)]
            for other in other_cells:
                options.append((Domain.of(other, (digit - 1, digit + 1), digits),))
            yield AnyOf(tuple(options))


def are_neighbours(a: Digit, b: Digit) -> bool:
    """Return whether two digits differ by 1."""
    return abs(a - b) == 1
