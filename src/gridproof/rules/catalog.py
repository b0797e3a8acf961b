"""Finds the kinds of rules: every Python module and TOML file of ``kinds/``, and files of the user's own.

A new file needs no registration.
"""

from __future__ import annotations

import importlib
import pkgutil
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from pathlib import Path

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
    package = "gridproof.rules.kinds"
    folder = Path(str(resources.files(package)))
    found = [read_relation(path, packaged=True) for path in folder.glob("*.toml")]
    for module in pkgutil.iter_modules([str(folder)]):
        content = vars(importlib.import_module(f"{package}.{module.name}"))
        found += [
            kind_of(value)
            for value in content.values()
            if isinstance(value, type)
            and issubclass(value, Rule)
            and value.__module__ == f"{package}.{module.name}"
            and "kind" in vars(value)
        ]
    return {kind.name: kind for kind in sorted(found, key=lambda kind: kind.name)}


def find(name: str) -> Kind:
    """Return a kind of rule.

    Parameters
    ----------
    name
        Its name or an alias, or the path of a user's own TOML file.

    Returns
    -------
    Kind
        It makes rules, and says how they are stated.

    Raises
    ------
    InputError
        If there is no such kind, with the nearest name; or if the file is not one.

    Examples
    --------
    >>> find("killer").usage
    'killer [total] CELLS [repeats]'
    """
    if name.endswith(".toml"):
        return read_relation(Path(name))
    for kind in all_kinds().values():
        if name == kind.name or name in kind.aliases:
            return kind
    names = [name for kind in all_kinds().values() for name in (kind.name, *kind.aliases)]
    near = get_close_matches(name, names, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"expected one of {', '.join(all_kinds())}"
    raise InputError(f"no kind of rule is called {name!r}; {hint}")
