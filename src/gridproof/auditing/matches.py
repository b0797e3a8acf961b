"""Rows whose puzzles are equal, or equal up to symmetry, within files and between them.

The fingerprints of all files are taken in shares, by the value of the digest of the form, so that memory stays bounded:
all rows of one form are in one share. This module exists for NumPy and imports it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof.auditing.fingerprints import NOTHING, RECORD

How: TypeAlias = Literal["same", "symmetric"]

ROWS_AT_ONCE = 4_000_000
"""Rows of a share: some 300 MB while it is sorted."""


class Match(NamedTuple):
    """A row whose puzzle is equal to an earlier one. file, row, and those of the earlier one, from 1."""

    file: int
    row: int
    earlier_file: int
    earlier_row: int
    how: How


@dataclass
class Tally:
    """The numbers of matches.

    within: by file and how; a row counts once. between: by the earlier file, the later file and how; a row of the later
    file counts once for each earlier file. different: puzzles of a file that differ up to symmetry.
    """

    within: Counter[tuple[int, How]] = field(default_factory=Counter)
    between: Counter[tuple[int, int, How]] = field(default_factory=Counter)
    different: Counter[int] = field(default_factory=Counter)


def find_matches(files: Sequence[NDArray[np.void]], tally: Tally) -> Iterator[Match]:
    """Yield each row that is equal to an earlier one, and count it.

    files: the fingerprints of each file. Of several earlier rows the first one counts: of the same file for a match
    within it, and of each earlier file for one between them; one with the same cells before one that is an image.
    """
    total = sum(len(records) for records in files)
    shares = 1 + total // ROWS_AT_ONCE
    for share in range(shares):
        yield from _matches_of_share([_take_share(records, share, shares) for records in files], tally)


def _take_share(records: NDArray[np.void], share: int, shares: int) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Return the fingerprints of a share, and the numbers of their rows; a row without a form goes by its text."""
    keys = records["form"].copy()
    has_form = keys != np.void(NOTHING)
    keys[~has_form] = records["text"][~has_form]
    is_puzzle = keys != np.void(NOTHING)
    if shares > 1:
        numbers = np.frombuffer(keys.tobytes(), np.uint64)[::2]
        is_puzzle &= numbers % np.uint64(shares) == share
    rows = np.flatnonzero(is_puzzle)
    taken = np.zeros(len(rows), RECORD)
    taken["form"] = keys[rows]
    taken["text"] = records["text"][rows]
    return taken, rows + 1


def _matches_of_share(parts: Sequence[tuple[NDArray[np.void], NDArray[np.int64]]], tally: Tally) -> Iterator[Match]:
    forms = np.concatenate([part["form"] for part, _ in parts])
    texts = np.concatenate([part["text"] for part, _ in parts])
    rows = np.concatenate([numbers for _, numbers in parts])
    file_of = np.repeat(np.arange(1, len(parts) + 1), [len(numbers) for _, numbers in parts])
    words = np.frombuffer(forms.tobytes(), np.uint64).reshape(-1, 2)
    # rows of one form follow each other, in the order of files and rows
    order = np.lexsort((np.arange(len(rows)), words[:, 1], words[:, 0]))
    sorted_words = words[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = (sorted_words[1:] != sorted_words[:-1]).any(axis=1)
    starts = np.flatnonzero(is_first)
    lengths = np.diff(np.append(starts, len(order)))
    alone = order[starts[lengths == 1]]
    tally.different.update(Counter(file_of[alone].tolist()))
    matches: list[Match] = []
    for start, length in zip(starts[lengths > 1].tolist(), lengths[lengths > 1].tolist(), strict=True):
        group = order[start : start + length]
        members = zip(file_of[group].tolist(), rows[group].tolist(), texts[group].tolist(), strict=True)
        matches += _matches_of_group(list(members), tally)
    matches.sort()
    yield from matches


def _matches_of_group(members: Sequence[tuple[int, int, bytes]], tally: Tally) -> Iterator[Match]:
    """Yield the matches among rows of one form: (file, row, digest of the cells), in order."""
    first_of_file: dict[int, int] = {}
    first_of_text: dict[tuple[int, bytes], int] = {}
    for file, row, text in members:
        for earlier, first in first_of_file.items():
            same = first_of_text.get((earlier, text))
            how: How = "symmetric" if same is None else "same"
            if earlier == file:
                tally.within[file, how] += 1
            else:
                tally.between[earlier, file, how] += 1
            yield Match(file, row, earlier, first if same is None else same, how)
        if file not in first_of_file:
            tally.different[file] += 1
            first_of_file[file] = row
        first_of_text.setdefault((file, text), row)
