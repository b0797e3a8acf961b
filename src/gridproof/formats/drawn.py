"""What stands around the cells of a grid: numbers of rows and columns, bars that show boxes, blanks trimmed off."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from gridproof.formats.notation import Line


def filled_up(lines: Sequence[Line]) -> list[Line]:
    """The rows whose blanks are spaces or empty fields, with those put back that were trimmed off their ends."""
    if not any(line.fields or line.places for line in lines):
        return list(lines)
    rows = [line for line in lines if line.kind != "rule"]
    for blank in "\t ":
        sizes = [len(line.text) if blank == " " else line.text.count(blank) + 1 for line in rows]
        size = max(sizes, default=1)
        if size == 1 or len(rows) % size or min(sizes) == size:
            continue
        drawn = any((line.places if blank == " " else line.fields) == size for line in rows)
        if drawn and all("".join(line.text.split()).isalnum() or not line.text.strip() for line in rows):
            missing = {line: size - found for line, found in zip(rows, sizes, strict=True)}
            return [
                Line(line.number, line.given + blank * missing[line]) if missing.get(line) else line for line in lines
            ]
    return list(lines)


def without_numbers(lines: Sequence[Line], rows: Sequence[Line], order: int) -> list[Line] | None:
    """The lines without the numbers (or letters) of their rows and columns; ``None`` if they have none.

    rows: the lines that hold cells. order: that of the grid without them.
    """
    head = rows[0] if len(rows) == order + 1 else None
    body = rows[1:] if head else rows
    if len(body) != order:
        return None
    if head is not None and not any(_are_numbers(_texts(head, n)[-order:]) for n in (order, order + 1)):
        return None
    spans = [row.spans(order + 1, order + 1) for row in body]
    bare: dict[Line, Line] = {}
    if _are_numbers([texts[0] if (texts := _texts(row, order + 1)) else "" for row in body]):
        for row, found in zip(body, spans, strict=True):
            start = found[1][0] if found else 0
            bare[row] = Line(row.number, " " * start + row.given[start:])
    elif head is None or not all(row.fits(order, order) for row in body):
        return None
    return [bare.get(line, line) for line in lines if line is not head]


def is_numbered(symbols: Sequence[int], order: int) -> bool:
    """Whether a grid of this order begins with the numbers of its columns and rows, beside an empty corner."""
    if order < 3 or symbols[0] or symbols[order - 1] not in (order - 1, order - 2):
        return False
    row = list(symbols[1:order])
    return row == list(symbols[order::order]) and row in ([*range(1, order)], [*range(order - 1)])


def drawn_boxes(rows: Sequence[Line], order: int) -> tuple[int | None, int | None]:
    """How many rows and columns the boxes have that rules and bars show; ``None`` where they show none."""
    bands = [1]
    for before, after in pairwise(rows):
        if after.number > before.number + 1:
            bands.append(0)
        bands[-1] += 1
    wide = {_groups(row, order) for row in rows} if rows[0].bars else {()}
    return _alike(tuple(bands), order), _alike(wide.pop(), order) if len(wide) == 1 else None


def _groups(row: Line, order: int) -> tuple[int, ...]:
    """How many cells stand between the bars of a row."""
    starts = [start for _, start in row.cells(order, order) or []]
    bars = [place for place, character in enumerate(row.text) if character == "|"]
    edges = [-1, *bars, len(row.text)]
    found = [sum(left < start < right for start in starts) for left, right in pairwise(edges)]
    return tuple(number for number in found if number)


def _alike(groups: tuple[int, ...], order: int) -> int | None:
    return groups[0] if len({*groups}) == 1 and 1 < groups[0] < order and sum(groups) == order else None


def _texts(line: Line, want: int) -> list[str]:
    return [text for text, _ in line.cells(want, want) or []]


def _are_numbers(texts: Sequence[str]) -> bool:
    """Whether these number rows or columns: 0, 1, 2 or 1, 2, 3 or A, B, C or r1, r2, r3, perhaps with a colon."""
    bare = [text.rstrip(".:)").upper().lstrip("RC" if len(text) > 1 else "") for text in texts]
    count = len(bare)
    return count > 1 and bare in (
        [str(number) for number in range(count)],
        [str(number) for number in range(1, count + 1)],
        [chr(number) for number in range(65, 65 + count)],
    )
