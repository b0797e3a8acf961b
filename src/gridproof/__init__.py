"""gridproof: Sudoku as a constraint problem, with every answer cross-checked.

``verify``, ``solve``, ``count``, ``solutions``, ``candidates``, ``canonical``, ``minimise``, ``explain``, ``steps``,
``rate``, ``certify``, ``check``, ``convert``, ``compile``, ``compare`` and ``show`` do what the commands of these
names do, for whatever is a puzzle, and ``generate`` makes puzzles. ``Pipeline`` and ``verify_many`` answer for many;
``parse``, ``read`` and ``read_puzzle`` read them. Every name is imported at its first use, so ``import gridproof`` is
fast; ``__init__.pyi`` lists them all.
"""

from importlib import import_module as _import_module

_LINES = map(bytes.split, __loader__.get_data(f"{__file__}i").splitlines())  # type: ignore[name-defined]
_HOME_OF = {line[5].decode(): line[1].decode() for line in _LINES if line[:1] == [b"from"]}

__all__ = [name for name, home in _HOME_OF.items() if home != __name__]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from gridproof.runs.interrupts import ctrl_c_waits

    with ctrl_c_waits():  # NumPy cannot be imported any more in a process where that was broken into
        return _import_module(f"{home}.{name}") if home == __name__ else getattr(_import_module(home), name)


def __dir__() -> list[str]:
    return sorted(_HOME_OF)
