"""Lists in words, and a rule in words: its sentence, and what of it matters now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from math import prod

from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule

MOST_TRIED = 2000
"""Ways to fill a rule's cells that are tried to find what it leaves; of a rule with more nothing is listed."""

MOST_LISTED = 4
"""Ways to fill a rule's cells, and cells from which something is gone, that a sentence lists."""

SUMS = ("killer", "arrow", "little-killer", "xv")
"""Kinds of rules in which the order of symbols does not matter, and what is left is written as sums."""


def rule_text(
    geometry: Geometry, rule: Rule, candidates: Sequence[int], gone: Iterable[tuple[int, int]], alone: bool
) -> str:
    """Return a rule in words: ``the killer cage r1c1 r1c2 sums to 15: with 9 gone from r1c1 only 7+8 is left``.

    Parameters
    ----------
    geometry
        The houses of the board.
    rule
        The rule.
    candidates
        The mask of each cell.
    gone
        The cells and symbols whose absence matters, if that is known.
    alone
        Whether no other fact follows in the sentence.

    Examples
    --------
    >>> from gridproof import Board, Geometry
    >>> board = Board.empty(Geometry.classic(2)).with_rule("killer 3 r1c1 r1c2")
    >>> rule_text(board.geometry, board.rules[0], board.candidates, (), alone=True)
    'the killer cage r1c1 r1c2 sums to 3: only 1+2 is left'
    """
    cells: list[int] = []
    for _, line in rule.lists():
        cells += [cell for cell in line if cell not in cells]
    matters: list[str] = []
    absence = describe_absence(geometry, cells, gone)
    if absence:
        matters.append(absence)
    fillings = list_fillings(geometry, rule, cells, candidates)
    if fillings:
        verb = "is" if len(fillings) == 1 else "are"
        matters.append(f"only {listed(fillings, ' or ')} {verb} left")
    sentence = rule.sentence(geometry)
    if not matters:
        return sentence
    if not alone:
        return f"{sentence} ({' '.join(matters)})"
    mark = ":" if fillings else ","
    return f"{sentence}{mark} {' '.join(matters)}"


def describe_absence(geometry: Geometry, cells: Sequence[int], gone: Iterable[tuple[int, int]]) -> str:
    """Return which symbols are gone from which of some cells: ``with 9 gone from r1c1``; nothing for many cells."""
    left_of: dict[int, int] = {}
    for cell, symbol in sorted(gone):
        if cell in cells:
            left = left_of.get(cell, (1 << geometry.order) - 1)
            left_of[cell] = left & ~(1 << (symbol - 1))
    if not left_of or len(left_of) > MOST_LISTED:
        return ""
    names_of: dict[str, list[str]] = {}
    for cell, left in left_of.items():
        names_of.setdefault(describe_left(geometry, left), []).append(geometry.cell_name(cell))
    parts = [f"{what} {listed(names)}" for what, names in names_of.items()]
    return f"with {listed(parts)}"


def describe_left(geometry: Geometry, mask: int) -> str:
    """Return what is left of a cell in words, up to its name: ``at least 5 in``, ``9 gone from``."""
    symbols = range(1, geometry.order + 1)
    left = [symbol for symbol in symbols if mask >> (symbol - 1) & 1]
    gone = [symbol for symbol in symbols if symbol not in left]
    text = geometry.symbol_text
    in_a_row = len(left) > 1 and left[-1] - left[0] == len(left) - 1
    if in_a_row and len(gone) > 2:
        if left[-1] == geometry.order:
            return f"at least {text(left[0])} in"
        if left[0] == 1:
            return f"at most {text(left[-1])} in"
        return f"{text(left[0])} to {text(left[-1])} in"
    if len(left) < 4 and len(left) < len(gone):
        return f"{list_symbols(geometry, left, ' or ')} in"
    return f"{list_symbols(geometry, gone)} gone from"


def list_fillings(geometry: Geometry, rule: Rule, cells: Sequence[int], candidates: Sequence[int]) -> list[str]:
    """Return the ways to fill the cells of a rule, where these are few and easy to write.

    There are none for a rule that also looks at cells which it does not name, such as an indexer, which looks along
    the whole row: what it leaves depends on these, too.
    """
    lists = [line for _, line in rule.lists()]
    has_circle = rule.kind == "arrow" and len(lists) == 2
    if len(cells) < 2 or not (len(lists) == 1 or has_circle) or not lists[-1]:
        return []
    if set(cells) != rule.scope(geometry):
        return []
    choices: list[list[int]] = []
    for cell in cells:
        choices.append([s for s in range(1, geometry.order + 1) if candidates[cell] >> (s - 1) & 1])
    if prod([len(symbols) for symbols in choices]) > MOST_TRIED:
        return []
    apart = [(a, b) for a, b in combinations(cells, 2) if b in geometry.peers[a]]
    grid = [0] * geometry.cell_count
    texts: set[str] = set()
    for filling in product(*choices):
        for cell, symbol in zip(cells, filling, strict=True):
            grid[cell] = symbol
        if not any(grid[a] == grid[b] for a, b in apart) and rule.holds(grid, geometry):
            text = write_filling(geometry, rule, [grid[cell] for cell in lists[-1]])
            if has_circle:
                number = "".join([geometry.symbol_text(grid[cell]) for cell in lists[0]])
                text = f"{number}={text}"
            texts.add(text)
    return sorted(texts) if len(texts) <= MOST_LISTED else []


def write_filling(geometry: Geometry, rule: Rule, symbols: list[int]) -> str:
    """Return the symbols in the cells of a rule as text: ``7+8`` where their order does not matter, else ``7-8``."""
    mark = "-"
    if rule.kind in SUMS:
        mark = "+"
        symbols = sorted(symbols)
    return mark.join([geometry.symbol_text(symbol) for symbol in symbols])


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
