"""Stories: each line follows from what it names, no line can be left out, and copies of a puzzle have as many."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from pathlib import Path
from random import Random

import pytest

from generation.images import image
from gridproof import Board, Geometry, backends, parse
from gridproof.backends.protocol import Incremental
from gridproof.cli import main
from gridproof.solving import Step, StoryLine, steps
from gridproof.solving.story_pictures import told_lines
from solving.test_next_step import EASY, HARD, RULES, stated

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."


WITHOUT_SINGLES = "..58.7..62...1...8...4...9..3.7....2.6..4..8.5....9.6..5...2...3...7...19..1.43.."
"""A puzzle that begins with a pointing pair."""


GROUPS = "...5.1.....8.2.5..56.....17.8.3.2.9.....9......4.6.8..7...5...8..........1.9.7.3."
"""A puzzle with several chains of equal length through groups."""


DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


NEAR = "2.45.3.173.....9...7.9.1..27.5...1.8....1....6.2...3.94..1.7.5...7.....112.6.87.4"
"""A puzzle with a step without a name, and one with a name that costs little more."""


class Checker:
    """Checks lines of stories by a solver for which the checker of certificates states the rules."""

    def __init__(self, step: Step) -> None:
        self.step = step
        board = step.position.board
        n = board.geometry.symbol_count
        self.x = [[cell * n + s for s in range(n + 1)] for cell in range(board.geometry.cell_count)]
        clauses: list[Sequence[int]] = []
        for cell, mask in enumerate(step.position.candidates):
            clauses += [(-one, -other) for one, other in combinations(self.x[cell][1:], 2)]
            clauses += [(-self.x[cell][s],) for s in range(1, n + 1) if not mask >> (s - 1) & 1]
        self.switch = {}
        for number, fact in enumerate(step.shown_reason.facts):
            self.switch[fact] = 100_000 + number
            clauses += [(*clause, -self.switch[fact]) for clause in stated(board, fact, self.x)]
        self.solver: Incremental = backends.find("cadical153").incremental(clauses)

    def literals(self, line: StoryLine) -> list[int]:
        sign = -1 if line.kind == "is not" else 1
        return [sign * self.x[cell][symbol] for cell, symbol in line.candidates]

    def follows(self, line: StoryLine, before: Sequence[StoryLine]) -> bool:
        """Return whether a line follows from its facts and from some lines before it."""
        assumptions = [self.switch[fact] for fact in line.facts]
        for other in before:
            if other.kind == "cases":
                return True  # that no case is missing is checked apart
            assumptions += self.literals(other)
        if line.kind == "contradiction":
            return not self.solver.solve(assumptions)
        if line.kind == "cases":
            return not self.solver.solve([*assumptions, *[-literal for literal in self.literals(line)]])
        return not any(self.solver.solve([*assumptions, -literal]) for literal in self.literals(line))


def check_story(step: Step) -> None:
    lines = step.story
    assert lines
    if lines[0].kind == "conclusion":
        assert len(lines) == 1
        return
    assert len(step.story_texts()) == len(told_lines(lines))
    assert [line.candidates[0] for line in lines if line.kind in ("suppose", "open")] == list(step.removed)
    checker = Checker(step)
    used: set[int] = set()
    for number, line in enumerate(lines):
        used.update(line.after)
        assert all(can_see(lines, number, earlier) for earlier in line.after)
        ends = [earlier for earlier in line.after if lines[earlier].kind == "contradiction"]
        if line.kind in ("suppose", "case", "open"):
            continue
        if ends:
            tried = [assumption_of(lines, end) for end in ends]
            if line.kind == "is not":
                assert tried == list(line.candidates)
                assert not line.facts
            else:
                assert line.kind == "contradiction"
                assert lines[line.after[0]].kind == "cases"
                assert tried == list(lines[line.after[0]].candidates)
            continue
        before = [lines[earlier] for earlier in line.after]
        assert checker.follows(line, before), (line, before)
        for left_out in before:
            fewer = [other for other in before if other is not left_out]
            assert not checker.follows(line, fewer), (line, left_out)
    last = [number for number, line in enumerate(lines) if line.kind == "contradiction" and line.depth == 0]
    not_used = {number for number, line in enumerate(lines) if number not in used and line.kind not in ("case", "open")}
    assert not_used == set(last)
    checker.solver.close()


def can_see(lines: Sequence[StoryLine], number: int, earlier: int) -> bool:
    """Return whether an earlier line is in the case of a line, or in one around it; the end of a case is, too."""
    depth = lines[earlier].depth
    if lines[earlier].kind == "contradiction":
        return depth == lines[number].depth + 1
    between = lines[earlier + 1 : number + 1]
    return earlier < number and all(line.depth >= depth for line in between)


def assumption_of(lines: Sequence[StoryLine], end: int) -> tuple[int, int]:
    """Return the candidate of the case that a contradiction ends."""
    for line in reversed(lines[:end]):
        if line.depth == lines[end].depth and line.kind == "case":
            return line.candidates[0]
    raise AssertionError("a case ends that did not begin")


def check_stories(board: Board) -> Iterator[Step]:
    for step in steps(board):
        check_story(step)
        yield step


@pytest.mark.slow
@pytest.mark.parametrize("text", [EASY, HARD])
def test_each_line_follows_and_is_needed(text: str) -> None:
    assert all(line.kind != "open" for step in check_stories(parse(text)) for line in step.story)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="no shared puzzles")
def test_each_line_follows_and_is_needed_in_rated_puzzles() -> None:
    puzzles = (DATA / "rated9.txt").read_text().splitlines()
    for line in puzzles[::50]:
        for step in check_stories(parse(line.split()[0])):
            assert all(line.kind != "open" for line in step.story)


@pytest.mark.slow
@pytest.mark.skipif(not DATA.exists(), reason="no shared puzzles")
def test_each_line_follows_and_is_needed_in_links() -> None:
    checked = 0
    for line in (DATA / "fpuzzles.jsonl").read_text().splitlines()[::40]:
        row = json.loads(line)
        if row["size"] != 9:
            continue
        board = parse("https://f-puzzles.com/?load=" + row["payload"], despite_unread=True)
        checked += len(list(islice(check_stories(board), 10)))
    assert checked > 10


def test_each_line_follows_and_is_needed_with_rules() -> None:
    kinds = set()
    for step in check_stories(Board.empty(Geometry.classic(2)).with_rules(RULES)):
        kinds |= {fact.kind for line in step.story for fact in line.facts}
    assert "rule" in kinds


@pytest.mark.slow
def test_a_hard_puzzle_needs_cases() -> None:
    path = list(check_stories(parse(ESCARGOT)))
    kinds = [{line.kind for line in step.story} for step in path]
    assert sum("cases" in each or "case" in each for each in kinds) >= 4
    assert sum("open" in each for each in kinds) <= len(path) / 10


@pytest.mark.slow
@pytest.mark.parametrize("text", [EASY, HARD, GROUPS])
def test_a_turned_and_relabelled_puzzle_has_stories_of_the_same_length(text: str) -> None:
    def lengths(board: Board) -> list[tuple[int, float, int]]:
        return sorted((step.round, step.cost, len(step.story)) for step in steps(board))

    board = parse(text)
    assert all(lengths(image(board, Random(seed))) == lengths(board) for seed in range(3))


@pytest.mark.slow
def test_a_story_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["steps", "--story", HARD]) == 0
    printed = capsys.readouterr().out
    story = [
        "1. suppose r9c9 is 1",
        "2. then r3c7 is 1, the only place in box 3 (by column 9)",
        "3. then r9c7 is 9, the only place in column 7",
        "4. then r9c9 is 4, the only place in box 9",
        "5. but then r9c9 is 1 and 4 [1, 4]",
    ]
    assert "".join(f"\n{'':11}{line}" for line in story) in printed
    assert "  1   1.0  " in printed


def test_steps_are_wrapped_on_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["steps", "--story", WITHOUT_SINGLES]) == 0
    unwrapped = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert main(["steps", "--story", WITHOUT_SINGLES]) == 0
    wrapped = capsys.readouterr().out
    assert max(map(len, unwrapped.splitlines())) > 60 >= max(map(len, wrapped.splitlines()))
    assert wrapped.split() == unwrapped.split()


def test_a_rule_is_told_once_in_a_row() -> None:
    board = Board.empty(Geometry.classic(3)).with_rules(
        ["thermometer r1c1 r1c2 r1c3 r1c4 r1c5 r1c6", "killer 12 r1c7 r2c7 r2c8", "killer 15 r1c8 r1c9"]
    )
    texts = next(step for step in steps(board) if len(step.story) > 4).story_texts()
    assert texts[1] == "2. then r1c5 is 8, because the thermometer r1c1-r1c6 increases from its bulb"
    assert texts[2] == "3. then r1c6 is 9, by the same rule"


@pytest.mark.slow
def test_a_named_step_is_preferred_to_a_nameless_one_that_costs_little_less() -> None:
    """In one round the cheapest step, of 5.9, has no name."""
    path = list(steps(NEAR))
    (step,) = [step for step in path if step.cost == 6.0]
    assert step.name == "AIC"


def test_a_story_comes_with_the_third_hint_and_in_records(capsys: pytest.CaptureFixture[str]) -> None:
    step = next(steps(WITHOUT_SINGLES))
    for level in (1, 2, 3):
        assert main(["steps", "--hint", str(level), WITHOUT_SINGLES]) == 0
        sentence, *story = capsys.readouterr().out.splitlines()
        assert sentence == step.hint(level)
        assert [line.strip() for line in story] == (step.story_texts() if level == 3 else [])
    assert main(["steps", "--next", "--json", WITHOUT_SINGLES]) == 0
    assert json.loads(capsys.readouterr().out)["story"] == step.story_texts()
    assert main(["steps", "--next", WITHOUT_SINGLES]) == 0
    assert capsys.readouterr().out.count("\n") == 1


def test_what_goes_in_the_same_way_is_only_named() -> None:
    step = next(step for step in steps(HARD) if len(step.removed) > 1 and len(step.facts) > 1)
    texts = step.story_texts()
    assert sum("suppose" in text for text in texts) == 1
    assert "; in the same way r" in texts[-1]
    assert len(told_lines(step.story)) == len(texts)
