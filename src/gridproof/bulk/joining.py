"""Parts, one after the other, to the one file of a result.

Parts of CSV and JSON lines are pieces of that file. Parts of Parquet are in the Arrow IPC format, which costs next to
nothing to write and to read: rows are compressed once, here.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Protocol

from gridproof.bulk.records import csv_header, parquet_schema, parquet_writer

_COPY = 1 << 20


class Whole(Protocol):
    """A file under construction."""

    def append(self, part: Path) -> None:
        """The rows of the next part."""

    def close(self) -> None:
        """Nothing more comes."""


def whole(form: str, target: Path, timings: bool) -> Whole:
    """Begin the file of a result in this form."""
    return _Rows(target, timings) if form == "parquet" else _Text(target, csv_header(timings) if form == "csv" else b"")


class _Text:
    def __init__(self, target: Path, header: bytes) -> None:
        self._file = target.open("wb")
        self._file.write(header)

    def append(self, part: Path) -> None:
        with part.open("rb") as file:
            shutil.copyfileobj(file, self._file, _COPY)

    def close(self) -> None:
        self._file.close()


class _Rows:
    def __init__(self, target: Path, timings: bool) -> None:
        from gridproof.bulk.parquet_files import arrow

        self._arrow = arrow()
        self._ipc: Any = arrow("pyarrow.ipc")
        self._writer = parquet_writer(target, parquet_schema(timings))

    def append(self, part: Path) -> None:
        with self._arrow.OSFile(str(part), "rb") as file:
            table = self._ipc.open_file(file).read_all()
        self._writer.write_table(table, row_group_size=max(table.num_rows, 1))

    def close(self) -> None:
        self._writer.close()
