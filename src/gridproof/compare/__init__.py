"""Backends x encodings x puzzle sets, run fairly: a table of runs, each under a time limit enforced from outside.

::

    sets, plan -> runner -> process <=> worker (a process that measures) -> records -> claims -> table, files, plot

A *lane* is a backend with an encoding in one mode, and has a process of its own: what one solver leaves in memory or
in a cache is not the next one's. ``cold``: each run compiles, loads and solves anew, as a user with one puzzle has it.
``warm``: one session serves a whole set; each repeat opens a new one, so that no session sees a puzzle twice. The
Python libraries are imported before anything is measured, and one tiny board (4x4) is solved.

The order is a randomised block design: puzzle after puzzle in shuffled order, and for each puzzle every lane in
shuffled order, so that a machine that drifts does so for all lanes alike.
"""

from gridproof.compare.progress import Listener, Progress, Terminal
from gridproof.compare.records import Lane, RunRecord
from gridproof.compare.results import Comparison, ContradictionError, Size
from gridproof.compare.run import DEFAULT_BACKENDS, compare
from gridproof.compare.sets import PuzzleSet
from gridproof.compare.table import Summary

__all__ = [
    "DEFAULT_BACKENDS",
    "Comparison",
    "ContradictionError",
    "Lane",
    "Listener",
    "Progress",
    "PuzzleSet",
    "RunRecord",
    "Size",
    "Summary",
    "Terminal",
    "compare",
]
