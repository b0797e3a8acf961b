"""``compare``: the whole of a comparison, from names to records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any, Literal

from gridproof import __version__
from gridproof.backends.protocol import Backend
from gridproof.compare import cluster, files, plan
from gridproof.compare.claims import Claims
from gridproof.compare.machine import machine, python
from gridproof.compare.progress import Estimator, Listener, Notebook
from gridproof.compare.records import Budget, Mode, RunRecord
from gridproof.compare.results import Comparison, ContradictionError
from gridproof.compare.scheduler import Outcome, execute
from gridproof.compare.sets import PuzzleSet, load_sets
from gridproof.errors import InputError
from gridproof.formats import Shape, Zero
from gridproof.models.encoding import Encoding
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.runs.journal import Journal
from gridproof.runs.progress import in_notebook

if TYPE_CHECKING:
    from gridproof.rules import Rule, Statement

DEFAULT_BACKENDS = (DEFAULT_BACKEND, "cp-sat", "search-propagate")
"""What is compared if nothing is named: one of each family."""


def compare(
    sets: Sequence[str | Path | PuzzleSet],
    backends: Sequence[str | Backend] = DEFAULT_BACKENDS,
    encodings: Sequence[str | Encoding] = (),
    *,
    mode: Literal["cold", "warm", "both"] = "cold",
    seconds: float = 10.0,
    cpu_seconds: float | None = None,
    memory: float | None = None,
    repeat: int = 3,
    solver_seeds: int = 0,
    images: int = 0,
    jobs: int = 1,
    seed: int = 0,
    sample: int | None = None,
    shape: Shape = Geometry.standard,
    zero: Zero | None = None,
    rules: Iterable[Rule | Statement | str] = (),
    output: str | Path | None = None,
    resume: bool = False,
    listener: Listener | None = None,
    grace: float = 1.0,
    dask: str | None = None,
) -> Comparison:
    """Run every backend with every encoding on every puzzle; see the package's docstring for how it is made fair.

    Ctrl-C ends it early: the result has what was measured, and is not ``complete``. A script with backends of its own
    must call this below ``if __name__ == "__main__":``, because the processes import it.

    Parameters
    ----------
    sets : sequence of str, Path or PuzzleSet
        Files of puzzles, names of ``formats.datasets``, or boards.
    backends, encodings
        Names or objects. Without encodings, and for a backend that none of them fits, each backend's default.
    mode : {"cold", "warm", "both"}
        Whether each run loads its model anew; see the package's docstring.
    seconds : float
        Limit for each run.
    cpu_seconds : float, optional
        Limit of processor time for each run; see ``records.Budget``.
    memory : float, optional
        Limit of resident megabytes for each run.
    repeat : int
        Rounds.
    solver_seeds : int
        Run every solver that takes a seed with each of so many.
    images : int
        Run so many symmetric images of each puzzle in its place, made with ``seed``.
    jobs : int
        Runs at a time; more than one disturb each other.
    seed : int
        Of the order and the samples.
    sample : int, optional
        At most so many puzzles of each set.
    shape, zero
        The geometry of puzzles in files, and what ``0`` is in them, as for ``formats.read``.
    rules : iterable of str, Statement or Rule
        Further ones, of every puzzle.
    output : path, optional
        A file for the records (see ``Comparison.write``). While it runs there is a journal beside it, so that
        ``resume`` goes on after any end.
    resume : bool
        Go on where an earlier run with this output stopped.
    listener : Listener, optional
        Is told of each run, and of what is skipped. Without one, a notebook shows how far it is.
    grace : float
        Seconds beyond the limit until a run is ended from outside.
    dask : str, optional
        The address of a Dask scheduler whose workers make the runs. Give each worker one thread, else runs disturb each
        other.

    Returns
    -------
    Comparison
        The records, with tables of them.

    Raises
    ------
    ContradictionError
        Two runs contradict each other.
    InputError, BackendUnavailable
        For what cannot be run.
    BackendFailure
        Processes cannot be started.
    """
    listener = listener or (Notebook() if in_notebook() else Listener())
    if mode not in ("cold", "warm", "both"):
        raise InputError(f"mode {mode!r}; expected cold, warm or both")
    numbers = {"seconds": seconds, "cpu_seconds": cpu_seconds, "memory": memory, "repeat": repeat, "jobs": jobs}
    for name, value in (*numbers.items(), ("sample", sample)):
        if value is not None and not value > 0:
            raise InputError(f"{name} = {value!r}; expected a number above zero")
    budget = Budget(float(seconds), cpu_seconds, None if memory is None else round(memory * 1e6), grace)
    target = None if output is None else files.check_ending(output)
    if resume and target is None:
        raise InputError("resume without an output; expected the file that holds what was measured")
    if target is not None and not resume and files.journal(target).exists():
        raise InputError(f"{files.journal(target)} is left of a comparison that was killed; resume it, or delete it")
    modes: tuple[Mode, ...] = ("cold", "warm") if mode == "both" else (mode,)
    setups, notes = plan.entries(backends, encodings, modes, solver_seeds)
    chosen = _chosen(load_sets(sets, shape, zero, rules), sample, images, seed, notes)
    if len(setups) > plan.MOST_WORKERS:
        notes.append(f"{len(setups)} processes that measure: they take turns in groups of {plan.MOST_WORKERS}")
    for note in notes:
        listener.note(note)
    tasks = list(plan.schedule(setups, chosen, repeat, seed))
    running = _Running(tasks, budget, seed, notes, on_cluster=dask is not None)
    journal = None
    try:
        if target is not None:
            journal = files.opened(files.journal(target))
            if resume:
                running.take_over([*(files.read(target) if target.exists() else []), *journal.entries])
                listener.note(f"resumed: {len(running.records):,} of {len(tasks):,} runs were made before")
        try:
            _make(running, journal, listener, budget, jobs, dask)
        finally:
            listener.finish()
            if target is not None and journal is not None:
                files.write(running.in_order(), target)
                journal.path.unlink()  # its records are safe elsewhere
    finally:
        if journal is not None:
            journal.close()
    return running.comparison()


def _make(
    running: _Running,
    journal: Journal[RunRecord] | None,
    listener: Listener,
    budget: Budget,
    jobs: int,
    dask: str | None,
) -> None:
    missing = running.missing()
    estimator = Estimator(missing, len(running.records), budget.seconds, jobs)
    made = execute(missing, budget, jobs) if dask is None else cluster.execute(missing, budget, dask)
    try:
        with closing(made) as outcomes:
            for outcome in outcomes:
                record = running.add(outcome)
                if journal is not None:
                    journal.add(asdict(record))
                running.check(record)
                listener.advance(estimator.add(outcome))
    except KeyboardInterrupt:
        pass  # what was measured is kept; the result says that it is not complete


_SAME = ("board", "geometry", "seed", "limit", "cpu_limit", "memory_limit", "backend_version", "gridproof", "python")
"""What must be as it was for a comparison to be resumed; the machine, too, unless a cluster makes the runs."""


class _Running:
    """A comparison in the making: its tasks, its records so far, and what they claim."""

    def __init__(
        self, tasks: Sequence[plan.Task], budget: Budget, seed: int, notes: Sequence[str], *, on_cluster: bool
    ) -> None:
        self.records: list[RunRecord] = []
        self._tasks = tasks
        self._budget, self._seed = budget, seed
        self._notes = tuple(notes)
        self._same = _SAME if on_cluster else (*_SAME, "machine")
        self._claims = Claims()

    def take_over(self, before: Sequence[RunRecord]) -> None:
        """Records of an earlier part of this comparison. Raises ``InputError`` if they are of another one."""
        tasks = {task.key: task for task in self._tasks}
        for record in {record.key: record for record in before}.values():
            task = tasks.get(record.key)
            if task is None:
                raise InputError(
                    f"cannot resume: {record.puzzle_set}, puzzle {record.puzzle} on {record.setup} (round "
                    f"{record.repeat + 1}) was measured but is not asked for; expected the same sets and options"
                )
            new = self._identity(task)
            for name in self._same:
                if (old := getattr(record, name)) != new[name]:
                    raise InputError(f"cannot resume: {name} was {old!r} when it was measured, it is {new[name]!r} now")
            self.records.append(record)
        for record in self.records:
            self.check(record)

    def missing(self) -> list[plan.Task]:
        """The tasks still to be done, in their order."""
        done = {record.key for record in self.records}
        return [task for task in self._tasks if task.key not in done]

    def add(self, outcome: Outcome) -> RunRecord:
        """The record of an outcome."""
        identity = self._identity(outcome.task)
        if outcome.machine:
            identity["machine"] = outcome.machine
        record = RunRecord(**identity, started=time() - outcome.elapsed, **vars(outcome.measured))
        self.records.append(record)
        return record

    def check(self, record: RunRecord) -> None:
        """Raises ``ContradictionError`` if the record and those before cannot all be right."""
        if problem := self._claims.add(record):
            raise ContradictionError(problem, self.comparison())

    def in_order(self) -> list[RunRecord]:
        """The records by their place in the order of all runs."""
        return sorted(self.records, key=lambda record: record.position)

    def comparison(self) -> Comparison:
        """What there is so far."""
        return Comparison(tuple(self.records), self._budget.seconds, self._seed, len(self._tasks), self._notes)

    def _identity(self, task: plan.Task) -> dict[str, Any]:
        backend, setup = task.entry.backend, task.entry.setup
        return {
            "puzzle_set": task.puzzle_set,
            "puzzle": task.puzzle,
            "geometry": repr(task.board.geometry),
            "board": _board_text(task.board),
            "backend": setup.backend,
            "backend_version": backend.version,
            "family": backend.family,
            "encoding": setup.encoding,
            "mode": setup.mode,
            "repeat": task.repeat,
            "position": task.position,
            "seed": self._seed,
            "limit": self._budget.seconds,
            "cpu_limit": self._budget.cpu,
            "memory_limit": self._budget.memory,
            "solver_seed": task.entry.seed,
            "parameters": tuple(task.parameters.items()),
            "gridproof": __version__,
            "python": python(),
            "machine": machine(),
        }


def _chosen(sets: Sequence[PuzzleSet], sample: int | None, images: int, seed: int, notes: list[str]) -> list[PuzzleSet]:
    chosen = []
    for puzzles in sets:
        distinct = puzzles.distinct()
        if twice := len(puzzles.boards) - len(distinct.boards):
            notes.append(f"{puzzles.name}: {twice:,} of {len(puzzles.boards):,} puzzles are there twice and run once")
        drawn = distinct.sample(sample, seed)
        chosen.append(drawn.with_images(images, seed).distinct() if images else drawn)
    return chosen


def _board_text(board: Board) -> str:
    from gridproof.formats import to_line, to_marks

    if board.rules:
        return repr(board)
    if board.marks is None:
        return to_line(board.clues, board.geometry)
    return to_marks(board) if board.geometry.symbol_characters else repr(board)
