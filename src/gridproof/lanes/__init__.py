"""Bit-parallel verification of puzzles in bulk: one bit per candidate and puzzle, 64 puzzles per machine word.

layout.py        a geometry as index tables
engine.py        LaneEngine: clues or candidates of many puzzles -> verdicts and solutions, checked
kernel_numpy.py  the search in NumPy: batch_numpy.py (lanes at rest), choice_numpy.py (where they branch)
kernel_numba.py  the same search compiled: rounds.py, choice.py (all lanes at once), lane_steps.py (one), vectors.py
check.py         the bulk check of grids
"""

from gridproof.lanes.check import check_grids
from gridproof.lanes.engine import MULTIPLE, NONE, OPEN, UNIQUE, VERDICT_NAMES, LaneEngine, LaneResult

__all__ = [
    "MULTIPLE",
    "NONE",
    "OPEN",
    "UNIQUE",
    "VERDICT_NAMES",
    "LaneEngine",
    "LaneResult",
    "check_grids",
]
