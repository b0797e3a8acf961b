"""The parts of a result on disk: written whole or not at all, listed in a journal, joined at the end.

Beside ``verdicts.csv`` stands the folder ``verdicts.csv.parts`` while the run lasts. It holds a file for each part that
is done and ``journal.jsonl``: first what the run is, then a line for each part, each with a digest of itself. A part is
written under another name, flushed to disk and renamed before the journal names it, so whatever the journal names is
whole. Each run joins the parts in order as they become known, those of a run before too, under another name; at the end
that file is renamed and the folder removed. A run that ends before any part is done leaves nothing.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import fields
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from gridproof.bulk.joining import Whole, whole
from gridproof.bulk.records import Summary, form_of
from gridproof.errors import InputError

_JOURNAL = "journal.jsonl"
_FIRST, _LATER = {"options"}, {"part", "rows", "file", "summary"}
"""What the lines of a journal hold."""

_OR_ANEW = ", or remove that folder to start anew"


class Parts:
    """The parts of the result ``output``. Use it as a context manager: while it is open, nobody else can have it.

    options: what the run is; a run is resumed only by the same. Raises ``InputError`` if the ending of ``output`` is
    not one of .csv, .jsonl and .parquet, if it cannot be written, if there are parts of an earlier run and ``resume``
    is false, if they are of a run with other options, if their journal is damaged, or if another process has them.
    """

    def __init__(self, output: str | Path, options: dict[str, Any], *, resume: bool, timings: bool) -> None:
        self.output = target(output)
        form = form_of(str(output))
        if form is None:
            raise InputError(f"output {str(output)!r}; expected a name that ends in .parquet, .csv or .jsonl")
        self.form = form
        self.folder = parts_folder(self.output)
        self.options = {"result": form, **options}
        self._timings = timings
        self._done: dict[int, dict[str, Any]] = {}
        self._settled: set[int] = set()  # done, and known to be of the rows of this run
        self._appended = 0
        self._whole: Whole | None = None
        if self.folder.exists() and not resume and (self.folder / _JOURNAL).exists():
            raise InputError(
                f"{self.folder} holds the parts of a run that did not finish; "
                "expected --resume to continue it, or remove that folder to start anew"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._journal = (self.folder / _JOURNAL).open("a+b")
        except OSError as problem:
            raise _unusable(output, f"{self.folder}: {problem.strerror or problem}") from None
        try:
            _lock(self._journal, self.folder)
            self._read_journal()
        except BaseException:
            self._journal.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close_whole()
        for temporary in self.folder.glob("*.tmp"):
            temporary.unlink()
        self._journal.close()
        if not self._done:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __len__(self) -> int:
        return len(self._done)

    def summary_of(self, index: int, digest: str) -> Summary | None:
        """What was counted in a part that is done; ``None`` if it is not.

        digest: of the part's rows as they are read now. Raises ``InputError`` if they were others.
        """
        entry = self._done.get(index)
        if entry is None:
            return None
        if entry["rows"] != digest:
            raise InputError(
                f"part {index + 1} in {self.folder} was made from other puzzles: the input has changed; "
                f"expected the same input{_OR_ANEW}"
            )
        self._settle(index)
        return summary_from(entry["summary"])

    def put(self, index: int, digest: str, encoded: bytes, summary: Summary) -> None:
        """Keep a part."""
        target = self._path(index)
        temporary = target.with_suffix(".tmp")
        with temporary.open("wb") as file:
            file.write(encoded)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
        entry = {"part": index, "rows": digest, "file": _hash(encoded), "summary": plain_summary(summary)}
        self._append(entry)
        self._done[index] = entry
        self._settle(index)

    def join(self, number: int, before_removal: Callable[[], None] = lambda: None) -> None:
        """Make the result of parts 0 to ``number - 1``, put it in its place and remove the parts.

        before_removal: called when the result is in its place; until the parts are gone, all this can be done again.
        """
        self._settled |= {*range(number)}
        self._append_settled()
        self._close_whole()
        temporary = self._temporary
        with temporary.open("rb+") as file:
            os.fsync(file.fileno())
        temporary.replace(self.output)
        before_removal()
        self._journal.close()
        shutil.rmtree(self.folder)

    # ---- the whole ---------------------------------------------------------------------------------------------------

    @property
    def _temporary(self) -> Path:
        return self.folder / "whole.tmp"

    def _settle(self, index: int) -> None:
        self._settled.add(index)
        self._append_settled()

    def _append_settled(self) -> None:
        """Join what follows in order, while workers are busy, so that little is left for the end."""
        if self._whole is None:
            self._whole = whole(self.form, self._temporary, self._timings)
        while self._appended in self._settled:
            self._whole.append(self._path(self._appended))
            self._appended += 1

    def _close_whole(self) -> None:
        if self._whole is not None:
            self._whole.close()
            self._whole = None

    # ---- the journal -------------------------------------------------------------------------------------------------

    def _read_journal(self) -> None:
        entries, end = self._whole_entries()
        if not entries:
            for stale in self.folder.glob("part-*"):
                stale.unlink()
            self._journal.truncate(0)
            self._append({"options": self.options})
            return
        before = entries[0]["options"]
        for name in {**before, **self.options}:
            if before.get(name) != self.options.get(name):
                raise InputError(
                    f"the run in {self.folder} had {name} = {before.get(name)!r}, this one has "
                    f"{self.options.get(name)!r}; expected the same{_OR_ANEW}"
                )
        for entry in entries[1:]:
            path = self._path(entry["part"])
            # after a crash of the machine a file may be there and not be whole
            if path.exists() and _hash(path.read_bytes()) == entry["file"]:
                self._done[entry["part"]] = entry
        self._journal.truncate(end)

    def _whole_entries(self) -> tuple[list[dict[str, Any]], int]:
        """The entries of the journal and where they end: before a last line without an end, which a crash cut off.

        Raises ``InputError`` if any other line is not as it was written.
        """
        entries: list[dict[str, Any]] = []
        end = 0
        self._journal.seek(0)
        for line in self._journal:
            if not line.endswith(b"\n"):
                break
            entry = unsealed(line)
            if entry is None or entry.keys() != (_LATER if entries else _FIRST):
                raise InputError(
                    f"{self.folder / _JOURNAL}, line {len(entries) + 1} is damaged: {_shown(line)}; "
                    f"expected it as gridproof wrote it{_OR_ANEW}"
                )
            entries.append(entry)
            end += len(line)
        return entries, end

    def _append(self, entry: dict[str, Any]) -> None:
        self._journal.seek(0, os.SEEK_END)
        self._journal.write(json.dumps(sealed(entry)).encode() + b"\n")
        self._journal.flush()
        os.fsync(self._journal.fileno())

    def _path(self, index: int) -> Path:
        return self.folder / f"part-{index:06d}.{self.form}"


def _shown(line: bytes) -> str:
    text = line.rstrip(b"\n").decode("utf-8", "backslashreplace")
    return repr(text) if len(text) <= 60 else f"{text[:60]!r}... ({len(line):,} bytes)"


def sealed(plain: dict[str, Any]) -> dict[str, Any]:
    """The same with a digest of itself, by which damage is noticed."""
    return {**plain, "digest": _hash(json.dumps(plain).encode())}


def unsealed(text: bytes) -> dict[str, Any] | None:
    """What was sealed and written as JSON; ``None`` if this is not that."""
    try:
        plain: dict[str, Any] = json.loads(text)
        digest = plain.pop("digest")
        return plain if digest == _hash(json.dumps(plain).encode()) else None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def plain_summary(summary: Summary) -> dict[str, Any]:
    """A summary as JSON has it."""
    plain = {item.name: getattr(summary, item.name) for item in fields(summary)}
    return {name: dict(value) if isinstance(value, Counter) else value for name, value in plain.items()}


def summary_from(plain: dict[str, Any]) -> Summary:
    """The same, back."""
    counts = {name: Counter(plain[name]) for name in ("verdicts", "engines", "references", "stored")}
    slowest = [(float(seconds), int(row), str(puzzle)) for seconds, row, puzzle in plain["slowest"]]
    searched = [(int(branches), int(row), str(puzzle)) for branches, row, puzzle in plain["searched"]]
    return Summary(plain["rows"], **counts, slowest=slowest, searched=searched, seconds=plain["seconds"])


def target(output: str | Path) -> Path:
    """The file that a result is to become: behind a symbolic link, what that points to.

    Raises ``InputError`` if it cannot become that, as far as can be told now.
    """
    try:
        path = Path(output).resolve()
    except (OSError, RuntimeError) as problem:
        raise _unusable(output, problem) from None
    for needed in (path, sidecar(path)):
        if needed.exists() and not needed.is_file():
            raise _unusable(output, f"{needed} is a {'folder' if needed.is_dir() else 'pipe or a device'}")
    above = next(folder for folder in path.parents if folder.exists())
    if not above.is_dir():
        raise _unusable(output, f"{above} is no folder")
    if not os.access(above, os.W_OK | os.X_OK):
        raise _unusable(output, f"{above} cannot be written to")
    return path


def _unusable(output: str | Path, why: object) -> InputError:
    return InputError(f"output {str(output)!r}: {why}; expected the name of a file, in a folder that can be written to")


def parts_folder(output: Path) -> Path:
    """The folder of the parts of a result."""
    return output.with_name(output.name + ".parts")


def sidecar(output: Path) -> Path:
    """The file beside a result that says how it was made, how long that took, and what is in it."""
    return output.with_name(output.name + ".summary.json")


def _hash(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


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
