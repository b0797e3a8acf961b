"""The search family: the same answers as the reference, each in its own way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

import ground_truth
from gridproof.backends import find
from gridproof.backends.protocol import Statistics
from gridproof.backends.solvers.search.session import SearchBackend
from gridproof.errors import BackendUnavailable
from gridproof.limits import NO_LIMITS, Limits
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import all_kinds
from gridproof.rules import find as find_kind
from gridproof.trust import reference
from rules.random_rules import random_rule

NAMES = ("tables", "scan", "sets", "bits", "lazy", "propagate", "norvig", "exact-cover")
READING_ORDER = NAMES[:5]
FOUR = Geometry.classic(2)
NINE = Geometry.classic(3)
CROOKED = Geometry.jigsaw("AABB ACBB ACDD CCDD")


def backend(name: str) -> SearchBackend:
    found = find(f"search-{name}")
    assert isinstance(found, SearchBackend)
    return found


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def solved(name: str, board: Board, limits: Limits = NO_LIMITS) -> list[SymbolTuple]:
    with backend(name).open(board.geometry) as session:
        return list(session.solutions(board, limits))


def random_boards(geometry: Geometry, rng: random.Random, number: int) -> Iterator[Board]:
    """Boards with clues of a solution, some with a clue changed, some with pencil marks."""
    grids = list(islice(reference.solutions(Board.empty(geometry)), 50))
    cells = geometry.cell_count
    for _ in range(number):
        grid = rng.choice(grids)
        share = rng.uniform(0.3, 0.9) if geometry.order < 9 else 0.6
        board = Board(geometry, tuple(symbol if rng.random() < share else 0 for symbol in grid))
        if rng.random() < 0.3:
            board = board.with_clue(rng.randrange(cells), rng.randint(1, geometry.order))
        if rng.random() < 0.4:
            full = (1 << geometry.order) - 1
            board = board.with_marks(
                rng.randint(0, full) | 1 << (symbol - 1) if rng.random() < 0.9 else rng.randint(0, full)
                for symbol in grid
            )
        yield board


@pytest.mark.slow
def test_a_level_for_each_cell_of_a_large_board(name: str) -> None:
    order, side = 36, 6  # 1,296 levels: deeper than Python recurses
    grid = [(column + side * (row % side) + row // side) % order + 1 for row in range(order) for column in range(order)]
    marks = [1 << (symbol - 1) for symbol in grid]
    for row in (0, 17):  # somewhere to choose
        for cell in (row * order, row * order + 1):
            marks[cell] = 1 << (grid[row * order] - 1) | 1 << (grid[row * order + 1] - 1)
    board = Board.empty(Geometry.classic(side)).with_marks(marks)
    assert solved(name, board) == [tuple(grid)]


def test_reading_order_strategies_walk_the_same_tree() -> None:
    boards = list(random_boards(Geometry.classic(2, 3), random.Random(8), 12))
    seen = []
    for name in READING_ORDER:
        with backend(name).open(boards[0].geometry) as session:
            figures = []
            for board in boards:
                grids = list(islice(session.solutions(board), 40))
                figures.append((grids, session.statistics.nodes, session.statistics.dead_ends))
            seen.append(figures)
    assert all(figures == seen[0] for figures in seen)
    assert any(nodes for _, nodes, _ in seen[0])


def test_statistics_count_the_steps_of_a_search() -> None:
    puzzle = "1.....2....3.4.."

    def cost(name: str) -> Statistics:
        with backend(name).open(FOUR) as session:
            assert len(list(session.solutions(Board.from_symbols(FOUR, puzzle)))) == 1
            return session.statistics

    bits, scan, forced = cost("bits"), cost("scan"), cost("propagate")
    assert bits.nodes == bits.tries == scan.nodes
    assert bits.dead_ends == 3
    assert scan.tries is not None
    assert bits.tries is not None
    assert scan.tries > bits.tries  # it looks at symbols that are taken, too
    assert (forced.nodes, forced.propagations) == (0, 12)
    assert bits.propagations is None
    assert bits.seconds > 0


def test_the_second_rule_spares_choices() -> None:
    geometry, rng = Geometry.classic(2, 3), random.Random(3)
    grids = list(islice(reference.solutions(Board.empty(geometry)), 50))
    nodes = {"propagate": 0, "norvig": 0}
    for _ in range(5):
        board = Board(geometry, rng.choice(grids))
        for cell in rng.sample(range(36), 36):  # no clue is left that the solution does not need
            fewer = board.without_clue(cell)
            board = fewer if reference.count(fewer, limit=2) == 1 else board
        for name in nodes:
            with backend(name).open(geometry) as session:
                assert len(list(session.solutions(board))) == 1
                nodes[name] += session.statistics.nodes or 0
    assert nodes["norvig"] < nodes["propagate"] / 2


# ---- rules beyond houses ---------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("geometry", [FOUR, CROOKED], ids=str)
def test_boards_with_rules_have_the_solutions_of_the_plain_ground_truth(geometry: Geometry, name: str) -> None:
    random_ = random.Random(f"{name} {geometry.description}")
    if name == "exact-cover":
        board = Board.empty(geometry).with_rule("killer 3 r1c1 r1c2")
        with pytest.raises(BackendUnavailable, match=r"search-exact-cover: it takes houses only, not 'the killer cage"):
            backend(name).open(board.problem)
        return
    for kind in all_kinds().values():
        for _ in range(3):
            board = next(random_boards(geometry, random_, 1))
            board = Board(geometry, board.clues).with_rule(random_rule(kind, geometry, random_))
            if random_.random() < 0.5:
                board = board.with_rule(random_rule(find_kind("killer"), geometry, random_))
            with backend(name).open(board.problem) as session:
                assert sorted(session.solutions(board)) == list(ground_truth.solutions(board)), board


def test_propagation_takes_a_symbol_from_the_partners_of_its_cell() -> None:
    board = Board.empty(NINE).with_rules(["anti-knight", "anti-king", "non-consecutive"])
    with backend("propagate").open(board.problem) as session:
        grid = next(session.solutions(board, Limits(conflicts=20_000)))
    assert all(rule.holds(NINE.digits.of(grid), NINE) for rule in board.rules)
