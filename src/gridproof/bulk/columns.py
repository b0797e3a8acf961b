"""Columns of puzzles to chunks: tables, arrays, Parquet, and whatever gives one puzzle after the other.

Each value is a puzzle by itself. Tables of pandas, Polars and Arrow are recognised by their attributes, so that none of
these needs to be installed; pyarrow is imported when it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof import formats
from gridproof.bulk.chunks import Chunk, Group, Texts, easy_rows, encode_grids, ordered
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats.catalog import all_formats
from gridproof.formats.puzzle import Item, Puzzle, keep_given
from gridproof.formats.reading import only
from gridproof.formats.shapes import Shapes, as_wanted
from gridproof.formats.tables import choose_columns, no_such_column, read_answer
from gridproof.formats.writing import marks_line
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Grid
from gridproof.runs.tables import arrow

BATCH = 50_000
"""Rows that are read at once."""

_VALUES = 10_000
_TEXTS = ("null", "string", "large_string", "string_view")
_LISTS = ("list<", "large_list<", "fixed_size_list<")
"""The names of types of Arrow, or their beginnings."""

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def chunks_of(source: Any, shapes: Shapes, column: str | None) -> Iterator[Chunk]:
    """The rows of a table, an array or an iterable. Raises ``InputError`` if it is none, or lacks the column."""
    reader = ValueReader(shapes)
    names = _column_names(source)
    if names is not None:
        return _from_table(source, names, reader, column)
    if column is not None:
        raise InputError(f"the column {column!r} of puzzles that come one by one; expected it with a table only")
    if isinstance(source, Board):
        source = [source]
    if hasattr(source, "to_pylist"):  # a column of Arrow, where iteration gives objects of its own
        source = source.to_pylist()
    if len(getattr(source, "shape", ())) > 1 and hasattr(source, "__array__"):
        return _from_array(source if isinstance(source, np.ndarray) else np.asarray(source), reader)
    if not isinstance(source, Iterable) or getattr(source, "shape", None) == ():  # an array without dimensions
        raise InputError(
            f"a value of type {type(source).__name__}: {source!r:.200}; expected a path, puzzles one after the other, "
            "a table with a column of puzzles, or an array of shape (n, cells) or (n, rows, columns)"
        )
    return _from_values(iter(source), None, reader)


def _is_arrow(source: object) -> bool:
    return type(source).__module__.partition(".")[0] == "pyarrow"


def _column_names(source: Any) -> list[Any] | None:
    """The names of the columns of a table; ``None`` if it is none."""
    if _is_arrow(source):  # a table, a batch, or a reader of batches
        is_table = hasattr(source, "schema") and (hasattr(source, "column_names") or isinstance(source, Iterable))
        return list(source.schema.names) if is_table else None
    names = source.keys() if isinstance(source, Mapping) else getattr(source, "columns", None)
    return list(names) if isinstance(names, Iterable) else None


def _chosen(names: Sequence[str], column: str | None, source: str) -> list[int]:
    """Choose the column that holds the puzzles, and that of their solutions if there is one. Raises ``InputError``."""
    indices = choose_columns(names, column)
    if indices is None:
        raise no_such_column(column, names, source)
    return [index for index in indices if index is not None]


def _from_table(source: Any, names: Sequence[Any], reader: ValueReader, column: str | None) -> Iterator[Chunk]:
    name = f"the {type(source).__name__}"
    chosen = [names[index] for index in _chosen([str(one) for one in names], column, name)]
    if twice := [one for one in chosen if names.count(one) > 1]:
        raise InputError(f"{name} has the column {twice[0]!r} more than once; expected it once")
    if _is_arrow(source):
        if isinstance(source, arrow().RecordBatch):
            source = arrow().Table.from_batches([source])
        batches = source.to_batches(max_chunksize=BATCH) if isinstance(source, arrow().Table) else source
        return _from_batches(batches, chosen, reader)
    try:
        columns = [source[one] for one in chosen]
        lengths = {len(values) for values in columns}
    except TypeError:
        raise InputError(f"{name} does not give its column {chosen[0]!r}; expected a table in memory") from None
    if len(lengths) > 1:
        raise InputError(f"{name} has columns of {' and '.join(map(str, lengths))} values; expected equal numbers")
    return _from_values(iter(columns[0]), iter(columns[1]) if len(columns) > 1 else None, reader)


def _from_values(puzzles: Iterator[Any], answers: Iterator[Any] | None, reader: ValueReader) -> Iterator[Chunk]:
    while batch := list(islice(puzzles, _VALUES)):
        yield reader.read_values(batch, None if answers is None else list(islice(answers, len(batch))))


def _from_array(array: Any, reader: ValueReader) -> Iterator[Chunk]:
    """The rows of an array of shape (n, cells) or (n, rows, columns)."""
    flat = array.reshape(-1, array.shape[1] ** 2) if array.ndim == 3 and array.shape[1] == array.shape[2] else array
    are_cells = flat.ndim == 2 and flat.dtype.kind in "iuf" and reader.are_cells(flat.shape[1])
    for start in range(0, len(array), BATCH):
        part = slice(start, start + BATCH)
        yield reader.read_cells(flat[part]) if are_cells else reader.read_values(list(array[part]))


def parquet_rows(path: str, shapes: Shapes, column: str | None) -> Iterator[Chunk]:
    """The rows of a Parquet file, from a column of text, row group after row group."""
    try:
        file = arrow("pyarrow.parquet").ParquetFile(path)
    except (OSError, ValueError) as problem:  # pyarrow's ArrowInvalid is a ValueError
        raise InputError(f"{path}: {problem}; expected a Parquet file") from None
    names = list(file.schema_arrow.names)
    chosen = [names[index] for index in _chosen(names, column, path)]
    return _from_batches(file.iter_batches(batch_size=BATCH, columns=chosen), chosen, ValueReader(shapes))


def _from_batches(batches: Iterable[Any], names: Sequence[str], reader: ValueReader) -> Iterator[Chunk]:
    """The rows of batches of Arrow. names: of their column of puzzles, and of that of solutions if there is one."""
    pa = arrow()
    for batch in batches:
        columns = [batch.column(batch.schema.get_field_index(name)) for name in names]
        for name, column in zip(names, columns, strict=True):
            if not (_is_text(column.type) or str(column.type).startswith(_LISTS)):
                raise InputError(f"the column {name!r} is of type {column.type}; expected text, or lists of cells")
        if all(_is_text(column.type) for column in columns):
            yield reader.read_arrow(*(column.cast(pa.large_string()) for column in columns))
        else:
            yield reader.read_values(*(column.to_pylist() for column in columns))


def _is_text(kind: Any) -> bool:
    """Return True for a type of Arrow that holds texts, perhaps as codes of a dictionary, or nothing at all."""
    return str(getattr(kind, "value_type", kind)) in _TEXTS and not str(kind).startswith(_LISTS)


class ValueReader:
    """Reads values of which each is a puzzle by itself, in any notation."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes

    def are_cells(self, number: int) -> bool:
        """Return True if puzzles of so many cells have a character for each symbol."""
        order = isqrt(number)
        return order * order == number and 0 < order <= LARGEST_ORDER_IN_CHARACTERS and self._shapes.usable(order)

    def read_arrow(self, puzzles: Any, answers: Any = None) -> Chunk:
        """The rows of a column of puzzles (Arrow large_string) and one of solutions, which may be ``None``."""
        return self._read(
            _texts_in(puzzles),
            None if answers is None else _texts_in(answers),
            lambda place: [None if of is None else of[place].as_py() for of in (puzzles, answers)],
        )

    def read_values(self, values: Sequence[Any], answers: Sequence[Any] | None = None) -> Chunk:
        """The rows of puzzles, such as texts and boards, and of their solutions, which may be ``None``."""
        puzzles = list(map(_without_end, values))
        return self._read(
            _texts_of(puzzles),
            None if answers is None else _texts_of(answers := ["" if _is_missing(one) else one for one in answers]),
            lambda place: [None if of is None else of[place] for of in (puzzles, answers)],
        )

    def read_cells(self, numbers: NDArray[Any]) -> Chunk:
        """The rows of an array (puzzles, cells) of numbers; NaN and masked cells are blank, as 0 is unless it cannot be
        known: then the row is looked at on its own.
        """
        order = isqrt(numbers.shape[1])
        missing = np.ma.getmaskarray(numbers)
        given = np.ma.filled(numbers, 0)
        if given.dtype.kind == "f":
            missing = missing | np.isnan(given)
            given = np.nan_to_num(given, nan=0)
        with np.errstate(invalid="ignore"):
            symbols = given.astype(np.uint8)
        right = ((symbols == given) & (symbols <= order)).all(axis=1)
        if self._shapes.zero is None:
            zeros = ((symbols == 0) & ~missing).any(axis=1)
            right &= (symbols.max(axis=1) == order) | ~(zeros & missing.any(axis=1))
        elif self._shapes.zero == "symbol":
            right[:] = False
        good, slow = np.flatnonzero(right), np.flatnonzero(~right)
        texts = np.frombuffer(encode_grids(symbols[good], order).tobytes(), np.uint8).reshape(symbols[good].shape)
        group = Group(self._shapes.geometry(order), good, texts) if len(good) else None
        return ordered(group, [(place, 0, self.row(numbers[place], None)) for place in slow.tolist()])

    def _read(
        self,
        puzzles: Texts,
        answers: Texts | None,
        at: Callable[[int], list[Any]],
    ) -> Chunk:
        """Decode what is easy. at: gives the values of puzzle and solution at a place, for everything else."""
        group = easy_rows(self._shapes, puzzles, answers)
        slow = np.ones(len(puzzles.starts), np.bool_)
        if group is not None:
            slow[group.places] = False
        return ordered(group, [(place, 0, self.row(*at(place))) for place in np.flatnonzero(slow).tolist()])

    def row(self, puzzle: Any, answer: Any) -> Item:
        """Return one row. The solution must be full and of the puzzle's order."""
        if _is_missing(puzzle):
            puzzle = ""
        try:
            item = self._puzzle(puzzle)
            if not (_is_missing(answer) or (isinstance(answer, str) and not answer.strip())):
                item = replace(item, solution=self._grid(answer, item))
            return item
        except PuzzleFormatError as error:
            error.line = None  # there are no lines here: the row says where it is
            if not isinstance(puzzle, str):
                puzzle = repr(puzzle.tolist() if hasattr(puzzle, "tolist") else puzzle)
            return keep_given(error, puzzle)

    def _puzzle(self, puzzle: Any) -> Puzzle:
        """The puzzle that a value is. Raises ``PuzzleFormatError``."""
        if isinstance(puzzle, str):
            item: Item = only(puzzle, self._shapes, in_table=False)
        elif isinstance(puzzle, Puzzle):
            item = as_wanted(replace(puzzle, text=_written(puzzle.board)), self._shapes)
        else:
            board = formats.parse(puzzle, self._shapes.fixed or self._shapes.geometry, self._shapes.zero)
            item = Puzzle(board, text=_written(board))
        if isinstance(item, PuzzleFormatError):
            raise item
        return item

    def _grid(self, answer: Any, puzzle: Puzzle) -> Grid:
        """The solution given with a puzzle. Raises ``PuzzleFormatError``."""
        geometry = puzzle.board.geometry
        if not isinstance(answer, str):
            board = formats.parse(answer, geometry, self._shapes.zero)
            answer = formats.to_line(board.clues, board.geometry, puzzle.symbols)
        grid = read_answer(answer, puzzle, lambda given: formats.read_puzzle(given, geometry, self._shapes.zero))
        if isinstance(grid, PuzzleFormatError):
            raise grid
        return grid


def _written(board: Board) -> str:
    if board.rules:
        return all_formats()["toml"].text_of(Puzzle(board))
    return formats.to_line(board.clues, board.geometry) if board.marks is None else marks_line(board)


def _without_end(value: Any) -> Any:
    """Lines of a file come with their ends, and as bytes if it is open for these."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    return value.rstrip("\r\n") if isinstance(value, str) else value


def _is_missing(value: Any) -> bool:
    """Return True for ``None``, NaN and pandas' ``NA``, of which only the last cannot be compared."""
    if isinstance(value, (str, Board)) or hasattr(value, "__len__"):
        return False
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def _texts_of(values: Sequence[Any]) -> Texts:
    """The same for values; what is no text, and each character beyond ASCII, is one that no puzzle has."""
    texts = [value if isinstance(value, str) else "\0" for value in values]
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
    raw = np.frombuffer(_NOT_ASCII.sub("\0", "".join(texts)).encode(), np.uint8)
    return Texts(raw, np.concatenate([[0], ends[:-1]]).astype(np.int64), ends)


def _texts_in(column: Any) -> Texts:
    """The places of the texts in the bytes of an Arrow large_string array (nothing where it is null)."""
    _, offsets, data = column.buffers()
    edges = np.frombuffer(offsets, np.int64)[column.offset : column.offset + len(column) + 1]
    raw = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    starts, ends = edges[:-1].copy(), edges[1:].copy()
    if column.null_count:
        ends = np.where(np.asarray(column.is_null(), np.bool_), starts, ends)
    return Texts(raw, starts, ends)
