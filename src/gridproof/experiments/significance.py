"""Intervals and tests: how sure it is that one setup is better than another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import erf, factorial, isinf, pi, sqrt
from math import exp as e_to_the

RESAMPLES = 2_000
"""Number of times that instances are drawn anew for an interval."""

LEVEL = 0.95
"""The share of the resamples that an interval holds."""

SURE = 0.05
"""Probability below which a difference is taken to be more than chance."""

EXACT = 12
"""Up to so many instances that differ a permutation test goes through all signs; above it draws ``DRAWS`` of them."""

DRAWS = 9_999
"""Number of times that a test draws at random."""

FEWEST_SETS = 5
"""Number of sets below which ranks over sets are not tested: the critical difference is made for many."""


def scores_of(times: Iterable[float], penalty: float) -> list[float]:
    """Return the times, with the penalty in place of those that are ``inf``."""
    return [penalty if isinf(time) else time for time in times]


def mean_interval(times: Sequence[float], penalty: float, seed: int = 0) -> tuple[float, float]:
    """Return the ends of a 95 % interval of the penalised mean, by bootstrap of instances (percentiles, Efron 1979).

    Parameters
    ----------
    times : sequence of float
        Seconds of each instance, ``inf`` where it was not solved.
    penalty : float
        Seconds that an unsolved instance counts.
    seed : int
        The seed of the resamples.

    Examples
    --------
    >>> mean_interval([1.0, 1.0, 1.0], 10.0)
    (1.0, 1.0)
    """
    import numpy as np

    scores = np.array(scores_of(times, penalty))
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


# ---- ranks over several sets -----------------------------------------------------------------------------------------


def mean_ranks(values: Sequence[object]) -> list[float]:
    """Return the rank of each value, from 1 for the smallest; equal values share the mean of their ranks.

    Examples
    --------
    >>> mean_ranks([0.3, 0.1, 0.3])
    [2.5, 1.0, 2.5]
    """
    ordered = sorted(values)  # type: ignore[type-var]
    ranks = []
    for value in values:
        first = ordered.index(value) + 1
        ranks.append(first + (ordered.count(value) - 1) / 2)
    return ranks


def friedman_test(ranks: Sequence[Sequence[float]], seed: int = 0) -> float:
    """Return the probability that mean ranks differ as much if in each set it were chance who is where.

    The test of Friedman (1937). Its probability is drawn from permutations within the sets, so that it holds for few
    sets, too, where the chi-square distribution is too coarse.

    Parameters
    ----------
    ranks : sequence of sequences of float
        For each set the rank of each setup.
    seed : int
        The seed of the permutations.

    Examples
    --------
    >>> friedman_test([[1, 2, 3]] * 6) < 0.001, friedman_test([[1, 2], [2, 1]])
    (True, 1.0)
    """
    import numpy as np

    random = np.random.default_rng(seed)
    observed = np.array(ranks, dtype=float)
    sums = np.zeros((DRAWS, observed.shape[1]))
    for of_set in observed:
        sums += random.permuted(np.tile(of_set, (DRAWS, 1)), axis=1)
    spreads = ((sums - observed.sum() / observed.shape[1]) ** 2).sum(axis=1)
    spread = ((observed.sum(axis=0) - observed.sum() / observed.shape[1]) ** 2).sum()
    as_far = int((spreads >= spread * (1 - 1e-9)).sum())
    return (as_far + 1) / (DRAWS + 1)  # the observed case is one of the drawn ones, too


def can_test_ranks(setups: int, sets: int) -> bool:
    """Return whether so many sets are enough to test the ranks of so many setups."""
    if setups < 2 or sets < FEWEST_SETS:
        return False
    smallest: float = 1 / factorial(setups) ** (sets - 1)  # that all sets agree by chance
    return smallest < SURE


def critical_difference(setups: int, sets: int) -> float:
    """Return the difference of mean ranks above which two of the setups differ (Nemenyi 1963, Demsar 2006).

    Source: J. Demsar, Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 2006, section 3.2.2: ``q * sqrt(k * (k + 1) / (6 * n))`` for k setups on n sets, where q is the
    quantile of the studentised range, divided by the root of 2.

    Examples
    --------
    >>> round(critical_difference(4, 14), 2)
    1.25
    """
    low, high = 0.0, 100.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        if range_probability(middle, setups) < 1 - SURE:
            low = middle
        else:
            high = middle
    return low / sqrt(2) * sqrt(setups * (setups + 1) / (6 * sets))


def range_probability(width: float, number: int) -> float:
    """Return the probability that so many values of the standard normal distribution lie within a width.

    The smallest lies at x and the others between x and x + width, integrated over x by the trapezoidal rule.

    Examples
    --------
    >>> round(range_probability(2.7718, 2), 4)
    0.95
    """
    steps = 400
    start = -8.0 - width
    step = (8.0 - start) / steps
    total = 0.0
    for place in range(steps + 1):
        x = start + place * step
        density = e_to_the(-x * x / 2) / sqrt(2 * pi)
        between = (erf((x + width) / sqrt(2)) - erf(x / sqrt(2))) / 2
        total += number * density * between ** (number - 1) * step
    return total
