"""``compare``: the whole of a comparison, from names to records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import asdict, replace
from typing import Any

from gridproof.errors import InputError
from gridproof.experiments import plan
from gridproof.experiments import records as files
from gridproof.experiments.plan import Plan
from gridproof.experiments.records import RunRecord
from gridproof.experiments.results import Claims, Comparison, ContradictionError
from gridproof.experiments.scheduler import execute, execute_on_cluster
from gridproof.experiments.sets import PuzzleSet, load_sets
from gridproof.runs import tables
from gridproof.runs.progress import ProgressBar


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
    wanted = replace(sets, **options) if isinstance(sets, Plan) else Plan(sets, *more, **options)
    target = None if wanted.output is None else tables.target(wanted.output)
    if target is not None and not wanted.resume and files.journal(target).exists():
        raise InputError(f"{files.journal(target)} was left by a comparison that was killed; resume it, or delete it")
    notes: list[str] = []
    setups = plan.entries(wanted, notes)
    chosen = _chosen(wanted, notes)
    if len(setups) > plan.MOST_WORKERS:
        notes.append(f"{len(setups)} processes that measure: they take turns in groups of {plan.MOST_WORKERS}")
    report = note or (lambda text: None)
    for text in notes:
        report(text)
    tasks = list(plan.schedule(wanted, setups, chosen))
    records: list[RunRecord] = []
    claims = Claims()

    def comparison() -> Comparison:
        return Comparison(tuple(records), float(wanted.seconds), wanted.seed, len(tasks), tuple(notes))

    def add(record: RunRecord) -> None:
        records.append(record)
        if problem := claims.add(record):
            raise ContradictionError(problem, comparison())

    with nullcontext() if target is None else files.opened(files.journal(target)) as journal:
        if target is not None and journal is not None and wanted.resume:
            before = [*(files.read(target) if target.exists() else []), *journal.entries]
            for record in _of_these(tasks, before, _SAME if wanted.dask is not None else (*_SAME, "machine")):
                add(record)
            report(f"resumed: {len(records):,} of {len(tasks):,} runs were made before")
        made = {record.key for record in records}
        missing = [task for task in tasks if task.record.key not in made]
        if wanted.dask is None:
            running = execute(missing, wanted.budget, wanted.jobs)
        else:
            running = execute_on_cluster(missing, wanted.budget, wanted.dask)
        bar = ProgressBar("runs") if progress else nullcontext(lambda done, total: None)
        try:
            with closing(running) as outcomes, bar as show:
                for done, record in enumerate(outcomes, 1):
                    if journal is not None:
                        journal.add(asdict(record))
                    add(record)
                    show(done, len(missing))
        except KeyboardInterrupt:
            pass  # what was measured is kept; the result says that it is not complete
        finally:
            if target is not None and journal is not None:
                files.write(sorted(records, key=lambda record: record.position), target)
                journal.path.unlink()  # its records are safe elsewhere
    return comparison()


_SAME = (
    *("board", "geometry", "seed", "limit", "limit_clock", "cpu_limit", "memory_limit"),
    *("backend_version", "gridproof", "python"),
)
"""The fields that must be as they were for a comparison to be resumed; the machine, too, unless a cluster makes the
runs."""


def _of_these(tasks: Iterable[plan.Task], before: Iterable[RunRecord], same: Sequence[str]) -> list[RunRecord]:
    """Return the records of an earlier part of this comparison, each once.

    Raises ``InputError`` for a record of another comparison. same: the fields that must be as they were.
    """
    wanted = {task.record.key: task.record for task in tasks}
    known = {record.key: record for record in before}
    for key, record in known.items():
        new = wanted.get(key)
        if new is None:
            raise InputError(
                f"cannot resume: {record.puzzle_set}, puzzle {record.puzzle} on {record.setup} (round "
                f"{record.repeat + 1}) was measured but is not wanted now; expected the same sets and options"
            )
        for name in same:
            if (old := getattr(record, name)) != (now := getattr(new, name)):
                raise InputError(f"cannot resume: {name} was {old!r} when it was measured, it is {now!r} now")
    return list(known.values())


def _chosen(wanted: Plan, notes: list[str]) -> list[PuzzleSet]:
    """Load the sets, without repeated boards, sampled and replaced by images as the plan wants it."""
    chosen = []
    for puzzles in load_sets(wanted.sets):
        distinct = puzzles.distinct()
        if twice := len(puzzles.boards) - len(distinct.boards):
            notes.append(f"{puzzles.name}: {twice:,} of {len(puzzles.boards):,} puzzles are there twice and run once")
        drawn = distinct.sample(wanted.sample, wanted.seed)
        chosen.append(drawn.with_images(wanted.images, wanted.seed).distinct() if wanted.images else drawn)
    return chosen
