"""Small named sets of boards that come with the package, for trying things out, for examples and for comparisons.

easy: solved by propagation alone. hard: the best-known hardest ones, with their names. many: two to a thousand
solutions. none: no solution, and each clue is needed for that. seventeen: with the fewest clues there can be. large:
16x16 to 36x36. hostile: made so that a search in reading order goes astray. Each file names the source of its boards;
``benchmarks/make_sets.py`` made what is generated.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

from gridproof import formats
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.puzzle.board import Board
from gridproof.text import suggest


@dataclass(frozen=True, slots=True)
class Example:
    """A board of a set with its ``name`` and how many ``solutions`` it has, exactly."""

    board: Board
    name: str
    solutions: int


def names() -> list[str]:
    """Return the names of the sets, in alphabetical order."""
    return sorted(file.stem for file in _folder().glob("*.txt"))


def path(name: str) -> Path:
    """Return the path of a set: one puzzle a line, then ``# solutions: name``.

    Raises ``InputError`` for an unknown name.
    """
    if name not in names():
        raise InputError(f"no set is called {name!r}; {suggest(name, names())}")
    return _folder() / f"{name}.txt"


def summary(name: str) -> str:
    """Return a sentence on what the boards of a set have in common.

    Parameters
    ----------
    name
        One of ``names()``.

    Raises
    ------
    InputError
        For an unknown name.

    Examples
    --------
    >>> summary("many")
    'Several solutions, 2 to 1000'
    """
    return path(name).read_text(encoding="utf-8").removeprefix("# ").splitlines()[0].partition(". ")[0].rstrip(".")


def load(name: str) -> list[Board]:
    """Return the boards of a set. Raises ``InputError`` for an unknown name."""
    return [example.board for example in examples(name)]


@lru_cache(maxsize=16)
def examples(name: str) -> tuple[Example, ...]:
    """Return the boards of a set with their names and numbers of solutions.

    Raises ``InputError`` for an unknown name.
    """
    lines = path(name).read_text(encoding="utf-8").splitlines()
    boards = []
    for puzzle in formats.read(lines):
        if isinstance(puzzle, PuzzleFormatError):
            raise puzzle
        count, _, title = lines[puzzle.line - 1].partition("#")[2].partition(":")
        boards.append(Example(puzzle.board, title.strip(), int(count.split()[0].replace(",", ""))))
    return tuple(boards)


def _folder() -> Path:
    return Path(str(resources.files("gridproof"))) / "data"
