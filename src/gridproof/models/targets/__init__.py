"""Encodings, and the targets that they are for.

An *encoding* is a recipe, kept as data, that turns a geometry into a model; ``catalog`` reads it. A *target* is a kind
of model, such as clauses: the vocabulary of its encoding files, and how models are made and written. Every module of
this folder has ``TARGETS``, so a new file is found without registration. Importing this module imports no solver.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TextIO, TypeAlias

from gridproof.discovery import collect
from gridproof.errors import EncodingError
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry
from gridproof.toml_tables import listed

Choices: TypeAlias = Mapping[tuple[str, str], object]
"""(table, key) -> the value chosen."""


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


class Model(ABC):
    """Houses and rules for one target: what a session loads."""

    problem: Problem
    encoding: Encoding

    @property
    def geometry(self) -> Geometry:
        """The geometry of the problem."""
        return self.problem.geometry

    def about(self) -> Iterator[str]:
        """Yield the first comments of a file: geometry, encoding and rules."""
        yield f"gridproof: {self.geometry.description}, encoding {self.encoding.name}"
        yield from (rule.sentence(self.geometry) for rule in self.problem.rules)

    @property
    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """The number of each thing that the target counts; empty if each board gets a model of its own size."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Target:
    """A kind of model.

    Parameters
    ----------
    name : str
        The name that encodings and backends use.
    schema : mapping
        Everything that an encoding file may state: table -> key -> the allowed values.
    optional : mapping
        The optional keys of ``schema``, (table, key), and their defaults.
    invalid_reason : function
        Takes the choices of an encoding. Returns a reason if they do not state the rules although each is allowed,
        else ``None``.
    default_encoding : function
        Takes a problem, or ``None`` for one of usual size without rules. Returns the name of the default encoding,
        which is the fastest measured (benchmarks/attempts.md).
    compile : function
        Takes a problem (houses and rules) and an encoding. Returns the model.
    formats : mapping
        Name -> function that writes the model for other programs; the first is the usual one. It takes the model, a
        file, a board or ``None`` for the rules alone, and whether each variable gets a comment.

    Examples
    --------
    >>> from gridproof.models import catalog
    >>> from gridproof.puzzle.board import Problem
    >>> from gridproof.puzzle.geometry import Geometry
    >>> find("cnf").compile(Problem(Geometry.classic(3)), catalog.load("minimal")).sizes
    {'variables': 729, 'clauses': 7371}
    """

    name: str
    schema: Mapping[str, Mapping[str, tuple[object, ...]]]
    optional: Choices = field(default_factory=dict)
    invalid_reason: Callable[[Choices], str | None] = lambda choices: None
    default_encoding: Callable[[Problem | None], str]
    compile: Callable[[Problem, Encoding], Model]
    formats: Mapping[str, Callable[[Any, TextIO, Board | None, bool], None]]


@lru_cache(maxsize=1)
def all_targets() -> dict[str, Target]:
    """Return every target by its name.

    Examples
    --------
    >>> sorted(all_targets())[:3]
    ['asp', 'cnf', 'cp-sat']
    """
    return {target.name: target for target in collect(__name__, "TARGETS")}


def find(name: str) -> Target:
    """Return the target of a name. Raises ``EncodingError`` with the names that exist."""
    known = all_targets()
    if name not in known:
        raise EncodingError(f"no target is called {name!r}; expected one of {listed(known)}")
    return known[name]
