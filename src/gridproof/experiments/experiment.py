"""``compare``: the whole of a comparison, from names to records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, replace
from typing import Any

from gridproof.errors import InputError
from gridproof.experiments import files, plan
from gridproof.experiments.plan import Plan
from gridproof.experiments.records import Claims, RunRecord
from gridproof.experiments.results import Comparison, ContradictionError
from gridproof.experiments.scheduler import execute, execute_on_cluster
from gridproof.experiments.sets import PuzzleSet, load_sets
from gridproof.runs import tables
from gridproof.runs.progress import Shown


def compare(
    sets: Plan | Any, *more: Any, progress: bool = True, note: Callable[[str], object] | None = None, **options: Any
) -> Comparison:
    """Run every backend with every encoding on every puzzle; see the package's docstring for how it is made fair.

    Ctrl-C ends it early: the result has what was measured, and is not ``complete``. A script with backends of its own
    must call this below ``if __name__ == "__main__":``, because the processes import it.

    Parameters
    ----------
    sets : Plan, or what ``Plan`` takes first
        What to run.
    *more, **options
        As of ``Plan``; beside a plan they replace its own.
    progress : bool
        Whether to show a bar in a notebook or on a terminal.
    note : function, optional
        Is called at the beginning with each of the ``notes`` on what is skipped, and with that on what is resumed.

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
    asked = replace(sets, **options) if isinstance(sets, Plan) else Plan(sets, *more, **options)
    target = None if asked.output is None else tables.target(asked.output)
    if target is not None and not asked.resume and files.journal(target).exists():
        raise InputError(f"{files.journal(target)} is left of a comparison that was killed; resume it, or delete it")
    notes: list[str] = []
    setups = plan.entries(asked, notes)
    chosen = _chosen(asked, notes)
    same = plan.twins(setups, chosen, notes)
    if len(setups) > plan.MOST_WORKERS:
        notes.append(f"{len(setups)} processes that measure: they take turns in groups of {plan.MOST_WORKERS}")
    report = note or (lambda text: None)
    for text in notes:
        report(text)
    tasks = list(plan.schedule(asked, setups, chosen, same))
    running = _Running(tasks, asked, notes)
    with nullcontext() if target is None else files.opened(files.journal(target)) as journal:
        if target is not None and journal is not None and asked.resume:
            before = [*(files.read(target) if target.exists() else []), *journal.entries]
            running.take_over(before, _SAME if asked.dask is not None else (*_SAME, "machine"))
            report(f"resumed: {len(running.records):,} of {len(tasks):,} runs were made before")
        missing = running.missing()
        if asked.dask is None:
            made = execute(missing, asked.budget, asked.jobs)
        else:
            made = execute_on_cluster(missing, asked.budget, asked.dask)
        shown = Shown("runs") if progress else nullcontext(lambda done, total: None)
        try:
            with closing(made) as outcomes, shown as show:
                for done, record in enumerate(outcomes, 1):
                    running.add(record)
                    if journal is not None:
                        journal.add(asdict(record))
                    show(done, len(missing))
        except KeyboardInterrupt:
            pass  # what was measured is kept; the result says that it is not complete
        finally:
            if target is not None and journal is not None:
                files.write(sorted(running.records, key=lambda record: record.position), target)
                journal.path.unlink()  # its records are safe elsewhere
    return running.comparison()


_SAME = (
    *("board", "geometry", "seed", "limit", "limit_clock", "cpu_limit", "memory_limit"),
    *("backend_version", "gridproof", "python"),
)
"""What must be as it was for a comparison to be resumed; the machine, too, unless a cluster makes the runs."""


class _Running:
    """A comparison in the making: its tasks, its records so far, and what they claim."""

    def __init__(self, tasks: Sequence[plan.Task], asked: Plan, notes: Sequence[str]) -> None:
        self.records: list[RunRecord] = []
        self._tasks, self._plan, self._notes = tasks, asked, tuple(notes)
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
        seconds, seed = float(self._plan.seconds), self._plan.seed
        return Comparison(tuple(self.records), seconds, seed, len(self._tasks), self._notes)


def _chosen(asked: Plan, notes: list[str]) -> list[PuzzleSet]:
    chosen = []
    for puzzles in load_sets(asked.sets, asked.shape, asked.zero, asked.rules):
        distinct = puzzles.distinct()
        if twice := len(puzzles.boards) - len(distinct.boards):
            notes.append(f"{puzzles.name}: {twice:,} of {len(puzzles.boards):,} puzzles are there twice and run once")
        drawn = distinct.sample(asked.sample, asked.seed)
        chosen.append(drawn.with_images(asked.images, asked.seed).distinct() if asked.images else drawn)
    return chosen
