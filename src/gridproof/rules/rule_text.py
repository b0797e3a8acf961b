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
        of_cells = {p.name for p in self.kind.cell_parameters()}
        words = [self.kind.kind]
        words += [show_value(value) for value in self.values]
        for name, value in self.named:
            text = show_value(value)
            words.append(text if name in of_cells else f"{name}={text}")
        return " ".join(words)


AnyRule: TypeAlias = Rule | RuleText | str | PurePath | type[Rule]
"""A rule, or whatever ``Board.with_rules`` takes for one."""


def make_rules(geometry: Geometry, given: Iterable[AnyRule] | AnyRule) -> list[Rule]:
    """Turn what a user gives for rules into rules of a board.

    Parameters
    ----------
    geometry
        The board's geometry.
    given
        Rules as text, as ``RuleText`` or as they are; one of them stands for a list of one. A kind of the user's own
        may be among them, as a class or as the path of a TOML file: the texts name it then. If none of them does, it is
        a rule itself.

    Raises
    ------
    InputError
        For what is no rule, and for a rule that makes no sense on this board.

    Examples
    --------
    >>> [rule.kind for rule in make_rules(Geometry.classic(2), ["anti-king", "killer 5 r1c1 r2c2"])]
    ['anti-king', 'killer']
    """
    several: Iterable[Any] = [given]
    if not isinstance(given, (str, type)):
        with suppress(TypeError):  # what cannot be iterated over stands for itself
            several = list(cast(Iterable[Any], given))
    own_kinds: dict[str, type[Rule]] = {}
    stated: list[RuleText | Rule] = []
    for entry in several:
        if isinstance(entry, (PurePath, type)) or (isinstance(entry, str) and entry.endswith(".toml")):
            kind = find(entry)
            own_kinds[kind.kind] = kind
        elif isinstance(entry, (RuleText, Rule)):
            stated.append(entry)
        elif isinstance(entry, str):
            stated.append(parse_rule(entry, own_kinds))
        else:
            expected = "expected a text such as 'killer 15 r1c1 r1c2 r2c1'"
            raise InputError(f"{describe_value(entry)[:60]} is not a rule; {expected}")
    named = {entry.kind.kind for entry in stated if isinstance(entry, RuleText)}
    for name, kind in own_kinds.items():
        if name not in named:
            stated.append(RuleText(kind, ()))
    rules = []
    for entry in stated:
        rules.append(entry.make(geometry) if isinstance(entry, RuleText) else _check_rule(entry, geometry))
    return rules


def _check_rule(rule: Rule, geometry: Geometry) -> Rule:
    """Return a rule that makes sense on boards of a geometry; raises ``InputError`` for another one."""
    reason = rule.invalid_reason(geometry)
    if reason:
        raise InputError(f"a rule of the kind {rule.kind}: {reason}")
    return rule


def parse_rule(text: str, own: Mapping[str, type[Rule]] | None = None, *, files: bool = True) -> RuleText:
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
    RuleText

    Raises
    ------
    InputError
        For an unknown kind, with the nearest one; and for cells that belong to no parameter.

    Examples
    --------
    >>> from gridproof.puzzle.geometry import Geometry
    >>> parse_rule("killer 15 r1c1 r1c2 r2c1").make(Geometry.classic(3)).sentence(Geometry.classic(3))
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
    named += _share_lines(kind, lines)
    if any(lines):
        raise InputError(f"the rule {quote(text, 200)}: cells that belong to no parameter; usage: {kind.usage()}")
    return RuleText(kind, tuple(values), tuple(named))


def _share_lines(kind: type[Rule], lines: list[list[str]]) -> list[tuple[str, Any]]:
    """Give the lines of a text to the parameters of a kind, and take them out of ``lines``.

    The first parameters for cells take one line each; one that takes lines takes all that are left.
    """
    named: list[tuple[str, Any]] = []
    for p in kind.cell_parameters():
        if p.type == "lines":
            taken = [tuple(line) for line in lines if line]
            lines.clear()
            if taken:
                named.append((p.name, tuple(taken)))
        elif lines:
            line = lines.pop(0)
            if line:
                named.append((p.name, tuple(line)))
    return named


def make_rule(kind: str | PurePath | type[Rule], *values: Any, **named: Any) -> RuleText:
    """Make a rule from Python values; ``gridproof.rules.killer(...)`` calls this.

    Parameters
    ----------
    kind
        The name of the kind; or a kind of your own as a class or as the path of a TOML file.
    *values, **named
        Its parameters in order or by name. Cells may stand anywhere.

    Returns
    -------
    RuleText
        Its values are checked when ``RuleText.make`` gets the board.

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
        if not _is_of_cells(value):
            further.append(value)
            continue
        unstated = [p.name for p in found.cell_parameters() if p.name not in named]
        if not unstated:
            raise InputError(f"{found.kind}: {value!r} belongs to no parameter; usage: {found.usage()}")
        named[unstated[0]] = value
    frozen = [(name, _freeze(value)) for name, value in named.items()]
    return RuleText(found, tuple(further), tuple(frozen))


def _is_of_cells(value: object) -> bool:
    """Return whether a value is one of cells: a text that names some, or a list."""
    if isinstance(value, str):
        return names_cells(value.replace("/", " "))
    return isinstance(value, Sequence)


def _freeze(value: Any) -> Any:
    """Return a value with tuples in place of lists."""
    if not isinstance(value, list):
        return value
    return tuple([_freeze(entry) for entry in value])


def show_value(value: Any) -> str:
    """Return the value of a parameter as it stands in a text; several lines are separated by ``/``."""
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
    return {name: _read_value(parameters[name], value, geometry) for name, value in given.items()}


def _share_values(values: Sequence[Any], unstated: Sequence[Parameter]) -> dict[str, Any]:
    """Give the values that are stated without a name to the parameters that have none, in order.

    A parameter of numbers takes all that are left, and so does a text that comes last.
    """
    takers = [p for p in unstated if p.type not in ("cells", "lines", "flag")]
    rest = list(values)
    given: dict[str, Any] = {}
    for p in takers:
        if not rest:
            break
        if p.type == "numbers":
            given[p.name] = tuple(rest)
            rest = []
        elif p.type == "text" and p is takers[-1]:
            given[p.name] = show_value(rest)
            rest = []
        else:
            given[p.name] = rest.pop(0)
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
