"""Options for numbers and for lists, and what their values may be."""

from __future__ import annotations

import argparse
from contextlib import suppress


def add_number(
    group: argparse._ActionsContainer, name: str, told: str, default: float | None = None, *, seconds: bool = False
) -> None:
    """An option for a whole number of at least 1, or for ``seconds``. told: its help, without the default."""
    stated = f" (default: {default:g})" if default else ""
    kind, metavar = (above_zero, "S") if seconds else (positive, "N")
    group.add_argument(name, type=kind, default=default, metavar=metavar, help=told + stated)


def add_repeatable(group: argparse._ActionsContainer, name: str, values: str | tuple[str, ...], told: str) -> None:
    """An option that may be given several times, with a value or several. told: its help."""
    number = len(values) if isinstance(values, tuple) else None
    told = f"{told}; repeatable"
    group.add_argument(name, action="append", default=[], nargs=number, metavar=values, help=told)


def positive(text: str) -> int:
    """An option's whole number of at least 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a whole number of at least 1")
    return int(text)


def above_zero(text: str) -> float:
    """An option's number of seconds."""
    with suppress(ValueError):
        if (value := float(text)) > 0:
            return value
    raise argparse.ArgumentTypeError(f"{text!r}; expected a number above zero")
