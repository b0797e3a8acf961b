"""Rules: everything beyond houses that must hold for some cells.

A kind of rule is one file in ``kinds/``. It states the sentence that people read, its parameters, and two things that
are written apart on purpose: ``expand`` says the rule in primitives, from which models are made; ``holds`` is its truth
on a full grid, written straight from the words. The grid check and the reference use ``holds`` and ``may_hold`` only,
so that the cross-check covers expansion, translation and solver.
"""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from enum import Enum
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, ClassVar, Literal, TypeAlias, dataclass_transform

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import written
from gridproof.rules.drawing import Mark
from gridproof.rules.primitives import AnyOf, Automaton, Count, Different, Domain, Primitive, Relation, Sum

ParameterType: TypeAlias = Literal["cells", "lines", "number", "numbers", "flag", "text"]


class Default(Enum):
    """What stands where a parameter has no default; one object in every process."""

    REQUIRED = "required"


REQUIRED: Any = Default.REQUIRED


def parameter(kind: ParameterType, meaning: str, default: Any = REQUIRED) -> Any:
    """Make a field of a kind of rule.

    Parameters
    ----------
    kind
        The type: ``cells`` is a tuple of cells, ``lines`` a tuple of such tuples, ``number`` an ``int``, ``numbers`` a
        tuple of them, ``flag`` a ``bool`` and ``text`` a ``str``.
    meaning
        The help text.
    default
        The default of an optional parameter. ``None`` means that nothing is stated.
    """
    metadata = {"type": kind, "help": meaning}
    return field(metadata=metadata) if default is REQUIRED else field(default=default, metadata=metadata)


@dataclass_transform(kw_only_default=True, frozen_default=True)
@dataclass(frozen=True, kw_only=True)
class Rule(ABC):
    """A rule over cells of a board. Subclasses become frozen dataclasses; their fields are made by ``parameter``.

    The docstring of a subclass says what the rule means, and which reading holds if tools disagree.

    Attributes
    ----------
    kind, aliases
        The names of the kind.
    words
        The sentence that people read, with ``{name}`` for each parameter.
    example
        A rule of the kind as text.
    formats
        How each file format that knows the kind writes it (see ``gridproof.formats``).

    Examples
    --------
    >>> from gridproof import Geometry
    >>> from gridproof.rules import killer
    >>> rule = killer(3, "r1c1 r1c2").on(Geometry.classic(2))
    >>> rule.kind, rule.sentence(Geometry.classic(2))
    ('killer', 'the killer cage r1c1 r1c2 sums to 3')
    >>> rule.holds((1, 2, 3, 4, 3, 4, 1, 2, 2, 3, 4, 1, 4, 1, 2, 3), Geometry.classic(2))
    True
    """

    kind: ClassVar[str]
    words: ClassVar[str]
    example: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    formats: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    def scope(self, geometry: Geometry) -> frozenset[int]:
        """Every cell that ``holds`` reads: the cells that the rule names, else the whole board."""
        found: set[int] = set()
        for _, kind, value in self.parameters():
            if kind == "cells" and value:
                found.update(value)
            elif kind == "lines":
                found.update(cell for line in value for cell in line)
        return frozenset(found or range(geometry.cell_count))

    def parameters(self) -> list[tuple[str, ParameterType, Any]]:
        """Name, type and value of each parameter."""
        return [(f.name, f.metadata["type"], getattr(self, f.name)) for f in parameter_fields(type(self))]

    def sentence(self, geometry: Geometry) -> str:
        """The rule as people read it: ``the killer cage r1c1 r1c2 sums to 15``."""
        texts = {name: said(kind, value, geometry) for name, kind, value in self.parameters()}
        return self.words.format(**texts)

    @property
    def called(self) -> str:
        """The name that ``find`` takes: the name of the kind, or the path of a user's own file."""
        return self.kind

    def text(self, geometry: Geometry) -> str:
        """The rule as ``parse_rule`` reads it: ``killer total=15 r1c1 r1c2``."""
        words, lists = [self.called], []
        for name, kind, value in self.parameters():
            if value is None or value is False or value == () or (kind == "number" and isinstance(value, str)):
                continue  # not said, or a default that depends on the order
            shown = said(kind, value, geometry)
            if kind in ("cells", "lines"):
                lists.append(shown)
            else:
                words.append(shlex.quote(f"{name}={shown}"))
        return " ".join([*words, " / ".join(lists)]).strip()

    def settled(self, rules: Sequence[Rule], geometry: Geometry) -> Rule:
        """The rule among all rules of its board: a negative rule finds the marked pairs there. Usually unchanged."""
        return self

    @abstractmethod
    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        """The rule in primitives: a grid fulfils all of them exactly when the rule holds."""

    @abstractmethod
    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        """Whether a full grid keeps the rule, written straight from its words."""

    def may_hold(self, candidates: Sequence[int], geometry: Geometry) -> bool:
        """``False`` only if no full grid within the candidate masks fulfils the rule; a bound, not a search.

        It looks at each pair and each sum of ``follows`` by itself, and at the rule where all its cells are settled.
        """
        if not all(may_be(candidates, said) for said in self.follows(geometry)):
            return False
        settled = all(candidates[cell].bit_count() == 1 for cell in self.scope(geometry))
        return not settled or self.holds([mask.bit_length() for mask in candidates], geometry)

    def follows(self, geometry: Geometry) -> Iterable[Relation | Sum]:
        """What the words imply for pairs and sums; the reference uses it. It need not be everything.

        It is written separately from ``expand``, which the reference never calls. Every grid for which ``holds`` is
        true fulfils it.
        """
        return ()

    def impossible(self, geometry: Geometry) -> str | None:
        """Why no grid at all can fulfil the rule, if that is easy to see; else ``None``."""
        for primitive in self.expand(geometry):
            if reason := _impossible(primitive, geometry.order):
                return reason
        return None

    def senseless(self, geometry: Geometry) -> str | None:
        """Why nobody can mean the rule as it is stated, so that a statement of it is refused; else ``None``."""
        return None

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        """The marks that draw the rule."""
        return ()


def parameter_fields(rule: type[Rule]) -> list[Field[Any]]:
    """The fields of a kind that are its parameters: those of its own in their order, then those that it shares."""
    found = [found for found in fields(rule) if "type" in found.metadata]
    return sorted(found, key=lambda one: one.name not in rule.__annotations__)


def said(kind: ParameterType, value: Any, geometry: Geometry) -> str:
    """The value of a parameter as people read it."""
    if value is None:
        return "any"
    if kind == "cells":
        return written(value, geometry)
    if kind == "lines":
        return " / ".join(written(line, geometry) for line in value)
    if kind == "numbers":
        return " ".join(map(str, value))
    return str(value)


def may_be(candidates: Sequence[int], said: Relation | Sum) -> bool:
    """Whether each pair still has symbols that fit, or the sum lies between the least and the greatest."""
    if isinstance(said, Relation):
        return all(
            any(fitting & candidates[other] for a, fitting in enumerate(said.allowed) if candidates[one] >> a & 1)
            for one, other in said.pairs
        )
    low = high = 0
    for cell, weight in zip(said.cells, said.coefficients, strict=True):
        mask = candidates[cell]
        ends = weight * (mask & -mask).bit_length(), weight * mask.bit_length()
        low, high = low + min(ends), high + max(ends)
    return low <= said.total <= high


def _impossible(primitive: Primitive, order: int) -> str | None:
    match primitive:
        case Different(cells=cells) if len(set(cells)) < len(cells):
            return "it names a cell twice, which cannot differ from itself"
        case Different(cells=cells) if len(cells) > order:
            return f"{len(cells)} cells cannot all differ with {order} symbols"
        case Domain(values=values) if not any(1 <= value <= order for value in values):
            return "it leaves no symbol for a cell"
        case Relation() if not all(primitive.allowed) and _leaves_nothing(primitive):
            return "it leaves no symbol for a cell"
        case Count(cells=cells, low=low) if low > len(cells):
            return f"{len(cells)} cells cannot hold {low} of its symbols"
        case Automaton(layers=layers) if layers and (not layers[0] or max(layers[0][0]) < 0):
            return "no symbols along its cells fulfil it"
        case AnyOf(options=()):
            return "no symbols in its cells fulfil it"
        case Sum(cells=cells, coefficients=coefficients, total=total, distinct=distinct):
            low, high = _least(coefficients, order, distinct), -_least([-c for c in coefficients], order, distinct)
            if not low <= total <= high:
                return f"{len(cells)} cells reach sums from {low} to {high} only"
    return None


def _leaves_nothing(relation: Relation) -> bool:
    """Whether the pairs, in their order, leave a cell without symbols, as where a thermometer is too long."""
    left = {cell: (1 << len(relation.allowed)) - 1 for pair in relation.pairs for cell in pair}
    for one, other in relation.pairs:
        left[other] &= reduce(or_, (fitting for a, fitting in enumerate(relation.allowed) if left[one] >> a & 1), 0)
    return 0 in left.values()


def _least(coefficients: Sequence[int], order: int, distinct: bool) -> int:
    """The least weighted sum; with ``distinct``, of different symbols for equal weights."""
    if not distinct:
        return sum(weight * (1 if weight > 0 else order) for weight in coefficients)
    least = 0
    for weight, number in Counter(coefficients).items():
        least += weight * sum(range(1, number + 1) if weight > 0 else range(order, order - number, -1))
    return least


def unequal(cells: Sequence[int], geometry: Geometry) -> Relation:
    """That no two of the cells hold the same symbol, pair by pair; see ``Rule.follows``."""
    every = (1 << geometry.order) - 1
    return Relation(tuple(combinations(cells, 2)), tuple(every ^ 1 << a for a in range(geometry.order)))


def named_twice(cells: Sequence[int], geometry: Geometry) -> str | None:
    """That one of some cells that differ is named twice; see ``Rule.senseless``."""
    twice = next((cell for cell, times in Counter(cells).items() if times > 1), None)
    return None if twice is None else f"{geometry.cell_name(twice)} is named twice; expected different cells"


def differ(cells: Sequence[int], geometry: Geometry) -> bool:
    """Whether houses make all of these cells differ from each other."""
    return all(other in geometry.peers[one] for one, other in combinations(cells, 2))
