"""The formula that the checker writes: exactly the solutions, byte for byte as documented, bounded."""

from __future__ import annotations

import json
import tracemalloc
from itertools import combinations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from checker.certificate_files import FOUR, solutions
from gridproof import checker, formats
from gridproof.checker.findings import CheckerLimits, Clock, Refusal
from gridproof.checker.formula import Formula, formula, true_literals
from gridproof.checker.machines import KINDS, Unrolled, sum_of, times
from gridproof.checker.pair_kinds import in_order
from gridproof.checker.statement import Layout, parse_geometry
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import Rule, all_kinds
from gridproof.rules.kinds.pair_lines import PairComparison
from gridproof.trust.checked_board import state_for_checker
from rules.random_rules import SHAPES, grids, random_rule


def models(stated: Formula, n: int) -> set[SymbolTuple]:
    """The grids of all models, by another solver."""
    found = set()
    with Solver("minisat22", bootstrap_with=[list(clause) for clause in stated.clauses]) as solver:
        while solver.solve():
            true = [x for x in solver.get_model()[: n**3] if x > 0]
            assert len(true) == n * n, "each cell has one symbol"
            found.add(tuple((x - 1) % n + 1 for x in true))
            solver.add_clause([-x for x in true])
    return found


def board_with(geometry: Geometry, kinds: list[str], random: Random) -> Board:
    """Random rules, and clues and pencil marks of a grid that often keeps them."""
    board = Board.empty(geometry).with_rules([random_rule(all_kinds()[name], geometry, random) for name in kinds])
    grid = random.choice(solutions(board) or grids(geometry))
    for cell in random.sample(range(geometry.cell_count), random.randint(0, geometry.order)):
        board = board.with_clue(cell, grid[cell])
    if random.random() < 0.3:
        full = (1 << geometry.order) - 1
        marks = [full if random.random() < 0.8 else random.randint(0, full) | 1 << (s - 1) for s in grid]
        board = board.with_marks(marks)
    return board


@pytest.mark.slow
@given(seed=st.integers(0, 10**9), kinds=st.lists(st.sampled_from(sorted(KINDS)), max_size=3))
@settings(max_examples=150)
def test_its_models_are_the_solutions(seed: int, kinds: list[str]) -> None:
    random = Random(seed)
    geometry = random.choice(SHAPES[2:])
    board = board_with(geometry, kinds, random)
    stated, truth = state_for_checker(board), solutions(board)
    assert models(stated.formula(), geometry.order) == set(truth)
    forbidden = truth[:2]
    assert models(stated.formula(forbidden), geometry.order) == set(truth) - set(forbidden)


@given(seed=st.integers(0, 10**9), kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3))
@settings(max_examples=40)
def test_a_part_of_the_board_and_of_the_rules(seed: int, kinds: list[str]) -> None:
    random = Random(seed)
    geometry = random.choice(SHAPES[2:])
    board = board_with(geometry, kinds, random).with_marks([(1 << geometry.order) - 1] * geometry.cell_count)
    cells = [cell for cell, clue in enumerate(board.clues) if clue and random.random() < 0.5]
    rules = [number for number in range(len(board.rules)) if random.random() < 0.5]
    part = Board.empty(geometry).with_rules([board.rules[number] for number in rules])
    for cell in cells:
        part = part.with_clue(cell, board.clues[cell])
    assert models(state_for_checker(board).formula((), cells, rules), geometry.order) == set(solutions(part))


def test_byte_for_byte() -> None:
    """The example of docs/certificates.md: x[r1c1, 1] is 1, x[r1c1, 2] is 2, x[r1c2, 1] is 3, ..."""
    board = Board(Geometry.latin(2), (1, 0, 0, 0)).with_rule("odd r2c2")
    assert state_for_checker(board).formula([(1, 2, 2, 1)]).dimacs().decode().splitlines() == [
        "p cnf 8 15",
        *("1 0", "-2 0", "-3 0", "-5 0"),  # the clue, and what follows in its cell, row and column
        *("4 0", "6 0"),  # r1c2 and r2c1 hold a symbol
        *("7 8 0", "-7 -8 0"),  # r2c2 holds exactly one
        *("7 0", "6 8 0", "-6 -8 0"),  # row 2 has exactly one place for 1, and one for 2
        *("4 8 0", "-4 -8 0"),  # column 2 has one place for 2
        "-8 0",  # r2c2 is odd
        "-4 -6 -7 0",  # not the grid 12 21
    ]


def test_what_the_clues_settle_is_stated_once() -> None:
    """Each true_literals literal is a clause; no other clause has it or its negation."""
    stated = state_for_checker(
        formats.parse("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    )
    clauses, true = stated.formula().clauses, true_literals(stated.layout, stated.board)
    assert len(true) > 300
    assert {clause[0] for clause in clauses[: len(true)]} == true
    variables = set(map(abs, true))
    assert variables.isdisjoint(abs(literal) for clause in clauses[len(true) :] for literal in clause)
    assert len(set(clauses)) == len(clauses)


@pytest.mark.parametrize("line", ["11..............", "1...1...........", "12......3.......4......."[:16]])
def test_contradictory_clues_make_no_empty_clause(line: str) -> None:
    stated = state_for_checker(Board.from_symbols(FOUR, line)).formula()
    assert all(stated.clauses)
    assert bool(models(stated, 4)) == bool(solutions(Board.from_symbols(FOUR, line)))


# ---- every kind ------------------------------------------------------------------------------------------------------


def kept(rule: Rule, geometry: Geometry, grid: SymbolTuple) -> bool:
    """Return whether the parts that the checker makes of a rule fit a grid."""
    (read,) = state_for_checker(Board.empty(geometry).with_rule(rule)).rules
    return all(part.fits(tuple(grid)) for part in read.parts)


def test_the_checker_has_no_kind_that_there_is_not() -> None:
    assert len(KINDS) > 45
    assert KINDS.keys() <= all_kinds().keys()


@pytest.mark.parametrize("name", sorted(KINDS))
def test_every_kind(name: str) -> None:
    """The checker's words and ``holds`` agree on grids of small boards and of some whose symbols have two digits."""
    for seed, geometry in enumerate((*SHAPES, Geometry.classic(3), Geometry.classic(3, 4))):
        random = Random(f"{name} {seed}")
        if name == "lunchbox" and geometry.order == 1:  # it needs two cells
            continue
        rule = random_rule(all_kinds()[name], geometry, random)
        sample = grids(geometry) if geometry.order <= 6 else [larger(geometry, random) for _ in range(20)]
        (read,) = state_for_checker(Board.empty(geometry).with_rule(rule)).rules
        for grid in random.sample(sample, min(len(sample), 150)):
            fits = all(part.fits(tuple(grid)) for part in read.parts)
            assert fits == rule.holds(geometry.digits.of(grid), geometry), (rule, grid)


def larger(geometry: Geometry, random: Random) -> SymbolTuple:
    assert geometry.box_shape is not None
    n, (high, wide) = geometry.order, geometry.box_shape
    symbols = random.sample(range(1, n + 1), n)
    return tuple(symbols[(wide * (r % high) + r // high + c) % n] for r in range(n) for c in range(n))


def test_fractions_are_exact() -> None:
    """In binary ones 1/10 + 1/5 is not 3/10."""
    rule = PairComparison(allow="a/10 + b/5 == 3/10", lines=((0, 10),))
    assert [grid for grid in grids(FOUR) if kept(rule, FOUR, grid)] == [
        grid for grid in grids(FOUR) if grid[0] == grid[10] == 1
    ]


def test_the_document_has_the_words_of_the_checker() -> None:
    """The table of docs/certificates.md names every kind, with its parameters and its sentence."""
    page = Path(checker.__file__).parents[3] / "docs" / "certificates.md"
    if not page.is_file():
        pytest.skip("not in a checkout")
    table = page.read_text().split("### rules.json")[1].split("## The formula")[0]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| `")]
    documented = {name.strip("` "): row for row in rows for name in row[0].split(",")}
    for name, kind in KINDS.items():
        parameters = ", ".join(f"{key} ({expected})" for key, expected in kind.parameters.items()) or "none"
        assert documented[name][1:] == [parameters, kind.sentence], name


# ---- bounds ----------------------------------------------------------------------------------------------------------


def test_sets_are_tried_one_after_another() -> None:
    layout = Layout(4, 4, 1, 16, (), (), (frozenset(range(16)),) * 16)
    line = sum_of(layout, 50, times(range(8), 1), distinct=True)
    tracemalloc.start()
    stated = list(Unrolled(layout, CheckerLimits(), Clock(60)).clauses(line, iter(range(5000, 10**9))))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert stated
    assert peak < 30 << 20


def test_pairs_of_cells_that_are_listed_again_and_again() -> None:
    """Each pair is taken once, in the order of the line."""
    random = Random(1)
    for _ in range(50):
        line = tuple(random.choices(range(6), k=random.randint(1, 12)))
        assert {p for p in in_order(line) if p[0] != p[1]} == {p for p in combinations(line, 2) if p[0] != p[1]}
    assert len(list(in_order((0, 1) * 2000))) == 4


def test_a_formula_of_too_many_clauses_is_refused() -> None:
    geometry = json.dumps({"order": 9, "boxes": [3, 3], "regions": [], "houses": []}).encode()
    layout, _ = parse_geometry(geometry, CheckerLimits())
    clauses = len(formula(layout, {}, (), (), Unrolled(layout, CheckerLimits(), Clock(60))).clauses)
    exactly = Unrolled(layout, CheckerLimits(clauses=clauses), Clock(60))
    assert len(formula(layout, {}, (), (), exactly).clauses) == clauses
    with pytest.raises(Refusal, match="too-large"):
        formula(layout, {}, (), (), Unrolled(layout, CheckerLimits(clauses=clauses - 1), Clock(60)))
