"""What a worker does with a chunk: the lanes first, a session for what they leave open, then checks and cross-check.

The result of a chunk follows from the chunk and the job alone: a session remembers the puzzles it has seen, which
shows in the witnesses it chooses and in the conflicts it counts, so each chunk gets one of its own. Compiled rules and
engines stay with the process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof._version import __version__
from gridproof.bulk.chunks import Chunk
from gridproof.bulk.job import Job
from gridproof.bulk.records import (
    MALFORMED,
    NOT_UNDERSTOOD,
    UNDECIDED,
    VERDICTS,
    Columns,
    Result,
    Summary,
    encode,
)
from gridproof.errors import BackendFailure, GeometryError
from gridproof.formats import Symbols
from gridproof.formats.matrix import Bytes, encode_grids, symbols
from gridproof.formats.puzzle import Puzzle
from gridproof.lanes import LaneEngine, engine
from gridproof.lanes.check import check_grids
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.rules import parse_rule
from gridproof.trust import crosscheck
from gridproof.trust.answer import BY_NUMBER, Status
from gridproof.trust.crosscheck import CrossCheck
from gridproof.trust.record import SLOWEST, VerdictRecord
from gridproof.trust.verdict import Evidence, Made, Verdict

_LONGEST_NAME = 256

_Task: TypeAlias = tuple[int, Board, Grid | None]
"""A puzzle for a session: its place, its board and the solution stored with it."""


@dataclass(frozen=True, slots=True)
class _Batch:
    """Puzzles of one geometry: a group, its cells as symbols, or singles."""

    geometry: Geometry
    places: NDArray[np.int64]
    singles: Sequence[tuple[int, Puzzle]] = ()
    symbols: Bytes | None = None
    answers: Bytes | None = None

    def task(self, k: int) -> _Task:
        """One of the puzzles."""
        if self.symbols is None:
            place, puzzle = self.singles[k]
            return place, puzzle.board, puzzle.solution
        answer = tuple(self.answers[k].tolist()) if self.answers is not None and self.answers[k].any() else None
        return int(self.places[k]), Board(self.geometry, tuple(self.symbols[k].tolist())), answer

    def tasks(self) -> list[_Task]:
        """All of the puzzles."""
        return list(map(self.task, range(len(self.places))))


_LANES = "lanes"
_LANE_CODES = np.array([*map(VERDICTS.index, BY_NUMBER), UNDECIDED], np.uint8)
_SET_ASIDE = "set aside: worker processes died on it again and again"


def work(job: Job, chunk: Chunk, set_aside: Collection[int] = ()) -> Result:
    """Verify every puzzle of a chunk. set_aside: places of puzzles not to be touched, because they kill workers."""
    started = perf_counter()
    desk = _Desk(job, chunk, frozenset(set_aside))
    desk.everything()
    columns = desk.columns
    summary = Summary(
        len(chunk),
        Counter({VERDICTS[code]: n for code, n in enumerate(np.bincount(columns.verdict).tolist()) if n}),
        _counted(columns.engine),
        _counted(columns.reference),
        _counted(columns.stored),
        slowest=sorted(desk.slowest, reverse=True)[:SLOWEST],
        searched=sorted(desk.searched, reverse=True)[:SLOWEST],
    )
    encoded = encode(columns, job.form) if job.form is not None else None
    summary.seconds = perf_counter() - started
    return Result(summary, encoded, columns if encoded is None else None, desk.disagreements)


def prepare(lanes: bool) -> None:
    """Load what the first chunk will need; the compiled lanes take a third of a second, for whatever geometry."""
    engine = _lanes(Geometry.classic(2)) if lanes else None
    if engine is not None:
        engine.verify(np.zeros((1, 16), np.uint8))


@lru_cache(maxsize=16)
def _lanes(geometry: Geometry) -> LaneEngine | None:
    try:
        return LaneEngine(geometry)
    except GeometryError:
        return None


def _counted(values: NDArray[np.object_]) -> Counter[str]:
    counts = Counter(values.tolist())
    counts.pop(None, None)
    return counts


class _Desk:
    """One chunk under work."""

    def __init__(self, job: Job, chunk: Chunk, set_aside: frozenset[int]) -> None:
        self.job = job
        self.chunk = chunk
        self.columns = Columns(chunk.rows, chunk.lines, job.timings)
        self.disagreements: list[Verdict] = []
        self.slowest: list[tuple[float, int, str]] = []
        self.searched: list[tuple[int, int, str]] = []
        self._set_aside = set_aside
        self._with_prose = {place for place, puzzle in chunk.singles if puzzle.prose}
        self._chosen = chosen_rows(chunk.rows, job.cross_check)
        self._rules = [parse_rule(text) for text in job.rules]

    def everything(self) -> None:
        """Every row of the chunk."""
        columns = self.columns
        for damaged in self.chunk.damaged:
            columns.puzzle[damaged.place] = damaged.text
            columns.verdict[damaged.place] = MALFORMED if damaged.puzzle is None else NOT_UNDERSTOOD
            columns.reason[damaged.place] = damaged.reason
            if damaged.puzzle is not None:
                self._put_headings(damaged.place, damaged.puzzle)
        for group in self.chunk.groups:
            columns.put("puzzle", group.places, group.cells)
        for place, puzzle in self.chunk.singles:
            columns.puzzle[place] = puzzle.text
            self._put_headings(place, puzzle)
            if puzzle.symbols is not Symbols.FROM_ONE:
                columns.call(place, puzzle.board.geometry.order, puzzle.symbols)
        for place in self._set_aside:
            columns.reason[place] = _SET_ASIDE
        left = [task for batch in self._batches() for task in self._with_lanes(batch)]
        if left:
            self._with_session(sorted(left, key=lambda one: one[0]))
        for place, puzzle in self.chunk.singles:
            if puzzle.not_understood:
                columns.reason[place] = "; ".join(filter(None, (puzzle.caveat(), columns.reason[place])))

    def _put_headings(self, place: int, puzzle: Puzzle) -> None:
        """Put title, author and unread parts of a puzzle where they belong."""
        columns = self.columns
        columns.title[place], columns.author[place] = puzzle.title or None, puzzle.author or None
        columns.unread[place] = puzzle.unread

    # ---- lanes -----------------------------------------------------------------------------------------------------

    def _batches(self) -> Iterator[_Batch]:
        """What is to be decided; puzzles with rules apart from those without."""
        aside = list(self._set_aside)
        for group in self.chunk.groups:
            kept = group.only(~np.isin(group.places, aside)) if aside else group
            if len(kept.places):
                yield _Batch(kept.geometry, kept.places, (), symbols(kept.cells, kept.geometry.order), kept.answers)
        gathered: dict[tuple[Geometry, bool], list[tuple[int, Puzzle]]] = {}
        for place, puzzle in self.chunk.singles:
            if place not in self._set_aside:
                gathered.setdefault((puzzle.board.geometry, bool(puzzle.board.rules)), []).append((place, puzzle))
        for (geometry, _), singles in gathered.items():
            yield _Batch(geometry, np.array([place for place, _ in singles], np.int64), singles)

    def _with_lanes(self, puzzles: _Batch) -> list[_Task]:
        """Verdicts of the lane engine; what it leaves open, or cannot take, comes back."""
        geometry, columns, places = puzzles.geometry, self.columns, puzzles.places
        ruled = bool(puzzles.singles and puzzles.singles[0][1].board.rules)
        lanes = None if ruled or self.job.engine == "session" else _lanes(geometry)
        if lanes is None:
            if self.job.engine != "lanes":
                return puzzles.tasks()
            for place, board, _ in puzzles.tasks():
                rule = f"knows houses only, not {board.rules[0].sentence(geometry)!r}" if ruled else ""
                columns.reason[place] = f"the lane engine {rule or f'does not take {geometry.description}'}"
            return []
        started = perf_counter()
        asked = puzzles.symbols
        if asked is None:
            asked = np.array([puzzle.board.candidates for _, puzzle in puzzles.singles], np.uint32)
        found, failed = _ask_lanes(lanes, asked)
        columns.seconds[places] = (perf_counter() - started) / len(places)
        columns.verdict[places] = _LANE_CODES[found.codes]
        columns.engine[places] = _LANES
        columns.reference[places] = crosscheck.NOT_ASKED
        for column, grids, which in (
            ("solution", found.first, (found.codes == engine.UNIQUE) | (found.codes == engine.MULTIPLE)),
            ("second_solution", found.second, found.codes == engine.MULTIPLE),
        ):
            if which.any():
                texts = encode_grids(np.ascontiguousarray(grids[which], np.uint8), geometry.order)
                columns.put(column, places[which], texts.view(np.uint8).reshape(len(texts), -1))
                columns.grids_checked[places[which]] += 1
        columns.reference[places[found.codes == engine.MULTIPLE]] = crosscheck.NOT_NEEDED
        hardest = np.argsort(found.branches, kind="stable")[-SLOWEST:]
        for k in hardest.tolist():
            if branches := int(found.branches[k]):
                self.searched.append((branches, *self._named(int(places[k]))))
        claims = (found.codes == engine.UNIQUE) | (found.codes == engine.NONE)
        checked = claims & self._chosen[places]
        closer = checked | self._unsettled(puzzles, found)
        closer[list(failed)] = True
        for k in np.flatnonzero(closer).tolist():
            self._look_closer(puzzles.task(k), found, k, failed.get(k), cross_checked=bool(checked[k]))
        open_ones = [k for k in np.flatnonzero(found.codes == engine.OPEN).tolist() if k not in failed]
        if self.job.engine == "lanes":
            columns.reason[places[open_ones]] = (
                f"the lanes stopped at their bound: {lanes.max_depth} choices deep, or {lanes.max_branches:,} branches"
            )
            return []
        return list(map(puzzles.task, open_ones))

    def _unsettled(self, puzzles: _Batch, found: engine.LaneResult) -> NDArray[np.bool_]:
        """The puzzles whose stored solution is still to be looked at."""
        answers = puzzles.answers
        if puzzles.symbols is None or answers is None:
            stored = [puzzle.solution is not None for _, puzzle in puzzles.singles] or [False] * len(found)
            return np.array(stored, np.bool_)
        # the usual case, for all at once: the only solution is given
        given = answers.any(axis=1)
        houses = np.array([house.cells for house in puzzles.geometry.houses], np.int64)
        valid = given & check_grids(answers, puzzles.geometry.order, houses, puzzles.symbols)
        right = valid & (found.codes == engine.UNIQUE) & (answers == found.first).all(axis=1)
        several = valid & (found.codes == engine.MULTIPLE)
        self.columns.stored[puzzles.places[right]] = "right"
        self.columns.stored[puzzles.places[several]] = "not_only"
        return np.asarray(given & ~(right | several))

    def _look_closer(
        self, task: _Task, found: engine.LaneResult, k: int, problem: str | None, *, cross_checked: bool
    ) -> None:
        """A puzzle of the lanes: the cross-check, the solution stored with it, and what the lanes' check refused."""
        place, board, stored = task
        columns, status = self.columns, (*BY_NUMBER, Status.UNDECIDED)[found.codes[k]]
        grids = (tuple(found.first[k].tolist()),) if status in (Status.UNIQUE, Status.MULTIPLE) else ()
        said, problems = str(columns.reference[place]), [problem] if problem else []
        if cross_checked:
            limits, seconds = self.job.limits, self.job.cross_check.seconds
            said, problems = crosscheck.cross_check(board, grids, limits, _others(board), seconds)
            columns.reference[place] = said
        if not problems and stored is None:
            return
        if problems:
            status = Status.DISAGREEMENT
        evidence = Evidence(int(columns.grids_checked[place]), said, tuple(problems))
        made = Made(_LANES, __version__, None, __version__)
        verdict = Verdict(status, board, grids, "; ".join(problems), evidence, made=made)
        columns.reason[place] = self._told(place, verdict, stored).reason or None

    def _told(self, place: int, verdict: Verdict, stored: Grid | None) -> Verdict:
        """The verdict with what the solution stored with the puzzle is worth; it is put where it belongs."""
        columns = self.columns
        if stored is not None:
            verdict = verdict.beside(stored, place in self._with_prose)
        columns.verdict[place] = VERDICTS.index(verdict.status)
        columns.reference[place], columns.stored[place] = verdict.evidence.reference, verdict.evidence.stored
        if verdict.status is Status.DISAGREEMENT:
            self.disagreements.append(verdict)
        return verdict

    def _named(self, place: int) -> tuple[int, str]:
        return self.chunk.first_row + place, self.chunk.text_at(place)[:_LONGEST_NAME]

    # ---- sessions ---------------------------------------------------------------------------------------------------

    def _with_session(self, boards: Sequence[_Task]) -> None:
        job, columns = self.job, self.columns
        with Pipeline(job.backend, job.encoding, limits=job.limits, cross_check=job.cross_check) as pipeline:
            for place, board, stored in boards:
                if self._rules:
                    board = board.with_rules(self._rules)
                _, verdict = pipeline.judged(board, 2, bool(self._chosen[place]))
                seconds = verdict.seconds.get("solve", 0.0)
                columns.seconds[place] += seconds
                self.slowest.append((seconds, *self._named(place)))
                record = VerdictRecord.of(self._told(place, verdict, stored))
                for name in ("solution", "second_solution", "engine", "grids_checked", "reason"):
                    getattr(columns, name)[place] = getattr(record, name)


def _others(board: Board) -> Iterator[crosscheck.Witness]:
    from gridproof.backends.witnesses import witnesses  # which most answers do not need

    yield from witnesses(None, None, board)


def _ask_lanes(lanes: LaneEngine, asked: NDArray[Any]) -> tuple[engine.LaneResult, dict[int, str]]:
    """The lanes' result, and what its own check said of those puzzles for which that refused a solution.

    asked: symbols, or candidates as masks.
    """
    try:
        return (lanes.verify(asked) if asked.dtype == np.uint8 else lanes.verify_candidates(asked)), {}
    except BackendFailure as problem:
        if len(asked) == 1:
            nothing = np.zeros(asked.shape, np.uint8)
            result = engine.LaneResult(np.array([engine.OPEN], np.uint8), nothing, nothing, np.zeros(1, np.int64))
            return result, {0: str(problem)}
    half = len(asked) // 2
    (one, bad), (other, worse) = (_ask_lanes(lanes, part) for part in (asked[:half], asked[half:]))
    names = ("codes", "first", "second", "branches")
    whole = engine.LaneResult(*(np.concatenate([getattr(one, name), getattr(other, name)]) for name in names))
    return whole, bad | {half + k: said for k, said in worse.items()}


def chosen_rows(rows: NDArray[np.int64], cross_check: CrossCheck) -> NDArray[np.bool_]:
    """Which rows are cross-checked: a matter of their numbers only, so that nobody has to keep count.

    The numbers are scattered by the finaliser of Steele, Lea and Flood's SplitMix64 (2014).
    """
    if cross_check.mode != "sample" or cross_check.share >= 1:
        return np.full(len(rows), cross_check.mode != "none")
    with np.errstate(over="ignore"):
        mixed = rows.astype(np.uint64) + np.uint64(cross_check.seed + 1) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed ^= mixed >> np.uint64(31)
    return mixed < np.uint64(int(cross_check.share * 2**64))
