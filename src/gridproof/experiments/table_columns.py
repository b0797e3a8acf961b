"""The columns of the tables of a comparison: their names, units and cells, and the choice of them.

A table is a list of columns. A column has a name, a unit that fits all of its cells, and a cell for each setup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from gridproof.errors import InputError
from gridproof.experiments.durations import unit_of, write_number
from gridproof.experiments.overall import Overall, OverallRow
from gridproof.experiments.statistics import Ranking, Summary
from gridproof.text import suggest


class Column(NamedTuple):
    """A column of a table. unit: empty where there is none."""

    name: str
    unit: str
    cells: list[str]

    @property
    def head(self) -> str:
        """Name and unit, such as ``PAR-2 [ms]``."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


STAGES = ("encode", "load", "solve", "failed")
"""The places where runs stop, in the order in which they are printed."""

TIMES = {
    "par": "PAR",
    "seeds": "sd of seeds",
    "median": "median",
    "p95": "95th",
    "marginal": "marginal",
    "load": "load",
    "first": "first",
    "prove": "prove",
}
"""The names of the columns of times; PAR has its factor behind it."""

ON_SCREEN = ("setup", "solved", "par", "median", "p95", "x best", "Shapley", "load", "first", "prove", "work", "MB")
"""The columns of a table on a terminal."""

ON_PAPER = (
    "setup",
    "solved",
    "par",
    "95 % interval",
    "seeds",
    "median",
    "p95",
    "x best",
    "marginal",
    "Shapley",
    "not solved",
    "faster than best",
    "p",
)
"""The columns of a table in Markdown and LaTeX; that of the seeds only if there are several."""

OVERALL = ("setup", "solved", "par", "seeds", "x best", "rank")
"""The columns of the table over all sets."""


def find_columns(text: str) -> tuple[str, ...]:
    """Return the columns that a text names, with commas between them; the setup is always the first.

    Raises ``InputError`` for an unknown name.

    Examples
    --------
    >>> find_columns("solved, PAR-10, 95th, MB")
    ('setup', 'solved', 'par', 'p95', 'MB')
    """
    known = {}
    for key in dict.fromkeys((*ON_SCREEN, *ON_PAPER, *OVERALL)):
        known[TIMES.get(key, key).casefold()] = key
    chosen = ["setup"]
    for part in text.split(","):
        name = part.strip().casefold()
        if name.startswith("par-") and name.removeprefix("par-").isdigit():
            name = "par"
        if name not in known:
            raise InputError(f"--columns {text!r}: {part.strip()!r}; {suggest(name, known)}")
        if known[name] not in chosen:
            chosen.append(known[name])
    return tuple(chosen)


def make_columns(table: Ranking, names: Iterable[str]) -> list[Column]:
    """Return the columns of these names; each is a key of ``TIMES`` or of ``TEXTS``, or the interval."""
    columns = []
    for name in names:
        if name == "seeds" and all(row.seed_deviation is None for row in table.rows):
            continue
        if name in TIMES:
            columns.append(make_times(table, name))
        elif name == "95 % interval":
            columns.append(make_intervals(table))
        elif name in TEXTS:
            columns.append(Column(name, "", [TEXTS[name](row) for row in table.rows]))
    return columns


def make_overall(table: Overall, names: Sequence[str]) -> list[Column]:
    """Return those of these columns that the table over all sets has, and always the ranks; without any, all."""
    columns = []
    for name in dict.fromkeys((*(names or OVERALL), "rank")):
        if name in OVERALL_TEXTS:
            columns.append(Column(name, "", [OVERALL_TEXTS[name](row) for row in table.rows]))
        elif name == "par":
            columns.append(of_times(f"PAR-{table.factor}", [row.par for row in table.rows], table.limit))
        elif name == "seeds" and any(row.seed_deviation is not None for row in table.rows):
            columns.append(of_times(TIMES[name], [row.seed_deviation for row in table.rows], table.limit))
    return columns


def table_rows(columns: Sequence[Column]) -> list[list[str]]:
    """Return the headings, and the rows below them."""
    rows = [[column.head for column in columns]]
    for place in range(len(columns[0].cells)):
        rows.append([column.cells[place] for column in columns])
    return rows


def make_times(table: Ranking, name: str) -> Column:
    """Return a column of times in one unit."""
    heading = f"PAR-{table.factor}" if name == "par" else TIMES[name]
    return of_times(heading, [find_time(row, name, table.limit) for row in table.rows], table.limit)


def of_times(heading: str, times: Sequence[float | None], limit: float) -> Column:
    """Return a column of these times in one unit."""
    shown = []
    for time in times:
        if time is not None:
            shown.append(min(time, limit))
    unit = unit_of(shown)
    return Column(heading, unit.name, [write_number(time, unit, limit) for time in times])


def make_intervals(table: Ranking) -> Column:
    """Return the intervals of the penalised means in one unit."""
    ends: list[float] = []
    for row in table.rows:
        ends += row.interval
    unit = unit_of(ends)
    cells = []
    for row in table.rows:
        low, high = row.interval
        cells.append(f"{write_number(low, unit, table.limit)} to {write_number(high, unit, table.limit)}")
    return Column("95 % interval", unit.name, cells)


def find_time(row: Summary, name: str, limit: float) -> float | None:
    """Return a time of a setup. The load of a table has the encoding in it."""
    if name == "load":
        if row.load is None:
            return None
        load = row.load + (row.encode or 0.0)
        return min(load, limit) if row.setup.mode == "cold" else load
    if name == "seeds":
        return row.seed_deviation
    time: float | None = getattr(row, name)
    return time


def write_solved(row: Summary | OverallRow) -> str:
    """Return how many puzzles were solved, of how many."""
    return f"{row.solved:,}/{row.instances:,}"


def write_ratio(row: Summary | OverallRow) -> str:
    """Return a ratio to the best, without decimals from 100 on."""
    if row.ratio < 100:
        return f"{row.ratio:.2f}"
    return f"{row.ratio:,.0f}"


def write_work(row: Summary) -> str:
    """Return the work of a setup, with the first letter of its unit."""
    if row.work is None:
        return "-"
    return f"{row.work:,.0f} {row.work_unit[0]}"


def write_memory(row: Summary) -> str:
    """Return the most memory of a setup, in megabytes."""
    if row.peak_memory is None:
        return "-"
    return f"{row.peak_memory / 1e6:,.0f}"


def write_faster(row: Summary) -> str:
    """Return on how many puzzles a setup was faster than the best."""
    return "-" if row.faster is None else f"{row.faster:,}"


def write_probability(row: Summary) -> str:
    """Return the probability of the test against the best."""
    return "-" if row.probability is None else f"{row.probability:.2g}"


def write_stopped(row: Summary) -> str:
    """Return how many runs stopped where, or nothing if all were solved."""
    parts = [f"{row.stopped[stage]:,} {stage}" for stage in STAGES if row.stopped.get(stage)]
    return ", ".join(parts)


TEXTS: dict[str, Callable[[Summary], str]] = {
    "setup": lambda row: row.setup.name,
    "solved": write_solved,
    "Shapley": lambda row: f"{row.shapley:.0%}",
    "x best": write_ratio,
    "work": write_work,
    "MB": write_memory,
    "not solved": lambda row: write_stopped(row) or "-",
    "faster than best": write_faster,
    "p": write_probability,
}
"""The cells of the columns that are no times."""

OVERALL_TEXTS: dict[str, Callable[[OverallRow], str]] = {
    "setup": lambda row: row.setup.name,
    "solved": write_solved,
    "x best": write_ratio,
    "rank": lambda row: f"{row.rank:.2f}",
}
"""The same for the table over all sets."""


def align_columns(columns: Sequence[Column]) -> str:
    """Return a table in columns, with units in a line of their own."""
    aligned: list[list[str]] = []
    for column in columns:
        entries = [column.name, column.unit]
        entries += column.cells
        width = max(len(entry) for entry in entries)
        entries.insert(2, "-" * width)
        align = str.rjust if aligned else str.ljust  # only the first one to the left
        aligned.append([align(entry, width) for entry in entries])
    return "\n".join("  ".join(row).rstrip() for row in zip(*aligned, strict=True))
