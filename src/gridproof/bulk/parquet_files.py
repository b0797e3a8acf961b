"""Parquet to chunks, and parts of results to Parquet. pyarrow is imported when it is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gridproof import text
from gridproof.bulk.chunks import Chunk, Damaged, Group, Single, ordered
from gridproof.bulk.csv_files import choose_columns, no_such_column
from gridproof.bulk.lines import LONGEST_TEXT, EasyOrders, texts_at
from gridproof.errors import BackendUnavailable, InputError, PuzzleFormatError
from gridproof.lanes.decode import decode_rows
from gridproof.text import Zero
from gridproof.text.notation import Shape, Shapes, readable
from gridproof.text.tables import read_answer

if TYPE_CHECKING:
    from gridproof.board import Board

_BATCH = 50_000


def arrow(module: str = "pyarrow") -> Any:
    """pyarrow, or a module of it. Raises ``BackendUnavailable`` if it is not installed."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError:
        raise BackendUnavailable("Parquet needs pyarrow; pip install 'gridproof[parquet]'") from None


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
        pa = arrow()
        for batch in self._file.iter_batches(batch_size=_BATCH, columns=self._columns):
            columns = []
            for name in self._columns:
                column = batch.column(batch.schema.get_field_index(name))
                if not _is_text(pa, column.type):
                    raise InputError(f"the column {name!r} is of type {column.type}; expected text")
                columns.append(column.cast(pa.large_string()))
            yield self._values.read_arrow(columns[0], columns[1] if len(columns) > 1 else None)


def _is_text(pa: Any, kind: Any) -> bool:
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_null(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return True
    return hasattr(pa.types, "is_string_view") and bool(pa.types.is_string_view(kind))


class ValueReader:
    """Reads values of which each is a puzzle by itself, in any notation."""

    def __init__(self, shape: Shape, zero: Zero | None = None) -> None:
        self._shape = shape
        self._zero = zero
        self._shapes = Shapes(shape, zero)
        self._easy = EasyOrders(self._shapes)

    def read_arrow(self, puzzles: Any, answers: Any) -> Chunk:
        """The rows of a column of puzzles (Arrow large_string) and one of solutions, which may be ``None``."""
        starts, ends, raw = _extent(puzzles)
        order = self._easy.most_common((ends - starts)[:1000].tolist())
        number = len(starts)
        fast = np.zeros(number, np.bool_)
        group = None
        if order is not None:
            good = decode_rows(raw, starts, ends, order, zeros_are_blanks=self._easy.zeros_are_blanks).good
            given = None
            if answers is not None:
                a_starts, a_ends, a_raw = _extent(answers)
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
        slow_puzzles = puzzles.take(slow).to_pylist() if len(slow) else []
        slow_answers = answers.take(slow).to_pylist() if len(slow) and answers is not None else [None] * len(slow)
        others = [
            (2 * place, 0, self.row(puzzle, answer))
            for place, puzzle, answer in zip(slow.tolist(), slow_puzzles, slow_answers, strict=True)
        ]
        rows = np.flatnonzero(fast)
        return ordered(group, rows * 2, np.zeros(len(rows), np.int64), others)

    def read_values(self, values: Sequence[str | Board]) -> Chunk:
        """The rows of a sequence of texts and boards."""
        # lines of a file come with their ends
        values = [value.rstrip("\r\n") if isinstance(value, str) else value for value in values]
        lengths = [len(value) if isinstance(value, str) else -1 for value in values]
        order = self._easy.most_common(lengths)
        cells = order * order if order is not None else -2
        alike = np.flatnonzero(np.array(lengths, np.int64) == cells)
        raw = np.frombuffer("".join([str(values[k]) for k in alike.tolist()]).encode("ascii", "replace"), np.uint8)
        group = None
        fast = np.zeros(len(values), np.bool_)
        if order is not None and len(alike):
            starts = np.arange(0, len(raw), cells, dtype=np.int64)
            known = self._easy.zeros_are_blanks
            good = decode_rows(raw, starts, starts + cells, order, zeros_are_blanks=known).good
            fast[alike[good]] = True
            if len(good):
                group = Group(self._shapes.geometry(order), alike[good], texts_at(raw, starts[good], cells))
        others = [(2 * place, 0, self.row(values[place], None)) for place in np.flatnonzero(~fast).tolist()]
        rows = np.flatnonzero(fast)
        return ordered(group, rows * 2, np.zeros(len(rows), np.int64), others)

    def row(self, puzzle: str | Board | None, answer: str | None) -> Single | Damaged:
        """One row. The solution must be full and of the puzzle's order."""
        from gridproof.board import Board

        shown = puzzle if isinstance(puzzle, str) else ""
        try:
            if isinstance(puzzle, Board):
                written = text.to_line(puzzle.clues, puzzle.geometry) if puzzle.marks is None else text.to_marks(puzzle)
                return Single(0, puzzle, written)
            if puzzle is not None and not isinstance(puzzle, str):
                kind = type(puzzle).__name__
                raise PuzzleFormatError(
                    f"a value of type {kind}: {puzzle!r:.200}", text=repr(puzzle), expected="a text or a Board"
                )
            item = text.parse_puzzle(shown, self._shape, self._zero)
            if answer is None or not answer.strip():
                return Single(0, item.board, shown, None, item.symbols)
            grid = read_answer(answer, item, lambda given: text.parse_puzzle(given, item.board.geometry, self._zero))
            if isinstance(grid, PuzzleFormatError):
                raise grid
            return Single(0, item.board, shown, grid, item.symbols)
        except PuzzleFormatError as error:
            # there are no lines here: the row says where it is
            plain = PuzzleFormatError(error.problem, text=error.text, expected=error.expected, column=error.column)
            return Damaged(0, readable(shown or error.text)[:LONGEST_TEXT], str(plain))


def _extent(column: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Where each text begins and ends in the bytes of an Arrow large_string array (nothing where it is null)."""
    _, offsets, data = column.buffers()
    edges = np.frombuffer(offsets, np.int64)[column.offset : column.offset + len(column) + 1]
    raw = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    starts, ends = edges[:-1].copy(), edges[1:].copy()
    if column.null_count:
        ends = np.where(np.asarray(column.is_null(), np.bool_), starts, ends)
    return starts, ends, raw
