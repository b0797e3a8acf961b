"""rules.json: the rules beyond houses, by kind and parameters, parsed strictly, and what their states mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from typing import Any, TypeGuard

from . import line_kinds, pair_kinds  # noqa: F401 -- these state the kinds
from .dimacs import Formula
from .findings import Clock, Limits, Refusal, quote
from .kinds import KINDS, Shape
from .machines import Distinct, Line, Part, Sets, Unrolled, choice_clauses, distinct_clauses, line_clauses
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
        """The lines that have a number, from 1: those of whose states or sets variables may speak."""
        return [part for part in self.parts if _numbered(part)]


def _numbered(part: Part) -> TypeGuard[Line]:
    return isinstance(part, Line) and (len(part.cells) > 2 or part.choice is not None)


def parse_rules(data: bytes, shape: Shape, limits: Limits, clock: Clock) -> tuple[Rule, ...]:
    """The rules. Raises ``Refusal``: ``unknown-rule`` for a kind whose meaning is not known here."""
    rules = json_object(data, FILE, {"rules"})["rules"]
    if not isinstance(rules, list):
        raise Refusal("bad-rules", f"rules is {quote(rules)}; expected a list", FILE)
    found, left = [], limits.parts
    for number, name, parts in (_rule(number, rule, shape) for number, rule in enumerate(rules, 1)):
        clock.look()
        found.append(Rule(number, name, tuple(islice(parts, left + 1))))
        left -= len(found[-1].parts)
        if left < 0:
            raise Refusal("too-large", f"the rules are made of more than {limits.parts} parts", FILE)
    return tuple(found)


def _rule(number: int, rule: Any, shape: Shape) -> tuple[int, str, Iterable[Part]]:
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
    return number, name, kind.parts(shape, **{key: _frozen(value) for key, value in said.items()})


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
    if not isinstance(value, list) or len(value) > max(100, 2 * n * n):  # enough for all cells, and for all neighbours
        return False
    if expected == "cells":
        return bool(value) and all(type(cell) is int and 0 <= cell < n * n for cell in value)
    if expected in ("numbers", "pairs of numbers"):
        return all(_fits(number, "number", n) for number in value) and (expected == "numbers" or len(value) % 2 == 0)
    sizes = {len(line) if isinstance(line, list) else 0 for line in value}
    return (expected == "lines" or sizes <= {2}) and all(_fits(line, "cells", n) for line in value)


def check_rules(solution: Mapping[int, int], rules: tuple[Rule, ...], n: int, file: str, clock: Clock) -> None:
    """Raises ``Refusal`` unless the full grid fits every rule."""
    for rule in rules:
        for part in rule.parts:
            clock.look()
            if not part.fits(solution):
                cells = " ".join(cell_name(cell, n) for cell in part.cells)
                text = f"{cells} do not fit rule {rule.number} ({rule.kind})"
                raise Refusal("solution-against-rule", text, file)


class Stated:
    """What some rules say in clauses, over the variables that a formula declares for their states."""

    def __init__(self, rules: Iterable[Rule], unrolled: Unrolled, formula: Formula, file: str) -> None:
        self._rules = {rule.number: rule for rule in rules}
        self._unrolled, self._file = unrolled, file
        self._states: dict[tuple[int, int, int, int], int] = {}
        self._sets: dict[tuple[int, int], dict[Sets, int]] = {}
        for variable, (of_set, number, place, symbols) in formula.states.items():
            lines = self._rules[number].lines if number in self._rules else []
            if not 1 <= place <= len(lines):
                text = f"{variable}: there is no line {place} of rule {number} to be stated"
                raise Refusal("bad-definition", text, file)
            declare = self._declare_set if of_set else self._declare_state
            if not declare(variable, number, place, lines[place - 1], symbols):
                word = "hold the set" if of_set else "begin with"
                text = f"line {place} of rule {number} cannot {word} {quote(symbols)}, or another variable says so"
                raise Refusal("bad-definition", f"{variable}: {text}", file)

    def _declare_state(self, variable: int, number: int, place: int, line: Line, symbols: tuple[int, ...]) -> bool:
        """``variable`` is true if and only if the line begins like these symbols."""
        if not 2 <= len(symbols) < len(line.cells) or not all(1 <= s <= self._unrolled.order for s in symbols):
            return False
        kind = self._unrolled.kind(line, symbols)
        return kind >= 0 and self._states.setdefault((number, place, len(symbols), kind), variable) == variable

    def _declare_set(self, variable: int, number: int, place: int, line: Line, symbols: tuple[int, ...]) -> bool:
        """``variable`` is true if and only if the groups of the line hold these symbols, 0 between two groups."""
        if line.choice is None or not line.choice.groups:
            return False
        if (number, place) not in self._sets:
            self._sets[number, place] = dict.fromkeys(self._unrolled.ways(line), 0)
        groups = [tuple(group) for zero, group in groupby(symbols, key=bool) if zero]
        known = self._sets[number, place]
        if tuple(groups) not in known or known[tuple(groups)]:
            return False
        known[tuple(groups)] = variable
        return True

    def clauses(self) -> Iterator[tuple[int, list[int]]]:
        """Every clause of every rule, with the rule's number. Raises ``Refusal`` where a variable is missing."""
        n = self._unrolled.order
        for number, rule in self._rules.items():
            place = 0
            for part in rule.parts:
                place += _numbered(part)
                if isinstance(part, Distinct):
                    clauses = distinct_clauses(part.cells, n)
                elif part.choice is not None and (number, place) in self._sets:
                    sets = self._sets[number, place]
                    if not all(sets.values()):
                        raise Refusal(
                            "rule-missing", f"a set of line {place} of rule {number} has no variable", self._file
                        )
                    clauses = choice_clauses(part.choice.groups, sets, n)
                else:
                    variable = partial(self._variable, number, place)
                    clauses = line_clauses(part.cells, self._unrolled.rows(part), n, variable)
                yield from ((number, clause) for clause in clauses)

    def _variable(self, rule: int, line: int, length: int, kind: int) -> int:
        found = self._states.get((rule, line, length, kind))
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
