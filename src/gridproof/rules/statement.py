"""A rule as users state it, before it has a board: ``killer 15 r1c1 r1c2 r2c1``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, TypeAlias, cast

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import whole_number
from gridproof.rules.catalog import find, refuse_blanks_in_a_name
from gridproof.rules.cells import cell_words, names_cells, read_cells
from gridproof.rules.rule import LARGEST_NUMBER, REQUIRED, Parameter, Rule
from gridproof.text import describe_value, quote


@dataclass(frozen=True)
class Statement:
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
    >>> statement = parse_rule("killer 5 r1c1 r1c2")
    >>> statement.on(Geometry.classic(2)).sentence(Geometry.classic(2))
    'the killer cage r1c1 r1c2 sums to 5'
    """

    kind: type[Rule]
    values: tuple[Any, ...]
    named: tuple[tuple[str, Any], ...] = ()

    def on(self, geometry: Geometry) -> Rule:
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
            rule = self.kind(**_values(self, geometry))
            if reason := rule.invalid_reason(geometry):
                raise InputError(reason)
            return rule
        except InputError as problem:
            what = f"the rule {quote(str(self), 200)}: {problem}; usage: {self.kind.usage()}"
            raise type(problem)(what) from None

    def __str__(self) -> str:
        cells = {p.name for p in self.kind.cell_parameters()}
        named = [_shown(value) if name in cells else f"{name}={_shown(value)}" for name, value in self.named]
        return " ".join([self.kind.kind, *map(_shown, self.values), *named])


AnyRule: TypeAlias = Rule | Statement | str | PurePath | type[Rule]
"""A rule, or whatever ``Board.with_rules`` takes for one."""


def rules_on(geometry: Geometry, given: Iterable[AnyRule] | AnyRule) -> list[Rule]:
    """Turn what a user gives for rules into rules of a board.

    Parameters
    ----------
    geometry
        The board's geometry.
    given
        Rules as text, as statements or as they are; one of them stands for a list of one. A kind of the user's own may
        be among them, as a class or as the path of a TOML file: the texts name it then. If none of them does, it is
        a rule itself.

    Raises
    ------
    InputError
        For what is no rule, and for a rule that makes no sense on this board.

    Examples
    --------
    >>> [rule.kind for rule in rules_on(Geometry.classic(2), ["anti-king", "killer 5 r1c1 r2c2"])]
    ['anti-king', 'killer']
    """
    several: Iterable[Any] = [given]
    if not isinstance(given, (str, type)):
        with suppress(TypeError):  # what cannot be iterated over stands for itself
            several = list(cast(Iterable[Any], given))
    own: dict[str, type[Rule]] = {}
    stated_rules: list[Statement | Rule] = []
    for one in several:
        if isinstance(one, (PurePath, type)) or (isinstance(one, str) and one.endswith(".toml")):
            kind = find(one)
            own[kind.kind] = kind
        elif isinstance(one, (Statement, Rule)):
            stated_rules.append(one)
        elif isinstance(one, str):
            stated_rules.append(parse_rule(one, own))
        else:
            raise InputError(
                f"{describe_value(one)[:60]} is not a rule; expected a text such as 'killer 15 r1c1 r1c2 r2c1'"
            )
    named = {one.kind.kind for one in stated_rules if isinstance(one, Statement)}
    stated_rules += [Statement(kind, ()) for name, kind in own.items() if name not in named]
    for one in stated_rules:
        if isinstance(one, Rule) and (reason := one.invalid_reason(geometry)):
            raise InputError(f"a rule of the kind {one.kind}: {reason}")
    return [one.on(geometry) if isinstance(one, Statement) else one for one in stated_rules]


def parse_rule(text: str, own: Mapping[str, type[Rule]] | None = None, *, files: bool = True) -> Statement:
    """Read a rule from text.

    Parameters
    ----------
    text
        The kind, then values, cells and ``name=value``. Cells are such as ``r1c1``, ``r1c2-r1c5`` or ``row3``; a ``/``
        separates the lines of a rule with several.
    own
        Kinds of the user's own, by name.
    files
        Whether the kind may be the path of a file of the user's own. It may not in a text whose author is someone else.

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
        raise InputError(f"the rule {quote(text, 200)}: {problem}; expected quotes in pairs") from None
    if not first:
        raise InputError("an empty text is not a rule; expected a kind such as 'killer' and its parameters")
    kind = (own or {}).get(first)
    if kind is None:
        refuse_blanks_in_a_name(first, words)
        kind = find(first, files=files)
    values: list[str] = []
    named: list[tuple[str, Any]] = []
    lines: list[list[str]] = [[]]
    flags = {p.name for p in kind.parameters() if p.type == "flag"}
    for word in words:
        name, equals, value = word.partition("=")
        if word == "/":
            lines.append([])
        elif names_cells(word) or word == ",":
            lines[-1] += cell_words(word)
        elif equals and name.isidentifier() and not value.startswith("="):
            named.append((name, value))
        elif word in flags:
            named.append((word, True))
        else:
            values.append(word)
    # the first parameters for cells take one list each, one that takes lines takes all that are left
    for p in kind.cell_parameters():
        taken = [tuple(line) for line in (lines if p.type == "lines" else lines[:1]) if line]
        lines = [] if p.type == "lines" else lines[1:]
        if taken:
            named.append((p.name, tuple(taken) if p.type == "lines" else taken[0]))
    if any(lines):
        raise InputError(f"the rule {quote(text, 200)}: cells that belong to no parameter; usage: {kind.usage()}")
    return Statement(kind, tuple(values), tuple(named))


def make_rule(kind: str | PurePath | type[Rule], *values: Any, **named: Any) -> Statement:
    """Make a rule from Python values; ``gridproof.rules.killer(...)`` calls this.

    Parameters
    ----------
    kind
        The name of the kind; or a kind of your own as a class or as the path of a TOML file.
    *values, **named
        Its parameters in order or by name. Cells may stand anywhere.

    Returns
    -------
    Statement
        Its values are checked when ``Statement.on`` gets the board.

    Raises
    ------
    InputError
        For an unknown kind, and for cells that belong to no parameter.

    Examples
    --------
    >>> print(make_rule("killer", 15, "r1c1 r1c2"))
    killer 15 r1c1 r1c2
    """
    found = find(kind)
    further: list[Any] = []
    for value in values:
        if names_cells(value.replace("/", " ")) if isinstance(value, str) else isinstance(value, Sequence):
            p = next((p for p in found.cell_parameters() if p.name not in named), None)
            if p is None:
                raise InputError(f"{found.kind}: {value!r} belongs to no parameter; usage: {found.usage()}")
            named[p.name] = value
        else:
            further.append(value)
    return Statement(found, tuple(further), tuple((name, _frozen(value)) for name, value in named.items()))


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _shown(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return (" / " if value and isinstance(value[0], (tuple, list)) else " ").join(map(_shown, value))
    return value if isinstance(value, str) else describe_value(value)


def _values(statement: Statement, geometry: Geometry) -> Mapping[str, Any]:
    """Return a value of the right type for each parameter of the kind."""
    known = {p.name: p for p in statement.kind.parameters()}
    given: dict[str, Any] = {}
    for name, value in statement.named:
        if name not in known:
            raise InputError(f"no parameter is called {name!r}; expected one of {', '.join(known) or 'none'}")
        if name in given:
            raise InputError(f"{name} is stated twice, as {_shown(given[name])} and as {_shown(value)}")
        given[name] = value
    rest = list(statement.values)
    open_ones = [p for p in known.values() if p.name not in given and p.type not in ("cells", "lines", "flag")]
    for p in open_ones:
        if rest and p.type == "numbers":
            given[p.name], rest = tuple(rest), []
        elif rest and p.type == "text" and p is open_ones[-1]:
            given[p.name], rest = _shown(rest), []
        elif rest:
            given[p.name] = rest.pop(0)
    if rest:
        raise InputError(f"{quote(_shown(rest))} is one value too many")
    for p in known.values():
        if p.name not in given and p.default is REQUIRED:
            raise InputError(f"{p.name} is missing: {p.help}")
    return {p.name: _typed(p, given[p.name], geometry) if p.name in given else p.default for p in known.values()}


def _typed(p: Parameter, value: Any, geometry: Geometry) -> Any:
    if p.type in ("cells", "lines", "numbers") and not isinstance(value, Iterable):
        value = (value,)
    match p.type:
        case "cells":
            return _cells(value, geometry)
        case "lines":
            lines = value.split("/") if isinstance(value, str) else list(value)
            single = lines and all(whole_number(part) is not None for part in lines)
            return tuple(_cells(line, geometry) for line in ([lines] if single else lines))
        case "number":
            return _number(p, value)
        case "numbers":
            words = value.replace(",", " ").split() if isinstance(value, str) else value
            return tuple(_number(p, word) for word in words)
        case "flag":
            if str(value).lower() not in ("true", "false", "yes", "no", "1", "0"):
                raise InputError(f"{p.name} = {value!r}; expected yes or no")
            return str(value).lower() in ("true", "yes", "1")
    return str(value)


def _number(p: Parameter, value: Any) -> int:
    number = whole_number(value)
    if number is None and isinstance(value, str) and re.fullmatch(r"\s*-?[0-9]{1,18}\s*", value):
        number = int(value)
    if number is None or abs(number) > LARGEST_NUMBER:
        raise InputError(f"{p.name} = {quote(_shown(value))}; expected a whole number ({p.help})")
    return number


def _cells(value: Any, geometry: Geometry) -> tuple[int, ...]:
    if isinstance(value, str):
        return read_cells(value, geometry)
    if not isinstance(value, Iterable):
        raise InputError(
            f"{describe_value(value)[:60]} for a line of cells; expected names such as r1c1, or numbers from 0"
        )
    parts = [read_cells(part, geometry) if isinstance(part, str) else (part,) for part in value]
    return tuple(cell for part in parts for cell in part)
