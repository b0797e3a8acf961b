"""Propagation ends where naive steps end, and what is compiled after it is what the rules demand of what is left."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from core_samples import (
    EVERYTHING,
    FOUR,
    HARD,
    NINE,
    SHAPES,
    UNIQUE,
    keep,
    random_grid,
    some_grid,
    tasks,
    with_random_marks,
)
from gridproof import backends
from gridproof.backends.protocol import Session
from gridproof.cli import main
from gridproof.errors import BackendFailure, EncodingError, Interrupted
from gridproof.limits import Limits, Watch, watched
from gridproof.models import catalog, schemes, targets
from gridproof.models.catalog import make_encoding
from gridproof.models.propagation import Reduction, reduce
from gridproof.models.reduced import ReducedCnf, compile_reduction
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import LARGE_ORDER, LargeModel, compile_cnf
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.questions import verify
from gridproof.rules import Rule, all_kinds
from gridproof.trust import reference
from gridproof.trust.check import violations
from rules.random_rules import SHAPES as SMALL
from rules.random_rules import grids, random_rule

CHOSEN = SHAPES if EVERYTHING else ("Latin 5", "2x2 groups", "2x3", "jigsaw", "extra region", "9x9 diagonals")
each_shape = pytest.mark.parametrize("shape", CHOSEN, ids=str)


def opened(geometry: Geometry, backend: str = "cadical153", encoding: Encoding | None = None) -> Session:
    return backends.find(backend).open(LargeModel(Problem(geometry), encoding or catalog.load("reduced")))


def recipe(
    scheme: object, *, cell: Sequence[bool] = (True, True), house: Sequence[bool] = (True, True), through: str = "cells"
) -> Encoding:
    """A propagating encoding of one scheme; (at_least_one, at_most_one) for cells and houses."""
    tables = {
        name: {"at_least_one": flags[0], "at_most_one": scheme if flags[1] else False}
        for name, flags in (("cell", cell), ("house", house))
    }
    tables["house"]["through"] = through
    texts = {"summary": "a test's own", "source": "here", "target": "cnf", "board": {"clues": "propagated"}}
    return make_encoding(texts | tables, "own")


def compile_reduced(board: Board, encoding: Encoding | None = None) -> ReducedCnf:
    return compile_reduction(reduce(board), encoding or catalog.load("reduced"))


def candidate_masks(reduction: Reduction) -> list[int]:
    """For each cell the mask of symbols left, as ``Board.candidates`` has them; all 0 after a contradiction."""
    masks = [1 << symbol >> 1 for symbol in reduction.settled.tolist()]
    for cell, symbol in zip(reduction.cells.tolist(), reduction.symbols.tolist(), strict=True):
        masks[cell] |= 1 << (symbol - 1)
    return [0] * len(masks) if reduction.contradiction else masks


def pattern_grid(rows: int, columns: int, rng: random.Random) -> SymbolTuple:
    """A grid of boxes of rows x columns, with its symbols and the rows of its bands in random order."""
    n = rows * columns
    symbols = rng.sample(range(1, n + 1), n)
    lines = [band * rows + row for band in range(columns) for row in rng.sample(range(rows), rows)]
    return tuple(symbols[(columns * (line % rows) + line // rows + c) % n] for line in lines for c in range(n))


def boards(shape: str, seed: int) -> Iterator[Board]:
    geometry = SHAPES[shape]()
    rng = random.Random(f"{shape} {seed}")
    if geometry.order > 1:
        for task in tasks(geometry, 9, seed):
            yield task.board
    grid = random_grid(geometry, rng)
    for share in (0.2, 0.4, 0.6):
        board = keep(geometry, grid, int(share * geometry.cell_count), rng)
        yield board
        yield with_random_marks(board, grid, rng)


# ---- propagation -------------------------------------------------------------------------------------------------


def naive(board: Board, rng: random.Random) -> list[int] | None:
    """Singles and locked candidates until nothing changes, as masks; ``None`` for a contradiction."""
    n, houses = board.geometry.order, [set(house.cells) for house in board.geometry.houses]
    masks = [1 << clue >> 1 or (1 << n) - 1 for clue in board.clues]
    if board.marks is not None:
        masks = [mask & marks for mask, marks in zip(masks, board.marks, strict=True)]
    steps = [(place, bit) for place in range(len(houses)) for bit in range(n)]
    changed = True
    while changed:
        changed = False
        rng.shuffle(steps)
        for place, bit in steps:
            here = {cell for cell in houses[place] if masks[cell] >> bit & 1}
            if not here:
                return None
            before = list(masks)
            if len(here) == 1:  # a hidden single
                masks[min(here)] = 1 << bit
            for cell in here:
                if masks[cell] == 1 << bit:  # a naked one
                    for other in houses[place] - {cell}:
                        masks[other] &= ~(1 << bit)
            for house in houses:
                if here <= house:
                    for cell in house - here:
                        masks[cell] &= ~(1 << bit)
            changed |= masks != before
    return masks if all(masks) else None


def small_boards(shape: str, seed: int) -> Iterator[Board]:
    """Boards with solutions, and boards of random clues, of which most have none."""
    yield from boards(shape, seed)
    geometry = SHAPES[shape]()
    rng = random.Random(f"{shape} {seed} spoiled")
    grid = random_grid(geometry, rng)
    for share in (0.1, 0.3, 0.5):
        board = keep(geometry, grid, max(1, int(share * geometry.cell_count)), rng)
        cell = rng.choice([cell for cell, clue in enumerate(board.clues) if clue])
        clues = list(board.clues)
        clues[cell] = rng.randint(1, geometry.order)
        yield Board(geometry, tuple(clues))
        yield with_random_marks(Board(geometry, tuple(clues)), random_grid(geometry, rng), rng)


@pytest.mark.slow
@each_shape
def test_the_work_list_ends_where_naive_steps_end_in_any_order(shape: str) -> None:
    contradictions = 0
    for seed in range(6 if EVERYTHING else 3):
        for number, board in enumerate(small_boards(shape, seed)):
            reduction = reduce(board)
            wanted = naive(board, random.Random(number))
            contradictions += wanted is None
            assert reduction.contradiction == (wanted is None), board
            assert wanted is None or candidate_masks(reduction) == wanted, board
    assert contradictions or SHAPES[shape]().order == 1


FULL = (1 << 9) - 1


@pytest.mark.parametrize(
    ("clues", "marks"),
    [
        ({0: 5, 8: 5}, {}),
        ({}, {40: 0}),
        ({}, dict.fromkeys(range(9), FULL & ~1)),
        ({3: 1}, {3: 0b10}),
        ({}, {0: 0b100, 1: 0b100}),  # two naked singles of one row, at the same time
        ({}, dict.fromkeys(range(1, 9), FULL & ~3)),  # one cell, the only place left for 1 and for 2
    ],
)
def test_contradictions_are_found(clues: dict[int, int], marks: dict[int, int]) -> None:
    board = Board.empty(NINE).with_marks([marks.get(cell, FULL) for cell in range(81)])
    for cell, symbol in clues.items():
        board = board.with_clue(cell, symbol)
    assert reduce(board).contradiction


# ---- clauses -----------------------------------------------------------------------------------------------------


def restricted(board: Board, encoding: str) -> set[frozenset[int]]:
    """The rules' clauses, restricted to the candidates that propagation leaves: the slow way to what we compile."""
    reduction = reduce(board)
    n = board.geometry.order
    open_ = {
        int(cell) * n + int(symbol): number
        for number, (cell, symbol) in enumerate(zip(reduction.cells, reduction.symbols, strict=True), 1)
    }
    true = {cell * n + symbol for cell, symbol in enumerate(reduction.settled.tolist()) if symbol}
    left = set()
    for clause in compile_cnf(board.geometry, catalog.load(encoding)).clauses:
        if any(
            literal in true if literal > 0 else -literal not in true and -literal not in open_ for literal in clause
        ):
            continue
        left.add(frozenset(open_[abs(x)] * (1 if x > 0 else -1) for x in clause if abs(x) in open_))
    return left


@pytest.mark.slow
@each_shape
@pytest.mark.parametrize(
    ("rules", "cell", "house"),
    [
        ("extended", (True, True), (True, True)),
        ("minimal", (True, False), (False, True)),
        ("natural", (True, True), (False, True)),
    ],
)
def test_the_clauses_are_the_rules_restricted_to_what_is_left(
    shape: str, rules: str, cell: tuple[bool, bool], house: tuple[bool, bool]
) -> None:
    for board in boards(shape, 3):
        cnf = compile_reduced(board, recipe("pairwise", cell=cell, house=house))
        if cnf.reduction.contradiction:
            assert list(cnf) == [()]
            continue
        clauses = [frozenset(clause) for clause in cnf]
        assert len(set(clauses)) == len(clauses) == cnf.clause_count
        assert set(clauses) == restricted(board, rules)
        assert cnf.variable_count == cnf.reduction.candidate_count


@pytest.mark.parametrize("shape", [(2, 3), (5, 6)], ids=str)
def test_the_empty_board_is_as_large_as_all_rules(shape: tuple[int, int]) -> None:
    encoding = catalog.load("reduced")
    geometry = Geometry.classic(*shape)
    cnf = compile_reduced(Board.empty(geometry))
    assert cnf.sizes == {"variables": cnf.variable_count, "clauses": cnf.clause_count}
    assert compile_cnf(geometry, encoding).sizes == cnf.sizes
    assert {block.dtype for block in cnf.blocks} == {np.dtype("int32")}


@pytest.mark.parametrize("scheme", schemes.all_schemes())
def test_every_grid_of_the_empty_board_under_every_scheme(scheme: str) -> None:
    with opened(FOUR, encoding=recipe(scheme)) as session:
        found = list(session.solutions(Board.empty(FOUR)))
    assert len(set(found)) == len(found) == 288
    assert not [reason for grid in found for reason in violations(Board.empty(FOUR), grid)]


# ---- sessions ----------------------------------------------------------------------------------------------------


def test_limits_are_kept_and_the_session_serves_on() -> None:
    easy, hard = Board.from_symbols(NINE, UNIQUE), Board.from_symbols(NINE, HARD)
    with opened(NINE) as session:
        running = session.solutions(Board.empty(NINE), Limits(solutions=2))
        assert len({next(running), next(running)}) == 2
        with pytest.raises(Interrupted, match="2 solutions"):
            next(running)
        with pytest.raises(Interrupted, match="seconds"):
            list(session.solutions(hard, Limits(seconds=1e-9)))
        assert len(list(session.solutions(easy, Limits(solutions=1)))) == 1  # propagation excludes any other
        running = session.solutions(Board.empty(NINE))
        next(running)
        assert len(list(session.solutions(hard))) == 1
        statistics = session.statistics
        assert statistics.seconds > 0
        assert (statistics.decisions or 0) > 0
        assert list(session.solutions(easy)) == [next(reference.solutions(easy))]
        assert session.statistics.conflicts == 0


def test_the_limit_of_conflicts_ends_a_hard_board() -> None:
    geometry = Geometry.classic(4)
    board = keep(geometry, pattern_grid(4, 4, random.Random(3)), 100, random.Random(3))
    with opened(geometry) as session:
        with pytest.raises(Interrupted, match="1 conflicts"):
            list(session.solutions(board, Limits(conflicts=1)))
        assert next(session.solutions(board))


def test_the_time_limit_holds_while_clauses_are_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = ReducedCnf.pieces

    def slow(cnf: ReducedCnf) -> Iterator[Sequence[Sequence[int]]]:
        for piece in pieces(cnf):
            yield piece
            monkeypatch.setattr(Watch, "look", _over)

    monkeypatch.setattr(ReducedCnf, "pieces", slow)
    with opened(NINE) as session, pytest.raises(Interrupted):
        next(session.solutions(Board.empty(NINE), Limits(seconds=100)))


def _over(watch: Watch) -> None:
    raise Interrupted("seconds", watch.limits.seconds)


@pytest.mark.parametrize(
    ("raised", "wanted"), [(RuntimeError("boom"), BackendFailure), (KeyboardInterrupt(), KeyboardInterrupt)]
)
def test_a_solver_that_breaks_is_not_called_again_and_the_session_serves_on(
    monkeypatch: pytest.MonkeyPatch, raised: BaseException, wanted: type[BaseException]
) -> None:
    from gridproof.backends.solvers.pysat._solver import Solver

    board = Board.from_symbols(NINE, HARD)

    def breaks(solver: Solver, assumptions: list[int], conflicts: int) -> bool:
        solver.abandon()
        raise raised

    with opened(NINE) as session:
        with monkeypatch.context() as patched:
            patched.setattr(Solver, "step", breaks)
            with pytest.raises(wanted):
                next(session.solutions(board))
        assert list(session.solutions(board)) == list(reference.solutions(board))


def test_propagation_stops_when_time_is_over() -> None:
    with pytest.raises(Interrupted), watched(Watch(Limits(seconds=1e-9))):
        reduce(Board.from_symbols(NINE, HARD))


# ---- in the pipe -------------------------------------------------------------------------------------------------


def test_large_boards_alone_are_reduced_and_what_is_named_is_taken() -> None:
    large = Geometry.classic(4, 5)
    assert large.order == LARGE_ORDER
    with Pipeline() as pipeline:
        found = {shape.order: pipeline.encoding_for(shape) for shape in (NINE, Geometry.classic(3, 6), large)}
        assert [encoding.name for encoding in found.values() if encoding] == ["extended", "extended", "reduced"]
        verdict = pipeline.verify(Board(large, pattern_grid(4, 5, random.Random(0))))
        assert verdict.is_unique
        assert verdict.made is not None
        assert verdict.made.encoding == "reduced"
    for pipe in (Pipeline(encoding="extended"), Pipeline("reference"), Pipeline("cp-sat")):
        with pipe as pipeline:
            assert pipeline.encoding_for(large) is pipeline.encoding
    named = verify(Board.from_symbols(NINE, HARD), encoding="reduced")
    assert named.is_unique
    assert str(named.evidence.reference) == "agrees"
    assert named.made is not None
    assert named.made.encoding == "reduced"


def test_a_board_of_order_36_is_judged_at_once() -> None:
    geometry = Geometry.classic(6)
    rng = random.Random("order 36")
    grid = pattern_grid(6, 6, rng)
    board = keep(geometry, grid, int(0.7 * geometry.cell_count), rng)
    verdict = verify(board, cross_check="none")
    assert verdict.status in ("unique", "multiple")
    assert verdict.evidence.checked == len(verdict.solutions) > 0
    spoilt = replace(board, clues=(*[grid[1] if cell == 0 else clue for cell, clue in enumerate(board.clues)],))
    assert verify(spoilt, cross_check="none").status == "none"  # grid[1] stands twice in row 1, or its place is gone
    assert reduce(Board(geometry, grid)).grid == grid


# ---- files -------------------------------------------------------------------------------------------------------


def test_each_board_makes_a_formula_of_its_own() -> None:
    model = targets.find("cnf").compile(Problem(FOUR), recipe("pairwise"))
    assert isinstance(model, LargeModel)
    assert model.sizes == {}
    assert list(model.clauses_of(Board.empty(FOUR))) == list(compile_reduced(Board.empty(FOUR), recipe("pairwise")))
    with pytest.raises(EncodingError, match="cut no further"):
        recipe("pairwise", through="intersections")


def compiled(board: str, *options: str) -> list[str]:
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["compile", "-e", "reduced", board, *options]) == 0
    return out.getvalue().splitlines()


def test_compile_writes_what_is_left_as_dimacs() -> None:
    lines = compiled(HARD)
    cnf = compile_reduced(Board.from_symbols(NINE, HARD))
    header = next(line for line in lines if line.startswith("p "))
    assert header == f"p cnf {cnf.variable_count} {cnf.clause_count}"
    clauses = [list(map(int, line.split())) for line in lines[lines.index(header) + 1 :]]
    assert [clause[:-1] for clause in clauses] == list(cnf)
    assert {clause[-1] for clause in clauses} == {0}
    names = [line.split() for line in lines if line.startswith("c ") and "x[" in line]
    assert [int(words[1]) for words in names] == list(range(1, cnf.variable_count + 1))
    assert sum(line.startswith("c settled r") for line in lines) == np.count_nonzero(cnf.reduction.settled)
    assert not [line for line in compiled(HARD, "--no-names") if line.startswith("c ") and "=" in line]


def test_compile_writes_the_empty_clause_for_a_contradiction_and_nothing_for_a_solved_board() -> None:
    contradiction = compiled("55" + "." * 79)
    assert contradiction[-2:] == ["p cnf 0 1", "0"]
    assert contradiction[-3].startswith("c contradiction")
    assert compiled(UNIQUE)[-1] == "p cnf 0 0"
    rules = compiled(UNIQUE, "--rules-only", "--no-names")
    assert rules[-1].split()[-1] == "0"
    assert "p cnf 729 10530" in rules


def test_variables_have_names_and_a_decoded_model_is_forbidden_by_its_blocking_clause() -> None:
    board = keep(NINE, some_grid(NINE), 30, random.Random(2))
    cnf = compile_reduced(board, recipe("ladder"))
    cells, symbols = cnf.reduction.cells.tolist(), cnf.reduction.symbols.tolist()
    names = [cnf.name(variable) for variable in cnf.variables]
    assert len(set(names)) == len(names) > len(cells)
    assert names[: len(cells)] == [f"x[{NINE.cell_name(c)}={s}]" for c, s in zip(cells, symbols, strict=True)]
    assert all(name.startswith("ladder[") for name in names[len(cells) :])
    assert {abs(literal) for clause in cnf for literal in clause} == {*cnf.variables}
    assert cnf.literals(board) == []
    for grid in islice(reference.solutions(board), 5):
        true = [v for v, (cell, symbol) in enumerate(zip(cells, symbols, strict=True), 1) if grid[cell] == symbol]
        assert cnf.decode([v if v in true else -v for v in cnf.variables]) == grid
        assert cnf.blocking_clause(grid) == tuple(-v for v in true)


# ---- rules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", all_kinds().values(), ids=lambda kind: kind.kind)
def test_a_board_with_a_rule_has_the_solutions_that_hold(kind: type[Rule]) -> None:
    rng = random.Random(f"{kind.kind} propagated")
    for geometry in SMALL[4:]:
        everything = grids(geometry)
        for _ in range(3):
            rule = random_rule(kind, geometry, rng)
            kept = rng.randint(0, 10)
            board = keep(geometry, rng.choice(everything), kept, rng).with_rules((rule,))
            if kept % 2:
                board = with_random_marks(board, None, rng)
            wanted = {
                grid
                for grid in everything
                if all(mask >> (symbol - 1) & 1 for mask, symbol in zip(board.candidates, grid, strict=True))
                and rule.holds(geometry.digits.of(grid), geometry)
            }
            with backends.find("cadical153").open(LargeModel(board.problem, catalog.load("reduced"))) as session:
                found = list(session.solutions(board))
            assert len(found) == len(set(found))
            assert set(found) == wanted, (rule, board)


@pytest.mark.parametrize(
    "rules", [["anti-knight"], ["whispers difference=2 r1c1 r1c2", "killer 99 r1c1 r1c2"]], ids=str
)
def test_a_rule_on_a_large_board_costs_no_model_of_the_whole_board(rules: Sequence[str]) -> None:
    geometry = Geometry.classic(10)
    grid = pattern_grid(10, 10, random.Random(10))
    board = Board(geometry, tuple(0 if cell % 3 == 0 else symbol for cell, symbol in enumerate(grid)))
    rest = reduce(board)
    assert rest.candidate_count < 50_000
    for rule in rules:
        board = board.with_rule(rule)
    model = LargeModel(board.problem, catalog.load("reduced"))
    assert model.clauses_of(board).variable_count < 2 * max(rest.candidate_count, 1_000)
    holds = all(rule.holds(geometry.digits.of(grid), geometry) for rule in board.rules)
    verdict = verify(board, limits=Limits(seconds=60), cross_check="none")
    assert verdict.made is not None
    assert verdict.made.encoding == "reduced"
    assert (verdict.status in ("unique", "multiple")) >= holds
    assert verdict.status != "undecided"
