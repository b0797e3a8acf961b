"""Makes the sets of ``gridproof.formats.datasets``: ``python benchmarks/make_sets.py [SET ...]``.

Everything that is generated comes from a seed, one for each set: the same versions of Python and PySAT make the same
files. What a file claims is made sure of with PySAT here and once more, by other means, in the tests.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, product
from pathlib import Path

from gridproof import formats
from gridproof.backends import Session, find
from gridproof.backends.solvers.search import propagate
from gridproof.errors import Interrupted
from gridproof.limits import Limits
from gridproof.models import catalog
from gridproof.models.clauses import Cnf
from gridproof.models.targets.cnf import compile_cnf
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Geometry, SymbolTuple

FOLDER = Path(__file__).resolve().parents[1] / "src" / "gridproof" / "data"
HOSTILE_DEAD_ENDS = 300_000
NINE = Geometry.classic(3)

HARD = [
    ("1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..", "AI Escargot, Inkala 2006"),
    ("..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..", "Arto Inkala 2010"),
    ("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", "Arto Inkala 2012"),
    (".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....", "Golden Nugget, tarek 2007"),
    (".......12........3..23..4....18....5.6..7.8.......9.....85.....9...4.5..47...6...", "Platinum Blonde"),
    ("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1", "Easter Monster"),
    (".2..5.7..4..1....68....3...2....8..3.4..2.5.....6...1...2.9.....9......57.4...9..", "Cheese"),
    ("........3..1..56...9..4..7......9.5.7.......8.5.4.2....8..2..9...35..1..6........", "Fata Morgana"),
    ("12.3....435....1....4........54..2..6...7.........8.9...31..5.......9.7.....6...8", "Red Dwarf"),
]  # fmt: skip
KNOWN_HOSTILE = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"


def main() -> None:
    for name in sys.argv[1:] or sorted(MAKERS):
        maker, heading = MAKERS[name]
        lines = [f"# {line}" for line in heading.splitlines()]
        for board, solutions, remark in maker(random.Random(f"gridproof {name}")):
            number = count(board, solutions + 1)
            if number != solutions:
                raise SystemExit(f"{name}, {remark}: {number} solutions, not {solutions}")
            line = formats.to_line(board.clues, board.geometry)
            lines.append(f"{line}  # {solutions} solution{'s' * (solutions != 1)}: {remark}")
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{name}.txt").write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
        print(f"{name}: {len(lines) - heading.count(chr(10)) - 1} boards")


Made = Iterator[tuple[Board, int, str]]


def easy(rng: random.Random) -> Made:
    """Clues taken away as long as the search with propagation needs no choice, which also proves uniqueness."""
    with next(iter(propagate.backends())).open(NINE) as session:
        for number in range(1, 13):
            board = Board(NINE, random_grid(NINE, rng))
            for cell in rng.sample(range(81), 81):
                fewer = board.without_clue(cell)
                if next(session.solutions(fewer)) and not session.statistics.nodes:
                    board = fewer
            yield board, 1, f"easy {number}, {board.clue_count} clues"


def hard(rng: random.Random) -> Made:
    for puzzle, remark in HARD:
        yield Board.from_symbols(NINE, puzzle), 1, remark


def many(rng: random.Random) -> Made:
    """Unique puzzles with three clues taken away, then two different ones put in.

    Once the solutions of a board are listed, the number that a further clue leaves is counted, not searched for.
    """
    four = Geometry.classic(2)
    made = {288: (Board.empty(four), "the empty 4x4 board"), 12: (Board.from_symbols(four, "1234............"), "4x4")}
    wanted = {2, 3, 4, 5, 6, 8, 10, 16, 20, 24, 32, 50, 64, 100, 128, 200, 256, 365, 500, 512, 720, 1000}
    while not wanted <= set(made):
        board = minimal(Board(NINE, random_grid(NINE, rng)), rng)
        for cell in rng.sample([cell for cell in range(81) if board.clues[cell]], 3):
            board = board.without_clue(cell)
        grids = list(islice(session_for(NINE).solutions(board), 3_001))
        if len(grids) > 3_000:
            continue
        places: dict[tuple[int, int], set[int]] = {}
        for number, grid in enumerate(grids):
            for cell, symbol in enumerate(grid):
                places.setdefault((cell, symbol), set()).add(number)
        pairs = product(rng.sample(sorted(places), 30), sorted(places))
        for first, second in pairs:
            solutions = len(places[first] & places[second])
            if solutions in wanted and solutions not in made:
                clued = board.with_clue(*first).with_clue(*second)
                made[solutions] = (clued, f"9x9, {clued.clue_count} clues")
                break  # the next number from another board
    for solutions, (board, remark) in sorted(made.items()):
        yield board, solutions, remark


def none(rng: random.Random) -> Made:
    def board(geometry: Geometry, **clues: int) -> Board:
        board = Board.empty(geometry)
        for place, symbol in clues.items():
            row, column = map(int, place[1:].split("c"))
            board = board.with_clue((row - 1) * geometry.order + column - 1, symbol)
        return board

    yield board(NINE, r4c2=5, r4c8=5), 0, "a duplicate in row 4"
    yield board(NINE, r1c6=7, r8c6=7), 0, "a duplicate in column 6"
    yield board(NINE, r4c4=2, r6c5=2), 0, "a duplicate in box 5"
    cell = board(NINE, r5c1=1, r5c2=2, r5c8=3, r1c5=4, r3c5=5, r9c5=6, r4c4=7, r4c6=8, r6c4=9)
    yield cell, 0, "r5c5 has no candidate"
    row = board(NINE, r1c3=4, r1c9=5, r2c4=1, r4c1=1, r7c2=1, r5c7=1, r8c8=1)
    yield row, 0, "1 has no place in row 1"
    column = board(NINE, r3c1=4, r9c1=5, r4c2=1, r1c4=1, r2c7=1, r7c5=1, r8c8=1)
    yield column, 0, "1 has no place in column 1"
    yield board(NINE, r4c1=6, r1c4=6, r5c5=1, r5c6=2, r6c5=3, r6c6=4), 0, "6 has no place in box 5"
    yield board(Geometry.classic(2), r1c1=1, r1c2=2, r2c3=3), 0, "4x4"
    for number in range(1, 7):
        yield no_solution(rng), 0, f"nothing to be seen at a glance {number}"


def no_solution(rng: random.Random) -> Board:
    """A minimal board without a solution that shows no contradiction at a glance."""
    while True:
        board = minimal(Board(NINE, random_grid(NINE, rng)), rng)
        cell = rng.choice([cell for cell in range(81) if not board.clues[cell]])
        board = board.with_clue(cell, rng.randint(1, 9))
        if board.contradictions() or count(board, 1):
            continue
        for cell in rng.sample([cell for cell in range(81) if board.clues[cell]], board.clue_count):
            if not count(board.without_clue(cell), 1):
                board = board.without_clue(cell)
        return board


def large(rng: random.Random) -> Made:
    for order, share, number in ((16, 0.39, 2), (16, 0.5, 2), (25, 0.55, 3), (36, 0.6, 2)):
        geometry = Geometry.standard(order)
        for _ in range(number):
            board = minimal(Board(geometry, random_grid(geometry, rng)), rng, round(share * geometry.cell_count))
            yield board, 1, f"{order}x{order}, {board.clue_count} clues"


def hostile(rng: random.Random) -> Made:
    """Minimal puzzles turned so that little is given at the top, and the symbols of the first row come last."""
    yield Board.from_symbols(NINE, KNOWN_HOSTILE), 1, "the well-known one, made against brute force"
    number = 1
    with find("search-bits").open(NINE) as session:
        while number < 8:
            grid = random_grid(NINE, rng)
            board = turned_against_reading_order(minimal(Board(NINE, grid), rng), grid)
            try:
                list(session.solutions(board, Limits(conflicts=HOSTILE_DEAD_ENDS)))
            except Interrupted:
                yield board, 1, f"hostile {number}, {board.clue_count} clues"
                number += 1


def turned_against_reading_order(board: Board, grid: SymbolTuple) -> Board:
    """The same puzzle with its emptiest rows at the top, and its symbols renamed so that the first row falls 9 .. 1."""

    def clues_in(rows: range | list[int]) -> int:
        return sum(board.clues[row * 9 + column] > 0 for row in rows for column in range(9))

    bands = sorted((range(first, first + 3) for first in (0, 3, 6)), key=clues_in)
    rows = [row for band in bands for row in sorted(band, key=lambda row: clues_in([row]))]
    renamed = {0: 0} | {grid[rows[0] * 9 + column]: 9 - column for column in range(9)}
    return Board(NINE, tuple(renamed[board.clues[row * 9 + column]] for row in rows for column in range(9)))


def random_grid(geometry: Geometry, rng: random.Random) -> SymbolTuple:
    """A random grid: random boxes on the diagonal, the rest as a solver with random phases fills it."""
    from pysat.solvers import Solver

    model = rules(geometry)
    board = Board.empty(geometry)
    for box in (geometry.houses[2 * geometry.order + index] for index in diagonal_boxes(geometry)):
        symbols = rng.sample(range(1, geometry.order + 1), geometry.order)
        for cell, symbol in zip(box.cells, symbols, strict=True):
            board = board.with_clue(cell, symbol)
    with Solver(name="glucose4", bootstrap_with=model.clauses) as solver:
        solver.set_phases([rng.choice((1, -1)) * variable for variable in range(1, geometry.order**3 + 1)])
        solver.solve(assumptions=model.literals(board))
        return model.decode(solver.get_model())


def diagonal_boxes(geometry: Geometry) -> range:
    assert geometry.box_shape is not None
    rows, columns = geometry.box_shape
    return range(0, geometry.order, geometry.order // columns + 1) if rows == columns else range(1)


def minimal(board: Board, rng: random.Random, fewest: int = 0) -> Board:
    """The board of a full grid with clues taken away as long as it stays unique, down to ``fewest`` clues."""
    from pysat.solvers import Solver

    model, grid = rules(board.geometry), board.clues
    with Solver(name="glucose4", bootstrap_with=[*model.clauses, model.blocking_clause(grid)]) as solver:
        for cell in rng.sample(range(len(grid)), len(grid)):
            fewer = board.without_clue(cell)
            if fewer.clue_count < fewest:
                break
            solver.conf_budget(1_000)  # a clue that is too hard to do without may stay
            if solver.solve_limited(assumptions=model.literals(fewer)) is False:
                board = fewer
    return board


def count(board: Board, most: int) -> int:
    """Count the solutions of the board, up to ``most``."""
    return sum(1 for _ in islice(session_for(board.geometry).solutions(board), most))


@cache
def session_for(geometry: Geometry) -> Session:
    return find("cadical153").open(rules(geometry))


def rules(geometry: Geometry) -> Cnf:
    # Pairs are quickest, but of order 36 there would be three million.
    return compile_cnf(geometry, catalog.load("extended" if geometry.order <= 25 else "extended-ladder"))


MADE = "Made by benchmarks/make_sets.py. On each line: the puzzle # how many solutions it has: what it is"
MAKERS: dict[str, tuple[Callable[[random.Random], Made], str]] = {
    "easy": (easy, f"Solved by propagation alone: a cell with one candidate left takes it.\n{MADE}"),
    "hard": (
        hard,
        "The best-known hardest 9x9 puzzles, each under the name that it was published with. Puzzles are facts;\n"
        "where no author is named, it went round the players' forums of 2005 to 2008 under that name.\n"
        "On each line: the puzzle # how many solutions it has: what it is",
    ),
    "many": (many, f"Several solutions, 2 to 1000.\n{MADE}"),
    "none": (none, f"No solution, and none of the clues can be done without for that.\n{MADE}"),
    "large": (large, f"Orders 16, 25 and 36.\n{MADE}"),
    "hostile": (
        hostile,
        f"A search in reading order meets more than {HOSTILE_DEAD_ENDS:,} dead ends on each of these.\n{MADE}",
    ),
}

if __name__ == "__main__":
    main()
