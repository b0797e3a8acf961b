"""The contract of every encoding. The kit runs over every file found; what it expects comes from the file itself."""

from __future__ import annotations

import io
import random
import re
from collections import Counter

import pytest

from core_samples import (
    EVERYTHING,
    FOUR,
    NINE,
    UNIQUE,
    keep,
    random_grid,
    some_grid,
    usable_backends,
    with_random_marks,
)
from gridproof.backends.models import compile_model
from gridproof.backends.protocol import Backend
from gridproof.models import catalog, targets
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import compile_cnf
from gridproof.models.targets.cp_sat import CpSatModel
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry
from gridproof.trust import reference

FOUND = [catalog.load(name) for name in catalog.names()]
CNF = [encoding for encoding in FOUND if encoding.target == "cnf"]
CP_SAT = [encoding for encoding in FOUND if encoding.target == "cp-sat"]
SHAPES = {
    "2x2": FOUR,
    "Latin 5": Geometry.latin(5),
    "2x3 diagonals": Geometry.classic(2, 3).with_diagonals(),
    "jigsaw": Geometry.jigsaw("AAABB ADABB CDDDB CCDEE CCEEE"),
    "order 1": Geometry.latin(1),
    "3x3": NINE,
}

CHOSEN = SHAPES if EVERYTHING else ("2x3 diagonals", "jigsaw", "order 1")

every_encoding = pytest.mark.parametrize("encoding", FOUND, ids=lambda encoding: encoding.name)
every_cnf = pytest.mark.parametrize("encoding", CNF, ids=lambda encoding: encoding.name)
every_cp_sat = pytest.mark.parametrize("encoding", CP_SAT, ids=lambda encoding: encoding.name)


def compiled(geometry: Geometry, encoding: Encoding) -> targets.Model:
    if encoding.target == "cnf":
        return compile_cnf(geometry, encoding)
    return targets.find(encoding.target).compile(Problem(geometry), encoding)


def backend_for(encoding: Encoding) -> Backend:
    usable = sorted(usable_backends(), key=lambda backend: backend.name != DEFAULT_BACKEND)
    for backend in usable:
        if backend.accepts == encoding.target:
            return backend
    pytest.skip(f"no backend for the target {encoding.target} can be used here")


# ---- the keys of its file ----------------------------------------------------------------------------------


def test_each_target_has_encodings_and_its_default_is_one() -> None:
    assert CNF
    assert CP_SAT
    formats = [name for target in targets.all_targets().values() for name in target.formats]
    assert len(set(formats)) == len(formats)
    for name, target in targets.all_targets().items():
        assert target.name == name
        for geometry in (None, NINE, Geometry.classic(5)):
            assert catalog.load(target.default_encoding(None if geometry is None else Problem(geometry))).target == name


@every_encoding
def test_it_describes_itself(encoding: Encoding) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", encoding.name), "a name can be typed"
    assert "\n" not in encoding.summary
    expected = f"source = {encoding.source!r}; expected a paper or a program with its year, such as 'my own, 2026'"
    assert re.search(r"\d{4}|as CP-SAT", encoding.source), expected


# ---- clauses and variables -------------------------------------------------------------------------------------------


@every_cnf
@pytest.mark.parametrize("shape", CHOSEN)
def test_clauses_are_neither_double_nor_empty_of_meaning(encoding: Encoding, shape: str) -> None:
    cnf = compile_cnf(SHAPES[shape], encoding)
    assert all(cnf.clauses), "no clause is empty"
    twice = [clause for clause, times in Counter(map(frozenset, cnf.clauses)).items() if times > 1]
    assert not twice
    assert not [clause for clause in cnf.clauses if len(set(map(abs, clause))) < len(clause)]
    used = {abs(literal) for clause in cnf.clauses for literal in clause}
    assert used == set(cnf.variables)
    assert [*cnf] == [*cnf.clauses]
    assert (cnf.variable_count, cnf.clause_count) == (cnf.variables.count, len(cnf.clauses))


@every_cnf
@pytest.mark.parametrize("shape", CHOSEN)
def test_each_variable_has_a_name_of_its_own(encoding: Encoding, shape: str) -> None:
    cnf = compile_cnf(SHAPES[shape], encoding)
    names = [cnf.name(variable) for variable in cnf.variables]
    assert len(set(names)) == len(names) == cnf.variables.count
    geometry, order = cnf.geometry, cnf.geometry.order
    for variable, name in enumerate(names[: order**3]):
        cell, symbol = divmod(variable, order)
        assert cnf.variables.cells.of(-variable - 1) == (cell, symbol + 1)
        assert name == f"x[{geometry.cell_name(cell)}={geometry.symbol_text(symbol + 1)}]"
    assert not [name for name in names[order**3 :] if name.startswith("x[")]
    for number in (0, -1, cnf.variables.count + 1):
        with pytest.raises(IndexError, match=str(number)):
            cnf.name(number)


@pytest.mark.slow
@every_cnf
@pytest.mark.parametrize("shape", CHOSEN)
def test_a_model_decodes_to_its_grid(encoding: Encoding, shape: str) -> None:
    from pysat.solvers import Solver

    geometry = SHAPES[shape]
    cnf = compile_cnf(geometry, encoding)
    rng = random.Random(7)
    with Solver("minisat22", bootstrap_with=map(list, cnf.clauses)) as solver:
        for grid in {random_grid(geometry, rng) for _ in range(5)}:
            assert solver.solve(assumptions=cnf.literals(Board(geometry, grid)))
            model = solver.get_model()
            assert cnf.decode(model) == grid
            assert cnf.decode(model[: geometry.order**3]) == grid
            # with the grid forbidden, nothing is left of this board
            assert solver.solve(assumptions=[-literal for literal in cnf.blocking_clause(grid)])
            solver.add_clause(list(cnf.blocking_clause(grid)))
            assert not solver.solve(assumptions=cnf.literals(Board(geometry, grid)))
    assert cnf.decode([-variable for variable in cnf.variables]) == (0,) * geometry.cell_count


@pytest.mark.slow
@every_cnf
@pytest.mark.parametrize("shape", ["2x2", "2x3 diagonals", "jigsaw", "order 1"])
def test_dimacs_is_read_back_by_another_reader(encoding: Encoding, shape: str) -> None:
    from pysat.formula import CNF as PySatCnf

    geometry = SHAPES[shape]
    cnf = compile_cnf(geometry, encoding)
    rng = random.Random(3)
    grid = some_grid(geometry)
    board = with_random_marks(keep(geometry, grid, geometry.order, rng), grid, rng)
    extra = cnf.blocking_clause(grid)
    for given, names in ((None, True), (board, False), (board, True)):
        out = io.StringIO()
        cnf.write_dimacs(out, given, extra, names=names)
        read = PySatCnf(from_string=out.getvalue())
        units = [] if given is None else [[literal] for literal in cnf.literals(given)]
        assert read.nv == cnf.variables.count
        assert read.clauses == [*map(list, cnf.clauses), *units, list(extra)]
        lines = out.getvalue().splitlines()
        assert [line for line in lines if line.startswith("p ")] == [f"p cnf {read.nv} {len(read.clauses)}"]
        explained = dict(line.split(" ", 2)[1:] for line in lines if re.match(r"c \d+ ", line))
        assert explained == (
            {str(variable): cnf.variables.name(variable) for variable in cnf.variables} if names else {}
        )


# ---- CP-SAT --------------------------------------------------------------------------------------------------------


def proto_text(model: CpSatModel, board: Board | None = None) -> str:
    out = io.StringIO()
    model.write(out, board)
    return out.getvalue()


@every_cp_sat
def test_a_board_leaves_no_trace_in_the_model(encoding: Encoding) -> None:
    rng = random.Random(5)
    for geometry in (FOUR, Geometry.classic(2, 3), Geometry.latin(1)):
        model = CpSatModel(geometry, encoding)
        rules = proto_text(model)
        grid = some_grid(geometry)
        boards = [
            Board(geometry, grid),
            with_random_marks(Board.empty(geometry), grid, rng),
            Board.empty(geometry).with_marks([0] * geometry.cell_count),
        ]
        for board in boards:
            assert (proto_text(model, board) != rules) == (geometry.order > 1 or 0 in board.candidates)
            assert proto_text(model) == rules


@every_cp_sat
def test_the_text_of_a_model_is_read_and_solved_by_cp_sat(encoding: Encoding) -> None:
    from ortools.sat.python import cp_model

    board = Board.from_symbols(NINE, UNIQUE)
    impossible = board.with_marks([0, *[511] * 80])
    model = CpSatModel(NINE, encoding)
    for question, wanted in ((board, "OPTIMAL"), (impossible, "INFEASIBLE")):
        read = cp_model.CpModel()
        assert read.proto.parse_text_format(proto_text(model, question))
        assert not read.validate()
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        assert solver.status_name(solver.solve(read)) == wanted
        if wanted == "OPTIMAL":
            assert model.decode(list(solver.response_proto.solution)) == next(reference.solutions(board))


@every_encoding
def test_compile_model_gives_a_backend_what_it_takes(encoding: Encoding) -> None:
    backend = backend_for(encoding)
    with backend.open(compile_model(FOUR, backend, encoding)) as session:
        assert list(session.solutions(Board(FOUR, some_grid(FOUR)))) == [some_grid(FOUR)]
