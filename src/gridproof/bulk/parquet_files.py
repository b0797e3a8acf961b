"""Parquet to chunks, and parts of results to Parquet. pyarrow is imported when it is needed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof import formats
from gridproof.bulk.chunks import Bytes, Chunk, Damaged, Group, Single, ordered
from gridproof.bulk.csv_files import choose_columns, no_such_column
from gridproof.bulk.lines import LONGEST_TEXT, EasyOrders, texts_at
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats.notation import Shape, Shapes, Zero, readable
from gridproof.formats.tables import read_answer
from gridproof.lanes.decode import decode_rows, encode_grids
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, Grid
from gridproof.runs.tables import arrow

BATCH = 50_000
"""Rows that are read at once."""

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


class ParquetReader:
    """Reads the puzzles of a Parquet file from a column of text, row group after row group."""

    def __init__(self, path: str, shape: Shape, column: str | None, zero: Zero | None = None) -> None:
        self._values = ValueReader(shape, zero)
        try:
            self._file = arrow("pyarrow.parquet").ParquetFile(path)
        except (OSError, ValueError) as problem:  # pyarrow's ArrowInvalid is a ValueError
            raise InputError(f"{path}: {problem}; expected a Parquet file") from None
        names = list(self._file.schema_arrow.names)
        found = choose_columns(names, column)
        if found is None:
            raise no_such_column(column, names, path)
        self._columns = [names[index] for index in found if index is not None]
        self.rows: int = self._file.metadata.num_rows

    def __iter__(self) -> Iterator[Chunk]:
        return read_batches(
            self._file.iter_batches(batch_size=BATCH, columns=self._columns), self._columns, self._values
        )


def read_batches(batches: Iterable[Any], names: Sequence[str], reader: ValueReader) -> Iterator[Chunk]:
    """The rows of batches of Arrow. names: of their column of puzzles, and of that of solutions if there is one."""
    pa = arrow()
    for batch in batches:
        columns = [batch.column(batch.schema.get_field_index(name)) for name in names]
        for name, column in zip(names, columns, strict=True):
            if not (_is_text(pa, column.type) or _is_list(pa, column.type)):
                raise InputError(f"the column {name!r} is of type {column.type}; expected text, or lists of cells")
        if all(_is_text(pa, column.type) for column in columns):
            yield reader.read_arrow(*(column.cast(pa.large_string()) for column in columns))
        else:
            yield reader.read_values(*(column.to_pylist() for column in columns))


def _is_text(pa: Any, kind: Any) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_null(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return True
    return hasattr(pa.types, "is_string_view") and bool(pa.types.is_string_view(kind))


def _is_list(pa: Any, kind: Any) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


_Extent: TypeAlias = "tuple[NDArray[np.int64], NDArray[np.int64], Bytes]"
"""Where each text begins and ends in these bytes."""


class ValueReader:
    """Reads values of which each is a puzzle by itself, in any notation."""

    def __init__(self, shape: Shape, zero: Zero | None = None) -> None:
        self._shape = shape
        self._zero = zero
        self._shapes = Shapes(shape, zero)
        self._easy = EasyOrders(self._shapes)

    def order_of(self, cells: int) -> int | None:
        """The order of puzzles of so many cells; ``None`` if there are none, or none with a character a symbol."""
        order = isqrt(cells)
        if order * order != cells or not 0 < order <= LARGEST_ORDER_IN_CHARACTERS:
            return None
        return order if self._shapes.usable(order) else None

    def read_arrow(self, puzzles: Any, answers: Any = None) -> Chunk:
        """The rows of a column of puzzles (Arrow large_string) and one of solutions, which may be ``None``."""
        return self._read(
            _extent(puzzles),
            None if answers is None else _extent(answers),
            lambda slow: [None if of is None else of.take(slow).to_pylist() for of in (puzzles, answers)],
        )

    def read_values(self, values: Sequence[Any], answers: Sequence[Any] | None = None) -> Chunk:
        """The rows of puzzles, such as texts and boards, and of their solutions, which may be ``None``."""
        puzzles = list(map(_without_end, values))
        return self._read(
            _extent_of(puzzles),
            None if answers is None else _extent_of(answers := ["" if _is_missing(one) else one for one in answers]),
            lambda slow: [None if of is None else [of[place] for place in slow.tolist()] for of in (puzzles, answers)],
        )

    def read_cells(self, numbers: NDArray[Any], order: int) -> Chunk:
        """The rows of an array (puzzles, cells) of numbers; NaN and masked cells are blank, as 0 is unless it cannot be
        known: then the row is looked at on its own.
        """
        missing = np.ma.getmaskarray(numbers)
        given = np.ma.filled(numbers, 0)
        if given.dtype.kind == "f":
            missing = missing | np.isnan(given)
            given = np.nan_to_num(given, nan=0)
        with np.errstate(invalid="ignore"):
            symbols = given.astype(np.uint8)
        right = ((symbols == given) & (symbols <= order)).all(axis=1)
        if self._zero is None:
            zeros = ((symbols == 0) & ~missing).any(axis=1)
            right &= (symbols.max(axis=1) == order) | ~(zeros & missing.any(axis=1))
        elif self._zero == "symbol":
            right[:] = False
        good, slow = np.flatnonzero(right), np.flatnonzero(~right)
        texts = np.frombuffer(encode_grids(symbols[good], order).tobytes(), np.uint8).reshape(symbols[good].shape)
        group = Group(self._shapes.geometry(order), good, texts) if len(good) else None
        others = [(2 * place, 0, self.row(numbers[place], None)) for place in slow.tolist()]
        return ordered(group, good * 2, np.zeros(len(good), np.int64), others)

    def _read(
        self,
        puzzles: _Extent,
        answers: _Extent | None,
        at: Callable[[NDArray[np.int64]], list[list[Any] | None]],
    ) -> Chunk:
        """Decodes what is easy. at: the values of puzzles and solutions at some places, for all that is not."""
        starts, ends, raw = puzzles
        lengths = ends - starts
        order = self._easy.most_common(lengths[:1000].tolist()) or self._easy.most_common(lengths.tolist())
        number = len(starts)
        fast = np.zeros(number, np.bool_)
        group = None
        if order is not None:
            good = decode_rows(raw, starts, ends, order, zeros_are_blanks=self._easy.zeros_are_blanks).good
            given = None
            if answers is not None:
                a_starts, a_ends, a_raw = answers
                decoded = decode_rows(a_raw, a_starts, a_ends, order)
                full = decoded.clues.all(axis=1)
                given = np.zeros((number, order * order), np.uint8)
                given[decoded.good[full]] = decoded.clues[full]
                fine = a_starts == a_ends
                fine[decoded.good[full]] = True
                good = good[fine[good]]
                given = given[good]
            if len(good):
                fast[good] = True
                group = Group(self._shapes.geometry(order), good, texts_at(raw, starts[good], order * order), given)
        slow = np.flatnonzero(~fast)
        values, solutions = at(slow) if len(slow) else ([], None)
        assert values is not None
        others = [
            (2 * place, 0, self.row(puzzle, answer))
            for place, puzzle, answer in zip(slow.tolist(), values, solutions or [None] * len(slow), strict=True)
        ]
        rows = np.flatnonzero(fast)
        return ordered(group, rows * 2, np.zeros(len(rows), np.int64), others)

    def row(self, puzzle: Any, answer: Any) -> Single | Damaged:
        """One row. The solution must be full and of the puzzle's order."""
        if _is_missing(puzzle):
            puzzle = ""
        try:
            if isinstance(puzzle, str):
                item = formats.parse_puzzle(puzzle, self._shape, self._zero)
            else:
                board = formats.parse(puzzle, self._shape, self._zero)
                if board.rules:
                    puzzle = formats.to_toml(board)
                else:
                    marked = board.marks is not None
                    puzzle = formats.to_marks(board) if marked else formats.to_line(board.clues, board.geometry)
                item = formats.Puzzle(board, formats.Form.LINE, puzzle, 1)
            if _is_missing(answer) or (isinstance(answer, str) and not answer.strip()):
                return Single(0, item.board, puzzle, None, item.symbols)
            return Single(0, item.board, puzzle, self._grid(answer, item), item.symbols)
        except PuzzleFormatError as error:
            # there are no lines here: the row says where it is
            plain = PuzzleFormatError(error.problem, text=error.text, expected=error.expected, column=error.column)
            if not isinstance(puzzle, str):
                puzzle = repr(puzzle.tolist() if hasattr(puzzle, "tolist") else puzzle)
            return Damaged(0, readable(puzzle or error.text)[:LONGEST_TEXT], str(plain))

    def _grid(self, answer: Any, puzzle: formats.Puzzle) -> Grid:
        """The solution given with a puzzle. Raises ``PuzzleFormatError``."""
        geometry = puzzle.board.geometry
        if not isinstance(answer, str):
            board = formats.parse(answer, geometry, self._zero)
            answer = formats.to_line(board.clues, board.geometry, puzzle.symbols)
        grid = read_answer(answer, puzzle, lambda given: formats.parse_puzzle(given, geometry, self._zero))
        if isinstance(grid, PuzzleFormatError):
            raise grid
        return grid


def _without_end(value: Any) -> Any:
    """Lines of a file come with their ends, and as bytes if it is open for these."""
    if isinstance(value, bytes):
        value = value.decode("utf-8", "surrogateescape")
    return value.rstrip("\r\n") if isinstance(value, str) else value


def _is_missing(value: Any) -> bool:
    """Whether it is ``None``, NaN or pandas' ``NA``, of which only the last cannot be compared."""
    if isinstance(value, (str, Board)) or hasattr(value, "__len__"):
        return False
    try:
        return value is None or bool(value != value)
    except TypeError:
        return True


def _extent_of(values: Sequence[Any]) -> _Extent:
    """The same for values; what is no text, and each character beyond ASCII, stands there as one that no puzzle has."""
    texts = [value if isinstance(value, str) else "\0" for value in values]
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
    raw = np.frombuffer(_NOT_ASCII.sub("\0", "".join(texts)).encode(), np.uint8)
    return np.concatenate([[0], ends[:-1]]).astype(np.int64), ends, raw


def _extent(column: Any) -> _Extent:
    """Where each text begins and ends in the bytes of an Arrow large_string array (nothing where it is null)."""
    _, offsets, data = column.buffers()
    edges = np.frombuffer(offsets, np.int64)[column.offset : column.offset + len(column) + 1]
    raw = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    starts, ends = edges[:-1].copy(), edges[1:].copy()
    if column.null_count:
        ends = np.where(np.asarray(column.is_null(), np.bool_), starts, ends)
    return starts, ends, raw
