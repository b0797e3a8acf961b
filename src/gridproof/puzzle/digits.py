"""The digits of a board, and the symbols that stand for them inside.

People write *digits* and add them up: 1 to 9, 0 to 8, 0 to 9. Inside, a cell holds a *symbol*: the place of its digit
among the digits of the board, from 1 on, with 0 for an empty cell. Clues, masks, variables and grids are made of
symbols, so that they are the same whatever the digits are. Only what rules mean, and what people read, is about digits.
Both are ``int``; the two types below let mypy find where one is taken for the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NewType, cast

from gridproof.errors import GeometryError
from gridproof.puzzle.houses import whole

Digit = NewType("Digit", int)
"""A number that people write into a cell."""

Symbol = NewType("Symbol", int)
"""The place of a digit among the digits of its board: 1 for the first one."""

LARGEST_ORDER_IN_CHARACTERS = 35
"""Largest digit that is one character: after 0-9 come A-Z. With larger ones, all digits are decimal numbers."""

_CHARACTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_RANGE = re.compile(r"(\d{1,4})\s*(?:-|\.\.)\s*(\d{1,4})", re.ASCII)


LARGEST_DIGIT = 10**9
"""The largest digit of a board; far beyond what fits into a machine."""


@dataclass(frozen=True, slots=True)
class Digits:
    """The digits of a board: all whole numbers from the first to the last.

    Parameters
    ----------
    first : int
        The smallest digit, 0 or more.
    last : int
        The largest digit.

    Raises
    ------
    GeometryError
        For a first digit below 0, a last one below the first, and numbers that are not whole.

    Examples
    --------
    >>> digits = Digits(0, 8)
    >>> len(digits), digits.symbol(0), digits.digit(9)
    (9, 1, 8)
    >>> digits.of((1, 2, 9))
    (0, 1, 8)
    """

    first: int
    last: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "first", whole(self.first, "first digit"))
        object.__setattr__(self, "last", whole(self.last, "last digit"))
        if self.first < 0:
            raise GeometryError(f"first digit {self.first}; expected 0 or more")
        if self.last < self.first:
            raise GeometryError(f"digits {self.first} to {self.last}; expected a last digit of at least {self.first}")
        if self.last > LARGEST_DIGIT:
            raise GeometryError(f"digits {self.first} to {self.last}; expected at most {LARGEST_DIGIT}")

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __iter__(self) -> Iterator[Digit]:
        return cast("Iterator[Digit]", iter(range(self.first, self.last + 1)))

    def __contains__(self, digit: object) -> bool:
        return isinstance(digit, int) and self.first <= digit <= self.last

    def __str__(self) -> str:
        return f"{self.first}-{self.last}"

    def symbol(self, digit: int) -> Symbol:
        """Return the symbol of a digit; for a digit that the board lacks a number that is no symbol."""
        return Symbol(digit - self.first + 1)

    def digit(self, symbol: int) -> Digit:
        """Return the digit of a symbol."""
        return Digit(symbol + self.first - 1)

    def of(self, symbols: Iterable[int]) -> tuple[Digit, ...]:
        """Return the digits of symbols, such as those of a grid. What is no symbol becomes what is no digit."""
        if self.first == 1:
            return cast("tuple[Digit, ...]", tuple(symbols))
        shift = self.first - 1
        return tuple([Digit(symbol + shift) for symbol in symbols])

    @property
    def are_characters(self) -> bool:
        """True if each digit is written as one character."""
        return self.last <= LARGEST_ORDER_IN_CHARACTERS

    def texts(self) -> tuple[str, ...]:
        """Return how each digit is written, from the first on.

        Examples
        --------
        >>> Digits(8, 11).texts(), Digits(34, 36).texts()
        (('8', '9', 'A', 'B'), ('34', '35', '36'))
        """
        if self.are_characters:
            return tuple(_CHARACTERS[self.first : self.last + 1])
        return tuple([str(digit) for digit in self])


def read_digits(text: str) -> Digits:
    """Return the digits that a text states, such as ``0-8``.

    Raises ``GeometryError`` for any other text.

    Examples
    --------
    >>> read_digits("0-8")
    Digits(first=0, last=8)
    """
    match = _RANGE.fullmatch(text.strip())
    if match is None:
        raise GeometryError(f"digits {text!r:.60}; expected the first and the last digit, such as 0-8 or 1-12")
    return Digits(int(match[1]), int(match[2]))


def digit_number(character: str) -> int | None:
    """Return the digit that a character stands for (0-9, then A-Z), or ``None``.

    Examples
    --------
    >>> digit_number("7"), digit_number("b"), digit_number(".")
    (7, 11, None)
    """
    if len(character) != 1 or not character.isascii():
        return None
    place = _CHARACTERS.find(character.upper())
    return place if place >= 0 else None


def symbol_number(character: str) -> int | None:
    """Return the symbol that a character stands for (1-9, then A-Z) on usual boards, or ``None``."""
    return digit_number(character) or None
