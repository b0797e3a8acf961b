"""Plain results, as other programs write and read them: a CSV of ``instance,solver,time,status``.

An instance is called by set and number, such as ``hard/3``; then it is the puzzle of that name beside it, with the
same board and parameters.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from gridproof.errors import InputError
from gridproof.experiments import records as files
from gridproof.experiments.records import RunRecord
from gridproof.runs.journal import digest
from gridproof.runs.tables import write
from gridproof.text import suggest
from gridproof.trust.answer import BY_NUMBER, Status

COLUMNS = ("instance", "solver", "time", "status")

OTHERS = "instances"
"""The set of instances that are not called by set and number."""

_SOLVED = {"solved": Status.SOLVED, "true": Status.SOLVED, "sat": Status.SOLVED, "unsat": Status.NONE}
_SOLVED |= {str(status): status for status in BY_NUMBER}
_UNSOLVED = ("undecided", "false", "timeout", "memout", "unknown", "failed", "error")


def read(*paths: str | Path, limit: float | None = None) -> list[RunRecord]:
    """Return the records of files: our own, and plain results, which take board and limit from the others.

    limit: the seconds after which a run is cut off; by default that of our own runs, or the longest time.
    """
    runs = list(chain.from_iterable(map(_read, paths)))
    known = {(run.puzzle_set, run.puzzle): run for run in runs if run.board}
    limits = [run.limit for run in runs if run.limit]
    usual = limit or max(limits or [run.seconds for run in runs], default=0.0)
    if limit is not None and limit > min(limits, default=limit):
        raise InputError(f"a limit of {limit:g} s for runs that were stopped after {min(limits):g} s; expected no more")
    whole = []
    for run in runs:
        same = run if run.board else known.get((run.puzzle_set, run.puzzle), run)
        board: dict[str, Any] = {name: getattr(same, name) for name in ("geometry", "board", "parameters")}
        whole.append(replace(run, limit=limit or run.limit or usual, **board))
    return whole


def _read(path: str | Path) -> Iterable[RunRecord]:
    path = Path(path)
    try:
        if path.suffix == ".csv":
            with path.open(encoding="utf-8-sig", newline="") as lines:
                rows = csv.DictReader(lines)
                if set(COLUMNS) <= set(rows.fieldnames or ()):
                    return list(_of_rows(rows))
    except (ValueError, csv.Error) as problem:
        expected = f"the columns {', '.join(COLUMNS)}"
        raise InputError(f"{path}: not a file of plain results ({problem}); expected {expected}") from None
    return files.read(path)


def _of_rows(rows: Iterable[Mapping[str, Any]]) -> Iterator[RunRecord]:
    """Yield the runs of rows."""
    repeats: Counter[tuple[str, str]] = Counter()
    for position, row in enumerate(rows):
        instance, solver, status = str(row["instance"]), str(row["solver"]), str(row["status"]).strip().casefold()
        if status not in (*_SOLVED, *_UNSOLVED):
            raise ValueError(f"status {row['status']!r} of {instance}; {suggest(status, [*_SOLVED, *_UNSOLVED])}")
        seconds = float(row["time"] or 0.0)
        if not 0 <= seconds < float("inf"):
            raise ValueError(f"time {row['time']!r} of {instance}; expected seconds")
        puzzle_set, _, number = instance.rpartition("/")
        named = not (puzzle_set and number.isdecimal())
        setup, mode = (solver[:-5], solver[-4:]) if solver.endswith((" cold", " warm")) else (solver, "cold")
        backend, _, encoding = setup.partition("/")
        yield RunRecord(
            puzzle_set=OTHERS if named else puzzle_set,
            puzzle=int(digest(instance.encode())[:12], 16) if named else int(number),
            parameters=(("instance", instance),) if named else (),
            backend=backend,
            encoding=encoding or None,
            mode=mode,  # type: ignore[arg-type]
            repeat=repeats[instance, solver],
            position=position,
            verdict=_SOLVED.get(status, Status.FAILED if status in ("failed", "error") else Status.UNDECIDED),
            first_seconds=seconds,
            first_cpu=seconds,  # the only time there is, by whatever clock
        )
        repeats[instance, solver] += 1


def export(runs: Sequence[RunRecord], path: str | Path) -> None:
    """Write plain results, a line for each run. Raises ``InputError`` for another ending than .csv."""
    path = Path(path)
    if path.suffix != ".csv":
        raise InputError(f"plain results in {str(path)!r}; expected a name that ends in .csv")
    status = [str(run.verdict if run.solved or run.verdict not in BY_NUMBER else Status.UNDECIDED) for run in runs]
    rows = [(run.instance, str(run.setup), run.seconds) for run in runs]
    write(path, dict.fromkeys(COLUMNS, "string"), [*zip(*rows, strict=True), status])
