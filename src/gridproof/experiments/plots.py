"""Plots of a comparison: cactus and scatter plots as the SAT community draws them, and time against a parameter.

Sets are never pooled: each has a panel of its own, or, in a scatter plot, a colour and a marker. ``by`` divides the
panels further, by a parameter of the instances.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import cycle
from math import isfinite, isinf
from typing import Any, NamedTuple

from gridproof.errors import InputError
from gridproof.experiments.compared import ComparedRuns
from gridproof.experiments.plot_layout import (
    CLOCKS,
    COLOURS,
    MARKERS,
    Plot,
    add_legend,
    draw_plot,
    label_of,
    looks_of,
    make_time_axis,
    shrink_legend,
    title_of,
)
from gridproof.experiments.records import Clock, RunRecord, Setup, Times
from gridproof.experiments.statistics import common_puzzles, instance_times, mean_score, percentile
from gridproof.text import counted

FEWEST = 2
"""The puzzles of a panel of a cactus plot: one puzzle is a dot on the edge, which shows nothing beside other panels."""

MARKED = 8
"""Number of markers on a line of a cactus plot, about."""

BAND = (0.25, 0.5, 0.75)
"""The quartiles of a band, and the line in it."""


def cactus(comparison: ComparedRuns, by: str = "set", *, clock: Clock = "whole", **look: Any) -> Plot:
    """Draw how many instances each setup solves within a time: the further right and the lower, the better.

    An instance's time is the median of its repeats. A panel for each set, and with ``by`` for each value of a parameter
    within it. Panels of a single puzzle are left out beside larger ones. Raises ``InputError`` if nothing was run.

    look: ``title``, by default what is timed, ``""`` for none; ``width`` of a plot for a paper, in centimetres, with
    small type and no title by default.
    """
    limit = comparison.limit_by(clock)
    looks = looks_of(comparison.setups)
    panels = take_timed_panels(_divide(comparison.records, by), clock)
    if not panels:
        raise InputError("a cactus plot of no runs; expected at least one")
    scores: dict[Setup, list[float]] = {}
    lines: dict[Setup, Any] = {}
    least = limit / 10
    labels = [look_of["label"] for look_of in looks.values()]
    with draw_plot(len(panels), title_of(comparison.setups, clock), legend=labels, **look) as plot:
        for (name, times), axes in zip(panels.items(), plot.axes, strict=False):
            common = common_puzzles(times)
            for number, setup in enumerate(sorted(times, key=str)):
                of_setup = [times[setup][puzzle] for puzzle in common]
                seconds = sorted(time for time in of_setup if isfinite(time))
                solved = range(1, len(seconds) + 1)
                marked = place_markers(len(seconds), number)
                (lines[setup],) = axes.plot(solved, seconds, markevery=marked, **looks[setup])
                scores.setdefault(setup, []).extend(of_setup)
                least = min([least] + seconds)
            make_time_axis(axes, "y", limit)
            axes.set_xlim(0, max(len(common), 1) * 1.02)
            axes.set(title=f"{name} ({counted(len(common), 'puzzle')})", xlabel="puzzles solved")
            axes.locator_params(axis="x", integer=True)
        plot.axes[0].set_ylim(least / 1.5, limit * 2.2)
        best_first = sorted(scores, key=lambda setup: mean_score(scores[setup] or [0.0], 2 * limit))
        add_legend(plot, "time per puzzle", [lines[setup] for setup in best_first], "best first")
    return plot


def take_timed_panels(panels: Mapping[str, Sequence[RunRecord]], clock: Clock) -> dict[str, Times]:
    """Return the times of each panel, without panels that would show nothing."""
    timed = {}
    for name, runs in panels.items():
        for times in instance_times(runs, clock).values():  # of its only set, if a setup could take it
            timed[name] = times
    large = {}
    for name, times in timed.items():
        if len(common_puzzles(times)) >= FEWEST:
            large[name] = times
    return large or timed


def place_markers(count: int, number: int) -> list[int]:
    """Return where a line of so many points has its markers: at its end, and not where other lines have theirs."""
    if not count:
        return []
    step = max(1, count // MARKED)
    places = set(range(number % step, count, step))
    places.add(count - 1)
    return sorted(places)


class Point(NamedTuple):
    """A puzzle in a scatter plot. late: whether one of the setups did not solve it in time."""

    x: float
    y: float
    late: bool


def scatter(
    comparison: ComparedRuns,
    first: str | Setup,
    second: str | Setup,
    by: str = "",
    *,
    clock: Clock = "whole",
    **look: Any,
) -> Plot:
    """Draw one setup against another, a point for each puzzle; below the diagonal the second one is faster.

    first, second: as ``Comparison.setup`` takes them. by: ``set`` or a parameter for panels, in place of one with a
    colour for each set. look: as for ``cactus``. What was not solved in time stands on the dashed line of the limit,
    hollow. Raises ``InputError`` for setups that are not there or have no puzzle in common.
    """
    across = comparison.setup(first)
    up = comparison.setup(second)
    limit = comparison.limit_by(clock)
    panels: dict[str, dict[str, list[Point]]] = defaultdict(dict)
    if by:
        parts = _divide(comparison.records, by)
    else:
        parts = {"": list(comparison.records)}
    for panel, runs in parts.items():
        for name, times in sorted(instance_times(runs, clock).items()):
            points = find_points(times, across, up, limit)
            if points:
                panels[panel][name] = points
    if not panels or across == up:
        raise InputError(f"a scatter plot of {across} and {up}; expected two different ones with puzzles in common")
    everywhere = [point for sets in panels.values() for points in sets.values() for point in points]
    low = min(min(point.x, point.y) for point in everywhere) / 2
    high = limit * 2.2
    names = [label_of(setup, {across.mode, up.mode}) for setup in (across, up)]
    usual = f"{title_of((across, up), clock)}\nhollow: not solved in time; dotted: ten times as long"
    with draw_plot(len(panels), usual, square=True, **look) as plot:
        for (panel, sets), axes in zip(panels.items(), plot.axes, strict=False):
            draw_diagonals(axes, low, high)
            for (name, points), colour, marker in zip(sets.items(), cycle(COLOURS), cycle(MARKERS), strict=False):
                draw_points(plot, axes, name, points, colour, marker)
            make_time_axis(axes, "x", limit)
            make_time_axis(axes, "y", limit)
            together = [point for points in sets.values() for point in points]
            first_faster = sum(point.x < point.y for point in together)
            second_faster = sum(point.y < point.x for point in together)
            axes.set(xlim=(low, high), ylim=(low, high), aspect="equal", title=panel)
            axes.set_xlabel(f"{names[0]}  (faster on {first_faster:,} of {len(together):,})")
            axes.set_ylabel(f"{names[1]}  (faster on {second_faster:,})")
        if not by:
            legend = plot.figure.legend(loc="outside lower center", ncols=min(3, len(panels[""])))
            if plot.exact:
                shrink_legend(legend, plot)
    return plot


def find_points(times: Times, across: Setup, up: Setup, limit: float) -> list[Point]:
    """Return the points of the puzzles that both setups were run on."""
    xs = times.get(across, {})
    ys = times.get(up, {})
    points = []
    for puzzle in sorted(xs.keys() & ys.keys()):
        x = xs[puzzle]
        y = ys[puzzle]
        points.append(Point(min(x, limit), min(y, limit), isinf(x) or isinf(y)))
    return points


def draw_diagonals(axes: Any, low: float, high: float) -> None:
    """Draw where both setups take as long, and where one of them takes ten times as long."""
    axes.plot([low, high], [low, high], color="black", linewidth=1.4, zorder=1)
    for factor in (10, 0.1):
        ends = [low * factor, high * factor]
        axes.plot([low, high], ends, color="#555555", linewidth=1, linestyle=":", zorder=1)


def draw_points(plot: Plot, axes: Any, name: str, points: Sequence[Point], colour: str, marker: str) -> None:
    """Draw the points of a set; those of puzzles that were not solved in time are hollow."""
    size = plot.style["lines.markersize"] ** 2
    style: dict[str, Any] = {"marker": marker, "edgecolors": colour, "linewidths": 1.4, "alpha": 0.85, "zorder": 3}
    within = []
    late = []
    for point in points:
        if point.late:
            late.append(point)
        else:
            within.append(point)
    label = f"{name} ({len(points):,})"
    axes.scatter(_xs(within), _ys(within), size, facecolors=colour, label=label, clip_on=True, **style)
    axes.scatter(_xs(late), _ys(late), size, facecolors="white", clip_on=False, **style)


def _xs(points: Iterable[Point]) -> list[float]:
    return [point.x for point in points]


def _ys(points: Iterable[Point]) -> list[float]:
    return [point.y for point in points]


def against(
    comparison: ComparedRuns, parameter: str, by: str = "order", *, clock: Clock = "whole", **look: Any
) -> Plot:
    """Draw the median time against a parameter of the instances, with a band from the first to the third quartile.

    A panel for each set, and for each order within it. Sets in which the parameter has one value each stand in one
    panel, which names them.

    Parameters
    ----------
    comparison : Comparison
        Of instances with the parameter, such as those of ``gridproof instances``.
    parameter : str
        Its name: ``order``, ``holes``.
    by : str
        Another parameter for the panels, or ``set`` for none.
    clock : {"whole", "solve", "cpu"}
        See ``Comparison.summaries``.
    **look
        As for ``cactus``.

    Raises
    ------
    InputError
        No instance has the parameter as a number.
    """
    comparison.times_by(parameter, clock)  # raises if there are none
    panels = split_by_parameter(comparison.records, parameter, by)
    looks = looks_of(comparison.setups)
    limit = comparison.limit_by(clock)
    usual = f"{title_of(comparison.setups, clock)} by {parameter}"
    labels = [look_of["label"] for look_of in looks.values()]
    with draw_plot(len(panels), usual, legend=labels, **look) as plot:
        lines: dict[Setup, Any] = {}
        for (name, part), axes in zip(panels.items(), plot.axes, strict=False):
            times_by = replace(comparison, records=tuple(part)).times_by(parameter, clock)
            for setup in sorted(times_by, key=str):
                values = list(times_by[setup])
                bands = []
                for share in BAND:
                    bands.append([min(percentile(times, share), limit) for times in times_by[setup].values()])
                low, middle, high = bands
                (lines[setup],) = axes.plot(values, middle, **looks[setup])
                axes.fill_between(values, low, high, color=looks[setup]["color"], alpha=0.15)
            make_time_axis(axes, "y", limit)
            axes.set(title=name, xlabel=parameter)
        add_legend(plot, f"median time ({CLOCKS[clock]})", lines.values(), "band: first to third quartile")
    return plot


def split_by_parameter(records: Iterable[RunRecord], parameter: str, by: str) -> dict[str, list[RunRecord]]:
    """Return the runs of each panel by its title, of instances that have the parameter as a number."""
    runs = []
    values: dict[str, set[Any]] = defaultdict(set)
    for run in records:
        value = dict(run.parameters).get(parameter)
        if isinstance(value, int | float):
            runs.append(run)
            values[run.puzzle_set].add(value)
    if all(len(of_set) == 1 for of_set in values.values()):
        return {" + ".join(sorted(values)): runs}
    return _divide(runs, "set" if by == parameter else by, needed=by != "order")


def _divide(runs: Iterable[RunRecord], by: str, *, needed: bool = True) -> dict[str, list[RunRecord]]:
    """Return the runs of each panel by its title: those of a set, and of one value of a parameter if ``by`` is one.

    needed: whether to raise ``InputError`` if no instance has the parameter.
    """
    runs = list(runs)
    panels: dict[tuple[str, Any], list[RunRecord]] = defaultdict(list)
    for run in runs:
        panels[run.puzzle_set, dict(run.parameters).get(by)].append(run)
    if by != "set" and needed and all(value is None for _, value in panels):
        names = set()
        for run in runs:
            for name, _ in run.parameters:
                names.add(name)
        known = ["set"] + sorted(names)
        raise InputError(f"panels by {by!r}; expected {' or '.join(known)}")
    ordered = sorted(panels, key=lambda key: (key[0], isinstance(key[1], str), key[1] or 0))
    titled = {}
    for name, value in ordered:
        title = name if value is None else f"{name}, {by} {value}"
        titled[title] = panels[name, value]
    return titled
