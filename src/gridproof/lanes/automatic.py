"""The kernel ``auto``: NumPy works until the compiled search is there, so that nobody waits for a compiler.

numba takes several seconds to compile the search, once after each installation; after that the machine code lies on the
disk and is loaded in half a second. So few puzzles are left to NumPy, many load the code, and where there is none yet,
it is compiled in a process in the background, which goes on to its end even if the puzzles are done before.
"""

from __future__ import annotations

import subprocess
import sys
from threading import Lock
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes import kernel_numpy
from gridproof.lanes.layout import Layout

MANY = 20_000  # puzzles for which the machine code is loaded at once
PATIENCE = 0.3  # seconds of work after which it is loaded, however few puzzles are left
_SLICES = 2_048, 16_384  # puzzles for NumPy at a time: first, later

# by a child of the child, if the system forks: it survives the end of this process, which ends all that it started
_COMPILE = """import os
if not hasattr(os, "fork") or not os.fork():
    from gridproof.lanes import kernel_numba
    kernel_numba.compile_once()
"""
_LOADING = Lock()  # numba loads for one thread at a time
_MESSAGE = "gridproof: numba compiles the lanes in the background, once; until then NumPy does the work"


class Kernels:
    """The kernels of this process: the seconds that NumPy has worked, and the compiled search when it is there."""

    seconds = 0.0
    compiled: Any = None
    no_numba = False
    compiler: Any = None

    def look(self, puzzles: int) -> Any:
        """Return the compiled search if it is worth it for so many puzzles, and there. If not, have it compiled."""
        is_worth = puzzles >= MANY or self.seconds > PATIENCE
        if self.compiled is not None or self.no_numba or not is_worth:
            return self.compiled
        try:
            from gridproof.lanes import kernel_numba
        except ImportError:  # it is not installed, or does not fit the installed NumPy
            self.no_numba = True
            return None
        with _LOADING:
            ready = kernel_numba.is_ready()
        if ready:
            self.compiled = kernel_numba.search
        elif self.compiler is None:
            if sys.stderr is not None and sys.stderr.isatty():
                print(_MESSAGE, file=sys.stderr)
            silent: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
            self.compiler = subprocess.Popen([sys.executable, "-c", _COMPILE], start_new_session=True, **silent)
        return self.compiled


kernels = Kernels()


def search(
    layout: Layout, clues: NDArray[np.uint8], masks: NDArray[np.uint32], max_depth: int, max_branches: int
) -> tuple[NDArray[Any], ...]:
    """Search every puzzle, as both kernels do: a puzzle depends neither on the kernel nor on its neighbours."""
    parts, done = [], 0
    while done < len(clues):
        started, compiled = perf_counter(), kernels.look(len(clues) - done)
        end = len(clues) if compiled else done + _SLICES[kernels.seconds > 0]
        kernel = compiled or kernel_numpy.search
        parts.append(kernel(layout, clues[done:end], masks[done:end], max_depth, max_branches))
        done = end
        kernels.seconds += perf_counter() - started
    return parts[0] if len(parts) == 1 else tuple(map(np.concatenate, zip(*parts, strict=True)))
