"""Reading formula.cnf and proof.drat: one clause on each line, every number bounded before it is used.

A formula may define its auxiliary variables in comments, so that other tools see plain DIMACS: ``c define 730
or 1 10 19`` (730 is true if and only if one of the listed literals is) and ``c define 731 nor 1 10`` (if and
only if none is). A definition lists cell variables and variables defined before it; an empty list makes a
constant. ``c state 732 3 1 5 9`` (732 is true if and only if line 1 of rule 3 begins like 5 9) and ``c set 733
4 1 5 9`` (if and only if line 1 of rule 4 holds the set 5 9) are looked at in ``rules``. All other comments are
for people and are not read.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field

from .findings import Clock, Limits, Refusal, quote

_PLAIN = b"0123456789- \t"


@dataclass(slots=True)
class Formula:
    """clauses: literals as written. lines: where each clause stands. definitions: for each defined variable,
    in order, a literal of it and disjuncts: the literal is true if and only if one of these is (``nor``
    defines its negation). states: for each variable of a rule, whether it speaks of a set, then
    rule, line and symbols."""

    variables: int = 0
    clauses: list[list[int]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    definitions: dict[int, tuple[int, list[int]]] = field(default_factory=dict)
    states: dict[int, tuple[bool, int, int, tuple[int, ...]]] = field(default_factory=dict)

    def knows(self, variable: int) -> bool:
        """Whether a variable beyond the cells is defined."""
        return variable in self.definitions or variable in self.states


def _lines(data: bytes, file: str, limits: Limits, clock: Clock) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(io.BytesIO(data), 1):
        if len(line) > limits.line_bytes:
            raise Refusal(
                "too-large", f"a line has {len(line)} bytes; at most {limits.line_bytes} are read", file, number
            )
        if not number & 0x3FFF:
            clock.look()
        yield number, line.rstrip(b"\r\n")


def _numbers(text: bytes, file: str, line: int, what: str) -> list[int]:
    try:
        if text.translate(None, _PLAIN):  # int() would also take '+1', '1_0' and other things that solvers do not
            raise ValueError
        return list(map(int, text.split()))
    except ValueError:
        raise Refusal(what, f"{quote(text)}; expected whole numbers", file, line) from None


def _clause(text: bytes, file: str, line: int, what: str, top: int) -> list[int]:
    numbers = _numbers(text, file, line, what)
    if not numbers or numbers.pop() != 0 or 0 in numbers:
        raise Refusal(what, f"{quote(text)}; expected literals and a closing 0 on one line", file, line)
    if numbers and (max(numbers) > top or min(numbers) < -top):
        raise Refusal(what, f"{quote(text)} names a variable above {top}, the largest one here", file, line)
    return numbers


def parse_formula(data: bytes, file: str, cells: int, limits: Limits, clock: Clock) -> Formula:
    """The formula; variables 1 .. cells are the cell variables. Raises ``Refusal``."""
    formula, promised, held, what = Formula(), -1, 0, "bad-formula"
    for number, line in _lines(data, file, limits, clock):
        if line[:1] == b"c":
            if line.split(b" ", 2)[:2] in ([b"c", b"define"], [b"c", b"state"], [b"c", b"set"]):
                _declare(formula, line, file, number, cells, limits)
            continue
        if promised < 0:
            words = line.split()
            if len(words) != 4 or words[:2] != [b"p", b"cnf"]:
                raise Refusal("bad-header", f"{quote(line)}; expected 'p cnf VARIABLES CLAUSES'", file, number)
            formula.variables, promised = _numbers(b" ".join(words[2:]), file, number, "bad-header")
            if not cells <= formula.variables <= limits.variables or promised < 0:
                text = f"{quote(line)}; expected from {cells} to {limits.variables} variables"
                raise Refusal("bad-header", text, file, number)
            continue
        clause = _clause(line, file, number, what, formula.variables)
        held += len(clause) + 1
        if held > limits.literals:
            raise Refusal("too-large", f"the formula has more than {limits.literals} literals", file, number)
        formula.clauses.append(clause)
        formula.lines.append(number)
    if len(formula.clauses) != promised:
        text = f"there are {len(formula.clauses)} clauses, but the header says {promised}"
        raise Refusal("bad-header", text if promised >= 0 else "the line 'p cnf VARIABLES CLAUSES' is missing", file)
    if (top := max([*formula.definitions, *formula.states], default=0)) > formula.variables:
        raise Refusal("bad-definition", f"{top} is defined, but is beyond the header's count of variables", file)
    return formula


def _declare(formula: Formula, line: bytes, file: str, number: int, cells: int, limits: Limits) -> None:
    """Reads a comment that says what a variable means."""
    what = "bad-definition"
    _, word, *words = line.split()
    sign = words.pop(1) if word == b"define" and len(words) > 1 else b""
    numbers = _numbers(b" ".join(words), file, number, what)
    if not (numbers and sign in (b"or", b"nor") if word == b"define" else len(numbers) >= 4):
        usage = "'c define VARIABLE or|nor LITERALS', 'c state|set VARIABLE RULE LINE SYMBOLS'"
        raise Refusal(what, f"{quote(line)}; expected one of {usage}", file, number)
    variable, *listed = numbers
    if not cells < variable <= limits.variables or formula.knows(variable):
        text = f"{quote(line)}; expected a new variable above the cell variables 1 to {cells}"
        raise Refusal(what, text, file, number)
    if word != b"define":
        formula.states[variable] = (word == b"set", listed[0], listed[1], tuple(listed[2:]))
        return
    for literal in listed:
        if literal == 0 or (abs(literal) > cells and not formula.knows(abs(literal))):
            raise Refusal(what, f"{literal} is neither a cell variable nor defined before", file, number)
    formula.definitions[variable] = (variable if sign == b"or" else -variable, listed)


def parse_proof(data: bytes, file: str, limits: Limits, clock: Clock) -> Iterator[tuple[int, bool, list[int]]]:
    """The steps of a textual DRAT proof: line, whether it deletes, and the clause as written (pivot
    first)."""
    if data[:1] == b"a" or data.translate(None, bytes(range(32, 127)) + b"\t\r\n"):
        raise Refusal("binary-proof", "this is not text, but perhaps a binary proof; expected textual DRAT", file)
    for number, line in _lines(data, file, limits, clock):
        if not line or line[:1] == b"c":
            continue
        deletes = line[:2] == b"d "
        yield (
            number,
            deletes,
            _clause(line[2:] if deletes else line, file, number, "bad-proof", limits.variables),
        )
