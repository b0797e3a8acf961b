"""Tables of results as files: CSV, JSON lines and Parquet, written piece by piece."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.runs.frames import Types, arrow, make_frame
from gridproof.runs.journal import replace_file
from gridproof.text import escape_controls

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Beginnings of a field that a spreadsheet takes for a formula."""

_ESCAPES = {"\t": r"\x09", "\r": r"\x0d", "\n": r"\x0a"}

_FORMS = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet", ".pq": "parquet"}


def form_of(path: str | Path) -> str | None:
    """Return the form of a table by the ending of its path, or ``None`` for an unknown ending.

    >>> form_of("verdicts.ndjson"), form_of("verdicts.txt")
    ('jsonl', None)
    """
    return _FORMS.get(Path(path).suffix.casefold())


def resolve_output(output: str | Path, beside: str = "") -> Path:
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
    return check_place(output, beside)


def check_place(output: str | Path, beside: str = "") -> Path:
    """Return the file that any result is to become; see ``resolve_output``.

    Raises ``InputError`` if no file can be written there, as far as can be seen now.
    """
    try:
        path = Path(output).resolve()
    except (OSError, RuntimeError) as problem:
        raise unusable_output(output, problem) from None
    for needed in (path, path.with_name(path.name + beside)):
        if needed.exists() and not needed.is_file():
            what = "folder" if needed.is_dir() else "pipe or a device"
            raise unusable_output(output, f"{needed} is a {what}")
    above = path.parent
    while not above.exists():
        above = above.parent
    if not above.is_dir():
        raise unusable_output(output, f"{above} is no folder")
    if not os.access(above, os.W_OK | os.X_OK):
        raise unusable_output(output, f"{above} cannot be written to")
    return path


def unusable_output(output: str | Path, why: object) -> InputError:
    """The error for a result that cannot be written."""
    return InputError(f"output {str(output)!r}: {why}; expected the name of a file, in a folder that can be written to")


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
        return encode_arrow(make_frame("arrow", types, columns))
    if form == "csv":
        return b"".join(encode_csv(types, columns))
    lines = []
    for row in zip(*columns, strict=True):
        lines.append(json.dumps(dict(zip(types, row, strict=True))) + "\n")
    return "".join(lines).encode()


def as_text(value: Any) -> str | None:
    """Return a value of the reader's own as text: numbers and data as JSON has them."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, default=str)


def encode_arrow(table: Any) -> bytes:
    """Return a table of Arrow in its IPC format, as ``encode`` does for ``parquet``."""
    stream = io.BytesIO()
    with arrow("pyarrow.ipc").new_file(stream, table.schema) as writer:
        writer.write_table(table)
    return stream.getvalue()


def encode_csv(types: Types, columns: Sequence[Sequence[Any]], safe: Collection[str] = ()) -> list[bytes]:
    r"""Return the lines of CSV, without a header. Texts are written as ``protect`` returns them.

    safe: the columns whose texts are written as they are.

    Examples
    --------
    >>> encode_csv({"row": "int64", "title": "string"}, [[1, 2], ["=1+1", "a, b"]])
    [b"1,'=1+1\n", b'2,"a, b"\n']
    """
    written: list[Sequence[Any]] = []
    for name, values in zip(types, columns, strict=True):
        if types[name] == "string" and name not in safe:
            written.append([protect(value) if isinstance(value, str) else value for value in values])
        else:
            written.append(values)
    lines = _Lines()
    csv.writer(lines, lineterminator="\n").writerows(zip(*written, strict=True))
    return lines


def csv_header(types: Types) -> bytes:
    """Return the first line of CSV, which names the columns."""
    return encode_csv(dict.fromkeys(types, "string"), [[name] for name in types])[0]


class _Lines(list[bytes]):
    """A file in memory that keeps each piece that is written to it."""

    def write(self, text: str) -> None:
        self.append(text.encode("utf-8", "backslashreplace"))


def protect(text: str) -> str:
    r"""Return a text as a field of CSV, where people and programs of theirs meet it.

    What a spreadsheet would take for a formula gets an apostrophe in front. Control characters, tabs and line ends are
    escaped, so that a row is a line and steers no terminal.

    Examples
    --------
    >>> protect("=1\n2"), protect("a\tb")
    ("'=1\\x0a2", 'a\\x09b')
    """
    if text.startswith(FORMULA):
        text = f"'{text}"
    if text.isprintable():
        return text
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return escape_controls(text)


def unprotect(text: str) -> str:
    r"""Return the text that ``protect`` was given, if it had no control characters but tabs and line ends.

    Examples
    --------
    >>> unprotect("'=1\\x0a2"), unprotect("'tis")
    ('=1\n2', "'tis")
    """
    for character, escape in _ESCAPES.items():
        text = text.replace(escape, character)
    if text[1:].startswith(FORMULA):
        return text.removeprefix("'")
    return text


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
            schema = make_frame("arrow", types, [()] * len(types)).schema
            self._file: Any = arrow("pyarrow.parquet").ParquetWriter(path, schema, **options)
            return
        self._file = path.open("wb")
        if form == "csv":
            self._file.write(csv_header(types))

    def append(self, piece: bytes | memoryview) -> None:
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
    """Write a whole table; the file is complete or not there at all. Raises as ``resolve_output``."""
    path = resolve_output(output)
    form = form_of(output) or ""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replace_file(path) as partial, closing(TableFile(form, partial, types)) as file:
        file.append(encode(form, types, columns))


def read(path: Path, *, cut_off: bool = False) -> list[dict[str, Any]]:
    """Return the rows of a table file; the values of CSV are texts.

    cut_off: whether the last line may be half a line, as a full disk leaves one; then it is left out. Raises
    ``ValueError`` or ``csv.Error`` for a file that is no such table.
    """
    if form_of(path) == "parquet":
        rows: list[dict[str, Any]] = arrow("pyarrow.parquet").read_table(path).to_pylist()
        return rows
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(file)
    if cut_off and lines and not lines[-1].endswith("\n"):
        lines.pop()
    if form_of(path) == "jsonl":
        return [json.loads(line) for line in lines]
    rows = []
    for row in csv.DictReader(lines):
        texts = {}
        for name, value in row.items():
            texts[name] = unprotect(value) if isinstance(value, str) else value
        rows.append(texts)
    return rows
