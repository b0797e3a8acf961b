"""Finds the kinds of rules: every Python module and TOML file of ``kinds/``, and files of the user's own.

A new file needs no registration.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from operator import attrgetter
from pathlib import Path, PurePath

from gridproof.discovery import import_modules
from gridproof.errors import InputError
from gridproof.rules.kind import Kind, kind_of
from gridproof.rules.relation import read_relation
from gridproof.rules.rule import Rule


@lru_cache(maxsize=1)
def all_kinds() -> dict[str, Kind]:
    """Return every kind of rule by its name, in alphabetical order.

    Returns
    -------
    dict of str to Kind

    Examples
    --------
    >>> sorted(all_kinds())[:3]
    ['anti-king', 'anti-knight', 'arrow']
    """
    kinds = []
    for module in import_modules("gridproof.rules.kinds"):
        kinds += [kind_of(rule) for rule in Rule.kinds.values() if rule.__module__ == module.__name__]
    folder = Path(str(resources.files("gridproof.rules.kinds")))
    kinds += [read_relation(path, packaged=True) for path in folder.glob("*.toml")]
    return {kind.name: kind for kind in sorted(kinds, key=attrgetter("name"))}


def matching(word: str) -> list[Kind]:
    """Return the kind of this name, else every kind with the word in a name or an alias: ``kropki`` is in four.

    Raises ``InputError`` as ``find`` does.
    """
    exact = any(word in (kind.name, *kind.aliases) for kind in all_kinds().values())
    near = [
        kind for kind in all_kinds().values() if any(word in name.split("-") for name in (kind.name, *kind.aliases))
    ]
    return [find(word)] if exact or not near else near


def find(name: str | PurePath | type[Rule] | Kind) -> Kind:
    """Return a kind of rule.

    Parameters
    ----------
    name
        Its name or an alias; or one of the user's own: the name of a class of rules or the class itself, or the path of
        a TOML file.

    Returns
    -------
    Kind
        It makes rules, and has their parameters.

    Raises
    ------
    InputError
        If there is no such kind, with the nearest name; or if the file or the class is not one.

    Examples
    --------
    >>> find("killer").usage
    'killer [total] CELLS [repeats]'
    """
    if isinstance(name, Kind):
        return name
    if isinstance(name, type):
        if not issubclass(name, Rule) or not isinstance(getattr(name, "kind", None), str):
            raise InputError(
                f"{name.__name__} is not a kind of rule; expected a subclass of Rule with a name in `kind`"
            )
        return kind_of(name)
    if str(name).endswith(".toml"):
        return read_relation(Path(name))
    for kind in all_kinds().values():
        if name == kind.name or name in kind.aliases:
            return kind
    own = {rule.kind: rule for rule in Rule.kinds.values()}
    if name in own:
        return kind_of(own[name])
    names = [name for kind in all_kinds().values() for name in (kind.name, *kind.aliases)]
    near = get_close_matches(str(name), [*names, *own], 1)
    hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(all_kinds())}"
    raise InputError(f"no kind of rule is called {name!r}; {hint}")
