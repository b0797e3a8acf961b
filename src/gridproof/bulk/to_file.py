"""A whole run with its result in a file: read, done or resumed, joined, summed up."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from gridproof.bulk.chunks import Chunk
from gridproof.bulk.many import Run
from gridproof.bulk.parts import Parts, sidecar, summary_from
from gridproof.bulk.reading import Rows
from gridproof.bulk.records import Summary
from gridproof.bulk.run import Workers, work_through
from gridproof.runs.journal import replaced, sealed, unsealed
from gridproof.trust.verdict import Verdict

_KEPT = ("parts", "seconds")
"""The fields of a report in the file beside the result."""


@dataclass(slots=True)
class Report:
    """The state of a run with a result on disk.

    finished: whether the result is there. resumed: rows taken over from an earlier run. parts: how many of them are
    done. seconds: wall time of this run. read: rows that were read.
    """

    summary: Summary = field(default_factory=Summary)
    finished: bool = False
    resumed: int = 0
    parts: int = 0
    seconds: float = 0.0
    read: int = 0

    @property
    def rate(self) -> float:
        """Rows of this run per second."""
        return (self.summary.rows - self.resumed) / max(self.seconds, 1e-9)


def verify_to_file(
    run: Run,
    parts: Parts,
    workers: Workers,
    progress: Callable[[int, int | None], object],
    *,
    stop: Callable[[], bool],
    disagreement: Callable[[Verdict], object],
) -> Report:
    """Do the chunks that are not done yet, and join the parts when all are.

    progress: called with the rows that are done, and with how many there will be, as far as that can be estimated.
    stop: when it returns True, the parts under way are finished and no others begun. disagreement: called with each.
    Raises ``InputError`` if an earlier run had other puzzles.
    """
    report = Report()
    started = perf_counter()
    digests: dict[int, str] = {}
    number = 0

    def tick() -> None:
        share = run.rows.share
        progress(report.summary.rows, round(report.read / share) if share and report.read else None)

    def to_do() -> Iterator[Chunk]:
        nonlocal number
        while not stop() and (chunk := next(run.chunks, None)) is not None:
            number += 1
            report.read += len(chunk)
            digest = chunk.digest()
            done = parts.summary_of(chunk.index, digest)
            if done is None:
                digests[chunk.index] = digest
                yield chunk
            else:
                report.summary.add(done)
                report.resumed += len(chunk)
                tick()

    for chunk, result in work_through(to_do(), run.job, workers, stop=stop, tick=tick):
        assert result.encoded is not None
        for verdict in result.disagreements:
            disagreement(verdict)
        parts.put(chunk.index, digests.pop(chunk.index), result.encoded, result.summary)
        report.summary.add(result.summary)
        tick()
    complete = not stop() or next(run.chunks, None) is None
    report.parts = len(parts)
    report.seconds = perf_counter() - started
    if complete:
        parts.join(number, lambda: _write_sidecar(parts, run.rows, report))
        report.finished = True
        report.seconds = perf_counter() - started
    return report


def finished_before(output: Path, options: dict[str, Any], rows: Rows) -> Report | None:
    """Return the report of the run that made ``output``, if it was the same one on the same file."""
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
