"""Statistics of a comparison: summaries by set and setup, the virtual best, the spread among seeds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, inf, isinf
from statistics import fmean, median, stdev
from typing import Any

from gridproof.experiments.records import Clock, Mode, RunRecord, Setup, Times
from gridproof.experiments.significance import holm, mean_interval, permutation_test, scores_of

DEFAULT_FACTOR = 2
"""How many times the limit a puzzle counts that was not solved: 2 gives PAR-2, as in SAT competitions."""


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
    par : float
        The penalised mean time: an instance that was not solved counts a multiple of the limit.
    interval : tuple of float
        Where ``par`` lies in 95 % of resamples.
    median, p95 : float
        The median and the 95th percentile; they may be ``inf``.
    ratio : float
        ``par`` over the smallest of the same set and mode.
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
        Of means at least so far apart if it were as good as the best, by a permutation test, corrected for all tests
        of the set and mode.
    by_seed : mapping
        Solver seed -> how many instances were solved with it, and the penalised mean of its runs.

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
    par: float
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
    by_seed: Mapping[int, tuple[int, float]] = field(default_factory=dict)

    @property
    def seed_deviation(self) -> float | None:
        """The standard deviation of the penalised mean among solver seeds; ``None`` with less than two of them."""
        if len(self.by_seed) < 2:
            return None
        return stdev([score for _, score in self.by_seed.values()])


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


def mean_score(times: Iterable[float], penalty: float) -> float:
    """Return the mean of the times, those that are ``inf`` counted as the penalty."""
    return fmean(scores_of(times, penalty))


def percentile(times: Iterable[float], share: float) -> float:
    """Return the smallest time that at least this share of the times does not exceed (nearest rank)."""
    ordered = sorted(times)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def contributions(times: Mapping[Setup, Sequence[float]], penalty: float) -> dict[Setup, tuple[float, float]]:
    """Return for each setup its contributions to the virtual best, which takes the fastest setup on each instance.

    The first is marginal: the seconds by which the mean of the virtual best would be greater without the setup (Xu and
    others 2012, Evaluating component solver contributions to portfolio-based algorithm selectors). The second is the
    Shapley value, as a share of what the virtual best saves compared with no solver: the marginal contribution to those
    who came before, over all orders in which setups may come (Frechette and others 2016, Using the Shapley value to
    analyze algorithm portfolios). Of equal setups none has a marginal contribution, but each has its share.

    Examples
    --------
    >>> a, b = Setup("a", None, "cold"), Setup("b", None, "cold")
    >>> list(contributions({a: [1.0, 2.0], b: [2.0, inf]}, penalty=4.0).values())
    [(1.5, 0.8), (0.0, 0.2)]
    """
    setups = list(times)
    marginal = dict.fromkeys(setups, 0.0)
    shapley = dict.fromkeys(setups, 0.0)
    instances = 0
    for of_instance in zip(*times.values(), strict=True):
        instances += 1
        saved = [penalty - score for score in scores_of(of_instance, penalty)]
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


def sum_up(times: Sequence[float], penalty: float, best: float, runs: Sequence[RunRecord], **more: Any) -> Summary:
    """Sum up the runs of one setup on one set. best: the smallest mean there. more: what compares it with others."""
    setup = runs[0].setup
    score = mean_score(times, penalty)
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
        par=score,
        interval=mean_interval(times, penalty),
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


@dataclass(frozen=True, slots=True)
class Ranking:
    """The setups of one mode on one set, over the instances that all of them were run on.

    Attributes
    ----------
    puzzle_set, mode : str
        What was run.
    limit : float
        The seconds of a run; an unsolved instance counts ``factor`` times as much.
    rows : list of Summary
        The best first.
    virtual_best : float
        The penalised mean of taking, for each instance, whichever setup is fastest on it.
    not_applicable : tuple of pairs
        The names of setups that cannot take some board of the set, and why.
    factor : int
        2 for PAR-2, 10 for PAR-10.
    """

    puzzle_set: str
    mode: Mode
    limit: float
    rows: list[Summary]
    virtual_best: float
    not_applicable: tuple[tuple[str, str], ...] = ()
    factor: int = DEFAULT_FACTOR

    @property
    def gap(self) -> float:
        """The mean of the best setup above that of the virtual best: what a perfect choice of setups would save."""
        return self.rows[0].par - self.virtual_best


def rankings(
    records: Sequence[RunRecord], limit: float, clock: Clock = "whole", factor: int = DEFAULT_FACTOR
) -> list[Ranking]:
    """Return a ranking for each set and mode. An unsolved instance counts the limit ``factor`` times."""
    penalty = factor * limit
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
            rows = _rows(times, penalty, runs, clock)
            best = mean_score(fastest, penalty)
            made.append(Ranking(puzzle_set, mode, limit, rows, best, not_applicable, factor))
    return made


def _rows(
    times: Mapping[Setup, Sequence[float]], penalty: float, runs: Sequence[RunRecord], clock: Clock
) -> list[Summary]:
    """Sum up every setup, the best first, and test each other one against the best on the same instances."""
    scores = {setup: scores_of(values, penalty) for setup, values in times.items()}
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
    for setup, (marginal, shapley) in contributions(times, penalty).items():
        compared[setup] |= {"marginal": marginal, "shapley": shapley}
    own: defaultdict[Setup, list[RunRecord]] = defaultdict(list)
    for run in runs:
        own[run.setup].append(run)
    least = fmean(scores[best])
    rows = []
    for setup in order:
        compared[setup]["by_seed"] = sum_up_seeds(own[setup], penalty, clock)
        rows.append(sum_up(times[setup], penalty, least, own[setup], **compared[setup]))
    return rows


def sum_up_seeds(runs: Sequence[RunRecord], penalty: float, clock: Clock) -> dict[int, tuple[int, float]]:
    """Return for each solver seed of a setup how many instances it solved, and the penalised mean of its runs.

    A seed that was not yet run on every instance is left out, since its mean would be that of other instances.
    """
    puzzles = {run.puzzle for run in runs}
    by_seed = {}
    for seed in sorted({run.solver_seed for run in runs if run.solver_seed is not None}):
        of_seed = [run for run in runs if run.solver_seed == seed]
        (times,) = instance_times(of_seed, clock).values()
        (seconds,) = times.values()
        if set(seconds) == puzzles:
            solved = sum(not isinf(time) for time in seconds.values())
            by_seed[seed] = (solved, mean_score(seconds.values(), penalty))
    return by_seed
