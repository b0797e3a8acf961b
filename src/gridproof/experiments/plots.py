"""Pictures of a comparison: cactus and scatter plots as the SAT community draws them, survival, and growth.

Sets are never pooled: each has a panel of its own, or, in a scatter plot, a colour and a marker. Needs matplotlib
(extra ``plot``); see ``plot_style``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from math import inf, isfinite, isinf
from typing import TYPE_CHECKING, Any

from gridproof.errors import InputError
from gridproof.experiments import plot_style
from gridproof.experiments.plot_style import CLOCKS, COLOURS, GREY, MARKERS, Picture
from gridproof.experiments.records import Clock, Setup
from gridproof.experiments.results import Comparison
from gridproof.experiments.statistics import common_puzzles, growth, instance_times, par2, percentile

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def cactus(comparison: Comparison, *, clock: Clock = "whole", title: str | None = None) -> Picture:
    """Draw how many instances each setup solves within a time: the further right and the lower, the better.

    An instance's time is the median of its repeats. A panel for each set. Raises ``InputError`` if nothing was run.
    """
    limit, looks = comparison.limit_by(clock), plot_style.looks_of(comparison)
    times = instance_times(comparison.records, clock)
    if not times:
        raise InputError("a cactus plot of no runs; expected at least one")
    scores: dict[Setup, list[float]] = {}
    lines: dict[Setup, Any] = {}
    least = limit / 10
    with plot_style.panels(len(times), title or plot_style.default_title(comparison.setups, clock)) as (figure, panels):
        for (name, setups), axes in zip(sorted(times.items()), panels, strict=True):
            common = common_puzzles(setups)
            for number, setup in enumerate(sorted(setups, key=str)):
                seconds = sorted(time for puzzle in common if isfinite(time := setups[setup][puzzle]))
                count = len(seconds)
                step = max(1, count // 8)
                marked = sorted({*range(number % step, count, step), count - 1} - {-1})
                (lines[setup],) = axes.plot(range(1, count + 1), seconds, markevery=marked, **looks[setup])
                scores.setdefault(setup, []).extend(setups[setup][puzzle] for puzzle in common)
                least = min([least, *seconds])
            plot_style.times_on(axes, "y", limit)
            axes.set_xlim(0, max(len(common), 1) * 1.02)
            axes.set_title(f"{name} ({len(common):,} puzzle{'s' * (len(common) != 1)})")
            axes.locator_params(axis="x", integer=True)
            axes.set_xlabel("puzzles solved")
        panels[0].set_ylim(least / 1.5, limit * 2.2)
        _label_left(panels, "time per puzzle")
        best_first = [lines[setup] for setup in sorted(scores, key=lambda setup: par2(scores[setup] or [0.0], limit))]
        plot_style.legend(figure, best_first, f"{plot_style.key_to_lines(comparison)}; best first")
    return Picture(figure)


def scatter(
    comparison: Comparison, first: str | Setup, second: str | Setup, *, clock: Clock = "whole", title: str | None = None
) -> Picture:
    """Draw one setup against another, a point for each puzzle; below the diagonal the second one is faster.

    first, second: as ``Comparison.setup`` takes them. What was not solved in time stands on the dashed line of the
    limit, hollow. Raises ``InputError`` for setups that are not there or have no puzzle in common.
    """
    one, other = comparison.setup(first), comparison.setup(second)
    limit = comparison.limit_by(clock)
    points: list[tuple[str, float, float, bool]] = []  # set, times within the limit, and whether one was not solved
    for name, setups in sorted(instance_times(comparison.records, clock).items()):
        across, up = setups.get(one, {}), setups.get(other, {})
        for puzzle in sorted(across.keys() & up.keys()):
            late = isinf(across[puzzle]) or isinf(up[puzzle])
            points.append((name, min(across[puzzle], limit), min(up[puzzle], limit), late))
    if not points or one == other:
        raise InputError(f"a scatter plot of {one} and {other}; expected two different ones with puzzles in common")
    low, high = min(min(x, y) for _, x, y, _ in points) / 2, limit * 2.2
    names = [plot_style.label_of(setup, {one.mode, other.mode}) for setup in (one, other)]
    title = (
        title
        or f"{plot_style.default_title((one, other), clock)}\nhollow: not solved in time; dotted: ten times as long"
    )
    with plot_style.drawing(9.0, 8.0, title, fontsize=16) as figure:
        axes = figure.subplots()
        axes.plot([low, high], [low, high], color="black", linewidth=1.4, zorder=1)
        for factor in (10, 0.1):
            axes.plot([low, high], [low * factor, high * factor], color=GREY, linewidth=1, linestyle=":", zorder=1)
        sets = list(dict.fromkeys(point[0] for point in points))
        for name, colour, marker in zip(sets, cycle(COLOURS), cycle(MARKERS), strict=False):
            for late, fill in ((False, colour), (True, "white")):
                drawn = [(x, y) for own, x, y, is_late in points if (own, is_late) == (name, late)]
                label = None if late else f"{name} ({sum(point[0] == name for point in points):,})"
                style: dict[str, Any] = {"marker": marker, "edgecolors": colour, "linewidths": 1.4, "alpha": 0.85}
                x, y = ([point[axis] for point in drawn] for axis in (0, 1))
                axes.scatter(x, y, s=70, facecolors=fill, label=label, clip_on=not late, zorder=3, **style)
        plot_style.times_on(axes, "x", limit)
        plot_style.times_on(axes, "y", limit)
        axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")
        axes.set_xlabel(f"{names[0]}  (faster on {sum(x < y for _, x, y, _ in points):,} of {len(points):,})")
        axes.set_ylabel(f"{names[1]}  (faster on {sum(y < x for _, x, y, _ in points):,})")
        figure.legend(loc="outside lower center", frameon=False, ncols=min(3, len(sets)))
    return Picture(figure)


def survival(comparison: Comparison, *, clock: Clock = "whole", title: str | None = None) -> Picture:
    """Draw the share of runs of each setup that take longer than a time; every run counts, with every seed.

    A panel for each set. Raises ``InputError`` if nothing was run.
    """
    runs: dict[str, dict[Setup, list[float]]] = {}
    for run in comparison.records:
        times = runs.setdefault(run.puzzle_set, {}).setdefault(run.setup, [])
        times.append(run.time(clock) if run.solved else inf)
    if not runs:
        raise InputError("a survival plot of no runs; expected at least one")
    looks, lines = plot_style.looks_of(comparison), {}
    with plot_style.panels(len(runs), title or "Share of runs that take longer") as (figure, panels):
        for (name, setups), axes in zip(sorted(runs.items()), panels, strict=True):
            for setup, times in sorted(setups.items(), key=lambda item: str(item[0])):
                done = sorted(time for time in times if not isinf(time))
                shares = [1 - place / len(times) for place in range(1, len(done) + 1)]
                style = {**looks[setup], "markevery": max(1, len(done) // 8), "drawstyle": "steps-post"}
                (lines[setup],) = axes.plot(done, shares, **style)
            plot_style.times_on(axes, "x", comparison.limit_by(clock))
            axes.set(title=f"{name} ({sum(map(len, setups.values())):,} runs)", xlabel=f"time ({CLOCKS[clock]})")
        _label_left(panels, "share of runs that take longer")
        plot_style.legend(figure, lines.values(), plot_style.key_to_lines(comparison))
    return Picture(figure)


def against(
    comparison: Comparison, parameter: str, *, clock: Clock = "whole", fits: bool = False, title: str | None = None
) -> Picture:
    """Draw the median time against a parameter of the instances, with a band from the first to the third quartile.

    A panel for each set, and for each order within it where the parameter is not the order. Sets in which the parameter
    has one value each stand in one panel, which names them.

    Parameters
    ----------
    comparison : Comparison
        Of instances with the parameter, such as those of ``gridproof instances``.
    parameter : str
        Its name: ``order``, ``holes``.
    clock : {"whole", "solve", "cpu"}
        See ``Comparison.summaries``.
    fits : bool
        Draw the likelier law of growth, exponential or polynomial, where there are at least five values.

    Raises
    ------
    InputError
        No instance has the parameter as a number.
    """
    comparison.times_by(parameter, clock)  # raises if there are none
    groups = _groups(comparison, parameter)
    looks, limit = plot_style.looks_of(comparison), comparison.limit_by(clock)
    with plot_style.panels(
        len(groups), title or f"{plot_style.default_title(comparison.setups, clock)} by {parameter}"
    ) as (figure, panels):
        lines: dict[Setup, Any] = {}
        for (name, part), axes in zip(groups.items(), panels, strict=True):
            for setup, times in sorted(part.times_by(parameter, clock).items(), key=lambda item: str(item[0])):
                values, look = list(times), looks[setup]
                low, middle, high = (
                    [min(percentile(times[value], share), limit) for value in values] for share in (0.25, 0.5, 0.75)
                )
                (lines[setup],) = axes.plot(values, middle, **look)
                axes.fill_between(values, low, high, color=look["color"], alpha=0.15)
                law = growth({value: percentile(times[value], 0.5) for value in values}) if fits else None
                if law:
                    curve = [law(value) for value in values]
                    axes.plot(values, curve, color=look["color"], linewidth=1, linestyle=":")
                    axes.annotate(f" {law}", (values[-1], curve[-1]), color=look["color"], fontsize=11)
            plot_style.times_on(axes, "y", limit)
            axes.set(title=name, xlabel=parameter)
        _label_left(panels, f"median time ({CLOCKS[clock]})")
        heading = f"{plot_style.key_to_lines(comparison)};\nband: first to third quartile"
        plot_style.legend(figure, lines.values(), heading)
    return Picture(figure)


def _label_left(panels: Sequence[Axes], label: str) -> None:
    for axes in panels[::2]:
        axes.set_ylabel(label)


def _groups(comparison: Comparison, parameter: str) -> dict[str, Comparison]:
    """Return the runs of each panel of ``against``, by its title."""
    values: dict[str, dict[str, set[Any]]] = {}
    for run in comparison.records:
        own = dict(run.parameters)
        if isinstance(own.get(parameter), int | float):
            of_set = values.setdefault(run.puzzle_set, {"value": set(), "order": set()})
            of_set["value"].add(own[parameter])
            of_set["order"].add(own.get("order"))
    if all(len(of_set["value"]) == 1 for of_set in values.values()):
        return {" + ".join(sorted(values)): comparison.part(sets=list(values))}
    groups: dict[str, Comparison] = {}
    for name, of_set in sorted(values.items()):
        part = comparison.part(sets=[name])
        if parameter == "order" or len(of_set["order"]) == 1:
            groups[name] = part
            continue
        for order in sorted(of_set["order"], key=lambda order: order if isinstance(order, int | float) else -1):
            runs = tuple(run for run in part.records if dict(run.parameters).get("order") == order)
            groups[f"{name}, order {order}"] = replace(part, records=runs)
    return groups
