"""Puzzles that are made: one solution, minimal, symmetric, within their options, and the same for the same seed."""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import gridproof
from core_samples import JIGSAW
from gridproof import Board, Geometry
from gridproof.cli import main
from gridproof.errors import BoardError, DisagreementError, InputError
from gridproof.generation import by_solver, making, tally, top_down
from gridproof.generation.images import images
from gridproof.generation.in_lanes import full_grids
from gridproof.generation.killer import cages
from gridproof.generation.making import puzzles
from gridproof.generation.recipe import Generated, Recipe, orbits
from gridproof.lanes import MULTIPLE, UNIQUE, LaneEngine

NINE = Geometry.classic(3)
[OWN_KIND] = [path.name for path in (Path(__file__).parents[2] / "examples").glob("product.*")]

TURNED: dict[str, list[Callable[[Any], Any]]] = {
    "half-turn": [lambda grid: np.rot90(grid, 2)],
    "quarter-turn": [np.rot90],
    "horizontal": [np.flipud],
    "vertical": [np.fliplr],
    "diagonal": [np.transpose],
    "full": [np.rot90, np.flipud, np.transpose],
    "none": [],
}
"""For each symmetry the maps that turn the places of the clues into themselves."""


def needed(boards: Sequence[Board], groups: Sequence[Sequence[int]]) -> bool:
    """Return whether each board is unique, and has several solutions without the clues of any group."""
    engine = LaneEngine(boards[0].geometry)
    clues = np.array([board.clues for board in boards], np.uint8)
    fewer = []
    for group in groups:
        without = clues.copy()
        without[:, list(group)] = 0
        fewer.append(without[(clues != without).any(axis=1)])
    codes = engine.verify(np.concatenate(fewer)).codes
    return bool((engine.verify(clues).codes == UNIQUE).all() and (codes == MULTIPLE).all())


@pytest.mark.slow
@pytest.mark.parametrize("symmetry", TURNED)
def test_puzzles_are_unique_symmetric_and_minimal(symmetry: Any) -> None:
    made = list(puzzles(80, Recipe(shape=NINE, symmetry=symmetry, seed=3)))
    assert len({one.board for one in made}) == 80
    assert all(one.minimal for one in made)
    assert needed([one.board for one in made], orbits(9, symmetry))
    for one in made:
        places = np.array(one.board.clues).reshape(9, 9) > 0
        assert all((turn(places) == places).all() for turn in TURNED[symmetry])
    for one in made[:5]:
        verdict = gridproof.verify(one.board, "minisat22")
        assert (verdict.is_unique, verdict.solution) == (True, one.solution)


def test_orbits_are_those_of_pictures() -> None:
    for symmetry, turns in TURNED.items():
        for orbit in orbits(5, symmetry):  # type: ignore[arg-type]
            places = np.zeros(25, bool)
            places[list(orbit)] = True
            square = places.reshape(5, 5)
            assert all((turn(square) == square).all() for turn in turns)
    assert [len(orbits(9, symmetry)) for symmetry in TURNED] == [41, 21, 45, 45, 45, 15, 81]  # type: ignore[arg-type]


@pytest.mark.slow
def test_clue_counts_are_those_of_top_down_generators() -> None:
    counts = [board.clue_count for board in gridproof.generate(1500, seed=1)]
    assert 24.25 < fmean(counts) < 24.5  # published: 24.38, of a million
    assert 1.0 < stdev(counts) < 1.25  # published: 1.12


@pytest.mark.slow
def test_full_grids_of_order_4_are_nearly_uniform() -> None:
    """All 288, by Pearson's statistic: 287 degrees of freedom, beyond 400 in one of 100,000 runs."""
    grids, counts = np.unique(full_grids(Geometry.classic(2), 1, np.arange(28_800)), axis=0, return_counts=True)
    assert len(grids) == 288
    assert ((counts - 100.0) ** 2 / 100).sum() < 400


@pytest.mark.slow
def test_a_puzzle_depends_on_seed_and_number_alone() -> None:
    first = list(gridproof.generate(12, seed=1))
    assert list(gridproof.generate(5, seed=1)) == first[:5]
    assert not {*gridproof.generate(12, seed=2)} & {*first}
    [again] = top_down.attempts(Recipe(shape=NINE, seed=1), range(7, 8), tally.Tally())
    assert again.board == first[7]
    assert list(gridproof.generate()) != list(gridproof.generate())


def test_the_first_puzzles_come_before_a_whole_batch_is_made() -> None:
    for compiled, share in ((True, 4096), (False, 512)):
        made = puzzles(100_000, Recipe(shape=Geometry.classic(2), seed=1))
        with (
            patch("gridproof.lanes.is_compiled", return_value=compiled),
            patch.object(making, "make", wraps=making.make) as calls,
        ):
            assert [next(made).number for _ in range(2)] == [0, 1]
        assert [len(call.args[1]) for call in calls.call_args_list] == [share]


@pytest.mark.process
def test_jobs_change_nothing(tmp_path: Path) -> None:
    for name, jobs in (("one", "1"), ("two", "2")):
        options = [
            "9",
            "--boxes",
            "2x3",
            "--seed",
            "5",
            "--clues",
            "8..9",
            "--jobs",
            jobs,
            "-o",
            str(tmp_path / f"{name}.csv"),
        ]
        assert main(["generate", "-q", *options]) == 0
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


SHAPES = [
    Geometry.latin(4),
    Geometry.latin(7),
    Geometry.classic(2, 3),
    Geometry.classic(3, 4),
    Geometry.classic(4),
    Geometry.jigsaw(JIGSAW),
    NINE.with_diagonals(),
    NINE.with_windoku().with_disjoint_groups(),
]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.description)
def test_every_geometry(shape: Geometry) -> None:
    made = list(puzzles(1, Recipe(shape=shape, seed=2)))
    assert all(one.minimal and one.board.geometry == shape for one in made)
    for one in made:
        assert gridproof.verify(one.board).is_unique
        assert shape.order > 12 or gridproof.explain(one.board).is_minimal
    assert made == list(puzzles(1, Recipe(shape=shape, seed=2)))


@pytest.mark.parametrize("shape", [Geometry.classic(2, 3), Geometry.classic(2, 5)], ids=["lanes", "solver"])
def test_numbers_of_clues(shape: Geometry) -> None:
    room = shape.cell_count // 2
    some = list(puzzles(4, Recipe(shape=shape, clues=(room, room + 1), seed=1)))
    assert {one.board.clue_count for one in some} <= {room, room + 1}
    assert not any(one.minimal for one in some)
    [least] = puzzles(1, Recipe(shape=shape, seed=1))
    exact = next(puzzles(1, Recipe(shape=shape, clues=least.board.clue_count, minimal=True, seed=1)))
    assert exact.board == least.board


@pytest.mark.parametrize("shape", [Geometry.classic(2, 3), Geometry.classic(2, 5)], ids=["lanes", "solver"])
def test_clues_stand_where_the_pattern_has_room(shape: Geometry) -> None:
    n = shape.order
    pattern = "\n".join(["x" * n if row % 3 else "x" + "." * (n - 1) for row in range(n)])
    for board in gridproof.generate(3, shape=shape, pattern=pattern, symmetry="diagonal" if n == 6 else "none", seed=4):
        assert all(mark == "x" for mark, clue in zip("".join(pattern.split()), board.clues, strict=True) if clue)
        assert gridproof.verify(board).is_unique


def test_rules_bring_their_own_puzzles() -> None:
    made = list(puzzles(3, Recipe(shape=Geometry.classic(2, 3), rules="anti-knight", seed=1)))
    for one in made:
        assert [rule.kind for rule in one.board.rules] == ["anti-knight"]
        assert gridproof.explain(one.board).redundant == ()
    [alone] = puzzles(5, Recipe(shape=Geometry.latin(2), rules="killer 1 r1c1"))
    assert (alone.board.clue_count, tuple(alone.solution)) == (0, (1, 2, 2, 1))
    with pytest.raises(InputError, match="expected rules that some grid keeps"):
        next(gridproof.generate(rules=["killer 3 r1c1 r1c2", "killer 3 r1c2 r1c3"]))


def test_killer_puzzles_have_cages_alone() -> None:
    made = list(puzzles(3, Recipe(shape=Geometry.classic(2, 3), killer=True, seed=1)))
    assert len({one.board for one in made}) == 3
    for one in made:
        cells = [cell for rule in one.board.rules for cell in rule.cells]  # type: ignore[attr-defined]
        assert sorted(cells) == list(range(36))
        assert one.board.clue_count == 0
        assert gridproof.verify(one.board).solution == one.solution


def test_cages_are_connected_and_hold_no_symbol_twice() -> None:
    grid = tuple(full_grids(NINE, 1, np.arange(1))[0].tolist())
    for seed in range(20):
        for cage in cages(NINE, grid, Random(seed)):
            assert len({grid[cell] for cell in cage}) == len(cage)
            reached = {cage[0]}
            while (
                more := {c for c in cage for r in reached if abs(c // 9 - r // 9) + abs(c % 9 - r % 9) == 1} - reached
            ):
                reached |= more
            assert len(reached) == len(cage)


def test_no_puzzle_is_equal_to_one_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    four = Geometry.classic(2)
    before = list(gridproof.generate(3, shape=four, distinct=True, seed=1))
    forms = {gridproof.canonical(board).board for board in before}
    usual = list(gridproof.generate(8, shape=four, seed=2))
    assert {gridproof.canonical(board).board for board in usual} & forms
    path = tmp_path / "train.txt"
    path.write_text("".join(f"{next(images(board, 1)).board.text()}\n" for board in before) + "1...............\n")
    made = list(gridproof.generate(8, shape=four, seed=2, unlike=before))
    assert not {gridproof.canonical(board).board for board in made} & forms
    assert main(["generate", "8", "--order", "4", "--seed", "2", "--unlike", str(path), "-q"]) == 0
    assert capsys.readouterr().out.split() == [board.text() for board in made]


def test_distinct_puzzles_have_different_forms() -> None:
    four = Geometry.classic(2)
    some = list(gridproof.generate(40, shape=four, seed=1))
    forms = [gridproof.canonical(board).board for board in some]
    others = list(gridproof.generate(8, shape=four, distinct=True, seed=1))
    assert len({*forms}) < 40
    assert len({gridproof.canonical(board).board for board in others}) == 8
    assert others == [board for at, board in enumerate(some) if forms[at] not in forms[:at]][:8]
    cages = list(gridproof.generate(3, killer=True, distinct=True, shape=four, seed=2))
    assert len({gridproof.canonical(board).digest for board in cages}) == 3
    knights = list(gridproof.generate(5, rules="anti-knight", distinct=True, shape=Geometry.classic(2, 3), seed=2))
    unlike = gridproof.generate(3, rules="anti-knight", unlike=knights, shape=Geometry.classic(2, 3), seed=2)
    known = {gridproof.canonical(board).digest for board in knights}
    assert known.isdisjoint(gridproof.canonical(board).digest for board in unlike)
    crooked = Geometry.jigsaw("AAAA BBBC BDCC DDDC")
    with pytest.raises(BoardError, match="no canonical form of this board"):
        next(gridproof.generate(shape=crooked, rules="killer 3 r1c1 r1c2", distinct=True))


def test_what_the_solver_does_not_decide_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(by_solver, "MOST_CONFLICTS", 2)
    made = next(puzzles(1, Recipe(shape=Geometry.classic(2, 5), seed=1)))
    assert not made.minimal
    assert gridproof.verify(made.board).is_unique
    recipe = Recipe(shape=Geometry.classic(2, 5), minimal=True, seed=1)
    with pytest.raises(StopIteration):
        next(iter(top_down.attempts(recipe, range(1), tally.Tally())))


def test_with_rules_clues_stay_that_keep_each_step_within_the_grade() -> None:
    recipe = Recipe(shape=Geometry.classic(2, 3), rules="anti-knight", grade="easy", seed=3)
    [made] = puzzles(1, recipe)
    assert made.rating is not None
    assert made.rating == gridproof.rate(made.board)
    assert made.rating.grade == "easy"
    clues = made.board.clues
    for cell in range(36):
        fewer = [0 if other == cell else symbol for other, symbol in enumerate(clues)]
        rating = gridproof.rate(Board(made.board.geometry, tuple(fewer), rules=made.board.rules))
        assert not clues[cell] or rating.verdict != "unique" or rating.hardest > recipe.most_cost


def test_minimal_puzzles_with_rules_have_no_clue_for_their_grade() -> None:
    recipe = Recipe(shape=Geometry.classic(2, 3), rules="anti-knight", cost=(0, 9), minimal=True, seed=3)
    [made] = puzzles(1, recipe)
    assert made.minimal
    assert gridproof.explain(made.board).is_minimal


@pytest.mark.parametrize("grade", ["easy", "medium"])
def test_killer_puzzles_have_smaller_cages_for_lower_grades(grade: str) -> None:
    recipe = Recipe(shape=Geometry.classic(2, 3), killer=True, grade=grade, seed=1)
    [made] = puzzles(1, recipe)
    assert gridproof.rate(made.board).grade == grade
    assert gridproof.verify(made.board).solution == made.solution


@pytest.mark.slow
def test_costs() -> None:
    made = list(puzzles(3, Recipe(shape=Geometry.classic(2, 3), cost=(2, 5), seed=1)))
    assert all(one.rating and 2 <= one.rating.hardest <= 5 for one in made)
    assert [gridproof.rate(one.board) for one in made] == [one.rating for one in made]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clues": (30, 20)}, r"clues \(30, 20\); expected a whole number, or the least and the most of a range"),
        ({"clues": 82}, "at least 82 clues; expected at most 81, which have a place"),
        ({"pattern": "x..x"}, "a pattern of 4 characters, 'x..x'...; expected 81: one for each cell"),
        ({"pattern": "." * 81}, "another one elsewhere"),
        ({"symmetry": "half"}, "the symmetry 'half'; did you mean half-turn"),
        ({"symmetry": "180"}, r"the symmetry '180'; did you mean half-turn\? Expected one of half-turn, quarter-turn"),
        ({"symmetry": "Rotational"}, "did you mean half-turn"),
        ({"symmetry": "90°"}, "did you mean quarter-turn"),
        ({"clues": 16}, "at most 16 clues on a board of 9x9, 3x3 boxes; expected 17 or more: fewer never do"),
        ({"clues": 1.5}, "clues 1.5; expected a whole number, or the least and the most of a range"),
        ({"clues": True}, "clues True; expected a whole number"),
        ({"clues": -0.0}, "clues -0.0; expected a whole number"),
        ({"clues": (17, 1.5)}, r"clues \(17, 1.5\); expected a whole number"),
        ({"cost": float("nan")}, "cost nan; expected a number"),
        ({"cost": True}, "cost True; expected a number"),
        ({"grade": "esay"}, r"the grade 'esay'; did you mean easy\? Expected one of easy, medium, hard, fiendish"),
        ({"grade": "easy", "cost": 1}, "a grade and a cost; expected one of them"),
        ({"patience": 0}, "patience 0; expected seconds above zero"),
        ({"killer": True, "clues": 24}, "killer with clues, pattern or symmetry; expected none of them"),
        ({"killer": True, "shape": Geometry.classic(4)}, "killer on a board of order 16; expected at most 12"),
        ({"seed": -1}, "seed -1; expected a whole number from 0"),
        ({"clues": "24"}, "clues '24'; expected a whole number"),
        ({"colour": 1}, "no option is called 'colour'; expected one of shape, rules"),
        ({"count": 0}, "count is 0; expected a whole number of at least 1"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        next(gridproof.generate(**options))


@pytest.mark.slow
def test_options_that_no_puzzle_has_end_with_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "IN_LANES", making.Way(4096, 100))
    gave = r"no puzzle like this in \d+ s \(0 puzzles before\), \d+ attempts: \d+ puzzles of 8 to 1\d clues; expected"
    with pytest.raises(InputError, match=gave):
        next(gridproof.generate(shape=Geometry.classic(2, 3), clues=(6, 7), seed=1))
    assert making.RATED_WITH_RULES.in_a_row <= 500, "half a second each"
    monkeypatch.setattr(making, "RATED_WITH_RULES", making.Way(8, 9))
    with pytest.raises(InputError, match=r"\d+ attempts: \d+ puzzles of .* clues; cost .*; expected options"):
        next(gridproof.generate(shape=Geometry.classic(2), rules="anti-knight", cost=(90, 99), seed=1))


def test_a_wait_is_reported_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(1000))
    monkeypatch.setattr(tally, "monotonic", lambda: float(next(clock)))
    lines: list[str] = []
    recipe = Recipe(shape=Geometry.classic(2), rules="anti-knight", cost=(90, 99), seed=1)
    with pytest.raises(InputError, match=r"no puzzle like this in 3\d s \(0 puzzles before\), \d+ attempts"):
        next(puzzles(1, recipe, patience=30, report=lines.append))
    times = [int(re.findall(r"in (\d+) s", line)[0]) for line in lines]
    assert [line.partition(";")[0] for line in lines] == ["0 puzzles so far"] * 2
    assert 2 <= times[0] < 8 <= times[1] < 32
    assert all(re.search(r"attempts?: \d puzzles? of .* clues; cost \d\.\d", line) for line in lines), lines


@pytest.mark.process
def test_a_wait_for_other_processes_ends_too() -> None:
    recipe = Recipe(shape=Geometry.classic(2), rules="anti-knight", cost=(90, 99), seed=1)
    with pytest.raises(InputError, match="no puzzle like this in 1 s"):
        next(puzzles(9, recipe, jobs=2, patience=1))


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["anti-knight", "nonconsecutive", "disjoint-groups", "anti-king"])
def test_grids_under_rules_are_spread(rule: str) -> None:
    grids = set()
    for seed in range(6):
        with by_solver.Attempt(Recipe(rules=rule, seed=seed), 0) as attempt:
            grids.add(tuple(attempt.grid))
    assert len(grids) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("rule", ["anti-knight", "disjoint-groups"])
def test_a_hundred_grids_under_rules_are_spread(rule: str) -> None:
    grids = set()
    for seed in range(100):
        with by_solver.Attempt(Recipe(rules=rule, seed=seed), 0) as attempt:
            grids.add(tuple(attempt.grid))
    assert len(grids) >= 90


def test_a_cost_is_that_of_the_hardest_step_however_often_it_is_needed() -> None:
    [made] = puzzles(1, Recipe(shape=NINE, cost=(1, 1.1), seed=1))
    assert made.rating is not None
    assert made.rating.hardest <= 1.1 < made.rating.cost


@pytest.mark.parametrize("grade", ["easy", "medium", "hard"])
def test_grades(grade: str) -> None:
    recipe = Recipe(shape=Geometry.classic(2, 3), grade=grade, seed=2)
    for made in puzzles(2, recipe):
        rating = gridproof.rate(made.board)
        assert rating.grade == grade
        assert rating == made.rating


def test_a_puzzle_with_another_solution_than_its_own_is_a_disagreement(monkeypatch: pytest.MonkeyPatch) -> None:
    def liar(*arguments: Any) -> list[Generated]:
        [made] = honest(*arguments)
        cell = next(cell for cell, clue in enumerate(made.board.clues) if clue)
        return [replace(made, board=made.board.without_clue(made.board.geometry.cell_name(cell)))]

    honest = top_down.attempts
    monkeypatch.setattr(top_down, "attempts", liar)
    with pytest.raises(DisagreementError, match="was made with one solution, but it is multiple"):
        next(gridproof.generate(seed=1))


def test_the_command_has_the_options_of_a_recipe() -> None:
    parser = argparse.ArgumentParser()
    import_module("gridproof.cli.generate").configure(parser)
    options = {action.dest for action in parser._actions}
    shapes = {"boxes", "jigsaw", "latin", "size", "digits", "diagonal", "windoku", "disjoint", "order", "rule"}
    output = {"help", "output", "force", "quiet", "per_page", "html", "title", "rate"}
    output |= {"to", "columns", "split", "steps", "symbols"}
    fields = Recipe.__dataclass_fields__.keys() - {"shape", "rated"}
    assert options - shapes - output == fields | {"count", "distinct", "unlike", "jobs", "patience"}


# ---- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_tables(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = tmp_path / f"made.{ending}", tmp_path / "made.html"
    command = ["generate", "3", "--boxes", "2x3", "--seed", "9", "--rate", "-o", str(path), "--html", str(page)]
    assert main([*command, "--title", "Three & more"]) == 0
    if ending == "csv":
        rows: list[dict[str, Any]] = list(csv.DictReader(path.read_text().splitlines()))
    elif ending == "jsonl":
        rows = list(map(json.loads, path.read_text().splitlines()))
    else:
        rows = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
    shape = Geometry.classic(2, 3)
    for row, board in zip(rows, gridproof.generate(3, shape=shape, seed=9), strict=True):
        assert gridproof.parse(row["puzzle"], shape) == board
        assert tuple(map(int, row["solution"])) == gridproof.solve(board)
        assert (int(row["clues"]), int(row["seed"]), row["minimal"]) == (board.clue_count, 9, "yes")
        rating = gridproof.rate(board)
        assert (row["grade"], float(row["cost"])) == (rating.grade, rating.cost)
    text = page.read_text()
    assert "<h1>Three &amp; more</h1>" in text
    assert text.count("<svg") == 6
    assert text.index("Solutions</h1>") > text.index("3 · easy<")
    assert "cost" not in text
    assert main(command) == 2
    assert "exists already; expected --force to overwrite it" in capsys.readouterr().err


def test_lines_can_be_read_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "2", "--boxes", "2x3", "--rule", "anti-knight", "--seed", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    made = list(gridproof.generate(2, shape=Geometry.classic(2, 3), rules="anti-knight", seed=1))
    assert [gridproof.parse(line) for line in lines] == made
    assert main(["generate", "--order", "4"]) == 0
    output = capsys.readouterr()
    seed = output.err.split()[-1]
    assert main(["generate", "--order", "4", "--seed", seed]) == 0
    assert capsys.readouterr() == (output.out, "")


def check_read(path: Path, board: Board) -> None:
    """A kind of one's own is another class whenever its file is read, so boards are compared by what they state."""
    again = gridproof.parse(path)
    assert (again.clues, [str(rule) for rule in again.rules]) == (board.clues, [str(rule) for rule in board.rules])
    assert gridproof.verify(again).is_unique


def test_puzzles_of_every_kind_of_rule_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    own = Path(__file__).parents[2] / "examples" / OWN_KIND
    Path(OWN_KIND).write_bytes(own.read_bytes())
    rules = ["nabner r1c1-r1c3", f"./{OWN_KIND} 8 r2c1 r2c2"]
    shape = Geometry.classic(2, 3)
    command = ["generate", "-q", "--boxes", "2x3", "--seed", "3", "--rule", rules[0], "--rule", rules[1]]
    made = list(gridproof.generate(2, shape=shape, rules=rules, seed=3))
    assert main(command) == 0
    path = tmp_path / "printed.toml"
    path.write_text(capsys.readouterr().out)
    check_read(path, made[0])
    assert main([*command[:1], "2", *command[1:]]) == 0
    printed = capsys.readouterr().out
    table = tmp_path / "made.jsonl"
    assert main([*command[:1], "2", *command[1:], "-o", str(table)]) == 0
    assert table.read_text() == printed
    rows = [json.loads(line) for line in printed.splitlines()]
    for row, board in zip(rows, made, strict=True):
        path.write_text(row["puzzle"])
        check_read(path, board)
    assert rows[0]["rule_list"] == [
        {"kind": "nabner", "lines": [["r1c1", "r1c2", "r1c3"]]},
        {"kind": OWN_KIND, "most": 8, "lines": [["r2c1", "r2c2"]]},
    ]
    assert main([*command, "-o", str(tmp_path / "made.toml")]) == 0
    check_read(tmp_path / "made.toml", made[0])


def test_the_rules_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.toml"
    board = Board.empty(Geometry.classic(2, 3)).with_rules("anti-knight")
    path.write_text(gridproof.convert(board, "toml"))
    assert main(["generate", "--rules", str(path), "--seed", "1"]) == 0
    assert gridproof.parse(capsys.readouterr().out) == next(
        gridproof.generate(1, shape=board.geometry, rules="anti-knight", seed=1)
    )
    path.write_text(gridproof.convert(Board.empty(Geometry.latin(2)).with_rules("killer 1 r1c1"), "toml"))
    assert main(["generate", "2", "--rules", str(path), "--seed", "1"]) == 1
    assert "no clues are needed: the rules leave exactly one solution" in capsys.readouterr().err
    path.write_text(gridproof.convert("1... .... .... ....", "toml"))
    assert main(["generate", "--rules", str(path)]) == 2
    assert "a puzzle with clues or pencil marks; expected shape and rules alone" in capsys.readouterr().err


def test_ctrl_c_keeps_what_is_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*arguments: Any, **options: Any) -> Any:
        yield from list(puzzles(*arguments, **options))[:3]
        raise KeyboardInterrupt

    monkeypatch.setattr("gridproof.generation.making.puzzles", interrupted)
    path, page = tmp_path / "made.csv", tmp_path / "made.html"
    assert main(["generate", "9", "--order", "4", "-o", str(path), "--html", str(page)]) == 130
    assert len(path.read_text().splitlines()) == 4
    assert page.read_text().count("<svg") == 6
    assert "interrupted" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--clues 24-26", "argument --clues: '24-26'; expected a number, or MIN..MAX"),
        ("--symmetry half", "the symmetry 'half'; did you mean half-turn?"),
        ("2 --order 4 -o made.toml", "2 puzzles in made.toml, a file of one; expected a name that ends in .jsonl"),
        ("-o made.doc", "expected a name that ends in .parquet, .pq, .csv, .jsonl"),
        ("--pattern nothing.txt", "No such file"),
        ("--boxes 2x3 --order 9", "--order 9 with a board of 6x6, 2x3 boxes; expected no --order, or the same"),
        ("--html nosuch/made.html", "nosuch/made.html is in no folder; expected a name in a folder that exists"),
    ],
)
def test_options_that_are_wrong(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["generate", *[word.replace("_", " ") for word in arguments.split()]])
    except SystemExit as leave:
        code = int(leave.code or 0)
    assert code == 2
    assert message in capsys.readouterr().err
