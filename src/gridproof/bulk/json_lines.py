"""Lines of JSON to rows, many at once: those records that state cells alone, as nearly all do.

All others are left to the careful reader of lines.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gridproof.bulk.chunks import Group, Texts, easy_rows
from gridproof.bulk.columns import to_ascii
from gridproof.formats.known.jsonl import find_key, has_shape, load_record, puzzle_key, states_cells_alone
from gridproof.formats.lines import easy_order
from gridproof.formats.shapes import Shapes
from gridproof.formats.tables import SOLUTION_COLUMNS


def find_easy_json(shapes: Shapes, lines: Texts) -> Group | None:
    """Return the records that are easy; places: the indices of their lines.

    Examples
    --------
    >>> from gridproof.puzzle.geometry import Geometry
    >>> lines = ["x", '{"puzzle": "1....6..2......1....5......3..6....2"}']
    >>> group = find_easy_json(Shapes(Geometry.standard), to_ascii(lines))
    >>> group.places.tolist()
    [1]
    """
    data = lines.raw.tobytes()
    places: list[int] = []
    puzzles: list[str] = []
    answers: list[str] = []
    for place, (start, end) in enumerate(zip(lines.starts.tolist(), lines.ends.tolist(), strict=True)):
        text = data[start:end].strip()
        if not text.startswith(b"{"):
            continue
        record = load_record(text.decode("utf-8", "surrogateescape"))
        key = puzzle_key(record, shapes.column)
        if key is None or not states_cells_alone(record) or record.get("title") or record.get("author"):
            continue
        puzzle = record[key]
        if not isinstance(puzzle, str):
            continue
        order = easy_order(len(puzzle), shapes)
        if not order or not has_shape(record, shapes.geometry(order)):
            continue
        answer_key = find_key(record, SOLUTION_COLUMNS)
        answer = "" if answer_key is None else record[answer_key]
        places.append(place)
        puzzles.append(puzzle)
        answers.append(answer if isinstance(answer, str) else "?")
    given = to_ascii(answers) if any(answers) else None
    group = easy_rows(shapes, to_ascii(puzzles), given)
    if group is None:
        return None
    return replace(group, places=np.array(places, np.int64)[group.places])
