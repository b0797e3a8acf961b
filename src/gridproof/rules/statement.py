"""A rule as users state it, before its board is known: ``killer 15 r1c1 r1c2 r2c1``."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gridproof.errors import InputError, shortened
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import whole_number
from gridproof.rules.catalog import find
from gridproof.rules.cells import OffBoard, looks_like_cells, read_cells
from gridproof.rules.kind import Kind, Parameter
from gridproof.rules.primitives import NEVER, Primitive
from gridproof.rules.rule import REQUIRED, Rule, parameter


@dataclass(frozen=True)
class Statement:
    """A rule before its board is known: a kind, values in order, and values by name.

    Attributes
    ----------
    kind : Kind
        The kind of the rule.
    values : tuple
        Values of its parameters, in their order.
    named : tuple of (str, object)
        Names of further parameters, each with its value.

    Examples
    --------
    >>> from gridproof import Geometry
    >>> statement = parse_rule("killer 5 r1c1 r1c2")
    >>> statement.on(Geometry.classic(2)).sentence(Geometry.classic(2))
    'the killer cage r1c1 r1c2 sums to 5'
    """

    kind: Kind
    values: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...] = ()

    def on(self, geometry: Geometry) -> Rule:
        """Return the rule on boards of a geometry.

        Returns
        -------
        Rule
            A ``Misstated`` rule, which no grid fulfils, if it names cells that the board does not have.

        Raises
        ------
        InputError
            If a parameter is missing, unknown or of another type.
        """
        try:
            rule = self.kind.make(_values(self, geometry))
            if reason := rule.senseless(geometry):
                raise InputError(reason)
            return rule
        except OffBoard as problem:
            return Misstated(stated=str(self), problem=str(problem))
        except InputError as problem:
            raise InputError(f"the rule {shortened(str(self), 200)}: {problem}; usage: {self.kind.usage}") from None

    def __str__(self) -> str:
        cells = {p.name for p in self.kind.of_cells}
        named = [_shown(value) if name in cells else f"{name}={_shown(value)}" for name, value in self.named]
        return " ".join([self.kind.name, *map(_shown, self.values), *named])


class Misstated(Rule):
    """A rule about cells that the board does not have. No grid fulfils it.

    Attributes
    ----------
    stated : str
        The rule as it was stated.
    problem : str
        Why it cannot be.

    Examples
    --------
    >>> from gridproof import parse
    >>> parse("1...............", rules=["killer 5 r9c9"]).contradictions()[0].message
    'killer 5 r9c9: r9c9 is not on a board of 4x4, 2x2 boxes'
    """

    stated: str = parameter("text", "the rule as it was stated")
    problem: str = parameter("text", "why it cannot be")

    words = "{stated}"

    @property
    def kind(self) -> str:  # type: ignore[override]
        """The first word of the text."""
        return self.stated.split()[0]

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        """What no grid fulfils."""
        return [NEVER]

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        """Never."""
        return False

    def may_hold(self, candidates: Sequence[int], geometry: Geometry) -> bool:
        """Never."""
        return False

    def text(self, geometry: Geometry) -> str:
        """The rule as it was stated."""
        return self.stated

    def impossible(self, geometry: Geometry) -> str | None:
        """What is wrong with it."""
        return self.problem


def parse_rule(text: str) -> Statement:
    """Read a rule from text.

    Parameters
    ----------
    text
        The kind, then values, cells and ``name=value``. Cells are such as ``r1c1``, ``r1c2-r1c5`` or ``row3``; a ``/``
        separates the lines of a rule with several.

    Returns
    -------
    Statement

    Raises
    ------
    InputError
        For an unknown kind, with the nearest one; and for cells that belong to no parameter.

    Examples
    --------
    >>> from gridproof.puzzle.geometry import Geometry
    >>> parse_rule("killer 15 r1c1 r1c2 r2c1").on(Geometry.classic(3)).sentence(Geometry.classic(3))
    'the killer cage r1c1 r1c2 r2c1 sums to 15'
    """
    try:
        first, *words = shlex.split(text) or [""]
    except ValueError as problem:
        raise InputError(f"the rule {shortened(text, 200)}: {problem}; expected quotes in pairs") from None
    if not first:
        raise InputError("an empty text is not a rule; expected a kind such as 'killer' and its parameters")
    kind = find(first)
    values: list[str] = []
    named: list[tuple[str, Any]] = []
    lines: list[list[str]] = [[]]
    flags = {p.name for p in kind.parameters if p.type == "flag"}
    for word in words:
        name, equals, value = word.partition("=")
        if word == "/":
            lines.append([])
        elif looks_like_cells(word):
            lines[-1].append(word)
        elif equals and name.isidentifier() and not value.startswith("="):
            named.append((name, value))
        elif word in flags:
            named.append((word, True))
        else:
            values.append(word)
    # the first parameters for cells take one list each, one that takes lines takes all that are left
    for p in kind.of_cells:
        taken = [tuple(line) for line in (lines if p.type == "lines" else lines[:1]) if line]
        lines = [] if p.type == "lines" else lines[1:]
        if taken:
            named.append((p.name, tuple(taken) if p.type == "lines" else taken[0]))
    if any(lines):
        raise InputError(f"the rule {shortened(text, 200)}: cells that belong to no parameter; usage: {kind.usage}")
    return Statement(kind, tuple(values), tuple(named))


def stated(kind: str, *values: Any, **named: Any) -> Statement:
    """Make a rule from Python values; ``gridproof.rules.killer(...)`` calls this.

    Parameters
    ----------
    kind
        The name of the kind.
    *values, **named
        Its parameters in order or by name. Cells may stand anywhere.

    Returns
    -------
    Statement
        Its values are not checked before ``Statement.on`` knows the board.

    Raises
    ------
    InputError
        For an unknown kind, and for cells that belong to no parameter.

    Examples
    --------
    >>> print(stated("killer", 15, "r1c1 r1c2"))
    killer 15 r1c1 r1c2
    """
    found = find(kind)
    others: list[Any] = []
    for value in values:
        if _says_cells(value):
            p = next((p for p in found.of_cells if p.name not in named), None)
            if p is None:
                raise InputError(f"{kind}: {value!r} belongs to no parameter; usage: {found.usage}")
            named[p.name] = value
        else:
            others.append(value)
    return Statement(found, tuple(others), tuple((name, _frozen(value)) for name, value in named.items()))


def _says_cells(value: Any) -> bool:
    if isinstance(value, str):
        return all(map(looks_like_cells, value.replace("/", " ").split())) and bool(value.strip())
    return isinstance(value, Sequence)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _shown(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return (" / " if value and isinstance(value[0], (tuple, list)) else " ").join(map(_shown, value))
    return str(value)


def _values(statement: Statement, geometry: Geometry) -> Mapping[str, Any]:
    """A value of the right type for each parameter of the kind."""
    known = {p.name: p for p in statement.kind.parameters}
    for name, _ in statement.named:
        if name not in known:
            raise InputError(f"no parameter is called {name!r}; expected one of {', '.join(known) or 'none'}")
    said, left = dict(statement.named), list(statement.values)
    for p in known.values():
        if left and p.name not in said and p.type not in ("cells", "lines", "flag"):
            said[p.name], left = (tuple(left), []) if p.type == "numbers" else (left[0], left[1:])
    if left:
        raise InputError(f"{_shown(left)!r} is one value too many")
    for p in known.values():
        if p.name not in said and p.default is REQUIRED:
            raise InputError(f"{p.name} is missing: {p.help}")
    return {p.name: _typed(p, said[p.name], geometry) if p.name in said else p.default for p in known.values()}


def _typed(p: Parameter, value: Any, geometry: Geometry) -> Any:
    if p.type == "cells":
        return _cells(value, geometry)
    if p.type == "lines":
        lines = value.split("/") if isinstance(value, str) else value
        single = lines and all(whole_number(part) is not None for part in lines)
        return (_cells(lines, geometry),) if single else tuple(_cells(line, geometry) for line in lines)
    if p.type == "number":
        return _number(p, value)
    if p.type == "numbers":
        words = value.replace(",", " ").split() if isinstance(value, str) else value
        return tuple(_number(p, word) for word in words)
    if p.type == "flag":
        if str(value).lower() not in ("true", "false", "yes", "no", "1", "0"):
            raise InputError(f"{p.name} = {value!r}; expected yes or no")
        return str(value).lower() in ("true", "yes", "1")
    return str(value)


def _number(p: Parameter, value: Any) -> int:
    number = whole_number(value)
    if number is None and isinstance(value, str) and value.strip().lstrip("-").isdecimal():
        number = int(value)
    if number is None:
        raise InputError(f"{p.name} = {value!r}; expected a whole number ({p.help})")
    return number


def _cells(value: Any, geometry: Geometry) -> tuple[int, ...]:
    if isinstance(value, str) or (value and isinstance(value[0], str)):
        return read_cells(value, geometry)
    for cell in value:
        if whole_number(cell) is None:
            raise InputError(f"cell {cell!r}; expected a name such as r1c1, or a number from 0")
        if not 0 <= cell < geometry.cell_count:
            raise OffBoard(f"cell {cell} is not on a board of {geometry.description}")
    return tuple(int(cell) for cell in value)
