"""A model under construction, as the translations of rules see it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from gridproof.models.clauses import Clause
from gridproof.models.variables import Variables
from gridproof.rules.primitives import Sum, check_effort


class Builder(ABC):
    """A model under construction: where clauses over named variables go.

    Attributes
    ----------
    order
        The number of symbols.
    x
        A function from a cell and a symbol to the literal "the cell holds the symbol".
    choices
        The encoding's table ``[rule]``. The default is for targets that have sums besides clauses.
    """

    order: int
    x: Callable[[int, int], int]
    choices: Mapping[str, str] = {"sum": "linear", "automaton": "states", "relation": "forbid"}

    @property
    @abstractmethod
    def top(self) -> int:
        """The largest variable so far."""

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of clauses so far."""

    @abstractmethod
    def new(self, number: int, label: str) -> int:
        """Return the first of so many new variables."""

    @abstractmethod
    def add(self, clause: Sequence[int]) -> None:
        """Add a clause."""

    def check(self) -> None:
        """Raise ``TooLarge`` or ``Interrupted`` where making the model has to stop."""
        check_effort(self.size)

    def symbols(self, cell: int) -> Sequence[int]:
        """Return the symbols that the cell may hold, hashable; the literals of others are false."""
        return range(1, self.order + 1)

    def at_most_one(self, literals: tuple[int, ...], label: str) -> None:
        """State that at most one of the literals is true."""
        for one, other in combinations(literals, 2):
            self.add((-one, -other))

    def exactly_one(self, literals: tuple[int, ...], label: str) -> None:
        """State that exactly one of the literals is true."""
        self.add(literals)
        self.at_most_one(literals, label)

    def linear(self, total: Sum, unless: Sequence[int] = ()) -> None:
        """State that the sum holds, or one of the literals ``unless``, where the choice of ``sum`` is ``linear``."""
        raise NotImplementedError

    def never(self, label: str) -> None:
        """State what cannot be, without an empty clause: a guard turns it into "not this option"."""
        variable = self.new(1, f"{label}: impossible")
        self.add((variable,))
        self.add((-variable,))

    def take(self, encoded: Any, label: str) -> None:
        """Take clauses that PySAT has made, with their new variables."""
        if encoded.nv > self.top:
            self.new(encoded.nv - self.top, label)
        for clause in encoded.clauses:
            self.add(clause)


class ClauseList(Builder):
    """A builder that keeps its clauses in a list, over the variables of a geometry."""

    def __init__(self, variables: Variables) -> None:
        self.variables, self.x, self.order = variables, variables.cells, variables.cells.geometry.order
        self.clauses: list[Clause] = []

    @property
    def top(self) -> int:
        return self.variables.count

    @property
    def size(self) -> int:
        return len(self.clauses)

    def new(self, number: int, label: str) -> int:
        return self.variables.add(number, label, (), "")

    def add(self, clause: Sequence[int]) -> None:
        self.clauses.append(tuple(clause))


class Guarded(Builder):
    """A builder whose clauses count only while the literal ``guard`` is true."""

    def __init__(self, inner: Builder, guard: int) -> None:
        self.inner, self.guard = inner, guard
        self.order, self.x, self.choices = inner.order, inner.x, inner.choices

    @property
    def top(self) -> int:
        return self.inner.top

    @property
    def size(self) -> int:
        return self.inner.size

    def new(self, number: int, label: str) -> int:
        return self.inner.new(number, label)

    def add(self, clause: Sequence[int]) -> None:
        self.inner.add((-self.guard, *clause))

    def symbols(self, cell: int) -> Sequence[int]:
        return self.inner.symbols(cell)

    def linear(self, total: Sum, unless: Sequence[int] = ()) -> None:
        self.inner.linear(total, (-self.guard, *unless))
