"""The runs of a comparison against each other: every grid was checked, so whoever denies one is wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

from gridproof.experiments.records import RunRecord
from gridproof.trust.answer import BY_NUMBER, Status


@dataclass(slots=True)
class _Known:
    """What runs said about one board: who found each grid first, and who gave each verdict first, with its grid."""

    grids: dict[str, str] = field(default_factory=dict)
    verdicts: dict[str, tuple[str, str]] = field(default_factory=dict)

    def contradiction(self) -> str | None:
        """Two claims that cannot both be true, in words."""
        if Status.NONE in self.verdicts and self.grids:
            grid, finder = next(iter(self.grids.items()))
            who, _ = self.verdicts[Status.NONE]
            return f"{who} says none, but {finder} found a solution that passes the check: {grid}"
        who, only = self.verdicts.get(Status.UNIQUE, ("", ""))
        if only and (others := [grid for grid in self.grids if grid != only]):
            return f"{who} says unique, with {only}, but {self.grids[others[0]]} found {others[0]}, which passes, too"
        # A record of a file may lack the grid: the verdicts alone contradict each other then.
        if len(self.verdicts) > 1:
            first, second = list(self.verdicts)[:2]
            return f"{self.verdicts[second][0]} says {second}, {self.verdicts[first][0]} says {first}"
        return None


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
        if record.solution:
            known.grids.setdefault(record.solution, who)
        if record.verdict in BY_NUMBER:
            known.verdicts.setdefault(record.verdict, (who, record.solution))
        problem = known.contradiction()
        return f"{where}: {problem}; the board: {record.board}" if problem else None
