"""Canonical forms: least among all images, equal for images, and with the right number of automorphisms."""

from __future__ import annotations

import importlib
import subprocess
import sys
from itertools import permutations, product
from math import factorial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from cli_runner import environment
from generation.images import image
from gridproof.cli import main
from gridproof.errors import BoardError, Interrupted
from gridproof.experiments.instances import instance
from gridproof.generation.canonical import LeastForms
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.runs import tables

SEVENTEEN = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6..."
SHARED = Path(__file__).parents[3] / "shared" / "data" / "17clue-2000.txt"
SMALL = [Geometry.classic(2), Geometry.classic(2, 3), Geometry.classic(3, 2), Geometry.latin(3), Geometry.latin(4)]
LARGE = [Geometry.classic(3), Geometry.classic(3, 4), Geometry.classic(4), Geometry.latin(7), Geometry.classic(2, 5)]


def orders(order: int, in_a_group: int) -> list[tuple[int, ...]]:
    groups = [range(start, start + in_a_group) for start in range(0, order, in_a_group)]
    inside = [list(permutations(group)) for group in groups]
    return [sum(chosen, ()) for arranged in permutations(inside) for chosen in product(*arranged)]


def brute_force(geometry: Geometry, clues: tuple[int, ...]) -> tuple[SymbolTuple, int]:
    """The least of all images one by one, and how many of them are the puzzle itself: written from the definition."""
    n, (high, wide) = geometry.order, geometry.box_shape or (geometry.order, geometry.order)
    rows = [clues[start : start + n] for start in range(0, n * n, n)]
    images = []
    for side in [rows, list(zip(*rows, strict=True))][: 1 + (high == wide)]:
        for down in orders(n, high):
            for across in orders(n, wide):
                names = {0: 0}
                images.append(tuple(names.setdefault(side[r][c], len(names)) for r in down for c in across))
    return min(images), images.count(min(images))


@pytest.mark.slow
@pytest.mark.parametrize("geometry", SMALL, ids=lambda geometry: geometry.description)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_the_form_is_the_least_image(geometry: Geometry, data: st.DataObject) -> None:
    """Every board has a form, also one that contradicts itself."""
    cells = st.integers(0, geometry.order) | st.just(0)
    clues = tuple(data.draw(st.lists(cells, min_size=geometry.cell_count, max_size=geometry.cell_count)))
    assert LeastForms(geometry).find(clues) == brute_force(geometry, clues)


@pytest.mark.parametrize("geometry", [Geometry.classic(2), Geometry.latin(4)], ids=lambda one: one.description)
def test_orbits_are_as_large_as_their_automorphisms_demand(geometry: Geometry) -> None:
    forms, n = LeastForms(geometry), geometry.order
    group = 2 * len(orders(n, (geometry.box_shape or (n, n))[0])) ** 2
    classes: dict[SymbolTuple, list[int]] = {}
    for grid in gridproof.solutions(Board.empty(geometry)):
        form, automorphisms = forms.find(grid)
        assert forms.find(grid, grid) == (form, automorphisms)
        classes.setdefault(form, []).append(automorphisms)
    for found in classes.values():
        assert {len(found)} == {group * factorial(n) // automorphisms for automorphisms in found}


@pytest.mark.parametrize("geometry", LARGE, ids=lambda geometry: geometry.description)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6), holes=st.floats(0.3, 0.95))
def test_images_have_one_form(geometry: Geometry, seed: int, holes: float) -> None:
    made = instance("sudoku" if geometry.box_shape else "qwh", geometry, holes, seed)
    random, forms, n = Random(seed), LeastForms(geometry), geometry.order
    assert made.solution is not None
    both = image(made.board, random)
    expected = forms.find(made.board.clues)
    assert forms.find(both.clues) == expected
    if (geometry.box_shape or (1, 1))[0] == (geometry.box_shape or (1, 1))[1]:
        turned = tuple(both.clues[column * n + row] for row in range(n) for column in range(n))
        assert forms.find(turned) == expected
    assert Board(geometry, expected[0]).clue_count == made.board.clue_count
    carried, automorphisms = forms.find(made.board.clues, made.solution)
    assert Board(geometry, carried).clue_count == made.board.clue_count
    assert automorphisms <= expected[1]


def test_known_forms() -> None:
    puzzle = "45.....6......17..8...............92....7.1..5...36..........58..1..7............"
    form = gridproof.canonical(puzzle)
    assert str(form) == "................12..1..3..4.....1.3..5....6...7..4.8......7.......59...7..3......"
    assert gridproof.canonical(form.board) == form
    grid = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
    assert (str(gridproof.canonical(grid)), gridproof.canonical(grid).automorphisms) == (grid, 648)
    assert gridproof.canonical("." * 81).automorphisms == 2 * 6**8
    assert gridproof.canonical("." * 625).automorphisms == 2 * factorial(5) ** 12


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_the_form_by_solution(seed: int) -> None:
    board = gridproof.parse(SEVENTEEN)
    form = gridproof.canonical(board, by_solution=True)
    other = gridproof.canonical(image(board, Random(seed)), by_solution=True)
    assert (other.board, other.automorphisms) == (form.board, gridproof.canonical(board).automorphisms)
    assert gridproof.canonical(form.board) == gridproof.canonical(board)
    solution = gridproof.solve(form.board)
    assert solution == LeastForms(board.geometry).find(solution or ())[0]


def test_what_has_no_form_is_refused() -> None:
    for board, reason in (
        (Board.empty(Geometry.classic(2).with_diagonals()), "a board of 4x4, 2x2 boxes, diagonals; expected a Latin"),
        (Board.empty(Geometry.classic(2)).with_rule("anti-knight"), "with rules or pencil marks; expected clues only"),
    ):
        with pytest.raises(BoardError, match=reason):
            gridproof.canonical(board)
    with pytest.raises(BoardError, match="verdict multiple; expected unique"):
        gridproof.canonical("." * 16, by_solution=True)
    with pytest.raises(Interrupted):
        gridproof.canonical(Board(Geometry.classic(6), (0, 1) * 648), limits=gridproof.Limits(seconds=1e-9))


def test_without_numba_it_is_the_same() -> None:
    code = (
        "import sys; sys.modules['gridproof.lanes.compiling'] = None\n"
        "from gridproof.generation.canonical import LeastForms; import gridproof\n"
        "from gridproof.generation import least; assert not hasattr(least.search, 'py_func')\n"
        f"print(gridproof.canonical({SEVENTEEN!r}), gridproof.canonical({SEVENTEEN!r}, by_solution=True))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert run.stdout.split() == [str(gridproof.canonical(SEVENTEEN, by_solution=by)) for by in (False, True)]


@pytest.mark.skipif(not SHARED.exists(), reason="no shared puzzles")
def test_puzzles_that_are_known_to_differ() -> None:
    lines = SHARED.read_text().split()[:: 1 if importlib.util.find_spec("numba") else 100]
    forms = LeastForms(Geometry.classic(3))
    assert len({forms.find(gridproof.parse(line).clues)[0] for line in lines}) == len(lines)


@pytest.mark.parametrize("engine", [[], ["-j", "0"]], ids=["one by one", "bulk"])
def test_verify_prints_equal_puzzles_once(
    engine: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["1.....2..3.....4", "..4.1......3.2..", "." * 16, "x", "4" + "." * 15]
    (tmp_path / "puzzles.txt").write_text("\n".join(lines) + "\n")
    main(["verify", "--distinct", *engine, str(tmp_path / "puzzles.txt")])
    expected = "3 different up to symmetry; equal to an earlier one: 1 (row 2 = row 1)\n"
    assert expected in capsys.readouterr().err
    main(["verify", "--distinct", "--rule", "anti-knight", *engine, str(tmp_path / "puzzles.txt")])
    assert "not compared, because of rules or houses: 4\n" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_table_states_which_rows_are_equal(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text("1... ..2. .3.. ...4\n..4. 1... ...3 .2..\n1...x\n12.. ..3. .... ...4\n1... ..2. .3.. ...4\n")
    output = tmp_path / f"out.{ending}"
    main(["verify", "--distinct", "-j", "0", "-o", str(output), str(puzzles)])
    beside = tmp_path / f"out-equal.{ending}"
    sentence = "2 different up to symmetry; equal to an earlier one: 2 (row 2 = row 1, row 5 = row 1)"
    assert f"{sentence}; all of these: {beside}" in capsys.readouterr().err
    rows = [(int(row["row"]), int(row["equal_to"])) for row in tables.read(beside)]
    assert rows == [(2, 1), (5, 1)]
