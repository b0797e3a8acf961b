"""The measures that papers name: each module of this folder has a ``MEASURE``, so a new file needs no registration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from gridproof.discovery import module_names
from gridproof.papers.figures import Figures
from gridproof.papers.options import Option
from gridproof.runs.progress import ignore


@dataclass(frozen=True)
class Request:
    """The wishes of a user about a run.

    Parameters
    ----------
    sample : int, optional
        At most so many puzzles of each set, orders or instances: for a quick look.
    sets : mapping
        Files of puzzles by the name that the paper has for a set, in place of its own.
    note : function
        Is called with a sentence on what is being measured.
    """

    sample: int | None = None
    sets: Mapping[str, str] = field(default_factory=dict)
    note: Callable[[str], object] = ignore


@dataclass(frozen=True)
class Measure:
    """A way to get figures.

    Parameters
    ----------
    name : str
        The word that the file of a paper has for it.
    options : mapping
        Its options, with the values that each may have; the module's docstring explains them.
    unit : str
        The unit of the figures.
    run : function
        Takes the options and the wishes of the user, and returns our figures.
    """

    name: str
    options: Mapping[str, Option]
    unit: str
    run: Callable[[Mapping[str, Any], Request], Figures]


def measure_names() -> list[str]:
    """Return the names of all measures in alphabetical order.

    Examples
    --------
    >>> "sizes" in measure_names()
    True
    """
    return module_names(__name__)


def find(name: str) -> Measure:
    """Return the measure of a name, which is that of its module."""
    measure: Measure = import_module(f"{__name__}.{name}").MEASURE
    return measure
