"""Kinds of the user's own that compare pairs of cells, stated in a TOML file of five keys.

``words`` is the sentence that people read, ``about`` the meaning, ``example`` a rule of the kind, ``parameters`` what a
rule of it states, and ``relation`` the cells, which pairs of them, and the comparison. A file is data: its comparison
is parsed, and evaluated with access to nothing. The name of the file is the name of the kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any, ClassVar, cast, get_args

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import cell_names
from gridproof.rules.drawing import Line, Mark, Note
from gridproof.rules.expressions import compile_comparison, explain_no_value
from gridproof.rules.pairs import PAIRS, Pair, PairRule
from gridproof.rules.primitives import Cells, Domain, Primitive
from gridproof.rules.rule import REQUIRED, Parameter, Rule, parameter
from gridproof.rules.value_words import ParameterType
from gridproof.toml_tables import TomlTable, parse_toml, read_small_file

KEYS = ("words", "about", "example", "parameters", "relation")
TYPES: tuple[ParameterType, ...] = get_args(ParameterType)


@dataclass(frozen=True)
class PairDefinition:
    """The content of a file.

    Attributes
    ----------
    path, text
        The file and what is in it: all that the kind is made of.
    words, about, example
        See ``Rule``.
    parameters
        What a rule of the kind states.
    cells
        The parameter that names the cells; empty for the whole board.
    pairs
        Which pairs of cells are compared; see ``PAIRS``.
    allow
        The comparison of the digits a and b.
    """

    path: str
    text: str
    words: str
    about: str
    example: str
    parameters: tuple[Parameter, ...]
    cells: str
    pairs: str
    allow: str

    @property
    def names(self) -> frozenset[str]:
        """The names that the comparison may have: a, b, n, and the numbers that a rule states."""
        numbers = [p.name for p in self.parameters if p.type in ("number", "numbers")]
        return frozenset("abn").union(numbers)


class OwnPairRule(PairRule):
    """A rule of a kind that a file states; each file makes a subclass, with the parameters as its fields."""

    definition: ClassVar[PairDefinition]

    def __reduce__(self) -> tuple[object, ...]:
        # where the rule is sent to, the class is made from the same text again
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return _restore, (self.definition.path, self.definition.text, values)

    @property
    def name_or_path(self) -> str:
        """The path of the file."""
        return self.definition.path

    def groups(self, geometry: Geometry) -> Sequence[Cells]:
        """Return the lists of cells that the rule names, else the whole board."""
        if not self.definition.cells:
            return [tuple(range(geometry.cell_count))]
        value = self.value(self.definition.cells)
        types = {p.name: p.type for p in self.parameters()}
        return [value] if types[self.definition.cells] == "cells" else cast("tuple[Cells, ...]", value)

    def pairs_in(self, cells: Cells, geometry: Geometry) -> Iterable[Pair]:
        """Return the pairs that the file names."""
        return PAIRS[self.definition.pairs](cells, geometry)

    def allows(self, a: int, b: int, n: int) -> bool:
        """Return whether the comparison of the file is true."""
        compares = compile_comparison(self.definition.allow, self.definition.names)
        stated = {name: self.value(name) for name in self.definition.names - {"a", "b", "n"}}
        return bool(compares(a=a, b=b, n=n, **stated))

    @property
    def is_about_single_cells(self) -> bool:
        """True if the comparison is about each cell alone."""
        return self.definition.pairs == "each"

    def scope(self, geometry: Geometry) -> frozenset[int]:
        if not self.is_about_single_cells:
            return super().scope(geometry)
        return frozenset().union(*self.groups(geometry))

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        if not self.is_about_single_cells:
            return super().expand(geometry)
        digits = geometry.digits
        allowed = [digit for digit in digits if self.pair_fits(digit, digit, digits)]
        return [Domain.of(cell, allowed, digits) for cell in sorted(self.scope(geometry))]

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        if not self.is_about_single_cells:
            return super().holds(grid, geometry)
        return all(self.pair_fits(grid[cell], grid[cell], geometry.digits) for cell in self.scope(geometry))

    def invalid_reason(self, geometry: Geometry) -> str | None:
        """Explain that a chain has one cell only, or that the comparison cannot be worked out."""
        reason = super().invalid_reason(geometry)
        if reason is None and self.definition.pairs == "consecutive":
            for p, cells in self.lists():
                if p.type == "cells" and len(cells) < 2:
                    named = cell_names(cells, geometry) or "no cell"
                    reason = f"{p.name} = {named!r}; expected two cells or more"
        return reason or explain_no_value(self.definition.allow, self.pair_fits, geometry.digits)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        """Return a thin line through each list of cells; for the whole board the sentence beside it."""
        if not self.definition.cells:
            return [Note(self.sentence(geometry))]
        return [Line(cells, "teal", "thin") for cells in self.groups(geometry)]


# ---- from a file -----------------------------------------------------------------------------------------------------


def read_kind(path: Path) -> type[Rule]:
    """Return the kind of rule that a TOML file states. Raises ``InputError`` that names the file and the key."""
    return _make_kind(str(path), read_small_file(path))


@lru_cache(maxsize=256)
def _make_kind(path: str, text: str) -> type[OwnPairRule]:
    """Return the class of the rules that a file states: one for equal files, so that equal rules are equal."""
    definition = _define(path, text)
    namespace: dict[str, Any] = {
        "__doc__": definition.about,
        "__annotations__": dict.fromkeys([p.name for p in definition.parameters], "Any"),
        "definition": definition,
        "words": definition.words,
        "example": definition.example,
    }
    for p in definition.parameters:
        namespace[p.name] = parameter(p.type, p.help, p.default, once=p.once)
    made: Any = type(Path(path).stem, (OwnPairRule,), namespace)
    made.kind = Path(path).stem  # only now: a file is found by its path, not by its name
    return cast("type[OwnPairRule]", made)


def _restore(path: str, text: str, values: Mapping[str, Any]) -> Rule:
    return _make_kind(path, text)(**values)


def _define(path: str, text: str) -> PairDefinition:
    """Return what a file states. Raises ``InputError`` for what is wrong in it, and quotes none of it."""
    table = TomlTable(path, parse_toml(text, path), keys=KEYS, quote=False)
    words = table.text("words")
    about = table.text("about")
    example = table.text("example")
    parameters = _read_parameters(table.table("parameters"))
    _check_words(table, [p.name for p in parameters])
    relation = table.table("relation", ("cells", "pairs", "allow"))
    pairs = relation.choice("pairs", tuple(PAIRS))
    of_cells = [p.name for p in parameters if p.type in ("cells", "lines")]
    cells = relation.choice("cells", of_cells) if of_cells or "cells" in relation else ""
    allow = relation.text("allow", "a comparison such as abs(a - b) >= 2")
    definition = PairDefinition(path, text, words, about, example, parameters, cells, pairs, allow)
    try:
        compile_comparison(allow, definition.names)
    except ValueError as problem:
        raise InputError(f"{path}: relation.allow: {problem}") from None
    return definition


def _read_parameters(table: TomlTable) -> tuple[Parameter, ...]:
    found = []
    for name in table.values:
        entry = table.table(name, ("type", "help", "default", "once"))
        if not name.isidentifier() or hasattr(OwnPairRule, name):
            raise table.refusal(name, "another name, which rules do not use")
        kind = entry.choice("type", TYPES)
        meaning = entry.text("help")
        once = entry.choice("once", (True, False), False)
        default = entry.values.get("default", REQUIRED)
        if isinstance(default, list):
            default = tuple(default)
        if default is not REQUIRED and not _is_default(default, kind):
            raise entry.refusal("default", f"a value of the type {kind}")
        found.append(Parameter(name, kind, meaning, default, once))
    return tuple(found)


def _is_default(value: object, kind: ParameterType) -> bool:
    """Return whether a value can be the default of a parameter; the only one of cells is that none are stated."""
    if kind in ("cells", "lines"):
        return value == ()
    if kind == "numbers":
        return isinstance(value, tuple) and all(type(number) is int for number in value)
    types: dict[str, type] = {"number": int, "flag": bool, "text": str}
    return type(value) is types[kind]


def _check_words(table: TomlTable, names: Iterable[str]) -> None:
    """Raise ``InputError`` if ``words`` names anything in braces but a parameter and n."""
    known = list(names) + ["n"]
    expected = f"a text with names in braces: {', '.join(known)}"
    try:
        parts = list(Formatter().parse(table.text("words")))
    except ValueError as problem:
        raise table.refusal("words", f"{expected} ({problem})") from None
    for _, name, spec, conversion in parts:
        if name is not None and (name not in known or conversion or "{" in (spec or "")):
            raise table.refusal("words", expected)
