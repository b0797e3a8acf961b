"""Kinds of rules: their names, their parameters, and how to make a rule of a kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import getdoc
from typing import Any

from gridproof.rules.foreign import ForeignItem
from gridproof.rules.rule import Parameter, Rule, Words


@dataclass(frozen=True)
class Kind:
    """A kind of rule.

    Parameters
    ----------
    name, aliases
        Its names.
    words
        Its sentence.
    about
        Its meaning, and the choice taken if tools disagree.
    example
        A rule of the kind as text.
    parameters
        What a rule of the kind states.
    rule
        Its class.
    formats
        See ``Rule``.
    """

    name: str
    words: str
    about: str
    aliases: tuple[str, ...]
    example: str
    parameters: tuple[Parameter, ...]
    rule: type[Rule]
    formats: tuple[ForeignItem, ...] = field(compare=False)

    def make(self, values: Mapping[str, Any]) -> Rule:
        """Return the rule with a value for each parameter."""
        return self.rule(**values)

    @property
    def summary(self) -> str:
        """The first sentence of ``about``."""
        return " ".join(self.about.split("\n\n")[0].split())

    @property
    def of_cells(self) -> list[Parameter]:
        """The parameters that take cells."""
        return [p for p in self.parameters if p.type in ("cells", "lines")]

    @property
    def defaults(self) -> dict[str, Any]:
        """Each parameter with its default."""
        return {p.name: p.default for p in self.parameters}

    def is_plain(self, rule: Rule) -> bool:
        """Return whether a rule of the kind has the defaults throughout."""
        return all(value == self.defaults[name] for name, _, value in rule.parameters())

    @property
    def sentence(self) -> str:
        """The sentence with the names of parameters in capitals: ``the killer cage CELLS sums to TOTAL``."""
        names = {p.name: Words(p.name.upper()) for p in self.parameters}
        return self.words.format(**names, n="n", sight="along CELLS") or self.usage

    @property
    def usage(self) -> str:
        """The kind and its parameters in one line."""
        return " ".join([self.name, *(p.usage for p in self.parameters)])


def kind_of(rule: type[Rule]) -> Kind:
    """Return the kind that a class states by its fields, its docstring and its class variables."""
    about = getdoc(rule) or ""
    return Kind(rule.kind, rule.words, about, rule.aliases, rule.example, rule.signature(), rule, rule.formats)
