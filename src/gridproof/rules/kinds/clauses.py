"""Clauses of the user's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit, digit_number
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import OffBoard, read_cells
from gridproof.rules.primitives import AnyOf, Domain, Primitive
from gridproof.rules.rule import Rule, parameter
from gridproof.text import quote

_LITERAL = re.compile(r"(-?)x\[(r\d{1,9}c\d{1,9})=([0-9]{1,9}|[A-Za-z])\]", re.ASCII)


class OwnClauses(Rule):
    """At least one literal of each clause is true.

    The literal ``x[r1c1=5]`` is true if r1c1 holds 5, and ``-x[r1c1=5]`` if it does not. As in DIMACS files, 0 ends a
    clause. The variables are those that ``gridproof compile`` names.
    """

    clauses: str = parameter("text", "literals such as -x[r1c1=5], and 0 after each clause")

    kind = "clauses"
    words = "one literal at least of each clause is true: {clauses}"
    example = "clauses x[r1c1=1] -x[r1c2=2] 0 -x[r1c1=1] x[r2c2=3] 0"

    def __post_init__(self) -> None:
        if not self.clauses.strip():
            raise InputError("no clauses; expected literals such as x[r1c1=5] or -x[r1c1=5], and 0 after each clause")
        self._parsed()

    def _parsed(self) -> list[list[re.Match[str]]]:
        """Return the literals of each clause; the 0 of the last one may be missing."""
        clauses: list[list[re.Match[str]]] = []
        for text in re.split(r"(?:^|\s+)0(?=\s|$)", re.sub(r"\s0\s*$", "", self.clauses)):
            if not text.strip():
                raise InputError("a clause without literals, which nothing fulfils; expected one 0 after each clause")
            clauses.append([])
            for word in text.split():
                match = _LITERAL.fullmatch(word)
                if match is None:
                    expected = "expected such as x[r1c1=5], -x[r1c1=5], or 0"
                    raise InputError(f"{quote(word)} is not a literal; {expected}")
                clauses[-1].append(match)
        return clauses

    def literals(self, geometry: Geometry) -> list[list[tuple[int, int, bool]]]:
        """Return cell, digit and sign of each literal, clause by clause. Raises ``OffBoard``."""

        def literal(match: re.Match[str]) -> tuple[int, int, bool]:
            (cell,) = read_cells(match[2], geometry)
            digit = int(match[3]) if match[3].isdecimal() else digit_number(match[3])
            if digit is None or digit not in geometry.digits:
                raise OffBoard(f"{match[0]!r}: no symbol {match[3]} on a board of {geometry.description}")
            return cell, digit, not match[1]

        clauses = []
        for matches in self._parsed():
            clauses.append([literal(match) for match in matches])
        return clauses

    def invalid_reason(self, geometry: Geometry) -> str | None:
        self.literals(geometry)
        return super().invalid_reason(geometry)

    def scope(self, geometry: Geometry) -> frozenset[int]:
        return frozenset(cell for clause in self.literals(geometry) for cell, _, _ in clause)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        digits = geometry.digits
        for clause in self.literals(geometry):
            options = []
            for cell, stated, sign in clause:
                allowed = [digit for digit in digits if (digit == stated) == sign]
                options.append((Domain.of(cell, allowed, digits),))
            yield AnyOf(tuple(options))

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        for clause in self.literals(geometry):
            if not any((grid[cell] == digit) == sign for cell, digit, sign in clause):
                return False
        return True
