"""What a session says about a board, before anybody has checked it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the last board cost; ``None`` where the solver does not say.

    decisions, conflicts, propagations, restarts: of a SAT or CP-SAT solver. nodes: choices that a search made, tries:
    symbols that it tried, dead_ends: choices that failed. seconds: wall time inside ``solutions``.
    """

    decisions: int | None = None
    conflicts: int | None = None
    propagations: int | None = None
    restarts: int | None = None
    nodes: int | None = None
    tries: int | None = None
    dead_ends: int | None = None
    seconds: float = 0.0
