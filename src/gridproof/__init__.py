"""gridproof: Sudoku as a constraint problem, with every answer cross-checked.

The names below are imported when they are first used, so that ``import gridproof`` costs nothing. What else there is
lives in its module: ``gridproof.certify``, ``checker``, ``compare``, ``explain``, ``datasets``, ``render``, ``tree``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gridproof.board import Board as Board
    from gridproof.bulk.many import verify_many as verify_many
    from gridproof.errors import GridproofError as GridproofError
    from gridproof.geometry import Geometry as Geometry
    from gridproof.limits import Limits as Limits
    from gridproof.solve import Pipeline as Pipeline
    from gridproof.solve import count as count
    from gridproof.solve import solutions as solutions
    from gridproof.solve import verify as verify
    from gridproof.text import parse as parse
    from gridproof.text import read as read
    from gridproof.verdict import Status as Status
    from gridproof.verdict import Verdict as Verdict

__version__ = "0.1.0"

_HOMES = {
    "board": ("Board",),
    "bulk": ("verify_many",),
    "errors": ("GridproofError",),
    "geometry": ("Geometry",),
    "limits": ("Limits",),
    "solve": ("Pipeline", "count", "solutions", "verify"),
    "text": ("parse", "read"),
    "verdict": ("Status", "Verdict"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'gridproof' has no attribute {name!r}")
    return getattr(import_module(f"gridproof.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
