"""Clauses and variables: the published figures, every scheme in every place, names, literals, DIMACS."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from dataclasses import replace

import pytest

from core_samples import FOUR, NINE, some_grid
from gridproof.backends import find
from gridproof.models import catalog, schemes, targets
from gridproof.models.catalog import make_encoding
from gridproof.models.clauses import Cnf
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import compile_cnf
from gridproof.models.variables import CellVariables, Variables
from gridproof.pipeline import DEFAULT_BACKEND
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry
from gridproof.trust import reference


def shared_twice(geometry: Geometry) -> int:
    """The number of pairs of cells in two houses, counted cell by cell."""
    pairs = itertools.combinations(range(geometry.cell_count), 2)
    return sum(len(set(geometry.houses_of[a]) & set(geometry.houses_of[b])) - 1 for a, b in pairs if b in PEERS[a])


PEERS = [set(peers) for peers in NINE.peers]


# ---- figures of others -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "variables", "published"),
    [("minimal", 729, 8_829), ("extended", 729, 11_988)],
)
def test_published_figures_of_the_9x9_board(name: str, variables: int, published: int) -> None:
    """Lynce and Ouaknine 2006 (and Kwon and Jain 2006) count a clause once for each house that requires it: two cells
    that share a row and a box give the same clause twice. Ours are without duplicates; those dropped are added here."""
    cnf = compile_cnf(NINE, catalog.load(name))
    dropped = 9 * shared_twice(NINE)
    assert dropped == 9 * (9 * 9 + 9 * 9)
    assert cnf.variables.count == variables
    assert len(cnf.clauses) + dropped == published


def test_minimal_is_written_as_the_paper_has_it() -> None:
    """At least one symbol in each cell; at most one cell for each symbol in each row, column and box."""
    clauses = set(map(frozenset, compile_cnf(NINE, catalog.load("minimal")).clauses))
    expected = set()
    for row, column in itertools.product(range(9), repeat=2):
        expected.add(frozenset((row * 9 + column) * 9 + symbol for symbol in range(1, 10)))
    for symbol in range(1, 10):
        for one, two in itertools.combinations(range(81), 2):
            (r, c), (s, d) = divmod(one, 9), divmod(two, 9)
            if r == s or c == d or (r // 3, c // 3) == (s // 3, d // 3):
                expected.add(frozenset((-(one * 9 + symbol), -(two * 9 + symbol))))
    assert clauses == expected


# ---- every scheme, everywhere --------------------------------------------------------------------------------------


def made(**house: object) -> Encoding:
    data = {
        "summary": "made here",
        "source": "here",
        "target": "cnf",
        "cell": {"at_least_one": True, "at_most_one": house.pop("cell", "pairwise")},
        "house": {"at_least_one": house.pop("at_least_one", True), **house},
    }
    return make_encoding(data, "made")


def every_choice() -> Iterator[Encoding]:
    house = targets.find("cnf").schema["house"]
    assert set(house["at_most_one"]) == {*schemes.all_schemes(), False}
    for scheme in schemes.all_schemes():
        for through in house["through"]:
            yield made(at_most_one=scheme, cell=scheme, through=through)
        yield made(at_most_one=scheme, cell=False, at_least_one=False, through="intersections")
    yield made(at_most_one=False, cell="pairwise", through="intersections")


def _names_choice(encoding: Encoding) -> str:
    return " ".join(str(value) for _, value in encoding.choices)


@pytest.mark.parametrize("encoding", list(every_choice()), ids=_names_choice)
def test_every_choice_states_the_rules(encoding: Encoding) -> None:
    backend = find(DEFAULT_BACKEND)
    for geometry, number in ((FOUR.with_diagonals(), 48), (Geometry.jigsaw("ABBA BAAB CDDC DCCD"), 96)):
        with backend.open(compile_cnf(geometry, encoding)) as session:
            assert len(set(session.solutions(Board.empty(geometry)))) == number


def test_extra_houses_are_no_lines_whatever_they_are_called() -> None:
    """A house called ``row`` that is none must not be cut like one (it once made every board unsolvable)."""
    backend = find(DEFAULT_BACKEND)
    for kind in ("row", "column", "region"):
        for base in (FOUR, Geometry.latin(4)):
            geometry = base.with_houses([[0, 5, 10, 15]], kind)
            truth = set(reference.solutions(Board.empty(geometry)))
            assert len(truth) >= 24
            with backend.open(compile_cnf(geometry, catalog.load("triad"))) as session:
                assert set(session.solutions(Board.empty(geometry))) == truth


# ---- literals and models ---------------------------------------------------------------------------------------------


@pytest.fixture
def cnf() -> Cnf:
    return compile_cnf(FOUR, catalog.load("triad"))


def test_literals_of_a_board(cnf: Cnf) -> None:
    board = Board.from_symbols(FOUR, "1..." + "." * 12)
    assert cnf.literals(board) == [1]
    marks = [0b1111] * 16
    marks[0], marks[1], marks[2] = 0b0011, 0b1010, 0
    # the marks of a cell with a clue are stated, too: they hold when the clue is left out
    assert cnf.literals(board.with_marks(marks)) == [1, -3, -4, -5, -7, -9, -10, -11, -12]
    marks[0] = 0b1110
    assert cnf.literals(board.with_marks(marks)) == [1, -1, -5, -7, -9, -10, -11, -12], "a clue that is ruled out"
    assert cnf.literals(Board.empty(FOUR)) == []


def test_decode_and_block(cnf: Cnf) -> None:
    grid = some_grid(FOUR)
    model = [
        variable if (variable - 1) % 4 + 1 == grid[(variable - 1) // 4] else -variable for variable in range(1, 65)
    ]
    model[4:8] = [-5, -6, -7, -8]
    assert cnf.decode(model) == (grid[0], 0, *grid[2:]), "0 where the model has no symbol"
    model[0:4] = [1, 2, -3, -4]
    assert len(cnf.decode(model)) == 16, "16 true literals, but two in one cell and none in another"
    board = Board(FOUR, (*grid[:7], *[0] * 9))
    assert cnf.blocking_clause(grid, board) == cnf.blocking_clause(grid)[7:], "the clues are assumed"


def test_dimacs_is_not_broken_by_odd_names() -> None:
    geometry = FOUR.with_houses([[0, 5, 10, 15]], "a\nb 0\nc\tp cnf 1 1 größe\u2028")
    encoding = replace(made(cell="ladder", at_most_one="ladder"), name="my\nown")
    out = io.StringIO()
    compile_cnf(geometry, encoding).write_dimacs(out)
    for line in out.getvalue().splitlines():
        assert line.startswith(("c ", "p cnf ")) or line.endswith(" 0")
        assert line.startswith(("c ", "p ")) or all(part.lstrip("-").isdigit() for part in line.split())
    assert out.getvalue().count("\np cnf ") == 1
    assert out.getvalue().isascii()
    assert "ladder[a\\nb 0\\nc\\tp cnf 1 1 gr\\u00f6\\u00dfe\\u2028 1 = 4]" in out.getvalue()


# ---- variables -------------------------------------------------------------------------------------------------------


def test_variables_are_counted_and_named() -> None:
    variables = Variables(CellVariables(Geometry.classic(3, 4)))
    assert variables.count == len(variables.cells.numbers) == 12**3
    assert variables.cells(0, 1) == 1
    assert variables.cells(143, 12) == 12**3
    assert variables.name(1) == "x[r1c1=1]"
    assert variables.name(12**3) == "x[r12c12=C]"
    assert variables.add(0, "nothing", "ladder") == 12**3 + 1
    assert variables.add(3, "row 1 = 5", "ladder") == 12**3 + 1
    assert variables.add(1, "row 1, region 1 = 5", "any") == 12**3 + 4
    assert [variables.name(12**3 + offset) for offset in range(1, 5)] == [
        "ladder[row 1 = 5].1",
        "ladder[row 1 = 5].2",
        "ladder[row 1 = 5].3",
        "any[row 1, region 1 = 5]",
    ]
    assert variables.count == len(list(variables)) == 12**3 + 4


@pytest.mark.parametrize("first", [0, 1, 100])
def test_a_block_of_cell_variables_goes_both_ways(first: int) -> None:
    geometry = Geometry.classic(2, 3)
    x = CellVariables(geometry, first)
    cells, symbols = range(36), range(1, 7)
    assert [x(cell, symbol) for cell in cells for symbol in symbols] == list(x.numbers)
    assert x.numbers[0] == first
    assert [variable for cell in cells for variable in x.of_cell(cell)] == list(x.numbers)
    assert x.of_symbol(3, (0, 7)) == (x(0, 3), x(7, 3))
    for number in x.numbers:
        cell, symbol = x.of(number)
        assert x(cell, symbol) == number
        assert x.of(-number) == (cell, symbol)
        assert x.name(-number) == f"x[{geometry.cell_name(cell)}={symbol}]"
    grid = some_grid(geometry)
    assert x.of_symbols(grid) == [x(cell, symbol) for cell, symbol in enumerate(grid)]
    assert x.decode(x.of_symbols(grid)) == grid
    some = (*grid[:5], 0, *grid[6:])
    assert len(x.of_symbols(some)) == 35
    assert x.decode(x.of_symbols(some)) == some
