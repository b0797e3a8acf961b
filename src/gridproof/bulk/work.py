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

from gridproof import __version__
from gridproof.bulk.chunks import Chunk, Single
from gridproof.bulk.job import Job
from gridproof.bulk.records import (
    DISAGREEMENT,
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
from gridproof.formats.sheet import Sheet
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
    singles: Sequence[Single] = ()
    symbols: Bytes | None = None
    answers: Bytes | None = None

    def task(self, k: int) -> _Task:
        """One of the puzzles."""
        if self.symbols is None:
            return self.singles[k].place, self.singles[k].board, self.singles[k].answer
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
        self._sheets: dict[int, Sheet] = {}
        self._chosen = chosen_rows(chunk.rows, job.cross_check)
        self._pipeline: Pipeline | None = None
        self._rules = [parse_rule(text) for text in job.rules]

    def everything(self) -> None:
        """Every row of the chunk."""
        columns = self.columns
        for damaged in self.chunk.damaged:
            columns.puzzle[damaged.place] = damaged.text
            columns.verdict[damaged.place] = MALFORMED if damaged.sheet is None else NOT_UNDERSTOOD
            columns.reason[damaged.place] = damaged.reason
            self._headed(damaged.place, damaged.sheet)
        for group in self.chunk.groups:
            columns.put("puzzle", group.places, group.cells)
        for single in self.chunk.singles:
            columns.puzzle[single.place] = single.text
            columns.title[single.place] = single.title or None
            self._headed(single.place, single.sheet)
            if single.symbols is not Symbols.FROM_ONE:
                columns.call(single.place, single.board.geometry.order, single.symbols)
        for place in self._set_aside:
            columns.reason[place] = _SET_ASIDE
        left = [task for batch in self._batches() for task in self._with_lanes(batch)]
        if left:
            self._with_session(sorted(left, key=lambda one: one[0]))
        for place, sheet in self._sheets.items():
            columns.reason[place] = "; ".join(filter(None, (sheet.caveat(), columns.reason[place]))) or None

    def _headed(self, place: int, sheet: Sheet | None) -> None:
        """What a puzzle is called, and what of it is unread."""
        if sheet is None:
            return
        columns = self.columns
        columns.title[place], columns.author[place] = sheet.title or None, sheet.author or None
        columns.unread[place] = sheet.unread
        if columns.verdict[place] != NOT_UNDERSTOOD:
            self._sheets[place] = sheet

    # ---- lanes -----------------------------------------------------------------------------------------------------

    def _batches(self) -> Iterator[_Batch]:
        """What is to be decided; puzzles with rules apart from those without."""
        aside = list(self._set_aside)
        for group in self.chunk.groups:
            kept = group.only(~np.isin(group.places, aside)) if aside else group
            if len(kept.places):
                yield _Batch(kept.geometry, kept.places, (), symbols(kept.cells, kept.geometry.order), kept.answers)
        gathered: dict[tuple[Geometry, bool], list[Single]] = {}
        for single in self.chunk.singles:
            if single.place not in self._set_aside:
                gathered.setdefault((single.board.geometry, bool(single.board.rules)), []).append(single)
        for (geometry, _), singles in gathered.items():
            yield _Batch(geometry, np.array([one.place for one in singles], np.int64), singles)

    def _with_lanes(self, puzzles: _Batch) -> list[_Task]:
        """Verdicts of the lane engine; what it leaves open, or cannot take, comes back."""
        geometry, columns, places = puzzles.geometry, self.columns, puzzles.places
        ruled = bool(puzzles.singles and puzzles.singles[0].board.rules)
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
            asked = np.array([one.board.candidates for one in puzzles.singles], np.uint32)
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
        self._cross_check_lanes(puzzles, found)
        self._check_all_stored(puzzles, found)
        for k, problem in failed.items():
            place, board, _ = puzzles.task(k)
            self._disagree(place, board, (), [problem], _LANES)
        open_ones = [k for k in np.flatnonzero(found.codes == engine.OPEN).tolist() if k not in failed]
        if self.job.engine == "lanes":
            columns.reason[places[open_ones]] = (
                f"the lanes stopped at their bound: {lanes.max_depth} choices deep, or {lanes.max_branches:,} branches"
            )
            return []
        return list(map(puzzles.task, open_ones))

    def _cross_check_lanes(self, puzzles: _Batch, found: engine.LaneResult) -> None:
        claims = (found.codes == engine.UNIQUE) | (found.codes == engine.NONE)
        for k in np.flatnonzero(claims & self._chosen[puzzles.places]).tolist():
            place, board, _ = puzzles.task(k)
            self._cross_check(place, board, _claimed(found, k), _LANES)

    def _check_all_stored(self, puzzles: _Batch, found: engine.LaneResult) -> None:
        given = np.array([one.answer is not None for one in puzzles.singles], np.bool_)
        if puzzles.symbols is not None:
            answers = puzzles.answers
            if answers is None:
                return
            # the usual case, for all at once: the only solution is given
            given = np.asarray(answers.any(axis=1))
            houses = np.array([house.cells for house in puzzles.geometry.houses], np.int64)
            valid = given & check_grids(answers, puzzles.geometry.order, houses, puzzles.symbols)
            right = valid & (found.codes == engine.UNIQUE) & (answers == found.first).all(axis=1)
            several = valid & (found.codes == engine.MULTIPLE)
            self.columns.stored[puzzles.places[right]] = "right"
            self.columns.stored[puzzles.places[several]] = "not_only"
            given = given & ~(right | several)
        for k in np.flatnonzero(given).tolist():
            self._check_stored(*puzzles.task(k), _claimed(found, k))

    def _named(self, place: int) -> tuple[int, str]:
        return self.chunk.first_row + place, self.chunk.text_at(place)[:_LONGEST_NAME]

    # ---- sessions ---------------------------------------------------------------------------------------------------

    def _with_session(self, boards: Sequence[_Task]) -> None:
        job, columns = self.job, self.columns
        with Pipeline(job.backend, job.encoding, limits=job.limits, cross_check="none") as pipeline:
            self._pipeline = pipeline
            for place, board, stored in boards:
                if self._rules:
                    board = board.with_rules(self._rules)
                verdict = pipeline.verify(board)
                seconds = verdict.seconds.get("solve", 0.0)
                columns.seconds[place] += seconds
                self.slowest.append((seconds, *self._named(place)))
                record = VerdictRecord.of(verdict)
                columns.verdict[place] = VERDICTS.index(record.verdict)
                for name in ("solution", "second_solution", "engine", "grids_checked", "reference", "reason"):
                    getattr(columns, name)[place] = getattr(record, name)
                if verdict.status is Status.DISAGREEMENT:
                    self.disagreements.append(verdict)
                    continue
                name = record.engine or pipeline.backend.name
                claims = verdict.status in (Status.UNIQUE, Status.NONE)
                if claims and self._chosen[place] and verdict.evidence.reference == crosscheck.NOT_ASKED:
                    self._cross_check(place, board, verdict.solutions, name)
                if stored is not None:
                    self._check_stored(place, board, stored, verdict.solutions)

    # ---- checks -----------------------------------------------------------------------------------------------------

    def _cross_check(self, place: int, board: Board, grids: Sequence[Grid], engine_name: str) -> None:
        others = self._others(board)
        said, problems = crosscheck.cross_check(board, grids, self.job.limits, others, self.job.cross_check.seconds)
        self.columns.reference[place] = said
        if problems:
            self._disagree(place, board, grids, problems, engine_name)

    def _others(self, board: Board) -> Iterator[crosscheck.Witness]:
        from gridproof.backends.witnesses import witnesses  # which most answers do not need

        if self._pipeline is None:  # it is the lanes that are checked
            yield from witnesses(None, None, board)
        else:
            yield from witnesses(self._pipeline.backend, self._pipeline.encoding_for(board.problem), board)

    def _check_stored(self, place: int, board: Board, answer: Grid | None, grids: Sequence[Grid]) -> None:
        """The solution stored with a puzzle: what it is worth, and whether it contradicts what we say ourselves."""
        if answer is None or self.columns.verdict[place] == DISAGREEMENT:
            return
        columns = self.columns
        prose = place in self._sheets and bool(self._sheets[place].prose)
        found = crosscheck.stored_solution(board, answer, VERDICTS[columns.verdict[place]], grids, prose)
        columns.stored[place] = found.worth
        if found.contradicts:
            self._disagree(place, board, grids, [found.said], columns.engine[place])
        elif found.said:
            columns.reason[place] = f"{columns.reason[place]}; {found.said}" if columns.reason[place] else found.said

    def _disagree(
        self, place: int, board: Board, grids: Sequence[Grid], problems: Sequence[str], engine_name: str
    ) -> None:
        columns = self.columns
        columns.verdict[place] = DISAGREEMENT
        columns.reason[place] = "; ".join(problems)
        said = columns.reference[place] or crosscheck.NOT_ASKED
        evidence = Evidence(int(columns.grids_checked[place]), said, tuple(problems))
        made = Made(engine_name, __version__, None, __version__)
        verdict = Verdict(Status.DISAGREEMENT, board, tuple(grids), columns.reason[place], evidence, made=made)
        self.disagreements.append(verdict)


def _claimed(found: engine.LaneResult, k: int) -> list[Grid]:
    """The first solution of a puzzle that has one."""
    return [tuple(found.first[k].tolist())] if found.codes[k] in (engine.UNIQUE, engine.MULTIPLE) else []


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
