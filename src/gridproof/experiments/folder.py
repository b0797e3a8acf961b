"""A comparison as a folder that others can run again: its puzzles, its files, its options, its runs and tables.

::

    experiment.json    the options, and the versions
    sets/ files/       the puzzles; encodings, backends, kinds of rules and regions that are files
    runs.csv           every run; runs-2.csv, ... of replays
    tables.md, .tex    PAR-2 with intervals, medians, tests against the best
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gridproof._version import __version__
from gridproof.errors import InputError
from gridproof.experiments import files
from gridproof.experiments.machine import machine, python
from gridproof.experiments.results import Comparison
from gridproof.formats import datasets
from gridproof.formats.sources import exists

EXPERIMENT = "experiment.json"
RUNS = "runs.csv"

_FILES = {"sets": "sets", "encoding": "files", "backend": "files", "rules": "files", "jigsaw": "files"}
"""The options whose values may be files, and where these go."""


def pack(folder: str | Path, options: Mapping[str, Any], *, resume: bool = False) -> None:
    """Make the folder with everything that the options name, before anything is run.

    Parameters
    ----------
    folder : path
        May not exist yet, or be empty.
    options : mapping
        The options, as the command line calls them; values that JSON knows.
    resume : bool
        The folder may have been made before, with the same options.

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

    def kept(value: Any, place: str) -> Any:
        if isinstance(value, list):
            return [kept(one, place) for one in value]
        source = datasets.path(value) if place == "sets" and value in datasets.names() else Path(str(value))
        if value is None or not (exists(source) and source.is_file()):
            return value
        target = Path(place) / source.name
        if taken.setdefault(target, source) != source:
            raise InputError(f"{source} and {taken[target]} are both called {source.name}; expected different names")
        if before is None:
            (folder / place).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, folder / target)
        return target.as_posix()

    stored = {name: kept(value, _FILES[name]) if name in _FILES else value for name, value in options.items()}
    if before is not None:
        if changed := [name for name in stored if stored[name] != before.get(name)]:
            now, then = stored[changed[0]], before.get(changed[0])
            raise InputError(f"cannot resume: {changed[0]} was {then!r} in {str(folder)!r}, it is {now!r} now")
        return
    made = {"options": stored, "gridproof": __version__, "python": python(), "machine": machine()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / EXPERIMENT).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


def unpack(folder: str | Path) -> list[str]:
    """Return the arguments for ``gridproof compare`` that a packed folder holds, with the paths of its files.

    Raises ``InputError`` if it is none.
    """
    folder = Path(folder)
    options = _options(folder)
    try:
        options = {name: _inside(folder, value) if name in _FILES else value for name, value in options.items()}
        sets = [str(one) for one in options.pop("sets")]
        values = [
            (name, one) for name, given in options.items() for one in (given if isinstance(given, list) else [given])
        ]
        flags = [(f"--{name.replace('_', '-')}", value) for name, value in values if value not in (None, False, 0)]
        return [*(flag if value is True else f"{flag}={value}" for flag, value in flags), "--", *sets]
    except (KeyError, TypeError) as problem:
        raise _none(folder, problem) from None


def _options(folder: Path) -> dict[str, Any]:
    try:
        options = json.loads((folder / EXPERIMENT).read_text(encoding="utf-8"))["options"]
        return dict(options)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise _none(folder, problem) from None


def _none(folder: Path, problem: Exception) -> InputError:
    return InputError(f"{str(folder)!r} ({problem}); expected a folder made by compare --folder")


def _inside(folder: Path, value: Any) -> Any:
    if isinstance(value, list):
        return [_inside(folder, one) for one in value]
    inside = isinstance(value, str) and not Path(value).is_absolute() and ".." not in Path(value).parts
    return str(folder / value) if inside and (folder / value).is_file() else value


def next_runs(folder: str | Path, *, resume: bool = False) -> Path:
    """Return the file for the runs of the next replay, or to resume of the last one."""
    number = 2
    while (path := Path(folder) / f"runs-{number}.csv").exists() or files.journal(path).exists():
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
