"""Backends x encodings x puzzle sets, run fairly: a table of runs, each under limits enforced from outside.

::

    plan -> experiment -> scheduler <=> measuring (in processes of its own)
    -> records -> results -> statistics, printing, plots, files

A *setup* is a backend with an encoding in one mode, and has a process of its own: what one solver leaves in memory or
in a cache is not the next one's. ``cold``: each run compiles, loads and solves anew, as a user with one puzzle has it.
``warm``: one session serves a whole set; each repeat opens a new one, so that no session meets a puzzle twice. The
Python libraries are imported before anything is measured, and one tiny board (4x4) is solved.

The order is a randomised block design: puzzle after puzzle in shuffled order, and for each puzzle every setup in
shuffled order, so that a machine that drifts does so for all setups alike.
"""

from gridproof.experiments.experiment import compare, replay
from gridproof.experiments.instances import KINDS, Instance, instance
from gridproof.experiments.plan import DEFAULT_BACKENDS, Plan
from gridproof.experiments.records import RunRecord, Setup
from gridproof.experiments.results import Comparison, ContradictionError
from gridproof.experiments.sets import PuzzleSet
from gridproof.experiments.statistics import Summary

__all__ = [
    "DEFAULT_BACKENDS",
    "KINDS",
    "Comparison",
    "ContradictionError",
    "Instance",
    "Plan",
    "PuzzleSet",
    "RunRecord",
    "Setup",
    "Summary",
    "compare",
    "instance",
    "replay",
]


def __dir__() -> list[str]:
    return __all__
