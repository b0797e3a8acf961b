"""Verdicts as lines and as JSON, counted for the summary and the exit code; shared by the commands on puzzles."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gridproof.cli._complaints import Complaints, say
from gridproof.errors import PuzzleFormatError

if TYPE_CHECKING:
    from gridproof.formats.notation import Puzzle
    from gridproof.puzzle.geometry import Grid
    from gridproof.trust.verdict import Verdict

MALFORMED = "malformed"


class Tally:
    """Counts what happened, writes reproducers of disagreements, and knows the exit code and the summary."""

    def __init__(self, args: argparse.Namespace, good: str) -> None:
        self.args = args
        self.good = good
        self.counts: Counter[str] = Counter()
        self.references: Counter[str] = Counter()
        self.given: Counter[str] = Counter()
        self.complaints = Complaints()
        self.started = perf_counter()

    def add(self, verdict: Verdict) -> None:
        """Count a verdict; report a disagreement loudly."""
        self.complaints.good()
        self.counts[str(verdict.status)] += 1
        self.references[verdict.evidence.reference] += 1
        if verdict.evidence.given is not None:
            self.given[verdict.evidence.given] += 1
        if verdict.status == "disagreement":
            self.report(verdict)

    def report(self, verdict: Verdict) -> None:
        """Say a disagreement on standard error and write its reproducer."""
        try:
            place = f"reproducer: {verdict.write_reproducer(self.args.reproducers)}"
        except OSError as problem:
            place = f"no reproducer: {problem}"
        say(f"gridproof: DISAGREEMENT: {verdict.reason}; {place}")

    def malformed(self, problem: PuzzleFormatError, *, in_result: bool = True) -> bool:
        """Count a puzzle that could not be read, and complain; see ``Complaints.malformed``."""
        self.counts[MALFORMED] += 1
        return self.complaints.malformed(problem, in_result=in_result)

    @property
    def exit_code(self) -> int:
        """As ``gridproof --help`` has it."""
        if self.counts["disagreement"]:
            return 3
        if self.counts[MALFORMED]:
            return 2
        return 0 if sum(self.counts.values()) == self.counts[self.good] and not self.given["wrong"] else 1

    def summary(self, stopped: bool = False) -> None:
        """A line on standard error, unless it is not wanted or there was nothing to do; then where to learn more."""
        self.complaints.end()
        number = sum(self.counts.values())
        if self.args.quiet or not (number or stopped):
            return
        parts = ", ".join(f"{count:,} {status}" for status, count in self.counts.most_common())
        line = f"{number:,} puzzle{'s' * (number != 1)}: {parts or 'nothing done'}"
        if number > 1:
            line += f"; {number / max(perf_counter() - self.started, 1e-9):,.0f}/s"
        asked = {said: count for said, count in self.references.items() if said != "not needed"}
        for about, counts in (("reference", asked), ("given solutions", self.given)):
            if counts:
                line += f"; {about}: " + ", ".join(f"{said} {count:,}" for said, count in counts.items())
        say(f"{line}{'; interrupted' if stopped else ''}")
        if self.counts["none"] or self.counts["multiple"]:
            say("`gridproof explain` tells why a puzzle has no solution, or where its solutions differ")


def grid_text(puzzle: Puzzle, grid: Grid) -> str:
    """A grid on one line, its symbols called as the puzzle does."""
    from gridproof.formats import to_line

    return to_line(grid, puzzle.board.geometry, puzzle.symbols)


def reason_of(verdict: Verdict) -> str:
    """The reason of a verdict; of ``none`` first what contradicts itself at a glance, if anything does."""
    seen = verdict.board.contradictions()[:1] if verdict.status == "none" else []
    return "; ".join(filter(None, [*map(str, seen), verdict.reason]))


def verdict_json(puzzle: Puzzle, verdict: Verdict) -> str:
    """One JSON object: input, verdict, solutions, evidence, statistics, timings."""
    geometry = puzzle.board.geometry
    statistics = {
        name: value
        for name in verdict.statistics.__slots__
        if (value := getattr(verdict.statistics, name)) is not None and name != "seconds"
    }
    evidence = {name: getattr(verdict.evidence, name) for name in verdict.evidence.__slots__}
    made = verdict.made
    record: dict[str, Any] = {
        "line": puzzle.line,
        "input": puzzle.text,
        "geometry": geometry.description,
        "verdict": str(verdict.status),
        "solutions": [_safe_grid_text(puzzle, grid) for grid in verdict.solutions],
        "evidence": evidence,
        "statistics": statistics,
        "timings": {stage: round(value, 6) for stage, value in verdict.seconds.items()},
    }
    if verdict.board.rules:
        record["rules"] = [rule.sentence(geometry) for rule in verdict.board.rules]
    if puzzle.title:
        record["title"] = puzzle.title
    if made is not None:
        record["backend"], record["encoding"] = made.backend, made.encoding
    if reason := reason_of(verdict):
        record["reason"] = reason
    if verdict.differing_cells:
        record["differ"] = [geometry.cell_name(cell) for cell in verdict.differing_cells]
    return json.dumps(record)


def malformed_json(problem: PuzzleFormatError) -> str:
    """The same for a puzzle that could not be read."""
    record = {
        "line": problem.line,
        "column": problem.column,
        "input": problem.text,
        "verdict": MALFORMED,
        "reason": str(problem),
    }
    return json.dumps(record)


def _safe_grid_text(puzzle: Puzzle, grid: Any) -> str:
    """What a lying backend gives need not be a grid."""
    try:
        return grid_text(puzzle, grid)
    except Exception:
        from gridproof.runs.foreign import described

        return described(grid)


def witnesses(puzzle: Puzzle, verdict: Verdict) -> list[str]:
    """The solutions of a verdict, each on one line."""
    return [_safe_grid_text(puzzle, grid) for grid in verdict.solutions]
