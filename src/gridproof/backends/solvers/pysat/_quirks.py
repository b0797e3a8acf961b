"""The table of the peculiarities of PySAT's solvers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Quirks:
    """The peculiarities of a solver; by default it has none.

    Parameters
    ----------
    fresh
        It answers one question only and takes no assumptions: each question needs a new solver.
    stoppable
        It stops after a number of conflicts, and goes on at the next question.
    budget
        It takes the number of conflicts after which it stops beforehand.
    counts
        It counts its decisions and conflicts.
    install
        What brings it, if PySAT does not.
    options
        What it is configured with.
    alone
        What it is configured with besides for clauses that hold one board alone.
    origin
        The program that it was made from: MiniSat, for most.
    settings
        Options that users may set: name -> the least and the greatest value. PySAT ignores unknown ones.
    rejected
        Why checkers reject the proofs that it logs; empty if they do not. tests/contract/test_proofs.py fails if a
        reason is missing here, or does not belong here any more.
    """

    fresh: bool = False
    stoppable: bool = True
    budget: bool = True
    counts: bool = True
    install: str = ""
    options: Mapping[str, int] = field(default_factory=dict)
    alone: Mapping[str, int] = field(default_factory=dict)
    origin: str = "minisat"
    settings: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    rejected: str = ""


_SWITCHES = (
    *("block", "bump", "bumpreason", "chronoalways", "condition", "cover", "decompose", "deduplicate", "elim", "flush"),
    *("forcephase", "inprocessing", "instantiate", "lucky", "minimize", "phase", "probe", "reduce", "rephase"),
    *("restart", "reverse", "score", "shuffle", "stabilize", "stabilizeonly", "subsume", "ternary", "transred"),
    *("vivify", "walk"),
)
_CADICAL_SETTINGS = dict.fromkeys(_SWITCHES, (0, 1)) | {
    "seed": (0, 2 * 10**9),
    "chrono": (0, 2),
    "target": (0, 2),
    "reluctant": (0, 2 * 10**9),
    "reduceint": (10, 10**6),
    "reducetarget": (10, 100),
    "rephaseint": (1, 2 * 10**9),
    "restartint": (1, 2 * 10**9),
    "restartmargin": (0, 100),
    "scorefactor": (500, 1000),
    "stabilizefactor": (101, 2 * 10**9),
}
"""Of those that versions 1.5.3 and 1.9.5 list the ones that guide the search."""

_CADICAL = Quirks(
    # No inprocessing: conflicts and decisions of the search are counted and no others. No chronological backtracking:
    # 5 to 8 % faster here. No lucky phases: models found by guesses that are not counted as decisions.
    options={"inprocessing": 0, "chrono": 0, "lucky": 0},
    # Decisions always set a candidate to true. On hard boards of order 64 and 100 that took 4 to 33 seconds where the
    # default was stopped unfinished at 20.
    alone={"forcephase": 1},
    settings=_CADICAL_SETTINGS,
    origin="cadical",
)

QUIRKS: dict[str, Quirks] = {
    "cadical153": _CADICAL,
    "cadical195": _CADICAL,
    "cadical": Quirks(origin="cadical"),
    "cms": Quirks(counts=False, install="pip install 'gridproof[cryptosat]'"),
    "kissat": Quirks(fresh=True, stoppable=False),
    "lingeling": Quirks(stoppable=False, budget=False),
    "maplesat": Quirks(rejected="the variables in its proofs are numbered one too high, so checkers reject them"),
}
"""By PySAT's name of the solver, without the version at its end where all versions are alike."""


def quirks_of(name: str) -> Quirks:
    """Return the peculiarities of a solver, by the name that PySAT finds it by."""
    return QUIRKS.get(name) or QUIRKS.get(name.rstrip("0123456789")) or Quirks()
