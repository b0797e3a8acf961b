"""rules.json: the rules beyond houses, by kind and parameters, parsed strictly, and what their states mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, TypeGuard

from . import line_kinds, pair_kinds  # noqa: F401 -- these state the kinds
from .dimacs import Formula
from .findings import Clock, Limits, Refusal, quote
from .kinds import KINDS, Shape
from .machines import Distinct, Line, Meaning, Part, Unrolled, choice_clauses, distinct_clauses, line_clauses
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
    if not all(_fits(line, "cells", n) for line in value):
        return False
    if expected == "two lines of one length":
        return len(value) == 2 and len(value[0]) == len(value[1])
    return expected == "lines" or all(len(line) == 2 for line in value)


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
    """What some rules say in clauses, over the variables that a formula declares for their states and sets."""

    def __init__(self, rules: Iterable[Rule], unrolled: Unrolled, formula: Formula, file: str) -> None:
        self._rules = {rule.number: rule for rule in rules}
        self._unrolled, self._file = unrolled, file
        self._variables: dict[tuple[int, int, Meaning], int] = {}  # by rule, line and what it says of the line
        self._by_sets: set[tuple[int, int]] = set()  # the lines, by rule and place, that are stated by sets
        numbered = {number: rule.lines for number, rule in self._rules.items()}
        for variable, (of_set, number, place, symbols) in formula.states.items():
            unrolled.clock.look()
            lines = numbered.get(number, [])
            if not 1 <= place <= len(lines):
                text = f"{variable}: rule {number} has no line {place}"
                raise Refusal("bad-definition", text, file)
            meaning = (unrolled.set_of if of_set else unrolled.state_of)(lines[place - 1], symbols)
            if meaning is None or self._variables.setdefault((number, place, meaning), variable) != variable:
                word = "hold the set" if of_set else "begin with"
                text = f"line {place} of rule {number} cannot {word} {quote(symbols)}, or another variable says it"
                raise Refusal("bad-definition", f"{variable}: {text}", file)
            if of_set:
                self._by_sets.add((number, place))

    def clauses(self) -> Iterator[tuple[int, list[int]]]:
        """Every clause of every rule, with the rule's number. Raises ``Refusal`` where a variable is missing."""
        unrolled, n = self._unrolled, self._unrolled.order
        for number, rule in self._rules.items():
            place = 0
            for part in rule.parts:
                unrolled.clock.look()
                place += _numbered(part)
                variable = partial(self._variable, number, place)
                if isinstance(part, Distinct):
                    clauses = distinct_clauses(part.cells, n)
                elif part.choice and (number, place) in self._by_sets:
                    sets = {symbols: variable(symbols) for symbols in unrolled.ways(part)}
                    clauses = choice_clauses(part.choice.groups, sets, n)
                else:
                    clauses = line_clauses(part.cells, unrolled.rows(part), n, variable)
                yield from ((number, clause) for clause in clauses)

    def _variable(self, rule: int, line: int, meaning: Meaning) -> int:
        found = self._variables.get((rule, line, meaning))
        if found is None:
            text = f"no variable says the state or set {quote(meaning)} of line {line} of rule {rule}"
            raise Refusal("rule-missing", text, self._file)
        return found

    def further(self) -> Iterator[list[int]]:
        """What follows from the rules and is not needed to state them: n cells that differ hold every symbol."""
        n = self._unrolled.order
        for rule in self._rules.values():
            for part in rule.parts:
                if isinstance(part, Distinct) and len(set(part.cells)) == len(part.cells) == n:
                    yield from ([cell * n + symbol for cell in part.cells] for symbol in range(1, n + 1))
