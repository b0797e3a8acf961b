"""What chance leaves of a comparison: intervals, tests, the virtual best, fits of how time grows with the order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, exp, inf, isinf, log, pi

from gridproof.experiments.records import Setup, Times

RESAMPLES = 2_000
"""How often instances are drawn anew for an interval."""

LEVEL = 0.95
"""The share of the resamples that an interval holds."""


def par2_interval(times: Sequence[float], limit: float, seed: int = 0) -> tuple[float, float]:
    """Between what PAR-2 values 95 % of bootstrap resamples of the instances lie (percentile method, Efron 1979).

    Parameters
    ----------
    times : sequence of float
        Seconds of each instance, ``inf`` where it was not solved.
    limit : float
        Seconds that a run may take.
    seed : int
        Of the resamples.

    Examples
    --------
    >>> par2_interval([1.0, 1.0, 1.0], 10.0)
    (1.0, 1.0)
    """
    import numpy as np

    scores = np.array([2 * limit if isinf(time) else time for time in times])
    random = np.random.default_rng(seed)
    means = [scores[random.integers(len(scores), size=len(scores))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def sign_test(wins: int, losses: int) -> float:
    """The probability of a split at least this uneven if both were equally good (two-sided, exact).

    Examples
    --------
    >>> sign_test(9, 1), sign_test(3, 3)
    (0.021484375, 1.0)
    """
    number = wins + losses
    tail = sum(comb(number, count) for count in range(min(wins, losses) + 1)) / 2**number
    return float(min(1.0, 2 * tail))


def holm(values: Sequence[float]) -> list[float]:
    """The same probabilities, corrected for how many tests were made (Holm 1979).

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected, least = [0.0] * len(values), 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        least = max(least, min(1.0, (len(values) - rank) * values[place]))
        corrected[place] = least
    return corrected


@dataclass(frozen=True, slots=True, repr=False)
class Duel:
    """Two setups on the same instances: how often each was faster, and what the sign test says of it.

    ``probability`` is corrected for all duels of the table. Instances that neither solved are left out.
    """

    first: Setup
    second: Setup
    wins: int
    losses: int
    probability: float

    def __repr__(self) -> str:
        faster = f"{self.first} faster on {self.wins:,}, {self.second} on {self.losses:,}"
        return f"<Duel: {faster}; p = {self.probability:.2g}>"


def duels(times: Times, puzzles: Sequence[int]) -> list[Duel]:
    """Every setup against every other, by the sign test with Holm's correction."""
    counts = []
    for first, second in combinations(sorted(times, key=str), 2):
        pairs = [(times[first][puzzle], times[second][puzzle]) for puzzle in puzzles]
        counts.append((first, second, sum(a < b for a, b in pairs), sum(b < a for a, b in pairs)))
    corrected = holm([sign_test(wins, losses) for _, _, wins, losses in counts])
    return [Duel(*count, probability) for count, probability in zip(counts, corrected, strict=True)]


def virtual_best(times: Times, puzzles: Sequence[int]) -> dict[int, float]:
    """For each puzzle the time of whichever setup was fastest on it."""
    return {puzzle: min(setups[puzzle] for setups in times.values()) for puzzle in puzzles}


SURE = 2.0
"""By so much one law's log-likelihood must exceed the other's before they are told apart."""


@dataclass(frozen=True, slots=True, repr=False)
class Growth:
    """How time grows with a size n, by the likelier of two laws.

    law: ``exponential``, time = factor * base**n, or ``polynomial``, time = factor * n**base. advantage: by how much
    its log-likelihood exceeds the other's; below ``SURE`` they cannot be told apart. left_out: sizes with a median
    beyond the limit, of which no more is known.
    """

    law: str
    factor: float
    base: float
    advantage: float
    left_out: tuple[float, ...]

    def __call__(self, size: float) -> float:
        """Seconds at a size."""
        return float(self.factor * (self.base**size if self.law == "exponential" else size**self.base))

    def __repr__(self) -> str:
        return f"<Growth: {self}>"

    def __str__(self) -> str:
        law = f"{self.base:.3g}^n" if self.law == "exponential" else f"n^{self.base:.2g}"
        return f"{law} ({self.law}{'' if self.advantage >= SURE else '?'})"


def growth(medians: Mapping[float, float]) -> Growth | None:
    """The law that fits these times at these sizes; ``None`` for fewer than three finite ones.

    Least squares on the logarithms, which is the maximum likelihood for errors that are factors (log-normal).

    Parameters
    ----------
    medians : mapping of float to float
        Size -> seconds, ``inf`` beyond the limit.

    Examples
    --------
    >>> str(growth({10: 1.0, 20: 8.0, 30: 27.0, 40: 64.0}))
    'n^3 (polynomial)'
    """
    import numpy as np

    points = sorted((size, time) for size, time in medians.items() if 0 < time < inf)
    if len(points) < 3:
        return None
    sizes = np.array([size for size, _ in points])
    logs = np.log([time for _, time in points])
    found = []
    for law, scale in (("exponential", sizes), ("polynomial", np.log(sizes))):
        slope, start = np.polyfit(scale, logs, 1)
        variance = max(float(np.mean((logs - start - slope * scale) ** 2)), 1e-12)
        likelihood = -len(points) / 2 * (log(2 * pi * variance) + 1)
        found.append((likelihood, law, exp(start), exp(slope) if law == "exponential" else float(slope)))
    (best, law, factor, base), (other, *_) = sorted(found, reverse=True)
    return Growth(law, factor, base, best - other, tuple(size for size, time in medians.items() if isinf(time)))
