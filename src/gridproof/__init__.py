"""gridproof: Sudoku as a constraint problem, with every answer cross-checked.

``verify``, ``solve``, ``count`` and ``solutions`` ask about one puzzle, ``Pipeline`` and ``verify_many`` about many.
``parse``, ``read`` and ``read_puzzle`` read puzzles. Further modules: ``bulk``, ``certificates``, ``checker``,
``experiments``, ``explanations``, ``formats``, ``pictures``. Everything is imported at its first use, so
``import gridproof`` is fast.
"""

from importlib import import_module as _import_module

TYPE_CHECKING = False  # to import this would be the longest part of ``import gridproof``
if TYPE_CHECKING:
    from gridproof.bulk.many import verify_many as verify_many
    from gridproof.bulk.table import to_table as to_table
    from gridproof.bulk.table import verify_table as verify_table
    from gridproof.errors import GridproofError as GridproofError
    from gridproof.formats import parse as parse
    from gridproof.formats import read as read
    from gridproof.formats import read_puzzle as read_puzzle
    from gridproof.formats.puzzle import Puzzle as Puzzle
    from gridproof.limits import Limits as Limits
    from gridproof.pictures.widget import BoardWidget as BoardWidget
    from gridproof.pipeline import Pipeline as Pipeline
    from gridproof.puzzle.board import Board as Board
    from gridproof.puzzle.geometry import Geometry as Geometry
    from gridproof.puzzle.grid import Grid as Grid
    from gridproof.questions import count as count
    from gridproof.questions import solutions as solutions
    from gridproof.questions import solve as solve
    from gridproof.questions import verify as verify
    from gridproof.trust.verdict import Status as Status
    from gridproof.trust.verdict import Verdict as Verdict
del TYPE_CHECKING

__version__ = "0.1.0"

_HOMES = {
    "puzzle.board": ("Board",),
    "bulk": ("verify_many",),
    "pictures.widget": ("BoardWidget",),
    "bulk.table": ("to_table", "verify_table"),
    "errors": ("GridproofError",),
    "puzzle.geometry": ("Geometry",),
    "puzzle.grid": ("Grid",),
    "limits": ("Limits",),
    "questions": ("count", "solutions", "solve", "verify"),
    "pipeline": ("Pipeline",),
    "formats": ("parse", "read", "read_puzzle"),
    "formats.puzzle": ("Puzzle",),
    "trust.verdict": ("Status", "Verdict"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}
_ROOMS = (
    *("backends", "bulk", "certificates", "checker", "errors", "experiments", "explanations", "formats"),
    *("generation", "models", "pictures", "rules"),
)

__all__ = ["__version__", *sorted(_HOME_OF)]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF and name not in _ROOMS:
        raise AttributeError(f"module 'gridproof' has no attribute {name!r}")
    from gridproof.runs.interrupts import ctrl_c_waits

    with ctrl_c_waits():  # NumPy cannot be imported any more in a process where that was broken into
        module = _import_module(f"gridproof.{_HOME_OF.get(name, name)}")
    return getattr(module, name) if name in _HOME_OF else module


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS})
