"""Random boards for experiments: what they must keep, and that the same parameters make the same board."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli_runner import run
from gridproof import Geometry, formats
from gridproof.errors import InputError
from gridproof.experiments.instances import KINDS, Kind, instance
from gridproof.experiments.sets import load_sets
from gridproof.generation.grids import random_grid
from gridproof.trust.check import is_solution
from ground_truth import solutions

SHAPES = [Geometry.latin(1), Geometry.latin(2), Geometry.latin(7), Geometry.classic(2), Geometry.classic(2, 5)]
KIND_NAMES = get_args(Kind)


def shape(kind: Kind) -> Geometry:
    return Geometry.classic(2, 3) if kind == "sudoku" else Geometry.latin(6)


@pytest.mark.parametrize("geometry", SHAPES, ids=str)
@given(seed=st.integers(0, 10**6))
def test_a_random_grid_is_a_grid(geometry: Geometry, seed: int) -> None:
    grid = random_grid(geometry, Random(seed))
    assert all(
        sorted(grid[cell] for cell in house.cells) == [*range(1, geometry.order + 1)] for house in geometry.houses
    )


@pytest.mark.slow
def test_latin_squares_come_evenly() -> None:
    """All 576 of order 4, by a chi-squared test that a fair source fails once in about a thousand seeds."""
    random, draws = Random(5), 6_000
    seen = Counter(random_grid(Geometry.latin(4), random) for _ in range(draws))
    expected = draws / 576
    missing = (576 - len(seen)) * expected
    assert missing + sum((number - expected) ** 2 / expected for number in seen.values()) < 690


@given(kind=st.sampled_from(KIND_NAMES), holes=st.floats(0.4, 1), seed=st.integers(0, 1000), balanced=st.booleans())
def test_an_instance_has_its_parameters(kind: Kind, holes: float, seed: int, balanced: bool) -> None:
    balanced = balanced and kind != "qcp"
    geometry = shape(kind)
    made = instance(kind, geometry, holes, seed, balanced=balanced)
    assert made == instance(kind, geometry, holes, seed, balanced=balanced)
    assert made.board.clues.count(0) == made.holes == round(holes * 36)
    clashes = [found for found in made.board.contradictions() if found.kind == "clash"]
    assert not clashes
    if made.solution is not None:
        assert is_solution(made.board, made.solution)
    assert (made.solution is None) == (kind == "qcp")
    if balanced:
        empty = [sum(made.board.clues[cell] == 0 for cell in house.cells) for house in geometry.houses]
        assert max(empty) - min(empty) <= 1


@pytest.mark.parametrize(
    ("kind", "geometry", "holes", "balanced", "message"),
    [
        ("quasi", Geometry.latin(4), 0.5, False, "expected one of qwh, qcp, sudoku"),
        ("qwh", Geometry.latin(4), 1.5, False, "1.5 of the cells empty; expected a share from 0 to 1"),
        ("qwh", Geometry.latin(4), float("nan"), False, "expected a share"),
        ("qwh", Geometry.latin(4), "1.7m^2", False, r"holes '1.7m\^2'; expected a share .* or a number as 1.7n\^1.55"),
        ("qwh", Geometry.latin(4), "2n^2", False, r"2n\^2, which is 32 of 16 cells; expected a share from 0 to 1"),
        ("qwh", Geometry.classic(2), 0.5, False, "expected a Latin square"),
        ("sudoku", Geometry.latin(4), 0.5, False, "expected boxes and no further houses"),
        ("sudoku", Geometry.classic(2).with_diagonals(), 0.5, False, "expected boxes and no further houses"),
        ("qcp", Geometry.latin(4), 0.5, True, "balanced qcp; expected qwh or sudoku"),
        ("qcp", Geometry.latin(30), 0.0, False, "expected more holes"),
    ],
)
def test_what_does_not_fit_is_refused(
    kind: Kind, geometry: Geometry, holes: float | str, balanced: bool, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        instance(kind, geometry, holes, balanced=balanced)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_command_writes_what_can_be_read(kind: Kind) -> None:
    done = run("instances", kind, "--order", "4", "--holes", "0.5", "0.75", "--count", "3", "--seed", "5")
    text = done.stdout.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["holes"], row["seed"]) for row in rows] == [(h, s) for h in ("0.5", "0.75") for s in ("5", "6", "7")]
    geometry = Geometry.standard(4) if kind == "sudoku" else Geometry.latin(4)
    for row, item in zip(rows, formats.read(text, geometry), strict=True):
        assert isinstance(item, formats.Puzzle)
        assert item.board == instance(kind, geometry, float(row["holes"]), int(row["seed"])).board
        grids = [*solutions(item.board)]
        assert row["status"] == ("none", "unique", "multiple")[min(len(grids), 2)]
        assert not grids or tuple(map(int, row["solution"])) in grids


@pytest.mark.slow
def test_tables_of_several_orders_and_glued_tables_have_the_given_share(tmp_path: Path) -> None:
    several = run("instances", "qwh", "--order", "5", "6", "--holes", "0.38", "--count", "2").stdout
    rows = list(csv.DictReader(io.StringIO(several.decode())))
    assert [(row["order"], row["holes"], row["empty"]) for row in rows] == [
        *[("5", "0.38", "10")] * 2,
        *[("6", "0.38", "14")] * 2,
    ]
    path = tmp_path / "glued.csv"
    path.write_bytes(several + run("instances", "sudoku", "--order", "4", "--holes", "0.5").stdout)
    (puzzles,) = load_sets([path])
    assert [(one["order"], one["holes"], one["kind"]) for one in puzzles.parameters] == [
        *[(5, 0.38, "qwh")] * 2,
        *[(6, 0.38, "qwh")] * 2,
        (4, 0.5, "sudoku"),
    ]
    assert [board.geometry.box_shape for board in puzzles.boards] == [None] * 4 + [(2, 2)]


@pytest.mark.slow
@pytest.mark.parametrize(("text", "number"), [("1.7n^1.55", 35), ("2 n", 14), ("n", 7), ("0.5n^2", 24), (".5n", 4)])
def test_holes_may_grow_with_the_order(text: str, number: int) -> None:
    made = instance("qwh", Geometry.latin(7), text, seed=3)
    assert made.holes == made.board.clues.count(0) == number
    done = run("instances", "qwh", "--order", "7", "--holes", text, "--seed", "3")
    (row,) = csv.DictReader(io.StringIO(done.stdout.decode()))
    assert row["empty"] == str(number)
    assert float(row["holes"]) == pytest.approx(number / 49, abs=1e-5)


def test_the_command_refuses_boxes_on_a_latin_square() -> None:
    done = run("instances", "qwh", "--boxes", "3x3", "--holes", "0.4")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"expected --order N" in done.stderr
