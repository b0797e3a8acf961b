"""Files that survive the end of a process: journals, and files that appear only when they are complete.

A journal keeps the progress of a run on disk even if it is killed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

from gridproof.errors import InputError
from gridproof.runs.interrupts import Closing

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
                shown = repr(text)
                if len(text) > 60:
                    shown = f"{text[:60]!r}... ({len(line):,} bytes)"
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
def replace_file(path: Path, *, durable: bool = False) -> Iterator[Path]:
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
    ...     with replace_file(Path(folder, "result")) as draft:
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
