"""The few primitives that every kind of rule expands into, each with its plain truth on a grid.

A target translates primitives (``gridproof.models.targets``), so that a new kind of rule costs no target anything.
``allows`` is the meaning of a primitive, written for reading: tests compare every translation with it.

Primitives are about symbols, the places of digits among those of the board, and so are models. Kinds of rules state
digits: each primitive with a symbol in it has a constructor ``of`` that takes them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from gridproof.errors import Interrupted
from gridproof.limits import look
from gridproof.puzzle.digits import Digit, Digits, Symbol

Cells: TypeAlias = tuple[int, ...]

MOST_STEPS = 1_500_000
"""Largest number of clauses of the rules of a board, and of steps of one machine: some 250 MB and two seconds."""


class TooLarge(Interrupted):
    """Rules that expand into too much: as for any other limit, there is no answer then."""


def check_effort(steps: int) -> None:
    """Raise ``TooLarge`` for more than ``MOST_STEPS``, and ``Interrupted`` if the time of ``limits.look`` is over."""
    look()
    if steps > MOST_STEPS:
        raise TooLarge(f"rules take more than {MOST_STEPS:,} clauses")


@dataclass(frozen=True, slots=True)
class Domain:
    """``cell`` holds one of the symbols ``values``."""

    cell: int
    values: tuple[Symbol, ...]

    @classmethod
    def of(cls, cell: int, allowed: Iterable[int], digits: Digits) -> Domain:
        """Return that the cell holds one of the digits allowed; those that the board lacks are left out."""
        return cls(cell, tuple([digits.symbol(digit) for digit in allowed if digit in digits]))

    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""
        return grid[self.cell] in self.values


@dataclass(frozen=True, slots=True)
class Different:
    """No two of ``cells`` hold the same symbol."""

    cells: Cells

    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""
        return len({grid[cell] for cell in self.cells}) == len(self.cells)


@dataclass(frozen=True, slots=True)
class Relation:
    """Each pair of cells holds symbols (a, b) of which ``allowed[a - 1]`` has the bit ``b - 1``."""

    pairs: tuple[tuple[int, int], ...]
    allowed: tuple[int, ...]

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, int]], digits: Digits, allow: Callable[[Digit, Digit], bool]) -> Relation:
        """Return the relation that holds where ``allow(a, b)`` is true of two digits."""
        allowed = []
        for a in digits:
            fitting = 0
            for place, b in enumerate(digits):
                if allow(a, b):
                    fitting |= 1 << place
            allowed.append(fitting)
        return cls(tuple(pairs), tuple(allowed))

    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""
        return all(self.allowed[grid[first] - 1] >> (grid[second] - 1) & 1 for first, second in self.pairs)


@dataclass(frozen=True, slots=True)
class Sum:
    """The symbols of ``cells``, each times its coefficient, add up to ``total``.

    distinct: other primitives or houses make cells of one coefficient differ, so that a translation may count
    combinations of symbols.
    """

    cells: Cells
    coefficients: tuple[int, ...]
    total: int
    distinct: bool = False

    @classmethod
    def of(
        cls, cells: Cells, coefficients: tuple[int, ...], total: int, digits: Digits, *, distinct: bool = False
    ) -> Sum:
        """Return that the digits of the cells, each times its coefficient, add up to ``total``.

        Each digit is ``digits.first - 1`` more than its symbol, so the sum of the symbols is another one.

        Examples
        --------
        >>> Sum.of((0, 1), (1, 1), 3, Digits(0, 8)).total
        5
        """
        return cls(cells, coefficients, total - (digits.first - 1) * sum(coefficients), distinct)

    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""
        total = 0
        for weight, cell in zip(self.coefficients, self.cells, strict=True):
            total += weight * grid[cell]
        return total == self.total


@dataclass(frozen=True, slots=True)
class Automaton:
    """A machine reads ``cells`` in order and ends in a state that it accepts.

    ``layers[i][state][symbol - 1]`` is the state after cell i, or -1 where the machine stops. The machine begins in
    state 0, states are numbered anew in each layer, and every state leads to an accepted end: see ``of``.
    """

    cells: Cells
    layers: tuple[tuple[tuple[int, ...], ...], ...]

    @classmethod
    def of(
        cls,
        cells: Cells,
        digits: Digits,
        start: Hashable,
        step: Callable[[Any, Digit], Hashable | None],
        accepts: Callable[[Any], bool],
    ) -> Automaton:
        """Unroll a machine over a line of cells, into the fewest states that can be reached and lead to an end.

        Parameters
        ----------
        cells : tuple of int
            The cells in the order in which they are read.
        digits : Digits
            The digits of the board.
        start : hashable
            The state before the first cell.
        step : callable
            ``step(state, digit)`` is the next state, ``None`` where the machine stops.
        accepts : callable
            Whether the line may end in a state.

        Raises
        ------
        TooLarge
            For a machine of too many states; see ``MOST_STEPS``.

        Examples
        --------
        >>> rising = Automaton.of((0, 1), Digits(1, 3), 0, lambda last, s: s if s > last else None, lambda last: True)
        >>> rising.allows((1, 2)), rising.allows((2, 2))
        (True, False)
        """
        reached: list[dict[Hashable, list[Hashable | None]]] = []
        states: dict[Hashable, None] = {start: None}
        steps = 0
        for _ in cells:
            layer: dict[Hashable, list[Hashable | None]] = {}
            for state in states:
                steps += len(digits)
                check_effort(steps)
                layer[state] = [step(state, digit) for digit in digits]
            reached.append(layer)
            states = dict.fromkeys(after for row in layer.values() for after in row if after is not None)
        numbers = {state: 0 for state in states if accepts(state)}
        layers: list[tuple[tuple[int, ...], ...]] = []
        for layer in reversed(reached):
            rows = {}
            for state, row_of_states in layer.items():
                rows[state] = tuple([numbers.get(after, -1) for after in row_of_states])
            # states that go on in the same way are one
            distinct = {row: None for row in rows.values() if max(row, default=-1) >= 0}
            layers.append(tuple(distinct))
            place = {row: number for number, row in enumerate(distinct)}
            numbers = {state: place[row] for state, row in rows.items() if row in place}
        if cells and not layers[-1]:
            layers[-1] = ((-1,) * len(digits),)
        return cls(cells, tuple(reversed(layers)))

    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""
        state = 0
        for cell, layer in zip(self.cells, self.layers, strict=True):
            state = layer[state][grid[cell] - 1]
            if state < 0:
                return False
        return True


@dataclass(frozen=True, slots=True)
class Count:
    """At least ``low`` and at most ``high`` of ``cells`` hold ``symbol``."""

    cells: Cells
    symbol: Symbol
    low: int
    high: int

    @classmethod
    def of(cls, cells: Cells, digit: int, low: int, high: int, digits: Digits) -> Count:
        """Return that so many of the cells hold a digit; one that the board lacks none of them holds."""
        return cls(cells, digits.symbol(digit), low, high)

    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""
        return self.low <= sum(grid[cell] == self.symbol for cell in self.cells) <= self.high


@dataclass(frozen=True, slots=True)
class AnyOf:
    """All primitives of at least one option hold; without options nothing does."""

    options: tuple[tuple[Primitive, ...], ...]

    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""
        return any(all(primitive.allows(grid) for primitive in option) for option in self.options)


class OwnPrimitive(ABC):
    """A primitive of a page of its own, which states its bound itself. Subclasses are frozen dataclasses."""

    @abstractmethod
    def scope(self) -> set[int]:
        """Return the cells of the grid that it is about."""

    @abstractmethod
    def allows(self, grid: Sequence[int]) -> bool:
        """Return whether the grid fits."""

    @abstractmethod
    def explain_impossible(self, masks: Sequence[int], digits: Digits) -> str | None:
        """Explain why it cannot be fulfilled within the candidate masks of all cells, or return ``None``."""

    def negate(self, symbol_count: int) -> list[Option]:
        """Return the ways in which it is broken; it is broken where one of them holds."""
        raise TypeError(f"{type(self).__name__} has no negation; kinds that need it cannot be negated")


Primitive: TypeAlias = Domain | Different | Relation | Sum | Automaton | Count | AnyOf | OwnPrimitive

Option: TypeAlias = tuple[Primitive, ...]
"""Primitives that hold together, as one of several possibilities."""


def cells_of(primitive: Primitive) -> set[int]:
    """Return the cells that a primitive is about.

    Examples
    --------
    >>> sorted(cells_of(Relation(((0, 1), (1, 2)), ())))
    [0, 1, 2]
    """
    match primitive:
        case Domain(cell=cell):
            return {cell}
        case Relation(pairs=pairs):
            return {cell for pair in pairs for cell in pair}
        case AnyOf(options=options):
            return cells_of_all([inner for option in options for inner in option])
        case OwnPrimitive():
            return primitive.scope()
        case _:
            return set(primitive.cells)


def cells_of_all(primitives: Iterable[Primitive]) -> set[int]:
    """Return the cells that several primitives are about."""
    cells: set[int] = set()
    for primitive in primitives:
        cells |= cells_of(primitive)
    return cells


NEVER = AnyOf(())
"""A primitive that no grid fulfils."""
