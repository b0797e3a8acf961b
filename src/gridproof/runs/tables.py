"""Tables of results as files: CSV, JSON lines and Parquet, written piece by piece."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.runs.frames import Types, arrow, frame
from gridproof.runs.journal import replaced
from gridproof.text import escape_controls

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
