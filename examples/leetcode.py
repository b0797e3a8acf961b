"""The well-known exercise: fill in a 9x9 board of characters in place."""

from __future__ import annotations

from gridproof.errors import DisagreementError, GridproofError, Interrupted, PuzzleFormatError
from gridproof.formats import to_line
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.questions import verify

_SYMBOLS = ".123456789"


class NotUniqueError(GridproofError):
    """The board has no solution, or more than one: ``solutions`` holds no grid, or two different ones."""

    def __init__(self, message: str, solutions: tuple[tuple[int, ...], ...] = ()) -> None:
        super().__init__(message)
        self.solutions = solutions


def solve_sudoku(board: list[list[str]]) -> None:
    """Fill the empty cells ('.') of a 9x9 list of lists of characters ('1' to '9') with the board's only
    solution.

    Raises ``PuzzleFormatError`` for another shape or other characters; ``NotUniqueError`` if the board
    contradicts itself, has no solution, or more than one (then with two of them); ``Interrupted`` and
    ``DisagreementError`` as ``gridproof.verify`` has them for verdicts. Whatever is raised, the board
    is as it was.
    """
    puzzle = Board(Geometry.classic(3), _clues(board))
    grid = _only_solution(puzzle)
    before = [list(row) for row in board]
    solved = to_line(grid, puzzle.geometry)
    try:
        for number, row in enumerate(board):
            row[:] = solved[9 * number : 9 * number + 9]
    except BaseException:
        for row, old in zip(board, before, strict=True):
            row[:] = old
        raise


def _clues(board: object) -> tuple[int, ...]:
    if not isinstance(board, list) or len(board) != 9:
        raise PuzzleFormatError("a board", text=_shown(board), expected="a list of 9 rows")
    clues = []
    for number, row in enumerate(board, 1):
        if not isinstance(row, list) or len(row) != 9:
            raise PuzzleFormatError(f"row {number}", text=_shown(row), expected="a list of 9 characters")
        if any(row is other for other in board[: number - 1]):
            raise PuzzleFormatError(f"row {number}", text=_shown(row), expected="a list that is not also another row")
        for column, entry in enumerate(row, 1):
            if not isinstance(entry, str) or len(entry) != 1 or entry not in _SYMBOLS:
                expected = "one of the characters 1-9, or . for an empty cell"
                raise PuzzleFormatError(f"r{number}c{column}", text=_shown(entry), expected=expected)
            clues.append(_SYMBOLS.index(entry))
    return tuple(clues)


def _only_solution(puzzle: Board) -> SymbolTuple:
    if contradictions := puzzle.contradictions():
        more = f" (and {len(contradictions) - 1} more contradictions)" if len(contradictions) > 1 else ""
        raise NotUniqueError(f"the board has no solution: {contradictions[0]}{more}")
    verdict = verify(puzzle)
    witnesses = tuple(verdict.solutions)
    if verdict.status == "unique":
        return tuple(witnesses[0])
    if verdict.status == "none":
        raise NotUniqueError("the board has no solution")
    if verdict.status == "multiple":
        lines = " and ".join([to_line(grid, puzzle.geometry) for grid in witnesses])
        raise NotUniqueError(f"the board has more than one solution: {lines}", witnesses)
    if verdict.status == "undecided":
        raise Interrupted("the board could not be decided")
    raise DisagreementError(f"the verdict on {to_line(puzzle.clues, puzzle.geometry)} is {verdict.status.value!r}")


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)
