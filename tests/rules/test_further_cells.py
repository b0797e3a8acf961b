"""Rules about further cells, and connected regions: their words, brute force beside them, and what they refuse."""

from __future__ import annotations

import pickle
from itertools import product
from pathlib import Path

import pytest

import gridproof
from core_samples import encodings_of, is_slow, usable_backends
from gridproof.backends.models import compile_model
from gridproof.backends.protocol import Backend
from gridproof.errors import GeometryError, InputError
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.further_cells import read_groups, with_further_cells
from gridproof.puzzle.geometry import Geometry
from gridproof.rules import connected, further_cells, parse_rule
from gridproof.trust import reference
from rules.random_rules import grids

FOUR = Geometry.classic(2)
STATED = "further-cells va:2 [ killer 5 va1 r1c1 ] [ killer 6 va2 r1c2 ] [ inequality va1 va2 ] [ given 1 2 4 va2 ]"


def keeps_stated(grid: tuple[int, ...]) -> bool:
    """Return whether the further cells of ``STATED`` can be filled."""
    for first, second in product(range(1, 5), repeat=2):
        of_first = first + grid[0] == 5 and first != grid[0]
        of_second = second + grid[1] == 6 and second != grid[1] and second in (1, 2, 4)
        if of_first and of_second and first < second:
            return True
    return False


def is_region(grid: tuple[int, ...], digits: set[int]) -> bool:
    """Return whether cells of 4x4 with some digits are one region, by joining sets of neighbours."""
    parts = [{cell} for cell in range(16) if grid[cell] in digits]
    for first, second in [(c, c + 4) for c in range(12)] + [(c, c + 1) for c in range(16) if c % 4 < 3]:
        touched = [part for part in parts if first in part or second in part]
        if grid[first] in digits and grid[second] in digits and len(touched) == 2:
            parts.remove(touched[1])
            touched[0] |= touched[1]
    return len(parts) == 1


def test_further_cells_are_stated_in_text_and_in_python() -> None:
    rule = parse_rule(STATED).make(FOUR)
    assert rule.sentence(FOUR) == (
        "for some digits of the further cells va1-va2, all of these hold: the killer cage va1 r1c1 sums to 5; and the "
        "killer cage va2 r1c2 sums to 6; and the digits of va1 va2 increase; and va2 holds one of 1, 2 or 4"
    )
    assert rule.scope(FOUR) == {0, 1}
    assert parse_rule(rule.text(FOUR)).make(FOUR) == rule
    inner = ("killer 5 va1 r1c1", "killer 6 va2 r1c2", "inequality va1 va2", "given 1 2 4 va2")
    assert further_cells("va:2", *inner).make(FOUR) == rule
    assert further_cells(*inner, groups="va:2").make(FOUR) == rule
    assert pickle.loads(pickle.dumps(rule)) == rule


def test_puzzle_files_hold_further_cells(tmp_path: Path) -> None:
    board = Board.empty(FOUR).with_rule(STATED)
    path = tmp_path / "puzzle.toml"
    path.write_text(gridproof.convert(board, "toml"), encoding="utf-8")
    assert gridproof.read_puzzle(path).board == board
    assert gridproof.read_puzzle(gridproof.convert(board, "jsonl")).board == board
    lines = (
        'clues = "................"',
        "[[rules]]",
        'kind = "further-cells"',
        'groups = "va:2"',
        'rules = ["even va1"]',
    )
    path.write_text("\n".join(lines).replace("rules]]", "rule]]"), encoding="utf-8")
    (rule,) = gridproof.read_puzzle(path).board.rules
    assert rule.text(FOUR) == "further-cells groups=va:2 [ even va1 ]"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("further-cells [ even va1 ]", "groups is missing"),
        ("further-cells wa:2 [ even r1c1 ]", "further cells 'wa:2'; expected a name that begins with v and a size"),
        ("further-cells va:0 [ even r1c1 ]", "0 further cells"),
        ("further-cells va:900 vb:900 [ even r1c1 ]", "1800 further cells in 'va:900 vb:900'; expected 1 to 1,000"),
        ("further-cells va:2 va:1 [ even va1 ]", "'va' stated twice"),
        ("further-cells va:2 [ even va3 ]", "va3 is no further cell of this rule; stated are 'va1, va2'"),
        ("further-cells va:2 [ even va2-vb1 ]", "is not a run; expected further cells of one group"),
        ("further-cells va:2 [ anti-knight ]", "anti-knight is about the whole grid"),
        ("further-cells va:2 [ any-of [ even va1 ] [ connected 1 ] ]", "connected is about the whole grid"),
        ("further-cells va:2 [ further-cells vb:1 [ even vb1 ] ]", "further cells inside further cells"),
        ("none-of [ further-cells va:1 [ even va1 ] ]", "further-cells has no opposite that can be stated"),
        ("none-of [ any-of [ even r1c1 ] [ connected 1 ] ]", "connected has no opposite that can be stated"),
        ("even va1", "va1 is no further cell of this rule; stated are 'none'"),
        ("further-cells va:1 r1c1 [ even va1 ]", "words outside all brackets"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Board.empty(FOUR).with_rule(text)


def test_groups_have_names_numbers_and_neighbours() -> None:
    board = with_further_cells(FOUR, read_groups("va:1, vs:2x3"))
    assert [board.cell_name(cell) for cell in range(15, 19)] == ["r4c4", "va1", "vs1", "vs2"]
    assert board.cell("VS6") == 22
    assert board.cell("r2c1") == 4
    assert sorted(board.cell_name(cell) for cell in board.neighbours(board.cell("vs2"))) == ["vs1", "vs3", "vs5"]
    assert list(board.neighbours(16)) == []
    assert list(board.neighbours(15)) == [11, 14]
    assert pickle.loads(pickle.dumps(board)) == board != FOUR
    with pytest.raises(GeometryError, match="expected a name that begins with v"):
        read_groups("v1:2")


@pytest.mark.parametrize("backend", usable_backends(), ids=lambda backend: backend.name)
def test_solutions_are_grids_in_every_backend(backend: Backend) -> None:
    """Each grid comes once, however many ways there are to fill the further cells; or the backend refuses the rule."""
    rules = [
        "further-cells va:2 vs:2x2 [ killer 5 va1 r1c1 repeats ] [ connected 1 3 vs1-vs4 ] [ thermometer vs4 r1c2 ]"
    ]
    board = Board.from_symbols(FOUR, "1... ..1. .... ...2".replace(" ", "")).with_rules(rules)
    expected = set()
    for grid in grids(FOUR):
        fits = grid[0] == 1 and grid[6] == 1 and grid[15] == 2 and grid[1] >= 2
        if fits:
            expected.add(grid)
    assert len(expected) > 1
    for encoding in encodings_of(backend)[: 1 if is_slow(backend) else 3]:
        reason = backend.refuses(board.problem)
        if reason is not None:
            assert "takes houses only" in reason
            return
        with backend.open(compile_model(board.problem, backend, encoding)) as session:
            found = list(session.solutions(board))
        assert sorted(found) == sorted(expected), encoding


def test_further_cells_are_what_brute_force_finds() -> None:
    rule = parse_rule(STATED).make(FOUR)
    kept = {grid for grid in grids(FOUR) if keeps_stated(grid)}
    assert 0 < len(kept) < 288
    assert {grid for grid in grids(FOUR) if rule.holds(FOUR.digits.of(grid), FOUR)} == kept
    board = Board.empty(FOUR).with_rules([rule])
    assert set(gridproof.solutions(board)) == kept
    assert set(reference.solutions(board)) == kept


def test_verdicts_state_that_solutions_are_grids() -> None:
    rule = "further-cells va:1 [ thermometer va1 r1c1 ]"
    verdict = gridproof.verify("21.. .... .... ..13".replace(" ", ""), rules=[rule])
    assert "counted by grids: what further cells hold makes no other solution" in str(verdict)
    unique = gridproof.verify("2143 4321 1234 341.".replace(" ", ""), rules=[rule])
    assert unique.is_unique
    assert "counted by grids" in unique.sentence()
    inside = gridproof.verify("2143 4321 1234 341.".replace(" ", ""), rules=[f"any-of [ {rule} ]"])
    assert "counted by grids" in inside.reason
    assert "counted by grids" not in str(gridproof.verify("2143 4321 1234 341.".replace(" ", "")))


def test_further_cells_hold_digits_of_the_board() -> None:
    geometry = FOUR.with_digits(Digits(0, 3))
    board = Board.empty(geometry).with_rule("further-cells va:1 [ linear-sum 3 va1 r1c1 ] [ even va1 ]")
    assert {geometry.digits.digit(grid[0]) for grid in gridproof.solutions(board)} == {1, 3}


# ---- connected regions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("digits", [{1}, {1, 2}, {1, 2, 3}, {2, 4}])
def test_a_region_is_what_brute_force_finds(digits: set[int]) -> None:
    for shape in (FOUR, Geometry.latin(4)):
        board = Board.empty(shape).with_rules([connected(*digits)])
        expected = {grid for grid in grids(shape) if is_region(grid, digits)}
        assert set(gridproof.solutions(board)) == expected
        sized = Board.empty(shape).with_rules([connected(*digits, size=4 * len(digits))])
        assert set(gridproof.solutions(sized)) == expected
        assert not gridproof.count(sized.with_rule(connected(*digits, size=3))).number


def test_a_region_may_wind_through_all_of_its_cells() -> None:
    """Of a region that is one long path, its end is as many steps from its root as there are cells."""
    board = Geometry.oblong(1, 9, Digits(1, 9))
    assert gridproof.count(Board.empty(board).with_rule("connected 1 2 3 4 5 6 7 8")).number == 2 * 40320
    assert gridproof.verify(Board.empty(board).with_rule("connected 2 size=2")).status == "none"


def test_a_region_among_stated_cells() -> None:
    rule = parse_rule("connected 1 2 size=2 r1c1-r1c4").make(FOUR)
    assert rule.sentence(FOUR) == "the cells with 1 or 2 form one connected region of size 2 among r1c1-r1c4"
    for grid in grids(FOUR):
        places = [place for place in range(4) if grid[place] in (1, 2)]
        assert rule.holds(FOUR.digits.of(grid), FOUR) == (places[1] - places[0] == 1)
    assert parse_rule("connected 9").make(FOUR).impossible(FOUR)
    assert parse_rule("connected 1 size=0").make(FOUR).impossible(FOUR)


def test_counts_of_many_cells_are_clauses_for_any_solver() -> None:
    """A count of so many cells needs a counter, whose clauses join those of the rules."""
    line = "r1c1-r6c1 r1c2-r6c2 r1c3-r6c3"
    verdict = gridproof.verify(Board.empty(Geometry.latin(6)).with_rule(f"look-and-say 3 1 {line}"))
    assert verdict.status == "multiple"


# ---- certificates ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clues", "rule", "claim"),
    [
        ("1... ..1. .... ....", "connected 1 2 4", "multiple"),
        ("12.. 3..2 2..1 ....", "connected 1 4", "none"),
        (".... .... .... ....", "connected 1 2 size=7", "none"),
        ("1234 3412 2.43 .321", "any-of [ connected 1 size=3 ] [ connected 1 r3c2 r4c1 ]", "unique"),
    ],
)
def test_regions_are_certified(clues: str, rule: str, claim: str, tmp_path: Path) -> None:
    board = Board.from_symbols(FOUR, clues.replace(" ", "")).with_rule(rule)
    assert gridproof.verify(board).status == claim
    gridproof.certify(board, cross_check="none").write(tmp_path / "certificate")
    (report,) = gridproof.check(tmp_path / "certificate")
    assert report.accepted
    assert report.claim == claim


def test_further_cells_are_not_certified_and_the_reason_is_told() -> None:
    for rule in (STATED, f"any-of [ {STATED} ] [ even r1c1 ]"):
        with pytest.raises(InputError, match="is about further cells, whose digits no file of a certificate states"):
            gridproof.certify(Board.empty(FOUR).with_rule(rule))
