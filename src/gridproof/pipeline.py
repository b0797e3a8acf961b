"""The whole way: board -> model -> session -> solutions -> check -> cross-check -> verdict.

A ``Pipeline`` takes many puzzles and keeps its sessions open, so that rules are loaded once for each problem. A puzzle
is a ``Board``, or whatever ``formats.parse`` reads as one.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from time import perf_counter
from typing import cast

from gridproof import backends
from gridproof._version import __version__
from gridproof.backends.protocol import Backend, Session, Statistics
from gridproof.backends.sessions import Sessions, Solutions, Turn
from gridproof.backends.witnesses import compile_model, default_encoding, encoding_for, witnesses
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
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.verdict import Evidence, Made, Status, Verdict, broken

DEFAULT_BACKEND = "cadical153"

PART_SECONDS, PART_CONFLICTS = 5.0, 20_000
"""The most that the understood part of a puzzle may cost; nearly always it has several solutions."""


@dataclass(frozen=True, slots=True, repr=False)
class Count:
    """The number of solutions that were found, and whether these are all.

    Attributes
    ----------
    number : int
        The number.
    complete : bool
        Whether there are no more.
    reason, evidence
        As in ``Verdict``.
    interval : (int, int), or None
        Of an estimate: the bounds between which the number lies in 95 of 100 estimates.
    """

    number: int
    complete: bool
    reason: str = ""
    evidence: Evidence = field(default_factory=Evidence)
    interval: tuple[int, int] | None = None

    @classmethod
    def failed(cls, problem: Exception) -> Count:
        """Return the count of a backend that crashed or contradicts the checks: nothing is counted."""
        return cls(0, False, str(problem), Evidence(contradictions=(str(problem),)))

    def disagreement(self, board: Board, made: Made) -> Verdict | None:
        """Return the verdict that reports a contradiction, if there is one."""
        if not self.evidence.contradictions:
            return None
        return Verdict(Status.DISAGREEMENT, board, (), self.reason, self.evidence, made=made)

    def __str__(self) -> str:
        solutions = f"{rounded(self.number)} solution{'s' * (self.number != 1)}"
        if self.interval is not None:
            return f"about {solutions}; {self.reason}"
        return f"exactly {solutions}" if self.complete else f"at least {solutions}; {self.reason}"

    def __repr__(self) -> str:
        return f"<Count: {self}>"

    def _repr_html_(self) -> str:
        from gridproof.pictures.svg import card

        return card(f"{self}.", self.evidence.rows())


def rounded(number: int) -> str:
    """Return a number in figures, rounded if it has more than 15 of them."""
    return f"{number:,}" if number < 10**15 else f"{Decimal(number):.3e}"


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
        expect_limits(limits)
        expect(cross_check, (str, CrossCheck), "cross_check", "all, none, sample=P or a CrossCheck")
        self.backend = backends.find(backend)
        if reason := self.backend.unavailable():
            raise BackendUnavailable(f"{self.backend.name}: {reason}")
        self.encoding = encoding_for(self.backend, encoding)
        self.limits = limits
        check = CrossCheck.parse(cross_check) if isinstance(cross_check, str) else cross_check
        self._chosen, self._seconds = check.chooser(), check.seconds
        # the reference agreeing with itself would be no evidence
        self._unchecked = crosscheck.ITSELF if self.backend.name == "reference" else crosscheck.NOT_ASKED
        self._sessions = Sessions(self._open, self._crashed)
        self._named = encoding is not None
        self.made = self._made_with(self.encoding)

    def __repr__(self) -> str:
        return f"<Pipeline: {self.made}>"

    def close(self) -> None:
        """Close every session. A session that is at work for a thread or an iterator is closed when that is done.

        The pipeline still answers questions; it then opens new sessions.
        """
        self._sessions.close()

    def session(self, problem: Problem | Geometry) -> Session:
        """Return the open session for the next board of a problem; it is closed when another session needs its room."""
        return self._sessions.waiting(Problem.of(problem))

    def _open(self, problem: Problem) -> Session:
        return self.backend.open(compile_model(problem, self.backend, self.encoding_for(problem), self.limits))

    def encoding_for(self, problem: Problem | Geometry) -> Encoding | None:
        """Return the encoding for boards of a problem: the one named, or the default for boards of this size."""
        return self.encoding if self._named else default_encoding(self.backend, problem)

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
            return self.judged(puzzle, 2)[1]
        return self.verdict_on(read_puzzle(puzzle), despite_unread)

    def verdict_on(self, puzzle: Puzzle, despite_unread: bool, chosen: bool | None = None) -> Verdict:
        """Return the verdict on a puzzle, or what follows from the part that was understood.

        chosen: as in ``judged``. Raises ``NotUnderstoodError`` if nothing follows.
        """
        if despite_unread or not puzzle.not_understood:
            return self.judged(puzzle.board, 2, chosen)[1].on(puzzle)
        board, stored = puzzle.part(), puzzle.solution
        if stored is not None and (why := broken(board, stored, bool(puzzle.prose))):
            raise NotUnderstoodError(puzzle, text=puzzle.text or puzzle.title, why=why)
        seconds, conflicts = self.limits.seconds or PART_SECONDS, self.limits.conflicts or PART_CONFLICTS
        limits = Limits(min(seconds, PART_SECONDS), min(conflicts, PART_CONFLICTS))
        encoding, check = self.encoding if self._named else None, CrossCheck(seconds=self._seconds)
        with Pipeline(self.backend, encoding, limits=limits, cross_check=check) as part:
            chosen = self._chosen() if chosen is None else chosen
            return part.judged(board, 2, chosen)[1].follows(puzzle)

    def solve(self, puzzle: PuzzleLike) -> Verdict:
        """Find a solution; the status is ``solved``, ``none``, ``undecided`` or ``disagreement``."""
        return self.judged(parse(puzzle), 1)[1]

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
                if reasons := crosscheck.bad_grids(board, [grid]):
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
                self._sessions.lent(board.problem) as session,
                closing(session.solutions(board, self.limits)) as running,
            ):
                yield session, running
        except (*_NOT_A_CRASH, Interrupted, DisagreementError, GeneratorExit):
            raise
        except MemoryError:
            raise Interrupted(NO_MEMORY) from None
        except BaseException as problem:
            raise BackendFailure(self._crashed(problem)) from problem

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
        opinion, contradictions = crosscheck.NOT_NEEDED, list[str]()
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

    def _crashed(self, problem: BaseException) -> str:
        return f"the backend {self.backend.name} crashed: {describe_error(problem)}"

    def _cross_check(
        self, board: Board, grids: Sequence[SymbolTuple], answered: float, chosen: bool | None = None
    ) -> tuple[crosscheck.Opinion, list[str]]:
        """Cross-check the claim that these are all solutions. Return the opinion and any contradictions.

        answered: the seconds that the answer took. chosen: as in ``judged``.
        """
        if self._unchecked == crosscheck.ITSELF or not (self._chosen() if chosen is None else chosen):
            return self._unchecked, []
        others = witnesses(self.backend, board)
        return crosscheck.cross_check(board, grids, self.limits, others, self._seconds, answered)

    def judged(self, board: Board, most: int, chosen: bool | None = None) -> tuple[Answer, Verdict]:
        """Take up to ``most`` solutions; return the answer and the verdict on it.

        Each grid is checked, and a claim without a witness is cross-checked. chosen: whether it is, if not all are.
        """
        answer, statistics, elapsed = self._ask(board, most)
        grids, status, reason, opinion = answer.grids, answer.status, "", crosscheck.NOT_NEEDED
        started = perf_counter()
        problems = [answer.crashed] if answer.crashed else []
        problems += crosscheck.bad_grids(board, grids)
        seconds = {"solve": elapsed, "check": perf_counter() - started}
        if not problems and answer.complete:
            started = perf_counter()
            opinion, problems = self._cross_check(board, grids, elapsed, chosen)
            seconds["reference"] = perf_counter() - started
        if problems:
            status, reason = Status.DISAGREEMENT, "; ".join(problems)
            grids = tuple(map(sanitise_grid, grids))
            opinion = opinion if opinion.word == crosscheck.CONTRADICTS else self._unchecked
        else:
            grids = tuple(Grid(grid, board) for grid in grids)  # checked above; ``Verdict`` need not look again
            if status is Status.MULTIPLE:
                grids = tuple(sorted(grids))  # which of them a solver finds first is chance
            elif answer.stopped:
                reason, opinion = text_of(answer.stopped), self._unchecked
        evidence = Evidence(len(grids), opinion, tuple(problems))
        made = self.made
        if (encoding := self.encoding_for(board.problem)) is not self.encoding:
            made = self._made_with(encoding)
        return answer, Verdict(status, board, grids, reason, evidence, statistics, made, seconds)
