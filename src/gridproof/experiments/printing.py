"""The tables of a comparison: text at most 100 columns wide, Markdown and LaTeX for a paper, JSON.

Each set and mode has a table; with two sets or more a table over all of them follows.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from math import isinf
from textwrap import wrap

from gridproof.experiments.durations import write_duration
from gridproof.experiments.overall import Overall, rank_overall
from gridproof.experiments.records import Clock
from gridproof.experiments.significance import FEWEST_SETS, SURE, smallest_probability
from gridproof.experiments.statistics import DEFAULT_FACTOR, Ranking
from gridproof.experiments.table_columns import (
    ON_PAPER,
    ON_SCREEN,
    Column,
    align_columns,
    make_columns,
    make_overall,
    table_rows,
    write_stopped,
)
from gridproof.experiments.text_tables import latex_table, markdown_rows
from gridproof.text import counted

MOSTLY = 0.5
"""Share of a cold run above which a line states that it is mostly compiling and loading."""

WIDTH = 98
"""Longest line below a table, in characters."""


# ---- the forms -------------------------------------------------------------------------------------------------------


def text(tables: Sequence[Ranking], clock: Clock, warnings: Sequence[str], chosen: Sequence[str] = ()) -> str:
    """Return a table for each set and mode, and one over all sets, with the meaning of the columns below.

    warnings: further lines. chosen: the columns, in place of those that fit a terminal.
    """
    blocks = []
    for table in tables:
        columns = make_columns(table, chosen or ON_SCREEN)
        remarks = write_remarks(table)
        if clock == "whole" and table.mode == "cold":
            remarks += describe_loading(table)
        blocks.append(_block(_title(table), columns, remarks))
    for overall in rank_overall(tables):
        columns = make_overall(overall, chosen)
        blocks.append(_block(_overall_title(overall), columns, describe_ranks(overall)))
    if not tables:
        blocks.append("no puzzle was run on all of them")
    below = explain_columns(tables, clock)
    below += warnings
    blocks.append("\n".join(below))
    return "\n\n".join(blocks)


def _block(title: str, columns: Sequence[Column], remarks: Sequence[str]) -> str:
    """Return a table on a terminal, between its title and remarks."""
    lines = [title, align_columns(columns)]
    for remark in remarks:
        lines.append("\n  ".join(wrap(remark, WIDTH, break_on_hyphens=False)))
    return "\n".join(lines)


def markdown(tables: Sequence[Ranking], clock: Clock, chosen: Sequence[str] = ()) -> str:
    """Return the tables in Markdown, with 95 % intervals and the tests against the best. chosen: other columns."""
    blocks = []
    for table in tables:
        rows = table_rows(make_columns(table, chosen or ON_PAPER))
        lines = [f"### {_title(table)}", "", markdown_rows(rows)]
        if table.not_applicable:
            lines.append("")
            lines.append(_not_applicable(table))
        blocks.append("\n".join(lines))
    for overall in rank_overall(tables):
        rows = table_rows(make_overall(overall, chosen))
        lines = [f"### {_overall_title(overall)}", "", markdown_rows(rows), ""]
        lines += describe_ranks(overall)
        blocks.append("\n".join(lines))
    blocks.append("\n".join(_paper_legend(tables, clock, chosen or ON_PAPER)))
    return "\n\n".join(blocks) + "\n"


def latex(tables: Sequence[Ranking], clock: Clock, chosen: Sequence[str] = ()) -> str:
    """Return the same tables in LaTeX, each with a caption and a label, with the rules of the package ``booktabs``."""
    blocks = []
    legend = _paper_legend(tables, clock, chosen or ON_PAPER)
    for number, table in enumerate(tables, 1):
        rows = table_rows(make_columns(table, chosen or ON_PAPER))
        sentences = [f"{_title(table)}."]
        if table.not_applicable:
            sentences.append(f"{_not_applicable(table)}.".capitalize())
        sentences += legend
        blocks.append(latex_table(rows, " ".join(sentences), f"comparison-{number}"))
    for overall in rank_overall(tables):
        rows = table_rows(make_overall(overall, chosen))
        sentences = [f"{_overall_title(overall)}.", *describe_ranks(overall)]
        blocks.append(latex_table(rows, " ".join(sentences), f"overall-{overall.mode}"))
    return "\n".join(blocks)


def as_json(tables: Sequence[Ranking], clock: Clock) -> str:
    """Return the tables as JSON, those over all sets last: times in seconds, null for one above the limit."""
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
    for overall in rank_overall(tables):
        made.append(asdict(overall) | {"clock": clock})
    return json.dumps(made, indent=1) + "\n"


# ---- lines beside a table --------------------------------------------------------------------------------------------


def _title(table: Ranking) -> str:
    return f"{table.puzzle_set}: {counted(table.rows[0].instances, 'puzzle')}, {table.mode}, limit {table.limit:g} s"


def _overall_title(table: Overall) -> str:
    puzzles = counted(table.rows[0].instances, "puzzle")
    return f"all {len(table.sets)} sets: {puzzles}, {table.mode}, limit {table.limit:g} s"


def describe_ranks(table: Overall) -> list[str]:
    """Return lines below the table over all sets: its order, who is left out, and the test of the ranks."""
    lines = [f"By puzzles solved, then PAR-{table.factor} of all puzzles. Rank: mean of the ranks in the sets."]
    if table.left_out:
        lines.append(f"Not run on every set, so left out: {', '.join(table.left_out)}.")
    if table.probability is None or table.critical_difference is None:
        if len(table.rows) > 1:
            lines.append(f"{len(table.sets)} sets are too few to test the ranks, which takes at least {FEWEST_SETS}.")
        return lines
    found = "differ" if table.probability < SURE else "do not differ"
    lines.append(f"The ranks {found} significantly (Friedman's test, p = {table.probability:.2g}).")
    difference = f"Two setups differ if their ranks are {table.critical_difference:.2f} apart"
    if table.probability < SURE:
        lines.append(f"{difference} (critical difference of Nemenyi, at {SURE:.0%}).")
    return lines


def describe_seeds(table: Ranking) -> str:
    """Return a line on the spread among solver seeds, or nothing if no setup was run with several."""
    spreads = []
    for row in table.rows:
        if row.seed_deviation is not None:
            solved = sorted([number for number, _ in row.by_seed.values()])
            spread = f"{row.setup.name} {write_duration(row.seed_deviation)} ({len(solved)} seeds, "
            numbers = f"{solved[0]:,}" if solved[0] == solved[-1] else f"{solved[0]:,} to {solved[-1]:,}"
            spreads.append(f"{spread}each solves {numbers})")
    if not spreads:
        return ""
    return f"standard deviation of PAR-{table.factor} among seeds: {', '.join(spreads)}"


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
    seeds = describe_seeds(table)
    if seeds:
        lines.append(seeds)
    stopped = [f"{row.setup.name} {write_stopped(row)}" for row in table.rows if row.stopped]
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


def describe_loading(table: Ranking) -> list[str]:
    """Return a line on the setups whose median run is mostly compiling and loading, which tells little of a solver."""
    shares = []
    for row in table.rows:
        if row.load is None or isinf(row.median):
            continue
        share = (row.load + (row.encode or 0.0)) / row.median
        if share > MOSTLY:
            shares.append(f"{row.setup.name} {min(share, 1.0):.0%}")
    if not shares:
        return []
    return [f"mostly compiling and loading: {', '.join(shares)}; --clock solve ranks by solving alone"]


def describe_virtual_best(table: Ranking) -> list[str]:
    """Return lines on the virtual best, and on what single setups add to it."""
    best = write_duration(table.virtual_best)
    gap = write_duration(table.gap)
    lines = [f"virtual best (the fastest on each puzzle): PAR-{table.factor} {best}; gap of the single best: {gap}"]
    added = [f"{row.setup.name} {write_duration(row.marginal)}" for row in table.rows if row.marginal > 0]
    if added:
        lines.append(f"marginal contributions to the virtual best: {', '.join(added)}")
    return lines


def write_factor(factor: int) -> str:
    """Return a factor in words, such as ``twice`` or ``10 times``."""
    return "twice" if factor == 2 else f"{factor} times"


def explain_columns(tables: Sequence[Ranking], clock: Clock) -> list[str]:
    """Return the meaning of the columns on a terminal."""
    modes = {table.mode for table in tables}
    factor = _factor(tables)
    counts = f"a puzzle not solved in time counts {write_factor(factor)} the limit"
    lines = [f"PAR-{factor}: mean time, {counts}; x best: its ratio to the best."]
    lines.append("median, 95th: percentiles of the times of puzzles. Shapley: contribution to the virtual best.")
    if clock == "solve":
        lines.append("Times are of the solving alone (first + prove); load, with encoding, is beside them.")
    elif clock == "cpu":
        times = f"PAR-{factor}, median and 95th are processor times, of all processes"
        lines.append(f"{times}; load, first and prove wall times.")
    if clock != "solve" and "cold" in modes:
        lines.append("cold: each run compiles, loads and solves; times include all (medians of the stages: right).")
    if "warm" in modes:
        lines.append("warm: one session for the set; times are first + prove, load happens once a session.")
    lines.append("load: with encoding. work: median decisions (d) or search nodes (n). MB: most memory, libraries too.")
    return lines


def _factor(tables: Sequence[Ranking]) -> int:
    """Return the factor of the tables, which is the same in all."""
    return tables[0].factor if tables else DEFAULT_FACTOR


def _paper_legend(tables: Sequence[Ranking], clock: Clock, names: Sequence[str]) -> list[str]:
    """Return the meaning of these columns in a paper."""
    times = {"whole": "Wall time of whole runs", "solve": "Wall time of solving alone", "cpu": "Processor time"}[clock]
    factor = _factor(tables)
    par = f"PAR-{factor}"
    interval = ", with a bootstrap interval" if "95 % interval" in names else ""
    meanings = [
        (("par",), f"{par}: mean, unsolved puzzles count {write_factor(factor)} the limit{interval}."),
        (("marginal", "Shapley"), f"Marginal, Shapley: contributions to the virtual best, by {par}."),
        (("not solved",), "Not solved: runs by the stage in which they stopped."),
        (("faster than best",), "Faster than best: number of puzzles."),
        (("p",), f"p: permutation test of {par} against the best, corrected by Holm."),
    ]
    several = any(row.seed_deviation is not None for table in tables for row in table.rows)
    if several:
        meanings.append((("seeds",), f"Sd of seeds: standard deviation of {par} among solver seeds."))
    lines = [f"{times}."]
    for columns, meaning in meanings:
        if set(columns) & set(names):
            lines.append(meaning)
    return lines
