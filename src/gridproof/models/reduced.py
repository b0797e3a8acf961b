"""Board + encoding -> only the variables and clauses that the board leaves open, as arrays.

The idea is Kwon and Jain's ("Optimized CNF encoding for Sudoku puzzles", 2006): a candidate that the clues settle or
rule out needs no variable, a clause that they satisfy need not be written. Here the clues are propagated to a fixpoint
first (``propagation``), so that far less is left. What it takes is another formula for each board, which pays for a
large board alone; many boards of one small shape are better served by a session that holds all rules.

The clauses of an at-most-one scheme for one size of a group are a template, which array indexing copies to every group
of that size. This module exists for NumPy and imports it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from gridproof.models import schemes
from gridproof.models.clauses import ClauseList, Clauses
from gridproof.models.cnf_rules import add_all
from gridproof.models.propagation import Integers, Reduction
from gridproof.models.schemes import Template
from gridproof.models.targets import Encoding
from gridproof.models.variables import CellVariables, Clause, Variables, candidate_name
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple

_AT_A_TIME = 1 << 15
"""Clauses that are Python lists at the same time; all others stay arrays."""


class OpenCandidates(CellVariables):
    """The block of variables of a large board: variable v (from 1) is the open candidate v-1 of its ``reduction``."""

    def __init__(self, reduction: Reduction) -> None:
        super().__init__(reduction.geometry)
        self.reduction = reduction

    @property
    def numbers(self) -> range:
        return range(1, self.reduction.candidate_count + 1)

    def of(self, literal: int) -> tuple[int, int]:
        place = abs(literal) - 1
        return int(self.reduction.cells[place]), int(self.reduction.symbols[place])

    def of_grid(self, grid: SymbolTuple, board: Board | None = None) -> list[int]:
        true = np.array(grid, dtype=np.int32)[self.reduction.cells] == self.reduction.symbols
        return [int(place) + 1 for place in np.flatnonzero(true)]

    def of_board(self, board: Board) -> list[int]:
        """None: the board is in the clauses."""
        return []

    def decode(self, true: Sequence[int]) -> SymbolTuple:
        """Return the grid of the candidates that are true, beside what is settled."""
        grid = self.reduction.settled.copy()
        places = np.array(true, dtype=np.int32) - 1
        grid[self.reduction.cells[places]] = self.reduction.symbols[places]
        return tuple(grid.tolist())


class ReducedCnf(Clauses):
    """The open candidates of a board, and what must hold of them, as clauses.

    blocks: arrays of 32-bit literals, one clause in each row, all of a block of the same length. clauses: those of
    rules. After a contradiction there is nothing but the empty clause.
    """

    def __init__(
        self,
        reduction: Reduction,
        encoding: Encoding,
        variables: Variables,
        blocks: Sequence[Integers],
        clauses: Sequence[Clause],
    ) -> None:
        clause_count = len(clauses) + sum(len(block) for block in blocks)
        super().__init__(reduction.problem, encoding, variables, clause_count)
        self.reduction = reduction
        self.blocks = blocks
        self.clauses = clauses

    def pieces(self) -> Iterator[Sequence[Sequence[int]]]:
        """The clauses as lists, a piece at a time."""
        for block in self.blocks:
            for first in range(0, len(block), _AT_A_TIME):
                yield block[first : first + _AT_A_TIME].tolist()
        yield self.clauses

    def remarks(self, names: bool) -> Iterator[str]:
        """Yield the symbols that are settled already, or the contradiction, and the names."""
        yield from super().remarks(names)
        yield "one board: what its clues leave open"
        if self.reduction.contradiction:
            yield "contradiction: propagation leaves no candidate for a cell, or no place for a symbol"
        elif names:
            settled = enumerate(self.reduction.settled.tolist())
            yield from (f"settled {candidate_name(self.geometry, *pair)}" for pair in settled if pair[1])


def compile_reduction(reduction: Reduction, encoding: Encoding) -> ReducedCnf:
    """Compile what a reduction left open."""
    variables = Variables(OpenCandidates(reduction))
    if reduction.contradiction:
        return ReducedCnf(reduction, encoding, variables, (), [()])
    blocks: list[Integers] = []
    for place in range(len(reduction.groups)):
        table = "house" if place else "cell"
        at_least_one = encoding.choice(table, "at_least_one")
        scheme = encoding.choice(table, "at_most_one")
        for members in _groups(reduction, place):
            if at_least_one:
                blocks.append(members)
            if scheme:
                template = schemes.find(str(scheme)).template(members.shape[1])
                label = f"{table}s {place}, {members.shape[1]} open"
                first = variables.add(len(members) * template.auxiliaries, label, str(scheme))
                new = np.arange(first, variables.count + 1, dtype=np.int32).reshape(len(members), template.auxiliaries)
                blocks += _clauses(reduction, place, members, new, template)
    if not reduction.primitives:
        return ReducedCnf(reduction, encoding, variables, blocks, ())
    rules = OpenBuilder(reduction, variables)
    for number, primitive in reduction.primitives:
        add_all((primitive,), rules, f"rule {number}")
    return ReducedCnf(reduction, encoding, variables, blocks, list(dict.fromkeys(rules.clauses)))


def _groups(reduction: Reduction, place: int) -> Iterator[Integers]:
    """Yield the literals of the groups of one row of ``groups``, those of one size together, a group in each row.

    A group with the same candidates as one of an earlier house is left out. After propagation that is usual: what a
    box has left of a symbol lies in one row, and what the row has, too.
    """
    groups = reduction.groups[place]
    by_group = np.argsort(groups, kind="stable").astype(np.int32)
    numbers, starts, sizes = np.unique(groups[by_group], return_index=True, return_counts=True)
    for size in np.flatnonzero(np.bincount(sizes)).tolist():
        here = (sizes == size) & (numbers < reduction.real_groups)
        members = by_group[starts[here][:, None] + np.arange(size)]
        new = np.ones(len(members), dtype=bool)
        for earlier in reduction.groups[1:place]:
            same = earlier[members]
            held = (same == same[:, :1]).all(axis=1) & (same[:, 0] < reduction.real_groups)
            new &= ~held | (np.bincount(earlier)[same[:, 0]] != size)
        if new.any():
            yield members[new] + np.int32(1)


def _clauses(
    reduction: Reduction, place: int, members: Integers, auxiliaries: Integers, template: Template
) -> Iterator[Integers]:
    """Yield "at most one" of each group, with auxiliaries of its own; no pairs that share an earlier house, too."""
    literals = np.concatenate((members, auxiliaries), axis=1)
    for places, signs in _parts(template):
        clauses = (literals[:, places] * signs).reshape(-1, places.shape[1])
        if not template.auxiliaries:
            for earlier in reduction.groups[1:place]:
                group = earlier[-1 - clauses]
                clauses = clauses[(group[:, 0] != group[:, 1]) | (group[:, 0] >= reduction.real_groups)]
        yield clauses


@lru_cache(maxsize=1024)
def _parts(template: Template) -> list[tuple[Integers, Integers]]:
    """For each clause length the places of the literals and their signs."""
    by_length: dict[int, list[Clause]] = {}
    for clause in template.clauses:
        by_length.setdefault(len(clause), []).append(clause)
    parts = [np.array(clauses, dtype=np.int32) for clauses in by_length.values()]
    return [(np.abs(literals) - np.int32(1), np.sign(literals)) for literals in parts]


class OpenBuilder(ClauseList):
    """Gathers the clauses of rules over open candidates.

    A candidate that is settled is the literal ``true``, one that is ruled out its negation; neither reaches a clause.
    """

    has_sums = False

    def __init__(self, reduction: Reduction, variables: Variables) -> None:
        super().__init__(variables)
        self.open: dict[int, dict[int, int]] = {}
        for variable in variables.cells.numbers:
            cell, symbol = variables.cells.of(variable)
            self.open.setdefault(cell, {})[symbol] = variable
        self.true = variables.add(1, "settled", "true")
        for cell, symbol in enumerate(reduction.settled.tolist()):
            if symbol:
                self.open[cell] = {symbol: self.true}
        self.x = lambda cell, symbol: self.open[cell].get(symbol, -self.true)

    def symbols(self, cell: int) -> Sequence[int]:
        return tuple(self.open[cell])

    def add(self, clause: Sequence[int]) -> None:
        if self.true not in clause:
            open_literals = tuple([literal for literal in clause if literal != -self.true])
            # an empty clause is not for every solver
            self.clauses += [open_literals] if open_literals else [(self.true,), (-self.true,)]

    def at_most_one(self, literals: Clause, label: str) -> None:
        super().at_most_one(tuple([literal for literal in literals if literal != -self.true]), label)
