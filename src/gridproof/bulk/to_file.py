"""A whole run with its result in a file: read, done or resumed, joined, summed up."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, TextIO

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.duplicates import Duplicates
from gridproof.bulk.job import Job
from gridproof.bulk.parts import Parts, sidecar, summary_from
from gridproof.bulk.reading import Rows
from gridproof.bulk.records import Summary
from gridproof.bulk.run import Workers, work_through
from gridproof.runs.journal import replaced, sealed, unsealed
from gridproof.runs.progress import StatusLine
from gridproof.trust.verdict import Verdict

_KEPT = ("duplicates", "duplicates_exact", "parts", "seconds")
"""What a file beside the result keeps of a report."""

_EVERY = 0.2
_WIDTH = 24


@dataclass(slots=True)
class Report:
    """What a run has come to.

    finished: whether the result is there. duplicates: how many puzzles were copies of earlier ones, exact or not.
    resumed: rows that a run before had done. seconds: wall time of this run. parts: how many of them are done.
    """

    summary: Summary = field(default_factory=Summary)
    finished: bool = False
    duplicates: int = 0
    duplicates_exact: bool = True
    resumed: int = 0
    parts: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Rows of this run per second."""
        return (self.summary.rows - self.resumed) / max(self.seconds, 1e-9)


class Progress(StatusLine):
    """A line that shows how many puzzles are done, how fast, and how long the rest will take, if that can be told.

    share: which share of the input has been read. stream: shown on only if it is a terminal.
    """

    def __init__(self, share: Callable[[], float | None], stream: TextIO | None = None, wanted: bool = True) -> None:
        self._share = share
        super().__init__(sys.stderr if stream is None else stream, _EVERY, wanted)
        self._started = monotonic()
        self.read = 0
        """Rows read."""
        self.report = Report()

    def show(self, final: bool = False) -> None:
        """Draw the line anew, unless that was just done."""
        if self.wanted and (self.due() or final):
            self.draw(self.line(monotonic() - self._started))

    def line(self, seconds: float) -> str:
        """The line after so many seconds."""
        done = self.report.summary.rows
        rate = (done - self.report.resumed) / seconds if seconds > 0 else 0.0
        share = self._share()
        said = f"{done:,} puzzles, {rate:,.0f}/s"
        if not share or not self.read:
            return said
        total = self.read / share
        part = min(done / total, 1.0)
        bar = ("█" * round(part * _WIDTH)).ljust(_WIDTH, "░")
        left = f", {_clock((total - done) / rate)} left" if rate and part < 1 else ""
        return f"{bar} {part:4.0%}  {said}{left}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(max(seconds, 0.0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def verify_to_file(
    rows: Rows,
    chunks: Iterator[Chunk],
    job: Job,
    parts: Parts,
    workers: Workers,
    progress: Progress,
    *,
    stop: Callable[[], bool],
    disagreement: Callable[[Verdict], None],
) -> Report:
    """Do what of the chunks is not done, and join the parts when all are.

    stop: when it says so, the parts under way are finished and no others begun. disagreement: told of each. Raises
    ``InputError`` if what was done before was done with other puzzles.
    """
    report = progress.report
    started = perf_counter()
    duplicates = Duplicates()
    digests: dict[int, str] = {}
    number = 0

    def to_do() -> Iterator[Chunk]:
        nonlocal number
        while not stop() and (chunk := next(chunks, None)) is not None:
            number += 1
            progress.read += len(chunk)
            duplicates.add(chunk)
            digest = chunk.digest()
            done = parts.summary_of(chunk.index, digest)
            if done is None:
                digests[chunk.index] = digest
                yield chunk
            else:
                report.summary.add(done)
                report.resumed += len(chunk)
                progress.show()

    for chunk, result in work_through(to_do(), job, workers, stop=stop, tick=progress.show):
        assert result.encoded is not None
        for verdict in result.disagreements:
            disagreement(verdict)
        parts.put(chunk.index, digests.pop(chunk.index), result.encoded, result.summary)
        report.summary.add(result.summary)
        progress.show()
    complete = not stop() or next(chunks, None) is None
    report.parts = len(parts)
    if complete:
        report.duplicates, report.duplicates_exact = duplicates.count(), duplicates.exact
    report.seconds = perf_counter() - started
    if complete:
        parts.join(number, lambda: _write_sidecar(parts, rows, report))
        report.finished = True
        report.seconds = perf_counter() - started
    return report


def finished_before(output: Path, options: dict[str, Any], rows: Rows) -> Report | None:
    """The report of the run that made ``output``, if it was the same one on the same file."""
    try:
        plain, size = unsealed(sidecar(output).read_bytes()), output.stat().st_size
    except OSError:
        return None
    wanted = {"options": json.loads(json.dumps(options)), "input": rows.identity, "size": size}
    if plain is None or rows.identity is None or any(plain.get(name) != value for name, value in wanted.items()):
        return None
    summary = summary_from(plain["summary"])
    return Report(summary, True, resumed=summary.rows, **{name: plain[name] for name in _KEPT})


def _write_sidecar(parts: Parts, rows: Rows, report: Report) -> None:
    plain = {
        "options": parts.options,
        "input": rows.identity,
        "size": parts.output.stat().st_size,
        **{name: getattr(report, name) for name in _KEPT},
        "seconds": round(report.seconds, 3),
        "puzzles_per_second": round(report.rate),
        "summary": vars(report.summary),
    }
    with replaced(sidecar(parts.output)) as partial:
        partial.write_text(json.dumps(sealed(plain), indent=1) + "\n", encoding="utf-8")
