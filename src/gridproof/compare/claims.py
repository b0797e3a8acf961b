"""The runs of a comparison against each other: every grid was checked, so whoever denies one is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

from gridproof.compare.records import RunRecord
from gridproof.trust.answer import BY_NUMBER, Status


@dataclass(slots=True)
class _Known:
    """What runs said about one board, and which said so first."""

    grids: dict[str, str] = field(default_factory=dict)
    verdicts: dict[str, tuple[str, str]] = field(default_factory=dict)


class Claims:
    """Collects what runs claim, board by board (in whatever set), until two claims cannot both be true."""

    def __init__(self) -> None:
        self._boards: dict[tuple[str, str], _Known] = {}

    def add(self, record: RunRecord) -> str | None:
        """The contradiction in words that this record brings, ``None`` if there is none."""
        who = f"{record.setup} (round {record.repeat + 1})"
        where = f"{record.puzzle_set}, puzzle {record.puzzle}"
        if record.verdict == Status.DISAGREEMENT:
            return f"{where}: {who} {record.reason}; the board: {record.board}"
        known = self._boards.setdefault((record.geometry, record.board), _Known())
        problem = _contradiction(known, record, who)
        if record.solution:
            known.grids.setdefault(record.solution, who)
        if record.verdict in BY_NUMBER:
            known.verdicts.setdefault(record.verdict, (who, record.solution))
        return f"{where}: {problem}; the board: {record.board}" if problem else None


def _contradiction(known: _Known, record: RunRecord, who: str) -> str | None:
    if record.verdict == Status.NONE and known.grids:
        grid, finder = next(iter(known.grids.items()))
        return f"{who} says none, but {finder} found a solution that passes the check: {grid}"
    if record.solution and "none" in known.verdicts:
        other = known.verdicts["none"][0]
        return f"{other} says none, but {who} found a solution that passes the check: {record.solution}"
    if record.verdict == Status.UNIQUE and (others := [grid for grid in known.grids if grid != record.solution]):
        finder = known.grids[others[0]]
        return f"{who} says unique, with {record.solution}, but {finder} found {others[0]}, which passes, too"
    if "unique" in known.verdicts and record.solution:
        other, grid = known.verdicts["unique"]
        if record.solution != grid:
            return f"{other} says unique, with {grid}, but {who} found {record.solution}, which passes, too"
    # A record of a file may lack the grid: the verdicts alone contradict each other then.
    if record.verdict in BY_NUMBER and (others := sorted(known.verdicts.keys() - {record.verdict})):
        return f"{who} says {record.verdict}, {known.verdicts[others[0]][0]} says {others[0]}"
    return None
