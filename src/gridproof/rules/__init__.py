"""Rules beyond houses: killer cages, thermometers, knight's moves, and what users state themselves.

``gridproof.rules.killer(15, "r1c1 r1c2 r2c1")`` states a rule of the kind ``killer``; every kind found has such a
function, with ``_`` for ``-`` in its name. ``parse_rule`` reads the same from text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

from gridproof.errors import InputError
from gridproof.rules.catalog import all_kinds, find
from gridproof.rules.rule import Rule
from gridproof.rules.rule_parsing import make_rule, make_rules, parse_rule
from gridproof.rules.rule_text import RuleText

__all__ = ["Rule", "RuleText", "all_kinds", "find", "make_rule", "make_rules", "parse_rule"]


def __getattr__(name: str) -> Callable[..., RuleText]:
    if find_spec(f"{__name__}.{name}"):
        raise AttributeError(name)  # a module of this package, which is being imported
    try:
        return partial(make_rule, find(name.replace("_", "-")))
    except InputError as problem:
        raise AttributeError(str(problem)) from None


def __dir__() -> list[str]:
    return [*__all__, *(name.replace("-", "_") for name in all_kinds())]
