"""The tables of a comparison as text, at most 100 columns wide, and as Markdown and LaTeX for a paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import inf, isinf
from textwrap import wrap
from typing import TYPE_CHECKING

from gridproof.experiments.records import Mode, Setup
from gridproof.experiments.statistics import Duel, holm, sign_test
from gridproof.experiments.table import Clock, Summary

if TYPE_CHECKING:
    from gridproof.experiments.results import Comparison

HEADINGS = ("setup", "solved", "PAR-2", "median", "95 %", "x best", "load", "first", "prove", "work", "MB")

SURE = 0.05
"""A duel whose corrected probability is below this is taken for decided."""


def text(comparison: Comparison, clock: Clock = "whole") -> str:
    """A table for each set and mode, with what its columns mean below."""
    blocks = []
    for title, rows, fought in _tables(comparison, clock):
        block = f"{title}\n{_aligned([_cells(row, comparison.limit) for row in rows])}"
        if len(rows) > 1:
            fastest = comparison.virtual_best(rows[0].puzzle_set, rows[0].setup.mode, clock)
            block += f"\nthe fastest on each puzzle (virtual best): PAR-2 {duration(fastest, comparison.limit)}"
        best = rows[0].setup
        undecided = [duel for duel in fought if duel.probability >= SURE and best in (duel.first, duel.second)]
        # so few puzzles decide nothing, whoever was faster on all of them
        if undecided and holm([sign_test(rows[0].instances, 0)] * len(fought))[0] < SURE:
            rivals = ", ".join(_rival(duel, best) for duel in undecided)
            block += "\n" + "\n  ".join(wrap(f"not told apart from the best by a sign test: {rivals}", 98))
        blocks.append(block)
    if not blocks:
        return "no puzzle was run on all of them"
    return "\n\n".join([*blocks, _legend({setup.mode for setup in comparison.setups}, clock)])


def markdown(comparison: Comparison, clock: Clock = "whole") -> str:
    """The same tables in Markdown, with 95 % intervals of PAR-2 and the sign tests."""
    blocks = []
    for title, rows, fought in _tables(comparison, clock):
        head = ["setup", "solved", "PAR-2", "95 % interval", "median", "95 %", "x best"]
        lines = [f"### {title}", "", _piped(head), _piped(["---"] + ["---:"] * (len(head) - 1))]
        lines += [_piped(_paper_cells(row, comparison.limit)) for row in rows]
        if fought:
            head = ["first", "second", "first faster", "second faster", "p (sign test, Holm)"]
            lines += ["", _piped(head), _piped(["---", "---", "---:", "---:", "---:"])]
            lines += [_piped(_duel_cells(duel)) for duel in fought]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def latex(comparison: Comparison, clock: Clock = "whole") -> str:
    """The same tables as LaTeX ``tabular``s with the rules of the package ``booktabs``."""
    blocks = []
    for title, rows, _ in _tables(comparison, clock):
        lines = [f"% {title}", r"\begin{tabular}{lrrrrrr}", r"\toprule"]
        lines += [r"setup & solved & PAR-2 & 95\,\% interval & median & 95\,\% & $\times$ best \\", r"\midrule"]
        lines += [" & ".join(map(_escaped, _paper_cells(row, comparison.limit))) + r" \\" for row in rows]
        blocks.append("\n".join([*lines, r"\bottomrule", r"\end{tabular}"]))
    return "\n\n".join(blocks) + "\n"


def _tables(comparison: Comparison, clock: Clock) -> Iterator[tuple[str, list[Summary], list[Duel]]]:
    """For each set and mode a title, its rows, and the duels."""
    for (puzzle_set, mode), found in groupby(comparison.summaries(clock), lambda row: (row.puzzle_set, row.setup.mode)):
        rows = list(found)
        number = rows[0].instances
        title = f"{puzzle_set}: {number:,} puzzle{'s' * (number != 1)}, {mode}, limit {comparison.limit:g} s"
        yield title, rows, comparison.duels(puzzle_set, mode, clock)


def _legend(modes: set[Mode], clock: Clock) -> str:
    lines = ["PAR-2: mean time, a puzzle not solved in time counts twice the limit; x best: its ratio to the best."]
    if clock == "solve":
        lines.append("Times are of the solving alone (first + prove); load, with encoding, is beside them.")
    elif "cold" in modes:
        lines.append("cold: each run compiles, loads and solves; times include all (medians of the stages: right).")
    if "warm" in modes:
        lines.append("warm: one session for the set; times are first + prove, load happens once a session.")
    lines.append("load: with encoding. work: median decisions (d) or search nodes (n). MB: most memory, libraries too.")
    return "\n".join(lines)


def _cells(row: Summary, limit: float) -> tuple[str, ...]:
    # a search encodes nothing
    loading = None if row.load is None else row.load + (row.encode or 0.0)
    return (
        row.setup.name,
        f"{row.solved:,}/{row.instances:,}",
        *(duration(time, limit) for time in (row.par2, row.median, row.p95)),
        f"{row.ratio:.2f}" if row.ratio < 100 else f"{row.ratio:,.0f}",
        *("-" if time is None else duration(time) for time in (loading, row.first, row.prove)),
        "-" if row.work is None else f"{row.work:,.0f} {row.work_unit[0]}",
        "-" if row.peak_memory is None else f"{row.peak_memory / 1e6:,.0f}",
    )


def _paper_cells(row: Summary, limit: float) -> tuple[str, ...]:
    setup, solved, par2, median, p95, ratio, *_ = _cells(row, limit)
    return setup, solved, par2, " to ".join(duration(end, limit) for end in row.interval), median, p95, ratio


def _duel_cells(duel: Duel) -> tuple[str, ...]:
    return (duel.first.name, duel.second.name, f"{duel.wins:,}", f"{duel.losses:,}", f"{duel.probability:.2g}")


def _rival(duel: Duel, best: Setup) -> str:
    """The other of a duel with the best, and on how many puzzles it was faster."""
    rival, faster = (duel.second, duel.losses) if duel.first == best else (duel.first, duel.wins)
    return f"{rival.name} (faster on {faster:,})"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    table = [HEADINGS, *rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in table]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _escaped(cell: str) -> str:
    return "".join(f"\\{character}" if character in "&%$#_{}" else character for character in cell).replace(">", "$>$")


def duration(seconds: float, limit: float = inf) -> str:
    """Three digits and a unit; ``inf`` as more than the limit."""
    if isinf(seconds):
        return f">{limit:g} s"
    if seconds == 0:
        return "0"
    for unit, factor in (("us", 1e6), ("ms", 1e3), ("s", 1.0)):
        if seconds * factor < 999.5:
            return f"{seconds * factor:#.3g}".rstrip(".") + f" {unit}"
    return f"{seconds:.0f} s"
