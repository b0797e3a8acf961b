"""Canonical forms: least among all images, equal for images, and with the right number of automorphisms."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import combinations, permutations, product
from math import factorial
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gridproof
from cli_runner import Command, environment
from generation.images import image
from gridproof.cli import main
from gridproof.errors import BoardError, InputError, Interrupted
from gridproof.experiments.instances import instance
from gridproof.generation.canonical import LeastForms
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import Rule, all_kinds, parse_rule
from gridproof.runs import tables
from rules.random_rules import random_rule

CROOKED = Geometry.jigsaw("AAAA BBBC BDCC DDDC")
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
    marked = Board.empty(Geometry.classic(2)).with_marks([3] + [15] * 15)
    for board, reason in (
        (Board.empty(CROOKED).with_rules("killer 3 r1c1 r1c2"), "no canonical form of this board: no turn, no mirror"),
        (marked, "with pencil marks; expected clues, and perhaps rules"),
    ):
        with pytest.raises(BoardError, match=reason):
            gridproof.canonical(board)
    with pytest.raises(BoardError, match="with rules or further houses; expected its own form"):
        gridproof.canonical(Board.empty(Geometry.classic(2)).with_rules("anti-knight"), by_solution=True)
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
    # no turn takes the first to the second, which columns in another order do
    assert "4 different up to symmetry; equal to an earlier one: 0\n" in capsys.readouterr().err
    (tmp_path / "crooked.txt").write_text("AAAA\nBBBC\nBDCC\nDDDC\n")
    crooked = ["--jigsaw", str(tmp_path / "crooked.txt"), "--rule", "killer 3 r1c1 r1c2"]
    main(["verify", "--distinct", *crooked, *engine, str(tmp_path / "puzzles.txt")])
    assert "without a form, so not compared: 4\n" in capsys.readouterr().err


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


# ---- boards with rules -----------------------------------------------------------------------------------------------

NINE = Geometry.classic(3)
Cages = frozenset[tuple[int, frozenset[int]]]


def turned(n: int) -> Iterator[list[int]]:
    """Where each cell goes under each turn and mirror image, written from the definition."""
    for swap, down, across in product((False, True), repeat=3):
        places = []
        for r, c in product(range(n), range(n)):
            row, column = (c, r) if swap else (r, c)
            places.append((n - 1 - row if down else row) * n + (n - 1 - column if across else column))
        yield places


def least_with_cages(n: int, clues: Sequence[int], cages: Cages, *, any_names: bool) -> object:
    """The least of all images one by one, of clues and cages."""
    images = []
    for places in turned(n):
        moved = [0] * (n * n)
        for cell, symbol in enumerate(clues):
            moved[places[cell]] = symbol
        there = sorted((total, sorted(places[cell] for cell in cage)) for total, cage in cages)
        for names in permutations(range(1, n + 1)) if any_names else [range(1, n + 1)]:
            images.append(([0 if not symbol else names[symbol - 1] for symbol in moved], there))
    return repr(min(images))


@pytest.mark.parametrize("any_names", [True, False], ids=["anti-knight", "killer"])
def test_forms_with_rules_tell_puzzles_apart_as_brute_force_does(any_names: bool) -> None:
    random = Random(7)
    truth = []
    digests = []
    for _ in range(150):
        clues = [0] * 16
        for cell in random.sample(range(16), 2):
            clues[cell] = random.randint(1, 4)
        cages: Cages = frozenset()
        rules = ["anti-knight"]
        if not any_names:
            row, column = random.randrange(4), random.randrange(3)
            cells = [row * 4 + column, row * 4 + column + 1]
            random.shuffle(cells)
            total = random.choice((3, 5))
            cages = frozenset([(total, frozenset(cells))])
            rules = [f"killer {total} " + " ".join(f"r{cell // 4 + 1}c{cell % 4 + 1}" for cell in cells)]
        board = Board(Geometry.classic(2), tuple(clues)).with_rules(rules)
        truth.append(least_with_cages(4, clues, cages, any_names=any_names))
        digests.append(gridproof.canonical(board).digest)
    assert len(set(truth)) < len(truth)
    for one, other in combinations(range(len(truth)), 2):
        assert (truth[one] == truth[other]) == (digests[one] == digests[other]), (one, other)


@pytest.mark.parametrize("kind", all_kinds().values(), ids=lambda kind: kind.kind)
def test_images_have_the_digest_of_their_board(kind: type[Rule]) -> None:
    random = Random(kind.kind)
    clues = [0] * 81
    for cell in random.sample(range(81), 12):
        clues[cell] = random.randint(1, 9)
    for rule in (parse_rule(kind.example).make(NINE), random_rule(kind, NINE, random)):
        board = Board(NINE, tuple(clues), rules=(rule,))
        try:
            form = gridproof.canonical(board)
        except BoardError:
            with pytest.raises(BoardError, match="no images of this board"):
                next(gridproof.images(board))
            continue
        with suppress(InputError):  # there may be fewer
            for other in gridproof.images(board, 1, seed=1):
                assert gridproof.canonical(other.board).digest == form.digest
        assert gridproof.canonical(form.board).digest == form.digest


@pytest.mark.parametrize(
    "geometry",
    [NINE.with_diagonals(), NINE.with_windoku(), CROOKED, NINE.with_digits(Digits(0, 8)), Geometry.oblong(4, 6)],
    ids=lambda geometry: geometry.description,
)
def test_forms_of_other_boards(geometry: Geometry) -> None:
    clues = [0] * geometry.cell_count
    clues[1], clues[5] = 2, 4
    board = Board(geometry, tuple(clues))
    digest = gridproof.canonical(board).digest
    assert all(gridproof.canonical(one.board).digest == digest for one in gridproof.images(board, 3, seed=1))
    clues[5] = 2
    assert gridproof.canonical(Board(geometry, tuple(clues))).digest != digest


def test_digests_do_not_depend_on_the_process() -> None:
    code = (
        "import gridproof; print(gridproof.canonical('1' + '.' * 80, rules=['anti-king', 'killer 9 r1c3 r1c4']).digest)"
    )
    printed = set()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**environment(), "PYTHONHASHSEED": seed},
        )
        printed.add(run.stdout)
    assert len(printed) == 1


def test_a_digest_names_shape_and_way() -> None:
    blank = [Board.empty(geometry) for geometry in (Geometry.classic(2, 3), Geometry.classic(3, 2), Geometry.latin(6))]
    assert len({gridproof.canonical(board).digest for board in blank}) == 3
    assert gridproof.canonical(SEVENTEEN).digest != gridproof.canonical(SEVENTEEN, by_solution=True).digest


# ---- tables ----------------------------------------------------------------------------------------------------------


def test_a_table_of_forms(call: Command, tmp_path: Path) -> None:
    source = tmp_path / "mine.csv"
    lines = ["1.....2..3.....4", "..4.1......3.2..", ".Shape~4x4.~R1C1_1.AntiKnight", "1..............."]
    source.write_text("id,cells\n" + "".join(f"{number},{line}\n" for number, line in enumerate(lines)))
    options = ("canonical", str(source), "--column", "cells", "--keep", "id", "-q")
    tables_of_jobs = []
    for jobs in ("1", "2"):
        path = tmp_path / f"forms-{jobs}.csv"
        assert call(*options, "-o", str(path), "--jobs", jobs)[0] == 0
        tables_of_jobs.append(path.read_text())
    assert tables_of_jobs[0] == tables_of_jobs[1]
    rows = tables.read(tmp_path / "forms-1.csv")
    assert list(rows[0]) == ["id", "puzzle", "form", "automorphisms", "canonical"]
    assert [row["id"] for row in rows] == ["0", "1", "2", "3"]
    assert [row["canonical"] for row in rows] == [gridproof.canonical(line).digest for line in lines]
    assert rows[0]["form"] == rows[1]["form"] == "...1.2....3.4..."
    code, out, _ = call("canonical", str(source), "--column", "cells", "-q", "--by-solution")
    assert (code, out.count("\n")) == (2, 2)
    code, _, err = call("canonical", str(source), "--column", "nosuch")
    assert code == 2
    assert "expected the column 'nosuch'" in err


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_verify_has_a_column_of_digests(ending: str, call: Command, tmp_path: Path) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    lines = ["1.....2..3.....4", "..4.1......3.2..", "x", ".Shape~4x4.~R1C1_1.AntiKnight", "." * 16]
    source = tmp_path / "mine.txt"
    source.write_text("\n".join(lines) + "\n")
    expected = [None if line == "x" else gridproof.canonical(line).digest for line in lines]
    for jobs in ("0", "2"):
        path = tmp_path / f"verdicts-{jobs}.{ending}"
        assert call("verify", str(source), "-q", "--canonical", "-j", jobs, "-o", str(path))[0] == 2
        assert [row.get("canonical") or None for row in tables.read(path)] == expected
    records = gridproof.verify_many(lines, canonical=True)
    assert [record.canonical for record in records] == expected
    assert [record.canonical for record in gridproof.verify_many(lines)] == [None] * 5
    code, out, _ = call("verify", lines[0], "-q", "--canonical")
    assert (code, out.rstrip().split("\t")[-1]) == (0, f"canonical {expected[0]}")


def test_rules_of_the_run_belong_to_the_form() -> None:
    line = "1..............."
    [record] = gridproof.verify_many([line], rules=["anti-knight"], canonical=True)
    assert record.canonical == gridproof.canonical(line, rules=["anti-knight"]).digest
    assert record.canonical != gridproof.canonical(line).digest


def test_the_column_of_puzzles_may_have_any_name() -> None:
    text = "id,cells\n1,1.....2..3.....4\n"
    (puzzle,) = gridproof.read(text, column="cells")
    assert isinstance(puzzle, gridproof.Puzzle)
    assert puzzle.columns == {"id": "1", "cells": "1.....2..3.....4"}
    (puzzle,) = gridproof.read('{"cells": "1.....2..3.....4", "puzzle": "an easy one"}', column="cells")
    assert isinstance(puzzle, gridproof.Puzzle)
    with pytest.raises(InputError, match="the column 'nosuch'"):
        list(gridproof.read(text, column="nosuch"))
