"""Records of what other programs call a kind of rule: one for each way in which one of them states it.

A kind lists its records in ``Rule.formats``; the reader and the writer of a format take those of their own class. A
kind without a record for a format is unknown to that program, or is stated there in a way that a function of the
format reads, as a table of pairs in letters is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, kw_only=True)
class ForeignItem:
    """A way in which another program states rules of a kind; each format has a class of its own."""

    is_read: bool = True
    """True if such an item is read as this kind. Otherwise it is only written so, and read as another kind."""

    number_for_none: int | None = None
    """The number that stands for "no number", as a total of 0 does in a cage without one."""


@dataclass(frozen=True, kw_only=True)
class FPuzzlesItem(ForeignItem):
    """The way in which the JSON of f-puzzles states rules of a kind: by one of ``key``, ``flag`` and ``negative``.

    Examples
    --------
    >>> from gridproof.rules import find
    >>> [item] = [item for item in find("xv").formats if isinstance(item, FPuzzlesItem)]
    >>> item.key, dict(item.fields), dict(item.words)
    ('xv', {'cells': 'cells', 'total': 'value'}, {'X': 10, 'V': 5})
    """

    key: str = ""
    """The key under which the rules of the kind are listed, an item each."""

    flag: str = ""
    """The key that is ``true`` where the rule holds on the whole board."""

    negative: str = ""
    """The name in the list ``negative`` where the rule holds on the whole board."""

    fields: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    """The field of an item for each parameter of the kind.

    Several fields are a line each. ``sight`` stands for the place from which a clue outside sees its cells. A parameter
    without a field has its default.
    """

    is_drawn: bool = True
    """True if SudokuPad, and f-puzzles without additions, draws such an item; if not, marks are written beside it."""

    slanted: bool = False
    """True if a clue outside sees its cells along a diagonal, in the direction that the item states."""

    drop_first: bool = False
    """True if lines begin in a cell of the circle, which is no part of the line here."""

    pairs: bool = False
    """True if an item has two cells, which are compared, as a dot has."""

    gather: bool = False
    """True if all items of a board are one rule, with a cell each."""

    words: Mapping[str, int] = field(default_factory=dict)
    """Words that stand for numbers: ``X`` for 10."""


@dataclass(frozen=True, kw_only=True)
class IssItem(ForeignItem):
    """A way in which a string of the Interactive Sudoku Solver states rules of a kind.

    The cells of an item are stated by one of ``cells``, ``pairs`` and ``clue``; a rule of the whole board has none.

    Examples
    --------
    >>> from gridproof.rules import find
    >>> for item in find("killer").formats:
    ...     if isinstance(item, IssItem):
    ...         print(item.type, item.arguments, item.cells, item.is_read)
    Cage ('total',) cells True
    Sum ('total',) cells True
    AllDifferent () cells False
    """

    type: str
    """The type of the item, its first word."""

    arguments: tuple[str | int, ...] = ()
    """Parameters, by name, and constants that stand before the cells."""

    omitted: int | None = None
    """The first argument where a cell stands in its place."""

    only: Mapping[str, Any] = field(default_factory=dict)
    """Parameters that have these values instead of their defaults."""

    cells: str = ""
    """The parameter that the cells are. If it is ``lines``, each line is an item."""

    once: bool = False
    """True if a cell that is named twice is meant once."""

    pairs: bool = False
    """True if there is an item for each two cells that the rule compares."""

    turned: bool = False
    """True if the second cell of a pair stands first."""

    apart: bool = False
    """True if a pair may be of cells that do not touch."""

    clue: str = ""
    """The parameter that a clue outside the grid is."""

    ends: bool = False
    """True if such a clue stands at either end of a line."""

    least: int | None = None
    """The least clue, or number among the arguments, that the program takes."""

    shortest: int = 1
    """Cells of a line at least; a shorter one means something else there, or the program refuses it."""

    order: int | None = None
    """The only order of boards on which the item means this kind."""

    regions: Literal["any", "usual"] | None = None
    """The regions that the board needs so that the item means this kind: any, or the usual boxes."""

    beside: tuple[str, ...] = ()
    """The kinds of rules that the board needs so that the item means this kind."""

    unless: tuple[str, ...] = ()
    """The kinds of rules beside which the item means something else."""
