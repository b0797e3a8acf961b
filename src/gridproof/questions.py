"""Questions about one puzzle: ``verify``, ``solve``, ``count`` and ``solutions``.

With the default backend they share one pipeline, which stays open (``warm``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from gridproof.backends.protocol import Backend
from gridproof.errors import BoardError, DisagreementError, InputError
from gridproof.expect import expect_flag, expect_whole
from gridproof.formats import PuzzleLike, parse, read_puzzle
from gridproof.formats.reading import ReadOptions
from gridproof.limits import NO_LIMITS, Limits, Watch
from gridproof.models.targets import Encoding
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board
from gridproof.puzzle.grid import Grid
from gridproof.trust.count import Count, write_number
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.verdict import Status, Verdict
from gridproof.warm import lend_pipeline

PROBES = 4_000
"""Random probes of an estimate by default: some seconds for 9x9 cells."""

FEW = 100
"""If all probes are worth no more than so many of equal weight, an estimate states it."""


def verify(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck = "all",
    **reading: Unpack[ReadOptions],
) -> Verdict:
    """Check whether one puzzle has no solution, exactly one, or several.

    Parameters
    ----------
    puzzle
        A ``Board``, or whatever ``gridproof.parse`` reads: a text, a link, or cells in a list or an array.
    backend
        The solver, by its name or as an object; ``gridproof backends`` lists them.
    encoding
        The encoding, by its name, its path, or as an object; ``gridproof encodings`` lists them. Without it, the
        default of the backend.
    limits
        When to stop, such as ``Limits(seconds=10)``; the default is never.
    cross_check
        Whether an independent reference checks that there are no more solutions: ``"all"`` or ``"none"``. Where the
        reference takes long, a second solver checks it. A ``CrossCheck`` also sets the seconds for that.
    **reading
        The options of ``gridproof.parse``: ``shape``, ``zero``, ``rules``, such as ``"killer 15 r1c1 r1c2 r2c1"``,
        ``entries_as_clues``, and ``despite_unread``, which takes the puzzle as it was read even if something unread may
        be a rule; the verdict lists it.

    Returns
    -------
    Verdict
        The status, one solution (or two different ones of several; which two may depend on earlier questions, as the
        solver has learned from them), and the evidence. If the puzzle has a stored
        solution, that is checked, too. If something unread may be a rule, the status is what follows from the part that
        was understood: ``none``, ``unique`` with the stored solution, or ``at most one``. If the puzzle has rules in
        words, ``unique`` has ``evidence.basis`` ``what was read`` unless the stored solution is that one.

    Raises
    ------
    NotUnderstoodError
        If something unread may be a rule, and nothing follows from the rest; also if what was read has several
        solutions or none, and rules in words may change that.
    InputError
        If ``puzzle`` is not a puzzle, or a rule cannot be read.
    BackendUnavailable, EncodingError
        If the backend cannot be used, or not with this encoding.

    See Also
    --------
    verify_many : for files, tables and arrays of puzzles.
    Pipeline : for many puzzles with one solver.
    gridproof.explain : why there is no solution, or several.

    Examples
    --------
    >>> import gridproof
    >>> verdict = gridproof.verify("12.. .... 4.1. ....")
    >>> print(verdict)
    multiple; two solutions differ in 4 cells: r1c3 r1c4 r4c3 r4c4; reference: not needed

    A rule leaves one solution:

    >>> verdict = gridproof.verify("12.. .... 4.1. ....", rules=["odd r1c3"])
    >>> verdict.is_unique, verdict.solution["r1c3"], verdict.evidence.reference.word
    (True, 3, 'agrees')
    """
    despite_unread = reading.get("despite_unread", False)
    expect_flag(despite_unread, "despite_unread")
    reading["despite_unread"] = True
    record = read_puzzle(puzzle, **reading)
    with lend_pipeline(record.board, backend, encoding, limits, cross_check) as pipeline:
        return pipeline.decide(record, despite_unread)


def solve(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck = "all",
    **reading: Unpack[ReadOptions],
) -> Grid | None:
    """Find a solution of one puzzle, whether or not it is the only one.

    Parameters
    ----------
    puzzle, backend, encoding, limits, cross_check, **reading
        As in ``verify``.

    Returns
    -------
    Grid, or None
        A tuple with the symbol of each cell, row by row; ``None`` if the puzzle has no solution.

    Raises
    ------
    InputError, BackendUnavailable, EncodingError
        As in ``verify``.
    Interrupted
        If a limit came first.
    DisagreementError
        If the checks contradict the backend.

    Examples
    --------
    >>> import gridproof
    >>> grid = gridproof.solve("1... ..2. .3.. ...4")
    >>> grid
    <Grid 1243 3421 4312 2134>
    >>> grid["r2c1"]
    3
    >>> gridproof.solve("1... 1... .... ....") is None
    True
    """
    board = parse(puzzle, **reading)
    board = parse(puzzle, **reading)
    with lend_pipeline(board, backend, encoding, limits, cross_check) as pipeline:
        answer, verdict = pipeline.answer_and_verdict(board, 1)
    if verdict.status is Status.DISAGREEMENT:
        raise DisagreementError(verdict.reason)
    if answer.stopped:
        raise answer.stopped
    return verdict.solution


def count(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limit: int | None = None,
    estimate: bool = False,
    probes: int = PROBES,
    seed: int = 0,
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck = "all",
    **reading: Unpack[ReadOptions],
) -> Count:
    """Count the solutions of one puzzle, or estimate their number.

    Parameters
    ----------
    puzzle, backend, encoding, limits, cross_check, **reading
        As in ``verify``.
    limit
        The number at which to stop; without it, all solutions are counted.
    estimate
        Whether to estimate the number by random probes instead, of a board without rules, for any number of solutions.
        No backend is needed.
    probes, seed
        The number of probes, and where their choices come from. The interval shrinks with the root of the number.

    Returns
    -------
    Count
        The number, and whether these are all; of an estimate also the ``interval``.

    Raises
    ------
    InputError, BackendUnavailable, EncodingError
        As in ``verify``; ``InputError`` also for a limit below one, and for an estimate of a board with rules.
    Interrupted
        If a limit came before the end of an estimate.
    BackendFailure, DisagreementError
        If the backend crashed, or if it gave a grid that is not a solution, or one grid twice.

    Examples
    --------
    >>> import gridproof
    >>> gridproof.count("." * 16).number
    288
    >>> count = gridproof.count("." * 81, limit=50)
    >>> count.number, count.complete, count.reason
    (50, False, 'stopped at 50')
    >>> low, high = gridproof.count("." * 81, estimate=True, probes=400).interval
    >>> low < 6_670_903_752_021_072_936_960 < high
    True
    """
    expect_flag(estimate, "estimate")
    if estimate:
        return estimated(parse(puzzle, **reading), limit, probes, seed, limits)
    board = parse(puzzle, **reading)
    with lend_pipeline(board, backend, encoding, limits, cross_check) as pipeline:
        return pipeline.count(board, limit)


def estimated(board: Board, limit: int | None, probes: int, seed: int, limits: Limits) -> Count:
    """Estimate the number of solutions, as ``count`` does. Raises ``InputError`` for what does not fit together."""
    from gridproof.lanes.estimating import estimate

    if board.rules:
        raise BoardError("an estimate for a board with rules; expected houses, clues and pencil marks only")
    if limit is not None:
        raise InputError(f"an estimate with limit {limit!r}; expected no limit")
    probes = expect_whole(probes, "probes", least=2)
    seed = expect_whole(seed, "seed", least=0)
    found = estimate(board.geometry, board.candidates, probes, seed, Watch(limits))
    reason = f"95 % interval {write_number(found.low)} to {write_number(found.high)}; {probes:,} probes"
    if not found.number:
        reason = f"none of {probes:,} probes found a solution, which does not prove that there is none"
    elif found.effective < FEW:
        reason += f", of which few carry all the weight (as {found.effective:.0f} equal ones): only the order is sure"
    return Count(found.number, False, reason, interval=(found.low, found.high))


def solutions(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    limits: Limits = NO_LIMITS,
    **reading: Unpack[ReadOptions],
) -> Iterator[Grid]:
    """Yield each solution of one puzzle once, as it is found and checked.

    Parameters
    ----------
    puzzle, backend, encoding, limits, **reading
        As in ``verify``.

    Yields
    ------
    Grid
        A tuple with the symbol of each cell, row by row.

    Raises
    ------
    InputError, BackendUnavailable, EncodingError
        As in ``verify``, when the first solution is wanted.
    Interrupted
        If a limit came before the last solution.
    BackendFailure, DisagreementError
        As in ``count``.

    Examples
    --------
    >>> import gridproof
    >>> sum(1 for grid in gridproof.solutions("1234" + "." * 12))
    12
    """
    board = parse(puzzle, **reading)
    with lend_pipeline(board, backend, encoding, limits, "none") as pipeline:
        yield from pipeline.solutions(board)
