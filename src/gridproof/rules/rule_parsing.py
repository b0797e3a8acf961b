"""Rules from what users give: from text, from Python values, or as they are."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import PurePath
from typing import Any, NamedTuple, cast

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.catalog import find, refuse_blanks_in_a_name
from gridproof.rules.cells import cell_words, names_cells
from gridproof.rules.rule import Rule
from gridproof.rules.rule_text import AnyRule, RuleText, check_rule
from gridproof.text import describe_value, quote

MOST_BRACKETS = 30
"""Largest number of brackets around a word of a rule; rules themselves allow fewer choices inside each other."""


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
        rules.append(entry.make(geometry) if isinstance(entry, RuleText) else check_rule(entry, geometry))
    return rules


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
        words = shlex.split(text)
    except ValueError as problem:
        raise InputError(f"the rule {quote(text, 200)}: {problem}; expected quotes in pairs") from None
    return _parse_words(words, own or {}, files)


def _parse_words(words: Sequence[str], own: Mapping[str, type[Rule]], files: bool) -> RuleText:
    """Read a rule from its words, of which those in brackets are rules of their own; see ``parse_rule``."""
    if not words or not words[0]:
        raise InputError("an empty text is not a rule; expected a kind such as 'killer' and its parameters")
    first = words[0]
    plain_words, parts = _split_brackets(words[1:])
    kind = own.get(first)
    if kind is None:
        refuse_blanks_in_a_name(first, plain_words)
        kind = find(first, files=files)
    text = f"the rule {quote(' '.join(words), 200)}"
    name_of_rules = kind.name_of_rules()
    if parts and not name_of_rules:
        raise InputError(f"{text}: brackets around what is no rule; usage: {kind.usage()}")
    stated = _sort_words(plain_words, kind)
    takes_values = any(p.type == "text" for p in kind.parameters())
    if name_of_rules and (any(stated.lines) or (stated.values and not takes_values)):
        expected = "expected the rules in brackets that stand between blanks, such as [ killer 15 r1c1 r1c2 ]"
        raise InputError(f"{text}: words outside all brackets; {expected}")
    named = stated.named + _share_lines(kind, stated.lines)
    if any(stated.lines):
        raise InputError(f"{text}: cells that belong to no parameter; usage: {kind.usage()}")
    if parts:
        inner = tuple([_parse_words(part, own, files) for part in parts])
        named.append((name_of_rules, inner))
    return RuleText(kind, tuple(stated.values), tuple(named))


class _SortedWords(NamedTuple):
    """The words of a rule: values, values by name, and lines of cells."""

    values: list[str]
    named: list[tuple[str, Any]]
    lines: list[list[str]]


def _sort_words(words: Sequence[str], kind: type[Rule]) -> _SortedWords:
    """Return what the words of a rule state."""
    stated = _SortedWords([], [], [[]])
    flags = {p.name for p in kind.parameters() if p.type == "flag"}
    for word in words:
        name, equals, value = word.partition("=")
        if word == "/":
            stated.lines.append([])
        elif names_cells(word) or word == ",":
            stated.lines[-1].extend(cell_words(word))
        elif equals and name.isidentifier() and not value.startswith("="):
            stated.named.append((name, value))
        elif word in flags:
            stated.named.append((word, True))
        else:
            stated.values.append(word)
    return stated


def kinds_named(text: str) -> list[str]:
    """Return the words of a rule that name kinds: the first one, and each that comes first in brackets.

    Examples
    --------
    >>> kinds_named("any-of [ killer 3 r1c1 r1c2 ] [ even r1c1 ]")
    ['any-of', 'killer', 'even']
    """
    names = []
    is_first = True
    with suppress(ValueError):  # of quotes that are open; whoever reads the rule refuses these
        for word in shlex.split(text):
            if is_first and word != "[":
                names.append(word)
            is_first = word == "["
    return names


def _split_brackets(words: Sequence[str]) -> tuple[list[str], list[list[str]]]:
    """Return the words outside all brackets, and those inside each of the outer ones."""
    plain: list[str] = []
    parts: list[list[str]] = []
    depth = 0
    for word in words:
        if word == "]":
            depth -= 1
            if depth < 0:
                raise InputError(f"{quote(' '.join(words), 200)}: a ] without a [; expected brackets in pairs")
        if depth:
            parts[-1].append(word)
        elif word == "[":
            parts.append([])
        elif word != "]":
            plain.append(word)
        if word == "[":
            depth += 1
        if depth > MOST_BRACKETS:
            raise InputError(f"brackets in brackets; expected at most {MOST_BRACKETS}")
    if depth:
        raise InputError(f"{quote(' '.join(words), 200)}: a [ without a ]; expected brackets in pairs, between blanks")
    return plain, parts


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
        Its parameters in order or by name. Cells may stand anywhere. The rules of a choice are texts or rules.

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
    name_of_rules = found.name_of_rules()
    if name_of_rules:
        number = len([p for p in found.parameters() if p.type == "text" and p.name not in named])
        inner = _gather_rules([values[number:], named.pop(name_of_rules, ())])
        return RuleText(found, values[:number], ((name_of_rules, inner), *named.items()))
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


def _gather_rules(given: Any) -> tuple[RuleText | Rule, ...]:
    """Return the rules that are texts, rules, or lists of such."""
    if isinstance(given, (RuleText, Rule)):
        return (given,)
    if isinstance(given, str):
        return (parse_rule(given),)
    if not isinstance(given, Iterable):
        raise InputError(f"{describe_value(given)[:60]} is not a rule; expected a text such as 'killer 15 r1c1 r1c2'")
    rules: list[RuleText | Rule] = []
    for entry in given:
        rules += _gather_rules(entry)
    return tuple(rules)


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
