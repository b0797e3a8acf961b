"""Explanations of boards with rules, and of large boards; the truth is every grid of a small geometry, by ``holds``."""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from gridproof import rules
from gridproof.cli import main
from gridproof.errors import BackendUnavailable, BoardError, EncodingError, Interrupted
from gridproof.explanations import Explainer, Part, candidates, explain
from gridproof.explanations.explainer import LARGEST_ORDER
from gridproof.limits import Limits
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.trust.check import is_solution
from gridproof.trust.verdict import Status
from rules.random_rules import grids, random_rule

NINE = Geometry.classic(3)
FOUR = Geometry.classic(2)
KINDS = list(rules.all_kinds().values())


def random_board(seed: int) -> Board:
    """Clues of a grid, one or two of them perhaps wrong, and rules of any kind."""
    source = random.Random(seed)
    grid = source.choice(grids(FOUR))
    share = source.random() * 0.5
    clues = [symbol if source.random() < share else 0 for symbol in grid]
    if source.random() < 0.5:
        clues[source.randrange(16)] = source.randint(1, 4)
    board = Board(FOUR, tuple(clues))
    wanted = source.randint(0, 3)
    while len(board.rules) < wanted:
        rule = random_rule(source.choice(KINDS), FOUR, source)
        # rules that hold of the grid leave something to explain
        if source.random() < 0.2 or rule.holds(FOUR.digits.of(grid), FOUR):
            board = board.with_rule(rule)
    return board


def solutions_of(board: Board) -> list[tuple[int, ...]]:
    """Every solution of a small board."""
    return [grid for grid in grids(FOUR) if is_solution(board, grid)]


def conflicts_of(board: Board) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Every minimal set of clues and rules that no grid fulfils."""
    every = set(grids(FOUR))
    groups = {("clue", c): {g for g in every if g[c] == clue} for c, clue in enumerate(board.clues) if clue}
    groups |= {
        ("rule", n): {g for g in every if rule.holds(FOUR.digits.of(g), FOUR)} for n, rule in enumerate(board.rules)
    }
    found: list[frozenset[tuple[str, int]]] = []
    for size in range(1, 5):
        for chosen in combinations(groups, size):
            known = any(smaller <= set(chosen) for smaller in found)
            if not known and not every.intersection(*(groups[one] for one in chosen)):
                found.append(frozenset(chosen))
    return {
        tuple(tuple(sorted(n for kind, n in one if kind == wanted)) for wanted in ("clue", "rule"))  # type: ignore[misc]
        for one in found
    }


@pytest.mark.slow
@pytest.mark.parametrize("part", range(6))
def test_explanations_of_boards_with_rules_are_true(part: int) -> None:
    seen = set()
    with Explainer(FOUR) as explainer, Pipeline(cross_check="none") as pipeline:
        for seed in range(part * 12, part * 12 + 12):
            board = random_board(seed)
            all_grids = solutions_of(board)
            found = explainer.candidates(board)
            if all_grids:
                with pytest.raises(BoardError, match="the board has a solution"):
                    explainer.conflict_set(board)
            assert set(found.witnesses) == {pair for grid in all_grids for pair in enumerate(grid)}
            explanation = explain(board, conflicts=500)
            seen.add(explanation.status)
            assert explanation.solutions == len(all_grids)
            if explanation.status is Status.UNIQUE:
                sparable = [n for n in range(len(board.rules)) if pipeline.verify(board.without_rule(n)).is_unique]
                assert list(explanation.redundant_rules) == sparable
                sparable = [c for c in range(16) if board.clues[c] and pipeline.verify(board.without_clue(c)).is_unique]
                assert list(explanation.redundant) == sparable
                assert explanation.is_minimal == (not explanation.redundant and not explanation.redundant_rules)
                enough = explainer.enough(board).of(board)
                assert pipeline.verify(enough).is_unique
                assert explain(enough).is_minimal
            elif explanation.status is Status.MULTIPLE:
                assert explanation.complete
                first, second = explanation.witnesses
                assert explanation.differing == tuple(c for c in range(16) if first[c] != second[c])
                pairs = combinations(all_grids, 2)
                assert len(explanation.differing) == min(
                    sum(a != b for a, b in zip(*pair, strict=True)) for pair in pairs
                )
                seen_in = Counter(pair for grid in all_grids for pair in enumerate(grid))
                fixing = {(cell, symbol) for (cell, symbol), times in seen_in.items() if times == 1}
                assert (explanation.fixing in fixing) if fixing else explanation.fixing is None
            elif explanation.status is Status.NONE:
                truth = conflicts_of(board)
                sets = {(conflict.cells, conflict.rules) for conflict in explanation.conflicts}
                assert {one for one in sets if len(one[0]) + len(one[1]) < 5} == truth
                sizes = [len(conflict.cells) + len(conflict.rules) for conflict in explanation.conflicts]
                assert sizes == sorted(sizes)
                (one,) = explain(board).conflicts
                assert (one.cells, one.rules) in sets
                assert not one.houses_alone
                every = Part().rest_of(board)
                singles = [Part((cell,)) for cell in every.cells] + [Part((), (number,)) for number in every.rules]
                counts = {part: len(solutions_of(part.rest_of(board).of(board))) for part in singles}
                expected = {(part.cells, part.rules, count == 1) for part, count in counts.items() if count}
                ours = {(one.cells, one.rules, one.unique) for one in explanation.corrections if one.size == 1}
                assert ours == expected
    assert len(seen) > 1


def test_a_clue_and_a_cage_contradict_each_other() -> None:
    board = (
        Board.empty(NINE).with_clue(0, 1).with_clue(80, 5).with_rules(["thermometer r5c5 r5c6", "killer 15 r1c1 r1c2"])
    )
    (conflict,) = explain(board).conflicts
    assert (conflict.cells, conflict.rules) == ((0,), (1,))
    assert conflict.text(board) == "r1c1=1; the killer cage r1c1 r1c2 sums to 15"
    assert conflict.highlight(board) == (0, 1)
    assert "the killer cage r1c1 r1c2 sums to 15" in str(conflict.direct[0])


SIX = Board.from_symbols(Geometry.classic(2, 3), "..1........1...........5.....3....5.").with_rules(
    [
        "thermometer r6c1 r6c2 r5c1",
        "killer 15 r2c3 r2c4 r2c5",
        "killer 15 r3c6 r4c6 r4c5",
        "thermometer r5c4 r6c4 r6c5",
        "killer 10 r2c2 r1c2 r1c3",
        "thermometer r2c6 r1c6 r1c5",
        "thermometer r4c2 r4c3 r5c3",
    ]
)
"""With the cage r3c2 r3c1 r2c1 of 13 it has exactly one solution."""


def test_the_guilty_rule_comes_first(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    board = SIX.with_rule("killer 12 r3c2 r3c1 r2c1")
    wrong, other = "the killer cage r3c2 r3c1 r2c1 sums to 12", "the killer cage r2c3-r2c5 sums to 15"
    explanation = explain(board)
    assert [(one.text(board), one.unique) for one in explanation.corrections] == [(wrong, True), (other, False)]
    sentence = f"leave out any one of these and there is a solution: {wrong}; {other} (with the first: exactly one)"
    assert explanation.sentences()[1] == sentence
    assert explanation.picture_options() == {"highlight": (6, 12, 13), "second": (8, 9, 10)}, (
        "the pictures show these cells alone"
    )
    assert sentence in explanation._repr_html_()
    rule_board(monkeypatch, board)
    assert main(["explain", "x"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out.index(sentence) < next(n for n, line in enumerate(out) if "contradict each other: " in line)
    assert main(["explain", "x", "--json"]) == 1
    first, second = json.loads(capsys.readouterr().out)["corrections"]
    assert first == {"cells": [], "rules": [wrong], "marks": [], "unique": True}
    assert second["unique"] is False


def test_rules_can_be_left_out_together() -> None:
    """Each of the two equal cages can be left out on its own, but not both."""
    board = SIX.with_rules(["killer 13 r3c2 r3c1 r2c1"] * 2)
    assert {7, 8} < set(explain(board).redundant_rules)
    with Explainer(board.geometry) as explainer:
        enough = explainer.enough(board)
    assert len({7, 8} & set(enough.rules)) == 1
    assert explain(enough.of(board)).is_minimal


def test_a_rule_that_cannot_hold_needs_no_clue() -> None:
    board = Board.empty(NINE).with_clue(0, 1).with_rule("killer 40 r1c1 r1c2")
    (conflict,) = explain(board).conflicts
    assert (conflict.cells, conflict.rules, conflict.houses_alone) == ((), (0,), False)


def test_a_rule_stated_twice_is_redundant_twice() -> None:
    grid = grids(FOUR)[0]
    board = Board(FOUR, (0, 0, 0, *grid[3:])).with_rules(["killer 3 r1c1 r1c2"] * 2)
    explanation = explain(board)
    assert (explanation.status, explanation.redundant_rules) == (Status.UNIQUE, (0, 1))


def test_a_rule_that_is_stated_twice_is_named_once_with_its_number() -> None:
    explanation = explain(Board(FOUR, (1, *[0] * 15)).with_rules(["even r1c1"] * 2))
    assert explanation.sentences()[1] == (
        "leave out any one of these and there is a solution: r1c1 holds an even digit (stated twice); r1c1=1"
    )
    explanation = explain(Board.empty(FOUR).with_rules(["killer 9 r1c1 r1c2"] * 3))
    assert "leave out this one and there is a solution: " in explanation.sentences()[1]
    assert explanation.sentences()[1].endswith("sums to 9 (stated 3 times)")


def test_a_rule_that_others_lean_on_is_left_out_as_the_board_does_it() -> None:
    """Without the X the negative rule forbids that these cells sum to 10: then the grid is no solution any more."""
    with Pipeline(cross_check="none") as pipeline:
        verdict = pipeline.verify("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
        (grid,) = verdict.solutions
        cell = next(c for c in range(80) if c % 9 < 8 and grid[c] + grid[c + 1] == 10)
        pair = " ".join(map(NINE.cell_name, (cell, cell + 1)))
        board = Board(NINE, grid).with_rules([f"xv 10 {pair}", f"killer {sum(grid[:2])} r1c1 r1c2"])
        explanation = explain(board)
        assert explanation.redundant_rules == (0, 1)
        others = [
            (one, other)
            for one in range(81)
            for other in (one + 1, one + 9)
            if other < 81 and (other != one + 1 or one % 9 < 8) and one != cell and grid[one] + grid[other] in (5, 10)
        ]
        marks = [f"xv {grid[a] + grid[b]} {NINE.cell_name(a)} {NINE.cell_name(b)}" for a, b in others]
        (vertical,) = [f"xv 10 {pair}"]
        board = Board(NINE, grid).with_rules([vertical, *marks, "negative-xv"])
        explanation = explain(board)
        assert explanation.status is Status.UNIQUE
        assert explanation.redundant_rules == (len(board.rules) - 1,)


# ---- at the command line -------------------------------------------------------------------------------------------


def rule_board(monkeypatch: pytest.MonkeyPatch, board: Board) -> None:
    """The commands get this board, however rules are written."""
    from gridproof.cli._inputs import Inputs
    from gridproof.formats import Puzzle

    item = Puzzle(board, text="a board")
    monkeypatch.setattr(Inputs, "items", lambda inputs: iter([item]))


def test_command_explain_names_rules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cage = "the killer cage r1c1 r1c2 sums to 15"
    clue = Board.empty(NINE).with_clue(0, 1)
    for board, message in (
        (clue.with_rule("killer 15 r1c1 r1c2"), f"1 clue and 1 rule contradict each other: r1c1=1; {cage}"),
        (
            Board.empty(NINE).with_rules(["killer 15 r1c1 r1c2", "killer 16 r1c1 r1c2"]),
            f"2 rules contradict each other: {cage}; the killer cage r1c1 r1c2 sums to 16",
        ),
        (
            Board.empty(NINE).with_rule("killer 40 r1c1 r1c2"),
            "1 rule cannot hold in any grid: the killer cage r1c1 r1c2 sums to 40",
        ),
    ):
        rule_board(monkeypatch, board)
        assert main(["explain", "x"]) == 1
        out = capsys.readouterr().out.splitlines()
        assert any(line.startswith(message) for line in out)
        assert "[ ]: leave out what is marked like this, and there are several solutions" in out
    rule_board(monkeypatch, clue.with_rule("killer 15 r1c1 r1c2"))
    assert main(["explain", "x", "--json", "-o", str(tmp_path / "a.svg")]) == 1
    (conflict,) = json.loads(capsys.readouterr().out)["conflicts"]
    assert (conflict["cells"], conflict["rules"]) == (["r1c1"], [cage])
    assert (tmp_path / "a.svg").read_text().startswith("<svg")


def test_command_explain_names_redundant_rules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    grid = grids(FOUR)[0]
    rule_board(monkeypatch, Board(FOUR, (0, *grid[1:])).with_rule(f"killer {sum(grid[:2])} r1c1 r1c2"))
    assert main(["explain", "x"]) == 0
    sentence = f"the killer cage r1c1 r1c2 sums to {sum(grid[:2])}"
    assert f"only this rule can be left out: {sentence}" in capsys.readouterr().out.splitlines()
    assert main(["explain", "x", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert (record["minimal"], record["redundant_rules"]) == (False, [sentence])


# ---- backends, encodings, large boards ------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["cadical153", "minisat22", "maplechrono"])
@pytest.mark.parametrize("encoding", ["minimal", "extended"])
def test_every_backend_and_encoding_explains_alike(backend: str, encoding: str) -> None:
    for seed in (1, 2, 3, 4, 5, 6):
        board = random_board(seed)
        one, other = explain(board, conflicts=9), explain(board, backend, encoding, conflicts=9)
        assert (one.status, one.redundant) == (other.status, other.redundant)
        assert one.redundant_rules == other.redundant_rules
        sizes = [[len(found.cells) + len(found.rules) for found in each.conflicts] for each in (one, other)]
        assert sizes[0] == sizes[1]
        assert candidates(board).masks == candidates(board, backend, encoding).masks


def test_a_backend_that_cannot_explain_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BackendUnavailable, match=r"kissat404 cannot explain: it takes no assumptions.*cadical153"):
        explain(Board.empty(FOUR), "kissat404")
    with pytest.raises(EncodingError, match="'reduced' compiles each board alone"):
        explain(Board.empty(FOUR), encoding="reduced")
    for command in ("explain", "candidates"):
        assert main([command, "." * 16, "-b", "cp-sat"]) == 2
        assert "cp-sat cannot explain: " in capsys.readouterr().err
        assert main([command, "." * 16, "-b", "cadical195", "-e", "extended"]) in (0, 1)


@pytest.mark.slow
def test_large_boards_are_explained_within_a_limit() -> None:
    """Order 25 and 36: clues that clash, one clue too few, and a question too long for its limit."""
    for shape in (Geometry.classic(5), Geometry.classic(6)):
        n = shape.order
        b = shape.box_shape[0] if shape.box_shape else 0
        grid = tuple((b * (row % b) + row // b + column) % n + 1 for row in range(n) for column in range(n))
        assert is_solution(Board.empty(shape), grid)
        wrong = Board(shape, (0, *grid[1:-1], grid[0]))
        (conflict,) = explain(wrong, limits=Limits(seconds=60)).conflicts
        assert conflict.cells
        found = candidates(Board(shape, (0, *grid[1:])), limits=Limits(seconds=60))
        assert found.masks == tuple(1 << (symbol - 1) for symbol in grid)
        with pytest.raises(Interrupted):
            explain(Board.empty(shape), limits=Limits(seconds=0.5))


def test_a_board_that_is_too_large_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BoardError, match="order 64 is too large to be explained; expected one up to order 49"):
        explain(Board.empty(Geometry.classic(8)))
    assert LARGEST_ORDER == 49
    for command in ("explain", "candidates"):
        assert main([command, " ".join("." * 64**2), "1" + "." * 15]) == 2
        printed = capsys.readouterr()
        assert "order 64 is too large" in printed.err
        assert printed.out
