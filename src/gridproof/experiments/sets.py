"""The sets of a comparison: boards under a name, from files, named sets, or single puzzles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from random import Random
from typing import TypeAlias

from gridproof import formats
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.experiments.instances import COLUMNS
from gridproof.experiments.records import Parameter, parameter
from gridproof.formats import Puzzle, Shape, datasets
from gridproof.formats.sources import exists, lines_of
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.text import suggest

Instance: TypeAlias = tuple[Board, int, Mapping[str, Parameter]]
"""A board of a set, its number and what it was made from."""


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
    parameters : tuple of mappings
        What each was made from, such as ``{"order": 15}``; nothing if not given.

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
    parameters: tuple[Mapping[str, Parameter], ...] = ()

    def __post_init__(self) -> None:
        boards = tuple(self.boards)
        numbers = tuple(self.numbers) or tuple(range(1, len(boards) + 1))
        parameters = tuple(self.parameters) or ({},) * len(boards)
        vars(self).update(boards=boards, numbers=numbers, parameters=parameters)
        if not boards or not len(numbers) == len(boards) == len(parameters) or len(set(numbers)) < len(numbers):
            raise InputError(
                f"set {self.name!r} of {len(boards)} boards, {len(numbers)} numbers and {len(parameters)} times "
                "parameters; expected at least one board, and a number of its own for each"
            )

    @property
    def instances(self) -> list[Instance]:
        """Each board with its number and what it was made from."""
        return list(zip(self.boards, self.numbers, self.parameters, strict=True))

    def distinct(self) -> PuzzleSet:
        """Return the set without boards that came before: no session is to meet one twice."""
        first: dict[Board, Instance] = {}
        for one in self.instances:
            first.setdefault(one[0], one)
        if len(first) == len(self.boards):
            return self
        return self._of(first.values())

    def sample(self, most: int | None, seed: int) -> PuzzleSet:
        """Return at most so many boards, drawn with ``seed``, in their order."""
        if most is None or most >= len(self.boards):
            return self
        chosen = Random(f"sample {seed} {self.name}").sample(range(len(self.boards)), most)
        return self._of(self.instances[place] for place in sorted(chosen))

    def _of(self, instances: Iterable[Instance]) -> PuzzleSet:
        return PuzzleSet(self.name, *zip(*instances, strict=True))


def load_sets(sources: Sequence[str | Path | PuzzleSet | Board]) -> list[PuzzleSet]:
    """Read every source. Two files of one stem are called by their paths; single puzzles form a set ``puzzles``.

    Raises ``InputError`` for a source that is neither a file nor a named set nor a puzzle, ``PuzzleFormatError`` for a
    file with a malformed puzzle: what is compared must be the same for all.
    """
    if not sources:
        raise InputError("no puzzle sets; expected at least one file of puzzles, or a set's name")
    stems = [Path(source).stem for source in sources if isinstance(source, (str, Path))]
    sets, single = [], list[Board]()
    for source in sources:
        if isinstance(source, PuzzleSet):
            sets.append(source)
        elif isinstance(source, Board):
            single.append(source)
        elif exists(source) and Path(source).is_file():
            stem = Path(source).stem
            sets.append(load_file(Path(source), stem if stems.count(stem) == 1 else str(source)))
        elif str(source) in datasets.names():
            sets.append(PuzzleSet(str(source), tuple(datasets.load(str(source)))))
        else:
            try:
                single.append(formats.parse(str(source)))
            except InputError:
                expected = suggest(str(source), datasets.names(), "the path of a file, a puzzle, or ")
                raise InputError(f"no puzzle set {str(source)!r}; {expected}") from None
    if single:
        sets.append(PuzzleSet("puzzles", tuple(single)))
    names = [puzzles.name for puzzles in sets]
    if len(set(names)) < len(names):
        raise InputError(f"sets called {', '.join(names)}; expected a name of its own for each")
    return sets


def load_file(path: Path, name: str) -> PuzzleSet:
    """Load the set of a file. Raises ``InputError`` for what is no puzzle in it."""
    lines = _lines(path)
    first = next(lines, b"")
    header = first.strip()
    generated = header == ",".join(COLUMNS).encode()  # a table that names the kind of each board, so its boxes
    shape: Shape = Geometry.standard
    if generated:
        shape = Geometry.latin
        lines = (line for line in lines if line.strip() != header)  # glued tables have further headers
    boards = []
    parameters = []
    for item in formats.read(chain([first], lines), shape):
        if isinstance(item, PuzzleFormatError):
            raise InputError(f"{path}: {item}") from item
        made = read_parameters(item)
        board = item.board
        if generated and made["kind"] == "sudoku":
            board = Board(Geometry.standard(board.geometry.order), board.clues)
        boards.append(board)
        parameters.append(made)
    if not boards:
        raise InputError(f"{path}: no puzzle in it; expected at least one")
    return PuzzleSet(name, tuple(boards), (), tuple(parameters))


def _lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file one by one."""
    for some in lines_of(path):
        yield from some.splitlines(keepends=True)


def read_parameters(puzzle: Puzzle) -> dict[str, Parameter]:
    """Return the values of the other columns of a CSV file."""
    if puzzle.table is None:
        return {}
    used = (puzzle.table.puzzle, puzzle.table.solution)
    columns = enumerate(zip(puzzle.table.header, puzzle.row, strict=False))
    further = {name.strip(): parameter(field) for place, (name, field) in columns if place not in used}
    return {name: value for name, value in further.items() if value is not None}
