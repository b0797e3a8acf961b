"""The work of a solver on a board: entries, marks and colours. It is no part of the puzzle, and restricts nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from gridproof.formats import Puzzle
from gridproof.pictures.pencil import PAINTS, PencilMarks
from gridproof.puzzle.geometry import Geometry

Mark: TypeAlias = Literal["note", "corner"]


@dataclass(frozen=True, slots=True)
class Entries:
    """Work of a solver, cell by cell.

    Attributes
    ----------
    filled : tuple of int
        The symbol in each cell, or 0.
    notes : tuple of int
        The marks in the middle, as masks (bit symbol-1) of what the solver thinks is left; all symbols where there are
        none. A hint goes on from them.
    corners : tuple of int
        The marks in the corners, as masks; 0 where there are none.
    paints : tuple of tuple of int
        The colours, as numbers of ``gridproof.pictures.pencil.PAINTS`` from 1.

    Examples
    --------
    >>> from gridproof import Geometry
    >>> geometry = Geometry.classic(2)
    >>> entries = Entries.none(geometry).enter([0, 1], 3).toggle([2], 3, "note", geometry)
    >>> entries.filled[:3], entries.notes[2]
    ((3, 3, 0), 4)
    >>> entries.tidy([3], 3, geometry).notes[2]
    15
    """

    filled: tuple[int, ...]
    notes: tuple[int, ...]
    corners: tuple[int, ...]
    paints: tuple[tuple[int, ...], ...]

    @classmethod
    def none(cls, geometry: Geometry) -> Entries:
        """Return the work of a solver who has not begun."""
        count = geometry.cell_count
        return cls((0,) * count, (geometry.every_symbol,) * count, (0,) * count, ((),) * count)

    @classmethod
    def of(cls, puzzle: Puzzle) -> Entries:
        """Return the entries and the notes that come with a puzzle."""
        entries = cls.none(puzzle.board.geometry)
        if puzzle.board.filled:
            entries = replace(entries, filled=tuple(puzzle.board.filled))
        if puzzle.notes:
            entries = replace(entries, notes=puzzle.notes)
        return entries

    def enter(self, cells: Iterable[int], symbol: int) -> Entries:
        """Put a symbol into cells; if all of them have it, take it away."""
        cells = list(cells)
        filled = list(self.filled)
        is_there = all(filled[cell] == symbol for cell in cells)
        for cell in cells:
            filled[cell] = 0 if is_there else symbol
        return replace(self, filled=tuple(filled))

    def toggle(self, cells: Iterable[int], symbol: int, kind: Mark, geometry: Geometry) -> Entries:
        """Add a mark to cells without a symbol, or take it away where it is."""
        notes = list(self.notes)
        corners = list(self.corners)
        empty = [cell for cell in cells if not self.filled[cell]]
        if kind == "note":
            toggle_candidate(empty, notes, symbol, geometry.every_symbol)
        else:
            for cell in empty:
                corners[cell] ^= 1 << (symbol - 1)
        return replace(self, notes=tuple(notes), corners=tuple(corners))

    def paint(self, cells: Iterable[int], colour: int) -> Entries:
        """Add a colour to cells, or take it away where it is."""
        paints = list(self.paints)
        for cell in cells:
            others = tuple([one for one in paints[cell] if one != colour])
            paints[cell] = (*paints[cell], colour) if others == paints[cell] else others
        return replace(self, paints=tuple(paints))

    def erase(self, cells: Iterable[int], geometry: Geometry) -> Entries:
        """Take away the symbols of cells; in cells without one, the marks, and of those without marks the colours."""
        filled = list(self.filled)
        notes = list(self.notes)
        corners = list(self.corners)
        paints = list(self.paints)
        full = geometry.every_symbol
        for cell in cells:
            if filled[cell]:
                filled[cell] = 0
            elif notes[cell] != full or corners[cell]:
                notes[cell] = full
                corners[cell] = 0
            else:
                paints[cell] = ()
        return Entries(tuple(filled), tuple(notes), tuple(corners), tuple(paints))

    def tidy(self, cells: Iterable[int], symbol: int, geometry: Geometry) -> Entries:
        """Take the marks of a symbol away from the cells that see one of these."""
        notes = list(self.notes)
        corners = list(self.corners)
        full = geometry.every_symbol
        bit = 1 << (symbol - 1)
        for cell in cells:
            for peer in geometry.peers[cell]:
                corners[peer] &= ~bit
                if notes[peer] != full:
                    notes[peer] = notes[peer] & ~bit or full
        return replace(self, notes=tuple(notes), corners=tuple(corners))

    def pencil(self, geometry: Geometry) -> PencilMarks:
        """Return the marks and the colours as they are drawn."""
        full = geometry.every_symbol
        corner = {cell: mask for cell, mask in enumerate(self.corners) if mask}
        centre = {cell: mask for cell, mask in enumerate(self.notes) if mask != full}
        paint = {cell: colours for cell, colours in enumerate(self.paints) if colours}
        return PencilMarks(corner, centre, paint)


LAST_PAINT = len(PAINTS)
"""The number of the last colour."""


def toggle_candidate(cells: Iterable[int], masks: list[int], symbol: int, full: int) -> None:
    """Add a symbol to the candidates of cells, or take it away. A cell that has all or none of them has no marks."""
    for cell in cells:
        marked = 0 if masks[cell] == full else masks[cell]
        masks[cell] = (marked ^ 1 << (symbol - 1)) or full
