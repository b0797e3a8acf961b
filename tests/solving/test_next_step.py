"""Steps: each follows from its reason alone, no fact of a reason can be left out, and paths end in the solution."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations, count
from pathlib import Path
from random import Random
from statistics import correlation

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from generation.images import image
from gridproof import Board, Geometry, Limits, backends, parse
from gridproof.cli import main
from gridproof.errors import Interrupted
from gridproof.experiments.instances import instance
from gridproof.limits import Watch
from gridproof.solving import Fact, Step, rate, steps
from gridproof.solving import path as solving_path
from gridproof.solving.path import SolvingPath
from gridproof.solving.patterns import patterns
from gridproof.trust.check import is_solution
from gridproof.trust.checked_board import state_for_checker

EASY = "......3542.95......3...8...4..1....8....82....2...5.13.42...9......79.6.8..6....."
HARD = ".5..846........5......72.486....5....73.2....9..1....38.54..37...93.........58..."
RULES = ["thermometer r4c1 r4c2 r3c2", "killer 3 r1c1 r1c2", "killer 6 r2c2 r2c3", "killer 5 r3c4 r4c4"]


def check_reason(step: Step) -> None:
    """Check with another solver, for which the checker of certificates states the rules: enough, and minimal."""
    board, n = step.position.board, step.position.board.geometry.symbol_count
    x = [[cell * n + s for s in range(n + 1)] for cell in range(board.geometry.cell_count)]
    clauses: list[Sequence[int]] = []
    for cell, mask in enumerate(step.position.candidates):
        clauses += [(-one, -other) for one, other in combinations(x[cell][1:], 2)]
        clauses += [(-x[cell][s],) for s in range(1, n + 1) if not mask >> (s - 1) & 1]
    switch = {fact: 10_000 + number for number, fact in enumerate({*step.reason, *step.pattern})}
    for fact in switch:
        clauses += [(*clause, -switch[fact]) for clause in stated(board, fact, x)]
    with backends.find("cadical153").incremental(clauses) as solver:

        def enough(chosen: Sequence[Fact]) -> bool:
            goals = [[-x[c][s]] for c, s in step.placed] + [[x[c][s]] for c, s in step.removed]
            return not any(solver.solve([*(switch[fact] for fact in chosen), *goal]) for goal in goals or [[]])

        assert enough(step.reason)
        whole = switch.copy()
        for fact in step.facts:
            if fact.kind == "once" and (symbols := step.shown_reason.held_once(fact.number)):
                switch[fact] += 1_000
                clauses = [clause for clause in stated(board, fact, x) if (-clause[0] - 1) % n + 1 in symbols]
                for clause in clauses:
                    solver.add([*clause, -switch[fact]])
        assert enough(step.facts), "houses hold those symbols once that are named"
        switch.update(whole)
        assert not step.name or enough(step.pattern)
        assert not any(enough([fact for fact in step.reason if fact != left_out]) for left_out in step.reason)


def stated(board: Board, fact: Fact, x: list[list[int]]) -> Iterator[Sequence[int]]:
    """The clauses of a fact."""
    if fact.kind == "rule":
        yield from rule_clauses(board, fact.number)
        yield from (tuple(x[cell][1:]) for cell in board.rules[fact.number].scope(board.geometry))
    elif fact.kind == "cell":
        yield tuple(x[fact.number][1:])
    elif fact.kind == "place":
        yield tuple(x[cell][fact.symbol] for cell in board.geometry.houses[fact.number].cells)
    else:
        for a, b in combinations(board.geometry.houses[fact.number].cells, 2):
            yield from ((-x[a][s], -x[b][s]) for s in board.geometry.symbols)


@cache
def rule_clauses(board: Board, number: int) -> list[list[int]]:
    bare = state_for_checker(Board.empty(board.geometry).with_rules(board.rules))
    fresh = count(1_000 * (number + 1))  # each rule has further variables of its own
    return [clause for part in bare.rules[number].parts for clause in bare.unrolled.clauses(part, fresh)]


def spearman(ours: list[float], theirs: list[float]) -> float:
    def ranks(values: list[float]) -> list[float]:
        places = sorted(values)
        return [places.index(value) + (places.count(value) - 1) / 2 for value in values]

    return correlation(ranks(ours), ranks(theirs))


def check_path(board: Board) -> list[Step]:
    path = list(steps(board))
    (grid,) = gridproof.solutions(board)
    for step in path:
        assert all(grid[cell] == symbol for cell, symbol in step.placed)
        assert all(grid[cell] != symbol for cell, symbol in step.removed)
        check_reason(step)
    placed = dict(one for step in path for one in step.placed)
    full = tuple(clue or placed.get(cell, 0) for cell, clue in enumerate(board.clues))
    assert is_solution(board, full)
    return path


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 10**6))
def test_reasons_are_enough_and_minimal_and_the_path_ends_in_the_solution(seed: int) -> None:
    board = instance("sudoku", Geometry.classic(2, 3), 0.6, seed=seed).board
    if gridproof.verify(board).is_unique:
        check_path(board)
    else:
        assert rate(board).verdict == "multiple"


def test_a_path_with_rules() -> None:
    path = check_path(Board.empty(Geometry.classic(2)).with_rules(RULES))
    assert {fact.kind for step in path for fact in step.reason} >= {"rule", "place"}


def test_the_sentence_of_a_rule_names_what_it_leaves() -> None:
    board = Board.empty(Geometry.classic(2)).with_rules(["killer 3 r1c1 r1c2"])
    step = next(steps(board))
    assert step.sentence() == (
        "killer combination: r1c1 and r1c2 can only be 1 or 2, "
        "because the killer cage r1c1 r1c2 sums to 3: only 1+2 is left"
    )
    assert step.hint(1) == "look at the killer rule at r1c1 r1c2"
    assert step.hint(2) == "killer combination: the killer cage r1c1 r1c2 sums to 3"
    assert step.cells == (0, 1)


@pytest.mark.parametrize(
    ("clues", "rule"),
    [
        ("..1..........3..", "row-indexer r1c1 r2c1"),  # r2c1 may also be 3, with a 2 elsewhere in its row
        ("1..............2", "row-indexer r1c1 r2c1"),
        ("1..............2", "column-indexer r1c1 r1c2"),
        ("..1..........3..", "maximum r1c1 r1c2"),
    ],
)
def test_nothing_is_left_of_a_rule_that_looks_at_cells_which_it_does_not_name(clues: str, rule: str) -> None:
    board = Board.from_symbols(Geometry.latin(4), clues).with_rule(rule)
    sentences = [step.sentence() for step in steps(board)]
    assert any(board.rules[0].sentence(board.geometry) in sentence for sentence in sentences)
    assert not any("left" in sentence.partition(board.rules[0].sentence(board.geometry))[2] for sentence in sentences)


def test_a_rule_is_not_tried_on_a_grid_with_empty_cells() -> None:
    """The numbers of neighbours are divided by each other, and an empty cell holds 0."""
    board = Board.from_symbols(Geometry.latin(4), "..1..........3..").with_rule("negative-ratio 3 r1c1 r1c2")
    for step in steps(board):
        assert step.hint(2)
        assert step.as_dict()["sentence"] == step.sentence()


@pytest.mark.slow
@pytest.mark.parametrize("text", [EASY, HARD])
def test_a_turned_and_relabelled_puzzle_has_the_same_path_of_costs(text: str) -> None:
    def costs(puzzle: Board) -> list[tuple[int, float, int]]:
        return sorted((step.round, step.cost, len(step.removed)) for step in steps(puzzle))

    board = parse(text)
    transposed = replace(board, clues=tuple(board.clues[cell % 9 * 9 + cell // 9] for cell in range(81)))
    assert costs(transposed) == costs(board)
    assert all(costs(image(transposed, Random(seed))) == costs(board) for seed in range(2))


def test_a_transposed_puzzle_with_rules_has_the_same_path_of_costs() -> None:
    def costs(rules: list[str]) -> list[tuple[int, float, int]]:
        board = Board.empty(Geometry.classic(2)).with_rules(rules)
        return sorted((step.round, step.cost, len(step.removed)) for step in steps(board))

    assert costs(RULES) == costs([re.sub(r"r(\d)c(\d)", r"r\2c\1", rule) for rule in RULES])


def test_a_declined_step_is_not_offered_again() -> None:
    path = steps("1... ..2. .3.. ...4")
    first = next(path)
    others = [path.send(False), *path]
    assert first.placed not in [step.placed for step in others]


def test_a_wrong_entry_or_mark_comes_first() -> None:
    board = parse("1... ..2. .3.. ...4")
    right = next(iter(gridproof.solutions(board)))
    wrong = board.with_filled([0, 5 - right[1] if right[1] != 5 - right[1] else 1, *[0] * 14])
    first = next(steps(wrong))
    assert first.restored == ((1, right[1]),)
    assert first.sentence().endswith(f"was entered in r1c2, but every solution has {right[1]} there")
    assert first.hint(1) == "look at r1c2"
    assert first.hint(2) == f"{wrong.filled[1]} was entered in r1c2, which is wrong"
    assert first.hint(3) == first.sentence()
    assert first.cells_of_hint(1) == {1}
    marked = board.with_marks([15 & ~(1 << (right[1] - 1)) if cell == 1 else 15 for cell in range(16)])
    path = list(steps(marked))
    assert path[0].sentence() == f"{right[1]} was removed from r1c2, but every solution has it there"
    assert (1, right[1]) in {one for step in path for one in step.placed}


def test_a_declined_mistake_stays_on_the_board() -> None:
    """The same holds where another one is mended afterwards."""
    board = parse("1... ..2. .3.. ...4")
    right = next(iter(gridproof.solutions(board)))
    path = steps(board.with_filled([0, right[1] % 4 + 1, right[2] % 4 + 1, *[0] * 13]))
    assert next(path).restored == ((1, right[1]),)
    second = path.send(False)
    assert second.restored == ((2, right[2]),)
    assert second.position.entries[1] == right[1] % 4 + 1
    assert [step.is_contradiction for step in path][-1:] == [True]


def test_where_nothing_follows_there_are_no_steps() -> None:
    assert list(steps("." * 16)) == []
    assert rate("11.. .... .... ....").verdict == "none"


@pytest.mark.parametrize(
    ("clues", "rules", "reason"),
    [
        ("11.. .... .... ....", [], "box 1 holds 1 twice, in r1c1 and r1c2"),
        ("12.. ..3. ..4. ....", [], "r1c3 has no symbol left"),
        ("1... .... .1.. ....", ["even r2c3", "even r2c4"], "1 has no place in box 2"),
        ("." * 16, ["killer 3 r1c1 r1c2", "killer 7 r1c2 r1c3"], "r1c2 has no symbol left"),
        ("....1...........", ["killer 3 r1c1 r1c2"], "the killer cage r1c1 r1c2 sums to 3, with 1 gone"),
    ],
)
def test_without_a_solution_the_path_ends_in_a_contradiction(clues: str, rules: list[str], reason: str) -> None:
    *path, last = steps(parse(clues).with_rules(rules))
    assert not any(step.is_contradiction or step.has_solution for step in path)
    assert last.is_contradiction
    assert last.sentence().startswith(f"there is no solution, because {reason}")
    assert last.story_texts() == [last.sentence()]
    assert last.as_dict()["contradiction"] is True
    assert last.hint(1).startswith("look at ")
    assert "<svg" in str(last.picture())


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_each_step_to_a_contradiction_has_a_reason_and_a_story(seed: int) -> None:
    random = Random(seed)
    board = instance("sudoku", Geometry.classic(2, 3), 0.5, seed=seed).board
    cells = [cell for cell, clue in enumerate(board.clues) if clue]
    wrong = random.choice(cells)
    board = board.with_clue(wrong, board.clues[wrong] % 6 + 1)
    if gridproof.verify(board).status != "none":
        return
    path = list(steps(board))
    for step in path:
        assert step.story
        assert "open" not in [line.kind for line in step.story]
        if not step.is_contradiction or step.reason[0].kind != "once":
            check_reason(step)
    assert [step.is_contradiction for step in path] == [False] * (len(path) - 1) + [True]


def test_a_limit_acts_inside_a_round() -> None:
    with pytest.raises(Interrupted):
        list(steps(HARD, limits=Limits(seconds=0.02)))


@pytest.mark.slow
@pytest.mark.parametrize("allowed", [40, 400])
def test_what_was_found_before_a_limit_is_given(allowed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    looks = count()

    def look(watch: Watch) -> None:
        if next(looks) >= allowed:
            raise Interrupted("seconds", 1)

    whole = rate(HARD)
    monkeypatch.setattr(Watch, "look", look)
    found = list[Step]()
    with pytest.raises(Interrupted):
        found.extend(steps(HARD))
    assert found
    for step in found:
        check_reason(step)
    looks = count()
    rating = rate(HARD)
    assert rating.verdict == "undecided"
    assert rating.cost <= whole.cost


def test_names_stand_in_the_usual_order_and_fit_their_steps() -> None:
    assert [pattern.name for pattern in patterns()][:3] == ["full house", "hidden single", "naked single"]
    named = {step.name: step for step in steps(EASY)}
    assert {"full house", "hidden single", "pointing"} <= named.keys()
    assert [fact.kind for fact in named["pointing"].pattern] in (["place", "once"], ["once", "place"])


def test_ratings_order_puzzles() -> None:
    easy, hard = rate(EASY), rate(HARD)
    assert (easy.hardest, easy.name, easy.verdict) == (1.5, "pointing", "unique")
    assert hard.cost > easy.cost
    assert rate(replace(parse(EASY), filled=(0,) * 81)) == easy
    empty = rate("." * 16)
    assert (empty.verdict, empty.cost, empty.rounds, empty.times) == ("multiple", 0, 0, 0)
    assert str(empty).startswith("several solutions, steps up to easy: cost 0.000, ")
    none = rate("11" + "." * 14)
    assert (none.verdict, none.grade, none.as_dict()["grade"]) == ("none", "", "")
    assert str(none) == "none: there is no solution, so nothing to rate"


def test_commands(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        assert main(arguments) == 0
        return capsys.readouterr().out

    assert len(run("steps", EASY).splitlines()) > 50
    assert run("steps", "--hint", "1", EASY).startswith("look at ")
    assert json.loads(run("steps", "--next", "--json", EASY))["size"] == 1
    record = json.loads(run("rate", "--json", EASY))
    assert (record["grade"], record["cost"]) == ("medium", 1.501)
    assert run("rate", EASY).startswith("medium: cost 1.501, hardest step 1.5 (pointing)")
    pair = ["--rule", "killer 3 r1c1 r1c2", "." * 16]
    given = run("steps", "--hint", "2", "--svg", str(tmp_path / "svg"), "--html", str(tmp_path / "page.html"), *pair)
    assert given == "killer combination: the killer cage r1c1 r1c2 sums to 3\n"
    for drawn in (*(tmp_path / "svg").iterdir(), tmp_path / "page.html"):
        text = drawn.read_text(encoding="utf-8")
        assert "sums to 3" in text
        assert "can only be 1 or 2" not in text
    assert main(["steps", "." * 16]) == 1
    capsys.readouterr()
    assert main(["steps", "11" + "." * 14]) == 1
    assert capsys.readouterr().out.endswith("\nthere is no solution from here; `gridproof explain` shows why\n")
    assert main(["steps", "12" + "." * 14]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "no step: nothing more follows: there are several solutions"
    with pytest.raises(SystemExit):
        main(["steps", "--hint", "4", EASY])
    assert "(choose from '1', '2', '3')" in capsys.readouterr().err


@pytest.mark.slow
def test_a_puzzle_is_named_by_its_title_and_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    puzzle = gridproof.convert(replace(gridproof.read_puzzle(EASY), title="Monday"), "toml")
    Path("monday.toml").write_text(puzzle, encoding="utf-8")
    assert main(["rate", "-q", "monday.toml"]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith("medium  Monday (monday.toml, line 1): cost 1.501, ")
    assert printed.out.count("\n") == 1
    assert printed.err == ""
    assert main(["rate", "monday.toml"]) == 0
    assert "Monday" in capsys.readouterr().err
    link = gridproof.convert(EASY, "f-puzzles").strip()
    assert main(["rate", "-q", link]) == 0
    assert capsys.readouterr().out.startswith("medium: ")
    assert main(["rate", "-q", link, "monday.toml"]) == 0
    name = f"{link[:60]!r}... ({len(link)} characters)"
    assert capsys.readouterr().out.partition(": cost ")[0] == f"medium  {name}"


@pytest.mark.parametrize("command", ["rate", "steps", "explain", "candidates"])
def test_each_puzzle_of_a_file_is_named_by_its_line(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    puzzle = "1.....2..3.....4"
    Path("small.txt").write_text(f"{puzzle}\n\n{puzzle}\n")
    assert main([command, "-q", "small.txt"]) == 0
    shown = capsys.readouterr().out
    names = re.findall(r"small\.txt, line \d", shown)
    assert names == ["small.txt, line 1", "small.txt, line 3"]
    assert puzzle not in shown
    assert main([command, "-q", puzzle]) == 0
    assert "line" not in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("command", ["rate", "steps", "explain", "candidates"])
def test_no_headings_with_quiet(command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    puzzle = gridproof.convert(replace(gridproof.read_puzzle(EASY), title="Monday"), "toml")
    (tmp_path / "monday.toml").write_text(puzzle, encoding="utf-8")
    assert main([command, "-q", str(tmp_path / "monday.toml")]) == 0
    assert capsys.readouterr().err == ""


RATED = Path(__file__).resolve().parents[3] / "shared" / "data" / "rated9.txt"


@pytest.mark.slow
@pytest.mark.skipif(not RATED.is_file(), reason="the rated puzzles are not here")
def test_costs_go_with_published_ratings() -> None:
    """The test takes one puzzle of each rating."""
    lines = [line.split() for line in RATED.read_text().splitlines()][5::10]
    ours, theirs = (
        [float(value) for value in values] for values in zip(*((rate(p).cost, r) for p, r in lines), strict=True)
    )
    assert spearman(ours, theirs) > 0.85


def test_steps_do_not_wait_until_it_is_known_that_there_is_no_second_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    board = parse("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..")
    (grid,) = gridproof.solutions(board)
    with SolvingPath(board) as path:
        assert path.solution == dict(enumerate(grid))
    monkeypatch.setattr(solving_path, "MOST_CONFLICTS", 1)
    with SolvingPath(board) as path:
        assert path.solution == {}
        assert path.has_solution
        for _ in range(3):
            together = path.next_round()
            assert together
            for step in together:
                assert all(grid[cell] == symbol for cell, symbol in step.placed)
                assert all(grid[cell] != symbol for cell, symbol in step.removed)
                path.take(step)
    with pytest.raises(Interrupted):
        list(steps(board, limits=Limits(conflicts=1)))
