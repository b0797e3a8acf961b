"""The clues of puzzles of one geometry as an array: what the lanes take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(slots=True)
class Clues:
    """Puzzles of one geometry as an array."""

    places: NDArray[np.int64]
    clues: NDArray[np.uint8]
    answers: NDArray[np.uint8] | None


def joined(rows: Sequence[Clues]) -> Clues:
    """The puzzles of all of them, in order."""
    if len(rows) == 1:
        return rows[0]
    answers = None
    if any(row.answers is not None for row in rows):
        answers = np.concatenate([np.zeros_like(row.clues) if row.answers is None else row.answers for row in rows])
    return Clues(np.concatenate([r.places for r in rows]), np.concatenate([r.clues for r in rows]), answers)
