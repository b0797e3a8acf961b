"""Puzzles for each second of processor time, with uniqueness proven: rows are encodings, columns are sets.

Options: ``backend``, ``encodings`` (names), and ``sets``: for each column the name of a set that comes with gridproof,
or a table such as ``{make = 200, seed = 1}``: so many minimal puzzles that are made. Each encoding has one session for
a set, which has loaded the rules. The encodings take turns of ``TURN`` puzzles, in shuffled order. They do so in this
process: ``compare`` gives each a process of its own, and its messages would take longer than many of these puzzles.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from itertools import islice
from random import Random
from time import process_time
from typing import Any

from gridproof import backends
from gridproof.backends.models import compile_model, encoding_for
from gridproof.backends.sessions import Session
from gridproof.experiments.sets import PuzzleSet
from gridproof.papers.figures import Figures
from gridproof.papers.measures import Measure, Request
from gridproof.papers.options import NAMES, SETS, TEXT
from gridproof.papers.puzzle_sets import puzzle_sets

SEED = 1
"""Seed of the order of puzzles and encodings."""


TURN = 50
"""Puzzles that an encoding has in a turn: after each change the formula has to come back into the cache."""


def measure_speed(options: Mapping[str, Any], request: Request) -> Figures:
    """Return the puzzles for each second of every encoding on every set."""
    sets, remarks = puzzle_sets(options["sets"], request)
    names = options["encodings"]
    rows: dict[str, dict[str, float]] = {name: {} for name in names}
    for puzzles in sets:
        request.note(f"{puzzles.name}, {len(puzzles.boards):,} puzzles, {len(names)} encodings")
        for name, seconds in time_encodings(puzzles, options["backend"], names).items():
            rows[name][puzzles.name] = len(puzzles.boards) / seconds
    return Figures.from_rows(rows, remarks)


def time_encodings(puzzles: PuzzleSet, backend_name: str, names: list[str]) -> dict[str, float]:
    """Return the processor seconds that each encoding takes for a set of boards of one geometry."""
    random = Random(SEED)
    backend = backends.find(backend_name)
    with ExitStack() as stack:
        sessions: dict[str, Session] = {}
        for name in names:
            model = compile_model(puzzles.boards[0].problem, backend, encoding_for(backend, name))
            sessions[name] = stack.enter_context(backend.open(model))
        seconds = dict.fromkeys(names, 0.0)
        boards = random.sample(puzzles.boards, len(puzzles.boards))
        for first in range(0, len(boards), TURN):
            for name in random.sample(names, len(names)):
                began = process_time()
                for board in boards[first : first + TURN]:
                    list(islice(sessions[name].solutions(board), 2))
                seconds[name] += process_time() - began
    return seconds


OPTIONS = {"backend": TEXT, "encodings": NAMES, "sets": SETS}

MEASURE = Measure("speed", OPTIONS, "puzzles/s", measure_speed)
