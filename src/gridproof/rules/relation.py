"""Rules that compare pairs of cells, stated in a TOML file: which cells, which pairs, and the comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache, cached_property, lru_cache
from itertools import chain, combinations, pairwise, product
from pathlib import Path
from string import Formatter
from typing import Any, ClassVar, cast, get_args

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import drawing
from gridproof.rules.drawing import Mark
from gridproof.rules.expressions import comparison, compiled, without_value
from gridproof.rules.foreign import items_of_tables
from gridproof.rules.kind import Kind, kind_of
from gridproof.rules.primitives import Cells, Different, Domain, Primitive, Relation
from gridproof.rules.rule import REQUIRED, Parameter, ParameterType, Rule, parameter, worded
from gridproof.toml_tables import parse_toml, read_small_file

PAIRS = ("each", "consecutive", "near", "all", "mirrored", "matched", "orthogonal", "leaper", "outwards")
"""Which pairs (a, b) a relation is about: ``each`` cell a alone; ``consecutive`` cells of each line; ``near`` ones, at
most two places apart; ``all`` pairs of a line; ``mirrored`` ones (first and last, and so on inwards); ``matched`` ones
of two lines of one length; ``orthogonal`` neighbours; those a ``leaper`` apart (parameter ``offsets``: down and right,
then the next such pair); ``outwards`` from each cell to its orthogonal neighbours that are not among the cells. Those
from ``orthogonal`` on take the whole board if the file names no cells."""

TYPES = get_args(ParameterType)


class RelationRule(Rule):
    """A rule of a kind that a TOML file states; each file makes a subclass, with the parameters as its fields.

    board: what other rules of its board add to some parameters.

    Attributes
    ----------
    file
        The path, the content, and whether the file is one of the package: all that the subclass is made of.
    data
        The content, read and checked.
    """

    board: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    file: ClassVar[tuple[str, str, bool]]
    data: ClassVar[Mapping[str, Any]]

    def __reduce__(self) -> tuple[object, ...]:
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return _restored, (self.file, values)

    def __post_init__(self) -> None:
        stated = {p.name: self.value(p.name) for p in self.signature() if p.type == "text"}
        if stated.get("pairs", "all") not in ("consecutive", "all"):
            raise InputError(f"pairs = {stated['pairs']!r}; expected consecutive or all")
        if stated:
            try:
                comparison(self.relation["allow"], {"a", "b", "n"})
            except ValueError as problem:
                raise InputError(str(problem)) from None
        if self.relation["pairs"] == "matched":
            lengths = [len(line) for line in self.value(self.relation["cells"])]
            if len(lengths) != 2 or lengths[0] != lengths[1]:
                given = " and ".join(map(str, lengths))
                raise InputError(f"groups of {given} cells; expected two groups of as many cells each")
        if self.relation["pairs"] == "leaper" and (len(self.value("offsets")) % 2 or not self.value("offsets")):
            given = " ".join(map(str, self.value("offsets")))
            raise InputError(f"offsets = {given!r}; expected pairs: how many rows, then how many columns")

    @cached_property
    def relation(self) -> Mapping[str, Any]:
        """The table ``relation`` of the file, with the texts that are stated for ``{name}`` in it."""
        texts = {f"{{{p.name}}}": self.value(p.name) for p in self.signature() if p.type == "text"}
        stated = self.data["relation"].items()
        return {key: texts.get(value, value) if isinstance(value, str) else value for key, value in stated}

    @property
    def called(self) -> str:
        """The name, or the path of a user's own file."""
        path, _, packaged = self.file
        return self.kind if packaged else path

    def texts(self, geometry: Geometry) -> dict[str, str]:
        """Return what ``words`` may name, with the defaults that depend on the order and what the board adds."""
        numbers = self.numbers(geometry)
        own = {name: worded(kind, numbers.get(name, value), geometry) for name, kind, value in self.parameters()}
        return super().texts(geometry) | own

    def scope(self, geometry: Geometry) -> frozenset[int]:
        """Return the cells of all pairs."""
        return frozenset(cell for pair in self.compared(geometry) for cell in pair)

    @property
    def looks_at_others(self) -> bool:
        """True if the file names kinds whose rules mark pairs."""
        return "marked_by" in self.relation

    def settled(self, rules: Sequence[Rule], geometry: Geometry) -> Rule:
        """Return the rule with what other rules of the board mark, where the file names their kinds.

        The pairs that they name are exempt as well as those that are stated, and their numbers join those of the
        parameter that the file names in ``marked_numbers``.
        """
        if "marked_by" not in self.relation:
            return self
        marks = [rule for rule in rules if rule.kind in self.relation["marked_by"]]
        pairs = {tuple(sorted(pair)) for rule in marks for _, line in rule.lists() for pair in pairwise(line)}
        board: dict[str, set[Any]] = {self.relation["except"]: pairs}
        for name, other in self.relation.get("marked_numbers", {}).items():
            board[name] = {value for rule in marks for called, _, value in rule.parameters() if called == other}
        return replace(self, board=tuple((name, tuple(sorted(more))) for name, more in board.items() if more))

    def on_its_own(self) -> Rule:
        """Return the rule with what its board adds as values of its own."""
        return replace(self, board=(), **{p.name: self._complete(p.name) for p in self.signature()})

    def _complete(self, name: str) -> Any:
        """Return the value of a parameter, with what the board adds to it; exempt cells as pairs."""
        value = self.value(name)
        if name == self.relation.get("except"):
            value = tuple(pair for line in value for pair in pairwise(line))
        more = dict(self.board).get(name, ())
        return tuple(dict.fromkeys((*value, *more))) if more else value

    def senseless(self, geometry: Geometry) -> str | None:
        """Explain that a chain has one cell only, or that the comparison cannot be worked out."""
        if reason := super().senseless(geometry):
            return reason
        chains = self.relation["pairs"] == "consecutive"
        for p, cells in self.lists():
            if len(cells) < 2 and (p.name == self.relation.get("except") or (chains and p.type == "cells")):
                named = " ".join(map(geometry.cell_name, cells)) or "no cell"
                return f"{p.name} = {named!r}; expected two cells or more"
        return without_value(self.relation["allow"], lambda: self._table(geometry))

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        """Return one relation over all pairs, or a domain for each cell."""
        table = self._table(geometry)
        if self.relation["pairs"] == "each":
            fitting = tuple(a for a, mask in enumerate(table, 1) if mask)
            return [Domain(cell, fitting) for cell, _ in self.compared(geometry)]
        if self.relation["pairs"] == "all" and self.relation["allow"] == "a != b":
            return map(Different, self._lines(geometry))
        return [Relation(tuple(dict.fromkeys(self.compared(geometry))), table)]

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        """Return whether the comparison is true of each pair."""
        numbers = self.numbers(geometry)
        allow = compiled(self.relation["allow"], {"a", "b", "n", *numbers})
        pairs = self.compared(geometry)
        return all(allow(a=grid[one], b=grid[other], n=geometry.order, **numbers) for one, other in pairs)

    def _table(self, geometry: Geometry) -> tuple[int, ...]:
        """Return for each symbol a the mask of the symbols b that fit it; of single cells, nothing or all."""
        return _table_of(self.relation["allow"], tuple(self.numbers(geometry).items()), geometry.order)

    def compared(self, geometry: Geometry) -> Iterator[tuple[int, int]]:
        """Return the pairs (a, b) that the rule compares; where it looks at single cells, each cell with itself."""
        which, lines, n = self.relation["pairs"], self._lines(geometry), geometry.order
        unless = self.relation.get("except")
        exempt = {frozenset(pair) for pair in self._complete(unless)} if unless else set()
        every: Iterable[tuple[int, int]]
        if which == "each":
            return ((cell, cell) for line in lines for cell in line)
        if which == "matched":
            every = zip(*lines, strict=True)
        elif which in _ALONG:
            every = (pair for line in lines for pair in _ALONG[which](line))
        else:
            inside = {cell for line in lines for cell in line}
            steps = _STEPS.get(which) or _leaps(self.value("offsets"))
            every = (
                (cell, (row + down) * n + column + right)
                for cell, (row, column) in ((cell, divmod(cell, n)) for cell in sorted(inside))
                for down, right in steps
                if 0 <= row + down < n
                and 0 <= column + right < n
                and ((row + down) * n + column + right in inside) != (which == "outwards")
            )
        return ((one, other) for one, other in every if one != other and frozenset((one, other)) not in exempt)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        """Yield the marks that the file names, for each line; ``instead`` is what people draw for some texts."""
        for entry in self.data.get("draw", ()):
            style = dict(entry)
            make = getattr(drawing, style.pop("mark").capitalize())
            usual = dict(word.split("=") for word in style.pop("instead", "").split())
            if "text" in style:
                text = style["text"].format(**self.texts(geometry))
                style["text"] = usual.get(text, text)
            if make is drawing.Note:
                yield drawing.Note(style.get("text", self.sentence(geometry)))
                continue
            each = style.pop("each", "line")
            for line in self._lines(geometry):
                cut: Iterable[Cells] = [line] if each == "line" else zip(line) if each == "cell" else pairwise(line)
                for cells in cut:
                    yield make(cells, **style)

    def _lines(self, geometry: Geometry) -> tuple[Cells, ...]:
        if "cells" not in self.relation:
            return (tuple(range(geometry.cell_count)),)
        value = self.value(self.relation["cells"])
        return cast(tuple[Cells, ...], value if value and isinstance(value[0], tuple) else (value,))

    def numbers(self, geometry: Geometry) -> dict[str, Any]:
        """Return the numbers that the comparison may name; a default may be an expression in n."""
        values = {p.name: self._complete(p.name) for p in self.signature() if p.type in ("number", "numbers")}
        return {
            name: compiled(value, {"n"})(n=geometry.order) if isinstance(value, str) else value
            for name, value in values.items()
        }


@lru_cache(maxsize=1024)
def _table_of(allow: str, numbers: tuple[tuple[str, Any], ...], n: int) -> tuple[int, ...]:
    fits, named, symbols = compiled(allow, {"a", "b", "n", *dict(numbers)}), dict(numbers), range(1, n + 1)
    return tuple(sum(1 << (b - 1) for b in symbols if fits(a=a, b=b, n=n, **named)) for a in symbols)


_ALONG: Mapping[str, Callable[[Cells], Iterable[tuple[int, int]]]] = {
    "consecutive": pairwise,
    "near": lambda line: chain(pairwise(line), zip(line, line[2:], strict=False)),
    "all": lambda line: combinations(line, 2),
    "mirrored": lambda line: zip(line[: len(line) // 2], reversed(line), strict=False),
}
_STEPS = {"orthogonal": [(0, 1), (1, 0)], "outwards": [(0, 1), (1, 0), (0, -1), (-1, 0)]}


def _leaps(offsets: Sequence[int]) -> list[tuple[int, int]]:
    """Return the steps of a leaper, one for each two opposite ones."""
    leaps = zip(offsets[::2], offsets[1::2], strict=True)
    ways = {way for leap in leaps for way in (leap, leap[::-1])}
    steps = {(down * s, right * t) for down, right in ways for s, t in product((1, -1), repeat=2)}
    return sorted(step for step in steps if step > (0, 0))


def read_relation(path: Path, *, packaged: bool = False) -> Kind:
    """Return the kind of rule that a TOML file states; rules of one that is not ``packaged`` have its path.

    Raises ``InputError`` that names the file and the key.
    """
    return kind_of(_rule_of(str(path), read_small_file(path), packaged))


@cache
def _rule_of(path: str, text: str, packaged: bool) -> type[RelationRule]:
    """Return the class of the rules that a file states: one for equal files, so that equal rules are equal."""
    data = parse_toml(text, path)
    stated = {p.name: parameter(p.type, p.help, p.default, once=p.once) for p in _checked(data, path)}
    texts = {"words": data["words"], "example": data["example"], "__doc__": data["about"]}
    more = {
        "aliases": tuple(data.get("aliases", ())),
        "formats": items_of_tables(data.get("formats", {})),
        "data": data,
    }
    names = {"__annotations__": dict.fromkeys(stated, "Any"), "file": (path, text, packaged)}
    rule: Any = type(name := Path(path).stem, (RelationRule,), {**stated, **texts, **more, **names})
    rule.kind = name  # only now: a file is found by its path, not by its name
    return cast("type[RelationRule]", rule)


def _unreadable_words(words: str, parameters: Iterable[str]) -> str | None:
    """Explain what ``words`` names that is no parameter, or return ``None``."""
    known = [*parameters, "n"]
    expected = f"a text with names in braces: {', '.join(known)}"
    try:
        parts = list(Formatter().parse(words))
    except ValueError as problem:
        return f"{expected} ({problem})"
    for _, name, spec, conversion in parts:
        if name is not None and (name not in known or conversion or "{" in (spec or "")):
            return expected
    return None


def _restored(file: tuple[str, str, bool], values: Mapping[str, Any]) -> Rule:
    return _rule_of(*file)(**values)


def _checked(data: Mapping[str, Any], path: str) -> tuple[Parameter, ...]:
    """Return the parameters of a file; raises ``InputError`` for what is wrong in it."""

    def expect(right: bool, key: str, value: object, expected: str) -> None:
        if not right:
            raise InputError(f"{path}: {key} = {value!r}; expected {expected}")

    def check_keys(table: Mapping[str, Any], known: Sequence[str], before: str = "") -> None:
        for key in table:
            if key not in known:
                raise InputError(f"{path}: unknown key {before}{key}; expected one of {', '.join(known)}")

    check_keys(data, ("words", "about", "aliases", "example", "parameters", "relation", "draw", "formats"))
    for key in ("words", "about", "example"):
        expect(isinstance(data.get(key), str) and bool(data[key].strip()), key, data.get(key), "a text")
    if problem := _unreadable_words(data["words"], data.get("parameters", {})):
        expect(False, "words", data["words"], problem)
    relation = data.get("relation", {})
    expect(isinstance(data.get("relation"), Mapping), "relation", relation, "a table with the keys cells, pairs, allow")
    check_keys(relation, ("cells", "pairs", "allow", "except", "marked_by", "marked_numbers"), "relation.")
    parameters: dict[str, Parameter] = {}
    for name, stated in data.get("parameters", {}).items():
        right = isinstance(stated, Mapping) and stated.get("type") in TYPES and type(stated.get("help")) is str
        expect(right, f"parameters.{name}", stated, f"a table with help and a type of {', '.join(TYPES)}")
        default = stated.get("default", REQUIRED)
        default = tuple(default) if isinstance(default, list) else default
        expect(not hasattr(RelationRule, name), f"parameters.{name}", stated, "another name, which rules do not use")
        parameters[name] = Parameter(name, stated["type"], stated["help"], default, stated.get("once") is True)
    of_type = {kind: {p.name for p in parameters.values() if p.type == kind} for kind in TYPES}
    texts = {f"{{{name}}}" for name in of_type["text"]}
    which, allow = relation.get("pairs"), relation.get("allow", "")
    expect(which in (*PAIRS, *texts), "relation.pairs", which, f"one of {', '.join(PAIRS)}")
    for key, users in (("cells", ("cells",)), ("except", ("except", "marked_by"))):
        known = relation.get(key) in parameters or not any(user in relation for user in users)
        expect(known, f"relation.{key}", relation.get(key), f"one of the parameters {', '.join(sorted(parameters))}")
    matched = which != "matched" or relation.get("cells") in of_type["lines"]
    expect(matched, "relation.cells", relation.get("cells"), "the parameter of type lines that names the two groups")
    try:
        if allow not in texts:
            comparison(allow, {"a", "b", "n"} | of_type["number"] | of_type["numbers"])
        for p in parameters.values():
            if p.type == "number" and isinstance(p.default, str):
                compiled(p.default, {"n"})
    except ValueError as problem:
        raise InputError(f"{path}: relation.allow: {problem}") from None
    return tuple(parameters.values())
