"""The clues of puzzles of one geometry as an array: what the lanes take, and what tells puzzles apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gridproof.formats.notation import alphabet


@dataclass(slots=True)
class Clues:
    """Puzzles of one geometry as an array."""

    places: NDArray[np.int64]
    clues: NDArray[np.uint8]
    answers: NDArray[np.uint8] | None


def symbols(texts: NDArray[np.uint8], order: int) -> NDArray[np.uint8]:
    """The symbols of valid one-line puzzles, 0 for a blank: (puzzles, cells) characters to the same shape."""
    # ``bytes.translate`` is several times as fast as a NumPy table indexed by an array
    return np.frombuffer(texts.tobytes().translate(alphabet(order)[1]), np.uint8).reshape(texts.shape)


def joined(rows: Sequence[Clues]) -> Clues:
    """The puzzles of all of them, in order."""
    if len(rows) == 1:
        return rows[0]
    answers = None
    if any(row.answers is not None for row in rows):
        answers = np.concatenate([np.zeros_like(row.clues) if row.answers is None else row.answers for row in rows])
    return Clues(np.concatenate([r.places for r in rows]), np.concatenate([r.clues for r in rows]), answers)
