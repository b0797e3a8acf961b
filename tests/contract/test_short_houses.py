"""The contract of backends and encodings on boards with more digits than a house has cells.

There a house holds no digit twice, and need not hold every digit. Each backend with each of its encodings finds exactly
the grids of a brute force that is written here, digit by digit, or refuses the board.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import pytest

from core_samples import encodings_of, sampled_backends
from gridproof import verify
from gridproof.backends.models import compile_model
from gridproof.backends.protocol import Backend
from gridproof.errors import BackendUnavailable, EncodingError
from gridproof.models import catalog
from gridproof.models.targets import Encoding
from gridproof.puzzle.board import Board
from gridproof.puzzle.digits import Digits
from gridproof.puzzle.geometry import Geometry
from gridproof.trust import reference
from gridproof.trust.check import violations
from gridproof.trust.verdict import Status

Held = Callable[[Sequence[int]], bool]


@dataclass(frozen=True)
class Sample:
    """A board, and when its digits keep its rules, in words of Python."""

    name: str
    geometry: Geometry
    clues: str
    rules: tuple[str, ...] = ()
    holds: Held = lambda digits: True

    @property
    def board(self) -> Board:
        return Board.from_symbols(self.geometry, self.clues).with_rules(self.rules)


FOUR = Geometry.classic(2)
SAMPLES = [
    Sample("0-5", FOUR.with_digits(Digits(0, 5)), "01.3 2.0. .3.5 ..2.".replace(" ", "")),
    Sample("1-6", FOUR.with_digits(Digits(1, 6)), "12.. 3.6. .452 ..1.".replace(" ", "")),
    Sample(
        "0-5 with rules",
        FOUR.with_digits(Digits(0, 5)),
        "035. ..1. .2.. 3...".replace(" ", ""),
        ("killer 5 r1c2 r2c1 repeats", "killer 9 r4c1-r4c3", "whispers 3 r2c2 r3c3 r4c4"),
        lambda d: d[1] + d[4] == 5 and d[12] + d[13] + d[14] == 9 and abs(d[5] - d[10]) >= 3 <= abs(d[10] - d[15]),
    ),
    Sample(
        "1-6 with rules",
        FOUR.with_digits(Digits(1, 6)),
        "1... 4..5 .2.. ...6".replace(" ", ""),
        ("killer 12 r1c2 r1c3 r2c3", "counting-circles r1c1 r2c2 r3c3 r4c1", "skyscraper 4 row4"),
        lambda d: (
            d[1] + d[2] + d[6] == 12
            and len({d[1], d[2], d[6]}) == 3
            and all([d[0], d[5], d[10], d[12]].count(digit) == digit for digit in (d[0], d[5], d[10], d[12]))
            and d[12] < d[13] < d[14] < d[15]
        ),
    ),
    Sample("oblong", Geometry.oblong(3, 4, Digits(0, 4), (1, 2)), "01.. .23. 4..2".replace(" ", "")),
    Sample("no boxes", Geometry.oblong(2, 5), "1.3.. .4..2".replace(" ", "")),
    Sample(
        "full boxes",
        Geometry.oblong(3, 4, Digits(2, 7), (3, 2)),
        "6... .... ..6.".replace(" ", ""),
        ("thermometer r3c1-r3c3", "thermometer r1c2-r3c2", "killer 9 r1c3 r2c4 repeats"),
        lambda d: d[8] < d[9] < d[10] and d[1] < d[5] < d[9] and d[2] + d[7] == 9,
    ),
]


@cache
def brute_force(sample: Sample) -> set[tuple[int, ...]]:
    """Every grid of digits: each digit is tried in each cell, and compared with its row, column and box."""
    geometry = sample.geometry
    rows, columns = geometry.shape
    high, wide = geometry.box_shape or (1, 1)
    found = set()

    def meet(one: int, other: int) -> bool:
        same_box = (one // columns // high, one % columns // wide) == (
            other // columns // high,
            other % columns // wide,
        )
        return one // columns == other // columns or one % columns == other % columns or same_box

    earlier = [[other for other in range(cell) if meet(cell, other)] for cell in range(rows * columns)]

    def fill(digits: list[int]) -> None:
        cell = len(digits)
        if cell == rows * columns:
            if sample.holds(digits):
                found.add(tuple(digits))
            return
        clue = sample.clues[cell]
        for digit in range(geometry.digits.first, geometry.digits.last + 1):
            if clue in (".", str(digit)) and all(digits[other] != digit for other in earlier[cell]):
                fill([*digits, digit])

    fill([])
    return found


def setups() -> Iterator[tuple[Backend, Encoding | None]]:
    for backend in sampled_backends():
        for encoding in encodings_of(backend):
            if backend.name == "cadical153" or backend.accepts != "cnf" or encoding is encodings_of(backend)[0]:
                yield backend, encoding


every_setup = pytest.mark.parametrize(
    ("backend", "encoding"),
    list(setups()),
    ids=lambda part: part.name if part is not None else "",
)

every_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)


@every_sample
def test_the_samples_have_several_grids_and_not_all(sample: Sample) -> None:
    assert 1 <= len(brute_force(sample)) <= 20, len(brute_force(sample))


@every_setup
def test_a_backend_finds_every_grid_of_a_board_with_short_houses_or_refuses_it(
    backend: Backend, encoding: Encoding | None
) -> None:
    answered = 0
    for sample in SAMPLES:
        board = sample.board
        refused = None
        try:
            session = backend.open(compile_model(board.problem, backend, encoding))
        except (BackendUnavailable, EncodingError) as refusal:
            refused = str(refusal)
        if refused is not None:
            assert re.search("houses hold every digit|takes houses only", refused), sample.name
            continue
        with session:
            found = list(session.solutions(board))
        assert len(set(found)) == len(found)
        assert {sample.geometry.digits.of(grid) for grid in found} == brute_force(sample), sample.name
        answered += 1
    assert answered or backend.name == "lanes" or (encoding and encoding.name == "reduced")


@every_sample
def test_reference_and_check_agree_with_brute_force(sample: Sample) -> None:
    board = sample.board
    found = set(reference.solutions(board))
    assert {sample.geometry.digits.of(grid) for grid in found} == brute_force(sample)
    for grid in found:
        assert not violations(board, grid)
        turned = grid[1:] + grid[:1]
        assert bool(violations(board, turned)) == (turned not in found)


@every_sample
def test_a_verdict_is_right_and_cross_checked(sample: Sample) -> None:
    truth = brute_force(sample)
    verdict = verify(sample.board)
    assert verdict.status is Status.MULTIPLE
    assert {sample.geometry.digits.of(grid) for grid in verdict.solutions} < truth
    digits = min(truth)
    symbols = [sample.geometry.digits.symbol(digit) for digit in digits]
    board = sample.board
    for cell, symbol in enumerate(symbols[:-1]):
        board = board.with_clue(cell, symbol)
    number = sum(digits[:-1] == other[:-1] for other in truth)
    verdict = verify(board)
    assert verdict.is_unique == (number == 1)
    if verdict.is_unique:
        assert verdict.evidence.reference.word == "agrees"
        assert sample.geometry.digits.of(verdict.solutions[0]) == digits


def test_no_encoding_is_left_out() -> None:
    tried = {encoding.name for _, encoding in setups() if encoding is not None}
    targets = {backend.accepts for backend in sampled_backends()}
    for name in catalog.names():
        assert name in tried or catalog.load(name).target not in targets, name
