"""The content of each cell in a drawing of a board, for text and SVG alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import ne
from typing import TYPE_CHECKING, Literal, Protocol, Self

from gridproof.errors import BoardError
from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    from gridproof.rules import Rule

LARGEST_ORDER_DESCRIBED = 16
"""Up to this order an accessible description spells out every row; beyond it nobody would listen on."""


class Drawable(Protocol):
    """The parts of a board that its drawings need; ``gridproof.Board`` has them."""

    @property
    def geometry(self) -> Geometry: ...
    @property
    def clues(self) -> Sequence[int]: ...
    @property
    def filled(self) -> Sequence[int]: ...
    @property
    def marks(self) -> Sequence[int] | None: ...
    @property
    def rules(self) -> Sequence[Rule]: ...
    def with_marks(self, marks: Iterable[int], /) -> Self: ...


@dataclass(frozen=True, slots=True)
class Content:
    """The content of one cell.

    kind: ``clue``, ``filled``, ``differs`` (two symbols, one of each witness), ``marks`` (ascending
    candidates; none at all where the cell has no candidate) or ``blank``. symbols: those that are written,
    1 .. order.
    """

    kind: Literal["clue", "filled", "differs", "marks", "blank"]
    symbols: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """The content of each cell in reading order, and two highlighted groups."""

    geometry: Geometry
    cells: tuple[Content, ...]
    highlight: frozenset[int]
    second: frozenset[int]

    def count(self, kind: str) -> int:
        """Count the cells with this kind of content."""
        return sum(cell.kind == kind for cell in self.cells)


def picture(
    board: Drawable,
    highlight: Iterable[int],
    second: Iterable[int],
    candidates: Sequence[int] | None,
    differs: Mapping[int, tuple[int, int]] | None,
    *,
    free_is_blank: bool = False,
) -> Picture:
    """Return the contents of a drawing. The arguments are those of ``gridproof.pictures.board_svg``.

    free_is_blank: whether cells in which the board's own pencil marks rule nothing out are blank.

    Raises ``BoardError`` for a cell or a symbol the board has not, and for a wrong number of candidate masks.
    """
    geometry = board.geometry
    masks, full = board.marks, (1 << geometry.order) - 1
    if candidates is not None:
        given, free_is_blank = tuple(candidates), False
        masks = board.with_marks(given).marks if given else None
    pairs = differs or {}
    _checked_cells("differs", pairs, geometry)
    filled = board.filled or (0,) * geometry.cell_count
    cells = []
    for cell, (clue, entry) in enumerate(zip(board.clues, filled, strict=True)):
        if cell in pairs:
            cells.append(Content("differs", pairs[cell]))
        elif clue or entry:
            cells.append(Content("clue" if clue else "filled", (clue or entry,)))
        elif masks and not (free_is_blank and masks[cell] == full):
            mask = masks[cell]
            cells.append(Content("marks", tuple([s for s in range(1, geometry.order + 1) if mask >> (s - 1) & 1])))
        else:
            cells.append(Content("blank"))
    groups = [_checked_cells(what, group, geometry) for what, group in (("highlight", highlight), ("second", second))]
    return Picture(geometry, tuple(cells), *groups)


def differences(first: Sequence[int], second: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Find where two grids differ.

    Parameters
    ----------
    first, second : sequence of int
        The symbol of each cell.

    Returns
    -------
    dict of int to (int, int)
        Each cell in which they differ, with both symbols, as ``differs`` of the drawings takes it.

    Raises
    ------
    BoardError
        If the grids are not of one size.

    Examples
    --------
    >>> differences((1, 2, 2, 1), (1, 2, 1, 2))
    {2: (2, 1), 3: (1, 2)}
    """
    if len(first) != len(second):
        raise BoardError(f"grids of {len(first)} and {len(second)} cells; expected two grids of one board")
    return {cell: (a, b) for cell, (a, b) in enumerate(zip(first, second, strict=True)) if a != b}


def walls(geometry: Geometry) -> tuple[list[list[bool]], list[list[bool]]]:
    """Find the bold lines: around the board and between cells of different boxes or regions.

    The first table has for each row the n+1 places before, between and after its cells; the second for
    each of the n+1 places above, between and below the rows its n columns.
    """
    n, region = geometry.order, geometry.region_of or (0,) * geometry.cell_count
    rows = [region[start : start + n] for start in range(0, n * n, n)]
    upright = [[True, *map(ne, row, row[1:]), True] for row in rows]
    level = [[True] * n, *(list(map(ne, above, below)) for above, below in pairwise(rows)), [True] * n]
    return upright, level


def description(picture: Picture) -> str:
    """Describe the picture in words, for people who do not see it."""
    geometry, n = picture.geometry, picture.geometry.order
    clues = picture.count("clue")
    names = {"clue": "clue" if clues == 1 else "clues", "filled": "filled", "marks": "with candidates"}
    parts = [
        ", ".join(f"{picture.count(kind)} {what}" for kind, what in names.items() if picture.count(kind)) or "empty"
    ]
    for cells, what in ((picture.highlight, "highlighted"), (picture.second, "highlighted second")):
        if cells:
            parts.append(f"{what}: {', '.join(map(geometry.cell_name, sorted(cells)))}")
    pairs = [
        f"{geometry.cell_name(cell)} {' or '.join(map(geometry.symbol_text, content.symbols))}"
        for cell, content in enumerate(picture.cells)
        if content.kind == "differs"
    ]
    if pairs:
        parts.append(f"differs: {', '.join(pairs)}")
    if n <= LARGEST_ORDER_DESCRIBED:
        words = [
            geometry.symbol_text(content.symbols[0]) if content.kind in ("clue", "filled") else "_"
            for content in picture.cells
        ]
        parts += [f"row {row + 1}: {' '.join(words[row * n : row * n + n])}" for row in range(n)]
    return "; ".join(parts)


def _checked_cells(what: str, cells: Iterable[int], geometry: Geometry) -> frozenset[int]:
    chosen = frozenset(cells)
    for cell in chosen:
        if not 0 <= cell < geometry.cell_count:
            raise BoardError(f"{what} of cell {cell!r}; expected 0 to {geometry.cell_count - 1}")
    return chosen
