"""Geometry + encoding -> linear constraints over variables that are 0 or 1, for MIP and pseudo-Boolean solvers.

Variables are numbered as in ``StatementModel``. In files they are called ``r1c1_5`` and ``a730``, or ``x5`` and
``x730``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple, TextIO

from gridproof.models.statements import StatementModel
from gridproof.models.targets import Target
from gridproof.models.variables import Clause
from gridproof.puzzle.board import Board
from gridproof.rules.primitives import Sum
from gridproof.runs.interrupts import ctrl_c_waits

TERMS_OF_A_LINE = 10
"""Terms of a line in LP format: readers may refuse long lines."""


class Row(NamedTuple):
    """The terms (variable -> coefficient) add up to at least ``bound``, or to ``bound`` if ``equal``."""

    terms: dict[int, int]
    bound: int
    equal: bool = False


class LinearModel(StatementModel[Row]):
    """Houses and rules as rows."""

    def houses(self) -> Iterator[Row]:
        houses_are_equal = self.encoding.choice("house", "constraint") == "equal"
        for group in self.cell_groups():
            yield Row(dict.fromkeys(group, 1), 1, True)
        for group, is_full in self.house_groups():
            if is_full and houses_are_equal:
                yield Row(dict.fromkeys(group, 1), 1, True)
            else:
                yield Row(dict.fromkeys(group, -1), -1)

    def clause(self, literals: Iterable[int]) -> Row:
        return at_least(literals, 1)

    def at_most(self, literals: Clause) -> Iterator[Row]:
        yield at_least([-literal for literal in literals], len(literals) - 1)

    def weighted(self, total: Sum, unless: Clause) -> Iterator[Row]:
        terms: Counter[int] = Counter()
        for cell, weight in zip(total.cells, total.coefficients, strict=True):
            for symbol, variable in enumerate(self.x.of_cell(cell), 1):
                terms[variable] += weight * symbol
        if not unless:
            yield Row(dict(terms), total.total, True)
            return
        least = 0
        greatest = 0
        for weight in total.coefficients:
            least += min(weight, weight * self.symbol_count)
            greatest += max(weight, weight * self.symbol_count)
        yield self._at_least_unless(terms, total.total, least, unless)
        negated = {variable: -weight for variable, weight in terms.items()}
        yield self._at_least_unless(negated, -total.total, -greatest, unless)

    def _at_least_unless(self, terms: Mapping[int, int], bound: int, least: int, unless: Clause) -> Row:
        """Return that terms reach a bound, or one of some literals is true. least: the least that they add up to."""
        lack = max(bound - least, 0)  # a literal that is true makes up for whatever the sum lacks
        made_up = at_least(unless, 0)
        row = Counter(terms)
        for variable, weight in made_up.terms.items():
            row[variable] += lack * weight
        return Row(dict(row), bound + lack * made_up.bound)

    def name_of(self, variable: int) -> str:
        """Return the name of a variable in files."""
        if variable not in self.x.numbers:
            return f"a{variable}"
        cell, symbol = self.x.of(variable)
        return f"{self.geometry.cell_name(cell)}_{symbol}"

    def names(self, readable: bool) -> list[str]:
        """Return the names of all variables in files, by their numbers."""
        names = [""]  # there is no variable 0
        for variable in range(1, self.top + 1):
            names.append(self.name_of(variable) if readable else f"x{variable}")
        return names


def at_least(literals: Iterable[int], number: int) -> Row:
    """Return that so many of the literals are true: one that is negated counts 1 minus its variable."""
    terms: Counter[int] = Counter()
    bound = number
    for literal in literals:
        if literal > 0:
            terms[literal] += 1
        else:
            terms[-literal] -= 1
            bound -= 1
    return Row(dict(terms), bound)


def write_terms(row: Row, names: Sequence[str]) -> list[str]:
    """Return a row's terms as text, such as ``+1 x5``."""
    return [f"{weight:+d} {names[variable]}" for variable, weight in row.terms.items() if weight]


def _write_opb(model: LinearModel, out: TextIO, board: Board | None, names: bool) -> None:
    """Write the format of the pseudo-Boolean competitions, which calls variables x1, x2 and so on."""
    rows = list(model.statements(board))
    out.write(f"* #variable= {model.top} #constraint= {len(rows)}\n")
    model.write_remarks(out, "*", names)
    if names:
        out.writelines(f"* x{number} {model.name_of(number)}\n" for number in model.x.numbers)
    variables = model.names(False)
    for row in rows:
        terms = write_terms(row, variables) or ["+0 x1"]  # a sum of nothing has to have a term
        relation = "=" if row.equal else ">="
        out.write(f"{' '.join(terms)} {relation} {row.bound} ;\n")


def _write_lp(model: LinearModel, out: TextIO, board: Board | None, names: bool) -> None:
    """Write the LP format of CPLEX."""
    model.write_remarks(out, "\\", names)
    variables = model.names(names)
    out.write(f"Minimize\n obj: 0 {variables[1]}\nSubject To\n")
    for number, row in enumerate(model.statements(board), 1):
        terms = write_terms(row, variables) or [f"+0 {variables[1]}"]
        lines = [" ".join(terms[first : first + TERMS_OF_A_LINE]) for first in range(0, len(terms), TERMS_OF_A_LINE)]
        left = "\n  ".join(lines)
        relation = "=" if row.equal else ">="
        out.write(f" c{number}: {left} {relation} {row.bound}\n")
    out.write("Binary\n")
    out.writelines(f" {name}\n" for name in variables[1:])
    out.write("End\n")


def _write_mps(model: LinearModel, out: TextIO, board: Board | None, names: bool) -> None:
    """Write free MPS, by OR-Tools."""
    with ctrl_c_waits():  # broken into, it cannot be imported any more
        from ortools.linear_solver.python import model_builder

    exported: Any = model_builder.Model()  # type: ignore[no-untyped-call]
    variables: list[Any] = [None]  # there is no variable 0
    for name in model.names(names)[1:]:
        variables.append(exported.new_bool_var(name))
    for terms, bound, equal in model.statements(board):
        factors = [variables[variable] for variable in terms]
        total = model_builder.LinearExpr.weighted_sum(factors, list(terms.values()))
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
