"""Rules: everything beyond houses that must hold for some cells.

A kind of rule is one file in ``kinds/``. It states the sentence that people read, its parameters, and two things that
are written apart on purpose: ``expand`` states the rule in primitives, from which models are made; ``holds`` is its
truth on a full grid, written straight from the words. The grid check and the reference use ``holds`` only, so that the
cross-check covers expansion, translation and solver.
"""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from functools import cache, reduce
from itertools import combinations
from operator import or_
from typing import Any, ClassVar, Literal, TypeAlias, dataclass_transform

from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import whole_number
from gridproof.rules.cells import OffBoard, shortened_runs, written
from gridproof.rules.drawing import Mark
from gridproof.rules.foreign import ForeignItem
from gridproof.rules.primitives import AnyOf, Automaton, Count, Different, Domain, Primitive, Relation, Sum, TooLarge
from gridproof.text import describe_value

ParameterType: TypeAlias = Literal["cells", "lines", "number", "numbers", "flag", "text"]


class Default(Enum):
    """The mark of a parameter without a default; one object in every process."""

    REQUIRED = "required"


REQUIRED: Any = Default.REQUIRED

LARGEST_NUMBER = 10**18 - 1
"""Largest number in a rule: no sum on any board comes near it, and no solver takes a larger one."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kind.

    ``default`` is ``REQUIRED`` where it must be stated. ``once``: no cell of the list, or of one of the lines, may be
    named twice.
    """

    name: str
    type: ParameterType
    help: str
    default: Any = REQUIRED
    once: bool = False

    @property
    def usage(self) -> str:
        """The parameter in a rule as text: ``CELLS``, ``[sum]``, ``[repeats]``."""
        word = {"cells": "CELLS", "lines": "CELLS / CELLS ..."}.get(self.type, self.name)
        return word if self.default is REQUIRED else f"[{word}]"


def parameter(kind: ParameterType, meaning: str, default: Any = REQUIRED, *, once: bool = False) -> Any:
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
    once
        Whether a cell that is named twice is refused.
    """
    metadata = {"type": kind, "help": meaning, "once": once}
    return field(metadata=metadata) if default is REQUIRED else field(default=default, metadata=metadata)


class Words(str):
    """A value in a sentence. Its format ``one|several`` adds the word for one thing or for several of them."""

    several = True

    def __format__(self, spec: str) -> str:
        one, bar, several = spec.partition("|")
        return f"{self} {several if self.several else one}" if bar else str(self)


@dataclass_transform(kw_only_default=True, frozen_default=True)
@dataclass(frozen=True, kw_only=True)
class Rule(ABC):
    """A rule over cells of a board. Subclasses become frozen dataclasses; their fields are made by ``parameter``.

    The docstring of a subclass is the meaning of the rule, with the reading that holds if tools disagree.

    A subclass refuses only values without a meaning, by ``InputError`` in ``__post_init__``. What has a meaning and is
    never fulfilled, such as a sum out of reach, is no error: no grid fulfils it. The contract kits state rules of each
    kind at random, with any cells and numbers, and such a statement must not raise.

    Attributes
    ----------
    kind, aliases
        The names of the kind.
    words
        The sentence that people read, with ``{name}`` for each parameter and ``{name:holds|hold}`` for the word that
        follows one cell or several. Without it the rule is shown as it is stated.
    example
        A rule of the kind as text.
    formats
        What other programs call the kind: a record for each way in which one of them states it.

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
    words: ClassVar[str] = ""
    example: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    formats: ClassVar[tuple[ForeignItem, ...]] = ()
    kinds: ClassVar[dict[tuple[str, str], type[Rule]]] = {}
    """Every class that states a kind, by its module and its name: of the package and of the user's own code."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        if isinstance(name := vars(cls).get("kind"), str):
            Rule.kinds[cls.__module__, name] = cls

    @classmethod
    @cache
    def signature(cls) -> tuple[Parameter, ...]:
        """Return the parameters of the kind: those of its own in their order, then those that it shares."""
        own = [one for one in fields(cls) if "type" in one.metadata]
        return tuple(
            Parameter(one.name, **one.metadata, default=REQUIRED if one.default is MISSING else one.default)
            for one in sorted(own, key=lambda one: one.name not in cls.__annotations__)
        )

    def value(self, name: str) -> Any:
        """Return the value of a parameter."""
        return getattr(self, name)

    def parameters(self) -> list[tuple[str, ParameterType, Any]]:
        """Return name, type and value of each parameter."""
        return [(p.name, p.type, self.value(p.name)) for p in self.signature()]

    def lists(self) -> list[tuple[Parameter, Sequence[int]]]:
        """Return each list of cells that the rule names, with its parameter."""
        return [
            (p, cells)
            for p in self.signature()
            if p.type in ("cells", "lines")
            for cells in ([self.value(p.name)] if p.type == "cells" else self.value(p.name))
        ]

    def scope(self, geometry: Geometry) -> frozenset[int]:
        """Return every cell that ``holds`` reads: the cells that the rule names, else the whole board."""
        named = {cell for _, cells in self.lists() for cell in cells}
        return frozenset(named or range(geometry.cell_count))

    def sentence(self, geometry: Geometry) -> str:
        """Return the rule as people read it: ``the killer cage r1c1 r1c2 sums to 15``."""
        return self.words.format(**self.texts(geometry)) or self.text(geometry)

    def texts(self, geometry: Geometry) -> dict[str, str]:
        """Return what ``words`` may name: each parameter, and ``n``, the largest symbol."""
        texts = {name: worded(kind, value, geometry) for name, kind, value in self.parameters()}
        return {**texts, "n": str(geometry.order)}

    @property
    def called(self) -> str:
        """The name that ``find`` takes: the name of the kind, or the path of a user's own file."""
        return self.kind

    def text(self, geometry: Geometry) -> str:
        """Return the rule as ``parse_rule`` reads it: ``killer total=15 r1c1 r1c2``."""
        words, lists = [self.called], []
        for name, kind, value in self.parameters():
            if value is None or value is False or value == () or (kind == "number" and isinstance(value, str)):
                continue  # nothing is stated, or a default that depends on the order
            if kind in ("cells", "lines"):
                lists += [written(line, geometry) for line in (value if kind == "lines" else [value])]
            else:
                text = " ".join(map(str, value)) if kind == "numbers" else str(value)
                words.append(shlex.quote(f"{name}={text}"))
        return " ".join([*words, " / ".join(lists)]).strip()

    def settled(self, rules: Sequence[Rule], geometry: Geometry) -> Rule:
        """Return the rule among all rules of its board: a negative rule finds the marked pairs there."""
        return self

    @property
    def looks_at_others(self) -> bool:
        """True if other rules of the board change what the rule means; see ``settled``."""
        return type(self).settled is not Rule.settled

    def on_its_own(self) -> Rule:
        """Return the rule with all that it takes from other rules of its board as parameters of its own."""
        return self

    @abstractmethod
    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        """Return the rule in primitives: a grid fulfils all of them exactly when the rule holds."""

    @abstractmethod
    def holds(self, grid: Sequence[int], geometry: Geometry) -> bool:
        """Return whether a full grid keeps the rule, written straight from its words."""

    def impossible(self, geometry: Geometry, candidates: Sequence[int] = ()) -> str | None:
        """Explain why no grid within the candidate masks can keep the rule, if that is easy to see.

        It looks at each primitive by itself: a bound, not a search. Without candidates every symbol may stand anywhere.
        """
        masks = candidates or [(1 << geometry.order) - 1] * geometry.cell_count
        try:
            reason = next(filter(None, (_impossible(primitive, masks) for primitive in self.expand(geometry))), None)
        except TooLarge:
            reason = None
        if reason is None and all(masks[cell].bit_count() == 1 for cell in self.scope(geometry)):
            return None if self.holds([mask.bit_length() for mask in masks], geometry) else "its cells do not keep it"
        return reason

    def senseless(self, geometry: Geometry) -> str | None:
        """Explain why the rule makes no sense as stated, or return ``None``. A board refuses such a rule.

        Raises ``OffBoard`` for cells that this board does not have.
        """
        for p, cells in self.lists():
            for cell in cells:
                if whole_number(cell) is None:
                    return f"cell {cell!r}; expected a number from 0"
                if not 0 <= cell < geometry.cell_count:
                    last = geometry.cell_count - 1
                    raise OffBoard(
                        f"cell {describe_value(cell)} is not on a board of {geometry.description}; expected 0 to {last}"
                    )
            if p.once and (reason := named_twice(cells, geometry)):
                return reason
        for p in self.signature():
            if p.type in ("number", "numbers") and (reason := _no_number(self.value(p.name), p)):
                return reason
        return None

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        """Return the marks that draw the rule."""
        return ()


def _no_number(value: Any, p: Parameter) -> str | None:
    """Explain that a value is not made of whole numbers up to ``LARGEST_NUMBER``, or return ``None``."""
    if value == p.default:
        return None
    for entry in value if isinstance(value, tuple) else (value,):
        number = whole_number(entry)
        if number is None or abs(number) > LARGEST_NUMBER:
            return f"{p.name} = {describe_value(entry)[:60]}; expected a whole number ({p.help})"
    return None


def worded(kind: ParameterType, value: Any, geometry: Geometry) -> Words:
    """Return the value of a parameter as people read it."""
    if kind == "cells":
        words = Words(shortened_runs(value, geometry))
    elif kind == "lines":
        words = Words(" and ".join(shortened_runs(line, geometry) for line in value))
    elif kind == "numbers":
        words = Words(" ".join(map(str, value)))
    else:
        words = Words("any" if value is None else value)
    words.several = value != 1 if kind == "number" else not isinstance(value, tuple) or len(value) != 1
    return words


def _impossible(primitive: Primitive, masks: Sequence[int]) -> str | None:
    """Explain why a primitive cannot be fulfilled within the candidate masks of all cells, or return ``None``."""
    match primitive:
        case Different(cells=cells):
            symbols = reduce(or_, [masks[cell] for cell in cells], 0).bit_count()
            if len(set(cells)) < len(cells):
                return "it names a cell twice, which cannot differ from itself"
            if len(cells) > symbols:
                return f"{len(cells)} cells cannot all differ with {symbols} symbols"
        case Domain(cell=cell, values=values) if not masks[cell] & _mask(values):
            return "it leaves no symbol for a cell"
        case Relation() if _leaves_nothing(primitive, masks):
            return "it leaves no symbol for a cell"
        case Count(cells=cells, symbol=symbol, low=low) if sum(masks[c] & _mask([symbol]) > 0 for c in cells) < low:
            return f"{len(cells)} cells cannot hold a symbol {low} times"
        case Automaton() if not _ends(primitive, masks):
            return "no symbols along its cells fulfil it"
        case AnyOf(options=options) if all(any(_impossible(one, masks) for one in option) for option in options):
            return "no symbols in its cells fulfil it"
        case Sum(cells=cells, coefficients=coefficients, total=total, distinct=distinct):
            weighted = [(weight, masks[cell]) for weight, cell in zip(coefficients, cells, strict=True)]
            low = _least(weighted, distinct)
            high = -_least([(-weight, mask) for weight, mask in weighted], distinct)
            if not low <= total <= high:
                return f"{len(cells)} cells reach sums from {low} to {high} only"
    return None


def _mask(symbols: Iterable[int]) -> int:
    return sum(1 << (symbol - 1) for symbol in {*symbols} if symbol > 0)


def _leaves_nothing(relation: Relation, masks: Sequence[int]) -> bool:
    """Return whether the pairs, in their order, leave a cell without symbols, as where a thermometer is too long."""

    @cache
    def fitting(mask: int) -> int:
        return reduce(or_, (row for a, row in enumerate(relation.allowed) if mask >> a & 1), 0)

    symbols = {cell: masks[cell] for pair in relation.pairs for cell in pair}
    for one, other in relation.pairs:
        symbols[other] &= fitting(symbols[one])
    return 0 in symbols.values()


def _ends(machine: Automaton, masks: Sequence[int]) -> bool:
    """Return whether some candidates lead the machine to an end."""
    states = {0}
    for cell, layer in zip(machine.cells, machine.layers, strict=True):
        rows = [layer[state] for state in states if layer]
        states = {after for row in rows for s, after in enumerate(row) if masks[cell] >> s & 1} - {-1}
    return bool(states)


def _least(weighted: Sequence[tuple[int, int]], distinct: bool) -> int:
    """Return the least weighted sum of candidates; with ``distinct``, of different symbols for equal weights."""
    least = sum(weight * (mask & -mask if weight > 0 else mask).bit_length() for weight, mask in weighted)
    if not distinct:
        return least
    order, apart = max((mask.bit_length() for _, mask in weighted), default=0), 0
    for weight, number in Counter(weight for weight, _ in weighted).items():
        apart += weight * sum(range(1, number + 1) if weight > 0 else range(order, order - number, -1))
    return max(least, apart)


def named_twice(cells: Sequence[int], geometry: Geometry) -> str | None:
    """Explain that a cell is named twice, or return ``None``; see ``Rule.senseless``."""
    twice = next((cell for cell, times in Counter(cells).items() if times > 1), None)
    return None if twice is None else f"{geometry.cell_name(twice)} is named twice; expected different cells"


def differ(cells: Sequence[int], geometry: Geometry) -> bool:
    """Return whether houses make all of these cells differ from each other."""
    return all(other in geometry.peers[one] for one, other in combinations(cells, 2))
