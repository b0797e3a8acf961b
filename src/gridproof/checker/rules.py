"""rules.json: the rules beyond houses, by kind and parameters, parsed strictly, and what their states mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from .dimacs import Formula
from .findings import Refusal, quote
from .kinds import KINDS, Shape
from .machines import Distinct, Line, Part, Unrolled, distinct_clauses, line_clauses
from .statement import cell_name, json_object

FILE = "rules.json"
_LONGEST_TEXT = 500


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its number, from 1, and what has to fit."""

    number: int
    kind: str
    parts: tuple[Part, ...]

    @property
    def lines(self) -> list[Line]:
        """The lines that have a number, from 1: shorter ones have no states that need a variable."""
        return [part for part in self.parts if isinstance(part, Line) and len(part.cells) > 2]


def parse_rules(data: bytes, shape: Shape) -> tuple[Rule, ...]:
    """The rules. Raises ``Refusal``: ``unknown-rule`` for a kind whose meaning is not known here."""
    rules = json_object(data, FILE, {"rules"})["rules"]
    if not isinstance(rules, list):
        raise Refusal("bad-rules", f"rules is {quote(rules)}; expected a list", FILE)
    return tuple(_rule(number, rule, shape) for number, rule in enumerate(rules, 1))


def _rule(number: int, rule: Any, shape: Shape) -> Rule:
    if not isinstance(rule, dict) or rule.keys() != {"kind", "parameters"} or not isinstance(rule["parameters"], dict):
        raise Refusal("bad-rules", f"rule {number} is {quote(rule)}; expected kind and parameters", FILE)
    name, said = rule["kind"], rule["parameters"]
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise Refusal("unknown-rule", f"rule {number} is of the kind {quote(name)}, which is not known here", FILE)
    if said.keys() != kind.parameters.keys():
        expected = ", ".join(kind.parameters) or "none"
        raise Refusal("bad-rules", f"rule {number} ({name}) has {quote(list(said))}; expected {expected}", FILE)
    for key, expected in kind.parameters.items():
        if not _fits(said[key], expected, shape.order):
            text = f"rule {number} ({name}): {key} is {quote(said[key])}; expected {expected}"
            raise Refusal("bad-rules", text, FILE)
    return Rule(number, name, tuple(kind.parts(shape, **{key: _frozen(value) for key, value in said.items()})))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _fits(value: Any, expected: str, n: int) -> bool:
    if expected in ("number", "number or null"):
        return type(value) is int or (value is None and expected == "number or null")
    if expected == "flag":
        return isinstance(value, bool)
    if expected in ("text", "consecutive or all"):
        known = isinstance(value, str) and len(value) <= _LONGEST_TEXT
        return known and (expected == "text" or value in ("consecutive", "all"))
    if not isinstance(value, list):
        return False
    if expected == "cells":
        return bool(value) and all(type(cell) is int and 0 <= cell < n * n for cell in value)
    if expected in ("numbers", "pairs of numbers"):
        return all(_fits(number, "number", n) for number in value) and (expected == "numbers" or len(value) % 2 == 0)
    sizes = {len(line) if isinstance(line, list) else 0 for line in value}
    return (expected == "lines" or sizes <= {2}) and all(_fits(line, "cells", n) for line in value)


def check_rules(solution: Mapping[int, int], rules: tuple[Rule, ...], file: str) -> None:
    """Raises ``Refusal`` unless the full grid fits every rule."""
    for rule in rules:
        for part in rule.parts:
            if not part.fits(solution):
                order = round(len(solution) ** 0.5)
                cells = " ".join(cell_name(cell, order) for cell in part.cells)
                text = f"{cells} do not fit rule {rule.number} ({rule.kind})"
                raise Refusal("solution-against-rule", text, file)


class Stated:
    """What some rules say in clauses, over the variables that a formula declares for their states."""

    def __init__(self, rules: Iterable[Rule], unrolled: Unrolled, formula: Formula, file: str) -> None:
        self._rules = {rule.number: rule for rule in rules}
        self._unrolled, self._file = unrolled, file
        self._variables: dict[tuple[int, int, int, int], int] = {}
        for variable, (rule, line, symbols) in formula.states.items():
            self._declare(variable, rule, line, symbols)

    def _declare(self, variable: int, rule: int, line: int, symbols: tuple[int, ...]) -> None:
        """``variable`` is true if the line begins like these symbols."""
        lines = self._rules[rule].lines if rule in self._rules else []
        if not 1 <= line <= len(lines):
            raise Refusal("bad-definition", f"{variable}: there is no line {line} of rule {rule} to be stated", self._file)
        if not 2 <= len(symbols) < len(lines[line - 1].cells) or not all(1 <= s <= self._unrolled.order for s in symbols):
            expected = f"2 to {len(lines[line - 1].cells) - 1} symbols"
            raise Refusal("bad-definition", f"{variable}: {quote(symbols)} begins no line of its cells; {expected}", self._file)
        kind = self._unrolled.kind(lines[line - 1], symbols)
        if kind < 0:
            text = f"{variable}: line {line} of rule {rule} cannot begin with {quote(symbols)}"
            raise Refusal("bad-definition", text, self._file)
        if self._variables.setdefault((rule, line, len(symbols), kind), variable) != variable:
            text = f"{variable}: what begins like {quote(symbols)} has a variable already"
            raise Refusal("bad-definition", text, self._file)

    def clauses(self) -> Iterator[tuple[int, list[int]]]:
        """Every clause of every rule, with the rule's number. Raises ``Refusal`` where a variable is missing."""
        n = self._unrolled.order
        for number, rule in self._rules.items():
            place = 0
            for part in rule.parts:
                if isinstance(part, Distinct):
                    clauses = distinct_clauses(part.cells, n)
                else:
                    place += len(part.cells) > 2
                    variable = partial(self._variable, number, place)
                    clauses = line_clauses(part.cells, self._unrolled.rows(part), n, variable)
                yield from ((number, clause) for clause in clauses)

    def _variable(self, rule: int, line: int, length: int, kind: int) -> int:
        found = self._variables.get((rule, line, length, kind))
        if found is None:
            text = f"a state after {length} cells of line {line} of rule {rule} has no variable"
            raise Refusal("rule-missing", text, self._file)
        return found

    def further(self) -> Iterator[list[int]]:
        """What follows from the rules and is not needed to state them: n cells that differ hold every symbol."""
        n = self._unrolled.order
        for rule in self._rules.values():
            for part in rule.parts:
                if isinstance(part, Distinct) and len(set(part.cells)) == len(part.cells) == n:
                    yield from ([cell * n + symbol for cell in part.cells] for symbol in range(1, n + 1))
