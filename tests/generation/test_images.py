"""Images of puzzles: different, right, the same for a seed; with rules only by symmetries that keep them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pandas
import pytest

import gridproof
from gridproof import Geometry, images, parse, verify
from gridproof.cli import main
from gridproof.errors import BoardError, InputError
from gridproof.formats import datasets
from gridproof.generation.images import image_lines
from gridproof.generation.symmetries import Renames, Symmetry, kept_moves, move_rule
from gridproof.puzzle.board import Board
from gridproof.rules import Rule, all_kinds
from gridproof.trust.check import is_solution
from rules.random_rules import grids, random_rule

FOUR = Geometry.classic(2)


@pytest.mark.parametrize(
    "geometry", [FOUR, Geometry.classic(2, 3), Geometry.classic(3), Geometry.latin(5), Geometry.classic(4)], ids=repr
)
def test_images_of_a_classic_board(geometry: Geometry) -> None:
    grid = gridproof.solve(Board.empty(geometry))
    assert grid is not None
    random = Random(1)
    board = Board(geometry, tuple(symbol if random.random() < 0.6 else 0 for symbol in grid))
    made = list(images(board, 40, seed=3, solution=grid))
    assert len({image.board for image in made} | {board}) == 41
    assert all(image.solution is not None and is_solution(image.board, image.solution) for image in made)
    assert {image.board.clue_count for image in made} == {board.clue_count}
    assert made == list(images(board, 40, seed=3, solution=grid))
    assert made != list(images(board, 40, seed=4, solution=grid))
    texts: list[str] = []
    for puzzles, _ in image_lines(board, 40, 3, None):
        texts += puzzles
    assert texts == [image.board.text() for image in made]


def test_images_have_the_form_of_the_puzzle() -> None:
    for board in datasets.load("hard")[:3]:
        form = gridproof.canonical(board).board
        for image in images(board, 3, seed=1):
            assert gridproof.canonical(image.board).board == form


def test_a_board_without_enough_images_is_refused() -> None:
    with pytest.raises(InputError, match="expected at most 0"):
        list(images(Board.empty(FOUR), 1))
    diagonals = Board.empty(FOUR.with_diagonals())
    with pytest.raises(InputError, match="expected at most 0"):
        list(images(diagonals, 1))
    with pytest.raises(InputError, match="expected at most 7"):
        list(images(Board.empty(FOUR).with_rules("killer 3 r1c1 r1c2 r2c2"), 100))


def test_a_board_that_no_symmetry_keeps_is_refused() -> None:
    geometry = Geometry.jigsaw("AAAA BBBC BDCC DDDC")
    board = Board.empty(geometry).with_rules("killer 3 r1c1 r1c2")
    with pytest.raises(BoardError, match="no turn, no mirror image and no other names"):
        list(images(board, 1))


def test_marks_and_entries_go_along() -> None:
    board = parse("1... ..2. .3.. ...4").with_marks([7] + [15] * 14 + [12])
    (image,) = images(board, 1, seed=5)
    assert image.board.marks is not None
    assert sorted(mask.bit_count() for mask in image.board.marks) == [2, 3] + [4] * 14
    solution = verify(board).solutions[0]
    (image,) = images(board, 1, seed=5, solution=solution)
    assert is_solution(image.board, image.solution)


@pytest.mark.parametrize("kind", all_kinds().values(), ids=lambda kind: kind.kind)
def test_a_symmetry_that_keeps_a_rule_keeps_its_truth(kind: type[Rule]) -> None:
    """Every grid keeps the rule exactly if its image keeps the image of the rule, by ``holds``."""
    random = Random(f"images {kind.kind}")
    for _ in range(4):
        rule = random_rule(kind, FOUR, random)
        board = Board.empty(FOUR).with_rules([rule])
        (rule,) = board.rules
        renames = Renames(board)
        tried: list[Any] = random.sample(grids(FOUR), 60)
        for source in kept_moves(board):
            symmetry = Symmetry(source, renames.choose(random))
            (moved,) = Board.empty(FOUR).with_rules([move_rule(rule, symmetry.place)]).rules
            for grid in tried:
                turned: Any = symmetry.of_grid(grid)
                assert rule.holds(grid, FOUR) == moved.holds(turned, FOUR), (rule, source)


def test_rules_about_digits_keep_their_digits() -> None:
    assert Renames(Board.empty(FOUR).with_rules("anti-knight")).is_free
    whispers = Renames(Board.empty(FOUR).with_rules("whispers 2 r1c1-r1c3"))
    assert (whispers.is_free, whispers.can_reverse) == (False, True)
    cage = Renames(Board.empty(FOUR).with_rules("killer 3 r1c1 r1c2"))
    assert not cage.any
    assert Renames(Board.empty(FOUR).with_rules("clone r1c1-r1c2 / r3c2-r3c3")).is_free


def test_a_negative_rule_finds_its_dots_in_the_image() -> None:
    board = Board.empty(FOUR).with_rules(["ratio 2 r1c1 r1c2", "negative-ratio 2"])
    for image in images(board, 3, seed=1):
        some: Any = grids(FOUR)[:50]
        for grid in some:
            assert len(image.board.rules) == 2
            assert image.board.rules[1].holds(grid, FOUR) == image.board.rules[1].complete(
                image.board.rules, FOUR
            ).holds(grid, FOUR)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    puzzle = "1.....2..3.....4"
    assert main(["images", puzzle, "-n", "3", "--seed", "1"]) == 0
    lines = capsys.readouterr().out.split()
    assert len(set(lines)) == 3
    path = tmp_path / "images.csv"
    assert main(["images", puzzle, "-n", "3", "--seed", "1", "-o", str(path)]) == 0
    table = pandas.read_csv(path, dtype=str)
    assert table.puzzle.to_list() == lines
    assert all(verify(row.puzzle).solutions[0] == parse(row.solution).clues for row in table.itertuples())
    rules = tmp_path / "rules.jsonl"
    assert main(["images", puzzle, "--rule", "anti-king", "-n", "2", "-o", str(rules)]) == 1
    rows = [json.loads(line) for line in rules.read_text().splitlines()]
    assert [row["rule_list"] for row in rows] == [[{"kind": "anti-king"}]] * 2
    assert main(["images", puzzle, "-o", str(path)]) == 2
    assert "exists" in capsys.readouterr().err
