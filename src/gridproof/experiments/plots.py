"""Pictures of a comparison: cactus and scatter plots as the SAT community draws them, and time against a parameter.

Sets are never pooled: each has a panel of its own, or, in a scatter plot, a colour and a marker. ``by`` divides the
panels further, by a parameter of the instances. Each setup has a marker of its own, so that no colour is needed to read
the pictures. Needs matplotlib (extra ``plot``), imported when a picture is made; pyplot is not, so no window system is
needed.
"""

from __future__ import annotations

import io
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import cycle
from math import isfinite, isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gridproof.errors import BackendUnavailable, InputError
from gridproof.experiments.durations import write_duration
from gridproof.experiments.records import Clock, RunRecord, Setup
from gridproof.experiments.results import Comparison
from gridproof.experiments.statistics import common_puzzles, instance_times, par2, percentile
from gridproof.text import counted

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
_SIZES = {"font.size": 15.0, "lines.linewidth": 2.2, "lines.markersize": 9.0}  # large enough for a slide
_STYLE = {
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "svg.hashsalt": "gridproof",  # the same picture is the same file
}
_IN_PAPER = 0.55
"""The size of type and lines in a paper, where a column is a quarter of a slide."""


@dataclass(frozen=True, repr=False)
class Picture:
    """A figure of matplotlib that shows itself in a notebook and saves itself by a file's ending.

    style: Matplotlib's parameters. exact: whether the figure keeps its size when it is saved, with its margins.
    """

    figure: Figure
    style: Mapping[str, Any]
    exact: bool

    @property
    def axes(self) -> list[Axes]:
        """The panels, as Matplotlib's objects: what is changed there is shown and saved."""
        return self.figure.axes

    def save(self, path: str | Path) -> None:
        """Write SVG, PNG or PDF. Raises as ``check_ending``."""
        path = check_ending(path)
        dates: dict[str, Any] = {".svg": {"metadata": {"Date": None}}, ".pdf": {"metadata": {"CreationDate": None}}}
        self._write(path, dpi=150, **dates.get(path.suffix, {}))

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        width, height = self.figure.get_size_inches()
        scale = min(1.0, PIXELS / (80 * width))
        out = io.BytesIO()
        self._write(out, dpi=160 * scale, format="png")  # two points for each pixel
        return out.getvalue(), {"width": round(80 * width * scale), "height": round(80 * height * scale)}

    def __repr__(self) -> str:
        return f"<Picture: {' '.join(self.figure.get_suptitle().split())}>"

    def _write(self, file: Path | io.BytesIO, **options: Any) -> None:
        with _matplotlib().rc_context(dict(self.style)):
            # the layout is computed once: done again for each drawing it creeps, and files of one picture differ
            if self.figure.get_constrained_layout():
                self.figure.draw_without_rendering()
                self.figure.set_layout_engine("none")
            self.figure.savefig(file, bbox_inches=None if self.exact else "tight", **options)


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


def cactus(comparison: Comparison, by: str = "set", *, clock: Clock = "whole", **look: Any) -> Picture:
    """Draw how many instances each setup solves within a time: the further right and the lower, the better.

    An instance's time is the median of its repeats. A panel for each set, and with ``by`` for each value of a parameter
    within it. Raises ``InputError`` if nothing was run.

    look: ``title``, by default what is timed, ``""`` for none; ``width`` of a picture for a paper, in centimetres, with
    small type and no title by default.
    """
    limit, looks = comparison.limit_by(clock), _looks(comparison)
    panels = _facets(comparison.records, by)
    if not panels:
        raise InputError("a cactus plot of no runs; expected at least one")
    scores: dict[Setup, list[float]] = {}
    lines: dict[Setup, Any] = {}
    least = limit / 10
    with _drawing(len(panels), _title(comparison.setups, clock), **look) as picture:
        for (name, runs), axes in zip(panels.items(), picture.axes, strict=False):
            (setups,) = instance_times(runs, clock).values()
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
        picture.axes[0].set_ylim(least / 1.5, limit * 2.2)
        best_first = sorted(scores, key=lambda setup: par2(scores[setup] or [0.0], limit))
        _legend(picture, "time per puzzle", [lines[setup] for setup in best_first], "best first")
    return picture


def scatter(
    comparison: Comparison,
    first: str | Setup,
    second: str | Setup,
    by: str = "",
    *,
    clock: Clock = "whole",
    **look: Any,
) -> Picture:
    """Draw one setup against another, a point for each puzzle; below the diagonal the second one is faster.

    first, second: as ``Comparison.setup`` takes them. by: ``set`` or a parameter for panels, in place of one with a
    colour for each set. look: as for ``cactus``. What was not solved in time stands on the dashed line of the limit,
    hollow. Raises ``InputError`` for setups that are not there or have no puzzle in common.
    """
    one, other = comparison.setup(first), comparison.setup(second)
    limit = comparison.limit_by(clock)
    panels: dict[str, dict[str, list[tuple[float, float, bool]]]] = defaultdict(dict)
    for panel, runs in _facets(comparison.records, by).items() if by else [("", comparison.records)]:
        for name, setups in sorted(instance_times(runs, clock).items()):
            across, up = setups.get(one, {}), setups.get(other, {})
            pairs = [(across[puzzle], up[puzzle]) for puzzle in sorted(across.keys() & up.keys())]
            if pairs:
                panels[panel][name] = [(min(x, limit), min(y, limit), isinf(x) or isinf(y)) for x, y in pairs]
    if not panels or one == other:
        raise InputError(f"a scatter plot of {one} and {other}; expected two different ones with puzzles in common")
    low = min(min(x, y) for sets in panels.values() for points in sets.values() for x, y, _ in points) / 2
    high = limit * 2.2
    names = [_label(setup, {one.mode, other.mode}) for setup in (one, other)]
    usual = f"{_title((one, other), clock)}\nhollow: not solved in time; dotted: ten times as long"
    with _drawing(len(panels), usual, square=True, **look) as picture:
        for (panel, sets), axes in zip(panels.items(), picture.axes, strict=False):
            axes.plot([low, high], [low, high], color="black", linewidth=1.4, zorder=1)
            for factor in (10, 0.1):
                ends = [low * factor, high * factor]
                axes.plot([low, high], ends, color="#555555", linewidth=1, linestyle=":", zorder=1)
            for (name, points), colour, marker in zip(sets.items(), cycle(_COLOURS), cycle(_MARKERS), strict=False):
                style: dict[str, Any] = {"marker": marker, "edgecolors": colour, "linewidths": 1.4, "alpha": 0.85}
                for late, fill in ((False, colour), (True, "white")):
                    x, y = ([point[axis] for point in points if point[2] == late] for axis in (0, 1))
                    label = None if late else f"{name} ({len(points):,})"
                    size = picture.style["lines.markersize"] ** 2
                    axes.scatter(x, y, size, facecolors=fill, label=label, clip_on=not late, zorder=3, **style)
            _times_on(axes, "x", limit)
            _times_on(axes, "y", limit)
            together = [point for points in sets.values() for point in points]
            axes.set(xlim=(low, high), ylim=(low, high), aspect="equal", title=panel)
            axes.set_xlabel(f"{names[0]}  (faster on {sum(x < y for x, y, _ in together):,} of {len(together):,})")
            axes.set_ylabel(f"{names[1]}  (faster on {sum(y < x for x, y, _ in together):,})")
        if not by:
            picture.figure.legend(loc="outside lower center", ncols=min(3, len(panels[""])))
    return picture


def against(
    comparison: Comparison, parameter: str, by: str = "order", *, clock: Clock = "whole", **look: Any
) -> Picture:
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
    runs = [run for run in comparison.records if isinstance(dict(run.parameters).get(parameter), int | float)]
    values: dict[str, set[Any]] = defaultdict(set)
    for run in runs:
        values[run.puzzle_set].add(dict(run.parameters)[parameter])
    if all(len(of_set) == 1 for of_set in values.values()):
        panels = {" + ".join(sorted(values)): runs}
    else:
        panels = _facets(runs, "set" if by == parameter else by, needed=by != "order")
    looks, limit = _looks(comparison), comparison.limit_by(clock)
    usual = f"{_title(comparison.setups, clock)} by {parameter}"
    with _drawing(len(panels), usual, **look) as picture:
        lines: dict[Setup, Any] = {}
        for (name, part), axes in zip(panels.items(), picture.axes, strict=False):
            times_by = replace(comparison, records=tuple(part)).times_by(parameter, clock)
            for setup, times in sorted(times_by.items(), key=lambda item: str(item[0])):
                low, middle, high = (
                    [min(percentile(of_value, share), limit) for of_value in times.values()]
                    for share in (0.25, 0.5, 0.75)
                )
                (lines[setup],) = axes.plot(list(times), middle, **looks[setup])
                axes.fill_between(list(times), low, high, color=looks[setup]["color"], alpha=0.15)
            _times_on(axes, "y", limit)
            axes.set(title=name, xlabel=parameter)
        _legend(picture, f"median time ({_CLOCKS[clock]})", lines.values(), "band: first to third quartile")
    return picture


# ---- what the pictures have in common --------------------------------------------------------------------------------


def _facets(runs: Iterable[RunRecord], by: str, *, needed: bool = True) -> dict[str, list[RunRecord]]:
    """Return the runs of each panel by its title: those of a set, and of one value of a parameter if ``by`` is one.

    needed: whether to raise ``InputError`` if no instance has the parameter.
    """
    panels: dict[tuple[str, Any], list[RunRecord]] = defaultdict(list)
    for run in runs:
        panels[run.puzzle_set, dict(run.parameters).get(by)].append(run)
    if by != "set" and needed and all(value is None for _, value in panels):
        known = sorted({name for runs in panels.values() for run in runs for name, _ in run.parameters})
        raise InputError(f"panels by {by!r}; expected {' or '.join(['set', *known])}")
    ordered = sorted(panels, key=lambda key: (key[0], isinstance(key[1], str), key[1] or 0))
    return {name if value is None else f"{name}, {by} {value}": panels[name, value] for name, value in ordered}


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
    return str(setup) if len(modes) > 1 else setup.name


def _title(setups: Iterable[Setup], clock: Clock) -> str:
    """Return a title that names the times of these setups."""
    stages = {"cold": "cold: compile, load, solve, prove", "warm": "warm: solve, prove"}
    within = "; ".join(stages[mode] for mode in sorted({setup.mode for setup in setups}))
    return f"Time to a proven verdict\n{within if clock == 'whole' else _CLOCKS[clock]}"


def _times_on(axes: Axes, axis: Literal["x", "y"], limit: float) -> None:
    """Make an axis one of times: logarithmic, with units, and with a line at the limit; on the y axis it is named."""

    def text(seconds: float, _: int | None) -> str:
        number, unit = write_duration(seconds).split(" ")
        return f"{float(number):g} {unit}".replace("us", "µs")

    axes.set(**{f"{axis}scale": "log"})
    getattr(axes, f"{axis}axis").set_major_formatter(text)
    (axes.axvline if axis == "x" else axes.axhline)(limit, color="black", linestyle="--", linewidth=1.4)
    if axis == "y":
        ends: Any = ("axes fraction", "data")
        axes.annotate(
            f"limit {limit:g} s", (0, limit), (4, 4), xycoords=ends, textcoords="offset points", fontsize="small"
        )


def _legend(picture: Picture, label: str, lines: Iterable[Any], heading: str) -> None:
    """Name the vertical axis at the left, and the lines at the right of the panels, in a paper below them."""
    for axes in picture.axes:
        if axes.get_subplotspec().is_first_col():  # type: ignore[union-attr]
            axes.set_ylabel(label)
    where = {"loc": "outside lower center", "ncols": 2} if picture.exact else {"loc": "outside right center"}
    picture.figure.legend(handles=list(lines), title=heading, alignment="left", **where)


@contextmanager
def _drawing(
    number: int, usual: str, title: str | None = None, width: float | None = None, *, square: bool = False
) -> Iterator[Picture]:
    """Make a picture with so many panels, which have one vertical axis.

    title: by default the usual one, in a paper none. width: of a picture for a paper, in centimetres.
    """
    if width is not None and not width > 0:
        raise InputError(f"a picture {width!r} cm wide; expected a number above zero")
    inches = (width or 0.0) / 2.54
    columns = min(number, round(inches / 3) or 1 if width else 2)
    rows = -(-number // columns)
    size = (8.5 * columns, 7.2 * rows + 0.8) if square else (6.2 * columns + 6.0, 5.4 * rows + 1.2)
    if width:
        size = inches, inches / columns * (0.9 if square else 0.7) * rows + 0.8
    factor = _IN_PAPER if width else 1.0
    style = _STYLE | {name: value * factor for name, value in _SIZES.items()}
    with _matplotlib().rc_context(style):
        from matplotlib.figure import Figure

        figure = Figure(figsize=size, layout="constrained")
        if text := usual if title is None and not width else title:
            figure.suptitle(text, x=0.01, ha="left")
        for empty in list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)[number:]:
            empty.set_axis_off()
        yield Picture(figure, style, bool(width))


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise BackendUnavailable(
            "pictures need matplotlib, which is not installed (pip install 'gridproof[plot]')"
        ) from None
    return matplotlib
