"""Puzzles that are made: attempt after attempt, each by its number, until there are as many as asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from math import inf
from types import NoneType
from typing import Any, NamedTuple

from gridproof.errors import DisagreementError, InputError
from gridproof.expect import expect, expect_flag, expect_whole
from gridproof.generation import top_down
from gridproof.generation.recipe import Generated, Recipe
from gridproof.generation.seen_forms import SeenForms
from gridproof.generation.tally import PATIENCE, Patience, Tally
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.runs.children import LONGEST_WAIT
from gridproof.runs.pool import ChildExecutor
from gridproof.solving import rating_of
from gridproof.solving.path import SolvingPath
from gridproof.text import suggest
from gridproof.trust.crosscheck import ONE_BY_ONE, SAMPLED_SHARE


class Way(NamedTuple):
    """Numbers of attempts that are made at a time, and in a row.

    together: the most of a call, which all begin and end together. in_a_row: the most that may give nothing wanted.
    """

    together: int
    in_a_row: int


IN_LANES = Way(16_384, 100_000)
"""Boards without rules: some thousand attempts a second."""

RATED = Way(16, 5_000)
"""The same with ratings: ten attempts a second."""

BY_SOLVER = Way(8, 5_000)
"""Large boards and boards with rules: several attempts a second."""

RATED_WITH_RULES = Way(2, 500)
"""The same with ratings: seconds for an attempt."""

FIRST_SHARE, FIRST_COMPILED_SHARE = 512, 4096
"""The most attempts of the first calls in NumPy, and of the first one in compiled lanes: puzzles soon begin to come."""


def generate(
    count: int = 1,
    recipe: Recipe | None = None,
    *,
    distinct: bool = False,
    unlike: Iterable[Board] = (),
    jobs: int = 1,
    patience: float = PATIENCE,
    **more: Any,
) -> Iterator[Board]:
    """Yield puzzles with exactly one solution: clues are taken away from random grids as long as they can be.

    This is the "top-down" way, which gives puzzles of few clues more often than they are among all minimal puzzles. The
    same recipe and version give the same puzzles, whatever ``jobs``.

    Parameters
    ----------
    count
        The number of puzzles.
    recipe
        What they must be like.
    distinct
        Whether no two puzzles may be equal up to symmetry.
    unlike
        Puzzles, such as those of a training set, to which none may be equal up to symmetry.
    jobs
        The number of processes; 1 for this one.
    patience
        The seconds without a puzzle after which it ends with an error.
    **more
        Fields of ``Recipe``, instead of ``recipe``: ``shape``, ``rules``, ``clues``, ``minimal``, ``symmetry``,
        ``pattern``, ``killer``, ``cost``, ``grade``, ``seed``.

    Yields
    ------
    Board
        Verified with its grid and cross-checked: each of up to 1,000 puzzles, one of 1,000 beyond.

    Raises
    ------
    InputError
        If the options do not go together, or if ``patience`` or very many attempts in a row give nothing.
    DisagreementError
        If the verification contradicts the search: a bug.

    References
    ----------
    Berthier 2009, Unbiased statistics of a CSP: a controlled-bias generator (what top-down generators prefer).

    Examples
    --------
    >>> import gridproof
    >>> [board] = gridproof.generate(1, shape=gridproof.Geometry.classic(2), seed=1)
    >>> gridproof.verify(board).is_unique, gridproof.explain(board).is_minimal
    (True, True)
    >>> symmetric = next(gridproof.generate(symmetry="half-turn", clues=(24, 28), seed=5))
    >>> all(bool(one) == bool(other) for one, other in zip(symmetric.clues, reversed(symmetric.clues)))
    True
    """
    expect(recipe, (Recipe, NoneType), "recipe", "a Recipe, or None")
    expect_flag(distinct, "distinct")
    if recipe is not None and more:
        raise InputError(f"a recipe beside {next(iter(more))}; expected one of them")
    fields = Recipe.__dataclass_fields__
    for name in more:
        if name not in fields:
            raise InputError(f"no option is called {name!r}; {suggest(name, fields)}")
    wanted = recipe or Recipe(**more)
    made = puzzles(count, wanted, jobs=jobs, distinct=distinct, unlike=unlike, patience=patience)
    return (one.board for one in made)


def puzzles(
    count: int,
    recipe: Recipe,
    *,
    jobs: int = 1,
    distinct: bool = False,
    unlike: Iterable[Board] = (),
    patience: float = PATIENCE,
    progress: Callable[[int, int], object] = lambda done, total: None,
    report: Callable[[str], object] = lambda line: None,
) -> Iterator[Generated]:
    """Yield ``count`` puzzles of a recipe, each with its grid and, if the recipe is about cost, its rating.

    Parameters
    ----------
    count, recipe, jobs, distinct, unlike, patience
        As in ``generate``.
    progress
        Called with the number done and ``count``.
    report
        Called with a line on what attempts have given, if no wanted puzzle came for seconds.

    Raises
    ------
    InputError, DisagreementError
        As ``generate`` does.
    """
    count = expect_whole(count, "count", least=1)
    jobs = expect_whole(jobs, "jobs", least=1)
    if not patience > 0:
        raise InputError(f"patience {patience!r}; expected seconds above zero")
    others = list(unlike)
    seen = None
    if distinct or others:
        seen = SeenForms(recipe, distinct=distinct, unlike=others)
    way = way_of(recipe)
    hope = Patience(patience, report)
    done = 0
    end_of_last = 0
    with ExitStack() as stack:
        shares = Shares(recipe, count, jobs, way, hope)
        stack.callback(shares.close)
        while True:
            end, share = shares.next(done)
            for one in share:
                if seen is not None and not seen.is_new(one):
                    hope.tally.repeated += 1
                    continue
                done += 1
                end_of_last = end
                yield one
                hope.restart()
                progress(done, count)
                is_only = not recipe.killer and not one.board.clue_count
                if done == count or is_only:
                    return
            hope.look()
            if end - end_of_last >= way.in_a_row:
                hope.give_up()


def way_of(recipe: Recipe) -> Way:
    """Return how many attempts of a recipe are made together and in a row."""
    if recipe.in_lanes:
        return RATED if recipe.rates else IN_LANES
    return RATED_WITH_RULES if recipe.rates else BY_SOLVER


class Shares:
    """The attempts of a recipe, share by share, in this process or in others.

    Parameters
    ----------
    recipe, count, jobs
        As in ``puzzles``.
    way
        How many attempts a share has at most.
    hope
        Where attempts are counted, and what looks at the clock.
    """

    def __init__(self, recipe: Recipe, count: int, jobs: int, way: Way, hope: Patience) -> None:
        self._recipe = recipe
        self._count = count
        self._jobs = jobs
        self._way = way
        self._hope = hope
        self._every = 1 if count <= ONE_BY_ONE else round(1 / SAMPLED_SHARE)
        self._start = 0
        self._executor = ChildExecutor(jobs) if jobs > 1 else None
        self._begun: deque[tuple[int, Callable[[], Iterable[Generated]]]] = deque()

    def close(self) -> None:
        """End the processes."""
        if self._executor is not None:
            self._executor.shutdown()

    def next(self, done: int) -> tuple[int, Iterable[Generated]]:
        """Return the end of the next share, and its puzzles. done: how many puzzles there are."""
        ahead = 1 if self._executor is None else self._jobs + 1
        while len(self._begun) < ahead:
            self._begin(self._next_numbers(done))
        end, finish = self._begun.popleft()
        return end, finish()

    def _next_numbers(self, done: int) -> range:
        """Return the numbers of so many attempts as will do, if they give puzzles as often as those before."""
        start = self._start
        likely = -(-(self._count - done) * (start + 1) // ((done + 1) * self._jobs))
        most = self._way.together
        if start == 0 and most > FIRST_SHARE:
            from gridproof.lanes import is_compiled  # with NumPy, which puzzles made by the solver do not need

            most = min(most, FIRST_COMPILED_SHARE if is_compiled(likely) else FIRST_SHARE)
        self._start += max(1, min(most, likely))
        return range(start, self._start)

    def _begin(self, numbers: range) -> None:
        """Begin a share in a process of its own, or note it for when it is asked for."""
        finish: Callable[[], Iterable[Generated]]
        if self._executor is None:
            finish = partial(make, self._recipe, numbers, self._every, self._hope)
        else:
            future = self._executor.submit(_make_all, self._recipe, numbers, self._every)
            finish = partial(self._wait_for, future)
        self._begun.append((numbers.stop, finish))

    def _wait_for(self, future: Future[tuple[list[Generated], Tally]]) -> list[Generated]:
        """Return the puzzles of a share that another process makes."""
        while not wait([future], min(LONGEST_WAIT, self._hope.until_next())).done:
            self._hope.look()
        made, tally = future.result()
        self._hope.tally.add(tally)
        return made


def make(recipe: Recipe, numbers: range, every: int, hope: Patience) -> Iterator[Generated]:
    """Yield the puzzles of some attempts, with their ratings if the recipe has puzzles rated.

    every: one of so many is verified. hope: where attempts are counted, and what looks at the clock.
    """
    parts = [numbers] if recipe.in_lanes else [range(number, number + 1) for number in numbers]
    with Pipeline() as pipeline:
        for part in parts:
            for made in top_down.attempts(recipe, part, hope.tally):
                one = rate_made(made, recipe, hope.tally)
                if one is None:
                    hope.look()
                    continue
                if one.number % every == 0:
                    verify_made(one, pipeline)
                yield one
            hope.look()


def rate_made(made: Generated, recipe: Recipe, tally: Tally) -> Generated | None:
    """Return a puzzle with its rating, if the recipe has puzzles rated; ``None`` if the recipe does not take it."""
    if not recipe.rates:
        return made
    with SolvingPath(made.board, most=recipe.most_cost) as path:  # as ``rate`` does, but no further than it may go
        rating = rating_of(path)
    if path.is_too_dear:
        tally.too_dear += 1
        return None
    tally.costs.append(rating.hardest)
    if not recipe.takes(rating):
        return None
    return replace(made, rating=rating)


def verify_made(made: Generated, pipeline: Pipeline) -> None:
    """Raise ``DisagreementError`` unless a puzzle has its own solution alone."""
    verdict = pipeline.verify(made.board)
    if not verdict.is_unique or verdict.solution != made.solution:
        raise DisagreementError(f"{made.board.text()} was made with one solution, but it is {verdict}")


def _make_all(recipe: Recipe, numbers: range, every: int) -> tuple[list[Generated], Tally]:
    """Return the puzzles of some attempts, and what these gave: the call of another process."""
    hope = Patience(inf, lambda line: None)
    return list(make(recipe, numbers, every, hope)), hope.tally
