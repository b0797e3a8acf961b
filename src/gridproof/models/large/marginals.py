"""Guess a solution of a large board from how likely each open candidate is, all of them weighed at once.

On large boards with a random share of clues a solver must learn tens of thousands of clauses before it meets a
solution, in whatever order it branches. Marginals meet one sooner: give each open candidate a weight, scale the weights
so that those of each group sum to 1, cell by cell, then house by house (iterative proportional fitting; "Sinkhorn
solves Sudoku", Moon, Gunther and Kupin 2009), and sharpen between the rounds: what is likely, with weight p, counts
1 / (1 - p) ** sharpness times as much. Without sharpening this maximises the entropy of the weights, which is too
cautious; sharpness 3 (four groups for each candidate, less one) is that of the Bethe free energy, that is of belief
propagation (Yedidia, Freeman and Weiss 2005), which jumps to conclusions. In between, the weights often condense to a
single grid.

Where the weights do not condense, ``local_search`` starts from them.

It proves nothing: a guess is a solution because each group has exactly one of its candidates, which is checked, and no
guess says nothing about the board. This module exists for NumPy and imports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from gridproof.limits import Watch
from gridproof.models.large import local_search
from gridproof.models.large.propagation import Flags, Integers, Reduction
from gridproof.puzzle.geometry import Grid

Weights: TypeAlias = npt.NDArray[np.float64]

FEWEST_CANDIDATES = 2000
"""Open candidates from which on guessing pays: with fewer, a solver needs hundredths of a second."""

_ROUNDS = 400
"""Rounds of a guess; of 27 random boards of order 49, 64 and 100 none took more than 215."""

_WORK = 10_000_000
"""Rounds times candidates at most, a second of work: what was larger did not condense in 2,000 rounds either."""

_SHARPNESS = 2.3
_STEP = 0.5
"""How far a round goes towards the sharpness of its weights; without damping they swing."""

_LARGEST = 0.999
"""The largest weight whose suppression of others is told apart, so that its logarithm stays finite."""

_SMALLEST = 1e-300
_ROUNDS_PER_LOOK = 5
_STILL = 1e-3
"""Weights that change no more than this, as logarithms, will not become a solution: all alike on an empty board."""

_PENALTY = 0.05
"""How much less likely, as a logarithm, an earlier guess makes its own candidates for the next one."""


def guesses(reduction: Reduction, watch: Watch | None = None) -> Iterator[Grid]:
    """Two solutions at most, no grid twice; none of a board with few candidates, for which there are better ways.

    Raises ``Interrupted`` when the time of ``watch`` is over.
    """
    if reduction.candidate_count < FEWEST_CANDIDATES:
        return
    watch = watch or Watch()
    fitting = _Fitting(reduction)
    start, first = np.ones(reduction.candidate_count), None
    for attempt in (1, 2):
        weights = fitting.run(start, watch)
        if weights is None:
            return
        true: Flags | None = weights > 0.5
        if not fitting.is_solution(weights > 0.5):
            true = local_search.search(reduction, weights, attempt, watch)
        if true is None or (first is not None and (first == true).all()):
            return
        yield reduction.grid_of(true)
        start, first = np.exp(-_PENALTY * true), true


class _Fitting:
    def __init__(self, reduction: Reduction) -> None:
        self.slots: list[tuple[Flags | slice, Integers, int]] = []  # members, their groups renumbered, how many groups
        for groups in reduction.groups:
            real = groups < reduction.real_groups
            numbers, renumbered = np.unique(groups[real], return_inverse=True)
            members = slice(None) if real.all() else real
            self.slots.append((members, renumbered.astype(np.int32), len(numbers)))

    def run(self, start: Weights, watch: Watch) -> Weights | None:
        """The weights, of a solution where there is luck, ``None`` if they do not tell candidates apart.

        ``start`` says how likely candidates are relative to each other.
        """
        weights = start.copy()
        sharpened = np.zeros(len(weights))
        for number in range(1, min(_ROUNDS, _WORK // len(weights)) + 1):
            for members, groups, count in self.slots:
                sums = np.bincount(groups, weights=weights[members], minlength=count)
                weights[members] /= np.maximum(sums, _SMALLEST)[groups]
            if number % _ROUNDS_PER_LOOK == 0:
                watch.look()
                if self.is_solution(weights > 0.5):
                    return weights
            change = -_SHARPNESS * np.log1p(-np.minimum(weights, _LARGEST)) - sharpened
            if number % _ROUNDS_PER_LOOK == 0 and np.abs(change).max() < _STILL:
                return None
            change *= _STEP
            sharpened += change
            weights *= np.exp(change)
        return weights

    def is_solution(self, true: Flags) -> bool:
        """Whether each group has exactly one of these candidates."""
        return all(
            bool((np.bincount(groups[true[members]], minlength=count) == 1).all())
            for members, groups, count in self.slots
        )
