"""What a rule says of a line of cells: a machine reads their symbols, one after another, and accepts them or not.

Two beginnings of one length are *alike* if they can be continued in the same ways. Whether the beginning of a
line is like some other is decided by the symbols in its cells: a variable that says so rules no grid out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import comb, prod
from typing import Any, TypeAlias

from .findings import Clock, Limits, Refusal

Rows: TypeAlias = list[tuple[int, ...]]
"""The kinds of beginnings of one length that can be continued to the end of the line: for each, and for each
symbol, the kind of the beginning that is longer by this symbol, or -1 if that one cannot be continued."""


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """start: the state before the first symbol. step: the state after one more symbol, ``None`` to stop.
    accepts: whether the line may end in a state. size: how much memory a state takes, next to a number."""

    start: Hashable
    step: Callable[[Any, int], Hashable | None]
    accepts: Callable[[Any], bool]
    size: Callable[[Any], int] = lambda _: 1


Sets: TypeAlias = tuple[tuple[int, ...], ...]
"""For each group of cells the set of symbols that they hold, ascending."""

Meaning: TypeAlias = tuple[int, int] | Sets
"""What a variable says of a line: that it begins with so many cells of a kind of beginning, or holds these sets."""


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """What a line says, in other words: the sets of symbols in its groups are such that ``fits``. The cells of a group
    hold different symbols on every grid that keeps to houses and rules; no groups: such words would be wrong."""

    groups: tuple[tuple[int, ...], ...]
    fits: Callable[[Sets], bool]


@dataclass(frozen=True, slots=True)
class Line:
    """The machine accepts the symbols of the cells, read in this order."""

    cells: tuple[int, ...]
    machine: Machine
    choice: Choice | None = None

    def fits(self, grid: Mapping[int, int]) -> bool:
        """Whether it does on a full grid."""
        state: Hashable | None = self.machine.start
        for cell in self.cells:
            state = self.machine.step(state, grid[cell])
            if state is None:
                return False
        return self.machine.accepts(state)


@dataclass(frozen=True, slots=True)
class Distinct:
    """No two of the cells listed hold the same symbol."""

    cells: tuple[int, ...]

    def fits(self, grid: Mapping[int, int]) -> bool:
        """Whether none do on a full grid."""
        return len({grid[cell] for cell in self.cells}) == len(self.cells)


Part: TypeAlias = Line | Distinct


@dataclass(slots=True)
class Unrolled:
    """Machines along lines of so many cells, each unrolled once, within the limits."""

    order: int
    limits: Limits
    clock: Clock
    _trials: int = 0
    _rows: dict[tuple[Machine, int], list[Rows]] = field(default_factory=dict)
    _ways: dict[Line, dict[Sets, None]] = field(default_factory=dict)

    def rows(self, line: Line) -> list[Rows]:
        """For each length 0 .. k-1 the kinds of beginnings of a line of k cells; ``[]`` at 0 if none fits."""
        key = line.machine, len(line.cells)
        if key not in self._rows:
            self._rows[key] = self._unroll(line.machine, len(line.cells))
        return self._rows[key]

    def _unroll(self, machine: Machine, length: int) -> list[Rows]:
        after: list[dict[Hashable, list[Hashable | None]]] = []
        states: dict[Hashable, None] = {machine.start: None}
        for _ in range(length):
            layer: dict[Hashable, list[Hashable | None]] = {}
            for state in states:
                self._try(self.order * machine.size(state))
                layer[state] = [machine.step(state, symbol) for symbol in range(1, self.order + 1)]
            after.append(layer)
            states = {state: None for row in layer.values() for state in row if state is not None}
        kinds: dict[Hashable | None, int] = {state: 0 for state in states if machine.accepts(state)}
        unrolled: list[Rows] = []
        for layer in reversed(after):
            alike: dict[tuple[int, ...], int] = {}
            known, kinds = kinds, {}
            for state, row in layer.items():
                leads = tuple([known.get(target, -1) for target in row])
                if max(leads) >= 0:
                    kinds[state] = alike.setdefault(leads, len(alike))
            unrolled.append(list(alike))
        return unrolled[::-1]

    def state_of(self, line: Line, symbols: tuple[int, ...]) -> tuple[int, int] | None:
        """How many cells the line begins with, and the kind of this beginning; ``None`` if these cells need no
        variable, or if the beginning cannot be continued to the end of the line."""
        if not 2 <= len(symbols) < len(line.cells) or not all(1 <= s <= self.order for s in symbols):
            return None
        rows = self.rows(line)
        kind = 0 if rows[0] else -1
        for row, symbol in zip(rows, symbols, strict=False):
            kind = row[kind][symbol - 1] if kind >= 0 else -1
        return None if kind < 0 else (len(symbols), kind)

    def set_of(self, line: Line, symbols: tuple[int, ...]) -> Sets | None:
        """The symbols of each group, with 0 between two groups in ``symbols``; ``None`` if they may not hold these."""
        zeros = [-1, *(at for at, symbol in enumerate(symbols) if not symbol), len(symbols)]
        groups = tuple(symbols[one + 1 : other] for one, other in pairwise(zeros))
        return groups if groups in self.ways(line) else None

    def ways(self, line: Line) -> dict[Sets, None]:
        """The sets of symbols that the groups of a line may hold; none if it has no groups."""
        if line not in self._ways:
            found: Iterable[Sets] = ()
            if line.choice and line.choice.groups:
                sizes = [len(group) for group in line.choice.groups]
                self._try(prod(comb(self.order, size) for size in sizes))
                found = filter(line.choice.fits, _sets(self.order, sizes))
            self._ways[line] = dict.fromkeys(found)
        return self._ways[line]

    def _try(self, times: int) -> None:
        self._trials += times
        self.clock.look()
        if self._trials > self.limits.trials:
            raise Refusal("too-large", f"the rules take more than {self.limits.trials} trials to read")


def _sets(n: int, sizes: list[int]) -> Iterator[Sets]:
    """Sets of such sizes, one after another: all at once they can be more than fit into memory."""
    own = combinations(range(1, n + 1), sizes[0])
    if len(sizes) == 1:
        yield from zip(own)
        return
    for symbols in own:
        yield from ((symbols, *others) for others in _sets(n, sizes[1:]))


def line_clauses(
    cells: tuple[int, ...], rows: list[Rows], n: int, variable: Callable[[tuple[int, int]], int]
) -> Iterator[list[int]]:
    """What a line says in clauses: each symbol takes a beginning of one kind to one of the next, or is impossible.

    ``variable((length, kind))`` says that the first ``length`` cells are a beginning of this kind. One cell needs no
    variable: it is known by its symbol.
    """
    if not rows[0]:
        rows = [[(-1,) * n], *rows[1:]]
    beginnings: list[tuple[list[int], int]] = [([], 0)]
    for place, cell in enumerate(cells):
        longer: list[tuple[list[int], int]] = []
        for condition, kind in beginnings:
            for symbol, target in enumerate(rows[place][kind], 1):
                clause = [*condition, -(cell * n + symbol)]
                if target < 0:
                    yield clause
                elif place == 0:
                    longer.append((clause, target))
                elif place + 1 < len(cells):
                    yield [*clause, variable((place + 1, target))]
        if place and place + 1 < len(cells):
            longer = [([-variable((place + 1, kind))], kind) for kind in range(len(rows[place + 1]))]
        beginnings = longer


def choice_clauses(groups: tuple[tuple[int, ...], ...], variables: Mapping[Sets, int], n: int) -> Iterator[list[int]]:
    """That the groups hold one of these sets of symbols, each with a variable that says so: a set has its symbols and
    no others, and a symbol needs a set that has it."""
    yield list(variables.values())
    for place, group in enumerate(groups):
        for symbol in range(1, n + 1):
            places = [cell * n + symbol for cell in group]
            having = [variable for sets, variable in variables.items() if symbol in sets[place]]
            yield from ([-variable, *places] for variable in having)
            yield from ([-x, *having] for x in places)
            lacking = [variable for sets, variable in variables.items() if symbol not in sets[place]]
            yield from ([-variable, -x] for variable in lacking for x in places)


def distinct_clauses(cells: tuple[int, ...], n: int) -> Iterator[list[int]]:
    """That no two cells hold the same symbol."""
    for one, other in combinations(cells, 2):
        yield from ([-(one * n + symbol), -(other * n + symbol)] for symbol in range(1, n + 1))
