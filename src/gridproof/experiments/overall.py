"""One ranking over all sets of a comparison: by puzzles solved, then by time, with a test of the ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from gridproof.experiments.records import Mode, Setup
from gridproof.experiments.significance import can_test_ranks, critical_difference, friedman_test, mean_ranks
from gridproof.experiments.statistics import Ranking, Summary


@dataclass(frozen=True, slots=True)
class OverallRow:
    """One setup over all sets.

    Attributes
    ----------
    setup : Setup
        What was run.
    instances, solved : int
        How many instances all sets have together, and how many were solved.
    par : float
        The penalised mean time of all instances, in seconds.
    ratio : float
        ``par`` over the smallest.
    rank : float
        The mean of its ranks in the sets, where setups are ranked by solved, then by the penalised mean.
    seed_deviation : float, or None
        The standard deviation of ``par`` among solver seeds; ``None`` with less than two of them.
    """

    setup: Setup
    instances: int
    solved: int
    par: float
    ratio: float
    rank: float
    seed_deviation: float | None


@dataclass(frozen=True, slots=True)
class Overall:
    """The setups of one mode over all sets that were run in it.

    Attributes
    ----------
    mode : str
        Cold or warm.
    sets : tuple of str
        The names of the sets.
    limit, factor : float, int
        An unsolved instance counts ``factor`` times the limit, in seconds.
    rows : list of OverallRow
        By puzzles solved, then by time, the best first.
    left_out : tuple of str
        The names of setups that were not run on every set.
    probability : float, or None
        Of mean ranks that differ as much by chance (Friedman); ``None`` if the sets are too few.
    critical_difference : float, or None
        The difference of two mean ranks that is more than chance (Nemenyi), at 5 %; ``None`` if the sets are too few.
    """

    mode: Mode
    sets: tuple[str, ...]
    limit: float
    factor: int
    rows: list[OverallRow]
    left_out: tuple[str, ...] = ()
    probability: float | None = None
    critical_difference: float | None = None


def rank_overall(rankings: Sequence[Ranking]) -> list[Overall]:
    """Return a ranking over all sets for each mode that has two sets or more and a setup that was run on all."""
    made = []
    for mode in sorted({ranking.mode for ranking in rankings}):
        of_mode = [ranking for ranking in rankings if ranking.mode == mode]
        if len(of_mode) > 1:
            overall = _rank_mode(of_mode)
            if overall.rows:
                made.append(overall)
    return made


def _rank_mode(rankings: Sequence[Ranking]) -> Overall:
    """Return the ranking over these sets, which are of one mode."""
    summaries: dict[Setup, list[Summary]] = {}
    for ranking in rankings:
        for summary in ranking.rows:
            summaries.setdefault(summary.setup, []).append(summary)
    everywhere = {}
    left_out = []
    for setup, of_setup in summaries.items():
        if len(of_setup) == len(rankings):
            everywhere[setup] = of_setup
        else:
            left_out.append(setup.name)
    setups = list(everywhere)
    ranks = []
    for place in range(len(rankings)):
        results = []
        for setup in setups:
            summary = everywhere[setup][place]
            results.append((-summary.solved, summary.par))
        ranks.append(mean_ranks(results))
    rows = []
    for place, setup in enumerate(setups):
        rank = fmean(of_set[place] for of_set in ranks)
        rows.append(_add_up(setup, everywhere[setup], rank))
    rows.sort(key=_solved_then_time)
    first = rankings[0]
    names = tuple(ranking.puzzle_set for ranking in rankings)
    tested = can_test_ranks(len(setups), len(names))
    return Overall(
        first.mode,
        names,
        first.limit,
        first.factor,
        _with_ratios(rows),
        tuple(sorted(left_out)),
        probability=friedman_test(ranks) if tested else None,
        critical_difference=critical_difference(len(setups), len(names)) if tested else None,
    )


def _solved_then_time(row: OverallRow) -> tuple[int, float, str]:
    return -row.solved, row.par, str(row.setup)


def _add_up(setup: Setup, summaries: Sequence[Summary], rank: float) -> OverallRow:
    """Return the row of a setup, from its summaries on each set."""
    instances = sum(summary.instances for summary in summaries)
    solved = sum(summary.solved for summary in summaries)
    par = sum(summary.par * summary.instances for summary in summaries) / instances
    return OverallRow(setup, instances, solved, par, 1.0, rank, _deviate(summaries, instances))


def _deviate(summaries: Sequence[Summary], instances: int) -> float | None:
    """Return the standard deviation of the mean over all instances, among the seeds that every set was run with."""
    seeds = set.intersection(*[set(summary.by_seed) for summary in summaries])
    if len(seeds) < 2:
        return None
    means = []
    for seed in seeds:
        total = 0.0
        for summary in summaries:
            _, mean = summary.by_seed[seed]
            total += mean * summary.instances
        means.append(total / instances)
    return stdev(means)


def _with_ratios(rows: Sequence[OverallRow]) -> list[OverallRow]:
    """Return the rows with the ratio of each mean to the smallest."""
    least = min([row.par for row in rows], default=0.0)
    made = []
    for row in rows:
        ratio = row.par / least if least else 1.0
        made.append(OverallRow(row.setup, row.instances, row.solved, row.par, ratio, row.rank, row.seed_deviation))
    return made
