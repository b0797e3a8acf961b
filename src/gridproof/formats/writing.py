"""Boards as text, in every form that ``gridproof.formats`` reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from gridproof.errors import BoardError
from gridproof.formats.notation import names
from gridproof.formats.puzzle import Form, Puzzle, Symbols
from gridproof.formats.toml_puzzle import file_of
from gridproof.formats.values import check_length, to_lists
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Geometry


def to_line(values: Sequence[int], geometry: Geometry, symbols: Symbols = Symbols.FROM_ONE) -> str:
    """Write values on one line: a character for each cell (``.`` blank), numbers above order 35.

    Parameters
    ----------
    values, geometry
        Clues or a grid, row by row, where 0 is blank; and the geometry of its board.
    symbols
        The names of the symbols.

    Returns
    -------
    str

    Raises
    ------
    BoardError
        If there is not one value in range for each cell.

    Examples
    --------
    >>> to_line([1, 0, 0, 2] + [0] * 12, Geometry.classic(2))
    '1..2............'
    """
    characters = (".", *names(geometry.order, symbols))
    check_length(values, geometry)
    return (" " if geometry.order > LARGEST_ORDER_IN_CHARACTERS else "").join([characters[value] for value in values])


def to_rows_text(values: Sequence[int], geometry: Geometry) -> str:
    """Write values as n lines of n characters, above order 35 as numbers.

    Parameters
    ----------
    values, geometry
        As in ``to_line``.

    Returns
    -------
    str

    Examples
    --------
    >>> to_rows_text([1, 0, 0, 2] + [0] * 12, Geometry.classic(2)).splitlines()
    ['1..2', '....', '....', '....']
    """
    if geometry.order > LARGEST_ORDER_IN_CHARACTERS:
        return to_numbers(values, geometry)
    line, n = to_line(values, geometry), geometry.order
    return "\n".join([line[start : start + n] for start in range(0, len(line), n)])


def to_numbers(values: Sequence[int], geometry: Geometry) -> str:
    """Write values as n lines of n decimal numbers in columns, with ``.`` for a blank.

    Parameters
    ----------
    values, geometry
        As in ``to_line``.

    Returns
    -------
    str

    Examples
    --------
    >>> to_numbers([1, 0, 0, 2] + [0] * 12, Geometry.classic(2)).splitlines()[0]
    '1 . . 2'
    """
    width = len(str(geometry.order))
    rows = to_lists(values, geometry)
    return "\n".join([" ".join([(str(value) if value else ".").rjust(width) for value in row]) for row in rows])


def to_decorated(values: Sequence[int], geometry: Geometry) -> str:
    """Write values as n lines, with bars and dashes between boxes that are rectangles.

    Parameters
    ----------
    values, geometry
        As in ``to_line``.

    Returns
    -------
    str

    Examples
    --------
    >>> to_decorated([1, 0, 0, 2] + [0] * 12, Geometry.classic(2)).splitlines()[:3]
    ['1 . | . 2', '. . | . .', '----+----']
    """
    rows = to_lists(values, geometry)
    high, wide = geometry.box_shape or (geometry.order, geometry.order)
    width = len(geometry.symbol_text(geometry.order))
    lines = []
    for number, row in enumerate(rows):
        cells = [(geometry.symbol_text(value) if value else ".").rjust(width) for value in row]
        if number and number % high == 0:
            dashes = ["-" * ((width + 1) * wide + 1)] * (geometry.order // wide)
            lines.append("+".join([*dashes])[1:-1] if len(dashes) > 1 else dashes[0][2:])
        lines.append(" | ".join([" ".join(cells[start : start + wide]) for start in range(0, len(cells), wide)]))
    return "\n".join(lines)


def to_marks(board: Board) -> str:
    """Write the pencil marks of a board: n characters for each cell, with each candidate at its own place.

    Parameters
    ----------
    board
        The board, whose clues have their symbol as the only candidate.

    Returns
    -------
    str

    Raises
    ------
    BoardError
        Above order 35, where symbols are not single characters.

    Examples
    --------
    >>> from gridproof import parse
    >>> to_marks(parse("1... .... .... ...."))[:8]
    '1...1234'
    """
    characters = board.geometry.symbol_characters
    if not characters:
        raise BoardError(f"pencil marks of order {board.geometry.order}; expected an order of at most 35")
    return "".join(
        [
            character if mask >> place & 1 else "."
            for mask in board.candidates
            for place, character in enumerate(characters)
        ]
    )


def to_mark_grid(board: Board) -> str:
    """Write the pencil marks of a board as people draw them: n lines in columns, with the candidates of each cell.

    Parameters
    ----------
    board
        The board, whose clues have their symbol as the only candidate.

    Returns
    -------
    str

    Raises
    ------
    BoardError
        Above order 9, and for a cell without any candidate, which this form cannot express.

    Examples
    --------
    >>> from gridproof import parse
    >>> to_mark_grid(parse("1... .... .... ....")).splitlines()[0]
    '1    1234 1234 1234'
    """
    geometry = board.geometry
    if geometry.order > 9 or 0 in board.candidates:
        raise BoardError(f"a grid of pencil marks of {geometry.description}; expected an order up to 9, no cell empty")
    cells = [
        "".join([character for place, character in enumerate(geometry.symbol_characters) if mask >> place & 1])
        for mask in board.candidates
    ]
    width = max(map(len, cells))
    n = geometry.order
    rows = [cells[start : start + n] for start in range(0, n * n, n)]
    return "\n".join([" ".join([cell.ljust(width) for cell in row]).rstrip() for row in rows])


def to_lists_text(values: Sequence[int], geometry: Geometry) -> str:
    """Write values as a list of lists of numbers on one line, which is also JSON.

    Parameters
    ----------
    values, geometry
        As in ``to_line``.

    Returns
    -------
    str

    Examples
    --------
    >>> to_lists_text([1, 0, 0, 2] + [0] * 12, Geometry.classic(2))
    '[[1, 0, 0, 2], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]'
    """
    return str(to_lists(values, geometry))


def to_judge(boards: Iterable[Board]) -> str:
    """Write one line for each board and a last line ``end``, in the format of online judges.

    Parameters
    ----------
    boards
        The boards, of any orders.

    Returns
    -------
    str

    Examples
    --------
    >>> from gridproof import parse
    >>> to_judge([parse("1... .... .... ...2")])
    '1..............2\\nend\\n'
    """
    return "".join([f"{to_line(board.clues, board.geometry)}\n" for board in boards]) + "end\n"


WRITERS: dict[Form, Callable[[Sequence[int], Geometry], str]] = {
    Form.LINE: to_line,
    Form.ROWS: to_rows_text,
    Form.NUMBERS: to_numbers,
    Form.NUMBER_LINE: lambda values, geometry: " ".join(to_numbers(values, geometry).split()),
    Form.DECORATED: to_decorated,
    Form.LISTS: to_lists_text,
    # a solution has no candidates to show: it comes back as a grid of as many lines
    Form.MARKS: to_line,
    Form.MARK_GRID: to_rows_text,
    Form.CSV: to_line,
    Form.JUDGE: to_line,
    Form.TOML: to_rows_text,
}


def write(board: Board, form: Form = Form.LINE) -> str:
    """Write the puzzle of a board; reading the text with the same geometry gives the board again.

    Parameters
    ----------
    board
        The board. Its entries that were filled in later are left out.
    form
        How to write it.

    Returns
    -------
    str
        The text, without the last line end.

    Raises
    ------
    BoardError
        If the form cannot express it: pencil marks need ``MARKS``, ``MARK_GRID`` or ``TOML``, and rules ``TOML``.

    Examples
    --------
    >>> from gridproof import parse
    >>> write(parse("1..............2"), Form.LISTS)
    '[[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 2]]'
    """
    if form is Form.TOML:
        return to_toml(board)
    if board.rules:
        raise BoardError(f"a board with rules as {form.value!r}, which cannot express them; expected the form 'toml'")
    if form is Form.MARKS:
        return to_marks(board)
    if form is Form.MARK_GRID:
        return to_mark_grid(board)
    if board.marks is not None:
        raise BoardError(f"a board with pencil marks as {form.value!r}; expected the form 'marks' or 'mark grid'")
    if form is Form.JUDGE:
        return to_judge([board]).rstrip("\n")
    if form is Form.CSV:
        return f"puzzle\n{to_line(board.clues, board.geometry)}"
    return WRITERS[form](board.clues, board.geometry)


def to_toml(puzzle: Puzzle | Board) -> str:
    """Write a puzzle as gridproof's own puzzle file, with everything that came with it (see ``toml_puzzle.py``).

    Parameters
    ----------
    puzzle
        The puzzle, or its board.

    Returns
    -------
    str

    Raises
    ------
    BoardError
        For pencil marks above order 35.

    Examples
    --------
    >>> from gridproof import parse
    >>> to_toml(parse("1... .... .... ...2", rules=["killer 5 r1c2 r1c3"])).splitlines()[-3:]
    ['kind = "killer"', 'total = 5', 'cells = "r1c2 r1c3"']
    """
    puzzle = Puzzle(puzzle) if isinstance(puzzle, Board) else puzzle
    board, geometry = puzzle.board, puzzle.board.geometry
    clues = to_rows_text(board.clues, geometry) if board.marks is None else to_marks(board)
    filled, solution = (to_rows_text(grid, geometry) if grid else "" for grid in (board.filled, puzzle.solution))
    return file_of(puzzle, clues, filled, solution)
