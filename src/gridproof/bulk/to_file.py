"""A run with its result in a file: the parts are done or taken over from an earlier run, joined and summed up.

Each part is complete or absent. Beside ``verdicts.csv`` stands the folder ``verdicts.csv.parts`` while the run lasts.
It holds ``journal.jsonl``: first what the run is, then a line for each part that is done, each with a digest of itself.
And it holds ``whole.csv``, to which the parts are joined in order, at the end of which it becomes the result and the
folder is removed. A part whose turn has come when it is done is written there and nowhere else. One that is done
earlier lies in a file of its own meanwhile, as do all parts of Parquet (see ``WholeParquet``). Either way it is flushed
to disk before the journal names it, with its length and a CRC. So a later run finds whatever the journal names, and
cuts off what a crash left behind it. A run that ends before any part is done leaves nothing.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Self

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.kept import KeptColumns
from gridproof.bulk.many import Run
from gridproof.bulk.records import types
from gridproof.bulk.results import Result
from gridproof.bulk.run import Workers, warn_user, work_through
from gridproof.bulk.whole import Check, Encoded, Whole, WholeParquet, WholeText, check_of
from gridproof.errors import InputError
from gridproof.runs import tables
from gridproof.runs.journal import Journal, replace_file
from gridproof.runs.tables import form_of, unusable_output
from gridproof.trust.record import Summary
from gridproof.trust.verdict import Verdict

SIDECAR = ".summary.json"
"""The ending of the file beside a result with its options, times and counts."""

_JOURNAL = "journal.jsonl"
_OR_ANEW = ", or remove that folder to start again"


class Parts:
    """The parts of the result ``output``. Use it as a context manager: while it is open, nobody else can have it.

    options: what the run is; a run is resumed only by the same. kept: columns of the input that go along.

    Raises ``InputError`` if ``output`` is no name of a result or cannot be written, if there are parts of an earlier
    run and ``resume`` is false, if they are of a run with other options, if their journal is damaged, or if another
    process has them.
    """

    def __init__(
        self, output: str | Path, options: dict[str, Any], *, resume: bool, kept: KeptColumns | None = None
    ) -> None:
        self.output = tables.resolve_output(output, beside=SIDECAR)
        self.form = form_of(str(output)) or ""
        self.folder = self.output.with_name(self.output.name + ".parts")
        self.options = {"result": self.form, **options}
        self.kept = kept
        if kept is not None:
            self.options["keep"] = list(kept.names)
        self._done: dict[int, dict[str, Any]] = {}
        self._known: set[int] = set()  # done, and made from the rows of this run
        if resume and self.output.exists() and not (self.folder / _JOURNAL).exists():
            raise InputError(f"{output} exists already, without parts to resume; expected --force to overwrite it")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._journal = Journal(self.folder / _JOURNAL, _check_entry, "that folder", durable=True)
        except OSError as problem:
            raise unusable_output(output, f"{self.folder}: {problem.strerror or problem}") from None
        if self._journal.entries and not resume:  # and no other process is at work on them, as the journal is ours
            self._journal.close()
            message = f"{self.folder} holds the parts of a run that did not finish; expected --resume to continue it"
            raise InputError(message + _OR_ANEW)
        try:
            self._whole = self._take_over(self._journal.entries)
        except BaseException:
            self._journal.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._whole.close()
        for temporary in self.folder.glob("*.tmp"):
            temporary.unlink()
        self._journal.close()
        if not self._done:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __len__(self) -> int:
        return len(self._done)

    def summary_of(self, index: int, rows: str) -> Summary | None:
        """Return the counts of a part that is done; ``None`` if it is not.

        rows: the digest of the part's rows as they are read now. Raises ``InputError`` if they were others.
        """
        entry = self._done.get(index)
        if entry is None:
            return None
        if entry["rows"] != rows:
            raise InputError(
                f"part {index + 1} in {self.folder} was made from other puzzles: the input has changed; "
                f"expected the same input{_OR_ANEW}"
            )
        self._append(index)
        counts: dict[str, Any] = {}
        for name, value in entry["summary"].items():
            counts[name] = Counter(value) if isinstance(value, dict) else value
        return Summary(**counts)

    def put(self, index: int, rows: str, encoded: Encoded, summary: Summary) -> None:
        """Keep a part. rows: see ``summary_of``."""
        if self._whole.holds_parts and index == self._whole.number:
            self._whole.append(encoded)
            self._whole.to_disk()
        else:
            with replace_file(self._path(index), durable=True) as partial:
                partial.write_bytes(encoded)
        entry = {"part": index, "rows": rows, "file": check_of(encoded), "summary": vars(summary)}
        self._journal.add(entry)
        self._done[index] = entry
        self._append(index, encoded)

    def join(self, number: int, before_removal: Callable[[], None] = lambda: None) -> None:
        """Make the result of parts 0 to ``number - 1``, put it in its place and remove the parts.

        before_removal: called when the result is in its place; until the parts are gone, all this can be done again.
        """
        for index in range(number):
            self._append(index)
        self._whole.finish(number)
        self._whole.path.replace(self.output)
        before_removal()
        self._journal.close()
        shutil.rmtree(self.folder)

    def _append(self, index: int, encoded: Encoded | None = None) -> None:
        """Join what follows in order, while workers are busy, so that little remains for the end.

        encoded: the part, if it need not be read again.
        """
        self._known.add(index)
        while self._whole.number in self._known:
            turn = self._whole.number
            if encoded is not None and turn == index:
                self._whole.append(encoded)
            else:
                self._whole.append(self._path(turn).read_bytes())

    # ---- the journal -------------------------------------------------------------------------------------------------

    def _take_over(self, entries: list[dict[str, Any]]) -> Whole:
        """Take over the parts of an earlier run; return the result so far. Raises ``InputError`` if it was another."""
        if not entries:
            for stale in [*self.folder.glob("part-*"), *self.folder.glob("whole.*")]:
                stale.unlink()
            entries = [{"options": self.options}]
            self._journal.add(entries[0])
        before = entries[0]["options"]
        for name in {**before, **self.options}:
            if before.get(name) != self.options.get(name):
                raise InputError(
                    f"the run in {self.folder} had {name} = {before.get(name)!r}, this one has "
                    f"{self.options.get(name)!r}; expected the same{_OR_ANEW}"
                )
        named = {entry["part"]: entry for entry in entries[1:]}
        whole = self._open_whole(named)
        for index, entry in named.items():
            path = self._path(index)
            # after a crash of the machine a file may be there and not be whole
            is_joined = index < whole.number
            if is_joined or (path.exists() and check_of(path.read_bytes()) == entry["file"]):
                self._done[index] = entry
        return whole

    def _open_whole(self, named: dict[int, dict[str, Any]]) -> Whole:
        """Return the result so far. named: the entries of the journal by the parts that they name."""
        columns = self.kept.types if self.kept is not None else types()
        if self.form == "parquet":
            return WholeParquet(self.folder / "whole.tmp", columns)
        checks: list[Check] = []
        while len(checks) in named:
            checks.append(named[len(checks)]["file"])
        return WholeText(self.form, self.folder / f"whole.{self.form}", columns, checks)

    def _path(self, index: int) -> Path:
        return self.folder / f"part-{index:06d}.{self.form}"


def _check_entry(place: int, entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of a journal. Raises ``KeyError`` if it lacks a key or has a further one."""
    keys = {"part", "rows", "file", "summary"}
    if place == 0:
        keys = {"options"}
    if entry.keys() != keys:
        raise KeyError
    return entry


@dataclass(slots=True)
class Report:
    """The state of a run with a result on disk.

    finished: whether the result is there. resumed: rows taken over from an earlier run. seconds: wall time of this run.
    read: rows that were read.
    """

    summary: Summary = field(default_factory=Summary)
    finished: bool = False
    resumed: int = 0
    seconds: float = 0.0
    read: int = 0


def verify_to_file(
    run: Run,
    parts: Parts,
    workers: Workers,
    progress: Callable[[int, int | None], object],
    *,
    stop: Callable[[], bool],
    disagreement: Callable[[Verdict], object],
    warn: Callable[[str], object] = warn_user,
) -> Report:
    """Do the chunks that are not done yet, and join the parts when all are.

    progress: called with the rows that are done, and with how many there will be, as far as that can be estimated.
    stop: when it returns True, the parts under way are finished and no others begun. disagreement: called with each.
    warn: called with a sentence for each worker that dies. Raises ``InputError`` if an earlier run had other puzzles.
    """
    report = Report()
    started = perf_counter()
    digests: dict[int, str] = {}
    number = 0

    def tick() -> None:
        share = run.rows.share
        likely = None
        if share and report.read:
            likely = round(report.read / share)
        progress(report.summary.rows, likely)

    def take_undone() -> Iterator[Chunk]:
        nonlocal number
        for chunk in run.chunks:
            number += 1
            report.read += len(chunk)
            digest = chunk.digest()
            done = parts.summary_of(chunk.index, digest)
            if parts.kept is not None:
                parts.kept.take(chunk, wanted=done is None)
            if done is None:
                digests[chunk.index] = digest
                yield chunk
            else:
                report.summary.add(done)
                report.resumed += len(chunk)
                tick()
            if stop():
                return

    for chunk, result in work_through(take_undone(), run.job, workers, stop=stop, tick=tick, warn=warn):
        for verdict in result.disagreements:
            disagreement(verdict)
        parts.put(chunk.index, digests.pop(chunk.index), encode_result(result, chunk, parts), result.summary)
        report.summary.add(result.summary)
        tick()
    complete = not stop() or next(run.chunks, None) is None
    report.seconds = perf_counter() - started
    if complete:
        parts.join(number, lambda: _write_sidecar(parts, report))
        report.finished = True
        report.seconds = perf_counter() - started
    return report


def encode_result(result: Result, chunk: Chunk, parts: Parts) -> Encoded:
    """Return the result of a chunk as a piece of the whole; workers encode those without columns of the input."""
    if parts.kept is None:
        assert result.encoded is not None
        return result.encoded.data
    assert result.columns is not None
    return parts.kept.encode(chunk.index, result.columns, parts.form)


def _write_sidecar(parts: Parts, report: Report) -> None:
    done = report.summary.rows - report.resumed
    plain = {
        "options": parts.options,
        "parts": len(parts),
        "seconds": round(report.seconds, 3),
        "puzzles_per_second": round(done / max(report.seconds, 1e-9)),
        "summary": vars(report.summary),
    }
    with replace_file(parts.output.with_name(parts.output.name + SIDECAR)) as partial:
        partial.write_text(json.dumps(plain, indent=1) + "\n", encoding="utf-8")
