"""Rules about rules: at least one of them holds, all of them do, or none does.

A choice is stated in brackets, which may stand in brackets themselves. Its truth on a grid is that of the rules inside,
and it expands into what these expand into: ``AnyOf`` is guarded in the one translation that all targets share.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from gridproof.errors import InputError
from gridproof.puzzle.digits import Digit
from gridproof.puzzle.geometry import Geometry
from gridproof.rules.drawing import Line, Mark, Note, Outline, Shape
from gridproof.rules.negation import negate_all
from gridproof.rules.primitives import AnyOf, Primitive
from gridproof.rules.rule import Parameter, Rule, parameter

DEEPEST = 20
"""Largest number of choices, one inside the other: nobody reads a deeper one."""


class Choice(Rule):
    """A rule about other rules. Each of them stands in brackets of its own."""

    rules: tuple[Rule, ...] = parameter("rules", "the rules, each in brackets: [ killer 10 r1c1 r1c2 ]")

    conjunction: ClassVar[str]
    """The word between the rules in a sentence."""

    def __post_init__(self) -> None:
        if not self.rules:
            raise InputError("no rules; expected some, each in brackets, such as [ killer 10 r1c1 r1c2 ]")

    def lists(self) -> list[tuple[Parameter, Sequence[int]]]:
        """Return the lists of cells of all rules."""
        lists = []
        for rule in self.rules:
            lists += rule.lists()
        return lists

    def scope(self, geometry: Geometry) -> frozenset[int]:
        """Return every cell that one of the rules reads."""
        return frozenset().union(*[rule.scope(geometry) for rule in self.rules])

    def invalid_reason(self, geometry: Geometry) -> str | None:
        """Explain that one of the rules makes no sense, or is about the marks of other rules, or return ``None``."""
        if depth_of(self) > DEEPEST:
            return f"choices inside each other; expected at most {DEEPEST}"
        for rule in self.rules:
            if rule.looks_at_others:
                return f"{rule.kind} depends on the other rules of the board; expected a rule that stands for itself"
            reason = rule.invalid_reason(geometry)
            if reason is not None:
                return f"{rule.kind}: {reason}"
        return None

    def texts(self, geometry: Geometry) -> dict[str, str]:
        """Return the sentences of the rules; those of choices stand in brackets."""
        sentences = []
        for rule in self.rules:
            sentence = rule.sentence(geometry)
            sentences.append(f"({sentence})" if isinstance(rule, Choice) else sentence)
        return {"rules": self.conjunction.join(sentences), "n": str(geometry.symbol_count)}

    def remark(self, geometry: Geometry) -> str:
        """Return what a verdict has to state of the rules."""
        for rule in self.rules:
            remark = rule.remark(geometry)
            if remark:
                return remark
        return ""

    def draw(self, geometry: Geometry) -> Iterable[Mark]:
        """Return the marks of all rules in grey, as none of them need hold, and the sentence beside the board."""
        for rule in self.rules:
            for mark in rule.draw(geometry):
                if isinstance(mark, (Line, Outline, Shape)):
                    yield replace(mark, colour="grey")
                elif not isinstance(mark, Note):
                    yield mark
        yield Note(self.sentence(geometry))


class AtLeastOne(Choice):
    """At least one of the rules holds; several may."""

    kind = "any-of"
    words = "at least one of these holds: {rules}"
    conjunction = "; or "
    example = "any-of [ killer 10 r1c1 r1c2 r2c1 ] [ thermometer r1c1 r1c2 r1c3 ]"

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        yield AnyOf(tuple([tuple(rule.expand(geometry)) for rule in self.rules]))

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        return any(rule.holds(grid, geometry) for rule in self.rules)


class AllTogether(Choice):
    """All of the rules hold. Inside a choice they are one option together."""

    kind = "all-of"
    words = "all of these hold: {rules}"
    conjunction = "; and "
    example = "all-of [ even r1c1 ] [ thermometer r1c1 r1c2 r1c3 ]"

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for rule in self.rules:
            yield from rule.expand(geometry)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        return all(rule.holds(grid, geometry) for rule in self.rules)


class NoneOfThem(Choice):
    """None of the rules holds: each is broken somewhere."""

    kind = "none-of"
    words = "none of these holds: {rules}"
    conjunction = "; nor "
    example = "none-of [ killer 10 r1c1 r1c2 r2c1 ]"
    aliases = ("not",)

    def invalid_reason(self, geometry: Geometry) -> str | None:
        """Explain that one of the rules makes no sense or cannot be negated, or return ``None``."""
        for rule in kinds_inside(self.rules):
            if not rule.can_be_negated:
                return f"{rule.kind} has no opposite that can be stated; expected another kind"
        return super().invalid_reason(geometry)

    def expand(self, geometry: Geometry) -> Iterable[Primitive]:
        for rule in self.rules:
            yield negate_all(rule.expand(geometry), geometry.symbol_count)

    def holds(self, grid: Sequence[Digit], geometry: Geometry) -> bool:
        return not any(rule.holds(grid, geometry) for rule in self.rules)


def depth_of(rule: Rule) -> int:
    """Return the number of choices that stand one inside the other."""
    if not isinstance(rule, Choice):
        return 0
    return 1 + max(depth_of(inner) for inner in rule.rules)


def kinds_inside(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Yield rules and all rules inside choices among them."""
    for rule in rules:
        yield rule
        if isinstance(rule, Choice):
            yield from kinds_inside(rule.rules)
