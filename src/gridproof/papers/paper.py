"""A paper as data: what it measured, the figures that it published, and what follows from them.

A paper is one TOML file in the folder ``known``, found by its name; a file of a user's own is read in the same way. Its
tables name a *measure* (a module of ``measures``), the options of it, the published figures, and claims about them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.papers.claims import CLAIMS, Claim
from gridproof.papers.figures import Figures
from gridproof.papers.measures import find, measure_names
from gridproof.papers.options import check_options
from gridproof.text import suggest
from gridproof.toml_tables import TomlTable, read_toml

KEYS = ("title", "source", "summary", "differs", "table")
"""The keys of a paper's file."""

KEYS_OF_A_TABLE = ("title", "measure", "options", "published", "claim")
"""The keys of one table in it."""


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper.

    Attributes
    ----------
    title : str
        The words above it.
    measure : str
        The name of the measure that yields our figures.
    options : mapping
        The options of the measure.
    published : Figures
        The figures of the paper; empty where it has only claims.
    claims : tuple of Claim
        The statements about the figures that are tried on ours.
    """

    title: str
    measure: str
    options: Mapping[str, Any]
    published: Figures
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Paper:
    """A paper.

    Attributes
    ----------
    name : str
        The stem of its file.
    title, source, summary : str
        The words for people: what it is, who published it where, and what is measured again.
    differs : tuple of str
        Sentences on what is not as it was in the paper, and why.
    tables : tuple of PaperTable
        At least one.
    """

    name: str
    title: str
    source: str
    summary: str
    differs: tuple[str, ...]
    tables: tuple[PaperTable, ...]


def folder() -> Path:
    """Return the folder of the papers that come with gridproof."""
    return Path(str(resources.files("gridproof"))) / "papers" / "known"


def names() -> list[str]:
    """Return the names of these papers in alphabetical order.

    Examples
    --------
    >>> "encoding-sizes" in names()
    True
    """
    return sorted(path.stem for path in folder().glob("*.toml"))


def load(name: str) -> Paper:
    """Load a paper.

    Parameters
    ----------
    name
        One of ``names``, or the path of a file that ends in ``.toml``.

    Raises
    ------
    InputError
        If there is none, or if the file is not a paper.

    Examples
    --------
    >>> load("encoding-sizes").tables[0].measure
    'sizes'
    """
    if name.endswith(".toml"):
        return read_paper(Path(name))
    if name not in names():
        raise InputError(f"no paper is called {name!r}; {suggest(name, names(), 'a path ending in .toml or ')}")
    return read_paper(folder() / f"{name}.toml")


def read_paper(path: Path) -> Paper:
    """Read the file of a paper. Raises ``InputError`` with file and key for what is wrong."""
    content = TomlTable(path, read_toml(path), keys=KEYS)
    tables = content.values.get("table")
    if not isinstance(tables, list) or not tables:
        raise content.refusal("table", "at least one [[table]]")
    made = []
    for number, values in enumerate(tables, 1):
        name = f"table {number}"
        made.append(_read_table(TomlTable(path, values, keys=KEYS_OF_A_TABLE, name=name)))
    differs = content.values.get("differs", [])
    if not isinstance(differs, list) or not all(isinstance(sentence, str) for sentence in differs):
        raise content.refusal("differs", "a list of sentences")
    title = content.text("title")
    source = content.text("source")
    return Paper(path.stem, title, source, content.text("summary"), tuple(differs), tuple(made))


def _read_table(table: TomlTable) -> PaperTable:
    measure = find(table.choice("measure", measure_names()))
    options = table.table("options", measure.options)
    check_options(options, measure.options)
    stated = table.values.get("claim", [])
    if not isinstance(stated, list) or not all(isinstance(values, Mapping) for values in stated):
        raise table.refusal("claim", "a list of tables such as {kind = 'same'}")
    claims = []
    for number, values in enumerate(stated, 1):
        claims.append(_read_claim(TomlTable(table.file, values, name=f"{table.name}.claim {number}")))
    published = Figures.from_rows(_read_figures(table.table("published")))
    return PaperTable(table.text("title"), measure.name, options.values, published, tuple(claims))


def _read_claim(table: TomlTable) -> Claim:
    kind = CLAIMS[table.choice("kind", sorted(CLAIMS))]
    values = {key: value for key, value in table.values.items() if key != "kind"}
    check_options(TomlTable(table.file, values, keys=kind.options, name=table.name), kind.options)
    return kind(**values)


def _read_figures(table: TomlTable) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for row, values in table.values.items():
        if not isinstance(values, Mapping):
            raise table.refusal(row, "a table of numbers by column")
        for column, number in values.items():
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                raise InputError(f"{table.file}: published.{row}.{column} = {number!r}; expected a number")
        rows[row] = dict(values)
    return rows


def sample_of(things: Sequence[Any], most: int | None) -> list[Any]:
    """Return the first so many of some things; all of them if no number is given."""
    return list(things if most is None else things[:most])
