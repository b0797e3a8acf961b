"""Samples for the tests of text: a puzzle in many notations, and boards of every size for Hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from hypothesis import strategies as st

from gridproof.errors import PuzzleFormatError
from gridproof.formats import Puzzle, Shape, read, to_line, to_rows_text
from gridproof.formats.catalog import all_formats
from gridproof.formats.known.text import draw_board
from gridproof.formats.puzzle import Item
from gridproof.formats.symbols import board_from_masks
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]
SOLVED = [SOLUTION[start : start + 9] for start in range(0, 81, 9)]
NINE = Geometry.classic(3)
FOUR = Geometry.classic(2)
GRID = tuple(map(int, SOLUTION))


def numbers(board: Board) -> str:
    """The clues as n rows of numbers."""
    n, words = board.geometry.order, [str(clue or ".") for clue in board.clues]
    return "\n".join(" ".join(words[start : start + n]) for start in range(0, n * n, n))


LAYOUTS: dict[str, Callable[[Board], str]] = {
    "line": lambda board: to_line(board.clues, board.geometry),
    "rows": lambda board: to_rows_text(board.clues, board.geometry),
    "numbers": numbers,
    "number line": lambda board: " ".join(numbers(board).split()),
    "drawn": lambda board: draw_board(board.clues, board.geometry),
    "lists": lambda board: str([[*map(int, row.replace(".", "0").split())] for row in numbers(board).split("\n")]),
    "csv": lambda board: f"puzzle\n{to_line(board.clues, board.geometry)}",
    "toml": lambda board: all_formats()["toml"].text_of(Puzzle(board)),
}
"""Ways to write a board without pencil marks."""


def items(source: Iterable[str | bytes] | str | bytes, shape: Shape = Geometry.standard) -> list[str]:
    """The items of a source in short: the line of a board, or ``line:column`` of an error."""
    return [short(item) for item in read(source, shape)]


def short(item: Item) -> str:
    if isinstance(item, PuzzleFormatError):
        return f"{item.line}:{item.column}"
    return to_line(item.board.clues, item.board.geometry)


def only(source: str | bytes, shape: Shape = Geometry.standard) -> Puzzle:
    results = list(read(source, shape))
    assert len(results) == 1, results
    assert isinstance(results[0], Puzzle), results
    return results[0]


def error_of(source: str | bytes, shape: Shape = Geometry.standard) -> PuzzleFormatError:
    results = list(read(source, shape))
    assert len(results) == 1, results
    assert isinstance(results[0], PuzzleFormatError), results
    return results[0]


SHAPES = [
    *(Geometry.classic(1), Geometry.classic(2), Geometry.latin(2), Geometry.latin(3), Geometry.latin(5)),
    *(Geometry.classic(2, 3), Geometry.latin(7), Geometry.classic(2, 4), Geometry.classic(3), Geometry.classic(2, 5)),
    *(Geometry.latin(11), Geometry.classic(3, 4), Geometry.classic(4), Geometry.classic(5), Geometry.latin(27)),
    *(Geometry.latin(35), Geometry.latin(36), Geometry.classic(6), Geometry.classic(8)),
]


@st.composite
def boards(draw: st.DrawFn, shapes: list[Geometry] = SHAPES) -> Board:
    """Boards with few or many clues, made from a few drawn numbers: thousands would take too long to draw."""
    geometry = draw(st.sampled_from(shapes))
    n = geometry.order
    density = draw(st.integers(0, 10))
    random = Random(draw(st.integers(0, 2**32)))
    clues = tuple(random.randint(1, n) if random.randint(1, 10) <= density else 0 for _ in range(n * n))
    return Board(geometry, clues)


@st.composite
def marked_boards(draw: st.DrawFn, shapes: list[Geometry] = SHAPES[1:13], least: int = 0) -> Board:
    """Boards of pencil marks, as reading makes them, with at least so many candidates in each cell."""
    geometry = draw(st.sampled_from(shapes))
    full = (1 << geometry.order) - 1
    random = Random(draw(st.integers(0, 2**32)))
    places = range(geometry.order)
    masks = [
        random.choice([full, 1 << random.choice(places), *[random.randint(least, full)] * 2])
        for _ in range(geometry.cell_count)
    ]
    return board_from_masks(geometry, masks)
