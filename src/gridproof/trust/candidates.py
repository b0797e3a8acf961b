"""The reference for boards with rules: a backtracker on candidates that knows of a rule only when it may hold.

It draws three conclusions: a settled cell takes its symbol from its peers; a symbol with one place left in a house goes
there; and a symbol goes from a cell if some rule cannot hold with it (``Rule.may_hold``). Where they end it tries the
symbols of a cell with fewest. It shares nothing with the models: ``Rule.expand`` is never asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from gridproof.limits import Watch
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid


class Effort(Protocol):
    """What a search cost; see ``gridproof.trust.reference.Effort``."""

    nodes: int
    tries: int
    dead_ends: int


def solutions(board: Board, effort: Effort, watch: Watch) -> Iterator[Grid]:
    """Each solution of ``board`` once; raises ``Interrupted`` when a limit of ``watch`` is reached."""
    search = _Search(board, watch)
    watch.before_next_solution()
    stack = [list(board.candidates)]
    found = 0
    while stack:
        watch.look()
        candidates = stack.pop()
        if not search.conclude(candidates):
            effort.dead_ends += 1
            watch.conflict()
            continue
        open_cells = [cell for cell, mask in enumerate(candidates) if mask & (mask - 1)]
        if not open_cells:
            if found:
                watch.before_next_solution()
            found += 1
            yield tuple([mask.bit_length() for mask in candidates])
            continue
        effort.nodes += 1
        cell = min(open_cells, key=lambda cell: (candidates[cell].bit_count(), -search.interest[cell]))
        for symbol in range(board.geometry.order, 0, -1):
            if candidates[cell] >> (symbol - 1) & 1:
                effort.tries += 1
                stack.append([*candidates[:cell], 1 << (symbol - 1), *candidates[cell + 1 :]])


class _Search:
    """What is the same for all positions of one board."""

    def __init__(self, board: Board, watch: Watch) -> None:
        geometry = self._geometry = board.geometry
        self._watch = watch
        self._rules = [(rule, sorted(rule.scope(geometry))) for rule in board.rules]
        self._rules_of: list[list[int]] = [[] for _ in range(geometry.cell_count)]
        for number, (_, cells) in enumerate(self._rules):
            for cell in cells:
                self._rules_of[cell].append(number)
        self.interest = [len(rules) + len(geometry.peers[cell]) for cell, rules in enumerate(self._rules_of)]

    def conclude(self, candidates: list[int]) -> bool:
        """Draw all conclusions; ``False`` at a contradiction."""
        geometry = self._geometry
        before = [0] * len(candidates)
        pending = set(range(len(self._rules)))
        while True:
            if not self._by_houses(candidates):
                return False
            for cell, (old, new) in enumerate(zip(before, candidates, strict=True)):
                if old != new:
                    pending.update(self._rules_of[cell])
            before = list(candidates)
            if not pending:
                return True
            self._watch.look()
            # rules with few open candidates first: they say more, and are asked sooner
            number = min(pending, key=lambda number: self._open(candidates, number))
            pending.discard(number)
            rule, cells = self._rules[number]
            if not rule.may_hold(candidates, geometry):
                return False
            for cell in cells:
                if not self._by_rule(candidates, number, cell):
                    return False

    def _open(self, candidates: Sequence[int], number: int) -> int:
        return sum(candidates[cell].bit_count() for cell in self._rules[number][1])

    def _by_rule(self, candidates: list[int], number: int, cell: int) -> bool:
        """Take from a cell the symbols with which a rule cannot hold; ``False`` if none is left."""
        rule, _ = self._rules[number]
        mask = candidates[cell]
        if mask & (mask - 1):
            left = mask
            for symbol in range(self._geometry.order):
                if mask >> symbol & 1:
                    candidates[cell] = 1 << symbol
                    if not rule.may_hold(candidates, self._geometry):
                        left ^= 1 << symbol
            candidates[cell] = left
        return candidates[cell] != 0

    def _by_houses(self, candidates: list[int]) -> bool:
        """Settled cells exclude their peers, symbols with one place are settled; ``False`` at a contradiction."""
        geometry = self._geometry
        every_symbol = (1 << geometry.order) - 1
        done: set[int] = set()
        while True:
            if 0 in candidates:
                return False
            settled = [c for c, mask in enumerate(candidates) if not mask & (mask - 1) and c not in done]
            for cell in settled:
                done.add(cell)
                for peer in geometry.peers[cell]:
                    candidates[peer] &= ~candidates[cell]
            if settled:
                continue
            changed = False
            for house in geometry.houses:
                once = twice = 0
                for cell in house.cells:
                    twice |= once & candidates[cell]
                    once |= candidates[cell]
                if once != every_symbol:
                    return False
                single = once & ~twice
                for cell in house.cells if single else ():
                    mask = candidates[cell]
                    if mask & single and mask & (mask - 1):
                        candidates[cell] = mask & single
                        changed = True
            if not changed:
                return True
