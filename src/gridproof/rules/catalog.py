"""Finds the kinds of rules: the classes in the modules of ``kinds/``, and classes and files of the user's own.

A new module needs no registration.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from operator import attrgetter
from pathlib import Path, PurePath

from gridproof.discovery import import_modules
from gridproof.errors import InputError
from gridproof.rules.own_kinds import read_kind
from gridproof.rules.rule import Rule
from gridproof.text import quote

MOST_SUGGESTIONS = 4
"""Largest number of names that are suggested in place of an unknown one."""

LEAST_LIKENESS = 0.7
"""Least likeness of a name that is suggested, as ``difflib`` measures it: ``even`` for ``queen`` (0.67) is none."""


@lru_cache(maxsize=1)
def all_kinds() -> dict[str, type[Rule]]:
    """Return every kind of rule by its name, in alphabetical order.

    Returns
    -------
    dict of str to type

    Examples
    --------
    >>> sorted(all_kinds())[:3]
    ['all-of', 'anti-king', 'anti-knight']
    """
    kinds = []
    for module in import_modules("gridproof.rules.kinds"):
        kinds += [kind for kind in Rule.kinds.values() if kind.__module__ == module.__name__]
    return {kind.kind: kind for kind in sorted(kinds, key=attrgetter("kind"))}


def names_of(kind: type[Rule]) -> list[str]:
    """Return the name of a kind, then its aliases."""
    return [kind.kind, *kind.aliases]


@lru_cache(maxsize=1)
def kinds_by_name() -> dict[str, type[Rule]]:
    """Return every kind by its name and by each alias."""
    kinds = {}
    for kind in all_kinds().values():
        for name in names_of(kind):
            kinds[name] = kind
    return kinds


def every_name() -> list[str]:
    """Return the names and aliases of all kinds, and the names of kinds that are classes of the user's own."""
    names = list(kinds_by_name())
    for kind in Rule.kinds.values():
        if kind.kind not in names:
            names.append(kind.kind)
    return names


def tidy_name(name: str) -> str:
    """Return a name as kinds are called: in small letters, with hyphens."""
    return "-".join(re.findall(r"[^\s_-]+", name.casefold()))


def refuse_blanks_in_a_name(first: str, words: Sequence[str]) -> None:
    """Raise ``InputError`` if the first words of a rule are the name of a kind, written with blanks for hyphens."""
    if first in kinds_by_name():
        return
    names = every_name()
    if first in names:
        return
    for number in range(min(len(words), 2), 0, -1):
        written = f"{first} {' '.join(words[:number])}"
        tidy = tidy_name(written)
        if tidy in names:
            raise InputError(f"no kind of rule is called {quote(written)}; did you mean {tidy!r}?")


def find_matching(word: str) -> list[type[Rule]]:
    """Return the kind of this name, else every kind with the word in a name or an alias: ``kropki`` is in four.

    Raises ``InputError`` as ``find`` does.
    """
    near = []
    for kind in all_kinds().values():
        names = names_of(kind)
        if word in names:
            return [kind]
        if any(word in name.split("-") for name in names):
            near.append(kind)
    return near or [find(word)]


def find(name: str | PurePath | type[Rule], *, files: bool = True) -> type[Rule]:
    """Return a kind of rule.

    Parameters
    ----------
    name
        Its name or an alias; or one of the user's own: the name of a class of rules or the class itself, or the path of
        a TOML file.
    files
        Whether it may be such a path.

    Returns
    -------
    type
        Its class, which makes rules and has their parameters.

    Raises
    ------
    InputError
        If there is no such kind, with the nearest name; or if the file or the class is not one.

    Examples
    --------
    >>> find("killer").usage()
    'killer [total] CELLS [repeats]'
    """
    if isinstance(name, type):
        if not issubclass(name, Rule) or not isinstance(getattr(name, "kind", None), str):
            raise InputError(
                f"{name.__name__} is not a kind of rule; expected a subclass of Rule with a name in `kind`"
            )
        return name
    if str(name).endswith(".toml"):
        if not files:
            raise InputError(f"{quote(str(name))}: whoever reads a text names the files of kinds, not the text itself")
        return read_kind(Path(name))
    kind = kinds_by_name().get(str(name))
    if kind is not None:
        return kind
    own = {rule.kind: rule for rule in Rule.kinds.values()}
    if name in own:
        return own[name]
    raise InputError(f"no kind of rule is called {quote(str(name), 40)}; {suggest_kind(str(name))}")


ELSEWHERE = {
    "diagonal": "diagonals are houses: option --diagonal, and diagonal = true in a puzzle file",
    "windoku": "its windows are houses: option --windoku, and windoku = true in a puzzle file",
    "hyper": "its windows are houses: option --windoku, and windoku = true in a puzzle file",
    "jigsaw": "its regions are houses: option --jigsaw, and jigsaw = ... in a puzzle file",
    "latin": "a board without boxes: option --latin, and latin = true in a puzzle file",
}
"""The kind to take in place of one that people look for, by a word of its name."""

NOT_STATED = ("cave", "loop", "yin", "yinyang", "nurikabe", "fillomino", "shading", "fog", "schrodinger", "doubler")
"""Kinds that people look for and that no rule can state: they decide about more than the digits of the cells."""


def suggest_kind(name: str) -> str:
    """Return what would be right in place of a name that no kind has.

    Examples
    --------
    >>> suggest_kind("German Whispers"), suggest_kind("kiler")
    ("did you mean 'german-whispers'?", "did you mean 'killer'?")
    """
    tidy = tidy_name(name)
    words = {word.removesuffix("s") for word in tidy.split("-")}
    names = every_name()
    if tidy in names:
        return f"did you mean {tidy!r}?"
    for word, advice in ELSEWHERE.items():
        if word in words:
            return advice
    if words.intersection(NOT_STATED):
        return "it is about more than the digits of cells, which no rule can state; see `gridproof rules`"
    near = [known for known in names if known.startswith(tidy) or tidy in known.split("-")]
    near = near[:MOST_SUGGESTIONS] or get_close_matches(tidy, names, 1, LEAST_LIKENESS)
    if not near:
        return f"expected one of {', '.join(all_kinds())}"
    suggested = " or ".join(repr(known) for known in near)
    return f"did you mean {suggested}?"
