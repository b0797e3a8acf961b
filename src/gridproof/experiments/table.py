"""Runs summed up: for each set and setup how many instances it solved, PAR-2, percentiles, the ratio to the best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, inf, isinf
from statistics import fmean, median
from typing import Literal, TypeAlias

from gridproof.experiments.records import Mode, RunRecord, Setup, Times
from gridproof.experiments.statistics import par2_interval

Clock: TypeAlias = Literal["whole", "solve"]
"""What counts as a run's time: all its stages (see ``RunRecord.seconds``), or the solving alone."""


@dataclass(frozen=True, slots=True)
class Summary:
    """One setup on one set, over the instances that every setup of the set and mode was run on. Times are in seconds.

    An instance's time is the median of its runs, ``inf`` if that is no solved run.

    Attributes
    ----------
    puzzle_set, setup : str, Setup
        What was run.
    instances, solved : int
        How many instances there are, and how many were solved.
    par2 : float
        The mean time; an instance that was not solved counts twice the limit, as in SAT competitions.
    interval : tuple of float
        Where ``par2`` lies in 95 % of resamples.
    median, p95 : float
        The median and the 95th percentile; they may be ``inf``.
    ratio : float
        ``par2`` over the smallest of the same set and mode.
    encode, load, first, prove : float, or None
        The medians of the stages, over the runs that got so far.
    work, work_unit : float or None, str
        The median number of decisions (SAT, CP-SAT) or nodes (search).
    peak_memory : int, or None
        Bytes, the most of any run.

    Examples
    --------
    >>> from gridproof import parse
    >>> from gridproof.experiments import PuzzleSet, compare
    >>> one = PuzzleSet("one", [parse("1... ..2. .3.. ...4")])
    >>> for row in compare([one], ["search-bits"], repeat=1).summaries():
    ...     print(f"{row.setup}: {row.solved} of {row.instances}, {row.ratio:.1f} times the best")
    search-bits cold: 1 of 1, 1.0 times the best
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
    repeats: defaultdict[tuple[str, Setup, int], list[float]] = defaultdict(list)
    for run in records:
        time = run.seconds if clock == "whole" else run.solving_seconds
        repeats[run.puzzle_set, run.setup, run.puzzle].append(time if run.solved else inf)
    found: dict[str, dict[Setup, dict[int, float]]] = {}
    for (puzzle_set, setup, puzzle), times in repeats.items():
        found.setdefault(puzzle_set, {}).setdefault(setup, {})[puzzle] = median(times)
    return {**found}


def summaries(records: Iterable[RunRecord], limit: float, clock: Clock = "whole") -> list[Summary]:
    """A summary for each set, mode and setup; the best first."""
    records = list(records)
    runs: defaultdict[tuple[str, Setup], list[RunRecord]] = defaultdict(list)
    for run in records:
        runs[run.puzzle_set, run.setup].append(run)
    found: list[Summary] = []
    for puzzle_set, all_times in sorted(instance_times(records, clock).items()):
        for mode in sorted({setup.mode for setup in all_times}):
            common = dict.fromkeys(common_puzzles(all_times, mode))
            times = {s: [puzzles[p] for p in common] for s, puzzles in all_times.items() if s.mode == mode and common}
            best = min((par2(values, limit) for values in times.values()), default=0.0)
            rows = []
            for setup, values in times.items():
                own = [run for run in runs[puzzle_set, setup] if run.puzzle in common]
                rows.append(_summary(setup, values, limit, best, own))
            found += sorted(rows, key=lambda row: (row.par2, row.setup.name))
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


def _summary(setup: Setup, times: Sequence[float], limit: float, best: float, own: Sequence[RunRecord]) -> Summary:
    """One setup on one set. best: the smallest PAR-2 there. own: its runs."""
    score = par2(times, limit)
    opened = [run for run in own if setup.mode == "cold" or run.session_age == 0]
    unit = "nodes" if any(run.nodes is not None for run in own) else "decisions"
    return Summary(
        own[0].puzzle_set,
        setup,
        len(times),
        sum(not isinf(time) for time in times),
        score,
        par2_interval(times, limit),
        percentile(times, 0.5),
        percentile(times, 0.95),
        score / best if best else 1.0,
        _median(opened, "encode_seconds"),
        _median(opened, "load_seconds"),
        _median(own, "first_seconds"),
        _median(own, "prove_seconds"),
        _median(own, unit),
        unit,
        max((run.peak_memory for run in own if run.peak_memory is not None), default=None),
    )


def _median(runs: Iterable[RunRecord], field: str) -> float | None:
    values = [value for run in runs if (value := getattr(run, field)) is not None]
    return median(values) if values else None
