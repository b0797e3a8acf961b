"""Board + encoding -> only the variables and clauses that the board leaves open, as arrays.

The idea is Kwon and Jain's ("Optimized CNF encoding for Sudoku puzzles", 2006): a candidate that the clues settle or
rule out needs no variable, a clause that they satisfy need not be written. Here the clues are propagated to a fixpoint
first (``gridproof.models.large.propagation``), so that far less is left. What it takes is another formula for each board, which pays
for a large board alone; many boards of one small shape are better served by a session that holds all rules.

At-most-one schemes other than pairwise are PySAT's: its clauses for one group of a size are a template, which array
indexing copies to every group of that size. This module exists for NumPy and imports it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TextIO

import numpy as np

from gridproof.errors import EncodingError
from gridproof.models.cnf import scheme_for
from gridproof.models.large.propagation import Flags, Integers, Reduction, reduce

if TYPE_CHECKING:
    from gridproof.limits import Watch
    from gridproof.models.encoding import Encoding
    from gridproof.puzzle.board import Board
    from gridproof.puzzle.geometry import Geometry, Grid

_AT_A_TIME = 1 << 15
"""Clauses that are Python lists at the same time; all others stay arrays."""


@dataclass(frozen=True, eq=False)
class ReducedCnf:
    """What a board leaves open, as clauses.

    Variable v (from 1) is the candidate v-1 of ``reduction``; auxiliaries come after. blocks: arrays of 32-bit
    literals, one clause in each row, all of a block of the same length. After a contradiction they hold nothing but
    the empty clause.
    """

    reduction: Reduction
    encoding: Encoding
    variable_count: int
    blocks: tuple[Integers, ...]

    @property
    def geometry(self) -> Geometry:
        """The geometry of the board."""
        return self.reduction.geometry

    @property
    def clause_count(self) -> int:
        """How many clauses there are."""
        return sum(map(len, self.blocks))

    @property
    def bytes(self) -> int:
        """Bytes of all literals together."""
        return sum(block.nbytes for block in self.blocks)

    def pieces(self) -> Iterator[list[list[int]]]:
        """The clauses as lists, a piece at a time."""
        for block in self.blocks:
            for first in range(0, len(block), _AT_A_TIME):
                yield block[first : first + _AT_A_TIME].tolist()

    def __iter__(self) -> Iterator[list[int]]:
        for piece in self.pieces():
            yield from piece

    def decode(self, model: Sequence[int]) -> Grid:
        """The grid that a model says; ``model`` as PySAT gives it, by variable from 1. 0 in a cell without symbol."""
        reduction = self.reduction
        true = np.array(model[: reduction.candidate_count], dtype=np.int64) > 0
        grid = reduction.settled.copy()
        grid[reduction.cells[: len(true)][true]] = reduction.symbols[: len(true)][true]
        return tuple(grid.tolist())

    def blocking_clause(self, grid: Grid) -> list[int]:
        """The clause that forbids this grid."""
        reduction = self.reduction
        true = np.array(grid, dtype=np.int32)[reduction.cells] == reduction.symbols
        literals: list[int] = (-1 - np.flatnonzero(true)).tolist()
        return literals

    def write_dimacs(self, out: TextIO, *, names: bool = True) -> None:
        """DIMACS CNF. With ``names``, ``c`` lines say what is settled already and what each variable stands for."""
        geometry, reduction = self.geometry, self.reduction
        out.write(f"c gridproof: {' '.join(geometry.description.split())}, encoding {self.encoding.name}, one board\n")
        if reduction.contradiction:
            out.write(f"c contradiction: {' '.join(reduction.contradiction.message.split())}\n")
        elif names:
            settled = [(cell, symbol) for cell, symbol in enumerate(reduction.settled.tolist()) if symbol]
            out.writelines(f"c settled {_candidate(geometry, *pair)}\n" for pair in settled)
            open_ = zip(reduction.cells.tolist(), reduction.symbols.tolist(), strict=True)
            out.writelines(f"c {v} x[{_candidate(geometry, *pair)}]\n" for v, pair in enumerate(open_, 1))
        out.write(f"p cnf {self.variable_count} {self.clause_count}\n")
        for piece in self.pieces():
            out.writelines(" ".join(map(str, [*clause, 0])) + "\n" for clause in piece)


def _candidate(geometry: Geometry, cell: int, symbol: int) -> str:
    return f"{geometry.cell_name(cell)}={geometry.symbol_text(symbol)}"


def compile_reduced(board: Board, encoding: Encoding | None = None, *, watch: Watch | None = None) -> ReducedCnf:
    """Propagate a board and compile what is left; the encoding is ``reduced`` unless another one is given.

    Raises ``EncodingError`` for an encoding without ``clues = "propagated"``, and ``Interrupted`` when the time of
    ``watch`` is over.
    """
    if encoding is None:
        from gridproof.models import catalog

        encoding = catalog.load("reduced")
    if not encoding.propagated:
        raise EncodingError(f'encoding {encoding.name!r} does not propagate; expected one with clues = "propagated"')
    return compile_reduction(reduce(board, watch), encoding)


def compile_reduction(reduction: Reduction, encoding: Encoding) -> ReducedCnf:
    """Compile what a reduction left open."""
    if reduction.contradiction:
        return ReducedCnf(reduction, encoding, 0, (np.zeros((1, 0), dtype=np.int32),))
    compiler = _Compiler(reduction)
    for place in range(len(reduction.groups)):
        table = "house" if place else "cell"
        at_least_one = bool(encoding.choice(table, "at_least_one"))
        compiler.exactly_one(place, at_least_one, encoding.choice(table, "at_most_one"))
    return ReducedCnf(reduction, encoding, compiler.top, tuple(compiler.blocks))


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
            chosen = scheme_for(scheme, size)
            if chosen == "pairwise":
                self.pairs(place, members)
                self.pairwise[named] = True
            elif chosen:
                self.copies(members, chosen)

    def unlike_earlier(self, place: int, members: Integers) -> Flags:
        """Which groups have not the same candidates as a group of an earlier house, which would say the same again.

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

    def copies(self, members: Integers, scheme: str) -> None:
        """At most one by a scheme of PySAT's, with auxiliaries of its own for each group."""
        number, size = members.shape
        auxiliaries, parts = _template(scheme, size)
        added = self.top + 1 + np.arange(number * auxiliaries, dtype=np.int32).reshape(number, auxiliaries)
        self.top += number * auxiliaries
        literals = np.concatenate((members, added), axis=1)
        for places, signs in parts:
            self.blocks.append((literals[:, places] * signs).reshape(-1, places.shape[1]))


@lru_cache(maxsize=1024)
def _template(scheme: str, size: int) -> tuple[int, tuple[tuple[Integers, Integers], ...]]:
    """PySAT's clauses for one group: auxiliaries, and for each clause length the places of its literals and signs."""
    from pysat.card import CardEnc, EncType

    encoded = CardEnc.atmost(list(range(1, size + 1)), bound=1, top_id=size, encoding=getattr(EncType, scheme))
    by_length: dict[int, list[list[int]]] = {}
    for clause in encoded.clauses:
        by_length.setdefault(len(clause), []).append(clause)
    parts = []
    for clauses in by_length.values():
        literals = np.array(clauses, dtype=np.int32)
        parts.append((np.abs(literals) - np.int32(1), np.sign(literals)))
    return max(encoded.nv - size, 0), tuple(parts)
