"""What a long run has done so far, kept on disk so that not even a killed run loses it; and files that are whole or not
there at all.
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

T = TypeVar("T")


class Journal(Generic[T]):
    """A file of JSON lines, each with a digest of itself. While it is open, no other process can have it.

    ``entries`` are those that were there; a last line without an end, which a crash cut off, is taken away.

    Parameters
    ----------
    path
        Of the file, which is made if it is not there.
    parse
        What an entry at a place, the first of which is 0, stands for. Raises ``ValueError``, ``TypeError`` or
        ``KeyError`` if it cannot stand there.
    anew
        What is to be removed to start anew, for messages.
    durable
        Whether entries are to outlive a crash of the machine, too; a crash of this process they outlive anyway.

    Raises
    ------
    InputError
        If a line is not as it was written, or if another process has the file.
    OSError
        If it cannot be written to.
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
        """Append an entry, at once."""
        self._file.write(json.dumps(sealed(entry)).encode() + b"\n")
        self._file.flush()
        if self._durable:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Others can have it now. One that holds nothing is removed."""
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
                found = parse(number, unsealed(line) or {})
            except (ValueError, TypeError, KeyError):
                raise InputError(
                    f"{self.path}, line {number + 1} is damaged: {_shown(line)}; "
                    f"expected it as gridproof wrote it, or remove {anew} to start anew"
                ) from None
            end += len(line)
            yield found
        self._file.truncate(end)
        self._file.seek(0, os.SEEK_END)


def _shown(line: bytes) -> str:
    text = line.rstrip(b"\n").decode("utf-8", "backslashreplace")
    return repr(text) if len(text) <= 60 else f"{text[:60]!r}... ({len(line):,} bytes)"


def _lock(journal: BinaryIO, folder: Path) -> None:
    """Keep other processes out for as long as the journal is open; nothing has to be undone after a crash."""
    try:
        import fcntl
    except ImportError:  # not on Windows, where a file that is open cannot be removed either
        return
    try:
        fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise InputError(f"another process is writing to {folder}; expected only one run at a time") from None


def sealed(plain: dict[str, Any]) -> dict[str, Any]:
    """The same with a digest of itself, by which damage is noticed."""
    return {**plain, "digest": digest(json.dumps(plain).encode())}


def unsealed(text: bytes) -> dict[str, Any] | None:
    """What was sealed and written as JSON; ``None`` if this is not that."""
    try:
        plain: dict[str, Any] = json.loads(text)
        said = plain.pop("digest")
        return plain if said == digest(json.dumps(plain).encode()) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def digest(data: bytes) -> str:
    """What tells these bytes from others."""
    return blake2b(data, digest_size=16).hexdigest()


@contextmanager
def replaced(path: Path, *, durable: bool = False) -> Iterator[Path]:
    """A path to write to beside this one, which it replaces at the end of the block; it is gone whatever happens.

    durable: flushed to disk before, for what a journal names afterwards.
    """
    partial = path.with_name(f"{path.name}.tmp")
    try:
        yield partial
        if durable:
            with partial.open("rb+") as file:
                os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
