"""Explanations: minimal conflict sets, redundant clues, the closest solutions, true candidates."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gridproof.cli import main
from gridproof.errors import Interrupted
from gridproof.explanations import Explainer, Part, candidates, explain
from gridproof.explanations.minimiser import minimise, redundant
from gridproof.limits import Limits, Watch
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.trust import reference
from gridproof.trust.verdict import Status

NINE = Geometry.classic(3)
FOUR = Geometry.classic(2)
IMPOSSIBLE = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
TWO = "5...7.......1.5....98....6.8.......34..8....1....2...6.6....28....419.......8..7."
EASY = "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3.."


def boards(geometry: Geometry) -> st.SearchStrategy[Board]:
    entries = st.lists(
        st.sampled_from([0, 0, *range(geometry.order + 1)]), min_size=geometry.cell_count, max_size=geometry.cell_count
    )
    return entries.map(lambda clues: Board(geometry, tuple(clues)))


@pytest.mark.slow
@given(st.sets(st.sets(st.integers(0, 30), max_size=6).map(frozenset), min_size=1, max_size=3), st.booleans())
def test_what_is_minimal_and_what_is_redundant(families: set[frozenset[int]], with_cores: bool) -> None:
    def enough(kept: list[int]) -> list[int] | None:
        inside = [family for family in families if family <= set(kept)]
        return (sorted(inside[0]) if with_cores else kept) if inside else None

    kept = minimise(range(31), enough)
    assert kept is not None
    assert sorted(kept) == kept
    assert enough(kept) is not None
    assert all(enough([one for one in kept if one != other]) is None for other in kept)
    spared = [one for one in range(31) if enough([other for other in range(31) if other != one]) is not None]
    assert redundant(range(31), enough) == spared
    assert minimise([], lambda kept: None) is None


def test_long_runs_go_in_a_few_questions() -> None:
    questions = []

    def enough(kept: list[int]) -> list[int] | None:
        questions.append(len(kept))
        return kept if {300, 999} <= set(kept) else None

    assert minimise(range(1000), enough) == [300, 999]
    assert len(questions) < 60


def test_pencil_marks_are_part_of_a_conflict() -> None:
    for clue, marks, conflict in (
        ((15, 4), {0: 0b1, 1: 0b1}, Part((), (), (0, 1))),
        ((0, 1), {0: 0b11, 1: 0b1}, Part((0,), (), (1,))),
        ((0, 1), {5: 0}, Part((), (), (5,))),
    ):
        board = Board.empty(FOUR).with_clue(*clue).with_marks([marks.get(cell, 0b1111) for cell in range(16)])
        for explanation in (explain(board), explain(board, conflicts=3)):
            (one,) = explanation.conflicts
            assert Part(one.cells, one.rules, one.marks) == conflict
            assert explanation.groups()[0][0] == conflict.highlight(board), "the guilty mark is marked"


def test_a_wrong_pencil_mark_is_named() -> None:
    """The eleven clues that it contradicts are right."""
    solved = Board.from_symbols(
        NINE, "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    )
    explanation = explain(solved.with_marks([0b10 if cell == 10 else 511 for cell in range(81)]))
    assert [(one.marks, one.unique) for one in explanation.corrections] == [((10,), True)]
    assert explanation.sentences()[1] == (
        "leave out this one and there is a solution: the pencil mark 2 in r2c2 (exactly one)"
    )
    assert "and the pencil marks of 1 cell contradict each other: r1c5=7 " in explanation.sentences()[2]
    assert explanation.picture_options() == {"highlight": (10,)}


def test_pencil_marks_stay_when_a_clue_is_left_out() -> None:
    """Without its clue 3, r2c1 may still hold 1 and 3 only."""
    marks = (12, 3, 2, 6, 5, 15, 15, 12, 15, 11, 6, 3, 7, 7, 10, 7)
    board = Board.from_symbols(FOUR, "....3.1.1.......", marks)
    assert explain(board).redundant == (4, 6)


# ---- corrections ----------------------------------------------------------------------------------------------------


def smallest_corrections(board: Board) -> tuple[int, dict[tuple[int, ...], bool]]:
    """The smallest sets of clues without which there is a solution, each with whether it is the only one."""
    clues = [cell for cell, clue in enumerate(board.clues) if clue]
    for size in range(1, len(clues) + 1):
        counts = {
            chosen: reference.count(Part(tuple(c for c in clues if c not in chosen)).of(board), 2)
            for chosen in combinations(clues, size)
        }
        if any(counts.values()):
            return size, {chosen: count == 1 for chosen, count in counts.items() if count}
    return 0, {}


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(boards(FOUR))
def test_corrections_are_all_the_smallest_sets_that_help(board: Board) -> None:
    explanation = explain(board)
    if explanation.status is not Status.NONE:
        assert explanation.corrections == ()
        return
    size, expected = smallest_corrections(board)
    ours = {one.cells: one.unique for one in explanation.corrections}
    assert all(one.size == size for one in explanation.corrections)
    assert ours.items() <= expected.items()
    if size == 1 or len(expected) <= 20:
        assert ours == expected
        assert not explanation.corrections_stopped
    else:
        assert (len(ours), explanation.corrections_stopped) == (20, "stopped at 20")
    uniques = [one.unique for one in explanation.corrections]
    assert uniques == sorted(uniques, reverse=True), "those that leave one solution come first"


def test_a_limit_does_not_lose_the_corrections_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board.from_symbols(NINE, IMPOSSIBLE)
    every = explain(board).corrections
    solutions, calls = Explainer.solutions, 0

    def slow(self: Explainer, board: Board, most: int) -> list[SymbolTuple]:
        nonlocal calls
        calls += 1
        if calls == 5:  # the first looks for a solution
            raise Interrupted("seconds", 5)
        return solutions(self, board, most)

    monkeypatch.setattr(Explainer, "solutions", slow)
    explanation = explain(board)
    assert len(every) == 9
    assert len(explanation.corrections) == 3
    assert set(explanation.corrections) < set(every)
    assert "there may be more of these: the search was stopped by the limit of 5 seconds" in explanation.sentences()


def test_a_minimal_set_that_is_enough() -> None:
    board = Board.from_symbols(NINE, EASY)
    assert explain(board).enough is None
    explanation = explain(board, minimal=True)
    assert explanation.enough is not None
    part = explanation.enough.of(board)
    assert reference.count(part, 2) == 1
    assert explain(part).is_minimal
    spared = board.clue_count - part.clue_count
    together, rest = explanation.sentences()[2:4]
    assert together.startswith(f"{spared} clues can be left out together: r")
    assert len(together.partition(": ")[2].split()) == spared
    assert rest.startswith("these are enough: r1c")


NO_GRID = Geometry.jigsaw("0112 1202 3310 0323").with_diagonals()
"""Regions that leave no grid at all."""


@st.composite
def marked_boards(draw: st.DrawFn) -> Board:
    """Clues of a grid, one or two of them perhaps wrong, and pencil marks in any cell, that of a clue as well."""
    geometry = draw(st.sampled_from([FOUR, FOUR, Geometry.latin(3), NO_GRID]))
    n, cells = geometry.order, range(geometry.cell_count)
    grid = next(reference.solutions(Board.empty(geometry)), (1,) * len(cells))
    share = draw(st.integers(1, 9))
    clues = [symbol if draw(st.integers(0, 9)) < share else 0 for symbol in grid]
    for cell in draw(st.lists(st.sampled_from(cells), max_size=2)):
        clues[cell] = draw(st.integers(0, n))
    marks = [(1 << n) - 1] * len(cells)
    for cell in draw(st.lists(st.sampled_from(cells), max_size=8)):
        marks[cell] = draw(st.integers(0, (1 << n) - 1)) | draw(st.sampled_from([0, 1 << (grid[cell] - 1)]))
    return Board(geometry, tuple(clues), (), tuple(marks))


@pytest.mark.slow
def test_an_explanation_agrees_with_verify_without_a_clue() -> None:
    seen: Counter[str] = Counter()

    @settings(max_examples=150)
    @given(marked_boards())
    def agrees(board: Board) -> None:
        clues = [cell for cell, clue in enumerate(board.clues) if clue]
        explanation = explain(board, conflicts=8)
        assert explanation.status is pipeline.verify(board).status
        if explanation.status is Status.UNIQUE:
            unique = tuple(cell for cell in clues if pipeline.verify(board.without_clue(cell)).is_unique)
            assert explanation.redundant == unique
            seen["unique"] += bool(0 < len(unique) < len(clues))
        if explanation.status is not Status.NONE:
            return
        for conflict in (*explanation.conflicts, *explain(board).conflicts):
            members = [Part((cell,)) for cell in conflict.cells] + [Part((), (), (cell,)) for cell in conflict.marks]
            part = conflict.of(board)
            assert pipeline.verify(part).status is Status.NONE
            assert not any(pipeline.verify(one.rest_of(part).of(part)).status is Status.NONE for one in members)
            assert conflict.houses_alone == (board.geometry == NO_GRID)
            seen["houses" if conflict.houses_alone else "marks" if conflict.marks else "clues"] += 1
        for one in explanation.corrections:
            rest = pipeline.verify(one.rest_of(board).of(board))
            assert rest.is_unique if one.unique else rest.status is Status.MULTIPLE

    with Pipeline(cross_check="none") as pipeline:
        agrees()
    # which boards come is known where they are always the same
    assert not settings().derandomize or min(seen[kind] for kind in ("unique", "clues", "marks", "houses")) >= 5


def test_rules_that_admit_no_grid_need_no_clue(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same holds where two clues clash at a glance."""
    board = Board.empty(NO_GRID).with_clue(6, 3).with_clue(10, 3)
    for explanation in (explain(board), explain(board, conflicts=5)):
        assert [(conflict.cells, conflict.houses_alone) for conflict in explanation.conflicts] == [((), True)]
    assert explain(board.with_clue(6, 0)).conflicts == explanation.conflicts
    (tmp_path / "regions").write_text("0112 1202 3310 0323")
    command = ["explain", "......3...3.....", "--jigsaw", str(tmp_path / "regions"), "--diagonal"]
    assert main(command) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "the houses alone admit no grid, whatever the clues are"
    assert main([*command, "--json"]) == 1
    (conflict,) = json.loads(capsys.readouterr().out)["conflicts"]
    assert conflict == {"cells": [], "rules": [], "marks": [], "direct": [], "houses_alone": True}


def test_contradictions_are_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    full = ["1234"] * 16
    for marks, message in (
        (
            {0: "1", 1: "12", 2: "2"},
            "2 clues and the pencil marks of 1 cell contradict each other: r1c1=1 r1c3=2; the pencil marks 12 in r1c2 "
            "(r1c2 has no candidate left)",
        ),
        (
            {0: "12", 1: "12", 4: "12"},
            "the pencil marks of 3 cells contradict each other: the pencil marks 12 in r1c1; "
            "the pencil marks 12 in r1c2; the pencil marks 12 in r2c1",
        ),
        (
            {0: "1", 2: "1"},
            "2 clues contradict each other: r1c1=1 r1c3=1 (r1c1 and r1c3 in row 1 both hold 1)",
        ),
    ):
        cells = [marks.get(cell, text) for cell, text in enumerate(full)]
        line = "".join(symbol if symbol in cell else "." for cell in cells for symbol in "1234")
        assert main(["explain", line, "--boxes", "2x2"]) == 1
        out = capsys.readouterr().out.splitlines()
        assert out[-1] == message
        assert out[-3] == "none: the puzzle has no solution"
        assert out[-2].startswith("leave out any one of these and there is a solution: ")


def test_enumeration_keeps_the_number_where_it_stopped() -> None:
    explanation = explain(Board.empty(FOUR), enumerated=20)
    assert (explanation.solutions, explanation.complete) == (20, False)
    assert explain(Board.empty(FOUR)).solutions == 288


def test_one_explainer_serves_many_boards() -> None:
    with Explainer(NINE) as explainer:
        for _ in range(2):
            assert len(explainer.solutions(Board.from_symbols(NINE, TWO), 5)) == 2
            assert len(explainer.solutions(Board.from_symbols(NINE, EASY), 5)) == 1
            assert not explainer.solutions(Board.from_symbols(NINE, IMPOSSIBLE), 5)
            assert explainer.fixing_clue(Board.empty(NINE)) is None


def test_a_board_with_very_many_solutions_is_not_searched_candidate_by_candidate() -> None:
    board = Board.empty(NINE).with_clue(0, 1)
    with Explainer(NINE) as explainer:
        found = explainer.candidates(board)
        assert len(found.witnesses) == 1 + 20 * 8 + 60 * 9
        assert len(set(found.witnesses.values())) < 200  # of 390 if the solver is not steered
        searched: list[Board] = []
        solutions = explainer.solutions
        explainer.solutions = lambda board, most: searched.append(board) or solutions(board, most)  # type: ignore
        assert explainer.fixing_clue(board) is None
        assert len(searched) < 100  # of 700 candidates


def test_command_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", IMPOSSIBLE, "--json"]) == 1
    record = json.loads(capsys.readouterr().out)
    assert record["verdict"] == "none"
    assert len(record["conflicts"][0]["cells"]) == 9
    assert main(["explain", TWO]) == 1
    printed = capsys.readouterr().out.splitlines()[-3:]
    assert printed[0] == "multiple: the puzzle has 2 solutions"
    assert printed[1].startswith("two solutions differ in only 8 cells: r4c2 ")
    assert printed[2] == "with the further clue r4c2=2 there is exactly one solution"
    assert main(["explain", EASY]) == 0
    out = capsys.readouterr().out
    assert "unique: the puzzle has exactly one solution\neach of these 21 clues can be left out on its own: r" in out
    assert main(["explain", EASY, "--minimal", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["enough"]) == {"cells", "rules", "marks"}
    assert main(["explain", "nonsense"]) == 2


def test_more_conflict_sets_than_the_limit_are_not_passed_over_in_silence(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = "11..1..........."  # three sets: any two of the three clues share a house
    board = Board.from_symbols(FOUR, puzzle)
    sets = explain(board, conflicts=9)
    assert sets.complete
    assert len(sets.conflicts) == 3
    assert not explain(board, conflicts=2).complete
    assert main(["explain", puzzle, "--all", "--sets", "2"]) == 1
    assert "there are more than 2 such sets" in capsys.readouterr().out
    for limit, complete in (("2", False), ("3", True)):
        assert main(["explain", puzzle, "--all", "--json", "--sets", limit]) == 1
        assert json.loads(capsys.readouterr().out)["complete"] is complete


@pytest.mark.parametrize("command", ["explain", "candidates"])
def test_a_limit_makes_undecided(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    analyse = explain if command == "explain" else candidates
    with pytest.raises(Interrupted):
        analyse(Board.from_symbols(NINE, IMPOSSIBLE), limits=Limits(seconds=1e-9))
    assert main([command, "--seconds", "1e-9", IMPOSSIBLE, EASY]) == 1
    assert capsys.readouterr().out.count("undecided: stopped by the limit of 1e-09 seconds\n") == 2
    assert main([command, "--seconds", "1e-9", "--json", IMPOSSIBLE]) == 1
    assert json.loads(capsys.readouterr().out)["verdict"] == "undecided"
    assert main([command, "--seconds", "600", EASY]) == 0


def test_conflict_sets_found_before_a_limit_are_kept(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board.from_symbols(FOUR, "11..1...........")
    looks = 0

    def look(watch: Watch) -> None:
        nonlocal looks
        looks += 1
        if looks == 2:
            raise Interrupted("seconds", 5.0)

    monkeypatch.setattr(Watch, "look", look)
    explanation = explain(board, conflicts=9)
    assert (len(explanation.conflicts), explanation.complete, explanation.stopped) == (
        2,
        False,
        "stopped by the limit of 5 seconds",
    )
    looks = 0
    assert main(["explain", "--all", "11..1..........."]) == 1
    message = "there may be more such sets; the search was stopped by the limit of 5 seconds"
    assert message in capsys.readouterr().out


def test_a_single_conflict_set_is_a_smallest_one(capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = "2.13.1....31.4.."
    (conflict,) = explain(Board.from_symbols(FOUR, puzzle), conflicts=1).conflicts
    assert len(conflict.cells) == 3  # the one found fastest has 4
    assert main(["explain", puzzle, "--all", "--sets", "1"]) == 1
    assert "3 clues contradict" in capsys.readouterr().out


def test_command_explain_draws(tmp_path: Path) -> None:
    begins = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF", ".html": b"<!DOCTYPE"}
    for ending, begin in begins.items():
        target = tmp_path / f"board{ending}"
        several = [IMPOSSIBLE] if ending == ".html" else []
        assert main(["explain", *several, TWO, "-o", str(target)]) == 1
        assert target.read_bytes().startswith(begin)


def test_command_candidates(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["candidates", TWO, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["candidates"]["r4c2"] == ["2", "5"]
    assert record["witnesses"]["r4c2=5"][28] == "5"
    assert main(["candidates", IMPOSSIBLE]) == 1
    assert "no solution" in capsys.readouterr().out
