"""The result of a chunk as bytes: CSV, JSON lines or Parquet."""

from __future__ import annotations

import io
import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.bulk.chunks import Bytes
from gridproof.bulk.records import FIELDS, UNIQUE, Columns, file_lists, types
from gridproof.runs import tables
from gridproof.trust.answer import Status
from gridproof.trust.record import VerdictRecord

PARQUET = {
    "compression_level": 1,
    "use_dictionary": ["verdict", "engine", "grids_checked", "reference", "stored"],
    "write_statistics": ["row", "line", "verdict"],
}
"""The options of Parquet for results."""

_FORMULA = tuple("=+-@\t\r\n")
_DIFFERENT = {"row", "line", "puzzle", "solution"}
_HOLE = re.compile("<(row|line|puzzle|solution)>")
_ONLY_CELLS = re.compile(r"[-.*_0-9A-Za-z]+")


def encode(columns: Columns, form: str) -> bytes:
    """Encode the columns as a piece of a result.

    Most rows of CSV and JSON lines differ in nothing but numbers, clues and the only solution. NumPy puts those
    together, twenty times as fast as they are encoded one by one.
    """
    alike = _alike(columns) if form != "parquet" and len(columns) else None
    if alike is None:
        return _encoded(form, columns.lists())
    pieces = []
    others = columns.only(~alike).lists()
    done = 0
    kinds = np.where(alike, 64 * _digits(columns.row) + _digits(columns.line), -1)
    edges = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), len(columns)]
    encoded = {kind: _encoded_alike(columns, form, kinds == kind) for kind in np.unique(kinds).tolist() if kind >= 0}
    for start, stop in pairwise(edges):
        if alike[start]:
            width, rows = encoded[int(kinds[start])]
            pieces.append(rows.read(width * (stop - start)))
        else:
            pieces.append(_encoded(form, [values[done : done + stop - start] for values in others]))
            done += stop - start
    return b"".join(pieces)


def _alike(columns: Columns) -> NDArray[np.bool_] | None:
    """Rows that differ in nothing but numbers, clues and the only solution; ``None`` if these are not nearly all."""
    alike = (columns.verdict == UNIQUE) & (columns.most_put("puzzle")[0] >= 0) & (columns.most_put("solution")[0] >= 0)
    alike &= (columns.line > 0) if columns.line[0] else (columns.line == 0)
    for name in ("reference", "stored", "engine", "reason", "grids_checked"):
        values = getattr(columns, name)
        some = Counter(values[alike][:: 1 + len(values) // 1000].tolist())
        alike &= values == max(some, key=some.__getitem__, default=None)
    return alike if 20 * np.count_nonzero(np.diff(alike)) < len(columns) and alike.any() else None


def _encoded_alike(columns: Columns, form: str, which: NDArray[np.bool_]) -> tuple[int, io.BytesIO]:
    """Rows that are alike, whose numbers have as many digits: the width of each, and all of them."""
    sample = columns.only(which & (np.cumsum(which) == 1))
    lists = sample.lists()
    for name in _DIFFERENT if sample.line[0] else _DIFFERENT - {"line"}:
        lists[FIELDS.index(name)] = [f"<{name}>"]
    parts: list[Bytes] = []
    number = int(np.count_nonzero(which))
    template = _encoded(form, lists).decode().replace('"<row>"', "<row>").replace('"<line>"', "<line>")
    for place, text in enumerate(_HOLE.split(template)):
        if not place % 2:
            constant = np.frombuffer(text.encode(), np.uint8)
            parts.append(np.broadcast_to(constant, (number, len(constant))))
        elif text in ("row", "line"):
            values = getattr(columns, text)[which]
            powers = 10 ** np.arange(int(_digits(values[:1])[0]))[::-1]
            parts.append((values[:, np.newaxis] // powers % 10 + ord("0")).astype(np.uint8))
        else:
            rank, characters = columns.most_put(text)
            parts.append(characters[rank[which]])
    whole = np.concatenate(parts, axis=1)
    return whole.shape[1], io.BytesIO(whole.tobytes())


def _digits(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of digits of each."""
    return np.searchsorted(10 ** np.arange(1, 19), numbers, side="right") + 1


def _encoded(form: str, lists: list[list[Any]]) -> bytes:
    if form == "jsonl":
        return "".join([f"{record.as_json()}\n" for record in map(VerdictRecord, *lists)]).encode()
    lists = file_lists(lists)
    if form == "csv":
        lists[2] = list(map(_no_formula, lists[2], lists[3]))
    return tables.encode(form, types(), lists)


def _no_formula(puzzle: str, verdict: str) -> str:
    """Input as given that a spreadsheet would run gets an apostrophe before it; a puzzle may begin with the blank -."""
    if not puzzle.startswith(_FORMULA) or (verdict != Status.MALFORMED and _ONLY_CELLS.fullmatch(puzzle)):
        return puzzle
    return f"'{puzzle}"
