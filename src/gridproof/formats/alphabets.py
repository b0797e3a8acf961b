"""Alphabets: the names that puzzles have for their symbols, which a board calls 1 to n."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS

CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The characters of symbols up to order 35."""


class Symbols(StrEnum):
    """The names that a puzzle has for its symbols. A board has the symbols 1 to n, whatever its puzzle calls them.

    Attributes
    ----------
    FROM_ONE, FROM_ZERO, LETTERS : Symbols
        1-9 and A-Z, 0-9 and A-Z, or only A-Z. Above order 35 the first two are numbers.

    Examples
    --------
    >>> from gridproof import formats
    >>> puzzle = formats.read_puzzle("A..............C")
    >>> puzzle.symbols, puzzle.board.clues[0], puzzle.board.clues[15]
    (<Symbols.LETTERS: 'letters'>, 1, 3)
    """

    FROM_ONE = "from 1"
    FROM_ZERO = "from 0"
    LETTERS = "letters"


@lru_cache(maxsize=64)
def symbol_names(order: int, symbols: Symbols = Symbols.FROM_ONE) -> tuple[str, ...]:
    """Return the name of each symbol: characters up to order 35, else numbers; nothing if there are too few letters."""
    if symbols is Symbols.LETTERS:
        if order <= 26:
            return tuple(CHARACTERS[10 : order + 10])
        return ()
    first = 0
    if symbols is Symbols.FROM_ONE:
        first = 1
    if order > LARGEST_ORDER_IN_CHARACTERS:
        return tuple([str(number) for number in range(first, first + order)])
    return tuple(CHARACTERS[first : first + order])
