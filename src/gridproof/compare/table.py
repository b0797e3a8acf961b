"""Runs summed up: for each set and setup how many instances it solved, PAR-2, percentiles, the ratio to the best."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import ceil, inf, isinf
from statistics import fmean, median
from typing import Literal, TypeAlias

from gridproof.compare.records import Mode, RunRecord, Setup, Times
from gridproof.compare.statistics import par2_interval

Clock: TypeAlias = Literal["whole", "solve"]
"""What counts as a run's time: all its stages (see ``RunRecord.seconds``), or the solving alone."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One setup on one set. Times in seconds, over the instances that every setup of the set and mode was run on.

    An instance's time is the median of its runs, ``inf`` if that is no solved run. par2: mean where an instance not
    solved counts twice the limit, as in SAT competitions; interval: where it lies in 95 % of resamples. median, p95:
    may be ``inf``. ratio: par2 over the smallest of the same set and mode. encode .. prove: medians of the stages, over
    the runs that got so far. work: median decisions (SAT, CP) or nodes (search). peak_memory: bytes, the most of any
    run.
    """

    puzzle_set: str
    setup: Setup
    instances: int
    solved: int
    par2: float
    interval: tuple[float, float]
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


def instance_times(records: Iterable[RunRecord], clock: Clock = "whole") -> dict[str, Times]:
    """For each set the time of each setup on each puzzle: the median of its runs, with whatever seeds."""
    repeats: dict[str, dict[Setup, dict[int, list[float]]]] = {}
    for record in records:
        setups = repeats.setdefault(record.puzzle_set, {})
        setups.setdefault(record.setup, {}).setdefault(record.puzzle, []).append(
            inf if not record.solved else record.seconds if clock == "whole" else record.solving_seconds
        )
    return {
        puzzle_set: {
            setup: {puzzle: median(times) for puzzle, times in puzzles.items()} for setup, puzzles in setups.items()
        }
        for puzzle_set, setups in repeats.items()
    }


def summaries(records: Sequence[RunRecord], limit: float, clock: Clock = "whole") -> list[Summary]:
    """A summary for each set, mode and setup; the best first."""
    found: list[Summary] = []
    for puzzle_set, times in sorted(instance_times(records, clock).items()):
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
                par2_interval(values, limit),
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
