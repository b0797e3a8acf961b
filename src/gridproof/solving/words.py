"""Lists in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gridproof.puzzle.geometry import Geometry


def list_symbols(geometry: Geometry, symbols: Sequence[int], word: str = " and ") -> str:
    """Return symbols in a list: ``1, 2 or 3``."""
    return listed([geometry.symbol_text(symbol) for symbol in symbols], word)


def list_cells(geometry: Geometry, cells: Sequence[int], word: str = " and ") -> str:
    """Return the names of cells in a list: ``r1c1 or r1c2``."""
    return listed([geometry.cell_name(cell) for cell in cells], word)


def listed(texts: Iterable[str], word: str = " and ") -> str:
    """Return texts in a list: ``a, b and c``.

    Examples
    --------
    >>> listed(["1", "2", "3"], " or ")
    '1, 2 or 3'
    """
    names = list(texts)
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])}{word}{names[-1]}"


def joined(names: Sequence[str]) -> str:
    """Return names in a list, with the house that all of them are in only once: ``2 and 8 in column 7``.

    Examples
    --------
    >>> joined(["2 in column 7", "8 in column 7"])
    '2 and 8 in column 7'
    """
    _, word, house = names[0].partition(" in ")
    place = word + house
    if not all(name.endswith(place) for name in names):
        return listed(names)
    return listed([name.removesuffix(place) for name in names]) + place
