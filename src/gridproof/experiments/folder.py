"""A comparison as a folder that others can run again: its puzzles, its files, its plan, its runs and tables.

::

    experiment.json    the plan, and the versions
    sets/ files/       the puzzles; encodings and backends that are files
    runs.csv           every run; runs-2.csv, ... of replays
    tables.md, .tex    PAR-2 with intervals, medians, tests against the best
"""

from __future__ import annotations

import json
import shutil
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from gridproof._version import __version__
from gridproof.errors import InputError
from gridproof.experiments.plan import Plan, machine, python
from gridproof.experiments.records import journal
from gridproof.experiments.results import Comparison
from gridproof.formats import datasets
from gridproof.formats.sources import exists

EXPERIMENT = "experiment.json"
RUNS = "runs.csv"

FILES = {"sets": "sets", "backends": "files", "encodings": "files"}
"""The options whose values may be files, and where these go."""

KEPT = [field.name for field in fields(Plan) if field.name not in ("jobs", "dask", "output", "resume")]
"""The options of a plan that a folder keeps."""


def pack(folder: str | Path, plan: Plan, *, resume: bool = False) -> None:
    """Make the folder with everything that the plan names, before anything is run.

    Parameters
    ----------
    folder : path
        May not exist yet, or be empty.
    plan : Plan
        The plan, whose sets, backends and encodings are texts.
    resume : bool
        The folder may have been made before, with the same plan.

    Raises
    ------
    InputError
        The folder holds something else, or two files of one name would have to lie side by side.
    """
    folder = Path(folder)
    before = _options(folder) if resume and (folder / EXPERIMENT).exists() else None
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
    if before is not None:
        for name, now in options.items():
            if now != (then := before.get(name)):
                raise InputError(f"cannot resume: {name} was {then!r} in {str(folder)!r}, it is {now!r} now")
        return
    made = {"options": options, "gridproof": __version__, "python": python(), "machine": machine()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / EXPERIMENT).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def unpack(folder: str | Path) -> Plan:
    """Return the plan that a packed folder holds, with the paths of its files. Raises ``InputError`` if it is none."""
    folder = Path(folder)
    options = _options(folder)
    try:
        options |= {name: [_inside(folder, str(one)) for one in options[name]] for name in FILES}
        return Plan(**options)
    except (KeyError, TypeError, InputError) as problem:
        raise _none(folder, problem) from None


def _options(folder: Path) -> dict[str, Any]:
    try:
        return dict(json.loads((folder / EXPERIMENT).read_text(encoding="utf-8"))["options"])
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise _none(folder, problem) from None


def _none(folder: Path, problem: Exception) -> InputError:
    return InputError(f"{str(folder)!r} ({problem}); expected a folder made by compare --folder")


def _inside(folder: Path, name: str) -> str:
    inside = not Path(name).is_absolute() and ".." not in Path(name).parts
    return str(folder / name) if inside and (folder / name).is_file() else name


def next_runs(folder: str | Path, *, resume: bool = False) -> Path:
    """Return the file for the runs of the next replay, or to resume of the last one."""
    number = 2
    while (path := Path(folder) / f"runs-{number}.csv").exists() or journal(path).exists():
        number += 1
    return path.with_name(f"runs-{number - 1}.csv") if resume and number > 2 else path


def write_tables(comparison: Comparison, folder: str | Path) -> None:
    """Write the tables, in Markdown and LaTeX."""
    (Path(folder) / "tables.md").write_text(comparison.to_markdown(), encoding="utf-8")
    (Path(folder) / "tables.tex").write_text(comparison.to_latex(), encoding="utf-8")


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
