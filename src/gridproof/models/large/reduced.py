"""Board + encoding -> only the variables and clauses that the board leaves open, as arrays.

The idea is Kwon and Jain's ("Optimized CNF encoding for Sudoku puzzles", 2006): a candidate that the clues settle or
rule out needs no variable, a clause that they satisfy need not be written. Here the clues are propagated to a fixpoint
first (``propagation``), so that far less is left. What it takes is another formula for each board, which pays for a
large board alone; many boards of one small shape are better served by a session that holds all rules.

The clauses of an at-most-one scheme for one size of a group are a template, which array indexing copies to every group
of that size. This module exists for NumPy and imports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gridproof.limits import look
from gridproof.models import schemes
from gridproof.models.builder import Builder
from gridproof.models.clauses import Clause, Clauses
from gridproof.models.cnf_rules import add_primitive
from gridproof.models.large.houses import Flags, Integers
from gridproof.models.large.propagation import Reduction
from gridproof.models.schemes import Template
from gridproof.models.variables import candidate_name

if TYPE_CHECKING:
    from gridproof.models.encoding import Encoding
    from gridproof.puzzle.board import Board
    from gridproof.puzzle.geometry import Grid

_AT_A_TIME = 1 << 15
"""Clauses that are Python lists at the same time; all others stay arrays."""


class ReducedCnf(Clauses):
    """The open candidates of a board, and what must hold of them, as clauses.

    Variable v (from 1) is the candidate v-1 of ``reduction``; auxiliaries come after. blocks: arrays of 32-bit
    literals, one clause in each row, all of a block of the same length. After a contradiction they hold nothing but
    the empty clause.
    """

    scope = ", one board"

    def __init__(
        self, reduction: Reduction, encoding: Encoding, variable_count: int, blocks: tuple[Integers, ...]
    ) -> None:
        super().__init__(reduction.problem, encoding, variable_count, sum(map(len, blocks)))
        self.reduction = reduction
        self.blocks = blocks

    def pieces(self) -> Iterator[list[list[int]]]:
        """The clauses as lists, a piece at a time."""
        for block in self.blocks:
            for first in range(0, len(block), _AT_A_TIME):
                yield block[first : first + _AT_A_TIME].tolist()

    def literals(self, board: Board) -> list[int]:
        """None: the board is in the clauses."""
        return []

    def decode(self, model: Sequence[int]) -> Grid:
        """Return the grid of a model, which PySAT gives by variable from 1; 0 in a cell without symbol."""
        true = np.zeros(self.reduction.candidate_count, dtype=bool)
        true[: len(model)] = np.array(model[: len(true)], dtype=np.int64) > 0
        return self.reduction.grid_of(true)

    def blocking_clause(self, grid: Grid, board: Board | None = None) -> Clause:
        """The clause that forbids this grid."""
        reduction = self.reduction
        true = np.array(grid, dtype=np.int32)[reduction.cells] == reduction.symbols
        return tuple((-1 - np.flatnonzero(true)).tolist())

    def name(self, variable: int) -> str:
        """``x[r1c1=5]`` for a candidate, ``auxiliary.1`` for what a scheme brought."""
        if not 1 <= variable <= self.variable_count:
            raise IndexError(f"variable {variable}; expected 1 to {self.variable_count}")
        reduction, place = self.reduction, variable - 1
        if place >= reduction.candidate_count:
            return f"auxiliary.{variable - reduction.candidate_count}"
        return f"x[{candidate_name(self.geometry, int(reduction.cells[place]), int(reduction.symbols[place]))}]"

    def remarks(self, names: bool) -> Iterator[str]:
        """Yield the symbols that are settled already, or the contradiction, and the names."""
        yield from super().remarks(names)
        if self.reduction.contradiction:
            yield f"contradiction: {self.reduction.contradiction.message}"
        elif names:
            settled = enumerate(self.reduction.settled.tolist())
            yield from (f"settled {candidate_name(self.geometry, *pair)}" for pair in settled if pair[1])


def compile_reduction(reduction: Reduction, encoding: Encoding) -> ReducedCnf:
    """Compile what a reduction left open."""
    if reduction.contradiction:
        return ReducedCnf(reduction, encoding, 0, (np.zeros((1, 0), dtype=np.int32),))
    compiler = _Compiler(reduction)
    for place in range(len(reduction.groups)):
        table = "house" if place else "cell"
        at_least_one = bool(encoding.choice(table, "at_least_one"))
        compiler.exactly_one(place, at_least_one, encoding.choice(table, "at_most_one"))
    if not reduction.primitives:
        return ReducedCnf(reduction, encoding, compiler.top, tuple(compiler.blocks))
    rules = _RuleBuilder(reduction, encoding, compiler.top)
    for number, primitive in reduction.primitives:
        look()
        add_primitive(primitive, rules, f"rule {number}")
    blocks = (np.array(clauses, dtype=np.int32) for clauses in _by_length(dict.fromkeys(rules.clauses)))
    return ReducedCnf(reduction, encoding, rules.top, (*compiler.blocks, *blocks))


class _Compiler:
    def __init__(self, reduction: Reduction) -> None:
        self.groups = reduction.groups
        self.real = reduction.real_groups
        self.top = reduction.candidate_count
        self.blocks: list[Integers] = []
        self.sizes = np.bincount(self.groups.ravel(), minlength=self.real + reduction.geometry.order)
        self.pairwise = np.zeros(self.real + reduction.geometry.order, dtype=bool)  # groups whose pairs are written

    def exactly_one(self, place: int, at_least_one: bool, scheme: object) -> None:
        """Clauses for all groups of one row of ``groups``, group size by group size."""
        groups = self.groups[place]
        by_group = np.argsort(groups, kind="stable").astype(np.int32)
        numbers, starts, sizes = np.unique(groups[by_group], return_index=True, return_counts=True)
        for size in np.flatnonzero(np.bincount(sizes)).tolist():
            here = (sizes == size) & (numbers < self.real)
            members = by_group[starts[here][:, None] + np.arange(size)] + np.int32(1)
            new = self.unlike_earlier(place, members)
            members, named = members[new], numbers[here][new]
            if not len(members):
                continue
            if at_least_one:
                self.blocks.append(members)
            if not scheme:
                continue
            template = schemes.find(str(scheme)).template(size)
            if template.auxiliaries:
                self.copies(members, template)
            else:
                self.pairs(place, members)
                self.pairwise[named] = True

    def unlike_earlier(self, place: int, members: Integers) -> Flags:
        """Flag the groups that have not the same candidates as a group of an earlier house, which are stated already.

        After propagation that is usual: what a box has left of a symbol lies in one row, and what the row has, too.
        """
        new = np.ones(len(members), dtype=bool)
        for earlier in self.groups[1:place]:
            groups = earlier[members - 1]
            first = groups[:, 0]
            same = (groups == first[:, None]).all(axis=1) & (first < self.real)
            new &= ~same | (self.sizes[first] != members.shape[1])
        return new

    def pairs(self, place: int, members: Integers) -> None:
        """At most one, pair by pair; a pair that another house has already is left out."""
        one, other = np.triu_indices(members.shape[1], 1)
        first, second = members[:, one].ravel(), members[:, other].ravel()
        new = np.ones(len(first), dtype=bool)
        for earlier in self.groups[1:place]:
            group = earlier[first - 1]
            new &= (group != earlier[second - 1]) | ~self.pairwise[group]
        self.blocks.append(-np.stack((first[new], second[new]), axis=1))

    def copies(self, members: Integers, template: Template) -> None:
        """At most one by a scheme with auxiliaries, of its own for each group."""
        number, added = len(members), template.auxiliaries
        auxiliaries = self.top + 1 + np.arange(number * added, dtype=np.int32).reshape(number, added)
        self.top += number * added
        literals = np.concatenate((members, auxiliaries), axis=1)
        for places, signs in _parts(template):
            self.blocks.append((literals[:, places] * signs).reshape(-1, places.shape[1]))


class _RuleBuilder(Builder):
    """Gathers the clauses of rules over open candidates.

    A candidate that is settled is the literal ``true``, one that is ruled out its negation; neither reaches a clause.
    """

    def __init__(self, reduction: Reduction, encoding: Encoding, top: int) -> None:
        self.order = reduction.geometry.order
        self.choices = {key: str(encoding.choice("rule", key)) for key in Builder.choices}
        self.clauses: list[Clause] = []
        self.true = self.last = top + 1
        self.open: dict[int, dict[int, int]] = {}
        pairs = zip(reduction.cells.tolist(), reduction.symbols.tolist(), strict=True)
        for variable, (cell, symbol) in enumerate(pairs, 1):
            self.open.setdefault(cell, {})[symbol] = variable
        for cell, symbol in enumerate(reduction.settled.tolist()):
            if symbol:
                self.open[cell] = {symbol: self.true}
        self.x = lambda cell, symbol: self.open[cell].get(symbol, -self.true)

    @property
    def top(self) -> int:
        return self.last

    @property
    def size(self) -> int:
        return len(self.clauses)

    def new(self, number: int, label: str) -> int:
        first = self.last + 1
        self.last += number
        return first

    def symbols(self, cell: int) -> Sequence[int]:
        return tuple(self.open[cell])

    def add(self, clause: Sequence[int]) -> None:
        if self.true not in clause:
            open_literals = tuple([literal for literal in clause if literal != -self.true])
            # an empty clause is not for every solver
            self.clauses += [open_literals] if open_literals else [(self.true,), (-self.true,)]

    def at_most_one(self, literals: tuple[int, ...], label: str) -> None:
        super().at_most_one(tuple([literal for literal in literals if literal != -self.true]), label)


def _by_length(clauses: Iterable[Clause]) -> Iterable[list[Clause]]:
    """Return the clauses in lists, each of clauses of one length."""
    by_length: dict[int, list[Clause]] = {}
    for clause in clauses:
        by_length.setdefault(len(clause), []).append(clause)
    return by_length.values()


@lru_cache(maxsize=1024)
def _parts(template: Template) -> tuple[tuple[Integers, Integers], ...]:
    """For each clause length the places of the literals and their signs."""
    parts = [np.array(clauses, dtype=np.int32) for clauses in _by_length(template.clauses)]
    return tuple((np.abs(literals) - np.int32(1), np.sign(literals)) for literals in parts)
