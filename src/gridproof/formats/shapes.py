"""The shape of boards as people say it, in options of a command and in puzzle files: boxes, regions, further houses."""

from __future__ import annotations

import re

from gridproof.errors import GeometryError, InputError
from gridproof.puzzle.geometry import Geometry
from gridproof.puzzle.houses import diagonals


def boxes(text: str, named: str) -> Geometry:
    """The geometry with boxes of a size such as ``2x3``. named: what the text is called in errors (``InputError``)."""
    match = re.fullmatch(r"(\d{1,3})[xX](\d{1,3})", text)
    if not match:
        raise InputError(f"{named} {text!r}; expected rows x columns of a box, such as 2x3")
    return Geometry.classic(int(match[1]), int(match[2]))


def regions(text: str) -> Geometry:
    """The jigsaw of a text; lines that begin with # are comments, unless # is a label. Raises ``GeometryError``."""
    try:
        return Geometry.jigsaw(text)
    except GeometryError:
        return Geometry.jigsaw("\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#")))


def extended(geometry: Geometry, *, diagonal: bool, windoku: bool, disjoint: bool) -> Geometry:
    """The geometry with these families of further houses. Raises ``GeometryError`` where a board has none such."""
    if diagonal:
        geometry = geometry.with_diagonals()
    if windoku:
        geometry = geometry.with_windoku()
    return geometry.with_disjoint_groups() if disjoint else geometry


def with_diagonals(geometry: Geometry, *, rising: bool, falling: bool) -> Geometry:
    """The geometry with one diagonal, both, or none."""
    if rising and falling:
        return geometry.with_diagonals()
    lines = diagonals(geometry.order)
    return geometry.with_houses([lines[rising]], "diagonal") if rising or falling else geometry


def usual(order: int) -> Geometry | None:
    """The board that is meant where no shape is said; ``None`` for an order without usual boxes."""
    try:
        return Geometry.standard(order)
    except GeometryError:
        return None
