"""The contract of every backend. The kit runs over whatever is found, so that a new backend is tested at once.

Ground truth that is not ours: 288 grids of the empty 4x4 board, 12 Latin squares of order 3.

A backend whose single question is dear gets fewer questions; with GRIDPROOF_TESTS=all every backend gets all of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from typing import get_args

import pytest

from core_samples import (
    EVERYTHING,
    FOUR,
    HARD,
    NINE,
    SHAPES,
    UNIQUE,
    Task,
    encodings_of,
    is_slow,
    keep,
    random_grid,
    sampled_backends,
    some_grid,
    starts_processes,
    tasks,
    with_random_marks,
)
from gridproof import backends
from gridproof.backends.models import compile_model, default_encoding
from gridproof.backends.protocol import Backend, Family, Model, Session, Statistics
from gridproof.errors import BackendFailure, BackendUnavailable, BoardError, Interrupted
from gridproof.limits import NO_LIMITS, Limits
from gridproof.models import catalog, targets
from gridproof.models.targets import Encoding
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.trust import reference
from gridproof.trust.check import violations

pytestmark = pytest.mark.slow

FOUND = backends.all_backends()
USABLE = sampled_backends()

every_backend = pytest.mark.parametrize("backend", USABLE, ids=lambda backend: backend.name)


def opened(backend: Backend, geometry: Geometry, encoding: Encoding | None = None) -> Session:
    return backend.open(compile_model(geometry, backend, encoding or default_encoding(backend)))


def all_solutions(session: Session, board: Board) -> list[SymbolTuple]:
    """Every solution of a session, with what holds for every answer: each grid is a solution, and none comes twice."""
    found = list(session.solutions(board))
    assert not [reason for grid in found for reason in violations(board, grid)]
    assert len(set(found)) == len(found)
    return found


# ---- its description of itself -----------------------------------------------------------------------------------


def test_something_is_found_and_the_default_can_be_used() -> None:
    assert USABLE
    assert DEFAULT_BACKEND in [backend.name for backend in USABLE]


@pytest.mark.parametrize("backend", FOUND, ids=lambda backend: backend.name)
def test_it_describes_itself(backend: Backend) -> None:
    assert backend.name == backend.name.lower().strip()
    assert not set(backend.name) & set(" \t\n,;'\"")
    assert backend.family in get_args(Family)
    assert backend.accepts in (*targets.all_targets(), "problem")
    assert backend.summary
    assert "\n" not in backend.summary
    reason = backend.unavailable()
    if reason is None:
        assert backend.version.strip()
    else:
        assert len(reason.split()) > 2, "a reason is a sentence"
        with pytest.raises(BackendUnavailable, match="^" + backend.name + ": "):
            opened(backend, FOUR)


def test_names_and_aliases_find_one_backend_each() -> None:
    names = [backend.name for backend in FOUND]
    assert len(set(names)) == len(names)
    called: dict[str, str] = {}
    for backend in FOUND:
        for name in (backend.name, *backend.aliases):
            assert called.setdefault(name, backend.name) == backend.name
            assert backends.find(name).name == backend.name


@every_backend
def test_it_refuses_a_model_of_another_kind(backend: Backend) -> None:
    found = map(catalog.load, catalog.names())
    compiled = [(encoding.target, targets.find(encoding.target).compile(Problem(FOUR), encoding)) for encoding in found]
    models: list[tuple[str, Model]] = [("problem", Problem(FOUR)), *compiled]
    for kind, model in models:
        if kind == backend.accepts:
            backend.open(model).close()
        else:
            with pytest.raises(BackendUnavailable, match=type(model).__name__):
                backend.open(model)


# ---- ground truth ------------------------------------------------------------------------------------------------


@every_backend
def test_every_grid_of_the_empty_board_under_every_encoding(backend: Backend) -> None:
    geometry, number = (Geometry.latin(3), 12) if is_slow(backend) and not EVERYTHING else (FOUR, 288)
    for encoding in encodings_of(backend):
        with opened(backend, geometry, encoding) as session:
            found = all_solutions(session, Board.empty(geometry))
        assert len(found) == number, encoding and encoding.name


# ---- the same as the reference, whatever the shape ------------------------------------------------------------------


def _boards(geometry: Geometry, number: int) -> Iterator[Board]:
    """Boards with one solution or a few, with and without pencil marks, and one without any."""
    rng = random.Random(geometry.order)
    while number:
        grid = random_grid(geometry, rng)
        cells = geometry.cell_count
        board = keep(geometry, grid, rng.randint(cells // 3, cells), rng)
        if reference.count(board, 21) <= 20:
            number -= 1
            yield board
            # the grid stays possible: marks that rule out a clue would end it all at a glance
            yield with_random_marks(board, grid, rng)


@every_backend
@pytest.mark.parametrize("shape", SHAPES)
def test_it_agrees_with_the_reference(backend: Backend, shape: str) -> None:
    geometry = SHAPES[shape]()
    with opened(backend, geometry) as session:
        for board in _boards(geometry, 2 if is_slow(backend) else 4):
            assert set(all_solutions(session, board)) == set(reference.solutions(board))


@pytest.mark.parametrize("shape", SHAPES)
def test_every_encoding_agrees_with_the_reference(shape: str) -> None:
    geometry = SHAPES[shape]()
    for name in catalog.names():
        encoding = catalog.load(name)
        fitting = [backend for backend in USABLE if backend.accepts == encoding.target]
        if not fitting:
            continue  # contract/test_encoding_contract.py skips it with a word
        backend = min(fitting, key=lambda backend: (backend.name != DEFAULT_BACKEND, is_slow(backend)))
        with opened(backend, geometry, encoding) as session:
            for board in _boards(geometry, 1 if is_slow(backend) else 2):
                assert set(all_solutions(session, board)) == set(reference.solutions(board)), name


@every_backend
def test_a_16x16_board(backend: Backend) -> None:
    geometry = Geometry.classic(4)
    rng = random.Random(16)
    grid = random_grid(geometry, rng)
    board = keep(geometry, grid, 200, rng)
    with opened(backend, geometry) as session:
        assert set(all_solutions(session, board)) == set(reference.solutions(board))
        spoilt = list(grid)
        spoilt[0] = spoilt[1] = 0
        spoilt[255] = grid[255] % 16 + 1
        assert all_solutions(session, Board(geometry, tuple(spoilt))) == []


# ---- limits --------------------------------------------------------------------------------------------------------


@every_backend
def test_a_limit_is_no_answer(backend: Backend) -> None:
    empty, unique = Board.empty(NINE), Board.from_symbols(NINE, UNIQUE)
    limited = [
        (empty, Limits(seconds=0.05), "seconds"),
        (Board.from_symbols(NINE, HARD), Limits(conflicts=1), "conflicts"),
        (empty, Limits(solutions=1), "solutions"),
        (empty, Limits(solutions=3, seconds=600, conflicts=10**12), "solutions"),
        (empty, Limits(seconds=0.05, conflicts=10**30), "seconds"),
    ]
    with opened(backend, NINE) as session:
        for board, limits, name in limited:
            found: list[SymbolTuple] = []
            running = session.solutions(board, limits)
            with pytest.raises(Interrupted) as stopped:
                found.extend(running)  # what came before the limit counts, too
            assert stopped.value.limit == name, limits
            assert stopped.value.value == getattr(limits, name)
            if limits.solutions is not None:
                assert len(found) == limits.solutions, limits
            assert len(set(found)) == len(found), limits
            assert not [reason for grid in found for reason in violations(board, grid)], limits
            # the next call must not end as if there were no more
            with pytest.raises((Interrupted, BackendFailure)):
                next(running)
            # and it is as good as new
            assert all_solutions(session, unique) == list(reference.solutions(unique)), limits


# ---- sessions ------------------------------------------------------------------------------------------------------


def _outcome(session: Session, task: Task) -> tuple[str, int | None, frozenset[SymbolTuple] | None]:
    """The outcome of a session: how it ended, the number of grids and, where it gave all, the grids."""
    found: list[SymbolTuple] = []
    running = session.solutions(task.board, task.limits)
    try:
        for grid in running:
            found.append(grid)
            if task.enough is not None and len(found) > task.enough:
                running.close()
                ended = "enough"
                break
        else:
            ended = "complete"
    except Interrupted as stop:
        ended = stop.limit
    assert len(set(found)) == len(found)
    assert not [reason for grid in found for reason in violations(task.board, grid)]
    number = None if ended == "conflicts" else len(found)  # how far it came may differ
    return ended, number, frozenset(found) if ended == "complete" else None


@every_backend
def test_a_stream_of_boards_leaves_nothing_behind(backend: Backend) -> None:
    """Boards of every kind through one session and through fresh ones: the same answers, the reference's."""
    is_default = backend.name == DEFAULT_BACKEND
    # nine of them are one of each kind
    number = 1_000 if is_default else 9 if starts_processes(backend) else 27 if is_slow(backend) else 63
    geometry = Geometry.classic(2, 3) if is_default else FOUR
    seen: set[str] = set()
    with opened(backend, geometry) as session:
        for task in tasks(geometry, number, seed=number):
            old = _outcome(session, task)
            if task.limits.conflicts is None:
                with opened(backend, geometry) as fresh:
                    assert _outcome(fresh, task) == old, task
            elif old[0] != "complete":
                assert old[0] == "conflicts"
                continue
            ended, number_found, grids = old
            seen.add(ended)
            most = None if ended == "complete" else (number_found or 0) + 1
            truth = list(islice(reference.solutions(task.board), most))
            if ended == "complete":
                assert grids == frozenset(truth), task
            elif ended == "enough":
                assert len(truth) >= (task.enough or 0) + 1
    assert is_slow(backend) or {"complete", "solutions", "enough"} <= seen


@every_backend
def test_iterators_that_were_cut_off_do_not_claim_to_be_complete(backend: Backend) -> None:
    empty, full = Board.empty(FOUR), Board(FOUR, some_grid(FOUR))
    session = opened(backend, FOUR)
    old = session.solutions(empty)
    next(old)
    assert list(session.solutions(full)) == [some_grid(FOUR)]
    with pytest.raises(BackendFailure):
        next(old)
    ended = session.solutions(full)
    assert list(ended) == [some_grid(FOUR)]
    assert list(ended) == []
    unfinished = session.solutions(empty)
    next(unfinished)
    never_begun = session.solutions(empty)
    session.close()
    for running in (unfinished, never_begun):
        with pytest.raises(BackendFailure):
            next(running)
    with pytest.raises(BackendFailure, match="closed"):
        session.solutions(full)
    session.close()


@every_backend
def test_it_refuses_a_board_of_another_geometry_and_goes_on(backend: Backend) -> None:
    with opened(backend, FOUR) as session:
        for geometry in (NINE, Geometry.latin(4), FOUR.with_diagonals(), Geometry.jigsaw("AABBAABBCCDDCCDD")):
            with pytest.raises(BoardError, match=geometry.description):
                session.solutions(Board.empty(geometry))
        with pytest.raises(BoardError, match="other rules"):
            session.solutions(Board.empty(FOUR).with_rule("killer 3 r1c1 r1c2"))
        same = Geometry.classic(2)
        assert list(session.solutions(Board(same, some_grid(FOUR)))) == [some_grid(FOUR)]


# ---- statistics ----------------------------------------------------------------------------------------------------


def _numbers(statistics: Statistics) -> dict[str, float]:
    values = {field.name: getattr(statistics, field.name) for field in fields(statistics)}
    return {name: value for name, value in values.items() if value is not None}


@every_backend
def test_statistics_are_of_the_last_board(backend: Backend) -> None:
    hard = Board.from_symbols(NINE, HARD)
    solved = Board(NINE, next(reference.solutions(hard)))
    work = ("decisions", "conflicts", "nodes", "dead_ends")
    seen = []
    with opened(backend, NINE) as session:
        assert not any(_numbers(session.statistics).values())
        for board in (solved, hard, solved):
            assert len(list(session.solutions(board, NO_LIMITS))) == 1
            numbers = _numbers(session.statistics)
            assert numbers["seconds"] > 0
            for name, value in numbers.items():
                assert type(value) is (float if name == "seconds" else int), name
                assert value >= 0, name
            seen.append({name: numbers[name] for name in work if name in numbers})
    for name, value in seen[1].items():
        assert value > max(seen[0][name], seen[2][name]), name
