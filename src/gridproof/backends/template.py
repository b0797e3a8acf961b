"""The file to copy for a new backend: ``cp template.py solvers/mysolver.py``, and fill it in.

A module in ``solvers`` is found because it is there, unless its name begins with an underscore.

Two sessions in ``blocking`` do most of the work for usual solvers. ``BlockingSession`` is for one that gives a single
grid for each question, as most do. ``CommandSession`` is for a program that is started for each question; its backend
states ``process_per_question = True``, so that the contract kit has fewer questions.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable

from gridproof.backends.protocol import Backend, Session, Statistics
from gridproof.limits import Limits, Watch
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Grid


class MySession(Session):
    def __init__(self, problem: Problem) -> None:
        # Load the rules here, once. Nothing of a board may be needed.
        super().__init__(problem)

    def _solutions(self, board: Board, limits: Limits) -> Generator[Grid, None, None]:
        # A Watch keeps the limits: hand remaining() and conflicts_left() to a solver that can stop itself, or call
        # look() now and then in a search and conflict() at every dead end: they raise Interrupted.
        watch = Watch(limits)
        try:
            # 1. Tell the solver the board: board.candidates has a mask of the symbols left for each cell.
            # 2. For each solution: watch.before_next_solution(), then yield the grid, a tuple of symbols 1 .. n.
            #    Never yield a grid twice: forbid it before you look for the next.
            # 3. Return when the solver has proven that there are no more, and only then. Out of time is not "no more".
            watch.look()
            yield from ()
        finally:
            # 4. Take everything of this board back. This runs, too, if the caller has enough after one grid.
            #    What the board cost; leave None what your solver does not count.
            self._statistics = Statistics(seconds=watch.elapsed)


class MyBackend(Backend):
    name = "my-solver"
    family = "search"
    # The name of a target ("cnf", "asp", ...) gets what encodings make of houses and rules, "problem" gets both as they
    # are.
    accepts = "problem"
    summary = "one line for `gridproof backends`"

    def unavailable(self) -> str | None:
        # Say what is missing and how to get it. Import the solver in open(), not at the top of the file.
        return "this is the template"

    def refuses(self, problem: Problem) -> str | None:
        # Never leave out a rule that you do not understand: refuse it.
        return "it takes houses only" if problem.rules else None

    def _open(self, model: Problem) -> Session:
        return MySession(model)


def backends() -> Iterable[Backend]:
    # What makes this module a module of backends.
    return [MyBackend()]
