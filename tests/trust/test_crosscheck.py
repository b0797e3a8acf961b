"""The cross-check: its modes, and the comparison of an answer with the reference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from core_samples import FOUR, HARD, NINE, UNIQUE, some_grid
from gridproof.errors import InputError
from gridproof.limits import NO_LIMITS, Limits
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import SymbolTuple
from gridproof.trust import crosscheck, reference
from gridproof.trust.crosscheck import CrossCheck, against_reference, bad_grids

BOARD = Board(FOUR, (1, 2, 3, 4, *[0] * 12))
TRUTH = list(reference.solutions(BOARD))


@pytest.mark.parametrize(
    ("text", "mode", "share"),
    [
        ("all", "all", 1.0),
        ("none", "none", 0.0),
        ("sample=0.25", "sample", 0.25),
        ("sample=0", "sample", 0.0),
        ("sample=1", "sample", 1.0),
        ("sample=1e-3", "sample", 0.001),
    ],
)
def test_modes(text: str, mode: str, share: float) -> None:
    assert CrossCheck.parse(text) == CrossCheck(mode, share)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["", "All", "some", "sample", "sample=", "sample=x", "sample=-0.1", "sample=1.1", "sample=nan", "all=0.5"]
)
def test_other_modes_are_refused(text: str) -> None:
    with pytest.raises(InputError) as error:
        CrossCheck.parse(text)
    assert repr(text) in str(error.value)
    assert "expected all, none or sample=P with P from 0 to 1" in str(error.value)


def test_choosers() -> None:
    def chosen(check: CrossCheck) -> list[bool]:
        chooser = check.chooser()
        return [chooser() for _ in range(1_000)]

    assert all(chosen(CrossCheck("all")))
    assert not any(chosen(CrossCheck("none", 0.0)))
    half = chosen(CrossCheck("sample", 0.5))
    assert 400 < sum(half) < 600
    assert half == chosen(CrossCheck("sample", 0.5))
    assert half != chosen(CrossCheck("sample", 0.5, seed=1))


@pytest.mark.parametrize(
    ("grids", "messages"),
    [
        ([TRUTH[0], TRUTH[0]], ["gave the same solution twice"]),
        ([TRUTH[0], TRUTH[1], TRUTH[0]], ["gave the same solution twice"]),
        ([TRUTH[0][:-1]], ["solution 1 is none: a grid of 15 cells"]),
        ([TRUTH[0], (1,) * 16], ["solution 2 is none: r1c2 holds 1 but its clue is 2"]),
        ([list(TRUTH[0])], ["solution 1 is none: it is of the type list"]),
        ([None, "x"], ["solution 1 is none: it is of the type NoneType", "solution 2 is none: it is of the type str"]),
        ([(0,) * 16], ["r1c1 holds 0; expected an int from 1 to 4"]),
        ([tuple(map(float, TRUTH[0]))], ["float"]),
    ],
)
def test_bad_grids(grids: list[Any], messages: list[str]) -> None:
    found = bad_grids(BOARD, grids)
    assert len(found) == len(messages)
    for text, piece in zip(found, messages, strict=True):
        assert piece in text


def test_agreement() -> None:
    assert against_reference(BOARD, TRUTH, NO_LIMITS) == (crosscheck.AGREES, [])
    solved = Board(FOUR, some_grid(FOUR))
    assert against_reference(solved, [some_grid(FOUR)], NO_LIMITS) == (crosscheck.AGREES, [])
    assert against_reference(Board(FOUR, (1, 1, *[0] * 14)), [], NO_LIMITS) == (crosscheck.AGREES, [])


@pytest.mark.parametrize("number", [0, 1, len(TRUTH) - 1])
def test_too_few(number: int) -> None:
    opinion, found = against_reference(BOARD, TRUTH[:number], NO_LIMITS)
    assert opinion == crosscheck.CONTRADICTS
    claim = {0: "no solution", 1: "1 solution,"}.get(number, f"{number} solutions")
    assert claim in found[0]
    assert "the reference found another, which passes the check" in found[0]


def test_too_many() -> None:
    other = next(reference.solutions(Board(FOUR, (2, 1, 3, 4, *[0] * 12))))
    opinion, found = against_reference(BOARD, [*TRUTH, other], NO_LIMITS)
    assert (opinion, found) == (
        crosscheck.CONTRADICTS,
        [f"the backend claims {len(TRUTH) + 1} solutions, the reference finds {len(TRUTH)}"],
    )


def test_a_reference_that_errs_is_not_taken_for_a_backend_that_errs(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> Iterator[SymbolTuple]:
        yield (1,) * 16

    monkeypatch.setattr(reference, "solutions", broken)
    opinion, found = against_reference(BOARD, TRUTH, NO_LIMITS)
    assert opinion == crosscheck.CONTRADICTS
    assert "which fails the check" in found[0]


@pytest.mark.parametrize("limits", [Limits(conflicts=1), Limits(seconds=1e-9)])
def test_out_of_time_is_no_agreement(limits: Limits) -> None:
    board = Board.from_symbols(NINE, HARD)
    grids = list(reference.solutions(board))
    assert against_reference(board, grids, limits) == (crosscheck.UNDECIDED, [])
    # nor a contradiction, whatever is claimed
    assert against_reference(board, [], limits) == (crosscheck.UNDECIDED, [])


def test_a_limit_on_solutions_is_the_sessions_own() -> None:
    board = Board.from_symbols(NINE, UNIQUE)
    grids = list(reference.solutions(board))
    assert against_reference(board, grids, Limits(solutions=1)) == (crosscheck.AGREES, [])


def test_the_reference_looks_further_where_the_checker_has_no_formula() -> None:
    board = Board.from_symbols(NINE, HARD)
    (grid,) = reference.solutions(board)
    for rule, word in (("extra-region r1c1", "undecided"), (f"clauses x[r1c1={grid[0]}] 0", "agrees")):
        assert against_reference(board.with_rule(rule), [grid], NO_LIMITS) == (crosscheck.Opinion(word), [])


def test_the_reference_does_not_hold_everything_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crosscheck, "REFERENCE_CONFLICTS", 3)
    board = Board.from_symbols(NINE, HARD)
    assert against_reference(board, [], NO_LIMITS) == (crosscheck.UNDECIDED, [])
    assert against_reference(board, [], Limits(conflicts=10**9)) == (crosscheck.UNDECIDED, [])
