"""Rules in the clauses of certificates, by one fixed translation that the checker can follow (docs/certificates.md).

Pairs and single cells are said by what they forbid. Sums and ranges of cells that differ are said by variables for the
sets of symbols that they may hold. Everything else is a machine that reads a line cell by cell, and what it has read so
far is a variable: "the line begins like 5 9".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations
from typing import Any

from gridproof.certificates.statements import NotCertified
from gridproof.models.clauses import Clause
from gridproof.models.cnf_rules import partial_sums, ways_of
from gridproof.models.variables import CellVariables
from gridproof.puzzle.board import Problem
from gridproof.rules.primitives import (
    AnyOf,
    Automaton,
    Count,
    Different,
    Domain,
    Equivalent,
    Primitive,
    Relation,
    Sum,
    Tuples,
)


def rule_clauses(problem: Problem, top: int) -> list[RuleClauses]:
    """The clauses of each rule, with variables from ``top`` + 1 on. Raises ``NotCertified`` for what cannot be said."""
    said = []
    for rule in problem.rules:
        said.append(RuleClauses(CellVariables(problem.geometry), top, rule.expand(problem.geometry)))
        top = said[-1].top
    return said


class RuleClauses:
    """The clauses of one rule, and what its variables mean, as words of the comments that declare them."""

    def __init__(self, x: CellVariables, top: int, primitives: Iterable[Primitive]) -> None:
        self.x, self.top = x, top
        self.order = x.geometry.order
        self.clauses: list[Clause] = []
        self.meanings: dict[int, tuple[str, int, Sequence[int]]] = {}
        self._lines = 0
        self._different: tuple[int, ...] = (0,)
        for primitive in primitives:
            self._tell(primitive)
        self.clauses = list(dict.fromkeys(self.clauses))

    def _tell(self, primitive: Primitive) -> None:
        x, symbols = self.x, range(1, self.order + 1)
        match primitive:
            case Domain(cell=cell, values=values):
                self._forbid((cell,), [(symbol,) for symbol in symbols if symbol not in values])
            case Different(cells=cells):
                self._different = cells
                for pair in combinations(cells, 2):
                    self._forbid(pair, [(symbol, symbol) for symbol in symbols])
                if len(set(cells)) == len(cells) == self.order:
                    self.clauses += [x.of_symbol(symbol, cells) for symbol in symbols]
            case Relation(pairs=pairs, allowed=allowed):
                bad = [(a, b) for a in symbols for b in symbols if allowed[a - 1] and not allowed[a - 1] >> (b - 1) & 1]
                for one, other in pairs:
                    self._forbid((one,), [(a,) for a in symbols if not allowed[a - 1]])
                    self._forbid((one, other), bad)
            case Equivalent(one=(cell, a), other=(other, b)) if cell != other:
                self._forbid((cell, other), [(a, s) for s in symbols if s != b] + [(s, b) for s in symbols if s != a])
            case Sum(cells=cells, coefficients=weights):
                if ways := ways_of(primitive, self.order):
                    terms = list(zip(cells, weights, strict=True))
                    self._choose([[c for c, w in terms if w == weight] for weight in dict.fromkeys(weights)], ways)
                else:
                    self._read(partial_sums(primitive, self.order), numbered=True)
            case Automaton():
                self._read(primitive)
            case Tuples(cells=cells, allowed=combinations_allowed):
                self._read(Automaton(cells, _of_tuples(combinations_allowed, len(cells), self.order)))
            case AnyOf(options=()):  # so many different cells, or the board, leave none
                self._read(Automaton.of(self._different, self.order, 0, lambda *_: None, bool), numbered=True)
            case AnyOf(options=options) if all(isinstance(option[0], Domain) for option in options):
                # each says which symbols stand in some different cells
                domains = [[one for one in option if isinstance(one, Domain)] for option in options]
                self._choose([[one.cell for one in domains[0]]], [(frozenset(own[0].values),) for own in domains])
            case AnyOf(options=options):
                self._read(_count([one for option in options for one in option], self.order))
            case Count():
                self._read(_count([primitive], self.order))

    def _forbid(self, cells: Sequence[int], combinations_forbidden: Iterable[Sequence[int]]) -> None:
        for symbols in combinations_forbidden:
            self.clauses.append(self._clause(*(-self.x(*one) for one in zip(cells, symbols, strict=True))))

    def _clause(self, *literals: int) -> Clause:
        return tuple(dict.fromkeys(literals))

    def _choose(self, groups: Sequence[Sequence[int]], ways: Sequence[Sequence[frozenset[int]]]) -> None:
        """Each way has these symbols in its groups and no others, and a symbol needs a way that has it."""
        self._lines += 1
        first, self.top = self.top + 1, self.top + len(ways)
        variables = range(first, self.top + 1)
        self.clauses.append(tuple(variables))
        for variable, sets in zip(variables, ways, strict=True):
            words = [[0, *sorted(symbols)] for symbols in sets]
            self.meanings[variable] = "set", self._lines, list(chain(*words))[1:]
        for group, cells in enumerate(groups):
            for symbol in range(1, self.order + 1):
                places = self.x.of_symbol(symbol, cells)
                having = [variable for variable, sets in zip(variables, ways, strict=True) if symbol in sets[group]]
                self.clauses += [(-variable, *places) for variable in having]
                self.clauses += [(-place, *having) for place in places]
                lacking = [variable for variable in variables if variable not in having]
                self.clauses += [(-variable, -place) for variable in lacking for place in places]

    def _read(self, automaton: Automaton, *, numbered: bool = False) -> None:
        """What takes the machine from what it has read to what it has read then, or is impossible."""
        cells, layers = automaton.cells, automaton.layers
        self._lines += numbered or len(cells) > 2
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
            for target, variable in variables.items():
                self.meanings[variable] = "state", self._lines, begun[target]
            self.clauses += [self._clause(*clause, variables[target]) for clause, target, _, _ in alive]
            here = [((-variable,), target) for target, variable in variables.items()]


@lru_cache(maxsize=64)
def _of_tuples(allowed: frozenset[tuple[int, ...]], number: int, order: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    begun = {combination[:length] for combination in allowed for length in range(number + 1)}

    def step(read: Any, symbol: int) -> Hashable | None:
        return (*read, symbol) if (*read, symbol) in begun else None

    return Automaton.of(tuple(range(number)), order, (), step, begun.__contains__).layers


def _count(primitives: Sequence[Primitive], order: int) -> Automaton:
    """Counts the cells with some symbols: one of several counts has to hold."""
    counts = [one for one in primitives if isinstance(one, Count)]
    cells, values = counts[0].cells, counts[0].values
    if len(counts) < len(primitives) or any((one.cells, one.values) != (cells, values) for one in counts):
        raise NotCertified("not certified: a rule with other options than numbers of some symbols")
    numbers = {number for one in counts for number in range(one.low, one.high + 1)}

    def step(found: Any, symbol: int) -> Hashable:
        return int(found) + (symbol in values)

    return Automaton.of(cells, order, 0, step, lambda found: found in numbers)


def comments(said: Sequence[RuleClauses], numbers: Iterable[int]) -> Iterator[str]:
    """The lines that declare the variables of these rules, numbered from 0 here and from 1 there."""
    for number in numbers:
        for variable, (word, line, symbols) in said[number].meanings.items():
            yield f"c {word} {variable} {number + 1} {line} {' '.join(map(str, symbols))}"
