"""Houses of a classic board that follow from the others (Demoen and Garcia de la Banda 2012, *Redundant Sudoku Rules*).

A set of the 27 houses is redundant if every grid whose other houses hold each symbol once is a solution. Rows are
numbered 0 to 8, columns 9 to 17, boxes 18 to 26. A part of a redundant set is redundant, as more houses remain.

Only one symbol is needed for a proof. Where a house of nine cells does not hold each of nine symbols, one of them is
missing. The cells with this symbol are a set that meets each remaining house once, and the house not at all. If there
is no such set of cells, for any house that was taken away, the set of houses is redundant. That is a formula with 81
variables, and its refutation is the certificate.

The answer is a drawing, too: with a point for each band and stack and one more, where a row joins its band with that
point, a column its stack with it, and a box its band with its stack, the redundant sets are those that close no circle.
Nothing here uses this; the tests do.

Permuting bands, stacks, the lines inside of these, and turning the board over changes nothing. Lines of one band are
alike, so a set of houses is known, up to symmetry, by the number of its rows in each band, of its columns in each
stack, and by its boxes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations, permutations
from math import comb, prod
from typing import TypeAlias

from gridproof import backends
from gridproof.backends.protocol import Incremental
from gridproof.certificates.refutation import DEFAULT_PROVER, proving_backend, write_refutation
from gridproof.checker.findings import CheckerLimits, Clock, Refusal
from gridproof.checker.formula import Formula, check_lrat
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.puzzle.geometry import Geometry, SymbolTuple

HouseSet: TypeAlias = tuple[int, ...]
"""Numbers of houses, ascending."""

Pair: TypeAlias = tuple[int, int]
"""Two cells, the smaller number first."""

Shape: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""The number of rows in each band and of columns in each stack, and for each box, in reading order, 1 or 0."""

SYMBOLS = range(1, 10)
FIRST_BOX = 18
HOUSES = tuple([house.cells for house in Geometry.classic(3).houses])


def symmetric_shapes(shape: Shape) -> set[Shape]:
    """Return what becomes of a shape when bands, stacks, and both with each other are exchanged."""
    found = set()
    for rows, columns, boxes in (shape, turn_over(shape)):
        for bands in permutations(range(3)):
            for stacks in permutations(range(3)):
                places = [3 * band + stack for band in bands for stack in stacks]
                found.add((take(rows, bands), take(columns, stacks), take(boxes, places)))
    return found


def turn_over(shape: Shape) -> Shape:
    """Return what becomes of a shape when rows become columns."""
    rows, columns, boxes = shape
    return columns, rows, take(boxes, (0, 3, 6, 1, 4, 7, 2, 5, 8))


def take(values: Sequence[int], places: Iterable[int]) -> tuple[int, ...]:
    """Return the values at some places, in the order of these."""
    return tuple([values[place] for place in places])


@dataclass(frozen=True, slots=True)
class HouseClass:
    """All sets of houses that symmetry makes of one.

    Attributes
    ----------
    shape
        The largest of their shapes.

    Examples
    --------
    >>> HouseClass.of([4, 8, 20]).houses, HouseClass.of([4, 8, 20]).size
    ((0, 3, 24), 162)
    """

    shape: Shape

    @classmethod
    def of(cls, houses: Iterable[int]) -> HouseClass:
        """Return the class of a set of houses."""
        lines = [0] * 6
        boxes = [0] * 9
        for house in houses:
            if house < FIRST_BOX:
                lines[house // 3] += 1
            else:
                boxes[house - FIRST_BOX] = 1
        return cls(max(symmetric_shapes((tuple(lines[:3]), tuple(lines[3:]), tuple(boxes)))))

    @property
    def houses(self) -> HouseSet:
        """A set of the class: the first lines of each band and stack."""
        rows, columns, boxes = self.shape
        houses: list[int] = []
        for number, size in enumerate(rows + columns):
            first = 3 * number
            houses += range(first, first + size)
        for number, is_in in enumerate(boxes, FIRST_BOX):
            if is_in:
                houses.append(number)
        return tuple(houses)

    @property
    def size(self) -> int:
        """The number of its sets."""
        rows, columns, _ = self.shape
        return len(symmetric_shapes(self.shape)) * prod([comb(3, lines) for lines in rows + columns])


def all_classes(number: int) -> list[HouseClass]:
    """Return the classes of all sets of so many houses.

    Examples
    --------
    >>> classes = all_classes(2)
    >>> len(classes), sum(one.size for one in classes) == 27 * 26 // 2
    (7, True)
    """
    classes = {HouseClass.of(())}
    for _ in range(number):
        classes = larger_classes(classes)
    return sorted(classes, key=lambda one: one.houses)


def larger_classes(classes: Iterable[HouseClass]) -> set[HouseClass]:
    """Return the classes of the sets with one house more than those of some classes."""
    larger = set()
    for one in classes:
        for house in range(len(HOUSES)):
            if house not in one.houses:
                larger.add(HouseClass.of((*one.houses, house)))
    return larger


def redundant_classes(number: int) -> list[HouseClass]:
    """Return the classes of the redundant sets of so many houses.

    Only sets of which every part is redundant are tried, each by a search for a grid against it.

    Examples
    --------
    Any single house follows from the others, and of two almost any:

    >>> [one.houses for one in redundant_classes(1)], len(redundant_classes(2))
    ([(0,), (18,)], 6)
    """
    classes = [HouseClass.of(())]
    with CounterGrids() as search:
        for _ in range(number):
            tried = sorted(larger_classes(classes), key=lambda one: one.houses)
            classes = [one for one in tried if search.counter_grid(one.houses) is None]
    return classes


def counter_grid(houses: Iterable[int]) -> SymbolTuple | None:
    """Return a grid that is no solution, although all houses but some of these hold each symbol once.

    Returns
    -------
    tuple of int, or None
        The symbols of the cells; ``None`` if there is no such grid: the houses are redundant.

    Examples
    --------
    >>> grid = counter_grid([0, 1])
    >>> [len(set(grid[row * 9 : row * 9 + 9])) == 9 for row in range(9)]
    [False, False, True, True, True, True, True, True, True]
    """
    with CounterGrids() as search:
        return search.counter_grid(tuple(houses))


def refute_counter_grid(
    houses: Iterable[int], prover: str = DEFAULT_PROVER, limits: Limits = NO_LIMITS
) -> dict[str, bytes]:
    """Return the proof that some houses are redundant, as files: ``formula.cnf``, ``proof.lrat`` and ``proof.drat``.

    Variable c + 1 states that cell c holds the symbol that is missing in one of the houses; behind these, the variable
    of each house states that it is missing there.

    Raises
    ------
    DisagreementError
        If the houses are not redundant.
    BackendUnavailable
        For a prover without proofs.
    Interrupted
        If a limit comes first.

    Examples
    --------
    Row 1 follows from the other rows and the boxes:

    >>> refute_counter_grid([0])["formula.cnf"].splitlines()[0]
    b'p cnf 82 819'
    """
    return write_refutation(missing_symbol_formula(houses), proving_backend(prover), limits).files


def is_refuted(houses: Iterable[int], limits: Limits = NO_LIMITS) -> bool:
    """Return whether the checker of certificates accepts the proof that some houses are redundant.

    Raises
    ------
    DisagreementError, Interrupted
        As in ``refute_counter_grid``.

    Examples
    --------
    >>> is_refuted([0, 3, 6])
    True
    """
    formula = missing_symbol_formula(houses)
    proof = refute_counter_grid(houses, limits=limits)["proof.lrat"]
    checker_limits = CheckerLimits()
    try:
        check_lrat(formula.clauses, formula.variables, proof, checker_limits, Clock(checker_limits.seconds))
    except Refusal:
        return False
    return True


def is_counter_grid(grid: Sequence[int], houses: Iterable[int]) -> bool:
    """Return whether of all houses only some of these fail to hold each symbol once, and one does.

    Examples
    --------
    >>> is_counter_grid(counter_grid([0, 1]), [0, 1])
    True
    """
    failing = set()
    for number, cells in enumerate(HOUSES):
        if set(take(grid, cells)) != set(SYMBOLS):
            failing.add(number)
    return bool(failing) and failing <= set(houses)


def missing_symbol_formula(houses: Iterable[int]) -> Formula:
    """Return the formula of a symbol that is missing in one of some houses, and stands once in each of the others."""
    away = sorted(set(houses))
    clauses: list[tuple[int, ...]] = []
    for number, cells in enumerate(HOUSES):
        if number not in away:
            clauses += _exactly_one([cell + 1 for cell in cells])
    variables = range(82, 82 + len(away))
    clauses.append(tuple(variables))
    for variable, number in zip(variables, away, strict=True):
        clauses += [(-variable, -(cell + 1)) for cell in HOUSES[number]]
    return Formula(variables.stop - 1, tuple(dict.fromkeys(clauses)))


def _exactly_one(variables: Sequence[int]) -> Iterator[tuple[int, ...]]:
    yield tuple(variables)
    for a, b in combinations(variables, 2):
        yield -a, -b


def pairs_of(houses: Iterable[int]) -> set[Pair]:
    """Return the inequalities of some houses: pairs of cells that hold different symbols.

    Examples
    --------
    >>> len(pairs_of(range(27))), len(pairs_of(set(range(27)) - {0, 3, 6, 9, 12, 15}))
    (810, 648)
    """
    return set(chain.from_iterable([combinations(HOUSES[number], 2) for number in houses]))


def needed_pairs(
    pairs: Iterable[Pair], among: Iterable[Pair] | None = None, limits: Limits = NO_LIMITS
) -> dict[Pair, SymbolTuple]:
    """Return the inequalities that do not follow from all others, each with a grid in which it alone does not hold.

    Parameters
    ----------
    pairs
        The inequalities that are kept.
    among
        Those that are tried; all by default.
    limits
        When to stop.

    Examples
    --------
    >>> kept = pairs_of(set(range(27)) - {0, 3, 6, 9, 12, 15})
    >>> list(needed_pairs(kept, among=[(9, 10)]))
    [(9, 10)]
    """
    watch = Watch(limits)
    kept = sorted(set(pairs))
    holds = {pair: 730 + number for number, pair in enumerate(kept)}
    clauses = [list(clause) for clause in _one_symbol_each()]
    for (a, b), variable in holds.items():
        for symbol in SYMBOLS:
            clauses.append([-variable, -_variable(a, symbol), -_variable(b, symbol)])
            clauses.append([variable, -_variable(a, symbol), _variable(b, symbol)])
    needed = {}
    tried = kept if among is None else among
    with backends.find("cadical153").incremental(clauses) as solver:
        for pair in tried:
            assumed = [-variable if other == pair else variable for other, variable in holds.items()]
            if solver.solve(assumed, watch):
                needed[pair] = _grid(solver)
    return needed


def _variable(cell: int, symbol: int) -> int:
    return cell * 9 + symbol


def _one_symbol_each() -> Iterator[tuple[int, ...]]:
    for cell in range(81):
        yield from _exactly_one([_variable(cell, symbol) for symbol in SYMBOLS])


def _grid(solver: Incremental) -> SymbolTuple:
    """Return the grid of the last model."""
    true = [literal for literal in solver.model()[:729] if literal > 0]
    return tuple([(literal - 1) % 9 + 1 for literal in true])


@lru_cache(maxsize=1)
def _search_clauses() -> list[list[int]]:
    """Return the clauses of grids, with two variables for each house: it holds each symbol once; it lacks one."""
    clauses = [list(clause) for clause in _one_symbol_each()]
    lacks_symbol = 730 + 2 * len(HOUSES)
    for number, cells in enumerate(HOUSES):
        holds = 730 + number
        fails = 730 + len(HOUSES) + number
        missing = range(lacks_symbol, lacks_symbol + 9)
        lacks_symbol += 9
        clauses.append([-fails, *missing])
        for symbol, lacks in zip(SYMBOLS, missing, strict=True):
            variables = [_variable(cell, symbol) for cell in cells]
            clauses += [[-holds, *clause] for clause in _exactly_one(variables)]
            clauses += [[-lacks, -variable] for variable in variables]
    return clauses


class CounterGrids:
    """A search for grids against sets of houses, with two solvers for all of them; a context manager.

    A missing symbol is looked for first, with nine times fewer variables; where there is none, there is no grid.

    Examples
    --------
    >>> with CounterGrids() as search:
    ...     search.counter_grid((0, 3, 6)) is None, search.counter_grid((0, 1)) is None
    (True, False)
    """

    def __init__(self) -> None:
        backend = backends.find("cadical153")
        one_symbol: list[list[int]] = []
        for number, cells in enumerate(HOUSES):
            variables = [cell + 1 for cell in cells]
            one_symbol += [[-(82 + number), *clause] for clause in _exactly_one(variables)]
            one_symbol += [[-(82 + len(HOUSES) + number), -variable] for variable in variables]
        self._missing = backend.incremental(one_symbol)
        self._grids = backend.incremental(_search_clauses())

    def __enter__(self) -> CounterGrids:
        return self

    def __exit__(self, *_: object) -> None:
        self._missing.close()
        self._grids.close()

    def counter_grid(self, houses: HouseSet) -> SymbolTuple | None:
        """Return a grid in which one of the houses fails, and none of the others."""
        others = [number for number in range(len(HOUSES)) if number not in houses]
        for house in houses:
            if not self._missing.solve([82 + other for other in others] + [82 + len(HOUSES) + house]):
                continue
            if self._grids.solve([730 + other for other in others] + [730 + len(HOUSES) + house]):
                return _grid(self._grids)
        return None
