"""Fingerprints of puzzles: one that equal puzzles share, and one that all puzzles share that are equal up to symmetry.

Both are digests of 128 bits, the former that of ``generation.canonical``. This module exists for NumPy and imports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from gridproof.bulk.chunks import decode
from gridproof.bulk.columns import to_ascii
from gridproof.errors import BoardError, InputError
from gridproof.formats import parse
from gridproof.formats.shapes import Shapes
from gridproof.generation.canonical import DIGEST_BYTES, FormFinder, LeastForms, form_digest
from gridproof.puzzle.geometry import Geometry

RECORD = np.dtype([("form", f"V{DIGEST_BYTES}"), ("text", f"V{DIGEST_BYTES}"), ("clues", "<u2")])
"""The fingerprint of a row: of its least form, of its cells, and the number of its clues; zeros where there is none."""

NOTHING = bytes(DIGEST_BYTES)
"""The digest of a row that is no puzzle, and of the form of a puzzle that has none."""


@cache
def _forms_of(geometry: Geometry) -> LeastForms:
    return LeastForms(geometry)


def fingerprints(puzzles: Sequence[str]) -> NDArray[np.void]:
    """Return the fingerprint of each puzzle, an array of ``RECORD``; an empty text stands for a row without a puzzle.

    A puzzle has both digests, but for a board that no symmetry keeps: that has the one of its text only.

    Examples
    --------
    >>> one, image, other = fingerprints(["1.....2..3.....4", "..4.1......3.2..", "12....3........4"])
    >>> [bool(one[name] == image[name]) for name in ("form", "text")], bool(one["form"] == other["form"])
    ([True, False], False)
    """
    records = np.zeros(len(puzzles), RECORD)
    lengths = {len(text) for text in puzzles}
    texts = to_ascii(puzzles)
    for order in sorted(round(length**0.5) for length in lengths if length):
        if order * order not in lengths:
            continue
        decoded = decode(texts, order, zeros_are_blanks=True)
        _add_forms(records, order, decoded.good.tolist(), decoded.symbols)
    for row, text in enumerate(puzzles):
        if text and records[row]["text"].tobytes() == NOTHING:
            _add_other(records, row, text)
    return records


def _add_other(records: NDArray[np.void], row: int, text: str) -> None:
    """Enter the fingerprint of a puzzle that is no classic one on a line, such as one with rules."""
    records[row]["text"] = np.void(digest(text.encode()))
    with suppress(InputError):
        board = parse(text, despite_unread=True)
        form = _finder().digest(board)
        if form is not None:
            records[row]["form"] = np.void(bytes.fromhex(form))
            records[row]["clues"] = board.clue_count


@cache
def _finder() -> FormFinder:
    return FormFinder()


def _add_forms(records: NDArray[np.void], order: int, rows: Sequence[int], symbols: NDArray[np.uint8]) -> None:
    """Enter the fingerprints of classic puzzles of one order."""
    try:
        forms = _forms_of(Shapes(Geometry.standard).geometry(order))
    except BoardError:
        return
    counts = np.count_nonzero(symbols, axis=1).tolist()
    for row, cells, clues in zip(rows, symbols, counts, strict=True):
        form, _ = forms.find(cells.tolist())
        records[row] = (np.void(form_digest(forms.geometry, form)), np.void(digest(cells.tobytes())), clues)


def digest(content: bytes) -> bytes:
    """Return the digest of some bytes."""
    return blake2b(content, digest_size=DIGEST_BYTES).digest()
