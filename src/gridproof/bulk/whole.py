"""The result of a run as far as it goes: the parts from the first one on, joined in order."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, TypeAlias
from zlib import crc32

from gridproof.bulk.results import PARQUET
from gridproof.runs.frames import Types
from gridproof.runs.journal import to_disk
from gridproof.runs.tables import TableFile, csv_header

Encoded: TypeAlias = bytes | memoryview
"""A part as it is written."""

Check: TypeAlias = list[int]
"""The length of a part and its CRC, which show damage by chance."""


def check_of(encoded: Encoded) -> Check:
    """Return what shows damage to a part."""
    return [len(encoded), crc32(encoded)]


class Whole(Protocol):
    """The result so far.

    path: its file. holds_parts: whether a later run finds the parts in it, so that they need no files of their own.
    """

    path: Path
    holds_parts: bool

    @property
    def number(self) -> int:
        """The number of parts in it."""

    def append(self, encoded: Encoded) -> None:
        """Join the next part."""

    def to_disk(self) -> None:
        """Flush what was joined to disk."""

    def finish(self, number: int) -> None:
        """Complete the file and flush it to disk, with so many parts."""

    def close(self) -> None:
        """Close the file."""


class WholeText:
    """Lines of CSV or JSON, which are written once: a part that is joined lies in this file only.

    checks: those of the parts that an earlier run has done, from the first one on. As many of them as the file holds
    are taken over, and whatever else is in it is cut off.
    """

    holds_parts = True

    def __init__(self, form: str, path: Path, types: Types, checks: Iterable[Check]) -> None:
        self.path = path
        header = csv_header(types) if form == "csv" else b""
        self._ends = [len(header)]  # of the header and of each part
        self._file = path.open("a+b")  # what is written goes to its end
        self._file.seek(0)
        if self._file.read(len(header)) != header:
            self._file.truncate(0)
            self._file.write(header)
        for check in checks:
            length, _ = check
            if check_of(self._file.read(length)) != check:
                break
            self._ends.append(self._ends[-1] + length)
        self._file.truncate(self._ends[-1])

    @property
    def number(self) -> int:
        """The number of parts in it."""
        return len(self._ends) - 1

    def append(self, encoded: Encoded) -> None:
        """Join the next part."""
        self._file.write(encoded)
        self._ends.append(self._ends[-1] + len(encoded))

    def to_disk(self) -> None:
        """Flush what was joined to disk."""
        self._file.flush()
        to_disk(self.path)

    def finish(self, number: int) -> None:
        """Complete the file and flush it to disk, with so many parts: it has more if the input was longer before."""
        self._file.truncate(self._ends[number])
        self.close()
        to_disk(self.path)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class WholeParquet:
    """Row groups of Parquet. A file of them can be neither read nor continued before it is complete.

    So parts lie in files of their own, and each run joins all of them anew.
    """

    holds_parts = False

    def __init__(self, path: Path, types: Types) -> None:
        self.path = path
        self.number = 0
        self._file = TableFile("parquet", path, types, PARQUET)

    def append(self, encoded: Encoded) -> None:
        """Join the next part."""
        self._file.append(encoded)
        self.number += 1

    def to_disk(self) -> None:
        """Do nothing: until the file is complete, nobody can read it."""

    def finish(self, number: int) -> None:
        """Complete the file and flush it to disk; it has been given no other parts than those of this run."""
        assert number == self.number
        self.close()
        to_disk(self.path)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
