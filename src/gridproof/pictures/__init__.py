"""Pictures of boards: text for a terminal, and SVG for notebooks and files.

``cells`` decides the contents of both. ``svg`` also frames results for notebooks, ``document`` makes pages and files of
several pictures, and ``steps`` puts a slider over a picture. This package draws boards and builds none.
"""

from __future__ import annotations

from gridproof.pictures.cells import board_text, differences
from gridproof.pictures.document import Svg
from gridproof.pictures.svg import board_svg

__all__ = ["Svg", "board_svg", "board_text", "differences"]


def __dir__() -> list[str]:
    return __all__
