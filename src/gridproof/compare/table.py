"""Runs summed up: for each set and setup how many instances it solved, PAR-2, percentiles, the ratio to the best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, inf, isinf
from statistics import fmean, median

from gridproof.compare.records import Mode, RunRecord, Setup

Times = dict[Setup, dict[int, float]]
"""Setup -> number of the puzzle -> seconds, ``inf`` where it was not solved in time."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One setup on one set. Times in seconds, over the instances that every setup of the set and mode was run on.

    An instance's time is the median of its repeats, ``inf`` if that is no solved run. par2: mean where an instance
    not solved counts twice the limit, as in SAT competitions. median, p95: may be ``inf``. ratio: par2 over the
    smallest of the same set and mode. encode .. prove: medians of the stages, over the runs that got so far. work:
    median decisions (SAT, CP) or nodes (search). peak_memory: bytes, the most of any run.
    """

    puzzle_set: str
    setup: Setup
    instances: int
    solved: int
    par2: float
    median: float
    p95: float
    ratio: float
    encode: float | None
    load: float | None
    first: float | None
    prove: float | None
    work: float | None
    work_unit: str
    peak_memory: int | None


def instance_times(records: Iterable[RunRecord]) -> dict[str, Times]:
    """For each set the time of each setup on each puzzle."""
    repeats: dict[str, dict[Setup, dict[int, list[float]]]] = {}
    for record in records:
        setups = repeats.setdefault(record.puzzle_set, {})
        setups.setdefault(record.setup, {}).setdefault(record.puzzle, []).append(
            record.seconds if record.solved else inf
        )
    return {
        puzzle_set: {
            setup: {puzzle: median(times) for puzzle, times in puzzles.items()} for setup, puzzles in setups.items()
        }
        for puzzle_set, setups in repeats.items()
    }


def summaries(records: Sequence[RunRecord], limit: float) -> list[Summary]:
    """A summary for each set, mode and setup; the best first."""
    found: list[Summary] = []
    for puzzle_set, times in sorted(instance_times(records).items()):
        for mode in sorted({setup.mode for setup in times}):
            found += _summaries_of(puzzle_set, mode, times, records, limit)
    return found


def common_puzzles(times: Times, mode: Mode | None = None) -> list[int]:
    """The puzzles that every setup (of a mode) was run on: others would compare unlike with unlike."""
    setups = [set(puzzles) for setup, puzzles in times.items() if mode in (None, setup.mode)]
    return sorted(set.intersection(*setups)) if setups else []


def par2(times: Iterable[float], limit: float) -> float:
    """Mean of the times, those that are ``inf`` counted as twice the limit."""
    return fmean([2 * limit if isinf(time) else time for time in times])


def percentile(times: Iterable[float], share: float) -> float:
    """The smallest time that at least this share of the times does not exceed (nearest rank)."""
    ordered = sorted(times)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def _summaries_of(
    puzzle_set: str, mode: Mode, times: Times, records: Sequence[RunRecord], limit: float
) -> list[Summary]:
    common = common_puzzles(times, mode)
    if not common:
        return []
    scores = {
        setup: par2([puzzles[p] for p in common], limit) for setup, puzzles in times.items() if setup.mode == mode
    }
    best = min(scores.values())
    runs: dict[Setup, list[RunRecord]] = {setup: [] for setup in scores}
    counted = set(common)
    for record in records:
        if record.puzzle_set == puzzle_set and record.setup in runs and record.puzzle in counted:
            runs[record.setup].append(record)
    found = []
    for setup, score in sorted(scores.items(), key=lambda item: (item[1], item[0].name)):
        values = [times[setup][puzzle] for puzzle in common]
        own = runs[setup]
        unit = "nodes" if any(run.nodes is not None for run in own) else "decisions"
        opened = [run for run in own if mode == "cold" or run.session_age == 0]
        found.append(
            Summary(
                puzzle_set,
                setup,
                len(common),
                sum(not isinf(value) for value in values),
                score,
                percentile(values, 0.5),
                percentile(values, 0.95),
                score / best if best else 1.0,
                _median(opened, lambda run: run.encode_seconds),
                _median(opened, lambda run: run.load_seconds),
                _median(own, lambda run: run.first_seconds),
                _median(own, lambda run: run.prove_seconds),
                _median(own, lambda run: run.nodes if run.nodes is not None else run.decisions),
                unit,
                max((run.peak_memory for run in own if run.peak_memory is not None), default=None),
            )
        )
    return found


def _median(runs: Iterable[RunRecord], value: Callable[[RunRecord], float | None]) -> float | None:
    values = [number for run in runs if (number := value(run)) is not None]
    return median(values) if values else None


# ---- as text -------------------------------------------------------------------------------------------------------

_HEADINGS = ("backend", "encoding", "solved", "PAR-2", "median", "95 %", "x best")
_STAGE_HEADINGS = ("encode", "load", "first", "prove")


def table_text(found: Sequence[Summary], limit: float) -> str:
    """The summaries for a terminal: a table for each set and mode, with what its columns mean below."""
    blocks = []
    for puzzle_set, mode in dict.fromkeys((row.puzzle_set, row.setup.mode) for row in found):
        rows = [row for row in found if (row.puzzle_set, row.setup.mode) == (puzzle_set, mode)]
        number = rows[0].instances
        title = f"{puzzle_set}: {number:,} puzzle{'s' * (number != 1)}, {mode}, limit {limit:g} s"
        blocks.append(f"{title}\n{_aligned([_cells(row, limit) for row in rows])}")
    if not blocks:
        return "no puzzle was run on all of them"
    return "\n\n".join([*blocks, _legend({row.setup.mode for row in found})])


def _legend(modes: set[Mode]) -> str:
    lines = ["PAR-2: mean time, a puzzle not solved in time counts twice the limit; x best: its ratio to the smallest."]
    if "cold" in modes:
        lines.append("cold: each run compiles, loads and solves; times include all four stages (their medians: right).")
    if "warm" in modes:
        lines.append("warm: one session for the set; times are first + prove, encode and load happen once a session.")
    lines.append("work: median decisions (d) or search nodes (n); MB: most memory of the worker, libraries included.")
    return "\n".join(lines)


def _cells(row: Summary, limit: float) -> tuple[str, ...]:
    # a search encodes nothing
    stages = (row.encode if row.setup.encoding else None, row.load, row.first, row.prove)
    return (
        row.setup.backend,
        row.setup.encoding or "-",
        f"{row.solved:,}/{row.instances:,}",
        *(duration(time, limit) for time in (row.par2, row.median, row.p95)),
        f"{row.ratio:.2f}" if row.ratio < 100 else f"{row.ratio:,.0f}",
        *("-" if time is None else duration(time) for time in stages),
        "-" if row.work is None else f"{row.work:,.0f} {row.work_unit[0]}",
        "-" if row.peak_memory is None else f"{row.peak_memory / 1e6:,.0f}",
    )


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    table = [(*_HEADINGS, *_STAGE_HEADINGS, "work", "MB"), *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = []
    for row in table:
        cells = [
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def duration(seconds: float, limit: float = inf) -> str:
    """Three digits and a unit; ``inf`` as more than the limit."""
    if isinf(seconds):
        return f">{limit:g} s"
    if seconds == 0:
        return "0"
    for unit, factor in (("us", 1e6), ("ms", 1e3), ("s", 1.0)):
        value = seconds * factor
        if value < 999.5 or unit == "s":
            return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"
    raise AssertionError
