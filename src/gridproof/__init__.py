"""gridproof: Sudoku as a constraint problem, with every answer cross-checked.

``verify``, ``solve``, ``count``, ``solutions``, ``candidates``, ``canonical``, ``minimise``, ``explain``, ``steps``,
``rate``, ``score``, ``audit``, ``certify``, ``check``, ``convert``, ``compile``, ``compare`` and ``show`` do what the
commands of these names do, for whatever is a puzzle; ``generate`` and ``images`` make puzzles. ``Pipeline`` and
``verify_many`` answer for many; ``parse``, ``read`` and ``read_puzzle`` read them. Every name is imported at its first
use, so ``import gridproof`` is fast; ``__init__.pyi`` lists them all.
"""

import lazy_loader as _lazy_loader

_load, __dir__, __all__ = _lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from gridproof.runs.interrupts import ctrl_c_waits

    with ctrl_c_waits():  # NumPy cannot be imported any more in a process where that was broken into
        return _load(name)
