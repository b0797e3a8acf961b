"""Kinds of rules, their parts and the clauses of these: cells that differ, and lines that a machine reads and accepts.

``pair_kinds``, ``line_kinds``, ``count_kinds``, ``region_kinds`` and ``choices`` state the kinds. The docstring of each
kind there is its sentence in ``docs/certificates.md``. Symbols are the digits of the board, numbers from 0 on; where
two cells are compared, a pair of a cell with itself means nothing. The lines of a rule are numbered as they are given.

Two beginnings of one length are *alike*, or of one kind, if the same continuations make each of them a line that the
machine accepts. On a line of three cells with the sum 10, the beginnings 1 4 and 2 3 are alike: 5 completes either, and
nothing else does. A variable means "the line begins with one of this kind". On every grid the first cells decide if
that is true. So the variable can be given that value, and the clauses with it exclude no grid that fits the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, combinations, product
from math import comb, prod
from typing import Any, TypeAlias

from .clauses import (
    Clauses,
    Rows,
    Sets,
    choice_clauses,
    distinct_clauses,
    line_clauses,
    region_clauses,
    repeated_clauses,
    take,
)
from .findings import CheckerLimits, Clock, Refusal
from .statement import Cells, Grid, Layout


@dataclass(frozen=True, slots=True, eq=False)
class Machine:
    """start: the state before the first symbol. step: the state after one more symbol, ``None`` to stop.
    accepts: whether the line may end in a state. size: how much memory a state takes, next to a number."""

    start: Hashable
    step: Callable[[Any, int], Hashable | None]
    accepts: Callable[[Any], bool]
    size: Callable[[Any], int] = lambda _: 1


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The same as a line in other words: the sets of symbols in its groups are such that ``fits``.

    The cells of a group hold different symbols on every grid that keeps houses and rules. Without groups, only the
    machine is right.
    """

    groups: tuple[tuple[int, ...], ...]
    fits: Callable[[Sets], bool]


@dataclass(frozen=True, slots=True)
class Line:
    """The machine accepts the symbols of the cells, read in this order."""

    cells: tuple[int, ...]
    machine: Machine
    choice: Choice | None = None

    def fits(self, grid: Grid) -> bool:
        """Return whether it accepts those of a full grid."""
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

    def fits(self, grid: Grid) -> bool:
        """Return whether that is so on a full grid."""
        return len({grid[cell] for cell in self.cells}) == len(self.cells)


@dataclass(frozen=True, slots=True)
class Repeated:
    """Two of the cells listed hold the same symbol."""

    cells: tuple[int, ...]

    def fits(self, grid: Grid) -> bool:
        """Return whether that is so on a full grid."""
        return not Distinct(self.cells).fits(grid)


@dataclass(frozen=True, slots=True)
class Some:
    """One of the options, or more, fits: all of its parts do."""

    options: tuple[tuple[Part, ...], ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of all parts."""
        return tuple(dict.fromkeys(cell for option in self.options for part in option for cell in part.cells))

    def fits(self, grid: Grid) -> bool:
        """Return whether that is so on a full grid."""
        return any(all(part.fits(grid) for part in option) for option in self.options)


@dataclass(frozen=True, slots=True)
class Region:
    """The cells that hold one of the digits are one region, in which each is reached from each other.

    There is at least one. neighbours: for each of the cells the places of its neighbours among them. most: there are
    never more of them.
    """

    cells: tuple[int, ...]
    digits: frozenset[int]
    neighbours: tuple[tuple[int, ...], ...]
    most: int

    def fits(self, grid: Grid) -> bool:
        """Return whether that is so on a full grid."""
        inside = [place for place, cell in enumerate(self.cells) if grid[cell] in self.digits]
        reached = set(inside[:1])
        to_visit = inside[:1]
        while to_visit:
            for place in self.neighbours[to_visit.pop()]:
                if place not in reached and grid[self.cells[place]] in self.digits:
                    reached.add(place)
                    to_visit.append(place)
        return bool(inside) and len(reached) == len(inside)


Part: TypeAlias = Line | Distinct | Repeated | Some | Region


MOST_TRIED = 20_000
"""A line with more tuples of sets to try is stated by its machine."""

MOST_WAYS = 128
"""A line with more tuples of sets that fit is stated by its machine."""


@dataclass(slots=True)
class Unrolled:
    """Machines along lines of so many cells, each unrolled once, within the limits."""

    layout: Layout
    limits: CheckerLimits
    clock: Clock
    _trials: int = 0
    _rows: dict[tuple[Machine, int], list[Rows]] = field(default_factory=dict)

    def clauses(self, part: Part, fresh: Iterator[int]) -> Clauses:
        """Yield the clauses of a part, with variables from ``fresh`` for its states or sets."""
        if isinstance(part, Distinct):
            return distinct_clauses(part.cells, self.layout.count)
        if isinstance(part, Repeated):
            return repeated_clauses(part.cells, self.layout.count, fresh)
        if isinstance(part, Some):
            return self._some(part, fresh)
        if isinstance(part, Region):
            self._try(len(part.cells) * part.most)
            digits = sorted(part.digits.intersection(self.layout.digits))
            literals = [[self.layout.variable(cell, digit) for digit in digits] for cell in part.cells]
            return region_clauses(literals, part.neighbours, part.most, fresh)
        if part.choice:
            ways = self._ways(part.choice)
            if ways:
                variables = dict(zip(ways, take(fresh, len(ways)), strict=True))
                return choice_clauses(part.choice.groups, variables, self.layout)
        return line_clauses(part.cells, self._unroll(part.machine, len(part.cells)), self.layout.count, fresh)

    def _some(self, some: Some, fresh: Iterator[int]) -> Clauses:
        """Yield clauses for: a variable of an option is true, and if it is, the parts of the option fit."""
        chosen = take(fresh, len(some.options))
        yield chosen
        for option, variable in zip(some.options, chosen, strict=True):
            for part in option:
                for clause in self.clauses(part, fresh):
                    yield [-variable] + clause

    def _unroll(self, machine: Machine, length: int) -> list[Rows]:
        """Return the rows for each length 0 .. k-1 of a line of k cells; ``[]`` at 0 if the machine accepts none."""
        if (machine, length) in self._rows:
            return self._rows[machine, length]
        after: list[dict[Hashable, list[Hashable | None]]] = []
        states: dict[Hashable, None] = {machine.start: None}
        for _ in range(length):
            layer: dict[Hashable, list[Hashable | None]] = {}
            for state in states:
                self._try(self.layout.count * machine.size(state))
                layer[state] = [machine.step(state, symbol) for symbol in self.layout.digits]
            after.append(layer)
            states = {}
            for row in layer.values():
                states.update((state, None) for state in row if state is not None)
        unrolled = merge_alike(after, [state for state in states if machine.accepts(state)])
        return self._rows.setdefault((machine, length), unrolled)

    def _ways(self, choice: Choice) -> list[Sets]:
        """Return the sets of symbols that the groups of a line may hold; none without groups, or if they are many."""
        sizes = [len(group) for group in choice.groups]
        tried = prod(comb(self.layout.count, size) for size in sizes)
        if not sizes or tried > MOST_TRIED:
            return []
        self._try(tried)
        ways = find_ways(choice.fits, tuple(sizes), tuple(self.layout.digits))
        if len(ways) > MOST_WAYS:
            return []
        return ways

    def _try(self, times: int) -> None:
        self._trials += times
        self.clock.look()
        if self._trials > self.limits.trials:
            raise Refusal("too-large", f"the rules take more than {self.limits.trials} trials to read")


@lru_cache(maxsize=512)
def find_ways(fits: Callable[[Sets], bool], sizes: Cells, digits: Cells) -> list[Sets]:
    """Return the tuples of sets of digits, of these sizes, that fit."""
    sets_of_group = [combinations(digits, size) for size in sizes]
    return [sets for sets in product(*sets_of_group) if fits(sets)]


def merge_alike(after: list[dict[Hashable, list[Hashable | None]]], accepted: list[Hashable]) -> list[Rows]:
    """Return the rows of a line, from its end to its beginning, with one kind for all states that are alike.

    after: for each length, and for each state of it, the state after one more symbol. accepted: the states at the end.
    """
    kinds: dict[Hashable | None, int] = dict.fromkeys(accepted, 0)
    unrolled: list[Rows] = []
    for layer in reversed(after):
        kinds_after = kinds
        kinds = {}
        kind_of_leads: dict[tuple[int, ...], int] = {}
        for state, row in layer.items():
            leads = tuple([kinds_after.get(target, -1) for target in row])
            if max(leads) >= 0:
                kinds[state] = kind_of_leads.setdefault(leads, len(kind_of_leads))
        unrolled.append(list(kind_of_leads))
    unrolled.reverse()
    return unrolled


# ---- kinds ---------------------------------------------------------------------------------------------------------

Pairs: TypeAlias = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Kind:
    """sentence: the meaning of a rule of the kind. parameters: the type of each. parts: what has to fit, all of it."""

    sentence: str
    parameters: dict[str, str]
    parts: Callable[..., Iterable[Part]]


KINDS: dict[str, Kind] = {}


def kind(name: str, **parameters: str) -> Callable[[Callable[..., Iterable[Part]]], Callable[..., Iterable[Part]]]:
    """Makes the function below the reading of a kind, and its docstring the sentence."""

    def enter(parts: Callable[..., Iterable[Part]]) -> Callable[..., Iterable[Part]]:
        sentence = " ".join((parts.__doc__ or "").split())
        KINDS[name] = Kind(sentence, parameters, parts)
        return parts

    return enter


# ---- parts that several kinds share ------------------------------------------------------------------------------


def one(cell: int, fits: Callable[[int], bool]) -> Line:
    """A single cell."""
    return Line((cell,), Machine(0, lambda _, symbol: 1 if fits(symbol) else None, bool))


NOTHING_READ = -2
"""The state before the first of two symbols, which may be 0."""

BOTH_READ = -1
"""The state behind two symbols that fit."""


def pairs_that(pairs: Pairs, fits: Callable[[int, int], bool]) -> Iterator[Line]:
    """Each pair once, and no cell with itself. The first symbol is remembered until the second is read."""

    def step(first: int, symbol: int) -> int | None:
        if first == NOTHING_READ:
            return symbol
        return BOTH_READ if fits(first, symbol) else None

    machine = Machine(NOTHING_READ, step, BOTH_READ.__eq__)
    seen = set()
    for a, b in pairs:
        if a != b and (a, b) not in seen:
            seen.add((a, b))
            yield Line((a, b), machine)


@lru_cache(maxsize=512)
def total_machine(weights: Cells, total: int, first: int, last: int) -> Machine:
    """After i cells: i, and the sum of what they hold, each times its weight. Stops where the rest cannot mend it."""
    least = [0]  # the least that the last i cells can add, for each i
    most = [0]
    for weight in reversed(weights):
        least.append(least[-1] + min(weight * first, weight * last))
        most.append(most[-1] + max(weight * first, weight * last))

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
        place, so_far = state
        so_far += weights[place] * symbol
        place += 1
        left = len(weights) - place
        return (place, so_far) if least[left] <= total - so_far <= most[left] else None

    return Machine((0, 0), step, lambda state: bool(state[1] == total))


def sum_of(layout: Layout, total: int, *sides: Iterable[tuple[int, int]], distinct: bool = False) -> Line:
    """Cells with their weights. distinct: the rule states that all cells of a weight differ, if houses do not."""
    terms = list(chain.from_iterable(sides))
    cells = tuple([cell for cell, _ in terms])
    weights = tuple([weight for _, weight in terms])
    cells_of: dict[int, list[int]] = {}
    for cell, weight in terms:
        cells_of.setdefault(weight, []).append(cell)

    groups: tuple[Cells, ...] = ()
    if distinct or all(share_houses(layout, group) for group in cells_of.values()):
        groups = tuple([tuple(group) for group in cells_of.values()])
    machine = total_machine(weights, total, layout.first, layout.last)
    return Line(cells, machine, Choice(groups, sum_fits(tuple(cells_of), total)))


@lru_cache(maxsize=512)
def sum_fits(weights: Cells, total: int) -> Callable[[Sets], bool]:
    """Return whether sets of digits, each times its weight, have a sum; the same function for the same sum."""

    def fits(sets: Sets) -> bool:
        so_far = 0
        for weight, symbols in zip(weights, sets, strict=True):
            so_far += weight * sum(symbols)
        return so_far == total

    return fits


def share_houses(layout: Layout, cells: Iterable[int]) -> bool:
    """Return whether each two of some cells share a house, so that they hold different symbols."""
    return all(b in layout.peers[a] for a, b in combinations(cells, 2))


def times(cells: Iterable[int], weight: int) -> list[tuple[int, int]]:
    """Cells with their weight."""
    return [(cell, weight) for cell in cells]


@lru_cache(maxsize=512)
def count_of(symbol: int, numbers: tuple[int, ...] | range) -> Machine:
    """The number of times that the symbol was read."""
    return Machine(0, lambda found, read: found + (read == symbol), numbers.__contains__)


def never() -> Line:
    """A part that no grid fits."""
    return one(0, lambda _: False)
