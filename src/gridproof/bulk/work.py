"""The work on a chunk: the lanes first, a session for what they leave open, then checks and cross-check.

The result of a chunk follows from the chunk and the job alone: a session remembers the puzzles before, which shows in
the witnesses it chooses and in the conflicts it counts, so each chunk gets one of its own. Compiled rules and engines
stay with the process.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof._version import __version__
from gridproof.bulk.chunks import Bytes, Chunk, Group, encode_grids, symbols_of
from gridproof.bulk.job import Job
from gridproof.bulk.records import Columns
from gridproof.bulk.results import Result
from gridproof.errors import GeometryError, NotUnderstoodError, PuzzleFormatError
from gridproof.formats.puzzle import Item, Puzzle, given_text, with_rules
from gridproof.lanes import MULTIPLE, NONE, OPEN, UNIQUE, WRONG, LaneEngine, LaneResult, check_grids
from gridproof.lanes.choosing_kernel import kernels
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import parse_rule
from gridproof.scattering import GOLDEN, scatter
from gridproof.trust import crosscheck
from gridproof.trust.answer import BY_NUMBER, Status
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.record import VerdictRecord
from gridproof.trust.verdict import Evidence, Made, Verdict

_Task: TypeAlias = tuple[int, Puzzle]
"""A puzzle to be decided, and its place."""

_LANES = "lanes"
_MADE = Made(_LANES, __version__, None, __version__)
_LANE_STATUS = (*BY_NUMBER, Status.UNDECIDED)
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3  # of mallopt
_SET_ASIDE = "set aside: worker processes died on it again and again"


@dataclass(frozen=True, slots=True)
class _Batch:
    """Puzzles of one geometry: a group, with its cells as symbols, or those that were read one by one."""

    geometry: Geometry
    places: NDArray[np.int64]
    puzzles: Sequence[Puzzle] = ()
    group: Group | None = None
    symbols: Bytes | None = None

    def task(self, k: int) -> _Task:
        """Return one of the puzzles with its place."""
        if self.group is None or self.symbols is None:
            return int(self.places[k]), self.puzzles[k]
        board, answers = Board(self.geometry, tuple(self.symbols[k].tolist())), self.group.answers
        stored = tuple(answers[k].tolist()) if answers is not None and answers[k].any() else None
        return int(self.places[k]), Puzzle(board, stored, text=self.group.cells[k].tobytes().decode())

    def tasks(self) -> list[_Task]:
        """Return all of the puzzles."""
        return list(map(self.task, range(len(self.places))))


def work(job: Job, chunk: Chunk, *, set_aside: bool = False) -> Result:
    """Verify every puzzle of a chunk. set_aside: they are not to be touched, because they kill workers."""
    started = perf_counter()
    done = _Work(job, chunk)
    done.run(set_aside)
    if job.rate:
        done.rate()
    result = Result.of(done.columns, job.form, done.disagreements)
    result.summary.seconds = perf_counter() - started
    return result


def keep_memory() -> None:
    """Have the C library keep what is freed: to map the arrays of each part anew takes a sixth of the time."""
    with suppress(OSError, TypeError, AttributeError):
        mallopt = ctypes.CDLL(None).mallopt  # of glibc
        for parameter, most in ((_M_TRIM_THRESHOLD, 1 << 29), (_M_MMAP_THRESHOLD, 1 << 25)):
            mallopt(parameter, most)


def prepare(puzzles: int) -> None:
    """Load what the first chunk will need. puzzles: how many there are for the lanes of this process."""
    keep_memory()
    kernels.compiled_search(puzzles)


@lru_cache(maxsize=16)
def _lanes(geometry: Geometry) -> LaneEngine | None:
    try:
        return LaneEngine(geometry)
    except GeometryError:
        return None


class _Work:
    """One chunk under work. What the lanes decide is written for all at once, everything else row by row."""

    def __init__(self, job: Job, chunk: Chunk) -> None:
        self.job = job
        self.chunk = chunk
        self.columns = Columns(chunk.rows, chunk.lines)
        self.disagreements: list[Verdict] = []
        self._chosen = choose_rows(chunk.rows, job.cross_check)

    def run(self, set_aside: bool) -> None:
        """Fill in every row of the chunk."""
        for_session: list[_Task] = []
        for place, item in self.chunk.items:
            if isinstance(item, PuzzleFormatError):
                self._write(place, item, VerdictRecord.of_error(item))
            elif self._is_part(item):
                for_session.append((place, item))
        for batch in self._batches():
            for_session += batch.tasks() if set_aside else self._with_lanes(batch)
        for_session.sort(key=lambda task: task[0])
        if not set_aside:
            self._with_session(for_session)
            return
        for place, puzzle in for_session:
            if self._is_part(puzzle):
                self._write_error(place, puzzle, NotUnderstoodError(puzzle, text=""))
            else:
                self._write_answer(place, puzzle, Verdict(Status.UNDECIDED, puzzle.board, reason=_SET_ASIDE))

    def rate(self) -> None:
        """Fill in what the hardest step of each puzzle with exactly one solution costs, unless a limit comes first."""
        from gridproof.solving import rate

        unique = self.columns.unique()
        for place, puzzle in chain.from_iterable(batch.tasks() for batch in self._batches()):
            if place in unique:
                rating = rate(puzzle.board.with_rules(self.job.rules), limits=self.job.limits)
                if rating.verdict is Status.UNIQUE:
                    self.columns.ratings[place] = rating.cost, rating.name or None

    def _batches(self) -> Iterator[_Batch]:
        """The puzzles of each geometry; those with rules apart from those without."""
        for group in self.chunk.groups:
            yield _Batch(group.geometry, group.places, (), group, symbols_of(group.cells, group.geometry.order))
        gathered: dict[tuple[Geometry, bool], list[_Task]] = {}
        for place, item in self.chunk.items:
            if isinstance(item, Puzzle) and not self._is_part(item):
                gathered.setdefault((item.board.geometry, bool(item.board.rules)), []).append((place, item))
        for (geometry, _), tasks in gathered.items():
            places, puzzles = zip(*tasks, strict=True)
            yield _Batch(geometry, np.array(places, np.int64), puzzles)

    def _is_part(self, puzzle: Puzzle) -> bool:
        """Return whether only a part of a puzzle was understood, from which a session finds what follows."""
        return bool(puzzle.not_understood) and not self.job.despite_unread

    def _write(self, place: int, item: Item, record: VerdictRecord) -> None:
        self.columns.write(place, record._replace(puzzle=given_text(item)))

    def _write_answer(self, place: int, puzzle: Puzzle, verdict: Verdict) -> None:
        """Write a row: what a verdict on the board means for its puzzle."""
        try:
            verdict = verdict.with_puzzle(puzzle, self.job.despite_unread)
        except NotUnderstoodError as problem:
            self._write_error(place, puzzle, problem)
        else:
            self._write_verdict(place, puzzle, verdict)

    def _write_verdict(self, place: int, puzzle: Puzzle, verdict: Verdict) -> None:
        """Write a row: the verdict, and everything else that the puzzle brings."""
        self._write(place, puzzle, VerdictRecord.of(verdict, symbols=puzzle.symbols).with_puzzle(puzzle))
        if verdict.status is Status.DISAGREEMENT:
            self.disagreements.append(verdict)

    def _write_error(self, place: int, puzzle: Puzzle, problem: PuzzleFormatError) -> None:
        problem.line = int(self.columns.line[place]) or None
        self._write(place, puzzle, VerdictRecord.of_error(problem))

    # ---- lanes -----------------------------------------------------------------------------------------------------

    def _with_lanes(self, puzzles: _Batch) -> list[_Task]:
        """Decide puzzles by the lane engine; return those that it leaves open or cannot take."""
        geometry, places = puzzles.geometry, puzzles.places
        ruled = bool(puzzles.puzzles and puzzles.puzzles[0].board.rules)
        lanes = None if ruled or self.job.engine == "session" else _lanes(geometry)
        if lanes is None:
            return puzzles.tasks()
        if puzzles.symbols is None:
            candidates = np.array([puzzle.board.candidates for puzzle in puzzles.puzzles], np.uint32)
            result = lanes.verify_candidates(candidates, refuse=False)
        else:
            result = lanes.verify(puzzles.symbols, refuse=False)
        is_open = (result.codes == OPEN) & ~result.wrong
        checked = ((result.codes == UNIQUE) | (result.codes == NONE)) & self._chosen[places]
        closer = ~(is_open | self._fill(puzzles, result, ~(is_open | checked | result.wrong)))
        for k in np.flatnonzero(closer).tolist():
            place, puzzle = puzzles.task(k)
            self._write_answer(place, puzzle, self._verdict(puzzle.board, result, k, bool(checked[k])))
        return list(map(puzzles.task, np.flatnonzero(is_open).tolist()))

    def _fill(self, puzzles: _Batch, result: LaneResult, quick: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Write rows of a group at once, and return which: those of the quick ones without a wrong stored solution."""
        filled = np.zeros(len(result), np.bool_)
        group, order = puzzles.group, puzzles.geometry.order
        if group is None or puzzles.symbols is None:
            return filled
        stored: list[tuple[str | None, Any]] = [(None, True)]
        if group.answers is not None:
            given = group.answers.any(axis=1)
            houses = np.array([house.cells for house in puzzles.geometry.houses], np.int64)
            valid = given & check_grids(group.answers, order, houses, puzzles.symbols)
            right = valid & (result.codes == UNIQUE) & (group.answers == result.first).all(axis=1)
            stored = [(None, ~given), ("right", right), ("not_only", valid & (result.codes == MULTIPLE))]
        for (word, among), code in product(stored, (UNIQUE, MULTIPLE, NONE)):
            some = quick & among & (result.codes == code)
            filled |= some
            grids = {"solution": result.first, "second_solution": result.second}
            texts = {name: encode_grids(grids[name][some], order) for name in list(grids)[:code]}
            self.columns.fill(
                group.places[some],
                {"puzzle": group.cells[some], **texts},
                verdict=str(_LANE_STATUS[code]),
                engine=_LANES,
                grids_checked=code,
                reference=str(crosscheck.NOT_NEEDED if code == MULTIPLE else crosscheck.NOT_ASKED),
                stored=word,
            )
        return filled

    def _verdict(self, board: Board, result: LaneResult, k: int, cross_checked: bool) -> Verdict:
        """Return the verdict of the lanes on one puzzle."""
        status = _LANE_STATUS[result.codes[k]]
        number = BY_NUMBER.index(status) if status in BY_NUMBER else 0
        grids = tuple(tuple(grid[k].tolist()) for grid in (result.first, result.second)[:number])
        opinion, problems = crosscheck.NOT_ASKED, [WRONG] if result.wrong[k] else []
        if problems:
            grids = ()
        elif status is Status.MULTIPLE:
            opinion = crosscheck.NOT_NEEDED
        elif cross_checked:
            limits, seconds = self.job.limits, self.job.cross_check.seconds
            opinion, problems = crosscheck.cross_check(board, grids, limits, _witnesses(board), seconds)
        if problems:
            status = Status.DISAGREEMENT
        evidence = Evidence(len(grids), opinion, tuple(problems))
        return Verdict(status, board, grids, "; ".join(problems), evidence, made=_MADE)

    # ---- sessions ---------------------------------------------------------------------------------------------------

    def _with_session(self, tasks: Sequence[_Task]) -> None:
        if not tasks:
            return
        job, rules = self.job, [parse_rule(text) for text in self.job.rules]
        with Pipeline(job.backend, job.encoding, limits=job.limits, cross_check=job.cross_check) as pipeline:
            for place, puzzle in tasks:
                item = with_rules(puzzle, rules, None) if rules else puzzle
                if isinstance(item, PuzzleFormatError):
                    self._write_error(place, puzzle, item)
                    continue
                try:
                    verdict = pipeline.decide(item, job.despite_unread, bool(self._chosen[place]))
                except NotUnderstoodError as problem:
                    self._write_error(place, item, problem)
                else:
                    self._write_verdict(place, item, verdict)


def _witnesses(board: Board) -> Iterator[crosscheck.Witness]:
    from gridproof.backends.witnesses import witnesses  # which most answers do not need

    yield from witnesses(None, board)


def choose_rows(rows: NDArray[np.int64], cross_check: CrossCheck) -> NDArray[np.bool_]:
    """Choose the rows that are cross-checked, by their numbers only, so that nobody has to keep count."""
    if cross_check.mode != "sample" or cross_check.share >= 1:
        return np.full(len(rows), cross_check.mode != "none")
    with np.errstate(over="ignore"):
        states = rows.astype(np.uint64) + np.uint64(cross_check.seed + 1) * GOLDEN
    return scatter(states) < np.uint64(int(cross_check.share * 2**64))
