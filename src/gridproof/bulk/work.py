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
from itertools import chain
from operator import attrgetter
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gridproof._version import __version__
from gridproof.bulk.chunks import Bytes, Chunk, Group, encode_grids
from gridproof.bulk.job import Job
from gridproof.bulk.records import Columns
from gridproof.bulk.results import Result
from gridproof.errors import GeometryError, InputError, Interrupted, NotUnderstoodError, PuzzleFormatError
from gridproof.formats.puzzle import Item, Puzzle, given_text, with_rules
from gridproof.generation.canonical import FormFinder
from gridproof.lanes import MULTIPLE, NONE, OPEN, UNIQUE, WRONG, LaneEngine, LaneResult, check_grids
from gridproof.lanes.choosing_kernel import kernels
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import parse_rule
from gridproof.scattering import GOLDEN, scatter
from gridproof.trust import crosscheck
from gridproof.trust.answer import BY_NUMBER, Status
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.evidence import Evidence, Made
from gridproof.trust.record import VerdictRecord
from gridproof.trust.verdict import Verdict

_LANES = "lanes"
_MADE = Made(_LANES, __version__, None, __version__)
_LANE_STATUS = (*BY_NUMBER, Status.UNDECIDED)
_SET_ASIDE = "set aside: worker processes died on it again and again"

_M_TRIM_THRESHOLD = -1
_M_MMAP_THRESHOLD = -3
"""Parameters of the C library's ``mallopt``."""


class Task(NamedTuple):
    """A puzzle to be decided, and its place in the chunk."""

    place: int
    puzzle: Puzzle


@dataclass(frozen=True, slots=True)
class Batch:
    """Puzzles of one geometry: a group, with its cells as symbols, or those that were read one by one."""

    geometry: Geometry
    places: NDArray[np.int64]
    puzzles: Sequence[Puzzle] = ()
    group: Group | None = None
    symbols: Bytes | None = None

    @property
    def has_rules(self) -> bool:
        """True if the puzzles have rules beyond houses, which all of them have, or none."""
        return bool(self.puzzles and self.puzzles[0].board.rules)

    def task(self, k: int) -> Task:
        """Return one of the puzzles with its place."""
        place = int(self.places[k])
        if self.group is None or self.symbols is None:
            return Task(place, self.puzzles[k])
        board = Board(self.geometry, tuple(self.symbols[k].tolist()))
        stored = None
        answers = self.group.answers
        if answers is not None and answers[k].any():
            stored = tuple(answers[k].tolist())
        return Task(place, Puzzle(board, stored, text=self.group.cells[k].tobytes().decode()))

    def tasks(self, among: NDArray[np.bool_] | None = None) -> list[Task]:
        """Return all of the puzzles, or those among some."""
        chosen = range(len(self.places)) if among is None else np.flatnonzero(among).tolist()
        return [self.task(k) for k in chosen]


def work(job: Job, chunk: Chunk, *, set_aside: bool = False) -> Result:
    """Verify every puzzle of a chunk. set_aside: they are not to be touched, because they kill workers."""
    started = perf_counter()
    done = ChunkWork(job, chunk)
    done.run(set_aside)
    if job.rate:
        done.rate()
    if job.canonical:
        done.find_forms()
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
def engine_of(geometry: Geometry) -> LaneEngine | None:
    """Return the lanes of a geometry, which are kept; ``None`` if it has too many symbols."""
    try:
        return LaneEngine(geometry)
    except GeometryError:
        return None


@lru_cache(maxsize=1)
def form_finder(limits: Limits) -> FormFinder:
    """Return the finder of canonical forms, which is kept with all that it has made for its geometries."""
    return FormFinder(limits)


class ChunkWork:
    """One chunk under work. What the lanes decide is written for all at once, everything else row by row."""

    def __init__(self, job: Job, chunk: Chunk) -> None:
        self.job = job
        self.chunk = chunk
        self.columns = Columns(chunk.rows, chunk.lines)
        self.disagreements: list[Verdict] = []
        self._is_chosen = choose_rows(chunk.rows, job.cross_check)

    def run(self, set_aside: bool) -> None:
        """Fill in every row of the chunk."""
        for_session: list[Task] = []
        for place, item in self.chunk.items:
            if isinstance(item, PuzzleFormatError):
                self._write(place, item, VerdictRecord.of_error(item))
            elif self._is_part(item):
                for_session.append(Task(place, item))
        for batch in self._batches():
            for_session += batch.tasks() if set_aside else self._decide_by_lanes(batch)
        for_session.sort(key=attrgetter("place"))
        if not set_aside:
            self._decide_by_session(for_session)
            return
        for place, puzzle in for_session:
            if self._is_part(puzzle):
                self._write_error(place, puzzle, NotUnderstoodError(puzzle, text=""))
            else:
                self._write_answer(place, puzzle, Verdict(Status.UNDECIDED, puzzle.board, reason=_SET_ASIDE))

    def rate(self) -> None:
        """Fill in what the hardest step of each puzzle with exactly one solution costs, unless a limit comes first."""
        from gridproof.solving import rate

        unique = self.columns.find_unique()
        for place, puzzle in chain.from_iterable(batch.tasks() for batch in self._batches()):
            if place in unique:
                rating = rate(puzzle.board.with_rules(self.job.rules), limits=self.job.limits)
                if rating.verdict is Status.UNIQUE:
                    self.columns.add(place, cost=rating.cost, hardest=rating.name or None)

    def find_forms(self) -> None:
        """Fill in the digest of the canonical form of each puzzle that has one, unless a limit comes first."""
        finder = form_finder(self.job.limits)
        rules = [parse_rule(text) for text in self.job.rules]
        for place, puzzle in chain.from_iterable(batch.tasks() for batch in self._batches()):
            with suppress(Interrupted, InputError):  # a rule that this board cannot have is an error of its row
                digest = finder.digest(puzzle.board.with_rules(rules) if rules else puzzle.board)
                self.columns.add(place, canonical=digest)

    def _batches(self) -> Iterator[Batch]:
        """Yield the puzzles of each geometry; those with rules apart from those without."""
        for group in self.chunk.groups:
            yield Batch(group.geometry, group.places, group=group, symbols=group.symbols)
        gathered: dict[tuple[Geometry, bool], list[Task]] = {}
        for place, item in self.chunk.items:
            if isinstance(item, Puzzle) and not self._is_part(item):
                kind = item.board.geometry, bool(item.board.rules)
                gathered.setdefault(kind, []).append(Task(place, item))
        for (geometry, _), tasks in gathered.items():
            places = np.array([task.place for task in tasks], np.int64)
            yield Batch(geometry, places, [task.puzzle for task in tasks])

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

    def _decide_by_lanes(self, batch: Batch) -> list[Task]:
        """Decide puzzles by the lane engine; return those that it leaves open or cannot take."""
        engine = None
        if self.job.engine != "session" and not batch.has_rules:
            engine = engine_of(batch.geometry)
        if engine is None:
            return batch.tasks()
        if batch.symbols is None:
            candidates = np.array([puzzle.board.candidates for puzzle in batch.puzzles], np.uint32)
            result = engine.verify_candidates(candidates, refuse=False)
        else:
            result = engine.verify(batch.symbols, refuse=False)
        # Each puzzle goes exactly one way, so that its row is written once:
        # - open: to the session, which writes it later
        # - plain, which none that is open is: at once, unless it is in no group or its stored solution is wrong
        # - left, which is neither open nor written at once: by itself
        is_open = (result.codes == OPEN) & ~result.wrong
        has_proof = (result.codes == UNIQUE) | (result.codes == NONE)  # two solutions need none
        is_chosen = has_proof & self._is_chosen[batch.places]
        is_plain = ~(is_open | is_chosen | result.wrong)
        is_at_once = self._write_at_once(batch, result, is_plain)
        is_left = ~(is_open | is_at_once)
        for k in np.flatnonzero(is_left).tolist():
            place, puzzle = batch.task(k)
            self._write_answer(place, puzzle, self._verdict(puzzle.board, result, k, bool(is_chosen[k])))
        return batch.tasks(is_open)

    def _write_at_once(self, batch: Batch, result: LaneResult, is_plain: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Write rows of a group at once, and return which: those of the plain ones without a wrong stored solution.

        None is written twice: a puzzle has one code, and at most one word holds of it.
        """
        is_written = np.zeros(len(result), np.bool_)
        group = batch.group
        if group is None:
            return is_written
        order = batch.geometry.order
        for word, has_word in stored_words(batch, result):
            for code in (UNIQUE, MULTIPLE, NONE):
                some = is_plain & has_word & (result.codes == code)
                if not some.any():
                    continue
                is_written |= some
                which: Any = slice(None) if some.all() else some  # without a copy, if possible
                texts = {"puzzle": group.cells[which]}
                if code in (UNIQUE, MULTIPLE):
                    texts["solution"] = encode_grids(result.first[which], order)
                if code == MULTIPLE:
                    texts["second_solution"] = encode_grids(result.second[which], order)
                self.columns.fill(
                    group.places[which],
                    texts,
                    verdict=str(_LANE_STATUS[code]),
                    engine=_LANES,
                    grids_checked=code,
                    reference=str(crosscheck.NOT_NEEDED if code == MULTIPLE else crosscheck.NOT_ASKED),
                    stored=word,
                )
        return is_written

    def _verdict(self, board: Board, result: LaneResult, k: int, is_chosen: bool) -> Verdict:
        """Return the verdict of the lanes on one puzzle. is_chosen: whether it is cross-checked."""
        status = _LANE_STATUS[result.codes[k]]
        number = BY_NUMBER.index(status) if status in BY_NUMBER else 0
        grids = tuple([tuple(grid[k].tolist()) for grid in (result.first, result.second)[:number]])
        opinion = crosscheck.NOT_ASKED
        problems: list[str] = []
        if result.wrong[k]:
            problems = [WRONG]
            grids = ()
        elif status is Status.MULTIPLE:
            opinion = crosscheck.NOT_NEEDED
        elif is_chosen:
            seconds = self.job.cross_check.seconds
            opinion, problems = crosscheck.cross_check(board, grids, self.job.limits, find_witnesses(board), seconds)
        if problems:
            status = Status.DISAGREEMENT
        evidence = Evidence(len(grids), opinion, tuple(problems))
        return Verdict(status, board, grids, "; ".join(problems), evidence, made=_MADE)

    # ---- sessions ---------------------------------------------------------------------------------------------------

    def _decide_by_session(self, tasks: Sequence[Task]) -> None:
        if not tasks:
            return
        job = self.job
        rules = [parse_rule(text) for text in job.rules]
        with Pipeline(job.backend, job.encoding, limits=job.limits, cross_check=job.cross_check) as pipeline:
            for place, puzzle in tasks:
                item = with_rules(puzzle, rules, None) if rules else puzzle
                if isinstance(item, PuzzleFormatError):
                    self._write_error(place, puzzle, item)
                    continue
                try:
                    verdict = pipeline.decide(item, job.despite_unread, bool(self._is_chosen[place]))
                except NotUnderstoodError as problem:
                    self._write_error(place, item, problem)
                else:
                    self._write_verdict(place, item, verdict)


def stored_words(batch: Batch, result: LaneResult) -> list[tuple[str | None, Any]]:
    """Return the words for stored solutions, each with its puzzles. A puzzle has at most one; if it is wrong, none."""
    group = batch.group
    if group is None or group.answers is None or batch.symbols is None:
        return [(None, True)]
    is_given = group.answers.any(axis=1)
    houses = np.array([house.cells for house in batch.geometry.houses], np.int64)
    is_solution = is_given & check_grids(group.answers, batch.geometry.order, houses, batch.symbols)
    is_right = is_solution & (result.codes == UNIQUE) & (group.answers == result.first).all(axis=1)
    is_one_of_several = is_solution & (result.codes == MULTIPLE)
    return [(None, ~is_given), ("right", is_right), ("not_only", is_one_of_several)]


def find_witnesses(board: Board) -> Iterator[crosscheck.Witness]:
    """Yield the witnesses for an answer of the lanes."""
    from gridproof.backends.witnesses import witnesses  # which most answers do not need

    yield from witnesses(None, board)


def choose_rows(rows: NDArray[np.int64], cross_check: CrossCheck) -> NDArray[np.bool_]:
    """Choose the rows that are cross-checked, by their numbers only, so that nobody has to keep count."""
    if cross_check.mode != "sample" or cross_check.share >= 1:
        return np.full(len(rows), cross_check.mode != "none")
    with np.errstate(over="ignore"):
        states = rows.astype(np.uint64) + np.uint64(cross_check.seed + 1) * GOLDEN
    return scatter(states) < np.uint64(int(cross_check.share * 2**64))
