"""Sets of puzzles that share none, in whatever guise: all puzzles that are equal up to symmetry go to one of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from pathlib import Path

from gridproof.errors import InputError
from gridproof.text import quote

MOST_SETS = 20
"""Most sets that puzzles are parted into."""


def read_split(text: str) -> tuple[float, ...]:
    """Return the shares of sets, such as ``90/10``. Raises ``InputError``.

    Examples
    --------
    >>> read_split("80/10/10")
    (80.0, 10.0, 10.0)
    """
    expected = "expected the shares of two sets or more, such as 90/10"
    try:
        shares = tuple([float(share) for share in text.split("/")])
    except ValueError:
        raise InputError(f"split {quote(text)}; {expected}") from None
    check_shares(shares)
    return shares


def check_shares(shares: Sequence[float]) -> None:
    """Raise ``InputError`` for shares that are none."""
    if not 2 <= len(shares) <= MOST_SETS or not all(0 < share < inf for share in shares):
        shown = "/".join([f"{share:g}" for share in shares])
        raise InputError(f"split {shown}; expected the shares of 2 to {MOST_SETS} sets, each above zero")


def path_of_set(path: Path, number: int) -> Path:
    """Return the path of a set, from 1.

    Examples
    --------
    >>> path_of_set(Path("made.csv"), 2).name
    'made-2.csv'
    """
    return path.with_name(f"{path.stem}-{number}{path.suffix}")


class Split:
    """Chooses a set for each puzzle: that of its equals, or else the one that lacks most of its share.

    Examples
    --------
    >>> split = Split((75, 25))
    >>> [split.choose(digest) for digest in ("a", "b", "a", "c", "d", "b", "e", "f")]
    [0, 0, 0, 1, 0, 0, 1, 0]
    """

    def __init__(self, shares: Sequence[float]) -> None:
        check_shares(shares)
        self._shares = [share / sum(shares) for share in shares]
        self._set_of: dict[str, int] = {}
        self.sizes = [0] * len(shares)
        self.equal = 0

    def choose(self, digest: str) -> int:
        """Return the number of the set, from 0, of a puzzle with this digest; it is in the set from now on."""
        number = self._set_of.get(digest)
        if number is None:
            number = self._neediest()
            self._set_of[digest] = number
        else:
            self.equal += 1
        self.sizes[number] += 1
        return number

    def _neediest(self) -> int:
        """Return the set that would lack most of its share if it did not get the next puzzle."""
        total = sum(self.sizes) + 1
        lacks = []
        for share, size in zip(self._shares, self.sizes, strict=True):
            lacks.append(share * total - size)
        return lacks.index(max(lacks))
