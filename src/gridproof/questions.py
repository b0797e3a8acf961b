"""Questions about one puzzle: ``verify``, ``solve``, ``count`` and ``solutions``, each with a pipeline of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gridproof.backends.protocol import Backend
from gridproof.errors import DisagreementError
from gridproof.formats import PuzzleLike, parse, read_sheet
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models.encoding import Encoding
from gridproof.pipeline import DEFAULT_BACKEND, Count, Pipeline
from gridproof.puzzle.grid import Grid
from gridproof.trust.answer import Stopped
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.verdict import Status, Verdict

if TYPE_CHECKING:
    from gridproof.rules import Rule, Statement


def verify(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    rules: Iterable[Rule | Statement | str] = (),
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck = "all",
    despite_unread: bool = False,
) -> Verdict:
    """Whether one puzzle has no solution, exactly one, or several.

    Parameters
    ----------
    puzzle
        A ``Board``, or what ``gridproof.parse`` reads as one: a text, a link, or cells in a list or an array.
    backend, encoding
        Names or objects (an encoding also by path); without an encoding, the default one for the backend.
    rules
        Further rules for it, such as ``"killer 15 r1c1 r1c2 r2c1"``; see ``gridproof.rules``.
    limits
        When to stop; without any, never.
    cross_check
        ``"all"`` or ``"none"``: whether the reference is asked, too, if there are no more solutions, and a second
        solver where that takes long. A ``CrossCheck`` says for how many seconds, too.
    despite_unread
        Ask also if something of the puzzle was not read that may be a rule; the verdict lists it.

    Returns
    -------
    Verdict
        Its status, with one solution, or two different ones of several, and the evidence. A solution that is stored
        with the puzzle is tested.

    Raises
    ------
    NotUnderstoodError
        If something of the puzzle was not read that may be a rule.
    InputError
        If ``puzzle`` is none, or a rule.
    BackendUnavailable, EncodingError
        If the backend cannot be used, or not with this encoding.

    Examples
    --------
    >>> import gridproof
    >>> verdict = gridproof.verify("12.. .... .... ...3")
    >>> print(verdict)
    multiple; two solutions differ in 4 cells: r2c1, r2c2, r3c1, r3c2; reference: not needed
    >>> print(gridproof.verify("12.. .... .... ...3", rules=["killer 5 r2c1 r3c1"]))
    unique; reference: agrees
    """
    with Pipeline(backend, encoding, limits=limits, cross_check=cross_check) as pipeline:
        return pipeline.verify(read_sheet(puzzle, rules=rules), despite_unread=despite_unread)


def solve(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    rules: Iterable[Rule | Statement | str] = (),
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck = "all",
) -> Grid | None:
    """A solution of one puzzle, whether or not it is the only one.

    Parameters
    ----------
    puzzle, backend, encoding, rules, limits, cross_check
        As of ``verify``.

    Returns
    -------
    Grid, or None
        A tuple with the symbol of each cell, row by row; ``None`` if the puzzle has no solution.

    Raises
    ------
    InputError, BackendUnavailable, EncodingError
        As ``verify`` does.
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
    board = parse(puzzle, rules=rules)
    with Pipeline(backend, encoding, limits=limits, cross_check=cross_check) as pipeline:
        answer, verdict = pipeline.judged(board, 1)
    if verdict.status is Status.DISAGREEMENT:
        raise DisagreementError(verdict.reason)
    if isinstance(answer, Stopped):
        raise answer.by
    return verdict.solution


def count(
    puzzle: PuzzleLike,
    limit: int | None = None,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    rules: Iterable[Rule | Statement | str] = (),
    limits: Limits = NO_LIMITS,
    cross_check: str | CrossCheck = "all",
) -> Count:
    """How many solutions one puzzle has.

    Parameters
    ----------
    puzzle, backend, encoding, rules, limits, cross_check
        As of ``verify``.
    limit
        Count no further than this; without it, all.

    Returns
    -------
    Count
        The number, and whether these are all.

    Raises
    ------
    InputError, BackendUnavailable, EncodingError
        As ``verify`` does; ``InputError`` also for a limit below one.
    BackendFailure, DisagreementError
        If the backend crashed, or gave a grid that is no solution or came twice.

    Examples
    --------
    >>> import gridproof
    >>> gridproof.count("." * 16).number
    288
    >>> found = gridproof.count("." * 81, limit=50)
    >>> found.number, found.complete, found.reason
    (50, False, 'stopped at 50')
    """
    with Pipeline(backend, encoding, limits=limits, cross_check=cross_check) as pipeline:
        return pipeline.count(parse(puzzle, rules=rules), limit)


def solutions(
    puzzle: PuzzleLike,
    backend: str | Backend = DEFAULT_BACKEND,
    encoding: str | Encoding | None = None,
    *,
    rules: Iterable[Rule | Statement | str] = (),
    limits: Limits = NO_LIMITS,
) -> Iterator[Grid]:
    """Each solution of one puzzle once, as it is found and checked.

    Parameters
    ----------
    puzzle, backend, encoding, rules, limits
        As of ``verify``.

    Yields
    ------
    Grid
        A tuple with the symbol of each cell, row by row.

    Raises
    ------
    InputError, BackendUnavailable, EncodingError
        As ``verify`` does, when the first solution is asked for.
    Interrupted
        If a limit came before the last solution.
    BackendFailure, DisagreementError
        As ``count`` does.

    Examples
    --------
    >>> import gridproof
    >>> sum(1 for grid in gridproof.solutions("1234" + "." * 12))
    12
    """
    with Pipeline(backend, encoding, limits=limits, cross_check="none") as pipeline:
        yield from pipeline.solutions(parse(puzzle, rules=rules))
