"""Bit-parallel verification of puzzles in bulk: one bit per candidate and puzzle, 64 puzzles per machine word.

``LaneEngine`` turns clues or candidates of many puzzles into verdicts and solutions; ``check_grids`` checks many grids.

layout.py           a geometry as index tables
search_task.py      a search as both kernels take it, and its result
kernel_numpy.py     the search in NumPy, with batch_numpy.py (lanes at rest, and where they branch)
kernel_numba.py     the same search compiled, with batch_numba.py (its arguments)
passes.py           what is compiled, with rounds.py (all lanes at once), lane_steps.py (one lane) and vectors.py
compiling.py        how numba compiles, and where its machine code is kept: kept_code.py
choosing_kernel.py  which of the two does the work

The algorithm, which both kernels follow
----------------------------------------
A *lane* is the depth-first search of one puzzle. All lanes of a batch propagate at once: naked and hidden singles and
locked candidates, in rounds, until most lanes change no more. A lane at rest records its solution, goes back after a
contradiction, or branches. A lane whose puzzle is finished takes the next one, so that lanes stay busy to the end of
the batch (in NumPy also one that depends on the answer: see ``verify_in_turn``); near that end, idle lanes take over
the oldest branches of busy ones. A lane that still changes is left as it is. The state lives in two forms: *by
candidate*, where all lanes propagate at once, and *by lane*, where a lane's candidates are consecutive bits, as puzzles
are loaded and branches are stored; bit transposition leads from one to the other.

One side of a branch takes the candidate, the other removes it, and both sides have to bite, or the search grows on one
of them. So the candidate is one of a *pair*: the two left in a cell, or the two places left for a symbol in a house. To
remove one is to take the other. Of all pairs that one is taken whose lower score is highest.

The *score* of a candidate estimates what taking it removes. What is near in a box removes less that is new than what is
far: in the sum over the segments of a cell, candidates beyond the segment in its two houses count for, those within
against. For the classic board that makes 1 in the rest of row and column, 2 in the box outside both, 0 in the box
inside them, and with 1 for a cell of three candidates or more it takes 87 branches on hardest puzzles where counts of
what is removed take 120, and the cell of two candidates with most of such beside it 228.

The search of a puzzle depends on the puzzle alone, not on its neighbours or the kernel: propagation to a fixpoint has
one outcome whatever its order, the candidate to branch on depends on that outcome alone, and branches are taken depth
first, first with the candidate taken, then with it removed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gridproof.errors import BackendFailure, BackendUnavailable, BoardError
from gridproof.lanes.layout import NEVER_SHARED, layout_of
from gridproof.lanes.search_task import Kernel, Numbers, SearchResult, SearchTask
from gridproof.trust.answer import BY_NUMBER

if TYPE_CHECKING:
    from collections.abc import Callable

    from gridproof.puzzle.geometry import Geometry

Clues = NDArray[np.uint8]

FollowUp: TypeAlias = "Callable[[Numbers, LaneResult], tuple[Numbers, Clues]]"
"""Takes the numbers of sequences whose puzzles are done, and what was found of these. Returns the numbers of those that
go on, and the clues of their next puzzles."""

_BLOCK = 160_000
"""Cells checked at a time: fewer stay in the level-2 cache, more share the price of a call of NumPy. Measured."""


def check_grids(
    grids: Clues, order: int, houses: NDArray[np.int64], clues: Clues, masks: NDArray[np.uint32] | None = None
) -> NDArray[np.bool_]:
    """Check which grids are solutions: each house has every symbol, each clue (or candidate mask, if given) is kept.

    The check does not depend on how the grids were found.

    Parameters
    ----------
    grids : array of uint8, (puzzles, cells)
        Symbols 1 .. order.
    order : int
        The number of symbols.
    houses : array of int64, (houses, order)
        The cells of each house.
    clues : array of uint8, (puzzles, cells)
        Symbols 1 .. order, 0 where there is none. They are not looked at if ``masks`` is given.
    masks : array of uint32, (puzzles, cells), optional
        The candidates of each cell: bit ``symbol - 1`` for each symbol.

    Returns
    -------
    array of bool, (puzzles,)
        Whether each grid is a solution.

    Examples
    --------
    >>> houses = np.array([[0, 1], [2, 3], [0, 2], [1, 3]])
    >>> grids = np.array([[1, 2, 2, 1], [1, 2, 1, 2]], np.uint8)
    >>> check_grids(grids, 2, houses, np.zeros((2, 4), np.uint8)).tolist()
    [True, False]
    """
    right = np.empty(len(grids), np.bool_)
    kind = np.uint16 if order <= 16 else np.uint32
    everything = kind((1 << order) - 1)
    size = max(1, _BLOCK // grids.shape[1])
    for start in range(0, len(grids), size):
        block = slice(start, start + size)
        by_cell = np.ascontiguousarray(grids[block].T)  # so that each step below runs over contiguous puzzles
        # A shift beyond the width gives 0 in NumPy; so what is no symbol has no bit, or one beyond ``everything``.
        powers = np.left_shift(kind(1), by_cell - np.uint8(1), dtype=kind)
        if masks is None:
            is_kept = (clues[block] == grids[block]) | (clues[block] == 0)
        else:
            is_kept = np.bitwise_and(masks[block], powers.T) != 0
        # nearly always all are, which is found out faster than where
        fits = np.ones(len(is_kept), np.bool_) if is_kept.all() else is_kept.all(axis=1)
        held = powers[houses[:, 0]]
        for cells in houses.T[1:]:
            held |= powers[cells]
        fits &= (held == everything).all(axis=0)
        right[block] = fits
    return right


NONE, UNIQUE, MULTIPLE, OPEN = 0, 1, 2, 3
"""Verdict codes. OPEN: a bound came first; the puzzle is undecided, and a SAT session should decide it."""

VERDICT_NAMES = (*BY_NUMBER, "open")

WRONG = "the lane engine claims a grid that is not a solution; please report it"


@dataclass(frozen=True, eq=False)
class LaneResult:
    """The results of the engine, by puzzle.

    Every solution has been checked.

    Attributes
    ----------
    codes : array of uint8, (puzzles,)
        ``NONE``, ``UNIQUE``, ``MULTIPLE`` or ``OPEN``.
    first, second : array of uint8, (puzzles, cells)
        Solutions in symbols 1 .. order, and rows of zeros where there is none. ``first`` of an open puzzle may be one
        solution found before the bound.
    branches : array of int64, (puzzles,)
        How often the search split the puzzle in two; 0 means that propagation alone gave the verdict.
    wrong : array of bool, (puzzles,)
        Whether the check refused a solution, if that does not raise an error.

    Examples
    --------
    >>> from gridproof import Geometry
    >>> result = LaneEngine(Geometry.latin(2), "numpy").verify([[1, 0, 0, 0], [1, 1, 0, 0]])
    >>> result.codes.tolist(), result.first.tolist(), result.branches.tolist()
    ([1, 0], [[1, 2, 2, 1], [0, 0, 0, 0]], [0, 0])
    """

    codes: NDArray[np.uint8]
    first: NDArray[np.uint8]
    second: NDArray[np.uint8]
    branches: NDArray[np.int64]
    wrong: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def counts(self) -> dict[str, int]:
        """The number of puzzles of each verdict."""
        return dict(zip(VERDICT_NAMES, np.bincount(self.codes, minlength=4).tolist(), strict=True))


class LaneEngine:
    """Bit-parallel propagation and bounded search on puzzles of one geometry.

    Unit propagation of the exactly-one rules of cells and houses and of locked candidates, branching where it stops.
    Its verdicts are proved: "none" and "unique" by visiting every branch, "multiple" by two different grids.

    Neither the kernel nor the other puzzles of a call change what is found for a puzzle.

    Parameters
    ----------
    geometry : Geometry
        That of every puzzle.
    kernel : {"auto", "numba", "numpy"}
        ``numba`` is compiled: the first engine after an installation takes several seconds, later ones half a second.
        ``numpy`` gives the same results, slower. ``auto`` is ``numpy`` for few puzzles, ``numba`` for many, if it can
        be used; where it is not compiled yet, that is done in a child process, and until then NumPy works.
    max_depth, max_branches : int
        The bounds of the search of each puzzle; one that reaches a bound is left open.

    Raises
    ------
    GeometryError
        Above order 32.
    BackendUnavailable
        For a kernel that is unknown or not installed.
    ValueError
        For ``max_depth`` below 1 or ``max_branches`` below 0.

    Examples
    --------
    >>> from gridproof import Geometry
    >>> engine = LaneEngine(Geometry.classic(2), "numpy")
    >>> engine.verify([[1, 0, 0, 0, 0, 0, 2, 0, 0, 3, 0, 0, 0, 0, 0, 4], [0] * 16]).codes.tolist() == [UNIQUE, MULTIPLE]
    True
    """

    def __init__(
        self,
        geometry: Geometry,
        kernel: Literal["auto", "numba", "numpy"] = "auto",
        *,
        max_depth: int = 64,
        max_branches: int = 10_000,
    ) -> None:
        if max_depth < 1 or max_branches < 0:
            raise ValueError(f"max_depth {max_depth}, max_branches {max_branches}; expected at least 1 and at least 0")
        self.geometry = geometry
        self.max_depth = max_depth
        self.max_branches = max_branches
        self._layout = layout_of(geometry)
        self.kernel = kernel
        self._kernel = _find_kernel(kernel)

    def verify(self, clues: ArrayLike, *, refuse: bool = True) -> LaneResult:
        """Find the verdicts on puzzles given as clues.

        Parameters
        ----------
        clues : array_like of int, (puzzles, cells)
            Symbols 1 .. order, 0 where there is none.
        refuse : bool
            Whether a solution that the check refuses is an error.

        Returns
        -------
        LaneResult
            Of two solutions the one that is less comes first, as from sessions.

        Raises
        ------
        BoardError
            For an array of another shape or with other values.
        BackendFailure
            If the check refuses a solution.
        """
        given = self._shaped(clues, self._layout.order, "symbols")
        no_masks = np.zeros((0, self._layout.cell_count), np.uint32)
        return self._run(np.ascontiguousarray(given, np.uint8), no_masks, refuse)

    def verify_in_turn(self, clues: ArrayLike, follow_up: FollowUp) -> None:
        """Find verdicts on puzzles that others follow, which depend on these verdicts.

        Of these sequences of puzzles none waits for another one, so that lanes stay busy.

        Parameters
        ----------
        clues : array_like of int, (sequences, cells)
            The first puzzle of each sequence, as in ``verify``.
        follow_up
            Called with the numbers of sequences whose puzzles are done, and their ``LaneResult``. Returns those of the
            numbers that go on, and the clues of the next puzzle of each. When and with which others a number comes
            depends on the kernel.

        Raises
        ------
        BoardError, BackendFailure
            As ``verify`` does.
        """
        layout = self._layout
        given = np.ascontiguousarray(self._shaped(clues, layout.order, "symbols"), np.uint8)
        no_masks = np.zeros((0, layout.cell_count), np.uint32)

        def check_and_follow_up(numbers: Numbers, done: Clues, found: SearchResult) -> tuple[Numbers, Clues]:
            return follow_up(numbers, self._complete(task._replace(clues=done), found, refuse=True))

        task = SearchTask(layout, given, no_masks, self.max_depth, self.max_branches, NEVER_SHARED)
        if len(given):
            self._kernel.search_in_turn(task, check_and_follow_up)

    def verify_candidates(self, masks: ArrayLike, *, refuse: bool = True) -> LaneResult:
        """Find the verdicts on puzzles given as candidates left.

        Parameters
        ----------
        masks : array_like of int, (puzzles, cells)
            Bit ``symbol - 1`` for each symbol. A cell without a candidate makes a puzzle without solution.
        refuse : bool
            As in ``verify``, as are result and errors.

        Returns
        -------
        LaneResult

        Examples
        --------
        >>> from gridproof import Geometry
        >>> LaneEngine(Geometry.latin(2), "numpy").verify_candidates([[0b01, 0b11, 0b11, 0b11]]).first.tolist()
        [[1, 2, 2, 1]]
        """
        given = self._shaped(masks, (1 << self._layout.order) - 1, "candidate masks")
        return self._run(np.zeros(given.shape, np.uint8), np.ascontiguousarray(given, np.uint32), refuse)

    def _shaped(self, values: ArrayLike, most: int, what: str) -> NDArray[Any]:
        array = np.asarray(values)
        cells = self._layout.cell_count
        if array.ndim != 2 or array.shape[1] != cells or array.dtype.kind not in "iu":
            raise BoardError(
                f"an array of shape {array.shape} and type {array.dtype}; expected integers (puzzles, {cells})"
            )
        is_negative = array.dtype.kind == "i" and array.size and int(array.min()) < 0
        if is_negative or (array.size and int(array.max()) > most):
            puzzle, cell = np.argwhere((array < 0) | (array > most))[0].tolist()
            raise BoardError(
                f"value {array[puzzle, cell]} in puzzle {puzzle}, cell {self.geometry.cell_name(cell)}; "
                f"expected {what} from 0 to {most}"
            )
        return array

    def _run(self, clues: NDArray[np.uint8], masks: NDArray[np.uint32], refuse: bool) -> LaneResult:
        if not len(clues):
            return LaneResult(np.zeros(0, np.uint8), clues, clues, np.zeros(0, np.int64), np.zeros(0, np.bool_))
        task = SearchTask(self._layout, clues, masks, self.max_depth, self.max_branches)
        return self._complete(task, self._kernel.search(task), refuse)

    def _complete(self, task: SearchTask, found: SearchResult, refuse: bool) -> LaneResult:
        """Return the findings of a search as a result: in order, and checked."""
        codes, first, second, branches = found
        has_two = codes == MULTIPLE
        has_one = (codes == UNIQUE) | has_two
        is_open = np.flatnonzero(codes == OPEN)
        has_one[is_open] = first[is_open].any(axis=1)
        wrong = np.zeros(len(codes), np.bool_)
        wrong[has_two] = self._put_lesser_first(first, second, np.flatnonzero(has_two))
        wrong |= has_one & ~self._check(task, first, has_one)
        wrong |= has_two & ~self._check(task, second, has_two)
        if refuse and wrong.any():
            puzzle = int(wrong.argmax())
            where = f"puzzle {puzzle} ({wrong.sum()} of {len(codes)}): {first[puzzle].tolist()}"
            raise BackendFailure(f"{WRONG}: {self.kernel}, {where}")
        return LaneResult(codes, first, second, branches, wrong)

    @staticmethod
    def _put_lesser_first(first: Clues, second: Clues, some: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Exchange the two grids of some puzzles where the second is less. Return where they are the same."""
        place = (first[some] != second[some]).argmax(axis=1)
        in_first = first[some, place]
        in_second = second[some, place]
        swapped = some[in_first > in_second]
        less = second[swapped]
        second[swapped] = first[swapped]
        first[swapped] = less
        return np.asarray(in_first == in_second)

    def _check(self, task: SearchTask, grids: Clues, claimed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which of the claimed grids are solutions; others need not be looked at."""
        layout = task.layout
        right = np.zeros(len(grids), np.bool_)
        # to check all is cheaper than to copy most; grids that nobody claims are wrong, or not looked at
        some: Any = slice(None) if 4 * np.count_nonzero(claimed) > 3 * len(claimed) else claimed
        masks = task.masks[some] if len(task.masks) else None
        right[some] = check_grids(grids[some], layout.order, layout.houses, task.clues[some], masks)
        return right


def is_compiled(puzzles: int) -> bool:
    """Return whether the compiled search is there. If not, it is compiled in the background for many puzzles."""
    from gridproof.lanes.choosing_kernel import kernels

    return kernels.compiled_search(puzzles) is not None


def _find_kernel(kernel: str) -> Kernel:
    """Return the module of a kernel. Raises ``BackendUnavailable`` for one that is unknown or not installed."""
    if kernel == "numpy":
        from gridproof.lanes import kernel_numpy

        return kernel_numpy
    if kernel == "auto":
        from gridproof.lanes import choosing_kernel

        return choosing_kernel
    if kernel == "numba":
        try:
            from gridproof.lanes import kernel_numba
        except ImportError as error:
            raise BackendUnavailable(f"lane kernel 'numba': {error}; pip install 'gridproof[fast]'") from None
        kernel_numba.compile_search()
        return kernel_numba
    raise BackendUnavailable(f"lane kernel {kernel!r}; expected auto, numba or numpy")
