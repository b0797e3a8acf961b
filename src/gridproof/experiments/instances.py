"""Random boards for experiments, each from its own seed: full grids from which cells are taken, begun Latin squares."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeAlias

from gridproof.errors import InputError
from gridproof.expect import expect, expect_flag, expect_number, expect_whole, expect_word
from gridproof.generation.grids import random_grid
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple

Kind: TypeAlias = Literal["qwh", "qcp", "sudoku"]

KINDS: dict[Kind, str] = {
    "qwh": "quasigroup with holes: a random Latin square with cells taken away, so it has a solution",
    "qcp": "quasigroup completion: a Latin square begun at random, which may have no solution",
    "sudoku": "a full grid with boxes with cells taken away, so it has a solution",
}

TYPES = {
    "puzzle": "string",
    "solution": "string",
    "kind": "string",
    "order": "int64",
    "holes": "string",
    "empty": "int64",
    "balanced": "string",
    "seed": "int64",
    "status": "string",
}
"""Columns of the table of ``gridproof instances``, and their types. holes: the share as it was asked for. empty: the
number of empty cells."""

COLUMNS = tuple(TYPES)
"""The names of these columns."""

SCALED = re.compile(r"(\d+\.?\d*|\.\d+)?\s*n(?:\^(\d+\.?\d*|\.\d+))?")
"""A number of holes that grows with the order: a factor, n, and a power."""

_MOST_TRIES = 100
"""Number of attempts to begin a Latin square, each of which ends when it can take no more symbols."""


@dataclass(frozen=True, slots=True, repr=False)
class Instance:
    """A board with the parameters that it was made from; the same parameters give the same board.

    Attributes
    ----------
    kind : str
        One of ``KINDS``.
    board : Board
        The board with its holes.
    holes : int
        How many cells are empty.
    balanced : bool
        Whether each house has as many holes as any other, or one more.
    seed : int
        The seed of all random choices.
    solution : tuple of int, or None
        The grid from which cells were taken; none is known for ``qcp``.

    Examples
    --------
    >>> instance("sudoku", Geometry.classic(3), 0.5, seed=7)
    <Instance: sudoku, 9x9, 3x3 boxes, 40 holes, seed 7>
    """

    kind: Kind
    board: Board
    holes: int
    balanced: bool
    seed: int
    solution: SymbolTuple | None

    def __repr__(self) -> str:
        made = f"{self.holes} holes{', balanced' if self.balanced else ''}, seed {self.seed}"
        return f"<Instance: {self.kind}, {self.board.geometry.description}, {made}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.cards import board_card

        rows = [("holes", self.holes), ("balanced", "yes" if self.balanced else None), ("seed", self.seed)]
        return board_card(f"{self.kind}: {KINDS[self.kind]}.", rows, self.board)


def instance(kind: Kind, geometry: Geometry, holes: float | str, seed: int = 0, *, balanced: bool = False) -> Instance:
    """Make a random board with holes.

    Latin squares are hardest where half of the ``qcp`` have a solution. As a share of the cells that place falls with
    the order: at small orders some 42 % of the cells are *given* there, 58 % are holes (Gomes and Selman 1997), and the
    number of holes of the hardest ``qwh`` grows as the order to the power of 1.55 only (Kautz and others 2001): some
    1.7n^1.55, which is 50 % of order 15, 44 % of order 20 and 37 % of order 30. Of the ``qcp`` made here half have a
    solution at 54 % holes (order 15), 50 % (20) and 44 % (30). Balanced holes make ``qwh`` harder.

    Parameters
    ----------
    kind : {"qwh", "qcp", "sudoku"}
        See ``KINDS``.
    geometry : Geometry
        A Latin square for ``qwh`` and ``qcp``, with boxes for ``sudoku``.
    holes : float or str
        The share of empty cells, 0 to 1, rounded to whole cells; or a text such as ``"1.7n^1.55"``, a number of holes
        that grows with the order n.
    seed : int
        The seed of all random choices.
    balanced : bool
        As many holes in each house as in any other, or one more; not for ``qcp``.

    Returns
    -------
    Instance
        The board, and what it was made from.

    Raises
    ------
    InputError
        For what does not fit together, or a Latin square that cannot be begun with so few holes.

    References
    ----------
    Gomes and Selman 1997, Problem structure in the presence of perturbations (``qcp``). Achlioptas, Gomes, Kautz and
    Selman 2000, Generating satisfiable problem instances (``qwh``). Kautz and others 2001, Balance and filtering in
    structured satisfiable problems. Ansotegui and others 2006, Generating highly balanced Sudoku problems as hard
    problems.

    Examples
    --------
    >>> made = instance("qwh", Geometry.latin(10), 0.42, seed=1, balanced=True)
    >>> made.holes, [made.board.clues[row * 10 : row * 10 + 10].count(0) for row in range(10)]
    (42, [4, 4, 4, 4, 5, 4, 4, 4, 5, 4])
    >>> [instance("qwh", Geometry.latin(order), "1.7n^1.55").holes for order in (10, 20)]
    [60, 177]
    """
    expect_word(kind, KINDS, "kind")
    expect(geometry, Geometry, "geometry", "a Geometry")
    share = share_of_holes(holes, geometry.order)
    seed = expect_whole(seed, "seed")
    expect_flag(balanced, "balanced")
    if kind == "sudoku":
        fits = geometry.box_shape is not None and not geometry.families and not geometry.extra
        wanted = "boxes and no further houses"
    else:
        fits = geometry == Geometry.latin(geometry.order)
        wanted = "a Latin square"
    if not fits:
        raise InputError(f"{kind} on a board of {geometry.description}; expected {wanted}")
    if balanced and kind == "qcp":
        raise InputError("balanced qcp; expected qwh or sudoku, since qcp has no full grid to take cells from")
    random = Random(f"{kind} {geometry.description} {share:g} {balanced} {seed}")
    number = round(share * geometry.cell_count)
    if kind == "qcp":
        begun = _begin_square(geometry.order, number, random)
        return Instance(kind, Board(geometry, begun), number, False, seed, None)
    grid = random_grid(geometry, random)
    if balanced:
        empty = _choose_balanced(geometry, number, random)
    else:
        empty = random.sample(range(len(grid)), number)
    clues = list(grid)
    for cell in empty:
        clues[cell] = 0
    return Instance(kind, Board(geometry, tuple(clues)), number, balanced, seed, grid)


def share_of_holes(holes: float | str, order: int) -> float:
    """Return the share of empty cells of a board, which is given, or that of a number that grows with the order.

    Raises ``InputError`` for another text, or for more holes than cells.

    Examples
    --------
    >>> share_of_holes("0.42", 10), round(share_of_holes("1.7n^1.55", 30), 3)
    (0.42, 0.368)
    """
    number = None
    share = holes
    if isinstance(holes, str):
        scaled = SCALED.fullmatch(holes)
        if scaled is not None:
            number = round(float(scaled[1] or 1) * order ** float(scaled[2] or 1))
            share = number / order**2
        else:
            with suppress(ValueError):
                share = float(holes)
    if isinstance(share, str):
        raise InputError(f"holes {holes!r}; expected a share from 0 to 1, or a number as 1.7n^1.55, n being the order")
    expect_number(share, "holes")
    if not 0 <= share <= 1:
        what = f"{holes!r} of the cells empty"
        if number is not None:
            what = f"{holes}, which is {number:,} of {order**2:,} cells"
        raise InputError(f"{what}; expected a share from 0 to 1")
    return share


def _choose_balanced(geometry: Geometry, number: int, random: Random) -> list[int]:
    """Choose cells that are spread evenly over all houses: those of the first symbols of another full grid."""
    other = random_grid(geometry, random)
    order = random.sample(range(geometry.cell_count), geometry.cell_count)
    return sorted(order, key=other.__getitem__)[:number]


def _begin_square(order: int, holes: int, random: Random) -> tuple[int, ...]:
    """Begin a Latin square with this number of holes: symbol after symbol where row and column do not have it yet."""
    for _ in range(_MOST_TRIES):
        clues = [0] * (order * order)
        missing_in = [set(range(1, order + 1)) for _ in range(2 * order)]
        missing = len(clues) - holes
        for cell in random.sample(range(len(clues)), len(clues)):
            row = missing_in[cell // order]
            column = missing_in[order + cell % order]
            possible = sorted(row & column)
            if missing and possible:
                symbol = random.choice(possible)
                clues[cell] = symbol
                row.remove(symbol)
                column.remove(symbol)
                missing -= 1
        if not missing:
            return tuple(clues)
    raise InputError(f"a Latin square of order {order} begun with {holes} holes; expected more holes: none was found")
