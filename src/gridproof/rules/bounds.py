"""Bounds on candidates for ``may_hold``: if they do not exclude a rule quickly, it may hold."""

from __future__ import annotations

from collections.abc import Sequence

from gridproof.rules.primitives import Cells


def least(mask: int) -> int:
    """The smallest symbol of a candidate mask."""
    return (mask & -mask).bit_length()


def greatest(mask: int) -> int:
    """The largest symbol of a candidate mask."""
    return mask.bit_length()


def sum_may_be(candidates: Sequence[int], cells: Cells, total: int) -> bool:
    """Whether ``total`` lies between the least and the greatest sum of the cells' candidates."""
    masks = [candidates[cell] for cell in cells]
    return sum(map(least, masks)) <= total <= sum(map(greatest, masks))


def weighted_sum_may_be(candidates: Sequence[int], cells: Cells, weights: Sequence[int], total: int) -> bool:
    """The same for symbols that count several times, or negatively."""
    low = high = 0
    for cell, weight in zip(cells, weights, strict=True):
        ends = weight * least(candidates[cell]), weight * greatest(candidates[cell])
        low, high = low + min(ends), high + max(ends)
    return low <= total <= high
