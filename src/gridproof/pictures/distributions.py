"""Pictures of how times are distributed over runs and instances: survival, tails, growth with a parameter, heat map."""

from __future__ import annotations

from math import inf, isinf, nan

from gridproof.errors import InputError
from gridproof.experiments.printing import duration
from gridproof.experiments.records import Mode, Setup
from gridproof.experiments.results import Comparison
from gridproof.experiments.table import Clock, instance_times, par2, percentile
from gridproof.pictures import plot_style
from gridproof.pictures.plot_style import Picture


def survival(
    comparison: Comparison, *, clock: Clock = "whole", title: str | None = None, straight: bool = False
) -> Picture:
    """The share of runs that are not done yet after each time, for each setup; every run counts, with every seed.

    straight: both axes are logarithmic, as ``tail`` has them. Raises ``InputError`` if nothing was run.
    """
    runs: dict[Setup, list[float]] = {}
    for run in comparison.records:
        time = run.seconds if clock == "whole" else run.solving_seconds
        runs.setdefault(run.setup, []).append(time if run.solved else inf)
    if not runs:
        raise InputError("a survival plot of no runs; expected at least one")
    looks, lines = plot_style.looks_of(comparison), []
    with plot_style.drawing(11.0, 6.6, title or "Share of runs that take longer") as figure:
        axes = figure.subplots()
        for setup, times in sorted(runs.items(), key=lambda item: str(item[0])):
            done = sorted(time for time in times if not isinf(time))
            left = [1 - place / len(times) for place in range(1, len(done) + 1)]
            points = [(time, share) for time, share in zip(done, left, strict=True) if share or not straight]
            style = {**looks[setup], "markevery": max(1, len(points) // 8), "drawstyle": "steps-post"}
            lines += axes.plot([time for time, _ in points], [share for _, share in points], **style)
        plot_style.times_on(axes, "x", comparison.limit)
        if straight:
            axes.set_yscale("log")
        axes.set(xlabel=f"time ({plot_style.clock_in_words(clock)})", ylabel="share of runs left")
        plot_style.legend(figure, lines, plot_style.key_to_lines(comparison))
    return Picture(figure)


def tail(comparison: Comparison, *, clock: Clock = "whole", title: str | None = None) -> Picture:
    """The same with both axes logarithmic, where a heavy tail is a straight line.

    Gomes, Selman, Crato and Kautz 2000, Heavy-tailed phenomena in satisfiability and constraint satisfaction problems.
    Raises ``InputError`` if nothing was run.
    """
    said = title or "Tail of the times: a straight line is a heavy tail"
    return survival(comparison, clock=clock, title=said, straight=True)


def against(
    comparison: Comparison, parameter: str, *, clock: Clock = "whole", fits: bool = False, title: str | None = None
) -> Picture:
    """The median time against a parameter of the instances, with a band from the first to the third quartile.

    Parameters
    ----------
    comparison : Comparison
        Of instances with the parameter, such as those of ``gridproof instances``.
    parameter : str
        Its name: ``order``, ``holes``.
    clock : {"whole", "solve"}
        See ``Comparison.summaries``.
    fits : bool
        Draw the likelier law of growth, exponential or polynomial, and say it in the legend.

    Raises
    ------
    InputError
        No instance has the parameter as a number.
    """
    instances = comparison.times_by(parameter, clock)
    laws = comparison.growth(parameter, clock) if fits else {}
    looks, limit, lines = plot_style.looks_of(comparison), comparison.limit, []
    with plot_style.drawing(
        11.0, 6.6, title or f"{plot_style.default_title(instances, clock)} by {parameter}"
    ) as figure:
        axes = figure.subplots()
        for setup, times in sorted(instances.items(), key=lambda item: str(item[0])):
            values, look = list(times), looks[setup]
            low, middle, high = (
                [min(percentile(times[value], share), limit) for value in values] for share in (0.25, 0.5, 0.75)
            )
            law = laws.get(setup)
            label = look["label"] + (f": {law}" if law else "")
            lines += axes.plot(values, middle, **look | {"label": label})
            axes.fill_between(values, low, high, color=look["color"], alpha=0.15)
            if law:
                axes.plot(values, [law(value) for value in values], color=look["color"], linewidth=1, linestyle=":")
        plot_style.times_on(axes, "y", limit)
        axes.set(xlabel=parameter, ylabel=f"median time ({plot_style.clock_in_words(clock)})")
        plot_style.legend(figure, lines, "band: first to third quartile", loc="outside lower left", ncols=2)
    return Picture(figure)


def heat(comparison: Comparison, *, clock: Clock = "whole", title: str | None = None) -> Picture:
    """Backends against encodings: PAR-2 over all sets, as numbers on a scale of greys.

    Raises ``InputError`` if no backend was run with an encoding.
    """
    times: dict[Setup, list[float]] = {}
    for setups in instance_times(comparison.records, clock).values():
        for setup, puzzles in setups.items():
            times.setdefault(setup, []).extend(puzzles.values())
    cells: dict[tuple[str, Mode], dict[str, float]] = {}
    for setup, seconds in times.items():
        if setup.encoding is not None:
            cells.setdefault((setup.backend, setup.mode), {})[setup.encoding] = par2(seconds, comparison.limit)
    if not cells:
        raise InputError("a heat map without encodings; expected a backend that was run with one")
    columns = sorted({encoding for row in cells.values() for encoding in row})
    modes = {mode for _, mode in cells}
    names = [backend if len(modes) == 1 else f"{backend} {mode}" for backend, mode in cells]
    said = title or f"PAR-2 ({plot_style.clock_in_words(clock)}; dark is slow)"
    with plot_style.drawing(3.2 + 1.9 * len(columns), 2.2 + 0.7 * len(cells), said) as figure:
        from matplotlib.colors import LogNorm

        axes = figure.subplots()
        values = [[row.get(column, nan) for column in columns] for row in cells.values()]
        finite = [value for row in cells.values() for value in row.values()]
        norm = LogNorm(min(finite) / 1.01, max(finite) * 1.01)
        axes.imshow(values, cmap="Greys", norm=norm, aspect="auto")
        for y, row in enumerate(cells.values()):
            for encoding, value in row.items():
                colour = "white" if norm(value) > 0.55 else "black"
                x = columns.index(encoding)
                axes.text(x, y, duration(value), ha="center", va="center", color=colour, fontsize=13)
        axes.set_xticks(range(len(columns)), columns, rotation=30, ha="right")
        axes.set_yticks(range(len(names)), names)
        axes.grid(False)
    return Picture(figure)
