"""Style of the pictures of comparisons: colours, markers, lines, fonts and panels; and the picture itself.

They can be read without colour: each setup has a marker of its own, and the line tells the family. Fonts are large
enough for a slide. Needs matplotlib (extra ``plot``), imported when a picture is made; pyplot is not, so no window
system is needed.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from gridproof.errors import BackendUnavailable, InputError
from gridproof.experiments.printing import duration
from gridproof.experiments.records import Clock, Setup
from gridproof.experiments.results import Comparison

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".svg", ".png", ".pdf")

# Okabe and Ito's colours, which colour-blind people can tell apart, without their yellow: too light for a line
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9", "#7F7F7F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*", "<", ">", "p", "h")
_FAMILIES: dict[str, tuple[Any, str]] = {
    "sat": ("-", "solid: SAT"),
    "cp": ((0, (5, 2)), "dashed: CP"),
    "search": ((0, (1, 1.2)), "dotted: search"),
    "asp": ((0, (6, 2, 1, 2)), "dash and dot: ASP"),
    "smt": ((0, (6, 2, 1, 2, 1, 2)), "dash and two dots: SMT"),
    "mip": ((0, (10, 3)), "long dashes: MIP"),
    "pb": ((0, (10, 3, 1, 3)), "long dash and dot: PB"),
}
"""The line of each family, and its name in the legend."""
GREY = "#555555"
PIXELS = 960
"""Width of a picture in a notebook at most, so that it fits into a cell."""
_STYLE = {
    "font.size": 15.0,
    "axes.titlesize": 17.0,
    "axes.labelsize": 16.0,
    "legend.fontsize": 14.0,
    "figure.titlesize": 18.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#DDDDDD",
    "svg.hashsalt": "gridproof",  # the same picture is the same file
    "svg.fonttype": "path",
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


def looks_of(comparison: Comparison) -> dict[Setup, dict[str, Any]]:
    """Return the look of each setup: cold and warm of one name share all but the label; the warm marker is hollow."""
    names = list(dict.fromkeys(setup.name for setup in comparison.setups))
    modes = {setup.mode for setup in comparison.setups}
    families = {record.setup: record.family for record in comparison.records}
    looks = {}
    for setup in comparison.setups:
        number = names.index(setup.name)
        colour = COLOURS[number % len(COLOURS)]
        looks[setup] = {
            "label": label_of(setup, modes),
            "color": colour,
            "marker": MARKERS[number % len(MARKERS)],
            "linestyle": _FAMILIES[families[setup]][0],
            "linewidth": 2.2,
            "markersize": 9,
            "markeredgecolor": colour,
            "markerfacecolor": "white" if len(modes) > 1 and setup.mode == "warm" else colour,
        }
    return looks


def label_of(setup: Setup, modes: set[Any]) -> str:
    """Return the name of the setup among setups of these modes."""
    return str(setup) if len(modes) > 1 else setup.name


def key_to_lines(comparison: Comparison) -> str:
    """Return the meaning of the lines of the families that were run."""
    families = {record.family for record in comparison.records}
    texts = [text for family, (_, text) in _FAMILIES.items() if family in families]
    # three on a line: more would leave no room for the panels
    return ",\n".join(", ".join(texts[start : start + 3]) for start in range(0, len(texts), 3))


def default_title(setups: Iterable[Setup], clock: Clock) -> str:
    """Return a title that names the times of these setups."""
    stages = {"cold": "cold: compile, load, solve, prove", "warm": "warm: solve, prove"}
    within = "; ".join(stages[mode] for mode in sorted({setup.mode for setup in setups}))
    return f"Time to a proven verdict\n{within if clock == 'whole' else CLOCKS[clock]}"


CLOCKS = {"whole": "whole run", "solve": "solving alone", "cpu": "processor time"}
"""The clocks in words."""


def times_on(axes: Axes, axis: Literal["x", "y"], limit: float) -> None:
    """Make an axis one of times: logarithmic, with units, and with a line at the limit; on the y axis it is named."""
    from matplotlib.ticker import FuncFormatter

    def text(seconds: float, _: int | None) -> str:
        number, unit = duration(seconds).split(" ")
        return f"{float(number):g} {unit}".replace("us", "µs")

    axes.set(**{f"{axis}scale": "log"})
    getattr(axes, f"{axis}axis").set_major_formatter(FuncFormatter(text))
    (axes.axvline if axis == "x" else axes.axhline)(limit, color="black", linestyle="--", linewidth=1.4)
    if axis == "y":
        ends: Any = ("axes fraction", "data")
        axes.annotate(f"limit {limit:g} s", (0, limit), (6, 5), xycoords=ends, textcoords="offset points", fontsize=13)


def legend(figure: Figure, lines: Iterable[Artist], heading: str) -> None:
    """Name the lines, at the right of the panels."""
    style: dict[str, Any] = {"loc": "outside right center", "title_fontsize": 13, "alignment": "left"}
    figure.legend(handles=list(lines), title=heading, frameon=False, handlelength=3.2, **style)


@contextmanager
def panels(number: int, title: str) -> Iterator[tuple[Figure, list[Axes]]]:
    """Make a figure with so many panels, two in a row, with one vertical axis and room for a legend at the right."""
    columns, rows = min(number, 2), (number + 1) // 2
    with drawing(6.2 * columns + 6.0, 5.4 * rows + 1.2, title) as figure:
        axes = list(figure.subplots(rows, columns, squeeze=False, sharey=True).flat)
        for empty in axes[number:]:
            empty.set_axis_off()
        yield figure, axes[:number]


@contextmanager
def drawing(width: float, height: float, title: str, **style: Any) -> Iterator[Figure]:
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
