"""A session asked in every order that Hypothesis thinks of, compared with the plain ground truth at each step.

Where a step is wrong, the steps before it are cut down to those that are needed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Literal

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

import ground_truth
from gridproof import backends
from gridproof.backends.protocol import Backend
from gridproof.backends.sessions import Solutions
from gridproof.backends.witnesses import compile_model, default_encoding
from gridproof.errors import BackendFailure, BoardError, Interrupted
from gridproof.limits import Limits
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.rules import all_kinds
from rule_samples import grids, random_rule

pytestmark = pytest.mark.slow

NAMES = ("cadical153", "cp-sat", "search-propagate", "lanes", "reference")
GEOMETRIES = (Geometry.latin(3), Geometry.classic(2), Geometry.jigsaw("AAAB CABB CCDB CDDD"))
KINDS = sorted(all_kinds().values(), key=lambda kind: kind.name)


class Shown(Problem):
    """A problem that a failure shows in the words of its rules."""

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(" + ".join([self.geometry.description, *(rule.text(self.geometry) for rule in self.rules)]))


@lru_cache(maxsize=512)
def truth(board: Board) -> frozenset[Grid]:
    return frozenset(ground_truth.solutions(board))


@lru_cache(maxsize=512)
def fitting(problem: Problem) -> list[Grid]:
    """The grids on which all rules hold."""
    geometry, rules = problem
    return [grid for grid in grids(geometry) if all(rule.holds(grid, geometry) for rule in rules)]


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """A geometry with up to two rules that some grid fulfils."""
    problem = Shown(draw(st.sampled_from(GEOMETRIES)))
    for kind in draw(st.lists(st.sampled_from(KINDS), max_size=2)):
        found = random_rule(kind, problem.geometry, Random(draw(st.integers(0, 99))))
        more = problem._replace(rules=(*problem.rules, found))
        problem = more if fitting(more) else problem
    return problem


@st.composite
def boards(draw: st.DrawFn, problem: Problem) -> Board:
    """Some symbols of a solution as clues, and now and then a clue or pencil marks that may contradict it."""
    geometry = problem.geometry
    cells = st.sampled_from(range(geometry.cell_count))
    now_and_then = st.sampled_from([False, False, False, True])
    grid = draw(st.sampled_from(fitting(problem)))
    clues, full = [0] * geometry.cell_count, (1 << geometry.order) - 1
    for cell in draw(st.lists(cells, max_size=4, unique=True)):
        clues[cell] = grid[cell]
    if draw(now_and_then):
        clues[draw(cells)] = draw(st.integers(0, geometry.order))
    board = Board(geometry, tuple(clues), rules=problem.rules)
    if draw(now_and_then):
        marks = [full] * len(clues)
        for cell in draw(st.lists(cells, max_size=4)):
            marks[cell] = draw(st.integers(0, full))
        board = board.with_marks(marks)
    return board


LIMITS = st.builds(
    Limits,
    seconds=st.sampled_from([None, 600.0]),
    conflicts=st.sampled_from([None, 10**9, 1]),
    solutions=st.sampled_from([None, None, 1, 2, 3]),
)


NUMBERS = st.sampled_from([1, 1_000, 2, 0])
"""How many solutions are taken at once."""


@dataclass(eq=False)
class Asked:
    """A board that a session was asked, and what it said so far."""

    board: Board
    limits: Limits
    running: Solutions
    state: Literal["open", "complete", "cut off"] = "open"
    said: set[Grid] = field(default_factory=set)


class SessionMachine(RuleBasedStateMachine):
    """What a session must do, step by step; ``gridproof.backends.protocol`` says it in words."""

    backend: ClassVar[Backend]

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Asked] = []
        self.closed = False

    @initialize(problem=problems())
    def open_session(self, problem: Problem) -> None:
        if self.backend.refuses(problem):
            problem = Problem(problem.geometry)
        self.problem = problem
        model = compile_model(problem, self.backend, default_encoding(self.backend, problem))
        self.session = self.backend.open(model)

    @rule(data=st.data(), limits=LIMITS, number=NUMBERS)
    def ask(self, data: st.DataObject, limits: Limits, number: int) -> None:
        """Asking for the next board cuts the last one off; a closed session takes none."""
        known = [asked.board for asked in self.asked]
        fresh = boards(self.problem)
        board = data.draw(st.sampled_from(known) | fresh if known else fresh, label="board")
        if self.closed:
            with pytest.raises(BackendFailure, match="closed"):
                self.session.solutions(board, limits)
            return
        running = self.session.solutions(board, limits)
        self._cut_off()
        self.asked.append(Asked(board, limits, running))
        if number:
            self.take(number)

    @precondition(lambda self: self.asked and self.asked[-1].state == "open")
    @rule(number=NUMBERS)
    def take(self, number: int) -> None:
        """Some solutions of the last board asked."""
        asked = self.asked[-1]
        for _ in range(number):
            self._step(asked)
            if asked.state != "open":
                break

    @precondition(lambda self: len(self.asked) > 1 or self.closed)
    @rule(data=st.data())
    def take_from_any(self, data: st.DataObject) -> None:
        """One that was cut off never says that there are no more; one that said so says it again."""
        if self.asked:
            self._step(data.draw(st.sampled_from(self.asked), label="asked"))

    @precondition(lambda self: self.asked)
    @rule()
    def have_enough(self) -> None:
        """Close the last iterator early, or once more."""
        self.asked[-1].running.close()
        self._cut_off()

    @precondition(lambda self: not self.closed)
    @rule(other=st.sampled_from(GEOMETRIES))
    def ask_something_else(self, other: Geometry) -> None:
        """Statistics, and a board of another problem, which is refused; neither disturbs anybody."""
        seconds = self.session.statistics.seconds
        assert seconds is None or seconds >= 0
        if Problem(other) != self.problem:
            with pytest.raises(BoardError):
                self.session.solutions(Board.empty(other))

    @precondition(lambda self: len(self.asked) > 4)
    @rule()
    def close(self) -> None:
        """As often as one likes."""
        self.session.close()
        self.closed = True
        self._cut_off()

    def _cut_off(self) -> None:
        for asked in self.asked:
            if asked.state == "open":
                asked.state = "cut off"

    def _step(self, asked: Asked) -> None:
        """The next solution, which must be what the ground truth has left."""
        if asked.state == "complete":
            assert next(asked.running, None) is None
            return
        if asked.state == "cut off":
            with pytest.raises(BackendFailure):
                next(asked.running)
            return
        right, most = truth(asked.board), asked.limits.solutions
        stopped = None
        try:
            grid = next(asked.running, None)
        except Interrupted as stop:
            stopped = stop
        if stopped is not None:
            asked.state = "cut off"
            assert stopped.value is not None, "a limit was set"
            assert getattr(asked.limits, stopped.limit) == stopped.value
            assert stopped.limit == "conflicts" or len(asked.said) == most, "it came first"
        elif grid is None:
            asked.state = "complete"
            assert asked.said == right, "there are no more"
        else:
            assert grid in right, "it is a solution"
            assert grid not in asked.said, "that did not come before"
            asked.said.add(grid)
            assert most is None or len(asked.said) <= most, "within the limit"

    def teardown(self) -> None:
        if hasattr(self, "session"):
            self.session.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_session_keeps_the_contract_in_any_order_of_steps(name: str) -> None:
    machine = type(f"Machine of {name}", (SessionMachine,), {"backend": backends.find(name)})
    # what a machine draws is slow by nature, and CP-SAT needs milliseconds for a question
    examples = max(1, settings().max_examples // (10 if name == "cp-sat" else 2))
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=examples, stateful_step_count=20, suppress_health_check=list(HealthCheck)),
    )
