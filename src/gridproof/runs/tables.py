"""Files of long runs: journals, files that appear only when they are complete, and tables of results.

A journal keeps the progress of a run on disk even if it is killed. Tables are CSV, JSON lines and Parquet as files,
written piece by piece; pandas, Polars and Arrow in memory. None of these packages needs to be installed; a table in
memory is recognised by the package of its class.
"""

from __future__ import annotations

import csv
import importlib
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, Generic, Literal, TypeAlias, TypeVar, get_args

from gridproof.errors import BackendUnavailable, InputError
from gridproof.runs.interrupts import Closing
from gridproof.text import escape_controls, suggest

T = TypeVar("T")


class Journal(Closing, Generic[T]):
    """A file of JSON lines, each with a digest of itself. While it is open, no other process can open it.

    ``entries`` holds the entries that the file had. A last line that a crash cut off is removed.

    Parameters
    ----------
    path
        The path of the file, which is made if it does not exist.
    parse
        A function from the number of an entry (from 0) and the entry to its meaning. It raises ``ValueError``,
        ``TypeError`` or ``KeyError`` for an entry that cannot stand there.
    anew
        What users have to remove to start again, for messages.
    durable
        Whether entries survive a crash of the machine, too. They always survive a crash of the process.

    Raises
    ------
    InputError
        If a line is damaged, or if another process has the file.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for _ in range(2):
    ...         journal = Journal(Path(folder, "journal"), lambda number, entry: entry["row"], folder, durable=False)
    ...         print(journal.entries)
    ...         journal.add({"row": 7})
    ...         journal.close()
    []
    [7]
    """

    def __init__(self, path: Path, parse: Callable[[int, dict[str, Any]], T], anew: str, *, durable: bool) -> None:
        self.path = path
        self._durable = durable
        self._file = path.open("a+b")
        try:
            _lock(self._file, path.parent)
            self.entries = list(self._read(parse, anew))
        except BaseException:
            self._file.close()
            raise

    def add(self, entry: dict[str, Any]) -> None:
        """Append an entry to the file at once."""
        seal = digest(json.dumps(entry).encode())
        self._file.write(json.dumps({**entry, "digest": seal}).encode() + b"\n")
        self._file.flush()
        if self._durable:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file, so that others can open it. An empty file is removed."""
        if not self._file.closed and not self._file.tell():
            self.path.unlink(missing_ok=True)
        self._file.close()

    def _read(self, parse: Callable[[int, dict[str, Any]], T], anew: str) -> Iterator[T]:
        end = 0
        self._file.seek(0)
        for number, line in enumerate(self._file):
            if not line.endswith(b"\n"):
                break
            try:
                entry = parse(number, _unsealed(line))
            except (ValueError, TypeError, KeyError, AttributeError):
                text = line.rstrip(b"\n").decode("utf-8", "backslashreplace")
                shown = repr(text) if len(text) <= 60 else f"{text[:60]!r}... ({len(line):,} bytes)"
                raise InputError(
                    f"{self.path}, line {number + 1} is damaged: {shown}; "
                    f"expected it as gridproof wrote it, or remove {anew} to start again"
                ) from None
            end += len(line)
            yield entry
        self._file.truncate(end)
        self._file.seek(0, os.SEEK_END)


def _lock(journal: BinaryIO, folder: Path) -> None:
    """Lock out other processes while the journal is open; a crash leaves no lock behind."""
    try:
        import fcntl
    except ImportError:  # not on Windows, where a file that is open cannot be removed either
        return
    try:
        fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"another process is writing to {folder}; expected only one run at a time") from None


def _unsealed(text: bytes) -> dict[str, Any]:
    """Return the entry of a line. Raises ``ValueError``, ``TypeError`` or ``KeyError`` if it is damaged."""
    try:
        plain: dict[str, Any] = json.loads(text)
    except RecursionError:
        raise ValueError from None
    if plain.pop("digest") != digest(json.dumps(plain).encode()):
        raise ValueError
    return plain


def digest(data: bytes) -> str:
    """Return a digest that identifies these bytes."""
    return blake2b(data, digest_size=16).hexdigest()


@contextmanager
def replaced(path: Path, *, durable: bool = False) -> Iterator[Path]:
    """Yield a path to write to; at the end of the block that file replaces the one at ``path``.

    Parameters
    ----------
    path
        The file to replace. If the block fails, it is unchanged, and the new file is removed.
    durable
        Whether to flush the new file to disk before; needed if a journal names it afterwards.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replaced(Path(folder, "result")) as draft:
    ...         _ = draft.write_text("done")
    ...     print([path.name for path in Path(folder).iterdir()])
    ['result']
    """
    partial = path.with_name(f"{path.name}.tmp")
    try:
        yield partial
        if durable:
            to_disk(partial)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def to_disk(path: Path) -> None:
    """Flush a file to disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


# ---- tables ----------------------------------------------------------------------------------------------------------

Types: TypeAlias = Mapping[str, str]
"""The names of the columns of a table, and their types as Arrow calls them."""

_FORMS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".pq": "parquet"}


def form_of(path: str | Path) -> str | None:
    """Return the form of a table by the ending of its path, or ``None`` for an unknown ending.

    >>> form_of("verdicts.ndjson"), form_of("verdicts.txt")
    ('jsonl', None)
    """
    return _FORMS.get(Path(path).suffix.casefold())


def target(output: str | Path, beside: str = "") -> Path:
    """Return the file that a result is to become: behind a symbolic link, what that points to.

    Parameters
    ----------
    output
        The path of the result.
    beside
        What is added to the name for another file that is written, too.

    Raises
    ------
    InputError
        If the ending of the name is none of a table, or if no file can be written there, as far as can be seen now.
    BackendUnavailable
        If the table is to be Parquet and pyarrow is not installed.
    """
    form = form_of(output)
    if form is None:
        raise InputError(f"output {str(output)!r}; expected a name that ends in .parquet, .csv or .jsonl")
    if form == "parquet":
        arrow()
    try:
        path = Path(output).resolve()
    except (OSError, RuntimeError) as problem:
        raise unusable(output, problem) from None
    for needed in (path, path.with_name(path.name + beside)):
        if needed.exists() and not needed.is_file():
            raise unusable(output, f"{needed} is a {'folder' if needed.is_dir() else 'pipe or a device'}")
    above = next(folder for folder in path.parents if folder.exists())
    if not above.is_dir():
        raise unusable(output, f"{above} is no folder")
    if not os.access(above, os.W_OK | os.X_OK):
        raise unusable(output, f"{above} cannot be written to")
    return path


def unusable(output: str | Path, why: object) -> InputError:
    """The error for a result that cannot be written."""
    return InputError(f"output {str(output)!r}: {why}; expected the name of a file, in a folder that can be written to")


def arrow(module: str = "pyarrow") -> Any:
    """Import pyarrow, or a module of it. Raises ``BackendUnavailable`` if it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise BackendUnavailable("Parquet and tables of Arrow need pyarrow; pip install 'gridproof[parquet]'") from None


def encode(form: str, types: Types, columns: Sequence[Sequence[Any]]) -> bytes:
    """Encode a piece of a table.

    Parameters
    ----------
    form
        ``csv`` (without its header), ``jsonl`` or ``parquet``. For ``parquet`` the piece is in the Arrow IPC format,
        which is fast to write and to read; ``TableFile`` compresses the rows later.
    types, columns
        The columns with their types, and the values of each.

    Examples
    --------
    >>> encode("jsonl", {"row": "int64", "verdict": "string"}, [[1], ["unique"]])
    b'{"row": 1, "verdict": "unique"}\\n'
    """
    if form == "parquet":
        table, stream = frame("arrow", types, columns), io.BytesIO()
        with arrow("pyarrow.ipc").new_file(stream, table.schema) as writer:
            writer.write_table(table)
        return stream.getvalue()
    if not columns[0]:
        return b""
    return _csv(columns) if form == "csv" else _jsonl(types, columns)


def _csv(columns: Sequence[Sequence[Any]]) -> bytes:
    texts = [["" if value is None else str(value) for value in values] for values in columns]
    rows = list(map(",".join, zip(*texts, strict=True)))
    together = " ".join(rows)
    if together.isprintable() and '"' not in together and together.count(",") == len(rows) * (len(columns) - 1):
        text = "\n".join(rows) + "\n"  # nothing needs quotes: twice as fast as the csv module
    else:
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows(zip(*columns, strict=True))
        text = escape_controls(out.getvalue())
    return text.encode("utf-8", "backslashreplace")


def _jsonl(types: Types, columns: Sequence[Sequence[Any]]) -> bytes:
    # a line end is never within a value, so that each column is one call
    texts = [json.dumps(values, separators=("\n", ": "))[1:-1].split("\n") for values in columns]
    line = "{" + ", ".join(f'"{name}": %s' for name in types) + "}\n"
    return "".join(map(line.__mod__, zip(*texts, strict=True))).encode()


def arrow_array(values: Sequence[Any], of: str) -> Any:
    """A column of Arrow of the type of this name; halves of split characters are escaped."""
    kind = getattr(arrow(), of)()
    try:
        return arrow().array(values, kind)
    except UnicodeEncodeError:
        texts = [value and value.encode("utf-8", "backslashreplace").decode() for value in values]
        return arrow().array(texts, kind)


class TableFile:
    """A table file that is written from encoded pieces. The same pieces give the same bytes.

    Parameters
    ----------
    form, path, types
        The form, the path and the columns; see ``encode``.
    parquet
        Further options for ``pyarrow.parquet.ParquetWriter``.
    """

    def __init__(self, form: str, path: Path, types: Types, parquet: Mapping[str, Any] | None = None) -> None:
        self._form = form
        if form == "parquet":
            options = {"compression": "zstd", **(parquet or {})}
            schema = frame("arrow", types, [()] * len(types)).schema
            self._file: Any = arrow("pyarrow.parquet").ParquetWriter(path, schema, **options)
            return
        self._file = path.open("wb")
        if form == "csv":
            self._file.write((",".join(types) + "\n").encode())

    def append(self, piece: bytes) -> None:
        """Write the rows of the next piece; in Parquet they form a row group."""
        if self._form != "parquet":
            self._file.write(piece)
            return
        table = arrow("pyarrow.ipc").open_file(arrow().py_buffer(piece)).read_all()
        self._file.write_table(table, row_group_size=max(table.num_rows, 1))

    def close(self) -> None:
        """Finish and close the file."""
        self._file.close()


def write(output: str | Path, types: Types, columns: Sequence[Sequence[Any]]) -> None:
    """Write a whole table; the file is complete or not there at all. Raises as ``target``."""
    path, form = target(output), form_of(output) or ""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replaced(path) as partial, closing(TableFile(form, partial, types)) as file:
        file.append(encode(form, types, columns))


Kind: TypeAlias = Literal["pandas", "polars", "arrow"]

KINDS: tuple[Kind, ...] = get_args(Kind)

_PACKAGES: Mapping[str, Kind] = {"pandas": "pandas", "polars": "polars", "pyarrow": "arrow"}


def kind_of(table: object) -> Kind | None:
    """Return the package of a table, subclasses included; ``None`` for any other object."""
    packages = [one.__module__.partition(".")[0] for one in type(table).__mro__]
    return next((_PACKAGES[package] for package in packages if package in _PACKAGES), None)


def frame(kind: Kind, types: Types, columns: Sequence[Sequence[Any]]) -> Any:
    """A table of these columns.

    Raises ``InputError`` for another kind, ``BackendUnavailable`` if the package is not installed.

    Examples
    --------
    >>> frame("polars", {"n": "int64", "word": "string"}, [[1, None], ["a", "b"]]).rows()
    [(1, 'a'), (None, 'b')]
    """
    if kind not in KINDS:
        raise InputError(f"a table of the kind {kind!r}; {suggest(str(kind), KINDS)}")
    if kind == "arrow":
        return arrow().table(list(map(arrow_array, columns, types.values())), list(types))
    try:
        package = importlib.import_module(kind)
    except ImportError:
        raise BackendUnavailable(f"a table of {kind} needs {kind}, which is not installed") from None
    named = dict(zip(types, columns, strict=True))
    if kind == "polars":
        return package.DataFrame(named, schema={name: getattr(package, _POLARS[of]) for name, of in types.items()})

    def series(values: Sequence[Any], of: str) -> Any:
        whole = of.startswith("int") and None in values
        return package.Series(values, dtype=of.capitalize() if whole else _PANDAS.get(of, of))

    return package.DataFrame({name: series(values, types[name]) for name, values in named.items()})


_POLARS = {"int64": "Int64", "int8": "Int8", "float64": "Float64", "string": "String", "bool_": "Boolean"}
_PANDAS = {"string": None, "bool_": "bool"}


def with_columns(table: Any, types: Types, columns: Sequence[Sequence[Any]]) -> Any:
    """A table of the same kind with further columns; the table itself, and the index of one of pandas, stay as is."""
    kind = kind_of(table)
    if kind == "arrow":
        for (name, of), values in zip(types.items(), columns, strict=True):
            table = table.append_column(name, arrow_array(values, of))
        return table
    if kind == "polars":
        return table.hstack(frame(kind, types, columns))
    whole, added = table.copy(deep=False), frame("pandas", types, columns)
    for name in types:
        whole[name] = added[name].array  # by order: an index may name a row twice
    return whole
