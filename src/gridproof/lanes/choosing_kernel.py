"""The kernel ``auto``: NumPy until the compiled search is there and worth its price.

To load the compiled search costs half a second, to have it compiled, once after each installation, the work of another
process for some seconds. Nobody knows how many puzzles are still to come. So each price is paid when NumPy has worked
as long as that, or is about to: then a process never takes more than twice as long as one that had known.
"""

from __future__ import annotations

import gc
import os
import sys
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gridproof.lanes import kernel_numpy
from gridproof.lanes.search_task import FollowUp, Numbers, Search, SearchResult, SearchTask, search_in_rounds

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from gridproof.runs.children import Child

SECONDS_TO_LOAD, PUZZLES_TO_LOAD = 0.5, 40_000
"""NumPy's work that is worth as much as loading the compiled search: in seconds, or in puzzles with 17 clues."""

SECONDS_TO_COMPILE, PUZZLES_TO_COMPILE = 5.0, 400_000
"""NumPy's work that is worth as much as compiling."""

FIRST_SLICE, SLICE = 2_048, 16_384
"""Puzzles that NumPy searches between two looks for the compiled search: at first, and later."""

SECONDS_BETWEEN_LOOKS = 0.1
"""The same where other puzzles follow: to look for the compiled search takes a millisecond."""

_MESSAGE = "gridproof: numba compiles the lanes in the background, once; until then NumPy does the work"


class KernelChoice:
    """The kernels of this process: the seconds that NumPy has worked, and the compiled search when it is there."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._compiled: Search | None = None
        self._is_hopeless = False
        self._compiler: Child | None = None

    def compiled_search(self, puzzles: int) -> Search | None:
        """Return the compiled search if it is there, and worth it for so many puzzles. If not, it may be begun."""
        if self._compiled is not None or self._is_hopeless:
            return self._compiled
        if puzzles >= PUZZLES_TO_LOAD or self.seconds >= SECONDS_TO_LOAD:
            is_worth_compiling = puzzles >= PUZZLES_TO_COMPILE or self.seconds >= SECONDS_TO_COMPILE
            if find_spec("numba") is None:
                self._is_hopeless = True
            else:
                self._load_or_compile(is_worth_compiling)
        return self._compiled

    def _load_or_compile(self, is_worth_compiling: bool) -> None:
        from gridproof.lanes import kept_code

        folder = kept_code.find_folder(str(Path(__file__).with_name("passes.py")), "run")
        has_ended = self._compiler is not None and not self._compiler.alive
        if (folder is None and is_worth_compiling) or (folder is not None and kept_code.is_sealed(folder)):
            self._compiled = load_compiled_search()
        elif has_ended:
            self._is_hopeless = True  # numba cannot compile here; NumPy finds the same
        elif folder is not None and is_worth_compiling and self._compiler is None:
            self._begin_to_compile()

    def _begin_to_compile(self) -> None:
        from gridproof.runs.children import Child

        if sys.stderr is not None and sys.stderr.isatty():
            print(_MESSAGE, file=sys.stderr)
        try:
            self._compiler = Child(compile_in_child)
        except OSError:  # no process can be started
            self._is_hopeless = True


def load_compiled_search() -> Search:
    """Return the compiled search, with numba imported.

    Meanwhile Python does not look for garbage: numba makes hundreds of thousands of objects that stay.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        from gridproof.lanes import kernel_numba

        kernel_numba.compile_search()
    finally:
        if collects:
            gc.enable()
    return kernel_numba.search


def compile_in_child(_: Connection) -> None:
    """Compile the search and keep its code, while others do the work."""
    if hasattr(os, "nice"):
        os.nice(5)
    from gridproof.lanes import kernel_numba

    kernel_numba.compile_search()


kernels = KernelChoice()


def search_in_turn(task: SearchTask, follow_up: FollowUp) -> None:
    """Search every puzzle, and those that follow, as both kernels do.

    NumPy has its puzzles done one after the other. When the compiled search is there, it takes those that follow.
    """
    number = len(task.clues)
    compiled = kernels.compiled_search(number)
    if compiled is not None:
        search_in_rounds(compiled, task, np.arange(number), follow_up)
        return
    begun = looked = perf_counter()
    numbers_left: list[Numbers] = []
    clues_left: list[NDArray[np.uint8]] = []

    def follow_or_hand_over(
        done: Numbers, clues: NDArray[np.uint8], found: SearchResult
    ) -> tuple[Numbers, NDArray[np.uint8]]:
        nonlocal compiled, begun, looked
        now = perf_counter()
        kernels.seconds += now - begun
        if compiled is None and now - looked > SECONDS_BETWEEN_LOOKS:
            looked = now
            compiled = kernels.compiled_search(number)
        following, next_clues = follow_up(done, clues, found)
        begun = perf_counter()
        if compiled is None:
            return following, next_clues
        numbers_left.append(following)
        clues_left.append(next_clues)
        return following[:0], next_clues[:0]

    kernel_numpy.search_in_turn(task, follow_or_hand_over)
    if compiled is not None and numbers_left:
        rest = task._replace(clues=np.concatenate(clues_left))
        search_in_rounds(compiled, rest, np.concatenate(numbers_left), follow_up)


def search(task: SearchTask) -> SearchResult:
    """Search every puzzle, as both kernels do: a puzzle depends neither on the kernel nor on its neighbours."""
    number = len(task.clues)
    parts: list[SearchResult] = []
    done = 0
    while done < number:
        compiled = kernels.compiled_search(number - done)
        if compiled is not None:
            parts.append(compiled(task.part(done, number)))
            break
        end = done + (SLICE if kernels.seconds else FIRST_SLICE)
        started = perf_counter()
        parts.append(kernel_numpy.search(task.part(done, end)))
        kernels.seconds += perf_counter() - started
        done = end
    return SearchResult.join(parts)
