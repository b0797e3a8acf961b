"""The tables of a comparison: text at most 100 columns wide, Markdown and LaTeX for a paper, JSON.

A table is a list of columns. A column has a name, a unit that fits all of its cells, and a cell for each setup.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from math import isinf
from textwrap import wrap
from typing import NamedTuple

from gridproof.experiments.durations import unit_of, write_duration, write_number
from gridproof.experiments.records import Clock, Mode
from gridproof.experiments.statistics import Ranking, Summary, smallest_probability
from gridproof.experiments.text_tables import latex_table, markdown_rows
from gridproof.text import counted

SURE = 0.05
"""Corrected probability below which a setup is taken to be worse than the best."""

WIDTH = 98
"""Longest line below a table, in characters."""


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
    "par2": "PAR-2",
    "median": "median",
    "p95": "95th",
    "marginal": "marginal",
    "load": "load",
    "first": "first",
    "prove": "prove",
}
"""The names of the columns of times."""

ON_SCREEN = ("setup", "solved", "par2", "median", "p95", "x best", "Shapley", "load", "first", "prove", "work", "MB")
"""The columns of a table on a terminal."""

ON_PAPER = (
    "setup",
    "solved",
    "par2",
    "95 % interval",
    "median",
    "p95",
    "x best",
    "marginal",
    "Shapley",
    "not solved",
    "faster than best",
    "p",
)
"""The columns of a table in Markdown and LaTeX."""


# ---- the forms -------------------------------------------------------------------------------------------------------


def text(tables: Sequence[Ranking], clock: Clock, warnings: Sequence[str]) -> str:
    """Return a table for each set and mode, with the meaning of its columns below. warnings: further lines."""
    blocks = []
    for table in tables:
        lines = [_title(table), align_columns(_columns(table, ON_SCREEN))]
        for remark in write_remarks(table):
            lines.append("\n  ".join(wrap(remark, WIDTH, break_on_hyphens=False)))
        blocks.append("\n".join(lines))
    if not blocks:
        blocks.append("no puzzle was run on all of them")
    modes = {table.mode for table in tables}
    below = explain_columns(modes, clock)
    below += warnings
    blocks.append("\n".join(below))
    return "\n\n".join(blocks)


def markdown(tables: Sequence[Ranking], clock: Clock) -> str:
    """Return the tables in Markdown, with 95 % intervals of PAR-2 and the tests against the best."""
    blocks = []
    for table in tables:
        columns = _columns(table, ON_PAPER)
        lines = [f"### {_title(table)}", "", markdown_rows([_heads(columns), *_rows(columns)])]
        if table.not_applicable:
            lines.append("")
            lines.append(_not_applicable(table))
        blocks.append("\n".join(lines))
    blocks.append("\n".join(_paper_legend(clock)))
    return "\n\n".join(blocks) + "\n"


def latex(tables: Sequence[Ranking], clock: Clock) -> str:
    """Return the same tables in LaTeX, each with a caption and a label, with the rules of the package ``booktabs``."""
    blocks = []
    for number, table in enumerate(tables, 1):
        columns = _columns(table, ON_PAPER)
        sentences = [f"{_title(table)}."]
        if table.not_applicable:
            sentences.append(f"{_not_applicable(table)}.".capitalize())
        sentences += _paper_legend(clock)
        rows = [_heads(columns), *_rows(columns)]
        blocks.append(latex_table(rows, " ".join(sentences), f"comparison-{number}"))
    return "\n".join(blocks)


def as_json(tables: Sequence[Ranking], clock: Clock) -> str:
    """Return the tables as JSON: times in seconds, null for one above the limit."""
    made = []
    for table in tables:
        rows = []
        for summary in table.rows:
            row = asdict(summary)
            for name in ("median", "p95"):
                if isinf(row[name]):
                    row[name] = None
            rows.append(row)
        made.append(asdict(table) | {"clock": clock, "gap": table.gap, "rows": rows})
    return json.dumps(made, indent=1) + "\n"


# ---- columns ---------------------------------------------------------------------------------------------------------


def _columns(table: Ranking, names: Iterable[str]) -> list[Column]:
    """Return the columns of these names; each is a key of ``TIMES`` or of ``TEXTS``, or the interval."""
    columns = []
    for name in names:
        if name in TIMES:
            columns.append(make_times(table, name))
        elif name == "95 % interval":
            columns.append(make_intervals(table))
        else:
            columns.append(Column(name, "", [TEXTS[name](row) for row in table.rows]))
    return columns


def _heads(columns: Sequence[Column]) -> list[str]:
    return [column.head for column in columns]


def _rows(columns: Sequence[Column]) -> list[list[str]]:
    """Return the rows below the headings."""
    rows = []
    for place in range(len(columns[0].cells)):
        rows.append([column.cells[place] for column in columns])
    return rows


def make_times(table: Ranking, name: str) -> Column:
    """Return a column of times in one unit."""
    times = [find_time(row, name, table.limit) for row in table.rows]
    shown = []
    for time in times:
        if time is not None:
            shown.append(min(time, table.limit))
    unit = unit_of(shown)
    return Column(TIMES[name], unit.name, [write_number(time, unit, table.limit) for time in times])


def make_intervals(table: Ranking) -> Column:
    """Return the intervals of PAR-2 in one unit."""
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
    time: float | None = getattr(row, name)
    return time


def write_ratio(row: Summary) -> str:
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


def _stopped(row: Summary) -> str:
    """Return how many runs stopped where, or nothing if all were solved."""
    parts = [f"{row.stopped[stage]:,} {stage}" for stage in STAGES if row.stopped.get(stage)]
    return ", ".join(parts)


TEXTS: dict[str, Callable[[Summary], str]] = {
    "setup": lambda row: row.setup.name,
    "solved": lambda row: f"{row.solved:,}/{row.instances:,}",
    "Shapley": lambda row: f"{row.shapley:.0%}",
    "x best": write_ratio,
    "work": write_work,
    "MB": write_memory,
    "not solved": lambda row: _stopped(row) or "-",
    "faster than best": write_faster,
    "p": write_probability,
}
"""The cells of the columns that are no times."""


# ---- lines beside a table --------------------------------------------------------------------------------------------


def _title(table: Ranking) -> str:
    return f"{table.puzzle_set}: {counted(table.rows[0].instances, 'puzzle')}, {table.mode}, limit {table.limit:g} s"


def _not_applicable(table: Ranking) -> str:
    """Return which setups are left out of a table, and why."""
    reasons = [f"{name} ({reason})" for name, reason in table.not_applicable]
    return f"not applicable: {'; '.join(reasons)}"


def write_remarks(table: Ranking) -> list[str]:
    """Return lines below the table: the virtual best, where runs stopped, which setups may be as good as the best."""
    lines = []
    if table.not_applicable:
        lines.append(_not_applicable(table))
    if len(table.rows) > 1:
        lines += describe_virtual_best(table)
    stopped = [f"{row.setup.name} {_stopped(row)}" for row in table.rows if row.stopped]
    if stopped:
        lines.append(f"runs not solved, by where they stopped: {'; '.join(stopped)}")
    number = table.rows[0].instances
    rivals = len(table.rows) - 1
    if rivals and smallest_probability(number, rivals) >= SURE:
        are = "puzzle is" if number == 1 else "puzzles are"
        lines.append(f"{number:,} {are} too few to test which setup is better")
        return lines
    close = []
    for row in table.rows:
        if row.probability is not None and row.probability >= SURE:
            close.append(f"{row.setup.name} (faster on {row.faster:,})")
    if close:
        lines.append(f"not significantly slower than the best: {', '.join(close)}")
    return lines


def describe_virtual_best(table: Ranking) -> list[str]:
    """Return lines on the virtual best, and on what single setups add to it."""
    best = write_duration(table.virtual_best)
    gap = write_duration(table.gap)
    lines = [f"virtual best (the fastest on each puzzle): PAR-2 {best}; gap of the single best: {gap}"]
    added = [f"{row.setup.name} {write_duration(row.marginal)}" for row in table.rows if row.marginal > 0]
    if added:
        lines.append(f"marginal contributions to the virtual best: {', '.join(added)}")
    return lines


def explain_columns(modes: set[Mode], clock: Clock) -> list[str]:
    """Return the meaning of the columns on a terminal."""
    lines = ["PAR-2: mean time, a puzzle not solved in time counts twice the limit; x best: its ratio to the best."]
    lines.append("median, 95th: percentiles of the times of puzzles. Shapley: contribution to the virtual best.")
    if clock == "solve":
        lines.append("Times are of the solving alone (first + prove); load, with encoding, is beside them.")
    elif clock == "cpu":
        lines.append("PAR-2, median and 95th are processor times, of all processes; load, first and prove wall times.")
    if clock != "solve" and "cold" in modes:
        lines.append("cold: each run compiles, loads and solves; times include all (medians of the stages: right).")
    if "warm" in modes:
        lines.append("warm: one session for the set; times are first + prove, load happens once a session.")
    lines.append("load: with encoding. work: median decisions (d) or search nodes (n). MB: most memory, libraries too.")
    return lines


def _paper_legend(clock: Clock) -> list[str]:
    """Return the meaning of the columns in a paper."""
    times = {"whole": "Wall time of whole runs", "solve": "Wall time of solving alone", "cpu": "Processor time"}[clock]
    return [
        f"{times}. PAR-2: mean, unsolved puzzles count twice the limit, with a bootstrap interval.",
        "Marginal, Shapley: contributions to the virtual best, by PAR-2.",
        "Not solved: runs by the stage in which they stopped.",
        "Faster than best: number of puzzles. p: permutation test of PAR-2 against the best, corrected by Holm.",
    ]


# ---- numbers and cells -----------------------------------------------------------------------------------------------


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
