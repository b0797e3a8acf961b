"""Kinds of rules, their parts and the clauses of these: cells that differ, and lines that a machine reads and accepts.

``pair_kinds`` and ``line_kinds`` state the kinds. The docstring of each kind there is its sentence in
``docs/certificates.md``. Symbols are the numbers 1 .. n; where two cells are compared, a pair of a cell
with itself means nothing. The lines of a rule are numbered as they are given.

Two beginnings of a line are *alike* if they can be continued in the same ways. The symbols in the cells decide which
beginnings a beginning is like, so a variable for "the line begins like this" excludes no grid.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from math import comb, prod
from typing import Any, TypeAlias

from .findings import Clock, Limits, Refusal
from .statement import Cells, Shape

Clauses: TypeAlias = Iterator[list[int]]

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
"""For each group of cells the set of symbols that its cells hold, ascending."""


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

    def fits(self, grid: Mapping[int, int]) -> bool:
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

    def fits(self, grid: Mapping[int, int]) -> bool:
        """Return whether that is so on a full grid."""
        return len({grid[cell] for cell in self.cells}) == len(self.cells)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of the machines, or more, accepts the symbols of the cells."""

    cells: tuple[int, ...]
    machines: tuple[Machine, ...]

    def fits(self, grid: Mapping[int, int]) -> bool:
        """Return whether one accepts those of a full grid."""
        return any(Line(self.cells, machine).fits(grid) for machine in self.machines)


Part: TypeAlias = Line | Distinct | OneOf


MOST_TRIED, MOST_WAYS = 20_000, 128
"""A line with more tuples of sets to try, or more that fit, is stated by its machine."""


@dataclass(slots=True)
class Unrolled:
    """Machines along lines of so many cells, each unrolled once, within the limits."""

    order: int
    limits: Limits
    clock: Clock
    _trials: int = 0
    _rows: dict[tuple[Machine, int], list[Rows]] = field(default_factory=dict)

    def clauses(self, part: Part, fresh: Iterator[int]) -> Clauses:
        """Yield the clauses of a part, with variables from ``fresh`` for its states or sets."""
        if isinstance(part, Distinct):
            return distinct_clauses(part.cells, self.order)
        if isinstance(part, OneOf):
            return self._one_of(part, fresh)
        if part.choice and (ways := self._ways(part.choice)):
            return choice_clauses(part.choice.groups, dict(zip(ways, fresh, strict=False)), self.order)
        return line_clauses(part.cells, self._unroll(part.machine, len(part.cells)), self.order, fresh)

    def _one_of(self, part: OneOf, fresh: Iterator[int]) -> Clauses:
        chosen = [variable for _, variable in zip(part.machines, fresh, strict=False)]
        yield chosen
        for machine, variable in zip(part.machines, chosen, strict=True):
            for clause in line_clauses(part.cells, self._unroll(machine, len(part.cells)), self.order, fresh):
                yield [-variable, *clause]

    def _unroll(self, machine: Machine, length: int) -> list[Rows]:
        """Return the rows for each length 0 .. k-1 of a line of k cells; ``[]`` at 0 if the machine accepts none."""
        if (machine, length) in self._rows:
            return self._rows[machine, length]
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
        return self._rows.setdefault((machine, length), unrolled[::-1])

    def _ways(self, choice: Choice) -> list[Sets]:
        """Return the sets of symbols that the groups of a line may hold; none without groups, or if they are many."""
        sizes = [len(group) for group in choice.groups]
        tried = prod(comb(self.order, size) for size in sizes)
        if not sizes or tried > MOST_TRIED:
            return []
        self._try(tried)
        every = product(*(combinations(range(1, self.order + 1), size) for size in sizes))
        ways = [sets for sets in every if choice.fits(sets)]
        return ways if len(ways) <= MOST_WAYS else []

    def _try(self, times: int) -> None:
        self._trials += times
        self.clock.look()
        if self._trials > self.limits.trials:
            raise Refusal("too-large", f"the rules take more than {self.limits.trials} trials to read")


def line_clauses(cells: tuple[int, ...], rows: list[Rows], n: int, fresh: Iterator[int]) -> Clauses:
    """Yield clauses for: each symbol takes a beginning of one kind to one of the next, or is impossible.

    From two cells on, a variable stands for each kind of beginning; a beginning of one cell is its symbol.
    """
    if not rows[0]:
        yield from ([-(cells[0] * n + symbol)] for symbol in range(1, n + 1))
        return
    beginnings: list[tuple[list[int], int]] = [([], 0)]
    for place, cell in enumerate(cells):
        first, last = place == 0, place + 1 == len(cells)
        variables = [] if first or last else [variable for _, variable in zip(rows[place + 1], fresh, strict=False)]
        longer = [([-variable], kind) for kind, variable in enumerate(variables)]
        for condition, kind in beginnings:
            for symbol, target in enumerate(rows[place][kind], 1):
                clause = [*condition, -(cell * n + symbol)]
                if target < 0:
                    yield clause
                elif first:
                    longer.append((clause, target))
                elif not last:
                    yield [*clause, variables[target]]
        beginnings = longer


def choice_clauses(groups: tuple[tuple[int, ...], ...], variables: Mapping[Sets, int], n: int) -> Clauses:
    """Yield clauses for: the groups hold one of these tuples of sets, each of which has a variable.

    A set has its symbols and no others, and a symbol needs a set that has it.
    """
    yield list(variables.values())
    for place, group in enumerate(groups):
        for symbol in range(1, n + 1):
            literals = [cell * n + symbol for cell in group]
            having = [variable for sets, variable in variables.items() if symbol in sets[place]]
            yield from ([-variable, *literals] for variable in having)
            yield from ([-literal, *having] for literal in literals)
            lacking = [variable for sets, variable in variables.items() if symbol not in sets[place]]
            yield from ([-variable, -literal] for variable in lacking for literal in literals)


def distinct_clauses(cells: tuple[int, ...], n: int) -> Clauses:
    """Yield clauses for: no two cells hold the same symbol; and n different cells hold every symbol."""
    for one, other in combinations(cells, 2):
        yield from ([-(one * n + symbol), -(other * n + symbol)] for symbol in range(1, n + 1))
    if len(set(cells)) == len(cells) == n:
        yield from ([cell * n + symbol for cell in cells] for symbol in range(1, n + 1))


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

    def known(parts: Callable[..., Iterable[Part]]) -> Callable[..., Iterable[Part]]:
        KINDS[name] = Kind(" ".join((parts.__doc__ or "").split()), parameters, parts)
        return parts

    return known


# ---- parts that several kinds share ------------------------------------------------------------------------------


def one(cell: int, fits: Callable[[int], bool]) -> Line:
    """A single cell."""
    return Line((cell,), Machine(0, lambda _, symbol: 1 if fits(symbol) else None, bool))


def pairs_that(pairs: Pairs, fits: Callable[[int, int], bool]) -> Iterator[Line]:
    """The first symbol is remembered until the second is read."""
    machine = Machine(0, lambda first, symbol: symbol if not first else -1 if fits(first, symbol) else None, bool)
    seen = set()
    for a, b in pairs:
        if a != b and (a, b) not in seen:
            seen.add((a, b))
            yield Line((a, b), machine)


@lru_cache(maxsize=512)
def _total(weights: Cells, total: int, n: int) -> Machine:
    """After i cells: i, and the sum of what they hold, each times its weight. Stops where the rest cannot mend it."""
    ends = [0], [0]
    for weight in reversed(weights):
        for end, extreme in zip(ends, (min, max), strict=True):
            end.append(end[-1] + extreme(weight, weight * n))

    def step(state: tuple[int, int], symbol: int) -> tuple[int, int] | None:
        place, so_far = state[0] + 1, state[1] + weights[state[0]] * symbol
        left = len(weights) - place
        return (place, so_far) if ends[0][left] <= total - so_far <= ends[1][left] else None

    return Machine((0, 0), step, lambda state: bool(state[1] == total))


def sum_of(shape: Shape, total: int, *sides: Iterable[tuple[int, int]], distinct: bool = False) -> Line:
    """Cells with their weights. distinct: the rule states that all cells of a weight differ, if houses do not."""
    cells, weights = zip(*(term for side in sides for term in side), strict=True)
    groups = tuple(
        tuple(cell for cell, w in zip(cells, weights, strict=True) if w == weight) for weight in dict.fromkeys(weights)
    )
    differ = distinct or all(b in shape.peers[a] for group in groups for a, b in combinations(group, 2))

    def fits(sets: Sets) -> bool:
        sums = (weight * sum(symbols) for weight, symbols in zip(dict.fromkeys(weights), sets, strict=True))
        return bool(sum(sums) == total)

    return Line(cells, _total(weights, total, shape.order), Choice(groups if differ else (), fits))


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
