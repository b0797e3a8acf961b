"""Kinds of rules: the record of one, and the parts that several share. ``pair_kinds`` and ``line_kinds`` state them.

The docstring of each kind there is its sentence in ``docs/certificates.md``. It speaks of the symbols as numbers
1 .. n; where two cells are compared, a pair of a cell with itself says nothing. The lines of a rule are numbered
as they are given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias

from .machines import Choice, Line, Machine, Part, Sets
from .statement import Cells, Shape

Pairs: TypeAlias = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Kind:
    """sentence: what a rule of the kind says. parameters: the type of each. parts: what has to fit, all of it."""

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


# ---- machines ----------------------------------------------------------------------------------------------------


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
    """Cells with their weights. distinct: the rule says that all cells of a weight differ, if houses do not."""
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
