"""Statistics of a comparison: summaries by set and setup, intervals and tests, the virtual best."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf, isinf
from statistics import fmean, median
from typing import Any

from gridproof.experiments.records import Clock, Mode, RunRecord, Setup, Times

RESAMPLES = 2_000
"""Number of times that instances are drawn anew for an interval."""

LEVEL = 0.95
"""The share of the resamples that an interval holds."""

EXACT = 12
"""Up to so many instances that differ a permutation test goes through all signs; above it draws ``DRAWS`` of them."""

DRAWS = 9_999


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
    marginal, shapley : float
        The contributions to the virtual best, see ``contributions``.
    encode, load, first, prove : float, or None
        The medians of the stages, over the runs that got so far; a stage that overran the limit counts as the limit.
    work, work_unit : float or None, str
        The median number of decisions (SAT, CP-SAT) or nodes (search).
    peak_memory : int, or None
        Bytes, the most of any run.
    stopped : mapping
        How many runs without a verdict in time stopped in ``encode``, ``load`` and ``solve``, or ``failed``.
    faster, slower : int, or None
        On how many instances it was faster and slower than the best; ``None`` for the best.
    probability : float, or None
        Of PAR-2 values at least so far apart if it were as good as the best, by a permutation test, corrected for all
        tests of the set and mode.

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
    marginal: float
    shapley: float
    encode: float | None
    load: float | None
    first: float | None
    prove: float | None
    work: float | None
    work_unit: str
    peak_memory: int | None
    stopped: Mapping[str, int]
    faster: int | None = None
    slower: int | None = None
    probability: float | None = None


def instance_times(records: Iterable[RunRecord], clock: Clock = "whole") -> dict[str, Times]:
    """Return for each set the time of each setup on each puzzle: the median of its runs, with whatever seeds.

    A setup that cannot take a board of a set is left out of that set.
    """
    records = list(records)
    left_out = set()
    for run in records:
        if not run.applicable:
            left_out.add((run.puzzle_set, run.setup))
    repeats: defaultdict[tuple[str, Setup, int], list[float]] = defaultdict(list)
    for run in records:
        if (run.puzzle_set, run.setup) not in left_out:
            time = run.time(clock) if run.solved else inf
            repeats[run.puzzle_set, run.setup, run.puzzle].append(time)
    times_of: dict[str, dict[Setup, dict[int, float]]] = {}
    for (puzzle_set, setup, puzzle), times in repeats.items():
        times_of.setdefault(puzzle_set, {}).setdefault(setup, {})[puzzle] = median(times)
    return {**times_of}


def common_puzzles(times: Times) -> list[int]:
    """Return the puzzles that every setup was run on: others would compare unlike with unlike."""
    puzzles = [set(one) for one in times.values()]
    if not puzzles:
        return []
    return sorted(set.intersection(*puzzles))


def par2(times: Iterable[float], limit: float) -> float:
    """Return the mean of the times, those that are ``inf`` counted as twice the limit."""
    return fmean(_scores(times, limit))


def _scores(times: Iterable[float], limit: float) -> list[float]:
    return [2 * limit if isinf(time) else time for time in times]


def percentile(times: Iterable[float], share: float) -> float:
    """Return the smallest time that at least this share of the times does not exceed (nearest rank)."""
    ordered = sorted(times)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def contributions(times: Mapping[Setup, Sequence[float]], limit: float) -> dict[Setup, tuple[float, float]]:
    """Return for each setup its contributions to the virtual best, which takes the fastest setup on each instance.

    The first is marginal: the seconds by which PAR-2 of the virtual best would be greater without the setup (Xu and
    others 2012, Evaluating component solver contributions to portfolio-based algorithm selectors). The second is the
    Shapley value, as a share of what the virtual best saves compared with no solver: the marginal contribution to those
    who came before, over all orders in which setups may come (Frechette and others 2016, Using the Shapley value to
    analyze algorithm portfolios). Of equal setups none has a marginal contribution, but each has its share.

    Examples
    --------
    >>> a, b = Setup("a", None, "cold"), Setup("b", None, "cold")
    >>> list(contributions({a: [1.0, 2.0], b: [2.0, inf]}, limit=2.0).values())
    [(1.5, 0.8), (0.0, 0.2)]
    """
    setups = list(times)
    marginal = dict.fromkeys(setups, 0.0)
    shapley = dict.fromkeys(setups, 0.0)
    instances = 0
    for of_instance in zip(*times.values(), strict=True):
        instances += 1
        saved = [2 * limit - score for score in _scores(of_instance, limit)]
        ascending = sorted(range(len(setups)), key=saved.__getitem__)
        best = ascending[-1]
        second = saved[ascending[-2]] if len(setups) > 1 else 0.0
        marginal[setups[best]] += saved[best] - second
        share = before = 0.0
        for place, number in enumerate(ascending):
            sharing = len(setups) - place  # those who save more save this, too
            share += (saved[number] - before) / sharing
            shapley[setups[number]] += share
            before = saved[number]
    whole = sum(shapley.values()) or 1.0
    return {setup: (marginal[setup] / instances, shapley[setup] / whole) for setup in setups}


def sum_up(times: Sequence[float], limit: float, best: float, runs: Sequence[RunRecord], **more: Any) -> Summary:
    """Sum up the runs of one setup on one set. best: the smallest PAR-2 there. more: what compares it with others."""
    setup = runs[0].setup
    score = par2(times, limit)
    opened = [run for run in runs if setup.mode == "cold" or run.session_age == 0]
    opening_limit = inf
    if setup.mode == "cold":
        opening_limit = runs[0].limit
    unit = "decisions"
    if any(run.nodes is not None for run in runs):
        unit = "nodes"
    memories = [run.peak_memory for run in runs if run.peak_memory is not None]
    return Summary(
        runs[0].puzzle_set,
        setup,
        len(times),
        solved=sum(not isinf(time) for time in times),
        par2=score,
        interval=par2_interval(times, limit),
        median=percentile(times, 0.5),
        p95=percentile(times, 0.95),
        ratio=score / best if best else 1.0,
        encode=_median(opened, "encode_seconds", opening_limit),
        load=_median(opened, "load_seconds", opening_limit),
        first=_median(runs, "first_seconds", runs[0].limit),
        prove=_median(runs, "prove_seconds", runs[0].limit),
        work=_median(runs, unit),
        work_unit=unit,
        peak_memory=max(memories, default=None),
        stopped=dict(Counter(run.stopped for run in runs if run.stopped)),
        **more,
    )


def _median(runs: Iterable[RunRecord], field: str, most: float = inf) -> float | None:
    """Return the median of a field over the runs that have it. most: what counts for a value above it."""
    values = []
    for run in runs:
        value = getattr(run, field)
        if value is not None:
            values.append(min(value, most))
    return median(values) if values else None


def par2_interval(times: Sequence[float], limit: float, seed: int = 0) -> tuple[float, float]:
    """Return the ends of a 95 % interval of PAR-2, by bootstrap of the instances (percentile method, Efron 1979).

    Parameters
    ----------
    times : sequence of float
        Seconds of each instance, ``inf`` where it was not solved.
    limit : float
        Seconds that a run may take.
    seed : int
        The seed of the resamples.

    Examples
    --------
    >>> par2_interval([1.0, 1.0, 1.0], 10.0)
    (1.0, 1.0)
    """
    import numpy as np

    scores = np.array(_scores(times, limit))
    random = np.random.default_rng(seed)
    means = [scores[random.integers(len(scores), size=len(scores))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def permutation_test(first: Sequence[float], second: Sequence[float], seed: int = 0) -> float:
    """Return the probability of means at least so far apart if it were chance which of each pair is whose (two-sided).

    Examples
    --------
    >>> permutation_test([1, 2, 3, 4, 5, 6], [2, 4, 6, 8, 10, 12]), permutation_test([1, 2], [2, 1])
    (0.03125, 1.0)
    """
    import numpy as np

    differences = np.array([a - b for a, b in zip(first, second, strict=True) if a != b])
    number = len(differences)
    if number <= EXACT:
        bits = (np.arange(2**number)[:, None] >> np.arange(number)) & 1
    else:
        bits = np.random.default_rng(seed).integers(2, size=(DRAWS, number), dtype=np.int8)
    apart = abs(differences.sum()) * (1 - 1e-9)
    as_far = int((abs((1 - 2 * bits) @ differences) >= apart).sum())
    # the observed case is one of the drawn ones, too
    return as_far / 2**number if number <= EXACT else (as_far + 1) / (DRAWS + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Return the same probabilities, corrected for how many tests were made (Holm 1979).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(values)
    least = 0.0
    ascending = sorted(range(len(values)), key=values.__getitem__)
    for rank, place in enumerate(ascending):
        tests_left = len(values) - rank
        least = max(least, min(1.0, tests_left * values[place]))
        corrected[place] = least
    return corrected


def smallest_probability(instances: int, rivals: int) -> float:
    """Return the smallest corrected probability that duels on so many instances can have."""
    return rivals * (2 / 2**instances if instances <= EXACT else 1 / (DRAWS + 1))


@dataclass(frozen=True, slots=True)
class Ranking:
    """The setups of one mode on one set, over the instances that all of them were run on.

    Attributes
    ----------
    puzzle_set, mode : str
        What was run.
    limit : float
        The seconds that count twice for an unsolved instance.
    rows : list of Summary
        The best first.
    virtual_best : float
        PAR-2 of taking, for each instance, whichever setup is fastest on it.
    not_applicable : tuple of pairs
        The names of setups that cannot take some board of the set, and why.
    """

    puzzle_set: str
    mode: Mode
    limit: float
    rows: list[Summary]
    virtual_best: float
    not_applicable: tuple[tuple[str, str], ...] = ()

    @property
    def gap(self) -> float:
        """PAR-2 of the single best setup above that of the virtual best: what a perfect choice of setups would save."""
        return self.rows[0].par2 - self.virtual_best


def rankings(records: Sequence[RunRecord], limit: float, clock: Clock = "whole") -> list[Ranking]:
    """Return a ranking for each set and mode. limit: the seconds that an unsolved instance counts twice."""
    refused: dict[tuple[str, Mode], dict[str, str]] = {}
    for run in records:
        if not run.applicable:
            refused.setdefault((run.puzzle_set, run.mode), {}).setdefault(run.setup.name, run.reason)
    made = []
    for puzzle_set, all_times in sorted(instance_times(records, clock).items()):
        for mode in sorted({setup.mode for setup in all_times}):
            of_mode = {}
            for setup, seconds in all_times.items():
                if setup.mode == mode:
                    of_mode[setup] = seconds
            common = common_puzzles(of_mode)
            if not common:
                continue
            runs = [run for run in records if run.puzzle_set == puzzle_set and run.puzzle in set(common)]
            times = {}
            for setup, seconds in of_mode.items():
                times[setup] = [seconds[puzzle] for puzzle in common]
            fastest = [min(of_instance) for of_instance in zip(*times.values(), strict=True)]
            not_applicable = tuple(refused.get((puzzle_set, mode), {}).items())
            rows = _rows(times, limit, runs)
            made.append(Ranking(puzzle_set, mode, limit, rows, par2(fastest, limit), not_applicable))
    return made


def _rows(times: Mapping[Setup, Sequence[float]], limit: float, runs: Sequence[RunRecord]) -> list[Summary]:
    """Sum up every setup, the best first, and test each other one against the best on the same instances."""
    scores = {setup: _scores(values, limit) for setup, values in times.items()}
    order = sorted(scores, key=lambda setup: (fmean(scores[setup]), str(setup)))
    best = order[0]
    rivals = order[1:]
    tests = holm([permutation_test(scores[rival], scores[best]) for rival in rivals])
    compared: dict[Setup, dict[str, Any]] = {best: {}}
    for rival, probability in zip(rivals, tests, strict=True):
        faster = 0
        slower = 0
        for own_time, best_time in zip(times[rival], times[best], strict=True):
            if own_time < best_time:
                faster += 1
            elif best_time < own_time:
                slower += 1
        compared[rival] = {"faster": faster, "slower": slower, "probability": probability}
    for setup, (marginal, shapley) in contributions(times, limit).items():
        compared[setup] |= {"marginal": marginal, "shapley": shapley}
    own: defaultdict[Setup, list[RunRecord]] = defaultdict(list)
    for run in runs:
        own[run.setup].append(run)
    least = fmean(scores[best])
    return [sum_up(times[setup], limit, least, own[setup], **compared[setup]) for setup in order]
