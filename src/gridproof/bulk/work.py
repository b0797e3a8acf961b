"""What a worker does with a chunk: the lanes first, a session for what they leave open, then checks and cross-check.

The result of a chunk follows from the chunk and the job alone: a session remembers the puzzles it has seen, which
shows in the witnesses it chooses and in the conflicts it counts, so each chunk gets one of its own. Compiled rules and
engines stay with the process.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gridproof import __version__
from gridproof.bulk.chunks import Chunk
from gridproof.bulk.clues import Clues, joined, symbols
from gridproof.bulk.job import Job, chosen_rows
from gridproof.bulk.records import (
    DISAGREEMENT,
    MALFORMED,
    UNDECIDED,
    VERDICTS,
    Columns,
    Result,
    Summary,
    encode,
)
from gridproof.errors import BackendFailure, GeometryError
from gridproof.formats import renamed
from gridproof.lanes import LaneEngine, engine
from gridproof.lanes.decode import check_grids, encode_grids
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.rules import parse_rule
from gridproof.trust import crosscheck
from gridproof.trust.answer import BY_NUMBER, Status
from gridproof.trust.record import SLOWEST, VerdictRecord
from gridproof.trust.verdict import Evidence, Made, Verdict

_LONGEST_NAME = 256

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


class _OfThread(threading.local):
    """A session works for one thread; executors of threads have many."""

    key: str | None = None
    pipeline: Pipeline | None = None


_of_thread = _OfThread()


def _pipeline(job: Job) -> Pipeline:
    """The pipeline of a job, made once for each process and thread."""
    found = _of_thread.pipeline
    if found is None or _of_thread.key != job.key:
        found = Pipeline(job.backend, job.encoding, limits=job.limits, cross_check="none")
        _of_thread.pipeline, _of_thread.key = found, job.key
    return found


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
        self._chosen = chosen_rows(chunk.rows, job.cross_check)
        self._rules = [parse_rule(text) for text in job.rules]

    def everything(self) -> None:
        """Every row of the chunk."""
        columns = self.columns
        for damaged in self.chunk.damaged:
            columns.puzzle[damaged.place] = damaged.text
            columns.verdict[damaged.place] = MALFORMED
            columns.reason[damaged.place] = damaged.reason
        for group in self.chunk.groups:
            texts = _slices(group.texts)
            columns.puzzle[group.places] = texts
        for single in self.chunk.singles:
            columns.puzzle[single.place] = single.text
        for place in self._set_aside:
            columns.reason[place] = _SET_ASIDE
        by_geometry, marked = self._arrays()
        left: list[tuple[int, Board, Grid | None]] = []
        for geometry, puzzles in by_geometry.items():
            left += self._with_lanes(geometry, puzzles, None)
        left += self._marked(marked)
        if left:
            self._with_session(sorted(left, key=lambda one: one[0]))
        for single in self.chunk.singles:
            for column in (columns.solution, columns.second_solution):
                if (written := column[single.place]) is not None:
                    column[single.place] = renamed(written, single.board.geometry.order, single.symbols)

    # ---- lanes -----------------------------------------------------------------------------------------------------

    def _arrays(self) -> tuple[dict[Geometry, Clues], list[tuple[int, Board, Grid | None]]]:
        """The puzzles without pencil marks and rules by geometry, and those with."""
        gathered: dict[Geometry, list[Clues]] = {}
        for group in self.chunk.groups:
            found = Clues(group.places, symbols(group.texts, group.geometry.order), group.answers)
            gathered.setdefault(group.geometry, []).append(found)
        marked: list[tuple[int, Board, Grid | None]] = []
        for single in self.chunk.singles:
            board = single.board
            # above order 255 are no lanes, and no bytes either
            if board.marks is not None or board.rules or board.geometry.order > 255:
                marked.append((single.place, board, single.answer))
                continue
            answers = np.array([single.answer], np.uint8) if single.answer is not None else None
            row = Clues(np.array([single.place], np.int64), np.array([board.clues], np.uint8), answers)
            gathered.setdefault(board.geometry, []).append(row)
        return {geometry: self._wanted(joined(rows)) for geometry, rows in gathered.items()}, [
            one for one in marked if one[0] not in self._set_aside
        ]

    def _wanted(self, puzzles: Clues) -> Clues:
        if not self._set_aside:
            return puzzles
        kept = ~np.isin(puzzles.places, list(self._set_aside))
        answers = puzzles.answers[kept] if puzzles.answers is not None else None
        return Clues(puzzles.places[kept], puzzles.clues[kept], answers)

    def _marked(self, marked: list[tuple[int, Board, Grid | None]]) -> list[tuple[int, Board, Grid | None]]:
        """Puzzles with pencil marks or rules, of which there are never many, one geometry after the other."""
        left = [one for one in marked if one[1].rules]
        if self.job.engine == "lanes":
            for place, board, _ in left:
                said = board.rules[0].sentence(board.geometry)
                self.columns.reason[place] = f"the lane engine knows houses only, not {said!r}"
            left = []
        marked = [one for one in marked if not one[1].rules]
        for geometry in dict.fromkeys(board.geometry for _, board, _ in marked):
            these = [one for one in marked if one[1].geometry == geometry]
            engine = _lanes(geometry) if self.job.engine != "session" else None
            if engine is None:
                left += these
                continue
            answers = np.array([answer or (0,) * geometry.cell_count for _, _, answer in these], np.uint8)
            puzzles = Clues(
                np.array([place for place, _, _ in these], np.int64),
                np.array([board.clues for _, board, _ in these], np.uint8),
                answers if answers.any() else None,
            )
            left += self._with_lanes(geometry, puzzles, [board for _, board, _ in these])
        return left

    def _with_lanes(
        self, geometry: Geometry, puzzles: Clues, boards: Sequence[Board] | None
    ) -> list[tuple[int, Board, Grid | None]]:
        """Verdicts of the lane engine; what it leaves open comes back."""
        if not len(puzzles.places):
            return []
        lanes = _lanes(geometry) if self.job.engine != "session" else None
        if lanes is None:
            if self.job.engine == "lanes":
                self.columns.reason[puzzles.places] = f"the lane engine does not take {geometry.description}"
                return []
            return [self._board_at(geometry, puzzles, k, boards) for k in range(len(puzzles.places))]
        started = perf_counter()
        asked: NDArray[Any] = puzzles.clues
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
            (columns.solution, found.first, (found.codes == engine.UNIQUE) | (found.codes == engine.MULTIPLE)),
            (columns.second_solution, found.second, found.codes == engine.MULTIPLE),
        ):
            if which.any():
                texts = encode_grids(np.ascontiguousarray(grids[which], np.uint8), geometry.order)
                column[places[which]] = _slices(texts.view(np.uint8).reshape(len(texts), -1))
                columns.grids_checked[places[which]] += 1
        columns.reference[places[found.codes == engine.MULTIPLE]] = crosscheck.NOT_NEEDED
        hardest = np.argsort(found.branches, kind="stable")[-SLOWEST:]
        for k in hardest.tolist():
            if branches := int(found.branches[k]):
                self.searched.append((branches, *self._named(int(places[k]))))
        self._cross_check_lanes(geometry, puzzles, found, boards)
        self._check_all_stored(geometry, puzzles, found, boards)
        for k, problem in failed.items():
            place, board, _ = self._board_at(geometry, puzzles, k, boards)
            self._disagree(place, board, (), [problem], _LANES)
        open_ones = [k for k in np.flatnonzero(~decided).tolist() if k not in failed]
        if self.job.engine == "lanes":
            columns.reason[places[open_ones]] = (
                f"the lanes stopped at their bound: {lanes.max_depth} choices deep, or {lanes.max_branches:,} branches"
            )
            return []
        return [self._board_at(geometry, puzzles, k, boards) for k in open_ones]

    def _board_at(
        self, geometry: Geometry, puzzles: Clues, k: int, boards: Sequence[Board] | None
    ) -> tuple[int, Board, Grid | None]:
        board = boards[k] if boards is not None else Board(geometry, tuple(puzzles.clues[k].tolist()))
        answer = None
        if puzzles.answers is not None and puzzles.answers[k].any():
            answer = tuple(puzzles.answers[k].tolist())
        return int(puzzles.places[k]), board, answer

    def _cross_check_lanes(
        self, geometry: Geometry, puzzles: Clues, found: engine.LaneResult, boards: Sequence[Board] | None
    ) -> None:
        claims = (found.codes == engine.UNIQUE) | (found.codes == engine.NONE)
        for k in np.flatnonzero(claims & self._chosen[puzzles.places]).tolist():
            place, board, _ = self._board_at(geometry, puzzles, k, boards)
            grids = [tuple(found.first[k].tolist())] if found.codes[k] == engine.UNIQUE else []
            self._cross_check(place, board, grids, _LANES)

    def _check_all_stored(
        self, geometry: Geometry, puzzles: Clues, found: engine.LaneResult, boards: Sequence[Board] | None
    ) -> None:
        answers = puzzles.answers
        if answers is None:
            return
        given = answers.any(axis=1)
        houses = np.array([house.cells for house in geometry.houses], np.int64)
        valid = check_grids(answers, geometry.order, houses, puzzles.clues)
        if boards is None:
            # the usual case, for all at once: the only solution is given
            right = given & valid & (found.codes == engine.UNIQUE) & (answers == found.first).all(axis=1)
            several = given & valid & (found.codes == engine.MULTIPLE)
            self.columns.stored[puzzles.places[right]] = "right"
            self.columns.stored[puzzles.places[several]] = "not_only"
            given &= ~(right | several)
        for k in np.flatnonzero(given).tolist():
            place, board, answer = self._board_at(geometry, puzzles, k, boards)
            grids = [tuple(found.first[k].tolist())] if found.codes[k] in (engine.UNIQUE, engine.MULTIPLE) else []
            self._check_stored(place, board, answer, grids)

    def _named(self, place: int) -> tuple[int, str]:
        return self.chunk.first_row + place, self.columns.puzzle[place][:_LONGEST_NAME]

    # ---- sessions ---------------------------------------------------------------------------------------------------

    def _with_session(self, boards: Sequence[tuple[int, Board, Grid | None]]) -> None:
        pipeline = _pipeline(self.job)
        columns = self.columns
        pipeline.close()  # whatever a chunk before left in its sessions
        try:
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
        finally:
            pipeline.close()

    # ---- checks -----------------------------------------------------------------------------------------------------

    def _cross_check(self, place: int, board: Board, grids: Sequence[Grid], engine_name: str) -> None:
        others = self._others(board, engine_name)
        said, problems = crosscheck.cross_check(board, grids, self.job.limits, others, self.job.cross_check.seconds)
        self.columns.reference[place] = said
        if problems:
            self._disagree(place, board, grids, problems, engine_name)

    def _others(self, board: Board, engine_name: str) -> Iterator[crosscheck.Witness]:
        from gridproof.backends.witnesses import witnesses  # which most answers do not need

        if engine_name == _LANES:
            yield from witnesses(None, None, board)
        else:
            pipeline = _pipeline(self.job)
            yield from witnesses(pipeline.backend, pipeline.encoding_for(board.problem), board)

    def _check_stored(self, place: int, board: Board, answer: Grid | None, grids: Sequence[Grid]) -> None:
        """The solution stored with a puzzle: what it is worth, and whether it contradicts what we say ourselves."""
        if answer is None or self.columns.verdict[place] == DISAGREEMENT:
            return
        columns = self.columns
        found = crosscheck.stored_solution(board, answer, VERDICTS[columns.verdict[place]], grids)
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


def _slices(characters: NDArray[np.uint8]) -> list[str]:
    """Rows of characters, none of them a line end, as texts."""
    number, width = characters.shape
    if not number:
        return []
    lines = np.full((number, width + 1), ord("\n"), np.uint8)
    lines[:, :width] = characters
    return lines.tobytes()[:-1].decode("ascii").split("\n")  # three times as fast as slices
