"""The options of a backend as users write them, read and checked."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from gridproof.errors import BackendUnavailable

_MANY = 60
"""Options of which the nearest are named, not all."""


def value_of(text: str) -> bool | int | float | str:
    """The value that a text stands for.

    Examples
    --------
    >>> value_of("2"), value_of("0.5"), value_of("true"), value_of("luby")
    (2, 0.5, True, 'luby')
    """
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def check_names(backend: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raises ``BackendUnavailable`` for a name that is not known, with those that are, or the nearest of many."""
    for name in names:
        if name in known:
            continue
        listed, all_of_them = sorted(known), "one of"
        if len(known) > _MANY:
            listed = get_close_matches(name, listed, 12, 0.5) or [one for one in listed if name in one] or listed[:12]
            all_of_them = f"one of its {len(known)} options, such as"
        raise BackendUnavailable(f"{backend} has no option {name!r}; expected {all_of_them} {', '.join(listed)}")
