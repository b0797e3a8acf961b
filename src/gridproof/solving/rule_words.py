"""A rule in words: its sentence, and what of it matters now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from math import prod

from gridproof.puzzle.geometry import Geometry
from gridproof.rules import Rule
from gridproof.rules.cells import shortened_runs
from gridproof.rules.primitives import Different
from gridproof.solving.position import Candidate
from gridproof.solving.rule_sums import SumWays, find_equal_sums
from gridproof.solving.words import list_cells, list_symbols, listed

MOST_TRIED = 2000
"""Ways to fill a rule's cells that are tried to find what it leaves; of a rule with more nothing is listed."""

MOST_LISTED = 4
"""Ways to fill a rule's cells, and cells from which something is gone, that a sentence lists."""

SUMS = ("killer", "arrow", "little-killer", "xv")
"""Kinds of rules in which the order of symbols does not matter, and what is left is written as sums."""


@dataclass(frozen=True)
class RuleInReason:
    """A rule of a reason, with what is needed to word it.

    Attributes
    ----------
    geometry, rule
        The board, and the rule.
    candidates
        The mask of each cell.
    gone
        The cells and symbols whose absence matters, if that is known.
    removed
        What the step removes.
    houses
        The cells of each house that the reason names: only these are known to make cells differ.

    Examples
    --------
    >>> from gridproof import Board, Geometry
    >>> board = Board.empty(Geometry.classic(2)).with_rule("killer 3 r1c1 r1c2")
    >>> RuleInReason(board.geometry, board.rules[0], board.candidates).describe()
    'the killer cage r1c1 r1c2 sums to 3: only 1+2 is left'
    """

    geometry: Geometry
    rule: Rule
    candidates: Sequence[int]
    gone: Sequence[Candidate] = ()
    removed: Sequence[Candidate] = ()
    houses: Sequence[Set[int]] = field(default=())

    @cached_property
    def cells(self) -> list[int]:
        """The cells that the rule names, each once."""
        cells: list[int] = []
        for _, line in self.rule.lists():
            cells += [cell for cell in line if cell not in cells]
        return cells

    def describe(self, name: str = "") -> str:
        """Return the rule and what of it matters. name: what it is called in place of its sentence."""
        told = name or self.rule.sentence(self.geometry)
        matters = self.describe_matters()
        if not matters:
            return told
        mark = "," if matters == self.describe_absence() else ":"
        return f"{told}{mark} {matters}"

    def describe_matters(self) -> str:
        """Return what is gone from the cells of the rule and matters, and what it leaves; empty if there is nothing."""
        absence = self.describe_absence()
        fillings = self.list_fillings()
        needed = self.find_needed_symbols()
        if needed:
            symbols = list_symbols(self.geometry, needed)
            gone = f"{'is' if len(needed) == 1 else 'are'} gone from its other cells"
            if len(fillings) == 1 and len(self.cells) < self.geometry.symbol_count:
                return f"only {fillings[0]} is left, and {symbols} {gone}"
            return f"it needs {symbols}, which {gone}"
        if fillings:
            verb = "is" if len(fillings) == 1 else "are"
            left = f"only {listed(fillings, ' or ')} {verb} left"
            return f"{absence} {left}" if absence else left
        parts = [part for part in (absence, self.describe_sums()) if part]
        return ", ".join(parts)

    # ---- what is gone ---------------------------------------------------------------------------------------------

    def describe_absence(self) -> str:
        """Return which symbols are gone from which cells: ``with 9 gone from r1c1``; nothing for many cells."""
        left_of: dict[int, int] = {}
        for cell, symbol in sorted(self.gone):
            if cell in self.cells:
                left = left_of.get(cell, self.geometry.every_symbol)
                left_of[cell] = left & ~(1 << (symbol - 1))
        names_of: dict[str, list[int]] = {}
        for cell, left in left_of.items():
            names_of.setdefault(describe_left(self.geometry, left), []).append(cell)
        if not left_of or len(names_of) > MOST_LISTED or len(left_of) > self.geometry.symbol_count:
            return ""
        if len(left_of) > MOST_LISTED and len(names_of) > 1:
            return ""
        parts = [f"{what} {list_cells(self.geometry, cells)}" for what, cells in names_of.items()]
        return f"with {listed(parts)}"

    # ---- what is left ---------------------------------------------------------------------------------------------

    def list_fillings(self) -> list[str]:
        """Return the ways to fill the cells of the rule, where these are few and easy to write.

        There are none for a rule that also looks at cells which it does not name, such as an indexer, which looks along
        the whole row: what it leaves depends on these, too.
        """
        lists = [line for _, line in self.rule.lists()]
        has_circle = self.rule.kind == "arrow" and len(lists) == 2
        if len(self.cells) < 2 or not (len(lists) == 1 or has_circle) or not lists[-1]:
            return []
        if set(self.cells) != self.rule.scope(self.geometry):
            return []
        ways = self.symbol_sets
        texts: set[str] = set()
        if ways is not None:
            texts = {self.write_filling(sorted(way)) for way in ways}
        else:
            for filling in self.fillings():
                text = self.write_filling([filling[cell] for cell in lists[-1]])
                if has_circle:
                    number = "".join([self.geometry.symbol_text(filling[cell]) for cell in lists[0]])
                    text = f"{number}={text}"
                texts.add(text)
        return sorted(texts) if len(texts) <= MOST_LISTED else []

    def fillings(self) -> Iterator[dict[int, int]]:
        """Yield the ways to fill the cells of the rule, if not too many would have to be tried."""
        choices: list[list[int]] = []
        for cell in self.cells:
            choices.append(symbols_of(self.candidates[cell]))
        if prod([len(symbols) for symbols in choices]) > MOST_TRIED:
            return
        apart: list[tuple[int, int]] = []
        for a, b in combinations(self.cells, 2):
            if any(a in house and b in house for house in self.houses):
                apart.append((a, b))
        grid = [0] * self.geometry.cell_count
        for filling in product(*choices):
            for cell, symbol in zip(self.cells, filling, strict=True):
                grid[cell] = symbol
            if not any(grid[a] == grid[b] for a, b in apart) and self.rule.holds(
                self.geometry.digits.of(grid), self.geometry
            ):
                yield dict(zip(self.cells, filling, strict=True))

    def write_filling(self, symbols: list[int]) -> str:
        """Return the symbols in the cells as text: ``7+8`` where their order does not matter, else ``7-8``."""
        mark = "-"
        if self.rule.kind in SUMS:
            mark = "+"
            symbols = sorted(symbols)
        return mark.join([self.geometry.symbol_text(symbol) for symbol in symbols])

    # ---- cells that differ ----------------------------------------------------------------------------------------

    @cached_property
    def differing(self) -> list[Set[int]]:
        """The sets of cells that are known to differ: those of houses that the reason names, and of the rule's own."""
        differing = [*self.houses]
        for primitive in self.rule.expand(self.geometry):
            if isinstance(primitive, Different):
                differing.append(set(primitive.cells))
        return differing

    @cached_property
    def symbol_sets(self) -> list[Set[int]] | None:
        """The sets of symbols that a cage may hold; ``None`` if the rule is no sum of cells that differ."""
        total = getattr(self.rule, "total", None)
        all_differ = any(cells >= set(self.cells) for cells in self.differing)
        if self.rule.kind not in ("killer", "little-killer") or not all_differ:
            return None
        masks = [self.candidates[cell] for cell in self.cells]
        found: list[Set[int]] = []
        for symbols in combinations(self.geometry.symbols, len(masks)):
            if total in (None, sum(self.geometry.digits.of(symbols))) and can_be_placed(symbols, masks):
                found.append(set(symbols))
        return found

    def find_needed_symbols(self) -> list[int]:
        """Return the symbols that a cage needs and that are gone from its other cells, if that gives the conclusion."""
        cells = {cell for cell, _ in self.removed}
        left: set[int] = set()
        for cell in cells:
            gone = [symbol for other, symbol in self.removed if other == cell]
            left.update([symbol for symbol in symbols_of(self.candidates[cell]) if symbol not in gone])
        others = [cell for cell in self.cells if cell not in cells]
        if len(cells) != len(left) or not others or not cells <= set(self.cells) or not self.symbol_sets:
            return []
        if any(left.intersection(symbols_of(self.candidates[cell])) for cell in others):
            return []
        is_needed = all(left <= symbols for symbols in self.symbol_sets)
        return sorted(left) if is_needed else []

    # ---- sums -----------------------------------------------------------------------------------------------------

    def describe_sums(self) -> str:
        """Return what other cells of a sum, or other parts of equal sums, reach, as far as it gives the conclusion."""
        ways = SumWays(self.candidates, self.differing, self.geometry.digits)
        texts: dict[str, None] = {}
        for cell, symbol in self.removed:
            for sums in find_equal_sums(self.rule, self.geometry):
                bound = sums.find_bound(cell, symbol, ways)
                if bound is not None:
                    texts[f"{self.name_cells(bound.cells)} {bound.describe()}"] = None
        return listed(texts) if 0 < len(texts) <= MOST_LISTED else ""

    def name_cells(self, cells: Sequence[int]) -> str:
        """Return the name of cells and the verb of their sum: ``r1c1 r1c2 sum to``, ``r1c1 is``."""
        if len(cells) == 1:
            return f"{self.geometry.cell_name(cells[0])} is"
        return f"{shortened_runs(cells, self.geometry)} sum to"


def describe_left(geometry: Geometry, mask: int) -> str:
    """Return what is left of a cell in words, up to its name: ``at least 5 in``, ``9 gone from``."""
    left = symbols_of(mask)
    gone = [symbol for symbol in geometry.symbols if symbol not in left]
    text = geometry.symbol_text
    in_a_row = len(left) > 1 and left[-1] - left[0] == len(left) - 1
    if in_a_row and len(gone) > 2:
        if left[-1] == geometry.symbol_count:
            return f"at least {text(left[0])} in"
        if left[0] == 1:
            return f"at most {text(left[-1])} in"
        return f"{text(left[0])} to {text(left[-1])} in"
    if len(left) < 4 and len(left) < len(gone):
        return f"{list_symbols(geometry, left, ' or ')} in"
    return f"{list_symbols(geometry, gone)} gone from"


def symbols_of(mask: int) -> list[int]:
    """Return the symbols of a mask.

    Examples
    --------
    >>> symbols_of(0b1001)
    [1, 4]
    """
    return [place + 1 for place in range(mask.bit_length()) if mask >> place & 1]


def can_be_placed(symbols: Sequence[int], masks: Sequence[int]) -> bool:
    """Return whether different symbols fit into cells, one into each.

    Examples
    --------
    >>> can_be_placed([1, 2], [0b11, 0b01]), can_be_placed([1, 2], [0b01, 0b01])
    (True, False)
    """
    if not masks:
        return True
    first, *others = masks
    for symbol in symbols:
        rest = [other for other in symbols if other != symbol]
        if first >> (symbol - 1) & 1 and can_be_placed(rest, others):
            return True
    return False
