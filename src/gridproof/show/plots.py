"""Pictures of a comparison, as the SAT community draws them: cactus plot, scatter plot, sizes of encodings.

Needs matplotlib (extra ``plot``); see ``plot_style``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, inf, isinf
from typing import TYPE_CHECKING, Any

from gridproof.compare.records import Setup, Times
from gridproof.compare.results import Comparison, Size
from gridproof.compare.table import Clock, common_puzzles, instance_times
from gridproof.errors import InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.show.plot_style import (
    COLOURS,
    GREY,
    MARKERS,
    Picture,
    default_title,
    key_to_lines,
    label_of,
    limit_line,
    looks_of,
    new_figure,
    styled,
    ticks_of_time,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def cactus(
    comparison: Comparison,
    *,
    sets: Sequence[str] | None = None,
    clock: Clock = "whole",
    title: str | None = None,
) -> Picture:
    """How many instances each setup solves within a time: the further right and the lower, the better.

    An instance's time is the median of its repeats. A panel for each set (all, or those named). Raises ``InputError``
    if there is nothing to draw.
    """
    times = {
        name: setups
        for name, setups in sorted(instance_times(comparison.records, clock).items())
        if not sets or name in sets
    }
    if not times or (sets and set(sets) - times.keys()):
        raise InputError(f"a cactus plot of {', '.join(sets or ()) or 'no sets'}; expected sets that were run")
    modes = {setup.mode for setup in comparison.setups}
    looks = looks_of(comparison)
    columns = min(len(times), 3)  # the panels wrap
    rows = ceil(len(times) / columns)
    with styled():
        figure = new_figure(6.2 * columns + 6.0, 5.4 * rows + 1.2)
        grid = figure.subplots(rows, columns, squeeze=False, sharey=True)
        drawn: dict[Setup, tuple[float, Any]] = {}
        fastest = min(_solved(times), default=comparison.limit / 10)
        for place, (name, setups) in enumerate(times.items()):
            axes = grid[place // columns][place % columns]
            common = common_puzzles(setups)
            for setup in sorted(setups, key=str):
                solved = sorted(setups[setup][puzzle] for puzzle in common if not isinf(setups[setup][puzzle]))
                look = looks[setup]
                step = max(1, len(solved) // 8)
                marked = sorted({*range(look.number % step, len(solved), step), len(solved) - 1} - {-1})
                line = axes.plot(range(1, len(solved) + 1), solved, markevery=marked, **look.line)[0]
                score, _ = drawn.get(setup, (0.0, None))
                missed = 2 * comparison.limit * (len(common) - len(solved))
                drawn[setup] = (score + sum(solved) + missed, line)
            axes.set_yscale("log")
            limit_line(axes, comparison.limit, fastest)
            axes.set_xlim(0, max(len(common), 1) * 1.02)
            axes.set_title(f"{name} ({len(common):,} puzzle{'s' * (len(common) != 1)})")
            axes.xaxis.get_major_locator().set_params(integer=True)
            axes.yaxis.set_major_formatter(ticks_of_time())
            if place // columns == rows - 1 or place + columns >= len(times):
                axes.set_xlabel("puzzles solved")
            if place % columns == 0:
                axes.set_ylabel("time per puzzle")
        for place in range(len(times), rows * columns):
            grid[place // columns][place % columns].set_axis_off()
        ordered = sorted(drawn.items(), key=lambda item: item[1][0])
        figure.legend(
            [line for _, (_, line) in ordered],
            [label_of(setup, modes) for setup, _ in ordered],
            loc="outside right center",
            frameon=False,
            handlelength=3.2,
            title=f"{key_to_lines({look.family for look in looks.values()})}; best first",
            title_fontsize=13,
            alignment="left",
        )
        figure.suptitle(title or default_title(modes, clock), x=0.01, ha="left")
    return Picture(figure)


def scatter(
    comparison: Comparison,
    first: str | Setup,
    second: str | Setup,
    *,
    clock: Clock = "whole",
    title: str | None = None,
) -> Picture:
    """One setup against another, a point for each puzzle; below the diagonal the second one is faster.

    first, second: as ``Comparison.setup`` takes them. What was not solved in time stands on the dashed line of the
    limit, hollow. Raises ``InputError`` for setups that are not there or have no puzzle in common.
    """
    one, other = comparison.setup(first), comparison.setup(second)
    limit = comparison.limit
    modes = {one.mode, other.mode}
    points: dict[str, list[tuple[float, float]]] = {}
    for name, setups in sorted(instance_times(comparison.records, clock).items()):
        if shared := setups.get(one, {}).keys() & setups.get(other, {}).keys():
            points[name] = [(setups[one][puzzle], setups[other][puzzle]) for puzzle in sorted(shared)]
    every = [pair for pairs in points.values() for pair in pairs]
    if not every or one == other:
        raise InputError(f"a scatter plot of {one} and {other}; expected two different ones with puzzles in common")
    low = (
        min(min(pair) for pair in every if not isinf(min(pair)))
        if any(not isinf(min(p)) for p in every)
        else limit / 10
    )
    low, high = low / 2, limit * 2.2
    with styled():
        figure = new_figure(9.0, 8.0)
        axes = figure.subplots()
        axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low, high), aspect="equal")
        axes.plot([low, high], [low, high], color="black", linewidth=1.4, zorder=1)
        for factor, side in ((10, "right"), (0.1, "left")):
            axes.plot([low, high], [low * factor, high * factor], color=GREY, linewidth=1, linestyle=":", zorder=1)
            if low * 100 < high:
                # beside the line, away from the diagonal
                place, move = ((low * 4, low * 40), -9) if factor == 10 else ((low * 40, low * 4), 9)
                axes.annotate("10 x", place, (move, 0), textcoords="offset points", ha=side, va="center", color=GREY)
        axes.axhline(limit, color="black", linestyle="--", linewidth=1.4)
        axes.axvline(limit, color="black", linestyle="--", linewidth=1.4)
        axes.annotate(f"limit {limit:g} s", (low, limit), (6, 5), textcoords="offset points", fontsize=13)
        for number, (name, pairs) in enumerate(points.items()):
            colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
            within = [pair for pair in pairs if not isinf(max(pair))]
            late = [(min(a, limit), min(b, limit)) for a, b in pairs if isinf(max(a, b))]
            style: dict[str, Any] = {
                "s": 70,
                "marker": marker,
                "edgecolors": colour,
                "linewidths": 1.4,
                "alpha": 0.85,
                "zorder": 3,
            }
            label = f"{name} ({len(pairs):,})"
            axes.scatter([a for a, _ in within], [b for _, b in within], facecolors=colour, label=label, **style)
            axes.scatter([a for a, _ in late], [b for _, b in late], facecolors="white", clip_on=False, **style)
        names = [label_of(setup, modes) for setup in (one, other)]
        if names[0] == names[1]:
            names = [str(one), str(other)]
        axes.set_xlabel(f"{names[0]}  (faster on {sum(a < b for a, b in every):,} of {len(every):,})")
        axes.set_ylabel(f"{names[1]}  (faster on {sum(b < a for a, b in every):,})")
        axes.xaxis.set_major_formatter(ticks_of_time())
        axes.yaxis.set_major_formatter(ticks_of_time())
        figure.legend(loc="outside lower center", frameon=False, ncols=min(3, len(points)))
        said = f"{default_title(modes, clock)}\nhollow: not solved in time"
        figure.suptitle(title or said, x=0.01, ha="left", fontsize=16)
    return Picture(figure)


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
    with styled():
        figure = new_figure(13.0, sum(heights) + 0.6)
        grid = figure.subplots(len(by_geometry), 2, squeeze=False, gridspec_kw={"height_ratios": heights})
        for (name, found), (left, right) in zip(by_geometry.items(), grid, strict=True):
            found = sorted(found, key=lambda size: (size.clauses is None, size.clauses or size.constraints or 0))
            labels = [size.encoding for size in found]
            hatched = [size.clauses is None for size in found]
            _bars(left, labels, [size.variables for size in found], hatched)
            _bars(right, labels, [size.clauses or size.constraints or 0 for size in found], hatched)
            left.set_title(f"{_short(name)}: variables", loc="left")
            right.set_title("clauses (hatched: constraints)" if any(hatched) else "clauses", loc="left")
            right.set_yticklabels([])
        figure.suptitle(title, x=0.01, ha="left")
    return Picture(figure)


# ---- how it is done ------------------------------------------------------------------------------------------------


def _solved(times: Mapping[str, Times]) -> Iterator[float]:
    puzzles = (puzzles for setups in times.values() for puzzles in setups.values())
    return (seconds for each in puzzles for seconds in each.values() if 0 < seconds < inf)


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
    for rows in range(1, 9):
        for width in range(1, 9):
            if geometry == repr(Geometry.classic(rows, width)):
                return f"{rows * width} x {rows * width}"
    return geometry if len(geometry) <= 40 else f"{geometry[:37]}..."
