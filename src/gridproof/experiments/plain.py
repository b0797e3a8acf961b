"""Plain results, as other programs write and read them: a CSV of ``instance,solver,time,status``.

Ours also have the columns ``seed``, of a solver that was given one, and ``round``. An instance is called by set and
number, such as ``hard/3``; then it is the puzzle of that name beside it, with the same board and parameters.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from math import inf
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.experiments import records as files
from gridproof.experiments.records import Mode, RunRecord, Setup
from gridproof.runs.journal import digest
from gridproof.runs.tables import unprotect, write
from gridproof.text import suggest
from gridproof.trust.answer import BY_NUMBER, Status

COLUMNS = ("instance", "solver", "time", "status")

OTHERS = "instances"
"""The set of instances that are not called by set and number."""

VERDICTS: dict[str, Status] = {
    **dict.fromkeys(("solved", "true", "sat"), Status.SOLVED),
    "unsat": Status.NONE,
    **{str(status): status for status in BY_NUMBER},
    **dict.fromkeys(("undecided", "false", "timeout", "memout", "unknown"), Status.UNDECIDED),
    **dict.fromkeys(("failed", "error"), Status.FAILED),
}
"""The verdict for each status."""


def read(*paths: str | Path, limit: float | None = None) -> list[RunRecord]:
    """Return the records of files: our own, and plain results, which take board and limit from the others.

    limit: the seconds after which a run is cut off; by default that of our own runs, or the longest time.
    """
    runs: list[RunRecord] = []
    for path in paths:
        runs += read_lines(path)
    known = {}
    limits = []
    for run in runs:
        if run.board:
            known[run.puzzle_set, run.puzzle] = run
        if run.limit:
            limits.append(run.limit)
    usual = limit or max(limits or [run.seconds for run in runs], default=0.0)
    if limit is not None and limit > min(limits, default=limit):
        raise InputError(f"a limit of {limit:g} s for runs that were stopped after {min(limits):g} s; expected no more")
    whole = []
    for run in runs:
        if run.board:
            same = run
        else:
            same = known.get((run.puzzle_set, run.puzzle), run)
        board: dict[str, Any] = {name: getattr(same, name) for name in ("geometry", "board", "parameters")}
        whole.append(replace(run, limit=limit or run.limit or usual, **board))
    return whole


def read_lines(path: str | Path) -> Iterable[RunRecord]:
    """Return the runs of a file of plain results, or else of records."""
    path = Path(path)
    try:
        if path.suffix == ".csv":
            with path.open(encoding="utf-8-sig", newline="") as lines:
                rows = csv.DictReader(lines)
                if set(COLUMNS) <= set(rows.fieldnames or ()):
                    return list(read_rows(rows))
    except (ValueError, csv.Error) as problem:
        expected = f"the columns {', '.join(COLUMNS)}"
        raise InputError(f"{path}: not a file of plain results ({problem}); expected {expected}") from None
    return files.read(path)


def read_rows(rows: Iterable[Mapping[str, Any]]) -> Iterator[RunRecord]:
    """Yield the runs of rows."""
    rounds: Counter[tuple[str, str, int | None]] = Counter()
    for position, row in enumerate(rows):
        instance = unprotect(str(row["instance"]))
        solver = unprotect(str(row["solver"]))
        status = str(row["status"]).strip().casefold()
        seed = int(row["seed"]) if row.get("seed") else None
        if status not in VERDICTS:
            raise ValueError(f"status {row['status']!r} of {instance}; {suggest(status, VERDICTS)}")
        seconds = float(row["time"] or 0.0)
        if not 0 <= seconds < inf:
            raise ValueError(f"time {row['time']!r} of {instance}; expected seconds")
        place: dict[str, Any] = {
            "puzzle_set": OTHERS,
            "puzzle": int(digest(instance.encode())[:12], 16),
            "parameters": (("instance", instance),),
        }
        puzzle_set, _, number = instance.rpartition("/")
        if puzzle_set and number.isdecimal():
            place = {"puzzle_set": puzzle_set, "puzzle": int(number)}
        yield RunRecord(
            **place,
            **asdict(read_setup(solver)),
            solver_seed=seed,
            repeat=rounds[instance, solver, seed],
            position=position,
            verdict=VERDICTS[status],
            first_seconds=seconds,
            first_cpu=seconds,  # the only time there is, by whatever clock
        )
        rounds[instance, solver, seed] += 1


def read_setup(solver: str) -> Setup:
    """Return the setup of a solver's name, such as ``cadical153/triad warm``."""
    name = solver
    mode: Mode = "cold"
    if solver.endswith(" warm"):
        mode = "warm"
    if solver.endswith((" cold", " warm")):
        name = solver[:-5]
    backend, _, encoding = name.partition("/")
    return Setup(backend, encoding or None, mode)


def export(runs: Sequence[RunRecord], path: str | Path) -> None:
    """Write plain results, a line for each run that a setup could make. A run in time has its verdict as status.

    Raises ``InputError`` for another ending than .csv.
    """
    path = Path(path)
    if path.suffix != ".csv":
        raise InputError(f"plain results in {str(path)!r}; expected a name that ends in .csv")
    made = [run for run in runs if run.applicable]
    names = ("instance", "solver", "time", "status", "seed", "round")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for run in made:
        seconds = run.seconds
        if run.outcome == "timeout":
            seconds = min(seconds, run.limit)
        columns["instance"].append(run.instance)
        columns["solver"].append(run.setup.name if run.mode == "cold" else str(run.setup))
        columns["time"].append(seconds)
        columns["status"].append(run.outcome)
        columns["seed"].append(run.solver_seed)
        columns["round"].append(run.repeat + 1)
    write(path, dict.fromkeys(columns, "string"), list(columns.values()))
