"""Lists in words, and a rule in words: its sentence, and what of it matters now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import prod

from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule

MOST_TRIED, MOST_LISTED = 2000, 4
"""Ways to fill a rule's cells that are tried to find what it leaves; sets of symbols, and cells, that are listed."""


SUMS = ("killer", "arrow", "little-killer", "xv")
"""Kinds of rules in which the order of symbols does not matter, and what is left is written as sums."""


def rule_text(
    geometry: Geometry, rule: Rule, candidates: Sequence[int], gone: Iterable[tuple[int, int]], alone: bool
) -> str:
    """Return a rule in words: ``the killer cage r1c1 r1c2 sums to 15: with 9 gone from r1c1 only 7+8 is left``.

    Parameters
    ----------
    geometry
        Of the board.
    rule
        The rule.
    candidates
        The mask of each cell.
    gone
        The cells and symbols whose absence matters, if that is known.
    alone
        No other fact follows in the sentence.
    """
    cells = list(dict.fromkeys(cell for _, line in rule.lists() for cell in line))
    masks = {cell: (1 << geometry.order) - 1 for cell, _ in sorted(gone) if cell in cells}
    for cell, symbol in gone:
        if cell in cells:
            masks[cell] &= ~(1 << (symbol - 1))
    names = dict[str, list[str]]()
    for cell, mask in masks.items():
        names.setdefault(_restriction(geometry, mask), []).append(geometry.cell_name(cell))
    given = left = ""
    if 0 < len(masks) <= MOST_LISTED:
        given = f"with {listed(f'{what} {listed(where)}' for what, where in names.items())}"
    if len(cells) > 1 and (ways := _left(geometry, rule, cells, candidates)):
        left = f"only {listed(ways, ' or ')} {'is' if len(ways) == 1 else 'are'} left"
    matters = " ".join(filter(None, (given, left)))
    if matters and alone:
        return f"{rule.sentence(geometry)}{':' if left else ','} {matters}"
    return rule.sentence(geometry) + (f" ({matters})" if matters else "")


def _restriction(geometry: Geometry, mask: int) -> str:
    """Return what is left of a cell in words, up to its name."""
    left, gone = ([s for s in range(1, geometry.order + 1) if (mask >> (s - 1) & 1) == kept] for kept in (1, 0))
    text = geometry.symbol_text
    if len(left) > 1 and len(gone) > 2 and left[-1] - left[0] == len(left) - 1:
        if left[-1] == geometry.order:
            return f"at least {text(left[0])} in"
        return f"at most {text(left[-1])} in" if left[0] == 1 else f"{text(left[0])} to {text(left[-1])} in"
    return f"{listed(map(text, left), ' or ')} in" if len(left) < 4 else f"{listed(map(text, gone))} gone from"


def _left(geometry: Geometry, rule: Rule, cells: Sequence[int], candidates: Sequence[int]) -> list[str]:
    """Return the ways to fill the cells of a rule, where these are few and easy to write."""
    choices = [[s for s in range(1, geometry.order + 1) if candidates[cell] >> (s - 1) & 1] for cell in cells]
    *first, last = [line for _, line in rule.lists()] or [()]
    if not last or (first and (rule.kind != "arrow" or len(first) > 1)) or prod(map(len, choices)) > MOST_TRIED:
        return []
    grid, ways, sums = [0] * geometry.cell_count, set[str](), rule.kind in SUMS
    pairs = [(a, b) for a, b in combinations(cells, 2) if b in geometry.peers[a]]
    for symbols in product(*choices):
        for cell, symbol in zip(cells, symbols, strict=True):
            grid[cell] = symbol
        if not any(grid[a] == grid[b] for a, b in pairs) and rule.holds(grid, geometry):
            way = sorted(grid[cell] for cell in last) if sums else [grid[cell] for cell in last]
            total = "".join(geometry.symbol_text(grid[cell]) for line in first for cell in line) + "=" * len(first)
            ways.add(total + ("+" if sums else "-").join(map(geometry.symbol_text, way)))
    return sorted(ways) if len(ways) <= MOST_LISTED else []


def listed(texts: Iterable[str], word: str = " and ") -> str:
    """Return ``a, b and c``."""
    *first, last = texts
    return word.join([*([", ".join(first)] if first else []), last])


def joined(names: Sequence[str]) -> str:
    """Return names as a list, with the house that all of them are in only once: ``2 and 8 in column 7``."""
    where = "".join(names[0].partition(" in ")[1:])
    same = all(name.endswith(where) for name in names)
    return listed(name.removesuffix(where) for name in names) + where if same else listed(names)
