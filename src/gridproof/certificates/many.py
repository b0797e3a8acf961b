"""Certificates of many puzzles: in this process, or in several, with the same bytes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from gridproof.certificates.certificate import path_of, remove_drafts
from gridproof.certificates.certify import certify_verdict
from gridproof.certificates.counting import certificate_of_count
from gridproof.certificates.refutation import proving_backend
from gridproof.errors import BackendFailure, DisagreementError, Interrupted
from gridproof.formats.puzzle import Item, Puzzle
from gridproof.limits import Limits, Watch
from gridproof.pipeline import Pipeline
from gridproof.runs.children import LONGEST_WAIT
from gridproof.runs.interrupts import Closing
from gridproof.runs.pool import ChildDied, ChildExecutor
from gridproof.trust.answer import Status
from gridproof.trust.checked_board import refuse_rules
from gridproof.trust.verdict import Verdict

AHEAD = 8
"""Puzzles for each process that are begun before the first of them is needed."""


@dataclass(frozen=True, slots=True)
class Task:
    """The options with which puzzles are certified, as words and numbers, which other processes take.

    Attributes
    ----------
    output
        The folder of the only certificate, or of those of several puzzles.
    is_for_many
        Whether there are several.
    backend, encoding, cross_check, prover, limits
        As in ``certify``.
    despite_unread
        Whether a verdict on what was read is wanted.
    most
        The largest number of solutions that is listed, if solutions are counted.
    """

    output: str
    is_for_many: bool
    backend: str
    encoding: str | None
    cross_check: str
    prover: str
    limits: Limits
    despite_unread: bool
    most: int | None = None


class Counted(NamedTuple):
    """The claim of the certificate of a count, the number of solutions that it lists, and its place."""

    claim: str
    solutions: int
    place: str


Outcome: TypeAlias = Verdict | Counted


class Certifier(Closing):
    """Certifies puzzles one after the other; a context manager.

    Examples
    --------
    >>> import tempfile
    >>> from gridproof import Puzzle, parse
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     task = Task(f"{folder}/one", False, "cadical153", None, "none", "cadical195", Limits(), False)
    ...     with Certifier(task) as certifier:
    ...         verdict = certifier.certify(Puzzle(parse("1... ..2. .3.. ...4")), 1)
    ...     print(verdict.status, Path(verdict.evidence.certificate, "claim.json").exists())
    unique True
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._prover = proving_backend(task.prover)
        self._pipeline = Pipeline(task.backend, task.encoding, limits=task.limits, cross_check=task.cross_check)

    def close(self) -> None:
        """Close the sessions."""
        self._pipeline.close()

    def certify(self, puzzle: Puzzle, number: int) -> Outcome:
        """Write the certificate of a puzzle.

        Parameters
        ----------
        puzzle
            The puzzle.
        number
            Its number among all puzzles, from 1.

        Returns
        -------
        Verdict or Counted
            The verdict with the place of its certificate, which is missing for one that is ``undecided`` or a
            ``disagreement``; or the count.

        Raises
        ------
        NotCertified, NotUnderstoodError, BoardError, Interrupted
            As in ``certify``.
        """
        watch = Watch(self._task.limits)
        path = Path(self._task.output)
        if self._task.is_for_many:
            path = path_of(path, number)
        if self._task.most is not None:
            return self._count(puzzle, path, self._task.most, watch)
        refuse_rules(puzzle.board)
        verdict = self._pipeline.verify(puzzle, despite_unread=self._task.despite_unread)
        try:
            return certify_verdict(
                verdict, self._prover, lambda certificate: certificate.write(path), self._task.limits, watch
            )
        except Interrupted as stop:
            return replace(verdict, status=Status.UNDECIDED, reason=str(stop))

    def _count(self, puzzle: Puzzle, path: Path, most: int, watch: Watch) -> Outcome:
        of_a_part = bool(puzzle.not_understood)
        try:
            board = puzzle.understood(self._task.despite_unread).board
            certificate = certificate_of_count(self._pipeline, board, self._prover, most, watch, of_a_part=of_a_part)
        except (DisagreementError, BackendFailure) as problem:
            return Verdict(Status.DISAGREEMENT, puzzle.board, reason=str(problem), made=self._pipeline.made)
        return Counted(certificate.claim, certificate.solutions or 0, str(certificate.write(path)))


class Certifiers(Closing):
    """Certifies many puzzles in this process, or several at a time in others; a context manager.

    Parameters
    ----------
    task
        How.
    jobs
        The number of processes; 1 is this one.
    """

    def __init__(self, task: Task, jobs: int) -> None:
        self._task = task
        self._jobs = jobs
        self._executor = ChildExecutor(jobs) if jobs > 1 else None
        self._certifier = Certifier(task)
        self._take: Callable[[], Outcome] | None = None

    def close(self) -> None:
        """End the processes at once, and remove what they were about to write."""
        self._certifier.close()
        if self._executor is not None:
            self._executor.shutdown()
            remove_drafts(self._task.output)

    def begin(self, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items in their order; with several processes, puzzles further on are worked at meanwhile."""
        begun: deque[tuple[Item, Callable[[], Outcome] | None]] = deque()
        most_begun = AHEAD * self._jobs if self._executor is not None else 0
        for number, item in enumerate(items, 1):
            begun.append((item, self._begin(item, number) if isinstance(item, Puzzle) else None))
            if len(begun) > most_begun:
                item, self._take = begun.popleft()
                yield item
        while begun:
            item, self._take = begun.popleft()
            yield item

    def take(self, _: Puzzle) -> Outcome:
        """Return the outcome of the puzzle that ``begin`` yielded last. Raises what ``Certifier.certify`` raises."""
        assert self._take is not None
        return self._take()

    def _begin(self, puzzle: Puzzle, number: int) -> Callable[[], Outcome]:
        if self._executor is None:
            return partial(self._certifier.certify, puzzle, number)
        return partial(_wait_for, self._executor.submit(certify_in_child, self._task, puzzle, number), puzzle)


def _wait_for(future: Future[Outcome], puzzle: Puzzle) -> Outcome:
    while not wait([future], LONGEST_WAIT).done:
        pass
    try:
        return future.result()
    except ChildDied as death:
        return Verdict(Status.UNDECIDED, puzzle.board, reason=f"the process that certified it died: {death}")


@lru_cache(maxsize=1)
def _own_certifier(task: Task) -> Certifier:
    return Certifier(task)


def certify_in_child(task: Task, puzzle: Puzzle, number: int) -> Outcome:
    """Certify a puzzle with the certifier of this process, which stays for the next one."""
    return _own_certifier(task).certify(puzzle, number)
