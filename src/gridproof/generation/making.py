"""Puzzles that are made: attempt after attempt, each by its number, until there are as many as asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from types import NoneType
from typing import Any

from gridproof.errors import DisagreementError, InputError
from gridproof.expect import expect, expect_flag, expect_whole
from gridproof.generation import top_down
from gridproof.generation.canonical import LeastForms
from gridproof.generation.recipe import Generated, Recipe
from gridproof.lanes import is_compiled
from gridproof.limits import NO_LIMITS
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.runs.pool import ChildExecutor
from gridproof.solving import rating_of
from gridproof.solving.path import SolvingPath
from gridproof.text import counted, suggest
from gridproof.trust.crosscheck import ONE_BY_ONE, SAMPLED_SHARE

IN_LANES, RATED, BY_SOLVER, RATED_WITH_RULES = (4096, 100_000), (16, 5_000), (8, 5_000), (8, 500)
"""The most attempts of a call, which all begin and end together, and the most in a row that may give nothing, which
take minutes: then the options are refused."""

_SHARE_AT_FIRST = 512
"""The most attempts of the first calls in NumPy, so that the first puzzles come soon."""


def generate(
    count: int = 1, recipe: Recipe | None = None, *, distinct: bool = False, jobs: int = 1, **more: Any
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
    jobs
        The number of processes; 1 for this one.
    **more
        Fields of ``Recipe``, instead of ``recipe``: ``shape``, ``rules``, ``clues``, ``minimal``, ``symmetry``,
        ``pattern``, ``killer``, ``cost``, ``seed``.

    Yields
    ------
    Board
        Verified with its grid and cross-checked: each of up to 1,000 puzzles, one of 1,000 beyond.

    Raises
    ------
    InputError
        If the options do not go together, or if very many attempts in a row give nothing.
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
    for name in more.keys() - Recipe.__dataclass_fields__.keys():
        raise InputError(f"no option is called {name!r}; {suggest(name, [*Recipe.__dataclass_fields__])}")
    return (made.board for made in puzzles(count, recipe or Recipe(**more), jobs=jobs, distinct=distinct))


def puzzles(
    count: int,
    recipe: Recipe,
    *,
    jobs: int = 1,
    distinct: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Iterator[Generated]:
    """Yield ``count`` puzzles of a recipe, each with its grid and, if the recipe wants it, its rating.

    progress: called with the number done and ``count``. Raises as ``generate`` does.
    """
    count = expect_whole(count, "count", least=1)
    jobs = expect_whole(jobs, "jobs", least=1)
    every = 1 if count <= ONE_BY_ONE else round(1 / SAMPLED_SHARE)
    ways = (RATED, IN_LANES) if recipe.in_lanes else (RATED_WITH_RULES, BY_SOLVER)
    most, most_in_a_row = ways[0 if recipe.rates else 1]
    if distinct and (recipe.killer or recipe.problem.rules):
        raise InputError("distinct puzzles with rules; expected none: symmetries may change what rules mean")
    forms = LeastForms(recipe.shape) if distinct else None
    met: set[object] = set()
    done = last = start = 0
    begun: deque[tuple[int, Callable[[], Iterable[Generated]]]] = deque()
    with ExitStack() as stack:
        executor = stack.enter_context(ChildExecutor(jobs)) if jobs > 1 else None
        while True:
            while len(begun) < (jobs + 1 if executor else 1):
                likely = -(-(count - done) * (start + 1) // ((done + 1) * jobs))  # as often as before
                whole = start or most <= _SHARE_AT_FIRST or is_compiled(likely)
                share = most if whole else _SHARE_AT_FIRST
                numbers = range(start, start + max(1, min(most, likely, share)))
                start = numbers.stop
                call = recipe, numbers, every
                begun.append((start, executor.submit(_all, *call).result if executor else partial(make, *call)))
            end, result = begun.popleft()
            for one in result():
                form = forms.of(one.board.clues, one.solution)[0] if forms else one.number
                if form in met:
                    continue
                met.add(form)
                done, last = done + 1, end
                yield one
                progress(done, count)
                if done == count or not (recipe.killer or one.board.clue_count):
                    return  # without any clue there is no other puzzle
            if end - last >= most_in_a_row:
                raise InputError(
                    f"{counted(end - last, 'attempt')} in a row gave no puzzle like this"
                    f" ({counted(done, 'puzzle')} before); expected options that more puzzles have"
                )


def make(recipe: Recipe, numbers: range, every: int) -> Iterator[Generated]:
    """Yield the puzzles of some attempts, rated if the recipe wants it. every: verify one of so many."""
    low, high = recipe.costs
    with Pipeline() as pipeline:
        for made in top_down.attempts(recipe, numbers):
            one = made
            if recipe.rates:
                with SolvingPath(
                    one.board, NO_LIMITS
                ) as path:  # as ``rate`` does, but up to a step that costs too much
                    one = replace(one, rating=rating_of(path, high))
                if one.rating is None or not low <= one.rating.cost <= high:
                    continue
            if one.number % every == 0:
                verdict = pipeline.verify(one.board)
                if not verdict.is_unique or verdict.solution != one.solution:
                    raise DisagreementError(f"{one.board.text()} was made with one solution, but it is {verdict}")
            yield one


def _all(*arguments: Any) -> list[Generated]:
    return list(make(*arguments))
