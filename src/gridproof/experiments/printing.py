"""The tables of a comparison: text at most 100 columns wide, Markdown and LaTeX for a paper, JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from math import floor, inf, isinf, log10, sqrt
from textwrap import wrap

from gridproof.experiments.records import Clock, Mode
from gridproof.experiments.statistics import Ranking, Summary, smallest_probability
from gridproof.text import counted

SURE = 0.05
"""A setup whose corrected probability is below this is taken to be worse than the best."""

_UNITS = ((1e-3, 1e-6, "us"), (1.0, 1e-3, "ms"), (inf, 1.0, "s"))
_STAGES = ("encode", "load", "solve", "failed")
_TIMES = {name: name for name in ("median", "marginal", "load", "first", "prove")} | {"par2": "PAR-2", "p95": "95th"}
_SCREEN = ("setup", "solved", "par2", "median", "p95", "x best", "Shapley", "load", "first", "prove", "work", "MB")
_PAPER = ("setup", "solved", "par2", "95 % interval", "median", "p95", "x best", "marginal", "Shapley", "not solved",
          "faster than best", "p")  # fmt: skip


def text(tables: Sequence[Ranking], clock: Clock, warnings: Sequence[str]) -> str:
    """Return a table for each set and mode, with the meaning of its columns below. warnings: further lines."""
    blocks = []
    for table in tables:
        lines = [_title(table), _aligned(_cells(table, _SCREEN))]
        lines += ["\n  ".join(wrap(line, 98, break_on_hyphens=False)) for line in _remarks(table)]
        blocks.append("\n".join(lines))
    blocks = blocks or ["no puzzle was run on all of them"]
    return "\n\n".join([*blocks, "\n".join([*_legend({table.mode for table in tables}, clock), *warnings])])


def markdown(tables: Sequence[Ranking], clock: Clock) -> str:
    """Return the tables in Markdown, with 95 % intervals of PAR-2 and the tests against the best."""
    blocks = []
    for table in tables:
        head, *rows = _cells(table, _PAPER)
        rule = ["---"] + ["---:"] * (len(head) - 1)
        blocks.append("\n".join([f"### {_title(table)}", "", *map(_piped, [head, rule, *rows])]))
    return "\n\n".join([*blocks, "\n".join(_paper_legend(clock))]) + "\n"


_LATEX = r"""\begin{table}
\centering
\caption{%s}
\label{tab:comparison-%d}
\begin{tabular}{l%s}
\toprule
%s
\midrule
%s
\bottomrule
\end{tabular}
\end{table}
"""


def latex(tables: Sequence[Ranking], clock: Clock) -> str:
    """Return the same tables in LaTeX, each with a caption and a label, with the rules of the package ``booktabs``."""
    blocks = []
    for number, table in enumerate(tables, 1):
        head, *rows = (rf"{' & '.join(map(_escaped, row))} \\" for row in _cells(table, _PAPER))
        caption = _escaped(f"{_title(table)}. {' '.join(_paper_legend(clock))}")
        blocks.append(_LATEX % (caption, number, "r" * (len(_PAPER) - 1), head, "\n".join(rows)))
    return "\n".join(blocks)


def as_json(tables: Sequence[Ranking], clock: Clock) -> str:
    """Return the tables as JSON: times in seconds, null for one above the limit."""
    made = []
    for table in tables:
        rows = [asdict(row) for row in table.rows]
        for row in rows:
            row |= {name: None for name in ("median", "p95") if isinf(row[name])}
        made.append({**asdict(table), "clock": clock, "gap": table.gap, "rows": rows})
    return json.dumps(made, indent=1) + "\n"


def _title(table: Ranking) -> str:
    return f"{table.puzzle_set}: {counted(table.rows[0].instances, 'puzzle')}, {table.mode}, limit {table.limit:g} s"


def _cells(table: Ranking, names: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the rows of a table, first that of the headings, with units as in ``PAR-2 [ms]``."""
    return list(zip(*(_column(table, name) for name in names), strict=True))


def _column(table: Ranking, name: str) -> list[str]:
    """Return heading and cells of a column. name: a key of ``_TIMES``, or the heading."""
    rows = table.rows
    if name in _TIMES:
        times = [_time(row, name) for row in rows]
        unit, size = _unit([min(time, table.limit) for time in times if time is not None])
        return [f"{_TIMES[name]} [{unit}]", *(_number(time, size, table.limit) for time in times)]
    if name == "95 % interval":
        unit, size = _unit([end for row in rows for end in row.interval])
        ends = (" to ".join(_number(end, size, table.limit) for end in row.interval) for row in rows)
        return [f"{name} [{unit}]", *ends]
    cells = {
        "setup": [row.setup.name for row in rows],
        "solved": [f"{row.solved:,}/{row.instances:,}" for row in rows],
        "Shapley": [f"{row.shapley:.0%}" for row in rows],
        "x best": [f"{row.ratio:.2f}" if row.ratio < 100 else f"{row.ratio:,.0f}" for row in rows],
        "work": ["-" if row.work is None else f"{row.work:,.0f} {row.work_unit[0]}" for row in rows],
        "MB": ["-" if row.peak_memory is None else f"{row.peak_memory / 1e6:,.0f}" for row in rows],
        "not solved": [_stopped(row) or "-" for row in rows],
        "faster than best": ["-" if row.faster is None else f"{row.faster:,}" for row in rows],
        "p": ["-" if row.probability is None else f"{row.probability:.2g}" for row in rows],
    }
    return [name, *cells[name]]


def _remarks(table: Ranking) -> list[str]:
    """Return lines below the table: the virtual best, where runs stopped, which setups may be as good as the best."""
    lines = []
    if len(table.rows) > 1:
        best, gap = duration(table.virtual_best), duration(table.gap)
        lines.append(f"virtual best (the fastest on each puzzle): PAR-2 {best}; gap of the single best: {gap}")
        if added := [f"{row.setup.name} {duration(row.marginal)}" for row in table.rows if row.marginal > 0]:
            lines.append(f"marginal contributions to the virtual best: {', '.join(added)}")
    if stopped := [f"{row.setup.name} {_stopped(row)}" for row in table.rows if row.stopped]:
        lines.append(f"runs not solved, by where they stopped: {'; '.join(stopped)}")
    number = table.rows[0].instances
    if len(table.rows) > 1 and smallest_probability(number, len(table.rows) - 1) >= SURE:
        lines.append(f"{number:,} puzzle{'s are' if number != 1 else ' is'} too few to test which setup is better")
    elif close := [row for row in table.rows if row.probability is not None and row.probability >= SURE]:
        rivals = ", ".join(f"{row.setup.name} (faster on {row.faster:,})" for row in close)
        lines.append(f"not significantly slower than the best: {rivals}")
    return lines


def _legend(modes: set[Mode], clock: Clock) -> list[str]:
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
    return [
        *lines,
        "load: with encoding. work: median decisions (d) or search nodes (n). MB: most memory, libraries too.",
    ]


def _paper_legend(clock: Clock) -> list[str]:
    times = {"whole": "Wall time of whole runs", "solve": "Wall time of solving alone", "cpu": "Processor time"}[clock]
    return [
        f"{times}. PAR-2: mean, unsolved puzzles count twice the limit, with a bootstrap interval.",
        "Marginal, Shapley: contributions to the virtual best, by PAR-2.",
        "Not solved: runs by the stage in which they stopped.",
        "Faster than best: number of puzzles. p: permutation test of PAR-2 against the best, corrected by Holm.",
    ]


def _time(row: Summary, name: str) -> float | None:
    if name == "load":
        return None if row.load is None else row.load + (row.encode or 0.0)
    value: float | None = getattr(row, name)
    return value


def _stopped(row: Summary) -> str:
    return ", ".join(f"{row.stopped[stage]:,} {stage}" for stage in _STAGES if row.stopped.get(stage))


def _unit(values: Sequence[float]) -> tuple[str, float]:
    """Return the unit for a column of seconds, and its length: that of the middle between smallest and largest."""
    above = [value for value in values if value > 0] or [1.0]
    middle = sqrt(min(above) * max(above))
    return next((name, size) for below, size, name in _UNITS if middle < below)


def _number(seconds: float | None, unit: float, limit: float) -> str:
    """Return a time in a unit, with three digits."""
    if seconds is None:
        return "-"
    if isinf(seconds):
        return f">{limit / unit:,g}"
    value = seconds / unit
    return f"{value:,.{max(0, 2 - floor(log10(value)))}f}" if value > 0 else "0"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return a table in columns, with units in a line of their own."""
    heads = [head.rstrip("]").partition(" [") for head in rows[0]]
    table = [[name for name, _, _ in heads], [unit for _, _, unit in heads], *rows[1:]]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]).rstrip() for row in table]
    lines.insert(2, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _escaped(cell: str) -> str:
    escaped = "".join(f"\\{character}" if character in "&%$#_{}" else character for character in cell)
    return escaped.replace(">", "$>$").replace("[us]", r"[$\mu$s]")


def duration(seconds: float) -> str:
    """Return a time with three digits and a unit."""
    unit, size = _unit([seconds])
    return f"{_number(seconds, size, inf)} {unit}"
