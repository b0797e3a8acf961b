"""Times in a unit that fits them, with three digits."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, inf, isinf, log10, sqrt
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit of time."""

    below: float
    """The seconds up to which it is used."""

    seconds: float
    """Its length."""

    name: str
    """Its name."""


UNITS = (Unit(1e-3, 1e-6, "us"), Unit(1.0, 1e-3, "ms"), Unit(inf, 1.0, "s"))
"""The units of time, the smallest first."""


def unit_of(values: Sequence[float]) -> Unit:
    """Return the unit for a column of seconds: that of the middle between smallest and largest."""
    above = [value for value in values if value > 0] or [1.0]
    middle = sqrt(min(above) * max(above))
    for unit in UNITS:
        if middle < unit.below:
            return unit
    return UNITS[-1]


def write_number(seconds: float | None, unit: Unit, limit: float) -> str:
    """Return a time in a unit, with three digits."""
    if seconds is None:
        return "-"
    if isinf(seconds):
        return f">{limit / unit.seconds:,g}"
    value = seconds / unit.seconds
    if value <= 0:
        return "0"
    digits = max(0, 2 - floor(log10(value)))
    return f"{value:,.{digits}f}"


def write_duration(seconds: float) -> str:
    """Return a time with three digits and a unit."""
    unit = unit_of([seconds])
    return f"{write_number(seconds, unit, inf)} {unit.name}"
