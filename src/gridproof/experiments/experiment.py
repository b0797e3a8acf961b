"""``compare``: the whole of a comparison, from names to records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gridproof.arguments import checked
from gridproof.backends.protocol import Backend
from gridproof.errors import InputError
from gridproof.experiments import files, plan
from gridproof.experiments.claims import Claims
from gridproof.experiments.progress import Estimator, Listener, Notebook
from gridproof.experiments.records import Budget, Mode, RunRecord
from gridproof.experiments.results import Comparison, ContradictionError
from gridproof.experiments.scheduler import execute, execute_on_cluster
from gridproof.experiments.sets import PuzzleSet, load_sets
from gridproof.formats import Shape, Zero
from gridproof.models.encoding import Encoding
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.geometry import Geometry
from gridproof.runs import tables
from gridproof.runs.progress import in_notebook

if TYPE_CHECKING:
    from gridproof.rules import Rule, Statement

DEFAULT_BACKENDS = (DEFAULT_BACKEND, "cp-sat", "search-propagate")
"""What is compared if nothing is named: one of each family."""


@checked
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

    Examples
    --------
    >>> from gridproof import parse
    >>> one = PuzzleSet("one", [parse("1... ..2. .3.. ...4")])
    >>> comparison = compare([one], ["search-bits"], repeat=2)
    >>> comparison
    <Comparison: 2 of 2 runs, 1 setups>
    >>> [str(run.verdict) for run in comparison.records]
    ['unique', 'unique']
    """
    listener = listener or (Notebook() if in_notebook() else Listener())
    if mode not in ("cold", "warm", "both"):
        raise InputError(f"mode {mode!r}; expected cold, warm or both")
    numbers = {"seconds": seconds, "cpu_seconds": cpu_seconds, "memory": memory, "repeat": repeat, "jobs": jobs}
    for name, value in (*numbers.items(), ("sample", sample)):
        if value is not None and not value > 0:
            raise InputError(f"{name} = {value!r}; expected a number above zero")
    budget = Budget(float(seconds), cpu_seconds, None if memory is None else round(memory * 1e6), grace)
    target = None if output is None else tables.target(output)
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
    tasks = list(plan.schedule(setups, chosen, repeat, seed, budget))
    running = _Running(tasks, budget.seconds, seed, notes)
    with nullcontext() if target is None else files.opened(files.journal(target)) as journal:
        if target is not None and journal is not None and resume:
            before = [*(files.read(target) if target.exists() else []), *journal.entries]
            running.take_over(before, _SAME if dask is not None else (*_SAME, "machine"))
            listener.note(f"resumed: {len(running.records):,} of {len(tasks):,} runs were made before")
        missing = running.missing()
        estimator = Estimator(missing, len(running.records), budget.seconds, jobs)
        made = execute(missing, budget, jobs) if dask is None else execute_on_cluster(missing, budget, dask)
        try:
            with closing(made) as outcomes:
                for outcome in outcomes:
                    running.add(outcome.record)
                    if journal is not None:
                        journal.add(asdict(outcome.record))
                    listener.advance(estimator.add(outcome))
        except KeyboardInterrupt:
            pass  # what was measured is kept; the result says that it is not complete
        finally:
            listener.finish()
            if target is not None and journal is not None:
                files.write(sorted(running.records, key=lambda record: record.position), target)
                journal.path.unlink()  # its records are safe elsewhere
    return running.comparison()


_SAME = ("board", "geometry", "seed", "limit", "cpu_limit", "memory_limit", "backend_version", "gridproof", "python")
"""What must be as it was for a comparison to be resumed; the machine, too, unless a cluster makes the runs."""


class _Running:
    """A comparison in the making: its tasks, its records so far, and what they claim."""

    def __init__(self, tasks: Sequence[plan.Task], limit: float, seed: int, notes: Sequence[str]) -> None:
        self.records: list[RunRecord] = []
        self._tasks = tasks
        self._limit, self._seed, self._notes = limit, seed, tuple(notes)
        self._claims = Claims()

    def take_over(self, before: Iterable[RunRecord], same: Sequence[str]) -> None:
        """Records of an earlier part of this comparison. Raises ``InputError`` if they are of another one.

        same: the fields that must be as they were.
        """
        asked = {task.record.key: task.record for task in self._tasks}
        known = {record.key: record for record in before}
        for key, record in known.items():
            new = asked.get(key)
            if new is None:
                raise InputError(
                    f"cannot resume: {record.puzzle_set}, puzzle {record.puzzle} on {record.setup} (round "
                    f"{record.repeat + 1}) was measured but is not asked for; expected the same sets and options"
                )
            for name in same:
                if (old := getattr(record, name)) != (now := getattr(new, name)):
                    raise InputError(f"cannot resume: {name} was {old!r} when it was measured, it is {now!r} now")
        for record in known.values():
            self.add(record)

    def missing(self) -> list[plan.Task]:
        """The tasks still to be done, in their order."""
        done = {record.key for record in self.records}
        return [task for task in self._tasks if task.record.key not in done]

    def add(self, record: RunRecord) -> None:
        """One more run. Raises ``ContradictionError`` if it and those before cannot all be right."""
        self.records.append(record)
        if problem := self._claims.add(record):
            raise ContradictionError(problem, self.comparison())

    def comparison(self) -> Comparison:
        """What there is so far."""
        return Comparison(tuple(self.records), self._limit, self._seed, len(self._tasks), self._notes)


def _chosen(sets: Sequence[PuzzleSet], sample: int | None, images: int, seed: int, notes: list[str]) -> list[PuzzleSet]:
    chosen = []
    for puzzles in sets:
        distinct = puzzles.distinct()
        if twice := len(puzzles.boards) - len(distinct.boards):
            notes.append(f"{puzzles.name}: {twice:,} of {len(puzzles.boards):,} puzzles are there twice and run once")
        drawn = distinct.sample(sample, seed)
        chosen.append(drawn.with_images(images, seed).distinct() if images else drawn)
    return chosen
