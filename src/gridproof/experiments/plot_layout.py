"""The layout that the plots of a comparison share: size and type, panels, axes of time, the looks of setups, legends.

Each setup has a marker of its own, so that no colour is needed to read a plot. Needs matplotlib (extra ``plot``), which
is imported when a plot is made; pyplot is not, so no window system is needed.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gridproof.errors import BackendUnavailable, InputError
from gridproof.experiments.durations import write_duration
from gridproof.experiments.records import Clock, Setup

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

ENDINGS = (".svg", ".png", ".pdf")
"""The endings of files of plots."""

PIXELS = 960
"""Greatest width of a plot in a notebook, so that it fits into a cell."""

# Okabe and Ito's colours, which colour-blind people can tell apart, without their yellow: too light for a line
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#7F7F7F")
"""The colours of setups; then they come again, with another line."""

LINES = ("-", (0, (5, 2)), (0, (1.5, 1.5)))
"""The lines of the first setups, of as many further ones as there are colours, and of the next."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", "p", ">", "h", "d", "H", "8", "$+$")
"""The markers of setups, such that two of one colour are unlike."""

CLOCKS = {"whole": "whole run", "solve": "solving alone", "cpu": "processor time"}
"""The clocks in words."""

SIZES = {"font.size": 15.0, "lines.linewidth": 2.2, "lines.markersize": 9.0}
"""The sizes of type and lines on a slide."""

IN_PAPER = 0.55
"""Size of type and lines in a paper, where a column is a quarter of a slide, as a share of that on a slide."""

LEGEND_LINE = 0.17
"""Height of a line of a legend in a paper, in inches."""

SMALLEST_TYPE = 3.0
"""Smallest type of a legend, in points: names that would need a smaller one are cut off."""

STYLE = {
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "svg.hashsalt": "gridproof",  # the same plot is the same file
}
"""Matplotlib's parameters of every plot."""


@dataclass(frozen=True, repr=False)
class Plot:
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
        return f"<Plot: {' '.join(self.figure.get_suptitle().split())}>"

    def _write(self, file: Path | io.BytesIO, **options: Any) -> None:
        with import_matplotlib().rc_context(dict(self.style)):
            # the layout is computed once: done again for each drawing it creeps, and files of one plot differ
            if self.figure.get_constrained_layout():
                self.figure.draw_without_rendering()
                self.figure.set_layout_engine("none")
            self.figure.savefig(file, bbox_inches=None if self.exact else "tight", **options)


def check_ending(path: str | Path) -> Path:
    """Return the path if a plot can be written there.

    Raises ``InputError`` for an unknown ending or folder, ``BackendUnavailable`` without matplotlib.
    """
    path = Path(path)
    if path.suffix not in ENDINGS:
        raise InputError(f"a picture in {str(path)!r}; expected a name that ends in {', '.join(ENDINGS)}")
    if not path.resolve().parent.is_dir():
        raise InputError(f"a picture in {str(path)!r}; expected a folder that exists")
    import_matplotlib()
    return path


def import_matplotlib() -> Any:
    """Return matplotlib. Raises ``BackendUnavailable`` where it is not installed."""
    try:
        import matplotlib
    except ImportError:
        raise BackendUnavailable(
            "pictures need matplotlib, which is not installed (pip install 'gridproof[plot]')"
        ) from None
    return matplotlib


@contextmanager
def draw_plot(
    number: int,
    usual: str,
    title: str | None = None,
    width: float | None = None,
    *,
    square: bool = False,
    legend: Sequence[str] = (),
) -> Iterator[Plot]:
    """Make a plot with so many panels, which have one vertical axis.

    Parameters
    ----------
    number
        The number of panels.
    usual
        The title on a slide, unless there is another one.
    title
        The title; ``""`` for none.
    width
        The width of a plot for a paper, in centimetres.
    square
        Whether the panels are squares.
    legend
        The texts of a legend, which in a paper gets room below the panels.
    """
    if width is not None and not width > 0:
        raise InputError(f"a picture {width!r} cm wide; expected a number above zero")
    if width is None:
        columns = min(number, 2)
        rows = ceil(number / columns)
        if square:
            size = (8.5 * columns, 7.2 * rows + 0.8)
        else:
            size = (6.2 * columns + 6.0, 5.4 * rows + 1.2)
        factor = 1.0
    else:
        inches = width / 2.54
        columns = min(number, max(1, round(inches / 3)))
        rows = ceil(number / columns)
        shape = 0.7
        if square:
            shape = 0.9
        size = inches, inches / columns * shape * rows + 0.8 + LEGEND_LINE * max(0, len(legend) - 6)
        factor = IN_PAPER
    style = STYLE | {name: value * factor for name, value in SIZES.items()}
    with import_matplotlib().rc_context(style):
        from matplotlib.figure import Figure

        figure = Figure(figsize=size, layout="constrained")
        if title is None:
            title = ""
            if width is None:
                title = usual
        if title:
            figure.suptitle(title, x=0.01, ha="left")
        panels = list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)
        for empty in panels[number:]:
            empty.set_axis_off()
        yield Plot(figure, style, width is not None)


def looks_of(setups: Iterable[Setup]) -> dict[Setup, dict[str, Any]]:
    """Return the look of each setup: cold and warm of one name share all but the label; the warm marker is hollow."""
    setups = list(setups)
    names = list(dict.fromkeys(setup.name for setup in setups))
    modes = {setup.mode for setup in setups}
    looks = {}
    for setup in setups:
        number = names.index(setup.name)
        colour = COLOURS[number % len(COLOURS)]
        hollow = len(modes) > 1 and setup.mode == "warm"
        looks[setup] = {
            "label": label_of(setup, modes),
            "color": colour,
            "linestyle": LINES[number // len(COLOURS) % len(LINES)],
            "marker": MARKERS[number % len(MARKERS)],
            "markerfacecolor": "white" if hollow else colour,
        }
    return looks


def label_of(setup: Setup, modes: set[Any]) -> str:
    """Return the name of a setup, with its mode where there are several."""
    return str(setup) if len(modes) > 1 else setup.name


def title_of(setups: Iterable[Setup], clock: Clock) -> str:
    """Return a title that names the times of these setups."""
    within = CLOCKS[clock]
    if clock == "whole":
        stages = {"cold": "cold: compile, load, solve, prove", "warm": "warm: solve, prove"}
        within = "; ".join(stages[mode] for mode in sorted({setup.mode for setup in setups}))
    return f"Time to a proven verdict\n{within}"


def make_time_axis(axes: Axes, axis: Literal["x", "y"], limit: float) -> None:
    """Make an axis one of times: logarithmic, with units, and with a line at the limit; on the y axis it is named."""

    def write_time(seconds: float, _: float) -> str:
        number, unit = write_duration(seconds).split(" ")
        return f"{float(number):g} {unit}".replace("us", "µs")

    look: dict[str, Any] = {"color": "black", "linestyle": "--", "linewidth": 1.4}
    if axis == "x":
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(write_time)
        axes.axvline(limit, **look)
        return
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(write_time)
    axes.axhline(limit, **look)
    ends: Any = ("axes fraction", "data")
    text = f"limit {limit:g} s"
    axes.annotate(text, (0, limit), (4, 4), xycoords=ends, textcoords="offset points", fontsize="small")


def add_legend(plot: Plot, label: str, lines: Iterable[Any], heading: str) -> None:
    """Name the vertical axis at the left, and the lines at the right of the panels, in a paper below them."""
    for axes in plot.axes:
        if axes.get_subplotspec().is_first_col():  # type: ignore[union-attr]
            axes.set_ylabel(label)
    options: dict[str, Any] = {"handles": list(lines), "title": heading, "alignment": "left"}
    if not plot.exact:
        plot.figure.legend(loc="outside right center", **options)
        return
    for columns in (2, 1):
        legend = plot.figure.legend(loc="outside lower center", ncols=columns, **options)
        if columns == 1 or width_of(legend, plot) <= 1:
            break
        legend.remove()
    shrink_legend(legend, plot)


def shrink_legend(legend: Legend, plot: Plot) -> None:
    """Make the type of a legend smaller until it fits into the width of the plot."""
    texts = [*legend.get_texts(), legend.get_title()]
    size = float(texts[0].get_fontsize())
    while width_of(legend, plot) > 1 and size > SMALLEST_TYPE:
        size *= 0.92
        for text in texts:
            text.set_fontsize(size)


def width_of(legend: Legend, plot: Plot) -> float:
    """Return the width of a legend as a share of that of the plot."""
    plot.figure.draw_without_rendering()
    return float(legend.get_window_extent().width / plot.figure.bbox.width)
