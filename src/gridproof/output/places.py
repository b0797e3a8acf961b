"""Places that puzzles are written to: standard output, or a file that is there when it is whole."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from gridproof.formats.catalog import Format, piece_of_file
from gridproof.runs import tables
from gridproof.runs.frames import Types
from gridproof.runs.journal import replace_file

BATCH = 2_000
"""Rows of a file that are written together."""


PUZZLES = ("puzzle", "solution")
"""Columns of puzzles, whose texts are written as they are: they may begin with the blank ``-``."""


class Place:
    """A file, or standard output if the path is ``None``. Nothing is there before the first text is written.

    live: whether somebody waits for each text, so that none stays behind in memory.
    """

    def __init__(self, path: Path | None, *, live: bool = False) -> None:
        self.path = path
        self._live = live
        self._stack = ExitStack()
        self._stream: TextIO | None = None

    def write(self, text: str) -> None:
        """Write a text."""
        if self._stream is None:
            self._stream = sys.stdout
            if self.path is not None:
                draft = self.open_draft(self.path)
                self._stream = self._stack.enter_context(draft.open("w", encoding="utf-8", newline="\n"))
        self._stream.write(text)
        if self._live and self.path is None:
            self._stream.flush()

    def open_draft(self, path: Path) -> Path:
        """Return the path of the file that takes the place of this one in the end."""
        path.parent.mkdir(parents=True, exist_ok=True)
        return self._stack.enter_context(replace_file(path))

    def open_table(self, form: str, path: Path, types: Types) -> tables.TableFile:
        """Return the file of a table, which is closed with the place."""
        file = tables.TableFile(form, self.open_draft(path), types)
        self._stack.callback(file.close)
        return file

    def close(self) -> None:
        """Close the file, which is in its place now."""
        self._stack.close()

    def drop(self, problem: BaseException) -> None:
        """Leave whatever was there before."""
        self._stack.__exit__(type(problem), problem, problem.__traceback__)


class Texts:
    """Writes the texts of puzzles in a format, with what stands around and between them."""

    def __init__(self, form: Format, place: Place) -> None:
        self._form = form
        self._place = place
        self._before: str | None = None

    def add(self, text: str) -> None:
        """Write the text of the next puzzle."""
        if self._before is None:
            self._place.write(self._form.around[0])
        self._place.write(piece_of_file(text, self._before or ""))
        self._before = text

    def end(self) -> None:
        """Write what stands after all puzzles."""
        if self._before is not None:
            self._place.write(self._form.around[1])


class Records:
    """Writes rows as lines of JSON."""

    def __init__(self, place: Place) -> None:
        self._place = place

    def add(self, row: Mapping[str, Any]) -> None:
        """Write a row."""
        self._place.write(json.dumps(row) + "\n")

    def end(self) -> None:
        """Write nothing more: each line is whole by itself."""


class Rows:
    """Writes the rows of a table of fixed columns, as CSV or Parquet."""

    def __init__(self, form: str, place: Place, types: Types) -> None:
        self._form = form
        self._types = types
        self._place = place
        self._rows: list[Mapping[str, Any]] = []
        self._file: tables.TableFile | None = None
        if place.path is None:
            place.write(tables.csv_header(types).decode())
        else:
            self._file = place.open_table(form, place.path, types)

    def add(self, row: Mapping[str, Any]) -> None:
        """Write a row; of a file in its batch."""
        self._rows.append(row)
        if self._file is None or len(self._rows) == BATCH:
            self._flush()

    def end(self) -> None:
        """Write the last batch."""
        if self._rows:
            self._flush()

    def _flush(self) -> None:
        columns = []
        for name in self._types:
            columns.append([row.get(name) for row in self._rows])
        if self._file is None:
            self._place.write(self._as_text(columns))
        elif self._form == "csv":
            self._file.append(self._as_text(columns).encode())
        else:
            self._file.append(tables.encode(self._form, self._types, columns))
        self._rows = []

    def _as_text(self, columns: list[list[Any]]) -> str:
        """Return rows of CSV: a puzzle as it is, anything else so that no spreadsheet runs it."""
        return b"".join(tables.encode_csv(self._types, columns, safe=PUZZLES)).decode()
