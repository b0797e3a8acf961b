"""What a worker does with a chunk: the lanes first, a session for what they leave open, then checks and cross-check.

The result of a chunk follows from the chunk and the job alone: a session remembers the puzzles it has seen, which
shows in the witnesses it chooses and in the conflicts it counts, so each chunk gets one of its own. Compiled rules and
engines stay with the process.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gridproof import __version__
from gridproof.bulk.chunks import Chunk, Group, Single, joined_groups
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
from gridproof.formats.matrix import encode_grids, symbols
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

if TYPE_CHECKING:
    from gridproof.bulk.many import Job

_LONGEST_NAME = 256

_Task: TypeAlias = tuple[int, Board, Grid | None]
"""A puzzle for a session: its place, its board and the solution stored with it."""

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
        left = self._beyond_lanes()
        for puzzles, boards in self._for_lanes():
            left += self._with_lanes(puzzles, boards)
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

    def _singles(self, for_lanes: bool) -> list[Single]:
        """Those that lanes can take, or those that they cannot: with rules, or with symbols that no byte can say."""
        return [
            single
            for single in self.chunk.singles
            if single.place not in self._set_aside
            and for_lanes == (not single.board.rules and single.board.geometry.order <= 255)
        ]

    def _beyond_lanes(self) -> list[_Task]:
        singles = self._singles(for_lanes=False)
        if self.job.engine != "lanes":
            return [(single.place, single.board, single.answer) for single in singles]
        for single in singles:
            geometry, rules = single.board.geometry, single.board.rules
            known = f"knows houses only, not {rules[0].sentence(geometry)!r}" if rules else _not_taken(geometry)
            self.columns.reason[single.place] = f"the lane engine {known}"
        return []

    def _for_lanes(self) -> Iterator[tuple[Group, list[Board] | None]]:
        """The puzzles of each geometry as symbols; and those with pencil marks, with their boards."""
        aside = list(self._set_aside)
        groups = {
            group.geometry: [replace(group, cells=symbols(group.cells, group.geometry.order))]
            for group in (group.only(~np.isin(group.places, aside)) if aside else group for group in self.chunk.groups)
        }
        gathered: dict[tuple[Geometry, bool], list[Single]] = {}
        for single in self._singles(for_lanes=True):
            gathered.setdefault((single.board.geometry, single.board.marks is not None), []).append(single)
        with_marks = []
        for (geometry, marked), singles in gathered.items():
            answers = np.array([one.answer or (0,) * geometry.cell_count for one in singles], np.uint8)
            group = Group(
                geometry,
                np.array([one.place for one in singles], np.int64),
                np.array([one.board.clues for one in singles], np.uint8),
                answers if answers.any() else None,
            )
            if marked:
                with_marks.append((group, [one.board for one in singles]))
            else:
                groups.setdefault(geometry, []).append(group)
        for members in groups.values():
            yield joined_groups(members), None
        yield from with_marks

    def _with_lanes(self, puzzles: Group, boards: Sequence[Board] | None) -> list[_Task]:
        """Verdicts of the lane engine; what it leaves open comes back."""
        geometry = puzzles.geometry
        if not len(puzzles.places):
            return []
        lanes = _lanes(geometry) if self.job.engine != "session" else None
        if lanes is None:
            if self.job.engine == "lanes":
                self.columns.reason[puzzles.places] = f"the lane engine {_not_taken(geometry)}"
                return []
            return [_task(puzzles, k, boards) for k in range(len(puzzles.places))]
        started = perf_counter()
        asked: NDArray[Any] = puzzles.cells
        if boards is not None:
            asked = np.array([board.candidates for board in boards], np.uint32)
        found, failed = _ask_lanes(lanes, asked, boards is not None)
        columns, places = self.columns, puzzles.places
        columns.seconds[places] = (perf_counter() - started) / len(places)
        columns.verdict[places] = _LANE_CODES[found.codes]
        columns.engine[places] = _LANES
        columns.reference[places] = crosscheck.NOT_ASKED
        decided = found.codes != engine.OPEN
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
        self._cross_check_lanes(puzzles, found, boards)
        self._check_all_stored(puzzles, found, boards)
        for k, problem in failed.items():
            place, board, _ = _task(puzzles, k, boards)
            self._disagree(place, board, (), [problem], _LANES)
        open_ones = [k for k in np.flatnonzero(~decided).tolist() if k not in failed]
        if self.job.engine == "lanes":
            columns.reason[places[open_ones]] = (
                f"the lanes stopped at their bound: {lanes.max_depth} choices deep, or {lanes.max_branches:,} branches"
            )
            return []
        return [_task(puzzles, k, boards) for k in open_ones]

    def _cross_check_lanes(self, puzzles: Group, found: engine.LaneResult, boards: Sequence[Board] | None) -> None:
        claims = (found.codes == engine.UNIQUE) | (found.codes == engine.NONE)
        for k in np.flatnonzero(claims & self._chosen[puzzles.places]).tolist():
            place, board, _ = _task(puzzles, k, boards)
            grids = [tuple(found.first[k].tolist())] if found.codes[k] == engine.UNIQUE else []
            self._cross_check(place, board, grids, _LANES)

    def _check_all_stored(self, puzzles: Group, found: engine.LaneResult, boards: Sequence[Board] | None) -> None:
        answers = puzzles.answers
        if answers is None:
            return
        given = answers.any(axis=1)
        geometry = puzzles.geometry
        houses = np.array([house.cells for house in geometry.houses], np.int64)
        valid = check_grids(answers, geometry.order, houses, puzzles.cells)
        if boards is None:
            # the usual case, for all at once: the only solution is given
            right = given & valid & (found.codes == engine.UNIQUE) & (answers == found.first).all(axis=1)
            several = given & valid & (found.codes == engine.MULTIPLE)
            self.columns.stored[puzzles.places[right]] = "right"
            self.columns.stored[puzzles.places[several]] = "not_only"
            given &= ~(right | several)
        for k in np.flatnonzero(given).tolist():
            place, board, answer = _task(puzzles, k, boards)
            grids = [tuple(found.first[k].tolist())] if found.codes[k] in (engine.UNIQUE, engine.MULTIPLE) else []
            self._check_stored(place, board, answer, grids)

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
        others = self._others(board, engine_name)
        said, problems = crosscheck.cross_check(board, grids, self.job.limits, others, self.job.cross_check.seconds)
        self.columns.reference[place] = said
        if problems:
            self._disagree(place, board, grids, problems, engine_name)

    def _others(self, board: Board, engine_name: str) -> Iterator[crosscheck.Witness]:
        from gridproof.backends.witnesses import witnesses  # which most answers do not need

        if engine_name == _LANES or self._pipeline is None:
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


def _not_taken(geometry: Geometry) -> str:
    return f"does not take {geometry.description}"


def _task(puzzles: Group, k: int, boards: Sequence[Board] | None) -> _Task:
    """One puzzle of a group of symbols."""
    board = boards[k] if boards is not None else Board(puzzles.geometry, tuple(puzzles.cells[k].tolist()))
    answers = puzzles.answers
    answer = tuple(answers[k].tolist()) if answers is not None and answers[k].any() else None
    return int(puzzles.places[k]), board, answer


def _ask_lanes(lanes: LaneEngine, asked: NDArray[Any], masks: bool) -> tuple[engine.LaneResult, dict[int, str]]:
    """The lanes' result, and what its own check said of those puzzles for which that refused a solution."""
    try:
        return (lanes.verify_candidates(asked) if masks else lanes.verify(asked)), {}
    except BackendFailure as problem:
        if len(asked) == 1:
            nothing = np.zeros(asked.shape, np.uint8)
            result = engine.LaneResult(np.array([engine.OPEN], np.uint8), nothing, nothing, np.zeros(1, np.int64))
            return result, {0: str(problem)}
    half = len(asked) // 2
    (one, bad), (other, worse) = (_ask_lanes(lanes, part, masks) for part in (asked[:half], asked[half:]))
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
