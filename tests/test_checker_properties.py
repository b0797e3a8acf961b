"""Certificates of random boards, and random damage to them, against brute force."""

from __future__ import annotations

import json
from functools import cache
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from checker_maker import (
    Board,
    Files,
    Formula,
    board_units,
    certificate,
    diagonals,
    geometry,
    refutation,
    sealed,
    text_of,
    write,
)
from gridproof.checker import Report, check

SHAPES = [geometry(2, 2), geometry(0, 4), geometry(2, 2, diagonals(4)), geometry(0, 3)]


@cache
def all_grids(index: int) -> tuple[tuple[int, ...], ...]:
    """Every grid of a shape, row by row."""
    n, houses = SHAPES[index]["order"], [house["cells"] for house in SHAPES[index]["houses"]]
    grids: list[tuple[int, ...]] = [()]
    for row in range(n):
        grown = [grid + line for grid in grids for line in permutations(range(1, n + 1))]
        inside = [[cell for cell in house if cell < (row + 1) * n] for house in houses]
        grids = [g for g in grown if all(len({g[c] for c in cells}) == len(cells) for cells in inside)]
    return tuple(grids)


def solutions(index: int, board: Board, marks: dict[int, list[int]]) -> list[tuple[int, ...]]:
    return [
        grid
        for grid in all_grids(index)
        if all(grid[cell] == symbol for cell, symbol in board.items())
        and all(grid[cell] in symbols for cell, symbols in marks.items())
    ]


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, Board, dict[int, list[int]]]:
    """A shape, clues (most often of a grid there is), and pencil marks."""
    index = draw(st.integers(0, len(SHAPES) - 1))
    n: int = SHAPES[index]["order"]
    cells = st.integers(0, n * n - 1)
    board: Board = {}
    if draw(st.integers(0, 3)):
        grid = draw(st.sampled_from(all_grids(index)))
        board = {cell: grid[cell] for cell in draw(st.sets(cells, max_size=9))}
    board |= draw(st.dictionaries(cells, st.integers(1, n), max_size=2 if board else 6))
    few = st.lists(st.integers(1, n), unique=True)
    return index, board, draw(st.dictionaries(cells, few, max_size=2))


def report(files: Files) -> Report:
    with TemporaryDirectory() as folder:
        return check(write(files, Path(folder, "certificate.zip")))


def test_there_are_as_many_grids_as_there_should_be() -> None:
    assert [len(all_grids(index)) for index in range(len(SHAPES))] == [288, 576, 48, 12]


@settings(max_examples=40, deadline=None)
@given(boards(), st.sampled_from(["minimal", "extended", "seqcounter", "bitwise", "ladder", "totalizer"]))
def test_agrees_with_brute_force(drawn: tuple[int, Board, dict[int, list[int]]], encoding: str) -> None:
    index, board, marks = drawn
    result = report(certificate(SHAPES[index], board, encoding, candidates=marks))
    assert result.accepted, str(result)
    found = solutions(index, board, marks)
    assert result.claim == ("none" if not found else "unique" if len(found) == 1 else "multiple")


@settings(max_examples=40, deadline=None)
@given(boards(), boards(), st.data())
def test_a_certificate_is_never_good_for_a_board_with_another_answer(
    drawn: tuple[int, Board, dict[int, list[int]]], other: tuple[int, Board, dict[int, list[int]]], data: st.DataObject
) -> None:
    """Any of the files of one certificate put into another: if that is accepted, then its claim is true."""
    index, board, marks = drawn
    one = certificate(SHAPES[index], board, candidates=marks)
    two = certificate(SHAPES[other[0]], other[1], candidates=other[2])
    names = data.draw(st.sets(st.sampled_from(sorted(two.keys() & one.keys()))))
    result = report(sealed(one | {name: two[name] for name in names}))
    if result.accepted:
        where = other[0] if "geometry.json" in names else index
        clues = other[1] if "board.txt" in names else board
        rest = other[2] if "candidates.json" in names else marks
        count = len(solutions(where, clues, rest))
        assert result.claim == ("none", "unique", "multiple")[min(count, 2)]


@settings(max_examples=40, deadline=None)
@given(boards(), st.data())
def test_no_forged_formula_makes_a_false_claim_pass(
    drawn: tuple[int, Board, dict[int, list[int]]], data: st.DataObject
) -> None:
    """The forger adds clauses until the formula has no model, has a solver prove that, and seals the certificate."""
    index, board, marks = drawn
    found = solutions(index, board, marks)
    claim = data.draw(st.sampled_from(["none", "unique"] if len(found) > 1 else ["none"]))
    assume(found)
    shape: dict[str, Any] = SHAPES[index]
    n = shape["order"]
    grid = dict(enumerate(found[0]))
    formula = Formula(shape)
    states = formula.rules(["cell>=1", "cell<=1", "house>=1", "house<=1"])
    honest = list(formula.clauses)
    formula.clauses += board_units(board, marks, n)
    if claim == "unique":
        formula.clauses.append([-(cell * n + symbol) for cell, symbol in grid.items()])
    top = n**3
    defined = data.draw(st.booleans())
    if defined:  # a variable of the forger's own, said to be true of some cells
        variable = formula.define(data.draw(st.lists(st.integers(1, top), max_size=3)), data.draw(st.sampled_from(
            ["or", "nor"])))  # fmt: skip
    for other in found[1 if claim == "unique" else 0 :]:
        # rules each remaining grid out by a clause over some of its cells
        cells = data.draw(st.sets(st.integers(0, n * n - 1), min_size=1, max_size=4))
        formula.clauses.append([-(cell * n + other[cell]) for cell in sorted(cells)])
        if defined and data.draw(st.booleans()):
            sign = data.draw(st.sampled_from([1, -1]))
            formula.clauses[-1].append(sign * variable)
            formula.clauses.append([-sign * variable])
    head = {"format": "gridproof-certificate/1", "claim": claim, "made": {}, "states": states}
    marked = json.dumps({"candidates": [marks.get(cell) for cell in range(n * n)]})
    files = {"board.txt": text_of(board, n), "geometry.json": json.dumps(shape).encode(),
             "candidates.json": marked.encode(), "proof/formula.cnf": formula.text(),
             "proof/proof.drat": refutation(formula.clauses, "cadical153")}  # fmt: skip
    if claim == "unique":
        files["solution.txt"] = text_of(grid, n)
    else:
        files["conflict.json"] = json.dumps({"cells": sorted(board.keys() | marks.keys())}).encode()
        files |= {"proof/conflict.cnf": files["proof/formula.cnf"], "proof/conflict.drat": files["proof/proof.drat"]}
    result = report(sealed(files | {"claim.json": json.dumps(head).encode()}))
    assert not result.accepted
    assert "clause-not-implied" in result.codes()
    assert len(honest) < len(formula.clauses)
