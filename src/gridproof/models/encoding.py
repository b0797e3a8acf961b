"""Encodings: recipes, kept as data, that turn a geometry into a model. ``catalog`` reads them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Encoding:
    """A validated encoding. It is hashable, so that models can be cached by it.

    Parameters
    ----------
    name, summary, source : str
        The stem of the file, one line about it, and the paper or program it comes from.
    target : str
        The name of its target.
    choices : tuple
        Pairs of ``(table, key)`` and value, as in the schema of the target.

    Examples
    --------
    >>> from gridproof.models import catalog
    >>> minimal = catalog.load("minimal")
    >>> minimal.choice("house", "at_most_one")
    'pairwise'
    """

    name: str
    summary: str
    source: str
    target: str
    choices: tuple[tuple[tuple[str, str], object], ...]

    def choice(self, table: str, key: str) -> object:
        """Return the value that is chosen for a key of a table of the schema."""
        return dict(self.choices)[table, key]
