"""The values of a rule in a sentence."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from gridproof.puzzle.geometry import Geometry
from gridproof.rules.cells import shortened_runs

ParameterType: TypeAlias = Literal["cells", "lines", "number", "numbers", "flag", "text", "rules"]


class ValueWords(str):
    """A value in a sentence.

    Its format ``one|several`` adds the word for one thing or for several of them; ``and`` and ``or`` list numbers.
    """

    several = True

    def __format__(self, spec: str) -> str:
        if spec in ("and", "or"):
            *others, last = self.split(" ")
            return f"{', '.join(others)} {spec} {last}" if others else last
        word_for_one, bar, word_for_several = spec.partition("|")
        if not bar:
            return str(self)
        return f"{self} {word_for_several if self.several else word_for_one}"


def words_of(kind: ParameterType, value: Any, geometry: Geometry) -> ValueWords:
    """Return the value of a parameter as people read it."""
    if kind == "cells":
        words = ValueWords(shortened_runs(value, geometry))
    elif kind == "lines":
        words = ValueWords(" and ".join(shortened_runs(line, geometry) for line in value))
    elif kind == "numbers":
        words = ValueWords(" ".join(str(number) for number in value))
    elif kind == "rules":
        words = ValueWords("; ".join(rule.sentence(geometry) for rule in value))
    else:
        words = ValueWords("any" if value is None else value)
    if kind == "number":
        words.several = value != 1
    elif isinstance(value, tuple):
        words.several = len(value) != 1
    return words
