"""Kinds of rules: their names, their parameters, and how to make a rule of a kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from inspect import getdoc
from typing import Any

from gridproof.rules.rule import REQUIRED, ParameterType, Rule, parameter_fields


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kind. ``default`` is ``REQUIRED`` where it must be said."""

    name: str
    type: ParameterType
    help: str
    default: Any = REQUIRED

    @property
    def usage(self) -> str:
        """How it stands in a rule as text: ``CELLS``, ``[sum]``, ``[repeats]``."""
        word = {"cells": "CELLS", "lines": "CELLS / CELLS ..."}.get(self.type, self.name)
        return word if self.default is REQUIRED else f"[{word}]"


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
    make
        A function from a value for each parameter to the rule.
    formats
        See ``Rule``.
    """

    name: str
    words: str
    about: str
    aliases: tuple[str, ...]
    example: str
    parameters: tuple[Parameter, ...]
    make: Callable[[Mapping[str, Any]], Rule]
    formats: Mapping[str, Any]

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
        """Whether a rule of it has the defaults throughout, but for what other rules of its board mark."""
        defaults = self.defaults
        return all(value == defaults[name] for name, _, value in rule.parameters() if name != "marked")

    @property
    def usage(self) -> str:
        """The kind and its parameters in one line."""
        return " ".join([self.name, *(p.usage for p in self.parameters)])


def kind_of(rule: type[Rule]) -> Kind:
    """The kind that a class states by its fields, its docstring and its class variables."""
    parameters = tuple(
        Parameter(f.name, f.metadata["type"], f.metadata["help"], REQUIRED if f.default is MISSING else f.default)
        for f in parameter_fields(rule)
    )
    return Kind(
        rule.kind,
        rule.words,
        getdoc(rule) or "",
        rule.aliases,
        rule.example,
        parameters,
        lambda values: rule(**values),
        rule.formats,
    )
