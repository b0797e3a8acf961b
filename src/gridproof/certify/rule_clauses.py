"""Rules in the clauses of certificates, by one fixed translation that the checker can follow (docs/certificates.md).

Pairs and single cells are said by what they forbid. Everything longer is a machine that reads a line cell by cell, and
what it has read so far is a variable: "the line begins like 5 9".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any

from gridproof.errors import InputError
from gridproof.models.clauses import Clause
from gridproof.models.cnf_rules import partial_sums
from gridproof.models.variables import CellVariables
from gridproof.puzzle.board import Problem
from gridproof.rules.primitives import (
    AnyOf,
    Automaton,
    Cells,
    Count,
    Different,
    Domain,
    Equivalent,
    Primitive,
    Relation,
    Sum,
    Tuples,
)

MOST_IN_SETS = 9
"""The largest order at which the machine of a cage remembers which symbols it has read, not only their sum."""


@dataclass(slots=True)
class RuleClauses:
    """The clauses of one rule, and its variables: for each the number of its line and a beginning like which it is."""

    clauses: list[Clause] = field(default_factory=list)
    states: dict[int, tuple[int, tuple[int, ...]]] = field(default_factory=dict)


def rule_clauses(problem: Problem, top: int) -> list[RuleClauses]:
    """The clauses of each rule, with variables from ``top`` + 1 on. Raises ``InputError`` for what cannot be said."""
    said = []
    for rule in problem.rules:
        teller = _Teller(CellVariables(problem.geometry), top)
        primitives = list(rule.expand(problem.geometry))
        for primitive in primitives:
            teller.tell(primitive, primitives)
        top = teller.top
        said.append(RuleClauses(list(dict.fromkeys(teller.clauses)), teller.states))
    return said


class _Teller:
    """One rule under translation."""

    def __init__(self, x: CellVariables, top: int) -> None:
        self.x, self.top = x, top
        self.order = x.geometry.order
        self.clauses: list[Clause] = []
        self.states: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._lines = 0

    def tell(self, primitive: Primitive, others: Sequence[Primitive]) -> None:
        x, symbols = self.x, range(1, self.order + 1)
        match primitive:
            case Domain(cell=cell, values=values):
                self.clauses += [(-x(cell, symbol),) for symbol in symbols if symbol not in values]
            case Different(cells=cells):
                for one, other in combinations(cells, 2):
                    self.clauses += [self._clause(-x(one, symbol), -x(other, symbol)) for symbol in symbols]
                if len(set(cells)) == len(cells) == self.order:
                    self.clauses += [x.of_symbol(symbol, cells) for symbol in symbols]
            case Relation(pairs=pairs, allowed=allowed):
                bad = [(a, b) for a in symbols for b in symbols if not allowed[a - 1] >> (b - 1) & 1]
                for one, other in pairs:
                    self.clauses += [self._clause(-x(one, a), -x(other, b)) for a, b in bad]
            case Equivalent(one=(cell, a), other=(other, b)):
                bad = [(a, s) for s in symbols if s != b] + [(s, b) for s in symbols if s != a] if cell != other else []
                self.clauses += [self._clause(-x(cell, here), -x(other, there)) for here, there in bad]
            case Sum(cells=cells) if Different(cells) in others and self.order <= MOST_IN_SETS:
                self._read(_different_with_sum(primitive, self.order))
            case Sum():
                self._read(partial_sums(primitive, self.order))
            case Automaton():
                self._read(primitive)
            case Tuples(cells=cells, allowed=combinations_allowed):
                self._read(Automaton(cells, _of_tuples(combinations_allowed, len(cells), self.order)))
            case Count() | AnyOf():
                self._read(_any_of(primitive, self.order))

    def _clause(self, *literals: int) -> Clause:
        return tuple(dict.fromkeys(literals))

    def _read(self, automaton: Automaton) -> None:
        """What takes the machine from what it has read to what it has read then, or is impossible."""
        cells, layers = automaton.cells, automaton.layers
        self._lines += len(cells) > 2
        begun: dict[int, tuple[int, ...]] = {0: ()}
        here: list[tuple[Clause, int]] = [((), 0)]
        for place, cell in enumerate(cells):
            longer = [
                ((*condition, -self.x(cell, symbol)), target, symbol, state)
                for condition, state in here
                for symbol, target in enumerate(layers[place][state], 1)
            ]
            self.clauses += [self._clause(*clause) for clause, target, _, _ in longer if target < 0]
            if place + 1 == len(cells):
                return
            alive = [step for step in longer if step[1] >= 0]
            begun, before = {}, begun
            for _, target, symbol, state in alive:
                beginning = (*before[state], symbol)
                begun[target] = min(begun.get(target, beginning), beginning)
            if not place:  # the symbol itself says which state it is
                here = [(clause, target) for clause, target, _, _ in alive]
                continue
            variables = {target: self.top + number for number, target in enumerate(begun, 1)}
            self.top += len(variables)
            self.states |= {variable: (self._lines, begun[target]) for target, variable in variables.items()}
            self.clauses += [self._clause(*clause, variables[target]) for clause, target, _, _ in alive]
            here = [((-variable,), target) for target, variable in variables.items()]


def _different_with_sum(total: Sum, order: int) -> Automaton:
    """Reads different symbols and knows which."""
    return Automaton(total.cells, _sets_with_sum(len(total.cells), total.total, order))


@lru_cache(maxsize=1024)
def _sets_with_sum(number: int, total: int, order: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    def step(read: Any, symbol: int) -> Hashable | None:
        return None if symbol in read or symbol + sum(read) > total else read | {symbol}

    cells = tuple(range(number))
    return Automaton.of(cells, order, frozenset(), step, lambda read: sum(read) == total).layers  # type: ignore[call-overload]


@lru_cache(maxsize=64)
def _of_tuples(
    allowed: frozenset[tuple[int, ...]], number: int, order: int
) -> tuple[tuple[tuple[int, ...], ...], ...]:
    begun = {combination[:length] for combination in allowed for length in range(number + 1)}

    def step(read: Any, symbol: int) -> Hashable | None:
        return (*read, symbol) if (*read, symbol) in begun else None

    return Automaton.of(tuple(range(number)), order, (), step, begun.__contains__).layers


def _any_of(primitive: Count | AnyOf, order: int) -> Automaton:
    """Reads the cells of all options at once, and knows of each option what it needs to know."""
    options = primitive.options if isinstance(primitive, AnyOf) else ((primitive,),)
    cells = tuple(dict.fromkeys(cell for option in options for part in option for cell in _cells(part)))
    readers = [[_reader(part, cells) for part in option] for option in options]

    def step(state: Any, symbol: int) -> Hashable | None:
        place, found = state
        after = tuple([_step(option, states, place, symbol) for option, states in zip(readers, found, strict=True)])
        return (place + 1, after) if any(states is not None for states in after) else None

    def accepts(state: Any) -> bool:
        return any(
            states is not None and all(ends(one) for (_, ends), one in zip(option, states, strict=True))
            for option, states in zip(readers, state[1], strict=True)
        )

    return Automaton.of(cells or (0,), order, (0, tuple((0,) * len(option) for option in readers)), step, accepts)


_Reader = tuple[Callable[[int, int, int], int | None], Callable[[int], bool]]


def _step(option: list[_Reader], states: tuple[int, ...] | None, place: int, symbol: int) -> tuple[int, ...] | None:
    if states is None:
        return None
    after = [read(state, place, symbol) for (read, _), state in zip(option, states, strict=True)]
    return None if None in after else tuple(after)  # type: ignore[arg-type]


def _cells(primitive: Primitive) -> Iterable[int]:
    return (primitive.cell,) if isinstance(primitive, Domain) else getattr(primitive, "cells", ())


def _reader(primitive: Primitive, cells: Cells) -> _Reader:
    """The step from a number to the next, or to ``None``; and whether it may end with that."""
    match primitive:
        case Domain(cell=cell, values=values):
            return lambda state, place, symbol: state if cells[place] != cell or symbol in values else None, lambda _: True
        case Count(cells=counted, values=values, low=low, high=high):
            number = Counter(counted)
            most = low if high >= len(counted) else high  # more than that need not be told apart

            def read(state: int, place: int, symbol: int) -> int | None:
                state += number[cells[place]] * (symbol in values)
                return min(state, low) if high >= len(counted) else state if state <= most else None

            return read, lambda state: low <= state
    raise InputError(f"certificates cannot state {type(primitive).__name__} as one of several options")


def comments(said: Sequence[RuleClauses], numbers: Iterable[int]) -> Iterator[str]:
    """The lines that declare the variables of these rules, numbered from 0 here and from 1 there."""
    for number in numbers:
        for variable, (line, beginning) in said[number].states.items():
            yield f"c state {variable} {number + 1} {line} {' '.join(map(str, beginning))}"
