"""``compare``: the whole of a comparison, from names to records; and its folder, which others can run again.

::

    experiment.json    the plan, and the versions
    sets/ files/       the puzzles; encodings and backends that are files
    runs.csv           every run; runs-2.csv, ... of replays
    tables.md, .tex    PAR-2 with intervals, medians, tests against the best
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from contextlib import closing, nullcontext
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from gridproof._version import __version__
from gridproof.errors import InputError
from gridproof.experiments import plan as plans
from gridproof.experiments import records as files
from gridproof.experiments.plan import Plan, PuzzleSet, load_sets
from gridproof.experiments.records import RunRecord
from gridproof.experiments.results import Claims, Comparison, ContradictionError
from gridproof.experiments.scheduler import execute
from gridproof.formats import datasets
from gridproof.formats.sources import exists
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
    if wanted.folder is not None:
        folder = pack(wanted.folder, wanted)
        whole = compare(replace(wanted, folder=None, output=folder / RUNS), progress=progress, note=note)
        for name, text in (("tables.md", whole.to_markdown()), ("tables.tex", whole.to_latex())):
            (folder / name).write_text(text, encoding="utf-8")
        return whole
    target = None if wanted.output is None else tables.target(wanted.output)
    if target is not None and not wanted.resume and files.journal(target).exists():
        raise InputError(f"{files.journal(target)} was left by a comparison that was killed; resume it, or delete it")
    notes: list[str] = []
    setups = plans.entries(wanted, notes)
    chosen = _chosen(wanted, notes)
    if len(setups) > plans.MOST_WORKERS:
        notes.append(f"{len(setups)} processes that measure: they take turns in groups of {plans.MOST_WORKERS}")
    report = note or (lambda text: None)
    for text in notes:
        report(text)
    tasks = list(plans.schedule(wanted, setups, chosen))
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
            before = [*(files.read(target, cut_off=True) if target.exists() else []), *journal.entries]
            for record in _of_these(tasks, before):
                add(record)
            report(f"resumed: {len(records):,} of {len(tasks):,} runs were made before")
        made = {record.key for record in records}
        missing = [task for task in tasks if task.record.key not in made]
        running = execute(missing, wanted.budget, wanted.jobs)
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
    *("board", "geometry", "seed", "limit", "cpu_limit", "memory_limit"),
    *("backend_version", "gridproof", "python", "machine"),
)
"""The fields that must be as they were for a comparison to be resumed."""


def _of_these(tasks: Iterable[plans.Task], before: Iterable[RunRecord]) -> list[RunRecord]:
    """Return the records of an earlier part of this comparison, each once.

    Raises ``InputError`` for a record of another comparison.
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
        for name in _SAME:
            if (old := getattr(record, name)) != (now := getattr(new, name)):
                raise InputError(f"cannot resume: {name} was {old!r} when it was measured, it is {now!r} now")
    return list(known.values())


def _chosen(wanted: Plan, notes: list[str]) -> list[PuzzleSet]:
    """Load the sets, without repeated boards, sampled as the plan wants it."""
    chosen = []
    for puzzles in load_sets(wanted.sets):
        distinct = puzzles.distinct()
        if twice := len(puzzles.boards) - len(distinct.boards):
            notes.append(f"{puzzles.name}: {twice:,} of {len(puzzles.boards):,} puzzles are there twice and run once")
        chosen.append(distinct.sample(wanted.sample, wanted.seed))
    return chosen


# ---- the folder ------------------------------------------------------------------------------------------------------

EXPERIMENT = "experiment.json"
RUNS = "runs.csv"

FILES = {"sets": "sets", "backends": "files", "encodings": "files"}
"""The options whose values may be files, and where these go."""

KEPT = [field.name for field in fields(Plan) if field.name not in ("jobs", "output", "folder", "resume")]
"""The options of a plan that a folder keeps."""


def pack(folder: str | Path, plan: Plan) -> Path:
    """Make the folder with everything that the plan names, before anything is run, and return it.

    With ``plan.resume`` it may have been made before, with the same plan. Raises ``InputError`` if it holds something
    else, or if two files of one name would have to lie side by side.
    """
    folder = Path(folder)
    before = _options(folder) if plan.resume and (folder / EXPERIMENT).exists() else None
    if before is None and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{str(folder)!r} exists already; expected the name of a new folder, or an empty one")
    taken: dict[Path, Path] = {}

    def kept(name: str, place: str) -> str:
        source = datasets.path(name) if place == "sets" and name in datasets.names() else Path(name)
        if not (exists(source) and source.is_file()):
            return name
        target = Path(place) / source.name
        if taken.setdefault(target, source) != source:
            raise InputError(f"{source} and {taken[target]} are both called {source.name}; expected different names")
        if before is None:
            (folder / place).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / target)
        return target.as_posix()

    options = {name: getattr(plan, name) for name in KEPT}
    options |= {name: [kept(str(one), place) for one in options[name]] for name, place in FILES.items()}
    for name, now in options.items():
        if before is not None and now != (then := before.get(name)):
            raise InputError(f"cannot resume: {name} was {then!r} in {str(folder)!r}, it is {now!r} now")
    if before is None:
        made = {"options": options, "gridproof": __version__, "python": files.python(), "machine": files.machine()}
        folder.mkdir(parents=True, exist_ok=True)
        (folder / EXPERIMENT).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    return folder


def unpack(folder: str | Path) -> Plan:
    """Return the plan that a packed folder holds, with the paths of its files. Raises ``InputError`` if it is none."""
    folder = Path(folder)

    def inside(name: str) -> str:
        is_inside = not Path(name).is_absolute() and ".." not in Path(name).parts and (folder / name).is_file()
        return str(folder / name) if is_inside else name

    try:
        options = _options(folder)
        options |= {name: [inside(str(one)) for one in options[name]] for name in FILES}
        return Plan(**options)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise InputError(f"{str(folder)!r} ({problem}); expected a folder made by compare --folder") from None


def _options(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / EXPERIMENT).read_text(encoding="utf-8"))["options"])


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
    plan, first = unpack(folder), Comparison.read(Path(folder) / RUNS)
    again = compare(plan, output=next_runs(folder, resume=resume), resume=resume, **options)
    return again, beside(first, again)


def next_runs(folder: str | Path, *, resume: bool = False) -> Path:
    """Return the file for the runs of the next replay, or to resume of the last one."""
    number = 2
    while (path := Path(folder) / f"runs-{number}.csv").exists() or files.journal(path).exists():
        number += 1
    return path.with_name(f"runs-{number - 1}.csv") if resume and number > 2 else path


def beside(first: Comparison, again: Comparison) -> str:
    """Compare a replay with the first runs: for each set and setup the ratio of PAR-2, and how many were solved.

    Raises ``ContradictionError`` if their verdicts contradict each other.
    """
    renamed = [replace(run, puzzle_set=f"again: {run.puzzle_set}") for run in again.records]
    Comparison.of([*first.records, *renamed])
    before = {(row.puzzle_set, row.setup): row for row in first.summaries()}
    lines = []
    for row in again.summaries():
        if old := before.get((row.puzzle_set, row.setup)):
            ratio = row.par2 / old.par2 if old.par2 else 1.0
            solved = f"{row.solved:,} solved, {old.solved:,} before"
            lines.append(f"{row.puzzle_set}, {row.setup}: PAR-2 {ratio:.2f} times that of the first runs; {solved}")
    return "\n".join(lines)
