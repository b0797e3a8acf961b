"""Bit-parallel verification of puzzles in bulk: one bit per candidate and puzzle, 64 puzzles per machine word.

layout.py        a geometry as index tables
engine.py        LaneEngine: clues or candidates of many puzzles -> verdicts and solutions; the bulk check of grids
kernel_numpy.py  the search in NumPy, with batch_numpy.py (lanes at rest, and where they branch)
kernel_numba.py  the same search compiled: rounds.py, choice.py (all lanes at once), lane_steps.py (one)

The algorithm, which both kernels follow
----------------------------------------
A *lane* is the depth-first search of one puzzle. All lanes of a batch propagate at once: naked and hidden singles and
locked candidates, in rounds, until most lanes change no more. A lane at rest records its solution, goes back after a
contradiction, or branches. A lane whose puzzle is finished takes the next one, so that lanes stay busy to the end of
the batch; near that end, idle lanes take over the oldest branches of busy ones. A lane that still changes is left as
it is. The state lives in two forms: *by candidate*, where all lanes propagate at once, and *by lane*, where a lane's
candidates are consecutive bits, as puzzles are loaded and branches are stored; bit transposition leads from one to the
other.

One side of a branch takes the candidate, the other removes it, and both sides have to bite, or the search grows on one
of them. So the candidate is one of a *pair*: the two left in a cell, or the two places left for a symbol in a house. To
remove one is to take the other. Of all pairs that one is taken whose lower score is highest.

The *score* of a candidate estimates what taking it removes. What is near in a box removes less that is new than what is
far: in the sum over the segments of a cell, candidates beyond the segment in its two houses count for, those within
against. For the classic board that makes 1 in the rest of row and column, 2 in the box outside both, 0 in the box
inside them, and with 1 for a cell of three candidates or more it takes 87 branches on hardest puzzles where counts of
what is removed take 120, and the cell of two candidates with most of such beside it 228.

The search of a puzzle depends on the puzzle alone, not on its neighbours or the kernel: propagation to a fixpoint has
one outcome whatever its order, the candidate to branch on depends on that outcome alone, and branches are taken depth
first, first with the candidate taken, then with it removed.
"""

from gridproof.lanes.engine import MULTIPLE, NONE, OPEN, UNIQUE, VERDICT_NAMES, LaneEngine, LaneResult, check_grids

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
