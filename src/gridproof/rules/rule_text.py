"""A rule as users state it, before it has a board: ``killer 15 r1c1 r1c2 r2c1``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeAlias

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import whole_number
from gridproof.rules.cells import read_cells
from gridproof.rules.rule import LARGEST_NUMBER, REQUIRED, Parameter, Rule
from gridproof.text import describe_value, quote

_CHESS_CELL = re.compile(r"[A-Za-z][0-9]{1,2}(?:-[A-Za-z][0-9]{1,2})?")
"""Cells as other programs call them: their letters are rows for some people, and columns for others."""


@dataclass(frozen=True)
class RuleText:
    """A rule before it has a board: a kind, values in order, and values by name.

    Attributes
    ----------
    kind : type
        The kind of the rule.
    values : tuple
        Values of its parameters, in their order.
    named : tuple of (str, object)
        Names of further parameters, each with its value.

    Examples
    --------
    >>> from gridproof import Geometry
    >>> from gridproof.rules import parse_rule
    >>> text = parse_rule("killer 5 r1c1 r1c2")
    >>> text.make(Geometry.classic(2)).sentence(Geometry.classic(2))
    'the killer cage r1c1 r1c2 sums to 5'
    """

    kind: type[Rule]
    values: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...] = ()

    def make(self, geometry: Geometry) -> Rule:
        """Return the rule on boards of a geometry.

        Returns
        -------
        Rule

        Raises
        ------
        InputError
            If a parameter is missing, unknown, stated twice or of another type, or if the rule makes no sense as
            stated. ``OffBoard`` if it names cells that the board does not have.
        """
        try:
            rule = self.kind(**_read_values(self, geometry))
            reason = rule.invalid_reason(geometry)
            if reason:
                raise InputError(reason)
        except InputError as problem:
            what = f"the rule {quote(str(self), 200)}: {problem}; usage: {self.kind.usage()}"
            raise type(problem)(what) from None
        return rule

    def __str__(self) -> str:
        bare = {p.name for p in self.kind.parameters() if p.type in ("cells", "lines", "rules")}
        words = [self.kind.kind]
        words += [show_value(value) for value in self.values]
        for name, value in self.named:
            text = show_value(value)
            words.append(text if name in bare else f"{name}={text}")
        return " ".join(words)


AnyRule: TypeAlias = Rule | RuleText | str | PurePath | type[Rule]
"""A rule, or whatever ``Board.with_rules`` takes for one."""


def check_rule(rule: Rule, geometry: Geometry) -> Rule:
    """Return a rule that makes sense on boards of a geometry; raises ``InputError`` for another one."""
    reason = rule.invalid_reason(geometry)
    if reason:
        raise InputError(f"a rule of the kind {rule.kind}: {reason}")
    return rule


def show_value(value: Any) -> str:
    """Return the value of a parameter as it stands in a text; several lines are separated by ``/``."""
    if isinstance(value, RuleText):
        return f"[ {value} ]"
    if isinstance(value, (tuple, list)):
        has_lines = bool(value) and isinstance(value[0], (tuple, list))
        texts = [show_value(entry) for entry in value]
        return (" / " if has_lines else " ").join(texts)
    return value if isinstance(value, str) else describe_value(value)


# ---- values of the right types ---------------------------------------------------------------------------------------


def _read_values(text: RuleText, geometry: Geometry) -> Mapping[str, Any]:
    """Return a value of the right type for each parameter of the kind that is stated."""
    parameters = {p.name: p for p in text.kind.parameters()}
    given: dict[str, Any] = {}
    for name, value in text.named:
        if name not in parameters:
            raise InputError(f"no parameter is called {name!r}; expected one of {', '.join(parameters) or 'none'}")
        if name in given:
            raise InputError(f"{name} is stated twice, as {show_value(given[name])} and as {show_value(value)}")
        given[name] = value
    unstated = [p for p in parameters.values() if p.name not in given]
    given |= _share_values(text.values, unstated)
    for p in parameters.values():
        if p.name not in given and p.default is REQUIRED:
            raise InputError(f"{p.name} is missing: {p.help}")
    read: dict[str, Any] = {}
    for name, value in given.items():
        if parameters[name].type != "rules":
            read[name] = _read_value(parameters[name], value, geometry)
    name_of_rules = text.kind.name_of_rules()
    if name_of_rules in given:
        read[name_of_rules] = _read_rules(given[name_of_rules], text.kind.board_inside(geometry, read))
    return read


def _share_values(values: Sequence[Any], unstated: Sequence[Parameter]) -> dict[str, Any]:
    """Give the values that are stated without a name to the parameters that have none, in order.

    A parameter of numbers or rules takes all that are left, and so does a text that comes last.
    """
    takers = [p for p in unstated if p.type not in ("cells", "lines", "flag")]
    rest = list(values)
    given: dict[str, Any] = {}
    for p in takers:
        if not rest:
            break
        if p.type in ("numbers", "rules"):
            given[p.name] = tuple(rest)
            rest = []
        elif p.type == "text" and p is takers[-1]:
            given[p.name] = show_value(rest)
            rest = []
        else:
            given[p.name] = rest.pop(0)
    for value in rest:
        if isinstance(value, str) and _CHESS_CELL.fullmatch(value):
            raise InputError(f"{quote(value)} is no cell; cells are called r1c1 (row 1, column 1), runs r1c1-r1c5")
    if rest:
        raise InputError(f"{quote(show_value(rest))} is one value too many")
    return given


def _read_value(p: Parameter, value: Any, geometry: Geometry) -> Any:
    """Return a value in the type of its parameter."""
    if p.type in ("cells", "lines", "numbers") and not isinstance(value, Iterable):
        value = (value,)
    match p.type:
        case "cells":
            return _read_line(value, geometry)
        case "lines":
            return _read_lines(value, geometry)
        case "number":
            return _read_number(p, value)
        case "numbers":
            words = value.replace(",", " ").split() if isinstance(value, str) else value
            return tuple([_read_number(p, word) for word in words])
        case "flag":
            word = str(value).lower()
            if word not in ("true", "false", "yes", "no", "1", "0"):
                raise InputError(f"{p.name} = {value!r}; expected yes or no")
            return word in ("true", "yes", "1")
    return str(value)


def _read_rules(value: Any, geometry: Geometry) -> tuple[Rule, ...]:
    """Return the rules of a choice."""
    rules: list[Rule] = []
    for entry in value if isinstance(value, (tuple, list)) else [value]:
        if isinstance(entry, RuleText):
            rules.append(entry.make(geometry))
        elif isinstance(entry, Rule):
            rules.append(check_rule(entry, geometry))
        else:
            expected = "expected rules in brackets that stand between blanks, such as [ killer 15 r1c1 r1c2 ]"
            raise InputError(f"{quote(describe_value(entry))}; {expected}")
    return tuple(rules)


def _read_number(p: Parameter, value: Any) -> int:
    number = whole_number(value)
    if number is None and isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,18}\s*", value):
        number = int(value)
    if number is None or abs(number) > LARGEST_NUMBER:
        raise InputError(f"{p.name} = {quote(show_value(value))}; expected a whole number ({p.help})")
    return number


def _read_lines(value: Any, geometry: Geometry) -> tuple[tuple[int, ...], ...]:
    """Return lines of cells; a list of numbers is one line."""
    lines: list[Any] = value.split("/") if isinstance(value, str) else list(value)
    if lines and all(whole_number(entry) is not None for entry in lines):
        lines = [lines]
    return tuple([_read_line(line, geometry) for line in lines])


def _read_line(value: Any, geometry: Geometry) -> tuple[int, ...]:
    """Return a line of cells, each by its name or its number; a name may be that of a house or a run."""
    if isinstance(value, str):
        return read_cells(value, geometry)
    if not isinstance(value, Iterable):
        expected = "expected names such as r1c1, or numbers from 0"
        raise InputError(f"{describe_value(value)[:60]} for a line of cells; {expected}")
    cells: list[int] = []
    for entry in value:
        cells += read_cells(entry, geometry) if isinstance(entry, str) else (entry,)
    return tuple(cells)
