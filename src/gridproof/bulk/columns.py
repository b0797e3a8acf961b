"""Columns of puzzles to chunks: tables, arrays, Parquet, and whatever gives one puzzle after the other.

Each value is a puzzle by itself. Tables of pandas, Polars and Arrow are recognised by their attributes, so that none of
these needs to be installed; pyarrow is imported when it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import isqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridproof import formats
from gridproof.bulk.chunks import Chunk, Texts, easy_rows, encode_grids, make_chunk, to_texts
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats.catalog import all_formats
from gridproof.formats.known.text import marks_line
from gridproof.formats.parquet import open_parquet
from gridproof.formats.places import Place
from gridproof.formats.puzzle import Item, Puzzle, Unread
from gridproof.formats.reading import read_one
from gridproof.formats.shapes import Shapes, finish_puzzle
from gridproof.formats.tables import choose_columns, no_such_column, read_answer, rules_among, unread_rules
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import LARGEST_ORDER_IN_CHARACTERS
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.runs.frames import arrow

BATCH = 10_000
"""Rows that are read at once."""

_USABLE = ("null", "string", "large_string", "list", "large_list", "fixed_size_list", "dictionary<values=string")
"""Beginnings of the names of types of Arrow that hold texts, perhaps as codes of a dictionary, or lists of cells."""


def read_chunks(source: Any, shapes: Shapes, column: str | None) -> Iterator[Chunk]:
    """Yield the rows of a table, an array or an iterable. Raises ``InputError`` if it is none, or lacks the column."""
    names = column_names(source)
    if names is not None:
        return read_table(source, names, shapes, column)
    if column is not None:
        raise InputError(f"the column {column!r} of puzzles that come one by one; expected it with a table only")
    if isinstance(source, Board):
        source = [source]
    if hasattr(source, "to_pylist"):  # a column of Arrow, where iteration gives objects of its own
        source = source.to_pylist()
    if len(getattr(source, "shape", ())) > 1 and hasattr(source, "__array__"):
        array = source if isinstance(source, np.ndarray) else np.asarray(source)
        return read_array(shapes, array)
    if not isinstance(source, Iterable) or getattr(source, "shape", None) == ():  # an array without dimensions
        raise InputError(
            f"a value of type {type(source).__name__}: {source!r:.200}; expected a path, puzzles one after the other, "
            "a table with a column of puzzles, or an array of shape (n, cells) or (n, rows, columns)"
        )
    return read_values(shapes, iter(source))


def is_arrow(source: object) -> bool:
    """Return whether a value is one of pyarrow."""
    return type(source).__module__.partition(".")[0] == "pyarrow"


def column_names(source: Any) -> list[Any] | None:
    """Return the names of the columns of a table; ``None`` if it is none."""
    names: Any = None
    if is_arrow(source):
        # a table, a batch, or a reader of batches
        if hasattr(source, "schema") and (hasattr(source, "column_names") or isinstance(source, Iterable)):
            names = source.schema.names
    elif isinstance(source, Mapping):
        names = source.keys()
    else:
        names = getattr(source, "columns", None)
    if not isinstance(names, Iterable):
        return None
    return list(names)


class ColumnNames(NamedTuple):
    """The names of the columns that are read: of puzzles, of their solutions if there are any, of rules in words."""

    puzzle: Any
    solution: Any
    rules: list[Any]

    @classmethod
    def choose(cls, names: Sequence[Any], column: str | None, source: str) -> ColumnNames:
        """Choose among the columns of a table. Raises ``InputError`` if there is none of puzzles."""
        texts = [str(name) for name in names]
        indices = choose_columns(texts, column)
        if indices is None:
            raise no_such_column(column, texts, source)
        puzzle, solution = indices
        return cls(
            puzzle=names[puzzle],
            solution=None if solution is None else names[solution],
            rules=[names[index] for index in rules_among(texts, indices)],
        )

    @property
    def all(self) -> list[Any]:
        """The names of all of them."""
        if self.solution is None:
            return [self.puzzle, *self.rules]
        return [self.puzzle, self.solution, *self.rules]


def read_table(source: Any, names: Sequence[Any], shapes: Shapes, column: str | None) -> Iterator[Chunk]:
    """Return the rows of a table in memory. names: those of its columns. column: that of the puzzles, if named."""
    name = f"the {type(source).__name__}"
    chosen = ColumnNames.choose(names, column, name)
    for each in chosen.all:
        if names.count(each) > 1:
            raise InputError(f"{name} has the column {each!r} more than once; expected it once")
    if is_arrow(source):
        batches = source
        if isinstance(source, arrow().RecordBatch):
            batches = [source]
        elif hasattr(source, "to_batches"):
            batches = source.to_batches()
        return read_batches(batches, chosen, shapes)
    try:
        columns = {each: source[each] for each in chosen.all}
        lengths = {len(values) for values in columns.values()}
    except TypeError:
        raise InputError(f"{name} does not give its column {chosen.puzzle!r}; expected a table in memory") from None
    if len(lengths) > 1:
        numbers = " and ".join([str(length) for length in lengths])
        raise InputError(f"{name} has columns of {numbers} values; expected equal numbers")
    answers = None if chosen.solution is None else iter(columns[chosen.solution])
    rules = {str(each): iter(columns[each]) for each in chosen.rules}
    return read_values(shapes, iter(columns[chosen.puzzle]), answers, rules)


def parquet_rows(path: str, shapes: Shapes, column: str | None) -> Iterator[Chunk]:
    """Return the rows of a Parquet file, from a column of text, row group after row group."""
    file = open_parquet(path)
    chosen = ColumnNames.choose(list(file.schema_arrow.names), column, path)
    return read_batches(file.iter_batches(batch_size=BATCH, columns=chosen.all), chosen, shapes)


def read_batches(batches: Iterable[Any], chosen: ColumnNames, shapes: Shapes) -> Iterator[Chunk]:
    """Yield the rows of batches of Arrow. Columns of rules may be of any type."""
    for batch in batches:
        columns = {name: batch.column(batch.schema.get_field_index(name)) for name in chosen.all}
        for name in (chosen.puzzle, chosen.solution):
            if name is not None and not str(columns[name].type).startswith(_USABLE):
                found = columns[name].type
                raise InputError(f"the column {name!r} is of type {found}; expected text, or lists of cells")
        for start in range(0, len(batch), BATCH):
            values = {name: column[start : start + BATCH].to_pylist() for name, column in columns.items()}
            rules = {name: values[name] for name in chosen.rules}
            yield read(shapes, values[chosen.puzzle], values.get(chosen.solution), rules)


def read_values(
    shapes: Shapes,
    puzzles: Iterator[Any],
    answers: Iterator[Any] | None = None,
    rules: Mapping[str, Iterator[Any]] | None = None,
) -> Iterator[Chunk]:
    """Yield the rows of puzzles that come one after the other, with their solutions and rules if there are any."""
    while True:
        batch = list(islice(puzzles, BATCH))
        if not batch:
            return
        given = None if answers is None else list(islice(answers, len(batch)))
        in_words = {}
        if rules is not None:
            in_words = {name: list(islice(values, len(batch))) for name, values in rules.items()}
        yield read(shapes, batch, given, in_words)


def read_array(shapes: Shapes, array: NDArray[Any]) -> Iterator[Chunk]:
    """Yield the rows of an array of puzzles."""
    for start in range(0, len(array), BATCH):
        yield read(shapes, list_values(shapes, array[start : start + BATCH]))


def list_values(shapes: Shapes, array: NDArray[Any]) -> list[Any]:
    """Return the puzzles of an array of shape (n, cells) or (n, rows, columns), most of them as texts.

    NaN and masked cells are blank, as 0 is unless the row leaves that open: then it is read on its own.
    """
    values = list(array)
    flat = array
    if array.ndim == 3 and array.shape[1] == array.shape[2]:
        flat = array.reshape(len(array), -1)  # also of an array of boards without cells
    order = isqrt(flat.shape[1])
    is_square = 0 < order <= LARGEST_ORDER_IN_CHARACTERS and order * order == flat.shape[1] and shapes.usable(order)
    if flat.ndim != 2 or flat.dtype.kind not in "iuf" or not is_square or shapes.zero == "symbol":
        return values
    missing = np.ma.getmaskarray(flat)
    given = np.ma.filled(flat, 0)
    if given.dtype.kind == "f":
        missing = missing | np.isnan(given)
        given = np.nan_to_num(given, nan=0)
    with np.errstate(invalid="ignore"):
        symbols = given.astype(np.uint8)
    is_easy = ((symbols == given) & (symbols <= order)).all(axis=1)
    if shapes.zero is None:
        has_zeros = ((symbols == 0) & ~missing).any(axis=1)
        is_open = has_zeros & missing.any(axis=1) & (symbols.max(axis=1) != order)
        is_easy &= ~is_open
    places = np.flatnonzero(is_easy).tolist()
    texts = to_texts(encode_grids(symbols[places], order))
    for place, text in zip(places, texts, strict=True):
        values[place] = text
    return values


# ---- values, each of them a puzzle in any notation -------------------------------------------------------------------


def read(
    shapes: Shapes,
    values: Sequence[Any],
    answers: Sequence[Any] | None = None,
    rules: Mapping[str, Sequence[Any]] | None = None,
) -> Chunk:
    """Return the rows of puzzles, such as texts and boards, and of their solutions, which may be ``None``.

    rules: what stands in columns of rules, by the name of each; it is not read, which makes a puzzle not understood.
    """
    puzzles = [without_end(value) for value in values]
    given: list[Any] = [None] * len(puzzles)
    given_texts = None
    if answers is not None:
        given = ["" if is_missing(answer) else answer for answer in answers]
        given_texts = to_ascii(given)
    group = easy_rows(shapes, to_ascii(puzzles), given_texts)
    unread = find_unread(rules or {})
    if group is not None and unread:
        is_read = [place not in unread for place in group.places.tolist()]
        group = group.only(np.array(is_read, np.bool_))
    is_slow = np.ones(len(puzzles), np.bool_)
    if group is not None:
        is_slow[group.places] = False
    rows = []
    for place in np.flatnonzero(is_slow).tolist():
        row = read_row(shapes, puzzles[place], given[place], unread.get(place, ()))
        rows.append((place, 0, row))
    return make_chunk(group, rows)


def find_unread(rules: Mapping[str, Sequence[Any]]) -> dict[int, tuple[Unread, ...]]:
    """Return what stands in columns of rules, by the places of the rows."""
    unread = {}
    for place, values in enumerate(zip(*rules.values(), strict=True)):
        texts = ["" if is_missing(value) else str(value) for value in values]
        parts = unread_rules(zip(rules, texts, strict=True))
        if parts:
            unread[place] = parts
    return unread


def read_row(shapes: Shapes, puzzle: Any, answer: Any, unread: tuple[Unread, ...]) -> Item:
    """Return one row. The solution must be of the puzzle's order. unread: rules beside the puzzle."""
    if is_missing(puzzle):
        puzzle = ""
    # there are no lines here: the number of the row stands for the place
    place = Place(value=describe(puzzle))
    try:
        item = read_puzzle(shapes.at(place), puzzle)
        if unread:
            item = replace(item, unread=item.unread + unread)
        is_blank = isinstance(answer, str) and not answer.strip()
        if not is_blank and not is_missing(answer):
            item = replace(item, solution=read_solution(shapes.at(place), answer, item))
        return item if shapes.despite_unread else item.understood()
    except PuzzleFormatError as error:
        return error


def describe(puzzle: Any) -> str:
    """Return a puzzle in words: a text as it is, an array as lists."""
    if isinstance(puzzle, str):
        return puzzle
    if hasattr(puzzle, "tolist"):
        return repr(puzzle.tolist())
    return repr(puzzle)


def read_puzzle(shapes: Shapes, puzzle: Any) -> Puzzle:
    """Return the puzzle that a value is. Raises ``PuzzleFormatError``."""
    if isinstance(puzzle, str):
        item = read_one(puzzle, shapes)
    elif isinstance(puzzle, Puzzle):
        item = finish_puzzle(replace(puzzle, text=write_board(puzzle.board)), shapes)
    else:
        board = _parse(puzzle, shapes)
        item = Puzzle(board, text=write_board(board))
    if isinstance(item, PuzzleFormatError):
        raise item
    return item


def _parse(cells: Any, shapes: Shapes) -> Board:
    """Return the board of cells in a list or an array. Raises ``PuzzleFormatError``."""
    try:
        return formats.parse(cells, shapes.fixed or shapes.geometry, shapes.zero)
    except PuzzleFormatError as problem:
        raise shapes.place.error(problem.problem, problem.text, problem.expected, column=None) from None


def read_solution(shapes: Shapes, answer: Any, puzzle: Puzzle) -> SymbolTuple:
    """Return the solution given with a puzzle. Raises ``PuzzleFormatError``."""
    geometry = puzzle.board.geometry
    answer_shapes = Shapes(geometry, shapes.zero, despite_unread=True, place=shapes.place)
    if not isinstance(answer, str):
        board = _parse(answer, answer_shapes)
        answer = formats.to_line(board.clues, board.geometry, puzzle.symbols)

    def read_field(text: str) -> Item:
        return read_one(text, answer_shapes)

    grid = read_answer(answer, puzzle, read_field, shapes.place)
    if isinstance(grid, PuzzleFormatError):
        raise grid
    return grid


def write_board(board: Board) -> str:
    """Return a board as the text of its puzzle."""
    if board.rules:
        return all_formats()["toml"].text_of(Puzzle(board))
    if board.marks is not None:
        return marks_line(board)
    return formats.to_line(board.clues, board.geometry)


def without_end(value: Any) -> Any:
    """Return a value without the end of a line: those of a file have one, and are bytes if it is open for these."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        return value.rstrip("\r\n")
    return value


def is_missing(value: Any) -> bool:
    """Return True for ``None``, NaN and pandas' ``NA``, of which only the last cannot be compared."""
    if isinstance(value, (str, Board)) or hasattr(value, "__len__"):
        return False
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def to_ascii(values: Sequence[Any]) -> Texts:
    """Return the texts among values; what is no text, and each character beyond ASCII, is one that no puzzle has."""
    texts = [value if isinstance(value, str) else "?" for value in values]
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    starts = np.zeros(len(texts), np.int64)
    starts[1:] = ends[:-1]
    raw = np.frombuffer("".join(texts).encode("ascii", "replace"), np.uint8)
    return Texts(raw, starts, ends)
