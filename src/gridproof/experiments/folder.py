"""The folder of a comparison, which others can run again.

::

    experiment.json    the plan, the machine, the versions, and the sentences with which to cite them
    sets/ files/       the puzzles; encodings and backends that are files
    runs.csv           every run; runs-2.csv, ... of replays
    tables.md, .tex    PAR-2 with intervals, medians, tests against the best
"""

from __future__ import annotations

import json
import shutil
from dataclasses import fields
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.experiments import records as files
from gridproof.experiments.plan import Plan
from gridproof.experiments.provenance import provenance
from gridproof.formats import datasets
from gridproof.formats.sources import exists

EXPERIMENT = "experiment.json"
"""The file of the plan."""

RUNS = "runs.csv"
"""The file of the first runs."""

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
    before = None
    if plan.resume and (folder / EXPERIMENT).exists():
        before = _read_options(folder)
    if before is None and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{str(folder)!r} exists already; expected the name of a new folder, or an empty one")
    options = {name: getattr(plan, name) for name in KEPT}
    copies: dict[Path, Path] = {}
    for name, place in FILES.items():
        options[name] = [_place_file(str(one), place, copies) for one in options[name]]
    if before is not None:
        for name, now in options.items():
            then = before.get(name)
            if now != then:
                raise InputError(f"cannot resume: {name} was {then!r} in {str(folder)!r}, it is {now!r} now")
        return folder
    for target, source in copies.items():
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / target)
    made = {"options": options, **provenance(plan.backends)}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / EXPERIMENT).write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    return folder


def _place_file(name: str, place: str, copies: dict[Path, Path]) -> str:
    """Return the path in the folder if the name is that of a file, which is noted in ``copies``; else the name."""
    source = Path(name)
    if place == "sets" and name in datasets.names():
        source = datasets.path(name)
    if not exists(source) or not source.is_file():
        return name
    target = Path(place) / source.name
    if copies.setdefault(target, source) != source:
        raise InputError(f"{source} and {copies[target]} are both called {source.name}; expected different names")
    return target.as_posix()


def unpack(folder: str | Path) -> Plan:
    """Return the plan that a packed folder holds, with the paths of its files. Raises ``InputError`` if it is none."""
    folder = Path(folder)
    try:
        options = _read_options(folder)
        for name in FILES:
            options[name] = [_path_inside(folder, str(one)) for one in options[name]]
        return Plan(**options)
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise InputError(f"{str(folder)!r} ({problem}); expected a folder made by compare --folder") from None


def _path_inside(folder: Path, name: str) -> str:
    """Return the path of a file that lies in the folder; the name of anything else."""
    path = Path(name)
    if path.is_absolute() or ".." in path.parts or not (folder / path).is_file():
        return name
    return str(folder / name)


def _read_options(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / EXPERIMENT).read_text(encoding="utf-8"))["options"])


def next_runs(folder: str | Path, *, resume: bool = False) -> Path:
    """Return the file for the runs of the next replay, or to resume of the last one."""
    number = 2
    while True:
        path = Path(folder) / f"runs-{number}.csv"
        if not path.exists() and not files.journal(path).exists():
            break
        number += 1
    if resume and number > 2:
        return path.with_name(f"runs-{number - 1}.csv")
    return path
