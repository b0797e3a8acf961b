"""rules.json: the rules beyond houses, by kind and parameters, parsed strictly."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from . import choices, count_kinds, line_kinds, pair_kinds, region_kinds  # noqa: F401 -- these state the kinds
from .findings import CheckerLimits, Clock, Refusal, quote
from .machines import KINDS, Part
from .statement import Grid, Layout, json_object

FILE = "rules.json"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its number, from 1, and the parts that have to fit."""

    number: int
    kind: str
    parts: tuple[Part, ...]


DEEPEST = 40
"""Rules inside each other at most."""


def parse_rules(data: bytes, layout: Layout, limits: CheckerLimits, clock: Clock) -> tuple[Rule, ...]:
    """Parse rules.json. A kind without a meaning in this package is refused as ``unknown-rule``."""
    rules = json_object(data, FILE, {"rules"})["rules"]
    if not isinstance(rules, list):
        raise Refusal("bad-rules", f"rules is {quote(rules)}; expected a list", FILE)
    reader = RuleReader(layout, limits.parts, clock)
    parsed: list[Rule] = []
    for number, rule in enumerate(rules, 1):
        parsed.append(reader.read(number, rule))
    return tuple(parsed)


@dataclass(slots=True)
class RuleReader:
    """A reader of rules, one after the other, that are made of at most ``parts`` parts together."""

    layout: Layout
    parts: int
    clock: Clock
    _taken: int = 0

    def read(self, number: int, rule: Any, depth: int = 0) -> Rule:
        """Return a rule, with its parts. depth: the number of rules around it."""
        self.clock.look()
        if not isinstance(rule, dict) or rule.keys() != {"kind", "parameters"}:
            raise Refusal("bad-rules", f"rule {number} is {quote(rule)}; expected kind and parameters", FILE)
        name = rule["kind"]
        values = rule["parameters"]
        if not isinstance(values, dict):
            raise Refusal("bad-rules", f"rule {number} is {quote(rule)}; expected kind and parameters", FILE)
        kind = KINDS.get(name) if isinstance(name, str) else None
        if kind is None:
            raise Refusal("unknown-rule", f"rule {number} is of the kind {quote(name)}, which is unknown here", FILE)
        if values.keys() != kind.parameters.keys():
            expected = ", ".join(kind.parameters) or "none"
            raise Refusal("bad-rules", f"rule {number} ({name}) has {quote(list(values))}; expected {expected}", FILE)
        arguments: dict[str, Any] = {}
        for key, expected in kind.parameters.items():
            if not FITS[expected](values[key], len(self.layout.cells)):
                text = f"rule {number} ({name}): {key} is {quote(values[key])}; expected {expected}"
                raise Refusal("bad-rules", text, FILE)
            if expected == "rules":
                arguments[key] = self._read_inner(number, values[key], depth + 1)
            else:
                arguments[key] = freeze(values[key])
        return Rule(number, name, self._take(kind.parts(self.layout, **arguments)))

    def _read_inner(self, number: int, rules: list[Any], depth: int) -> tuple[tuple[Part, ...], ...]:
        """Return the parts of each of the rules in a rule."""
        if depth > DEEPEST:
            raise Refusal("too-large", f"rule {number} has more than {DEEPEST} rules inside each other", FILE)
        return tuple([self.read(number, rule, depth).parts for rule in rules])

    def _take(self, parts: Iterable[Part]) -> tuple[Part, ...]:
        """Return the parts of a rule, as long as there are not too many of them."""
        room = self.parts - self._taken
        taken = tuple(islice(parts, room + 1))
        self._taken += len(taken)
        if len(taken) > room:
            raise Refusal("too-large", f"the rules are made of more than {self.parts} parts", FILE)
        return taken


def freeze(value: Any) -> Any:
    """Return a value with tuples for lists."""
    if isinstance(value, list):
        return tuple([freeze(element) for element in value])
    return value


def is_list(value: Any, n: int) -> bool:
    """Return whether a value is a list, and not too long: enough for all cells, and for all neighbours."""
    return isinstance(value, list) and len(value) <= max(100, 2 * n)


def is_number(value: Any) -> bool:
    """Return whether a value is a whole number. ``true`` is none, although Python counts it as 1."""
    return type(value) is int


def are_numbers(value: Any, n: int) -> bool:
    """Return whether a value is a list of numbers, perhaps an empty one."""
    return is_list(value, n) and all(is_number(number) for number in value)


def are_cells(value: Any, n: int) -> bool:
    """Return whether a value is a list of one cell or more."""
    return are_numbers(value, n) and bool(value) and all(0 <= cell < n for cell in value)


def are_lines(value: Any, n: int) -> bool:
    """Return whether a value is a list of lists of cells, perhaps an empty one."""
    return is_list(value, n) and all(are_cells(line, n) for line in value)


FITS: dict[str, Callable[[Any, int], bool]] = {
    "number": lambda value, n: is_number(value),
    "number or null": lambda value, n: value is None or is_number(value),
    "flag": lambda value, n: isinstance(value, bool),
    "text": lambda value, n: isinstance(value, str) and len(value) <= 500,
    "states": lambda value, n: isinstance(value, str) and len(value) <= 100_000,
    "consecutive or all": lambda value, n: value in ("consecutive", "all"),
    "rules": lambda value, n: is_list(value, n) and bool(value),
    "numbers": are_numbers,
    "pairs of numbers": lambda value, n: are_numbers(value, n) and len(value) % 2 == 0,  # in one list: [1, 2, 2, 1]
    "cells": are_cells,
    "cells or none": lambda value, n: value == [] or are_cells(value, n),
    "lines": are_lines,
    "pairs of cells": lambda value, n: are_lines(value, n) and all(len(line) == 2 for line in value),
    "two lines of one length": lambda value, n: (
        are_lines(value, n) and len(value) == 2 and len(value[0]) == len(value[1])
    ),
}
"""For each type of a parameter: whether a value from the file, in a puzzle of n cells, is of it."""


def check_rules(grid: Grid, rules: tuple[Rule, ...], layout: Layout, file: str, line: int, clock: Clock) -> None:
    """Refuse a full grid that does not fit every rule. line: where it stands in the file; 0 for no line."""
    for rule in rules:
        for part in rule.parts:
            clock.look()
            if not part.fits(grid):
                cells = " ".join(layout.name(cell) for cell in part.cells)
                text = f"{cells} do not fit rule {rule.number} ({rule.kind})"
                raise Refusal("solution-against-rule", text, file, line)
