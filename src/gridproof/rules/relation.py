"""Rules that compare pairs of cells, stated in a TOML file: which cells, which pairs, and the comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations, pairwise
from operator import or_
from pathlib import Path
from typing import Any, cast

from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import drawing
from gridproof.rules.drawing import Mark
from gridproof.rules.expressions import compiled
from gridproof.rules.kind import Kind, Parameter
from gridproof.rules.primitives import Cells, Domain, Primitive, Relation, Sum
from gridproof.rules.rule import REQUIRED, ParameterType, Rule, said

PAIRS = ("each", "consecutive", "near", "all", "mirrored", "matched", "orthogonal", "leaper", "outwards")
"""Which pairs (a, b) a relation speaks of: ``each`` cell a alone; ``consecutive`` cells of each line; ``near`` ones, at
most two places apart; ``all`` pairs of a line; ``mirrored`` ones (first and last, and so on inwards); ``matched`` ones
of two lines of one length; ``orthogonal`` neighbours; those a ``leaper`` apart (parameter ``offsets``: down and right,
then the next such pair); ``outwards`` from each cell to its orthogonal neighbours that are not among the cells. Those
from ``orthogonal`` on take the whole board if the file names no cells."""

_TYPES = ("cells", "lines", "number", "numbers", "flag", "text")


@dataclass(frozen=True)
class Definition:
    """What a TOML file of a relation says; hashable, so that boards with such rules can be told apart."""

    name: str
    source: str
    words: str
    parameters: tuple[Parameter, ...]
    over: str | None
    pairs: str
    allow: str
    marked: str | None
    marked_by: tuple[str, ...]
    draw: tuple[tuple[tuple[str, Any], ...], ...]


@dataclass(frozen=True, kw_only=True)
class RelationRule(Rule):
    """A rule that a ``Definition`` describes, with a value for each of its parameters."""

    definition: Definition
    values: tuple[tuple[str, Any], ...]

    def __post_init__(self) -> None:
        if self.definition.pairs == "matched" and self.definition.over is not None:
            lengths = [len(line) for line in dict(self.values)[self.definition.over]]
            if len(lengths) != 2 or lengths[0] != lengths[1]:
                found = " and ".join(map(str, lengths))
                raise InputError(f"groups of {found} cells; expected two groups of as many cells each")

    @property
    def kind(self) -> str:  # type: ignore[override]
        """The file's stem."""
        return self.definition.name

    @property
    def words(self) -> str:  # type: ignore[override]
        """The sentence of the file."""
        return self.definition.words

    def parameters(self) -> list[tuple[str, ParameterType, Any]]:
        """Name, type and value of each parameter."""
        values = dict(self.values)
        return [(p.name, p.type, values[p.name]) for p in self.definition.parameters]

    @property
    def called(self) -> str:
        """The name, or the path of a user's own file."""
        return self.definition.source or self.definition.name

    def sentence(self, geometry: Geometry) -> str:
        """The rule as people read it, with the defaults that depend on the order filled in."""
        return self.words.format(**self._said(geometry))

    def scope(self, geometry: Geometry) -> frozenset[int]:
        """The cells of all pairs."""
        if self.definition.pairs == "each":
            return super().scope(geometry)
        return frozenset(cell for pair in self.pairs(geometry) for cell in pair)

    def settled(self, rules: Sequence[Rule], geometry: Geometry) -> Rule:
        """With the pairs exempt that other rules of the board mark, where the file says which."""
        if not self.definition.marked_by or not self.definition.marked:
            return self
        marks = [rule for rule in rules if rule.kind in self.definition.marked_by]
        pairs = {tuple(sorted(pair)) for rule in marks for line in _cell_lists(rule) for pair in pairwise(line)}
        values = dict(self.values) | {self.definition.marked: tuple(sorted(pairs))}
        return RelationRule(definition=self.definition, values=tuple(sorted(values.items())))

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        """One relation over all pairs and what follows from it for single cells, or a domain for each cell."""
        table = self._table(geometry)
        if self.definition.pairs == "each":
            fitting = tuple(a for a, mask in enumerate(table, 1) if mask)
            yield from (Domain(cell, fitting) for line in self._lines(geometry) for cell in line)
            return
        relation = Relation(tuple(dict.fromkeys(self.pairs(geometry))), table)
        yield relation
        yield from _left(relation)

    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        """Whether the comparison is true of each pair."""
        allow, numbers, n = self._allow(), self.numbers(geometry), geometry.order
        if self.definition.pairs == "each":
            return all(allow(a=grid[cell], n=n, **numbers) for line in self._lines(geometry) for cell in line)
        return all(allow(a=grid[one], b=grid[other], n=n, **numbers) for one, other in self.pairs(geometry))

    def may_hold(self, candidates: Sequence[int], geometry: Geometry) -> bool:
        """Whether each pair by itself still has symbols that fit."""
        table = self._table(geometry)
        if self.definition.pairs == "each":
            fitting = sum(1 << a for a, mask in enumerate(table) if mask)
            return all(candidates[cell] & fitting for line in self._lines(geometry) for cell in line)
        return all(
            any(mask & candidates[other] for a, mask in enumerate(table) if candidates[one] >> a & 1)
            for one, other in self.pairs(geometry)
        )

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        """The comparison of each pair, or of each cell with itself."""
        if self.definition.pairs == "each":
            table = tuple(bool(mask) << a for a, mask in enumerate(self._table(geometry)))
            yield Relation(tuple((cell, cell) for line in self._lines(geometry) for cell in line), table)
        else:
            yield Relation(tuple(self.pairs(geometry)), self._table(geometry))

    def _table(self, geometry: Geometry) -> tuple[int, ...]:
        """For each symbol a the mask of the symbols b that fit it; of a relation on single cells, nothing or all."""
        numbers = tuple(sorted(self.numbers(geometry).items()))
        return _table_of(self.definition.allow, numbers, geometry.order)

    def pairs(self, geometry: Geometry) -> Iterator[tuple[int, int]]:
        """The pairs (a, b) that the rule compares."""
        n, which = geometry.order, self.definition.pairs
        exempt: set[frozenset[int]] = set()
        if self.definition.marked:
            exempt = {frozenset(line) for line in dict(self.values)[self.definition.marked]}
        lines = self._lines(geometry)
        if which == "matched":
            found: Iterable[tuple[int, int]] = zip(*lines, strict=True)
        elif which in ("orthogonal", "leaper", "outwards"):
            inside = {cell for line in lines for cell in line}
            steps = [(0, 1), (1, 0)]
            if which == "leaper":
                offsets = dict(self.values)["offsets"]
                steps = sorted({s for d, r in zip(offsets[::2], offsets[1::2], strict=True) for s in _turned(d, r)})
            elif which == "outwards":
                steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
            found = [
                (cell, (cell // n + down) * n + cell % n + right)
                for cell in sorted(inside)
                for down, right in steps
                if 0 <= cell // n + down < n and 0 <= cell % n + right < n
            ]
            if which == "outwards":
                found = [(one, other) for one, other in found if other not in inside]
            else:
                found = [(one, other) for one, other in found if other in inside]
        else:
            of_line = {"consecutive": pairwise, "near": _near, "all": _all, "mirrored": _mirrored}[which]
            found = [pair for line in lines for pair in of_line(line)]  # type: ignore[operator]
        return ((one, other) for one, other in found if one != other and frozenset((one, other)) not in exempt)

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        """The marks that the file names, for each line of the rule; ``instead`` is what people draw for some texts."""
        for entry in self.definition.draw:
            style = dict(entry)
            make = getattr(drawing, str(style.pop("mark")).capitalize())
            usual = dict(word.split("=") for word in str(style.pop("instead", "")).split())
            if "text" in style:
                text = str(style["text"]).format(**self._said(geometry))
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
        if self.definition.over is None:
            return (tuple(range(geometry.cell_count)),)
        value = dict(self.values)[self.definition.over]
        return cast(tuple[Cells, ...], value if value and isinstance(value[0], tuple) else (value,))

    def _allow(self) -> Any:
        names = {"a", "b", "n"} | {p.name for p in self.definition.parameters if p.type in ("number", "numbers")}
        return compiled(self.definition.allow, names)

    def _said(self, geometry: Geometry) -> dict[str, str]:
        numbers = self.numbers(geometry)
        return {name: said(kind, numbers.get(name, value), geometry) for name, kind, value in self.parameters()}

    def numbers(self, geometry: Geometry) -> dict[str, Any]:
        """The numbers that the comparison may name; a default may be an expression in n."""
        found = {}
        for name, kind, value in self.parameters():
            if kind in ("number", "numbers"):
                found[name] = compiled(value, {"n"})(n=geometry.order) if isinstance(value, str) else value
        return found


@lru_cache(maxsize=1024)
def _table_of(allow: str, numbers: tuple[tuple[str, Any], ...], n: int) -> tuple[int, ...]:
    fits, named, symbols = compiled(allow, {"a", "b", "n", *dict(numbers)}), dict(numbers), range(1, n + 1)
    return tuple(sum(1 << (b - 1) for b in symbols if fits(a=a, b=b, n=n, **named)) for a in symbols)


def _left(relation: Relation) -> Iterator[Domain]:
    """What the pairs leave in single cells where some symbols fit nowhere: the ends of a thermometer, say."""
    every = (1 << len(relation.allowed)) - 1
    if all(relation.allowed) and reduce(or_, relation.allowed) == every:
        return
    masks = {cell: every for pair in relation.pairs for cell in pair}
    before: dict[int, int] = {}
    while masks != before:
        before = dict(masks)
        for one, other in relation.pairs:
            fitting = [(1 << a, mask) for a, mask in enumerate(relation.allowed) if masks[one] >> a & 1]
            masks[one] = sum(a for a, mask in fitting if mask & masks[other])
            masks[other] &= reduce(or_, [mask for _, mask in fitting], 0)
    for cell, mask in masks.items():
        if mask != every:
            yield Domain(cell, tuple(symbol for symbol in range(1, every.bit_length() + 1) if mask >> (symbol - 1) & 1))


def _cell_lists(rule: Rule) -> Iterator[Cells]:
    for _, kind, value in rule.parameters():
        if kind == "cells":
            yield value
        elif kind == "lines":
            yield from value


def _near(line: Cells) -> list[tuple[int, int]]:
    return [(one, other) for place, one in enumerate(line) for other in line[place + 1 : place + 3]]


def _all(line: Cells) -> list[tuple[int, int]]:
    return list(combinations(line, 2))


def _mirrored(line: Cells) -> list[tuple[int, int]]:
    return [(line[k], line[-1 - k]) for k in range(len(line) // 2)]


def _turned(down: int, right: int) -> set[tuple[int, int]]:
    """The steps of a leaper, one for each two opposite ones."""
    steps = {(s * a, t * b) for a, b in ((down, right), (right, down)) for s in (1, -1) for t in (1, -1)}
    return {step for step in steps if step > (0, 0)}


def read_relation(path: Path, *, packaged: bool = False) -> Kind:
    """The kind of rule that a TOML file states; rules of one that is not ``packaged`` remember its path.

    Raises ``InputError`` that names the file and the key.
    """
    import tomllib  # only whoever has rules waits for it

    try:
        data = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as problem:
        raise InputError(f"{path}: not a readable TOML file: {problem}") from None
    return _kind(data, path, "" if packaged else str(path))


def _kind(data: Mapping[str, Any], path: Path, source: str) -> Kind:
    def refuse(key: str, value: object, expected: str) -> InputError:
        return InputError(f"{path}: {key} = {value!r}; expected {expected}")

    def check_keys(table: Mapping[str, Any], known: Sequence[str], before: str = "") -> None:
        for key in table:
            if key not in known:
                raise InputError(f"{path}: unknown key {before}{key}; expected one of {', '.join(known)}")

    check_keys(data, ("words", "about", "aliases", "example", "parameters", "relation", "draw", "formats"))
    for key in ("words", "about", "example"):
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise refuse(key, data.get(key), "a text")
    relation = data.get("relation")
    if not isinstance(relation, Mapping):
        raise refuse("relation", relation, "a table with the keys cells, pairs, allow")
    check_keys(relation, ("cells", "pairs", "allow", "except", "marked_by"), "relation.")
    parameters = []
    for name, stated in data.get("parameters", {}).items():
        if not isinstance(stated, Mapping) or stated.get("type") not in _TYPES or type(stated.get("help")) is not str:
            raise refuse(f"parameters.{name}", stated, f"a table with help and a type of {', '.join(_TYPES)}")
        default = stated.get("default", REQUIRED)
        default = tuple(default) if isinstance(default, list) else default
        parameters.append(Parameter(name, stated["type"], stated["help"], default))
    numbers = {p.name for p in parameters if p.type in ("number", "numbers")}
    names = {p.name for p in parameters}
    if relation.get("pairs") not in PAIRS:
        raise refuse("relation.pairs", relation.get("pairs"), f"one of {', '.join(PAIRS)}")
    for key in ("cells", "except"):
        if relation.get(key) is not None and relation[key] not in names:
            raise refuse(f"relation.{key}", relation[key], f"one of the parameters {', '.join(sorted(names))}")
    try:
        compiled(relation.get("allow", ""), {"a", "b", "n"} | numbers)
        for p in parameters:
            if p.type == "number" and isinstance(p.default, str):
                compiled(p.default, {"n"})
    except ValueError as problem:
        raise InputError(f"{path}: relation.allow: {problem}") from None
    definition = Definition(
        path.stem,
        source,
        data["words"],
        tuple(parameters),
        relation.get("cells"),
        relation["pairs"],
        relation["allow"],
        relation.get("except"),
        tuple(relation.get("marked_by", ())),
        tuple(tuple(sorted(entry.items())) for entry in data.get("draw", ())),
    )
    return Kind(
        definition.name,
        definition.words,
        data["about"],
        tuple(data.get("aliases", ())),
        data["example"],
        definition.parameters,
        lambda values: RelationRule(definition=definition, values=tuple(sorted(values.items()))),
        data.get("formats", {}),
    )
