"""Values that the file of a paper may have for an option, so that a wrong one is named before anything is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gridproof.toml_tables import TomlTable


@dataclass(frozen=True)
class Option:
    """The values that an option may have.

    Parameters
    ----------
    expected : str
        The words for them in an error.
    fits : function
        Returns whether a value is one of them.
    required : bool
        Whether the option has to be there.
    """

    expected: str
    fits: Callable[[Any], bool]
    required: bool = True


def check_options(table: TomlTable, options: Mapping[str, Option]) -> None:
    """Raise ``InputError`` with file and key for an option that is missing or has a value that it must not have.

    Examples
    --------
    >>> check_options(TomlTable("mine.toml", {"orders": [4, 0]}), {"orders": ORDERS})
    Traceback (most recent call last):
        ...
    gridproof.errors.InputError: mine.toml: orders = [4, 0]; expected a list of whole numbers above zero
    """
    for name, option in options.items():
        if name not in table:
            if option.required:
                raise table.refusal(name, option.expected)
        elif not option.fits(table.values[name]):
            raise table.refusal(name, option.expected)


def is_text(value: Any) -> bool:
    """Return whether a value is a text that is not empty."""
    return isinstance(value, str) and bool(value)


def is_number(value: Any) -> bool:
    """Return whether a value is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_above_zero(value: Any) -> bool:
    """Return whether a value is a whole number above zero."""
    return is_number(value) and isinstance(value, int) and value > 0


def is_list_of(value: Any, fits: Callable[[Any], bool]) -> bool:
    """Return whether a value is a list of such values, with at least one of them."""
    return isinstance(value, list) and bool(value) and all(fits(one) for one in value)


def is_percent(value: Any) -> bool:
    """Return whether a value is a percentage."""
    return is_number(value) and 0 <= value <= 100


def is_amount_of_holes(value: Any) -> bool:
    """Return whether a value is a percentage of holes, or a number of them that grows with the order."""
    from gridproof.experiments.instances import SCALED

    if isinstance(value, str):
        return SCALED.fullmatch(value) is not None
    return is_percent(value)


def is_row_list(value: Any) -> bool:
    """Return whether a value is a list of rows, some of which may form a list of their own."""
    return is_list_of(value, lambda row: is_text(row) or is_list_of(row, is_text))


def is_pair_of(value: Any, fits: Callable[[Any], bool]) -> bool:
    """Return whether a value is a list of two such values."""
    return is_list_of(value, fits) and len(value) == 2


def is_set(value: Any) -> bool:
    """Return whether a value states a set: its name, or how to make it."""
    if not isinstance(value, Mapping):
        return is_text(value)
    made = dict(value)
    seed = made.pop("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool):
        return False
    if made.keys() == {"data", "images"}:
        return is_text(made["data"]) and is_above_zero(made["images"])
    if made.keys() == {"order", "holes", "make"} and not (is_above_zero(made["order"]) and is_share(made["holes"])):
        return False
    return made.keys() in ({"make"}, {"order", "holes", "make"}) and is_above_zero(made["make"])


def is_share(value: Any) -> bool:
    """Return whether a value is a share, from 0 to 1."""
    return is_number(value) and 0 <= value <= 1


def is_table_of_sets(value: Any) -> bool:
    """Return whether a value is a table of sets."""
    return isinstance(value, Mapping) and bool(value) and all(is_set(one) for one in value.values())


TEXT = Option("a text", is_text)
NAMES = Option("a list of names", lambda value: is_list_of(value, is_text))
MAYBE_NAMES = Option("a list of names", lambda value: value == [] or is_list_of(value, is_text), required=False)
FLAG = Option("true or false", lambda value: isinstance(value, bool), required=False)
ORDERS = Option("a list of whole numbers above zero", lambda value: is_list_of(value, is_above_zero))
PERCENTAGES = Option("a list of percentages", lambda value: is_list_of(value, is_percent))
HOLES = Option(
    "a list of percentages, or texts such as '1.7n^1.55'", lambda value: is_list_of(value, is_amount_of_holes)
)
WHOLE_NUMBER = Option("a whole number above zero", is_above_zero)
NUMBER = Option("a number", is_number)
ABOVE_ZERO = Option("a number above zero", lambda value: is_number(value) and value > 0)
FACTOR = replace(ABOVE_ZERO, required=False)
SETS = Option(
    "a table of sets: a name, {make = 200, seed = 1}, {order = 25, holes = 0.4, make = 20} or "
    "{data = 'seventeen', images = 20}",
    is_table_of_sets,
)
ROWS = Option("a list of rows", is_row_list)
TWO_ROWS = Option("two rows", lambda value: is_pair_of(value, is_text))
TWO_NUMBERS = Option("two numbers", lambda value: is_pair_of(value, is_number))


def one_of(*words: str) -> Option:
    """Return an option that is one of these words."""
    return Option(f"one of {', '.join(words)}", lambda value: value in words)
