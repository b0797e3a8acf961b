"""Compilation by numba: what one function calls is inlined, and what Python calls is kept on disk."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from gridproof.lanes import kept_code

# Whether numba is installed, and whether it is typed, differs: to a type checker it is Any throughout.
_numba: Any = importlib.import_module("numba")

_OPTIONS = {"nogil": True, "error_model": "numpy", "boundscheck": False, "no_cfunc_wrapper": True, "_nrt": False}
"""The options of all functions.

``_nrt``: without numba's counting of references. Nothing here makes an array, and to count those that are handed on
took half of the time of hard puzzles.
"""


def compiled(function: Callable[..., Any]) -> Any:
    """Return a function that numba compiles into those that call it.

    It is inlined, so that tuples of many arrays are handed on for nothing; wrappers for Python and C would hold and
    optimise the same code twice more.
    """
    return _numba.njit(**_OPTIONS, forceinline=True, no_cpython_wrapper=True)(function)


class KeptFunction:
    """A function that numba compiles when it is called first, or loads if it was compiled by another process.

    The machine code, which holds all functions that are inlined, lies in a folder of ``kept_code``. To load it takes a
    tenth of a second, to compile it several.

    Parameters
    ----------
    function
        A function that Python calls.

    Attributes
    ----------
    py_func
        The function itself.
    folder
        The folder of the machine code, ``None`` if there is none that is safe.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self.folder = kept_code.find_folder(function.__code__.co_filename, function.__name__)
        self._is_ready = False
        if self.folder is None:
            self._compiled = _numba.njit(**_OPTIONS)(function)
            return
        usual = _numba.config.CACHE_DIR
        _numba.config.CACHE_DIR = str(self.folder)
        try:
            self._compiled = _numba.njit(cache=True, **_OPTIONS)(function)
        finally:
            _numba.config.CACHE_DIR = usual

    def __call__(self, *arguments: Any) -> Any:
        if self._is_ready:
            return self._compiled(*arguments)
        with nullcontext() if self.folder is None else kept_code.locked(self.folder):
            if self.folder is not None and not kept_code.is_sealed(self.folder):
                kept_code.clear(self.folder)
            result = self._compiled(*arguments)
            if self.folder is not None and not kept_code.is_sealed(self.folder):
                kept_code.seal(self.folder)
        self._is_ready = True
        return result
