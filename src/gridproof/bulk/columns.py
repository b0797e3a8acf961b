"""Columns of puzzles to chunks: tables, arrays, Parquet, and whatever gives one puzzle after the other.

Each value is a puzzle by itself. Tables of pandas, Polars and Arrow are recognised by their attributes, so that none of
these needs to be installed; pyarrow is imported when it is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof import formats
from gridproof.bulk.chunks import Chunk, Texts, easy_rows, encode_grids, ordered, strings
from gridproof.errors import InputError, PuzzleFormatError
from gridproof.formats.catalog import all_formats
from gridproof.formats.known.text import marks_line
from gridproof.formats.places import Place
from gridproof.formats.puzzle import Item, Puzzle, Unread
from gridproof.formats.reading import read_one
from gridproof.formats.shapes import Shapes, finish_puzzle
from gridproof.formats.tables import choose_columns, no_such_column, read_answer, rules_among, unread_rules
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import LARGEST_ORDER_IN_CHARACTERS, SymbolTuple
from gridproof.runs.frames import arrow

BATCH = 10_000
"""Rows that are read at once."""

_USABLE = ("null", "string", "large_string", "list", "large_list", "fixed_size_list", "dictionary<values=string")
"""Beginnings of the names of types of Arrow that hold texts, perhaps as codes of a dictionary, or lists of cells."""


def chunks_of(source: Any, shapes: Shapes, column: str | None) -> Iterator[Chunk]:
    """The rows of a table, an array or an iterable. Raises ``InputError`` if it is none, or lacks the column."""
    names = _column_names(source)
    if names is not None:
        return _from_table(source, names, shapes, column)
    if column is not None:
        raise InputError(f"the column {column!r} of puzzles that come one by one; expected it with a table only")
    if isinstance(source, Board):
        source = [source]
    if hasattr(source, "to_pylist"):  # a column of Arrow, where iteration gives objects of its own
        source = source.to_pylist()
    if len(getattr(source, "shape", ())) > 1 and hasattr(source, "__array__"):
        array = source if isinstance(source, np.ndarray) else np.asarray(source)
        return (read(shapes, _values_of(shapes, part)) for part in _parts(array))
    if not isinstance(source, Iterable) or getattr(source, "shape", None) == ():  # an array without dimensions
        raise InputError(
            f"a value of type {type(source).__name__}: {source!r:.200}; expected a path, puzzles one after the other, "
            "a table with a column of puzzles, or an array of shape (n, cells) or (n, rows, columns)"
        )
    return _from_values(shapes, iter(source))


def _is_arrow(source: object) -> bool:
    return type(source).__module__.partition(".")[0] == "pyarrow"


def _column_names(source: Any) -> list[Any] | None:
    """The names of the columns of a table; ``None`` if it is none."""
    if _is_arrow(source):  # a table, a batch, or a reader of batches
        is_table = hasattr(source, "schema") and (hasattr(source, "column_names") or isinstance(source, Iterable))
        return list(source.schema.names) if is_table else None
    names = source.keys() if isinstance(source, Mapping) else getattr(source, "columns", None)
    return list(names) if isinstance(names, Iterable) else None


def _chosen(names: Sequence[str], column: str | None, source: str) -> tuple[list[int], list[int]]:
    """Choose the column of puzzles, and that of their solutions if there is one; and those of rules in words.

    Raises ``InputError``.
    """
    indices = choose_columns(names, column)
    if indices is None:
        raise no_such_column(column, names, source)
    return [index for index in indices if index is not None], list(rules_among(names, indices))


def _from_table(source: Any, names: Sequence[Any], shapes: Shapes, column: str | None) -> Iterator[Chunk]:
    name = f"the {type(source).__name__}"
    usual, of_rules = _chosen([str(one) for one in names], column, name)
    chosen = [names[index] for index in usual]
    rules = [names[index] for index in of_rules]
    if twice := [one for one in chosen + rules if names.count(one) > 1]:
        raise InputError(f"{name} has the column {twice[0]!r} more than once; expected it once")
    if _is_arrow(source):
        batches = [source] if isinstance(source, arrow().RecordBatch) else source
        batches = batches.to_batches() if hasattr(batches, "to_batches") else batches
        return _from_batches(batches, chosen, rules, shapes)
    try:
        columns = [source[one] for one in chosen + rules]
        lengths = {len(values) for values in columns}
    except TypeError:
        raise InputError(f"{name} does not give its column {chosen[0]!r}; expected a table in memory") from None
    if len(lengths) > 1:
        raise InputError(f"{name} has columns of {' and '.join(map(str, lengths))} values; expected equal numbers")
    puzzles, *answers = (iter(values) for values in columns[: len(chosen)])
    in_words = {str(one): iter(values) for one, values in zip(rules, columns[len(chosen) :], strict=True)}
    return _from_values(shapes, puzzles, answers[0] if answers else None, in_words)


def parquet_rows(path: str, shapes: Shapes, column: str | None) -> Iterator[Chunk]:
    """The rows of a Parquet file, from a column of text, row group after row group."""
    try:
        file = arrow("pyarrow.parquet").ParquetFile(path)
    except (OSError, ValueError) as problem:  # pyarrow's ArrowInvalid is a ValueError
        raise InputError(f"{path}: {problem}; expected a Parquet file") from None
    names = list(file.schema_arrow.names)
    usual, of_rules = _chosen(names, column, path)
    chosen = [names[index] for index in usual]
    rules = [names[index] for index in of_rules]
    return _from_batches(file.iter_batches(batch_size=BATCH, columns=chosen + rules), chosen, rules, shapes)


def _from_batches(
    batches: Iterable[Any], names: Sequence[str], rules: Sequence[str], shapes: Shapes
) -> Iterator[Chunk]:
    """The rows of batches of Arrow. names: of their column of puzzles, and of that of solutions if there is one.

    rules: the names of columns of rules, which may be of any type.
    """
    for batch in batches:
        columns = [batch.column(batch.schema.get_field_index(name)) for name in names]
        for name, column in zip(names, columns, strict=True):
            if not str(column.type).startswith(_USABLE):
                raise InputError(f"the column {name!r} is of type {column.type}; expected text, or lists of cells")
        in_words = {name: batch.column(batch.schema.get_field_index(name)) for name in rules}
        for start in range(0, len(batch), BATCH):
            end = start + BATCH
            puzzles, *answers = (column[start:end].to_pylist() for column in columns)
            further = {name: column[start:end].to_pylist() for name, column in in_words.items()}
            yield read(shapes, puzzles, answers[0] if answers else None, further)


def _from_values(
    shapes: Shapes,
    puzzles: Iterator[Any],
    answers: Iterator[Any] | None = None,
    rules: Mapping[str, Iterator[Any]] | None = None,
) -> Iterator[Chunk]:
    while batch := list(islice(puzzles, BATCH)):
        given = None if answers is None else list(islice(answers, len(batch)))
        in_words = {name: list(islice(values, len(batch))) for name, values in (rules or {}).items()}
        yield read(shapes, batch, given, in_words)


def _parts(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    return (array[start : start + BATCH] for start in range(0, len(array), BATCH))


def _values_of(shapes: Shapes, array: NDArray[Any]) -> list[Any]:
    """The puzzles of an array of shape (n, cells) or (n, rows, columns), most of them as texts.

    NaN and masked cells are blank, as 0 is unless the row leaves that open: then it is read on its own.
    """
    values = list(array)
    flat = array.reshape(-1, array.shape[1] ** 2) if array.ndim == 3 and array.shape[1] == array.shape[2] else array
    order = isqrt(flat.shape[1])
    usable = 0 < order <= LARGEST_ORDER_IN_CHARACTERS and order * order == flat.shape[1] and shapes.usable(order)
    if flat.ndim != 2 or flat.dtype.kind not in "iuf" or not usable or shapes.zero == "symbol":
        return values
    missing, given = np.ma.getmaskarray(flat), np.ma.filled(flat, 0)
    if given.dtype.kind == "f":
        missing = missing | np.isnan(given)
        given = np.nan_to_num(given, nan=0)
    with np.errstate(invalid="ignore"):
        symbols = given.astype(np.uint8)
    right = ((symbols == given) & (symbols <= order)).all(axis=1)
    if shapes.zero is None:
        zeros = ((symbols == 0) & ~missing).any(axis=1)
        right &= (symbols.max(axis=1) == order) | ~(zeros & missing.any(axis=1))
    places = np.flatnonzero(right).tolist()
    for place, text in zip(places, strings(encode_grids(symbols[places], order)), strict=True):
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
    puzzles = list(map(_without_end, values))
    given = None if answers is None else ["" if _is_missing(one) else one for one in answers]
    group = easy_rows(shapes, _texts_of(puzzles), None if given is None else _texts_of(given))
    unread = _unread(rules or {})
    slow = np.ones(len(puzzles), np.bool_)
    if group is not None:
        easy = np.array([place not in unread for place in group.places.tolist()], np.bool_) if unread else None
        group = group if easy is None else group.only(easy)
        slow[group.places] = False
    rows = []
    for place in np.flatnonzero(slow).tolist():
        row = _row(shapes, puzzles[place], given and given[place], unread.get(place, ()))
        rows.append((place, 0, row))
    return ordered(group, rows)


def _unread(rules: Mapping[str, Sequence[Any]]) -> dict[int, tuple[Unread, ...]]:
    """Return what stands in columns of rules, by the places of the rows."""
    unread = {}
    for place, values in enumerate(zip(*rules.values(), strict=True)):
        texts = ["" if _is_missing(value) else str(value) for value in values]
        if parts := unread_rules(zip(rules, texts, strict=True)):
            unread[place] = parts
    return unread


def _row(shapes: Shapes, puzzle: Any, answer: Any, unread: tuple[Unread, ...]) -> Item:
    """Return one row. The solution must be of the puzzle's order. unread: rules beside the puzzle."""
    if _is_missing(puzzle):
        puzzle = ""
    # there are no lines here: the number of the row stands for the place
    place = Place(value=puzzle if isinstance(puzzle, str) else repr(_plain(puzzle)))
    try:
        item = _puzzle(shapes.at(place), puzzle)
        if unread:
            item = replace(item, unread=item.unread + unread)
        if not (_is_missing(answer) or (isinstance(answer, str) and not answer.strip())):
            item = replace(item, solution=_grid(shapes.at(place), answer, item))
        return item if shapes.despite_unread else item.understood()
    except PuzzleFormatError as error:
        return error


def _plain(value: Any) -> Any:
    """Return an array as lists, and anything else as it is."""
    return value.tolist() if hasattr(value, "tolist") else value


def _puzzle(shapes: Shapes, puzzle: Any) -> Puzzle:
    """The puzzle that a value is. Raises ``PuzzleFormatError``."""
    if isinstance(puzzle, str):
        item = read_one(puzzle, shapes)
    elif isinstance(puzzle, Puzzle):
        item = finish_puzzle(replace(puzzle, text=_written(puzzle.board)), shapes)
    else:
        board = _parse(puzzle, shapes)
        item = Puzzle(board, text=_written(board))
    if isinstance(item, PuzzleFormatError):
        raise item
    return item


def _parse(cells: Any, shapes: Shapes) -> Board:
    """The board of cells in a list or an array. Raises ``PuzzleFormatError``."""
    try:
        return formats.parse(cells, shapes.fixed or shapes.geometry, shapes.zero)
    except PuzzleFormatError as problem:
        raise shapes.place.error(problem.problem, problem.text, problem.expected, column=None) from None


def _grid(shapes: Shapes, answer: Any, puzzle: Puzzle) -> SymbolTuple:
    """The solution given with a puzzle. Raises ``PuzzleFormatError``."""
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
    """The texts among values; what is no text, and each character beyond ASCII, is one that no puzzle has."""
    texts = [value if isinstance(value, str) else "?" for value in values]
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)))
    raw = np.frombuffer("".join(texts).encode("ascii", "replace"), np.uint8)
    return Texts(raw, np.concatenate([[0], ends[:-1]]).astype(np.int64), ends)
