"""Plain checks at the doors of the package, of arguments that people do get wrong: each is one line where it is needed.

Type checkers find the rest. A message quotes the value and states what would be right.
"""

from __future__ import annotations

import operator
from collections.abc import Collection
from numbers import Real
from typing import Any

from gridproof.errors import InputError
from gridproof.text import describe_value, quote


def expect(value: object, kinds: type | tuple[type, ...], name: str, wanted: str) -> None:
    """Refuse a value that is of none of some classes. Raises ``InputError``.

    Examples
    --------
    >>> expect(5, str, "encoding", "a name or an Encoding")
    Traceback (most recent call last):
        ...
    gridproof.errors.InputError: encoding is 5; expected a name or an Encoding
    """
    if not isinstance(value, kinds):
        raise InputError(f"{name} is {_quoted(value)}; expected {wanted}")


def expect_flag(value: object, name: str) -> None:
    """Refuse what is neither ``True`` nor ``False``, such as ``"no"``. Raises ``InputError``."""
    if type(value).__name__ not in ("bool", "bool_"):  # NumPy has one, too
        raise InputError(f"{name} is {_quoted(value)}; expected True or False")


def expect_word(value: object, words: Collection[str], name: str) -> None:
    """Refuse what is none of some words. Raises ``InputError``."""
    if not isinstance(value, str) or value not in words:
        raise InputError(f"{name} is {_quoted(value)}; expected one of {', '.join(words)}")


def expect_whole(value: Any, name: str, least: int | None = None) -> int:
    """Return a whole number, perhaps of NumPy, as a plain one. Raises ``InputError`` for anything else.

    Examples
    --------
    >>> expect_whole(0, "jobs", least=1)
    Traceback (most recent call last):
        ...
    gridproof.errors.InputError: jobs is 0; expected a whole number of at least 1
    """
    wanted = "a whole number"
    if least is not None:
        wanted += f" of at least {least}"
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool) or (least is not None and number < least):
        raise InputError(f"{name} is {_quoted(value)}; expected {wanted}")
    return number


def expect_number(value: object, name: str) -> None:
    """Refuse what is no number. Raises ``InputError``."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise InputError(f"{name} is {_quoted(value)}; expected a number")


def list_of(values: Any, kinds: type | tuple[type, ...], name: str, wanted: str) -> list[Any]:
    """Return some values in a list; one value alone is a list of one. Raises ``InputError`` for any other class.

    Examples
    --------
    >>> list_of("easy", str, "sets", "texts"), list_of(("easy", "hard"), str, "sets", "texts")
    (['easy'], ['easy', 'hard'])
    """
    if isinstance(values, kinds):
        return [values]
    try:
        items = list(values)
    except TypeError:
        raise InputError(f"{name} is {_quoted(values)}; expected {wanted}") from None
    for item in items:
        expect(item, kinds, name, wanted)
    return items


def texts_of(values: Any, name: str, wanted: str) -> tuple[str, ...]:
    """Return some texts; of one text alone its characters. Raises ``InputError`` for anything else.

    Examples
    --------
    >>> texts_of("AB", "symbols", "texts"), texts_of(["10", "20"], "symbols", "texts")
    (('A', 'B'), ('10', '20'))
    """
    if isinstance(values, str):
        return tuple(values)
    return tuple(list_of(values, str, name, wanted))


def _quoted(value: object) -> str:
    """Return a value as a message quotes it."""
    if isinstance(value, str):
        return quote(value)
    return describe_value(value)[:60]
