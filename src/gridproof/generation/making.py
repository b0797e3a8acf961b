"""Puzzles that are made: attempt after attempt, each by its number, until there are as many as asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any

from gridproof.arguments import checked
from gridproof.errors import DisagreementError, InputError, counted
from gridproof.explanations.steps import Rating
from gridproof.explanations.steps.path import Path
from gridproof.explanations.steps.rating import rating_of
from gridproof.generation.by_solver import by_solver
from gridproof.generation.killer import LARGEST_ORDER
from gridproof.generation.recipe import Generated, Recipe, Symmetry, orbits, places_of, span
from gridproof.limits import NO_LIMITS
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.runs.calls import ChildExecutor
from gridproof.trust.crosscheck import ONE_BY_ONE, SAMPLED_SHARE

if TYPE_CHECKING:
    from gridproof.rules.statement import AnyRule

MOST_ATTEMPTS, MOST_ATTEMPTS_IN_LANES = 5_000, 1_000_000
"""Attempts in a row that may give nothing: then the options are refused."""

_SHARE_IN_LANES, _SHARE_OF_SOLVER = 2048, 8
"""The most attempts of a call, which all begin and end together."""

_LARGEST_SEED = 1 << 48


@checked
def generate(
    count: int = 1,
    shape: Geometry | None = None,
    *,
    rules: Iterable[AnyRule] | AnyRule = (),
    clues: Sequence[int] | int | None = None,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    pattern: str | None = None,
    killer: bool = False,
    cost: Sequence[float] | float | None = None,
    distinct: bool = False,
    seed: int | None = None,
    jobs: int = 1,
) -> Iterator[Board]:
    """Yield puzzles with exactly one solution: clues are taken away from random grids as long as they can be.

    This is the "top-down" way, which gives puzzles of few clues more often than they are among all minimal puzzles. The
    same seed, options and version give the same puzzles, whatever ``jobs``.

    Parameters
    ----------
    count
        The number of puzzles.
    shape
        Their geometry; without it, 9x9 with the usual boxes.
    rules
        Rules of every puzzle, such as ``"anti-knight"``. If they leave one solution without any clue, that is the only
        puzzle.
    clues
        The number of clues, or the least and the most. Where fewer would do, clues stay until there are the least.
    minimal
        Whether only puzzles count of which no clue can be left out. Without ``clues`` all are like that, except that
        on large boards the solver may not come to an end. With a symmetry, no set of clues that belong together can be.
    symmetry
        ``half-turn``, ``quarter-turn``, ``horizontal`` (upper and lower half), ``vertical`` (left and right half),
        ``diagonal``, ``full`` (all of these) or ``none``.
    pattern
        Where clues may stand: a character for each cell, of which ``.`` keeps its cell empty.
    killer
        Whether to draw cages in place of clues: random layouts, until one leaves one solution.
    cost
        The rating (``gridproof.rate``), or its least and most.
    distinct
        Whether no two puzzles may be equal up to symmetry.
    seed
        Of all random choices, from 0; without it, another one each time.
    jobs
        The number of processes; 1 for this one.

    Yields
    ------
    Board
        Verified: with its grid by an independent reference, each of up to 1,000 puzzles, one of 1,000 beyond.

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
    >>> [board] = gridproof.generate(1, gridproof.Geometry.classic(2), seed=1)
    >>> gridproof.verify(board).is_unique, gridproof.explain(board).is_minimal
    (True, True)
    >>> symmetric = next(gridproof.generate(symmetry="half-turn", clues=(24, 28), seed=5))
    >>> all(bool(one) == bool(other) for one, other in zip(symmetric.clues, reversed(symmetric.clues)))
    True
    """
    recipe = recipe_of(
        shape or Geometry.classic(3), rules, clues=clues, minimal=minimal, symmetry=symmetry, pattern=pattern,
        killer=killer, cost=cost, seed=seed,
    )  # fmt: skip
    return (made.board for made in puzzles(recipe, count, jobs=jobs, distinct=distinct))


def recipe_of(
    shape: Geometry,
    rules: Iterable[AnyRule] | AnyRule = (),
    *,
    clues: Sequence[int] | int | None = None,
    minimal: bool = False,
    symmetry: Symmetry = "none",
    pattern: str | None = None,
    killer: bool = False,
    cost: Sequence[float] | float | None = None,
    seed: int | None = None,
    rated: bool = False,
) -> Recipe:
    """Return the recipe of the options of ``generate``. Raises ``InputError``. rated: whether to rate each puzzle."""
    problem = Board.empty(shape).with_rules(rules).problem
    least, most = (0, shape.cell_count) if clues is None else map(int, span(_values(clues), "clues"))
    groups: list[tuple[int, ...]] = orbits(shape.order, symmetry)
    if pattern is not None:
        places = places_of(pattern, shape.order)
        groups = [group for group in groups if places.issuperset(group)]
    if killer:
        if clues is not None or pattern is not None or symmetry != "none":
            raise InputError("killer with clues, pattern or symmetry; expected none of them: cages stand for all clues")
        if shape.order > LARGEST_ORDER:
            raise InputError(f"killer on a board of order {shape.order}; expected at most {LARGEST_ORDER}")
        groups = []
    if seed is None:
        from secrets import randbelow

        seed = randbelow(_LARGEST_SEED)
    if seed < 0:
        raise InputError(f"seed {seed}; expected a whole number from 0")
    room = sum(map(len, groups))
    if least > room:
        raise InputError(f"at least {least} clues; expected at most {room}, which have a place")
    costs = None if cost is None else span(_values(cost), "cost")
    return Recipe(problem, seed, tuple(groups), least, most, minimal, costs, rated, killer)


def _values(values: Any) -> Sequence[Any]:
    return values if isinstance(values, Sequence) else [values]


def puzzles(
    recipe: Recipe,
    count: int,
    *,
    jobs: int = 1,
    distinct: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> Iterator[Generated]:
    """Yield ``count`` puzzles of a recipe, with what is known of each.

    progress: called with the number done and ``count``. Raises as ``generate`` does.
    """
    if count < 1 or jobs < 1:
        raise InputError(f"{count} puzzles by {jobs} jobs; expected at least 1 of each")
    if count > ONE_BY_ONE:
        recipe = replace(recipe, cross_checked=round(1 / SAMPLED_SHARE))
    in_lanes = makes_in_lanes(recipe)
    most = MOST_ATTEMPTS_IN_LANES if in_lanes and recipe.cost is None else MOST_ATTEMPTS
    key = _key(recipe.problem.geometry) if distinct else None
    met: set[bytes] = set()
    done = last = 0

    def state() -> tuple[int, int]:
        return count - done, done

    with nullcontext() if jobs == 1 else ChildExecutor(jobs) as executor:
        for numbers, made in _attempts(recipe, jobs, executor, state):
            for one in made:
                if key is not None:
                    if (form := key(one)) in met:
                        continue
                    met.add(form)
                done, last = done + 1, numbers.stop
                yield one
                progress(done, count)
                if done == count:
                    return
                if not one.board.clue_count and not recipe.killer:
                    return  # the rules leave one solution: there is no other puzzle
            if numbers.stop - last >= most:
                raise InputError(
                    f"{counted(numbers.stop - last, 'attempt')} in a row gave no puzzle like this"
                    f" ({counted(done, 'puzzle')} before); expected options that more puzzles have"
                )


def makes_in_lanes(recipe: Recipe) -> bool:
    """Return whether the lanes make the puzzles of a recipe, many at once."""
    from gridproof.generation import in_lanes

    return not (recipe.killer or recipe.problem.rules) and recipe.problem.geometry.order <= in_lanes.LARGEST_ORDER


def _attempts(
    recipe: Recipe, jobs: int, executor: ChildExecutor | None, state: Callable[[], tuple[int, int]]
) -> Iterator[tuple[range, list[Generated]]]:
    """Yield the puzzles of ever higher numbers, in order; state: how many puzzles are missing and done."""
    most = _SHARE_IN_LANES if makes_in_lanes(recipe) else _SHARE_OF_SOLVER
    if recipe.cost is not None or recipe.rated:
        most = min(most, 64)
    begun: deque[tuple[range, Future[list[Generated]] | None]] = deque()
    start = 0
    while True:
        while len(begun) < (1 if executor is None else jobs + 1):
            missing, done = state()
            likely = -(-missing * (start + 1) // ((done + 1) * jobs))  # as many attempts for each puzzle as before
            numbers = range(start, start + max(1, min(most, likely)))
            start = numbers.stop
            begun.append((numbers, None if executor is None else executor.submit(make, recipe, numbers)))
        numbers, future = begun.popleft()
        yield numbers, make(recipe, numbers) if future is None else future.result()


def make(recipe: Recipe, numbers: range) -> list[Generated]:
    """Make the puzzles of some attempts, rated and verified as the recipe wants it."""
    if makes_in_lanes(recipe):
        from gridproof.generation.in_lanes import by_lanes

        made = by_lanes(recipe, numbers)
    else:
        made = by_solver(recipe, numbers)
    if recipe.cost is not None or recipe.rated:
        low, high = recipe.cost or (0, inf)
        rated = [(one, _rating(one.board, high)) for one in made]
        made = [replace(one, rating=rating) for one, rating in rated if low <= rating.cost <= high]
    with Pipeline() as pipeline:
        for one in made:
            if one.number % recipe.cross_checked == 0:
                _verify(one, pipeline)
    return made


def _rating(board: Board, most: float) -> Rating:
    """Rate a puzzle as ``gridproof.rate`` does, but stop at a step that costs more than ``most``."""
    with Path(board, NO_LIMITS) as path:
        return rating_of(path, most)


def _verify(made: Generated, pipeline: Pipeline) -> None:
    """Verify a puzzle like any other. Raises ``DisagreementError`` if it has not exactly the solution that it has."""
    verdict = pipeline.verify(made.board)
    if not verdict.is_unique or verdict.solution != made.solution:
        raise DisagreementError(f"{made.board.text()} was made with one solution, but it is {verdict}")


def _key(geometry: Geometry) -> Callable[[Generated], bytes]:
    """Return a function that gives equal values for puzzles that are equal up to symmetry, and no others."""
    from gridproof.generation.canonical import LeastForms

    forms = LeastForms(geometry)
    return lambda made: bytes(forms.of(made.board.clues, made.solution)[0])
