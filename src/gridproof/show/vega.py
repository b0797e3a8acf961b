"""Plots to point at: cactus and scatter as Vega-Lite, where each point says which puzzle it is.

A specification is a plain dictionary. JupyterLab draws it without anything else installed; ``altair.Chart.from_dict``
takes it, and so does any other program that knows Vega-Lite.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isinf
from typing import Any, TypeAlias

from gridproof.compare.printing import duration
from gridproof.compare.records import Setup
from gridproof.compare.results import Comparison
from gridproof.compare.table import Clock, common_puzzles, instance_times
from gridproof.errors import InputError
from gridproof.show.plot_style import COLOURS, default_title, label_of

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")

Spec: TypeAlias = dict[str, Any]


def cactus(
    comparison: Comparison, *, sets: Sequence[str] | None = None, clock: Clock = "whole", title: str | None = None
) -> Spec:
    """The cactus plot of ``plots.cactus``: parameters and errors are the same."""
    modes = {setup.mode for setup in comparison.setups}
    rows: list[Spec] = []
    for name, setups in sorted(instance_times(comparison.records, clock).items()):
        common = common_puzzles(setups) if not sets or name in sets else []
        for setup, times in setups.items():
            solved = sorted((times[puzzle], puzzle) for puzzle in common if not isinf(times[puzzle]))
            for rank, (seconds, puzzle) in enumerate(solved, 1):
                row = {"set": name, "setup": label_of(setup, modes), "solved": rank, "puzzle": puzzle}
                rows.append(row | {"seconds": seconds, "time": duration(seconds)})
    names = [label_of(setup, modes) for setup in comparison.setups]
    hover = {"name": "pointed", "select": {"type": "point", "fields": ["setup"], "on": "mouseover"}, "bind": "legend"}
    chosen = {"condition": {"param": "pointed", "value": 1}, "value": 0.2}
    y = _seconds("seconds", "time per puzzle", [row["seconds"] for row in rows], comparison.limit)
    return {
        "$schema": _SCHEMA,
        "title": _title(title or default_title(modes, clock)),
        "data": {"values": rows},
        "facet": {"field": "set", "type": "nominal", "title": None},
        "columns": 3,
        "spec": {
            "width": 320,
            "height": 280,
            "layer": [
                {
                    "params": [hover],
                    "mark": {"type": "line", "point": {"size": 55, "filled": True}},
                    "encoding": {
                        "x": {
                            "field": "solved",
                            "type": "quantitative",
                            "title": "puzzles solved",
                            "axis": {"tickMinStep": 1},
                        },
                        "y": y,
                        "color": {**_names(names), "scale": {"domain": names, "range": _repeated(COLOURS, names)}},
                        "shape": {**_names(names), "scale": {"domain": names, "range": _repeated(_SHAPES, names)}},
                        "opacity": chosen,
                        "tooltip": _tooltip("setup", "set", "puzzle", "time", "solved"),
                    },
                },
                {"mark": {"type": "rule", "strokeDash": [6, 4]}, "encoding": {"y": {"datum": comparison.limit}}},
            ],
        },
    }


def scatter(
    comparison: Comparison,
    first: str | Setup,
    second: str | Setup,
    *,
    clock: Clock = "whole",
    title: str | None = None,
) -> Spec:
    """The scatter plot of ``plots.scatter``: parameters and errors are the same. Hollow: not solved in time."""
    one, other = comparison.setup(first), comparison.setup(second)
    limit, boards = comparison.limit, {(run.puzzle_set, run.puzzle): run.board for run in comparison.records}
    rows: list[Spec] = []
    for name, setups in sorted(instance_times(comparison.records, clock).items()):
        for puzzle in sorted(setups.get(one, {}).keys() & setups.get(other, {}).keys()):
            pair = setups[one][puzzle], setups[other][puzzle]
            said = [f"> {limit:g} s" if isinf(time) else duration(time) for time in pair]
            where = {"set": name, "puzzle": puzzle, "board": boards[name, puzzle][:81], "late": isinf(max(pair))}
            x, y = (min(time, limit) for time in pair)
            rows.append(where | {"x": x, "y": y, "first": said[0], "second": said[1]})
    if not rows or one == other:
        raise InputError(f"a scatter plot of {one} and {other}; expected two different ones with puzzles in common")
    modes = {one.mode, other.mode}
    names = [label_of(setup, modes) for setup in (one, other)]
    every = [row[axis] for row in rows for axis in "xy"]
    low, high = min(every) / 2, limit * 2
    corners = [{"x": value, "y": value} for value in (low, high)]
    line: Spec = {"mark": {"type": "line", "color": "#888888"}, "data": {"values": corners}}
    points = {
        "params": [{"name": "part", "select": "interval", "bind": "scales"}],
        "mark": {"type": "point", "size": 70, "strokeWidth": 1.5},
        "encoding": {
            "color": {"field": "set", "type": "nominal", "title": None, "scale": {"range": list(COLOURS)}},
            "shape": {"field": "set", "type": "nominal", "title": None},
            "fillOpacity": {"condition": {"test": "datum.late", "value": 0}, "value": 0.8},
            "fill": {"field": "set", "type": "nominal", "legend": None, "scale": {"range": list(COLOURS)}},
            "tooltip": [*_tooltip("set", "puzzle", "board"), _said("first", names[0]), _said("second", names[1])],
        },
    }
    return {
        "$schema": _SCHEMA,
        "title": _title(title or f"{default_title(modes, clock)}\nhollow: not solved in time"),
        "width": 440,
        "height": 440,
        "data": {"values": rows},
        "encoding": {axis: _seconds(axis, name, every, limit) for axis, name in zip("xy", names, strict=True)},
        "layer": [line, points],
    }


def _seconds(field: str, title: str, values: Iterable[float], limit: float) -> Spec:
    domain = [min([limit, *(value for value in values if value > 0)]) / 2, limit * 2]
    scale = {"type": "log", "domain": domain, "nice": False}
    axis = {"format": "~s", "labelExpr": "datum.label && datum.label + 's'"}
    return {"field": field, "type": "quantitative", "title": title, "scale": scale, "axis": axis}


def _names(names: Sequence[str]) -> Mapping[str, Any]:
    return {"field": "setup", "type": "nominal", "title": None, "sort": list(names)}


def _repeated(values: Sequence[str], names: Sequence[str]) -> list[str]:
    return [values[place % len(values)] for place in range(len(names))]


def _title(text: str) -> Spec:
    first, *others = text.split("\n")
    return {"text": first, "subtitle": others, "anchor": "start"}


def _tooltip(*fields: str) -> list[Spec]:
    return [_said(field, field) for field in fields]


def _said(field: str, title: str) -> Spec:
    return {"field": field, "type": "nominal", "title": title}
