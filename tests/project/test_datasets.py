"""The named sets: every claim that a file makes, checked by other means than the ones that made it."""

from __future__ import annotations

import random
import runpy
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from gridproof import formats
from gridproof.backends import find
from gridproof.errors import InputError, Interrupted
from gridproof.formats import datasets
from gridproof.formats.datasets import Example
from gridproof.limits import Limits
from gridproof.models import catalog
from gridproof.models.targets.cnf import compile_cnf
from gridproof.puzzle.board import Board
from gridproof.trust import check, reference

NAMES = ["easy", "hard", "hostile", "large", "many", "none", "seventeen"]
MAKER = Path(__file__).parents[2] / "benchmarks" / "make_sets.py"


def every(*names: str) -> list[Any]:
    return [
        pytest.param(example, id=f"{name}-{number}")
        for name in names
        for number, example in enumerate(datasets.examples(name), 1)
    ]


def test_names() -> None:
    assert datasets.names() == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_set_is_a_file_that_anything_can_read(name: str) -> None:
    file = datasets.path(name)
    assert file.is_file()
    assert file.read_text(encoding="utf-8").startswith("# ")
    with file.open(encoding="utf-8") as lines:
        boards = [puzzle.board for puzzle in formats.read(lines) if isinstance(puzzle, formats.Puzzle)]
    assert boards == datasets.load(name) == [example.board for example in datasets.examples(name)]
    assert len(boards) >= 6
    assert len(set(boards)) == len(boards)
    remarks = [example.name for example in datasets.examples(name)]
    assert all(remarks)


def test_an_unknown_set_is_refused() -> None:
    with pytest.raises(InputError, match=r"no set is called 'hrad'; did you mean hard\? Expected one of easy, hard"):
        datasets.load("hrad")
    with pytest.raises(InputError):
        datasets.path("../easy")


@pytest.mark.parametrize("example", every("easy", "hard", "many", "none", "hostile", "seventeen"))
def test_number_of_solutions(example: Example) -> None:
    assert reference.count(example.board, example.solutions + 1) == example.solutions


@pytest.mark.slow
@pytest.mark.parametrize("order", [16, 25, 36])
def test_number_of_solutions_of_large_boards(order: int) -> None:
    chosen = [example for example in datasets.examples("large") if example.board.geometry.order == order]
    # not the encoding that they were made with; of order 36 it is the smallest
    cnf = compile_cnf(chosen[0].board.geometry, catalog.load("extended-ladder" if order == 36 else "triad"))
    with find("glucose42").open(cnf) as session:
        for example in chosen:
            (grid,) = islice(session.solutions(example.board), 2)
            assert check.is_solution(example.board, grid)
            assert example.solutions == 1


def test_easy_needs_no_choice() -> None:
    boards = datasets.load("easy")
    with find("search-propagate").open(boards[0].geometry) as session:
        for board in boards:
            assert len(list(session.solutions(board))) == 1
            assert session.statistics.nodes == 0


@pytest.mark.slow
def test_hard_needs_choices_whoever_searches() -> None:
    boards = datasets.load("hard")
    for name in ("search-propagate", "search-exact-cover"):
        with find(name).open(boards[0].geometry) as session:
            for board in boards:
                assert len(list(session.solutions(board))) == 1
                assert (session.statistics.dead_ends or 0) > 20


def test_many_covers_two_to_a_thousand() -> None:
    counts = [example.solutions for example in datasets.examples("many")]
    assert counts == sorted(set(counts))
    assert (counts[0], counts[-1]) == (2, 1000)


@pytest.mark.parametrize("example", every("none"))
def test_none_needs_each_of_its_clues(example: Example) -> None:
    board = example.board
    for cell, clue in enumerate(board.clues):
        if clue:
            assert reference.count(board.without_clue(cell), 1) == 1, board.geometry.cell_name(cell)


def test_none_shows_each_kind_of_contradiction_and_some_show_nothing() -> None:
    seen = [(example.name, example.board.contradictions()) for example in datasets.examples("none")]
    for place in ("row", "column", "box"):
        clashes = [found for name, found in seen if name.startswith(f"a duplicate in {place}")]
        assert [(one.kind, one.house.kind) for (one,) in clashes if one.house] == [("clash", place)]
        missing = [found for name, found in seen if f"has no place in {place}" in name]
        assert len(missing) == 1
        assert all(one.kind == "place" and one.house and one.house.kind == place for one in missing[0])
    assert [found[0].kind for name, found in seen if name == "r5c5 has no candidate"] == ["cell"]
    assert sum(not found for _, found in seen) >= 6
    for name, found in seen:
        if "has no" in name:
            assert name in [one.message.removesuffix(" left").replace(" left in", " in") for one in found]


def test_large_has_the_orders_it_promises() -> None:
    assert {board.geometry.order for board in datasets.load("large")} == {16, 25, 36}


@pytest.mark.parametrize("example", every("hostile"))
def test_a_search_in_reading_order_goes_astray_on_hostile(example: Example) -> None:
    with (
        find("search-bits").open(example.board.geometry) as session,
        pytest.raises(Interrupted, match="10000 conflicts"),
    ):
        list(session.solutions(example.board, Limits(conflicts=10_000)))


def test_the_maker_makes_the_same_boards_again() -> None:
    maker = runpy.run_path(str(MAKER))
    for name, number in (("easy", 3), ("none", 9)):
        made = maker[name](random.Random(f"gridproof {name}"))
        boards: list[Board] = [board for board, _, _ in islice(made, number)]
        assert boards == datasets.load(name)[:number]
