"""Plots to point at: cactus and scatter as Vega-Lite, where each point says which puzzle it is.

A specification is a plain dictionary. JupyterLab draws it without anything else installed; ``altair.Chart.from_dict``
takes it, and so does any other program that knows Vega-Lite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import cycle, islice
from typing import Any, TypeAlias

from gridproof.pictures.plot_style import COLOURS

_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")

Spec: TypeAlias = dict[str, Any]


def cactus(points: list[Spec], names: list[str], limit: float, title: str) -> Spec:
    """A cactus plot. names: of the setups, in their order."""
    pointed = {"type": "point", "fields": ["setup"], "on": "mouseover"}
    looks = {
        channel: _field("setup", None, sort=names, scale={"domain": names, "range": list(islice(values, len(names)))})
        for channel, values in (("color", cycle(COLOURS)), ("shape", cycle(_SHAPES)))
    }
    lines = {
        "params": [{"name": "pointed", "select": pointed, "bind": "legend"}],
        "mark": {"type": "line", "point": {"size": 55, "filled": True}},
        "encoding": {
            "x": _field("solved", "puzzles solved", type="quantitative", axis={"tickMinStep": 1}),
            "y": _seconds("seconds", "time per puzzle", [point["seconds"] for point in points], limit),
            **looks,
            "opacity": {"condition": {"param": "pointed", "value": 1}, "value": 0.2},
            "tooltip": [_field(name, name) for name in ("setup", "set", "puzzle", "time", "solved")],
        },
    }
    at_limit = {"mark": {"type": "rule", "strokeDash": [6, 4]}, "encoding": {"y": {"datum": limit}}}
    panel = {"width": 320, "height": 280, "layer": [lines, at_limit]}
    return _spec(title, points, facet=_field("set", None), columns=3, spec=panel)


def scatter(points: list[Spec], names: Sequence[str], limit: float, title: str) -> Spec:
    """A scatter plot. names: of the setup across and of the one upwards. Hollow: not solved in time."""
    times = [point[axis] for point in points for axis in "xy"]
    corners = [{"x": value, "y": value} for value in (min(times) / 2, limit * 2)]
    diagonal = {"mark": {"type": "line", "color": "#888888"}, "data": {"values": corners}}
    tooltip = [("set", "set"), ("puzzle", "puzzle"), ("board", "board"), ("first", names[0]), ("second", names[1])]
    colour = {"scale": {"range": list(COLOURS)}}
    dots = {
        "params": [{"name": "part", "select": "interval", "bind": "scales"}],
        "mark": {"type": "point", "size": 70, "strokeWidth": 1.5},
        "encoding": {
            "color": _field("set", None, **colour),
            "shape": _field("set", None),
            "fill": _field("set", None, legend=None, **colour),
            "fillOpacity": {"condition": {"test": "datum.late", "value": 0}, "value": 0.8},
            "tooltip": [_field(name, said) for name, said in tooltip],
        },
    }
    axes = {axis: _seconds(axis, name, times, limit) for axis, name in zip("xy", names, strict=True)}
    return _spec(title, points, width=440, height=440, encoding=axes, layer=[diagonal, dots])


def _spec(title: str, values: list[Spec], **parts: Any) -> Spec:
    first, *others = title.split("\n")
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "title": {"text": first, "subtitle": others, "anchor": "start"},
        "data": {"values": values},
        **parts,
    }


def _seconds(field: str, title: str, values: Iterable[float], limit: float) -> Spec:
    domain = [min([limit, *(value for value in values if value > 0)]) / 2, limit * 2]
    scale = {"type": "log", "domain": domain, "nice": False}
    axis = {"format": "~s", "labelExpr": "datum.label && datum.label + 's'"}
    return _field(field, title, type="quantitative", scale=scale, axis=axis)


def _field(field: str, title: str | None, **more: Any) -> Spec:
    return {"field": field, "type": "nominal", "title": title, **more}
