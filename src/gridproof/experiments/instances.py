"""Random boards for experiments, each from its own seed: full grids from which cells are taken, begun Latin squares."""

from __future__ import annotations

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

COLUMNS = ("puzzle", "solution", "kind", "order", "holes", "empty", "balanced", "seed", "status")
"""Columns of the table of ``gridproof instances``. holes: the share as asked for. empty: the number of cells."""

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
        Of all random choices.
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


def instance(kind: Kind, geometry: Geometry, holes: float, seed: int = 0, *, balanced: bool = False) -> Instance:
    """Make a random board with holes.

    Of large orders, Latin squares with about 42 % holes are hardest, and half of the ``qcp`` have a solution there; of
    order 20 it is half of them at 50 %. Balanced holes make ``qwh`` harder.

    Parameters
    ----------
    kind : {"qwh", "qcp", "sudoku"}
        See ``KINDS``.
    geometry : Geometry
        A Latin square for ``qwh`` and ``qcp``, with boxes for ``sudoku``.
    holes : float
        The share of empty cells, 0 to 1; rounded to whole cells.
    seed : int
        Of all random choices.
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
    """
    expect_word(kind, KINDS, "kind")
    expect(geometry, Geometry, "geometry", "a Geometry")
    expect_number(holes, "holes")
    seed = expect_whole(seed, "seed")
    expect_flag(balanced, "balanced")
    if not 0 <= holes <= 1:
        raise InputError(f"{holes!r} of the cells empty; expected a share from 0 to 1")
    plain = Geometry.latin(geometry.order) if kind != "sudoku" else geometry
    if geometry != plain or (kind == "sudoku" and (geometry.box_shape is None or geometry.families or geometry.extra)):
        wanted = "boxes and no further houses" if kind == "sudoku" else "a Latin square"
        raise InputError(f"{kind} on a board of {geometry.description}; expected {wanted}")
    if balanced and kind == "qcp":
        raise InputError("balanced qcp; expected qwh or sudoku, since qcp has no full grid to take cells from")
    random = Random(f"{kind} {geometry.description} {holes:g} {balanced} {seed}")
    number = round(holes * geometry.cell_count)
    if kind == "qcp":
        return Instance(kind, Board(geometry, _begun(geometry.order, number, random)), number, False, seed, None)
    grid = random_grid(geometry, random)
    empty = set(_balanced(geometry, number, random) if balanced else random.sample(range(len(grid)), number))
    clues = tuple(0 if cell in empty else symbol for cell, symbol in enumerate(grid))
    return Instance(kind, Board(geometry, clues), number, balanced, seed, grid)


def _balanced(geometry: Geometry, number: int, random: Random) -> list[int]:
    """Choose cells that are spread evenly over all houses: those of the first symbols of another full grid."""
    other = random_grid(geometry, random)
    order = random.sample(range(geometry.cell_count), geometry.cell_count)
    return sorted(order, key=other.__getitem__)[:number]


def _begun(order: int, holes: int, random: Random) -> tuple[int, ...]:
    """Begin a Latin square with this number of holes: symbol after symbol where row and column do not have it yet."""
    for _ in range(_MOST_TRIES):
        clues = [0] * (order * order)
        missing_in = [set(range(1, order + 1)) for _ in range(2 * order)]
        missing = len(clues) - holes
        for cell in random.sample(range(len(clues)), len(clues)):
            row, column = missing_in[cell // order], missing_in[order + cell % order]
            if missing and (possible := sorted(row & column)):
                clues[cell] = symbol = random.choice(possible)
                row.remove(symbol)
                column.remove(symbol)
                missing -= 1
        if not missing:
            return tuple(clues)
    raise InputError(f"a Latin square of order {order} begun with {holes} holes; expected more holes: none was found")
