"""The whole way: board -> model -> session -> solutions -> check -> cross-check -> verdict.

A ``Pipeline`` takes many puzzles and keeps its sessions open, so that rules are loaded once for each problem. A puzzle
is a ``Board``, or whatever ``formats.parse`` reads as one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from time import perf_counter
from typing import Any, NoReturn, cast

from gridproof import backends
from gridproof._version import __version__
from gridproof.backends.models import compile_model, default_encoding, encoding_for
from gridproof.backends.protocol import Backend, Session, Statistics
from gridproof.backends.sessions import Sessions, Solutions, Turn
from gridproof.backends.witnesses import witnesses
from gridproof.errors import (
    NO_MEMORY,
    BackendFailure,
    BackendUnavailable,
    DisagreementError,
    InputError,
    Interrupted,
    NotUnderstoodError,
    describe_error,
)
from gridproof.expect import expect, expect_flag, expect_whole
from gridproof.formats import Puzzle, PuzzleLike, parse, read_puzzle
from gridproof.limits import NO_LIMITS, Limits, expect_limits
from gridproof.models.targets import Encoding
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.puzzle.grid import Grid
from gridproof.runs.interrupts import Closing, Ended
from gridproof.text import sanitise_grid, text_of
from gridproof.trust import crosscheck
from gridproof.trust.answer import Answer
from gridproof.trust.count import Count
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.evidence import Evidence, Made
from gridproof.trust.verdict import Status, Verdict, state_fault

DEFAULT_BACKEND = "cadical153"

PART_SECONDS, PART_CONFLICTS = 5.0, 20_000
"""The most that the understood part of a puzzle may cost; nearly always it has several solutions."""


_NOT_A_CRASH = (BackendUnavailable, InputError, KeyboardInterrupt, Ended)
"""Exceptions that pass through. Any other exception of a backend is a crash, ``SystemExit`` included."""


class Pipeline(Closing):
    """A backend, an encoding, limits and a cross-check for many boards. Use it as a context manager.

    Threads may share it: each question gets a session of its own, which is kept for the next question. It keeps up to
    16 sessions (``backends.sessions.MOST_OPEN``) and closes the one used longest ago to make room; a further board of
    that problem (geometry and rules) loads its model again. An iterator of ``solutions`` keeps its session until it
    ends or is closed. The pipeline answers other questions in the meantime.

    Parameters
    ----------
    backend, encoding
        Names (an encoding also by path) or objects; without an encoding, the default of the backend. A backend of
        another package that is found by its name works in a child process: what it prints goes to standard error, and a
        time limit holds even if it ignores it. A backend object has no guard, and has to keep the limits itself.
    limits
        The limits for each board.
    cross_check
        ``all``, ``none``, ``sample=P`` or a ``CrossCheck``.

    Raises
    ------
    BackendUnavailable, EncodingError
        If they cannot be used; raised at once, not with the first board.

    Examples
    --------
    >>> with Pipeline("cadical153", cross_check="all") as pipeline:
    ...     for puzzle in ("1... ..2. .3.. ...4", "1... .... .... ...."):
    ...         print(pipeline.verify(puzzle).status)
    unique
    multiple
    """

    def __init__(
        self,
        backend: str | Backend = DEFAULT_BACKEND,
        encoding: str | Encoding | None = None,
        *,
        limits: Limits = NO_LIMITS,
        cross_check: str | CrossCheck = "all",
    ) -> None:
        self.backend = backends.find(backend)
        reason = self.backend.unavailable()
        if reason:
            raise BackendUnavailable(f"{self.backend.name}: {reason}")
        self.encoding = encoding_for(self.backend, encoding)
        self._encoding_named = encoding is not None
        self.made = self._made_with(self.encoding)
        # the reference agreeing with itself would be no evidence
        self._checks_itself = self.backend.name == "reference"
        self._sessions = Sessions(self._describe_crash)
        self._set_options(limits, cross_check)

    def _set_options(self, limits: Limits, cross_check: str | CrossCheck) -> None:
        """Keep the limits and the cross-check of each question. Raises ``InputError`` for what is none."""
        expect_limits(limits)
        expect(cross_check, (str, CrossCheck), "cross_check", "all, none, sample=P or a CrossCheck")
        self.limits = limits
        if isinstance(cross_check, str):
            cross_check = CrossCheck.parse(cross_check)
        self._choose = cross_check.chooser()
        self._check_seconds = cross_check.seconds

    def share_sessions(self, limits: Limits, cross_check: str | CrossCheck) -> Pipeline:
        """Return a pipeline with other limits and another cross-check that has its sessions in common with this one.

        To close one of them closes the sessions of both.

        Examples
        --------
        >>> with Pipeline() as pipeline:
        ...     quick = pipeline.share_sessions(Limits(solutions=2), "none")
        ...     print(quick.count("." * 16))
        at least 2 solutions; stopped by the limit of 2 solutions
        """
        pipeline = object.__new__(Pipeline)
        vars(pipeline).update(vars(self))
        pipeline._set_options(limits, cross_check)
        return pipeline

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"{self!r} cannot be pickled, as it holds open sessions; expected a pipeline for each process")

    def __repr__(self) -> str:
        return f"<Pipeline: {self.made}>"

    def close(self) -> None:
        """Close every session. A session that is at work for a thread or an iterator is closed when that is done.

        The pipeline still answers questions; it then opens new sessions.
        """
        self._sessions.close()

    def session(self, problem: Problem | Geometry) -> Session:
        """Return the open session for the next board of a problem; it is closed when another session needs its room."""
        return self._sessions.next_session(Problem.of(problem), self._open)

    def _open(self, problem: Problem) -> Session:
        return self.backend.open(compile_model(problem, self.backend, self.encoding_for(problem), self.limits))

    def encoding_for(self, problem: Problem | Geometry) -> Encoding | None:
        """Return the encoding for boards of a problem: the one named, or the default for boards of this size."""
        if self._encoding_named:
            return self.encoding
        return default_encoding(self.backend, problem)

    def _made_with(self, encoding: Encoding | None) -> Made:
        return Made(self.backend.name, self.backend.version, encoding.name if encoding else None, __version__)

    # ---- questions -----------------------------------------------------------------------------------------------

    def verify(self, puzzle: PuzzleLike, *, despite_unread: bool = False) -> Verdict:
        """Check whether a puzzle has no solution, exactly one, or several, as ``gridproof.verify`` does.

        Parameters
        ----------
        puzzle, despite_unread
            As in ``gridproof.verify``.

        Returns
        -------
        Verdict
        """
        expect_flag(despite_unread, "despite_unread")
        if isinstance(puzzle, Board):
            return self.answer_and_verdict(puzzle, 2)[1]
        return self.decide(read_puzzle(puzzle), despite_unread)

    def decide(self, puzzle: Puzzle, despite_unread: bool, cross_checked: bool | None = None) -> Verdict:
        """Return the verdict on a puzzle, or what follows from the part that was understood.

        cross_checked: as in ``answer_and_verdict``. Raises ``NotUnderstoodError`` if nothing follows.
        """
        if despite_unread or not puzzle.not_understood:
            return self.answer_and_verdict(puzzle.board, 2, cross_checked)[1].with_puzzle(puzzle, despite_unread)
        board = puzzle.part()
        if puzzle.solution is not None and (why := state_fault(board, puzzle.solution, puzzle.has_words)):
            raise NotUnderstoodError(puzzle, text=puzzle.text or puzzle.title, why=why)
        seconds = min(self.limits.seconds or PART_SECONDS, PART_SECONDS)
        conflicts = min(self.limits.conflicts or PART_CONFLICTS, PART_CONFLICTS)
        if cross_checked is None:
            cross_checked = self._choose()
        part = self.share_sessions(Limits(seconds, conflicts), CrossCheck(seconds=self._check_seconds))
        return part.answer_and_verdict(board, 2, cross_checked)[1].for_part_of(puzzle)

    def solve(self, puzzle: PuzzleLike) -> Verdict:
        """Find a solution; the status is ``solved``, ``none``, ``undecided`` or ``disagreement``."""
        return self.answer_and_verdict(parse(puzzle), 1)[1]

    def solutions(self, puzzle: PuzzleLike) -> Iterator[Grid]:
        """Yield each solution once, checked, as ``gridproof.solutions`` does.

        Raises
        ------
        Interrupted
            If a limit comes first.
        BackendFailure, DisagreementError
            If the backend crashes, or if it gives a grid that is not a solution, or one grid twice.
        """
        return cast("Iterator[Grid]", Solutions(self._solutions(parse(puzzle)), Turn()))

    def _solutions(self, board: Board) -> Generator[Grid, None, None]:
        earlier: set[SymbolTuple] = set()
        with self._at_work(board) as (_, running):
            for grid in running:
                reasons = crosscheck.bad_grids(board, [grid])
                if reasons:
                    raise DisagreementError(f"{self.backend.name}: {reasons[0]}")
                if grid in earlier:
                    raise DisagreementError(f"{self.backend.name} gave the same solution twice as two")
                earlier.add(grid)
                yield Grid(grid, board)

    @contextmanager
    def _at_work(self, board: Board) -> Iterator[tuple[Session, Solutions]]:
        """Yield a session and its solutions of a board. Raises ``Interrupted`` and ``BackendFailure`` for a crash."""
        try:
            with (
                self._sessions.lend(board.problem, self._open) as session,
                closing(session.solutions(board, self.limits)) as running,
            ):
                yield session, running
        except (*_NOT_A_CRASH, Interrupted, DisagreementError, GeneratorExit):
            raise
        except MemoryError:
            raise Interrupted(NO_MEMORY) from None
        except BaseException as problem:
            raise BackendFailure(self._describe_crash(problem)) from problem

    def count(self, puzzle: PuzzleLike, limit: int | None = None) -> Count:
        """Count the solutions up to ``limit``, as ``gridproof.count`` does. A complete count is cross-checked.

        Raises
        ------
        InputError
            For a limit below one.
        BackendFailure, DisagreementError
            As in ``solutions``.
        """
        if limit is not None:
            limit = expect_whole(limit, "limit", least=1)
        board = parse(puzzle)
        grids: list[SymbolTuple] = []
        reason, complete = "", False
        started = perf_counter()
        try:
            for grid in self.solutions(board):
                grids.append(grid)
                if limit is not None and len(grids) >= limit:
                    reason = f"stopped at {limit}"
                    break
            else:
                complete = True
        except Interrupted as stop:
            reason = text_of(stop)
        opinion = crosscheck.NOT_NEEDED
        contradictions: list[str] = []
        if complete:
            opinion, contradictions = self._cross_check(board, grids, perf_counter() - started)
        evidence = Evidence(len(grids), opinion, tuple(contradictions))
        return Count(len(grids), complete, contradictions[0] if contradictions else reason, evidence)

    # ---- answers, checked ------------------------------------------------------------------------------------------

    def _ask(self, board: Board, most: int) -> tuple[Answer, Statistics, float]:
        """Take up to ``most`` solutions from the session. Return the answer, its statistics and the elapsed seconds."""
        started = perf_counter()
        grids: list[SymbolTuple] = []
        statistics = Statistics()
        complete, crashed = False, ""
        stopped: Interrupted | None = None
        try:
            with self._at_work(board) as (session, running):
                try:
                    while len(grids) < most:
                        grids.append(next(running))
                except StopIteration:
                    complete = True
                except Interrupted as limit:
                    stopped = limit
                running.close()
                statistics = session.statistics
        except Interrupted as limit:  # while the model was made, or the session opened
            complete, stopped = False, limit
        except BackendFailure as problem:
            crashed = str(problem)
        return Answer(tuple(grids), complete, stopped, crashed), statistics, perf_counter() - started

    def _describe_crash(self, problem: BaseException) -> str:
        return f"the backend {self.backend.name} crashed: {describe_error(problem)}"

    def _cross_check(
        self, board: Board, grids: Sequence[SymbolTuple], answered: float, cross_checked: bool | None = None
    ) -> tuple[crosscheck.Opinion, list[str]]:
        """Cross-check the claim that these are all solutions. Return the opinion and any contradictions.

        answered: the seconds that the answer took. cross_checked: as in ``answer_and_verdict``.
        """
        if self._checks_itself:
            return crosscheck.ITSELF, []
        if cross_checked is None:
            cross_checked = self._choose()
        if not cross_checked:
            return crosscheck.NOT_ASKED, []
        others = witnesses(self.backend, board)
        return crosscheck.cross_check(board, grids, self.limits, others, self._check_seconds, answered)

    def answer_and_verdict(self, board: Board, most: int, cross_checked: bool | None = None) -> tuple[Answer, Verdict]:
        """Take up to ``most`` solutions; return the answer and the verdict on it.

        Each grid is checked, and a claim without a witness is cross-checked. cross_checked: whether it is, if that is
        decided already; otherwise the pipeline's ``cross_check`` decides.
        """
        answer, statistics, elapsed = self._ask(board, most)
        problems = [answer.crashed] if answer.crashed else []
        started = perf_counter()
        problems += crosscheck.bad_grids(board, answer.grids)
        seconds = {"solve": elapsed, "check": perf_counter() - started}

        status = answer.status
        opinion = crosscheck.NOT_NEEDED
        if problems or status is Status.UNDECIDED:
            opinion = crosscheck.ITSELF if self._checks_itself else crosscheck.NOT_ASKED
        elif answer.complete:
            started = perf_counter()
            opinion, problems = self._cross_check(board, answer.grids, elapsed, cross_checked)
            seconds["reference"] = perf_counter() - started

        grids: tuple[Any, ...]
        reason = ""
        if problems:
            status = Status.DISAGREEMENT
            reason = "; ".join(problems)
            grids = tuple([sanitise_grid(grid) for grid in answer.grids])
        else:
            # they were checked above, so ``Verdict`` need not look at them again
            grids = tuple([Grid(grid, board) for grid in answer.grids])
            if status is Status.MULTIPLE:
                grids = tuple(sorted(grids))  # which of them a solver finds first is chance
            elif answer.stopped:
                reason = text_of(answer.stopped)
            if status in (Status.UNIQUE, Status.MULTIPLE):
                reason = remark_on(board)

        evidence = Evidence(len(grids), opinion, tuple(problems))
        encoding = self.encoding_for(board.problem)
        made = self.made if encoding is self.encoding else self._made_with(encoding)
        return answer, Verdict(status, board, grids, reason, evidence, statistics, made, seconds)


def remark_on(board: Board) -> str:
    """Return what a verdict with solutions has to state of a board with such rules, if anything."""
    for rule in board.rules:
        remark = rule.remark(board.geometry)
        if remark:
            return remark
    return ""
