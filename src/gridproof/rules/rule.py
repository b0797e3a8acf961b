"""Rules: everything beyond houses that must hold for some cells.

A kind of rule is a class, in a file of ``kinds/``; a rule is an object of it. The class states the sentence that people
read, its parameters, and two things that are written apart on purpose: ``expand`` states the rule in primitives, from
which models are made; ``holds`` is its truth on a full grid, written straight from the words. The grid check and the
reference use ``holds`` only, so that the cross-check covers expansion, translation and solver.
"""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from functools import cache
from inspect import getdoc
from itertools import combinations
from typing import Any, ClassVar, dataclass_transform

from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import whole_number
from gridproof.rules.bounds import explain_impossible
from gridproof.rules.cells import OffBoard, cell_names
from gridproof.rules.drawing import Mark
from gridproof.rules.foreign import ForeignItem
from gridproof.rules.primitives import Primitive, TooLarge
from gridproof.rules.value_words import ParameterType, ValueWords, words_of
from gridproof.text import describe_value


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
        words = {"cells": "CELLS", "lines": "CELLS / CELLS ...", "rules": "[ RULE ] [ RULE ] ..."}
        word = words.get(self.type, self.name)
        return word if self.default is REQUIRED else f"[{word}]"


def parameter(kind: ParameterType, meaning: str, default: Any = REQUIRED, *, once: bool = False) -> Any:
    """Make a field of a kind of rule.

    Parameters
    ----------
    kind
        The type: ``cells`` is a tuple of cells, ``lines`` a tuple of such tuples, ``number`` an ``int``, ``numbers`` a
        tuple of them, ``flag`` a ``bool``, ``text`` a ``str`` and ``rules`` a tuple of rules.
    meaning
        The help text.
    default
        The default of an optional parameter. ``None`` means that nothing is stated.
    once
        Whether a cell that is named twice is refused.
    """
    metadata = {"type": kind, "help": meaning, "once": once}
    return field(metadata=metadata) if default is REQUIRED else field(default=default, metadata=metadata)


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
    >>> rule = killer(3, "r1c1 r1c2").make(Geometry.classic(2))
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
    looks_at_others: ClassVar[bool] = False
    """True if other rules of the board change what a rule of the kind means; see ``complete``."""

    can_be_negated: ClassVar[bool] = True
    """False if no rule can state that a rule of the kind is broken; see ``negation.py``."""

    kinds: ClassVar[dict[tuple[str, str], type[Rule]]] = {}
    """Every class that states a kind, by its module and its name: of the package and of the user's own code."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)
        name = vars(cls).get("kind")
        if isinstance(name, str):
            Rule.kinds[cls.__module__, name] = cls

    # ---- the kind ----------------------------------------------------------------------------------------------------

    @classmethod
    @cache
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the parameters of the kind: those of its own in their order, then those that it shares."""
        stated = {each.name: each for each in fields(cls) if "type" in each.metadata}
        own = [name for name in cls.__annotations__ if name in stated]
        found = []
        for name in dict.fromkeys((*own, *stated)):
            default = stated[name].default
            if default is MISSING:
                default = REQUIRED
            found.append(Parameter(name, default=default, **stated[name].metadata))
        return tuple(found)

    @classmethod
    def cell_parameters(cls) -> list[Parameter]:
        """Return the parameters that take cells."""
        return [p for p in cls.parameters() if p.type in ("cells", "lines")]

    @classmethod
    def name_of_rules(cls) -> str:
        """Return the parameter that takes rules; empty if none does."""
        for p in cls.parameters():
            if p.type == "rules":
                return p.name
        return ""

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """Return each parameter with its default."""
        return {p.name: p.default for p in cls.parameters()}

    @classmethod
    def about(cls) -> str:
        """Return the meaning of the kind, and the choice taken if tools disagree."""
        return getdoc(cls) or ""

    @classmethod
    def summary(cls) -> str:
        """Return the first paragraph of ``about``."""
        return " ".join(cls.about().split("\n\n")[0].split())

    @classmethod
    def usage(cls) -> str:
        """Return the kind and its parameters in one line."""
        usages = [p.usage for p in cls.parameters()]
        return " ".join([cls.kind] + usages)

    @classmethod
    def title(cls) -> str:
        """Return the sentence with the names of parameters in capitals: ``the killer cage CELLS sums to TOTAL``."""
        names = {p.name: ValueWords(p.name.upper()) for p in cls.parameters()}
        return (
            cls.words.format(**names, n="n", low="the smallest digit", high="the largest", sight="along CELLS")
            or cls.usage()
        )

    @classmethod
    def board_inside(cls, geometry: Geometry, values: Mapping[str, Any]) -> Geometry:
        """Return the board on which the rules in a rule are stated. values: of its parameters."""
        return geometry

    # ---- what is stated ----------------------------------------------------------------------------------------------

    def value(self, name: str) -> Any:
        """Return the value of a parameter."""
        return getattr(self, name)

    def stated_values(self) -> list[tuple[str, ParameterType, Any]]:
        """Return name, type and value of each parameter."""
        return [(p.name, p.type, self.value(p.name)) for p in self.parameters()]

    def numbers(self, geometry: Geometry) -> dict[str, Any]:
        """Return the parameters that mean other numbers on a board than they state, with these numbers.

        A parameter that is not stated may depend on the number of digits, and other rules of the board may add to one.
        """
        return {}

    def is_plain(self) -> bool:
        """Return whether the rule has the defaults throughout."""
        defaults = self.defaults()
        return all(value == defaults[name] for name, _, value in self.stated_values())

    def lists(self) -> list[tuple[Parameter, Sequence[int]]]:
        """Return each list of cells that the rule names, with its parameter."""
        lists: list[tuple[Parameter, Sequence[int]]] = []
        for p in self.cell_parameters():
            value = self.value(p.name)
            for cells in [value] if p.type == "cells" else value:
                lists.append((p, cells))
        return lists

    def scope(self, geometry: Geometry) -> frozenset[int]:
        """Return every cell that ``holds`` reads: the cells that the rule names, else the whole board."""
        named: set[int] = set()
        for _, cells in self.lists():
            named.update(cells)
        return frozenset(named or range(geometry.cell_count))

    @property
    def name_or_path(self) -> str:
        """The name of the kind, or the path of a user's own file: what ``find`` takes."""
        return self.kind

    def invalid_reason(self, geometry: Geometry) -> str | None:
        """Explain why the rule makes no sense as stated, or return ``None``. A board refuses such a rule.

        Raises ``OffBoard`` for cells that this board does not have.
        """
        for p, cells in self.lists():
            for cell in cells:
                if whole_number(cell) is None:
                    return f"cell {cell!r}; expected a number from 0"
                if not 0 <= cell < geometry.cell_count:
                    last = geometry.cell_count - 1
                    named = f"cell {describe_value(cell)}"
                    raise OffBoard(f"{named} is not on a board of {geometry.description}; expected 0 to {last}")
            reason = find_repeated(cells, geometry) if p.once else None
            if reason is not None:
                return reason
        for p in self.parameters():
            reason = find_no_number(self.value(p.name), p) if p.type in ("number", "numbers") else None
            if reason is not None:
                return reason
        return None

    # ---- as text -----------------------------------------------------------------------------------------------------

    def sentence(self, geometry: Geometry) -> str:
        """Return the rule as people read it: ``the killer cage r1c1 r1c2 sums to 15``."""
        return self.words.format(**self.texts(geometry)) or self.text(geometry)

    def texts(self, geometry: Geometry) -> dict[str, str]:
        """Return what ``words`` may name: each parameter, the number ``n`` of digits, and ``low`` and ``high``."""
        numbers = self.numbers(geometry)
        texts: dict[str, str] = {}
        for name, kind, value in self.stated_values():
            texts[name] = words_of(kind, numbers.get(name, value), geometry)
        texts["n"] = str(geometry.symbol_count)
        texts["low"] = str(geometry.digits.first)
        texts["high"] = str(geometry.digits.last)
        return texts

    def text(self, geometry: Geometry) -> str:
        """Return the rule as ``parse_rule`` reads it: ``killer total=15 r1c1 r1c2``."""
        words = [self.name_or_path]
        lists = []
        for name, kind, value in self.stated_values():
            if value is None or value is False or value == ():
                continue  # nothing is stated
            if kind == "cells":
                lists.append(cell_names(value, geometry))
            elif kind == "lines":
                lists += [cell_names(line, geometry) for line in value]
            elif kind == "rules":
                inside = self.board_inside(geometry, vars(self))
                words += [f"[ {rule.text(inside)} ]" for rule in value]
            else:
                words.append(shlex.quote(f"{name}={words_of(kind, value, geometry)}"))
        words.append(" / ".join(lists))
        return " ".join(words).strip()

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        """Return the marks that draw the rule."""
        return ()

    # ---- what it means -----------------------------------------------------------------------------------------------

    def complete(self, rules: Sequence[Rule], geometry: Geometry) -> Rule:
        """Return the rule among all rules of its board: a negative rule finds the marked pairs there."""
        return self

    def stand_alone(self) -> Rule:
        """Return the rule with all that it takes from other rules of its board as parameters of its own."""
        return self

    @abstractmethod
    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        """Return the rule in primitives: a grid fulfils all of them exactly when the rule holds.

        They may lean on houses of the geometry; without houses, they are the meaning of the rule by itself.
        """

    @abstractmethod
    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        """Return whether a full grid, the digits of its cells, keeps the rule, written straight from its words."""

    def remark(self, geometry: Geometry) -> str:
        """Return what a verdict with solutions has to state of boards with this rule; nothing for most kinds."""
        return ""

    def impossible(self, geometry: Geometry, candidates: Sequence[int] = ()) -> str | None:
        """Explain why no grid within the candidate masks can keep the rule, if that is easy to see.

        It looks at each primitive by itself: a bound, not a search. Without candidates every symbol may stand anywhere.
        """
        masks = candidates or [geometry.every_symbol] * geometry.cell_count
        reason = None
        with suppress(TooLarge):
            for primitive in self.expand(geometry):
                reason = explain_impossible(primitive, masks, geometry.digits)
                if reason:
                    break
        if reason is None and all(masks[cell].bit_count() == 1 for cell in self.scope(geometry)):
            grid = geometry.digits.of([mask.bit_length() for mask in masks])
            return None if self.holds(grid, geometry) else "its cells do not keep it"
        return reason


def find_no_number(value: Any, p: Parameter) -> str | None:
    """Explain that a value is not made of whole numbers up to ``LARGEST_NUMBER``, or return ``None``."""
    if value == p.default:
        return None
    for entry in value if isinstance(value, tuple) else (value,):
        number = whole_number(entry)
        if number is None or abs(number) > LARGEST_NUMBER:
            return f"{p.name} = {describe_value(entry)[:60]}; expected a whole number ({p.help})"
    return None


def find_repeated(cells: Sequence[int], geometry: Geometry) -> str | None:
    """Explain that a cell is named twice, or return ``None``; see ``Rule.invalid_reason``."""
    for cell, times in Counter(cells).items():
        if times > 1:
            return f"{geometry.cell_name(cell)} is named twice; expected different cells"
    return None


def differ(cells: Sequence[int], geometry: Geometry) -> bool:
    """Return whether houses make all of these cells differ from each other."""
    return all(second in geometry.peers[first] for first, second in combinations(cells, 2))
