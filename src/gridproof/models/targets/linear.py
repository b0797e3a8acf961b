"""Geometry + encoding -> linear constraints over variables that are 0 or 1, for MIP and pseudo-Boolean solvers.

Variables are numbered as in ``Stated``; in files they are called ``r1c1_5`` and ``a730``, or ``x5`` and ``x730``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Any, NamedTuple, TextIO

from gridproof.models.stated import Stated
from gridproof.models.targets import Target
from gridproof.models.variables import Clause
from gridproof.puzzle.board import Board
from gridproof.rules.primitives import Sum
from gridproof.runs.interrupts import ctrl_c_waits


class Row(NamedTuple):
    """The terms (variable -> coefficient) add up to at least ``bound``, or to ``bound`` if ``equal``."""

    terms: dict[int, int]
    bound: int
    equal: bool = False


class LinearModel(Stated[Row]):
    """Houses and rules as rows."""

    def houses(self) -> Iterator[Row]:
        cells = self.geometry.cell_count
        equal = self.encoding.choice("house", "constraint") == "equal"
        for number, group in enumerate(self.groups()):
            yield (
                Row(dict.fromkeys(group, 1), 1, True) if equal or number < cells else Row(dict.fromkeys(group, -1), -1)
            )

    def clause(self, literals: Iterable[int]) -> Row:
        return Row(*_sum_of(literals, 1))

    def at_most(self, literals: Clause) -> Iterator[Row]:
        yield Row(*_sum_of([-literal for literal in literals], len(literals) - 1))

    def weighted(self, total: Sum, unless: Clause) -> Iterator[Row]:
        terms: Counter[int] = Counter()
        for cell, weight in zip(total.cells, total.coefficients, strict=True):
            for symbol, variable in enumerate(self.x.of_cell(cell), 1):
                terms[variable] += weight * symbol
        if not unless:
            yield Row(dict(terms), total.total, True)
            return
        ends = [sorted((weight, weight * self.order)) for weight in total.coefficients]
        for sign, most in ((1, -sum(low for low, _ in ends)), (-1, sum(high for _, high in ends))):
            # a literal that is true makes up for whatever the sum lacks
            slack = max(sign * total.total + most, 0)
            offsets, bound = _sum_of(unless, 0)
            row = Counter({variable: sign * weight for variable, weight in terms.items()})
            row.update({variable: slack * weight for variable, weight in offsets.items()})
            yield Row(dict(row), sign * total.total + slack * bound)

    def called(self, variable: int) -> str:
        """Return the name of a variable in files."""
        if variable not in self.x.numbers:
            return f"a{variable}"
        cell, symbol = self.x.of(variable)
        return f"{self.geometry.cell_name(cell)}_{symbol}"

    def names(self, readable: bool) -> list[str]:
        """Return the names of all variables in files, by their numbers."""
        return ["", *(self.called(v) if readable else f"x{v}" for v in range(1, self.top + 1))]


def _sum_of(literals: Iterable[int], bound: int) -> tuple[dict[int, int], int]:
    """Terms and bound of "at least so many of the literals are true"."""
    terms: Counter[int] = Counter()
    for literal in literals:
        terms[abs(literal)] += 1 if literal > 0 else -1
        bound -= literal < 0
    return dict(terms), bound


def _terms(row: Row, called: Sequence[str]) -> str:
    return " ".join(f"{weight:+d} {called[variable]}" for variable, weight in row.terms.items() if weight)


def _write_opb(model: LinearModel, out: TextIO, board: Board | None, names: bool) -> None:
    """Write the format of the pseudo-Boolean competitions, which calls variables x1, x2 and so on."""
    rows = list(model.statements(board))
    out.write(f"* #variable= {model.top} #constraint= {len(rows)}\n")
    model.write_remarks(out, "*", names)
    if names:
        out.writelines(f"* x{number} {model.called(number)}\n" for number in model.x.numbers)
    called = model.names(False)
    for row in rows:
        # a sum of nothing has to have a term
        out.write(f"{_terms(row, called) or '+0 x1'} {'=' if row.equal else '>='} {row.bound} ;\n")


def _write_lp(model: LinearModel, out: TextIO, board: Board | None, names: bool) -> None:
    """Write the LP format of CPLEX."""
    model.write_remarks(out, "\\", names)
    called = model.names(names)
    out.write(f"Minimize\n obj: 0 {called[1]}\nSubject To\n")
    for number, row in enumerate(model.statements(board), 1):
        terms = _terms(row, called).split(" ") if any(row.terms.values()) else ["+0", called[1]]
        # readers may refuse long lines
        lines = [" ".join(terms[first : first + 20]) for first in range(0, len(terms), 20)]
        out.write(f" c{number}: {f'{chr(10)}  '.join(lines)} {'=' if row.equal else '>='} {row.bound}\n")
    out.writelines(["Binary\n", *(f" {name}\n" for name in called[1:]), "End\n"])


def _write_mps(model: LinearModel, out: TextIO, board: Board | None, names: bool) -> None:
    """Write free MPS, by OR-Tools."""
    with ctrl_c_waits():  # broken into, it cannot be imported any more
        from ortools.linear_solver.python import model_builder

    exported: Any = model_builder.Model()  # type: ignore[no-untyped-call]
    variables = [None, *map(exported.new_bool_var, model.names(names)[1:])]
    for terms, bound, equal in model.statements(board):
        total = model_builder.LinearExpr.weighted_sum([variables[v] for v in terms], [*terms.values()])
        exported.add_linear_constraint(total, bound, bound if equal else inf)
    model.write_remarks(out, "*", names)
    out.write(exported.export_to_mps_string())


TARGETS = (
    Target(
        name="linear",
        schema={"house": {"constraint": ("equal", "at-most")}},
        default_encoding=lambda problem: "assignment",
        compile=LinearModel,
        formats={"lp": _write_lp, "mps": _write_mps, "opb": _write_opb},
    ),
)
