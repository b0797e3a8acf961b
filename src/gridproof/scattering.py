"""Numbers scattered over 64 bits: what is chosen at random by its number alone is chosen in the same way everywhere."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""The step of SplitMix64 from one state to the next: 2**64 divided by the golden ratio, made odd."""


def scatter(words: Words) -> Words:
    """Return each word scattered: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).

    Examples
    --------
    >>> import numpy as np
    >>> hex(scatter(np.array([GOLDEN]))[0])
    '0xe220a8397b1dcdaf'
    """
    mixed = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    result: Words = mixed ^ (mixed >> np.uint64(31))
    return result
