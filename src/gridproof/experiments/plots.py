"""Pictures of a comparison: cactus and scatter plots as the SAT community draws them, and time against a parameter.

Sets are never pooled: each has a panel of its own, or, in a scatter plot, a colour and a marker. The pictures can be
read without colour: each setup has a marker of its own. Needs matplotlib (extra
``plot``), imported when a picture is made; pyplot is not, so no window system is needed.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle
from math import isfinite, isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gridproof.errors import BackendUnavailable, InputError, counted
from gridproof.experiments.printing import duration
from gridproof.experiments.records import Clock, Setup
from gridproof.experiments.results import Comparison
from gridproof.experiments.statistics import common_puzzles, instance_times, par2, percentile

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".svg", ".png", ".pdf")
PIXELS = 960
"""Width of a picture in a notebook at most, so that it fits into a cell."""

# Okabe and Ito's colours, which colour-blind people can tell apart, without their yellow: too light for a line
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#7F7F7F")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p", "h")
_CLOCKS = {"whole": "whole run", "solve": "solving alone", "cpu": "processor time"}
_STYLE = {
    "font.size": 15.0,  # large enough for a slide
    "axes.titlesize": 17.0,
    "axes.labelsize": 16.0,
    "legend.fontsize": 14.0,
    "legend.title_fontsize": 13.0,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "figure.titlesize": 18.0,
    "lines.linewidth": 2.2,
    "lines.markersize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "svg.hashsalt": "gridproof",  # the same picture is the same file
}


@dataclass(frozen=True, repr=False)
class Picture:
    """A figure of matplotlib that shows itself in a notebook and saves itself by a file's ending."""

    figure: Figure

    @property
    def axes(self) -> list[Axes]:
        """The panels, as Matplotlib's objects: what is changed there is shown and saved."""
        return self.figure.axes

    def save(self, path: str | Path) -> None:
        """Write SVG, PNG or PDF. Raises ``InputError`` for another ending."""
        path = check_ending(path)
        dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {}}
        self._write(path, dpi=150, metadata=dates[path.suffix])

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        width, height = self.figure.get_size_inches()
        scale = min(1.0, PIXELS / (80 * width))
        out = io.BytesIO()
        self._write(out, dpi=160 * scale, format="png")  # two points for each pixel
        return out.getvalue(), {"width": round(80 * width * scale), "height": round(80 * height * scale)}

    def __repr__(self) -> str:
        return f"<Picture: {' '.join(self.figure.get_suptitle().split())}>"

    def _write(self, file: Path | io.BytesIO, **options: Any) -> None:
        with _matplotlib().rc_context(_STYLE):
            # the layout is computed once: done again for each drawing it creeps, and files of one picture differ
            if self.figure.get_constrained_layout():
                self.figure.draw_without_rendering()
                self.figure.set_layout_engine("none")
            self.figure.savefig(file, bbox_inches="tight", **options)


def check_ending(path: str | Path) -> Path:
    """Return the path if a picture can be written there.

    Raises ``InputError`` for an unknown ending or folder, ``BackendUnavailable`` without matplotlib.
    """
    path = Path(path)
    if path.suffix not in ENDINGS:
        raise InputError(f"a picture in {str(path)!r}; expected a name that ends in {', '.join(ENDINGS)}")
    if not path.resolve().parent.is_dir():
        raise InputError(f"a picture in {str(path)!r}; expected a folder that exists")
    _matplotlib()
    return path


def cactus(comparison: Comparison, *, clock: Clock = "whole", title: str | None = None) -> Picture:
    """Draw how many instances each setup solves within a time: the further right and the lower, the better.

    An instance's time is the median of its repeats. A panel for each set. Raises ``InputError`` if nothing was run.
    """
    limit, looks = comparison.limit_by(clock), _looks(comparison)
    times = instance_times(comparison.records, clock)
    if not times:
        raise InputError("a cactus plot of no runs; expected at least one")
    scores: dict[Setup, list[float]] = {}
    lines: dict[Setup, Any] = {}
    least = limit / 10
    with _panels(len(times), title or _title(comparison.setups, clock)) as (figure, panels):
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
            _times_on(axes, "y", limit)
            axes.set_xlim(0, max(len(common), 1) * 1.02)
            axes.set(title=f"{name} ({counted(len(common), 'puzzle')})", xlabel="puzzles solved")
            axes.locator_params(axis="x", integer=True)
        panels[0].set_ylim(least / 1.5, limit * 2.2)
        best_first = sorted(scores, key=lambda setup: par2(scores[setup] or [0.0], limit))
        _legend(figure, panels, "time per puzzle", [lines[setup] for setup in best_first], "best first")
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
    points: dict[tuple[str, bool], list[tuple[float, float]]] = defaultdict(list)  # by set and whether one is unsolved
    for name, setups in sorted(instance_times(comparison.records, clock).items()):
        across, up = setups.get(one, {}), setups.get(other, {})
        for puzzle in sorted(across.keys() & up.keys()):
            late = isinf(across[puzzle]) or isinf(up[puzzle])
            points[name, late].append((min(across[puzzle], limit), min(up[puzzle], limit)))
    together = [point for drawn in points.values() for point in drawn]
    if not together or one == other:
        raise InputError(f"a scatter plot of {one} and {other}; expected two different ones with puzzles in common")
    low, high = min(map(min, together)) / 2, limit * 2.2
    names = [_label(setup, {one.mode, other.mode}) for setup in (one, other)]
    title = title or f"{_title((one, other), clock)}\nhollow: not solved in time; dotted: ten times as long"
    with _drawing(9.0, 8.0, title, fontsize=16) as figure:
        axes = figure.subplots()
        axes.plot([low, high], [low, high], color="black", linewidth=1.4, zorder=1)
        for factor in (10, 0.1):
            axes.plot([low, high], [low * factor, high * factor], color="#555555", linewidth=1, linestyle=":", zorder=1)
        sets = list(dict.fromkeys(name for name, _ in points))
        for name, colour, marker in zip(sets, cycle(_COLOURS), cycle(_MARKERS), strict=False):
            for late, fill in ((False, colour), (True, "white")):
                label = None if late else f"{name} ({len(points[name, False]) + len(points[name, True]):,})"
                style: dict[str, Any] = {"marker": marker, "edgecolors": colour, "linewidths": 1.4, "alpha": 0.85}
                x, y = ([point[axis] for point in points[name, late]] for axis in (0, 1))
                axes.scatter(x, y, s=70, facecolors=fill, label=label, clip_on=not late, zorder=3, **style)
        _times_on(axes, "x", limit)
        _times_on(axes, "y", limit)
        axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")
        axes.set_xlabel(f"{names[0]}  (faster on {sum(x < y for x, y in together):,} of {len(together):,})")
        axes.set_ylabel(f"{names[1]}  (faster on {sum(y < x for x, y in together):,})")
        figure.legend(loc="outside lower center", ncols=min(3, len(sets)))
    return Picture(figure)


def against(comparison: Comparison, parameter: str, *, clock: Clock = "whole", title: str | None = None) -> Picture:
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
    title : str, optional
        A title of your own.

    Raises
    ------
    InputError
        No instance has the parameter as a number.
    """
    comparison.times_by(parameter, clock)  # raises if there are none
    groups = _groups(comparison, parameter)
    looks, limit = _looks(comparison), comparison.limit_by(clock)
    with _panels(len(groups), title or f"{_title(comparison.setups, clock)} by {parameter}") as (figure, panels):
        lines: dict[Setup, Any] = {}
        for (name, part), axes in zip(groups.items(), panels, strict=True):
            for setup, times in sorted(part.times_by(parameter, clock).items(), key=lambda item: str(item[0])):
                low, middle, high = (
                    [min(percentile(of_value, share), limit) for of_value in times.values()]
                    for share in (0.25, 0.5, 0.75)
                )
                (lines[setup],) = axes.plot(list(times), middle, **looks[setup])
                axes.fill_between(list(times), low, high, color=looks[setup]["color"], alpha=0.15)
            _times_on(axes, "y", limit)
            axes.set(title=name, xlabel=parameter)
        heading = "band: first to third quartile"
        _legend(figure, panels, f"median time ({_CLOCKS[clock]})", lines.values(), heading)
    return Picture(figure)


def _groups(comparison: Comparison, parameter: str) -> dict[str, Comparison]:
    """Return the runs of each panel of ``against``, by its title."""
    runs = [run for run in comparison.records if isinstance(dict(run.parameters).get(parameter), int | float)]
    values: dict[str, set[Any]] = defaultdict(set)
    for run in runs:
        values[run.puzzle_set].add(dict(run.parameters)[parameter])
    if all(len(of_set) == 1 for of_set in values.values()):
        return {" + ".join(sorted(values)): replace(comparison, records=tuple(runs))}
    panels: dict[tuple[str, float], list[Any]] = defaultdict(list)
    for run in runs:
        order = dict(run.parameters).get("order")
        panels[run.puzzle_set, order if parameter != "order" and isinstance(order, int) else 0].append(run)
    return {
        f"{name}, order {order}" if order else name: replace(comparison, records=tuple(panels[name, order]))
        for name, order in sorted(panels)
    }


# ---- what the pictures have in common --------------------------------------------------------------------------------


def _looks(comparison: Comparison) -> dict[Setup, dict[str, Any]]:
    """Return the look of each setup: cold and warm of one name share all but the label; the warm marker is hollow."""
    names = list(dict.fromkeys(setup.name for setup in comparison.setups))
    modes = {setup.mode for setup in comparison.setups}
    looks = {}
    for setup in comparison.setups:
        number = names.index(setup.name)
        colour = _COLOURS[number % len(_COLOURS)]
        looks[setup] = {
            "label": _label(setup, modes),
            "color": colour,
            "marker": _MARKERS[number % len(_MARKERS)],
            "markerfacecolor": "white" if len(modes) > 1 and setup.mode == "warm" else colour,
        }
    return looks


def _label(setup: Setup, modes: set[Any]) -> str:
    """Return the name of the setup among setups of these modes."""
    return str(setup) if len(modes) > 1 else setup.name


def _title(setups: Iterable[Setup], clock: Clock) -> str:
    """Return a title that names the times of these setups."""
    stages = {"cold": "cold: compile, load, solve, prove", "warm": "warm: solve, prove"}
    within = "; ".join(stages[mode] for mode in sorted({setup.mode for setup in setups}))
    return f"Time to a proven verdict\n{within if clock == 'whole' else _CLOCKS[clock]}"


def _times_on(axes: Axes, axis: Literal["x", "y"], limit: float) -> None:
    """Make an axis one of times: logarithmic, with units, and with a line at the limit; on the y axis it is named."""

    def text(seconds: float, _: int | None) -> str:
        number, unit = duration(seconds).split(" ")
        return f"{float(number):g} {unit}".replace("us", "µs")

    axes.set(**{f"{axis}scale": "log"})
    getattr(axes, f"{axis}axis").set_major_formatter(text)
    (axes.axvline if axis == "x" else axes.axhline)(limit, color="black", linestyle="--", linewidth=1.4)
    if axis == "y":
        ends: Any = ("axes fraction", "data")
        axes.annotate(f"limit {limit:g} s", (0, limit), (6, 5), xycoords=ends, textcoords="offset points", fontsize=13)


def _legend(figure: Figure, panels: Sequence[Axes], label: str, lines: Iterable[Any], heading: str) -> None:
    """Name the vertical axis at the left, and the lines at the right of the panels."""
    for axes in panels[::2]:
        axes.set_ylabel(label)
    figure.legend(handles=list(lines), title=heading, loc="outside right center", alignment="left")


@contextmanager
def _panels(number: int, title: str) -> Iterator[tuple[Figure, list[Axes]]]:
    """Make a figure with so many panels, two in a row, with one vertical axis and room for a legend at the right."""
    columns, rows = min(number, 2), (number + 1) // 2
    with _drawing(6.2 * columns + 6.0, 5.4 * rows + 1.2, title) as figure:
        axes = list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)
        for empty in axes[number:]:
            empty.set_axis_off()
        yield figure, axes[:number]


@contextmanager
def _drawing(width: float, height: float, title: str, **style: Any) -> Iterator[Figure]:
    """Make a figure to draw on; its size is in inches."""
    with _matplotlib().rc_context(_STYLE):
        from matplotlib.figure import Figure

        figure = Figure(figsize=(width, height), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", **style)
        yield figure


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise BackendUnavailable(
            "pictures need matplotlib, which is not installed (pip install 'gridproof[plot]')"
        ) from None
    return matplotlib
