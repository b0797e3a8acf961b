"""Propagation loses no solution, and what is compiled after it is exactly what the rules say of what is left.

Ground truth that is not ours: 288 grids of the empty 4x4 board, 576 Latin squares of order 4, 48 grids of the 4x4 board
with both diagonals.
"""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import islice
from pathlib import Path

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
from gridproof.limits import Limits, Watch
from gridproof.models import catalog, schemes, targets
from gridproof.models.catalog import encoding_of
from gridproof.models.clauses import Cnf
from gridproof.models.propagation import Reduction, house_arrays, reduce
from gridproof.models.reduced import ReducedCnf, compile_reduction
from gridproof.models.schemes.by_size import LARGEST_PAIRWISE
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import LARGE_ORDER, LargeModel, compile_cnf
from gridproof.pipeline import Pipeline
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, Grid
from gridproof.questions import verify
from gridproof.rules import all_kinds
from gridproof.rules.kind import Kind
from gridproof.trust import reference
from gridproof.trust.check import violations
from rule_samples import SHAPES as SMALL
from rule_samples import grids, random_rule

SEEDS = range(2)
CHOSEN = SHAPES if EVERYTHING else ("Latin 5", "2x2 groups", "2x3", "jigsaw", "extra region", "9x9 diagonals")
each_shape = pytest.mark.parametrize("shape", CHOSEN, ids=str)


def opened(geometry: Geometry, backend: str = "cadical153", encoding: Encoding | None = None) -> Session:
    return backends.find(backend).open(LargeModel(Problem(geometry), encoding or catalog.load("reduced")))


def recipe(scheme: object, *, cell: Sequence[bool] = (True, True), house: Sequence[bool] = (True, True)) -> Encoding:
    """A propagating encoding of one scheme; (at_least_one, at_most_one) for cells and houses."""
    tables = {
        name: {"at_least_one": flags[0], "at_most_one": scheme if flags[1] else False}
        for name, flags in (("cell", cell), ("house", house))
    }
    texts = {"summary": "a test's own", "source": "here", "target": "cnf", "board": {"clues": "propagated"}}
    return encoding_of(texts | tables, "own")


def compile_reduced(board: Board, encoding: Encoding | None = None) -> ReducedCnf:
    return compile_reduction(reduce(board), encoding or catalog.load("reduced"))


def candidate_masks(reduction: Reduction) -> list[int]:
    """For each cell the mask of symbols left, as ``Board.candidates`` has them; all 0 after a contradiction."""
    masks = [1 << symbol >> 1 for symbol in reduction.settled.tolist()]
    for cell, symbol in zip(reduction.cells.tolist(), reduction.symbols.tolist(), strict=True):
        masks[cell] |= 1 << (symbol - 1)
    return [0] * len(masks) if reduction.contradiction else masks


def pattern_grid(rows: int, columns: int, rng: random.Random) -> Grid:
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


@each_shape
@pytest.mark.parametrize("seed", SEEDS)
def test_propagation_loses_no_solution_and_claims_none(shape: str, seed: int) -> None:
    for board in boards(shape, seed):
        reduction = reduce(board)
        found = list(islice(reference.solutions(board), 60))
        if reduction.contradiction:
            assert not found, (board, reduction.contradiction)
            assert not len(reduction.cells)
            continue
        masks = candidate_masks(reduction)
        assert all(mask >> (symbol - 1) & 1 for grid in found for mask, symbol in zip(masks, grid, strict=True)), board
        assert all(mask & ~before == 0 for mask, before in zip(masks, board.candidates, strict=True))
        if reduction.grid is not None:
            assert found == [reduction.grid]


def test_each_kind_of_step_is_taken() -> None:
    row = Board.empty(NINE).with_clue(0, 1).with_clue(1, 2).with_clue(2, 3)
    naked = row.with_clue(12, 4).with_clue(13, 5).with_clue(14, 6).with_clue(24, 7).with_clue(25, 8)
    assert naked.clues[8] == 0
    hidden = Board.empty(NINE).with_clue(9, 5).with_clue(21, 5).with_clue(34, 5).with_clue(62, 5)
    # 5 in box 3: rows 2 and 3 have it, so have columns 8 and 9
    assert reduce(hidden).settled[6] == 5
    locked = Board.empty(NINE).with_clue(9, 7).with_clue(10, 8).with_clue(11, 9).with_clue(18, 4)
    locked = locked.with_clue(19, 5).with_clue(20, 6)
    masks = candidate_masks(reduce(locked))
    assert all(masks[cell] & 0b111 == 0 for cell in range(3, 9))  # 1, 2 and 3 are in the first three cells of row 1
    assert masks[0] == 0b111


def test_the_easy_board_is_solved_by_propagation_alone_and_the_hard_one_is_not() -> None:
    easy = Board.from_symbols(NINE, UNIQUE)
    assert reduce(easy).grid == next(reference.solutions(easy))
    hard = reduce(Board.from_symbols(NINE, HARD))
    assert hard.grid is None
    assert hard.candidate_count > 100
    assert hard.contradiction is None


def test_contradictions_are_found_and_described() -> None:
    clash = Board.empty(NINE).with_clue(0, 5).with_clue(8, 5)
    found = reduce(clash).contradiction
    assert found is not None
    assert (found.kind, set(found.cells), found.symbol) == ("clash", {0, 8}, 5)
    assert "r1c1" in found.message
    assert "row 1" in found.message

    full = (1 << 9) - 1
    marks = [full] * 81
    marks[40] = 0
    found = reduce(Board.empty(NINE).with_marks(marks)).contradiction
    assert found is not None
    assert (found.kind, found.cells) == ("cell", (40,))
    assert "r5c5" in found.message

    marks = [full & ~1 if cell < 9 else full for cell in range(81)]
    found = reduce(Board.empty(NINE).with_marks(marks)).contradiction
    assert found is not None
    assert (found.kind, found.symbol, found.house and found.house.name) == ("place", 1, "row 1")

    marks = [full] * 81
    marks[3] = 0b10
    found = reduce(Board.empty(NINE).with_marks(marks).with_clue(3, 1)).contradiction
    assert found is not None
    assert found.cells == (3,)

    marks = [full if cell > 1 else 0b100 for cell in range(81)]  # two naked singles 3 in one row, at the same time
    found = reduce(Board.empty(NINE).with_marks(marks)).contradiction
    assert found is not None
    assert (found.kind, set(found.cells), found.symbol) == ("clash", {0, 1}, 3)

    singles = [full & ~0b11 if cell not in (0,) else full for cell in range(9)] + [full] * 72
    found = reduce(Board.empty(NINE).with_marks(singles)).contradiction
    assert found is not None
    assert "r1c1" in found.message  # 1 and 2 both have no other place in row 1
    assert "only place left" in found.message


@each_shape
def test_the_houses_has_each_cell_of_each_house_once(shape: str) -> None:
    geometry = SHAPES[shape]()
    houses = house_arrays(geometry)
    found = [sorted(np.flatnonzero((houses.slots == index).any(axis=0))) for index in range(houses.house_count)]
    assert found == [sorted(house.cells) for house in geometry.houses]
    crossings = set()
    for a, b, numbers in houses.crossings:
        for number in range(1, int(numbers.max()) + 1):
            cells = np.flatnonzero(numbers == number)
            assert 1 < len(cells) <= houses.widest
            pair = {*houses.slots[a][cells].tolist(), *houses.slots[b][cells].tolist()}
            crossings.add((frozenset(pair), frozenset(cells.tolist())))
    wanted = set()
    for one, house in enumerate(geometry.houses):
        for other in range(one):
            shared = frozenset(house.cells) & frozenset(geometry.houses[other].cells)
            if len(shared) > 1:
                wanted.add((frozenset((one, other)), shared))
    assert crossings == wanted


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


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (4, 5), (5, 6)], ids=str)
def test_the_empty_board_is_as_large_as_all_rules(shape: tuple[int, int]) -> None:
    encoding = catalog.load("reduced")
    geometry = Geometry.classic(*shape)
    cnf = compile_reduced(Board.empty(geometry))
    assert cnf.sizes == {"variables": cnf.variable_count, "clauses": cnf.clause_count}
    assert compile_cnf(geometry, encoding).sizes == cnf.sizes
    assert {block.dtype for block in cnf.blocks} == {np.dtype("int32")}


def test_the_scheme_follows_the_size_of_a_group() -> None:
    by_size = schemes.find("by-size")
    for size, name in ((LARGEST_PAIRWISE, "pairwise"), (LARGEST_PAIRWISE + 1, "seqcounter")):
        assert by_size.template(size).clauses == schemes.find(name).template(size).clauses


@pytest.mark.parametrize("scheme", schemes.all_schemes())
def test_every_grid_of_the_empty_board_under_every_scheme(scheme: str) -> None:
    truth = [(FOUR, 288), (Geometry.latin(4), 576), (FOUR.with_diagonals(), 48)]
    for geometry, number in truth:
        with opened(geometry, encoding=recipe(scheme)) as session:
            found = list(session.solutions(Board.empty(geometry)))
        assert len(set(found)) == len(found) == number
        assert not [reason for grid in found for reason in violations(Board.empty(geometry), grid)]


def test_auxiliaries_of_different_groups_are_different() -> None:
    cnf = compile_reduced(Board.empty(FOUR), recipe("ladder"))
    used = {abs(literal) for clause in cnf for literal in clause}
    assert used == set(range(1, cnf.variable_count + 1))
    whole = compile_cnf(FOUR, catalog.load("extended-ladder"))
    assert (cnf.variable_count, cnf.clause_count) == (whole.variables.count, len(whole.clauses))


def test_a_large_group_takes_counters_and_a_small_one_pairs() -> None:
    grid = pattern_grid(5, 5, random.Random(1))
    geometry = Geometry.classic(5)
    board = Board(geometry, tuple(0 if cell % 25 or cell < 250 else symbol for cell, symbol in enumerate(grid)))
    cnf = compile_reduced(board)
    counted = (cnf.variable_count - cnf.reduction.candidate_count) // LARGEST_PAIRWISE
    assert 0 < counted < len(np.unique(cnf.reduction.groups))
    with opened(geometry) as session:
        first, second = islice(session.solutions(board), 2)
    assert first != second
    assert not violations(board, first)
    assert not violations(board, second)


# ---- sessions ----------------------------------------------------------------------------------------------------


@each_shape
@pytest.mark.parametrize("backend", ["cadical153", "glucose4"] if EVERYTHING else ["cadical153"])
def test_a_session_finds_what_the_reference_finds(shape: str, backend: str) -> None:
    geometry = SHAPES[shape]()
    with opened(geometry, backend) as session:
        for board in boards(shape, 5):
            wanted = set(islice(reference.solutions(board), 41))
            found = list(islice(session.solutions(board), 41))
            assert len(set(found)) == len(found)
            assert not [reason for grid in found for reason in violations(board, grid)]
            assert len(found) == len(wanted)
            assert len(wanted) == 41 or set(found) == wanted


def test_limits_are_kept_and_the_session_serves_on() -> None:
    easy, hard = Board.from_symbols(NINE, UNIQUE), Board.from_symbols(NINE, HARD)
    with opened(NINE) as session:
        running = session.solutions(Board.empty(NINE), Limits(solutions=2))
        assert len({next(running), next(running)}) == 2
        with pytest.raises(Interrupted, match="2 solutions"):
            next(running)
        with pytest.raises(Interrupted, match="seconds"):
            list(session.solutions(hard, Limits(seconds=1e-9)))
        assert len(list(session.solutions(easy, Limits(solutions=1)))) == 1  # propagation says that there is no other
        running = session.solutions(Board.empty(NINE))
        next(running)
        assert len(list(session.solutions(hard))) == 1
        statistics = session.statistics
        assert statistics.seconds > 0
        assert (statistics.decisions or 0) > 0
        assert list(session.solutions(easy)) == [next(reference.solutions(easy))]
        assert session.statistics.conflicts == 0


@pytest.mark.parametrize("backend", ["cadical153", "glucose4", "minisat22"])
def test_the_limit_of_conflicts_ends_a_hard_board(backend: str) -> None:
    geometry = Geometry.classic(4)
    board = keep(geometry, pattern_grid(4, 4, random.Random(3)), 100, random.Random(3))
    with opened(geometry, backend) as session:
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
    with pytest.raises(Interrupted):
        reduce(Board.from_symbols(NINE, HARD), Watch(Limits(seconds=1e-9)))


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
    with Pipeline(encoding="extended") as pipeline:
        assert pipeline.encoding_for(large) is pipeline.encoding
    with Pipeline("reference") as pipeline:
        assert pipeline.encoding_for(large) is None
    with Pipeline("cp-sat") as pipeline:
        assert pipeline.encoding_for(large) is pipeline.encoding
    named = verify(Board.from_symbols(NINE, HARD), encoding="reduced")
    assert named.is_unique
    assert named.evidence.reference == "agrees"
    assert named.made is not None
    assert named.made.encoding == "reduced"


@pytest.mark.parametrize("share", [0.55, 0.7])
def test_a_board_of_order_36_is_judged_at_once(share: float) -> None:
    geometry = Geometry.classic(6)
    rng = random.Random(f"order 36 {share}")
    grid = pattern_grid(6, 6, rng)
    board = keep(geometry, grid, int(share * geometry.cell_count), rng)
    verdict = verify(board, cross_check="none")
    assert verdict.status in ("unique", "multiple")
    assert verdict.evidence.checked == len(verdict.solutions) > 0
    spoilt = replace(board, clues=(*[grid[1] if cell == 0 else clue for cell, clue in enumerate(board.clues)],))
    assert verify(spoilt, cross_check="none").status == "none"  # grid[1] stands twice in row 1, or its place is gone
    assert reduce(Board(geometry, grid)).grid == grid


def test_a_huge_full_board_takes_moments_and_the_reference_says_that_it_was_not_asked() -> None:
    geometry = Geometry.classic(10)
    grid = pattern_grid(10, 10, random.Random(10))
    holes = set(random.Random(11).sample(range(10_000), 1500))
    board = Board(geometry, tuple(0 if cell in holes else symbol for cell, symbol in enumerate(grid)))
    verdict = verify(board)
    assert verdict.status in ("unique", "multiple")
    assert verdict.status == "multiple" or verdict.evidence.reference == "undecided"


# ---- vocabulary and files ----------------------------------------------------------------------------------------


def test_the_vocabulary_is_closed() -> None:
    data = {
        "summary": "s",
        "source": "s",
        "target": "cnf",
        "cell": {"at_least_one": True, "at_most_one": "by-size"},
        "house": {"at_least_one": True, "at_most_one": "by-size"},
    }
    target = targets.find("cnf")
    assert isinstance(target.compile(Problem(FOUR), encoding_of(data, "own")), Cnf)
    assumed = encoding_of({**data, "board": {"clues": "assumed"}}, "own")
    assert isinstance(target.compile(Problem(FOUR), assumed), Cnf)
    propagated = encoding_of({**data, "board": {"clues": "propagated"}}, "own")
    model = target.compile(Problem(FOUR), propagated)
    assert isinstance(model, LargeModel)
    assert model.sizes == {}, "each board makes a formula of its own"
    assert list(model.clauses_of(Board.empty(FOUR))) == list(compile_reduced(Board.empty(FOUR), propagated))
    with pytest.raises(EncodingError, match=r"board\.clues = 'guessed'.*'assumed', 'propagated'"):
        encoding_of({**data, "board": {"clues": "guessed"}}, "own")
    with pytest.raises(EncodingError, match=r"unknown key board\.rules"):
        encoding_of({**data, "board": {"rules": "propagated"}}, "own")
    cut = {**data, "house": {**data["house"], "through": "intersections"}, "board": {"clues": "propagated"}}  # type: ignore[dict-item]
    with pytest.raises(EncodingError, match="cut no further"):
        encoding_of(cut, "own")


def compiled(board: str, *options: str) -> list[str]:
    out = io.StringIO()
    with redirect_stdout(out):
        assert main(["compile", "-e", "reduced", board, *options]) == 0
    return out.getvalue().splitlines()


def test_compile_writes_what_is_left_as_dimacs(tmp_path: Path) -> None:
    lines = compiled(HARD)
    board = Board.from_symbols(NINE, HARD)
    cnf = compile_reduced(board)
    header = next(line for line in lines if line.startswith("p "))
    assert header == f"p cnf {cnf.variable_count} {cnf.clause_count}"
    clauses = [list(map(int, line.split())) for line in lines[lines.index(header) + 1 :]]
    assert [clause[:-1] for clause in clauses] == list(cnf)
    assert {clause[-1] for clause in clauses} == {0}
    names = [line.split() for line in lines if line.startswith("c ") and "x[" in line]
    assert [int(words[1]) for words in names] == list(range(1, cnf.variable_count + 1))
    assert sum(line.startswith("c settled r") for line in lines) == np.count_nonzero(cnf.reduction.settled)
    path = tmp_path / "hard.cnf"
    path.write_text("\n".join(lines) + "\n", encoding="ascii")
    grid = solved_by_another_reader(path, names, [line for line in lines if line.startswith("c settled")])
    assert grid == next(reference.solutions(board))
    assert not [line for line in compiled(HARD, "--no-names") if line.startswith("c ") and "=" in line]


def solved_by_another_reader(path: Path, names: list[list[str]], settled: list[str]) -> Grid:
    """The grid by PySAT's own reader of DIMACS and the names in the file's comments."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    with Solver("glucose4", bootstrap_with=CNF(from_file=str(path)).clauses) as solver:
        assert solver.solve()
        true = {literal for literal in solver.get_model() if literal > 0}
    said = [words[2].removeprefix("x[").removesuffix("]") for words in names if int(words[1]) in true]
    said += [line.split()[-1] for line in settled]
    places = {cell: int(symbol) for cell, _, symbol in (text.partition("=") for text in said)}
    return tuple(places[NINE.cell_name(cell)] for cell in range(81))


def test_compile_writes_the_empty_clause_for_a_contradiction_and_nothing_for_a_solved_board() -> None:
    contradiction = compiled("55" + "." * 79)
    assert contradiction[-2:] == ["p cnf 0 1", "0"]
    assert "both" in contradiction[-3] or "all hold 5" in contradiction[-3]
    assert compiled(UNIQUE)[-1] == "p cnf 0 0"
    rules = compiled(UNIQUE, "--rules-only", "--no-names")
    assert rules[-1].split()[-1] == "0"
    assert "p cnf 729 10530" in rules


def test_a_decoded_model_is_forbidden_by_its_blocking_clause() -> None:
    board = keep(NINE, some_grid(NINE), 30, random.Random(2))
    cnf = compile_reduced(board)
    for grid in islice(reference.solutions(board), 5):
        n = cnf.reduction.candidate_count
        model = [v if grid[cell] == symbol else -v for v, cell, symbol in _open(cnf)]
        assert cnf.decode(model) == grid
        clause = cnf.blocking_clause(grid)
        assert set(clause) == {-literal for literal in model if literal > 0}
        assert all(-n <= literal < 0 for literal in clause)


def _open(cnf: ReducedCnf) -> Iterator[tuple[int, int, int]]:
    cells, symbols = cnf.reduction.cells.tolist(), cnf.reduction.symbols.tolist()
    return zip(range(1, len(cells) + 1), cells, symbols, strict=True)


def test_every_variable_of_what_is_left_has_a_name() -> None:
    cnf = compile_reduced(keep(NINE, some_grid(NINE), 30, random.Random(2)), recipe("ladder"))
    names = [cnf.name(variable) for variable in range(1, cnf.variable_count + 1)]
    assert len(set(names)) == len(names) > cnf.reduction.candidate_count
    for variable, cell, symbol in _open(cnf):
        assert names[variable - 1] == f"x[{NINE.cell_name(cell)}={symbol}]"
    assert all(name.startswith("ladder[") for name in names[cnf.reduction.candidate_count :])
    for number in (0, -1, cnf.variable_count + 1):
        with pytest.raises(IndexError, match=str(number)):
            cnf.name(number)
    assert cnf.literals(Board.from_symbols(NINE, HARD)) == []


# ---- rules -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", all_kinds().values(), ids=lambda kind: kind.name)
def test_a_board_with_a_rule_has_the_solutions_that_hold(kind: Kind) -> None:
    rng = random.Random(f"{kind.name} propagated")
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
                and rule.holds(grid, geometry)
            }
            with backends.find("cadical153").open(LargeModel(board.problem, catalog.load("reduced"))) as session:
                found = list(session.solutions(board))
            assert len(found) == len(set(found))
            assert set(found) == wanted, (rule, board)


@pytest.mark.parametrize(
    "rules", [["even r1c1"], ["anti-knight"], ["whispers difference=2 r1c1 r1c2", "killer 99 r1c1 r1c2"]], ids=str
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
    holds = all(rule.holds(grid, geometry) for rule in board.rules)
    verdict = verify(board, limits=Limits(seconds=60), cross_check="none")
    assert verdict.made is not None
    assert verdict.made.encoding == "reduced"
    assert (verdict.status in ("unique", "multiple")) >= holds
    assert verdict.status != "undecided"
