"""Pictures of a comparison, as the SAT community draws them: cactus plot, scatter plot, sizes of encodings.

Needs matplotlib (extra ``plot``); see ``plot_style``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import cycle
from math import ceil, isfinite, isinf
from typing import TYPE_CHECKING, Any

from gridproof.errors import InputError
from gridproof.experiments.printing import duration
from gridproof.experiments.records import Setup
from gridproof.experiments.results import Comparison, Size
from gridproof.experiments.table import Clock, common_puzzles, instance_times
from gridproof.pictures import plot_style, vega
from gridproof.pictures.plot_style import COLOURS, GREY, MARKERS, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def cactus(
    comparison: Comparison,
    *,
    sets: Sequence[str] | None = None,
    clock: Clock = "whole",
    title: str | None = None,
    interactive: bool = False,
) -> Picture:
    """How many instances each setup solves within a time: the further right and the lower, the better.

    An instance's time is the median of its repeats. A panel for each set (all, or those named). Raises ``InputError``
    if there is nothing to draw.
    """
    limit, looks = comparison.limit, plot_style.looks_of(comparison)
    times = {
        name: setups
        for name, setups in sorted(instance_times(comparison.records, clock).items())
        if not sets or name in sets
    }
    if not times or (sets and set(sets) - times.keys()):
        raise InputError(f"a cactus plot of {', '.join(sets or ()) or 'no sets'}; expected sets that were run")
    columns = min(len(times), 3)  # the panels wrap
    rows = ceil(len(times) / columns)
    scores: dict[Setup, float] = {}
    lines: dict[Setup, Any] = {}
    points: list[dict[str, Any]] = []
    title = title or plot_style.default_title(comparison.setups, clock)
    with plot_style.drawing(6.2 * columns + 6.0, 5.4 * rows + 1.2, title) as figure:
        panels = figure.subplots(rows, columns, squeeze=False, sharey=True).flat
        for (name, setups), axes in zip(times.items(), panels, strict=False):
            common = common_puzzles(setups)
            for number, setup in enumerate(sorted(setups, key=str)):
                solved = sorted((setups[setup][puzzle], puzzle) for puzzle in common if isfinite(setups[setup][puzzle]))
                look, count = looks[setup], len(solved)
                step = max(1, count // 8)
                marked = sorted({*range(number % step, count, step), count - 1} - {-1})
                seconds = [time for time, _ in solved]
                (lines[setup],) = axes.plot(range(1, count + 1), seconds, markevery=marked, **look)
                scores[setup] = scores.get(setup, 0.0) + sum(seconds) + 2 * limit * (len(common) - count)
                for rank, (time, puzzle) in enumerate(solved, 1):
                    point = {"set": name, "setup": look["label"], "solved": rank, "puzzle": puzzle}
                    points.append(point | {"seconds": time, "time": duration(time)})
            plot_style.times_on(axes, "y", limit)
            axes.set_xlim(0, max(len(common), 1) * 1.02)
            axes.set_title(f"{name} ({len(common):,} puzzle{'s' * (len(common) != 1)})")
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.set_xlabel("puzzles solved")
            if axes.get_subplotspec().is_first_col():
                axes.set_ylabel("time per puzzle")
        axes.set_ylim(min((point["seconds"] for point in points), default=limit / 10) / 1.5, limit * 2.2)
        for axes in panels:  # those that are left over
            axes.set_axis_off()
        best_first = [lines[setup] for setup in sorted(scores, key=lambda setup: scores[setup])]
        plot_style.legend(figure, best_first, f"{plot_style.key_to_lines(comparison)}; best first")
    names = [look["label"] for look in looks.values()]
    return Picture(figure, vega.cactus(points, names, limit, title) if interactive else None)


def scatter(
    comparison: Comparison,
    first: str | Setup,
    second: str | Setup,
    *,
    clock: Clock = "whole",
    title: str | None = None,
    interactive: bool = False,
) -> Picture:
    """One setup against another, a point for each puzzle; below the diagonal the second one is faster.

    first, second: as ``Comparison.setup`` takes them. What was not solved in time stands on the dashed line of the
    limit, hollow. Raises ``InputError`` for setups that are not there or have no puzzle in common.
    """
    one, other = comparison.setup(first), comparison.setup(second)
    limit = comparison.limit
    boards = {(run.puzzle_set, run.puzzle): run.board for run in comparison.records}
    points: list[dict[str, Any]] = []
    for name, setups in sorted(instance_times(comparison.records, clock).items()):
        across, up = setups.get(one, {}), setups.get(other, {})
        for puzzle in sorted(across.keys() & up.keys()):
            pair = across[puzzle], up[puzzle]
            point = {"set": name, "puzzle": puzzle, "board": boards[name, puzzle][:81], "late": isinf(max(pair))}
            point |= {"x": min(pair[0], limit), "y": min(pair[1], limit)}
            said = [f"> {limit:g} s" if isinf(time) else duration(time) for time in pair]
            points.append(point | {"first": said[0], "second": said[1]})
    if not points or one == other:
        raise InputError(f"a scatter plot of {one} and {other}; expected two different ones with puzzles in common")
    low, high = min(min(point["x"], point["y"]) for point in points) / 2, limit * 2.2
    names = [plot_style.label_of(setup, {one.mode, other.mode}) for setup in (one, other)]
    title = title or f"{plot_style.default_title((one, other), clock)}\nhollow: not solved in time"
    with plot_style.drawing(9.0, 8.0, title, fontsize=16) as figure:
        axes = figure.subplots()
        axes.plot([low, high], [low, high], color="black", linewidth=1.4, zorder=1)
        for factor, side in ((10, "right"), (0.1, "left")):
            axes.plot([low, high], [low * factor, high * factor], color=GREY, linewidth=1, linestyle=":", zorder=1)
            if low * 100 < high:
                # beside the line, away from the diagonal
                place, move = ((low * 4, low * 40), -9) if factor == 10 else ((low * 40, low * 4), 9)
                axes.annotate("10 x", place, (move, 0), textcoords="offset points", ha=side, va="center", color=GREY)
        sets = list(dict.fromkeys(point["set"] for point in points))
        for name, colour, marker in zip(sets, cycle(COLOURS), cycle(MARKERS), strict=False):
            for late, fill in ((False, colour), (True, "white")):
                drawn = [point for point in points if (point["set"], point["late"]) == (name, late)]
                label = None if late else f"{name} ({sum(point['set'] == name for point in points):,})"
                style: dict[str, Any] = {"marker": marker, "edgecolors": colour, "linewidths": 1.4, "alpha": 0.85}
                x, y = ([point[axis] for point in drawn] for axis in "xy")
                axes.scatter(x, y, s=70, facecolors=fill, label=label, clip_on=not late, zorder=3, **style)
        plot_style.times_on(axes, "x", limit)
        plot_style.times_on(axes, "y", limit)
        axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")
        first_faster, second_faster = (sum(point[a] < point[b] for point in points) for a, b in ("xy", "yx"))
        axes.set_xlabel(f"{names[0]}  (faster on {first_faster:,} of {len(points):,})")
        axes.set_ylabel(f"{names[1]}  (faster on {second_faster:,})")
        figure.legend(loc="outside lower center", frameon=False, ncols=min(3, len(sets)))
    return Picture(figure, vega.scatter(points, names, limit, title) if interactive else None)


def sizes(models: Iterable[Size], *, title: str = "Size of the encodings") -> Picture:
    """Bars of variables and clauses of each encoding; a row of panels for each geometry.

    models: such as ``Comparison.sizes()``. CP-SAT has constraints in place of clauses, which say more each: their bars
    are hatched. Raises ``InputError`` if there is nothing to draw.
    """
    by_geometry: dict[str, list[Size]] = {}
    for model in models:
        by_geometry.setdefault(model.geometry, []).append(model)
    if not by_geometry:
        raise InputError("a picture of no sizes; expected at least one model with variables")
    heights = [0.55 * len(found) + 1.5 for found in by_geometry.values()]
    with plot_style.drawing(13.0, sum(heights) + 0.6, title) as figure:
        grid = figure.subplots(len(by_geometry), 2, squeeze=False, gridspec_kw={"height_ratios": heights})
        for (name, found), (left, right) in zip(by_geometry.items(), grid, strict=True):
            found = sorted(found, key=lambda size: (size.clauses is None, size.clauses or size.constraints or 0))
            labels, hatched = [size.encoding for size in found], [size.clauses is None for size in found]
            _bars(left, labels, [size.variables for size in found], hatched)
            _bars(right, labels, [size.clauses or size.constraints or 0 for size in found], hatched)
            left.set_title(f"{_short(name)}: variables", loc="left")
            right.set_title("clauses (hatched: constraints)" if any(hatched) else "clauses", loc="left")
            right.set_yticklabels([])
    return Picture(figure)


# ---- how it is done ------------------------------------------------------------------------------------------------


def _bars(axes: Axes, labels: list[str], values: list[int], hatched: list[bool]) -> None:
    bars = axes.barh(labels, values, color="#9CC7E3", edgecolor="#1F4E6B", linewidth=1.2, height=0.68)
    for bar, hatch in zip(bars, hatched, strict=True):
        if hatch:
            bar.set(hatch="///", facecolor="white")
    axes.bar_label(bars, [f"{value:,}" for value in values], padding=4, fontsize=13)
    axes.invert_yaxis()
    axes.grid(False)
    axes.set_xlim(0, max(values) * 1.2 or 1)
    axes.set_xticks([])
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _short(geometry: str) -> str:
    """A geometry as records have it, for people, where it is one of ours."""
    if sides := re.fullmatch(r"Geometry\.classic\((\d+), (\d+)\)", geometry):
        order = int(sides[1]) * int(sides[2])
        return f"{order} x {order}"
    return geometry if len(geometry) <= 40 else f"{geometry[:37]}..."
