"""Sets of puzzles: files, named sets of ``gridproof.formats.datasets``, or boards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from gridproof.errors import InputError, PuzzleFormatError, choices
from gridproof.formats import Shape, Zero
from gridproof.formats.sources import lines_of
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

if TYPE_CHECKING:
    from gridproof.rules import Rule, Statement


@dataclass(frozen=True)
class PuzzleSet:
    """Boards under a name.

    Parameters
    ----------
    name : str
        What the set is called in tables.
    boards : tuple of Board
        At least one.
    numbers : tuple of int
        What each is called in records; 1, 2, ... if not given.

    Raises
    ------
    InputError
        There is no board, or not a number of its own for each.

    Examples
    --------
    >>> boards = [Board.empty(Geometry.classic(2)), Board.empty(Geometry.classic(3))]
    >>> PuzzleSet("empty", boards).sample(1, seed=0).numbers
    (2,)
    """

    name: str
    boards: tuple[Board, ...]
    numbers: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "boards", tuple(self.boards))
        numbers = tuple(self.numbers) or tuple(range(1, len(self.boards) + 1))
        object.__setattr__(self, "numbers", numbers)
        if not self.boards or len(numbers) != len(self.boards) or len(set(numbers)) < len(numbers):
            raise InputError(
                f"set {self.name!r} of {len(self.boards)} boards and {len(numbers)} numbers; "
                "expected at least one board, and a number of its own for each"
            )

    def distinct(self) -> PuzzleSet:
        """Without boards that came before: no session is to see one twice."""
        first: dict[Board, int] = {}
        for board, number in zip(self.boards, self.numbers, strict=True):
            first.setdefault(board, number)
        return self if len(first) == len(self.boards) else PuzzleSet(self.name, tuple(first), tuple(first.values()))

    def sample(self, most: int | None, seed: int) -> PuzzleSet:
        """At most so many boards, drawn with ``seed``, in their order."""
        if most is None or most >= len(self.boards):
            return self
        chosen = sorted(Random(f"sample {seed} {self.name}").sample(range(len(self.boards)), most))
        return PuzzleSet(
            self.name, tuple(self.boards[index] for index in chosen), tuple(self.numbers[index] for index in chosen)
        )


def load_sets(
    sources: Sequence[str | Path | PuzzleSet],
    shape: Shape = Geometry.standard,
    zero: Zero | None = None,
    rules: Iterable[Rule | Statement | str] = (),
) -> list[PuzzleSet]:
    """Read every source. Two files of one stem are called by their paths. zero: as for ``formats.read``.

    rules: further ones, of every board.

    Raises ``InputError`` for a source that is neither a file nor a named set, and ``PuzzleFormatError`` for a file with
    a malformed puzzle: what is compared must be the same for all.
    """
    if not sources:
        raise InputError("no puzzle sets; expected at least one file of puzzles, or a set's name")
    stems = [Path(source).stem for source in sources if not isinstance(source, PuzzleSet)]
    sets = []
    for source in sources:
        if isinstance(source, PuzzleSet):
            sets.append(source)
            continue
        stem = Path(source).stem
        sets.append(_load(source, stem if stems.count(stem) == 1 else str(source), shape, zero))
    if further := list(rules):
        sets = [replace(one, boards=tuple(board.with_rules(further) for board in one.boards)) for one in sets]
    names = [puzzles.name for puzzles in sets]
    if len(set(names)) < len(names):
        raise InputError(f"sets called {', '.join(names)}; expected a name of its own for each")
    return sets


def _load(source: str | Path, name: str, shape: Shape, zero: Zero | None) -> PuzzleSet:
    from gridproof import formats
    from gridproof.formats import datasets

    path = Path(source)
    if not path.is_file():
        if str(source) in datasets.names():
            return PuzzleSet(str(source), tuple(datasets.load(str(source))))
        expected = choices(str(source), datasets.names(), "the path of a file, or ")
        raise InputError(f"no puzzle set {str(source)!r}; {expected}")
    boards = []
    for item in formats.read(lines_of(path), shape, zero):
        if isinstance(item, PuzzleFormatError):
            raise InputError(f"{path}: {item}") from item
        boards.append(item.board)
    if not boards:
        raise InputError(f"{path}: no puzzle in it; expected at least one")
    return PuzzleSet(name, tuple(boards))
