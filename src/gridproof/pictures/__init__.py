"""Pictures of boards: text for a terminal, and SVG for notebooks and files.

Each has a module of its own, and ``cells`` decides what both of them show. This package draws boards and builds none.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from gridproof.pictures.cells import differences
from gridproof.pictures.document import Svg
from gridproof.pictures.svg import board_svg
from gridproof.pictures.text import board_text

__all__ = ["Svg", "board_svg", "board_text", "differences"]


def __getattr__(name: str) -> Any:
    # the widget asks solvers, which drawings know nothing of, and needs anywidget: it is there when it is asked for
    if name == "BoardWidget":
        return import_module("gridproof.pictures.widget").BoardWidget
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "BoardWidget"]
