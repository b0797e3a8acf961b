"""``compare``: the whole of a comparison, from names to records; and its folder, run again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.experiments import folder as folders
from gridproof.experiments import plan as plans
from gridproof.experiments import records as files
from gridproof.experiments.plan import Plan, Task
from gridproof.experiments.records import RunRecord
from gridproof.experiments.results import Claims, Comparison, ContradictionError
from gridproof.experiments.scheduler import execute
from gridproof.experiments.sets import PuzzleSet, load_sets
from gridproof.runs import tables
from gridproof.runs.journal import Journal
from gridproof.runs.progress import ProgressBar

Note = Callable[[str], object]
"""Is called with a sentence on what is skipped, left out or resumed."""

SAME = (
    "board",
    "geometry",
    "seed",
    "limit",
    "cpu_limit",
    "memory_limit",
    "backend_version",
    "gridproof",
    "python",
    "machine",
)
"""The fields that must be as they were for a comparison to be resumed."""


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
    if isinstance(sets, Plan):
        plan = replace(sets, **options)
    else:
        plan = Plan(sets, *more, **options)
    report: Note = note or (lambda text: None)
    if plan.folder is None:
        return run_plan(plan, progress=progress, note=report)
    folder = folders.pack(plan.folder, plan)
    whole = run_plan(replace(plan, folder=None, output=folder / folders.RUNS), progress=progress, note=report)
    (folder / "tables.md").write_text(whole.to_markdown(), encoding="utf-8")
    (folder / "tables.tex").write_text(whole.to_latex(), encoding="utf-8")
    return whole


def run_plan(plan: Plan, *, progress: bool, note: Note) -> Comparison:
    """Run a plan without a folder. Raises as ``compare``."""
    experiment = Experiment(plan)
    for text in experiment.notes:
        note(text)
    with experiment:
        if plan.resume:
            made = experiment.resume()
            note(f"resumed: {made:,} of {len(experiment.tasks):,} runs were made before")
        experiment.run(progress=progress)
    return experiment.comparison()


class Experiment:
    """The runs of a plan: those that were made before, and those that are made now.

    As a context manager it keeps every run in a journal beside the output, if the plan has one, and writes the output
    at the end, whatever ends it.

    Parameters
    ----------
    plan
        What to run.

    Attributes
    ----------
    tasks : list of Task
        All runs of the plan, in their order.
    records : list of RunRecord
        The runs that are made.
    notes : list of str
        What is skipped or done differently, and why.

    Raises
    ------
    InputError, BackendUnavailable, EncodingError
        For what cannot be run.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        if plan.output is None:
            self._output = None
        else:
            self._output = tables.resolve_output(plan.output)
        if self._output is not None and not plan.resume:
            left = files.journal(self._output)
            if left.exists():
                raise InputError(f"{left} was left by a comparison that was killed; resume it, or delete it")
        self.notes: list[str] = []
        setups = plans.entries(plan, self.notes)
        sets = self._load_sets()
        self.notes += plans.refusals(setups, sets)
        if len(setups) > plans.MOST_WORKERS:
            number = plans.MOST_WORKERS
            self.notes.append(f"{len(setups)} processes that measure: they take turns in groups of {number}")
        self.tasks = list(plans.schedule(plan, setups, sets))
        self.records: list[RunRecord] = []
        self._claims = Claims()
        self._journal: Journal[RunRecord] | None = None

    def _load_sets(self) -> list[PuzzleSet]:
        """Load the sets, without repeated boards, sampled as the plan states."""
        chosen = []
        for puzzles in load_sets(self._plan.sets):
            distinct = puzzles.distinct()
            repeated = len(puzzles.boards) - len(distinct.boards)
            if repeated:
                whole = len(puzzles.boards)
                self.notes.append(f"{puzzles.name}: {repeated:,} of {whole:,} puzzles are there twice and run once")
            chosen.append(distinct.sample(self._plan.sample, self._plan.seed))
        return chosen

    def __enter__(self) -> Experiment:
        if self._output is not None:
            self._journal = files.open_journal(files.journal(self._output))
        return self

    def __exit__(self, *_: object) -> None:
        if self._journal is not None:
            self._journal.close()

    def resume(self) -> int:
        """Take over the runs of an earlier part of this comparison, and return their number.

        Raises ``InputError`` for a run of another comparison, and ``ContradictionError``.
        """
        before: list[RunRecord] = []
        if self._output is not None and self._output.exists():
            before += files.read(self._output, cut_off=True)
        if self._journal is not None:
            before += self._journal.entries
        for record in find_made(self.tasks, before):
            self._add(record)
        return len(self.records)

    def run(self, *, progress: bool) -> None:
        """Make the runs that are missing, until Ctrl-C, and write the output.

        Raises ``ContradictionError`` if two runs contradict each other.
        """
        made = {record.key for record in self.records}
        missing = [task for task in self.tasks if task.record.key not in made]
        with ExitStack() as stack:
            if self._output is not None:
                stack.callback(self._save, self._output)
            running = stack.enter_context(closing(execute(missing, self._plan.budget, self._plan.jobs)))
            show = stack.enter_context(open_progress(wanted=progress))
            try:
                for done, record in enumerate(running, 1):
                    if self._journal is not None:
                        self._journal.add(asdict(record))
                    self._add(record)
                    show(done, len(missing))
            except KeyboardInterrupt:
                pass  # what was measured is kept; the result states that it is not complete

    def comparison(self) -> Comparison:
        """Return the comparison of the runs that are made."""
        plan = self._plan
        return Comparison(
            tuple(self.records), float(plan.seconds), plan.seed, expected=len(self.tasks), notes=tuple(self.notes)
        )

    def _add(self, record: RunRecord) -> None:
        self.records.append(record)
        problem = self._claims.add(record)
        if problem:
            raise ContradictionError(problem, self.comparison())

    def _save(self, output: Path) -> None:
        """Write the output, and remove the journal, whose runs are safe then."""
        in_order = sorted(self.records, key=lambda record: record.position)
        files.write(in_order, output)
        if self._journal is not None:
            self._journal.path.unlink()


def open_progress(*, wanted: bool) -> AbstractContextManager[Callable[[int, int], object]]:
    """Return what shows how many runs are made, if it is wanted."""
    if wanted:
        return ProgressBar("runs")
    return nullcontext(lambda done, total: None)


def find_made(tasks: Sequence[Task], before: Sequence[RunRecord]) -> list[RunRecord]:
    """Return the runs of an earlier part of a comparison, each once.

    Raises ``InputError`` for a run of another comparison.
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
        for name in SAME:
            then = getattr(record, name)
            now = getattr(new, name)
            if then != now:
                raise InputError(f"cannot resume: {name} was {then!r} when it was measured, it is {now!r} now")
    return list(known.values())


# ---- a folder, run again ---------------------------------------------------------------------------------------------


def replay(folder: str | Path, *, resume: bool = False, **options: Any) -> tuple[Comparison, str]:
    """Run again what a folder holds. Return the comparison, and in words how it differs from the first runs.

    Parameters
    ----------
    folder : path
        A folder that ``compare`` made; the new runs are added to it.
    resume : bool
        Go on with the last replay.
    **options
        ``jobs``, ``progress`` and ``note``, as ``compare`` takes them.

    Raises
    ------
    InputError
        There is no such folder.
    ContradictionError
        Verdicts of the two contradict each other; and what ``compare`` raises.
    """
    plan = folders.unpack(folder)
    first = Comparison.read(Path(folder) / folders.RUNS)
    output = folders.next_runs(folder, resume=resume)
    again = compare(plan, output=output, resume=resume, **options)
    return again, describe_changes(first, again)


def describe_changes(first: Comparison, again: Comparison) -> str:
    """Compare a replay with the first runs: for each set and setup the ratio of PAR-2, and how many were solved.

    Raises ``ContradictionError`` if their verdicts contradict each other.
    """
    renamed = [replace(run, puzzle_set=f"again: {run.puzzle_set}") for run in again.records]
    Comparison.of([*first.records, *renamed])
    before = {(row.puzzle_set, row.setup): row for row in first.summaries()}
    lines = []
    for row in again.summaries():
        old = before.get((row.puzzle_set, row.setup))
        if old is None:
            continue
        ratio = row.par / old.par if old.par else 1.0
        solved = f"{row.solved:,} solved, {old.solved:,} before"
        lines.append(f"{row.puzzle_set}, {row.setup}: PAR-2 {ratio:.2f} times that of the first runs; {solved}")
    return "\n".join(lines)
